"""Write a gallery of messages: `python -m tools.gallery OUTDIR [--language de] [--row phyliss]`.

It contains messages of real games, each kind for each ruleset, and invented ones for rare events.
Each is written as .eml, .txt and .html and, if chromium is installed, as pictures in two widths and
both colour schemes. An index.html shows them all.
"""

from __future__ import annotations

import argparse
import html
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.progress import track

from pbem import resources
from pbem.language import languages
from pbem.mail_out.compose import compose
from pbem.mail_out.content import Content, DigestMail
from pbem.mail_out.render import Renderer
from tests.mail_out.samples import MAIL_HEAD, SAMPLES
from tests.show.browser import CHROMIUM, Page, browser
from tools.scenes import GAMES, scenes

SHOTS = tuple((width, scheme) for width in (360, 700) for scheme in ("light", "dark"))
MADE_UP = "made-up"
STYLE = """\
body { font: 16px system-ui, sans-serif; margin: 1rem; background: #f4f4f2; color: #222 }
section { overflow-x: auto; white-space: nowrap; margin-bottom: 2rem }
figure { display: inline-block; margin: 0 1rem 0 0; vertical-align: top }
img { width: 220px; border: 1px solid #bbb; vertical-align: top }
@media (prefers-color-scheme: dark) { body { background: #222; color: #eee } a { color: #9cf } }
"""


@dataclass(frozen=True)
class Exhibit:
    """A message of the gallery."""

    row: str
    name: str
    subject: str
    text: str
    page: str
    raw: bytes

    @property
    def file(self) -> str:
        words = "".join(letter if letter.isalnum() else " " for letter in self.name)
        return f"{self.row}-{'-'.join(words.split())}"


def exhibits(rows: list[str], language: str) -> Iterator[Exhibit]:
    """Yield every message of these rows, in one language."""
    for row in rows:
        if row == MADE_UP:
            yield from _made_up(language)
            continue
        for name, sent in scenes(row, language):
            body = sent.message.get_body(("html",))
            page = "" if body is None else body.get_content()
            yield Exhibit(row, name, str(sent.message["Subject"]), sent.text, page, sent.raw)


def _made_up(language: str) -> Iterator[Exhibit]:
    renderer = Renderer([resources.templates_dir() / "email"])
    for name, content in SAMPLES.items():
        mail = renderer.render(_in(language, content))
        raw = compose(mail, MAIL_HEAD)
        yield Exhibit(MADE_UP, name, mail.subject, mail.text, mail.html, raw)


def _in(language: str, content: Content) -> Content:
    if isinstance(content, DigestMail):
        games = tuple(replace(game, language=language) for game in content.games)
        content = replace(content, games=games)
    return replace(content, language=language)


def main() -> None:
    """Write the gallery into the folder of the arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--language", choices=languages(), default="en")
    parser.add_argument("--row", choices=[*GAMES, MADE_UP], action="append")
    given = parser.parse_args()
    folder, console = given.folder.resolve(), Console(stderr=True)
    folder.mkdir(parents=True, exist_ok=True)
    shown = []
    for exhibit in track(exhibits(given.row or [*GAMES, MADE_UP], given.language), "playing", None):
        (folder / f"{exhibit.file}.txt").write_text(f"Subject: {exhibit.subject}\n\n{exhibit.text}")
        (folder / f"{exhibit.file}.html").write_text(exhibit.page)
        (folder / f"{exhibit.file}.eml").write_bytes(exhibit.raw)
        shown.append(exhibit)
    if CHROMIUM is None:
        console.print("no pictures: chromium or fonts-liberation is missing")
    else:
        with tempfile.TemporaryDirectory() as profile, browser(Path(profile)) as page:
            for exhibit in track(shown, "pictures"):
                _photograph(page, folder, exhibit)
    (folder / "index.html").write_text(_index(shown))
    console.print(f"{len(shown)} mails: {folder / 'index.html'}")


def _photograph(page: Page, folder: Path, one: Exhibit) -> None:
    for width, scheme in SHOTS:
        page.dark(on=scheme == "dark")
        page.open(folder / f"{one.file}.html", width=width, height=600)
        (folder / f"{one.file}-{width}-{scheme}.png").write_bytes(page.picture(full=True))


def _index(shown: list[Exhibit]) -> str:
    parts = [f"<!doctype html><meta charset=utf-8><title>Mails</title><style>{STYLE}</style>"]
    for row in dict.fromkeys(exhibit.row for exhibit in shown):
        parts.append(f"<h2>{row}</h2><section>")
        parts.extend(_figure(exhibit) for exhibit in shown if exhibit.row == row)
        parts.append("</section>")
    return "".join(parts)


def _figure(one: Exhibit) -> str:
    pictures = "".join(
        f'<a href="{one.file}-{width}-{scheme}.png">'
        f'<img src="{one.file}-{width}-{scheme}.png" alt="{width} pixels, {scheme}"></a> '
        for width, scheme in SHOTS
        if CHROMIUM is not None
    )
    links = " · ".join(f'<a href="{one.file}.{end}">{end}</a>' for end in ("html", "txt", "eml"))
    return f"<figure><p><b>{html.escape(one.name)}</b> {links}</p>{pictures}</figure>"


if __name__ == "__main__":
    main()
