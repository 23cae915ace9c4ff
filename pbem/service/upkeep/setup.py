"""Write an initial configuration with its keys."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pbem.errors import ConfigError
from pbem.store.seal import keyring
from pbem.store.seal.keyring import KeyRing

CONFIG_FOLDER = Path("/etc/pbem")
STATE_FOLDER = Path("/var/lib/pbem")
SQLITE_FILE = "pbem.sqlite3"
_PATIENCE = 5
"""Timeout in seconds for a connection."""


@dataclass(frozen=True, slots=True)
class MailAccount:
    """A mail server and our login there, for `[smtp]` and `[imap]`.

    Attributes:
        security: `tls`, `starttls` or `none`.
        username: None if no login is needed.
        password: None if it is in `password_file`, or if the admin adds it later.
        token_command: command that prints an access token to use instead of a password.
    """

    host: str
    port: int
    security: str
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    password_file: Path | None = None
    token_command: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """True if the login works without the admin adding a password."""
        return bool(self.password or self.password_file or self.token_command)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """The contents of an initial configuration.

    Attributes:
        is_plain: True if the mailbox gets no messages to plus addresses.
        mails_a_day: the provider's daily limit, or None if unknown.
        listen: `protocol:host:port`, or None without a listener.
        mailbox: where our messages arrive, or None without a mailbox.
        web_url: address at which players open their tables in a browser, or None without seat pages.
        database: None for pbem.sqlite3 in the state folder.
        key: the key that signs the reply addresses, in hex.
        ring: the keys that encrypt the database.
    """

    address: str
    smtp: MailAccount
    admins: Sequence[str] = ()
    time_zone: str = "UTC"
    is_plain: bool = False
    mails_a_day: int | None = None
    listen: str | None = None
    mailbox: MailAccount | None = None
    web_url: str | None = None
    database: str | None = None
    key: str = field(repr=False)
    ring: KeyRing = field(repr=False)


def state_folder(file: Path) -> Path:
    """Return the default folder for the database and its keys, to which the service can write.

    It is the configuration's folder, or /var/lib/pbem if that is /etc/pbem, which is read-only.
    """
    folder = file.absolute().parent
    return STATE_FOLDER if folder == CONFIG_FOLDER else folder


def is_reachable(host: str, port: int) -> bool:
    """True if a server accepts a connection within five seconds."""
    try:
        socket.create_connection((host, port), _PATIENCE).close()
    except OSError:
        return False
    return True


def write_config(file: Path, state: Path, installation: Installation) -> tuple[Path, Path]:
    """Write a configuration, with keys and passwords next to it.

    Args:
        file: the configuration file.
        state: folder of the database and its keys.
        installation: the contents.

    Returns:
        The files of the reply address key and of the key ring.

    Raises: ConfigError if one of the files exists or cannot be written. No file is overwritten.
    """
    key_file, keys_file = file.with_suffix(".key"), _keys_file(file, state)
    is_beside = state.resolve() == file.resolve().parent
    folder = Path() if is_beside else state.resolve()
    sections: dict[str, dict[str, object]] = {
        "database": {
            "url": installation.database or f"sqlite:///{folder / SQLITE_FILE}",
            "keys_file": str(folder / keys_file.name),
        },
        "service": {
            "address": installation.address,
            **({"addressing": "plain"} if installation.is_plain else {}),
            "key_file": key_file.name,
            "time_zone": installation.time_zone,
            "admins": list(installation.admins),
        },
        "smtp": _account(installation.smtp, smtp_password_file(file))
        | ({"mails_a_day": installation.mails_a_day} if installation.mails_a_day else {}),
    }
    if installation.listen is not None:
        sections["listen"] = _listen(installation.listen)
    if installation.web_url is not None:
        sections["web"] = _web(installation.web_url)
    secrets = {key_file: f"{installation.key}\n", keys_file: keyring.to_text(installation.ring)}
    if (
        installation.smtp.username is not None
        and not installation.smtp.token_command
        and not installation.smtp.password_file
    ):
        secrets[smtp_password_file(file)] = _line(installation.smtp.password)
    if installation.mailbox is not None:
        sections["imap"] = _account(installation.mailbox, _imap_password_file(file))
        if installation.mailbox.password_file is None and not installation.mailbox.token_command:
            secrets[_imap_password_file(file)] = _line(installation.mailbox.password)
    lines = ["# Written by `pbem init`; config.example.toml explains every key."]
    for name, entries in sections.items():
        # JSON strings, numbers and lists of strings are valid TOML
        values = (f"{key} = {json.dumps(entries[key], ensure_ascii=False)}" for key in entries)
        lines += ["", f"[{name}]", *values]
    _write({**secrets, file: "\n".join(lines) + "\n"}, state)
    return key_file, keys_file


def _write(texts: dict[Path, str], state: Path) -> None:
    """Create files that only we can read, in this order.

    Raises: ConfigError if one of them exists or cannot be written.
    """
    for path in texts:
        if path.exists():
            raise ConfigError(f"{path} exists already; nothing was overwritten")
    try:
        state.mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            keyring.write_privately(path, text)
    except OSError as error:
        raise ConfigError(f"{error.filename}: cannot be written: {error.strerror}") from None


def _account(account: MailAccount, password_file: Path) -> dict[str, object]:
    """Return the section of a mail account. By default, the password is in `password_file`."""
    section: dict[str, object] = {
        "host": account.host,
        "port": account.port,
        "security": account.security,
    }
    if account.token_command:
        section["username"] = account.username
        section["token_command"] = list(account.token_command)
    elif account.username is not None:
        own = account.password_file
        section["username"] = account.username
        section["password_file"] = password_file.name if own is None else str(own)
    return section


def remove_config(file: Path, state: Path) -> None:
    """Remove the files that `write_config` has just written, because they cannot be loaded."""
    for path in (
        file,
        file.with_suffix(".key"),
        _keys_file(file, state),
        smtp_password_file(file),
        _imap_password_file(file),
    ):
        path.unlink(missing_ok=True)


def _keys_file(file: Path, state: Path) -> Path:
    return state / f"{file.stem}.keys"


def _line(secret: str | None) -> str:
    return f"{secret}\n" if secret else ""


def smtp_password_file(file: Path) -> Path:
    """Return the file for the password of `[smtp]`."""
    return file.with_name(f"{file.stem}.password")


def _imap_password_file(file: Path) -> Path:
    return file.with_name(f"{file.stem}.imap.password")


def _listen(text: str) -> dict[str, object]:
    match text.split(":"):
        case [protocol, host, port] if port.isdigit():
            return {"protocol": protocol, "host": host, "port": int(port)}
        case _:
            raise ConfigError(f"--listen {text}: write it as lmtp:127.0.0.1:2525")


def _web(url: str) -> dict[str, object]:
    """Build the section `[web]`.

    A plain HTTP URL with a port needs no proxy, so the service listens on that port itself.
    """
    here = re.match(r"http://[^/]*:([0-9]+)", url)
    return {"url": url, **({"listen": f"127.0.0.1:{here[1]}"} if here else {})}
