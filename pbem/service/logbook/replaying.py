"""Replay a game from its log: the table and each seat's facts after every event.

A position is a move such as `17` (`0` is the deal), or an event such as `@41`, as named in
messages. `replays` decides which hidden cards may be shown, and returns a `Replay`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.api import Fact, JsonObject, JsonValue, Seat
from pbem.domain.log.chain import GameId
from pbem.domain.log.events import (
    ChoicesRevealed,
    Event,
    GameStarted,
    Hidden,
    MovePlayed,
    MovesRetracted,
    is_choice,
    is_ended,
)
from pbem.domain.table.game import Game
from pbem.errors import Refusal
from pbem.mail_out.content import FinalResult, GameMail
from pbem.mail_out.kinds import ANSWER
from pbem.service.core import games
from pbem.service.core.games import LogStep
from pbem.service.logbook.event_words import event_words, when
from pbem.store.db.uow import UnitOfWork

_PLACE = re.compile(r"(@?)(\d{1,9})", re.ASCII)

CHOSEN = "chosen"
"""Kind of the fact that a player has made a secret choice."""


@dataclass(frozen=True, slots=True)
class ReplayStep(LogStep):
    """An event, and the game after it.

    Attributes:
        recorded_at: the time in UTC, or only the day if the event stays closed.
        public: the game as visible to anyone. While a game is running, a secret choice does not
            change it and is not even visible as an event (GEN-6).
        public_facts: the facts of the event for everyone.
        moves: numbers of the moves that the event made. Several if secret choices were revealed.
        ply: the number of moves so far.
        text: description of the event.
        is_retracted: True if it was taken back later.
        eyes: the seats that `view` combines.
    """

    recorded_at: str
    public: Game = field(repr=False)
    public_facts: tuple[Fact, ...] = field(repr=False)
    moves: range
    ply: int
    text: str
    is_retracted: bool = False
    eyes: tuple[int, ...] = ()

    @property
    def actor(self) -> str:
        """Return the actor as recorded in the log."""
        return self.recorded.actor

    @property
    def view(self) -> JsonObject | None:
        """Return the table as `eyes` see it together, or None before the deal."""
        if self.game.state is None:
            return None
        if len(self.eyes) == 1:
            return self.seen_by(self.eyes[0])
        if not self.eyes:
            return self.seen_by(None)
        view: dict[str, Any] = self.game.ruleset.view(self.game.state, None)
        for seat in self.eyes:
            own: dict[str, Any] = self.seen_by(seat)
            view["seats"][seat] = own["seats"][seat]
        return view

    def seen_by(self, seat: int | None) -> JsonObject:
        """Return the view of a seat (None: an observer), or empty before the deal."""
        if self.game.state is None:
            return {}
        if seat is None:
            return self.game.ruleset.view(self.public.state, None)
        return self.game.ruleset.view(self.game.state, Seat(seat))

    def facts_for(self, seat: int | None) -> tuple[Fact, ...]:
        """Return the facts about the event for a seat (None: for an observer)."""
        if seat is None:
            return self.public_facts
        return tuple(fact for fact in self.facts if fact.audience in (None, seat))


def content(
    step: ReplayStep, names: Sequence[str], eye: int | None, facts: tuple[Fact, ...]
) -> GameMail:
    """Build a message with these facts for a seat (None: an observer).

    For an observer the view gets an empty extra seat, so that no sentence addresses them as a
    player.
    """
    game = step.game
    view: dict[str, Any] = step.seen_by(eye)
    reader = len(names) if eye is None else eye
    if eye is None and view:
        view["seats"] = [*view["seats"], {}]
    finished = game.finished
    return GameMail(
        kind=ANSWER.name,
        game_id=game.id,
        ruleset=game.ruleset.id.name,
        title=game.ruleset.title,
        players=tuple(names),
        reader=reader,
        dealt=game.state is not None,
        to_act=(),
        happened=facts,
        view=view,
        moves=(),
        moves_complete=False,
        lines=(),
        deadline=None,
        zone="UTC",
        head=game.head,
        version=game.version,
        commitment=game.commitment,
        reply_to="",
        result=None
        if finished is None
        else FinalResult(finished.ranking, finished.reason, finished.scores, "", ()),
        bots=game.bots,
    )


def walk(uow: UnitOfWork, game_id: GameId, names: Sequence[str]) -> tuple[ReplayStep, ...]:
    """Replay a game event by event.

    Hidden events are described only if the game has ended. Raises: UnknownStreamError, LogError.
    """
    steps = list(games.walk(uow, game_id))
    return tuple(_walk(steps, names))


def _walk(steps: Sequence[LogStep], names: Sequence[str]) -> Iterator[ReplayStep]:
    is_over = is_ended([type(step.event).__name__ for step in steps])
    public = steps[0].game
    kept_back: tuple[Fact, ...] = ()
    ply = 0
    gone = _taken_back(steps)
    for step in steps:
        event = step.event
        public_facts = tuple(fact for fact in step.facts if fact.audience is None)
        if isinstance(event, Hidden) and not is_over:
            kept_back = tuple(fact for fact in public_facts if fact.kind != CHOSEN)
            public_facts = ()
        else:
            public = step.game if is_over else _without_choices(step.game, public)
            public_facts, kept_back = kept_back + public_facts, ()
        moves = range(0)
        if isinstance(event, MovePlayed | ChoicesRevealed):
            moves = range(ply + 1, event.ply + 1)
            ply = event.ply
        if isinstance(event, MovesRetracted):
            ply = event.ply
        # while a game is running, a choice looks the same as talk, and private facts are held back
        is_gone = step.version in gone and bool(moves or (is_over and is_choice(event)))
        words = event_words(step.recorded, names, is_open=is_over)
        words += " (taken back later)" if is_gone else ""
        time = when(step.recorded, is_open=is_over)
        yield ReplayStep(
            step.recorded,
            step.before,
            step.game,
            time,
            public,
            public_facts,
            moves,
            ply,
            words,
            is_gone,
        )


def _without_choices(game: Game, public: Game) -> Game:
    """Return a game with the table as it was before the pending secret choices."""
    if game.is_choosing and public.is_choosing and game.position == public.position:
        return replace(game, state=public.state)
    return game


def _taken_back(steps: Iterable[LogStep]) -> frozenset[int]:
    """Return the versions of all events that were taken back."""
    return frozenset(
        version
        for step in steps
        if isinstance(step.event, MovesRetracted)
        for version in range(step.event.back_to + 1, step.version)
    )


def find(steps: Sequence[ReplayStep], text: str, *, may_be_gone: bool = False) -> int:
    """Return the index of the step at `17` (a move, `0` is the deal) or `@41` (an event).

    Args:
        steps: all steps of the game.
        text: the position in the form above.
        may_be_gone: True to also find moves that were taken back and not played again. The last
            such move counts.

    Raises: Refusal.
    """
    match = _PLACE.fullmatch(text.strip())
    if match is None:
        raise Refusal(
            "place", f'"{text}" is no place in a game: write 17 for move 17, @41 for event 41.'
        )
    number = int(match[2])
    if match[1]:
        if not 1 <= number <= len(steps):
            raise Refusal("version", f"The game has events @1 to @{len(steps)}.")
        return number - 1
    if number == 0:
        deals = (i for i, step in enumerate(steps) if isinstance(step.event, GameStarted))
    else:
        deals = (
            i for i, step in enumerate(steps) if number in step.moves and not step.is_retracted
        )
    index = next(deals, None)
    if index is None and may_be_gone:
        index = max((i for i, step in enumerate(steps) if number in step.moves), default=None)
    if index is None:
        last = steps[-1].ply
        dealt = steps[-1].game.state is not None
        message = f"moves 0 (the deal) to {last}" if dealt else "no cards dealt yet, so no moves"
        raise Refusal("move", f"The game has {message}, and events @1 to @{len(steps)}.")
    return index


def differences(
    before: JsonObject | None, after: JsonObject | None, names: Sequence[str]
) -> list[tuple[str, JsonValue, JsonValue]]:
    """List the differences between two views as (position, old value, new value)."""
    result = list(_differences(before or {}, after or {}, ()))
    return [
        (_where(path, names), _named(path, was, names), _named(path, now, names))
        for path, was, now in result
    ]


def _named(path: tuple[str | int, ...], value: JsonValue, names: Sequence[str]) -> JsonValue:
    """Replace seat numbers by names in a value that is a list of seats."""
    if path[-1] not in ("to_act", "ring", "tied") or not isinstance(value, list):
        return value
    return [names[seat] for seat in value if isinstance(seat, int)]


def _differences(
    before: JsonValue, after: JsonValue, path: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], JsonValue, JsonValue]]:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            yield from _differences(before.get(key), after.get(key), (*path, key))
    elif isinstance(before, list) and isinstance(after, list) and path == ("seats",):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _differences(old, new, (*path, index))
    elif before != after:
        yield path, before, after


def _where(path: tuple[str | int, ...], names: Sequence[str]) -> str:
    """Describe a position in a view: `Bob, hand size`, `pile`."""
    words = [
        names[step] if isinstance(step, int) else step.replace("_", " ")
        for step in path
        if step != "seats"
    ]
    return ", ".join(words)


def mover(event: Event) -> int | None:
    """Return the seat that an event concerns, or None for the table or a secret choice."""
    seat: int | None = getattr(event, "seat", None)
    return seat
