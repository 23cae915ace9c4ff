"""How long a game takes by mail: told to whoever is invited, measured with simple players.

The figures are mails that all players together send, by number of players; a number that was not
measured is not guessed.
"""

from __future__ import annotations

from pbem.domain.game import Game

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


def expected_mails(game: Game) -> int | None:
    """Give the number of mails of a whole game, None where nobody has measured it."""
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


def _times(mails: int | None, count: object, measured: int) -> int | None:
    """Scale a figure to another number of deals or battles; 0 = no limit, no forecast."""
    if mails is None or not isinstance(count, int) or count == 0:
        return None
    return round(mails * count / measured)
