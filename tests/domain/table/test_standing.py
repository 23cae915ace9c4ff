"""Test standing orders in the log: used, kept and cancelled."""

from __future__ import annotations

import random  # noqa: TID251  (which orders a test gives, never what the game deals)

import pytest

from engine import registry
from engine.api import Seat
from pbem.domain.log.events import Hidden, MovePlayed, is_private
from pbem.domain.play import standing, timeouts
from pbem.domain.table.fold import fold
from pbem.domain.table.game import with_seat
from pbem.domain.table.standing_fold import announced, stored
from pbem.domain.terms.conditions import TableVocabulary
from pbem.domain.terms.next_order import read_drawing, read_next
from pbem.errors import LogError
from tests.domain.samples import GAME_ID, Story, legal_orders, started

ORDERS = {
    "phyliss": ("pickup", "god", "play 3", "play K", "play 10", "flip 1"),
    "cathedral": ("pickup", "play 3", "play K", "play 2"),
    "phalanx": ("play 9h left", "play 7s right", "play Ks center", "check"),
    "phase10": ("draw", "take", "lay", "discard W", "discard R5"),
}
CONDITIONS = {
    "phyliss": ("", "if top <= 9 ", "if pile > 2 ", "if hand of 1 < 3 "),
    "cathedral": ("", "if top > 9 ", "if pile < 4 ", "if stock is 0 "),
    "phalanx": ("", "if left < 3 ", "if hand > 2 "),
    "phase10": ("", "if top is wild ", "if I have laid ", "if phase < 3 "),
}
RULES = (
    "take if it is a wild or it lays or it hits, else stock",
    "always stock",
    "take if it is 5, else ask",
)


def wants(story: Story, seat: int, text: str) -> None:
    game = story.game
    wanted = read_next(text, TableVocabulary(game.ruleset.id.name), game.ruleset)
    story.do(standing.order_next, seat, wanted, actor=f"seat:{seat}")


def draws(story: Story, seat: int, text: str | None) -> None:
    rule = () if text is None else read_drawing(text, TableVocabulary(story.game.ruleset.id.name))
    story.do(standing.rule_drawing, seat, rule, actor=f"seat:{seat}")


def random_order(chance: random.Random, name: str) -> str:
    parts = [
        chance.choice(CONDITIONS[name]) + chance.choice(ORDERS[name])
        for _ in range(chance.randint(1, 4))
    ]
    return " or ".join(parts)


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("seed", [1, 2])
def test_games_full_of_standing_orders(name: str, seed: int) -> None:
    """Decisions equal the fold, and the table is the same without the words."""
    game_name = "phase10" if name.startswith("phase10") else name
    chance = random.Random(f"{name}/{seed}")  # noqa: S311
    story = started(3, ruleset=name, secret=bytes([seed]) * 32)
    for _ in range(70):
        if story.game.is_over:
            break
        for seat in range(3):
            if chance.random() < 0.5:
                wants(story, seat, random_order(chance, game_name))
            if game_name == "phase10" and chance.random() < 0.2:
                draws(story, seat, chance.choice(RULES))
        if story.game.to_act:
            seat = int(chance.choice(story.game.to_act))
            orders = legal_orders(story.game, seat)
            story.play(seat, chance.choice(orders))
    sources = {event.source for event in story.events if isinstance(event, MovePlayed)}
    assert "standing" in sources
    blank = [
        item._replace(event=Hidden("", "", "", "", None)) if is_private(item.event) else item
        for item in story.recorded
    ]
    assert len(blank) == len(story.recorded)
    again = fold(blank, GAME_ID)
    assert again.state == story.game.state
    assert again.deadline == story.game.deadline


def turn_ends(story: Story, seat: int) -> None:
    """Let a seat end its turn with whatever picks up or plays."""
    while seat in story.game.to_act and not story.game.is_over:
        before = story.game.seats[seat].decision
        rules, state = story.game.ruleset, story.game.state
        story.play(
            seat, rules.format_move(state, Seat(seat), rules.standby_move(state, Seat(seat)))
        )
        if story.game.seats[seat].decision != before:
            break


def test_a_turn_that_an_order_decides_is_not_missed() -> None:
    """A missed turn, and one that an order for it decided: nothing in a row. A rule for drawing decides nothing."""
    story = started(2)
    seat, deadline = int(story.game.to_act[0]), story.game.deadline
    assert deadline is not None
    story.now = deadline.fires_at
    story.do(timeouts.time_out, seat, deadline.version, actor="clock")
    assert story.game.seats[seat].misses == 1
    wants(story, seat, "pickup")
    turn_ends(story, 1 - seat)
    assert story.game.seats[seat].misses == 0
    draws_by_rule = MovePlayed(0, "draw", "standing", 1, "", 1)
    late = with_seat(started(2, ruleset="phase10").game, 0, misses=1)
    assert announced(late, draws_by_rule, 9).seats[0].misses == 1


def test_who_is_not_there_has_no_standing_orders() -> None:
    """Before the deal, after the end, after leaving; and a damaged one is a damaged log."""
    story = started(2)
    game = story.game
    for payload in ({"seat": 7, "text": "god"}, {"seat": -1, "text": "god"}, {"text": "god"}, {}):
        event = Hidden("NextOrdered", "seat:0", "", "", payload)
        with pytest.raises(ValueError, match="no seat"):
            stored(game, event)
        item = story.recorded[-1]._replace(version=game.version + 1, event=event)
        with pytest.raises(LogError):
            fold([item], GAME_ID, game)
