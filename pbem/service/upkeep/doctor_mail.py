"""Mail checks of `pbem doctor`: sending, fetching, listening. No message is sent or moved."""

from __future__ import annotations

import asyncio
import http.client
import imaplib
import os
import socket
import ssl
import urllib.request
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from imap_tools.errors import ImapToolsError, MailboxLoginError

from pbem.access_token import TokenCommandError
from pbem.errors import ConfigError, DeliveryError
from pbem.mail_in.transports import listener
from pbem.mail_in.transports.imap_session import Session
from pbem.mail_out.trying import try_login
from pbem.pings.sending import try_server
from pbem.sections import Imap, Listen, Pings, Smtp
from pbem.service.core.context import Service
from pbem.service.core.names import SERVICE_PAGE, service_mark
from pbem.service.upkeep.health import FAIL, HINT, OK, TOLERANCE, WARN, Finding

PATIENCE_SECONDS = 10.0
"""Timeout in seconds for each step of a dialogue with a server."""
ENDS_SOON = timedelta(days=14)
"""Remaining validity of a certificate below which it should be renewed."""


def _check_outgoing(service: Service) -> Iterator[Finding]:
    smtp = service.config.smtp
    if smtp.maildir is not None:
        yield _folder("way out", smtp.maildir)
    else:
        timeout = min(smtp.timeout, PATIENCE_SECONDS)
        yield from _smtp(service, smtp.model_copy(update={"timeout": timeout}))


def _ways_in(service: Service) -> Iterator[Finding]:
    config = service.config
    if config.imap is not None:
        timeout = min(config.imap.timeout, PATIENCE_SECONDS)
        yield check_mailbox(config.imap.model_copy(update={"timeout": timeout}))
    if config.maildir is not None:
        yield _maildir(config.maildir.path)
    if config.listen is not None:
        yield from _listener(service, config.listen)


def _pings(service: Service) -> Iterator[Finding]:
    return examine_pings(service.config.pings)


def examine_pings(settings: Pings) -> Iterator[Finding]:
    """Check that the servers used for pings respond. No ping is sent."""
    for word in settings.allow:
        server = {"ntfy": settings.ntfy, "matrix": settings.matrix}.get(word)
        server = server or {"telegram": settings.telegram, "signal": settings.signal}.get(word)
        if server is None:
            yield Finding("pings", OK, f"{word}: players name the servers, on the public internet")
            continue
        try:
            asyncio.run(try_server(server))
        except (OSError, TimeoutError):
            yield Finding(
                "pings",
                WARN,
                f"{word}: {server} cannot be reached",
                "see [pings] in the configuration; no mail waits for it",
            )
        else:
            yield Finding("pings", OK, f"{word}: {server} answers")


def examine_web(service: Service) -> Iterator[Finding]:
    """Check that the address of the seat pages leads to this service."""
    web = service.config.web
    if web is None:
        return
    remedy = f"let a proxy pass that address on to {web.listen} (docs/seat-page.md)"
    try:
        socket.create_connection((web.host, web.port), PATIENCE_SECONDS).close()
    except OSError:
        yield Finding(
            "web",
            WARN,
            f"nothing listens at {web.listen}, so {web.url} cannot be checked",
            "start `pbem serve`, and run `pbem doctor` again",
        )
        return
    try:
        url = f"{web.url}/seat/-/{SERVICE_PAGE}"
        with urllib.request.urlopen(url, timeout=PATIENCE_SECONDS) as answer:  # noqa: S310  (our own URL)
            body = answer.read(100).decode("ascii", "replace").strip()
    except (OSError, http.client.HTTPException) as error:
        yield Finding(
            "web", FAIL, f"{web.url} does not answer: {getattr(error, 'reason', error)}", remedy
        )
        return
    if body == service_mark(service):
        yield Finding("web", OK, f"{web.url} leads to this service")
    else:
        yield Finding("web", FAIL, f"{web.url} leads to another service", remedy)


def _senders(service: Service) -> Iterator[Finding]:
    """Check that senders of messages are authenticated by a mail server that we trust."""
    trusted = service.config.authentication
    if trusted is not None:
        yield Finding(
            "senders", OK, f"{trusted.authserv_id} is believed about the senders of mails"
        )
        return
    yield Finding(
        "senders",
        WARN,
        "nobody vouches for the senders of mails: From can be forged, so the secret reply address alone"
        " protects a seat. To resign, to hand over a seat, to end all mails or invitations, and to change"
        " addresses is done only after a second mail",
        "set authserv_id under [authentication] to the name of your own mail server, if it checks DMARC or"
        ' DKIM: docs/install.md, "Whose mails are believed"',
    )


def _smtp(service: Service, settings: Smtp) -> Iterator[Finding]:
    server = f"{settings.host}:{settings.port}"
    try:
        outcome = asyncio.run(try_login(settings))
    except DeliveryError as error:
        yield Finding("SMTP", FAIL, f"{server}: {error}", "see [smtp] in the configuration")
        return
    how = "let us in without a login" if settings.username is None else "accepted our login"
    yield Finding("SMTP", OK, f"{server}: {how}")
    if outcome is not None and abs(outcome - service.now()) > TOLERANCE:
        off = int((service.now() - outcome).total_seconds())
        yield Finding(
            "clock",
            WARN,
            f"ours and that of {server} differ by {abs(off)} seconds",
            "keep the clock right (timedatectl set-ntp true), unless theirs is wrong",
        )


def check_mailbox(settings: Imap) -> Finding:
    """Log in to the mailbox and count its messages. No message is read or moved."""
    server = f"{settings.host}:{settings.port}"
    try:
        with Session.open(settings) as session:
            session.select(settings.inbox)
            count = len(session.uids())
    except MailboxLoginError:
        why = "it refused our login"
    except ssl.SSLCertVerificationError as error:
        why = f"its certificate does not hold: {error.verify_message}"
    except socket.gaierror:
        why = f"the name {settings.host} is not known to DNS"
    except TokenCommandError as error:
        why = str(error)
    except OSError as error:
        why = error.strerror or "it did not answer in time, or speaks another language"
    except (imaplib.IMAP4.error, ImapToolsError):
        why = f"it does not do what is asked for (folder {settings.inbox}, STARTTLS)"
    else:
        return Finding("IMAP", OK, f"{server}: logged in, {settings.inbox} holds {count} mails")
    return Finding("IMAP", FAIL, f"{server}: {why}", "see [imap] in the configuration")


def _folder(name: str, folder: Path) -> Finding:
    """Check that we can read and write a Maildir or, if it does not exist, create it."""
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.R_OK | os.W_OK | os.X_OK):
        return Finding(name, FAIL, f"{nearest}: we may not write there", f"chown {nearest}")
    return Finding(name, OK, f"{folder}: we may read and write there")


def _maildir(folder: Path) -> Finding:
    """Check that messages can be read from a Maildir and moved within it."""
    folder_check = _folder("maildir", folder)
    if folder_check.status != OK:
        return folder_check
    if not (folder / "new").exists():
        return Finding(
            "maildir",
            WARN,
            f'{folder}: it has no folder "new", so no mail comes in, and no deadline fires',
            f"the mail server makes it for the first mail; or `mkdir -p {folder}/new`",
        )
    if not (folder / "cur").exists():
        return Finding(
            "maildir",
            WARN,
            f'{folder}: it has no folder "cur", in which mails are put that were taken',
            "`pbem serve` makes it",
        )
    inner = [_folder("maildir", folder / name) for name in ("new", "cur")]
    return next((check for check in inner if check.status != OK), folder_check)


def _listener(service: Service, section: Listen) -> Iterator[Finding]:
    """Check certificate and port. Connecting can start a service with socket activation."""
    try:
        listener.certificate_context(section)
    except ConfigError as error:
        yield Finding("listener", FAIL, str(error), "see [listen] in the configuration")
        return
    if section.certificate_file is not None:
        yield _certificate(service, section.certificate_file)
    yield _check_port(section)


def _certificate(service: Service, file: Path) -> Finding:
    end = listener.certificate_end(file)
    left = end - service.now()
    text = f"{file}: holds until {end:%Y-%m-%d %H:%M} UTC"
    if left > ENDS_SOON:
        return Finding("certificate", OK, text)
    return Finding(
        "certificate",
        WARN if left > timedelta(0) else FAIL,
        text,
        "renew it, then `systemctl try-restart pbem`: it is read when the service starts",
    )


def _check_port(section: Listen) -> Finding:
    """Check that our own program answers on the port, or that the port is free."""
    place = f"{section.protocol} {section.host}:{section.port}"
    try:
        with socket.create_connection((section.host, section.port), PATIENCE_SECONDS) as asked:
            greeting = asked.recv(500)
    except ConnectionRefusedError:
        return _free_place(section, place)
    except OSError as error:
        why = error.strerror or "no answer"
        return Finding("listener", FAIL, f"{place}: {why}", "see [listen] in the configuration")
    if greeting.startswith(b"220 ") and b" pbem" in greeting:
        return Finding("listener", OK, f"{place}: `pbem serve` answers there")
    return Finding(
        "listener", FAIL, f"{place}: another program answers there", "stop it, or take another port"
    )


def _free_place(section: Listen, address: str) -> Finding:
    family = socket.AF_INET6 if ":" in section.host else socket.AF_INET
    try:
        with socket.socket(family) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind((section.host, section.port))
    except OSError as error:
        return Finding(
            "listener",
            FAIL,
            f"{address}: cannot be taken: {error.strerror}",
            "take a port above 1023, or another address",
        )
    return Finding("listener", OK, f"{address}: nobody listens now, `pbem serve` can")


def _names(service: Service) -> Iterator[Finding]:
    """Check the DNS records of our domain, or explain how to look them up elsewhere."""
    if service.config.smtp.maildir is not None:
        return
    from pbem.service.upkeep import doctor_dns  # noqa: PLC0415  (memory: `pbem serve` needs no resolver)

    domain = service.config.service.domain
    try:
        yield from list(doctor_dns.examine(domain))
    except doctor_dns.UnreachableResolverError:
        yield Finding(
            "DNS",
            HINT,
            "no resolver answers here; look for the records that make others take our mails: dig MX"
            f' {domain}; dig TXT {domain} (SPF, "v=spf1 …", names the server that sends); dig TXT'
            f" SELECTOR._domainkey.{domain} (DKIM, with the selector of that server); dig TXT"
            f' _dmarc.{domain} ("v=DMARC1; …")',
        )


CHECKS = (_senders, _check_outgoing, _ways_in, _names, _pings, examine_web)
"""Checks of mail and of the web, in the order of output."""
