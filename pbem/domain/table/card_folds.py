"""Folds of events that change the cards: the deal, moves, secret choices, seats that leave.

The engine computes its state from the seed and the moves. The log contains only the moves.
"""

from __future__ import annotations

from typing import Any, cast

from engine.api import AnyRuleset, Fact, JsonObject, JsonValue, Seat, Setup, Step
from pbem.domain.log.events import (
    ChoicesRevealed,
    Event,
    GameFinished,
    GameStarted,
    Hidden,
    MovePlayed,
    Recorded,
    is_private,
    is_talk,
)
from pbem.domain.log.motion_events import MotionEnded
from pbem.domain.log.seat_events import SeatRemoved, SeatResigned
from pbem.domain.table import standing_fold
from pbem.domain.table.act_folds import against_private_talk, muted
from pbem.domain.table.game import (
    Game,
    Standing,
    ended,
    replace,
    with_act,
    with_fact,
    with_news,
    with_seat,
    with_turn,
)
from pbem.domain.table.plies import OWN, Steps, carried_out
from pbem.domain.table.punctuality import answered
from pbem.domain.table.rows import EVER, INVITING, Rows, against_other_secret, row, unless
from pbem.errors import LogError

_PLAYERS = ("mail", "admin", "standing")
"""Sources of plies that the seat's own player decided on."""


def engine_step(rules: AnyRuleset, setup: Setup, state: Any, event: Event) -> Step[Any] | None:  # noqa: ANN401  (a state of any ruleset)
    """Apply an event to the engine's state, or return None if the event does not affect the cards.

    Raises: EngineError if the rules do not allow it.
    """
    match event:
        case MovePlayed():
            return carried_out(rules, state, event.seat, event.move, event.source)
        case GameStarted():
            return rules.start(setup)
        case Hidden(type="ChoiceMade", payload=payload) if isinstance(payload, dict):
            seat, text = cast("int", payload["seat"]), cast("str", payload["move"])
            return carried_out(rules, state, seat, text, cast("str", payload["source"]))
        case SeatResigned() | SeatRemoved():
            return rules.resign(state, Seat(event.seat))
        case MotionEnded(motion="end", why="carried" | "league"):
            return rules.stop(state)
        case _:
            return None


def _started(game: Game, event: GameStarted, item: Recorded) -> Game:
    if tuple(seat.phrase or "" for seat in game.seats) != event.phrases:
        raise LogError(
            f"event {item.version} lists other phrases than were given", version=item.version
        )
    seats = tuple(replace(seat, seen=item.version) for seat in game.seats)
    step = game.ruleset.start(game.setup)
    return stepped(replace(game, status="running", seats=seats), step, item.version)


def _played(game: Game, event: MovePlayed, item: Recorded) -> Game:
    before = game
    if event.source == "standing":  # the seat's player has not seen anything yet
        game = standing_fold.announced(game, event, item.version)
    steps = Steps(game)
    steps.play(event, item.version, item.recorded_at)
    after = steps.game()
    is_over = after.seats[event.seat].decision != before.seats[event.seat].decision
    if is_over and event.source in _PLAYERS:
        after = with_turn(after, event.seat)
    return standing_fold.after_ply(before, after, event)


def _seat_left(game: Game, event: SeatResigned | SeatRemoved, item: Recorded) -> Game:
    status = "resigned" if isinstance(event, SeatResigned) else "removed"
    game = with_seat(game, event.seat, status=status, decision=None, standing=Standing())
    step = game.ruleset.resign(game.state, Seat(event.seat))
    # If the seat's rank was fixed before, resigning changes neither state nor view (GEN-7).
    view: dict[str, Any] = game.ruleset.view(step.state, None)
    is_gone = view["seats"][event.seat]["resigned"]
    said: JsonObject = {} if is_gone else {"keeps_place": True}
    if isinstance(event, SeatResigned):
        game = with_fact(game, item.version, "seat_resigned", event.seat, said)
    elif item.actor.startswith("admin:"):
        game = with_act(game, item, "seat_removed", event.seat)
    elif not any(
        (news.version, news.fact.kind, news.fact.seat)
        == (item.version - 1, "seat_dropped", event.seat)
        for news in game.news
    ):
        game = with_fact(game, item.version, "seat_silent", event.seat)
    return stepped(game, step, item.version)


def stepped(
    game: Game,
    step: Step[Any],
    version: int,
    *,
    mover: int | None = None,
) -> Game:
    """Apply an engine step. Unlike `Steps.take`, an incomplete secret choice changes no decision."""
    if game.is_choosing and game.ruleset.is_choosing(step.state):
        return with_news(replace(game, state=step.state), version, step.facts)
    steps = Steps(game)
    steps.take(step, version, mover=mover)
    return steps.game()


# --- secret choices (GEN-6) and other hidden events -----------------------------------------------


def _hidden(game: Game, event: Hidden, item: Recorded) -> Game:
    if is_private(event):
        return standing_fold.stored(muted(game, event), event)
    version, payload = item.version, cast("dict[str, Any]", event.payload)
    if event.type != "ChoiceMade" or not game.is_choosing:
        raise LogError(f"event {version} is no choice that can be made now", version=version)
    seat, source = Seat(payload["seat"]), payload["source"]
    step = carried_out(game.ruleset, game.state, seat, payload["move"], source)
    if source == "standby":
        fact = Fact("timed_out", seat, {"move": payload["move"]}, audience=seat)
        game = with_news(game, version, [fact])
    # `seen` stays: choosing is not looking at the table. No one may find out who has chosen.
    game = with_seat(game, seat, has_chosen=source in OWN)
    return stepped(game, step, version, mover=seat)


def _against_hidden(game: Game, event: Hidden) -> str | None:
    if is_talk(event):
        return against_private_talk(game, event)
    if game.is_over:
        return "the game is over"
    return None if game.status == "running" else f"the game is {game.status}"


def _revealed(game: Game, event: ChoicesRevealed, item: Recorded) -> Game:
    """Reveal the secret choices. A player who chose does not count as silent."""
    version = item.version
    if game.is_choosing or game.state is None:
        raise LogError(f"event {version} reveals choices that are not all made", version=version)
    if event.ply != game.ruleset.ply(game.state) or event.revealed != revealed_data(game):
        raise LogError(f"event {version} tells other choices than were made", version=version)
    turns, deadline = {**game.turns}, game.deadline
    if deadline is not None:
        recorded_at, set_at = item.recorded_at, deadline.version
        for number in deadline.seats:
            answered(game, turns, number, deadline, set_at, recorded_at, is_open=False)
    game = replace(game, turns=turns)
    for number, seat in enumerate(game.seats):
        if seat.has_chosen:
            game = with_turn(with_seat(game, number, misses=0, has_chosen=False), number)
    return game


def revealed_data(game: Game) -> dict[str, JsonValue]:
    """Return the data of the fact that revealed the latest choices, or an empty dict."""
    return next(
        (
            news.fact.data
            for news in reversed(game.news)
            if news.version == game.position and news.fact.kind == "revealed"
        ),
        {},
    )


def _finished(game: Game, event: GameFinished, item: Recorded) -> Game:
    outcome = game.outcome()
    details = (event.ranking, event.reason, event.scores)
    if outcome is None or details != (outcome.ranking, outcome.reason, outcome.scores):
        raise LogError(
            f"event {item.version} tells another result than the rules", version=item.version
        )
    return replace(ended(game, "finished", item.recorded_at), finished=event)


ROWS: Rows = {
    **row(
        GameStarted,
        _started,
        unless(
            lambda game, _: all(seat.status == "joined" for seat in game.seats),
            "not everybody has joined",
        ),
        during=INVITING,
    ),
    **row(MovePlayed, _played),
    **row(SeatResigned, _seat_left, by_player=True),
    **row(SeatRemoved, _seat_left, by_player=True),
    **row(Hidden, _hidden, _against_hidden, during=EVER),
    **row(ChoicesRevealed, _revealed),
    **row(GameFinished, _finished, against_other_secret),
}
