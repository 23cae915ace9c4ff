"""Why an event cannot follow, beside what the rules of the game say: the order of a game's life."""

from __future__ import annotations

from datetime import date
from typing import TypeAlias, assert_never

from engine.shuffle import normalise_phrase
from pbem.domain.log.clock_events import (
    AdminAsked,
    BankChanged,
    ClockCompensated,
    DeadlineExtended,
    DeadlineSet,
    GamePaused,
    GameResumed,
    TurnTimedOut,
    VacationEnded,
    VacationTaken,
)
from pbem.domain.log.events import (
    Adjudicated,
    DisputeOpened,
    DisputeResolved,
    Event,
    GameFinished,
    GameStarted,
    GameStopped,
    HandsRevealedToAdmin,
    MovePlayed,
    PhraseGiven,
    VoteCast,
)
from pbem.domain.log.motion_events import MotionEvent
from pbem.domain.log.seat_events import (
    InvitationExpired,
    PlayerDeclined,
    PlayerInvited,
    PlayerJoined,
    PlayerReachable,
    PlayerUnreachable,
    SeatControllerChanged,
    SeatRemoved,
    SeatReplaced,
    SeatResigned,
)
from pbem.domain.table import motions
from pbem.domain.table.game import AT_TABLE, Game
from pbem.domain.terms.occupants import is_bot, is_open, is_person

Seating: TypeAlias = PlayerInvited | PlayerJoined | PlayerDeclined | InvitationExpired
BeforeTheDeal: TypeAlias = Seating | PhraseGiven | GameStarted

OFTEN = (MovePlayed, DeadlineSet)
"""Nearly all events of a log; they are looked at first."""

VACANT = ("declined", "expired", "open")
"""Of a seat that waits for somebody else."""


def objection(game: Game, event: Event) -> str | None:
    """Say why an event cannot follow, beside what the rules of the game say; None if it can."""
    if game.status == "running" and isinstance(event, OFTEN):
        return _objection_while_played(game, event)
    if game.is_over:
        return "the game is over"
    if isinstance(event, GameStopped | HandsRevealedToAdmin):
        is_sound = getattr(event, "server_secret", game.server_secret) == game.server_secret
        return None if is_sound else "it opens another secret than the game's"
    if isinstance(event, PlayerUnreachable | PlayerReachable | SeatReplaced):
        return _objection_to_person(game, event)
    if isinstance(event, BeforeTheDeal) != (game.status == "inviting"):
        return f"the game is {game.status}"
    seat = getattr(event, "seat", None)
    if seat is not None and not 0 <= seat < len(game.seats):
        return f"there is no seat {seat}"
    if isinstance(event, BeforeTheDeal):
        return _objection_before(game, event)
    match event:
        case DeadlineExtended() | ClockCompensated():
            return _objection_to_extension(game, event)
        case TurnTimedOut():
            if game.deadline is None or game.deadline.version != event.deadline:
                return "that deadline is not open"
            return None if event.seat in game.to_act else "the seat is not to act"
        case GamePaused() | GameResumed():
            is_paused = game.paused_at is not None
            return (
                None if is_paused is isinstance(event, GameResumed) else "the clock is so already"
            )
        case (
            BankChanged()
            | VacationTaken()
            | VacationEnded()
            | VoteCast()
            | SeatControllerChanged()
            | AdminAsked()
        ):
            return _objection_of_time(game, event)
        case SeatResigned() | SeatRemoved():
            return None if game.seats[event.seat].status == "joined" else "the seat is empty"
        case Adjudicated() if sorted(s for place in event.ranking for s in place) != list(
            range(len(game.seats))
        ):
            return "its ranking does not name every seat once"
        case DisputeOpened() | DisputeResolved():
            is_new = isinstance(event, DisputeOpened)
            numbers = [game.disputed + 1] if is_new else [one.number for one in game.disputes]
            return None if event.number in numbers else "no dispute has that number now"
        case _ if isinstance(event, MotionEvent):
            return motions.objection(game, event)
        case GameFinished() | Adjudicated():
            if event.server_secret != game.server_secret:
                return "it opens another secret than the game's"
        case _:
            pass  # moves: the rules themselves object
    return None


def _objection_while_played(game: Game, event: MovePlayed | DeadlineSet) -> str | None:
    if isinstance(event, DeadlineSet):
        return None if event.seats == game.to_decide else "other seats are to act"
    return None if 0 <= event.seat < len(game.seats) else f"there is no seat {event.seat}"


def _objection_before(game: Game, event: BeforeTheDeal) -> str | None:
    match event:
        case PlayerInvited() | PlayerJoined() | PlayerDeclined() | InvitationExpired():
            return _objection_to_seating(game, event)
        case PhraseGiven():
            if event.seat in game.operator_seats:
                return "the operator's phrase stays empty (GEN-4)"
            seat = game.seats[event.seat]
            if seat.status != "joined" or seat.phrase is not None:
                return "the seat gives no phrase now"
            if event.phrase != normalise_phrase(event.phrase):
                return "the phrase is not normalised (GEN-4)"
        case GameStarted():
            if any(seat.status != "joined" for seat in game.seats):
                return "not everybody has joined"
        case _:
            assert_never(event)
    return None


def _objection_to_seating(game: Game, event: Seating) -> str | None:
    seat = game.seats[event.seat]
    if event.player != seat.player:
        return _objection_to_newcomer(game, event)
    wanted: tuple[str, ...] = ("invited", "declined", "expired")  # asked, or asked again
    if isinstance(event, PlayerDeclined):
        wanted = ("invited", "joined", "expired", "open")
    elif isinstance(event, PlayerJoined):
        wanted = ("invited", "expired") if is_person(event.player) else ()
    elif isinstance(event, InvitationExpired):
        wanted = ("invited", "open")
    return None if seat.status in wanted else f"the seat is {seat.status}"


def _objection_to_newcomer(game: Game, event: Seating) -> str | None:
    """Say why somebody cannot take a seat that was meant for somebody else."""
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


def _objection_to_person(
    game: Game, event: PlayerUnreachable | PlayerReachable | SeatReplaced
) -> str | None:
    if isinstance(event, SeatReplaced):
        return objection_to_replacement(game, event)
    if not 0 <= event.seat < len(game.seats):
        return f"there is no seat {event.seat}"
    seat = game.seats[event.seat]
    if seat.status not in AT_TABLE:
        return "the seat is empty"
    is_lost = isinstance(event, PlayerUnreachable)
    return "that is known already" if seat.is_unreachable is is_lost else None


def objection_to_replacement(game: Game, event: SeatReplaced) -> str | None:
    """Say why that person cannot sit down there; None if they can."""
    if not 0 <= event.seat < len(game.seats):
        return f"there is no seat {event.seat}"
    vacant = VACANT if game.status == "inviting" else ()
    if game.seats[event.seat].status not in ("invited", "joined", *vacant):
        return "the seat has left the game"
    if any(seat.player == event.player for seat in game.seats):
        return "that person has a seat in the game already"
    return None


def _objection_of_time(
    game: Game,
    event: BankChanged
    | VacationTaken
    | VacationEnded
    | VoteCast
    | SeatControllerChanged
    | AdminAsked,
) -> str | None:
    seat = game.seats[event.seat]
    if seat.status != "joined":
        return "the seat is empty"
    match event:
        case BankChanged(left=left):
            return None if 0 <= left <= game.timing.bank else "no bank holds so much"
        case VacationTaken(first=first, last=last):
            return None if date.fromisoformat(first) <= date.fromisoformat(last) else "no vacation"
        case VacationEnded(last=last):
            date.fromisoformat(last)
        case SeatControllerChanged(controller=controller):
            if controller not in ("person", "bot") or controller == seat.controller:
                return "the seat is decided for so already"
        case AdminAsked(deadline=deadline):
            if game.deadline is None or game.deadline.version != deadline:
                return "that deadline is not open"
        case VoteCast():
            return motions.objection(game, event)
    return None


def _objection_to_extension(game: Game, event: DeadlineExtended | ClockCompensated) -> str | None:
    if game.deadline is None or game.deadline.version != event.deadline:
        return "that deadline is not open"
    if isinstance(event, ClockCompensated) and event.begin >= event.end:
        return "a gap of no time"
    return "it makes the deadline earlier" if event.due_at < game.deadline.due_at else None
