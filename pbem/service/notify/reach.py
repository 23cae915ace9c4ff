"""Whether mails reach players: bounces, complaints, requests to stop mails.

A returned mail counts for the person, in all their games. Each game's log then records it in an
event of its own (`clock.contact`), so that its players, its clock and its checkers know.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog

from engine.sentences import Sentence
from pbem.domain.terms.tokens import BounceToken, PlayerToken, SeatToken, Token, find_tokens
from pbem.mail_in.mime import bounces
from pbem.mail_in.mime.message import InboundMail, Triage
from pbem.mail_out import kinds
from pbem.mail_out.kinds import KINDS, NoteParams
from pbem.service.core.context import Service
from pbem.service.core.incoming import Incoming, Verdict
from pbem.service.notify import refusing, to_admins
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.inbox import InboxMail
from pbem.store.post.outgoing import Outgoing
from pbem.store.post.reach import Bounce

log = structlog.get_logger(__name__)

SEARCHED = 64 * 1024
"""Bytes of a report that are searched for our reply addresses and Message-IDs."""
WORDS_TO_STOP = frozenset({"stop", "unsubscribe", "unsubscribe."})

_REASONS = {
    "bounces": "mails to them come back",
    "complaint": "a mail of ours was reported as spam",
    "unsubscribed": "they want no more mails",
}


def take_bounce(service: Service, uow: UnitOfWork, row: InboxMail, triage: Triage) -> Verdict:
    """Note the report of a mail server or complaint desk on one of our mails."""
    outgoing = _mail_concerned(service, uow, row)
    is_question = outgoing is not None and not KINDS[outgoing.kind].is_theirs
    if outgoing is None or outgoing.player_id is None or is_question:
        return Verdict("ignored", "a report about no player's mail", triage.value)
    report: bounces.BounceReport | None = bounces.BounceReport(bounces.COMPLAINT, None)
    if triage is not Triage.COMPLAINT:
        report = bounces.read_report(row.raw)
    if report is None:
        return Verdict("ignored", "a report of success", triage.value)
    key = f"inbox:{row.id}"
    _count(service, uow, _bounce(key, outgoing, outgoing.player_id, report, row.arrived_at))
    said = f"{report.kind} {report.status}" if report.status else report.kind
    return Verdict("done", f"report about mail {outgoing.id}: {said}", triage.value)


def note_refusal(service: Service, uow: UnitOfWork, row: Outgoing, status: str | None) -> None:
    """Count a reader's refusal at our next server as a bounce."""
    if row.player_id is not None and KINDS[row.kind].is_theirs:
        report = bounces.BounceReport(bounces.severity(status or "5.0.0"), status)
        key = f"outbox:{row.id}"
        _count(service, uow, _bounce(key, row, row.player_id, report, service.now()))


def heard_from(service: Service, uow: UnitOfWork, player_id: str) -> None:
    """Note that a person wrote: mails reach them."""
    if player_id not in uow.players.reached and uow.reach.find(player_id, service.now()):
        log.info("player reached", action="player_reached", player=player_id)


def asks_to_stop(mail: InboundMail) -> bool:
    """True if a mail comes from our List-Unsubscribe link."""
    subject = re.sub(r" \[\S+\]$", "", mail.subject.strip())  # the token of a link
    return subject.lower() in WORDS_TO_STOP


def stop_mails(incoming: Incoming, notes: Sequence[Sentence] = ()) -> Verdict:
    """Stop mails to a person until they write again; a last mail says so, with these notes."""
    stop(incoming.service, incoming.uow, incoming.player.id)
    params = NoteParams(notes=tuple(notes))
    refusing.answer(incoming, kinds.STOPPED, params, f"stopped:{incoming.row.id}")
    return Verdict("done", "wants no more mails")


def stop(service: Service, uow: UnitOfWork, player_id: str) -> None:
    """Note that a person wants no more mails until they write again."""
    _lose(service, uow, player_id, "unsubscribed")


def is_unwanted(uow: UnitOfWork, row: Outgoing) -> bool:
    """True if a mail is held back: its reader is unreachable or wants none.

    Answers are always sent. A new turn is also mailed to a player whose mails came back: they may
    arrive again. A player who complained or wants no mails gets none.
    """
    if row.player_id is None or row.answers is not None or not KINDS[row.kind].is_theirs:
        return False
    if row.player_id in uow.players.reached:
        return False
    loss = uow.reach.loss(row.player_id)
    if loss is None:
        return False
    return loss.reason != "bounces" or not KINDS[row.kind].reaches_unreachable


def _mail_concerned(service: Service, uow: UnitOfWork, row: InboxMail) -> Outgoing | None:
    """Find the mail of a report, by one of our tokens, which nobody can forge.

    The envelope sender names it (VERP). Servers that report to another of our addresses send the
    mail back, with its Message-ID and its reply address.
    """
    text = row.raw[:SEARCHED].decode("latin-1")
    address = service.tokens.token_text(row.rcpt_to or "")
    named = None if address is None else service.tokens.decode(address)
    tokens = [named, *find_tokens(service.tokens, text)]
    for token in tokens:
        if isinstance(token, BounceToken):
            return uow.outbox.get(token.outbox_id)
    ids = re.findall(rf"<([^<>\s@]{{1,200}}@{re.escape(service.message_domain)})>", text)[:20]
    for mail in uow.outbox.by_message_id(service.tokens.stored_ids(ids)):
        if any(_speaks_for(token, mail) for token in tokens):
            return mail
    return None


def _speaks_for(token: Token | None, mail: Outgoing) -> bool:
    match token:
        case SeatToken(game_id, seat):
            return (game_id, seat) == (mail.game_id, mail.seat)
        case PlayerToken(player_id):
            return player_id == mail.player_id
        case _:
            return False


def _bounce(
    key: str, outgoing: Outgoing, player_id: str, report: bounces.BounceReport, at: datetime
) -> Bounce:
    return Bounce(
        key=key,
        player_id=player_id,
        outbox_id=outgoing.id,
        kind=report.kind,
        status=report.status,
        score=bounces.SCORES[report.kind],
        bounced_at=at,
    )


def _count(service: Service, uow: UnitOfWork, bounce: Bounce) -> None:
    limits = service.config.limits
    if not uow.reach.add_bounce(bounce):
        return
    log.info("mail bounced", action="mail_bounced", outbox=bounce.outbox_id, kind=bounce.kind)
    if bounce.kind == bounces.COMPLAINT:
        _lose(service, uow, bounce.player_id, "complaint")
        return
    since = bounce.bounced_at - timedelta(days=limits.bounce_days)
    if uow.reach.score(bounce.player_id, since) >= limits.bounce_threshold:
        _lose(service, uow, bounce.player_id, "bounces")


def _lose(service: Service, uow: UnitOfWork, player_id: str, reason: str) -> None:
    now = service.now()
    if not uow.reach.lose(player_id, now, reason):
        return
    log.warning("player lost", action="player_lost", player=player_id, reason=reason)
    player = uow.players.get(player_id)
    name = "somebody" if player is None else player.name
    running = [row.id for row in uow.projections.games_of(player_id) if row.status == "running"]
    listed = ""
    if running:
        listed = f' Their games: {", ".join(running)}; "pause GAME" as an answer stops a clock.'
    to_admins.queue(
        service,
        uow,
        key=f"lost:{player_id}:{now:%Y%m%dT%H%M%S}",
        message=f"{name} (player {player_id}) cannot be reached: {_REASONS[reason]}. The other"
        " players of their games are told. Their next mail, whatever is in it, ends this by itself;"
        f" `pbem mail outbox list` shows what was not delivered.{listed}",
        game_id=running[0] if len(running) == 1 else None,
    )
