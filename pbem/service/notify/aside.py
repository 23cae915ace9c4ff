"""Telling people, once, that a mail of theirs was set aside: from its header, and within the cap."""

from __future__ import annotations

from pbem.domain.terms.tokens import PlayerToken, SeatToken
from pbem.errors import LogError, UpcastError
from pbem.mail_in.mime.message import InboundMail, Triage
from pbem.service.core import limits, whose
from pbem.service.core.context import Service
from pbem.service.notify import mailings, refusing
from pbem.store.db.uow import UnitOfWork

UNREADABLE = (
    "Your mail could not be read: taking it apart cost too much time or memory. Nothing was carried"
    " out. Please answer again with a few lines of plain text and without attachments."
)
SET_ASIDE = (
    "Something went wrong here while your mail was being handled, and nothing was carried out. The"
    " mail is kept, and the people who run this server look at it: you need not send it again."
)


def too_large(size: int, limit: int) -> str:
    """Say that a mail was too large, how large it may be, and what to do."""
    return (
        f"Your mail has {_kilobytes(size)} kB, more than the {_kilobytes(limit)} kB that are accepted"
        " here, so it was not read and nothing in it was carried out. Please answer again with a few"
        " lines of text, without attachments and without a long quote."
    )


def tell(
    service: Service,
    uow: UnitOfWork,
    mail: InboundMail,
    raw: bytes,
    message: str,
    *,
    inbox_id: int,
    mail_from: str | None,
    rcpt_to: str | None,
) -> None:
    """Queue the answer to a person whose mail was set aside; machines and strangers get none.

    Args:
        mail: at least its header.
        raw: the mail, or its beginning.
        message: what the person is told.
        inbox_id: of the mail.
        mail_from: its envelope sender, if that is known.
        rcpt_to: the address that it came to, if that is known.
    """
    player = None if mail.sender is None else uow.players.by_address(mail.sender)
    if mail.triage is not Triage.HUMAN or mail.sender is None or player is None:
        return
    _, token = whose.token_of(service, rcpt_to, mail)
    if isinstance(token, SeatToken | PlayerToken):
        try:
            owner = whose.owner_of(uow, token)
        except (LogError, UpcastError):  # the game stands still: its player is told
            owner = player
        if owner is None or owner.id != player.id:
            return
    proof = whose.proof_of(service, uow, inbox_id, raw, mail_from, mail.sender, token, player)
    permit = limits.permit(service, uow, inbox_id, player.id, proof, "refusal")
    if permit is None:
        return
    if service.trusted is not None and not proof.is_proven:
        message = refusing.UNPROVEN
    mailings.queue_to_player(
        service,
        uow,
        kind="refusal",
        player_id=player.id,
        key=f"{permit.key}:shunted" if proof.is_proven else permit.key,
        params={
            "message": message,
            "notes": [*permit.notes(1)],
            "lines": [],
            "suggestions": [],
        },
        answers=mail.message_id,
    )


def _kilobytes(size: int) -> int:
    return -(-size // 1024)
