"""The sections of the configuration: their keys, defaults and checks.

`pbem.config` reads the file and joins them; `config.example.toml` documents every key.
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
    field_validator,
    model_validator,
)

from pbem.durations import parse_duration
from pbem.language import SOURCE, languages

SMALLEST_KEY = 32
"""Bytes of the HMAC key."""
LONGEST_TICK = 150
"""Seconds: half of what `pbem health`, and the watchdog of the unit for systemd, wait for a sign of life."""

_ADDRESS = re.compile(r"[a-z0-9][a-z0-9._-]*@[a-z0-9-]+(\.[a-z0-9-]+)*")
BotLevel = Literal["standby", "easy", "medium", "hard"]
OnTimeout = Literal["standby", "bot", "ask", "forfeit", "wait"]
"""What happens when the time of a player is up; `domain/play/timeouts.py` does it."""
Unreachable = Literal["run", "wait"]
Observers = Literal["ask", "open", "off"]
zones = cache(available_timezones)
"""Returns the names of all time zones, which Python gathers from the files of the machine each time."""
_LAST_PORT = 65535
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def _read_key(text: object) -> bytes:
    """Read a key in hex; the text is not repeated in errors."""
    try:
        key = bytes.fromhex(text if isinstance(text, str) else "")
    except ValueError:
        key = b""
    if len(key) < SMALLEST_KEY:
        raise ValueError(f"the key is {SMALLEST_KEY} or more random bytes in hex: run `pbem init`")
    return key


class Section(BaseModel):
    """Refuses keys that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Database(Section):
    """Where the games are."""

    url: str = Field(default="sqlite:///pbem.sqlite3", repr=False)
    """A relative SQLite path starts at the folder of the file."""
    keys_file: Path | None = None
    """File with the keys that seal secrets in the database; None: they are not sealed."""

    @field_validator("url")
    @classmethod
    def _known(cls, url: str) -> str:
        if not url.startswith(("sqlite:///", "postgresql://")):
            raise ValueError("write sqlite:///path/to/pbem.sqlite3 or postgresql://user@host/name")
        return url


class ServiceSection(Section):
    """Who the service is."""

    address: str
    """`local@domain`; reply addresses are `local+TOKEN@domain`."""
    addressing: Literal["plus", "plain"] = "plus"
    """`plain` for a mailbox that gets no mail to `local+TOKEN@domain`."""
    name: str = "Cards by mail"
    """Display name in From."""
    key_file: Path | None = None
    """File with the key in hex; relative to the folder of the configuration."""
    key: Annotated[bytes, BeforeValidator(_read_key)] = Field(default=b"", repr=False)
    """HMAC key of the reply addresses: from `key_file` or PBEM_SERVICE__KEY, never in the file."""
    old_key_files: tuple[Path, ...] = ()
    """Files with earlier keys: reply addresses that they made are still accepted."""
    old_keys: tuple[Annotated[bytes, BeforeValidator(_read_key)], ...] = Field(
        default=(), repr=False
    )
    """Earlier keys: from `old_key_files` or PBEM_SERVICE__OLD_KEYS, never in the file."""
    time_zone: str = "UTC"
    """IANA zone for people who have not told theirs."""
    language: str = SOURCE
    """What people are written to in who have not told theirs."""
    registration: Literal["open", "invited", "admin"] = "invited"
    """Who may become a player: anybody who writes, whom a player invites, or whom an admin adds."""
    blocked: tuple[str, ...] = ()
    """Addresses and domains (with all below them) whose mails get no answer unless a player writes."""
    message_domain: str | None = Field(default=None, pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)+$")
    """Domain of our Message-IDs; None = `pbem.` before the domain of `address`."""
    templates: Path | None = None
    """Folder with mail templates that stand over ours; relative to the folder of the file."""
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
        """What stands before the @ of the service's address."""
        return self.address.partition("@")[0]

    @property
    def domain(self) -> str:
        """What stands behind the @ of the service's address."""
        return self.address.partition("@")[2]


class Smtp(Section):
    """The server that takes our mails, or the folder that stands for it."""

    host: str = ""
    """The mail server that takes our mails."""
    port: int = Field(default=587, ge=1, le=65535)
    """Its port."""
    security: Literal["none", "starttls", "tls"] = "starttls"
    """`starttls` (port 587), `tls` (465), or `none` (a server on this machine)."""
    username: str | None = None
    """Login, if the server wants one."""
    password: str | None = Field(default=None, repr=False)
    """Better in `password_file`, or in PBEM_SMTP__PASSWORD."""
    password_file: Path | None = None
    """File with the password, instead of `password`; relative to the folder of the file."""
    token_command: tuple[str, ...] = ()
    """Command that prints an access token (XOAUTH2); then the password does not count."""
    timeout: float = Field(default=30.0, gt=0, le=600)
    """Seconds."""
    connections: int = Field(default=4, ge=1, le=50)
    """Connections to the server at the same time."""
    mails_a_day: int = Field(default=0, ge=0)
    """Mails that the server takes in 24 hours; the others wait. 0: no limit."""
    maildir: Path | None = None
    """Write mails into this Maildir instead; relative to the folder of the file."""

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
    """A listener of our own for mails that come in."""

    protocol: Literal["smtp", "lmtp"] = "lmtp"
    """`lmtp` (a mail server hands mails on) or `smtp`."""
    host: str = "127.0.0.1"
    """Address of this machine to listen at."""
    port: int = Field(default=2525, ge=1, le=65535)
    """Port to listen at."""
    certificate_file: Path | None = None
    """PEM file: STARTTLS is offered; relative to the folder of the file."""
    certificate_key_file: Path | None = None
    """PEM file with the private key, if it is not in `certificate_file`."""

    @model_validator(mode="after")
    def _key_has_a_certificate(self) -> Self:
        if self.certificate_key_file is not None and self.certificate_file is None:
            raise ValueError("a key without a certificate: add certificate_file")
        return self


class Imap(Section):
    """An ordinary mailbox in which our mails arrive; it is the service's alone."""

    host: str
    """The mailbox's server."""
    port: int = Field(default=993, ge=1, le=65535)
    """Its port."""
    security: Literal["none", "starttls", "tls"] = "tls"
    """`tls` (port 993), `starttls` (143), or `none` (a server on this machine)."""
    username: str
    """Login of the mailbox."""
    password: str = Field(default="", repr=False)
    """Better in `password_file`, or in PBEM_IMAP__PASSWORD."""
    password_file: Path | None = None
    """File with the password, instead of `password`; relative to the folder of the file."""
    token_command: tuple[str, ...] = ()
    """Command that prints an access token (XOAUTH2); then the password does not count."""
    inbox: str = "INBOX"
    """The folder that is read."""
    processed: str = "Processed"
    """Where a mail goes once it is kept in our database; made if it is not there."""
    failed: str = "Failed"
    """Where a mail goes that was not taken: too large, or the server cannot give it out."""
    poll_seconds: float = Field(default=60.0, ge=0.05, le=29 * 60)
    """How often to look even if the server tells of nothing; IDLE is renewed as often."""
    timeout: float = Field(default=30.0, gt=0, le=600)
    """Seconds for each step."""

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
        if len({self.inbox.lower(), self.processed.lower(), self.failed.lower()}) != 3:  # noqa: PLR2004  (the three of them)
            raise ValueError("inbox, processed and failed must be three different folders")
        return self


class MaildirSection(Section):
    """A Maildir on this machine in which our mails arrive."""

    path: Path
    """The folder that holds `new`, `cur` and `tmp`; relative to the folder of the file."""
    poll_seconds: float = Field(default=5.0, ge=0.05, le=3600)
    """How often to look."""


class Authentication(Section):
    """The mail server that we trust to check senders."""

    authserv_id: str = Field(pattern=r"^[A-Za-z0-9._-]{1,253}$")
    """How our mail server calls itself in Authentication-Results."""
    require: Literal["dmarc", "dkim"] = "dmarc"
    """What must have passed, for the domain of From."""


def _read_time(value: object) -> object:
    """Read a duration; 0 and `none` mean none."""
    return timedelta() if value in (0, "0", "none") else parse_duration(value)


Time = Annotated[timedelta, BeforeValidator(_read_time)]


class Defaults(Section):
    """For games that do not say otherwise."""

    time_per_move: Time = timedelta(days=3)
    """For every move."""
    bank: Time = timedelta()
    """What a seat may use beside that, in the whole game."""
    increment: Time = timedelta()
    """What the bank gains with every move."""
    choosing: Time = timedelta()
    """Time for a secret choice; 0 = as any move."""
    grace: Time = timedelta()
    """For so long after a deadline an answer is still in time."""
    reminders: tuple[Annotated[int, Field(ge=1, le=99)], ...] = (50, 90)
    """Percent of the time that have passed when a reminder is mailed, ascending."""
    weekends_off: bool = False
    """Saturdays and Sundays do not count."""
    falls_at: int = Field(default=-1, ge=-1, le=23)
    """Hour of the player's day at which deadlines fall; -1 = whenever."""
    quiet: tuple[Annotated[int, Field(ge=0, le=23)], ...] = ()
    """Two hours of the player's day between which no deadline falls; none = all hours are fine."""
    max_vacation: int = Field(default=14, ge=0, le=366)
    """Days of vacation that a seat may take in a game."""
    vacation_moves: int = Field(default=3, ge=0, le=366)
    """Days by which a vacation may move a deadline that is running already."""
    on_timeout: OnTimeout = "standby"
    """When time is up: a cautious move, a bot, a question to the admin, the seat is given up, or nothing."""
    misses: int = Field(default=2, ge=0, le=99)
    """Missed turns in a row after which a bot sits in; 0 = never."""
    excused: tuple[Annotated[int, Field(ge=1, le=99)], ...] = ()
    """Two numbers: [2, 10] = two missed turns in any ten turns of a player cost nothing; none = every miss counts."""
    drop: int = Field(default=3, ge=0, le=99)
    """Missed turns in a row after which the others may vote to go on without a player; 0 = never."""
    unreachable: Unreachable = "run"
    """What the clock does for a player who cannot be reached by mail."""
    ics: bool = False
    """Mails bring the deadline as a file for calendars."""
    observers: Observers = "ask"
    """Who may watch: the table votes on it, every registered player, or nobody."""
    hints: bool = True
    """Players may ask a bot for advice, or to play a turn; never in leagues and challenges."""

    @field_validator("reminders")
    @classmethod
    def _ascending(cls, reminders: tuple[int, ...]) -> tuple[int, ...]:
        if list(reminders) != sorted(set(reminders)):
            raise ValueError("write the percentages ascending, each once: [50, 90]")
        return reminders


class LimitsSection(Section):
    """Limits against floods and loops."""

    max_mail_bytes: int = Field(default=1_048_576, ge=16_384, le=104_857_600)
    """Larger mails are refused when they arrive."""
    idle_answers_per_hour: int = Field(default=12, ge=1, le=1000)
    """Answers to one person's proven mails of one game that changed nothing; the rest is kept."""
    mails_per_hour: int = Field(default=300, ge=1, le=100_000)
    """Proven mails of one person in one game that are carried out."""
    questions_per_day: int = Field(default=5, ge=2, le=1000)
    """How many questions of each kind one person gets in a day: whether a mail was theirs, whether they mean it, ..."""
    bounce_threshold: int = Field(default=4, ge=1, le=1000)
    """Score at which a player counts as unreachable: 2 for a hard bounce, 1 for a soft one."""
    bounce_days: int = Field(default=30, ge=1, le=365)
    """How long a bounce counts."""
    open_invitations: int = Field(default=12, ge=1, le=1000)
    """Unanswered invitations of one player."""
    invitations_per_day: int = Field(default=20, ge=1, le=1000)
    """People whom one player invites within a day, and games that one player makes."""
    strangers_per_day: int = Field(default=50, ge=1, le=10_000)
    """Strangers who are answered at all within a day, each once; with `registration = "open"`."""
    strangers_per_domain: int = Field(default=20, ge=1, le=10_000)
    """Of these, strangers of one domain: one that floods leaves room for others."""
    invitation_expires: Time = Field(default=timedelta(days=14), ge=timedelta(days=1))
    """After this an invitation that nobody answered has run out."""
    invitation_reminder: Time = timedelta(days=7)
    """After this it is said once more; 0 = never."""


class Serve(Section):
    """The running service."""

    tick_seconds: float = Field(default=15.0, ge=0.05)
    """How often it looks for due work if nothing wakes it; at most 150, and half of `outage_after`."""
    lease_seconds: float = Field(default=300.0, ge=1, le=86400)
    """How long one mail may take to be sent; what a killed process had is sent again after that."""
    outage_after: Time = Field(default=timedelta(minutes=15), ge=timedelta(minutes=1))
    """A longer time in which no `pbem serve` ran moves all running deadlines."""
    keep_mails: Time = Field(default=timedelta(days=90), ge=timedelta(days=30))
    """How long mails are kept whole; of older ones a hash is kept, and what became of them."""
    bot_level: BotLevel = "easy"
    """How well bots play that stand in for a player."""

    @model_validator(mode="after")
    def _gives_signs_of_life(self) -> Self:
        """Refuse pauses so long that a healthy service would look dead."""
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
    """Refuse the name of a level. Raises: ValueError."""
    if name in (*get_args(BotLevel), "random"):
        raise ValueError(f"{name} is a level of our own bots; choose another name")
    return name


BotName = Annotated[str, Field(pattern="^[a-z][a-z0-9]{2,19}$"), AfterValidator(_is_free)]


class Bot(Section):
    """Somebody else's bot, which plays under this name (docs/dev/bots.md)."""

    command: Annotated[tuple[str, ...], Field(min_length=1)]
    """The program and its arguments; it gets a view as one line of JSON, and answers with a move."""
    seconds: float = Field(default=5.0, gt=0, le=60)
    """How long it may take for a move; after that a cautious one is played."""


class Metrics(Section):
    """Metrics for Prometheus at http://HOST:PORT/metrics; needs the extra `metrics`."""

    host: str = "127.0.0.1"
    """Address of this machine to answer at; anybody who can reach it can read them."""
    port: int = Field(default=9464, ge=0, le=65535)
    """Port to answer at."""


class Web(Section):
    """The seat page: players see their table and move in a browser (docs/seat-page.md); without it there is none."""

    url: str
    """Where players reach it, through a proxy that speaks HTTPS: mails link there."""
    listen: str = "127.0.0.1:8025"
    """Address and port of this machine at which that proxy finds it."""

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
        """The address of `listen`."""
        return self.listen.rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        """The port of `listen`; 0 for any that is free."""
        return int(self.listen.rpartition(":")[2])

    @property
    def folder(self) -> str:
        """The path of `url`, without a slash at its end."""
        return urlsplit(self.url).path


class Pages(Section):
    """Static pages of the games for any web server to serve (docs/pages.md); without it there are none."""

    folder: Path
    """Folder that they are written to, which a web server serves; relative to the folder of the file."""
    url: str
    """Where that server shows them: turn mails and feeds link there."""

    @field_validator("url")
    @classmethod
    def _with_a_scheme(cls, url: str) -> str:
        return _checked_url(url)


def _checked_url(url: str) -> str:
    """Return the address of a server, without a slash at its end. Raises: ValueError."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError('write the whole address: "https://cards.example.org/club"')
    if parts.query or parts.fragment or parts.username or not url.isascii() or " " in url:
        raise ValueError('write an address without ?, # and login: "https://cards.example.org"')
    return url.rstrip("/")


PingWord = Literal["ntfy", "matrix", "telegram", "signal", "discord", "webhook"]


class Pings(Section):
    """Short notes to players whom mails do not reach in time (docs/pings.md); none unless some are allowed."""

    allow: tuple[PingWord, ...] = ()
    """The services through which players may be pinged; none = no pings."""
    per_day: int = Field(default=50, ge=1, le=1000)
    """Pings that one player gets within a day."""
    ntfy: str = "https://ntfy.sh"
    """The server of `ntfy`."""
    matrix: str = ""
    """The home server of our account for `matrix`."""
    matrix_token: str = Field(default="", repr=False)
    """Better in `matrix_token_file`, or in PBEM_PINGS__MATRIX_TOKEN."""
    matrix_token_file: Path | None = None
    """File with the access token of that account; relative to the folder of the file."""
    telegram: str = "https://api.telegram.org"
    """The server of `telegram`."""
    telegram_token: str = Field(default="", repr=False)
    """Better in `telegram_token_file`, or in PBEM_PINGS__TELEGRAM_TOKEN."""
    telegram_token_file: Path | None = None
    """File with the token of our bot; relative to the folder of the file."""
    signal: str = ""
    """Where signal-cli-rest-api listens, for `signal`."""
    signal_number: str = Field(default="", pattern=r"^(\+[0-9]{7,15})?$", repr=False)
    """The number that it sends from, such as +491701234567."""

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
    """The log of the program (not of the games)."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    """What is logged from."""
    as_json: bool = Field(default=False, alias="json")
    """One JSON object per line instead of text for people."""
