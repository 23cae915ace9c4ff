"""`pbem init`: asks what it must know, and writes a first configuration."""

from __future__ import annotations

import asyncio
import secrets
import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from pbem.bootstrap import build_service, take_round_trip
from pbem.cli.common import JsonOption, commands, out, print_json, read_config, refusals
from pbem.cli.doctor import ROUND_TRIP_SECONDS, print_finding
from pbem.clock import SystemClock
from pbem.errors import ConfigError, StoreError
from pbem.service.logbook import keys
from pbem.service.upkeep import setup
from pbem.service.upkeep.setup import MailAccount
from pbem.store.db import migrating

app = commands()


LISTENER = "lmtp:127.0.0.1:2525"


@app.command()
def init(
    address: Annotated[
        str,
        typer.Option(
            prompt="Address of the service (game@play.example.org)", help="The service's address."
        ),
    ],
    smtp_host: Annotated[
        str,
        typer.Option(prompt="Mail server that sends our mails", help="Host of the mail server."),
    ],
    smtp_port: Annotated[int, typer.Option(help="Its port.")] = 587,
    smtp_security: Annotated[str, typer.Option(help="starttls, tls or none.")] = "starttls",
    smtp_username: Annotated[str | None, typer.Option(help="Login, if it wants one.")] = None,
    admin: Annotated[list[str] | None, typer.Option(help="Address of an admin; repeat.")] = None,
    time_zone: Annotated[
        str | None, typer.Option(help="Zone for players who have not told theirs; default UTC.")
    ] = None,
    listen: Annotated[
        str | None, typer.Option(help="Listener of our own, e.g. lmtp:127.0.0.1:2525.")
    ] = None,
    imap_host: Annotated[
        str | None, typer.Option(help="Host of the mailbox in which our mails arrive.")
    ] = None,
    imap_port: Annotated[int, typer.Option(help="Its port.")] = 993,
    imap_security: Annotated[str, typer.Option(help="tls, starttls or none.")] = "tls",
    imap_username: Annotated[
        str | None, typer.Option(help="Its login; without it the service's address.")
    ] = None,
    imap_password_file: Annotated[
        Path | None, typer.Option(help="File with its password; without it you are asked.")
    ] = None,
    database: Annotated[
        str | None, typer.Option(help="Database URL; without it a SQLite file.")
    ] = None,
    file: Annotated[Path, typer.Option("--out", help="File to write.")] = Path("pbem.toml"),
    state: Annotated[
        Path | None,
        typer.Option(
            help="Folder of that file and of the keys that seal it; without it that of the"
            " configuration, or /var/lib/pbem for one in /etc/pbem."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write a configuration and a key, and make the database; at a terminal it asks.

    Example: pbem init --address game@play.example.org --smtp-host mail.example.org
    """
    smtp_password: str | None = None
    with refusals(as_json=as_json):
        if listen is None and imap_host is None and _is_interactive():
            listen, imap_host = _ask_way_in()
        if _is_interactive():
            admin = admin or _ask_admins()
            time_zone = time_zone or str(typer.prompt(_WHICH_ZONE, default="UTC")).strip()
        mailbox: MailAccount | None = None
        if imap_host is not None:
            username = imap_username or _login(address)
            password = None if imap_password_file else _ask_password(username)
            mailbox = setup.MailAccount(
                imap_host,
                imap_port,
                imap_security,
                username,
                password,
                None if imap_password_file is None else imap_password_file.resolve(),
            )
            if password and smtp_username is None and typer.confirm(_SAME_LOGIN, default=True):
                smtp_username, smtp_password = username, password
        state = state or setup.state_folder(file)
        key_file, keys_file = setup.write_config(
            file,
            state,
            setup.Installation(
                address=address,
                smtp=setup.MailAccount(
                    smtp_host, smtp_port, smtp_security, smtp_username, smtp_password
                ),
                admins=admin or [],
                time_zone=time_zone or "UTC",
                listen=listen,
                mailbox=mailbox,
                database=database,
                key=secrets.token_hex(32),
                ring=keys.new_ring(SystemClock().now().date()),
            ),
        )

        try:
            service = build_service(read_config(file))
            with closing(service.store) as store:
                store.make_file()
                is_new = store.schema_state().current is None
                migrating.upgrade(store)
                if is_new:
                    keys.expect_nothing_unsealed(keys_file)
        except (ConfigError, StoreError):
            setup.remove_config(file, state)  # or the next try would find it and refuse
            raise
        if as_json:
            print_json(
                {
                    "ok": True,
                    "config": str(file),
                    "key_file": str(key_file),
                    "keys_file": str(keys_file),
                }
            )
            return
        out.print(f"Wrote {file}, {key_file} and {keys_file}.", soft_wrap=True)
        out.print(
            f"Keep a copy of both keys in another place: pbem key backup FILE --config {file}"
            " (docs/keys.md).",
            soft_wrap=True,
        )
        if smtp_username is not None and smtp_password is None:
            password_file = setup.smtp_password_file(file)
            out.print(
                f"Write the password of {smtp_username} into {password_file}.", soft_wrap=True
            )
        if listen is None and mailbox is None:
            out.print("Mails come in by `pbem receive`; docs/mail.md shows the other ways.")
        if _is_interactive() and typer.confirm(_TRY_IT, default=True):
            _try_it(file)
        out.print(f"The database is ready. Next: pbem serve --config {file}")


_WHICH_ZONE = "Time zone of players who have not told theirs (Europe/Berlin)"
_SAME_LOGIN = "Does the server that sends our mails want the same login and password?"


_TRY_IT = "Send a mail to ourselves now, to see whether it arrives?"


def _try_it(file: Path) -> None:

    out.print("Waiting for it …")
    print_finding(asyncio.run(take_round_trip(read_config(file), ROUND_TRIP_SECONDS)))
    out.print(f"To try again: pbem doctor --round-trip --config {file}")


def _is_interactive() -> bool:
    return sys.stdin.isatty()


def _ask_way_in() -> tuple[str | None, str | None]:
    """Ask how mails come in; gives a listener, or the host of a mailbox, or neither."""
    while True:
        way = typer.prompt(
            "How do mails come in: imap (a mailbox at a provider), lmtp (behind a mail server of"
            " your own), or pipe (`pbem receive`)",
            default="imap",
        )
        match str(way).strip().lower():
            case "imap":
                return None, str(typer.prompt("Server of that mailbox (imap.example.org)")).strip()
            case "lmtp":
                return str(typer.prompt("Where to listen", default=LISTENER)), None
            case "pipe":
                return None, None
            case _:
                out.print("Please answer imap, lmtp or pipe.")


def _ask_admins() -> list[str]:
    told = typer.prompt(
        "Your own address, for alerts (empty: none)", default="", show_default=False
    )
    return [told.strip()] if told.strip() else []


def _login(address: str) -> str:
    """Return the login of the mailbox: at most providers it is the address."""
    if not _is_interactive():
        return address
    return str(typer.prompt("Login of that mailbox", default=address)).strip()


def _ask_password(username: str) -> str:
    if not _is_interactive():
        raise ConfigError("--imap-password-file: missing: the file with the mailbox's password")
    return str(typer.prompt(f"Password of {username}", hide_input=True))
