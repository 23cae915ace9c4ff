"""Fold a league from its log. `ROWS` has the effect of each type of event."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from pbem.domain.league.pairing import Contender, Draw, draw, lot
from pbem.domain.log.chain import GameId
from pbem.domain.log.events import Recorded
from pbem.domain.log.league_events import (
    LeagueCreated,
    LeagueFinished,
    LeagueJoined,
    LeagueLeft,
    LeagueStopped,
    RoundDrawn,
    RoundExtended,
    TableScored,
)
from pbem.domain.terms.seats import is_bot, is_person, next_bot
from pbem.errors import LogError

UNIT = 120
"""Points of a won game. All shares of it at tables of two to six are whole numbers."""
BYE = UNIT // 2
"""Points of a round without a table, and of each round before a player joined late."""
DRAW_VERSION = 1
"""Version of the drawing algorithm. Draws of existing leagues never change."""
FEWEST = 2
"""Minimum number of players of a league."""
ROUNDS, TABLE = (1, 20), (2, 6)
"""Minimum and maximum numbers of rounds, and of seats at a table."""
NAME = re.compile(r"[a-z][a-z0-9-]{1,19}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Entry:
    """A player of a league. `since` is the number of rounds drawn before they joined."""

    player: str
    since: int = 0
    has_left: bool = False


@dataclass(frozen=True, slots=True)
class Seating:
    """A table of a round. `ranking` as in `TableScored`, None while the game is running."""

    game: GameId
    players: tuple[str, ...]
    ranking: tuple[tuple[int, ...], ...] | None = None

    def points(self) -> dict[str, int]:
        """Return the points of each player, including bots. Empty while the game is running."""
        result: dict[str, int] = {}
        first, size = 1, len(self.players)
        for group in self.ranking or ():
            share = UNIT * (2 * size - 2 * first - len(group) + 1) // (2 * (size - 1))
            result.update((self.players[seat], share) for seat in group)
            first += len(group)
        return result


@dataclass(frozen=True, slots=True)
class Round:
    """A round that was drawn.

    Attributes:
        since: its start, or the end of the last outage that it was extended for.
        deals_at, ends_at: as in `RoundDrawn`, extended by outages.
    """

    number: int
    tables: tuple[Seating, ...]
    byes: tuple[str, ...]
    since: datetime
    deals_at: datetime
    ends_at: datetime

    @property
    def is_over(self) -> bool:
        """True if the games of all tables have been scored."""
        return all(table.ranking is not None for table in self.tables)

    def table_of(self, player: str) -> Seating | None:
        """Return the table of a player, or None if the player has no table."""
        return next((table for table in self.tables if player in table.players), None)


@dataclass(frozen=True, slots=True)
class League:
    """A league as folded from its log.

    Attributes:
        terms: the settings fixed at its creation.
        creator: ID of the player who created it, or empty if an admin did.
        status: `open` (the first round is not drawn), `running`, `finished`, `stopped`.
        links: the links of the hash chain revealed so far, the commitment first.
        ranking: player IDs at the end, the winner first.
    """

    id: GameId
    version: int
    head: str
    terms: LeagueCreated = field(repr=False)
    creator: str
    status: str = "open"
    entries: tuple[Entry, ...] = ()
    rounds: tuple[Round, ...] = ()
    links: tuple[str, ...] = ()
    ranking: tuple[str, ...] = ()

    @property
    def is_over(self) -> bool:
        """True if the league has ended."""
        return self.status in ("finished", "stopped")

    @property
    def playing(self) -> list[str]:
        """Return the players who will be included in the next round."""
        return [entry.player for entry in self.entries if not entry.has_left]

    @property
    def takes_more(self) -> bool:
        """True if players can still join: until half of the rounds are drawn."""
        return not self.is_over and len(self.rounds) <= self.terms.rounds // 2

    def entry(self, player: str) -> Entry | None:
        """Return the entry of a player, or None if the player has not joined."""
        return next((entry for entry in self.entries if entry.player == player), None)


# --- draws ------------------------------------------------------------------------------------------


def links(secret: bytes, rounds: int) -> list[bytes]:
    """Return the hash chain: the commitment, followed by the link revealed by each round.

    Each value is the SHA-256 of the next one. The last one is the SHA-256 of the secret.
    """
    chain = [secret]
    for _ in range(rounds + 1):
        chain.append(hashlib.sha256(b"pbem-league-v1" + chain[-1]).digest())
    return chain[:0:-1]


def drawn(league: League, link: bytes) -> Draw:
    """Compute the draw of the next round from the league so far and the revealed link.

    Raises: ValueError if there are too few players.
    """
    if len(league.playing) < FEWEST:
        raise ValueError("too few players for a league")
    largest, with_bots = league.terms.table_size, league.terms.with_bots
    seed = hashlib.sha256(b"pbem-league-draw-v1" + link).digest()
    contenders = [_contender(league, player) for player in league.playing]
    result = draw(contenders, most=largest, least=league.terms.fewest, seed=seed)
    tables = [_filled(table, largest) for table in result.tables] if with_bots else result.tables
    return Draw(tuple(tables), result.byes)


def _filled(table: tuple[str, ...], largest: int) -> tuple[str, ...]:
    while len(table) < largest:
        table = (*table, next_bot("easy", table))
    return table


def _contender(league: League, player: str) -> Contender:
    met: dict[str, int] = {}
    sat: dict[int, int] = {}
    for round_ in league.rounds:
        table = round_.table_of(player)
        if table is not None:
            seat = table.players.index(player)
            sat[seat] = sat.get(seat, 0) + 1
            for other in filter(is_person, table.players):
                met[other] = met.get(other, 0) + (other != player)
    byes = sum(player in round_.byes for round_ in league.rounds)
    return Contender(player, points(league, player), met, byes, sat)


# --- points -----------------------------------------------------------------------------------------


def points_in(league: League, player: str, round_: Round) -> int | None:
    """Return a player's points in a round, or None if the player has no points in it yet."""
    table, entry = round_.table_of(player), league.entry(player)
    if table is not None:
        return table.points().get(player)
    if player in round_.byes or (entry is not None and round_.number <= entry.since):
        return BYE
    return None


def points(league: League, player: str) -> int:
    """Return the points of a player in all rounds so far."""
    return sum(points_in(league, player, round_) or 0 for round_ in league.rounds)


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the standings.

    Attributes:
        place: rank. Players separated only by lot share it.
        rounds: points in each round, or None for a round without points.
        opponents: ranks of the other people at the same table in each round.
        opposition: the first tie-break: points of the opponents, as the mean of each table times
            60.
    """

    place: int
    player: str
    points: int
    rounds: tuple[int | None, ...]
    opponents: tuple[tuple[int, ...], ...]
    opposition: int
    has_left: bool


def standings(league: League, secret: bytes | None = None) -> list[Line]:
    """Return the standings, best player first.

    Ties are broken by the opponents' points, then by the games between the tied players, then by
    lot if the secret is given.
    """
    own = {one.player: points(league, one.player) for one in league.entries}
    tables = {player: _company(league, player) for player in own}
    opposition = {
        player: sum(
            60 * sum(own[other] for other in others) // len(others)
            for others in table_points
            if others
        )
        for player, table_points in tables.items()
    }
    equal: dict[tuple[int, int], list[str]] = {}
    for player, gained in own.items():
        equal.setdefault((gained, opposition[player]), []).append(player)

    def rank(player: str) -> tuple[int, int, int]:
        among = equal[own[player], opposition[player]]
        return -own[player], -opposition[player], -_against(league, player, among)

    ordered = sorted(own, key=lambda one: (rank(one), lot(secret, one) if secret else one.encode()))
    ranks = [rank(player) for player in ordered]
    places = {
        player: index + 1 if secret else ranks.index(ranks[index]) + 1
        for index, player in enumerate(ordered)
    }
    return [
        Line(
            places[player],
            player,
            own[player],
            tuple(points_in(league, player, one) for one in league.rounds),
            tuple(tuple(sorted(places[other] for other in others)) for others in tables[player]),
            opposition[player],
            any(one.player == player and one.has_left for one in league.entries),
        )
        for player in ordered
    ]


def _company(league: League, player: str) -> list[list[str]]:
    """Return the other people at a player's table, for each round."""
    companions = []
    for round_ in league.rounds:
        table = round_.table_of(player)
        people = [] if table is None else [*filter(is_person, table.players)]
        companions.append([other for other in people if other != player])
    return companions


def _against(league: League, player: str, among: Iterable[str]) -> int:
    """Return how often a player finished ahead of these players, minus how often behind them."""
    balance = 0
    for round_ in league.rounds:
        table = round_.table_of(player)
        gained = {} if table is None else table.points()
        mine = gained.get(player, 0)
        for other in among:
            theirs = gained.get(other, mine)
            balance += (mine > theirs) - (mine < theirs)
    return balance


# --- the fold ---------------------------------------------------------------------------------------


def rebuild(recorded: Iterable[Recorded], league_id: GameId) -> League:
    """Fold events into a league. Raises: LogError if they are inconsistent."""
    league: League | None = None
    for item in recorded:
        league = evolve(league, item, league_id)
    if league is None:
        raise LogError(f"league {league_id} has no events", version=1)
    return league


def evolve(league: League | None, item: Recorded, league_id: GameId) -> League:
    """Apply one event. Raises: LogError if it cannot follow."""
    event: Any = item.event
    if item.version != (0 if league is None else league.version) + 1:
        raise LogError(
            f"event {item.version} does not follow the one before it", version=item.version
        )
    if league is None:
        return _created(event, item, league_id)
    fold = ROWS.get(type(event))
    changed = None if fold is None or league.is_over else fold(league, event)
    if changed is None:
        raise LogError(f"event {item.version} cannot follow", version=item.version)
    return replace(changed, version=item.version, head=item.hash)


def _created(event: object, item: Recorded, league_id: GameId) -> League:
    if not isinstance(event, LeagueCreated):
        raise LogError("the log does not begin with LeagueCreated", version=item.version)
    is_possible = (
        ROUNDS[0] <= event.rounds <= ROUNDS[1]
        and TABLE[0] <= event.table_size <= TABLE[1]
        and 1 <= event.fewest <= event.table_size
        and NAME.fullmatch(event.name)
    )
    if not is_possible:
        raise LogError("event 1 makes a league that cannot be", version=item.version)
    commitment = event.commitment
    if event.secret and links(bytes.fromhex(event.secret), event.rounds)[0].hex() != commitment:
        raise LogError("event 1 commits to another secret", version=item.version)
    kind, _, player = item.actor.partition(":")
    creator = player if kind == "player" else ""
    return League(league_id, item.version, item.hash, event, creator, links=(commitment,))


def _joined(league: League, event: LeagueJoined) -> League | None:
    known = league.entry(event.player)
    if not league.takes_more or (known is not None and not known.has_left):
        return None
    since = len(league.rounds) if known is None else known.since
    others = tuple(entry for entry in league.entries if entry is not known)
    return replace(league, entries=(*others, Entry(event.player, since)))


def _without_player(league: League, event: LeagueLeft) -> League | None:
    known = league.entry(event.player)
    if known is None or known.has_left:
        return None
    if not league.rounds:
        return replace(league, entries=tuple(one for one in league.entries if one is not known))
    gone = replace(known, has_left=True)
    return replace(league, entries=tuple(gone if one is known else one for one in league.entries))


def _drawn(league: League, event: RoundDrawn) -> League | None:
    before = league.rounds[-1] if league.rounds else None
    opened = hashlib.sha256(b"pbem-league-v1" + bytes.fromhex(event.link)).hexdigest()
    people = [player for table in event.tables for player in table if not is_bot(player)]
    is_sound = (
        (before is None or before.is_over)
        and event.number == len(league.rounds) + 1 <= league.terms.rounds
        and opened == league.links[-1]
        and sorted([*people, *event.byes]) == sorted(league.playing)
        and len(event.games) == len(event.tables)
    )
    if not is_sound:
        return None
    tables = tuple(
        Seating(GameId(game), players)
        for game, players in zip(event.games, event.tables, strict=True)
    )
    since = event.ends_at - timedelta(seconds=league.terms.round_time)
    round_ = Round(event.number, tables, event.byes, since, event.deals_at, event.ends_at)
    return replace(
        league, status="running", rounds=(*league.rounds, round_), links=(*league.links, event.link)
    )


def _extended(league: League, event: RoundExtended) -> League | None:
    *before, last = league.rounds or (None,)
    if last is None or last.is_over or not last.since <= event.end <= event.ends_at:
        return None
    if event.ends_at < last.ends_at or event.deals_at < last.deals_at:
        return None
    moved = replace(last, since=event.end, deals_at=event.deals_at, ends_at=event.ends_at)
    return replace(league, rounds=(*before, moved))


def _scored(league: League, event: TableScored) -> League | None:
    *before, last = league.rounds or (None,)
    table = next((t for t in last.tables if t.game == event.game), None) if last else None
    if last is None or table is None or table.ranking is not None:
        return None
    if sorted(seat for group in event.ranking for seat in group) != [*range(len(table.players))]:
        return None
    scored = replace(table, ranking=event.ranking)
    tables = tuple(scored if seating is table else seating for seating in last.tables)
    return replace(league, rounds=(*before, replace(last, tables=tables)))


def _opened(league: League, secret: str) -> bytes | None:
    """Return the secret if it matches the commitment, or None if it does not."""
    seed = bytes.fromhex(secret)
    return seed if links(seed, league.terms.rounds)[0].hex() == league.links[0] else None


def _finished(league: League, event: LeagueFinished) -> League | None:
    secret = _opened(league, event.secret)
    is_played = len(league.rounds) == league.terms.rounds and league.rounds[-1].is_over
    if secret is None or not is_played:
        return None
    if tuple(line.player for line in standings(league, secret)) != event.ranking:
        return None
    return replace(league, status="finished", ranking=event.ranking)


ROWS: Final[Mapping[type, Callable[[League, Any], League | None]]] = {
    LeagueJoined: _joined,
    LeagueLeft: _without_player,
    RoundDrawn: _drawn,
    RoundExtended: _extended,
    TableScored: _scored,
    LeagueFinished: _finished,
    LeagueStopped: lambda league, event: (
        None if _opened(league, event.secret) is None else replace(league, status="stopped")
    ),
}
"""The effect of each event but the first. A function returns None if the event cannot follow."""
