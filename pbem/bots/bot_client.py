"""Requests to bots for moves, in this process or in a separate, untrusted process.

A process gets a JSON object per line and answers with a line (docs/dev/bots.md). `python -m
pbem.bots` plays the built-in levels. The configuration contains the commands of external bots. A
process that exceeds its timeout, exits or sends an invalid answer is killed with its children, and
the next request starts a new one.
"""

from __future__ import annotations

import json
import os
import selectors
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from engine.api import JsonObject, OptionValue, RulesetId
from pbem.bots.chance import Chance
from pbem.bots.choosing import LEVELS, choose, find_level
from pbem.child_process import ChildProcess, module_command
from pbem.errors import PbemError
from pbem.games.knowledge import View

LONGEST: Final = 4096
"""Maximum length of an answer in bytes."""
_OURS: Final = 5.0
"""Timeout of a built-in bot in seconds. It is generous, for busy machines."""


class BotError(PbemError):
    """Raised if a bot gives no valid answer. The message omits the bot's output."""


class ThoughtNeededError(PbemError):
    """Raised if a bot must be asked first, outside of the transaction that needs its answer."""

    def __init__(self, question: Question) -> None:
        """Initialise with the question."""
        super().__init__("a bot has to be asked first")
        self.question = question


@dataclass(frozen=True, slots=True)
class Question:
    """A request to a bot, with everything that it may know.

    Attributes:
        ruleset: name and version.
        players: number of seats.
        options: complete, as `check_options` returns them.
        view: the view of the deciding seat.
        legal: its listed legal moves.
        level: name of a level, or of a bot of the configuration.
        seed: unpredictable seed of the bot's random stream.
        table: identifies the game. An external process never serves two seats of a game.
        history: recent public facts, as `kind`, `seat` and `data`.
    """

    ruleset: RulesetId
    players: int
    options: Mapping[str, OptionValue]
    view: View = field(repr=False)
    legal: Sequence[str] = field(repr=False)
    level: str
    seed: str = field(repr=False)
    table: str = ""
    history: Sequence[JsonObject] = ()

    def line(self) -> bytes:
        """Return the line that the process reads."""
        asked = {
            "ruleset": self.ruleset.name,
            "version": self.ruleset.version,
            "players": self.players,
            "options": dict(self.options),
            "seat": self.view["seat"],
            "view": self.view,
            "legal": [*self.legal],
            "history": [*self.history],
            "level": self.level,
            "seed": self.seed,
        }
        return json.dumps(asked, separators=(",", ":")).encode("ascii") + b"\n"


class Thinker(Protocol):
    """Interface for asking bots for orders."""

    def order(self, question: Question) -> str:
        """Return the unchecked order of a bot. Raises: BotError."""
        ...


def answer(asked: Mapping[str, Any]) -> str:
    """Return the order of a built-in bot for a question as JSON."""
    return choose(
        RulesetId(asked["ruleset"], asked["version"]),
        asked["players"],
        asked["options"],
        asked["view"],
        find_level(asked["level"]),
        Chance(asked["seed"]),
    )


class DirectThinker:
    """Runs built-in bots in this process, for tests and callers that can wait."""

    def order(self, question: Question) -> str:
        """Return the order of a built-in bot, like `Thinker.order`."""
        return answer(json.loads(question.line()))


class PreparedThinker:
    """Returns answers that were prepared earlier. The key is the request's line."""

    def __init__(self, answers: Mapping[bytes, str]) -> None:
        """Initialise with the answers."""
        self._answers = answers

    def order(self, question: Question) -> str:
        """Return the prepared answer. Raises: ThoughtNeededError if it is missing."""
        if question.line() not in self._answers:
            raise ThoughtNeededError(question)
        return self._answers[question.line()]


class ProcessThinker:
    """Runs search levels and external bots in separate processes, and other levels in this one."""

    def __init__(self, commands: Mapping[str, tuple[Sequence[str], float]] | None = None) -> None:
        """Initialise with the command and the timeout in seconds of each external bot, by name."""
        self._bots = {
            name: BotProcess(command, seconds)
            for name, (command, seconds) in (commands or {}).items()
        }
        self._ours = BotProcess(module_command("pbem.bots"), _OURS, is_ours=True)
        self._levels = {level.name: level for level in LEVELS}

    def order(self, question: Question) -> str:
        """Return the order of a bot; see `Thinker.order`."""
        level = self._levels.get(question.level)
        if level is None:
            if question.level not in self._bots:
                raise BotError("the configuration has no bot of this name")
            return self._bots[question.level].order(question)
        if not isinstance(level.thought, int):
            return DirectThinker().order(question)
        return self._ours.order(question)

    def close(self) -> None:
        """End all processes. A later question starts new processes."""
        for process in (self._ours, *self._bots.values()):
            process.close()


class BotProcess:
    """Process of a bot's command, started on first use. Thread-safe."""

    def __init__(self, command: Sequence[str], seconds: float, *, is_ours: bool = False) -> None:
        """Initialise with the command and the timeout for an answer, which includes startup."""
        self._child = ChildProcess(command, is_ours=is_ours)
        self._seconds = seconds
        self._is_ours = is_ours
        self._lock = threading.Lock()
        self._asked_by: tuple[str, object] | None = None

    def order(self, question: Question) -> str:
        """Return the answer to a question. Raises: BotError."""
        seat = (question.table, question.view["seat"])
        with self._lock:
            if not self._is_ours and seat != self._asked_by:
                self._child.stop()  # it must not use its view of one seat for another
            self._asked_by = seat
            try:
                return self._ask(question.line())
            except BrokenPipeError as error:  # before it had read all of the question
                self._child.stop()
                raise BotError("the bot stopped") from error
            except (OSError, ValueError, RecursionError) as error:
                self._child.stop()
                raise BotError(f"the bot cannot be asked: {type(error).__name__}") from error
            except BotError:
                self._child.stop()
                raise

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._child.stop()

    def _ask(self, line: bytes) -> str:
        process = self._child.running()
        if process.stdin is None or process.stdout is None:
            raise BotError("the bot has no pipes")
        os.set_blocking(process.stdin.fileno(), False)
        until = time.monotonic() + self._seconds
        left, received = memoryview(line), b""
        with selectors.DefaultSelector() as ready:
            ready.register(process.stdin, selectors.EVENT_WRITE)
            ready.register(process.stdout, selectors.EVENT_READ)
            while not received.endswith(b"\n"):
                events = ready.select(max(0.0, until - time.monotonic()))
                if not events:
                    raise BotError("the bot gave no answer in time")
                for key, _ in events:
                    if key.fileobj is process.stdin:
                        left = left[os.write(key.fd, left[: 1 << 15]) :]
                        if not left:
                            ready.unregister(process.stdin)
                        continue
                    piece = os.read(key.fd, LONGEST)
                    received += piece
                    if not piece or len(received) > LONGEST:
                        raise BotError("the bot stopped" if not piece else "the bot said too much")
        if left or received.count(b"\n") > 1:
            raise BotError("the bot answered what was not asked")
        reply = json.loads(received)
        move = reply.get("move") if isinstance(reply, dict) else None
        if not isinstance(move, str):
            raise BotError("the bot named no move")
        return move
