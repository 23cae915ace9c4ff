"""What every handler needs, put together once by `pbem.bootstrap`."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog

from pbem.clock import Clock
from pbem.domain.log.chain import GameId
from pbem.domain.terms.timing import Timing
from pbem.domain.terms.tokens import TokenBook
from pbem.language import SOURCE
from pbem.mail_in.mime.authentication import TrustedServer
from pbem.mail_in.sandbox.reader import DirectReader, MailReader
from pbem.mail_out.render import Renderer
from pbem.sections import LimitsSection
from pbem.store.db.uow import Store

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Settings:
    """The part of the configuration that handlers read.

    Attributes:
        name: display name of the service in From.
        zone: IANA zone for players who have not told theirs.
        language: what new players are written to in, until they tell theirs.
        admins: addresses of the people who run this server, lower case.
        timing: for games that do not say otherwise.
        max_mail_bytes: larger mails are refused before anything is parsed.
        limits: what is too much.
        connections: mails that are handed on at the same time.
        message_domain: of our Message-IDs; None = `pbem.` before the service's domain.
        trusted: the mail server whose word on senders is asked for; None = nobody's.
        lease: how long a mail belongs to the process that is sending it; what a killed process
            had is sent by another one after that.
        outage_after: a longer gap between two heartbeats moves the running deadlines.
        pulses: every way in, and delivery, each with the time after which it is late if it gave no
            sign of life.
        bot_level: how well bots play that sit in for somebody.
        registration: who may become a player: `open` anybody who writes, `invited` whom a player
            or an admin invites, `admin` whom an admin adds.
    """

    name: str
    zone: str
    admins: frozenset[str] = field(repr=False)
    timing: Timing
    max_mail_bytes: int
    limits: LimitsSection = field(default_factory=LimitsSection)
    connections: int = 1
    message_domain: str | None = None
    trusted: TrustedServer | None = None
    lease: timedelta = timedelta(minutes=5)
    outage_after: timedelta = timedelta(minutes=15)
    bot_level: str = "easy"
    registration: str = "invited"
    pulses: tuple[tuple[str, timedelta], ...] = ()
    language: str = SOURCE


def _log_notice(text: str) -> None:
    log.warning(text, action="notice")


@dataclass(frozen=True, slots=True)
class Service:
    """Handlers take this first; it holds no state but what it was built from."""

    store: Store
    clock: Clock
    tokens: TokenBook
    renderer: Renderer
    settings: Settings
    reader: MailReader = field(default_factory=DirectReader)
    random_bytes: Callable[[int], bytes] = secrets.token_bytes
    notice: Callable[[str], None] = _log_notice
    """Told what the person who gives a command must read before its answer."""

    def now(self) -> datetime:
        """Return the current instant."""
        return self.clock.now()

    def new_id(self, length: int = 10) -> str:
        """Draw an id: lower-case base32, `length` characters."""
        return base64.b32encode(self.random_bytes(length)).decode().lower()[:length]

    def new_cause(self) -> str:
        """Draw what the events of one command name as their cause."""
        return f"command:{self.new_id(16)}"

    def new_game_id(self) -> GameId:
        """Draw a game's id."""
        return GameId(self.new_id())

    @property
    def message_domain(self) -> str:
        """Domain of our Message-IDs: nobody else writes it, even where players share our domain."""
        return self.settings.message_domain or f"pbem.{self.tokens.domain}"

    @property
    def own_address(self) -> str:
        """The service's address without a token."""
        return f"{self.tokens.local}@{self.tokens.domain}"
