"""A mail to ourselves, sent and received as usual: do players' mails reach us?"""

from __future__ import annotations

import asyncio
import secrets
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from pbem.domain.terms.tokens import PlayerToken
from pbem.errors import DeliveryError
from pbem.mail_out.deliver import Delivery
from pbem.service.core.context import Service
from pbem.service.upkeep.health import FAIL, OK, Finding

_PAUSE_SECONDS = 0.1
_NEWEST = 50
_LOOK = "look for it in the other folders of the mailbox (spam) and in the log of the mail server"
_LOST = (
    "mails to {local}+ANYTHING@{domain} must reach the same place as those to {local}@{domain}; if your"
    ' provider cannot do that, write addressing = "plain" in [service], and try again;'
)


async def round_trip(
    service: Service, delivery: Delivery, address: str, patience: float
) -> Finding:
    """Send a mail to our own reply address, and wait until it is in the inbox.

    The way in must be running, here or in another process.

    Args:
        service: has the inbox.
        delivery: the way out.
        address: the service's, without a token.
        patience: seconds to wait.
    """
    local, _, domain = address.rpartition("@")
    message_id = f"<round-trip.{secrets.token_hex(16)}@{domain}>"
    to = service.tokens.shown(service.tokens.address(PlayerToken("roundtrip", 0)))
    loop = asyncio.get_running_loop()
    begun = loop.time()
    try:
        async with delivery:
            await delivery.send(_mail(service, address, to, message_id), address, to)
    except DeliveryError as error:
        return Finding("round trip", FAIL, f"not sent: {error}", "see [smtp] in the configuration")
    while loop.time() - begun < patience:
        transport = await asyncio.to_thread(_arrived, service, message_id)
        if transport is not None:
            took = f"{loop.time() - begun:.1f} seconds"
            return Finding(
                "round trip", OK, f"a mail to ourselves came in by {transport} in {took}"
            )
        await asyncio.sleep(_PAUSE_SECONDS)
    lost = f"a mail to ourselves was sent, and has not come in within {patience:.0f} seconds"
    plus = "" if service.tokens.is_plain else _LOST.format(local=local, domain=domain)
    return Finding("round trip", FAIL, lost, f"{plus} {_LOOK}".lstrip())


def _mail(service: Service, address: str, to: str, message_id: str) -> bytes:
    """Write a mail that no machine answers, including this one (RFC 3834 §5)."""
    mail = EmailMessage()
    mail["From"] = address
    mail["To"] = to
    mail["Subject"] = "A mail to ourselves"
    mail["Date"] = format_datetime(service.now())
    mail["Message-ID"] = message_id
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content("Sent by pbem to see whether mails arrive. Nobody need read it.\n")
    return mail.as_bytes(policy=SMTP)


def _arrived(service: Service, message_id: str) -> str | None:
    """Return the way in by which the mail came; None if it has not arrived yet."""
    with service.store.reading() as uow:
        for entry in uow.inbox.list(limit=_NEWEST):
            mail = uow.inbox.get(entry.id)
            if mail is not None and message_id.encode() in mail.raw:
                return entry.transport
    return None
