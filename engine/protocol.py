"""Server for the engine protocol: one JSON object per line (docs/dev/engine-protocol.md).

Bots, verifiers and programs in other languages use the rules through it. A `Conversation` contains
one game and answers requests. It answers any input with a line and never crashes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NoReturn, TypeVar

from engine import orders, registry, replay
from engine.api import AnyRuleset, JsonObject, JsonValue, Seat, Setup, Source, Step
from engine.errors import (
    AmbiguousOrderError,
    EngineError,
    IllegalMoveError,
    InvalidOrderError,
    NotToActError,
    SetupError,
)
from engine.options import nearest, show
from engine.replay import GameLog, MoveEntry, ResignEntry, StopEntry

LONGEST_LINE = 8 << 20
"""Maximum length of a request in bytes. It is sufficient for the log of a long game."""

T = TypeVar("T")

_KINDS: Mapping[type[EngineError], str] = {
    InvalidOrderError: "invalid",
    AmbiguousOrderError: "ambiguous",
    IllegalMoveError: "illegal",
    NotToActError: "not-to-act",
    SetupError: "setup",
}


class RequestError(EngineError):
    """Raised for an invalid request: no JSON, an unknown op, or a field of the wrong type."""


@dataclass(slots=True)
class _Game:
    """The current game of a conversation. This is the only mutable object in the engine."""

    ruleset: AnyRuleset
    setup: Setup
    state: Any
    entries: list[replay.Entry] = field(default_factory=list)

    def seat(self, request: JsonObject) -> Seat:
        """Return the seat in a request. Raises: RequestError."""
        seat = _field(request, "seat", int, "a whole number")
        players = self.setup.players
        if not 0 <= seat < players:
            raise RequestError(f"“seat” is 0 to {players - 1} in this game, not {show(seat)}")
        return Seat(seat)

    def make(self, seat: Seat, move: object, source: Source) -> JsonObject:
        """Apply and record a move. Return the response data."""
        text = self.ruleset.format_move(self.state, seat, move)
        step = self.ruleset.apply(self.state, seat, move, source)
        return self.enter(MoveEntry(seat, text, source), step, text)

    def enter(self, entry: replay.Entry, step: Step[Any], text: str | None = None) -> JsonObject:
        """Record an entry. Return the response data."""
        self.state = step.state
        self.entries.append(entry)
        facts: list[JsonValue] = [fact._asdict() for fact in step.facts]
        return {"move": text, "facts": facts, **self.position()}

    def position(self) -> JsonObject:
        """Return the seats that must act, the ply, and whether the game has ended."""
        return {
            "to_act": list(self.ruleset.to_act(self.state)),
            "ply": self.ruleset.ply(self.state),
            "over": self.ruleset.outcome(self.state) is not None,
        }


class Conversation:
    """A conversation with one client. `answer` never raises, even for malformed requests."""

    def __init__(self) -> None:
        self.is_open = True
        self._game: _Game | None = None
        self._ops: dict[str, Callable[[JsonObject], JsonObject]] = {
            "new": self._new,
            "rules": self._rules,
            "rulesets": self._rulesets,
            "load": self._load,
            "quit": self._quit,
        }

    def answer_line(self, line: bytes) -> bytes:
        """Answer one request line with one response line. Both end with a line feed."""
        try:
            return _line(self.answer(_read_request(line)))
        except RequestError as error:
            return _line(_refusal("request", error.message))

    def answer(self, request: JsonObject) -> JsonObject:
        """Answer one request."""
        try:
            return {"ok": True, **self._answer(_text(request, "op"), request)}
        except EngineError as error:
            return _refusal(_KINDS.get(type(error), "request"), error.message, error.rule)

    def _answer(self, op: str, request: JsonObject) -> JsonObject:
        if op in _GAME_OPS:
            return _GAME_OPS[op](self._running, request)
        if op in self._ops:
            return self._ops[op](request)
        near = nearest(op, (*self._ops, *_GAME_OPS), 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise RequestError(f"there is no op {show(op)}{hint}")

    @property
    def _running(self) -> _Game:
        if self._game is None:
            raise RequestError("no game yet: begin with op new or load")
        return self._game

    def _new(self, request: JsonObject) -> JsonObject:
        name = _text(request, "ruleset")
        version = (
            _field(request, "version", int, "a whole number") if "version" in request else None
        )
        ruleset = registry.find(name, version)
        players = _field(request, "players", int, "a whole number")
        given: dict[str, Any] = dict(_field(request, "options", dict, "an object", {}))
        if request.get("dealer") is not None:
            given["dealer"] = request["dealer"]
        options = ruleset.check_options(players, given)
        setup = Setup(players, replay.seed_from_hex(_text(request, "seed")), options)
        self._game = _Game(ruleset, setup, ruleset.start(setup).state)
        return self._game.position()

    def _load(self, request: JsonObject) -> JsonObject:
        log = replay.log_from_json(_field(request, "log", dict, "an object"))
        self._game = _Game(log.ruleset, log.setup, replay.final_state(log), list(log.entries))
        return self._game.position()

    def _rules(self, request: JsonObject) -> JsonObject:
        """Return the rules text. If the current game has that ruleset, its options are used."""
        ruleset = (
            registry.find(_text(request, "ruleset"))
            if "ruleset" in request
            else self._running.ruleset
        )
        if self._game is None or self._game.ruleset.id != ruleset.id:
            return {"rules": ruleset.rules_text()}
        setup = self._game.setup
        return {"rules": ruleset.rules_text(setup.players, setup.options)}

    def _rulesets(self, request: JsonObject) -> JsonObject:
        return {"rulesets": [_describe(ruleset) for ruleset in registry.rulesets()]}

    def _quit(self, request: JsonObject) -> JsonObject:
        self.is_open = False
        return {}


# --- requests about the current game --------------------------------------------------------------


def _legal(game: _Game, request: JsonObject) -> JsonObject:
    seat = game.seat(request)
    moves = game.ruleset.legal_moves(game.state, seat)
    return {
        "moves": [game.ruleset.format_move(game.state, seat, move) for move in moves],
        "complete": game.ruleset.is_list_complete(game.state, seat),
    }


def _play(game: _Game, request: JsonObject) -> JsonObject:
    seat, text, source = game.seat(request), _text(request, "order"), _source(request)
    try:
        return game.make(seat, orders.read_order(game.ruleset, game.state, seat, text), source)
    except EngineError as error:
        offered = orders.candidates(game.ruleset, game.state, seat, text, error)
        return _refusal(_KINDS.get(type(error), "request"), error.message, error.rule, offered)


def _forced(game: _Game, _: JsonObject) -> JsonObject:
    forced = game.ruleset.forced_move(game.state)
    if forced is None:
        return {"move": None}
    seat, move = forced
    return {"seat": seat, **game.make(seat, move, Source.FORCED)}


def _standby(game: _Game, request: JsonObject) -> JsonObject:
    seat = game.seat(request)
    move = game.ruleset.standby_move(game.state, seat)
    return {"move": game.ruleset.format_move(game.state, seat, move)}


def _resign(game: _Game, request: JsonObject) -> JsonObject:
    seat = game.seat(request)
    return game.enter(ResignEntry(seat), game.ruleset.resign(game.state, seat))


def _stop(game: _Game, _: JsonObject) -> JsonObject:
    return game.enter(StopEntry(), game.ruleset.stop(game.state))


def _view(game: _Game, request: JsonObject) -> JsonObject:
    if "seat" not in request:
        raise RequestError("“seat” is missing; null is an observer")
    seat = None if request["seat"] is None else game.seat(request)
    return {"view": game.ruleset.view(game.state, seat)}


def _state(game: _Game, _: JsonObject) -> JsonObject:
    return game.ruleset.state_json(game.state)


def _result(game: _Game, _: JsonObject) -> JsonObject:
    outcome = game.ruleset.outcome(game.state)
    if outcome is None:
        return {"over": False, "ranking": None, "reason": None, "scores": None}
    return {
        "over": True,
        "ranking": [list(group) for group in outcome.ranking],
        "reason": outcome.reason,
        "scores": outcome.scores,
    }


def _log(game: _Game, _: JsonObject) -> JsonObject:
    return {"log": replay.log_json(GameLog(game.ruleset, game.setup, tuple(game.entries)))}


_GAME_OPS: Mapping[str, Callable[[_Game, JsonObject], JsonObject]] = {
    "legal": _legal,
    "play": _play,
    "forced": _forced,
    "standby": _standby,
    "resign": _resign,
    "stop": _stop,
    "view": _view,
    "state": _state,
    "result": _result,
    "log": _log,
}


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until `quit` or the end of the input."""
    conversation = Conversation()
    while conversation.is_open:
        line = requests.readline(LONGEST_LINE + 1)
        if not line:
            return
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            while (rest := requests.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            message = f"a request has at most {LONGEST_LINE} bytes"
            answers.write(_line(_refusal("request", message)))
        else:
            answers.write(conversation.answer_line(line))
        answers.flush()


# --- parsing requests, writing responses ----------------------------------------------------------


def _read_request(line: bytes) -> JsonObject:
    try:
        request = json.loads(line.decode(), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise RequestError("a request is UTF-8") from None
    except RecursionError:
        raise RequestError("a request does not nest that deep") from None
    except ValueError:  # invalid JSON, and integers with thousands of digits
        raise RequestError("a request is one JSON object on one line") from None
    if not isinstance(request, dict):
        raise RequestError("a request is a JSON object")
    return request


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _field(
    request: Mapping[str, Any], name: str, kind: type[T], words: str, default: T | None = None
) -> T:
    value = request.get(name, default)
    # `type(…) is` excludes booleans.
    if not isinstance(value, kind) or type(value) is not kind:
        problem = f"not {show(value)}" if name in request else "and is missing"
        raise RequestError(f"“{name}” is {words}, {problem}")
    return value


def _text(request: Mapping[str, Any], name: str) -> str:
    return _field(request, name, str, "a text")


def _source(request: JsonObject) -> Source:
    word = _field(request, "source", str, "a text", Source.CHOSEN.value)
    try:
        return Source(word)
    except ValueError:
        known = ", ".join(source.value for source in Source)
        raise RequestError(f"“source” is one of {known}, not {show(word)}") from None


def _line(answer: JsonObject) -> bytes:
    return json.dumps(answer, separators=(",", ":")).encode() + b"\n"


def _refusal(
    kind: str, message: str, rule: str | None = None, offered: tuple[str, ...] = ()
) -> JsonObject:
    return {
        "ok": False,
        "error": kind,
        "rule": rule,
        "message": message,
        "candidates": list(offered),
    }


def _describe(ruleset: AnyRuleset) -> JsonObject:
    options: list[JsonValue] = [
        {
            "name": spec.name,
            "default": [*spec.default] if isinstance(spec.default, list) else spec.default,
            "allowed": spec.allowed,
            "help": spec.help,
        }
        for spec in ruleset.options
    ]
    return {
        "name": ruleset.id.name,
        "version": ruleset.id.version,
        "title": ruleset.title,
        "players": list(ruleset.players),
        "options": options,
    }
