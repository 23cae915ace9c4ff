"""Play a game by mail in an arranged world, and collect every byte that a player or observer gets."""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from functools import partial
from io import StringIO
from itertools import zip_longest
from pathlib import Path
from random import Random  # noqa: TID251  (who plays what, not what is dealt)
from unittest.mock import patch

import structlog
from prometheus_client import generate_latest
from starlette.responses import Response

from engine import registry
from engine.api import AnyRuleset, OptionValue, Seat, Setup
from engine.shuffle import game_seed
from pbem import logs
from pbem.cli import common
from pbem.config import load_config
from pbem.domain.log.motion_events import MotionEnded, MotionOpened
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.sections import Web
from pbem.service.change import Change
from pbem.service.clock.bot_seats import question
from pbem.service.core import games
from pbem.service.core.names import calendar_name, seat_page_address
from pbem.service.intake import page_acts
from pbem.service.lobby import creation as lobby
from pbem.service.pages import building
from pbem.service.upkeep import metrics
from pbem.store.seal import keyring
from pbem.web.live import Live
from pbem.web.pages import SeatPages
from tests.cli.conftest import CONFIG, KEY, Shell
from tests.databases import RING, sqlite_store
from tests.service.conftest import NAMES, Sent, Table, configured, make_table
from tests.service.pages.club import files, opened, with_ladder, with_league, with_pages
from trials.leaks.arranged import Arrangement, Ply, dealt, happened, other_world, play

COMMANDS = (
    *("game list", "game show {game}", "game deadlines", "replay {game}", "diff {game} 1 4"),
    *("audit {game}", "audit {game} --move 3", "verify {game}", "mail inbox", "mail outbox list"),
    *("export {game}", "mail show 4", "mail show 5", "mail outbox show 9"),
    *("player list", "dispute list", "stats", "mail shunted", "health"),
)
"""Commands that an admin who plays may run, without a reveal. All are also run with --json."""
_ATTACHED = "mail, application/octet-stream"
"""Label of the attached page that replays a finished game."""

PROBES = (
    "board",
    "rules",
    "whatever you say",
    "1",
    "21",
    "pickup",
    "play 7h 7s",
    "play Kd",
    "discard R7",
    "hit W",
    "place 10s center",
    "try pickup",
    "try play 7h 7s",
    "try flip 1",
    "try draw",
    "try discard R7",
    "next: if pile > 90 pickup",
    "next: if hand of anna > 90 play 7s left",
)
"""Orders of a curious player out of turn. The answers must not depend on hidden cards."""

TRIES = 60
"""Number of exchanges of two cards that are tried for each other world."""

TIMING = Timing(3 * 86400, ics=True)
WEB = Web(url="https://cards.example.org")

SIZE = "size"
TOKEN_LENGTH = 48
"""Number of characters by which message sizes may differ.

The words of their fingerprints differ in length.
"""

_MASKS = (
    (re.compile(r"\b[0-9a-f]{64}\b"), "HASH"),
    (  # line breaks depend on the length of the words
        re.compile(
            r"Against\s+cheating:\s+(?:[a-z]+\s+){6}\(event\s+(\d+)\),\s+"
            r"(?:after\s+(?:[a-z]+\s+){6}\(event\s+(\d+)\)|in\s+the\s+first\s+mail\s+to\s+you)\."
        ),
        r"Against cheating: WORDS (event \1), after WORDS (event \2).",
    ),
    (re.compile(r"\b[0-9a-z]{8,12}(?:…|\\u2026)"), "ID…"),
    (re.compile(r"(?<=-)[a-z2-7]{12,}(?=[-@])"), "TOKEN"),
    (re.compile(r'(?<=name="digest" value=")[0-9a-f]{32}(?=")'), "DIGEST"),
    (re.compile(r'(?<=name="once" value=")[a-z2-7]{16}(?=")'), "ONCE"),
    (re.compile(r"(/seat/t-[\w-]+-)[a-z2-7]{32}\b"), r"\1TOKEN"),
    (re.compile(r"<[\w.+=-]{16,}@"), "<ID@"),
    (re.compile(r"[a-z2-7]{8,26}@pbem\."), "ID@pbem."),
    (re.compile(r"(?<=\bmail )[0-9a-f]{10}\b"), "HASH"),
    (re.compile(r"(?<=\bcommand )[a-z2-7]{10}\b"), "ID"),
    (re.compile(r'(?<="disk_free": )\d+'), "BYTES"),
    (re.compile(r"=[_.][0-9a-f]{20,}"), "BOUNDARY"),
    (re.compile(r"(?<=command:)[a-z2-7]{16}"), "ID"),
)
_OF_THE_MACHINE = ("pbem_seconds", "pbem_disk_free_bytes", "#")
"""Prefixes of metrics that depend on time or on the disk, and of comments."""


@dataclass(frozen=True, slots=True)
class World:
    """A possible arrangement of the cards, and the moves in it. Secret choices differ."""

    cards: Arrangement
    plies: Sequence[Ply]

    @property
    def exchanged(self) -> int:
        """Return the number of pairs of cards that differ from the first world."""
        return sum(map(len, self.cards.swaps.values()))


@dataclass(frozen=True, slots=True)
class Story:
    """Worlds with one history, which seat 0 cannot distinguish."""

    rules: AnyRuleset
    players: int
    options: Mapping[str, OptionValue]
    seed: int
    first: World
    others: Sequence[World]
    happened: set[str]
    auto_mine: bool


def story(
    ruleset: str,
    players: int,
    options: Mapping[str, OptionValue],
    seed: int,
    luck: Random,
    *,
    plies: int,
    others: int,
    auto_mine: bool = False,
) -> Story:
    """Play a game in the engine, and find other worlds that seat 0 cannot distinguish from it.

    With `auto_mine`, every player has sent the order `auto mine`.
    """
    rules = registry.find(ruleset)
    given = rules.check_options(players, options)
    setup = Setup(players, game_seed(bytes([seed]) * 32, [""] * players), given)
    first = Arrangement()
    with dealt(first):
        played = play(rules, setup, plies, luck, auto_mine=auto_mine)
        kinds = happened(rules, setup, played)
    found = [other_world(rules, setup, played, 0, first, luck, tries=TRIES) for _ in range(others)]
    worlds = [World(cards, moves) for cards, moves in found]
    return Story(rules, players, options, seed, World(first, played), worlds, kinds, auto_mine)


def heard(told: Story, world: World, folder: Path, luck: Random) -> list[tuple[str, str]]:
    """Play a world by mail.

    Returns the masked output for seat 0, an external bot in its place, an observer, the command
    line and the log, and the sizes of the messages.
    """
    with _shell(folder) as shell, _everything_logged() as log:
        table = shell.table
        table.service = configured(table.service, web=WEB)
        with dealt(world.cards):
            name, options = told.rules.id.name, dict(told.options)
            game = table.started(told.players, told.seed, ruleset=name, timing=TIMING, **options)
            onlooker = _let_look_on(table, game)
            for seat in range(told.players if told.auto_mine else 0):
                table.answer(seat, "auto mine")
            asked = []
            seat_page = SeatPage.of(table, game)
            for number, ply in enumerate(world.plies):
                now = table.game(game.id)
                if 0 in now.to_act:
                    asked.append(("bot", question(now, 0, "mybot").line().decode()))
                if number % 4 == 1 and 0 not in table.game(game.id).to_act:
                    table.answer(0, luck.choice(PROBES))
                if number % 4 == 2:
                    table.clock.forward(hours=21)
                if number % 4 != 1 and 0 not in now.to_act and not now.is_over:
                    seat_page.send(luck.choice(PROBES), luck)
                if number % 5 == 3:
                    _talk(table, table.game(game.id))
                if not ply.is_forced:
                    table.answer(ply.seat, ply.move)
                seat_page.look()
            lines = log.getvalue()
            figures = generate_latest(metrics.registry(table.service)).decode()
            # A finished game is public: commands, pages and the last message show all of it.
            is_over = table.game(game.id).is_over
            commands = [one for one in COMMANDS if not (is_over and "{game}" in one)]
            shown = [
                (command, _output(shell, command.format(game=game.id)))
                for command in (*commands, *(f"{command} --json" for command in commands))
            ]
            names = {game.id: "GAME", onlooker: "ONLOOKER"}
            for number, seat in enumerate(game.seats):
                names |= {seat.player: f"PLAYER{number}", f"{seat.player[:8]}…": f"PLAYER{number}…"}
            pages = [] if is_over else _pages(table, game, folder, names)
        mails = [
            mail
            for mail in (*table.mails_to(0), *_mails_to_onlooker(table))
            if not (is_over and any(kind == _ATTACHED for kind, _ in _parts(mail)))
        ]
        names[str(folder)] = "FOLDER"
        texts = [
            *pages,
            *([] if is_over else seat_page.seen),
            *(piece for mail in mails for piece in _parts(mail)),
            *asked,
            *shown,
            ("log", "\n".join(map(_logged, lines.splitlines()))),
            ("metrics", _without(figures, _OF_THE_MACHINE)),
        ]
        sizes = [(SIZE, str(len(mail.raw))) for mail in mails]
        return [(label, _masked(text, names)) for label, text in texts] + sizes


@dataclass(slots=True)
class SeatPage:
    """The page of seat 0 after each move, in a browser with its cookie and in another without.

    Attributes:
        seen: label and text of each page, its size, and the digests in its stream.
    """

    table: Table
    pages: SeatPages
    token: str
    cookies: dict[str, str]
    seen: list[tuple[str, str]] = field(default_factory=list)
    _digests: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, table: Table, game: Game) -> SeatPage:
        """Open the page of a game that has just begun."""
        service = table.service
        with service.store.reading() as uow:
            player = uow.players.get(game.seats[0].player)
            assert player is not None
            cookie = page_acts.browser_cookie(service, uow, player)
        token = seat_page_address(service, game, 0, player).rpartition("/")[2]
        return cls(table, SeatPages(service, WEB, lambda: None), token, dict([cookie]))

    def look(self) -> None:
        """Fetch the page in both browsers, the list of tables, and the stream's digest."""
        for label, cookies in (("seat page", self.cookies), ("seat page, forwarded", {})):
            self._see(label, partial(self.pages.show, self.token, cookies))
        self._see("seat pages", partial(self.pages._own_tables, self.cookies))
        self.seen.append(("seat page, stream", str(self._digests.index(self._streamed()))))

    def _streamed(self) -> str:
        """Return a number for the digest that a stream of the page would send now."""
        service = self.table.service
        with service.store.reading() as uow:
            visit = page_acts.find_visit(service, uow, self.token, self.cookies)
        assert visit is not None
        _, digests = Live(service)._digests(visit.game.id, {visit.holder})
        digest = digests[visit.holder]
        if digest not in self._digests:
            self._digests.append(digest)
        return digest

    def send(self, words: str, luck: Random) -> None:
        """Send words from the page and record the answer."""
        once = "".join(luck.choices("abcdefgh", k=16))
        page = bytes(self.pages.show(self.token, self.cookies).body).decode()
        digest = page.partition('name="digest" value="')[2][:32]
        self.pages._stored(self.token, self.cookies, page_acts.Form(once, digest, words))
        self.table.run()
        self._see(
            "seat page, answer", partial(self.pages.show, self.token, self.cookies, after=once)
        )

    def _see(self, label: str, answer: Callable[[], Response]) -> None:
        """Record a page and its size."""
        response = answer()
        text = bytes(response.body).decode()
        self.seen += [(label, text), (f"{label}, size", f"{response.status_code} {len(text)}")]


def _pages(table: Table, game: Game, folder: Path, names: dict[str, str]) -> list[tuple[str, str]]:
    """Return the static pages and their packed contents, with a league, a ladder and all players.

    Adds the names of calendars to `names`.
    """
    service = table.service
    pages = []
    with_pages(table, folder / "pages")
    with_league(table, game)
    with_ladder(table, game)
    with service.store.unit_of_work() as uow:
        for number, seat in enumerate(game.seats):
            uow.players.prefer(seat.player, has_calendar=True, has_page=True)
            player = uow.players.get(seat.player)
            assert player is not None
            names[calendar_name(table.service, player)] = f"calendar/PLAYER{number}.ics"
    building.build(table.service)
    for name, data in files(folder / "pages").items():
        pages.append((f"page {_named(name, names)}", opened(data)))
    table.service = service
    return sorted(pages)


def _parts(mail: Sent) -> Iterator[tuple[str, str]]:
    """Yield the header of a message and each part as decoded by a mail program."""
    yield "mail", mail.raw.partition(b"\r\n\r\n")[0].decode("ascii")
    for node in mail.message.walk():
        if not node.is_multipart():
            assert isinstance(node, EmailMessage)
            content = node.get_content()
            text = content if isinstance(content, str) else content.decode("utf-8")
            yield f"mail, {node.get_content_type()}", f"{node.items()}\n{text}"


def _output(shell: Shell, command: str) -> str:
    with patch.dict(os.environ, COLUMNS="400"), patch.object(common.out, "_width", 400):
        result = shell.run(*command.split())
    assert result.exit_code == 0 or command.startswith(("health", "stats")), result.output
    return result.output


def _logged(line: str) -> str:
    """Return a log line without its timestamp and duration."""
    entry = json.loads(line)
    return json.dumps({**entry, "timestamp": "", "seconds": ""}, sort_keys=True)


def _without(text: str, beginnings: tuple[str, ...]) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith(beginnings))


def _talk(table: Table, game: Game) -> None:
    """Let seat 1 talk to everyone, and send its view to seat 2 alone, which differs by world."""
    table.answer(1, "say well played")
    if len(game.seats) > 2 and not game.is_over:
        seen = str(game.ruleset.view(game.state, Seat(1)))
        table.answer(1, f"say to {NAMES[2]}: {''.join(filter(str.isalnum, seen))[-150:]}")


ONLOOKER = "zoe@example.org"


def _let_look_on(table: Table, game: Game) -> str:
    """Let an observer watch from the deal on. Return the observer's id."""
    player = lobby.add_player(table.service, lobby.Person("Zoe", ONLOOKER))
    with table.service.store.unit_of_work() as uow:
        decision = games.begin(table.service, uow, game, actor="system", cause=None)
        who = f"player:{player.id}"
        decision.emit(MotionOpened("observer", None, {"player": player.id}), actor=who)
        decision.emit(MotionEnded("observer", None, "carried"))
        Change(table.service, uow, game, decision).finish()
    table.run()
    return player.id


def _mails_to_onlooker(table: Table) -> list[Sent]:
    mails = [mail for mail in table.delivery.mails if mail.rcpt_to == ONLOOKER]
    assert mails
    return mails


def differences(told: Story, luck: Random, folder: Path) -> Iterator[tuple[int, str | None]]:
    """Compare the other worlds with the first world.

    Yields for each the number of exchanged pairs of cards and the first different line, or None.
    """
    probes = luck.random()
    first = heard(told, told.first, folder / "first", Random(probes))  # noqa: S311
    for number, world in enumerate(told.others):
        other = heard(told, world, folder / f"other{number}", Random(probes))  # noqa: S311
        yield world.exchanged, first_difference(first, other)


def first_difference(
    one: Sequence[tuple[str, str]], other: Sequence[tuple[str, str]]
) -> str | None:
    for (label, here), (_, there) in zip_longest(one, other, fillvalue=("nothing", "")):
        if label == SIZE and abs(int(here) - int(there)) <= TOKEN_LENGTH:
            continue
        for line, same in zip_longest(here.splitlines(), there.splitlines(), fillvalue="(no line)"):
            if line != same:
                return f"{label}: {line!r} and {same!r}"
    return None


@contextmanager
def _shell(folder: Path) -> Iterator[Shell]:
    folder.mkdir()
    file = folder / "pbem.toml"
    file.write_text(CONFIG, encoding="utf-8")
    (folder / "pbem.key").write_text(KEY, encoding="utf-8")
    keyring.write(folder / "pbem.keys", RING)
    with sqlite_store(folder) as store:
        table = make_table(store)
        tokens = replace(table.service.tokens, keys=(load_config(file, {}).service.key,))
        table.service = replace(table.service, tokens=tokens)
        yield Shell(folder, table)


@contextmanager
def _everything_logged() -> Iterator[StringIO]:
    """Log as `serve` does, each line as it is written, down to `debug`."""
    root, kept = logging.getLogger(), StringIO()
    level, handlers = root.level, root.handlers[:]
    with redirect_stderr(kept):
        logs.configure("debug", as_json=True)
    try:
        with patch.dict("pbem.logs._counts", clear=True):
            yield kept
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers
        structlog.reset_defaults()


def _named(text: str, names: Mapping[str, str]) -> str:
    for name, word in names.items():
        text = text.replace(name, word)
    return text


def _masked(text: str, names: Mapping[str, str]) -> str:
    text = _named(text, names)
    for pattern, word in _MASKS:
        text = pattern.sub(word, text)
    # Players who joined at the same time, or who are tied in a league, are listed by their random ids.
    is_of_players = (
        " players " in text[:12] or text.startswith('{"player": ') or "<h1>League" in text
    )
    return "\n".join(sorted(text.splitlines())) if is_of_players else text
