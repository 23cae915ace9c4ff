"""`pbem serve`, `demo`: running the service."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.common import ConfigOption, JsonOption, err, print_json, read_config, refusals
from pbem.errors import ConfigError


def register(app: typer.Typer) -> None:
    """Add the commands to the root."""
    app.command()(serve)
    app.command()(demo)


def serve(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Run the service: take mails in, decide, send, watch the deadlines; SIGTERM ends it.

    Example: pbem serve --config pbem.toml
    """
    import asyncio  # noqa: PLC0415  (keeps --help fast)

    from pbem import bootstrap  # noqa: PLC0415

    def ready(port: int | None) -> None:
        if as_json:
            print_json({"ready": True, "port": port})
        else:
            err.print("ready" if port is None else f"ready, listening on port {port}")

    with refusals(as_json=as_json):
        try:
            asyncio.run(bootstrap.serve(read_config(config, quiet=False), on_ready=ready))
        except OSError as error:
            raise ConfigError(f"[listen]: cannot listen there: {error.strerror}") from None
        except ExceptionGroup as group:
            raise group.exceptions[0] from None


def demo(
    players: Annotated[int, typer.Option(min=2, max=5, help="Correspondents at the table.")] = 3,
    as_json: JsonOption = False,
) -> None:
    """Play a whole game by mail on this machine: real service, real SMTP on loopback, then verify it.

    Example: pbem demo
    """
    from pbem.demo import play  # noqa: PLC0415

    with refusals(as_json=as_json):
        raise typer.Exit(play.run(players=players, as_json=as_json))
