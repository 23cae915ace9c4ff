"""Queue the messages that follow from events, in the same transaction as the events.

`kind_for` decides which seats are notified at once. Other seats see the news in their next message.

Message keys are derived from the game's version, the kind and the seat, so that deciding twice
sends one message.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from engine.sentences import Sentence
from pbem.domain.log.clock_events import (
    AdminAsked,
    DeadlineExtended,
    GamePaused,
    GameResumed,
    TurnTimedOut,
)
from pbem.domain.log.events import (
    ENDS,
    DisputeOpened,
    DisputeResolved,
    Event,
    GameCreated,
    GameStarted,
    GameStopped,
    MovesRetracted,
    Recorded,
)
from pbem.domain.log.motion_events import CLOCK, MotionEnded, MotionOpened, VoteCast
from pbem.domain.log.seat_events import (
    InvitationExpired,
    PlayerDeclined,
    PlayerInvited,
    PlayerUnreachable,
    SeatControllerChanged,
    SeatRemoved,
    SeatReplaced,
)
from pbem.domain.table import motions
from pbem.domain.table.game import Game, OpenMotion
from pbem.domain.table.motion import voters
from pbem.domain.table.motion_kinds import MOTIONS
from pbem.mail_out import kinds
from pbem.mail_out.kinds import (
    INVITATION,
    NOTICE,
    QUIET,
    TIMED_OUT,
    TURN,
    GameParams,
    MailKind,
    SeatingParams,
)
from pbem.service.core.context import Service
from pbem.service.notify import outsiders, to_admins
from pbem.service.notify.intentions import (
    Mailing,
    queue_for_seat,
    queue_for_seats,
    queue_to_player,
)
from pbem.store.db.uow import UnitOfWork

CREATED = "created:"
"""Prefix of the keys of messages to creators of games. They are counted to limit new games."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a message from a seat.

    Attributes:
        seat: the seat that sent the message.
        mail: of kind `ANSWER`, unless the events call for another kind. Its `facts_after` is the
            version before the message was handled, and its `announced_after` is `SeatState.seen`
            before. It is not sent if the player used the seat page, which shows it. Then only the
            end of a game is also sent by email.
    """

    seat: int
    mail: Mailing[GameParams]


def queue(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    events: Sequence[Recorded],
    *,
    position_before: int,
    answer: Answer | None = None,
) -> None:
    """Queue every message that follows from `events`.

    This includes the answer to the message that caused them. Each seat gets at most one message,
    and the answer takes precedence.

    Args:
        game: after the events.
        events: may be empty, if a message was refused.
        position_before: `Game.position` before the events.
        answer: None if the events were not caused by a message.
    """
    happened = [recorded.event for recorded in events]
    _queue_outside(service, uow, game, events, position_before)
    for event in happened:
        _queue_about(service, uow, game, event, is_new=isinstance(happened[0], GameCreated))
    everybody = _everybody_kind(happened)
    dealt = _deal(events) if everybody is kinds.STARTED else GameParams()
    mails: list[tuple[int, Mailing[Any]]] = []
    for seat in range(len(game.seats)):
        if answer is not None and answer.seat == seat:
            mail = answer.mail
            if everybody is not None:
                params = replace(mail.params, dealt_at=dealt.dealt_at)
                mail = replace(mail, kind=everybody, params=params, is_sent=True)
            mails.append((seat, mail))
            continue
        kind = everybody or kind_for(game, happened, seat, position_before)
        kind = None if kind is None else _kind_for_seat(uow, game, happened, seat, kind)
        if kind is not None:
            # these kinds report only facts from these events on
            is_untimely = kind in (kinds.NOTICE, kinds.TAKEOVER)
            params = _news_since(uow, game, seat, events[0].version) if is_untimely else dealt
            mails.append((seat, Mailing(kind, params, _key(game, seat, kind))))
    queue_for_seats(service, uow, game, mails)


def _queue_outside(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    events: Sequence[Recorded],
    position_before: int,
) -> None:
    """Queue messages to people without a seat: observers, and people who are offered a seat."""
    mails: list[tuple[str, Mailing[Any]]] = []
    if game.observers and events:
        mails += outsiders.observer_mails(
            uow, game, events, position_before=position_before, now=service.now()
        )
    news = [item for item in game.news if item.version > game.version - len(events)]
    mails += outsiders.offer_mails(uow, game, news)
    mails += outsiders.refusals(game, news)
    for player, mail in mails:
        queue_to_player(service, uow, player, mail)


def _queue_about(
    service: Service, uow: UnitOfWork, game: Game, event: Event, *, is_new: bool
) -> None:
    """Queue the message about a single event: an invitation, a dispute, a vacant seat.

    Args:
        is_new: True if the game was created by the same change.
    """
    maker = next(iter(game.seats_of(game.creator)), None)
    match event:
        case PlayerInvited() if game.seats[event.seat].status == "invited":
            inviter, note = uow.invitations.signed
            kind, params = _invitation_kind(game), SeatingParams(inviter=inviter, note=note)
            mail = Mailing(kind, params, _key(game, event.seat, kind))
            if event.player == game.creator:
                mail = Mailing(kinds.CREATED, SeatingParams(), created_key(game))
            queue_for_seat(service, uow, game, event.seat, mail)
        case DisputeOpened():
            _call_admins(service, uow, game, event)
        case PlayerDeclined() | InvitationExpired() if not is_new and maker is not None:
            if game.status == "inviting":
                key = _key(game, maker, kinds.VACANT)
                mail = Mailing(kinds.VACANT, SeatingParams(event.seat), key)
                queue_for_seat(service, uow, game, maker, mail)
        case _:
            pass


def _kind_for_seat(
    uow: UnitOfWork,
    game: Game,
    happened: Sequence[Event],
    seat: int,
    kind: MailKind[GameParams],
) -> MailKind[Any] | None:
    """Return the kind of message that a seat gets, or None if the message does not concern it.

    Args:
        kind: the kind of message that the events call for.
    """
    status = game.seats[seat].status
    if game.status == "running" and _is_about(SeatReplaced, happened, seat):
        kind = kinds.TAKEOVER
    if kind in (kinds.FINISHED, kinds.TIMED_OUT):  # includes a player whose timeout ended the game
        is_concerned = status != "declined"
    else:
        is_concerned = status in ("joined", "invited")
    if not is_concerned and not _is_about(SeatRemoved, happened, seat):
        return None
    return None if kind is kinds.NOTICE and _can_wait(uow, game, seat) else kind


def _is_about(kind: type[SeatReplaced | SeatRemoved], happened: Sequence[Event], seat: int) -> bool:
    return any(isinstance(event, kind) and event.seat == seat for event in happened)


def _news_since(uow: UnitOfWork, game: Game, seat: int, first: int) -> GameParams:
    """Return the parameters of a message that reports events from version `first` on.

    It also reports admin acts since the seat's last message that was not quiet.
    """
    sent = uow.outbox.sent_to(game.id, seat, limit=1, unless=QUIET)
    announced_after = (sent[0].version or 0) if sent else 0
    return GameParams(facts_after=first - 1, announced_after=announced_after)


def _key(game: Game, seat: int, kind: MailKind[Any]) -> str:
    return f"{game.id}:{game.version}:{kind.name}:{seat}"


def _invitation_kind(game: Game) -> MailKind[SeatingParams]:
    """Return the kind of message that offers a seat: a round in a league, else an invitation."""
    return kinds.ROUND if game.league else kinds.INVITATION


def _call_admins(service: Service, uow: UnitOfWork, game: Game, event: DisputeOpened) -> None:
    """Send a complaint to the admins, without its text if they play in the game as well."""
    others = [state.player for seat, state in enumerate(game.seats) if seat != event.seat]
    to_admins.queue(
        service,
        uow,
        key=f"dispute:{game.id}:{event.number}",
        message=f"The player in seat {event.seat} opened dispute {event.number} in game {game.id};"
        f' "pbem dispute show {game.id} {event.number}" shows more. The clock of the game stands still'
        f' until it is resolved: answer with "resolve {event.number}" and what you decided,'
        " which every player reads. You find the complaint below, unless you play in this game.",
        game_id=game.id,
        quoted=event.text,
        at_table=[address for player in others for address in uow.players.addresses(player)],
    )


def queue_reminder(service: Service, uow: UnitOfWork, game: Game, seat: int, at: datetime) -> None:
    """Queue a reminder of the running deadline, at most once per deadline and reminder time.

    Players whose daily digest comes before the deadline get no reminder. In a fast evening only the
    ping is sent.
    """
    player = uow.players.get(game.seats[seat].player)
    if game.deadline is None or player is None or player.reminders is None:
        return
    if player.digest_at is not None and player.digest_at < game.deadline.base_at:
        return
    key = f"{game.id}:{game.deadline.version}:reminder:{seat}:{at:%Y%m%dT%H%M%S}"
    is_fast = game.timing.is_fast(game.deadline.starts_at)
    mail = Mailing(kinds.REMINDER, GameParams(), key, is_sent=not is_fast)
    queue_for_seat(service, uow, game, seat, mail)


def created_key(game: Game) -> str:
    """Return the key of the message that confirms a new game to its creator."""
    return f"{CREATED}{game.id}"


def queue_another(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    seat: int,
    kind: MailKind[Any],
    why: str,
    notes: Sequence[Sentence] = (),
) -> None:
    """Queue another message about the current version to a seat.

    `why` makes its key unique.
    """
    params = _params_again(uow, game, seat, kind, notes)
    key = f"{_key(game, seat, kind)}:{why}"
    queue_for_seat(service, uow, game, seat, Mailing(kind, params, key))


def queue_talk(
    service: Service, uow: UnitOfWork, game: Game, seat: int, *, not_before: datetime
) -> None:
    """Queue a message with new talk for a seat.

    It is superseded if another message has reported the talk by then.
    """
    key = _key(game, seat, kinds.TALK)
    mail = Mailing(kinds.TALK, GameParams(), key, not_before=not_before)
    queue_for_seat(service, uow, game, seat, mail)


def queue_anonymous(
    service: Service, uow: UnitOfWork, game: Game, seat: int, slot: kinds.SlotParams, at: datetime
) -> None:
    """Queue the message with anonymous talk of a time slot, to be sent at `at`.

    If the clock was set back and the slot's message has been sent already, a second message is
    queued.
    """
    kind = kinds.ANONYMOUS
    key = f"{game.id}:{kind.name}:{seat}:{game.seats[seat].generation}:{slot.slot}"
    mail = Mailing(kind, slot, key, not_before=at)
    while not (queue_for_seat(service, uow, game, seat, mail) or uow.outbox.takes_words(mail.key)):
        mail = replace(mail, key=f"{mail.key}+")


def queue_resent(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    seat: int,
    *,
    key: str,
    answers: str | None,
    notes: Sequence[Sentence] = (),
) -> None:
    """Queue a new copy of the message that a seat has to answer or that shows its game."""
    status = game.seats[seat].status
    kind: MailKind[Any]
    if game.is_over:
        kind = kinds.FINISHED
    elif status == "invited" and game.status == "inviting":
        kind = _invitation_kind(game)
    else:
        kind = kinds.TURN if seat in game.to_act else kinds.ANSWER
    params = _params_again(uow, game, seat, kind, notes)
    queue_for_seat(service, uow, game, seat, Mailing(kind, params, key, answers))


def _params_again(
    uow: UnitOfWork, game: Game, seat: int, kind: MailKind[Any], notes: Sequence[Sentence]
) -> kinds.Params:
    """Return the parameters of a repeated message. An invitation keeps its inviter and note."""
    if kind is INVITATION:
        return replace(last_invitation(uow, game, seat), notes=tuple(notes))
    params: kinds.Params = kind.params(notes=tuple(notes))
    return params


def last_invitation(uow: UnitOfWork, game: Game, seat: int) -> SeatingParams:
    """Return the parameters of an invitation that was sent to the present player of a seat."""
    player = game.seats[seat].player
    sent = [
        mail
        for mail in uow.outbox.sent_to(game.id, seat)
        if mail.kind == INVITATION.name and mail.player_id == player
    ]
    known = uow.outbox.get(sent[-1].id) if sent else None
    return SeatingParams() if known is None else INVITATION.read(known.params)


def _everybody_kind(happened: Sequence[object]) -> MailKind[GameParams] | None:
    if any(isinstance(event, GameStopped) and event.code == "renewed" for event in happened):
        return None  # everyone is invited to the new game
    if any(isinstance(event, ENDS) for event in happened):
        return kinds.FINISHED
    if any(isinstance(event, GameStarted) for event in happened):
        return kinds.STARTED
    return None


def _can_wait(uow: UnitOfWork, game: Game, seat: int) -> bool:
    """True if news can wait for the daily digest. Votes that the reader must cast cannot."""
    state = game.seats[seat]
    player = uow.players.get(state.player)
    return (
        player is not None
        and player.digest_at is not None
        and game.status == "running"
        and state.status == "joined"
        and not must_vote(game, seat)
    )


def _deal(events: Sequence[Recorded]) -> GameParams:
    """Return parameters that report the deal and what followed it, such as forced moves."""
    dealt_at = next(item.version for item in events if isinstance(item.event, GameStarted))
    return GameParams(facts_after=dealt_at - 1, dealt_at=dealt_at)


GIFTS = ("courtesy", "admin")


def kind_for(
    game: Game, happened: Sequence[Event], seat: int, position_before: int
) -> MailKind[GameParams] | None:
    """Return the kind of message that a seat gets after these events, or None.

    A seat gets one message, however many events there are.
    """
    if any(isinstance(event, TurnTimedOut) and event.seat == seat for event in happened):
        return TIMED_OUT
    if (
        game.position != position_before
        and seat in game.to_act
        and game.seats[seat].controller == "person"
    ):
        return TURN
    if any(_is_notice(game, event, seat) for event in happened) or _has_lost(game, happened, seat):
        return NOTICE
    return None


def clock_vote(game: Game) -> str | None:
    """Return the motion of the current vote on the clock, `pause` or `resume`, or None."""
    motion = "pause" if game.paused_at is None else "resume"
    return motion if any(game.votes.get(motion, {}).values()) else None


def must_vote(game: Game, seat: int) -> bool:
    """True if a seat still has to vote on something."""
    return must_vote_on_clock(game, seat) or bool(motions_to_vote_on(game, seat))


def must_vote_on_clock(game: Game, seat: int) -> bool:
    """True if a seat still has to vote on the clock."""
    motion = clock_vote(game)
    return motion is not None and seat in voters(game) and seat not in game.votes[motion]


def motions_to_vote_on(game: Game, seat: int) -> list[OpenMotion]:
    """Return the motions, other than on the clock, on which a seat must vote, oldest first."""
    return [motion for motion in game.motions if seat in motions.missing_votes(game, motion)]


def _has_lost(game: Game, happened: Sequence[Event], seat: int) -> bool:
    """True if a request of this seat has just failed."""
    since = game.version - len(happened)
    return any(
        news.version > since and news.fact.kind == "motion_ended" and news.fact.seat == seat
        for news in game.news
    )


def _is_notice(game: Game, event: Event, seat: int) -> bool:
    match event:
        case SeatReplaced():
            return game.status == "running"
        case DisputeOpened() | DisputeResolved():
            return True
        case PlayerUnreachable():
            return event.seat != seat
        case AdminAsked():
            return not game.is_choosing or event.seat == seat
        case GamePaused() | GameResumed() | SeatRemoved() | MovesRetracted():
            return True
        case SeatControllerChanged():
            return event.why != "asleep"
        case VoteCast(motion=kind) if kind in CLOCK:
            return must_vote_on_clock(game, seat)
        case MotionOpened() | MotionEnded() if MOTIONS[event.motion].notifies(event, seat):
            return True
        case MotionOpened():
            return any(seat in motions.missing_votes(game, motion) for motion in game.motions)
        case DeadlineExtended():
            return event.reason in GIFTS and seat in game.to_act
        case _:
            return False  # reported in the next message
