"""Quarantined messages, which our code failed to handle. An admin retries or drops them."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.domain.log.chain import GameId
from pbem.domain.terms.tokens import SeatToken, find_token
from pbem.errors import MailError, Refusal
from pbem.service.core import games, sender_identity
from pbem.service.core.context import Service
from pbem.service.logbook import replays
from pbem.service.people import data_export as people
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.core import InboxMail

STATUS = "shunted"
MAX_LISTED = 1000


def list_shunted(service: Service) -> list[InboxMail]:
    """Return the quarantined messages, oldest first."""
    with service.store.reading() as uow:
        return uow.inbox.list(STATUS, MAX_LISTED)[::-1]


def show(service: Service, mail_id: int) -> InboxMail:
    """Return a quarantined message with its bytes. Raises: Refusal if there is none with this ID."""
    with service.store.reading() as uow:
        return _quarantined(uow, mail_id)


def open_raw(service: Service, mail_id: int, reason: str | None) -> bytes:
    """Return the bytes of a message. In a running game this is recorded as revealing hands.

    A message can quote the hand of its player.

    Raises: Refusal if the message is not quarantined.
    """
    with service.store.reading() as uow:
        mail = _quarantined(uow, mail_id)
        shown = {
            game_id: (game, seats)
            for game_id, seats in _seats_quoted(service, uow, mail).items()
            if not (game := games.load(uow, game_id)).is_over
        }
    for game_id, (game, seats) in shown.items():
        replays.record_reveal(service, game_id, seats, game.version, reason=reason)
    return mail.raw


def retry(service: Service, mail_ids: list[int]) -> None:
    """Queue all these messages for handling again, or none of them. Raises: Refusal."""
    with service.store.unit_of_work() as uow:
        for mail_id in mail_ids:
            if not _quarantined(uow, mail_id).fits:
                raise Refusal(
                    "unfit",
                    f"Mail {mail_id} was changed in the database by other means than this program, so"
                    " it is not handled again. Drop it, and ask its sender to send it once more.",
                )
            uow.inbox.mark(mail_id, "new")


def drop(service: Service, mail_id: int, reason: str) -> None:
    """Drop a message. Its bytes stay stored. Raises: Refusal."""
    with service.store.unit_of_work() as uow:
        mail = _quarantined(uow, mail_id)
        uow.inbox.mark(
            mail_id,
            "dropped",
            verdict={"why": f"dropped by an admin: {reason}"},
            error=mail.error,
            handled_at=service.now(),
        )


def _seats_quoted(service: Service, uow: UnitOfWork, row: InboxMail) -> dict[GameId, Sequence[int]]:
    """Return the seats whose cards a message may quote.

    For a message without a game these are all seats of the sender.
    """
    if row.game_id is not None:
        everybody = range(len(uow.projections.seats(row.game_id)))
        return {row.game_id: everybody if row.seat is None else (row.seat,)}
    senders = {row.sender, (row.mail_from or "").lower()}
    try:
        mail = sender_identity.read(service, row.raw, row.mail_from, head_only=True)
    except MailError:
        token = find_token(service.tokens, [row.rcpt_to or ""], "")[1]
    else:
        token = sender_identity.token_of(service, uow, row.rcpt_to, mail)[1]
        senders.add(mail.sender)
    if isinstance(token, SeatToken) and uow.events.head(token.game_id) is not None:
        return {token.game_id: (token.seat,)}
    owners = [uow.players.by_address(sender) for sender in senders if sender]
    return {
        game_id: seats
        for player in owners
        if player is not None
        for game_id, seats in people.running_seats(uow, player.id).items()
    }


def _quarantined(uow: UnitOfWork, mail_id: int) -> InboxMail:
    mail = uow.inbox.get(mail_id)
    if mail is None or mail.status != STATUS:
        what = "there is no such mail" if mail is None else f"its status is {mail.status}"
        raise Refusal("not-shunted", f"mail {mail_id} is not set aside: {what}")
    return mail
