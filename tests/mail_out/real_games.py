"""Play real games of every ruleset without a database, and check their messages."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from engine import registry
from engine.api import Fact, JsonObject, Seat, Setup, Source
from engine.cards import PACK
from engine.phase10.cards import KINDS
from pbem.domain.terms.seats import with_seat_names
from pbem.domain.words.orders import LineKind, names_in_orders, read_line
from pbem.games.profile import Told, said_move
from pbem.mail_out.content import FinalResult, GameMail
from pbem.mail_out.render import Rendered
from pbem.mail_out.skins import standard_words
from pbem.mail_out.texts import card_text, columns
from tests.mail_out import pages
from tests.mail_out.samples import SECRET, game_mail, moves
from tests.mail_out.test_render import LISTED, RENDERER, SHOWN_CARD, words

NAMES = (
    "Anna", "Zoë", "Maximiliana Wilhelmina Theodora von und zu", "דניאל", "Emil O'Neill", "Li",
)  # fmt: skip
UNDER_ZONES = re.compile(r" {2,}\d\d  \S.*")
"""Matches a line in the list of moves of Phalanx, where cards are in columns below their zones."""


class Table:
    """A running game, and the facts reported to every seat since its last move."""

    def __init__(
        self, ruleset: str, players: int, names: tuple[str, ...] = NAMES, **options: object
    ) -> None:
        self.rules = registry.find(ruleset, 1)
        self.players, self.names = players, names[:players]
        seed = hashlib.sha256(f"{ruleset} mails {players} {options}".encode()).digest()
        self.setup = Setup(players, seed, self.rules.check_options(players, options))
        self.news: dict[int, list[Fact]] = {seat: [] for seat in range(players)}
        self._take(self.rules.start(self.setup))

    def _take(self, step: Any) -> None:
        self.state = step.state
        for seat, told in self.news.items():
            told += [fact for fact in step.facts if fact.audience in (None, seat)]

    @property
    def seat(self) -> int | None:
        """Return the last of the seats to act, or None after the end."""
        to_act = self.rules.to_act(self.state)
        return int(to_act[-1]) if to_act else None

    @property
    def orders(self) -> list[str]:
        """Return the orders of the legal moves of the seat to act."""
        state, seat = self.state, Seat(self.seat or 0)
        return [self.rules.format_move(state, seat, m) for m in self.rules.legal_moves(state, seat)]

    def move(self, text: str = "", seat: int | None = None) -> None:
        """Play an order, by default the standby move of the seat to act."""
        state, who = self.state, Seat(self.seat if seat is None else seat)  # type: ignore[arg-type]
        rules = self.rules
        move = rules.parse_order(state, who, text) if text else rules.standby_move(state, who)
        self.news[who] = []
        self._take(rules.apply(state, who, move, Source.CHOSEN))

    def resign(self, seat: int) -> None:
        self._take(self.rules.resign(self.state, Seat(seat)))

    def mail(self, reader: int, kind: str = "turn", language: str = "en") -> GameMail:
        state, who, rules, name = self.state, Seat(reader), self.rules, self.rules.id.name
        view, outcome = rules.view(state, who), rules.outcome(state)
        called = names_in_orders(self.names, (rules,), language)
        told = Told(view, reader, str(self.setup.options.get("deck", "")), called)
        orders = [rules.format_move(state, who, move) for move in rules.legal_moves(state, who)]
        shown = [with_seat_names(said_move(name, order, told), self.names) for order in orders]
        ended = {} if outcome is None else {
            "result": FinalResult(
                outcome.ranking, outcome.reason, outcome.scores, SECRET, ("",) * self.players
            ),
            "deadline": None,
        }  # fmt: skip
        return game_mail(
            kind=kind,
            ruleset=name,
            title=rules.title,
            skin=str(self.setup.options.get("deck", "")),
            players=self.names,
            called=called,
            reader=reader,
            to_act=tuple(map(int, rules.to_act(state))),
            happened=tuple(self.news[reader]),
            view=view,
            moves=tuple(
                replace(move, order=with_seat_names(order, self.names))
                for move, order in zip(moves(*shown, players=self.names), orders, strict=True)
            ),
            moves_complete=rules.is_list_complete(state, who),
            language=language,
            **ended,
        )


def whole_game(ruleset: str, players: int, **options: object) -> Iterator[Table]:
    """Play a game to its end and yield its table after every move. Some moves are risky."""
    table = Table(ruleset, players, **options)
    yield table
    while table.seat is not None:
        ply, orders = table.rules.ply(table.state), table.orders
        bold = orders[ply * 7 % len(orders)]
        if ruleset.startswith("phase10"):
            bold = next((o for o in orders if o.startswith("discard S") or o == "take"), "")
        table.move(bold if ruleset == "phalanx" or ply % 3 == 0 else "")
        yield table


@cache
def is_prose(line: str, ruleset: str, names: tuple[str, ...]) -> bool:
    """True if a line cannot be read as an order when it is quoted in a reply. Results are cached."""
    rules = registry.find(ruleset)
    return all(read_line(line, [rules], said).kind is LineKind.PROSE for said in ((), names))


STANDARD = {card_text(standard_words(card)): card for card in KINDS}
"""Text of a standard card such as `5♥` or `K` to the card of Phase 10 for which it stands."""
OWN_CARD = re.compile(r"\b(?:[RBGY](?:1[0-2]|[1-9])|[WS])\b(?!-)")


def cards_shown(body: str, content: GameMail) -> set[str]:
    """Return the cards that a body shows, except in orders and in the explanation of the letters."""
    if not content.ruleset.startswith("phase10"):
        return set(SHOWN_CARD.findall(body))
    body = re.sub(r"R red, B blue.*?S skip\.|♥ red, ♠ blue.*?joker skip\.", "", body)
    if content.skin != "standard":
        body = re.sub(r"\b(1[0-2]|[1-9])([RBGY])\b", r"\2\1", body)  # large ones, number on top
    body = re.sub(r"\d\d (?:lay|hit|discard) [^:]*?(?=\d\d |Reply|Tap)", "", body)
    if content.skin == "standard":
        assert not OWN_CARD.search(body), body
        return {STANDARD[shown] for shown in re.findall(r"\w+[♠♥♦♣]|\bK\b|\bjoker\b", body)}
    return set(OWN_CARD.findall(re.sub(rf"\b[2-9]\d {OWN_CARD.pattern}", "", body)))


def cards_in(data: object, content: GameMail) -> set[str]:
    """Return the cards in data of the engine, in the form of `cards_shown`."""
    told = json.dumps(data)
    if content.ruleset.startswith("phase10"):
        return {card for card in KINDS if f'"{card}"' in told}
    return {card_text(card) for card in PACK if f'"{card}"' in told}


def on_table(view: JsonObject, reader: int) -> list[object]:
    """Return the parts of a view whose cards must all be in a message to the reader."""
    if "zones" in view:
        return [view["zones"], view["seats"][reader]["hand"]]  # type: ignore[index,call-overload]
    return [view.get(part) for part in ("seats", "groups", "pile", "gone", "stock")]


def check(content: GameMail) -> Rendered:
    """Render a message and check the properties of all messages.

    These are form, size, no line that is an order, the same cards in both parts, and no hidden card.
    """
    rendered = RENDERER.render(content)
    listed = UNDER_ZONES if content.ruleset == "phalanx" else LISTED
    for line in rendered.text.splitlines():
        assert columns(line) <= 72, line
        if not listed.fullmatch(line):
            assert is_prose(line.strip(), content.ruleset, content.players), line
            assert is_prose(line.strip(" -"), content.ruleset, content.players), line
    for line in pages.lines(rendered.html, drawn=True):
        if not any(line.startswith(f"{move.number} ") for move in content.moves):
            assert is_prose(line, content.ruleset, content.players), line
    assert len(rendered.html.encode()) < 60_000
    text, html = words(rendered)
    shown = cards_shown(text, content)
    assert shown == cards_shown(html, content)
    assert shown <= cards_in([content.view, [fact.data for fact in content.happened]], content)
    if content.kind != "finished":
        assert shown >= cards_in(on_table(content.view, content.reader), content)
    for dark in (False, True):
        for run in {(run.colour, run.ground) for run in pages.runs(rendered.html, dark=dark)}:
            assert pages.contrast(*run) >= 4.5, run
    for part in (text, html):
        assert "None" not in part
        assert not re.search(r"\(\)|, ,|  :|::", part), part
    return rendered


def both(content: GameMail) -> tuple[str, str]:
    """Check a message with `check`, and return its text and the text of its HTML part."""
    return words(check(content))
