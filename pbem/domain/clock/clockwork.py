"""Decisions about time: deadlines, time banks, pauses, downtime, votes on pauses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from engine.sentences import sentence
from pbem.domain.clock import deadlines
from pbem.domain.log.clock_events import (
    ClockCompensated,
    DeadlineExtended,
    DeadlineSet,
    GamePaused,
    GameResumed,
)
from pbem.domain.log.motion_events import VoteCast
from pbem.domain.log.seat_events import PlayerReachable, PlayerUnreachable
from pbem.domain.table.decision import SYSTEM, Decision, playing, running
from pbem.domain.table.game import AT_TABLE, Game, OpenDeadline
from pbem.domain.table.motion import voters
from pbem.domain.table.punctuality import days_of
from pbem.domain.terms.calendar import Days, after_gap, awake, due, passed
from pbem.errors import Refusal

LONGEST_GIFT = timedelta(days=14)
"""The most time that courtesies may add to the time for a move."""


def set_deadline(decision: Decision) -> None:
    """Start the time of the seats to act. Does nothing while the game is paused."""
    game = decision.existing()
    if game.paused_at is not None:
        return
    seats = game.to_decide
    span = deadlines.plan(game, seats, decision.now, decision.zones)
    decision.emit(DeadlineSet(seats, decision.now, **span._asdict()), actor=SYSTEM)


def renew_deadline(decision: Decision) -> None:
    """Restart the time for the current move without shortening it.

    It is used after a ply by the same seats or after another seat left, when the decision may be
    the same as before. If the system clock was set back, the old deadline is ignored.
    """
    game = decision.existing()
    deadline = game.deadline
    is_same = is_for_this_decision(game)
    if deadline is not None and decision.now < deadline.starts_at:
        is_same = False
    has_bots = any(game.seats[seat].controller == "bot" for seat in game.to_decide)
    if deadline is None or game.paused_at is not None or has_bots or not is_same:
        set_deadline(decision)
        return
    deadlines.use_bank(decision, game.to_decide)
    game = decision.existing()
    seats = game.to_decide
    span = deadlines.plan(game, seats, decision.now, decision.zones)
    if deadline.due_at > span.due_at or deadline.base_at > span.base_at:
        base_at = max(deadline.base_at, span.base_at)
        due_at = max(deadline.due_at, span.due_at)
        calendars = [days_of(game, seat, decision.zones) for seat in seats]
        span = deadlines.span(game, decision.now, base_at, due_at, calendars)
    decision.emit(DeadlineSet(seats, decision.now, **span._asdict()), actor=SYSTEM)


def extend_for_delivery(decision: Decision) -> None:
    """Restart the deadline now because the turn message was sent late.

    Downtime therefore costs players no time. If the clock is paused, it restarts with the full
    time.
    """
    restart(decision, as_when_stopped(decision.existing()), "delivery")


def restart(decision: Decision, game: Game, reason: str) -> None:
    """Restart the current deadline from now, or from the time when the clock was paused.

    The deadline never becomes earlier.

    Args:
        game: the game, with the vacations that count.
        reason: as in `DeadlineExtended`.

    Raises:
        Refusal: the game has no deadline.
    """
    deadline = deadline_of(game)
    starts_at = game.paused_at or decision.now
    span = deadlines.plan(game, deadline.seats, starts_at, decision.zones)
    if span.due_at > deadline.due_at:
        decision.emit(DeadlineExtended(deadline=deadline.version, reason=reason, **span._asdict()))


def grant(decision: Decision, time: timedelta, reason: str) -> None:
    """Extend the deadline of the current turn, as an opponent or admin grants it. Raises: Refusal.

    If the deadline has passed (with the policies `ask` and `wait`), the time counts from now.
    """
    game, deadline = _open_deadline(decision)
    if reason == "courtesy":
        max_span = timedelta(seconds=game.time_per_move) + LONGEST_GIFT
        if time > LONGEST_GIFT or deadline.base_at + time - decision.now > max_span:
            raise Refusal(
                "time",
                sentence(
                    "You can add at most {days} days to the time for a move.",
                    days=LONGEST_GIFT.days,
                ),
            )
    is_over = deadline.due_at < decision.now
    if is_over:
        deadlines.use_bank(decision, deadline.seats)

    def later(instant: datetime, days: Days) -> datetime:
        return due(decision.now if is_over else instant, time, days)

    extend(decision, _later(decision, game, deadline, later), reason)


def welcome_back(decision: Decision, seat: int) -> None:
    """Restart the time for a move when the player returns and takes the seat back from a bot."""
    game = decision.existing()
    deadline = game.deadline
    if deadline is None or game.is_over or seat not in game.to_act:
        return
    if not game.is_choosing and game.paused_at is None:
        set_deadline(decision)
        return
    restart(decision, game, "back")


def give(decision: Decision, seat: int, time: timedelta) -> None:
    """Extend the deadline of the current turn, as an opponent grants it. Raises: Refusal."""
    game = playing(decision.existing(), seat)
    if seat in game.to_decide:
        raise Refusal(
            "time",
            sentence(
                "You can give time to the others, not to yourself. Ask them with say: any of them can"
                " write extend 2d; or pause stops the clock, if more than half agree."
            ),
        )
    grant(decision, time, "courtesy")


def lose_contact(decision: Decision, seat: int, reason: str) -> None:
    """Mark the player of a seat as unreachable. Does nothing in a finished game."""
    game = decision.existing()
    state = game.seats[seat]
    if game.is_over or state.is_unreachable or state.status not in AT_TABLE:
        return
    decision.emit(PlayerUnreachable(seat, reason))


def restore_contact(decision: Decision, seat: int) -> None:
    """Mark a player as reachable again and restart the clock if it was waiting for them."""
    game = decision.existing()
    if game.is_over or not game.seats[seat].is_unreachable:
        return
    waited = game.waits_for(seat)
    game = decision.emit(PlayerReachable(seat))
    if waited and game.deadline is not None and seat in game.to_act:
        restart(decision, as_when_stopped(game), "reachable")


# --- pauses and votes -----------------------------------------------------------------------------


def pause(decision: Decision, by: str, reason: str = "") -> None:
    """Pause the clock. Raises: Refusal."""
    game = running(decision.existing())
    if game.paused_at is not None:
        raise Refusal("paused", sentence("The clock of this game is stopped already."))
    deadlines.use_bank(decision, () if game.deadline is None else game.deadline.seats)
    decision.emit(GamePaused(by, reason))


def resume(decision: Decision, by: str) -> None:
    """Restart a paused clock with the remaining time. Raises: Refusal."""
    game = running(decision.existing())
    paused_at = game.paused_at
    if paused_at is None:
        raise Refusal("paused", sentence("The clock of this game is running."))
    decision.emit(GameResumed(by))
    if not is_for_this_decision(game):
        set_deadline(decision)
        return
    counted = without_cut_vacations(game, decision.zones)
    left = time_left(decision, as_when_stopped(counted), paused_at)
    seats = game.to_decide
    span = deadlines.plan(counted, seats, decision.now, decision.zones, left)
    decision.emit(DeadlineSet(seats, decision.now, **span._asdict()), actor=SYSTEM)


def as_when_stopped(game: Game) -> Game:
    """Return a paused game with the vacations known when its clock was stopped.

    Vacations announced during a pause neither shorten nor extend the time left.
    """
    if game.paused_at is None:
        return game
    seats = tuple(
        replace(seat, vacations=vacations)
        for seat, vacations in zip(game.seats, game.vacations_then, strict=True)
    )
    return replace(game, seats=seats)


def without_cut_vacations(game: Game, zones: Mapping[int, str]) -> Game:
    """Return a paused game without the vacations that contain its deadline.

    Such a vacation moved the deadline only as far as `vacation_moves` allows, so the deadline
    cannot be computed from its days. Vacations announced during the pause have moved nothing yet
    and are kept.
    """
    deadline = deadline_of(game)
    seats, then = list(game.seats), list(game.vacations_then)
    for seat in deadline.seats:
        day = deadline.due_at.astimezone(ZoneInfo(zones.get(seat, "UTC"))).date().isoformat()
        cut = [days for days in then[seat] if days[0] <= day <= days[1]]
        then[seat] = tuple(days for days in then[seat] if days not in cut)
        kept = tuple(days for days in seats[seat].vacations if days not in cut)
        seats[seat] = replace(seats[seat], vacations=kept)
    return replace(game, seats=tuple(seats), vacations_then=tuple(then))


def is_for_this_decision(game: Game) -> bool:
    """True if the deadline belongs to the current decision. In a pause it may outlive its decision."""
    deadline = game.deadline
    if deadline is None:
        return False
    seats = game.to_decide
    is_theirs = set(seats) <= set(deadline.seats) if game.is_choosing else seats == deadline.seats
    return is_theirs and all((game.seats[seat].decision or 0) < deadline.version for seat in seats)


def time_left(decision: Decision, game: Game, since: datetime) -> timedelta:
    """Return the time that was left for a move when the clock stopped."""
    deadline = deadline_of(game)
    return max(
        (
            passed(since, deadline.base_at, days_of(game, seat, decision.zones))
            for seat in deadline.seats
        ),
        default=timedelta(),
    )


def vote(decision: Decision, seat: int, motion: str, *, is_for: bool) -> bool:
    """Vote on pausing or resuming. The motion is carried by more than half of the voters.

    Returns True if this vote carried the motion. Raises: Refusal.
    """
    game = playing(decision.existing(), seat)
    if game.is_challenge and motion == "pause":
        raise Refusal(
            "challenge",
            sentence(
                "In a challenge the clock can't be stopped by a vote. Your opponent can give you time:"
                " extend 2d"
            ),
        )
    if (game.paused_at is not None) != (motion == "resume"):
        raise Refusal(
            "paused",
            sentence("The clock of this game is stopped already.")
            if motion == "pause"
            else sentence("The clock of this game is running."),
        )
    if motion == "resume" and is_for and _is_disputed(game):
        raise Refusal(
            "paused",
            sentence("The clock of this game is stopped until an admin has answered the dispute."),
        )
    if game.votes.get(motion, {}).get(seat) is is_for:
        raise Refusal("voted", sentence("You have voted so already."))
    decision.emit(VoteCast(seat, motion, is_for))
    return is_for and count(decision)


def count(decision: Decision) -> bool:
    """Pause or resume the clock if more than half of the voters agree. Return True if it changed."""
    game = decision.existing()
    is_paused = game.paused_at is not None
    given = game.votes.get("resume" if is_paused else "pause", {})
    people = voters(game)
    in_favour = sum(given.get(seat, False) for seat in people)
    if in_favour * 2 <= len(people) or (is_paused and _is_disputed(game)):
        return False
    if is_paused:
        resume(decision, "vote")
    else:
        pause(decision, "vote")
    return True


def _is_disputed(game: Game) -> bool:
    """True if the clock is stopped until a dispute is resolved.

    Disputes opened by players who have left the game do not stop the clock.
    """
    is_players = any(game.seats[dispute.seat].status == "joined" for dispute in game.disputes)
    return is_players or (game.paused_by == "dispute" and bool(game.disputes))


# --- downtime of the service ----------------------------------------------------------------------


def compensate(decision: Decision, begin: datetime, end: datetime) -> None:
    """Extend the running deadline by the length of an outage, once for each outage."""
    game = decision.existing()
    deadline = game.deadline
    if (
        deadline is None
        or game.is_over
        or game.paused_at is not None
        or (game.compensated is not None and game.compensated >= end)
        or deadline.starts_at >= end
        or deadline.fires_at <= begin
    ):
        return
    begin_here = max(begin, deadline.starts_at)
    span = _later(
        decision,
        game,
        deadline,
        lambda instant, days: after_gap(instant, begin_here, end, days),
    )
    decision.emit(
        ClockCompensated(begin=begin, end=end, deadline=deadline.version, **span._asdict()),
        actor=SYSTEM,
    )


def _later(
    decision: Decision,
    game: Game,
    deadline: OpenDeadline,
    move: Callable[[datetime, Days], datetime],
) -> deadlines.Span:
    """Move a deadline and its reminders. With several players, to the latest result.

    Args:
        decision: provides the time zones.
        game: the game before the change.
        deadline: the running deadline.
        move: maps an old time to the new one in a player's calendar.
    """
    calendars = [days_of(game, seat, decision.zones) for seat in deadline.seats]
    base_at, due_at = (
        max(move(instant, days) for days in calendars)
        for instant in (deadline.base_at, deadline.due_at)
    )
    span = deadlines.span(game, deadline.starts_at, base_at, due_at, ())
    reminders = {reminder + (base_at - deadline.base_at) for reminder in deadline.reminders}
    for days in calendars:
        reminders = {awake(reminder, days) for reminder in reminders}
    return span._replace(reminders=tuple(sorted(time for time in reminders if time < due_at)))


def extend(decision: Decision, span: deadlines.Span, reason: str) -> None:
    """Extend the current deadline. `reason` has the values of `DeadlineExtended`. Raises: Refusal."""
    _, deadline = _open_deadline(decision)
    decision.emit(DeadlineExtended(deadline=deadline.version, reason=reason, **span._asdict()))


def deadline_of(game: Game) -> OpenDeadline:
    """Return the deadline of an unfinished game. Raises: Refusal if it has none."""
    if game.deadline is None or game.is_over:
        raise Refusal("not-due", sentence("There is no deadline to extend."))
    return game.deadline


def _open_deadline(decision: Decision) -> tuple[Game, OpenDeadline]:
    game = decision.existing()
    deadline = deadline_of(game)
    if game.paused_at is not None:
        raise Refusal(
            "paused", sentence("The clock of this game is stopped; there is no deadline.")
        )
    return game, deadline
