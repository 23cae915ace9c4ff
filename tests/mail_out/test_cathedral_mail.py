"""Test messages of Cathedral at every stage, with real views and facts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine import registry
from engine.api import Seat
from pbem.mail_out.texts import card_text
from tests.mail_out.real_games import Table, both
from tests.mail_out.test_render import RENDERER, SHOWN_CARD, words
from tests.mail_out.turns import turns

RULES = registry.find("cathedral", 1)


@pytest.mark.rule("CAT-2", "CAT-3")
def test_the_mail_of_the_deal_asks_for_a_reserve():
    """Own six cards, the choices as a list, and nothing about the others' cards."""
    content = Table("cathedral", 3).mail(0, "started")
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
    table = Table("cathedral", 3)
    table.move(seat=1)
    choice = [card_text(card) for card in table.state.seats[1].choice]
    for body in both(table.mail(1, "answer")):
        assert " ".join(choice) in body
        assert "You may change your choice until the last player has chosen" in body
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
    table.move(legal[0], seat=1)
    assert words(RENDERER.render(table.mail(0))) == told
    assert table.mail(0) == mail


def _choices(table: Table, seat: int) -> list[object]:
    """Every choice of a seat, as it was listed before it chose."""
    fresh = RULES.start(table.setup).state
    return list(RULES.legal_moves(fresh, Seat(seat)))


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
