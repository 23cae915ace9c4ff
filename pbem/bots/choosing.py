"""`choose`: from the knowledge of a seat to its order, and the levels of play."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

from engine import registry
from engine.api import OptionValue, RulesetId
from engine.errors import NotToActError
from pbem.bots.chance import Chance
from pbem.bots.search import Search
from pbem.errors import Refusal
from pbem.games.face import knowledge_of
from pbem.games.knowledge import View


@dataclass(frozen=True, slots=True)
class Level:
    """One level of play.

    Attributes:
        name: the name that people write.
        help: one line for people.
        effort: which of a game's budgets a search can use up (`knowledge.Knowledge.budgets`); None
            means the standby move, without a search.
    """

    name: str
    help: str
    effort: int | None


LEVELS: tuple[Level, ...] = (
    Level("standby", "the cautious move that is played for a silent seat", None),
    Level("easy", "looks at a few possible tables", 0),
    Level("hard", "looks at many possible tables", 1),
)
"""From the weakest up."""


def find_level(name: str) -> Level:
    """Return the level with this name. Raises: Refusal."""
    for level in LEVELS:
        if level.name == name:
            return level
    names = [level.name for level in LEVELS]
    near = difflib.get_close_matches(name[:20].lower(), names, 1, 0.5)
    hint = f"; did you mean {near[0]}?" if near else "."
    raise Refusal("bot", f"there is no bot “{name[:20]}”{hint} Bots: {', '.join(names)}")


def choose(
    ruleset: RulesetId,
    players: int,
    options: Mapping[str, OptionValue],
    view: View,
    level: Level,
    chance: Chance,
) -> str:
    """Return the order of a seat that has to act, in canonical form.

    Args:
        ruleset: name and version.
        players: number of seats.
        options: those of the game, complete as `check_options` returns them; they are public.
        view: the view of the deciding seat, as JSON; the bot knows nothing else of the position.
        level: how well it plays.
        chance: a stream for this one decision; the same one gives the same order.

    Raises:
        NotToActError: the seat of the view has nothing to decide, or the view is an observer's.
        SetupError: there is no such ruleset.
        Refusal: no bot plays this game.
    """
    rules = registry.get(ruleset)
    known = knowledge_of(ruleset.name)
    if view["seat"] is None or view["seat"] not in view["to_act"]:
        raise NotToActError("the seat of this view has nothing to decide")
    search = Search(rules, known, players, dict(options), view, chance)
    state = search.table()
    standby = rules.format_move(state, search.seat, rules.standby_move(state, search.seat))
    if level.effort is None:
        return standby
    moves = list(rules.legal_moves(state, search.seat))
    orders = [rules.format_move(state, search.seat, move) for move in moves]
    places = known.shortlist(view, orders, level.effort)
    if len(places) == 1:
        return orders[places[0]]
    likely = [orders[at] for at in places]
    cautious = likely.index(standby) if standby in likely else -1
    budget = known.budgets[level.effort]
    return likely[search.best([moves[at] for at in places], cautious, budget)]
