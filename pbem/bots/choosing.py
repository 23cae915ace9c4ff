"""Choose a bot's order from the view of a seat. Also defines the levels of play."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from engine import registry
from engine.api import OptionValue, RulesetId
from engine.errors import NotToActError
from pbem.bots.chance import Chance
from pbem.bots.search import Search
from pbem.errors import Refusal
from pbem.games.knowledge import View
from pbem.games.profile import knowledge_of


@dataclass(frozen=True, slots=True)
class Level:
    """A level of play.

    Attributes:
        name: the name that people write.
        help: a short description for people.
        thought: `none` is the standby move, `dice` any legal move, `rule` the game's heuristic. A
            number is a search with one of the game's budgets (`knowledge.Knowledge.iterations`), or
            the heuristic if that budget is 0.
    """

    name: str
    help: str
    thought: Literal["none", "dice", "rule", 0, 1]


LEVELS: tuple[Level, ...] = (
    Level("standby", "the cautious move that is played for a silent seat", "none"),
    Level("random", "any legal move; to measure the others by", "dice"),
    Level("easy", "plays by a rule of thumb", "rule"),
    Level("medium", "looks some moves ahead, at a few hundred possible tables", 0),
    Level("hard", "looks ahead longer", 1),
)
"""In ascending order of strength, except for `random`, which is only a reference."""


def find_level(name: str, others: Sequence[str] = ()) -> Level:
    """Return the level with this name. Raises: Refusal.

    Args:
        others: names of other bots, to suggest if there is no such level.
    """
    for level in LEVELS:
        if level.name == name:
            return level
    names = [*(level.name for level in LEVELS), *others]
    near = difflib.get_close_matches(name[:20].lower(), names, 1, 0.5)
    hint = f"; did you mean {near[0]}?" if near else "."
    raise Refusal("bot", f"there is no bot “{name[:20]}”{hint} Bots: {', '.join(names)}")


@cache
def _measured() -> Mapping[str, Mapping[str, int]]:
    file = Path(__file__).with_name("ratings.json")
    figures: dict[str, dict[str, int]] = json.loads(file.read_text(encoding="utf-8"))
    return figures


def plays_like(ruleset: str, level: str) -> int | None:
    """Return the rating of a level in a game as measured by `make bots`, or None."""
    return _measured().get(ruleset.partition("-")[0], {}).get(level)


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
        options: options of the game, complete as `check_options` returns them. They are public.
        view: the view of the deciding seat, as JSON. The bot knows nothing else about the position.
        level: how well it plays.
        chance: random stream for this decision. The same stream gives the same order.

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
    state, seat = search.table, search.seat
    lines = known.iterations[level.thought] if isinstance(level.thought, int) else 0
    if level.thought == "none":
        move = rules.standby_move(state, seat)
    elif level.thought == "dice":
        move = chance.pick(list(rules.legal_moves(state, seat)))
    elif not lines:
        move = known.rule(state, seat)
    else:
        moves = list(rules.legal_moves(state, seat))
        move = moves[0]
        if len(moves) > 1:
            move = search.best(moves, lines)
    return rules.format_move(state, seat, move)
