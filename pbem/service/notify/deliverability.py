"""Deliverability of messages to players: bounces, complaints, unsubscriptions.

A bounce counts for the player in all their games. `clock.contact` then records it in each game's
log, where messages, the clock and health checks use it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog

from engine.sentences import Sentence, sentence
from pbem.domain.terms.tokens import BounceToken, PlayerToken, SeatToken, Token, find_tokens
from pbem.mail_in.mime import bounces
from pbem.mail_in.mime.message import InboundMail, Triage
from pbem.mail_out import kinds
from pbem.mail_out.kinds import KINDS, NoteParams
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.incoming import Incoming, Verdict
from pbem.service.notify import refusing, to_admins
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.core import Bounce, InboxMail, OutboxMail

log = structlog.get_logger(__name__)

SEARCHED = 64 * 1024
"""Number of bytes of a report that are searched for our tokens and Message-IDs."""
WORDS_TO_STOP = frozenset({"stop", "unsubscribe", "unsubscribe."})

POLICY_PERIOD = timedelta(days=1)
"""Time within which policy bounces of messages to several players are blamed on the server."""

_REASONS = {
    "bounces": "mails to them come back",
    "complaint": "a mail of ours was reported as spam",
    "unsubscribed": "they want no more mails",
}


_QUESTIONS = {
    "bounces": sentence(
        "Reports say that my mails to you come back. If you can read this, answer with any line, such as"
        ' "games". If this mail comes back too, the others in your games read that you can\'t be reached.'
    ),
    "complaint": sentence(
        "A report says that you marked one of my mails as spam. If you want no more mails, answer"
        ' "unsubscribe". If you do nothing, your games and your mails go on.'
    ),
}


def handle_bounce(service: Service, uow: UnitOfWork, row: InboxMail, triage: Triage) -> Verdict:
    """Record a bounce or complaint about one of our messages.

    It counts only if it was sent to that message's bounce address. Any other report could have been
    written by anyone who has seen the message, so the admins are notified, and the player is asked
    after a complaint.
    """
    outgoing, is_trusted = _mail_concerned(service, uow, row)
    is_question = outgoing is not None and not KINDS[outgoing.kind].is_theirs
    if outgoing is None or outgoing.player_id is None or is_question:
        return Verdict("ignored", "a report about no player's mail", triage.value)
    report: bounces.BounceReport | None = bounces.BounceReport(bounces.COMPLAINT, None)
    if triage is not Triage.COMPLAINT:
        report = bounces.read_report(row.raw)
    if report is None:
        return Verdict("ignored", "a report of success", triage.value)
    result = f"{report.kind} {report.status}" if report.status else report.kind
    if not is_trusted:
        if report.kind == bounces.COMPLAINT:
            _ask(service, uow, outgoing.player_id, "complaint")
        to_admins.alert(service, uow, "unproven report", outgoing, result=result)
        return Verdict(
            "ignored", "a report that did not come to its mail's bounce address", triage.value
        )
    _count(
        service,
        uow,
        outgoing,
        outgoing.player_id,
        report,
        key=f"inbox:{row.id}",
        bounced_at=row.arrived_at,
        is_certain=outgoing.kind == kinds.ASK_REACH.name,
    )
    return Verdict("done", f"report about mail {outgoing.id}: {result}", triage.value)


def note_refusal(service: Service, uow: UnitOfWork, row: OutboxMail, status: str | None) -> None:
    """Count a recipient's rejection by the next server as a bounce."""
    if row.player_id is not None and KINDS[row.kind].is_theirs:
        report = bounces.BounceReport(bounces.severity(status or "5.0.0"), status)
        key, now = f"outbox:{row.id}", service.now()
        _count(service, uow, row, row.player_id, report, key=key, bounced_at=now, is_certain=True)


def heard_from(service: Service, uow: UnitOfWork, player_id: str) -> None:
    """Mark a player as reachable because they wrote."""
    if player_id not in uow.players.reached and uow.deliverability.mark_reachable(
        player_id, service.now()
    ):
        log.info("player reachable again", action="player_reached", player=player_id)


def asks_to_stop(mail: InboundMail) -> bool:
    """True if a message was created by our List-Unsubscribe link."""
    subject = re.sub(r" \[\S+\]$", "", mail.subject.strip())  # removes the token that a link adds
    return subject.lower() in WORDS_TO_STOP


def stop_mails(incoming: Incoming, notes: Sequence[Sentence] = ()) -> Verdict:
    """Stop messages to a player until they write again. A last message confirms it."""
    stop(incoming.service, incoming.uow, incoming.player.id)
    params = NoteParams(notes=tuple(notes))
    refusing.answer(incoming, kinds.STOPPED, params, f"stopped:{incoming.row.id}")
    return Verdict("done", "wants no more mails")


def stop(service: Service, uow: UnitOfWork, player_id: str) -> None:
    """Record that a player wants no messages until they write again."""
    _lose(service, uow, player_id, "unsubscribed")


def is_unwanted(uow: UnitOfWork, row: OutboxMail) -> bool:
    """True if a message must not be sent because its reader is unreachable or unsubscribed.

    Answers are always sent. Turn messages are also sent to players whose messages bounced, because
    delivery may work again, but not to players who complained or unsubscribed.
    """
    if row.player_id is None or row.answers is not None or not KINDS[row.kind].is_theirs:
        return False
    if row.player_id in uow.players.reached:
        return False
    unreachable = uow.deliverability.unreachable(row.player_id)
    if unreachable is None:
        return False
    return unreachable.reason != "bounces" or not KINDS[row.kind].reaches_unreachable


def _mail_concerned(
    service: Service, uow: UnitOfWork, row: InboxMail
) -> tuple[OutboxMail | None, bool]:
    """Return the message that a report is about, and whether it came to its bounce address.

    The bounce address is the envelope sender of that one message (VERP). It is in no header that we
    write, so forwarding the message does not reveal it, except with all headers of the receiving
    server (Return-Path). Reports to other addresses contain tokens and the Message-ID, which
    identify the message, but any reader of the message can write them.
    """
    address = service.tokens.token_text(row.rcpt_to or "")
    named = None if address is None else service.tokens.decode(address)
    if isinstance(named, BounceToken):
        return uow.outbox.get(named.outbox_id), True
    text = row.raw[:SEARCHED].decode("latin-1")
    tokens = [named, *find_tokens(service.tokens, text)]
    for token in tokens:
        if isinstance(token, BounceToken):
            return uow.outbox.get(token.outbox_id), False
    ids = re.findall(rf"<([^<>\s@]{{1,200}}@{re.escape(service.message_domain)})>", text)[:20]
    for mail in uow.outbox.by_message_id(service.tokens.stored_ids(ids)):
        if any(_speaks_for(token, mail) for token in tokens):
            return mail, False
    return None, False


def _speaks_for(token: Token | None, mail: OutboxMail) -> bool:
    match token:
        case SeatToken(game_id, seat):
            return (game_id, seat) == (mail.game_id, mail.seat)
        case PlayerToken(player_id):
            return player_id == mail.player_id
        case _:
            return False


def _count(
    service: Service,
    uow: UnitOfWork,
    row: OutboxMail,
    player_id: str,
    report: bounces.BounceReport,
    *,
    key: str,
    bounced_at: datetime,
    is_certain: bool,
) -> None:
    """Count a report about a message, and mark its reader unreachable after too many.

    If the player would miss something, reports alone have no effect: the player is asked, and only
    a report about that question is certain.

    Args:
        key: identifies the report, so that it counts once.
        is_certain: True if the next server rejected the recipient or the report is about the
            question.
    """
    limits, kind, status = service.config.limits, report.kind, report.status
    bounce = Bounce(
        key=key,
        player_id=player_id,
        outbox_id=row.id,
        kind=kind,
        status=status,
        score=bounces.SCORES[kind],
        bounced_at=bounced_at,
    )
    if not uow.deliverability.add_bounce(bounce):
        return
    log.info("mail bounced", action="mail_bounced", outbox=row.id, kind=kind)
    is_about_us = kind == bounces.POLICY or (status or "").startswith("5.4.")
    if is_about_us and uow.deliverability.excuse_policy(bounced_at - POLICY_PERIOD):
        to_admins.alert(service, uow, "policy bounces", status=status or "")
        return
    reason = "complaint" if kind == bounces.COMPLAINT else "bounces"
    since = bounced_at - timedelta(days=limits.bounce_days)
    is_enough = uow.deliverability.score(player_id, since) >= limits.bounce_threshold
    if reason == "bounces" and not is_enough:
        return
    if is_certain or not _is_at_stake(uow, player_id, reason):
        _lose(service, uow, player_id, reason)
    else:
        _ask(service, uow, player_id, reason)


def _is_at_stake(uow: UnitOfWork, player_id: str, reason: str) -> bool:
    """True if a player would miss turn messages when marked unreachable now.

    After bounces the next turn message is sent regardless, so only a current turn counts.
    """
    for game in games.of_player(uow, player_id, ("running",)):
        seats = game.seats_of(player_id)
        if any(seat in game.to_act for seat in seats) or (reason == "complaint" and seats):
            return True
    return False


def _ask(service: Service, uow: UnitOfWork, player_id: str, reason: str) -> None:
    """Ask a player to react to a report, at most once in `bounce_days`, and notify the admins."""
    since = service.now() - timedelta(days=service.config.limits.bounce_days)
    prefix = f"ask-reach:{reason}:{player_id}:"
    if uow.outbox.count_to(player_id, since, prefix=prefix):
        return
    params = NoteParams(
        message=_QUESTIONS[reason], suggestions=("unsubscribe",) if reason == "complaint" else ()
    )
    mailing = Mailing(kinds.ASK_REACH, params, f"{prefix}{service.now():%Y%m%dT%H%M%S}")
    queue_to_player(service, uow, player_id, mailing)
    to_admins.queue(
        service,
        uow,
        key=f"asked-reach:{reason}:{player_id}:{service.now():%Y-%m-%d}",
        message=f"A report says of {_name_of(uow, player_id)} that {_REASONS[reason]}. It may be forged,"
        " and they are playing, so nothing was stopped: they were asked by mail. If that question comes"
        " back, too, they count as unreachable.",
    )


def _name_of(uow: UnitOfWork, player_id: str) -> str:
    player = uow.players.get(player_id)
    return f"{'somebody' if player is None else player.name} (player {player_id})"


def _lose(service: Service, uow: UnitOfWork, player_id: str, reason: str) -> None:
    now = service.now()
    if not uow.deliverability.mark_unreachable(player_id, now, reason):
        return
    log.warning("player marked unreachable", action="player_lost", player=player_id, reason=reason)
    running = [row.id for row in uow.projections.games_of(player_id) if row.status == "running"]
    listed = ""
    if running:
        listed = f' Their games: {", ".join(running)}; "pause GAME" as an answer stops a clock.'
    to_admins.queue(
        service,
        uow,
        key=f"lost:{player_id}:{now:%Y%m%dT%H%M%S}",
        message=f"{_name_of(uow, player_id)} cannot be reached: {_REASONS[reason]}. The other"
        " players of their games are told. Their next mail, whatever is in it, ends this by itself;"
        f" `pbem mail outbox list` shows what was not delivered.{listed}",
        game_id=running[0] if len(running) == 1 else None,
    )
