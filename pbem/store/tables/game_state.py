"""Compute a game's projection rows from its state, without the database.

Creating a row takes longer than comparing its source, so callers can pass an earlier state of the
game, `known`, to omit rows that have not changed.

The `next_at` of a deadline is set to the time it fires. `projections` changes it when storing the
row.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from pbem.domain.table.game import Game
from pbem.domain.terms.seats import is_person, is_tutor
from pbem.store.rows.game_rows import Deadline, GameStatus, SeatStatus
from pbem.store.rows.standing_rows import ResultRow, TurnsRow
from pbem.store.rows.texts import storable

_STORED: Final = attrgetter("player", "status", "is_unreachable", "controller")
"""The fields of a seat that are stored in its row."""


def game_row(game: Game) -> GameStatus:
    """Compute the row of table `game`."""
    return GameStatus(
        id=game.id,
        ruleset=game.ruleset.id.name,
        ruleset_version=game.ruleset.id.version,
        status=game.status,
        version=game.version,
        head=game.head,
        created_at=game.created_at,
        finished_at=game.ended_at,
        is_challenge=game.is_challenge,
    )


def seat_rows(game: Game, known: Game | None = None) -> list[SeatStatus]:
    """Compute the rows of table `seat`, ordered by seat, that differ from those of `known`."""
    return [
        SeatStatus(
            game_id=game.id,
            seat=number,
            player_id=storable(seat.player),  # a stream may come from another installation
            status=seat.status,
            is_unreachable=seat.is_unreachable,
            is_bot=seat.controller == "bot",
        )
        for number, seat in enumerate(game.seats)
        if known is None or _STORED(seat) != _STORED(known.seats[number])
    ]


def deadline_rows(game: Game) -> dict[int, Deadline]:
    """Compute the running deadline of each seat. The result is empty while the clock is paused."""
    deadline = game.deadline
    if deadline is None or game.paused_at is not None:
        return {}
    return {
        seat: Deadline(
            game_id=game.id,
            version=deadline.version,
            seat=seat,
            set_at=deadline.starts_at,
            due_at=deadline.fires_at,
            reminders=tuple(sorted(deadline.reminders)),
            next_at=deadline.fires_at,
        )
        for seat in deadline.seats
        if game.seats[seat].status == "joined"
    }


def turn_rows(game: Game, known: Game | None = None) -> list[TurnsRow]:
    """Compute the rows of table `turns` that differ from those of `known`."""
    old = known.turns if known is not None else {}
    return [
        TurnsRow(game_id=game.id, seat=seat, player_id=storable(player), **turns._asdict())
        for (seat, player), turns in game.turns.items()
        if turns != old.get((seat, player))
    ]


def result_rows(game: Game) -> list[ResultRow]:
    """Compute the rows of table `result`, which rank the human players among themselves.

    Seats of bots are left out. The result is empty for tutorial games, and for games in which a
    person plays alone or has several seats.
    """
    if game.finished is None or game.ended_at is None:
        return []
    people = [number for number, seat in enumerate(game.seats) if is_person(seat.player)]
    players = {game.seats[number].player for number in people}
    if not 1 < len(players) == len(people) or any(is_tutor(seat.player) for seat in game.seats):
        return []
    places: dict[int, int] = {}
    for group in game.finished.ranking:
        places |= dict.fromkeys(group, len(places) + 1)
    return [
        ResultRow(
            game_id=game.id,
            seat=number,
            player_id=storable(game.seats[number].player),
            ruleset=game.ruleset.id.name,
            place=places[number],
            sat_out=game.seats[number].controller == "bot",
            finished_at=game.ended_at,
        )
        for number in people
    ]
