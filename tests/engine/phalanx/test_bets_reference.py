"""Compare betting windows with a second implementation of PLX-V5, written from the rule book.

It keeps its own chips, stakes and open raises; from the engine it takes cards, hands and whose turn
it is to play a card.
"""

from dataclasses import dataclass, field

import pytest

from engine.api import Seat
from engine.errors import IllegalMoveError
from engine.phalanx.betting import Bet, Bets
from engine.phalanx.moves import Play
from engine.phalanx.state import BETTING, CHOOSING, PLAYING
from tests.engine.chance import chance
from tests.engine.phalanx.tables import RULES, new

PLACES = ("left", "center", "right")


@dataclass
class Reading:
    """One battle as a player with paper and pencil would follow it."""

    ring: list[int]
    chips: dict[int, int]
    stakes: dict[str, dict[int, int]]
    gone: set[int] = field(default_factory=set)
    acted: set[int] = field(default_factory=set)
    raises: dict[str, int] = field(default_factory=dict)
    open: set[tuple[str, int]] = field(default_factory=set)

    def zone(self, seat: int, place: str) -> str:
        at = self.ring.index(seat)
        owner = {"left": seat, "right": self.ring[at - 1]}.get(place)
        return "center" if owner is None else f"side:{owner}"

    def others(self, seat: int, zone: str) -> list[int]:
        own = [one for one in self.ring if zone in [self.zone(one, place) for place in PLACES]]
        return [one for one in own if one != seat and one not in self.gone]

    def lacks(self, seat: int, zone: str) -> int:
        pot = self.stakes[zone]
        return max([0, *(pot[one] - pot[seat] for one in self.others(seat, zone))])

    def may(self, seat: int, bets: dict[str, int]) -> dict[str, int] | None:
        """Return the cost of each bet, made from left to right, or None if one is impossible."""
        left, costs = self.chips[seat], {}
        for place in PLACES:
            if place not in bets:
                continue
            zone = self.zone(seat, place)
            lacks = self.lacks(seat, zone)
            if seat in self.acted and not (lacks and (zone, seat) in self.open):
                return None
            cost = min(left, lacks)
            if bets[place]:
                is_answered = any(self.chips[one] for one in self.others(seat, zone))
                if self.raises.get(zone, 0) == 3 or not is_answered or lacks + bets[place] > left:
                    return None
                cost = lacks + bets[place]
            elif not cost:
                return None
            left -= cost
            costs[zone] = cost
        return costs

    def is_asked(self, seat: int) -> bool:
        one_bet = ({place: by} for place in PLACES for by in (0, 1))
        return any(self.may(seat, bet) is not None for bet in one_bet)

    def bet(self, seat: int, bets: dict[str, int]) -> None:
        for zone, cost in (self.may(seat, bets) or {}).items():
            self.stakes[zone][seat] += cost
            self.chips[seat] -= cost
        self.acted.add(seat)
        self.open = {(zone, one) for zone, one in self.open if one != seat}
        for zone in [self.zone(seat, place) for place, by in bets.items() if by]:
            self.raises[zone] = self.raises.get(zone, 0) + 1
            self.open = {one for one in self.open if one[0] != zone}
            self.open |= {(zone, one) for one in self.others(seat, zone)}

    def next(self, start: int) -> int | None:
        around = [one for one in self.ring if one >= start]
        around += [one for one in self.ring if one < start]
        return next((one for one in around if one not in self.gone and self.is_asked(one)), None)

    def open_window(self, start: int) -> int | None:
        self.acted, self.raises, self.open = set(), {}, set()
        return self.next(start)


def reading_of(state) -> Reading:
    view = RULES.view(state, None)
    pots = {zone: dict(enumerate(pot)) for zone, pot in view["pots"].items()}
    chips = {seat: own["chips"] for seat, own in enumerate(view["seats"])}
    return Reading(list(view["ring"]), chips, pots)


def random_bets(luck) -> dict[str, int]:
    said = {place: luck.choice((None, None, 0, 0, 1, 1, 2, 5)) for place in PLACES}
    return {place: by for place, by in said.items() if by is not None}


@pytest.mark.rule("PLX-V5", "PLX-26", "GEN-7")
@pytest.mark.parametrize("batch", range(3))
def test_every_window_is_as_the_rule_book_says(batch):
    """Compare the seat to bet, the costs, the refusals and the closed zones. Seats also resign."""
    for number in range(16):
        luck = chance(f"bets {batch} {number}")
        players = luck.choice((2, 3, 3, 4, 5, 6))
        first_window = luck.choice(("deal", "deal", "opening"))
        game = new(
            players, stakes="zones", bankroll=luck.choice((4, 7, 12, 40)), max_battles=3,
            first_window=first_window, dealer=luck.randrange(players), auto_forced="off",
        )  # fmt: skip
        battle, size, asked, mine = -1, 8, None, reading_of(game.state)
        while RULES.outcome(game.state) is None:
            state = game.state
            if state.battle != battle:
                battle, size, asked, mine = state.battle, 8, None, reading_of(state)
            hands = {len(state.hands[one]) for one in mine.ring if one not in mine.gone}
            is_window_due = first_window == "deal" or state.first is not None
            if asked is None and is_window_due and len(hands) == 1 and min(hands) < size:
                size = min(hands)
                start = state.setup.options["dealer"] + 1 if state.first is None else state.first
                asked = mine.open_window(start)
            assert (state.phase == BETTING) == (asked is not None)
            if asked is not None:
                assert state.to_act == (asked,)
            pots = RULES.view(state, None)["pots"]
            assert {zone: [*pot.values()] for zone, pot in mine.stakes.items()} == pots
            assert [mine.chips[one] for one in range(players)] == list(state.chips)
            if luck.random() < 0.01 and players > 2:
                seat = luck.choice([one for one in mine.ring if one not in mine.gone])
                mine.gone.add(seat)
                mine.open = {one for one in mine.open if one[1] != seat}
                if asked is not None and (asked == seat or not mine.is_asked(asked)):
                    asked = mine.next(asked + 1)
                game.resign(seat)
                continue
            seat = state.to_act[0]
            if state.phase == BETTING:
                bets = random_bets(luck)
                move = Bets(tuple(Bet(place, bets[place]) for place in PLACES if place in bets))
                if mine.may(seat, bets) is None:
                    with pytest.raises(IllegalMoveError, match="PLX-V5"):
                        RULES.apply(state, Seat(seat), move)
                    continue
                mine.bet(seat, bets)
                asked = mine.next(seat + 1)
            else:
                moves = list(RULES.legal_moves(state, Seat(seat)))
                if state.phase == PLAYING:
                    closed = {
                        place
                        for place in PLACES
                        if mine.chips[seat] and mine.lacks(seat, mine.zone(seat, place))
                    }
                    open_to = {move.place for move in moves if isinstance(move, Play)}
                    assert open_to == set(PLACES) - closed
                else:
                    assert state.phase == CHOOSING
                move = luck.choice(moves)
            game.take(RULES.apply(state, Seat(seat), move))
