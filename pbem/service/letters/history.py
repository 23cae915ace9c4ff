"""The answer to `history`: the events and talk that a player may know."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from engine.api import Seat
from pbem.domain.table.game import Game
from pbem.mail_out.content import Entry, GameMail
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.names import named, teller
from pbem.service.notify import talking
from pbem.store.db.uow import UnitOfWork

USUAL, MAX = 20, 100
"""Default and maximum number of entries."""
MAX_CHARACTERS = 24_000
_EVENTS_PER_ENTRY = 4


_Found: TypeAlias = tuple[datetime, int, Entry]
"""Time, version of the event, entry."""


def entries(
    service: Service, uow: UnitOfWork, game: Game, mail: GameMail, count: int, *, only_talk: bool
) -> tuple[Entry, ...]:
    """Return the last entries, oldest first.

    Args:
        game: the game after the last entry.
        mail: a message to the reader at that version.
        count: maximum number of entries. Fewer are returned if they are too long for a message.
        only_talk: True to leave out events.
    """
    seat = mail.reader
    reader = game.seats[seat]
    now = service.now()
    messages = [
        message
        for message in talking.messages(uow, game.id, 0, game.version)
        if message.is_for(reader) and message.released_at <= now
    ]
    speeches = talking.speeches(uow, game, reader.player, messages)
    result = [
        (one.released_at, one.version, Entry(speech.at, speech=speech))
        for one, speech in zip(messages, speeches, strict=True)
    ][-count:]
    if not only_talk:
        result += _happened(service, uow, game, mail, count)
    result.sort(key=lambda item: item[:2])
    shown = [entry for _, _, entry in result[-count:]]
    while len(shown) > 1 and sum(map(_length, shown)) > MAX_CHARACTERS:
        shown.pop(0)
    return tuple(shown)


def _length(entry: Entry) -> int:
    return sum(map(len, entry.sentences)) + len("" if entry.speech is None else entry.speech.text)


def _happened(
    service: Service, uow: UnitOfWork, game: Game, mail: GameMail, count: int
) -> list[_Found]:
    """Return the last `count` events that have a text, reading the log back as far as needed."""
    back = count * _EVENTS_PER_ENTRY
    while True:
        base = max(0, game.version - back)
        steps = _since(service, uow, game, mail, base)
        if len(steps) >= count or base == 0:
            return steps[-count:]
        back *= _EVENTS_PER_ENTRY


def _since(
    service: Service, uow: UnitOfWork, game: Game, mail: GameMail, base: int
) -> list[_Found]:
    result = []
    for step in games.walk(uow, game.id, base, game.version):
        then, recorded_at = step.game, step.recorded.recorded_at
        # an earlier player's private facts are not the reader's
        is_theirs = then.seats[mail.reader].generation == game.seats[mail.reader].generation
        news = then.news_of(mail.reader if is_theirs else None, step.version)
        if not news:
            continue
        view = {} if then.state is None else then.ruleset.view(then.state, Seat(mail.reader))
        facts = named(uow, news, teller(then, view, mail.players, mail.called))
        sentences = service.renderer.sentences(replace(mail, happened=facts, view=view))
        if sentences:
            is_undone = any(first <= step.version <= last for first, last in game.retracted)
            result.append(
                (
                    recorded_at,
                    step.version,
                    Entry(recorded_at, tuple(sentences), is_undone=is_undone),
                )
            )
    return result
