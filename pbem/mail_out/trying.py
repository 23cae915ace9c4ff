"""Test login at the next SMTP server, without sending a message.

It connects, greets, encrypts, logs in and disconnects.
"""

from __future__ import annotations

import re
from datetime import datetime
from email.utils import parsedate_to_datetime

import aiosmtplib

from pbem.mail_out.deliver import hang_up, new_client, problem_of
from pbem.sections import Smtp

_DATE = re.compile(
    r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}"
)


async def try_login(settings: Smtp) -> datetime | None:
    """Log in, disconnect, and return the time in the server's greeting, or None.

    Raises:
        DeliveryError: login failed. The error omits the server's text, which repeats its input.
    """
    client = new_client(settings)
    try:
        greeting = await client.connect()
        await client.noop()
    except (aiosmtplib.SMTPException, OSError, TimeoutError, ValueError) as error:
        raise problem_of(error) from None
    finally:
        await hang_up(client)
    match = _DATE.search(greeting.message)
    return None if match is None else parsedate_to_datetime(match[0])
