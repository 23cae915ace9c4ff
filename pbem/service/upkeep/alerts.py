"""What the people who run this server are told by mail; of each cause one alert a day.

An alert leaves as all mails do: of a dead way out they hear by a monitor that asks `pbem health`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from pbem.domain.log.chain import GameId
from pbem.errors import UnboundError
from pbem.service.clock import pulses
from pbem.service.core import stopped
from pbem.service.core.context import Service
from pbem.service.notify import to_admins
from pbem.service.upkeep import disk, guarding
from pbem.store.db.uow import UnitOfWork
from pbem.store.post.outgoing import Outgoing

STUCK = timedelta(hours=1)
"""A mail that could not be handed on, or a way in that did not work, for so long needs somebody to look."""
AS_LONG = " This is told once a day, for as long as it lasts."


def look(service: Service, *, since: datetime) -> bool:
    """Tell the admins what needs somebody to look; True if they are told something now.

    Args:
        service: of the server.
        since: when this program began to look: what happened before is no fault of the ways in.
    """
    if not service.settings.admins:
        return False
    day = f"{service.now():%Y-%m-%d}"
    with service.store.reading() as uow:
        untold = [
            (key, message)
            for name, message in _troubles(service, uow, since)
            if not to_admins.was_told(service, uow, key := f"{name}:{day}")
        ]
    if not untold:
        return False
    with service.store.unit_of_work() as uow:
        for key, message in untold:
            to_admins.queue(service, uow, key=key, message=message + AS_LONG)
    return True


def _troubles(service: Service, uow: UnitOfWork, since: datetime) -> Iterator[tuple[str, str]]:
    """Return what is wrong: a word that names the cause, and what there is to say."""
    waiting = uow.outbox.count_waiting(service.now() - STUCK)
    if waiting:
        yield "stuck", _waiting(waiting)
    shunted = uow.counts.mails_in("shunted")
    if shunted:
        yield "shunted", _set_aside(shunted)
    still = stopped.games(service, uow)
    if still:
        yield "stopped", _standing_still(still)
    for pulse in pulses.look(service, uow):
        if pulse.name in _WAYS and pulse.is_late and _is_dead(service, uow, pulse.at, since):
            yield f"way:{pulse.name}", _dead_way(pulse)
    unguarded = guarding.unguarded(uow)
    if unguarded is not None:
        yield "guards", f"In the database, {unguarded}."
    room = disk.room(service)
    if room is not None and room.is_short:
        yield "disk", _short_of_room(room)


def _waiting(count: int) -> str:
    what = "1 mail has" if count == 1 else f"{count} mails have"
    return (
        f"{what} waited to be handed on for an hour or longer. `pbem mail outbox list --status pending`"
        " shows which and why; `pbem mail outbox retry` has all that wait tried at once."
    )


def _set_aside(count: int) -> str:
    what = "1 mail is" if count == 1 else f"{count} mails are"
    return (
        f"{what} set aside: our program failed there. Players were told that you look at it,"
        " and no deadline of their seat fires before you have. `pbem mail shunted` shows where the"
        " fault is; `pbem mail shunted retry NUMBER` has a mail handled again once that is repaired,"
        " `pbem mail shunted drop NUMBER` makes an end of it."
    )


def _standing_still(games: list[GameId]) -> str:
    what = "1 game stands" if len(games) == 1 else f"{len(games)} games stand"
    return (
        f"{what} still, because the log or our program is at fault: {stopped.listed(games)}. Nobody is"
        " late there, and nothing happens either. `pbem db check` looks at all logs; the log of the"
        " program names the fault. It is tried again every hour."
    )


def _short_of_room(room: disk.Room) -> str:
    return (
        f"The disk of the database is nearly full ({disk.told(room)}). Once it is full no mail is taken"
        " and no move is made: make room."
    )


_WAYS = {
    pulses.LISTENER: "The door for mails, [listen],",
    pulses.IMAP: "The mailbox, [imap],",
    pulses.MAILDIR: "The folder of mails, [maildir],",
}


def _is_dead(service: Service, uow: UnitOfWork, at: datetime | None, since: datetime) -> bool:
    """True if a way in should have worked within the hour: not where nobody was there to use it."""
    limit = service.now() - STUCK
    last = since if at is None else max(at, since)
    return last < limit and not uow.outages.within(limit, service.now())


def _dead_way(pulse: pulses.Pulse) -> str:
    if pulse.at is None:
        how_long = "has never worked yet"
    else:
        how_long = f"has not worked since {pulse.at:%Y-%m-%d %H:%M} UTC"
    waits = "" if pulse.name == pulses.LISTENER else ", and no deadline fires before they are read"
    return (
        f"{_WAYS[pulse.name]} {how_long}. Mails that come that way wait{waits}. `pbem doctor` tries"
        " it and says what is wrong; so does the log of the program."
    )


def note_refused(service: Service, uow: UnitOfWork, row: Outgoing, error: str) -> None:
    """Tell the admins that a mail was refused for good, for no fault of its reader."""
    _tell(service, uow, row, "refused", f"Mail {row.id} was refused for good ({error})")


def note_given_up(service: Service, uow: UnitOfWork, row: Outgoing, error: str) -> None:
    """Tell the admins that a mail was tried for days and is not tried any more."""
    _tell(service, uow, row, "given-up", f"Mail {row.id} was given up after days ({error})")


def note_unrendered(service: Service, uow: UnitOfWork, row: Outgoing, error: str) -> None:
    """Tell the admins that a mail could not be written; it is kept and tried again."""
    _tell(
        service,
        uow,
        row,
        "unrendered",
        f"Mail {row.id} ({row.kind}) could not be written ({error}); it is kept and tried again. A"
        " template of your own may be broken: `pbem doctor` says where",
        status="pending",
    )


def note_unbound(service: Service, uow: UnitOfWork, error: UnboundError) -> None:
    """Tell the admins that a row does not fit its seal: somebody else wrote it."""
    to_admins.queue(
        service,
        uow,
        key=f"unbound:{error.table}:{error.row}:{service.now():%Y-%m-%d}",
        message=f"Somebody wrote into the database by other means than this program:"
        f" {_UNBOUND[error.table].format(row=error.row)} docs/keys.md tells what this means.{AS_LONG}",
    )


_UNBOUND = {
    "player": "a row of player {row}, or of an address of theirs, does not fit its seal. No mail from that"
    " address counts, and none leaves to it. `pbem db check` names all such rows. Ask the player in"
    ' another way than by mail which address is theirs; then "pbem player address {row} ADDRESS" puts'
    " it right.",
    "inbox": "mail {row} that came in does not fit its seal. It is set aside and cannot be handled again;"
    " `pbem mail shunted drop {row}` makes an end of it.",
    "outbox": "mail {row} that is to leave does not fit its seal. It is kept back;"
    " `pbem mail outbox cancel {row}` makes an end of it.",
}


def _tell(
    service: Service,
    uow: UnitOfWork,
    row: Outgoing,
    what: str,
    words: str,
    *,
    status: str = "failed",
) -> None:
    if row.kind == "alert":
        return  # it would be told by one more of them
    to_admins.queue(
        service,
        uow,
        key=f"{what}:{service.now():%Y-%m-%d}",
        message=f"{words}; today's others may follow. `pbem mail outbox list --status {status}`"
        f" shows them.{_what_waits(row) if status == 'failed' else ''}",
        game_id=row.game_id,
    )


def _what_waits(row: Outgoing) -> str:
    """Say what becomes of a game whose turn mail does not leave, and how an admin ends that."""
    if row.decision is None or row.game_id is None:
        return ""
    return (
        f" It tells seat {row.seat} of game {row.game_id} that it is to move, and nobody is late who never"
        " heard of it: the game waits, and the mail is written anew twice a day. If none of them gets"
        f' through, answer "bot {row.seat}" to have a bot play until the player writes, or "remove'
        f' {row.seat}" and why.'
    )
