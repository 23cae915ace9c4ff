"""The configuration: a TOML file, overridden by `PBEM_*` variables, and secrets from files.

Under systemd, a credential overrides a secret file of the same name (systemd.exec(5),
LoadCredential=).

`config.example.toml` documents every key. An error raises a ConfigError with the file (or
variable), the key and the correct form. The message never contains a value, which may be a secret.
"""

from __future__ import annotations

import difflib
import re
import stat
import tomllib
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_settings import EnvSettingsSource, SettingsError

from pbem.errors import ConfigError
from pbem.sections import (
    Authentication,
    Bot,
    BotName,
    Database,
    Defaults,
    Imap,
    LimitsSection,
    Listen,
    Log,
    MaildirSection,
    Metrics,
    Pages,
    Pings,
    Serve,
    ServiceSection,
    Smtp,
    Web,
)

if TYPE_CHECKING:
    from pydantic_settings import BaseSettings

ENV_PREFIX = "PBEM_"
ENV_CONFIG = "PBEM_CONFIG"
ENV_CREDENTIALS = "CREDENTIALS_DIRECTORY"
SEARCHED = (Path("pbem.toml"), Path("/etc/pbem/pbem.toml"))

_PASSWORD_IN_URL = re.compile(r"//[^:/]*:[^@]+@|[?&]password=")
_KEY_IS_LOST = "if it was lost, put it back with `pbem key restore BACKUP`"
_CAME_FROM = {"key": "key_file", "old_keys": "old_key_files"}
_READ_FROM_FILES = (
    ("service", "key"),
    ("smtp", "password"),
    ("imap", "password"),
    ("pings", "matrix_token"),
    ("pings", "telegram_token"),
)
"""Sections and keys of secrets. The key for the file name has the suffix `_file`."""


class Config(BaseModel):
    """All settings, loaded by `load_config`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    database: Database = Database()
    service: ServiceSection
    smtp: Smtp
    listen: Listen | None = None
    imap: Imap | None = None
    maildir: MaildirSection | None = None
    authentication: Authentication | None = None
    defaults: Defaults = Defaults()
    limits: LimitsSection = LimitsSection()
    serve: Serve = Serve()
    bots: Mapping[BotName, Bot] = {}
    metrics: Metrics | None = None
    pages: Pages | None = None
    web: Web | None = None
    pings: Pings = Pings()
    log: Log = Log()


def find_config(path: Path | None, env: Mapping[str, str]) -> Path:
    """Return the first existing file: `path`, $PBEM_CONFIG, ./pbem.toml, /etc/pbem/pbem.toml.

    Raises:
        ConfigError: no file was found, or the given file does not exist.
    """
    named = path or (Path(env[ENV_CONFIG]) if env.get(ENV_CONFIG) else None)
    if named is not None:
        if not _is_file(named):
            source = "--config" if path else f"${ENV_CONFIG}"
            raise ConfigError(f"{named}: there is no such file ({source} names it)")
        return named
    for candidate in SEARCHED:
        try:
            if _is_file(candidate):
                return candidate
        except ConfigError:
            if candidate.is_absolute():
                raise  # the current folder may be unreadable, e.g. root's home
    raise ConfigError(f"there is no {SEARCHED[0]} or {SEARCHED[1]}: run `pbem init` to make one")


def load_config(
    path: Path | None, env: Mapping[str, str], *, may_lack_secrets: bool = False
) -> Config:
    """Load and validate the configuration.

    Args:
        path: the file given by `--config`, or None to search for it.
        env: the environment. `PBEM_SMTP__HOST` overrides `host` in `[smtp]`, and so on.
        may_lack_secrets: True to ignore missing secret files, in order to restore keys.

    Raises:
        ConfigError: all errors, each on a separate line.
    """
    source = find_config(path, env)
    given = _read_toml(source)
    service = given.get("service")
    for name, named_by in (("key", "key_file"), ("old_keys", "old_key_files")):
        if isinstance(service, dict) and name in service:
            raise ConfigError(
                f"{source}: [service] {name}: a key has no place in this file: write it to a file"
                f" of its own and name that in {named_by}, or set PBEM_SERVICE__{name.upper()}"
            )
    values = _merge(given, _read_env(env))
    folder = source.resolve().parent
    credentials = env.get(ENV_CREDENTIALS)
    secrets = _Secrets(folder, Path(credentials) if credentials else None, may_lack_secrets)
    _read_secret_files(values, source, secrets)
    values.setdefault("database", {})  # so that its path is placed, too
    try:
        return Config.model_validate(values, context=folder)
    except ValidationError as error:
        raise ConfigError("\n".join(_explain(error, source, env))) from None


def secret_files(config: Config, source: Path) -> list[Path]:
    """Return the files with keys and passwords in a configuration."""
    listen = config.listen
    named = [
        config.database.keys_file,
        config.service.key_file,
        *config.service.old_key_files,
        config.smtp.password_file,
        None if config.imap is None else config.imap.password_file,
        None if listen is None else listen.certificate_key_file or listen.certificate_file,
        config.pings.matrix_token_file,
        config.pings.telegram_token_file,
    ]
    folder = source.resolve().parent
    return list(dict.fromkeys(folder / file for file in named if file is not None))


def given_variables(env: Mapping[str, str]) -> list[str]:
    """Return the names of the variables that override the file, without their values."""
    return sorted(name for name in env if name.startswith(ENV_PREFIX) and name != ENV_CONFIG)


def secrets_inside(source: Path) -> list[str]:
    """Return the names of secrets in the configuration file itself, such as `[smtp] password`."""
    given = _read_toml(source)
    names = [f"[{name}] {key}" for name, key in _READ_FROM_FILES if key in given.get(name, {})]
    if _PASSWORD_IN_URL.search(str(given.get("database", {}).get("url", ""))):
        names.append("[database] url")
    return names


def _is_file(file: Path) -> bool:
    try:
        return stat.S_ISREG(file.stat().st_mode)
    except PermissionError as error:
        raise ConfigError(f"{file}: {_why(error)}") from None
    except OSError:
        return False


def _why(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return f"{error.strerror}: run this as the user of the service (sudo -u pbem …)"
    return str(error.strerror)


def _read_toml(source: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(source.read_text(encoding="utf-8"))
    except ValueError as error:  # not TOML, or not even UTF-8
        raise ConfigError(f"{source}: this is not TOML: {error}") from None
    except OSError as error:
        raise ConfigError(f"{source}: cannot be read: {_why(error)}") from None


class _GivenEnvironment(EnvSettingsSource):
    """pydantic's source of environment variables, with a given environment."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._given = env
        super().__init__(
            cast("type[BaseSettings]", Config),  # it needs only the fields
            case_sensitive=False,
            env_prefix=ENV_PREFIX,
            env_nested_delimiter="__",
        )

    def _load_env_vars(self) -> Mapping[str, str | None]:
        return {name.lower(): value for name, value in self._given.items()}


def _read_env(env: Mapping[str, str]) -> dict[str, Any]:
    for name in given_variables(env):
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
            merged[key] = _merge(old, value)
        else:
            merged[key] = value
    return merged


@dataclass(frozen=True, slots=True)
class _Secrets:
    """Reads files with keys and passwords.

    Attributes:
        folder: base of relative names.
        credentials: systemd's folder of credentials, which override files with the same name.
        may_lack: True to ignore missing files.
    """

    folder: Path
    credentials: Path | None
    may_lack: bool

    def read(self, name: str, where: str) -> str | None:
        """Read a secret. None if the file is missing and `may_lack` is set. Raises: ConfigError."""
        file = self.folder / name
        if self.credentials is not None:
            with suppress(OSError, UnicodeDecodeError):  # some containers cannot pass credentials
                if secret := (self.credentials / file.name).read_text(encoding="utf-8").strip():
                    return secret
        try:
            return file.read_text(encoding="utf-8").strip()
        except FileNotFoundError as error:
            if self.may_lack:
                return None
            hint = f"; {_KEY_IS_LOST}" if where.endswith(("key_file", "key_files")) else ""
            raise ConfigError(f"{where}: {file}: {error.strerror}{hint}") from None
        except (OSError, UnicodeDecodeError) as error:
            why = _why(error) if isinstance(error, OSError) else "this is not text"
            raise ConfigError(f"{where}: {file}: {why}") from None


def _read_secret_files(values: dict[str, Any], source: Path, secrets: _Secrets) -> None:
    """Read the secrets from `key_file`, `old_key_files`, `password_file` and similar keys."""
    for section, name in _READ_FROM_FILES:
        table = values.get(section)
        if not isinstance(table, dict):
            continue
        file = table.get(f"{name}_file")
        if name not in table and isinstance(file, str):
            secret = secrets.read(file, f"{source}: [{section}] {name}_file")
            if secret is None:
                continue
            table = {**table, name: secret}
            values[section] = table
        if section == "service" and "key" not in table:
            raise ConfigError(
                f"{source}: [service] key_file: missing; `pbem init` makes a key, or set"
                " PBEM_SERVICE__KEY"
            )
    service = values.get("service")
    files = service.get("old_key_files") if isinstance(service, dict) else None
    if isinstance(service, dict) and isinstance(files, list) and "old_keys" not in service:
        where = f"{source}: [service] old_key_files"
        named = [file for file in files if isinstance(file, str)]
        today = service.get("key_file")
        names = Counter(Path(file).name for file in (*named, today) if isinstance(file, str))
        keys = [
            # systemd finds credentials by name only. If two files have the same name, the
            # credential is the current key, not the old one.
            (secrets if names[Path(file).name] == 1 else replace(secrets, credentials=None)).read(
                file, where
            )
            for file in named
        ]
        values["service"] = {**service, "old_keys": [key for key in keys if key is not None]}


def _explain(error: ValidationError, source: Path, env: Mapping[str, str]) -> list[str]:
    """Return a line for each problem, with its location and remedy."""
    lines = []
    for problem in error.errors(include_input=False, include_url=False, include_context=False):
        path = [str(step) for step in problem["loc"]]
        section, key = path[0], path[1] if len(path) > 1 else ""
        where = ENV_PREFIX + "__".join(path[:2]).upper()
        if not key or where not in env:
            shown = _CAME_FROM.get(key, key) if section == "service" else key
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
    return [
        field.alias or name
        for model in _models_of(section)
        for name, field in model.model_fields.items()
    ]


def _models_of(section: str) -> list[type[BaseModel]]:
    if section not in Config.model_fields:
        return []
    kind = Config.model_fields[section].annotation
    known = (kind, *get_args(kind))
    return [
        annotation
        for annotation in known
        if isinstance(annotation, type) and issubclass(annotation, BaseModel)
    ]
