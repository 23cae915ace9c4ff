"""Daily digests and weekly letters about a player's games.

A digest comes at an hour chosen by the player, instead of notices and most reminders. Turn messages,
answers and questions are still sent at once, so that no other player has to wait. A digest reports
the news of each game and whose turn it is.

The weekly letter reports what happened in a player's games, from public facts alone. It is off by
default. Each player can choose (`weekly on`, `weekly off`). Players who have not chosen get it if
`[service] weekly_letter` is on, or if the player who started their game or league wrote
`weekly all`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from engine.sentences import Sentence, all_of, plural, sentence
from pbem.domain.table.game import Game
from pbem.domain.terms.calendar import daily
from pbem.errors import LogError, Refusal, UpcastError
from pbem.games.profile import profile_of
from pbem.mail_out.kinds import DIGEST, WEEKLY, DigestParams, NoteParams
from pbem.mail_out.times import date_text
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.league.changing import find
from pbem.service.notify import talking
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player

log = structlog.get_logger(__name__)

AT_ONCE = 100
"""Maximum number of digests queued in one check."""


def queue_due(service: Service) -> int:
    """Queue the digests that are due and return their number."""
    now = service.now()
    with service.store.reading() as uow:
        due = uow.players.due_for_digest(now, AT_ONCE)
    queued = 0
    for player in due:
        with service.store.unit_of_work() as uow:
            if uow.players.move_digest(player, daily(now, player.digest_hour, player.zone)):
                queued += _queue(service, uow, player)
    return queued


def _queue(service: Service, uow: UnitOfWork, player: Player) -> bool:
    """Queue a digest if there is news or it is the player's turn. Return whether it was queued."""
    reported = _reported_versions(uow, player)
    entries: list[tuple[str, int, int, int]] = []
    is_worth_a_mail = False
    for row in uow.projections.games_of(player.id):
        if row.status != "running":
            continue
        try:
            game = games.load(uow, row.id)
        except (LogError, UpcastError) as error:
            log.error(
                "game omitted, because its log is damaged",
                action="log_broken",
                game=row.id,
                error=str(error),
            )
            continue
        for seat in game.seats_of(player.id, ("joined",)):
            since = max(reported.get(f"{game.id}.{seat}", 0), game.seats[seat].seen)
            entries.append((game.id, seat, since, game.version))
            is_worth_a_mail |= bool(game.news_for(seat, since)) or seat in game.to_act
            is_worth_a_mail |= bool(talking.untold(uow, game, seat, player))
    if is_worth_a_mail:
        key = f"digest:{player.id}:{service.now():%Y-%m-%dT%H:%M:%S}"
        mail = Mailing(DIGEST, DigestParams(tuple(entries)), key)
        queue_to_player(service, uow, player.id, mail)
    return is_worth_a_mail


def _reported_versions(uow: UnitOfWork, player: Player) -> dict[str, int]:
    """Return the version up to which the last digest reported, by `game.seat`."""
    last = uow.outbox.last_to_player(player.id, DIGEST.name)
    told = () if last is None else DIGEST.read(last.params).games
    return {f"{game_id}.{seat}": version for game_id, seat, _, version in told}


# --- the weekly letter ----------------------------------------------------------------------------

WEEK = timedelta(days=7)
SUNDAY, HOUR = 6, 18
_BEAT = "weekly"
"""Name of the heartbeat that records when letters were last queued."""


@dataclass(frozen=True, slots=True)
class _Table:
    """A game of a player, with the names at its table."""

    game: Game
    names: tuple[str, ...]

    @property
    def called(self) -> Sentence:
        """Return the title of the game and the names of its players."""
        people = [
            name
            for name, seat in zip(self.names, self.game.seats, strict=True)
            if seat.status not in ("invited", "declined", "expired", "open")
        ]
        title = self.game.ruleset.title
        return sentence("{title} with {names}", title=title, names=all_of(people))

    @property
    def moves(self) -> int:
        """Return the number of moves so far."""
        return 0 if self.game.state is None else self.game.ruleset.ply(self.game.state)


def queue_weekly(service: Service) -> int:
    """Queue the weekly letters once Sunday evening has come, and return their number."""
    now = service.now()
    with service.store.reading() as uow:
        last = uow.outages.last_beat(_BEAT)
    if last is not None and now < _next_after(last):
        return 0
    queued = 0
    with service.store.unit_of_work() as uow:
        uow.outages.note(_BEAT, now)
        players = uow.players.list() if last is not None else []
        starters = {player.id: player.name for player in players if player.weekly == "all"}
        for player in players:
            if _may_want(service, player, starters):
                queued += _queue_weekly(
                    service, uow, player, max(last, now - WEEK) if last else now, starters
                )
    return queued


def _next_after(at: datetime) -> datetime:
    """Return the first Sunday evening after a time (UTC)."""
    evening = daily(at, HOUR, "UTC")
    return evening + timedelta(days=(SUNDAY - evening.weekday()) % 7)


def _may_want(service: Service, player: Player, starters: Mapping[str, str]) -> bool:
    """Return False if a player gets no letter, no matter who started their games."""
    if player.weekly is None:
        return service.config.service.weekly_letter or bool(starters)
    return player.weekly is not False


def _queue_weekly(
    service: Service,
    uow: UnitOfWork,
    player: Player,
    since: datetime,
    starters: Mapping[str, str],
) -> bool:
    """Queue a player's letter if there is something to report.

    Args:
        starters: names, by ID, of the players who switched the letter on for the games and leagues
            that they started.
    """
    tables = list(_tables(uow, player, since))
    reason = []
    if player.weekly is None and not service.config.service.weekly_letter:
        by = next((starters[id_] for id_ in _started_by(uow, tables) if id_ in starters), None)
        if by is None:
            return False
        reason = [
            sentence(
                "{name} switched this letter on for everyone in the games they started.", name=by
            )
        ]
    notes = [
        *_won(tables),
        *_longest(tables),
        *_boldest(uow, tables, since),
        *_oldest_turn(tables, player),
    ]
    if not notes:
        return False
    params = NoteParams(notes=(*notes, *reason), suggestions=(sentence("weekly off"),))
    key = f"{_BEAT}:{player.id}:{service.now():%G-%V}"
    return queue_to_player(service, uow, player.id, Mailing(WEEKLY, params, key))


def _tables(uow: UnitOfWork, player: Player, since: datetime) -> Iterator[_Table]:
    """Yield a player's games that are running or finished after `since`, except damaged games."""
    for row in uow.projections.games_of(player.id):
        is_new = row.finished_at is not None and row.finished_at > since
        if row.status != "running" and not (row.status == "finished" and is_new):
            continue
        game = games.load_if_sound(uow, row.id)
        if game is not None and any(seat.player == player.id for seat in game.seats):
            yield _Table(game, games.seat_names(uow, game.seats))


def _started_by(uow: UnitOfWork, tables: Iterable[_Table]) -> Iterator[str]:
    """Yield the IDs of the players who started these games, or the leagues of these games.

    Leagues that are damaged or unknown here, as those of imported games, are skipped.
    """
    for table in tables:
        if table.game.creator:
            yield table.game.creator
        elif table.game.league:
            with suppress(LogError, Refusal):
                yield find(uow, table.game.league.partition(":")[0]).creator


def _won(tables: Iterable[_Table]) -> Iterator[Sentence]:
    for table in tables:
        finished = table.game.finished
        if finished is not None and finished.ranking:
            winners = all_of([table.names[seat] for seat in finished.ranking[0]])
            yield sentence("{game}: {winners} won.", game=table.called, winners=winners)


def _longest(tables: Iterable[_Table]) -> Iterator[Sentence]:
    longest = max(tables, key=lambda table: table.moves, default=None)
    if longest is not None and longest.moves:
        yield plural(
            "The longest game: {game}, {count} move.",
            "The longest game: {game}, {count} moves.",
            longest.moves,
            game=longest.called,
        )


def _boldest(uow: UnitOfWork, tables: Iterable[_Table], since: datetime) -> Iterator[Sentence]:
    """Yield the boldest public move since a time, as the profiles of the games judge it."""
    boldest: tuple[int, Sentence] | None = None
    for table in tables:
        boast = profile_of(table.game.ruleset.id.name).boast
        if boast is None:
            continue
        for step in games.walk(uow, table.game.id):
            before = step.before
            if before is None or before.state is None or step.recorded.recorded_at <= since:
                continue
            for fact in step.game.news_of(None, step.version):
                view = before.ruleset.view(before.state, None)
                text = boast(fact, view, "" if fact.seat is None else table.names[fact.seat])
                if text is not None and (boldest is None or text[0] > boldest[0]):
                    boldest = text
    if boldest is not None:
        yield boldest[1]


def _oldest_turn(tables: Iterable[_Table], player: Player) -> Iterator[Sentence]:
    waiting = [
        (table.game.deadline.starts_at, table)
        for table in tables
        if table.game.deadline is not None
        and not table.game.is_over
        and any(table.game.seats[seat].controller == "person" for seat in table.game.to_act)
    ]
    if not waiting:
        return
    since, table = min(waiting, key=lambda entry: entry[0])
    seats = table.game.to_act
    names = all_of([table.names[seat] for seat in seats])
    day = date_text(since, player.zone)
    if any(table.game.seats[seat].player == player.id for seat in seats):
        yield sentence("Your turn is the oldest: {game}, since {day}.", game=table.called, day=day)
    else:
        yield sentence(
            "The oldest turn is that of {names}: {game}, since {day}.",
            names=names,
            game=table.called,
            day=day,
        )
