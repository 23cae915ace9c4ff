"""Mails to a player that say that nothing was carried out, and why."""

from __future__ import annotations

from collections.abc import Sequence

from engine.sentences import Sentence, joined, sentence
from pbem.domain.terms.tokens import PlayerToken, SeatToken
from pbem.domain.words.orders import OrderLine
from pbem.errors import LogError, UpcastError
from pbem.mail_in.mime.message import InboundMail, Triage
from pbem.mail_out.content import LineResult
from pbem.mail_out.kinds import REFUSAL, NoteParams
from pbem.service.core import limits, whose
from pbem.service.core.context import Service
from pbem.service.core.verdict import Verdict
from pbem.service.core.whose import Proof
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.post.inbox import InboxMail

SUGGESTED = (sentence("games"), sentence("rules"), sentence("help"))
"""What somebody can always ask for."""

UNPROVEN = sentence(
    "A mail in your name came without the proof of its origin (DKIM, DMARC) that this"
    " server asks for, so nothing in it was carried out. If it was yours, send it"
    " through the mail server of your own provider; otherwise somebody pretends to be"
    " you, in vain."
)
SILENCE = Verdict("ignored", "changed nothing, and enough such mails were answered in this hour")


def refuse(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player,
    message: str,
    lines: tuple[OrderLine, ...],
    proof: Proof,
    suggestions: Sequence[str] = SUGGESTED,
) -> Verdict:
    """Answer that nothing was carried out, and why; silent once too many answers changed nothing."""
    permit = limits.permit(service, uow, row.id, player.id, proof, "refusal")
    if permit is None:
        return SILENCE
    shown = tuple(LineResult(line.text[:200], "unused") for line in lines)
    params = NoteParams(joined([message]), tuple(permit.notes(1)), shown, tuple(suggestions))
    queue_to_player(service, uow, player.id, Mailing(REFUSAL, params, permit.key, mail.message_id))
    return Verdict("done", "refused: not an order for a game")


def refuse_unproven(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player | None,
    proof: Proof,
) -> Verdict:
    """Tell a person that a mail in their name came without the proof that the admin asks for."""
    if player is None:
        return Verdict("ignored", "not authenticated, and a sender whom nobody knows")
    verdict = refuse(service, uow, row, mail, player, UNPROVEN, (), proof)
    return Verdict("ignored", "not authenticated") if verdict.status == "done" else verdict


def refuse_replaced(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    mail: InboundMail,
    player: Player | None,
    proof: Proof,
) -> Verdict:
    """Tell who sat in a seat before that somebody else plays there now; nobody else is asked."""
    if player is None:
        return Verdict("ignored", "a reply address of who sat there before, from a stranger")
    message = sentence(
        "Somebody else plays in that seat now, so nothing was carried out; your mails of"
        " that game move nothing any more."
    )
    return refuse(service, uow, row, mail, player, message, (), proof)


def refuse_flood(
    service: Service, uow: UnitOfWork, row: InboxMail, mail: InboundMail, player: Player
) -> Verdict:
    """Say once an hour that too many mails came; what is not carried out is kept."""
    limit = service.config.limits.mails_per_hour
    said = sentence(
        "More than {limit} mails of yours came within an hour. This one and those that"
        " follow it were not carried out; please send what still matters once more in an"
        " hour.",
        limit=limit,
    )
    key = f"flood:{player.id}:{row.game_id}:{limits.window(service.now())}"
    mail_out = Mailing(REFUSAL, NoteParams(said), key, mail.message_id)
    queue_to_player(service, uow, player.id, mail_out)
    return Verdict("ignored", "more mails in an hour than are carried out")


# --- mails that were set aside --------------------------------------------------------------------

UNREADABLE = sentence(
    "Your mail could not be read: taking it apart cost too much time or memory. Nothing was carried"
    " out. Please answer again with a few lines of plain text and without attachments."
)
SET_ASIDE = sentence(
    "Something went wrong here while your mail was being handled, and nothing was carried out. The"
    " mail is kept, and the people who run this server look at it: you need not send it again."
)


def too_large(size: int, limit: int) -> Sentence:
    """Say that a mail was too large, how large it may be, and what to do."""
    return sentence(
        "Your mail has {size} kB, more than the {limit} kB that are accepted here, so it was not read"
        " and nothing in it was carried out. Please answer again with a few lines of text, without"
        " attachments and without a long quote.",
        size=_kilobytes(size),
        limit=_kilobytes(limit),
    )


def tell_set_aside(
    service: Service,
    uow: UnitOfWork,
    mail: InboundMail,
    raw: bytes,
    message: Sentence,
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
        message = UNPROVEN
    key = f"{permit.key}:shunted" if proof.is_proven else permit.key
    params = NoteParams(message, tuple(permit.notes(1)))
    queue_to_player(service, uow, player.id, Mailing(REFUSAL, params, key, mail.message_id))


def _kilobytes(size: int) -> int:
    return -(-size // 1024)
