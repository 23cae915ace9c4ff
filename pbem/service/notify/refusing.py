"""Answers to players that explain why nothing was done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from engine.sentences import Sentence, all_of, joined, sentence
from pbem.domain.terms.tokens import PlayerToken, SeatToken
from pbem.domain.words.service_words import Word
from pbem.domain.words.translate import shown_order
from pbem.errors import LogError, UpcastError
from pbem.mail_in.mime.message import InboundMail, Triage
from pbem.mail_out.content import LineResult
from pbem.mail_out.kinds import NOTED, REFUSAL, MailKind, NoteParams, Params
from pbem.service.core import limits, sender_identity
from pbem.service.core.context import Service
from pbem.service.core.incoming import Incoming, Verdict
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.core import InboxMail

P = TypeVar("P", bound=Params)

SUGGESTED = (sentence("games"), sentence("rules"), sentence("help"))
"""Orders that a player can always use."""

UNPROVEN = sentence(
    "A mail in your name came without the proof of its origin (DKIM, DMARC) that this"
    " server asks for, so nothing in it was carried out. If it was yours, send it"
    " through the mail server of your own provider; otherwise somebody pretends to be"
    " you, in vain."
)
AUTHORS = sentence(
    "The From line of your mail does not name exactly one address, so it is not clear who wrote the"
    " mail. Nothing was carried out. Please send it again with your own address as the only sender."
)
SILENCE = Verdict("ignored", "changed nothing, and enough such mails were answered in this hour")


def answer(incoming: Incoming, kind: MailKind[P], params: P, key: str) -> None:
    """Queue an answer to the player who sent a message."""
    mail = Mailing(kind, params, key, incoming.mail.message_id)
    queue_to_player(incoming.service, incoming.uow, incoming.player.id, mail)


def named_orders(words: Iterable[Word], language: str) -> Sentence:
    """List order words in the reader's language, without duplicates, for a title."""
    return all_of(list(dict.fromkeys(shown_order(word.value, language) for word in words)))


def note(incoming: Incoming, message: Sentence) -> None:
    """Queue an answer that confirms what was done."""
    answer(incoming, NOTED, NoteParams(message), f"noted:{incoming.row.id}")


def refuse(
    incoming: Incoming,
    message: str,
    lines: Sequence[str] = (),
    suggestions: Sequence[str] = SUGGESTED,
) -> Verdict:
    """Queue an answer that explains why nothing was done.

    No answer is sent if too many recent answers reported that nothing had changed.

    Args:
        incoming: a player's message.
        message: the reason.
        lines: lines of the message to show.
        suggestions: orders to suggest.
    """
    permit = incoming.permit("refusal")
    if permit is None:
        return SILENCE
    shown = tuple(LineResult(line[:200], "unused") for line in lines)
    params = NoteParams(joined([message]), tuple(permit.notes(1)), shown, tuple(suggestions))
    answer(incoming, REFUSAL, params, permit.key)
    return Verdict("done", "refused: not an order for a game")


def refuse_unproven(incoming: Incoming) -> Verdict:
    """Inform a player that a message in their name lacked the authentication the admin requires.

    Unregistered senders get no answer.
    """
    if incoming.writer is None:
        return Verdict("ignored", "not authenticated, and a sender whom nobody knows")
    verdict = refuse(incoming, UNPROVEN)
    return Verdict("ignored", "not authenticated") if verdict.status == "done" else verdict


def refuse_replaced(incoming: Incoming) -> Verdict:
    """Inform a seat's former player that another player has the seat now.

    The current player is not asked.
    """
    if incoming.writer is None:
        return Verdict("ignored", "a reply address of who sat there before, from a stranger")
    message = sentence(
        "Somebody else plays in that seat now, so nothing was carried out; your mails of"
        " that game move nothing any more."
    )
    return refuse(incoming, message)


def refuse_flood(incoming: Incoming) -> Verdict:
    """Inform a player, once an hour, that too many messages arrived. They are still stored."""
    service, player = incoming.service, incoming.player
    message = sentence(
        "More than {limit} mails of yours came within an hour. This one and those that"
        " follow it were not carried out; please send what still matters once more in an"
        " hour.",
        limit=service.config.limits.mails_per_hour,
    )
    key = f"flood:{player.id}:{incoming.row.game_id}:{limits.window(service.now())}"
    answer(incoming, REFUSAL, NoteParams(message), key)
    return Verdict("ignored", "more mails in an hour than are carried out")


# --- quarantined messages
# --------------------------------------------------------------------------

UNREADABLE = sentence(
    "Your mail could not be read: taking it apart cost too much time or memory. Nothing was carried"
    " out. Please answer again with a few lines of plain text and without attachments."
)
SET_ASIDE = sentence(
    "Something went wrong here while your mail was being handled, and nothing was carried out. The"
    " mail is kept, and the people who run this server look at it: you need not send it again."
)

NOT_HERE = sentence(
    "The rules of this game are not installed on the server at the moment, so nothing was carried out."
    " The mail is kept, and the people who run this server look at it: you need not send it again."
)


def too_large(size: int, limit: int) -> Sentence:
    """Explain that a message was too large, and how to shorten it. Sizes are in bytes."""
    return sentence(
        "Your mail has {size} kB, more than the {limit} kB that are accepted here, so it was not read"
        " and nothing in it was carried out. Please answer again with a few lines of text, without"
        " attachments and without a long quote.",
        size=_kilobytes(size),
        limit=_kilobytes(limit),
    )


def tell_set_aside(
    service: Service, uow: UnitOfWork, row: InboxMail, mail: InboundMail, message: Sentence
) -> None:
    """Queue an answer to a player whose message was quarantined or not accepted.

    Programs and unregistered senders get no answer.

    Args:
        row: the message, or its beginning.
        mail: the parsed message, at least its header.
        message: the text for the player.
    """
    player = None if mail.sender is None else uow.players.by_address(mail.sender)
    if mail.triage is not Triage.HUMAN or mail.sender is None or player is None:
        return
    _, token = sender_identity.token_of(service, uow, row.rcpt_to, mail)
    if isinstance(token, SeatToken | PlayerToken):
        try:
            owner = sender_identity.owner_of(uow, token)
        except (LogError, UpcastError):  # notify the player although the game cannot be loaded
            owner = player
        if owner is None or owner.id != player.id:
            return
    auth_level = sender_identity.auth_level_of(service, uow, row, mail.sender, token, player)
    permit = limits.permit(service, uow, row, player.id, auth_level, "refusal")
    if permit is None:
        return
    if service.trusted is not None and not auth_level.is_trusted:
        message = UNPROVEN
    key = f"{permit.key}:shunted" if auth_level.is_trusted else permit.key
    params = NoteParams(message, tuple(permit.notes(1)))
    queue_to_player(service, uow, player.id, Mailing(REFUSAL, params, key, mail.message_id))


def _kilobytes(size: int) -> int:
    return -(-size // 1024)
