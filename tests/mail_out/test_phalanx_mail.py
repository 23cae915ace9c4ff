"""Test messages of Phalanx at every stage, with real views and facts."""

from __future__ import annotations

import re

import pytest

from engine import registry
from engine.api import Seat
from pbem.domain.terms.seats import with_seat_names
from pbem.domain.words.orders import LineKind, read_line
from pbem.domain.words.translate import shown_order
from pbem.mail_out.texts import card_text
from tests.mail_out.real_games import Table, check, whole_game
from tests.mail_out.test_render import RENDERER

RULES = registry.find("phalanx", 1)


@pytest.mark.rule("PLX-7", "GEN-6")
def test_the_mail_of_a_choice_says_that_it_may_be_changed():
    """To the chooser alone with the card; the others read that somebody has chosen."""
    table = Table("phalanx", 3)
    card = table.state.seats[0].hand[0]
    table.move(f"open {card}", seat=0)
    own = " ".join(check(table.mail(0, "answer")).text.split())
    assert f"You chose {card_text(card)} as your opening card. You may change your choice" in own
    other = " ".join(check(table.mail(1)).text.split())
    assert "Anna has chosen an opening card." in other
    assert card_text(card) not in other


@pytest.mark.rule("PLX-20")
def test_the_mail_after_a_battle_explains_the_sums():
    """What each card counts, who wins what."""
    *_, table = whole_game("phalanx", 2, max_battles=1)
    text = " ".join(check(table.mail(0, "notice")).text.split())
    assert re.search(r"The middle: (you|Zoë) \d+ \((10|[2-9JA])[♣♦♥♠]", text)
    assert re.search(r"; (you win|Zoë wins) \d+ cards", text)


@pytest.mark.rule("PLX-3")
def test_a_battle_is_told_by_the_neighbours_that_it_had():
    """Somebody is out with its end; the two who are left share both sides only from then on."""
    table = next(table for table in whole_game("phalanx", 3) if len(table.state.ring) == 2)
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
    table = Table("phalanx", len(names), names, max_battles=1, **options)
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
        table.move(RULES.format_move(state, seat, bold), seat)
