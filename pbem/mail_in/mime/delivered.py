"""The envelope of a mail in a mailbox, rebuilt from its trace fields.

The server that delivers puts these fields on top (RFC 5321 §4.4), so the first of each name counts.
Forging one gains nothing: the forger could have written to the named address anyway.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from pbem.mail_in.mime.headers import header_of
from pbem.mail_in.mime.message import Envelope

_RETURN_PATH = re.compile(rb"^return-path:[ \t]*<([^<>\r\n]{0,320})>", re.IGNORECASE | re.MULTILINE)
_RECIPIENT = re.compile(
    rb"^(?:delivered-to|x-original-to|x-delivered-to|envelope-to|x-envelope-to):"
    rb"[ \t]*<?([^<>\s]{1,320})>?[ \t]*\r?$",
    re.IGNORECASE | re.MULTILINE,
)


def envelope_of(
    raw: bytes, *, transport: str, arrived_at: datetime, is_ours: Callable[[str], bool]
) -> Envelope:
    """Return the envelope of a mail from a mailbox.

    Args:
        raw: the mail, or its beginning.
        transport: as in `Envelope`.
        arrived_at: when the server took it.
        is_ours: tells whether an address is one of the service's.

    Returns:
        The recipient is the first of our addresses that the server notes, preferably one with a
        token. It is None if there is none; then To counts. The sender is None if it is not noted.
    """
    head = header_of(raw)
    path = _RETURN_PATH.search(head)
    noted = [found.decode("ascii", "replace") for found in _RECIPIENT.findall(head)[:20]]
    ours = [address for address in noted if is_ours(address)]
    with_token = (address for address in ours if "+" in address)
    return Envelope(
        mail_from=None if path is None else path.group(1).decode("ascii", "replace").strip(),
        rcpt_to=next(with_token, ours[0] if ours else None),
        transport=transport,
        arrived_at=arrived_at,
    )
