"""The service object that all use cases receive, built by `pbem.bootstrap`."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, cast

import structlog

from pbem.domain.log.chain import GameId
from pbem.lazy import LazyProxy

if TYPE_CHECKING:  # most commands do not use these types, so do not import them at run time
    from pbem.bots import Thinker
    from pbem.clock import Clock
    from pbem.config import Config
    from pbem.domain.terms.timing import Timing
    from pbem.domain.terms.tokens import TokenCodec
    from pbem.mail_in.mime.authentication import TrustedServer
    from pbem.mail_in.sandbox.reader import MailReader
    from pbem.mail_out.render import Renderer
    from pbem.store.db.uow import Store

log = structlog.get_logger(__name__)


def _log_notice(text: str) -> None:
    log.warning(text, action="notice")


@dataclass(frozen=True, slots=True)
class Service:
    """The dependencies of all use cases, passed as their first argument.

    Attributes:
        timing: default time settings of games.
        trusted: the mail server whose sender authentication is trusted, if any.
        heartbeats: every inbound transport and delivery, with the time after which a missing heartbeat
            is reported.
        notice: shows an admin a text that they must read before the output of their command.
    """

    store: Store
    clock: Clock
    tokens: TokenCodec
    renderer: Renderer
    reader: MailReader
    config: Config
    timing: Timing
    trusted: TrustedServer | None = None
    heartbeats: tuple[tuple[str, timedelta], ...] = ()
    thinker: Thinker = field(
        default_factory=lambda: cast("Thinker", LazyProxy("pbem.bots", "DirectThinker"))
    )
    random_bytes: Callable[[int], bytes] = secrets.token_bytes
    notice: Callable[[str], None] = _log_notice

    def now(self) -> datetime:
        """Return the current time."""
        return self.clock.now()

    def new_id(self, length: int = 10) -> str:
        """Return a random ID of `length` characters in lower-case base32."""
        return base64.b32encode(self.random_bytes(length)).decode().lower()[:length]

    def new_cause(self) -> str:
        """Return a random cause for the events of a command."""
        return f"command:{self.new_id(16)}"

    def new_game_id(self) -> GameId:
        """Return a random game ID."""
        return GameId(self.new_id())

    @property
    def lease(self) -> timedelta:
        """Return how long a worker may claim a message for sending."""
        return timedelta(seconds=self.config.serve.lease_seconds)

    @property
    def message_domain(self) -> str:
        """Return the domain of our Message-IDs, which no other service uses."""
        return self.config.service.message_domain or f"pbem.{self.tokens.domain}"

    @property
    def own_address(self) -> str:
        """Return the service's address without a token."""
        return f"{self.tokens.local}@{self.tokens.domain}"
