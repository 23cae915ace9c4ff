"""The checks of `pbem doctor`, which change nothing.

This module checks the machine: database, files, clock. `health` checks the service's work, and
`doctor_mail` checks receiving and sending. Entry point: `examine`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError
from sqlalchemy import select

from engine import registry
from pbem import resources
from pbem.config import Config, secret_files, secrets_inside
from pbem.domain.log.chain import HIDDEN, parse_time
from pbem.domain.log.events import GameCreated
from pbem.durations import duration_words
from pbem.errors import ConfigError, KeyMissingError, StoreError
from pbem.mail_out.kinds import TEMPLATES
from pbem.service.core import operators
from pbem.service.core.context import Service
from pbem.service.league import rounds
from pbem.service.league.changing import load
from pbem.service.logbook import keys
from pbem.service.upkeep import doctor_mail, health, pruning
from pbem.service.upkeep.health import (
    DOCTOR,
    FAIL,
    OK,
    TOLERANCE,
    WARN,
    Finding,
    Look,
)
from pbem.store.db import schema
from pbem.store.log import codec
from pbem.store.post.pruning import Pruning
from pbem.store.rows.core import EVENT
from pbem.store.seal.binding import unfit_players
from pbem.store.seal.keyring import closing_command, is_open_to_others

EARLIEST = datetime(2026, 1, 1, tzinfo=UTC)
"""A system clock before this time is wrong, because the program did not exist then."""
LOOK_BACK = timedelta(days=7)
_OTHERS = 0o077
_OTHERS_WRITE = 0o022


def examine(service: Service, source: Path) -> Iterator[Finding]:
    """Run all checks. `source` is the configuration file."""
    yield Finding("configuration", OK, f"{source} is read")
    yield from _files(service.config, source)
    for machine_check in MACHINE:
        yield from machine_check(service)
    try:
        state = service.store.schema_state()
        schema.require_current(state)
        with service.store.reading() as uow:
            yield Finding("database", OK, f"it answers, schema {state.current}")
            look = Look(service, uow)
            for row in health.CHECKS:
                if DOCTOR in row.hears:
                    yield from row.look(look)
            for check in CHECKS:
                yield from check(look)
    except (StoreError, ConfigError) as error:
        yield Finding("database", FAIL, str(error), "see [database] in the configuration")
    for mail_check in doctor_mail.CHECKS:
        yield from mail_check(service)


def _admins(service: Service) -> Iterator[Finding]:
    """Check that alerts have a recipient."""
    count = len(service.config.service.admins)
    if count:
        yield Finding("admins", OK, f"{count} of them hear of trouble by mail")
        return
    asks = service.config.defaults.on_timeout == "ask"
    also = ', and on_timeout = "ask" asks nobody' if asks else ""
    yield Finding(
        "admins",
        WARN,
        f"there are none: no alert reaches anybody{also}",
        'set admins = ["you@example.org"] under [service]',
    )


def _operators(look: Look) -> Iterator[Finding]:
    """Warn if no player is an admin, because the seats of admins who play must be marked."""
    service, players = look.service, look.uow.players.list()
    if not service.config.service.admins or not players:
        return
    if not any(operators.is_operator(service, look.uow, player.id) for player in players):
        yield Finding(
            "admins",
            WARN,
            "no player here has an address of admins, so no seat counts as the operator's",
            "if you play here, add the address with which you play to admins under [service]",
        )


def _games(look: Look) -> Iterator[Finding]:
    """Check games installed as packages, and that no unfinished game lacks its rules."""
    uow = look.uow
    for package in registry.installed():
        if package.fault:
            yield Finding(
                "games",
                WARN,
                f"{package.name} of {package.pin} cannot be played: {package.fault}",
                "ask who made it, or uninstall it",
            )
    missing = [row for row in uow.projections.unfinished() if not registry.has(*row[:2])]
    for name, version, count, game_id in missing:
        created = codec.decode(uow.events.read_public(game_id)[0], redacted=True).event
        pin = created.package if isinstance(created, GameCreated) else ""
        stand = "1 game stands" if count == 1 else f"{count} games stand"
        text = f"{stand} still: the rules {name}/{version} are not here"
        remedy = (
            f"install {pin or 'the package that brings them'}, start `pbem serve` again, and hand"
        )
        yield Finding("games", FAIL, text, f"{remedy} on what `pbem mail shunted` lists")
    if not missing:
        yield Finding("games", OK, "the rules of all games are here")


def _leagues(look: Look) -> Iterator[Finding]:
    """Report games with damaged logs that block rounds of leagues."""
    for row in look.uow.leagues.every(open_only=True):
        for pair in rounds.damaged(look.uow, load(look.uow, row.id)):
            yield Finding(
                "leagues",
                FAIL,
                f"the round of {row.name} waits for game {pair.game}, whose log is damaged",
                (
                    "restore it from a backup, or let the round go on with half a point for each of its"
                    f" players: pbem league score {row.name} {pair.game}"
                ),
            )


def _files(config: Config, source: Path) -> Iterator[Finding]:
    """Check that other users cannot read files that contain secrets or change the configuration."""
    inside = secrets_inside(source)
    for file in [*([source] if inside else []), *secret_files(config, source)]:
        try:
            file.stat()
        except OSError as error:
            yield Finding("files", FAIL, f"{file}: {error.strerror}", "put it back")
            continue
        if is_open_to_others(file):
            what = " and ".join(inside) if file == source else "it"
            yield Finding("files", FAIL, f"{file}: others may read {what}", closing_command(file))
        else:
            yield Finding("files", OK, f"{file}: nobody else may read it")
    if source.stat().st_mode & _OTHERS_WRITE:
        yield Finding("files", FAIL, f"{source}: others may change it", f"chmod go-w {source}")


def _templates(service: Service) -> Iterator[Finding]:
    """Compile every template of the admin's folder."""
    folder = service.config.service.templates
    if folder is None:
        return
    if not folder.is_dir():
        text, remedy = f"{folder}: there is no such folder", "make it, or take templates out"
        yield Finding("templates", FAIL, text, f"{remedy} of [service]")
        return
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".txt", ".html"))
    broken = 0
    for file in files:
        try:
            service.renderer.compile(file.relative_to(folder).as_posix())
        except (TemplateError, UnicodeDecodeError, OSError) as error:
            broken += 1
            yield Finding("templates", FAIL, f"{file}: {_fault(error)}", "repair it, or remove it")
    if not broken:
        ours = resources.templates_dir() / "email"
        names = [file.relative_to(folder).as_posix() for file in files]
        over = sum(name in TEMPLATES or (ours / name).is_file() for name in names)
        yield Finding(
            "templates", OK, f"{folder}: {len(files)} of your own, {over} of them in place of ours"
        )


def _fault(error: Exception) -> str:
    match error:
        case TemplateSyntaxError():
            return f"line {error.lineno}: {error.message}"
        case TemplateNotFound():
            return f"there is no template {error.name}"
        case UnicodeDecodeError():
            return "this is not UTF-8"
        case _:
            return str(error)


def _database_file(service: Service) -> Iterator[Finding]:
    """Check the permissions of a SQLite database file."""
    file = health.database_file(service)
    if file is None:
        return
    folder = file.parent
    if not folder.is_dir():
        yield Finding("database", FAIL, f"{folder}: there is no such folder", f"mkdir {folder}")
        return
    for path in (folder, file):
        if path.exists() and not os.access(path, os.R_OK | os.W_OK):
            yield Finding(
                "database", FAIL, f"{path}: we may not write it", f"chown or chmod {path}"
            )
    if file.exists() and file.stat().st_mode & _OTHERS:
        yield Finding(
            "database",
            WARN,
            f"{file}: others may read all addresses and mails",
            f"chmod 600 {file}",
        )


def _sealing(look: Look) -> Iterator[Finding]:
    """Check that the database is encrypted and that its keys are available."""
    ring = look.uow.envelopes.ring
    if ring.current is None:
        yield Finding(
            "keys",
            WARN,
            "nothing in the database is sealed, nor bound",
            'set keys_file = "pbem.keys" under [database], then run `pbem key rotate`',
        )
        return
    try:
        keys.require_present(look.uow)
    except KeyMissingError as error:
        yield Finding("keys", FAIL, str(error), "pbem key restore BACKUP")
        return
    if ring.sealed_only:
        yield Finding("keys", OK, f"the database is sealed, now with the key {ring.current.kid}")
    else:
        yield Finding("keys", WARN, "not everything in the database is sealed", "pbem key reseal")


def _addresses(look: Look) -> Iterator[Finding]:
    """Report rows of players and addresses that another program wrote."""
    for player_id in unfit_players(look.uow.connection, look.uow.envelopes):
        yield Finding(
            "addresses",
            FAIL,
            f"a row of player {player_id}, or of an address of theirs, does not fit its seal",
            f"ask the player which address is theirs: pbem player address {player_id} ADDRESS",
        )


def _clock(look: Look) -> Iterator[Finding]:
    """Compare the clock with the log and the last heartbeat. A wrong clock would move deadlines."""
    now = look.service.now()
    newest = look.uow.connection.execute(
        select(EVENT.c.recorded_at)
        .where(EVENT.c.type != HIDDEN)
        .order_by(EVENT.c.position.desc())
        .limit(1)
    ).scalar_one_or_none()
    beat = look["heartbeat"]
    known = [
        time for time in (beat, None if newest is None else parse_time(newest)) if time is not None
    ]
    remedy = "set the clock and keep it right (timedatectl set-ntp true)"
    latest = max(known, default=now)
    if now < EARLIEST:
        yield Finding("clock", FAIL, f"it shows {now:%Y-%m-%d %H:%M} UTC, in the past", remedy)
    elif latest > now + TOLERANCE:
        text = (
            f"it shows {now:%Y-%m-%d %H:%M:%S} UTC, earlier than the last thing that happened here"
        )
        yield Finding("clock", FAIL, f"{text} ({latest:%Y-%m-%d %H:%M:%S} UTC)", remedy)
    else:
        yield Finding("clock", OK, f"it shows {now:%Y-%m-%d %H:%M:%S} UTC")


def _mails(look: Look) -> Iterator[Finding]:
    """Report how many sent messages still have their bytes, and up to when messages were pruned."""
    kept = Pruning(look.uow.connection, look.uow.envelopes).count()
    kept_for = duration_words(int(look.service.config.serve.keep_mails.total_seconds()))
    text = f"{kept} that went out are kept whole, for {kept_for}"
    up_to = look.uow.outages.last_beat(pruning.UP_TO)
    if up_to is not None:
        text += f"; those before {up_to:%Y-%m-%d %H:%M} UTC have lost their bytes"
    yield Finding("mails", OK, text)


def _outages(look: Look) -> Iterator[Finding]:
    """Report downtime of `pbem serve` in the last days."""
    now = look.service.now()
    down = look.uow.outages.within(now - LOOK_BACK, now)
    if not down:
        yield Finding("outages", OK, f"none in {LOOK_BACK.days} days")
        return
    longest = max(outage.end - outage.begin for outage in down)
    yield Finding(
        "outages",
        WARN,
        f"down {len(down)} times in {LOOK_BACK.days} days, at most {longest}; deadlines moved",
        "let the init system start and restart `pbem serve`",
    )


MACHINE: tuple[Callable[[Service], Iterable[Finding]], ...] = (
    _admins,
    _templates,
    _database_file,
    health.disk,
)
"""Checks that need no database, in the order of output."""
CHECKS = (_sealing, _addresses, _operators, _clock, _outages, _mails, _games, _leagues)
"""Database checks of the doctor only, printed after those of `health`."""
