"""How long a game takes by mail: told to whoever is invited, measured with simple players.

The figures are mails that all players together send, by number of players; a number that was not
measured is not guessed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.api import OptionValue
from pbem.domain.table.game import Game

PER_DEAL = {
    "phyliss": {2: 58, 3: 66, 4: 73, 5: 80},
    "cathedral": {2: 68, 6: 38},
}
PHALANX_FIVE_BATTLES = {2: 65, 3: 96, 4: 107, 5: 113, 6: 109}
PHALANX_THREE_BATTLES_FOR_ZONES = {2: 76, 3: 122, 4: 166, 6: 265}
PHASE10_BY_PHASES = {
    10: {2: 342, 3: 425, 4: 523, 6: 658},
    5: {2: 143, 3: 151, 4: 157, 6: 175},
}
ALL_PHASES = 10
PROPOSED = 5
"""Battles, or phases: what keeps a game by mail within weeks."""


def expected_mails(game: Game) -> int | None:
    """Return the number of mails of a whole game, None where nobody has measured it."""
    players, options = len(game.seats), game.options
    name = game.ruleset.id.name
    if name in PER_DEAL:
        return _times(PER_DEAL[name].get(players), options.get("deals"), 1)
    if name == "phalanx":
        battles = options.get("max_battles")
        if options.get("stakes") == "cards":
            return _times(PHALANX_FIVE_BATTLES.get(players), battles, 5)
        if options.get("stakes") == "zones":
            return _times(PHALANX_THREE_BATTLES_FOR_ZONES.get(players), battles, 3)
        return None
    phases = options.get("phases_to_win")
    if options.get("ten_hands") or not isinstance(phases, int):
        return None
    return PHASE10_BY_PHASES.get(phases, {}).get(players)


@dataclass(frozen=True, slots=True)
class Proposal:
    """One option that makes a long game a good deal shorter."""

    option: str
    value: OptionValue
    mails: int
    """Mails of the whole game with it."""


def shorter(game: Game) -> Proposal | None:
    """Propose a shorter game where the one at hand may take months (PLX-V7); None where it is fine."""
    name, options = game.ruleset.id.name, game.options
    if name == "phalanx" and options.get("max_battles") == 0:
        option = "max_battles"
    elif name in ("phase10", "phase10-family") and options.get("phases_to_win") == ALL_PHASES:
        option = "phases_to_win"
    else:
        return None
    mails = expected_mails(replace(game, options={**options, option: PROPOSED}))
    return None if mails is None else Proposal(option, PROPOSED, mails)


def _times(mails: int | None, count: object, measured: int) -> int | None:
    """Scale a figure to another number of deals or battles; 0 = no limit, no forecast."""
    if mails is None or not isinstance(count, int) or count == 0:
        return None
    return round(mails * count / measured)
