"""Send a message to ourselves and receive it, to check that players' messages arrive."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from pbem.domain.terms.tokens import BounceToken, PlayerToken
from pbem.errors import DeliveryError, TransientDeliveryError
from pbem.mail_out.deliver import Delivery
from pbem.service.core.context import Service
from pbem.service.upkeep.health import FAIL, OK, Finding

_PAUSE_SECONDS = 0.1
_NEWEST = 50
_LOOK = "look for it in the other folders of the mailbox (spam) and in the log of the mail server"
_AGAIN = "run it again in ten minutes; if it fails again, see [smtp] in the configuration"
_PLAIN_WORKS = (
    'without plus addresses it works: write addressing = "plain" in [service]. Otherwise mails to'
    " {local}+ANYTHING@{domain} must reach the same place as those to {local}@{domain}, and the server"
    " must take mails from them as envelope senders"
)
_PLUS = (
    "mails to {local}+ANYTHING@{domain} must reach the same place as those to {local}@{domain}, and the"
    ' server must take mails from them as envelope senders; addressing = "plain" does not help, because a'
    " mail to {local}@{domain} did not come in either;"
)


@dataclass(frozen=True, slots=True)
class _Arrival:
    """A message to ourselves that arrived.

    Attributes:
        transport: the inbound transport.
        is_bounce: True if a server bounced it.
        is_renamed: True if its Message-ID was replaced.
    """

    transport: str
    is_bounce: bool
    is_renamed: bool


async def round_trip(
    service: Service, delivery: Delivery, address: str, patience: float
) -> Finding:
    """Send a message like those to players to our own reply address and wait for it.

    If it does not arrive, send another one without plus addresses, to give correct advice. A
    temporary rejection says nothing about the addresses, so it ends the check. The inbound
    transport must be running, here or in another process.

    Args:
        service: provides the inbox.
        delivery: sends the message.
        address: the service's address without a token.
        patience: seconds to wait for each of the two messages.
    """
    tokens = service.tokens
    reply_address = tokens.shown(tokens.address(PlayerToken("roundtrip", 0)))
    bounce_address = tokens.shown(tokens.address(BounceToken(0)))
    finding = await _trip(service, delivery, bounce_address, reply_address, patience)
    if finding.status == OK or finding.remedy == _AGAIN:
        return finding
    if tokens.is_plain:
        return Finding(finding.name, FAIL, finding.text, finding.remedy or _LOOK)
    local, _, domain = address.rpartition("@")
    plain = await _trip(service, delivery, address, address, patience)
    advice = (_PLAIN_WORKS if plain.status == OK else f"{_PLUS} {_LOOK}").format(
        local=local, domain=domain
    )
    return Finding(finding.name, FAIL, finding.text, f"{finding.remedy} {advice}".strip())


async def _trip(
    service: Service, delivery: Delivery, mail_from: str, to: str, patience: float
) -> Finding:
    """Send one message to ourselves and wait for it."""
    mark = secrets.token_hex(16)
    loop = asyncio.get_running_loop()
    begun = loop.time()
    message_id = f"round-trip.{secrets.token_hex(16)}@{service.tokens.domain}"
    try:
        async with delivery:
            await delivery.send(_mail(service, to, message_id, mark), mail_from, to)
    except TransientDeliveryError as error:
        return Finding("round trip", FAIL, f"not sent yet: {error}", _AGAIN)
    except DeliveryError as error:
        return Finding("round trip", FAIL, f"not sent: {error}", "see [smtp] in the configuration;")
    while loop.time() - begun < patience:
        arrival = await asyncio.to_thread(_arrived, service, mark, message_id)
        if arrival is not None and arrival.is_bounce:
            return Finding(
                "round trip",
                FAIL,
                "a mail to ourselves was sent, and a mail server sent it back",
                "its report is in `pbem mail inbox`;",
            )
        if arrival is not None:
            took = f"{loop.time() - begun:.1f} seconds"
            return Finding(
                "round trip",
                OK,
                f"a mail to ourselves came in by {arrival.transport} in {took}"
                + (_RENAMED if arrival.is_renamed else ""),
            )
        await asyncio.sleep(_PAUSE_SECONDS)
    return Finding(
        "round trip",
        FAIL,
        f"a mail to ourselves was sent, and has not come in within {patience:.0f} seconds",
    )


_RENAMED = (
    "; its Message-ID was replaced on the way, so replies are known by what else they repeat (References,"
    " quoted words)"
)


def _mail(service: Service, to: str, message_id: str, mark: str) -> bytes:
    """Compose a message that no program answers, including this one (RFC 3834 §5).

    The mark in its subject and text survives servers that replace the Message-ID.
    """
    mail = EmailMessage()
    mail["From"] = service.own_address
    mail["To"] = to
    mail["Subject"] = f"A mail to ourselves {mark}"
    mail["Date"] = format_datetime(service.now())
    mail["Message-ID"] = f"<{message_id}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(f"Sent by pbem to see whether mails arrive. Nobody need read it.\n\n{mark}\n")
    return mail.as_bytes(policy=SMTP)


def _arrived(service: Service, mark: str, message_id: str) -> _Arrival | None:
    """Return the message with a mark from the inbox, or None if it has not arrived yet."""
    with service.store.reading() as uow:
        for entry in uow.inbox.list(limit=_NEWEST):
            mail = uow.inbox.get(entry.id)
            if mail is not None and mark.encode() in mail.raw:
                head = mail.raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].lower()
                is_bounce = b"multipart/report" in head
                is_renamed = f"message-id: <{message_id}>".encode() not in head
                return _Arrival(entry.transport, is_bounce, is_renamed)
    return None
