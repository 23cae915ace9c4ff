"""Mails of Cathedral at every stage, with the views and facts that the engine gives."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache

import pytest

from engine import registry
from engine.api import Fact, JsonObject, Seat, Setup, Source
from engine.cards import PACK
from pbem.domain.words.orders import LineKind, read_line
from pbem.mail_out.content import FinalResult, GameMail
from pbem.mail_out.render import Rendered
from pbem.mail_out.texts import card_text, columns
from tests.mail_out import pages
from tests.mail_out.samples import SECRET, SEED, game_mail, moves
from tests.mail_out.test_render import LISTED, RENDERER, SHOWN_CARD, words
from tests.mail_out.turns import turns

RULES = registry.find("cathedral", 1)
NAMES = (
    "Anna", "Zoë", "Maximiliana Wilhelmina Theodora von und zu", "דניאל", "Emil O'Neill", "Li",
)  # fmt: skip


class Table:
    """A running game, and what every seat has been told since its own last move."""

    def __init__(self, players: int, **options: object) -> None:
        self.players = players
        seed = hashlib.sha256(f"cathedral mails {players}".encode()).digest()
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

    def resign(self, seat: int) -> None:
        step = RULES.resign(self.state, Seat(seat))
        self.state = step.state
        self.tell(step.facts)

    def mail(self, reader: int, kind: str = "turn") -> GameMail:
        to_act = tuple(map(int, RULES.to_act(self.state)))
        legal = list(RULES.legal_moves(self.state, Seat(reader)))
        outcome = RULES.outcome(self.state)
        ended = {} if outcome is None else {
            "result": FinalResult(
                outcome.ranking, outcome.reason, outcome.scores,
                SECRET, ("",) * self.players, SEED,
            ),
            "deadline": None,
        }  # fmt: skip
        return game_mail(
            kind=kind,
            ruleset="cathedral",
            title="Cathedral",
            players=NAMES[: self.players],
            reader=reader,
            to_act=to_act,
            happened=tuple(self.news[reader]),
            view=RULES.view(self.state, Seat(reader)),
            moves=moves(*(RULES.format_move(self.state, Seat(reader), m) for m in legal)),
            **ended,
        )


def seen_by(content: GameMail) -> set[str]:
    """Every card that stands in the view or in a fact for the reader."""
    told = json.dumps([content.view, [fact.data for fact in content.happened]])
    return {card_text(card) for card in PACK if f'"{card}"' in told}


@cache
def is_prose(line: str) -> bool:
    """True if a line is no order when it comes back quoted; most lines come again."""
    return read_line(line, [RULES]).kind is LineKind.PROSE


def check(content: GameMail) -> Rendered:
    """Check what holds for every mail."""
    rendered = RENDERER.render(content)
    for line in rendered.text.splitlines():
        assert columns(line) <= 72, line
        if not LISTED.fullmatch(line):
            assert is_prose(line.strip()), line
            assert is_prose(line.strip(" -")), line
    for line in pages.lines(rendered.html, drawn=True):
        if not any(line.startswith(f"{move.number} ") for move in content.moves):
            assert is_prose(line), line
    assert len(rendered.html.encode()) < 60_000
    text, html = words(rendered)
    shown = set(SHOWN_CARD.findall(text))
    assert shown == set(SHOWN_CARD.findall(html))
    assert shown <= seen_by(content)
    assert content.kind == "finished" or shown >= visible(content.view)
    assert "None" not in text
    assert not re.search(r"\(\)|, ,|  :", text)
    return rendered


def visible(view: JsonObject) -> set[str]:
    """The cards that the table of a mail has to show."""
    data = json.dumps([view["seats"], view["pile"], view["gone"], view["stock"]])
    return {card_text(card) for card in PACK if f'"{card}"' in data}


def whole_game(players: int) -> Iterator[Table]:
    """Yield a table after every move of a game of two deals."""
    table = Table(players, deals=2)
    yield table
    while to_act := RULES.to_act(table.state):
        seat = int(to_act[-1])
        legal = list(RULES.legal_moves(table.state, Seat(seat)))
        plies = RULES.ply(table.state)
        bold = legal[plies * 7 % len(legal)]
        table.move(seat, RULES.format_move(table.state, Seat(seat), bold) if plies % 4 == 0 else "")
        yield table


@pytest.mark.rule("GEN-5", "CAT-20")
@pytest.mark.parametrize("players", [2, 3, 6])
def test_every_mail_of_a_whole_game_is_in_good_form(players: int):
    """At most 72 columns, no line an order, no card that the reader may not see, same in both."""
    for number, table in enumerate(whole_game(players)):
        to_act = RULES.to_act(table.state)
        for seat in range(players):
            is_turn = seat in to_act
            if not to_act:
                check(table.mail(seat, "finished"))
            elif number == 0:
                check(table.mail(seat, "started"))
            elif (is_turn and number % 3 == 0) or number % 20 == 0 or number == 2:
                check(table.mail(seat, "turn" if is_turn else "answer"))


def both(content: GameMail) -> tuple[str, str]:
    """Return both bodies of a mail that is in good form."""
    return words(check(content))


@pytest.mark.rule("CAT-2", "CAT-3")
def test_the_mail_of_the_deal_asks_for_a_reserve():
    """Own six cards, the choices as a list, and nothing about the others' cards."""
    content = Table(3).mail(0, "started")
    hand = content.view["seats"][0]["hand"]  # type: ignore[index,call-overload]
    for body in both(content):
        assert "The three are your reserve: you take them up once hand and stock are gone" in body
        assert "Your hand, 6 cards" in body
        assert body.count("not chosen yet") == 3
        assert set(SHOWN_CARD.findall(body)) == {card_text(card) for card in hand}
        assert "21 " in body


@pytest.mark.rule("GEN-6", "CAT-3", "GEN-5")
def test_while_cards_are_set_aside_others_see_only_who_has_chosen():
    """The chooser reads the choice back, and that it may be changed."""
    table = Table(3)
    table.move(1)
    choice = [card_text(card) for card in table.state.seats[1].choice]
    for body in both(table.mail(1, "answer")):
        assert " ".join(choice) in body
        assert "You may choose anew until the last player has chosen" in body
        assert (
            f"You 3 cards {' '.join(choice)}" in body or f"You 6 cards {' '.join(choice)}" in body
        )
    for body in both(table.mail(0)):
        assert "Zoë has chosen a reserve." in body
        assert body.count("not chosen yet") == 2
        assert not set(choice) & set(SHOWN_CARD.findall(body))
    told = words(RENDERER.render(table.mail(0)))
    # A replacement changes nothing for the others.
    legal = [RULES.format_move(table.state, Seat(1), move) for move in _choices(table, 1)]
    mail = table.mail(0)
    table.move(1, legal[0])
    assert words(RENDERER.render(table.mail(0))) == told
    assert table.mail(0) == mail


def _choices(table: Table, seat: int) -> list[object]:
    """Every choice of a seat, as it was listed before it chose."""
    fresh = RULES.start(table.setup).state
    return list(RULES.legal_moves(fresh, Seat(seat)))


@pytest.mark.rule("CAT-3", "CAT-4")
def test_when_all_have_chosen_the_reserve_is_shown_to_its_owner_alone():
    """And everybody reads who starts."""
    table = Table(2)
    table.move(1)
    table.move(0)
    reserve = [card_text(card) for card in table.state.seats[0].reserve]
    for body in both(table.mail(0)):
        assert "Everybody has a reserve now. You start." in body
        assert f"You 3 cards {' '.join(reserve)}" in body
        assert set(reserve) <= set(SHOWN_CARD.findall(body))
        assert "Play any card, or several of one rank." in body
    for body in both(table.mail(1, "answer")):
        assert "Everybody has a reserve now. Anna starts." in body
        assert "3 cards" in body
        assert not set(reserve) & set(SHOWN_CARD.findall(body))


@pytest.mark.rule("CAT-14", "CAT-20")
def test_taking_up_the_reserve_is_told_once_and_with_cards_to_its_owner_only():
    """The others read how many cards it was."""
    for table in whole_game(2):
        for seat in (0, 1):
            taken = [f for f in table.news[seat] if f.kind == "took_reserve" and f.audience == seat]
            if taken and RULES.to_act(table.state):
                cards = {card_text(card) for card in taken[0].data["cards"]}
                for body in both(table.mail(seat, "answer")):
                    assert body.count("took up") == 1
                    assert "You took up your reserve." in body
                    assert cards <= set(SHOWN_CARD.findall(body))
                for body in both(table.mail(1 - seat, "answer")):
                    assert body.count("took up the reserve, 3 cards") == 1
                return
    pytest.fail("nobody took up a reserve")


@pytest.mark.rule("CAT-16", "GEN-15")
def test_the_last_mail_shows_places_and_scores():
    """All cards face up are in the page that is attached to it."""
    *_, table = whole_game(4)
    for reader in range(4):
        content = table.mail(reader, "finished")
        for body in both(content):
            assert body.count("deal won") + body.count("deals won") == 4
            assert "left in all deals" in body


@pytest.mark.rule("CAT-17", "GEN-15")
def test_a_game_that_ends_while_cards_are_set_aside():
    """Who left is named, while the game goes on and at its end."""
    table = Table(3)
    table.move(2)
    table.resign(0)
    for body in both(table.mail(1)):
        assert "The cards in front of Anna are out of the game now." in body
        assert "Anna left the game." in body.replace(":", "")
        assert "Out of the game unseen: 6 cards." in body
    table.resign(1)
    for reader in (0, 1, 2):
        for body in both(table.mail(reader, "finished")):
            assert body.count("left the game") >= 2


@pytest.mark.rule("CAT-12")
def test_who_cannot_play_is_told_so():
    """The mail does not ask for a card that is not there."""
    for table in whole_game(3):
        for seat in map(int, RULES.to_act(table.state)):
            content = table.mail(seat)
            for body in words(RENDERER.render(content)):
                only_pickup = [move.text for move in content.moves] == ["pickup"]
                assert ("No card of yours beats" in body) == only_pickup
                assert not (only_pickup and "Instead you may" in body)


def test_moves_made_for_a_silent_seat_are_quoted():
    """Secret ones to their seat alone, which is the service's doing."""
    table = Table(2)
    table.news[0].append(Fact("timed_out", Seat(0), {"move": "keep 2s 10h Qd"}, Seat(0)))
    for body in words(RENDERER.render(table.mail(0, "answer"))):
        assert "a safe move was made for you: “keep 2s 10h Qd”" in body


@pytest.mark.rule("CAT-6", "PHY-8")
def test_the_headline_asks_for_what_is_enough() -> None:
    """A card of the same rank is not enough in Cathedral, and in Phyliss it is."""
    said = {
        row: {line.partition(" the ")[0] for line in headlines(row)}
        for row in ("cathedral", "phyliss")
    }
    assert said["cathedral"] >= {"Your turn: beat"}
    assert said["phyliss"] >= {"Your turn: match or beat"}
    assert not any("match" in one for one in said["cathedral"])
    assert "Your turn: beat" not in said["phyliss"]


def headlines(row: str) -> Iterator[str]:
    for turn in turns(row):
        lines = RENDERER.render(turn.mail).text.splitlines()
        yield next(line for line in lines if line.startswith("Your turn"))
