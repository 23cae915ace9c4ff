"""How good somebody is, as the places of their games tell: Plackett-Luce, by openskill.

Pure: the ratings before a game and its places give the ratings after it. What becomes of them, and
which games count, is the business of `pbem.store.tables.standings`; docs/standings.md tells it to people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

_MODEL = PlackettLuce()
_DIGITS = 6
"""Kept of each number, so that two machines whose logarithms differ in the last bit agree."""
_CAUTION = 3
"""How many times the uncertainty is taken off before people are compared: openskill's ordinal."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of somebody's strength.

    Attributes:
        mu: the strength that fits the games best.
        sigma: how unsure that is; in two cases of three the truth lies within it.
    """

    mu: float = _MODEL.mu
    sigma: float = round(_MODEL.sigma, _DIGITS)

    @property
    def cautious(self) -> float:
        """The strength that is almost certainly there: what people are ordered by."""
        return self.mu - _CAUTION * self.sigma


def rated(before: Sequence[Rating], places: Sequence[int], sat_out: Sequence[bool]) -> list[Rating]:
    """Return the ratings after a game.

    Args:
        before: by seat, as are the others.
        places: 1 is the winner's; equal places are a tie.
        sat_out: a bot decided for the seat when the game ended. What a bot reached is nobody's
            merit, and silence no way out: such a rating can only fall.
    """
    teams = [[_MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    new = [Rating(round(one.mu, _DIGITS), round(one.sigma, _DIGITS)) for (one,) in after]
    return [
        old if is_out and rating.mu > old.mu else rating
        for old, rating, is_out in zip(before, new, sat_out, strict=True)
    ]
