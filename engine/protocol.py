"""The engine protocol: JSON objects, one per line (docs/dev/engine-protocol.md).

It lets bots, checkers and programs in other languages use the rules. A `Conversation` holds one
game and answers requests; whatever comes in, the answer is a line, never a crash.
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
"""Longer requests are refused, in bytes; the log of a long game has room."""

T = TypeVar("T")

_KINDS: Mapping[type[EngineError], str] = {
    InvalidOrderError: "invalid",
    AmbiguousOrderError: "ambiguous",
    IllegalMoveError: "illegal",
    NotToActError: "not-to-act",
    SetupError: "setup",
}


class RequestError(EngineError):
    """The request itself is wrong: not JSON, an unknown op, a field of the wrong type."""


@dataclass(slots=True)
class _Game:
    """The running game of a conversation; the only mutable thing in the engine."""

    ruleset: AnyRuleset
    setup: Setup
    state: Any
    entries: list[replay.Entry] = field(default_factory=list)


class Conversation:
    """One conversation. `answer` never raises, whatever a client sends."""

    def __init__(self) -> None:
        self.is_open = True
        self._game: _Game | None = None
        self._ops: dict[str, Callable[[JsonObject], JsonObject]] = {
            "new": self._new,
            "legal": self._legal,
            "play": self._play,
            "forced": self._forced,
            "standby": self._standby,
            "resign": self._resign,
            "stop": self._stop,
            "view": self._view,
            "state": self._state,
            "result": self._result,
            "rules": self._rules,
            "rulesets": self._rulesets,
            "log": self._log,
            "load": self._load,
            "quit": self._quit,
        }

    def answer_line(self, line: bytes) -> bytes:
        """Answer one request line with one line, both with a line feed at the end."""
        try:
            return _line(self.answer(_read_request(line)))
        except RequestError as error:
            return _line(_refusal("request", error.message))

    def answer(self, request: JsonObject) -> JsonObject:
        """Answer one request."""
        try:
            op = _text(request, "op")
            if op not in self._ops:
                near = nearest(op, self._ops, 1)
                hint = f"; did you mean {near[0]}?" if near else ""
                raise RequestError(f"there is no op {show(op)}{hint}")
            return {"ok": True, **self._ops[op](request)}
        except EngineError as error:
            return _refusal(_KINDS.get(type(error), "request"), error.message, error.rule)

    @property
    def _running(self) -> _Game:
        if self._game is None:
            raise RequestError("no game yet: begin with op new or load")
        return self._game

    # --- a game begins ---------------------------------------------------------------------------

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
        step = ruleset.start(setup)
        self._game = _Game(ruleset, setup, step.state)
        return self._position(self._game)

    def _load(self, request: JsonObject) -> JsonObject:
        log = replay.log_from_json(_field(request, "log", dict, "an object"))
        self._game = _Game(log.ruleset, log.setup, replay.final_state(log), list(log.entries))
        return self._position(self._game)

    # --- a game goes on --------------------------------------------------------------------------

    def _legal(self, request: JsonObject) -> JsonObject:
        game = self._running
        seat = self._seat(request)
        moves = game.ruleset.legal_moves(game.state, seat)
        return {
            "moves": [game.ruleset.format_move(game.state, seat, move) for move in moves],
            "complete": game.ruleset.is_list_complete(game.state, seat),
        }

    def _play(self, request: JsonObject) -> JsonObject:
        game = self._running
        seat = self._seat(request)
        text = _text(request, "order")
        source = _source(request)
        try:
            move = orders.read_order(game.ruleset, game.state, seat, text)
            return self._make(game, seat, move, source)
        except EngineError as error:
            offered = orders.candidates(game.ruleset, game.state, seat, text, error)
            kind = _KINDS.get(type(error), "request")
            return _refusal(kind, error.message, error.rule, offered)

    def _forced(self, request: JsonObject) -> JsonObject:
        game = self._running
        forced = game.ruleset.forced_move(game.state)
        if forced is None:
            return {"move": None}
        seat, move = forced
        return {"seat": seat, **self._make(game, seat, move, Source.FORCED)}

    def _make(self, game: _Game, seat: Seat, move: object, source: Source) -> JsonObject:
        text = game.ruleset.format_move(game.state, seat, move)
        step = game.ruleset.apply(game.state, seat, move, source)
        return self._enter(game, MoveEntry(seat, text, source), step, text)

    def _enter(
        self, game: _Game, entry: replay.Entry, step: Step[Any], text: str | None = None
    ) -> JsonObject:
        """Record an entry and return what came of it."""
        game.state = step.state
        game.entries.append(entry)
        facts: list[JsonValue] = [fact._asdict() for fact in step.facts]
        return {"move": text, "facts": facts, **self._position(game)}

    def _standby(self, request: JsonObject) -> JsonObject:
        game = self._running
        seat = self._seat(request)
        move = game.ruleset.standby_move(game.state, seat)
        return {"move": game.ruleset.format_move(game.state, seat, move)}

    def _resign(self, request: JsonObject) -> JsonObject:
        game = self._running
        seat = self._seat(request)
        return self._enter(game, ResignEntry(seat), game.ruleset.resign(game.state, seat))

    def _stop(self, _: JsonObject) -> JsonObject:
        game = self._running
        return self._enter(game, StopEntry(), game.ruleset.stop(game.state))

    # --- looking at it ---------------------------------------------------------------------------

    def _view(self, request: JsonObject) -> JsonObject:
        game = self._running
        if "seat" not in request:
            raise RequestError("“seat” is missing; null is an observer")
        seat = None if request["seat"] is None else self._seat(request)
        return {"view": game.ruleset.view(game.state, seat)}

    def _state(self, request: JsonObject) -> JsonObject:
        game = self._running
        return game.ruleset.state_json(game.state)

    def _result(self, request: JsonObject) -> JsonObject:
        game = self._running
        outcome = game.ruleset.outcome(game.state)
        if outcome is None:
            return {"over": False, "ranking": None, "reason": None, "scores": None}
        return {
            "over": True,
            "ranking": [list(place) for place in outcome.ranking],
            "reason": outcome.reason,
            "scores": outcome.scores,
        }

    def _log(self, request: JsonObject) -> JsonObject:
        game = self._running
        log = GameLog(game.ruleset, game.setup, tuple(game.entries))
        return {"log": replay.log_json(log)}

    def _rules(self, request: JsonObject) -> JsonObject:
        """Return the rules; with the running game's options, if it is of that ruleset."""
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

    def _position(self, game: _Game) -> JsonObject:
        return {
            "to_act": list(game.ruleset.to_act(game.state)),
            "ply": game.ruleset.ply(game.state),
            "over": game.ruleset.outcome(game.state) is not None,
        }

    def _seat(self, request: JsonObject) -> Seat:
        seat = _field(request, "seat", int, "a whole number")
        players = self._running.setup.players
        if not 0 <= seat < players:
            raise RequestError(f"“seat” is 0 to {players - 1} in this game, not {show(seat)}")
        return Seat(seat)


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until `quit` or the end of the input."""
    conversation = Conversation()
    while conversation.is_open:
        line = requests.readline(LONGEST_LINE + 1)
        if not line:
            return
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            _skip_line(requests)
            message = f"a request has at most {LONGEST_LINE} bytes"
            answers.write(_line(_refusal("request", message)))
        else:
            answers.write(conversation.answer_line(line))
        answers.flush()


def _skip_line(requests: BinaryIO) -> None:
    while (rest := requests.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
        pass


# --- reading requests, writing answers ------------------------------------------------------------


def _read_request(line: bytes) -> JsonObject:
    try:
        request = json.loads(line.decode(), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise RequestError("a request is UTF-8") from None
    except RecursionError:
        raise RequestError("a request does not nest that deep") from None
    except ValueError:  # text that is not JSON, and whole numbers of thousands of digits
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
    # `type(…) is` as well: true and false are not whole numbers.
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
