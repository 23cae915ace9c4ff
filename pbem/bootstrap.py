"""Build the service from its configuration. `pbem.serving` runs it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pbem import resources
from pbem.clock import SystemClock
from pbem.config import Config
from pbem.domain.terms.timing import Timing, problems
from pbem.domain.terms.tokens import TokenCodec
from pbem.errors import ConfigError
from pbem.lazy import LazyProxy
from pbem.mail_in.mime.authentication import TrustedServer
from pbem.sections import Defaults
from pbem.service.clock import heartbeats
from pbem.service.core.context import Service
from pbem.service.core.live_database import PATIENCE
from pbem.store.db.uow import Store
from pbem.store.seal.keyring import KeyFile

if TYPE_CHECKING:
    from pbem.bots import Thinker
    from pbem.mail_in.sandbox.reader import MailReader
    from pbem.mail_out.render import Renderer


def build_service(config: Config) -> Service:
    """Build a service from its configuration without opening files or connections."""
    service = config.service
    return Service(
        store=build_store(config),
        clock=SystemClock(),
        tokens=TokenCodec(
            (service.key, *service.old_keys),
            service.local,
            service.domain,
            is_plain=service.addressing == "plain",
        ),
        renderer=cast(
            "Renderer", LazyProxy("pbem.mail_out.render", "Renderer", _template_folders(config))
        ),
        reader=cast("MailReader", LazyProxy("pbem.mail_in.sandbox.reader", "WorkerReader")),
        thinker=cast(
            "Thinker",
            LazyProxy(
                "pbem.bots",
                "ProcessThinker",
                {name: (bot.command, bot.seconds) for name, bot in config.bots.items()},
            ),
        ),
        config=config,
        timing=_timing(config.defaults),
        trusted=_trusted(config),
        heartbeats=_heartbeats(config),
    )


def _template_folders(config: Config) -> list[Path]:
    own = config.service.templates
    ours = resources.templates_dir() / "email"
    return [ours] if own is None else [own, ours]


def build_store(config: Config, *, may_lack_keys: bool = False) -> Store:
    """Build the database access with the keys of the key file, without opening anything.

    Args:
        config: the configuration.
        may_lack_keys: allow missing keys, in order to restore them.
    """
    keys_file = config.database.keys_file
    if keys_file is None:
        return Store(config.database.url)
    return Store(config.database.url, keys=KeyFile(keys_file, is_needed=not may_lack_keys))


def _timing(defaults: Defaults) -> Timing:
    values: dict[str, Any] = {
        name: int(value.total_seconds()) if isinstance(value, timedelta) else value
        for name, value in defaults
    }
    timing = Timing(**values)
    wrong = problems(timing)
    if wrong:
        raise ConfigError(f"[defaults]: such a clock cannot be: {'; '.join(wrong)}")
    return timing


def _heartbeats(config: Config) -> tuple[tuple[str, timedelta], ...]:
    """Return the names of monitored components, each with its longest silence."""
    result = [(heartbeats.DELIVERY, PATIENCE)]
    if config.listen is not None:
        result.append((heartbeats.LISTENER, PATIENCE))
    for name, section in ((heartbeats.IMAP, config.imap), (heartbeats.MAILDIR, config.maildir)):
        if section is not None:
            result.append((name, PATIENCE + timedelta(seconds=2 * section.poll_seconds)))
    return tuple(result)


def _trusted(config: Config) -> TrustedServer | None:
    section = config.authentication
    if section is None:
        return None
    return TrustedServer(section.authserv_id.lower(), section.require)
