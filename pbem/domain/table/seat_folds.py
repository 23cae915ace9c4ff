"""Folds of events about the seats and their players."""

from __future__ import annotations

from typing import TypeAlias

from engine.api import JsonObject
from engine.shuffle import normalise_phrase
from pbem.domain.log.events import PhraseGiven, Recorded
from pbem.domain.log.seat_events import (
    InvitationExpired,
    PlayerDeclined,
    PlayerInvited,
    PlayerJoined,
    PlayerReachable,
    PlayerUnreachable,
    SeatControllerChanged,
    SeatReplaced,
)
from pbem.domain.table.game import (
    AT_TABLE,
    UNFINISHED,
    Game,
    Standing,
    replace,
    with_act,
    with_fact,
    with_seat,
)
from pbem.domain.table.rows import INVITING, Rows, row, unless
from pbem.domain.terms.seats import controller_of, first_status, is_bot, is_open, is_person

VACANT = ("declined", "expired", "open")
"""Statuses of a seat without a player."""

Seating: TypeAlias = PlayerInvited | PlayerJoined | PlayerDeclined | InvitationExpired

# --- before the deal ------------------------------------------------------------------------------


def _seat_assigned(game: Game, event: PlayerInvited | PlayerJoined, _: Recorded) -> Game:
    """Assign a seat to a player, instead of the player it was reserved for."""
    seat, player = game.seats[event.seat], event.player
    status = "invited" if isinstance(event, PlayerInvited) else "joined"
    if player == seat.player:
        return with_seat(game, event.seat, status=status)
    return with_seat(
        game,
        event.seat,
        player=player,
        status=status,
        generation=seat.generation + 1,
        phrase=None,
        is_unreachable=False,
        controller=controller_of(player),
    )


def _vacated(game: Game, event: PlayerDeclined | InvitationExpired, _: Recorded) -> Game:
    status = "declined" if isinstance(event, PlayerDeclined) else "expired"
    return with_seat(game, event.seat, status=status)


def _against_seating(game: Game, event: Seating) -> str | None:
    seat = game.seats[event.seat]
    if event.player != seat.player:
        return _against_newcomer(game, event)
    wanted: tuple[str, ...] = (
        "invited",
        "declined",
        "expired",
    )  # invited for the first time, or again
    if isinstance(event, PlayerDeclined):
        wanted = ("invited", "joined", "expired", "open")
    elif isinstance(event, PlayerJoined):
        wanted = ("invited", "expired") if is_person(event.player) else ()
    elif isinstance(event, InvitationExpired):
        wanted = ("invited", "open")
    return None if seat.status in wanted else f"the seat is {seat.status}"


def _against_newcomer(game: Game, event: Seating) -> str | None:
    """Return why a player cannot take a seat that was reserved for another player."""
    seat = game.seats[event.seat]
    if any(other.player == event.player for other in game.seats):
        return "that player has a seat in the game already"
    if seat.status not in ("invited", *VACANT) or is_open(event.player):
        return "the seat is another player's"
    if isinstance(event, PlayerInvited):
        return "a bot is not invited" if is_bot(event.player) else None
    if not isinstance(event, PlayerJoined):
        return "the seat is another player's"
    may_sit_down = is_bot(event.player) or is_open(seat.player)
    return None if may_sit_down else "the seat is another player's"


def _against_phrase(game: Game, event: PhraseGiven) -> str | None:
    if event.seat in game.operator_seats:
        return "the operator's phrase stays empty (GEN-4)"
    seat = game.seats[event.seat]
    if seat.status != "joined" or seat.phrase is not None:
        return "the seat gives no phrase now"
    is_normal = event.phrase == normalise_phrase(event.phrase)
    return None if is_normal else "the phrase is not normalised (GEN-4)"


# --- people come and go ---------------------------------------------------------------------------


def _reached(game: Game, event: PlayerUnreachable | PlayerReachable, item: Recorded) -> Game:
    if isinstance(event, PlayerReachable):
        game = with_seat(game, event.seat, is_unreachable=False)
        return with_fact(game, item.version, "reachable", event.seat)
    data: JsonObject = {"waits": game.timing.unreachable == "wait", "reason": event.reason}
    game = with_seat(game, event.seat, is_unreachable=True)
    return with_fact(game, item.version, "unreachable", event.seat, data)


def _against_reach(game: Game, event: PlayerUnreachable | PlayerReachable) -> str | None:
    seat = game.seats[event.seat]
    if seat.status not in AT_TABLE:
        return "the seat is empty"
    is_lost = isinstance(event, PlayerUnreachable)
    return "that is known already" if seat.is_unreachable is is_lost else None


def _controlled(game: Game, event: SeatControllerChanged, item: Recorded) -> Game:
    misses = 0 if event.why == "back" else game.seats[event.seat].misses
    since = item.recorded_at if event.controller == "bot" else None
    game = with_seat(
        game, event.seat, controller=event.controller, misses=misses, silent_since=since
    )
    kind = f"{event.controller}_decides"
    return with_fact(game, item.version, kind, event.seat, {"why": event.why})


def _replaced(game: Game, event: SeatReplaced, item: Recorded) -> Game:
    """Replace the player of a seat.

    Missed turns, votes and vacations of the previous player are discarded.
    """
    version, seat = item.version, game.seats[event.seat]
    game = replace(
        game,
        votes={
            kind: {voter: is_for for voter, is_for in given.items() if voter != event.seat}
            for kind, given in game.votes.items()
        },
        observers=tuple(observer for observer in game.observers if observer != event.player),
        is_challenge=False,
    )
    is_asked = game.status == "inviting"  # the new player gets an invitation like everyone else
    game = with_seat(
        game,
        event.seat,
        player=event.player,
        generation=seat.generation + 1,
        is_unreachable=False,
        misses=0,
        excused=(),
        silent_since=None,
        vacations=(),
        controller=controller_of(event.player),
        standing=Standing(),
        muted=(),
        seen=0 if is_asked else version,
        decision=None if seat.decision is None else version,
        status=first_status(event.player) if is_asked else seat.status,
        phrase=None if is_asked else seat.phrase,
    )
    kind = "seat_replaced" if item.actor.startswith("admin:") else "seat_taken_over"
    return with_act(game, item, kind, event.seat, {"was": seat.player})


def against_replacement(game: Game, event: SeatReplaced) -> str | None:
    """Return why a person cannot take over a seat, or None if they can."""
    if not 0 <= event.seat < len(game.seats):
        return f"there is no seat {event.seat}"
    vacant = VACANT if game.status == "inviting" else ()
    if game.seats[event.seat].status not in (*AT_TABLE, *vacant):
        return "the seat has left the game"
    if any(seat.player == event.player for seat in game.seats):
        return "that person has a seat in the game already"
    return None


ROWS: Rows = {
    **row(PlayerInvited, _seat_assigned, _against_seating, during=INVITING),
    **row(PlayerJoined, _seat_assigned, _against_seating, during=INVITING),
    **row(PlayerDeclined, _vacated, _against_seating, during=INVITING),
    **row(InvitationExpired, _vacated, _against_seating, during=INVITING),
    **row(
        PhraseGiven,
        lambda game, event, _: with_seat(game, event.seat, phrase=event.phrase),
        _against_phrase,
        during=INVITING,
    ),
    **row(PlayerUnreachable, _reached, _against_reach, during=UNFINISHED),
    **row(PlayerReachable, _reached, _against_reach, during=UNFINISHED),
    **row(
        SeatControllerChanged,
        _controlled,
        unless(
            lambda game, event: event.controller != game.seats[event.seat].controller,
            "the seat is decided for so already",
        ),
        by_player=True,
    ),
    **row(SeatReplaced, _replaced, against_replacement, during=UNFINISHED),
}
