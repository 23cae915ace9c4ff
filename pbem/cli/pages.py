"""`pbem pages …`: the static pages of the games."""

from __future__ import annotations

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Annotated, Any
from urllib.parse import unquote

import typer

from pbem.cli.common import counted, err, print_json, progress
from pbem.cli.frame import ConfigOption, JsonOption, Shown, commands
from pbem.cli.opening import OpenService, read_config
from pbem.errors import ConfigError
from pbem.service.pages import building

app = commands()

_HTTP = 80
"""The port that browsers omit in Host."""


@app.command()
def build(service: OpenService) -> Shown:
    """Rewrite all pages, and remove those of games that have none.

    `pbem serve` does this automatically, page by page; unchanged files are not touched.

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
    port: Annotated[int, typer.Option(help="Port of this machine; 0 takes a free one.")] = 8080,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Serve the pages to a browser on this machine, as a preview; Ctrl-C stops it.

    For anybody else let a web server serve the folder (docs/pages.md).

    Example: pbem pages serve --port 8080
    """
    section = read_config(config).pages
    if section is None:
        raise ConfigError("there are no pages: add a section [pages] with folder and url")
    if not section.folder.is_dir():
        raise ConfigError(f"[pages] folder: {section.folder} is not there: run `pbem pages build`")
    try:
        server = ThreadingHTTPServer(
            ("127.0.0.1", port), partial(_Handler, directory=str(section.folder))
        )
    except OSError as error:
        raise ConfigError(f"127.0.0.1:{port}: {error.strerror}") from None
    with server:
        url = f"http://127.0.0.1:{server.server_port}/"
        if as_json:
            print_json({"ready": True, "url": url})
        else:
            err.print(f"{url} (Ctrl-C ends it)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            sys.exit(0)


class _Handler(SimpleHTTPRequestHandler):
    """Serves the pages, but no hidden files."""

    def guess_type(self, path: object) -> str:
        """Return the content type of a file, as a web server should."""
        return "application/atom+xml" if str(path).endswith(".xml") else super().guess_type(path)  # type: ignore[arg-type]

    def send_head(self) -> Any:  # noqa: ANN401  (as http.server types it)
        """Open the requested file; refuse other host names (DNS rebinding) and hidden files."""
        port = self.connection.getsockname()[1]
        names = [name for host in ("127.0.0.1", "localhost") for name in (f"{host}:{port}", host)]
        allowed = names if port == _HTTP else names[::2]
        given = self.headers.get_all("Host", [])
        if len(given) != 1 or given[0] not in allowed:
            self.send_error(421)
            return None
        path = unquote(self.path.partition("?")[0].partition("#")[0])
        if any(part.startswith(".") for part in path.split("/")):
            self.send_error(404)
            return None
        try:
            return super().send_head()
        except ValueError:  # NUL or an invalid character, which no file name can contain
            self.send_error(404)
            return None

    def end_headers(self) -> None:
        """Add a header that keeps pages, feeds and calendars out of search engines."""
        self.send_header("X-Robots-Tag", "noindex")
        super().end_headers()

    def list_directory(self, path: object) -> None:
        """Refuse directory listings."""
        self.send_error(404)

    def log_message(self, *_given: object) -> None:
        """Log nothing."""
