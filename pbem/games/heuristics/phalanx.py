"""Heuristics of Phalanx: open low, then maximise the cards won if the battle ended soon.

A seat that opens low plays late, and the last card decides most.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.api import OptionValue, Seat
from engine.cards import sort_cards
from engine.phalanx.moves import Move, Play, legal_moves, lowest, standby_move
from engine.phalanx.resolving import zone_sums
from engine.phalanx.state import PLAYING, SEAT_PLACES, SITES, State, is_gambling, unordered
from engine.phalanx.turn import zone_after
from pbem.games.knowledge import Dice, lead_share
from pbem.games.worlds import HiddenCards, other_setup

_TO_COME = 0.7
"""Expected number of cards that each seat of a zone still plays there, per card in the mover's hand."""
_LONG = 9
"""Assumed number of battles to come in a game without a limit."""
_CARDS_LEAD = 6.0
"""Scale of a lead in cards after one more battle."""
_CHIPS_LEAD = 0.04
"""Scale of a lead in chips after one more battle, as a fraction of a seat's initial chips."""
_SURE, _DOUBT = 1.5, 0.5
"""Scale of leads: a lead of `_SURE` counts half, and each card to come adds `_DOUBT` to it."""


def choose(state: State, seat: Seat) -> Move:
    """Return the play with the highest expected number of cards won."""
    if state.phase != PLAYING:
        return standby_move(state, seat)
    plays = [move for move in legal_moves(state, seat) if isinstance(move, Play)]
    return max(plays, key=_Outlook(state, seat).after) if plays else standby_move(state, seat)


def why(_state: State, _seat: Seat, move: Move) -> str:
    """Return a code for the heuristic's reason to make this move."""
    return "cards" if isinstance(move, Play) else ""


class _Outlook:
    """The expected winnings of a seat."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.seat = seat
        self.zones = state.zones
        self.places = SEAT_PLACES[state.ring][seat].zones
        self.aces = state.setup.options["aces"]
        self.sites = SITES[state.ring]
        self.sums = {site.zone: zone_sums(state.zones[site.zone], self.aces) for site in self.sites}
        left = len(state.hands[seat]) - 1
        self.scale = _SURE + _DOUBT * left
        self.to_come = _TO_COME * left / 3

    def after(self, play: Play) -> float:
        """Return the expected number of cards won after a play."""
        number = self.places[play.place]
        before = self.sums[number]
        there = zone_after(self.zones[number], self.seat, play)
        self.sums[number] = zone_sums(there, self.aces)
        worth = self._worth(number)
        self.sums[number] = before
        return worth

    def _worth(self, changed: int) -> float:
        """Return the expected winnings in a seat's zones, after a change to one zone."""
        flanks: dict[tuple[int, Seat], int] = {}
        for zone, sharers, neighbours in self.sites:
            sums = self.sums[zone]
            if len(sums) == 1:
                for owner, amount in sums.items():
                    for other in neighbours[sharers.index(owner)]:
                        flanks[other, owner] = flanks.get((other, owner), 0) + amount
        worth = 0.0
        for zone, sharers, _ in self.sites:
            if self.seat not in sharers:
                continue
            sums = self.sums[zone]
            totals = {each: sums.get(each, 0) + flanks.get((zone, each), 0) for each in sharers}
            lead = totals.pop(self.seat) - max(totals.values())
            size = len(self.zones[zone]) + (zone == changed) + self.to_come * len(sharers)
            worth += size / (1 + math.exp(max(-30.0, min(30.0, -lead / self.scale))))
        return worth


def redeal(state: State, seat: Seat, dice: Dice) -> State:
    """Deal the hands and choices of others, all reserves and unseen spoils again at random (PLX-29).

    In the gambling games, cards stay with their owners.
    """
    players = range(state.setup.players)
    pools = [[each] for each in players] if is_gambling(state) else [[*players]]
    spoils = state.spoils_unseen
    hands, reserves, asides = list(state.hands), list(state.reserves), list(state.asides)
    choices = list(state.choices)
    for pool in pools:
        cards = [] if is_gambling(state) else list(spoils)
        for each in pool:
            cards += unordered(reserves[each])
            if each != seat:
                cards += hands[each] + asides[each]
        hidden = HiddenCards(cards, dice, sort_cards, from_end=True)
        for each in pool:
            reserves[each] = hidden.take(len(reserves[each]))
            if each != seat:
                hands[each] = hidden.hand(len(hands[each]))
                asides[each] = hidden.take(len(asides[each]))
                if choices[each] is not None:
                    choices[each] = lowest(hands[each])
        if not is_gambling(state):
            spoils = hidden.rest()
    return state._replace(
        setup=other_setup(state, dice),
        hands=tuple(hands),
        reserves=tuple(reserves),
        asides=tuple(asides),
        choices=tuple(choices),
        spoils_unseen=spoils,
    )


def worth(state: State, *, has_ended: bool) -> Sequence[float]:
    """Return the value of each seat's lead in cards or chips. More remaining battles reduce it."""
    options = state.setup.options
    limit = _number(options["max_battles"])
    to_come = limit - state.battle if limit else _LONG
    scale = _CHIPS_LEAD * _number(options["bankroll"]) if is_gambling(state) else _CARDS_LEAD
    standing = [_standing(state, Seat(seat)) for seat in range(state.setup.players)]
    return [
        lead_share(mine, [*standing[:seat], *standing[seat + 1 :]], scale * math.sqrt(to_come))
        for seat, mine in enumerate(standing)
    ]


def _number(value: OptionValue) -> int:
    return value if isinstance(value, int) else 0


def _standing(state: State, seat: Seat) -> float:
    """Return a seat's cards or chips. Eliminated seats rank last, in order of elimination."""
    if seat in state.resigned:
        return -1e4
    if is_gambling(state):
        return float(state.chips[seat] + sum(pot[seat] for pot in state.pots))
    out = state.outs[seat]
    if out is not None:
        return -1e3 + float(out.battle)
    lying = sum([each.seat == seat for zone in state.zones for each in zone])
    return float(
        len(state.hands[seat]) + len(state.reserves[seat]) + len(state.asides[seat]) + lying
    )
