"""Create events for tests: some examples, and Hypothesis strategies for every type."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from pbem.domain.log.chain import GameId, NewEvent, StoredEvent, format_time
from pbem.domain.log.clock_events import DeadlineSet
from pbem.domain.log.events import (
    EVENT_TYPES,
    Event,
    GameCreated,
    GameFinished,
    Hidden,
    MovePlayed,
    PhraseGiven,
    Recorded,
    closed_words,
)
from pbem.domain.log.seat_events import SeatRemoved
from pbem.domain.table.clock_folds import opened
from pbem.domain.table.fold import rebuild
from pbem.domain.table.game import Game
from pbem.domain.table.game import ended as game_ended
from pbem.domain.terms.seats import controller_of
from pbem.domain.terms.timing import Timing, to_json
from pbem.store.db.uow import UnitOfWork
from pbem.store.log.codec import decode, encode
from tests.domain.samples import Story, started

NOW = datetime(2026, 11, 21, 6, 33, 49, 123456, tzinfo=UTC)
DAY = timedelta(days=1)

_numbers = itertools.count(1)


def new_game_id() -> GameId:
    return GameId(f"game{next(_numbers):06d}")


def created(*players: str) -> GameCreated:
    return GameCreated(
        ruleset="phyliss",
        ruleset_version=1,
        seats=players or ("anna", "bob"),
        options={"dealer": 0, "jokers": True, "packs": [1, 2]},
        operator_seats=(0,),
        timing=to_json(Timing(86400)),
        commitment="c" * 64,
        server_secret="5" * 64,
    )


def move(seat: int, ply: int = 1, text: str = "play 7c") -> MovePlayed:
    return MovePlayed(
        seat=seat, move=text, source="mail", ply=ply, digest="d" * 64, digest_version=1
    )


def deadline(*seats: int, start: datetime = NOW) -> DeadlineSet:
    return DeadlineSet(
        seats=seats,
        starts_at=start,
        base_at=start + DAY,
        due_at=start + DAY,
        fires_at=start + DAY,
        reminders=(start + DAY / 2,),
    )


def removed(seat: int = 1, reason: str = "she asked me to, see her letter") -> SeatRemoved:
    return SeatRemoved(seat=seat, reason=reason)


def new(*events: Event, actor: str = "system", cause: str | None = None) -> list[NewEvent]:
    return [encode(Recorded(1, NOW, actor, cause, "", event)) for event in events]


def a_stream() -> list[NewEvent]:
    """Return events with public payloads, both kinds of secrets, and causes."""
    return [
        *new(created(), PhraseGiven(seat=0, phrase="grün ist 🟢 \x00")),
        *new(move(0), actor="seat:0", cause="mail:" + "0" * 64),
        *new(deadline(1)),
        *new(removed(), actor="admin:anna", cause="command:x"),
    ]


def in_threads(count: int, work: Callable[[int], Any]) -> list[Any]:
    """Run `work(number)` in `count` threads at once. Return results or exceptions by number."""
    results: list[Any] = [None] * count
    start = threading.Barrier(count)

    def run(number: int) -> None:
        start.wait()
        try:
            results[number] = work(number)
        except Exception as error:  # noqa: BLE001  (handed to the test)
            results[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def a_game(game_id: GameId, *players: str, **changes: Any) -> Game:
    """Return a game that has just begun, with changed players and fields."""
    names = players or ("anna", "bob")
    game = started(len(names)).game
    seats = tuple(
        replace(seat, player=name, controller=controller_of(name))
        for seat, name in zip(game.seats, names, strict=True)
    )
    return replace(game, **{"id": game_id, "seats": seats, "deadline": None, **changes})


def with_deadline(game: Game, *seats: int, start: datetime = NOW) -> Game:
    """Return the game with a new deadline for some seats."""
    version = game.version + 1
    return replace(game, version=version, deadline=opened(deadline(*seats, start=start), version))


def with_result(game: Game, *ranking: tuple[int, ...], at: datetime = NOW) -> Game:
    """Return the finished game with a ranking."""
    end = GameFinished(ranking=ranking, reason="finished", scores=None, server_secret="5")
    return replace(game_ended(game, "finished", at), version=game.version + 1, finished=end)


def told(uow: UnitOfWork, story: Story) -> Game:
    """Append the events of a story to the log, write its projections, and return the game."""
    stored = uow.events.append(story.game.id, 0, [encode(one) for one in story.recorded], NOW)
    game = rebuild([decode(event) for event in stored], story.game.id)
    uow.projections.apply(None, game, NOW)
    return game


# -- strategies ------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
INTEGERS = st.integers(-(2**53), 2**53)
TIMES = st.datetimes(
    min_value=(NOW - 2000 * DAY).replace(tzinfo=None),
    max_value=(NOW + 2000 * DAY).replace(tzinfo=None),
    timezones=st.just(UTC),
)
JSON = st.recursive(
    st.none() | st.booleans() | INTEGERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
OPTIONS = st.dictionaries(
    TEXTS, st.booleans() | INTEGERS | TEXTS | st.lists(INTEGERS, max_size=3), max_size=3
)
_HINTS = {"JsonValue": object, "OptionValue": object}


def _values(hint: Any, integers: st.SearchStrategy[int]) -> st.SearchStrategy[Any]:
    if get_origin(hint) is tuple:
        return st.lists(_values(get_args(hint)[0], integers), max_size=3).map(tuple)
    if get_origin(hint) is dict:
        return OPTIONS
    if get_origin(hint) is UnionType:
        return st.none() | _values(get_args(hint)[0], integers)
    return {int: integers, bool: st.booleans(), str: TEXTS, datetime: TIMES, object: JSON}[hint]


def events_of(
    event_type: type[Event], integers: st.SearchStrategy[int] = INTEGERS
) -> st.SearchStrategy[Event]:
    """Return a strategy for events of a type, built from its annotations to cover new types too."""
    hints = get_type_hints(event_type, localns=_HINTS)
    values = {name: _values(hint, integers) for name, hint in hints.items()}
    values |= {name: st.sampled_from(of) for name, of in closed_words(event_type).items()}
    if event_type is Hidden:  # its instant is that at which it is recorded
        values["at"] = st.just(format_time(NOW))
    return st.builds(event_type, **values)


EVENTS: st.SearchStrategy[Event] = st.sampled_from(sorted(EVENT_TYPES)).flatmap(
    lambda name: events_of(EVENT_TYPES[name])
)
DECIDED = st.builds(
    Recorded,
    version=st.just(1),
    recorded_at=st.just(NOW),
    hash=st.just(""),
    event=EVENTS,
    actor=st.sampled_from(["seat:0", "admin:anna", "clock", "system"]),
    cause=st.none() | st.just("mail:" + "0" * 64),
)


def is_redacted(event: StoredEvent) -> bool:
    """True if the event's secret was redacted or erased."""
    return event.secret_commitment is not None and (
        event.secret is None or event.secret.payload is None
    )
