"""Count the modules and functions of ours that one move by mail enters: `python -m bench.way`.

All work from the bytes of an answer to the bytes of the resulting messages is done in this process,
including that of the parser process. The counts show how much code a reader has to follow for one
message, not its speed. They depend on the mail program of the answer, because HTML takes more
parsing, so the figure is the median of a batch. Comprehensions are counted apart from functions,
because they have a frame in CPython (those of lists, dicts and sets only before 3.12) but no name.
Methods that dataclasses generate (`__init__`, `__eq__`) are not counted. Messages are rendered in
threads, which are counted only with --threads.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from types import FrameType

from bench.house import House, Kept
from bench.turns import Replies
from pbem.mail_in.mime.message import Envelope
from pbem.mail_in.sandbox.reader import DirectReader

OURS = ("pbem.", "engine.")
GENERATED = "<string>"
"""File name of code that dataclasses generate."""
COMPREHENSIONS = ("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>")


class Walk:
    """Counts calls of our functions while it is installed as the profiler.

    Attributes:
        modules: number of calls into each module from other modules.
        functions: number of calls of each function, by module and name.
    """

    def __init__(self) -> None:
        self.modules: Counter[str] = Counter()
        self.functions: Counter[tuple[str, int, str]] = Counter()

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Count a call, as a callback of `sys.setprofile`."""
        if event != "call":
            return
        module = frame.f_globals.get("__name__", "")
        if not module.startswith(OURS) or frame.f_code.co_filename == GENERATED:
            return
        self.functions[module, frame.f_code.co_firstlineno, frame.f_code.co_name] += 1
        caller = frame.f_back
        if caller is None or caller.f_globals.get("__name__") != module:
            self.modules[module] += 1

    def of(self, work: Callable[[], object], *, with_threads: bool) -> None:
        """Count calls during a coroutine and in threads that it starts."""
        threading.setprofile(self if with_threads else None)
        sys.setprofile(self)
        try:
            work()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def told(self) -> dict[str, int]:
        """Return the counts by their names."""
        unnamed = sum(name in COMPREHENSIONS for _, _, name in self.functions)
        return {
            "modules": len(self.modules),
            "functions": len(self.functions) - unnamed,
            "comprehensions": unnamed,
            "entries": sum(self.modules.values()),
        }


def walks(*, with_threads: bool = False) -> list[Walk]:
    """Process answers up to the resulting messages. Return the counts of each."""
    house = House()
    house.service = replace(house.service, reader=DirectReader())
    replies = Replies(house)
    replies.prepare()
    result = []
    for raw, envelope in replies.batch:

        def one(raw: bytes = raw, envelope: Envelope = envelope) -> None:
            house.receive(raw, envelope)
            house.handle()
            house.send(Kept())

        result.append(Walk())
        result[-1].of(one, with_threads=with_threads)
    return result[1:]  # the first answer fills the caches


def main() -> None:
    """Print the counts, and with --modules the number of calls into each module."""
    parser = argparse.ArgumentParser(prog="python -m bench.way", description=__doc__)
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument("--modules", action="store_true", help="list the modules, too")
    parser.add_argument("--threads", action="store_true", help="count the rendering, too")
    given = parser.parse_args()
    found = walks(with_threads=given.threads)
    each = [walked.told() for walked in found]
    medians = {what: round(statistics.median(walk[what] for walk in each)) for what in each[0]}
    if given.json:
        print(json.dumps(medians))
        return
    print(", ".join(f"{count} {what}" for what, count in medians.items()))
    if given.modules:
        entered = sum((walked.modules for walked in found), Counter())
        for module, count in entered.most_common():
            print(f"{count / len(found):8.1f} {module}")


if __name__ == "__main__":
    main()
