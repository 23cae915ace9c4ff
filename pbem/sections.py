"""The sections of the configuration: their keys, defaults and validation.

`pbem.config` reads the file and combines the sections. `config.example.toml` documents every key.
"""

from __future__ import annotations

import difflib
import re
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, Self, get_args
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from pbem.durations import parse_duration
from pbem.language import SOURCE, languages

SMALLEST_KEY = 32
"""Minimum length of the HMAC key in bytes."""
LONGEST_TICK = 150
"""Maximum seconds between heartbeats: half the timeout of `pbem health` and systemd's watchdog."""

_ADDRESS = re.compile(r"[a-z0-9][a-z0-9._-]*@[a-z0-9-]+(\.[a-z0-9-]+)*")
BotLevel = Literal["standby", "easy", "medium", "hard"]
OnTimeout = Literal["standby", "bot", "ask", "forfeit", "wait"]
"""Effect of a missed deadline, implemented in `domain/play/timeouts.py`."""
Unreachable = Literal["run", "wait"]
Observers = Literal["ask", "open", "off"]
zones = cache(available_timezones)
"""Return the names of all time zones. Cached, because Python reads them from files each time."""
_SQLITE = "sqlite:///"
_LAST_PORT = 65535
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def _read_key(text: object) -> bytes:
    """Parse a key in hex. The error does not contain the text."""
    try:
        key = bytes.fromhex(text if isinstance(text, str) else "")
    except ValueError:
        key = b""
    if len(key) < SMALLEST_KEY:
        raise ValueError(f"the key is {SMALLEST_KEY} or more random bytes in hex: run `pbem init`")
    return key


def _in_folder(path: Path, info: ValidationInfo) -> Path:
    """Make a path absolute. The context is the configuration's folder, if there is one."""
    return path if info.context is None else (info.context / path).resolve()


PlacedPath = Annotated[Path, AfterValidator(_in_folder)]


class Section(BaseModel):
    """A section of the configuration, which rejects unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Database(Section):
    """Database of the games."""

    url: str = Field(default="sqlite:///pbem.sqlite3", repr=False, validate_default=True)
    """SQLAlchemy URL. A relative SQLite path starts at the configuration's folder."""
    keys_file: PlacedPath | None = None
    """File with the keys that encrypt secrets in the database, or None for no encryption."""

    @field_validator("url")
    @classmethod
    def _known(cls, url: str, info: ValidationInfo) -> str:
        if url.startswith("postgresql://"):
            return url
        if not url.startswith(_SQLITE):
            raise ValueError("write sqlite:///path/to/pbem.sqlite3 or postgresql://user@host/name")
        file, mark, query = url.removeprefix(_SQLITE).partition("?")
        return f"{_SQLITE}{_in_folder(Path(file), info)}{mark}{query}"


class ServiceSection(Section):
    """Identity of the service."""

    address: str
    """Address `local@domain` of the service. Reply addresses are `local+TOKEN@domain`."""
    addressing: Literal["plus", "plain"] = "plus"
    """`plain` for a mailbox that does not receive mail to `local+TOKEN@domain`."""
    name: str = "Cards by mail"
    """Display name in From."""
    key_file: PlacedPath | None = None
    """File with the key in hex. Relative to the configuration's folder."""
    key: Annotated[bytes, BeforeValidator(_read_key)] = Field(default=b"", repr=False)
    """HMAC key of the reply addresses: from `key_file` or PBEM_SERVICE__KEY, never in the file."""
    old_key_files: tuple[PlacedPath, ...] = ()
    """Files with earlier keys, whose reply addresses are still accepted."""
    old_keys: tuple[Annotated[bytes, BeforeValidator(_read_key)], ...] = Field(
        default=(), repr=False
    )
    """Earlier keys: from `old_key_files` or PBEM_SERVICE__OLD_KEYS, never in the file."""
    time_zone: str = "UTC"
    """Default IANA time zone of players."""
    language: str = SOURCE
    """Default language of players."""
    weekly_letter: bool = False
    """Send every player a weekly letter about their games, unless they switch it off."""
    registration: Literal["open", "invited", "admin"] = "invited"
    """People who may become players: everyone who writes, those invited by a player, or those added by an admin."""
    blocked: tuple[str, ...] = ()
    """Addresses and domains (with subdomains) that get no answers, except for registered players."""
    message_domain: str | None = Field(default=None, pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)+$")
    """Domain of our Message-IDs, by default `pbem.` followed by the domain of `address`."""
    templates: PlacedPath | None = None
    """Folder with mail templates that override ours. Relative to the configuration's folder."""
    admins: tuple[str, ...] = Field(default=(), repr=False)
    """Addresses of the admins, who get alerts."""

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
        if zone not in zones():
            near = difflib.get_close_matches(zone, zones(), n=1)
            raise ValueError(f'there is no such zone; write e.g. "{near[0] if near else "UTC"}"')
        return zone

    @field_validator("language")
    @classmethod
    def _known_language(cls, language: str) -> str:
        if language not in languages():
            raise ValueError(f"there are {', '.join(languages())}")
        return language

    @field_validator("admins")
    @classmethod
    def _lower_case(cls, admins: tuple[str, ...]) -> tuple[str, ...]:
        addresses = tuple(dict.fromkeys(address.strip().lower() for address in admins))
        if any(address.count("@") != 1 for address in addresses):
            raise ValueError('write each as "anna@example.org"')
        return addresses

    @property
    def local(self) -> str:
        """Return the local part of the service's address."""
        return self.address.partition("@")[0]

    @property
    def domain(self) -> str:
        """Return the domain of the service's address."""
        return self.address.partition("@")[2]


class Smtp(Section):
    """Server for outgoing mails, or a folder instead."""

    host: str = ""
    """Mail server for outgoing mails."""
    port: int = Field(default=587, ge=1, le=65535)
    """Port of the mail server."""
    security: Literal["none", "starttls", "tls"] = "starttls"
    """`starttls` (port 587), `tls` (465), or `none` (a server on this machine)."""
    username: str | None = None
    """Login, if the server requires one."""
    password: str | None = Field(default=None, repr=False)
    """Prefer `password_file` or PBEM_SMTP__PASSWORD."""
    password_file: PlacedPath | None = None
    """File with the password, instead of `password`. Relative to the configuration's folder."""
    token_command: tuple[str, ...] = ()
    """Command that prints an access token (XOAUTH2), which is used instead of a password."""
    timeout: float = Field(default=30.0, gt=0, le=600)
    """Timeout in seconds."""
    connections: int = Field(default=4, ge=1, le=50)
    """Maximum number of simultaneous connections."""
    mails_a_day: int = Field(default=0, ge=0)
    """Maximum number of mails in 24 hours. Further mails wait. 0 means no limit."""
    maildir: PlacedPath | None = None
    """Write mails into this Maildir instead. Relative to the configuration's folder."""

    @model_validator(mode="after")
    def _somewhere(self) -> Self:
        if bool(self.host) == (self.maildir is not None):
            raise ValueError("name either the host that takes our mails, or a maildir")
        return self

    @model_validator(mode="after")
    def _no_password_in_clear(self) -> Self:
        has_password = self.password is not None or self.password_file is not None
        if self.token_command and self.username is None:
            raise ValueError("token_command without a username: add username")
        if has_password and self.username is None:
            raise ValueError("a password without a username: add username")
        is_secret = has_password or bool(self.token_command)
        if is_secret and self.security == "none" and self.host not in _LOOPBACK:
            raise ValueError(
                'the password would travel in clear text: set security = "starttls" or "tls"'
            )
        return self


class Listen(Section):
    """Own listener for incoming mails."""

    protocol: Literal["smtp", "lmtp"] = "lmtp"
    """`lmtp` (from a mail server) or `smtp`."""
    host: str = "127.0.0.1"
    """Local address to listen on."""
    port: int = Field(default=2525, ge=1, le=65535)
    """Port to listen on."""
    certificate_file: PlacedPath | None = None
    """PEM file with the certificate for STARTTLS. Relative to the configuration's folder."""
    certificate_key_file: PlacedPath | None = None
    """PEM file with the private key, if it is not in `certificate_file`."""

    @model_validator(mode="after")
    def _key_has_a_certificate(self) -> Self:
        if self.certificate_key_file is not None and self.certificate_file is None:
            raise ValueError("a key without a certificate: add certificate_file")
        return self


class Imap(Section):
    """Mailbox for incoming mails, used only by the service."""

    host: str
    """IMAP server of the mailbox."""
    port: int = Field(default=993, ge=1, le=65535)
    """Port of the IMAP server."""
    security: Literal["none", "starttls", "tls"] = "tls"
    """`tls` (port 993), `starttls` (143), or `none` (a server on this machine)."""
    username: str
    """Login of the mailbox."""
    password: str = Field(default="", repr=False)
    """Prefer `password_file` or PBEM_IMAP__PASSWORD."""
    password_file: PlacedPath | None = None
    """File with the password, instead of `password`. Relative to the configuration's folder."""
    token_command: tuple[str, ...] = ()
    """Command that prints an access token (XOAUTH2), which is used instead of a password."""
    inbox: str = "INBOX"
    """Folder of incoming mails."""
    processed: str = "Processed"
    """Folder for mails stored in the database. It is created if necessary."""
    failed: str = "Failed"
    """Folder for rejected mails: too large, or the server cannot deliver them."""
    poll_seconds: float = Field(default=60.0, ge=0.05, le=29 * 60)
    """Seconds between checks without a notification, and between renewals of IDLE."""
    timeout: float = Field(default=30.0, gt=0, le=600)
    """Timeout of each step in seconds."""

    @model_validator(mode="after")
    def _no_password_in_clear(self) -> Self:
        if not self.password and not self.token_command:
            raise ValueError("a mailbox needs a password: add password_file, or token_command")
        if self.security == "none" and self.host not in _LOOPBACK:
            raise ValueError(
                'the password would travel in clear text: set security = "tls" or "starttls"'
            )
        return self

    @model_validator(mode="after")
    def _three_folders(self) -> Self:
        if len({self.inbox.lower(), self.processed.lower(), self.failed.lower()}) != 3:  # noqa: PLR2004  (all three folders)
            raise ValueError("inbox, processed and failed must be three different folders")
        return self


class MaildirSection(Section):
    """Maildir on this machine for incoming mails."""

    path: PlacedPath
    """Folder that contains `new`, `cur` and `tmp`. Relative to the configuration's folder."""
    poll_seconds: float = Field(default=5.0, ge=0.05, le=3600)
    """Seconds between checks."""


class Authentication(Section):
    """Mail server that is trusted to authenticate senders."""

    authserv_id: str = Field(pattern=r"^[A-Za-z0-9._-]{1,253}$")
    """Name of that server in Authentication-Results."""
    require: Literal["dmarc", "dkim"] = "dmarc"
    """Check that the domain of From must pass."""


def _read_time(value: object) -> object:
    """Parse a duration. 0 and `none` mean a duration of zero."""
    return timedelta() if value in (0, "0", "none") else parse_duration(value)


Time = Annotated[timedelta, BeforeValidator(_read_time)]


class Defaults(Section):
    """Defaults for games."""

    time_per_move: Time = timedelta(days=3)
    """Time for every move."""
    bank: Time = timedelta()
    """Additional time of a seat in the whole game."""
    increment: Time = timedelta()
    """Time added to the bank with every move."""
    choosing: Time = timedelta()
    """Time for a secret choice. 0 means the time for a move."""
    grace: Time = timedelta()
    """Time after a deadline in which an answer still counts."""
    reminders: tuple[Annotated[int, Field(ge=1, le=99)], ...] = (50, 90)
    """Percentages of the time after which reminders are sent, ascending."""
    weekends_off: bool = False
    """Saturdays and Sundays do not count."""
    falls_at: int = Field(default=-1, ge=-1, le=23)
    """Hour of the player's day at which deadlines fall. -1 means any time."""
    quiet: tuple[Annotated[int, Field(ge=0, le=23)], ...] = ()
    """Start and end hour (player's time) of a period without deadlines. Empty means none."""
    max_vacation: int = Field(default=14, ge=0, le=366)
    """Maximum days of vacation of a seat in a game."""
    vacation_moves: int = Field(default=3, ge=0, le=366)
    """Maximum days by which a vacation moves a deadline that is already running."""
    on_timeout: OnTimeout = "standby"
    """Effect of a missed deadline: a cautious move, a bot, a question to the admin, resignation, or nothing."""
    misses: int = Field(default=2, ge=0, le=99)
    """Consecutive missed turns after which a bot takes over. 0 means never."""
    excused: tuple[Annotated[int, Field(ge=1, le=99)], ...] = ()
    """Two numbers: [2, 10] excuses two missed turns in any ten turns of a player. Empty means none."""
    drop: int = Field(default=3, ge=0, le=99)
    """Consecutive missed turns after which the others may vote a player out. 0 means never."""
    unreachable: Unreachable = "run"
    """Effect on the clock if a player cannot be reached by mail."""
    ics: bool = False
    """Attach the deadline to mails as a calendar file."""
    observers: Observers = "ask"
    """People who may observe a game: those the table accepts, every registered player, or none."""
    hints: bool = True
    """Let players ask a bot for advice, or to play a turn, except in leagues and challenges."""

    @field_validator("reminders")
    @classmethod
    def _ascending(cls, reminders: tuple[int, ...]) -> tuple[int, ...]:
        if list(reminders) != sorted(set(reminders)):
            raise ValueError("write the percentages ascending, each once: [50, 90]")
        return reminders


class LimitsSection(Section):
    """Limits against floods and loops."""

    max_mail_bytes: int = Field(default=1_048_576, ge=16_384, le=104_857_600)
    """Maximum size of an incoming mail."""
    idle_answers_per_hour: int = Field(default=12, ge=1, le=1000)
    """Maximum answers per hour, person and game to authenticated mails that changed nothing."""
    mails_per_hour: int = Field(default=300, ge=1, le=100_000)
    """Maximum authenticated mails per hour that are carried out for a person in a game."""
    questions_per_day: int = Field(default=5, ge=2, le=1000)
    """Maximum questions of each kind to a person per day, e.g. whether a mail was theirs."""
    bounce_threshold: int = Field(default=4, ge=1, le=1000)
    """Score at which a player counts as unreachable: 2 for a hard bounce, 1 for a soft one."""
    bounce_days: int = Field(default=30, ge=1, le=365)
    """Days for which a bounce counts."""
    open_invitations: int = Field(default=12, ge=1, le=1000)
    """Maximum number of unanswered invitations of one player."""
    invitations_per_day: int = Field(default=20, ge=1, le=1000)
    """Maximum number of invitations by one player per day, and of games that one player creates."""
    strangers_per_day: int = Field(default=50, ge=1, le=10_000)
    """Maximum unregistered senders answered per day, each once, with `registration = "open"`."""
    strangers_per_domain: int = Field(default=20, ge=1, le=10_000)
    """Maximum unregistered senders of the same domain answered per day."""
    invitation_expires: Time = Field(default=timedelta(days=14), ge=timedelta(days=1))
    """Time after which an unanswered invitation expires."""
    invitation_reminder: Time = timedelta(days=7)
    """Time after which an unanswered invitation is repeated once. 0 means never."""


class Serve(Section):
    """Operation of the service: intervals, limits and retention."""

    tick_seconds: float = Field(default=15.0, ge=0.05)
    """Seconds between checks for due work without a wakeup, at most 150 and half of `outage_after`."""
    lease_seconds: float = Field(default=300.0, ge=1, le=86400)
    """Maximum seconds for sending one mail. The mails of a killed process are sent again after that."""
    outage_after: Time = Field(default=timedelta(minutes=15), ge=timedelta(minutes=1))
    """A longer time without a running `pbem serve` moves all running deadlines."""
    keep_mails: Time = Field(default=timedelta(days=90), ge=timedelta(days=30))
    """Retention of complete mails. Of older ones the hash and the outcome are kept."""
    bot_level: BotLevel = "easy"
    """Level of bots that replace a player."""

    @model_validator(mode="after")
    def _gives_signs_of_life(self) -> Self:
        """Reject intervals so long that a healthy service would seem dead."""
        half = self.outage_after.total_seconds() / 2
        if self.tick_seconds > LONGEST_TICK:
            raise ValueError(
                f"tick_seconds must be at most {LONGEST_TICK}: a service that gives no sign of life for"
                f" five minutes is taken to be dead; write tick_seconds = {min(LONGEST_TICK, half):g}"
            )
        if self.tick_seconds > half:
            raise ValueError(
                "tick_seconds must be at most half of outage_after: else each pause between two looks"
                f" may count as an outage; write tick_seconds = {half:g}, or a longer outage_after"
            )
        return self


def _is_free(name: str) -> str:
    """Validate that the name of an external bot is not that of a level. Raises: ValueError."""
    if name in (*get_args(BotLevel), "random"):
        raise ValueError(f"{name} is a level of our own bots; choose another name")
    return name


BotName = Annotated[str, Field(pattern="^[a-z][a-z0-9]{2,19}$"), AfterValidator(_is_free)]


class Bot(Section):
    """External bot, which plays under this name (docs/dev/bots.md)."""

    command: Annotated[tuple[str, ...], Field(min_length=1)]
    """Program and arguments. It gets a view as one line of JSON, and answers with a move."""
    seconds: float = Field(default=5.0, gt=0, le=60)
    """Maximum seconds for a move. After that a cautious one is played."""


class Metrics(Section):
    """Metrics for Prometheus at http://HOST:PORT/metrics. They need the extra `metrics`."""

    host: str = "127.0.0.1"
    """Address to listen on. Everyone who can reach it can read the metrics."""
    port: int = Field(default=9464, ge=0, le=65535)
    """Port to listen on."""


class Web(Section):
    """Seat page, on which players see their table and move in a browser (docs/seat-page.md). Optional."""

    url: str
    """Public URL through an HTTPS proxy, which mails link to."""
    listen: str = "127.0.0.1:8025"
    """Address and port to listen on for that proxy."""

    @field_validator("url")
    @classmethod
    def _encrypted(cls, url: str) -> str:
        parts = urlsplit(_checked_url(url))
        if parts.scheme != "https" and parts.hostname not in _LOOPBACK:
            raise ValueError('hands would travel in clear text: write "https://cards.example.org"')
        return url.rstrip("/")

    @field_validator("listen")
    @classmethod
    def _address_and_port(cls, listen: str) -> str:
        match = re.fullmatch(r"(?:\[[0-9a-f:.]+\]|[a-z0-9.-]+):([0-9]{1,5})", listen)
        if match is None or int(match[1]) > _LAST_PORT:
            raise ValueError('write an address and a port: "127.0.0.1:8025"')
        return listen

    @property
    def host(self) -> str:
        """Return the host part of `listen`, without brackets."""
        return self.listen.rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        """Return the port of `listen`. 0 means any free port."""
        return int(self.listen.rpartition(":")[2])

    @property
    def folder(self) -> str:
        """Return the path of `url`, without a slash at its end."""
        return urlsplit(self.url).path


class Pages(Section):
    """Pages of the games for browsers (docs/pages.md). Optional."""

    url: str
    """URL of the pages, which turn mails and feeds link to."""
    folder: PlacedPath | None = None
    """Folder for a web server with all pages. Relative to the configuration's folder."""

    @field_validator("url")
    @classmethod
    def _with_a_scheme(cls, url: str) -> str:
        return _checked_url(url)


def _checked_url(url: str) -> str:
    """Validate the URL of a server and return it without a slash at its end. Raises: ValueError."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError('write the whole address: "https://cards.example.org/club"')
    if parts.query or parts.fragment or parts.username or not url.isascii() or " " in url:
        raise ValueError('write an address without ?, # and login: "https://cards.example.org"')
    return url.rstrip("/")


PingWord = Literal["ntfy", "matrix", "telegram", "signal", "discord", "webhook"]


class Pings(Section):
    """Short notifications to players who do not read mails in time (docs/pings.md). Optional."""

    allow: tuple[PingWord, ...] = ()
    """Services through which players may be pinged. Empty means no pings."""
    per_day: int = Field(default=50, ge=1, le=1000)
    """Maximum number of pings to one player per day."""
    ntfy: str = "https://ntfy.sh"
    """URL of the server for pings by `ntfy`."""
    matrix: str = ""
    """URL of the home server for pings by `matrix`, where the service has an account."""
    matrix_token: str = Field(default="", repr=False)
    """Prefer `matrix_token_file` or PBEM_PINGS__MATRIX_TOKEN."""
    matrix_token_file: PlacedPath | None = None
    """File with the access token of that account. Relative to the configuration's folder."""
    telegram: str = "https://api.telegram.org"
    """URL of the server for pings by `telegram`."""
    telegram_token: str = Field(default="", repr=False)
    """Prefer `telegram_token_file` or PBEM_PINGS__TELEGRAM_TOKEN."""
    telegram_token_file: PlacedPath | None = None
    """File with the token of our bot. Relative to the configuration's folder."""
    signal: str = ""
    """URL of signal-cli-rest-api, for `signal`."""
    signal_number: str = Field(default="", pattern=r"^(\+[0-9]{7,15})?$", repr=False)
    """Number of the sender, such as +491701234567."""

    @field_validator("ntfy", "matrix", "telegram", "signal")
    @classmethod
    def _server(cls, url: str) -> str:
        return _checked_url(url) if url else url

    @field_validator("matrix_token", "telegram_token")
    @classmethod
    def _one_word(cls, token: str) -> str:
        if not re.fullmatch(r"[!-~]*", token):
            raise ValueError("a token is one word of plain letters, figures and signs")
        return token

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        needed = {
            "matrix": ("matrix", "matrix_token"),
            "telegram": ("telegram_token",),
            "signal": ("signal", "signal_number"),
        }
        for word in self.allow:
            for key in needed.get(word, ()):
                if not getattr(self, key):
                    raise ValueError(f"{word} is allowed and needs {key}: docs/pings.md says how")
        return self


class Log(Section):
    """Log of the program (not of the games)."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    """Minimum level of log entries."""
    as_json: bool = Field(default=False, alias="json")
    """One JSON object per line instead of text for people."""
