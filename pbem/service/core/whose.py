"""The owner of a mail: its token, the token's owner, the proof of its sender."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import partial

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


class Proof(Enum):
    """The evidence that a mail is from the player named in From; see `proof_of`."""

    FOREIGN = "foreign"
    """Nothing but From, and its envelope is of another domain; such a mail is never answered."""
    CLAIM = "claim"
    """Nothing but From, which anybody can write."""
    TOKEN = "token"  # noqa: S105  (a kind of proof, no password)
    """It came to a reply address that only this player's mails hold."""
    AUTHENTICATED = "authenticated"
    """The trusted mail server vouches for the sender."""
    CONFIRMED = "confirmed"
    """The player was asked about this very mail, and said yes."""

    @property
    def is_sure(self) -> bool:
        """True if not even a person who reads the player's mail can have written it."""
        return self in (Proof.AUTHENTICATED, Proof.CONFIRMED)

    @property
    def is_proven(self) -> bool:
        """True if the mail counts as the player's, with the larger budget of answers."""
        return self.is_sure or self is Proof.TOKEN


def read(
    service: Service,
    raw: bytes,
    mail_from: str | None,
    *,
    uow: UnitOfWork | None = None,
    head_only: bool = False,
) -> InboundMail:
    """Parse a raw mail; an encrypted one of a player who gets encrypted mails is opened with `uow`.

    The service has one key for each player. So somebody who catches an answer and sends it on does
    not get it opened, and what was in it is told in mails that are encrypted for its writer alone.

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
    """True if a mail is encrypted (PGP/MIME)."""
    return _SEALED in raw[:_BEGIN].lower()


_BEGIN, _SEALED = 64 * 1024, b"multipart/encrypted"
"""The header of an encrypted mail is in so many of its bytes, and says so."""


def token_of(
    service: Service, uow: UnitOfWork, rcpt_to: str | None, mail: InboundMail
) -> tuple[str | None, Token | None]:
    """Return the token that a mail was sent to, as text and as a value, if any.

    A mail program may have written to the address in From, which has no token: then the mail that
    was answered tells it, or the words that the reply quotes.
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
    """Return the token in the words of our mail that a reply quotes.

    Our mails contain what other players said, and those may have said their own tokens. So the first
    token that speaks for the sender counts, and any other one only without such a token.
    """
    for words in (mail.plain, mail.html):
        if found := right_tokens(service.tokens, words or ""):
            own = (one for one in found if _speaks_for(service, uow, one[1], mail.sender or ""))
            return next(own, found[0])
    return None, None


def _speaks_for(service: Service, uow: UnitOfWork, token: Token, sender: str) -> bool:
    """True if a token was made for the person who has an address, even if it is void by now."""
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
    """Return the token of the first of these ids that is one of our mails' or a token itself.

    Nobody else can make either, because both contain a MAC. In-Reply-To and References quote them
    (RFC 5322 §3.6.4).
    """
    own = service.tokens.stored_ids(ids)
    try:
        mails = {mail.message_id: mail for mail in uow.outbox.by_message_id(own)} if own else {}
    except StoreAwayError:
        raise
    except (
        StoreError
    ):  # damaged: a mail is taken in and read whatever the one that it answers is like
        return None, None
    for one in ids:
        local, _, domain = one.rpartition("@")
        token = service.tokens.decode(local) if domain == service.message_domain else None
        if token is not None:
            return local, token
        stored = service.tokens.stored_ids([one])
        mail = mails.get(stored[0]) if stored else None
        if mail is None:
            continue
        text = token_written(mail.rendered) if mail.rendered else mail.params.get(KNOWN_BY)
        if isinstance(text, str):
            return text, service.tokens.decode(text)
    return None, None


OWNED = (SeatToken, PlayerToken, OfferToken)
"""Kinds of tokens that speak for one player."""


def owner_of(uow: UnitOfWork, token: SeatToken | PlayerToken | OfferToken) -> Player | None:
    """Return the player whom a token speaks for; None without such a seat or game.

    The owner of a seat is read from the log, which nobody can change unseen, not from a table.

    Raises: LogError, UpcastError.
    """
    if isinstance(token, PlayerToken | OfferToken):
        return uow.players.get(token.player_id)
    try:
        seats = games.load(uow, token.game_id).seats
    except UnknownStreamError:
        return None
    return uow.players.get(seats[token.seat].player) if token.seat < len(seats) else None


def proof_of(
    service: Service,
    uow: UnitOfWork,
    row: InboxMail,
    sender: str,
    token: Token | None,
    player: Player | None,
) -> Proof:
    """Return the proof that a mail is from `player`, who is named in its From.

    The verdict of the trusted server, if there is one, is noted with the mail. Its pass is then the
    only proof: a person who got hold of a reply address must not be able to use it.
    """
    nothing = Proof.FOREIGN if has_foreign_envelope(row.mail_from, sender) else Proof.CLAIM
    trusted = service.trusted
    if trusted is None:
        return Proof.TOKEN if is_token_of(uow, token, player) else nothing
    result = judge(row.raw, sender, trusted)
    said = {"result": result, "method": trusted.method, "authserv_id": trusted.authserv_id}
    uow.inbox.attest(row.id, {**said})
    return Proof.AUTHENTICATED if result == "pass" else nothing


def has_foreign_envelope(mail_from: str | None, sender: str) -> bool:
    """True if the envelope of a mail names another domain than its From.

    Such mails would make us write to third parties. A mailbox may not tell the
    envelope; the answer is False then.
    """
    domain = (mail_from or "").rpartition("@")[2].strip("<> ").lower()
    return bool(domain) and domain != sender.rpartition("@")[2].lower()


def is_token_of(uow: UnitOfWork, token: Token | None, player: Player | None) -> bool:
    """True if a token still speaks for a player: not rotated, not a former player's."""
    if player is None:
        return False
    match token:
        case PlayerToken():
            owner = owner_of(uow, token)
            is_theirs = owner is not None and owner.id == player.id
            return is_theirs and token.rotation == player.rotation
        case OfferToken():  # without a rotation: it may be from before the addresses were void
            owner = owner_of(uow, token)
            return owner is not None and owner.id == player.id and not player.rotation
        case QuestionToken():  # one to an address speaks for whoever reads mails there
            asked = uow.questions.get(token.question_id)
            return asked is not None and not asked.what.address and asked.player_id == player.id
        case SeatToken():
            try:
                owner = owner_of(uow, token)
            except (LogError, UpcastError):
                return True  # the game cannot go on: nothing changes, and its player is told so
            if owner is None or owner.id != player.id:
                return False
            game = games.load(uow, token.game_id)
            generation = game.seats[token.seat].generation
            return (token.generation, token.rotation) == (generation, player.rotation)
        case _:
            return False


def proof_words(said: JsonObject | None) -> str:
    """Return the trusted server's verdict on a sender, as the inbox row stores it."""
    if said is None:
        return "No mail server was asked about its sender."
    words = {"pass": "passed", "fail": "FAILED"}.get(str(said["result"]), "was not told of")
    return f"{str(said['method']).upper()} {words} for its sender, says {said['authserv_id']}."
