"""Load games, walk through their logs, begin decisions on them, and name their players.

A game that cannot continue, because of its log or a bug, is recorded as stopped. It is retried
after a pause, and recorded again if the retry fails. Old records expire, so a repaired game
recovers automatically.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache

from engine.api import Fact
from engine.sentences import Sentence, sentence
from pbem.domain.log.chain import NOTHING, GameId
from pbem.domain.log.events import Event, Recorded
from pbem.domain.play import decide
from pbem.domain.table import standing_fold
from pbem.domain.table.decision import Decision
from pbem.domain.table.fold import folded, rebuild
from pbem.domain.table.game import Game, SeatState, has_page
from pbem.domain.table.retraction import went_back_to
from pbem.domain.terms.seats import bot_name, is_bot
from pbem.domain.words import naming
from pbem.errors import LogError, UnknownStreamError, UpcastError, VersionConflictError
from pbem.service.core import live_database
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.log import codec

LOCAL_ADMIN = "admin:local"
"""Actor of commands. The log does not record which admin ran them."""

UNKNOWN = "somebody"
"""Name shown for a person who is not in the database."""


def load(uow: UnitOfWork, game_id: GameId, up_to: int | None = None) -> Game:
    """Return a game, replayed from its log or continued from the cache.

    Args:
        up_to: the last version to apply. None means the end of the log.

    Raises:
        UnknownStreamError: there is no such game.
        VersionConflictError: another worker appended an event in the meantime.
        LogError: the log was altered, or does not follow the rules.
    """
    head = uow.events.sealed_head(game_id)
    if up_to is not None and up_to < head[0]:
        head = uow.events.head(game_id, up_to) or NOTHING
    erased = uow.events.erased(game_id)
    cached = uow.games.get(game_id, head[0], erased)
    game = None if cached is None else _continued(uow, cached, head)
    if game is None:
        game = replay(uow, game_id, up_to)
    if (game.version, game.head) != head:
        raise VersionConflictError(f"game {game_id} was changed while it was read")
    uow.games.put(game, erased)
    return game


def _continued(uow: UnitOfWork, game: Game, head: tuple[int, str]) -> Game | None:
    """Apply the events between a cached game and a head.

    Returns None if the log does not continue from the cached game. A full replay then succeeds or
    finds the fault.
    """
    if game.version == head[0]:
        return game if game.head == head[1] else None
    try:
        recorded = uow.events.recorded(game.id, (game.version, game.head), head[0])
        earlier = [version for version in went_back_to(recorded) if version < game.version]
        past = {version: load(uow, game.id, version) for version in earlier}
        return rebuild(recorded, game.id, game, past)
    except LogError:
        return None


def replay(uow: UnitOfWork, game_id: GameId, up_to: int | None = None) -> Game:
    """Replay a game from its first event. Raises the same errors as `load`."""
    return rebuild(uow.events.recorded(game_id, up_to=up_to), game_id)


def load_if_sound(uow: UnitOfWork, game_id: GameId) -> Game | None:
    """Load a game. Return None if its log is damaged or missing, or its key is missing."""
    try:
        return load(uow, game_id)
    except (LogError, UpcastError, UnknownStreamError):
        return None


def has_ladder_page(uow: UnitOfWork, ruleset: str) -> bool:
    """True if a ruleset's ladder has a page, which requires that a challenge of it has a page."""
    challenges = (load_if_sound(uow, GameId(row.game)) for row in uow.standings.challenges(ruleset))
    return any(game is not None and has_page(game) for game in challenges)


def of_player(uow: UnitOfWork, player_id: str, statuses: Collection[str]) -> Iterator[Game]:
    """Yield a player's games with these statuses, oldest first, skipping unreadable games."""
    for row in uow.projections.games_of(player_id):
        game = load_if_sound(uow, row.id) if row.status in statuses else None
        if game is not None:
            yield game


def begin(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    *,
    actor: str,
    cause: str | None,
    now: datetime | None = None,
) -> Decision:
    """Begin a decision on a game, using the settings of its players.

    Raises: StoreError if an admin acts in a copy of the database.
    """
    if actor == LOCAL_ADMIN:
        live_database.require_live_database(uow)
    uow.players.preload([seat.player for seat in game.seats if not is_bot(seat.player)])
    players = [uow.players.get(seat.player) for seat in game.seats]
    people = {seat: player for seat, player in enumerate(players) if player is not None}
    moment = service.now() if now is None else now
    return decide.decision_on(
        game,
        actor=actor,
        cause=cause,
        now=moment,
        recorded_at=uow.events.instant(game.id, moment),
        zones={seat: player.zone for seat, player in people.items()},
        auto_seats=[seat for seat, player in people.items() if player.auto_mine],
    )


def called(game: Game) -> Sentence:
    """Return a game's displayed name, such as `Phalanx [tu7wc]`."""
    return sentence("{title} [{game}]", title=game.ruleset.title, game=game.id)


def shown_names(uow: UnitOfWork, players: Sequence[str]) -> tuple[str, ...]:
    """Return the names of players by ID, in order.

    A player who is not in the database (erased, or from an imported game) is named `somebody`.
    Further such players are named `somebody 2` and so on. People with the same name are numbered
    likewise, so that names identify seats.
    """
    uow.players.preload([player for player in players if not is_bot(player)])

    def name(player_id: str) -> str:
        if is_bot(player_id):
            return bot_name(player_id)
        player = uow.players.get(player_id)
        return UNKNOWN if player is None else player.name

    return distinct(tuple(map(name, players)))


def seat_names(uow: UnitOfWork, seats: Sequence[SeatState]) -> tuple[str, ...]:
    """Return the names of the players in these seats, in order.

    If two players have the same name, the player who joined later gets the number, so that no name
    at the table changes when someone joins.
    """
    order = sorted(range(len(seats)), key=lambda seat: seats[seat].generation)
    names = dict(zip(order, shown_names(uow, [seats[seat].player for seat in order]), strict=True))
    return tuple(names[seat] for seat in range(len(seats)))


def table_names(uow: UnitOfWork, game: Game) -> tuple[str, ...]:
    """Return the names at a table, with the inviter's names for people who are invited.

    An invitation therefore does not reveal whether an address is registered, or under which name.
    """
    known = seat_names(uow, game.seats)
    if game.status != "inviting":
        return known
    labels = uow.invitations.labels(game.id)
    chosen = (
        None if state.status == "joined" else labels.get((seat, state.player))
        for seat, state in enumerate(game.seats)
    )
    return distinct(tuple(label or name for label, name in zip(chosen, known, strict=True)))


@lru_cache(maxsize=1024)
def distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """Make names distinct by numbering repeated ones: `Anna`, `Anna 2`, `Anna 3`."""
    result: list[str] = []
    for name in names:
        numbered = (f"{name} {number}" for number in itertools.count(2))
        free = (
            candidate
            for candidate in itertools.chain([name], numbered)
            if not any(naming.alike(candidate, other) for other in result)
        )
        result.append(next(free))
    return tuple(result)


PAUSE = timedelta(hours=1)
"""Time after which a stopped game is retried. Other games continue."""
COUNTS_FOR = PAUSE + timedelta(minutes=10)
_PREFIX = "stopped:"


def note_stopped(service: Service, uow: UnitOfWork, game_id: GameId) -> None:
    """Record that a game cannot continue for now."""
    now = service.now()
    uow.outages.forget(_PREFIX, now - COUNTS_FOR)
    uow.outages.note(f"{_PREFIX}{game_id}", now)


NAMED = 5
"""Maximum number of games named in a list."""


def listed(games: list[GameId]) -> str:
    """Join the first few game IDs, with an ellipsis if there are more."""
    return ", ".join([*games[:NAMED], *(["…"] if len(games) > NAMED else [])])


def stopped(service: Service, uow: UnitOfWork) -> list[GameId]:
    """List the games that cannot continue, by ID."""
    names = uow.outages.noted(_PREFIX, service.now() - COUNTS_FOR)
    return [GameId(name.removeprefix(_PREFIX)) for name in names]


@dataclass(frozen=True, slots=True)
class LogStep:
    """An event, with the game before and after it. `before` is None for the first event."""

    recorded: Recorded = field(repr=False)
    before: Game | None = field(repr=False)
    game: Game = field(repr=False)

    @property
    def version(self) -> int:
        """Return the version of the event."""
        return self.recorded.version

    @property
    def event(self) -> Event:
        """Return the event as an instance of its class."""
        return self.recorded.event

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Return the event's facts for every audience, except those about standing orders."""
        return tuple(
            news.fact
            for news in self.game.news
            if news.version == self.version and news.fact.kind not in standing_fold.PRIVATE
        )


def steps(
    recorded: Iterable[Recorded],
    game_id: GameId,
    before: Game | None = None,
    past: Mapping[int, Game] | None = None,
) -> Iterator[LogStep]:
    """Yield a step for each event. The arguments are those of `folded`. Raises: LogError."""
    events = tuple(recorded)
    for item, game in zip(events, folded(events, game_id, before, past), strict=True):
        yield LogStep(item, before, game)
        before = game


def walk(
    uow: UnitOfWork, game_id: GameId, after: int = 0, up_to: int | None = None
) -> Iterator[LogStep]:
    """Yield a step for each event of a stored game, with `after` < version <= `up_to`.

    Raises:
        UnknownStreamError: there is no such game.
        LogError: the log was altered, or does not follow the rules.
    """
    recorded = [codec.decode(event) for event in uow.events.read(game_id, after, up_to)]
    before = load(uow, game_id, up_to=after) if after else None
    back = [version for version in went_back_to(recorded) if version < after]
    past = {version: load(uow, game_id, up_to=version) for version in back}
    yield from steps(recorded, game_id, before, past)
