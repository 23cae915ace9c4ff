"""Mails to a person that say that nothing was carried out, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from engine.sentences import sentence
from pbem.domain.words.orders import OrderLine
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_out.content import LineResult
from pbem.service.core import limits
from pbem.service.core.context import Service
from pbem.service.core.verdict import Verdict
from pbem.service.core.whose import Proof
from pbem.service.notify import mailings
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
    shown = [LineResult(line.text[:200], "unused") for line in lines]
    mailings.queue_to_player(
        service,
        uow,
        kind="refusal",
        player_id=player.id,
        key=permit.key,
        params={
            "message": message,
            "notes": [*permit.notes(1)],
            "lines": [{**asdict(result), "suggestions": []} for result in shown],
            "suggestions": list(suggestions),
        },
        answers=mail.message_id,
    )
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
    mailings.queue_to_player(
        service,
        uow,
        kind="refusal",
        player_id=player.id,
        key=f"flood:{player.id}:{row.game_id}:{limits.window(service.now())}",
        params={
            "message": sentence(
                "More than {limit} mails of yours came within an hour. This one and those that"
                " follow it were not carried out; please send what still matters once more in an"
                " hour.",
                limit=limit,
            )
        },
        answers=mail.message_id,
    )
    return Verdict("ignored", "more mails in an hour than are carried out")
