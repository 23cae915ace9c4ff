"""Compute player ratings from final ranks, using the Plackett-Luce model of openskill.

All functions are pure: ratings before a game and its ranks determine the ratings after it.
`pbem.store.tables.standings` stores ratings and decides which games count. docs/standings.md
explains ratings to players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

_MODEL = PlackettLuce()
_DIGITS = 6
"""Number of decimal places that are stored.

Rounding hides differences between machines in the last bit of logarithms.
"""
_CAUTION = 3
"""Multiple of sigma that is subtracted for the ranking, as in openskill's ordinal."""


@dataclass(frozen=True, slots=True)
class Rating:
    """Estimated skill of a player.

    Attributes:
        mu: mean of the estimate.
        sigma: its standard deviation. In two of three cases the true skill is within it.
    """

    mu: float = _MODEL.mu
    sigma: float = round(_MODEL.sigma, _DIGITS)

    @property
    def cautious(self) -> float:
        """Return the lower bound of the skill, which the ranking uses."""
        return self.mu - _CAUTION * self.sigma


def rated(before: Sequence[Rating], places: Sequence[int], sat_out: Sequence[bool]) -> list[Rating]:
    """Return the ratings after a game.

    Args:
        before: ratings by seat, in the same order as the other arguments.
        places: rank of each seat, where 1 is the winner. Equal ranks are a tie.
        sat_out: True for a seat that a bot played at the end. Its rating can only fall, so that
            players neither profit from a bot nor avoid a loss by staying silent.
    """
    teams = [[_MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    after = _MODEL.rate(teams, ranks=[float(rank) for rank in places])
    new = [Rating(round(one.mu, _DIGITS), round(one.sigma, _DIGITS)) for (one,) in after]
    return [
        old if is_out and rating.mu > old.mu else rating
        for old, rating, is_out in zip(before, new, sat_out, strict=True)
    ]
