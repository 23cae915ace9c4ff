"""Whose mail it is: the token in its addresses, the owner of that token, the proof of its sender."""

from __future__ import annotations

from pbem.domain.tokens import OfferToken, PlayerToken, SeatToken, Token, find_token
from pbem.errors import UnknownStreamError
from pbem.mail_in.authentication import judge
from pbem.mail_in.message import InboundMail
from pbem.service import games
from pbem.service.context import Service
from pbem.store.players import Player
from pbem.store.uow import UnitOfWork


def read(
    service: Service, raw: bytes, mail_from: str | None, *, head_only: bool = False
) -> InboundMail:
    """Read a raw mail that came to us. Raises: MalformedMailError, ReaderError, ReaderAwayError."""
    return service.reader.read(
        raw,
        own_domains=[service.message_domain],
        own_addresses=[service.own_address],
        mail_from=mail_from,
        head_only=head_only,
    )


def token_of(
    service: Service, rcpt_to: str | None, mail: InboundMail
) -> tuple[str | None, Token | None]:
    """Give the text of the token that a mail was sent to and the token; None where there is none."""
    addresses = [rcpt_to] if rcpt_to else []
    return find_token(service.tokens, [*addresses, *mail.recipients], mail.subject)


def owner_of(uow: UnitOfWork, token: SeatToken | PlayerToken | OfferToken) -> Player | None:
    """Return the player whom a token speaks for; None if the seat or the game is not there.

    Whose a seat is the log says, which nobody can change unseen, and no table that is made from it.

    Raises: LogError, UpcastError.
    """
    if isinstance(token, PlayerToken | OfferToken):
        return uow.players.get(token.player_id)
    try:
        seats = games.load(uow, token.game_id).seats
    except UnknownStreamError:
        return None
    return uow.players.get(seats[token.seat].player) if token.seat < len(seats) else None


def is_proven(service: Service, uow: UnitOfWork, inbox_id: int, raw: bytes, sender: str) -> bool:
    """Say whether a sender is proven as the admin asks for it; always, where nothing is asked.

    What the trusted server said is noted with the mail.
    """
    trusted = service.settings.trusted
    if trusted is None:
        return True
    result = judge(raw, sender, trusted)
    said = {"result": result, "method": trusted.method, "authserv_id": trusted.authserv_id}
    uow.inbox.attest(inbox_id, {**said})
    return result == "pass"
