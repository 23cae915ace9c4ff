"""Which mails follow from what happened: intentions for the outbox, in the same transaction.

A mail is named by kind, recipient, position (the version it is rendered at) and decision. The key
makes every intention unique, so that deciding twice sends once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from engine.api import JsonObject, JsonValue
from engine.sentences import sentence
from pbem.domain.log.events import (
    ENDS,
    DisputeOpened,
    GameCreated,
    GameStarted,
    GameStopped,
    Recorded,
)
from pbem.domain.log.seat_events import (
    InvitationExpired,
    PlayerDeclined,
    PlayerInvited,
    SeatRemoved,
    SeatReplaced,
)
from pbem.domain.table.game import Game
from pbem.service.core.context import Service
from pbem.service.notify import observed, offer_words, to_admins
from pbem.service.notify.intentions import ANONYMOUS, add_for_seat, in_language, message_id
from pbem.service.notify.who_is_told import is_asked, kind_for
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.outgoing import Intention

TALK = "talk"
"""Mails that tell what was said and nothing else, as `ANONYMOUS` ones; each shows its game as it is by then."""

HISTORY = "history"
QUIET = frozenset({TALK, ANONYMOUS, HISTORY})
"""Kinds of mails that tell nobody what is to be decided, nor what an admin did."""

DECISION_KINDS = frozenset({"turn", "reminder"})
"""Mails that are worth nothing once their decision is over: superseded, not sent."""


CREATED = "created:"
"""Keys of what the maker of a game is mailed begin so: they are what is counted."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer that a seat's mail gets.

    Attributes:
        key: idempotency key of the answer.
        seat: whose mail it was.
        message_id: of the mail, for threading.
        params: `lines` and `notes` of the answer.
        since: version before the mail was handled: what is newer follows from it.
        unread_since: `SeatState.seen` before the mail was handled: admin acts since then have not
            been read for certain.
    """

    key: str
    seat: int
    message_id: str | None
    params: Mapping[str, JsonValue]
    since: int
    unread_since: int


def queue(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    events: Sequence[Recorded],
    *,
    position_before: int,
    answer: Answer | None = None,
) -> None:
    """Queue every mail that follows from `events` (and the answer to the mail that caused them).

    Args:
        game: after the events.
        events: possibly none, if a mail was refused.
        position_before: `Game.position` before the events.
        answer: None if no mail caused them.
    """
    happened = [recorded.event for recorded in events]
    now = service.now()
    for player, key, what in observed.news(
        uow, game, events, position_before=position_before, now=now
    ):
        queue_to_player(service, uow, kind="observed", player_id=player, key=key, params=what)
    for player, key, what in offer_words.mails(uow, game, events):
        queue_to_player(service, uow, kind="offer", player_id=player, key=key, params=what)
    for player in observed.refused(game, events):
        queue_to_player(
            service,
            uow,
            kind="refusal",
            player_id=player,
            key=f"{game.id}:{game.version}:observer",
            params={
                "message": sentence(
                    "Your wish to look on at the game [{game}] was not granted.", game=game.id
                )
            },
        )
    for event in happened:
        if isinstance(event, PlayerInvited) and game.seats[event.seat].status == "invited":
            if event.player == game.creator:
                add_for_seat(
                    service, uow, game, "created", event.seat, now, {}, key=created_key(game)
                )
            else:
                add_for_seat(service, uow, game, "invitation", event.seat, now, {})
        if isinstance(event, DisputeOpened):
            to_admins.queue(
                service,
                uow,
                key=f"dispute:{game.id}:{event.number}",
                message=f"A player opened dispute {event.number} in game {game.id}. What it is about:"
                f' "pbem dispute show {game.id} {event.number}". The clock of the game stands still'
                f' until it is resolved: answer with "resolve {event.number}" and what you decided,'
                " which every player reads.",
                game_id=game.id,
            )
    _tell_of_vacancies(service, uow, game, happened, now)
    everybody = _everybody_kind(happened)
    dealt = _deal(events) if everybody == "started" else {}
    for seat in range(len(game.seats)):
        kind = everybody
        params: JsonObject = dealt
        if kind is None:
            kind = kind_for(game, happened, seat, position_before)
        if kind is not None and _has_sat_down(game, happened, seat):
            kind = "takeover"
        if kind in ("notice", "takeover"):
            told = uow.outbox.sent_to(game.id, seat, limit=1, unless=QUIET)
            params = {
                "facts_after": events[0].version - 1,
                "announced_after": (told[0].version or 0) if told else 0,
            }
        if answer is not None and answer.seat == seat:
            _add_answer(service, uow, game, everybody or "answer", answer, now, dealt)
        elif kind is not None and (_is_concerned(game, seat, kind) or _is_put_out(happened, seat)):
            if kind == "notice" and _can_wait(uow, game, seat):
                continue
            add_for_seat(service, uow, game, kind, seat, now, params)


def queue_reminder(
    service: Service, uow: UnitOfWork, game: Game, seat: int, at: datetime, now: datetime
) -> None:
    """Queue the reminder of the running deadline for an instant, once; it comes again where both move.

    Somebody whose daily mail comes before the deadline reads it there.
    """
    player = uow.players.get(game.seats[seat].player)
    if game.deadline is None or player is None or not player.wants_reminders:
        return
    if player.digest_at is not None and player.digest_at < game.deadline.due_at:
        return
    key = f"{game.id}:{game.deadline.version}:reminder:{seat}:{at:%Y%m%dT%H%M%S}"
    add_for_seat(service, uow, game, "reminder", seat, now, {}, key=key)


def queue_to_player(
    service: Service,
    uow: UnitOfWork,
    *,
    kind: str,
    player_id: str,
    key: str,
    params: JsonObject,
    answers: str | None = None,
    rcpt_to: str | None = None,
    not_before: datetime | None = None,
) -> None:
    """Queue a mail to a person that belongs to no position of a game; to a forgotten one none.

    Args:
        uow, service, kind, player_id, key, params, answers: as everywhere.
        rcpt_to: an address that it goes to, whoever's that is by then; None: where their mails go.
        not_before: when it may leave; None: at once.
    """
    player = uow.players.get(player_id)
    if player is None:
        return
    uow.outbox.add(
        Intention(
            key=key,
            kind=kind,
            player_id=player_id,
            rcpt_to=rcpt_to,
            params=in_language(params, player.language),
            answers=answers,
            message_id=message_id(service, service.new_id(26)),
            created_at=service.now(),
            not_before=not_before,
        )
    )


def queue_for_seat(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    seat: int,
    *,
    kind: str,
    key: str,
    params: JsonObject,
    answers: str | None = None,
) -> None:
    """Queue a mail to who sits in a seat, with that seat's reply address."""
    add_for_seat(service, uow, game, kind, seat, service.now(), params, key=key, answers=answers)


def created_key(game: Game) -> str:
    """Name the mail that tells a player that their game is made; they are what is counted."""
    return f"{CREATED}{game.id}"


def _tell_of_vacancies(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    happened: Sequence[object],
    now: datetime,
) -> None:
    """Ask the maker of a game what becomes of a seat that somebody did not take."""
    if game.status != "inviting" or any(isinstance(event, GameCreated) for event in happened):
        return
    maker = next((n for n, seat in enumerate(game.seats) if seat.player == game.creator), None)
    for event in happened:
        if isinstance(event, PlayerDeclined | InvitationExpired) and maker is not None:
            add_for_seat(service, uow, game, "vacant", maker, now, {"seat": event.seat})


def queue_to_stranger(
    service: Service,
    uow: UnitOfWork,
    *,
    address: str,
    key: str,
    params: JsonObject,
    answers: str | None,
) -> None:
    """Queue the one mail that somebody gets whom nobody knows."""
    uow.outbox.add(
        Intention(
            key=key,
            kind="welcome",
            player_id=None,
            rcpt_to=address,
            params=params,
            answers=answers,
            message_id=message_id(service, service.new_id(26)),
            created_at=service.now(),
        )
    )


def queue_again(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    seat: int,
    *,
    kind: str,
    why: str,
    notes: Sequence[str] = (),
) -> None:
    """Queue a `turn`, `invitation` or `notice` of a seat once more; `why` makes it another mail."""
    key = f"{game.id}:{game.version}:{kind}:{seat}:{why}"
    params: JsonObject = {"notes": list(notes)} if notes else {}
    add_for_seat(service, uow, game, kind, seat, service.now(), params, key=key)


def queue_talk(
    service: Service, uow: UnitOfWork, game: Game, seat: int, *, not_before: datetime
) -> None:
    """Queue a mail that tells a seat what was said, unless another one has by then."""
    add_for_seat(service, uow, game, TALK, seat, not_before, {}, asks=False)


def queue_anonymous(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    seat: int,
    *,
    first: int,
    slot: str,
    at: datetime,
) -> None:
    """Queue the mail that tells a seat what was said without a name, one for each slot of the day.

    One more where a clock was set back behind a slot whose mail has left.

    Args:
        first: version of the first message of the slot.
        slot: names it.
        at: when it is read.
    """
    params: JsonObject = {"first": first, "slot": slot}
    key = f"{game.id}:{ANONYMOUS}:{seat}:{game.seats[seat].generation}:{slot}"
    while not (
        add_for_seat(service, uow, game, ANONYMOUS, seat, at, params, key=key, asks=False)
        or uow.outbox.takes_words(key)
    ):
        key += "+"


def queue_resent(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    seat: int,
    *,
    key: str,
    answers: str | None,
    notes: Sequence[JsonValue] = (),
) -> None:
    """Queue once more the mail that a seat has to answer, or that tells it how the game stands."""
    status = game.seats[seat].status
    if game.is_over:
        kind = "finished"
    elif status == "invited" and game.status == "inviting":
        kind = "invitation"
    else:
        kind = "turn" if seat in game.to_act else "answer"
    params: JsonObject = {"notes": [*notes]} if notes else {}
    add_for_seat(service, uow, game, kind, seat, service.now(), params, key=key, answers=answers)


def queue_history(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    seat: int,
    *,
    key: str,
    params: JsonObject,
    answers: str | None,
) -> None:
    """Queue what a seat wants to read of what happened."""
    now = service.now()
    add_for_seat(
        service, uow, game, HISTORY, seat, now, params, key=key, answers=answers, asks=False
    )


def _everybody_kind(happened: Sequence[object]) -> str | None:
    if any(isinstance(event, GameStopped) and event.code == "renewed" for event in happened):
        return None  # everybody is asked to the new one
    if any(isinstance(event, ENDS) for event in happened):
        return "finished"
    if any(isinstance(event, GameStarted) for event in happened):
        return "started"
    return None


def _is_concerned(game: Game, seat: int, kind: str) -> bool:
    status = game.seats[seat].status
    if kind in ("finished", "timed_out"):  # whose silence was the end of it is told, too
        return status != "declined"
    return status in ("joined", "invited")


def _can_wait(uow: UnitOfWork, game: Game, seat: int) -> bool:
    """True if news can wait for the daily mail; what asks something of the reader cannot."""
    state = game.seats[seat]
    player = uow.players.get(state.player)
    return (
        player is not None
        and player.digest_at is not None
        and game.status == "running"
        and state.status == "joined"
        and not is_asked(game, seat)
    )


def _has_sat_down(game: Game, happened: Sequence[object], seat: int) -> bool:
    return game.status == "running" and any(
        isinstance(event, SeatReplaced) and event.seat == seat for event in happened
    )


def _is_put_out(happened: Sequence[object], seat: int) -> bool:
    return any(isinstance(event, SeatRemoved) and event.seat == seat for event in happened)


def _deal(events: Sequence[Recorded]) -> JsonObject:
    """Name the event of the deal, after which something may have been forced."""
    dealt_at = next(item.version for item in events if isinstance(item.event, GameStarted))
    return {"facts_after": dealt_at - 1, "dealt_at": dealt_at}


def _add_answer(
    service: Service,
    uow: UnitOfWork,
    game: Game,
    kind: str,
    answer: Answer,
    now: datetime,
    dealt: JsonObject,
) -> None:
    params: JsonObject = {
        **answer.params,
        **dealt,
        "facts_after": answer.since,
        "announced_after": answer.unread_since,
    }
    add_for_seat(
        service,
        uow,
        game,
        kind,
        answer.seat,
        now,
        params,
        key=answer.key,
        answers=answer.message_id,
    )
