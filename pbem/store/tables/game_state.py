"""The rows of a game in the projections, computed from the game alone.

`next_at` of a deadline is not part of them: `projections` sets it when it writes a row.
"""

from __future__ import annotations

from typing import Any

from pbem.domain.table.game import Game
from pbem.domain.terms.seats import is_person, is_tutor
from pbem.store.rows.texts import storable
from pbem.store.tables.projected import Deadline, SeatStatus


def game_row(game: Game) -> dict[str, Any]:
    """Return the columns of `game`."""
    return {
        "id": game.id,
        "ruleset": game.ruleset.id.name,
        "ruleset_version": game.ruleset.id.version,
        "status": game.status,
        "version": game.version,
        "head": game.head,
        "created_at": game.created_at,
        "finished_at": game.ended_at,
        "is_challenge": game.is_challenge,
    }


def seats_of(game: Game) -> list[SeatStatus]:
    """Return who sits where, by seat."""
    return [
        SeatStatus(
            game.id,
            number,
            storable(seat.player),  # a stream may come from another server
            seat.status,
            seat.is_unreachable,
            is_bot=seat.controller == "bot",
        )
        for number, seat in enumerate(game.seats)
    ]


def deadlines_of_game(game: Game) -> dict[int, Deadline]:
    """Return the running deadline of each seat; none while the clock stands still."""
    deadline = game.deadline
    if deadline is None or game.paused_at is not None:
        return {}
    return {
        seat: Deadline(
            game.id,
            deadline.version,
            seat,
            deadline.starts_at,
            deadline.fires_at,
            tuple(sorted(deadline.reminders)),
            deadline.fires_at,
            is_bot=game.seats[seat].controller == "bot",
        )
        for seat in deadline.seats
        if game.seats[seat].status == "joined"
    }


def turn_rows(game: Game) -> list[dict[str, Any]]:
    """Return the columns of `turns`."""
    return [
        {"game_id": game.id, "seat": seat, "player_id": storable(player), **turns._asdict()}
        for (seat, player), turns in game.turns.items()
    ]


def result_rows(game: Game) -> list[dict[str, Any]]:
    """Return the columns of `result`: the places of people among people, if they mean anything.

    Bots from the start are left out. A lesson does not count, nor does a game in which a person plays alone
    or twice.
    """
    people = [number for number, seat in enumerate(game.seats) if is_person(seat.player)]
    players = {game.seats[number].player for number in people}
    if (
        game.finished is None
        or not 1 < len(players) == len(people)
        or any(is_tutor(seat.player) for seat in game.seats)
    ):
        return []
    places: dict[int, int] = {}
    for group in game.finished.ranking:
        places |= dict.fromkeys(group, len(places) + 1)
    return [
        {
            "game_id": game.id,
            "seat": number,
            "player_id": storable(game.seats[number].player),
            "ruleset": game.ruleset.id.name,
            "place": places[number],
            "sat_out": game.seats[number].controller == "bot",
            "finished_at": game.ended_at,
        }
        for number in people
    ]
