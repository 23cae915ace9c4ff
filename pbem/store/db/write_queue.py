"""A fair queue for the threads of one process that want to write to the database.

SQLite allows one writer at a time and does not queue waiting writers, so a busy thread could starve
the others. With this queue threads write in order of arrival. A job submitted with
`Store.run_grouped` is committed in a group with all jobs that are waiting at that time, so that
many messages, or a slow disk, cost a single flush. PostgreSQL allows concurrent writers, so only
these jobs are queued there.
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
"""Maximum number of jobs in one transaction. It limits how long other threads wait for the
transaction.
"""


class _Place(Generic[U]):
    """A thread's position in the queue.

    Attributes:
        step: the job to run in a shared transaction, or None if the thread needs a separate
            transaction.
        called: set when the thread may write, or when another thread has run its job.
        was_run: True once a thread has run the job.
        result: a tuple with the job's return value after the commit, or None if the transaction
            failed.
        error: the reason why no transaction could begin.
    """

    def __init__(self, step: Callable[[U], object] | None = None) -> None:
        self.step = step
        self.called = threading.Event()
        self.was_run = False
        self.result: tuple[object] | None = None
        self.error: StoreAwayError | None = None


class WriteQueue(Generic[U]):
    """A first-in, first-out queue of threads that wait to write.

    Args:
        seconds: maximum waiting time of a thread, in case the disk hangs for the thread before it.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._guard = threading.Lock()
        self._waiting: deque[_Place[U]] = deque()
        self._is_taken = False

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the exclusive right to write and hold it during the block.

        Raises: StoreAwayError after waiting too long.
        """
        self._wait(_Place())
        try:
            yield
        finally:
            self._call_next()

    def run(
        self, transaction: Callable[[], AbstractContextManager[U]], step: Callable[[U], T]
    ) -> T:
        """Run a job in a durable transaction and return its result after the commit.

        If a transaction with several jobs fails, each job runs again in a separate transaction, so
        a job must be safe to repeat.

        Raises:
            StoreAwayError: other threads took too long. The job may still be run in that case.

        Errors of the job and of the transaction are passed on.
        """
        mine: _Place[U] = _Place(step)
        self._wait(mine)
        if not mine.was_run:
            self._run_all(mine, transaction)
        if mine.error is not None:
            raise StoreAwayError(str(mine.error))
        if mine.result is not None:
            return mine.result[0]  # type: ignore[return-value]  # the return type of `step`
        with self.turn(), transaction() as alone:
            return step(alone)

    def _run_all(
        self, mine: _Place[U], transaction: Callable[[], AbstractContextManager[U]]
    ) -> None:
        """Run the first job together with the jobs that are waiting when its transaction begins."""
        places = [mine]
        try:
            with transaction() as shared:
                places += self._take_steps()
                results = [waiting.step(shared) for waiting in places if waiting.step is not None]
            for waiting, result in zip(places, results, strict=True):
                waiting.result = (result,)
        except StoreAwayError as error:  # retrying each job alone would only wait again
            for waiting in places:
                waiting.error = error
        except Exception:
            if len(places) == 1:
                raise
            # `run` retries each job separately, so that only the failing job raises
        finally:
            for waiting in places:
                waiting.was_run = True
                waiting.called.set()
            self._call_next()

    def _wait(self, mine: _Place[U]) -> None:
        """Wait until this thread may write. Raises: StoreAwayError after waiting too long."""
        with self._guard:
            if not self._is_taken:
                self._is_taken = True
                return
            self._waiting.append(mine)
        if mine.called.wait(self._seconds):
            return
        with self._guard:
            if mine.called.is_set():  # called just before the timeout
                return
            if mine in self._waiting:
                self._waiting.remove(mine)
        raise StoreAwayError("timed out waiting for other writers in this process")

    def _take_steps(self) -> Sequence[_Place[U]]:
        with self._guard:
            steps = [waiting for waiting in self._waiting if waiting.step is not None][
                : MAX_STEPS - 1
            ]
            for waiting in steps:
                self._waiting.remove(waiting)
            return steps

    def _call_next(self) -> None:
        with self._guard:
            self._is_taken = bool(self._waiting)
            if self._waiting:
                self._waiting.popleft().called.set()
