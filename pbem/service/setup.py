"""Writing a first configuration and its key."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pbem.errors import ConfigError


def write_config(
    file: Path,
    *,
    address: str,
    smtp_host: str,
    smtp_port: int,
    smtp_security: str,
    smtp_username: str | None,
    admins: Sequence[str],
    time_zone: str,
    listen: str | None,
    database: str,
    key: str,
) -> Path:
    """Write a configuration and, beside it, the key; gives the key's path.

    Args:
        listen: `protocol:host:port`, None for no listener.
        key: hex.

    Raises: ConfigError if one of the files exists, or cannot be written; nothing is overwritten.
    """
    key_file = file.with_suffix(".key")
    for path in (file, key_file):
        if path.exists():
            raise ConfigError(f"{path} exists already; nothing was overwritten")
    smtp: list[tuple[str, object]] = [
        ("host", smtp_host),
        ("port", smtp_port),
        ("security", smtp_security),
    ]
    if smtp_username is not None:
        smtp += [("username", smtp_username), ("password_file", f"{file.stem}.password")]
    sections: dict[str, list[tuple[str, object]]] = {
        "database": [("url", database)],
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
    lines = ["# Written by `pbem init`; config.example.toml explains every key."]
    for name, entries in sections.items():
        lines += ["", f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in entries)]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        key_file.touch(mode=0o600)
        key_file.write_text(key + "\n", encoding="ascii")
        if smtp_username is not None:
            file.with_name(f"{file.stem}.password").touch(mode=0o600)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{error.filename}: cannot be written: {error.strerror}") from None
    return key_file


def remove_config(file: Path) -> None:
    """Remove what `write_config` has just written, because it does not load."""
    for path in (file, file.with_suffix(".key"), file.with_name(f"{file.stem}.password")):
        path.unlink(missing_ok=True)


def _listen(text: str) -> list[tuple[str, object]]:
    parts = text.split(":")
    if len(parts) != 3 or not parts[2].isdigit():  # noqa: PLR2004  (protocol, host, port)
        raise ConfigError(f"--listen {text}: write it as lmtp:127.0.0.1:2525")
    return [("protocol", parts[0]), ("host", parts[1]), ("port", int(parts[2]))]


def _toml(value: object) -> str:
    """Write a value; JSON's strings, numbers and lists of strings are TOML's too."""
    return json.dumps(value, ensure_ascii=False)
