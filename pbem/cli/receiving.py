"""`pbem receive`: accept a message from a mail server's pipe. It imports little, to start fast."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import Annotated

import typer

from pbem.bootstrap import build_service
from pbem.cli.app import EX_TEMPFAIL
from pbem.cli.frame import ConfigOption, Shown, commands
from pbem.cli.opening import read_config
from pbem.config import Config
from pbem.errors import MalformedMailError, PbemError
from pbem.mail_in.mime.headers import envelope_of
from pbem.mail_in.mime.message import Envelope
from pbem.service.intake import accepting as intake

app = commands()

EX_DATAERR, EX_NOUSER = 65, 67
"""sysexits(3) codes for permanent rejections."""


class _NoSuchAddressError(PbemError):
    """Raised if the recipient is not one of our addresses."""


@app.command()
def receive(
    sender: Annotated[
        str | None,
        typer.Option(
            "--sender", "--from", envvar="SENDER", help="Envelope sender (empty for bounces)."
        ),
    ] = None,
    recipient: Annotated[
        str | None,
        typer.Option(
            "--recipient",
            "--to",
            envvar=["ORIGINAL_RECIPIENT", "RECIPIENT"],
            help="Envelope recipient.",
        ),
    ] = None,
    config: ConfigOption = None,
) -> Shown:
    """Accept one raw message from stdin, piped by a mail server; exit with a sysexits code.

    0 stored in the database, 65 permanently rejected, 67 no such address, 75 try again later: an
    error on our side, or a usage error, leaves the message in the server's queue.

    Without --sender and --recipient they come from the environment (SENDER, and ORIGINAL_RECIPIENT
    or RECIPIENT), otherwise from the headers that the server added (Return-Path and Delivered-To).

    Example: pbem receive --sender anna@example.org --recipient game+TOKEN@play.example.org < mail
    """
    try:
        got = _receive(read_config(config), sender, recipient)
    except MalformedMailError as error:
        return _failed(str(error), EX_DATAERR)
    except _NoSuchAddressError as error:
        return _failed(str(error), EX_NOUSER)
    except PbemError as error:
        return _failed(str(error), EX_TEMPFAIL)
    except Exception as error:  # noqa: BLE001  (any other exit code would bounce the message)
        return _failed(f"{type(error).__name__} at intake", EX_TEMPFAIL)
    return Shown({"ok": True, "inbox": got.inbox_id, "duplicate": got.inbox_id is None})


def _failed(message: str, code: int) -> Shown:
    return Shown({"ok": False, "error": message}, problems=[message], code=code)


def _receive(settings: Config, sender: str | None, recipient: str | None) -> intake.Acceptance:
    """Store the message. It has been committed when this returns.

    Raises: MalformedMailError, _NoSuchAddressError, StoreError.
    """
    service = build_service(settings)
    service.store.announces = True
    with closing(service.store):
        raw = sys.stdin.buffer.read(settings.limits.max_mail_bytes + 1)
        envelope = envelope_of(
            raw, transport="pipe", arrived_at=service.now(), is_ours=service.tokens.is_ours
        )
        mail_from = envelope.mail_from if sender is None else _bare(sender)
        rcpt_to = (envelope.rcpt_to if recipient is None else _bare(recipient)) or None
        if rcpt_to is not None and not intake.is_deliverable(service, rcpt_to):
            raise _NoSuchAddressError("there is no such address here")
        return intake.receive(
            service, raw, Envelope(mail_from, rcpt_to, "pipe", envelope.arrived_at)
        )


def _bare(address: str) -> str:
    """Return an address without angle brackets, or an empty text for the null sender."""
    bare = address.strip().strip("<>")
    return "" if bare.upper() == "MAILER-DAEMON" else bare  # as Postfix's pipe(8) writes it
