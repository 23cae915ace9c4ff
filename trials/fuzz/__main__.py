"""Handle damaged messages for some time: `python -m trials.fuzz [--seconds 60] [--seed N]`.

Every message is parsed and described, and every twentieth is handled by a service with a game.
Messages that raise, are quarantined, or take more than a second are stored in build/fuzz, and the
exit code is 1.
"""

from __future__ import annotations

import argparse
import hashlib
import random  # noqa: TID251  (damage, never what a game deals)
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from pbem import logs
from pbem.mail_in.sandbox.reader import WorkerReader
from pbem.service.intake.parsing import QuoteParser
from pbem.store.db.uow import Store
from tests.databases import sqlite_store
from tests.service.conftest import make_table
from trials.fuzz.mutations import damaged, seeds

KEPT = Path("build/fuzz")
SECONDS = 1.0
EVERY = 20


def describing() -> Callable[[bytes], None]:
    """Return a function that parses a message like `pbem mail parse`.

    It does so in a separate process and in this one.
    """
    turn = (Path(__file__).parents[2] / "tests/mail_in/grid/turns/phyliss.eml").read_bytes()
    quote_parsers = (QuoteParser(answered=turn, reader=WorkerReader()), QuoteParser())

    def read(raw: bytes) -> None:
        for quote_parser in quote_parsers:
            got = quote_parser.describe(raw)
            str(got["text"]).encode()
            if "reading process" in str(got["problems"]):
                raise AssertionError(got["problems"])

    return read


def serving(store: Store) -> Callable[[bytes], None]:
    """Return a function that stores and handles a message, in a service with a running game."""
    table = make_table(store)
    table.started(2)
    addresses = (table.last_to(0).reply_to, table.last_to(1).reply_to, table.service.own_address)

    def take(raw: bytes) -> None:
        table.receive(raw[:250_000], addresses[len(raw) % len(addresses)])
        table.run()
        last = table.inbox()[-1]
        if last.status in ("new", "shunted"):
            raise AssertionError(f"{last.status}: {last.error}")

    return take


def main() -> int:
    """Run, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    logs.configure("critical", as_json=True)
    dice, pool = random.Random(options.seed), seeds()  # noqa: S311
    read, count, problems, slowest = describing(), 0, 0, 0.0
    end = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory() as folder, sqlite_store(Path(folder)) as store:
        take = serving(store)
        while time.monotonic() < end:
            raw, started = damaged(pool, dice), time.process_time()
            count += 1
            try:
                read(raw)
                took = time.process_time() - started
                if count % EVERY == 0:
                    take(raw)
                trouble = "" if took / 2 <= SECONDS else f"took {took / 2:.1f} s"
            except Exception:  # noqa: BLE001  (the very thing that is looked for)
                took, trouble = 0.0, traceback.format_exc()
            slowest = max(slowest, took / 2)
            if trouble:
                problems += 1
                KEPT.mkdir(parents=True, exist_ok=True)
                name = KEPT / f"{hashlib.sha256(raw).hexdigest()[:16]}.eml"
                name.write_bytes(raw)
                sys.stdout.write(f"{name}: {trouble}\n")
    sys.stdout.write(f"{count} mails, {problems} troubles, slowest {slowest:.2f} s\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
