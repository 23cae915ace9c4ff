"""Everything that can have happened in a league: a closed union of immutable events.

A league is a stream of its own, kept, hashed and chained like that of a game; its first event is
`LeagueCreated`. What `pbem.domain.log.events` says of fields holds here, too; the end is that of the
league.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias, get_args

from engine.api import JsonValue, OptionValue
from pbem.domain.log.chain import hidden


@dataclass(frozen=True, slots=True)
class LeagueCreated:
    """What is played, how often, and the commitment to all draws.

    Attributes:
        name: a word of `a-z`, `0-9` and `-`, by which people call it.
        options: those that are not as usual; each game takes them over.
        timing: the clock of each game, as `pbem.domain.terms.timing.to_json` writes it.
        rounds: how many are played.
        table_size: places of a table.
        fewest: fewest people at a table.
        round_time: seconds from the draw of a round to its end.
        joins_until: when the first round is drawn, unless somebody draws it earlier.
        with_bots: bots fill each table up to `table_size`.
        draw_version: of the way in which tables are drawn (docs/leagues.md).
        commitment: the first link of the chain of hashes behind `secret`.
        secret: hex of 32 bytes.
    """

    name: str
    ruleset: str
    options: dict[str, OptionValue]
    timing: dict[str, JsonValue]
    rounds: int
    table_size: int
    fewest: int
    round_time: int
    joins_until: datetime
    with_bots: bool
    draw_version: int
    commitment: str
    secret: str = hidden("game_end")


@dataclass(frozen=True, slots=True)
class LeagueJoined:
    """A player takes part from the next round on."""

    player: str


@dataclass(frozen=True, slots=True)
class LeagueLeft:
    """A player takes part in no further round; a game that they play goes on."""

    player: str


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """Who plays whom, as it follows from the log so far and the opened link.

    Attributes:
        number: of the round, from 1.
        link: hex of 32 bytes, the next link of the chain behind `commitment`.
        tables: player ids in seat order; the first deals. Bots are `bot:LEVEL:NAME`.
        games: the id of the game at each table.
        byes: players without a table.
        deals_at: when the cards are dealt where not everybody has joined before.
        ends_at: when games that still run are stopped.
    """

    number: int
    link: str
    tables: tuple[tuple[str, ...], ...]
    games: tuple[str, ...]
    byes: tuple[str, ...]
    deals_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class RoundExtended:
    """The service was down for a time, and the round takes as much longer.

    Attributes:
        begin, end: of the outage.
        deals_at, ends_at: as in `RoundDrawn`, from now on.
    """

    begin: datetime
    end: datetime
    deals_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class TableScored:
    """A game of the round is over, and counts for those who were drawn for it.

    Attributes:
        game: its id.
        ranking: seats by place, equal places together, as its log ends; all together where it ended
            without a ranking.
    """

    game: str
    ranking: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class LeagueFinished:
    """All rounds are played; opens the secret.

    Attributes:
        ranking: player ids, the winner first; what is equal to the end was drawn by lot.
        secret: hex, opened.
    """

    ranking: tuple[str, ...]
    secret: str


@dataclass(frozen=True, slots=True)
class LeagueStopped:
    """The league ends without a winner; opens the secret.

    Attributes:
        code: `admin`, or `too-few` (players had joined when a round was to be drawn).
        secret: hex, opened.
    """

    code: str
    secret: str
    reason: str = hidden("never")


LeagueEvent: TypeAlias = (
    LeagueCreated
    | LeagueJoined
    | LeagueLeft
    | RoundDrawn
    | RoundExtended
    | TableScored
    | LeagueFinished
    | LeagueStopped
)

LEAGUE_EVENTS: dict[str, type[LeagueEvent]] = {
    kind.__name__: kind for kind in get_args(LeagueEvent)
}
"""By the name that stands in the log."""
LEAGUE = "league:"
"""Begins the id of a league's stream, which tells it from that of a game; 10 characters follow."""
