"""Identify and authenticate the sender of a message by token, envelope and trusted server."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import partial
from typing import Final

from engine.api import JsonObject
from pbem.domain.terms.tokens import (
    AdminToken,
    OfferToken,
    PlayerToken,
    QuestionToken,
    SeatToken,
    Token,
    find_token,
    right_tokens,
    token_written,
)
from pbem.errors import LogError, StoreAwayError, StoreError, UnknownStreamError, UpcastError
from pbem.mail_in.mime.authentication import judge
from pbem.mail_in.mime.message import InboundMail
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.post.pruning import KNOWN_BY
from pbem.store.rows.core import InboxMail

PAGE: Final = "page"
"""Transport of orders submitted by a known browser.

They are treated like messages to the reply address.
"""


class AuthLevel(Enum):
    """How a message was authenticated as coming from the player named in From (see `auth_level_of`)."""

    FOREIGN = "foreign"
    """Only From names the player, and the SMTP envelope has a different domain. Never answered."""
    CLAIM = "claim"
    """Only From names the player, which anyone can forge."""
    TOKEN = "token"  # noqa: S105  (a level, no password)
    """It was sent to a reply address that appears only in this player's messages."""
    AUTHENTICATED = "authenticated"
    """The trusted mail server authenticated the sender."""
    CONFIRMED = "confirmed"
    """The player was asked about this message and confirmed it."""

    @property
    def is_strong(self) -> bool:
        """True if someone who only has access to the player's mailbox cannot have sent it."""
        return self in (AuthLevel.AUTHENTICATED, AuthLevel.CONFIRMED)

    @property
    def is_trusted(self) -> bool:
        """True if the message counts as the player's and gets their full budget of answers."""
        return self.is_strong or self is AuthLevel.TOKEN


def read(
    service: Service,
    raw: bytes,
    mail_from: str | None,
    *,
    uow: UnitOfWork | None = None,
    head_only: bool = False,
) -> InboundMail:
    """Parse a raw message, and decrypt it if its sender is a player who uses encryption.

    Decryption needs `uow`. The service has a separate key for each player, so an intercepted reply
    that someone else resends is not decrypted. The content of a message is reported only in
    messages encrypted for its author.

    Raises: MalformedMailError, ReaderError, ReaderAwayError.
    """
    mail = partial(
        service.reader.read,
        raw,
        own_domains=[service.message_domain],
        own_addresses=[service.own_address],
        mail_from=mail_from,
    )
    if head_only or uow is None or not is_sealed(raw):
        return mail(head_only=head_only)
    writer = uow.players.by_address(mail(head_only=True).sender or "")
    if writer is None or writer.openpgp is None:
        return mail()
    return mail(secret=uow.players.own_secret(writer.id, service.own_address))


def is_sealed(raw: bytes) -> bool:
    """True if a message is encrypted (PGP/MIME)."""
    return _SEALED in raw[:_BEGIN].lower()


_BEGIN, _SEALED = 64 * 1024, b"multipart/encrypted"
"""Number of bytes searched for the Content-Type header, and the value to find."""


def token_of(
    service: Service, uow: UnitOfWork, rcpt_to: str | None, mail: InboundMail
) -> tuple[str | None, Token | None]:
    """Return the token that a message was sent to, as text and as a value, or None for both.

    Some mail programs reply to the From address, which has no token. In that case the token is
    taken from the message it answers, or from the quoted text.
    """
    addresses = [rcpt_to] if rcpt_to else []
    text, token = find_token(service.tokens, [*addresses, *mail.recipients], mail.subject)
    if text is None:
        text, token = answered_token(service, uow, mail.answers)
    if text is None and service.tokens.is_plain:
        return quoted_token(service, uow, mail)
    return text, token


def quoted_token(
    service: Service, uow: UnitOfWork, mail: InboundMail
) -> tuple[str | None, Token | None]:
    """Return the token in the quoted text of our message.

    Our messages contain texts of other players, which may include their tokens. A token that
    belongs to the sender therefore takes precedence over other tokens.
    """
    for words in (mail.plain, mail.html):
        if tokens := right_tokens(service.tokens, words or ""):
            own = (
                token for token in tokens if _speaks_for(service, uow, token[1], mail.sender or "")
            )
            return next(own, tokens[0])
    return None, None


def _speaks_for(service: Service, uow: UnitOfWork, token: Token, sender: str) -> bool:
    """True if a token was issued to the owner of an address, even if it has since been revoked."""
    if isinstance(token, AdminToken):
        return sender.lower() in service.config.service.admins
    writer = uow.players.by_address(sender)
    if writer is None:
        return False
    if isinstance(token, QuestionToken):
        return is_token_of(uow, token, writer)
    try:
        owner = owner_of(uow, token) if isinstance(token, OWNED) else None
    except (LogError, UpcastError):
        return False
    return owner is not None and owner.id == writer.id


def answered_token(
    service: Service, uow: UnitOfWork, ids: Sequence[str]
) -> tuple[str | None, Token | None]:
    """Return the token of the first of these Message-IDs that is ours or contains a token.

    Both kinds of Message-ID contain a MAC, so they cannot be forged. In-Reply-To and References
    contain them (RFC 5322 §3.6.4).
    """
    own = service.tokens.stored_ids(ids)
    try:
        mails = {mail.message_id: mail for mail in uow.outbox.by_message_id(own)} if own else {}
    except StoreAwayError:
        raise
    except StoreError:
        return None, None  # our message is damaged, but the reply is accepted
    for message_id in ids:
        local, _, domain = message_id.rpartition("@")
        token = service.tokens.decode(local) if domain == service.message_domain else None
        if token is not None:
            return local, token
        stored = service.tokens.stored_ids([message_id])
        mail = mails.get(stored[0]) if stored else None
        if mail is None:
            continue
        text = token_written(mail.rendered) if mail.rendered else mail.params.get(KNOWN_BY)
        if isinstance(text, str):
            return text, service.tokens.decode(text)
    return None, None


OWNED = (SeatToken, PlayerToken, OfferToken)
"""Kinds of tokens that identify one player."""


def owner_of(uow: UnitOfWork, token: SeatToken | PlayerToken | OfferToken) -> Player | None:
    """Return the player whom a token identifies, or None if there is no such seat or game.

    The owner of a seat is read from the log, which is protected against changes, not from a
    projection.

    Raises: LogError, UpcastError.
    """
    if isinstance(token, PlayerToken | OfferToken):
        return uow.players.get(token.player_id)
    try:
        seats = games.load(uow, token.game_id).seats
    except UnknownStreamError:
        return None
    return uow.players.get(seats[token.seat].player) if token.seat < len(seats) else None


def auth_level_of(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    sender: str,
    token: Token | None,
    player: Player | None,
) -> AuthLevel:
    """Determine how well a message is authenticated as coming from `player`, named in From.

    If there is a trusted server, its result is recorded with the message, and only a pass counts,
    so that a stolen reply address is useless. Browsers on the seat page are exempt, because they
    became known by a message with such a pass.
    """
    nothing = AuthLevel.FOREIGN if has_foreign_envelope(row.mail_from, sender) else AuthLevel.CLAIM
    trusted = service.trusted
    if trusted is None or row.transport == PAGE:
        return AuthLevel.TOKEN if is_token_of(uow, token, player) else nothing
    result = judge(row.raw, sender, trusted)
    stated = {"result": result, "method": trusted.method, "authserv_id": trusted.authserv_id}
    uow.inbox.attest(row.id, {**stated})
    return AuthLevel.AUTHENTICATED if result == "pass" else nothing


def has_foreign_envelope(mail_from: str | None, sender: str) -> bool:
    """True if a message's SMTP envelope has a different domain than its From.

    Answering such messages could send mail to third parties. False if the transport does not know
    the envelope.
    """
    domain = (mail_from or "").rpartition("@")[2].strip("<> ").lower()
    return bool(domain) and domain != sender.rpartition("@")[2].lower()


def is_token_of(uow: UnitOfWork, token: Token | None, player: Player | None) -> bool:
    """True if a token was issued to a player and has not been revoked."""
    if player is None:
        return False
    if isinstance(token, QuestionToken):
        # anyone who reads that mailbox can answer a question to its address
        asked = uow.questions.get(token.question_id)
        return asked is not None and not asked.what.address and asked.player_id == player.id
    if not isinstance(token, OWNED):
        return False
    try:
        owner = owner_of(uow, token)
    except (LogError, UpcastError):
        # The owner of a damaged game is unknown. Accepting the token is safe, because the
        # message then changes nothing, and the player learns that the game is stopped.
        return True
    if owner is None or owner.id != player.id:
        return False
    if isinstance(token, OfferToken):
        # it has no rotation, so it may have been issued before the addresses were revoked
        return not player.rotation
    is_current = token.rotation == player.rotation
    if isinstance(token, PlayerToken):
        return is_current
    seat = games.load(uow, token.game_id).seats[token.seat]
    return is_current and token.generation == seat.generation


def proof_words(result: JsonObject | None) -> str:
    """Describe the stored authentication result of the trusted server, or that there is none."""
    if result is None:
        return "The sender was not checked by a mail server."
    words = {"pass": "passed", "fail": "FAILED"}.get(str(result["result"]), "was not told of")
    return f"{str(result['method']).upper()} {words} for its sender, says {result['authserv_id']}."
