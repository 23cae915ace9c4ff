"""Test that no order is lost silently, read twice, or read from a quote."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.mail_in.grid.mails import Case, Own, compose, load_turn, paragraphs
from tests.mail_in.grid.shapes import GAMES, MAKERS, Faults, Shape, judge, measure

STEP = 67
LONGEST = {
    "phyliss": "play 7c 7d",
    "cathedral": "play 3c 3h 3s",
    "phalanx": "raise left 1, raise center 1, raise right 1",
    "phase10": "lay B9 B9 W / B12 G12 W",
}
SHELLS = ("outlook_2003", "outlook_2010", "hotmail_old", "windows_mail", "outlook_desktop")


@pytest.mark.parametrize("knows", [True, False], ids=["answered known", "answered unknown"])
def test_orders_of_every_game_in_every_program(knows: bool):
    """One of so many shapes; `make mail-report` reads more of them."""
    faults, said = measure(STEP, knows=knows)
    assert said == []
    assert faults.right >= (0.92 if knows else 0.75) * faults.replies


@pytest.mark.parametrize("client", SHELLS)
@pytest.mark.parametrize("game", GAMES)
def test_listed_move_above_a_part_of_our_mail_is_own(client: str, game: str):
    """The quote goes on right behind that move in our mail, below a clear introduction."""
    full, order = load_turn(game), LONGEST[game]
    at = next(n for n, line in enumerate(full.lines) if line.endswith(f"  {order}"))
    lines = full.lines[at + 1 : at + 15]
    turn = replace(full, lines=lines, html=paragraphs(list(lines)))
    faults = Faults()
    for number, orders in enumerate([(order,), ("say hello everybody", order)]):
        case = Case(turn, Own(orders), "en", "top", False, number)
        plain, rich = MAKERS[client](case)
        for form in ((plain, None), (None, rich), (plain, rich)):
            raw = compose(case, *form, client=client)
            assert judge(faults, Shape(client, raw, full, game, orders), knows=True) == ""
    assert faults.right == faults.replies
