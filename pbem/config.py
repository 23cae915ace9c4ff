"""The configuration: one TOML file, `PBEM_*` variables over it, secrets from files; read once.

`config.example.toml` documents every key. Whatever is wrong ends in a ConfigError that names file
(or variable), key and what would be right; it never shows a value, which may be a secret.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args
from zoneinfo import available_timezones

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from pbem.errors import ConfigError

ENV_PREFIX = "PBEM_"
ENV_CONFIG = "PBEM_CONFIG"
ENV_STATE = "STATE_DIRECTORY"
SEARCHED = (Path("pbem.toml"), Path("/etc/pbem/pbem.toml"))
SMALLEST_KEY = 32
"""Bytes of the HMAC key."""

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_DURATION = re.compile(r"(\d{1,6})\s*([smhdw])")
_ADDRESS = re.compile(r"[a-z0-9][a-z0-9._-]*@[a-z0-9-]+(\.[a-z0-9-]+)*")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def parse_duration(text: object) -> timedelta:
    """Read `45s`, `90m`, `36h`, `3d`, `2w`. Raises: ValueError, with what would be right."""
    match = _DURATION.fullmatch(text.strip().lower()) if isinstance(text, str) else None
    if match is None or int(match[1]) == 0:
        raise ValueError('write a time as "3d", "36h", "90m" or "45s"')
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


def _read_key(text: object) -> bytes:
    """Read a key in hex; the text is not repeated in errors."""
    try:
        key = bytes.fromhex(text if isinstance(text, str) else "")
    except ValueError:
        key = b""
    if len(key) < SMALLEST_KEY:
        raise ValueError(f"the key is {SMALLEST_KEY} or more random bytes in hex: run `pbem init`")
    return key


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Database(_Section):
    """Where the games are."""

    url: str = Field(default="sqlite:///pbem.sqlite3", repr=False)
    """A relative SQLite path starts at $STATE_DIRECTORY, else at the folder of the file."""

    @field_validator("url")
    @classmethod
    def _known(cls, url: str) -> str:
        if not url.startswith(("sqlite:///", "postgresql://")):
            raise ValueError("write sqlite:///path/to/pbem.sqlite3 or postgresql://user@host/name")
        return url


class ServiceSection(_Section):
    """Who the service is."""

    address: str
    """`local@domain`; reply addresses are `local+TOKEN@domain`."""
    name: str = "Cards by mail"
    """Display name in From."""
    key_file: Path | None = None
    """File with the key in hex; relative to the folder of the configuration."""
    key: Annotated[bytes, BeforeValidator(_read_key)] = Field(default=b"", repr=False)
    """HMAC key of the reply addresses: from `key_file` or PBEM_SERVICE__KEY, never in the file."""
    time_zone: str = "UTC"
    """IANA zone for people who have not told theirs."""
    admins: tuple[str, ...] = Field(default=(), repr=False)
    """Addresses of the people who run this server; they get alerts."""

    @field_validator("address")
    @classmethod
    def _plain_address(cls, address: str) -> str:
        address = address.strip().lower()
        if _ADDRESS.fullmatch(address) is None:
            raise ValueError('write it as "game@play.example.org", without a + in it')
        return address

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, zone: str) -> str:
        if zone not in available_timezones():
            near = difflib.get_close_matches(zone, available_timezones(), n=1)
            raise ValueError(f'there is no such zone; write e.g. "{near[0] if near else "UTC"}"')
        return zone

    @field_validator("admins")
    @classmethod
    def _lower_case(cls, admins: tuple[str, ...]) -> tuple[str, ...]:
        addresses = tuple(address.strip().lower() for address in admins)
        if any(address.count("@") != 1 for address in addresses):
            raise ValueError('write a list of addresses: ["anna@example.org"]')
        return addresses

    @property
    def local(self) -> str:
        """What stands before the @ of the service's address."""
        return self.address.partition("@")[0]

    @property
    def domain(self) -> str:
        """What stands behind the @ of the service's address."""
        return self.address.partition("@")[2]


class Smtp(_Section):
    """The server that takes our mails."""

    host: str
    port: int = Field(default=587, ge=1, le=65535)
    security: Literal["none", "starttls", "tls"] = "starttls"
    username: str | None = None
    password: str | None = Field(default=None, repr=False)
    password_file: Path | None = None
    """File with the password, instead of `password`; relative to the folder of the file."""
    timeout: float = Field(default=30.0, gt=0, le=600)
    """Seconds."""

    @model_validator(mode="after")
    def _no_password_in_clear(self) -> Self:
        has_password = self.password is not None or self.password_file is not None
        if has_password and self.username is None:
            raise ValueError("a password without a username: add username")
        if has_password and self.security == "none" and self.host not in _LOOPBACK:
            raise ValueError(
                'the password would travel in clear text: set security = "starttls" or "tls"'
            )
        return self


class Listen(_Section):
    """A listener of our own for mails that come in."""

    protocol: Literal["smtp", "lmtp"] = "lmtp"
    host: str = "127.0.0.1"
    port: int = Field(default=2525, ge=1, le=65535)


class Defaults(_Section):
    """For games that do not say otherwise."""

    time_per_move: Annotated[timedelta, BeforeValidator(parse_duration)] = timedelta(days=3)
    reminders: tuple[Annotated[int, Field(ge=1, le=99)], ...] = (50, 90)
    """Percent of the time that have passed when a reminder is mailed, ascending."""
    on_timeout: Literal["standby"] = "standby"

    @field_validator("reminders")
    @classmethod
    def _ascending(cls, reminders: tuple[int, ...]) -> tuple[int, ...]:
        if list(reminders) != sorted(set(reminders)):
            raise ValueError("write the percentages ascending, each once: [50, 90]")
        return reminders


class LimitsSection(_Section):
    """What is too much."""

    max_mail_bytes: int = Field(default=1_048_576, ge=16_384, le=104_857_600)
    """Larger mails are refused when they arrive."""


class Serve(_Section):
    """The running service."""

    tick_seconds: float = Field(default=15.0, ge=0.05, le=3600)
    """How often it looks for due work if nothing wakes it."""
    lease_seconds: float = Field(default=300.0, ge=1, le=86400)
    """How long one mail may take to be sent; what a killed process had is sent again after that."""


class Log(_Section):
    """The log of the program (not of the games)."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    as_json: bool = Field(default=False, alias="json")
    """One JSON object per line instead of text for people."""


class Config(BaseSettings):
    """Everything that can be set; `load_config` makes it."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix=ENV_PREFIX, env_nested_delimiter="__"
    )

    database: Database = Database()
    service: ServiceSection
    smtp: Smtp
    listen: Listen | None = None
    defaults: Defaults = Defaults()
    limits: LimitsSection = LimitsSection()
    serve: Serve = Serve()
    log: Log = Log()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Take what is given and nothing else: `load_config` alone reads files and variables."""
        return (init_settings,)


def find_config(path: Path | None, env: Mapping[str, str]) -> Path:
    """Say which file counts: `path`, $PBEM_CONFIG, ./pbem.toml, /etc/pbem/pbem.toml.

    Raises:
        ConfigError: there is none, or the one that was named is not there.
    """
    named = path or (Path(env[ENV_CONFIG]) if env.get(ENV_CONFIG) else None)
    if named is not None:
        if not named.is_file():
            told = "--config" if path else f"${ENV_CONFIG}"
            raise ConfigError(f"{named}: there is no such file ({told} names it)")
        return named
    for candidate in SEARCHED:
        if candidate.is_file():
            return candidate
    raise ConfigError(f"there is no {SEARCHED[0]} or {SEARCHED[1]}: run `pbem init` to make one")


def load_config(path: Path | None, env: Mapping[str, str]) -> Config:
    """Read and check the configuration.

    Args:
        path: the file that `--config` names; None: search for it.
        env: the environment; `PBEM_SMTP__HOST` stands over `host` in `[smtp]`, and so on.

    Raises:
        ConfigError: all that is wrong, one line each.
    """
    source = find_config(path, env)
    given = _read_toml(source)
    service = given.get("service")
    if isinstance(service, dict) and "key" in service:
        raise ConfigError(
            f"{source}: [service] key: a key has no place in this file: write it to a file of its"
            " own and name that in key_file, or set PBEM_SERVICE__KEY"
        )
    values = _merge(given, _read_env(env))
    folder = source.resolve().parent
    _read_secret_files(values, folder, source)
    state = env.get(ENV_STATE, "").partition(":")[0]  # systemd may name several
    _place_database(values, Path(state) if state else folder)
    try:
        return Config.model_validate(values)
    except ValidationError as error:
        raise ConfigError("\n".join(_explain(error, source, env))) from None


def _read_toml(source: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(source.read_text(encoding="utf-8"))
    except ValueError as error:  # not TOML, or not even UTF-8
        raise ConfigError(f"{source}: this is not TOML: {error}") from None
    except OSError as error:
        raise ConfigError(f"{source}: cannot be read: {error.strerror}") from None


class _GivenEnvironment(EnvSettingsSource):
    """pydantic's reading of variables, from the environment that we were given."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._given = env
        super().__init__(Config)

    def _load_env_vars(self) -> Mapping[str, str | None]:
        return {name.lower(): value for name, value in self._given.items()}


def _read_env(env: Mapping[str, str]) -> dict[str, Any]:
    for name in env:
        if not name.startswith(ENV_PREFIX) or name == ENV_CONFIG:
            continue
        section, delimiter, _key = name.removeprefix(ENV_PREFIX).lower().partition("__")
        if not delimiter or section not in Config.model_fields:
            near = difflib.get_close_matches(section, Config.model_fields, n=1)
            hint = f"{ENV_PREFIX}{near[0].upper()}__…" if near else "PBEM_SECTION__KEY"
            raise ConfigError(f"{name}: there is no such setting; did you mean {hint}?")
    try:
        return _GivenEnvironment(env)()
    except SettingsError:
        raise ConfigError(
            "a PBEM_ variable that holds a list must be JSON, e.g. PBEM_SERVICE__ADMINS='[\"a@b\"]'"
        ) from None


def _merge(base: dict[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            value = _merge(old, value)  # noqa: PLW2901
        merged[key] = value
    return merged


def _read_secret_files(values: dict[str, Any], folder: Path, source: Path) -> None:
    """Put what `key_file` and `password_file` hold into `key` and `password`."""
    for section, name in (("service", "key"), ("smtp", "password")):
        table = values.get(section)
        if not isinstance(table, dict):
            continue
        file = table.get(f"{name}_file")
        if name not in table and isinstance(file, str):
            where = f"{source}: [{section}] {name}_file"
            try:
                table = {**table, name: (folder / file).read_text(encoding="utf-8").strip()}
            except (OSError, UnicodeDecodeError) as error:
                why = error.strerror if isinstance(error, OSError) else "this is not text"
                raise ConfigError(f"{where}: {folder / file}: {why}") from None
            values[section] = table
        if section == "service" and "key" not in table:
            raise ConfigError(
                f"{source}: [service] key_file: missing; `pbem init` makes a key, or set"
                " PBEM_SERVICE__KEY"
            )


def _place_database(values: dict[str, Any], folder: Path) -> None:
    """Make a relative SQLite path absolute."""
    table = values.setdefault("database", {})
    if not isinstance(table, dict):
        return
    url = table.get("url", Database.model_fields["url"].default)
    prefix = "sqlite:///"
    if isinstance(url, str) and url.startswith(prefix):
        file, mark, query = url.removeprefix(prefix).partition("?")
        values["database"] = {**table, "url": f"{prefix}{(folder / file).resolve()}{mark}{query}"}


def _explain(error: ValidationError, source: Path, env: Mapping[str, str]) -> list[str]:
    """Say for each problem where it is and what would be right."""
    lines = []
    for problem in error.errors(include_input=False, include_url=False, include_context=False):
        path = [str(part) for part in problem["loc"]]
        section, key = path[0], path[1] if len(path) > 1 else ""
        where = ENV_PREFIX + "__".join(path[:2]).upper()
        if not key or where not in env:
            shown = "key_file" if path[:2] == ["service", "key"] else key  # where it came from
            where = f"{source}: [{section}] {shown}".rstrip()
        if problem["type"] == "extra_forbidden":
            known = _keys_of(section) if key else list(Config.model_fields)
            near = difflib.get_close_matches(path[-1], known, n=1)
            what = f"did you mean {near[0]}?" if near else f"known are: {', '.join(known)}"
            lines.append(f"{where}: there is no such {'key' if key else 'section'}; {what}")
        elif problem["type"] == "missing":
            lines.append(f"{where}: missing; config.example.toml shows what belongs here")
        else:
            lines.append(f"{where}: {problem['msg'].removeprefix('Value error, ')}")
    return lines


def _keys_of(section: str) -> list[str]:
    if section not in Config.model_fields:
        return []
    kind = Config.model_fields[section].annotation
    return [
        field.alias or name
        for model in (kind, *get_args(kind))
        if isinstance(model, type) and issubclass(model, BaseModel)
        for name, field in model.model_fields.items()
    ]
