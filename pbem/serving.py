"""Run the service: loops, transports, delivery, and checks of remote servers.

The service notifies systemd, if present: sd_notify(3), sd_watchdog_enabled(3), sd_listen_fds(3).
"""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from datetime import datetime
from functools import partial

import structlog

from engine import registry
from pbem.bootstrap import build_service
from pbem.config import Config
from pbem.errors import ConfigError
from pbem.mail_in.mime.message import Envelope
from pbem.mail_in.transports import listener
from pbem.mail_in.transports.listener import ListenerHooks, listen
from pbem.mail_in.transports.maildir import Maildir
from pbem.mail_in.transports.transport import InboundTransport, Intake, RejectedMail
from pbem.mail_out.deliver import Delivery, FolderDelivery, SmtpDelivery
from pbem.pings.sending import PingDelivery
from pbem.scheduler import AlarmClock
from pbem.sections import Listen, Metrics, Web
from pbem.service.clock import heartbeats
from pbem.service.core import live_database
from pbem.service.core.context import Service
from pbem.service.intake import accepting as intake
from pbem.service.logbook import keys
from pbem.service.runner import Runner
from pbem.service.upkeep import guarding
from pbem.service.upkeep.health import Finding
from pbem.service.upkeep.round_trip import round_trip
from pbem.store.db.coordination import Listener, advisory_claim
from pbem.store.seal.keyring import closing_command, is_open_to_others

log = structlog.get_logger(__name__)


class PlaceTakenError(ConfigError):
    """Raised if the service cannot listen on a configured address. The message gives the reason."""


def build_delivery(config: Config) -> Delivery:
    """Build the delivery of messages without connecting."""
    smtp = config.smtp
    if smtp.maildir is not None:
        return FolderDelivery(smtp.maildir, as_maildir=True)
    return SmtpDelivery(smtp)


async def take_round_trip(config: Config, patience: float) -> Finding:
    """Send a message to ourselves and wait for it. Other messages are stored for `serve`."""
    service = build_service(config)
    delivery = build_delivery(config)
    runner = Runner(service, delivery, lambda _at: None)
    try:
        with service.store.reading() as uow:  # incoming messages are stored and leave the mailbox
            live_database.require_live_database(uow)
        async with AsyncExitStack() as stack:
            with suppress(PlaceTakenError):  # `pbem serve` is listening on that port
                await stack.enter_async_context(_listening(service, config, runner))
            await stack.enter_async_context(_fetching(service, config, runner))
            return await round_trip(service, delivery, config.service.address, patience)
    finally:
        service.store.close()


async def serve(config: Config, *, on_ready: Callable[[int | None], None] | None = None) -> None:
    """Run the service until SIGTERM or SIGINT.

    Args:
        config: the configuration.
        on_ready: called with the port of the listener (None without a listener) once messages are
            accepted.

    Raises:
        SchemaError: the database does not have the schema of this program.
        KeyMissingError: an encryption key is missing.
        StoreError: the database is a copy that must not be served.
        PlaceTakenError: another program listens on an address of this service, or permission is missing.
    """
    service = build_service(config)
    try:
        warn_of_open_keys(config)
        with service.store.reading() as uow:  # refuses another schema and a missing key early
            keys.require_present(uow)
            live_database.require_live_database(uow)
            missing_triggers = guarding.missing_triggers(uow)
            if missing_triggers is not None:
                log.error(missing_triggers, action="unguarded", remedy=guarding.REMEDY)
        for package in registry.installed():
            if package.fault:
                log.error(
                    "game cannot be loaded",
                    action="package",
                    name=package.name,
                    why=package.fault,
                )
        _warn_of_others(live_database.start(service), is_file=service.store.is_sqlite)
        _serve_metrics(service, config)
        async with _running(service, config) as runner:
            loop = asyncio.get_running_loop()
            for signum in (signal.SIGTERM, signal.SIGINT):
                loop.add_signal_handler(signum, runner.stop)
            runner.alive = partial(notify, os.environ, "WATCHDOG=1")
            async with (
                _listening(service, config, runner) as port,
                _fetching(service, config, runner),
                _hearing(service, runner),
                _answering(service, config, runner),
            ):
                log.info("ready", action="ready", port=port)
                notify(os.environ, "READY=1")
                if on_ready is not None:
                    on_ready(port)
                await runner.run()
                notify(os.environ, "STOPPING=1")
    finally:
        service.store.close()
    log.info("stopped", action="stopped")


def warn_of_open_keys(config: Config) -> None:
    """Log warnings about unprotected secrets: no database keys, keys readable by other users."""
    keys_file, key_file = config.database.keys_file, config.service.key_file
    if keys_file is None:
        log.warning(
            "secrets in the database are not encrypted",
            action="not_sealed",
            remedy="set [database] keys_file, then run `pbem key rotate`",
        )
    for file in (keys_file, key_file):
        if file is not None and is_open_to_others(file):
            log.warning(
                "key file is readable by other users",
                action="key_open_to_others",
                file=str(file),
                remedy=closing_command(file),
            )


def _warn_of_others(others: list[str], *, is_file: bool) -> None:
    """Warn if several processes serve a SQLite file. On PostgreSQL that is a normal setup."""
    if others and is_file:
        log.warning(
            "another pbem serve works in this database",
            action="second_service",
            processes=others,
            remedy="one is enough for a SQLite database: stop one of them",
        )


def _serve_metrics(service: Service, config: Config) -> None:
    if config.metrics is None:
        return
    try:
        from pbem.service.upkeep import metrics  # noqa: PLC0415  (an optional dependency)
    except ImportError:
        raise ConfigError(
            "[metrics] needs the extra of that name: pip install 'pbem-cards[metrics]'"
        ) from None
    with _report_address(service, config.metrics):
        metrics.serve(service, config.metrics.host, config.metrics.port)


@contextmanager
def _report_address(service: Service, section: Listen | Metrics | Web) -> Iterator[None]:
    """Report an address that cannot be used to listen, and the program that uses it.

    Raises: PlaceTakenError.
    """
    name = {Listen: "listen", Metrics: "metrics", Web: "web"}[type(section)]
    try:
        yield
    except OSError as error:
        place = f"[{name}]: cannot listen at {section.host}:{section.port}"
        said = f"{place}: {error.strerror}"
        if error.errno == errno.EADDRINUSE:
            said = f"{said}. {_holder(service, section, name)}"
        raise PlaceTakenError(said) from None


def _holder(service: Service, section: Listen | Metrics | Web, name: str) -> str:
    """Describe the program that most likely uses an address, with the remedy."""
    with service.store.reading() as uow:
        others = live_database.processes(uow, service.now())
    if others:
        return (
            f"Another `pbem serve` works in this database (process {', '.join(others)}). One is enough:"
            " let it work, or stop it before you start this one (`systemctl stop pbem`, or `kill` and"
            " the number)"
        )
    return (
        f"Another program listens there; `ss -ltnp 'sport = :{section.port}'` names it. Stop it, or"
        f" set another port in [{name}]"
    )


@asynccontextmanager
async def _running(service: Service, config: Config) -> AsyncIterator[Runner]:
    alarms: list[AlarmClock] = []

    def set_alarm(at: datetime | None) -> None:
        alarms[0].set(at)

    pinging = PingDelivery(config.pings, config.service.name)
    runner = Runner(service, build_delivery(config), set_alarm, pinging=pinging)
    alarms.append(AlarmClock(runner.wake, config.serve.tick_seconds))
    alarms[0].start()
    try:
        yield runner
    finally:
        alarms[0].stop()


@asynccontextmanager
async def _listening(service: Service, config: Config, runner: Runner) -> AsyncIterator[int | None]:
    section = config.listen
    if section is None:
        yield None
        return

    async def accept(raw: bytes, envelope: Envelope) -> None:
        await asyncio.to_thread(intake.receive, service, raw, envelope)
        runner.wake()

    hooks = ListenerHooks(
        accept=accept,
        is_deliverable=lambda address: intake.is_deliverable(service, address),
        now=service.now,
    )
    inherited = inherited_sockets(os.environ)
    tls = listener.certificate_context(section)
    with _report_address(service, section):
        server = await listen(
            hooks,
            protocol=section.protocol,
            place=(section.host, section.port),
            max_bytes=config.limits.max_mail_bytes,
            tls=tls,
            inherited=inherited[0] if inherited else None,
        )
    runner.signs[heartbeats.LISTENER] = lambda: service.now() if server.is_serving() else None
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        if sys.version_info < (3, 12):
            await server.wait_closed()


@asynccontextmanager
async def _fetching(service: Service, config: Config, runner: Runner) -> AsyncIterator[None]:
    """Run the transports that fetch messages in separate threads."""
    loop = asyncio.get_running_loop()

    def accept(raw: bytes, envelope: Envelope) -> None:
        intake.receive(service, raw, envelope)
        loop.call_soon_threadsafe(runner.wake)

    def set_aside(raw: bytes, envelope: Envelope, rejected: RejectedMail) -> None:
        intake.set_aside(service, raw, envelope, rejected)
        loop.call_soon_threadsafe(runner.wake)

    def looked() -> None:
        loop.call_soon_threadsafe(runner.looked)

    transports = build_transports(
        config,
        Intake(
            accept=accept,
            set_aside=set_aside,
            is_ours=service.tokens.is_ours,
            now=service.now,
            looked=looked,
            max_bytes=config.limits.max_mail_bytes,
            advisory_claim=partial(advisory_claim, service.store),
        ),
    )
    runner.transports = [*transports]
    for transport in transports:
        runner.signs[transport.heartbeat] = partial(getattr, transport, "last_look")
    running = [asyncio.create_task(asyncio.to_thread(transport.run)) for transport in transports]
    try:
        yield
    finally:
        for transport in transports:
            transport.stop()
        await asyncio.gather(*running)


@asynccontextmanager
async def _answering(service: Service, config: Config, runner: Runner) -> AsyncIterator[None]:
    """Serve web pages if `[web]` is configured."""
    if config.web is None:
        yield
        return
    from pbem.web.app import service_app  # noqa: PLC0415  (saves memory where the feature is off)
    from pbem.web.server import serve  # noqa: PLC0415

    web, app = config.web, service_app(service, config.web, runner.wake)
    async with AsyncExitStack() as stack:
        with _report_address(service, config.web):
            port = await stack.enter_async_context(serve(app, web.host, web.port))
        log.info("pages are served", action="pages_served", port=port)
        yield


@asynccontextmanager
async def _hearing(service: Service, runner: Runner) -> AsyncIterator[None]:
    """Wake the loops when another process adds work to the database."""
    loop = asyncio.get_running_loop()
    listener = Listener(service.store, lambda: loop.call_soon_threadsafe(runner.wake))
    running = asyncio.create_task(asyncio.to_thread(listener.run))
    try:
        yield
    finally:
        listener.stop()
        await running


def build_transports(config: Config, hooks: Intake) -> list[InboundTransport]:
    """Build the transports that fetch messages, without connecting."""
    transports: list[InboundTransport] = []
    if config.imap is not None:
        from pbem.mail_in.transports.imap import ImapMailbox  # noqa: PLC0415  (saves memory where the feature is off)

        transports.append(ImapMailbox(config.imap, hooks))
    if config.maildir is not None:
        transports.append(Maildir(config.maildir.path, config.maildir.poll_seconds, hooks))
    return transports


FIRST_INHERITED = 3
"""Descriptor of the first inherited socket."""


def notify(env: Mapping[str, str], *states: str) -> bool:
    """Notify the supervisor, e.g. of `READY=1`. Return False if it was not notified."""
    path = env.get("NOTIFY_SOCKET", "")
    if not path.startswith(("/", "@")):
        return False
    address = "\0" + path[1:] if path.startswith("@") else path
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as link:
        try:
            link.sendto("\n".join(states).encode(), address)
        except OSError:
            return False
    return True


def inherited_sockets(env: Mapping[str, str]) -> list[socket.socket]:
    """Return the sockets that systemd opened for this process (sd_listen_fds(3))."""
    if env.get("LISTEN_PID") != str(os.getpid()):
        return []
    count = int(env.get("LISTEN_FDS") or 0)
    descriptors = range(FIRST_INHERITED, FIRST_INHERITED + count)
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    return [socket.socket(fileno=descriptor) for descriptor in descriptors]
