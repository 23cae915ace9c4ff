"""Whatever is done in whatever order: cards are conserved, suit is followed, hands stay hidden."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random  # noqa: TID251  (who plays what, not what is dealt)
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from engine import registry
from engine.api import Seat
from engine.cards import PACK, SUIT_OF
from engine.testing import Table, random_game, state_machine

RULES: Any = registry.find("ohhell", 1)


class OhHellTable(Table):
    """A table of Oh Hell."""

    rulesets = (RULES,)
    orders = ("bid 2", "two tricks", "play 7h", "7")

    def some_options(self, players: int) -> Mapping[str, Any]:
        return {
            "cards": self.luck.choice(range(1, 8)),
            "course": self.luck.choice(["down", "up", "both"]),
            "hook": self.luck.random() < 0.8,
            "auto_forced": self.luck.choice(["public", "all", "off"]),
        }

    def exchanged(self, viewer: Seat | None) -> Any:
        """Return the state with the stock and the hands that the viewer cannot see dealt anew."""
        state = self.state
        others = [seat for seat in self.seats if seat != viewer]
        cards = [*state.stock, *(card for seat in others for card in state.hands[seat])]
        self.luck.shuffle(cards)
        hands = list(state.hands)
        for seat in others:
            count = len(hands[seat])
            hands[seat] = tuple(sorted(cards[:count], key=PACK.index))
            del cards[:count]
        return replace(state, hands=tuple(hands), stock=tuple(cards))

    def moves_to_try(self, seat: Seat) -> Iterator[tuple[Any, bool]]:
        legal = {*RULES.legal_moves(self.state, seat)}
        for move in (*range(9), *PACK):
            yield move, move in legal

    def check(self) -> None:
        state = self.state
        cards = [*state.stock, state.trump, *state.played, *state.gone]
        cards += [card for hand in state.hands for card in hand] + [card for _, card in state.trick]
        assert sorted(cards) == sorted(PACK)
        limit = RULES.expected_turns(state.setup.players, state.setup.options)
        assert RULES.ply(state) <= limit
        for seat in RULES.to_act(state):
            moves = list(RULES.legal_moves(state, seat))
            if state.trick and not isinstance(moves[0], int):
                suits = {SUIT_OF[card] for card in state.hands[seat]}
                led = SUIT_OF[state.trick[0][1]]
                assert led not in suits or {SUIT_OF[card] for card in moves} == {led}


@pytest.mark.rule("OHH-8", "OHH-5", "GEN-1", "GEN-12")
@pytest.mark.parametrize("number", range(5))
def test_a_game_of_anything_keeps_its_promises(number: int) -> None:
    log = random_game(OhHellTable(Random(number)))  # noqa: S311  (a test is no secret)
    assert log.entries


@pytest.mark.rule("GEN-1", "GEN-5", "GEN-8")
def test_anything_may_be_tried_in_any_order() -> None:
    run_state_machine_as_test(
        state_machine(OhHellTable),
        settings=settings(max_examples=10, stateful_step_count=20, deadline=None),
    )
