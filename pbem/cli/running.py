"""`pbem init`, `serve`, `demo`: setting up and running the service."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.common import ConfigOption, JsonOption, err, out, print_json, read_config, refusals
from pbem.errors import ConfigError


def register(app: typer.Typer) -> None:
    """Add the commands to the root."""
    app.command()(init)
    app.command()(serve)
    app.command()(demo)


def init(
    address: Annotated[
        str,
        typer.Option(
            prompt="Address of the service (game@play.example.org)", help="The service's address."
        ),
    ],
    smtp_host: Annotated[
        str,
        typer.Option(prompt="Mail server that sends our mails", help="Host of the mail server."),
    ],
    smtp_port: Annotated[int, typer.Option(help="Its port.")] = 587,
    smtp_security: Annotated[str, typer.Option(help="starttls, tls or none.")] = "starttls",
    smtp_username: Annotated[str | None, typer.Option(help="Login, if it wants one.")] = None,
    admin: Annotated[list[str] | None, typer.Option(help="Address of an admin; repeat.")] = None,
    time_zone: Annotated[
        str, typer.Option(help="Zone for players who have not told theirs.")
    ] = "UTC",
    listen: Annotated[
        str | None, typer.Option(help="Listener of our own, e.g. lmtp:127.0.0.1:2525.")
    ] = None,
    database: Annotated[str, typer.Option(help="Database URL.")] = "sqlite:///pbem.sqlite3",
    file: Annotated[Path, typer.Option("--out", help="File to write.")] = Path("pbem.toml"),
    as_json: JsonOption = False,
) -> None:
    """Write a configuration and a key, and make the database.

    Example: pbem init --address game@play.example.org --smtp-host mail.example.org
    """
    from pbem.service import setup  # noqa: PLC0415

    with refusals(as_json=as_json):
        key_file = setup.write_config(
            file,
            address=address,
            smtp_host=smtp_host,
            smtp_port=smtp_port,
            smtp_security=smtp_security,
            smtp_username=smtp_username,
            admins=admin or [],
            time_zone=time_zone,
            listen=listen,
            database=database,
            key=secrets.token_hex(32),
        )
        from pbem.bootstrap import build_service  # noqa: PLC0415
        from pbem.store import schema  # noqa: PLC0415

        try:
            service = build_service(read_config(file))
        except ConfigError:
            setup.remove_config(file)  # or the next try would find it and refuse
            raise
        try:
            schema.upgrade(service.store)
        finally:
            service.store.close()
        if as_json:
            print_json({"ok": True, "config": str(file), "key_file": str(key_file)})
            return
        out.print(f"Wrote {file} and {key_file} (keep a copy of the key in another place).")
        out.print(f"The database is ready. Next: pbem serve --config {file}")


def serve(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Run the service: take mails in, decide, send, watch the deadlines; SIGTERM ends it.

    Example: pbem serve --config pbem.toml
    """
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
