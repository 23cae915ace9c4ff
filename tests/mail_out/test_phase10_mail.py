"""Mails of Phase 10 at every stage, with the views and facts that the engine gives."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache

import pytest

from engine import registry
from engine.api import Fact, JsonObject, Seat, Setup, Source
from engine.phase10.cards import KINDS
from pbem.domain.orders import LineKind, read_line
from pbem.mail_out.content import FinalResult, GameMail
from pbem.mail_out.render import Rendered
from pbem.mail_out.texts import columns
from tests.mail_out import pages
from tests.mail_out.samples import SECRET, SEED, game_mail, moves
from tests.mail_out.test_render import LISTED, RENDERER, words

NAMES = ("Anna", "Zoë", "Maximiliana Wilhelmina Theodora von und zu", "דניאל")
SHOWN_CARD = re.compile(r"\b(?:[RBGY](?:1[0-2]|[1-9])|[WS])\b(?!-)")
RULESETS = registry.latest()
BOTH = pytest.mark.parametrize("name", ["phase10", "phase10-family"])


class Table:
    """A running game, and what every seat has been told since its own last move."""

    def __init__(self, name: str, players: int, **options: object) -> None:
        self.rules = registry.find(name, 1)
        self.players = players
        seed = hashlib.sha256(f"mails {name} {players}".encode()).digest()
        self.setup = Setup(players, seed, self.rules.check_options(players, options))
        self.news: dict[int, list[Fact]] = {seat: [] for seat in range(players)}
        step = self.rules.start(self.setup)
        self.state = step.state
        self.tell(step.facts)

    def tell(self, facts: tuple[Fact, ...]) -> None:
        for seat, told in self.news.items():
            told += [fact for fact in facts if fact.audience in (None, seat)]

    @property
    def seat(self) -> int | None:
        """Who is to act."""
        return self.state.to_act

    def move(self, text: str = "") -> None:
        """Carry out an order of who is to act, or the cautious move."""
        assert self.seat is not None
        state, who = self.state, Seat(self.seat)
        move = (
            self.rules.parse_order(state, who, text)
            if text
            else self.rules.standby_move(state, who)
        )
        self.news[who] = []
        step = self.rules.apply(state, who, move, Source.CHOSEN)
        self.state = step.state
        self.tell(step.facts)

    def resign(self, seat: int) -> None:
        step = self.rules.resign(self.state, Seat(seat))
        self.state = step.state
        self.tell(step.facts)

    def mail(self, reader: int, kind: str = "turn") -> GameMail:
        state, who, rules = self.state, Seat(reader), self.rules
        outcome = rules.outcome(state)
        ended = {} if outcome is None else {
            "result": FinalResult(
                outcome.ranking, outcome.reason, outcome.scores,
                SECRET, ("",) * self.players, SEED,
            ),
            "deadline": None,
        }  # fmt: skip
        return game_mail(
            kind=kind,
            ruleset=rules.id.name,
            title=rules.title,
            players=NAMES[: self.players],
            reader=reader,
            to_act=tuple(map(int, rules.to_act(state))),
            happened=tuple(self.news[reader]),
            view=rules.view(state, who),
            moves=moves(*(rules.format_move(state, who, m) for m in rules.legal_moves(state, who))),
            moves_complete=rules.is_list_complete(state, who),
            **ended,
        )


def whole_game(name: str, players: int, **options: object) -> Iterator[Table]:
    """Yield a table after every move of a game; now and then somebody takes or skips."""
    table = Table(name, players, **options)
    yield table
    while table.seat is not None:
        legal = table.rules.legal_moves(table.state, Seat(table.seat))
        texts = [table.rules.format_move(table.state, Seat(table.seat), move) for move in legal]
        bold = [text for text in texts if text.startswith("discard S") or text == "take"]
        table.move(bold[0] if bold and table.state.ply % 3 == 0 else "")
        yield table


@cache
def is_prose(line: str) -> bool:
    """Say whether a line is no order when it comes back quoted; most lines come again."""
    return read_line(line, RULESETS, NAMES).kind is LineKind.PROSE


def cards_in(data: object) -> set[str]:
    """Every kind of card that stands in some data."""
    told = json.dumps(data)
    return {card for card in KINDS if f'"{card}"' in told}


def shown_in(body: str) -> set[str]:
    """Every card that stands in a body, but for the line that explains the letters."""
    body = re.sub(r"R, B, G and Y are.*?S a skip\.", "", body)
    body = re.sub(r"\d\d (?:lay|hit|discard) [^:]*?(?=\d\d |Reply|Tap)", "", body)
    return set(SHOWN_CARD.findall(body))


def on_table(view: JsonObject) -> set[str]:
    """The cards that the table of a mail has to show."""
    return cards_in([view["seats"], view["groups"], view["pile"], view["gone"], view["stock"]])


def check(content: GameMail) -> Rendered:
    """Check what holds for every mail."""
    rendered = RENDERER.render(content)
    for line in rendered.text.splitlines():
        assert columns(line) <= 72, line
        if not LISTED.fullmatch(line):
            assert is_prose(line.strip()), line
            assert is_prose(line.strip(" -")), line
    for line in pages.lines(rendered.html):
        if not any(line == f"{move.number} {move.text}" for move in content.moves):
            assert is_prose(line), line
    assert len(rendered.html.encode()) < 60_000
    text, html = words(rendered)
    shown = shown_in(text)
    assert shown == shown_in(html)
    assert shown <= cards_in([content.view, [fact.data for fact in content.happened]])
    assert shown >= on_table(content.view)
    for part in (text, html):
        assert "None" not in part
        assert not re.search(r"\(\)|, ,| :| ;|\s,|\s\.(?!\.)|::", part.replace("...", "")), part
        for seat in content.view["seats"]:  # type: ignore[union-attr]
            assert f"phase {seat['phase']} ({seat['phase_words']})" in part
            done, points = seat["completed"], seat["score"]
            assert f"{done} phase{'' if done == 1 else 's'} done, {points or 'no points'}" in part
            assert f"{seat['hand_size']} card" in part
        for owner, groups in enumerate(content.view["groups"]):  # type: ignore[arg-type]
            for number, group in enumerate(groups):
                assert f"Group {owner}.{number} " in part
                assert ": " + " ".join(group["cards"]) in part
        assert f"Stock: {content.view['stock_size']} card" in part
    return rendered


@pytest.mark.rule("GEN-5", "P10-32")
@BOTH
@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {"phases_to_win": 3, "deck": "standard"}),
        (4, {"phases_to_win": 2}),
        (3, {"phases": [4, 8], "ten_hands": True}),
    ],
)
def test_every_mail_of_a_whole_game_is_in_good_form(name: str, players: int, options: dict):
    """At most 72 columns, no line an order, no card that the reader may not see, same in both."""
    for number, table in enumerate(whole_game(name, players, **options)):
        for seat in range(players):
            if table.seat is None:
                check(table.mail(seat, "finished"))
            elif number == 0:
                check(table.mail(seat, "started"))
            elif (seat == table.seat and number % 5 == 0) or number % 31 == 0:
                check(table.mail(seat, "turn" if seat == table.seat else "answer"))
