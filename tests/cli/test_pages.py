"""Test `pbem pages`: a full build, and serving pages on this machine."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Shell
from tests.show.games import play

SECTION = '\n[pages]\nfolder = "out"\nurl = "https://cards.example.org/"\n'


@pytest.fixture
def with_pages(shell: Shell) -> Shell:
    file = shell.folder / "pbem.toml"
    file.write_text(file.read_text(encoding="utf-8") + SECTION, encoding="utf-8")
    return shell


def test_build_says_what_it_did(with_pages: Shell) -> None:
    """Twice the same: the second time nothing is written."""
    game = play(with_pages.table, "phyliss", 2, 4)
    result = with_pages.run("pages", "build", "--json")
    assert json.loads(result.stdout) == {"ok": True, "games": 1, "files": 5, "changed": 5}
    assert (with_pages.folder / "out" / "game" / f"{game.id}.html").is_file()
    assert "5 files for 1 game; 0 changed." in with_pages.run("pages", "build").output


def test_without_the_section_it_says_what_to_add(shell: Shell) -> None:
    for command in ("build", "serve"):
        result = shell.run("pages", command)
        assert result.exit_code == 1
        assert "add a section [pages]" in result.output


def get(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url) as answer:  # noqa: S310
            return answer.status, answer.headers["Content-Type"]
    except urllib.error.HTTPError as error:
        return error.code, ""


def asked(url: str, path: str, host: str | None = None) -> tuple[int, str | None]:
    """Send a path as it is; gives the status, and what robots are asked."""
    place = url.removeprefix("http://").rstrip("/")
    connection = http.client.HTTPConnection(place, timeout=10)
    connection.putrequest("GET", path, skip_host=True)
    connection.putheader("Host", place if host is None else host)
    connection.endheaders()
    with closing(connection):
        answer = connection.getresponse()
        return answer.status, answer.headers["X-Robots-Tag"]


def test_serve_refuses_what_is_hidden_and_other_names(with_pages: Shell) -> None:
    """However a path is written; under another name a page of somebody else could read along."""
    with_pages.run("pages", "build")
    (with_pages.folder / "out" / ".secret").write_text("x")
    config = str(with_pages.folder / "pbem.toml")
    command = ["pages", "serve", "--port", "0", "--json", "--config", config]
    with subprocess.Popen(
        [sys.executable, "-m", "pbem", *command], stdout=-1, stderr=-1
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        url = json.loads(process.stdout.readline())["url"]
        port = url.rstrip("/").rpartition(":")[2]
        try:
            assert asked(url, "/index.html?x=1") == (200, "noindex")
            assert asked(url, "/index.html", f"localhost:{port}") == (200, "noindex")
            for path in (
                *(
                    "/.secret",
                    "/%2esecret",
                    "/%2Esecret?x",
                    "/x/..%2f.secret",
                    "/x/%2e%2e/%2esecret",
                ),
                *("/%00", "/index.html%00", "/%ed%a0%80", "/%ff", "/" + "a" * 5000, "//[x"),
            ):
                assert asked(url, path) == (404, "noindex"), path
            for host in ("evil.example.org", f"evil.example.org:{port}", "127.0.0.1", ""):
                assert asked(url, "/index.html", host) == (421, "noindex"), host
        finally:
            process.send_signal(signal.SIGINT)
        assert b"Traceback" not in process.stderr.read()


def test_serve_shows_them_on_this_machine(with_pages: Shell) -> None:
    """Pages and feeds with their types; no list of a folder, nothing hidden."""
    with_pages.run("pages", "build")
    config = str(Path(with_pages.folder / "pbem.toml"))
    command = ["pages", "serve", "--port", "0", "--json", "--config", config]
    with subprocess.Popen([sys.executable, "-m", "pbem", *command], stdout=-1) as process:
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]
        try:
            assert url.startswith("http://127.0.0.1:")
            assert get(url) == (200, "text/html")
            assert get(f"{url}feed.xml") == (200, "application/atom+xml")
            for hidden in (".lock", "game/", "../pbem.toml", "%2e%2e/pbem.toml"):
                assert get(url + hidden)[0] == 404
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
