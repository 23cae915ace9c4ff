"""How each event changes a game: a fold, event after event, from the log alone.

The rules do the rest: the engine's state is computed from the seed and the moves, and recorded
digests are compared (GEN-1). What cannot follow is a LogError that names the event.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any, assert_never

from engine import registry
from engine.api import Fact, JsonValue, Seat, Step
from engine.errors import EngineError
from engine.replay import DIGEST_VERSION, state_digest
from engine.shuffle import commitment
from pbem.domain.log.chain import GameId
from pbem.domain.log.clock_events import (
    ClockCompensated,
    DeadlineExtended,
    DeadlineSet,
    TurnTimedOut,
)
from pbem.domain.log.events import (
    ChoicesRevealed,
    Event,
    GameCreated,
    GameFinished,
    GameStarted,
    GameStopped,
    Hidden,
    MovePlayed,
    MovesRetracted,
    Recorded,
)
from pbem.domain.log.motion_events import MotionEvent
from pbem.domain.log.private import is_private
from pbem.domain.log.seat_events import (
    PlayerReachable,
    PlayerUnreachable,
    SeatRemoved,
    SeatResigned,
)
from pbem.domain.log.talk_events import TalkEvent
from pbem.domain.log.values import replace
from pbem.domain.table import standing_fold
from pbem.domain.table.acted import ActEvent, acted, ended
from pbem.domain.table.choosing_fold import noted, revealed
from pbem.domain.table.game import (
    CHOSEN_SOURCES,
    Game,
    OpenDeadline,
    SeatState,
    Standing,
    news_with,
    with_news,
    with_seat,
)
from pbem.domain.table.motions import moved, swept
from pbem.domain.table.objections import OFTEN, objection
from pbem.domain.table.retraction import retracted, went_back_to
from pbem.domain.table.seated import SeatingEvent, creator_of, seated
from pbem.domain.table.steps import later_step
from pbem.domain.table.talked import is_of_talk, objection_to_talk, talked
from pbem.domain.table.timed import TimedEvent, timed
from pbem.domain.terms import timing
from pbem.domain.terms.occupants import controller_of, first_status
from pbem.errors import LogError


def fold(
    recorded: Iterable[Recorded],
    game_id: GameId,
    game: Game | None = None,
    past: Mapping[int, Game] | None = None,
    compared: Container[int] | None = None,
) -> Game:
    """Fold events into a game; arguments as of `folded`. Raises: LogError if they do not make one."""
    for after in folded(recorded, game_id, game, past, compared):
        game = after
    if game is None:
        raise LogError(f"game {game_id} has no events", version=1)
    return game


def folded(
    recorded: Iterable[Recorded],
    game_id: GameId,
    game: Game | None = None,
    past: Mapping[int, Game] | None = None,
    compared: Container[int] | None = None,
) -> Iterator[Game]:
    """Return the game after each event.

    Args:
        past: as in `evolve`.
        compared: versions of the events whose digests are compared; None = of all.

    Raises: LogError.
    """
    events = tuple(recorded)
    wanted = frozenset(went_back_to(events))
    known = {**(past or {})}
    if game is not None:
        known[game.version] = game
    for item in events:
        is_compared = compared is None or item.version in compared
        game = evolve(game, item, game_id, known, is_compared=is_compared)
        if game.version in wanted:
            known[game.version] = game
        yield game


def evolve(
    game: Game | None,
    recorded: Recorded,
    game_id: GameId,
    past: Mapping[int, Game] | None = None,
    *,
    is_compared: bool = True,
) -> Game:
    """Apply one event.

    Args:
        past: the game at those versions to which `MovesRetracted` goes back.
        is_compared: whether its digest must be that of the state that it leads to.

    Raises: LogError if it cannot follow, or if the rules do not agree with it.
    """
    version, event = recorded.version, recorded.event
    if version != (0 if game is None else game.version) + 1:
        raise LogError(f"event {version} does not follow the one before it", version=version)
    try:
        if isinstance(event, GameCreated):
            if game is not None:
                raise LogError("the game is created twice", version=version)
            return _created(event, recorded, game_id)
        if game is None:
            raise LogError("the log does not begin with GameCreated", version=version)
        is_often = isinstance(event, OFTEN)
        is_talk = not is_often and is_of_talk(event)
        why_not = (objection_to_talk if is_talk else objection)(game, event)
        if why_not is not None:
            raise LogError(f"event {version} cannot follow: {why_not}", version=version)
        if is_often:
            changed = _changed(game, recorded, is_compared=is_compared)
        elif isinstance(event, MovesRetracted):
            changed = retracted(game, recorded, (past or {}).get(event.back_to))
        elif isinstance(event, MotionEvent):
            changed = moved(game, recorded)
        else:
            changed = _changed(game, recorded, is_compared=is_compared)
    except (EngineError, IndexError, ValueError) as error:
        if isinstance(event, Hidden):  # the rules name its cards
            raise LogError(f"event {version} does not fit the rules", version=version) from None
        raise LogError(
            f"event {version} does not fit the rules: {error}", version=version
        ) from error
    return replace(swept(game, changed, recorded), version=version, head=recorded.hash)


def _created(event: GameCreated, recorded: Recorded, game_id: GameId) -> Game:
    if commitment(bytes.fromhex(event.server_secret)).hex() != event.commitment:
        raise LogError("event 1 commits to another secret", version=recorded.version)
    rules = registry.find(event.ruleset, event.ruleset_version)
    rules.check_options(len(event.seats), event.options)
    return Game(
        id=game_id,
        version=recorded.version,
        head=recorded.hash,
        status="inviting",
        ruleset=rules,
        options=event.options,
        seats=tuple(
            SeatState(player, first_status(player), controller=controller_of(player))
            for player in event.seats
        ),
        operator_seats=event.operator_seats,
        timing=timing.from_json(event.timing),
        commitment=event.commitment,
        server_secret=event.server_secret,
        creator=creator_of(recorded.actor),
    )


def _changed(game: Game, recorded: Recorded, *, is_compared: bool) -> Game:
    version, event = recorded.version, recorded.event
    if isinstance(event, MovePlayed):
        return _moved(game, event, version, event.digest if is_compared else None)
    if isinstance(event, DeadlineSet):
        return _awaited(game, event, version)
    if isinstance(event, GameCreated | MovesRetracted | MotionEvent):  # pragma: no cover
        raise LogError("`evolve` does those", version=version)
    if isinstance(event, ActEvent):
        return acted(game, recorded)
    if isinstance(event, SeatingEvent):
        return seated(game, event)
    if isinstance(event, TalkEvent):
        return talked(game, recorded)
    if isinstance(event, TimedEvent):
        return timed(game, recorded)
    match event:
        case GameStarted():
            return _started(game, event, version, event.digest if is_compared else None)
        case Hidden():
            if is_private(event):
                return standing_fold.told(talked(game, recorded), event)
            return _chosen(game, event, version, is_compared=is_compared)
        case ChoicesRevealed():
            return revealed(game, event, version)
        case SeatResigned() | SeatRemoved():
            return _left(game, event, recorded)
        case DeadlineExtended() | ClockCompensated():
            return _extended(game, event, version)
        case PlayerUnreachable() | PlayerReachable():
            is_lost = isinstance(event, PlayerUnreachable)
            kind = "unreachable" if is_lost else "reachable"
            changed = with_seat(game, event.seat, is_unreachable=is_lost)
            waits = game.timing.unreachable == "wait"
            data: dict[str, JsonValue] = {"waits": waits} if is_lost else {}
            if isinstance(event, PlayerUnreachable):
                data["reason"] = event.reason
            return with_news(changed, version, [Fact(kind, Seat(event.seat), data)])
        case TurnTimedOut():  # what is played for the seat is the news
            return with_seat(game, event.seat, misses=game.seats[event.seat].misses + 1)
        case GameStopped():
            fact = Fact("game_stopped", None, {"code": event.code, "reason": event.reason})
            return with_news(ended(game, "stopped"), version, [fact])
        case GameFinished():
            return _finished(game, event, version)
        case _:
            assert_never(event)


def _awaited(game: Game, event: DeadlineSet, version: int) -> Game:
    deadline = OpenDeadline(
        version,
        event.seats,
        event.starts_at,
        event.base_at,
        event.due_at,
        event.fires_at,
        event.reminders,
    )
    return replace(game, compensated=None, asked=(), deadline=deadline)


def _step_of(game: Game, event: Event) -> Step[Any]:
    step = later_step(game.ruleset, game.state, event)
    if step is None:  # pragma: no cover  (only called for events that touch the cards)
        raise LogError(f"{type(event).__name__} does not touch the cards")
    return step


def _started(game: Game, event: GameStarted, version: int, digest: str | None) -> Game:
    phrases = tuple(seat.phrase or "" for seat in game.seats)
    if phrases != event.phrases:
        raise LogError(f"event {version} lists other phrases than were given", version=version)
    step = game.ruleset.start(game.setup)
    seats = tuple(replace(seat, seen=version) for seat in game.seats)
    game = replace(game, status="running", seats=seats)
    return _stepped(game, step, version, mover=None, digest=digest)


def _moved(game: Game, event: MovePlayed, version: int, digest: str | None) -> Game:
    seat = Seat(event.seat)
    step = _step_of(game, event)
    if event.ply != game.ruleset.ply(step.state):
        raise LogError(f"event {version} counts its ply wrong", version=version)
    before = game
    told: tuple[Fact, ...] = ()
    if event.source == "bot":
        pass  # the seat's player has seen nothing of it, and is still silent
    elif event.source == "standing":  # nor of this
        game = standing_fold.announced(game, event, version)
    elif event.source in CHOSEN_SOURCES:
        game = with_seat(game, event.seat, seen=version, misses=0)
    else:
        kind = "timed_out" if event.source == "standby" else "forced"
        told = (Fact(kind, seat, {"move": event.move}),)
    after = _stepped(game, step, version, mover=event.seat, digest=digest, told=told)
    return standing_fold.after_ply(before, after, event)


def _chosen(game: Game, event: Hidden, version: int, *, is_compared: bool) -> Game:
    """Take over a secret choice; `seen` stays, since choosing is no look at the table."""
    payload: Any = event.payload
    if event.type != "ChoiceMade" or not game.is_choosing:
        raise LogError(f"event {version} is no choice that can be made now", version=version)
    seat = Seat(payload["seat"])
    step = _step_of(game, event)
    digest = payload["digest"] if is_compared else None
    if payload["source"] == "standby":
        fact = Fact("timed_out", seat, {"move": payload["move"]}, audience=seat)
        game = with_news(game, version, [fact])
    game = noted(game, seat, payload["source"])
    return _stepped(game, step, version, mover=seat, digest=digest)


def _left(game: Game, event: SeatResigned | SeatRemoved, recorded: Recorded) -> Game:
    version, kind, _, admin = recorded.version, *recorded.actor.partition(":")
    status = "resigned" if isinstance(event, SeatResigned) else "removed"
    game = with_seat(game, event.seat, status=status, decision=None, standing=Standing())
    if isinstance(event, SeatRemoved) and kind == "admin":
        data: dict[str, JsonValue] = {"admin": admin, "reason": event.reason}
        game = with_news(game, version, [Fact("seat_removed", Seat(event.seat), data)])
    elif isinstance(event, SeatRemoved):
        game = with_news(game, version, [Fact("seat_silent", Seat(event.seat), {})])
    step = _step_of(game, event)
    return _stepped(game, step, version, mover=None, digest=None)


def _stepped(
    game: Game,
    step: Step[Any],
    version: int,
    *,
    mover: int | None,
    digest: str | None,
    told: tuple[Fact, ...] = (),
) -> Game:
    """Take over the engine's step: state, news, and who has a decision since when.

    Args:
        mover: the seat that made a ply, None where it was none (the deal, a resignation).
        told: what is news before the facts of the step.
    """
    if digest is not None and digest != state_digest(game.ruleset, step.state):
        raise LogError(
            f"event {version} leads to another state than was recorded"
            f" (digest version {DIGEST_VERSION})",
            version=version,
        )
    if game.is_choosing and game.ruleset.is_choosing(step.state):
        return with_news(replace(game, state=step.state), version, told + step.facts)
    to_act = frozenset(game.ruleset.to_act(step.state))
    facts = step.facts
    new_deal = "dealt" in [fact.kind for fact in facts]
    seats = []
    for number, seat in enumerate(game.seats):
        kept = seat.decision is not None and not new_deal and mover in (None, number)
        # Own plies and a resignation do not make a token stale.
        since = seat.decision if kept else version
        standing = standing_fold.voided(seat.standing) if new_deal else seat.standing
        decision = since if number in to_act else None
        if decision != seat.decision or standing is not seat.standing:
            seat = replace(seat, decision=decision, standing=standing)  # noqa: PLW2901
        seats.append(seat)
    news = news_with(game, version, told + facts)
    return replace(game, state=step.state, seats=tuple(seats), position=version, news=news)


def _extended(game: Game, event: DeadlineExtended | ClockCompensated, version: int) -> Game:
    if game.deadline is None:  # pragma: no cover  (refused before)
        return game
    by_vacation = game.deadline.vacation_moved
    if isinstance(event, DeadlineExtended) and event.reason == "vacation":
        by_vacation += int((event.due_at - game.deadline.due_at).total_seconds())
    deadline = replace(
        game.deadline,
        vacation_moved=by_vacation,
        base_at=event.base_at,
        due_at=event.due_at,
        fires_at=event.fires_at,
        reminders=event.reminders,
    )
    game = replace(game, deadline=deadline, asked=())
    if isinstance(event, ClockCompensated):
        game = replace(game, compensated=event.end)
        fact = Fact(
            "compensated", None, {"minutes": round((event.end - event.begin).total_seconds() / 60)}
        )
    else:
        fact = Fact("deadline_extended", None, {"reason": event.reason})
    return with_news(game, version, [fact])


def _finished(game: Game, event: GameFinished, version: int) -> Game:
    outcome = game.outcome()
    if (
        outcome is None
        or outcome.ranking != event.ranking
        or outcome.reason != event.reason
        or outcome.scores != event.scores
    ):
        raise LogError(f"event {version} tells another result than the rules", version=version)
    return replace(ended(game, "finished"), finished=event)
