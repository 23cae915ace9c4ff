"""All events of a league: a closed union of immutable classes.

A league is a separate stream, stored, hashed and chained like the stream of a game. Its first event
is `LeagueCreated`. Fields are public or hidden as in `pbem.domain.log.events`. Secrets are revealed
when the league has ended.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias, get_args

from engine.api import JsonValue, OptionValue
from pbem.domain.log.chain import hidden


@dataclass(frozen=True, slots=True)
class LeagueCreated:
    """The terms of the league, and the commitment to all draws.

    Attributes:
        name: a word of `a-z`, `0-9` and `-`.
        options: options that differ from the defaults. Used in each game.
        timing: the clock of each game, as serialized by `pbem.domain.terms.timing.to_json`.
        rounds: number of rounds.
        table_size: number of seats at a table.
        fewest: minimum number of people at a table.
        round_time: seconds from the draw of a round to its end.
        joins_until: when the first round is drawn, unless it is started earlier.
        with_bots: True to fill each table with bots up to `table_size`.
        draw_version: version of the drawing algorithm (docs/leagues.md).
        commitment: the first link of the hash chain behind `secret`.
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
    """A player takes part in no further round. Their running game continues."""

    player: str


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """A round was drawn, as determined by the log so far and the revealed link.

    Attributes:
        number: number of the round, from 1.
        link: hex of 32 bytes, the next link of the hash chain behind `commitment`.
        tables: player IDs in seat order. The first deals. Bots are `bot:LEVEL:NAME`.
        games: the ID of the game at each table.
        byes: players without a table.
        deals_at: when the cards are dealt if not all players have joined before.
        ends_at: when games that are still running are stopped.
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
    """The service was down, and the round was extended by that time.

    Attributes:
        begin, end: the outage.
        deals_at, ends_at: as in `RoundDrawn`, from now on.
    """

    begin: datetime
    end: datetime
    deals_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class TableScored:
    """A game of the round has ended, and counts for the players who were drawn for it.

    Attributes:
        game: its ID.
        ranking: seats by rank, tied seats together, as in its log. All seats tied if it ended
            without a ranking.
    """

    game: str
    ranking: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class LeagueFinished:
    """All rounds have been played. Opens the secret.

    Attributes:
        ranking: player IDs, the winner first. The last ties are broken by lot.
        secret: hex, opened.
    """

    ranking: tuple[str, ...]
    secret: str


@dataclass(frozen=True, slots=True)
class LeagueStopped:
    """The league ended without a winner. Opens the secret.

    Attributes:
        code: `admin`, or `too-few` (too few players when a round was to be drawn).
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
"""Event classes by their name in the log."""
LEAGUE = "league:"
"""Prefix of a league's stream ID, which distinguishes it from a game's. 10 characters follow."""
