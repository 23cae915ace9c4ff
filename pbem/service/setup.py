"""Writing a first configuration and its key."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pbem.errors import ConfigError
from pbem.store import keyring
from pbem.store.keyring import KeyRing


@dataclass(frozen=True, slots=True)
class Mailbox:
    """The mailbox in which our mails arrive (`[imap]`).

    Attributes:
        password: what it is opened with; None: `password_file` holds it.
    """

    host: str
    port: int
    security: str
    username: str
    password: str | None = field(default=None, repr=False)
    password_file: Path | None = None


def write_config(
    file: Path,
    *,
    address: str,
    smtp_host: str,
    smtp_port: int,
    smtp_security: str,
    smtp_username: str | None,
    smtp_password: str | None = None,
    admins: Sequence[str],
    time_zone: str,
    listen: str | None,
    mailbox: Mailbox | None = None,
    database: str,
    key: str,
    ring: KeyRing,
) -> tuple[Path, Path]:
    """Write a configuration and, beside it, keys and passwords.

    Args:
        smtp_password: None: the file for it stays empty, to be filled in.
        listen: `protocol:host:port`, None for no listener.
        mailbox: None for no mailbox.
        key: signs the reply addresses; hex.
        ring: seals the database.

    Returns:
        The files of the key and of the ring.

    Raises: ConfigError if one of the files exists, or cannot be written; nothing is overwritten.
    """
    key_file, keys_file = file.with_suffix(".key"), _keys_file(file)
    secrets = {key_file: f"{key}\n", keys_file: keyring.to_text(ring)}
    smtp: list[tuple[str, object]] = [
        ("host", smtp_host),
        ("port", smtp_port),
        ("security", smtp_security),
    ]
    if smtp_username is not None:
        secrets[_smtp_password_file(file)] = _line(smtp_password)
        smtp += [("username", smtp_username), ("password_file", _smtp_password_file(file).name)]
    if mailbox is not None and mailbox.password_file is None:
        secrets[_imap_password_file(file)] = _line(mailbox.password)
    for path in (file, *secrets):
        if path.exists():
            raise ConfigError(f"{path} exists already; nothing was overwritten")
    sections: dict[str, list[tuple[str, object]]] = {
        "database": [("url", database), ("keys_file", keys_file.name)],
        "service": [
            ("address", address),
            ("key_file", key_file.name),
            ("time_zone", time_zone),
            ("admins", list(admins)),
        ],
        "smtp": smtp,
    }
    if listen is not None:
        sections["listen"] = _listen(listen)
    if mailbox is not None:
        password_file = mailbox.password_file or Path(_imap_password_file(file).name)
        sections["imap"] = [
            ("host", mailbox.host),
            ("port", mailbox.port),
            ("security", mailbox.security),
            ("username", mailbox.username),
            ("password_file", str(password_file)),
        ]
    lines = ["# Written by `pbem init`; config.example.toml explains every key."]
    for name, entries in sections.items():
        lines += ["", f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in entries)]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        for path, secret in secrets.items():
            keyring.write_privately(path, secret)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{error.filename}: cannot be written: {error.strerror}") from None
    return key_file, keys_file


def remove_config(file: Path) -> None:
    """Remove what `write_config` has just written, because it does not load."""
    for path in (
        file,
        file.with_suffix(".key"),
        _keys_file(file),
        _smtp_password_file(file),
        _imap_password_file(file),
    ):
        path.unlink(missing_ok=True)


def _keys_file(file: Path) -> Path:
    return file.with_suffix(".keys")


def _line(secret: str | None) -> str:
    return f"{secret}\n" if secret else ""


def _smtp_password_file(file: Path) -> Path:
    return file.with_name(f"{file.stem}.password")


def _imap_password_file(file: Path) -> Path:
    return file.with_name(f"{file.stem}.imap.password")


def _listen(text: str) -> list[tuple[str, object]]:
    parts = text.split(":")
    if len(parts) != 3 or not parts[2].isdigit():  # noqa: PLR2004  (protocol, host, port)
        raise ConfigError(f"--listen {text}: write it as lmtp:127.0.0.1:2525")
    return [("protocol", parts[0]), ("host", parts[1]), ("port", int(parts[2]))]


def _toml(value: object) -> str:
    """Write a value; JSON's strings, numbers and lists of strings are TOML's too."""
    return json.dumps(value, ensure_ascii=False)
