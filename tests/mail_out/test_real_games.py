"""Test messages of whole games of every ruleset, with real views and facts."""

from __future__ import annotations

import pytest

from tests.mail_out.real_games import check, whole_game


@pytest.mark.rule("GEN-5", "CAT-20", "P10-32", "PLX-29")
@pytest.mark.parametrize(
    ("ruleset", "players", "options"),
    [
        ("phyliss", 5, {}),
        ("cathedral", 2, {"deals": 2}),
        ("phalanx", 4, {"max_battles": 2, "ante": 1, "tie": "swap"}),
        ("phalanx", 3, {"stakes": "zones", "max_battles": 1, "bankroll": 9}),
        ("phase10", 2, {"phases_to_win": 3, "deck": "standard"}),
        ("phase10-family", 3, {"phases": [4, 8], "ten_hands": True}),
    ],
)
def test_every_mail_of_a_whole_game_is_in_good_form(ruleset: str, players: int, options: dict):
    """At most 72 columns, no line an order, no card that the reader may not see, same in both."""
    for number, table in enumerate(whole_game(ruleset, players, **options)):
        to_act = table.rules.to_act(table.state)
        for seat in range(players):
            if not to_act:
                check(table.mail(seat, "finished"))
            elif number == 0:
                check(table.mail(seat, "started"))
            elif (seat in to_act and number % 8 == 0) or number % 23 == 0:
                check(table.mail(seat, "turn" if seat in to_act else "answer"))
