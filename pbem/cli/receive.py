"""`pbem receive`: one raw mail on stdin, as a mail server pipes it."""

from __future__ import annotations

import sys
from typing import Annotated, NoReturn

import typer

from pbem.bootstrap import build_service
from pbem.cli.common import ConfigOption, JsonOption, commands, complain, print_json, read_config
from pbem.config import Config
from pbem.errors import MalformedMailError, PbemError
from pbem.mail_in.mime.delivered import envelope_of
from pbem.mail_in.mime.message import Envelope
from pbem.service.intake import accepting as intake
from pbem.service.intake.accepting import Acceptance

app = commands()


EX_DATAERR, EX_NOUSER, EX_TEMPFAIL = 65, 67, 75
"""sysexits(3) codes, as mail servers understand them: two refuse for good, one means "later"."""


class _NoSuchAddressError(PbemError):
    """The recipient is none of ours."""


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
    as_json: JsonOption = False,
) -> None:
    """Take one raw mail from stdin, as a mail server pipes it; exits with sysexits codes.

    0 kept in the database, 65 refused for good, 67 no such address, 75 try again later: whatever is
    wrong on our side leaves the mail in the server's queue.

    Without --sender and --recipient they are taken from the environment (SENDER; ORIGINAL_RECIPIENT
    or RECIPIENT), else from what the server noted in the mail (Return-Path; Delivered-To).

    Example: pbem receive --sender anna@example.org --recipient game+TOKEN@play.example.org < mail
    """
    try:
        got = _receive(read_config(config), sender, recipient)
    except MalformedMailError as error:
        _fail(str(error), EX_DATAERR, as_json=as_json)
    except _NoSuchAddressError as error:
        _fail(str(error), EX_NOUSER, as_json=as_json)
    except PbemError as error:
        _fail(str(error), EX_TEMPFAIL, as_json=as_json)
    except Exception as error:  # noqa: BLE001  (any other exit code would send the mail back for good)
        _fail(f"{type(error).__name__} at intake", EX_TEMPFAIL, as_json=as_json)
    if as_json:
        print_json({"ok": True, "inbox": got.inbox_id, "duplicate": got.inbox_id is None})


def _receive(settings: Config, sender: str | None, recipient: str | None) -> Acceptance:
    """Keep the mail; committed on return.

    Raises: MalformedMailError; _NoSuchAddressError; StoreError.
    """
    service = build_service(settings)
    service.store.announces = True
    try:
        raw = sys.stdin.buffer.read(settings.limits.max_mail_bytes + 1)
        noted = envelope_of(
            raw, transport="pipe", arrived_at=service.now(), is_ours=service.tokens.is_ours
        )
        mail_from = noted.mail_from if sender is None else _bare(sender)
        rcpt_to = (noted.rcpt_to if recipient is None else _bare(recipient)) or None
        if rcpt_to is not None and not intake.is_deliverable(service, rcpt_to):
            raise _NoSuchAddressError("there is no such address here")
        return intake.receive(service, raw, Envelope(mail_from, rcpt_to, "pipe", noted.arrived_at))
    finally:
        service.store.close()


def _bare(address: str) -> str:
    """Return an address without brackets; empty for the null sender, however it is written."""
    bare = address.strip().strip("<>")
    return "" if bare.upper() == "MAILER-DAEMON" else bare  # as Postfix's pipe(8) writes it


def _fail(message: str, code: int, *, as_json: bool) -> NoReturn:
    if as_json:
        print_json({"ok": False, "error": message})
    else:
        complain(message)
    raise typer.Exit(code)
