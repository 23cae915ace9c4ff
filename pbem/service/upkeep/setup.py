"""Writing a first configuration and its key."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pbem.errors import ConfigError
from pbem.store.seal import keyring
from pbem.store.seal.keyring import KeyRing

CONFIG_FOLDER = Path("/etc/pbem")
STATE_FOLDER = Path("/var/lib/pbem")
SQLITE_FILE = "pbem.sqlite3"


@dataclass(frozen=True, slots=True)
class MailAccount:
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


def state_folder(file: Path) -> Path:
    """Say where database and keys belong that change while the service runs.

    Beside the configuration; for one in /etc/pbem, which the service only reads, in /var/lib/pbem.
    """
    folder = file.absolute().parent
    return STATE_FOLDER if folder == CONFIG_FOLDER else folder


def write_config(
    file: Path,
    *,
    state: Path,
    address: str,
    smtp_host: str,
    smtp_port: int,
    smtp_security: str,
    smtp_username: str | None,
    smtp_password: str | None = None,
    admins: Sequence[str],
    time_zone: str,
    listen: str | None,
    mailbox: MailAccount | None = None,
    database: str | None,
    key: str,
    ring: KeyRing,
) -> tuple[Path, Path]:
    """Write a configuration, keys and passwords.

    Args:
        file: beside it go the key of the reply addresses and passwords.
        state: folder of the database and of the keys that seal it.
        smtp_password: None: the file for it stays empty, to be filled in.
        listen: `protocol:host:port`, None for no listener.
        mailbox: None for no mailbox.
        database: None for pbem.sqlite3 in `state`.
        key: signs the reply addresses; hex.
        ring: seals the database.

    Returns:
        The files of the key and of the ring.

    Raises: ConfigError if one of the files exists, or cannot be written; nothing is overwritten.
    """
    key_file, keys_file = file.with_suffix(".key"), _keys_file(file, state)
    secrets = {key_file: f"{key}\n", keys_file: keyring.to_text(ring)}
    smtp: list[tuple[str, object]] = [
        ("host", smtp_host),
        ("port", smtp_port),
        ("security", smtp_security),
    ]
    if smtp_username is not None:
        secrets[smtp_password_file(file)] = _line(smtp_password)
        smtp += [("username", smtp_username), ("password_file", smtp_password_file(file).name)]
    if mailbox is not None and mailbox.password_file is None:
        secrets[_imap_password_file(file)] = _line(mailbox.password)
    for path in (file, *secrets):
        if path.exists():
            raise ConfigError(f"{path} exists already; nothing was overwritten")
    is_beside = state.resolve() == file.resolve().parent
    url = database or f"sqlite:///{SQLITE_FILE if is_beside else state.resolve() / SQLITE_FILE}"
    sections: dict[str, list[tuple[str, object]]] = {
        "database": [
            ("url", url),
            ("keys_file", keys_file.name if is_beside else str(keys_file.resolve())),
        ],
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
        for folder in (file.parent, state):
            folder.mkdir(parents=True, exist_ok=True)
        for path, secret in secrets.items():
            keyring.write_privately(path, secret)
        keyring.write_privately(file, "\n".join(lines) + "\n")
    except OSError as error:
        raise ConfigError(f"{error.filename}: cannot be written: {error.strerror}") from None
    return key_file, keys_file


def remove_config(file: Path, state: Path) -> None:
    """Remove what `write_config` has just written, because it does not load."""
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
    """Name the file for the password of `[smtp]`."""
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
