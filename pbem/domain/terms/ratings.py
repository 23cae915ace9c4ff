"""Rates players by the places of their games: Plackett-Luce, by openskill.

Pure: the ratings before a game and its places give the ratings after it.
`pbem.store.tables.standings` stores them and decides which games count; docs/standings.md explains
them to players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

_MODEL = PlackettLuce()
_DIGITS = 6
"""Digits of each number that are stored.

Two machines whose logarithms differ in the last bit then agree.
"""
_CAUTION = 3
"""How often the uncertainty is subtracted for the ranking: openskill's ordinal."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The known strength of a player.

    Attributes:
        mu: the strength that fits the games best.
        sigma: its uncertainty; in two cases of three the true strength is within it.
    """

    mu: float = _MODEL.mu
    sigma: float = round(_MODEL.sigma, _DIGITS)

    @property
    def cautious(self) -> float:
        """The strength that a player almost certainly has; the ranking uses it."""
        return self.mu - _CAUTION * self.sigma


def rated(before: Sequence[Rating], places: Sequence[int], sat_out: Sequence[bool]) -> list[Rating]:
    """Return the ratings after a game.

    Args:
        before: ratings by seat, as in the other arguments.
        places: 1 is the winner; equal places are a tie.
        sat_out: a bot decided for the seat when the game ended. Players get no credit for a bot's
            place and cannot escape a loss by silence: such a rating can only fall.
    """
    teams = [[_MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    new = [Rating(round(one.mu, _DIGITS), round(one.sigma, _DIGITS)) for (one,) in after]
    return [
        old if is_out and rating.mu > old.mu else rating
        for old, rating, is_out in zip(before, new, sat_out, strict=True)
    ]
