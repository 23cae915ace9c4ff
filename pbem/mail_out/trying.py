"""Test login at the next SMTP server, without sending a message.

It connects, greets, encrypts, logs in and disconnects.
"""

from __future__ import annotations

import re
import socket
import ssl
from datetime import datetime
from email.utils import parsedate_to_datetime

import aiosmtplib

from pbem.access_token import TokenCommandError
from pbem.errors import TransientDeliveryError
from pbem.mail_out.deliver import hang_up, missing_extension, new_client
from pbem.sections import Smtp

_DATE = re.compile(
    r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}"
)


async def try_login(settings: Smtp) -> datetime | None:
    """Log in, disconnect, and return the time in the server's greeting, or None.

    Raises:
        TransientDeliveryError: login failed. The error omits the server's text, which repeats its
            input.
    """
    client = new_client(settings)
    try:
        greeting = await client.connect()
        await client.noop()
    except (aiosmtplib.SMTPException, OSError, TimeoutError, ValueError) as error:
        raise TransientDeliveryError(_words(error, settings)) from None
    finally:
        await hang_up(client)
    match = _DATE.search(greeting.message)
    return None if match is None else parsedate_to_datetime(match[0])


def _words(error: BaseException, settings: Smtp) -> str:
    chain = _chain(error)
    for one in chain:
        match one:
            case TokenCommandError():
                return str(one)
            case ssl.SSLCertVerificationError():
                return f"its certificate does not hold: {one.verify_message}"
            case ssl.SSLError():
                return 'it does not speak TLS as security = "tls" or "starttls" asks for'
            case socket.gaierror():
                return f"the name {settings.host} is not known to DNS"
            case ConnectionRefusedError():
                return "nobody listens there"
            case aiosmtplib.SMTPAuthenticationError(code=code):
                return f"it refused our login ({code})"
            case aiosmtplib.SMTPResponseException(code=code) if code > 0:
                return f"it refused to serve us ({code})"
            case _:
                pass  # the next error may be more specific
    lacking = next(filter(None, map(missing_extension, chain)), "")
    if lacking:
        return lacking.replace("the server", "it", 1)
    if any(isinstance(one, TimeoutError) for one in chain):
        return f"it did not answer within {settings.timeout:g} seconds"
    if isinstance(error, OSError | aiosmtplib.SMTPResponseException):
        return "it hung up, or no mail server listens there"
    return "it does not offer what the configuration asks for (STARTTLS, or a login)"


def _chain(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    one: BaseException | None = error
    while one is not None and one not in chain:
        chain.append(one)
        one = one.__cause__ or one.__context__
    return chain
