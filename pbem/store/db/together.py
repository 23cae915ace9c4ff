"""Small steps of several threads in one durable transaction.

Whoever comes while a transaction is under way waits for its end, and then goes on with all who wait. So a disk that is
slow, or many mails at once, cost one flush for all of them, and a step that comes alone waits for nobody. Each
returns after the commit of its own step, never before.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Generic, TypeVar

from pbem.errors import StoreAwayError

T = TypeVar("T")
U = TypeVar("U")

MOST = 32
"""Steps in one transaction; others wait to write."""


class _Step(Generic[U]):
    """A step of a thread that waits.

    Attributes:
        called: set when it is done, or when its thread is to lead.
        result: what it gave, in a tuple, once it is committed.
    """

    def __init__(self, do: Callable[[U], object]) -> None:
        self.do = do
        self.called = threading.Event()
        self.result: tuple[object] | None = None
        self.error: StoreAwayError | None = None
        self.is_over = False


class Together(Generic[U]):
    """Runs steps, those that wait together in one transaction.

    Args:
        seconds: a step waits no longer than this for the transaction of others: their disk may hang.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._guard = threading.Lock()
        self._waiting: deque[_Step[U]] = deque()
        self._is_led = False

    def run(self, transaction: Callable[[], AbstractContextManager[U]], do: Callable[[U], T]) -> T:
        """Run a step in a durable transaction, and return what it gave once that is durable.

        If anything goes wrong in a transaction with others, the step runs in one of its own: it must not
        matter that it began before. Raises: what the step and the transaction raise; StoreAwayError if others take
        too long, and then the step may still be done.
        """
        mine: _Step[U] = _Step(do)
        with self._guard:
            self._waiting.append(mine)
            leads, self._is_led = not self._is_led, True
        if not leads and not mine.called.wait(self._seconds):
            self._leave(mine)
        if not mine.is_over:
            self._lead(transaction)
        if mine.error is not None:
            raise StoreAwayError(str(mine.error))
        if mine.result is not None:
            return mine.result[0]  # type: ignore[return-value]  # what `do` gave
        with transaction() as alone:
            return do(alone)

    def _lead(self, transaction: Callable[[], AbstractContextManager[U]]) -> None:
        """Run the steps that wait once there is a transaction, and let the next thread lead."""
        steps: list[_Step[U]] = []
        try:
            with transaction() as whole:
                steps = self._taken()
                results = [step.do(whole) for step in steps]
            for step, result in zip(steps, results, strict=True):
                step.result = (result,)
        except StoreAwayError as error:  # each would only wait for it again
            steps = steps or self._taken()
            for step in steps:
                step.error = error
        except Exception:  # noqa: BLE001, S110  (whose fault it was shows when each runs alone)
            pass
        finally:
            self._hand_over(steps or self._taken())

    def _leave(self, mine: _Step[U]) -> None:
        """Wait no longer. Raises: StoreAwayError, unless the turn came at the last moment."""
        with self._guard:
            if mine.called.is_set():
                return
            if mine in self._waiting:
                self._waiting.remove(mine)
        raise StoreAwayError("others here were writing for too long")

    def _taken(self) -> list[_Step[U]]:
        with self._guard:
            return [self._waiting.popleft() for _ in range(min(MOST, len(self._waiting)))]

    def _hand_over(self, steps: Sequence[_Step[U]]) -> None:
        for step in steps:
            step.is_over = True
            step.called.set()
        with self._guard:
            self._is_led = bool(self._waiting)
            if self._waiting:
                self._waiting[0].called.set()
