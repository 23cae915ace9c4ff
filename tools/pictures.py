"""Make the pictures of the documentation: `python -m tools.pictures docs/pictures`. Needs chromium.

It also writes `docs/mails.md`, which shows every kind of message.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from markupsafe import escape

from pbem import resources
from pbem.demo.window import open_window
from pbem.mail_out.content import Content, DigestMail, ServiceMail
from pbem.mail_out.render import Renderer
from pbem.service.pages import building
from tests.databases import sqlite_store
from tests.demo.mails import make_mailboxes
from tests.mail_out.samples import ODD_NAMES, SAMPLES
from tests.mail_out.turns import turns
from tests.service.conftest import make_table
from tests.service.league.test_leagues import begun, played
from tests.service.pages.club import with_pages
from tests.show.browser import Page, browser
from tests.show.games import play
from tests.web.conftest import serve
from tests.web.whole import LOOPBACK

DESK = (1000, 640)
PHONE, TALLEST = 360, 900
SCHEMES = ("light", "dark")

TURNS = {
    "phyliss": ("Phyliss: beat the pile", "phyliss", "pickup play"),
    "phyliss-blind": ("Phyliss: turn over a hidden card", "phyliss", "flip pickup"),
    "cathedral-keep": ("Cathedral: set three cards aside", "cathedral", "keep"),
    "cathedral": ("Cathedral: beat the pile", "cathedral", "pickup play"),
    "phalanx-open": ("Phalanx: choose an opening card", "phalanx", "open"),
    "phalanx": ("Phalanx: a card for a zone", "phalanx", "play"),
    "phalanx-four": ("Phalanx with four players", "phalanx-four", "play"),
    "phalanx-bets": ("Phalanx with stakes: raise or check", "phalanx-zones", "check raise"),
    "phase10-draw": ("Phase 10: draw a card", "phase10", "draw take"),
    "phase10-hit": ("Phase 10: hit or discard", "phase10", "discard hit"),
}
"""Picture name to caption, row and kind of a turn of `tests.mail_out.turns`."""

KINDS = {
    "invitation": "An invitation",
    "started": "The cards are dealt",
    "answer-waiting": "A move is confirmed",
    "answer-refused": "Something is refused",
    "reminder": "A reminder",
    "timed-out": "A missed deadline",
    "vote": "A vote",
    "talk": "Talk",
    "history": "What happened so far",
    "finished": "The end of a game",
    "created": "A game that you make",
    "vacant": "A seat stays empty",
    "digest": "One mail a day",
    "games": "Your games",
    "standings": "Standings",
    "league": "A league open for sign-up",
    "round": "A table in a league’s round",
    "league-round": "A league after a round",
    "league-end": "The end of a league",
    "invitation-challenge": "A challenge",
    "ladder": "A ladder",
    "noted-calendar": "A calendar of your own",
    "noted-ping": "A ping of your own",
    "help-phyliss": "Help",
    "rules": "Rules",
    "ask-order": "A question before something final",
    "welcome": "A stranger writes",
    "by-invitation": "A stranger writes to a server without registration",
}
"""Name of a sample to the caption of its picture."""

LOOKS = {
    "four-colour": "`cards four-colour`",
    "large": "`cards large`",
    "words": "`cards words`",
}

HEAD = """\
<!-- Written by `make pictures`. -->

# Messages

Every kind of message once, as a phone shows it, in light and dark colours. Long messages are cut. `make gallery` renders all messages of
whole games, with their plain texts.
"""


def main(folder: Path) -> None:
    """Write the pictures, and docs/mails.md next to their folder."""
    (folder / "mails").mkdir(parents=True, exist_ok=True)
    page_of_mails = [HEAD]
    with tempfile.TemporaryDirectory() as profile, browser(Path(profile)) as page:
        file = Path(profile) / "mail.html"
        for title, name, caption, html in mails():
            if title:
                page_of_mails.append(f"## {title}\n")
            file.write_text(html, encoding="utf-8")
            for scheme in SCHEMES:
                page.dark(on=scheme == "dark")
                page.open(file, width=PHONE, height=600)
                shot = page.picture(full=True, tallest=TALLEST)
                (folder / "mails" / f"{name}-{scheme}.webp").write_bytes(shot)
            shown = " ".join(
                f'<img src="pictures/mails/{name}-{scheme}.webp" width="{PHONE}" alt="{scheme}">'
                for scheme in SCHEMES
            )
            page_of_mails.append(f"**{caption}**\n\n{shown}\n")
        page.dark(on=False)
        renderer = Renderer([resources.templates_dir() / "email"])
        file.write_text(renderer.render(SAMPLES["turn"]).html, encoding="utf-8")
        page.open(file, width=PHONE, height=1100)
        icon = resources.templates_dir() / "web" / "icon.svg"
        page.open(icon, width=640, height=640)
        icon.with_suffix(".png").write_bytes(page.picture())
        (folder / "turn-mail.png").write_bytes(page.picture())
        (folder / "window.png").write_bytes(asyncio.run(_photograph_window(page)))
        (folder / "table.webp").write_bytes(_photograph_table(page, Path(profile)))
        (folder / "league.webp").write_bytes(_photograph_league(page, Path(profile)))
        (folder / "seat-page.webp").write_bytes(photograph_seat_page(page, Path(profile)))
    (folder.parent / "mails.md").write_text("\n".join(page_of_mails), encoding="utf-8")


def mails() -> Iterator[tuple[str, str, str, str]]:
    """Yield chapter, name, caption and HTML of each message.

    Only the first message of a chapter contains its title.
    """
    render = Renderer([resources.templates_dir() / "email"]).render
    title = "Your turn"
    for name, (caption, row, kind) in TURNS.items():
        matching = [turn for turn in turns(row) if turn.kind == kind]
        yield title, name, caption, render(matching[0].mail).html
        title = ""
    title = "Everything else"
    for name, caption in KINDS.items():
        html = render(_ordinary(SAMPLES[name])).html
        for odd, usual in _ODD.items():
            html = html.replace(str(escape(odd)), usual)
        yield title, name, caption, html
        title = ""
    title = "As you like your cards"
    for look, caption in LOOKS.items():
        yield title, look, caption, render(SAMPLES["turn"], (look,)).html
        title = ""


_ORDINARY = ("Bob", "Anna", "Dora", "Emil")
_ODD = {
    'Dörte "D." O\'Neill': "Dora",
    "דניאל": "Emil",
    "; <b>really</b> & truly": "",
    "<script>alert('&')</script>": "Anna",
    "word " * 20: "",
    "word word": "See you on Sunday.",
    "x" * 90: "",
}
"""Words of the test samples, and their replacements in pictures."""


def _ordinary(content: Content) -> Content:
    """Return a sample with ordinary names instead of those for tests."""
    if isinstance(content, DigestMail):
        games = [
            replace(game, players=_ORDINARY[: len(game.players)])
            if set(game.players) & set(ODD_NAMES)
            else game
            for game in content.games
        ]
        games[0] = replace(games[0], talk=(replace(games[0].talk[0], text="Well played."),))
        return replace(content, games=tuple(games))
    if isinstance(content, ServiceMail) and content.standings.lines:
        lines = zip(content.standings.lines, _ORDINARY, strict=True)
        named = tuple(replace(line, name=name) for line, name in lines)
        return replace(content, standings=replace(content.standings, lines=named))
    if isinstance(content, ServiceMail) and content.cross.lines:
        rows = zip(content.cross.lines, ("Emil", "Anna", "Dora", "Bob"), strict=True)
        renamed = tuple(replace(line, name=name) for line, name in rows)
        return replace(content, cross=replace(content.cross, lines=renamed))
    return content


async def _photograph_window(page: Page) -> bytes:
    async with open_window(make_mailboxes(), resources.templates_dir() / "demo") as window:
        await asyncio.to_thread(page.open, f"{window.url}anna/2", width=DESK[0], height=DESK[1])
        return await asyncio.to_thread(page.picture)


def _photograph_table(page: Page, folder: Path) -> bytes:
    """Return a picture of the page that shows a running game of Phalanx to everyone."""
    with sqlite_store(folder) as store:
        table = with_pages(make_table(store), folder / "pages")
        game = play(table, "phalanx", 3, 12, seed=12, max_battles=2)
        building.build(table.service)
    page.open(folder / "pages" / "game" / f"{game.id}.html", width=760, height=900)
    return page.picture(full=True, tallest=900)


def photograph_seat_page(page: Page, folder: Path) -> bytes:
    """Return a picture of a player's page on a phone, with two cards tapped."""
    with sqlite_store(folder) as store:
        sites = serve(make_table(store), LOOPBACK)
        site = next(sites)
        game = site.table.skip(site.table.started(3), 7)
        seat = int(game.to_act[0])
        known, path = site.known(seat, site.link(seat, LOOPBACK))
        url = f"{LOOPBACK}:{site.port}{path}"
        page.remember(url, known.cookies)
        page.open(url, width=PHONE, height=700)
        page.click("button[data-t]:not(.no)")
        picture = page.picture(tallest=700)
        next(sites, None)
    return picture


def _photograph_league(page: Page, folder: Path) -> bytes:
    """Return a picture of the page of a league after two of its three rounds."""
    with sqlite_store(folder) as store:
        table = with_pages(make_table(store), folder / "league")
        people = begun(table, 8)
        for _ in range(2):
            played(people, 12)
        people.get_ready()
        building.build(table.service)
    page.open(folder / "league" / "league" / "winter.html", width=760, height=900)
    return page.picture(full=True, tallest=690)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
