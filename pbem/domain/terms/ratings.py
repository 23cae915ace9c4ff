"""Player ratings from final places: Plackett-Luce, implemented by openskill.

Pure functions: the ratings before a game and its places determine the ratings after it.
`pbem.store.tables.standings` stores them and determines which games count. docs/standings.md
explains them to players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

_MODEL = PlackettLuce()
_DIGITS = 6
"""Decimal places that are stored.

Machines whose logarithms differ in the last bit then still agree.
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
        """Lower bound of the skill, which the ranking uses."""
        return self.mu - _CAUTION * self.sigma


def rated(before: Sequence[Rating], places: Sequence[int], sat_out: Sequence[bool]) -> list[Rating]:
    """Return the ratings after a game.

    Args:
        before: ratings by seat, in the same order as the other arguments.
        places: 1 is the winner. Equal places are a tie.
        sat_out: True if a bot decided for the seat when the game ended. Players get no credit for a
            bot's place and cannot avoid a loss by silence: such a rating can only fall.
    """
    teams = [[_MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    new = [Rating(round(one.mu, _DIGITS), round(one.sigma, _DIGITS)) for (one,) in after]
    return [
        old if is_out and rating.mu > old.mu else rating
        for old, rating, is_out in zip(before, new, sat_out, strict=True)
    ]
