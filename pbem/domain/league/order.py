"""Parse the description of a league: `phyliss, 5 rounds, tables of 4, 2d per move, called winter`.

Also parses a challenge: `anna at phyliss, 2d per move`. The league settings are extracted first.
The rest is parsed as a request for a game without players.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from engine.sentences import Sentence, sentence
from pbem.domain.words.game_forms import DURATION, SEPARATOR, in_english
from pbem.domain.words.game_order import GameOrder, read_game_order, ruleset_named
from pbem.durations import parse_duration
from pbem.errors import Refusal
from pbem.games import EXAMPLE

ROUNDS, SIGN_UP = 5, timedelta(days=7)
"""Default number of rounds, and default length of the sign-up period."""
LONGEST = timedelta(days=180)
"""Maximum duration of a round, and of the sign-up period."""
_MOVES, _WEEKS = 10, (2, 12)
"""Number of moves that determines the length of a round, and its limits in weeks."""
HOW = sentence(
    "Write the game, how many rounds, and how large the tables are, for example: {example}",
    example=sentence("new league {ruleset}, 5 rounds, tables of 4, 2d per move", ruleset=EXAMPLE),
)


@dataclass(slots=True)
class LeagueOrder:
    """The description of a league by its creator.

    Attributes:
        game: ruleset, options and clock of the games.
        name: name of the league, or empty to generate a name.
        table_size: seats of a table. None means 4, or the game's maximum if that is lower.
        round_time: length of a round, or None to derive it from the time per move.
    """

    game: GameOrder
    name: str = ""
    rounds: int = ROUNDS
    table_size: int | None = None
    round_time: timedelta | None = None
    sign_up: timedelta = SIGN_UP
    with_bots: bool = False

    def time_of_a_round(self, time_per_move: int) -> timedelta:
        """Return the duration of a round."""
        shortest, longest = (timedelta(weeks=weeks) for weeks in _WEEKS)
        usual = min(max(shortest, timedelta(seconds=_MOVES * time_per_move)), longest)
        return usual if self.round_time is None else self.round_time


def _pattern_of(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def read_league_order(text: str, bots: Collection[str] = ()) -> LeagueOrder:
    """Parse the text after `new league`. Raises: Refusal that names what was not understood."""
    league = LeagueOrder(GameOrder(""))
    segments = filter(None, (one.strip(" .!") for one in SEPARATOR.split(text)))
    rest = [segment for segment in segments if not _read(league, segment)]
    if not rest:
        raise Refusal("setup", HOW)
    league.game = read_game_order(", ".join(rest), bots)
    message = _too_much(league.game)
    if message is not None:
        raise Refusal("setup", message)
    return league


_AT = _pattern_of(
    r"\s+(?:(?:at|to|in|on|for|auf|zu|bei|the|der|ladder of|(?:leiter|forderungsliste) von)\s+)*"
)


def read_challenge(text: str) -> tuple[str, str | None, str]:
    """Parse the text after `challenge`: the name, the ruleset if given, and the text after a comma."""
    head, *more = SEPARATOR.split(text, maxsplit=1)
    for gap in _AT.finditer(head):
        ruleset = ruleset_named(head[gap.end() :])
        if ruleset is not None:
            return head[: gap.start()], ruleset, "".join(more)
    return head, None, "".join(more)


def game_of_challenge(ruleset: str, text: str) -> GameOrder:
    """Parse options and clock of a challenge. Raises: Refusal."""
    game = read_game_order(f"{ruleset}, {text}")
    if _too_much(game) is not None:
        raise Refusal("setup", sentence("A challenge is a game for the two of you."))
    return game


def _read(league: LeagueOrder, segment: str) -> bool:
    """Parse a part about the league. Return False for any other part."""
    for pattern, name, read in _PARTS:
        match = pattern.fullmatch(segment)
        if match is not None:
            setattr(league, name, read(match["value"]))
            return True
    return False


def _time(text: str) -> timedelta:
    """Parse a duration. Raises: Refusal if it is zero or too long."""
    try:
        duration = parse_duration(in_english(text))
    except ValueError:
        duration = timedelta()
    if not timedelta() < duration <= LONGEST:
        raise Refusal("setup", sentence("A round, and the time to sign up, take at most 180 days."))
    return duration


_PARTS: Final[Sequence[tuple[re.Pattern[str], str, Callable[[str], Any]]]] = (
    (
        _pattern_of(r"(?:tables?\s+of|tische?\s+(?:zu|mit|von))\s+(?P<value>\d{1,2})(?:\s+\w+)?"),
        "table_size",
        int,
    ),
    (_pattern_of(r"(?P<value>\d{1,2})\s+(?:rounds?|runden?)"), "rounds", int),
    (
        _pattern_of(
            r"(?:called|named|name|namens|genannt|name ist)\s*[:=]?\s*[\"“„]?(?P<value>[\w-]+)[\"“”]?"
        ),
        "name",
        str.lower,
    ),
    (
        _pattern_of(rf"(?P<value>{DURATION})\s*(?:per|a|for each|pro|je)\s+(?:round|runde)"),
        "round_time",
        _time,
    ),
    (
        _pattern_of(
            r"(?:sign[\s-]?up|anmeldung)(?:\s+(?:for|within|in|takes|binnen))?\s*:?\s*"
            rf"(?P<value>{DURATION})"
        ),
        "sign_up",
        _time,
    ),
    (
        _pattern_of(
            r"(?P<value>bots\s+fill(?:\s+[a-z ]+)?|fill(?:ed)?(?:\s+up)?\s+with\s+bots"
            r"|bots\s+füllen(?:\s+[a-z ]+)?|mit\s+bots\s+auf(?:ge)?füll(?:t|en))"
        ),
        "with_bots",
        bool,
    ),
)
"""Parts about the league: pattern, field of `LeagueOrder`, and how its value is read."""


def _too_much(game: GameOrder) -> Sentence | None:
    """Describe the settings of a game that a league does not support. None if there are none."""
    if game.guests or game.open_seats or game.is_open or game.players:
        return sentence(
            'Nobody is invited to a league: whoever wants to play writes "join league". {how}',
            how=HOW,
        )
    if game.evening is not None:
        return sentence(
            "A league has no fast evening, but the players of a table can vote for one. {how}",
            how=HOW,
        )
    if game.by_lot or game.anonymous_talk:
        return sentence("Seats and words are as usual in a league. {how}", how=HOW)
    return None
