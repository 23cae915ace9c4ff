"""Mails of Phalanx at every stage, with the views and facts that the engine gives."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from engine import registry
from engine.api import Fact, Seat, Setup, Source
from engine.cards import PACK
from pbem.domain.terms.seats import with_seat_names
from pbem.domain.words.orders import LineKind, names_in_orders, read_line
from pbem.domain.words.translate import shown_order
from pbem.games.face import Told
from pbem.games.phalanx import said_move
from pbem.mail_out import zones
from pbem.mail_out.content import FinalResult, GameMail
from pbem.mail_out.render import Rendered
from pbem.mail_out.texts import card_text, columns
from tests.engine.phalanx import tables as plx
from tests.mail_out import pages
from tests.mail_out.samples import SECRET, SEED, game_mail, moves
from tests.mail_out.test_render import RENDERER, SHOWN_CARD, words
from tests.mail_out.turns import turns

RULES = registry.find("phalanx", 1)
UNDER_ZONES = re.compile(r" {2,}\d\d  \S.*")
"""A line of the moves: cards stand under their zones."""
NAMES = ("Anna", "Zoë", "Maximiliana Wilhelmina Theodora von und zu", "דניאל", "Emil O'Neill")


class Table:
    """A running game, and what every seat has been told since its own last move."""

    def __init__(self, players: int, names: tuple[str, ...] = NAMES, **options: object) -> None:
        self.players, self.names = players, names[:players]
        seed = hashlib.sha256(f"phalanx mails {players} {options}".encode()).digest()
        self.setup = Setup(players, seed, RULES.check_options(players, options))
        self.news: dict[int, list[Fact]] = {seat: [] for seat in range(players)}
        step = RULES.start(self.setup)
        self.state = step.state
        self.tell(step.facts)

    def tell(self, facts: tuple[Fact, ...]) -> None:
        for seat, told in self.news.items():
            told += [fact for fact in facts if fact.audience in (None, seat)]

    def move(self, seat: int, text: str = "", source: Source = Source.CHOSEN) -> None:
        """Carry out an order, or the cautious move."""
        state, who = self.state, Seat(seat)
        move = RULES.parse_order(state, who, text) if text else RULES.standby_move(state, who)
        self.news[seat] = []
        step = RULES.apply(state, who, move, source)
        self.state = step.state
        self.tell(step.facts)

    def mail(self, reader: int, kind: str = "turn", language: str = "en") -> GameMail:
        state, who = self.state, Seat(reader)
        names, view = self.names, RULES.view(state, who)
        called = names_in_orders(names, (RULES,), language)
        orders = [RULES.format_move(state, who, move) for move in RULES.legal_moves(state, who)]
        orders = [with_seat_names(order, names) for order in orders]
        told = Told(view, reader, "", called)
        listed = moves(*(said_move(order, told) for order in orders), players=names)
        outcome = RULES.outcome(state)
        ended = {} if outcome is None else {
            "result": FinalResult(
                outcome.ranking, outcome.reason, outcome.scores,
                SECRET, ("",) * self.players, SEED,
            ),
            "deadline": None,
        }  # fmt: skip
        return game_mail(
            kind=kind,
            ruleset="phalanx",
            called=called,
            title="Phalanx",
            players=names,
            reader=reader,
            to_act=tuple(map(int, RULES.to_act(state))),
            happened=tuple(self.news[reader]),
            view=view,
            moves=tuple(
                replace(move, order=order) for move, order in zip(listed, orders, strict=True)
            ),
            language=language,
            **ended,
        )


@cache
def is_prose(line: str, names: tuple[str, ...]) -> bool:
    """True if a line is no order when it comes back quoted; most lines come again."""
    return all(read_line(line, [RULES], said).kind is LineKind.PROSE for said in ((), names))


def seen_by(content: GameMail) -> set[str]:
    """Every card that stands in the view or in a fact for the reader."""
    told = json.dumps([content.view, [fact.data for fact in content.happened]])
    return {card_text(card) for card in PACK if f'"{card}"' in told}


def check(content: GameMail) -> Rendered:
    """Check what holds for every mail."""
    rendered = RENDERER.render(content)
    for line in rendered.text.splitlines():
        assert columns(line) <= 72, line
        if not UNDER_ZONES.fullmatch(line):
            assert is_prose(line.strip(), content.players), line
            assert is_prose(line.strip(" -"), content.players), line
    for line in pages.lines(rendered.html, drawn=True):
        if not any(line.startswith(f"{move.number} ") for move in content.moves):
            assert is_prose(line, content.players), line
    assert len(rendered.html.encode()) < 60_000
    text, html = words(rendered)
    shown = set(SHOWN_CARD.findall(text))
    assert shown == set(SHOWN_CARD.findall(html))
    assert shown <= seen_by(content)
    table = json.dumps([content.view["zones"], content.view["seats"][content.reader]["hand"]])
    assert shown >= {card_text(card) for card in PACK if f'"{card}"' in table}
    assert "None" not in text
    assert not re.search(r"\(\)|, ,| :(?! \d)| ,| \.|\( | \)", rendered.text.replace("...", "")), (
        text
    )
    return rendered


def whole_game(players: int, **options: object) -> Iterator[Table]:
    """Yield a table after every move of a game."""
    table = Table(players, **options)
    yield table
    while to_act := RULES.to_act(table.state):
        seat = int(to_act[-1])
        legal = list(RULES.legal_moves(table.state, Seat(seat)))
        bold = legal[RULES.ply(table.state) * 7 % len(legal)]
        table.move(seat, RULES.format_move(table.state, Seat(seat), bold))
        yield table


@pytest.mark.rule("GEN-5", "PLX-29")
@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {"max_battles": 2, "aces": 10}),
        (4, {"max_battles": 2, "ante": 1, "tie": "swap"}),
        (3, {"stakes": "zones", "max_battles": 1, "bankroll": 9}),
        (5, {"stakes": "per_card", "max_battles": 1}),
    ],
)
def test_every_mail_of_a_whole_game_is_in_good_form(players: int, options: dict):
    """At most 72 columns, no line an order, no card that the reader may not see, same in both."""
    for number, table in enumerate(whole_game(players, **options)):
        to_act = RULES.to_act(table.state)
        for seat in range(players):
            if not to_act:
                check(table.mail(seat, "finished"))
            elif number == 0:
                check(table.mail(seat, "started"))
            elif (seat in to_act and number % 3 == 0) or number % 20 == 0:
                check(table.mail(seat))


@pytest.mark.rule("PLX-7", "GEN-6")
def test_the_mail_of_a_choice_says_that_it_may_be_changed():
    """To the chooser alone with the card; the others read that somebody has chosen."""
    table = Table(3)
    card = table.state.seats[0].hand[0]
    table.move(0, f"open {card}")
    own = " ".join(check(table.mail(0, "answer")).text.split())
    assert f"You chose {card_text(card)} as your opening card. You may choose anew" in own
    other = " ".join(check(table.mail(1)).text.split())
    assert "Anna has chosen an opening card." in other
    assert card_text(card) not in other


@pytest.mark.rule("PLX-14")
def test_the_mail_to_a_hand_of_kings_alone():
    """A king that takes is announced, where nothing stands above him, too; one row for each target.

    Where he meets nobody, his button says that only he is turned.
    """
    table = Table(2)
    table.state = plx.table(plx.seat("Ks"), plx.seat("8h 9h"), center="1:10d 1:9d", side0="1:5d")
    rendered = check(table.mail(0))
    assert "only itself" in " ".join(pages.lines(rendered.html))
    assert " ".join(pages.lines(rendered.html)).count("turns another’s card face down") == 1
    for target in ("10♦", "9♦", "5♦"):
        assert f"K♠ x {target}" in rendered.text


@pytest.mark.rule("PLX-20")
def test_the_mail_after_a_battle_explains_the_sums():
    """What each card counts, who wins what."""
    *_, table = whole_game(2, max_battles=1)
    text = " ".join(check(table.mail(0, "notice")).text.split())
    assert re.search(r"The middle: (you|Zoë) \d+ \((10|[2-9JA])[♣♦♥♠]", text)
    assert re.search(r"; (you win|Zoë wins) \d+ cards", text)


def test_a_german_sentence_after_a_colon_begins_with_a_capital_letter():
    """A battle in a turn mail: the zone, then who wins it. In a row of sums the letter is small."""
    *_, table = whole_game(2, max_battles=1)
    brief, sums = (
        " ".join(RENDERER.render(replace(mail, is_newcomer=False)).text.split())
        for mail in (table.mail(0, "turn", "de"), table.mail(0, "notice", "de"))
    )
    assert re.search(r"\(\d+ : \d+\): Du gewinnst \d+ Karten?\.", brief)
    assert ": du gewinnst" not in brief
    assert re.search(r"; (du gewinnst|Zoë gewinnt) \d+ Karten", sums)


@pytest.mark.rule("PLX-3")
def test_a_battle_is_told_by_the_neighbours_that_it_had():
    """Somebody is out with its end; the two who are left share both sides only from then on."""
    table = next(table for table in whole_game(3) if len(table.state.ring) == 2)
    text = " ".join(RENDERER.render(table.mail(2, "notice")).text.split())
    [own] = (one.data for one in table.news[2] if (one.kind, one.seat) == ("played", 2))
    assert own["zone"] == "side:2"
    assert "against Anna" in text
    assert "Your zone with Anna: you" in text
    assert "on your left" not in text


ODD = ("Left", "Mitte", "7c", "Anna B", "Emil Herz", "Anna")


@pytest.mark.rule("GEN-9", "PLX-3")
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("names", "options"),
    [
        (("Anna", "Anna B"), {}),
        (("Anna", "Anna B", "Emil Herz"), {"stakes": "per_card"}),
        (("Anna", "Anna", "Emil Herz", "anna of mitte"), {}),
        (("April", "Bob", "Mai", "Zoë", "J. R. Smith"), {"stakes": "zones"}),
        (ODD, {}),
        (("Left", "Bob", "Zoë", "Mitte"), {}),
        (("Bob", "7c", "Zoë"), {}),
    ],
)
def test_every_order_in_a_mail_is_read_back(language: str, names: tuple, options: dict):
    """Whatever people are called, and in the text as in the links: it is that very move."""
    table = Table(len(names), names, max_battles=1, **options)
    for turn in range(6 * len(names)):
        seat = Seat(int(RULES.to_act(table.state)[-1]))
        state = table.state
        for move in table.mail(seat, language=language).moves[:40]:
            shown = shown_order(move.text, language)
            line = read_line(shown, [RULES], names, language)
            assert line.kind is LineKind.GAME, shown
            meant = RULES.format_move(state, seat, RULES.parse_order(state, seat, line.order))
            assert with_seat_names(meant, names) == move.order, shown
        legal = list(RULES.legal_moves(state, seat))
        bold = legal[(turn * 7 + RULES.ply(state)) % len(legal)]
        table.move(seat, RULES.format_move(state, seat, bold))


def test_stakes_stand_in_the_order_of_the_cards() -> None:
    """The others as they sit, the reader last: in the rows of a zone and in its stakes."""
    for turn in turns("phalanx-zones"):
        mail = turn.mail
        others = [name for seat, name in enumerate(mail.players) if seat != mail.reader]
        assert f"Stakes in this order: {', '.join([*others, 'you'])}." in said(mail)
        pots = mail.view["pots"]
        for name, zone in zones.Table(mail, mail.players).zones.items():
            seats = [*(seat for seat in zone.seats if seat != mail.reader), mail.reader]
            assert zone.stakes == tuple(pots[name][seat] for seat in seats if seat in zone.seats)


def said(mail: GameMail) -> str:
    return " ".join(RENDERER.render(mail).text.split())
