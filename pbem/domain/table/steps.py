"""What an event does at the table of the rules."""

from __future__ import annotations

from typing import Any, cast

from engine.api import AnyRuleset, Seat, Setup, Source, Step
from pbem.domain.log.events import Event, GameStarted, Hidden, MovePlayed
from pbem.domain.log.seat_events import SeatRemoved, SeatResigned
from pbem.domain.table.game import ENGINE_SOURCES


def engine_step(rules: AnyRuleset, setup: Setup, state: Any, event: Event) -> Step[Any] | None:  # noqa: ANN401  (a state of whichever rules)
    """Do in the engine what an event tells; None for one that does not touch the cards.

    Raises: EngineError if the rules do not agree with it.
    """
    if isinstance(event, GameStarted):
        return rules.start(setup)
    return later_step(rules, state, event)


def later_step(rules: AnyRuleset, state: Any, event: Event) -> Step[Any] | None:  # noqa: ANN401
    """Do what an event after the deal tells, as `engine_step`."""
    if isinstance(event, MovePlayed):  # most events
        return _played(rules, state, event.seat, event.move, event.source)
    match event:
        case Hidden(type="ChoiceMade", payload=payload) if isinstance(payload, dict):
            number, text = cast("int", payload["seat"]), cast("str", payload["move"])
            return _played(rules, state, number, text, cast("str", payload["source"]))
        case SeatResigned(seat=number) | SeatRemoved(seat=number):
            return rules.resign(state, Seat(number))
        case _:
            return None


def _played(rules: AnyRuleset, state: Any, seat: int, text: str, source: str) -> Step[Any]:  # noqa: ANN401
    move = rules.parse_order(state, Seat(seat), text)
    return rules.apply(state, Seat(seat), move, ENGINE_SOURCES.get(source, Source.CHOSEN))
