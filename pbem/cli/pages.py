"""`pbem pages …`: the web pages of the games."""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack, suppress
from typing import Annotated

import typer

from pbem.cli.common import counted, err, print_json, progress
from pbem.cli.frame import JsonOption, Shown, commands
from pbem.cli.opening import OpenService
from pbem.errors import ConfigError
from pbem.service.core.context import Service
from pbem.service.pages import building

app = commands()

_LOCAL = "127.0.0.1"


@app.command()
def build(service: OpenService) -> Shown:
    """Write all pages to the folder for a web server, and remove outdated files.

    `pbem serve` repeats this after changes. Unchanged files are not rewritten.

    Example: pbem pages build
    """
    written = progress("writing pages", "pages")
    built = building.build(service, lambda done, _total: written(done))
    return Shown(
        {"ok": True, "games": built.games, "files": built.files, "changed": built.changed},
        f"{counted(built.files, 'file')} for {counted(built.games, 'game')}; {built.changed} changed.",
    )


@app.command()
def serve(
    service: OpenService,
    port: Annotated[int, typer.Option(help="Port to listen on. 0 uses a free port.")] = 8080,
    as_json: JsonOption = False,
) -> None:
    """Serve the pages to a browser on this machine, as a preview. Ctrl-C stops it.

    With `[web]`, `pbem serve` shows them to others (docs/pages.md).

    Example: pbem pages serve --port 8080
    """
    if service.config.pages is None:
        raise ConfigError("there are no pages: add a section [pages] with url")
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(service, port, as_json=as_json))
    sys.exit(0)


async def _serve(service: Service, port: int, *, as_json: bool) -> None:
    from pbem.web.app import local_app  # noqa: PLC0415  (slow to load)
    from pbem.web.server import serve as running  # noqa: PLC0415

    async with AsyncExitStack() as stack:
        try:
            taken = await stack.enter_async_context(running(local_app(service), _LOCAL, port))
        except OSError as error:
            raise ConfigError(f"{_LOCAL}:{port}: {error.strerror}") from None
        url = f"http://{_LOCAL}:{taken}/"
        if as_json:
            print_json({"ready": True, "url": url})
        else:
            err.print(f"{url} (Ctrl-C ends it)")
        await asyncio.Event().wait()
