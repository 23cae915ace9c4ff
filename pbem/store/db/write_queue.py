"""The queue in which the threads of a process wait to write to a database.

SQLite has one writer at a time, and does not queue its writers: a busy thread could keep out the
others for as long as it has work. In this queue the threads write in the order of their arrival. A thread that has a
step only (`Store.shared`) shares its transaction with all steps that wait by then, so that many mails at once, or
a slow disk, cost one flush for all of them. PostgreSQL has many writers: there only steps queue.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Generic, TypeVar

from pbem.errors import StoreAwayError

T = TypeVar("T")
U = TypeVar("U")

MAX_STEPS = 32
"""Steps in one transaction. Other threads wait for it."""


class _Place(Generic[U]):
    """The place of a thread in the queue.

    Attributes:
        step: what it wants to do in a transaction that others may share; None if it needs one for itself.
        called: set when its turn has come, or when another thread has run its step.
        was_run: True if another thread has run its step, or this one together with others.
        result: what the step returned, in a tuple, once that is committed; None if the transaction failed.
        error: why no transaction could begin.
    """

    def __init__(self, step: Callable[[U], object] | None = None) -> None:
        self.step = step
        self.called = threading.Event()
        self.was_run = False
        self.result: tuple[object] | None = None
        self.error: StoreAwayError | None = None


class WriteQueue(Generic[U]):
    """The threads of this process that wait to write.

    Args:
        seconds: a thread waits no longer than this for its turn: the disk of another one may hang.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._guard = threading.Lock()
        self._waiting: deque[_Place[U]] = deque()
        self._is_taken = False

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn, and keep it for the length of the block. Raises: StoreAwayError."""
        self._wait(_Place())
        try:
            yield
        finally:
            self._call_next()

    def run(
        self, transaction: Callable[[], AbstractContextManager[U]], step: Callable[[U], T]
    ) -> T:
        """Run a step in a durable transaction, and return its result once that is durable.

        If a transaction with several steps fails, each of them runs again in one for itself: it must not
        matter that a step began before.

        Raises: what the step and the transaction raise; StoreAwayError if others take too long. Then the step
        may still be done.
        """
        mine: _Place[U] = _Place(step)
        self._wait(mine)
        if not mine.was_run:
            self._run_all(mine, transaction)
        if mine.error is not None:
            raise StoreAwayError(str(mine.error))
        if mine.result is not None:
            return mine.result[0]  # type: ignore[return-value]  # what `step` returned
        with self.turn(), transaction() as alone:
            return step(alone)

    def _run_all(
        self, mine: _Place[U], transaction: Callable[[], AbstractContextManager[U]]
    ) -> None:
        """Run a step whose turn has come, and those that wait once its transaction has begun."""
        places = [mine]
        try:
            with transaction() as shared:
                places += self._take_steps()
                results = [place.step(shared) for place in places if place.step is not None]
            for place, result in zip(places, results, strict=True):
                place.result = (result,)
        except StoreAwayError as error:  # each of them would only wait for it again
            for place in places:
                place.error = error
        except Exception:
            if len(places) == 1:
                raise
            # which step is at fault shows when each runs alone
        finally:
            for place in places:
                place.was_run = True
                place.called.set()
            self._call_next()

    def _wait(self, mine: _Place[U]) -> None:
        """Wait until a place is called. Raises: StoreAwayError if that takes too long."""
        with self._guard:
            if not self._is_taken:
                self._is_taken = True
                return
            self._waiting.append(mine)
        if mine.called.wait(self._seconds):
            return
        with self._guard:
            if mine.called.is_set():  # it was called at the last moment
                return
            if mine in self._waiting:
                self._waiting.remove(mine)
        raise StoreAwayError("others here were writing for too long")

    def _take_steps(self) -> Sequence[_Place[U]]:
        with self._guard:
            steps = [place for place in self._waiting if place.step is not None][: MAX_STEPS - 1]
            for place in steps:
                self._waiting.remove(place)
            return steps

    def _call_next(self) -> None:
        with self._guard:
            self._is_taken = bool(self._waiting)
            if self._waiting:
                self._waiting.popleft().called.set()
