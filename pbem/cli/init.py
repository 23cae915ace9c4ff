"""`pbem init`: prompt for the necessary settings and write a first configuration."""

from __future__ import annotations

import asyncio
import secrets
import shlex
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from pbem.bootstrap import build_service
from pbem.cli.common import out, say
from pbem.cli.doctor import ROUND_TRIP_SECONDS, print_finding
from pbem.cli.frame import JsonOption, Shown, commands
from pbem.cli.opening import read_config
from pbem.clock import SystemClock
from pbem.errors import ConfigError, StoreError
from pbem.sections import ServiceSection, Web
from pbem.service.logbook import keys
from pbem.service.upkeep import setup
from pbem.service.upkeep.providers import provider_of, security_of
from pbem.serving import take_round_trip
from pbem.store.db import migrating

LISTENER = "lmtp:127.0.0.1:2525"

app = commands()


@dataclass(frozen=True, slots=True)
class SmtpOptions:
    """The server that sends our messages."""

    smtp_host: Annotated[
        str | None,
        typer.Option(help="Host of the mail server (default: known for big providers)."),
    ] = None
    smtp_port: Annotated[int, typer.Option(help="Port of the server.")] = 587
    smtp_security: Annotated[str, typer.Option(help="starttls, tls or none.")] = "starttls"
    smtp_username: Annotated[
        str | None, typer.Option(help="Username, if the server needs one.")
    ] = None

    def account(self, address: str, mailbox: setup.MailAccount | None) -> setup.MailAccount:
        """Return the account for outgoing messages, prompting for missing values at a terminal.

        Args:
            address: the service's address.
            mailbox: account for incoming messages. Providers use the same login for both.

        Raises: ConfigError.
        """
        provider = provider_of(address)
        if self.smtp_host is None and provider is not None:
            host, port = provider.smtp
            own = mailbox or setup.MailAccount(host, port, "", address)
            return replace(own, host=host, port=port, security=security_of(port))
        host_, port, security = self.smtp_host, self.smtp_port, self.smtp_security
        if host_ is None and not _is_interactive():
            raise ConfigError("--smtp-host: missing: the mail server that sends our mails")
        if host_ is None:
            host_ = str(typer.prompt("Mail server that sends our mails")).strip()
            port, security = _port_and_security(host_, port, security)
        login, password = self.smtp_username, None
        if mailbox is not None and mailbox.password and login is None:
            question = "Does the server that sends our mails want the same login and password?"
            if typer.confirm(question, default=True):
                login, password = mailbox.username, mailbox.password
        return setup.MailAccount(host_, port, security, login, password)


@dataclass(frozen=True, slots=True)
class PeopleOptions:
    """The admins, and the time zone of the players."""

    admin: Annotated[list[str] | None, typer.Option(help="Address of an admin; repeatable.")] = None
    time_zone: Annotated[
        str | None, typer.Option(help="Time zone for players who have not set one (default: UTC).")
    ] = None

    def asked(self) -> PeopleOptions:
        """Prompt for missing values at a terminal."""
        if not _is_interactive():
            return self
        admin = self.admin
        if not admin:
            question = "Your own address, for alerts (empty: none)"
            answer = typer.prompt(
                question, default="", show_default=False, value_proc=_prompt_again("admins")
            )
            admin = [answer] if answer else []
        question = "Time zone of players who have not told theirs (Europe/Berlin)"
        zone = self.time_zone or typer.prompt(
            question, default="UTC", value_proc=_prompt_again("time_zone")
        )
        return PeopleOptions(admin, zone)


@dataclass(frozen=True, slots=True)
class TransportOptions:
    """Options for incoming mail: a listener, a mailbox, or neither."""

    listen: Annotated[
        str | None, typer.Option(help="Listen for mail, e.g. lmtp:127.0.0.1:2525.")
    ] = None
    imap_host: Annotated[str | None, typer.Option(help="IMAP host of the service's mailbox.")] = (
        None
    )
    imap_port: Annotated[int, typer.Option(help="Port of the server.")] = 993
    imap_security: Annotated[str, typer.Option(help="tls, starttls or none.")] = "tls"
    imap_username: Annotated[
        str | None, typer.Option(help="IMAP username (default: the service's address).")
    ] = None
    imap_password_file: Annotated[
        Path | None, typer.Option(help="File with the password (default: prompt).")
    ] = None
    token_command: Annotated[
        str | None, typer.Option(help="Command that prints an access token, for a provider.")
    ] = None

    def asked(self, address: str) -> TransportOptions:
        """Prompt at a terminal for incoming mail, unless it was given or the provider is known."""
        provider = provider_of(address)
        if self.listen is not None or self.imap_host is not None:
            return self
        if provider is not None:
            host, port = provider.imap
            return replace(
                self,
                imap_host=host,
                imap_port=port,
                imap_security=security_of(port),
                imap_username=address,
            )
        if not _is_interactive():
            return self
        while True:
            way = typer.prompt(
                "How do mails come in: imap (a mailbox at a provider), lmtp (behind a mail server of"
                " your own), or pipe (`pbem receive`)",
                default="imap",
            )
            match str(way).strip().lower():
                case "imap":
                    host = str(typer.prompt("Server of that mailbox (imap.example.org)")).strip()
                    port, security = _port_and_security(host, self.imap_port, self.imap_security)
                    return replace(self, imap_host=host, imap_port=port, imap_security=security)
                case "lmtp":
                    return replace(
                        self, listen=str(typer.prompt("Where to listen", default=LISTENER))
                    )
                case "pipe":
                    return self
                case _:
                    say("Please answer imap, lmtp or pipe.")

    def mailbox(self, address: str) -> setup.MailAccount | None:
        """Return the mailbox account, prompting for the login at a terminal.

        Returns None without a mailbox. Raises: ConfigError.
        """
        if self.imap_host is None:
            return None
        file, username, password = self.imap_password_file, self.imap_username or address, None
        if self.imap_username is None and _is_interactive():
            # most providers use the address as login
            username = str(typer.prompt("Login of that mailbox", default=address)).strip()
        command = tuple(shlex.split(self.token_command or ""))
        provider = provider_of(address)
        if provider is not None and provider.takes_tokens and not command:
            raise ConfigError(
                f"--token-command: missing: {provider.name} takes no passwords from programs; name a"
                " command that prints an access token (docs/receiving.md)"
            )
        if command:
            return setup.MailAccount(
                self.imap_host, self.imap_port, self.imap_security, username, token_command=command
            )
        if provider is not None and provider.login and not self.imap_password_file:
            say(f"{provider.name}: {provider.login}")
        if file is None and not _is_interactive():
            raise ConfigError("--imap-password-file: missing: the file with the mailbox's password")
        if file is None:
            password = str(typer.prompt(f"Password of {username}", hide_input=True))
        return setup.MailAccount(
            self.imap_host,
            self.imap_port,
            self.imap_security,
            username,
            password,
            None if file is None else file.resolve(),
        )


@dataclass(frozen=True, slots=True)
class Files:
    """Paths of the files to write."""

    database: Annotated[str | None, typer.Option(help="Database URL (default: a SQLite file).")] = (
        None
    )
    file: Annotated[Path, typer.Option("--out", help="File to write.")] = Path("pbem.toml")
    state: Annotated[
        Path | None,
        typer.Option(
            help="Folder of the database and its keys (default: the configuration's folder, or "
            "/var/lib/pbem if that is /etc/pbem)."
        ),
    ] = None


def _port_and_security(host: str, port: int, security: str) -> tuple[int, str]:
    """Return port and encryption of a mail server. At a terminal, prompt until the port answers.

    Entering the same port again ends the prompts, because the server may only be down.
    """
    while _is_interactive() and not setup.is_reachable(host, port):
        say(f"{host} does not answer on port {port}.")
        other = int(typer.prompt("Its port (the same again: keep it)", default=port, type=int))
        if other == port:
            break
        port = other
        question = "How it encrypts: tls, starttls or none"
        security = typer.prompt(question, default=security_of(port), value_proc=_security)
    return port, security


def _security(given: str) -> str:
    security = given.strip().lower()
    if security not in ("tls", "starttls", "none"):
        raise typer.BadParameter("write tls, starttls or none")
    return security


def _prompt_again(key: str) -> Callable[[str], str]:
    """Return a callback that prompts again at a terminal for an invalid value."""

    def checked(given: str) -> str:
        if not _is_interactive():
            return given  # validated with the configuration
        given = given.strip()
        value = [given] if key == "admins" and given else given or ()
        try:
            ServiceSection.model_validate({"address": "game@play.example.org"} | {key: value})
        except ValidationError as error:
            raise typer.BadParameter(
                error.errors()[0]["msg"].removeprefix("Value error, ")
            ) from None
        return given

    return checked


def _web_url(given: str | None) -> str | None:
    """Return the URL of the seat pages, prompting for it at a terminal."""
    if given is not None or not _is_interactive():
        return given
    question = "Address at which players open their tables in a browser, https://… (empty: none)"
    return str(typer.prompt(question, default="", show_default=False, value_proc=_web_address))


def _web_address(given: str) -> str:
    try:
        return given and Web(url=given.strip()).url
    except ValidationError as error:
        message = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise typer.BadParameter(message) from None


@app.command()
def init(
    address: Annotated[
        str,
        typer.Option(
            prompt="Address of the service (game@play.example.org)",
            callback=_prompt_again("address"),
            help="The service's address.",
        ),
    ],
    smtp: SmtpOptions,
    people: PeopleOptions,
    transport: TransportOptions,
    files: Files,
    web_url: Annotated[
        str | None,
        typer.Option(help="URL of the seat pages: https://… (default: no seat pages)."),
    ] = None,
    as_json: JsonOption = False,
) -> Shown:
    """Write a configuration and a key, and create the database. It prompts at a terminal.

    Example: pbem init --address game@play.example.org --smtp-host mail.example.org
    """
    transport, people = transport.asked(address), people.asked()
    web_url = _web_url(web_url)
    mailbox = transport.mailbox(address)
    sending = smtp.account(address, mailbox)
    provider = provider_of(address)
    file, state = files.file, files.state or setup.state_folder(files.file)
    installation = setup.Installation(
        address=address,
        smtp=sending,
        is_plain=provider is not None and not provider.has_plus,
        mails_a_day=None if provider is None else provider.mails_a_day,
        admins=people.admin or [],
        time_zone=people.time_zone or "UTC",
        listen=transport.listen,
        mailbox=mailbox,
        web_url=web_url or None,
        database=files.database,
        key=secrets.token_hex(32),
        ring=keys.new_ring(SystemClock().now().date()),
    )
    key_file, keys_file = setup.write_config(file, state, installation)
    try:
        _make_database(file, keys_file)
    except (ConfigError, StoreError):
        setup.remove_config(file, state)  # otherwise the next attempt would find it and refuse
        raise
    words = [
        f"Wrote {file}, {key_file} and {keys_file}.",
        (
            f"Keep a copy of both keys in another place: pbem key backup FILE --config {file}"
            " (docs/keys.md)."
        ),
    ]
    if sending.username is not None and not sending.is_complete:
        words.append(
            f"Write the password of {sending.username} into {setup.smtp_password_file(file)}."
        )
    if provider is not None and provider.mails_a_day is not None:
        words.append(
            f"{provider.name} sends at most {provider.mails_a_day} mails a day for one mailbox;"
            " more will wait."
        )
    if web_url:
        words.append(f"Let a proxy pass {web_url} on to 127.0.0.1:8025 (docs/seat-page.md).")
    if transport.listen is None and mailbox is None:
        words.append("Mails come in by `pbem receive`; docs/receiving.md shows the other ways.")
    if not as_json and _is_interactive():
        for line in words:
            say(line)
        words = []
        if typer.confirm("Send a mail to ourselves now, to see whether it arrives?", default=True):
            _try_it(file)
    return Shown(
        {
            "ok": True,
            "config": file,
            "key_file": key_file,
            "keys_file": keys_file,
        },
        *words,
        f"The database is ready. Next: pbem serve --config {file}",
    )


def _make_database(file: Path, keys_file: Path) -> None:
    """Create the database of the new configuration. Raises: ConfigError, StoreError."""
    service = build_service(read_config(file))
    with closing(service.store) as store:
        store.make_file()
        is_new = store.schema_state().current is None
        migrating.upgrade(store)
        if is_new:
            keys.expect_nothing_unsealed(keys_file)


def _try_it(file: Path) -> None:
    out.print("Waiting for it …")
    print_finding(asyncio.run(take_round_trip(read_config(file), ROUND_TRIP_SECONDS)))
    say(f"To try again: pbem doctor --round-trip --config {file}")


def _is_interactive() -> bool:
    return sys.stdin.isatty()
