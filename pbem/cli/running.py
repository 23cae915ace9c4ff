"""`pbem serve`: the service itself."""

from __future__ import annotations

import asyncio

from pbem import serving
from pbem.cli.common import err, print_json
from pbem.cli.frame import ConfigOption, JsonOption, commands
from pbem.cli.opening import read_config
from pbem.errors import ConfigError

app = commands()


@app.command()
def serve(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Run the service: receive messages, decide, send, watch deadlines. SIGTERM stops it.

    Example: pbem serve --config pbem.toml
    """

    def ready(port: int | None) -> None:
        if as_json:
            print_json({"ready": True, "port": port})
        else:
            err.print("ready" if port is None else f"ready, listening on port {port}")

    try:
        asyncio.run(serving.serve(read_config(config, quiet=False), on_ready=ready))
    except OSError as error:
        raise ConfigError(str(error)) from None
    except ExceptionGroup as group:
        raise group.exceptions[0] from None
