"""Handle messages: identify the sender, parse the orders, and carry them out.

A single waiting message is handled in its own transaction. Messages of several games share a
transaction, each in a savepoint. A message that fails there is retried alone. If the transaction
fails, every message is retried alone.

If our own code fails on a message, the message is quarantined: it is stored and reported, so that
it can be retried. Other messages are not affected.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum

import structlog

from engine import registry
from pbem.bots import PreparedThinker, ThoughtNeededError
from pbem.domain.terms.tokens import (
    AdminToken,
    BounceToken,
    OfferToken,
    PlayerToken,
    QuestionToken,
    SeatToken,
)
from pbem.domain.words import admin_orders
from pbem.domain.words.orders import LineKind
from pbem.errors import (
    KeyMissingError,
    MalformedMailError,
    MissingRulesetError,
    RowVerificationError,
    SchemaError,
    StoreAwayError,
    StoreError,
    VersionConflictError,
)
from pbem.mail_in.mime.message import InboundMail, Triage
from pbem.mail_in.quotes.body import extract_reply
from pbem.mail_in.sandbox.reader import ReaderAwayError, ReaderError
from pbem.service.admin import admin_mail
from pbem.service.change import LASTING, TROUBLE_TRIES, retried
from pbem.service.clock import contact
from pbem.service.core import games, limits, sender_identity
from pbem.service.core.context import Service
from pbem.service.core.incoming import MAILS_COMPARED, Incoming, Verdict, quoted
from pbem.service.intake import (
    advice,
    answers,
    player_mail,
    seat_mail,
    strangers,
)
from pbem.service.league import orders as leagues
from pbem.service.lobby import join_links, never_invite
from pbem.service.notify import deliverability, questions, refusing, to_admins
from pbem.service.people import own_encryption
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.inbox import PendingWork
from pbem.store.rows.core import INBOX, PLAYER, InboxMail

log = structlog.get_logger(__name__)

MAX_HANDLED = 1000
"""Maximum number of messages handled before other work runs and a heartbeat is written."""

GROUP = 16
"""Maximum number of messages, one per game, that share a transaction."""

GROUP_SECONDS = 0.5
"""Seconds after which a transaction handles no further message, because other writers wait."""

_NO_THOUGHTS: Mapping[bytes, str] = {}

_ALONE = (*LASTING, KeyMissingError, RowVerificationError, VersionConflictError)
"""Store errors that concern a single message, so that the shared transaction continues."""


def handle_all(
    service: Service, *, limit: int = MAX_HANDLED, should_stop: Callable[[], bool] = lambda: False
) -> int:
    """Handle open messages, the oldest of each game first. Return the number of finished messages.

    If `should_stop` returns True, stop after the current message.
    """
    handled = 0
    try:
        while handled < limit:
            with service.store.reading() as uow:
                work = uow.inbox.open_games(100)
            before = handled
            for group in _groups(work):
                if should_stop():
                    break
                all_of_it = handled + len(group)
                for finished in _handle_together(service, group, should_stop):
                    handled += finished
                if before < handled < all_of_it:
                    # some messages were skipped, so list the work again
                    break
            if handled == before:
                break
    except ReaderAwayError as error:
        log.error("mail parser not available", action="reader_away", error=str(error))
    contact.tell_games(service)
    return handled


def _groups(work: Sequence[PendingWork]) -> Iterator[list[PendingWork]]:
    """Split the work into groups of at most one message per game, keeping the order.

    Work without a game forms a separate group.
    """
    group: list[PendingWork] = []
    for item in work:
        if group and (item.game_id is None or len(group) == GROUP):
            yield group
            group = []
        if item.game_id is None:
            yield [item]
        else:
            group.append(item)
    if group:
        yield group


def _handle_together(
    service: Service, works: Sequence[PendingWork], should_stop: Callable[[], bool]
) -> Iterator[int]:
    """Handle the oldest open message of each game.

    All messages share the first transaction, until `should_stop` is true or it takes too long.
    Messages that fail in it are retried in separate transactions. Yields the number of finished
    messages after each transaction.

    Raises: StoreAwayError if the transaction could not begin, because retrying would fail too.
    """
    if len(works) == 1:
        yield handle_next(service, works[0])
        return
    finished: dict[int, Verdict] = {}
    failed: list[PendingWork] = []
    began: float | None = None
    seconds = 0.0
    try:
        with service.store.unit_of_work() as transaction:
            began = time.perf_counter()  # excludes the wait for other writers
            for work in works:
                if should_stop() or time.perf_counter() - began > GROUP_SECONDS:
                    break
                if not _handle_in_savepoint(service, transaction, work, finished):
                    failed.append(work)  # `handle_next` quarantines it if it fails again
        seconds = time.perf_counter() - began
    except StoreError as error:
        if began is None and isinstance(error, StoreAwayError):
            raise
        log.warning(
            "batch failed; retrying messages one at a time",
            action="group_undone",
            why=type(error).__name__,
        )
        finished, failed = {}, [*works]
    for mail_id, verdict in finished.items():
        _log_handled(mail_id, verdict, seconds / len(finished))
    yield len(finished)
    yield from (handle_next(service, work) for work in failed if not should_stop())


def _handle_in_savepoint(
    service: Service, transaction: UnitOfWork, work: PendingWork, finished: dict[int, Verdict]
) -> bool:
    """Handle a message in a savepoint. Roll that back and return False if the message fails.

    Args:
        finished: gets the message's verdict by its ID.

    Raises: StoreError if the transaction itself may have failed.
    """
    try:
        with service.store.savepoint(transaction) as uow:
            row = _claim(uow, work)
            verdict = None if row is None else _handle_and_mark(service, uow, row)
    except Exception as error:
        if isinstance(error, StoreError) and not isinstance(error, _ALONE):
            raise
        return False
    if row is not None and verdict is not None:
        finished[row.id] = verdict
    return True


def handle_next(service: Service, work: PendingWork) -> int:
    """Handle the oldest open message of a game. Return 1 if there was one, otherwise 0.

    If the work has no game, the message that it names is handled instead.
    """
    began = time.perf_counter()
    mail_id: int | None = None
    thoughts: dict[bytes, str] = {}

    def handle(uow: UnitOfWork) -> Verdict | None:
        nonlocal mail_id
        row = _claim(uow, work)
        mail_id = None if row is None else row.id
        return None if row is None else _handle_and_mark(service, uow, row, thoughts)

    while True:
        try:
            verdict = retried(service, handle, trouble_tries=TROUBLE_TRIES)
        except ThoughtNeededError as needed:  # at most once for each ply of a turn
            thoughts[needed.question.line()] = advice.thought(service, needed.question)
            continue
        except (SchemaError, ReaderAwayError, StoreAwayError, VersionConflictError):
            raise  # the message did not cause the error, and is handled later
        except Exception as error:
            if mail_id is None:
                raise
            return _shunt(service, mail_id, error)
        if mail_id is None or verdict is None:
            return 0  # already handled, or claimed by another worker
        _log_handled(mail_id, verdict, time.perf_counter() - began)
        return 1


def _handle_and_mark(
    service: Service, uow: UnitOfWork, row: InboxMail, thoughts: Mapping[bytes, str] = _NO_THOUGHTS
) -> Verdict:
    """Handle a claimed message, and store its verdict.

    Args:
        thoughts: answers of bots by question. Bots never run inside a transaction.

    Raises: ThoughtNeededError if another answer is needed.
    """
    service = replace(service, thinker=PreparedThinker(thoughts))
    if row.fits:
        verdict = _handle(service, uow, row)
    else:  # notify only the admins
        to_admins.alert_failed_verification(service, uow, RowVerificationError(INBOX.name, row.id))
        verdict = Verdict("shunted", "its row in the database failed verification")
    uow.inbox.mark(
        row.id,
        verdict.status,
        verdict=verdict.as_json(),
        error=verdict.why if verdict.status == "shunted" else None,
        handled_at=service.now(),
    )
    for player_id in sorted(uow.players.unfit):
        to_admins.alert_failed_verification(
            service, uow, RowVerificationError(PLAYER.name, player_id)
        )
    return verdict


def _log_handled(mail_id: int, verdict: Verdict, seconds: float) -> None:
    log.info(
        "mail handled",
        action="mail_handled",
        inbox=mail_id,
        why=verdict.why,
        seconds=round(seconds, 4),
    )


def _claim(uow: UnitOfWork, work: PendingWork) -> InboxMail | None:
    if work.game_id is None:
        return uow.inbox.claim(work.mail_id)
    return uow.inbox.next_open(work.game_id) if uow.lock_game(work.game_id) else None


def _shunt(service: Service, inbox_id: int, error: Exception) -> int:
    """Quarantine a message and notify its player, unless it has to wait.

    Returns:
        1 if the message was quarantined. 0 if it was already finished (because another worker
        handled it, or the commit succeeded without confirmation) or is claimed by another worker.
    """
    try:
        is_open = _set_aside(service, inbox_id, error, is_told=True)
    except (SchemaError, StoreAwayError, VersionConflictError, ReaderAwayError):
        raise
    except Exception as trouble:  # noqa: BLE001  (after any error, the message must not be retried forever)
        log.error(
            "could not notify the sender of a quarantined message",
            action="shunt_untold",
            inbox=inbox_id,
            error=type(trouble).__name__,
        )
        is_open = _set_aside(service, inbox_id, error, is_told=False)
    if is_open:
        log.error(
            "mail quarantined", action="mail_shunted", inbox=inbox_id, error=type(error).__name__
        )
    return int(is_open)


def _set_aside(service: Service, inbox_id: int, error: Exception, *, is_told: bool) -> bool:
    """Mark an open, unclaimed message as quarantined, with the traceback but no content."""
    frames = traceback.extract_tb(error.__traceback__)
    where = "\n".join(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames)
    # Omit the text of other errors, because it might quote the player's message.
    what = f": {error}" if isinstance(error, ReaderError | MissingRulesetError) else ""
    with service.store.unit_of_work() as uow:
        row = uow.inbox.claim(inbox_id)
        if row is None:
            return False
        uow.inbox.mark(
            inbox_id,
            "shunted",
            error=f"{type(error).__name__}{what}\n{where}",
            handled_at=service.now(),
        )
        if isinstance(error, RowVerificationError):
            to_admins.alert_failed_verification(service, uow, error)
        if is_told:
            mail = sender_identity.read(service, row.raw, row.mail_from, head_only=True)
            said = refusing.UNREADABLE if isinstance(error, ReaderError) else refusing.SET_ASIDE
            if isinstance(error, MissingRulesetError):
                said = refusing.NOT_HERE
            refusing.tell_set_aside(service, uow, row, mail, said)
    return True


def _handle(service: Service, uow: UnitOfWork, row: InboxMail) -> Verdict:
    """Parse a message, identify its sender and pass it to its handler in `ROUTES`."""
    try:
        mail = sender_identity.read(service, row.raw, row.mail_from, uow=uow)
    except MalformedMailError as error:
        return Verdict("ignored", f"malformed: {error}", "auto")
    if mail.triage in (Triage.BOUNCE, Triage.COMPLAINT):
        return deliverability.handle_bounce(service, uow, row, mail.triage)
    is_listed = mail.triage is Triage.LISTED and mail.sender is not None
    if mail.triage is not Triage.HUMAN and not is_listed:
        return Verdict("ignored", f"not from a person: {mail.triage.value}", mail.triage.value)
    if mail.sender is None:
        return _refuse_authors(service, uow, row, mail)
    incoming = Incoming.of(service, uow, row, mail)
    if is_listed and not _is_listed_order(incoming):
        return Verdict("ignored", "marked as a list's mail, without a player's order", "listed")
    is_from_link = row.transport == join_links.PAGE
    if is_from_link and never_invite.is_listed(service, uow, incoming.sender):
        return Verdict("ignored", "entered on the page of a link, and wants no invitations")
    if service.trusted is not None and not (incoming.auth_level.is_trusted or is_from_link):
        return refusing.refuse_unproven(incoming)
    if mail.autocrypt:
        own_encryption.take_newer_key(incoming)
    return ROUTES[_route_of(incoming)](incoming)


def _refuse_authors(
    service: Service, uow: UnitOfWork, row: InboxMail, mail: InboundMail
) -> Verdict:
    """Explain to the only player among several authors that From must contain one address."""
    named = [
        Incoming.of(service, uow, row, replace(mail, sender=address)) for address in mail.authors
    ]
    known = {author.player.id: author for author in named if author.writer is not None}
    authors = [author for author in known.values() if author.auth_level.is_trusted] or [
        *known.values()
    ]
    if len(authors) != 1:
        return Verdict("ignored", "no single well-formed sender")
    if service.trusted is not None and not authors[0].auth_level.is_trusted:
        return refusing.refuse_unproven(authors[0])
    return refusing.refuse(authors[0], refusing.AUTHORS)


class Route(Enum):
    """The kind of reply address a message was sent to, and the sender's relation to it."""

    ADMIN = "an admin's answer"
    QUESTION = "the answer to a question"
    BARE = "no reply address, from a player"
    BROKEN = "a reply address that speaks for nobody, from a player"
    STRANGER = "no reply address, from a stranger"
    BROKEN_STRANGER = "a reply address that speaks for nobody, from a stranger"
    UNASSIGNED = "a seat's reply address; the mail has not waited its turn in that game"
    REPLACED = "a replaced reply address, from another sender"
    FORMER = "the reply address of a seat's former player, from another sender"
    OTHER = "a right reply address, from another sender"
    SEAT = "a seat's reply address, from its player"
    PERSON = "a person's reply address, from that person"
    OFFER = "the offer of a seat, from the person who has it"


def _route_of(incoming: Incoming) -> Route:
    token, writer = incoming.token, incoming.writer
    match token:
        case AdminToken():
            return Route.ADMIN
        case QuestionToken():
            return Route.QUESTION
        case None | BounceToken():
            owner = None
        case _:
            owner = sender_identity.owner_of(incoming.uow, token)
    if token is None or isinstance(token, BounceToken) or owner is None:
        if incoming.has_token:
            return Route.BROKEN_STRANGER if writer is None else Route.BROKEN
        return Route.STRANGER if writer is None else Route.BARE
    row = incoming.row
    if isinstance(token, SeatToken) and (row.game_id, row.seat) != (token.game_id, token.seat):
        return Route.UNASSIGNED
    if writer is None or writer.id != owner.id:
        incoming.uow.inbox.attribute(row.id, incoming.sender, owner.id)
        if not isinstance(token, OfferToken) and token.rotation != owner.rotation:
            return Route.REPLACED
        if not isinstance(token, SeatToken):
            return Route.OTHER
        seat = games.load(incoming.uow, token.game_id).seats[token.seat]
        return Route.OTHER if token.generation == seat.generation else Route.FORMER
    if isinstance(token, SeatToken):
        return Route.SEAT
    return Route.PERSON if isinstance(token, PlayerToken) else Route.OFFER


Handler = Callable[[Incoming], Verdict]


def _ignored(why: str) -> Handler:
    return lambda incoming: Verdict("ignored", why)


def _assign(incoming: Incoming) -> Verdict:
    """Queue a message for its game, which accepting could not determine from the header."""
    token = incoming.token
    if isinstance(token, SeatToken):
        incoming.uow.inbox.assign(incoming.row.id, token.game_id, token.seat)
    return Verdict("new", "found out which game it belongs to")


def _only_from_owner(handler: Handler) -> Handler:
    """Wrap a handler for messages from players to their own reply addresses, even revoked ones."""

    def checked(incoming: Incoming) -> Verdict:
        service, uow, row = incoming.service, incoming.uow, incoming.row
        player, is_trusted = incoming.player, incoming.auth_level.is_trusted
        # An unauthenticated message does not count as the player's.
        of = player.id if is_trusted else None
        uow.inbox.attribute(row.id, incoming.sender, of)
        if is_trusted:
            deliverability.heard_from(service, uow, player.id)
            if limits.is_flood(service, uow, player.id, row.game_id):
                return refusing.refuse_flood(incoming)
        return handler(incoming)

    return checked


def _to_person(incoming: Incoming) -> Verdict:
    """Handle a message to a player's reply address. The subject `stop` unsubscribes."""
    token, player = incoming.token, incoming.player
    is_current = isinstance(token, PlayerToken) and token.rotation == player.rotation
    if not (is_current and deliverability.asks_to_stop(incoming.mail)):
        return player_mail.handle(incoming)
    if incoming.auth_level.is_strong:
        return leagues.stop_all(incoming, cause=incoming.row.cause)
    return questions.ask_to_stop(
        incoming.orders(),
        incoming.row,
        is_invited=leagues.was_only_invited(incoming.uow, player.id),
    )


ROUTES: Mapping[Route, Handler] = {
    Route.ADMIN: admin_mail.handle,
    Route.QUESTION: answers.answer,
    Route.BARE: player_mail.handle,
    Route.BROKEN: player_mail.with_broken_token,
    Route.STRANGER: strangers.answer,
    Route.BROKEN_STRANGER: _ignored("no valid token, and a sender whom nobody knows"),
    Route.UNASSIGNED: _assign,
    Route.REPLACED: _ignored("a reply address that was replaced, from a stranger"),
    Route.FORMER: refusing.refuse_replaced,
    Route.OTHER: answers.hold,
    Route.SEAT: _only_from_owner(seat_mail.handle),
    Route.PERSON: _only_from_owner(_to_person),
    Route.OFFER: _only_from_owner(player_mail.handle_offer),
}
"""The handler for each route of a message from a person."""


_ORDERS = (LineKind.SERVICE, LineKind.GAME)


def _is_listed_order(incoming: Incoming) -> bool:
    """True if a message with mailing-list headers is an order from the owner of its reply address.

    Alias services add `List-Unsubscribe` to each message that they forward, and a group address in
    front of the mailbox adds `List-ID` and `Precedence: list`. Old vacation programs use the same
    headers, so such a message counts only if a program is unlikely to have written it.
    """
    service, uow, token = incoming.service, incoming.uow, incoming.token
    if token is None or isinstance(token, BounceToken):
        return False
    if service.trusted is not None and not incoming.auth_level.is_trusted:
        return False
    if isinstance(token, AdminToken):  # its handler compares the sender with the token
        return bool(admin_orders.read(extract_reply(incoming.mail, recogniser=admin_orders).text))
    reader = incoming
    asked = uow.questions.get(token.question_id) if isinstance(token, QuestionToken) else None
    # its handler also compares the sender with the token
    if asked is not None and asked.what.address and asked.player_id:
        reader = replace(incoming, writer=uow.players.get(asked.player_id))
    elif not sender_identity.is_token_of(uow, token, incoming.writer):
        return False
    answered = uow.outbox.texts_with_ids(service.tokens.stored_ids(incoming.mail.answers))
    quoting = quoted(one.forms for one in answered[:MAILS_COMPARED] if one.forms)
    own = reader.own_words(registry.latest(), quoting=quoting)
    return any(line.kind in _ORDERS for line in own.lines)
