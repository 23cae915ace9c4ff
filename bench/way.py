"""Count the modules and functions of ours that one move by mail enters: `python -m bench.way`.

From the bytes of an answer to the bytes of the mails that follow, in this process (what the reading
process does is counted here, too). It says how far somebody has to walk who follows one mail, so it
is a measure of the house, not of its speed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from types import FrameType

from bench.house import House, Kept
from bench.turns import Replies
from pbem.mail_in.mime.message import Envelope
from pbem.mail_in.sandbox.reader import DirectReader

OURS = ("pbem.", "engine.")


class Walk:
    """Every entry into a function of ours, counted while it is set.

    Attributes:
        modules: how often each was entered from another module.
        functions: how often each was called, by module and name.
    """

    def __init__(self) -> None:
        self.modules: Counter[str] = Counter()
        self.functions: Counter[tuple[str, int, str]] = Counter()

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Take note of a call, as `sys.setprofile` tells it."""
        if event != "call":
            return
        module = frame.f_globals.get("__name__", "")
        if not module.startswith(OURS):
            return
        self.functions[module, frame.f_code.co_firstlineno, frame.f_code.co_name] += 1
        caller = frame.f_back
        if caller is None or caller.f_globals.get("__name__") != module:
            self.modules[module] += 1

    def of(self, work: Callable[[], object]) -> None:
        """Watch one piece of work."""
        sys.setprofile(self)
        try:
            work()
        finally:
            sys.setprofile(None)


def walk() -> Walk:
    """Let one answer be taken in, carried out, and followed by its mails; return what it entered."""
    house = House()
    house.service = replace(house.service, reader=DirectReader())
    replies = Replies(house)
    replies.prepare()
    first, second = replies.batch[:2]
    walked = Walk()
    for number, (raw, envelope) in enumerate((first, second)):

        def one(raw: bytes = raw, envelope: Envelope = envelope) -> None:
            house.receive(raw, envelope)
            house.handle()
            house.send(Kept())

        if number:  # the first one fills the caches
            walked.of(one)
        else:
            one()
    return walked


def main() -> None:
    """Print the three numbers, and with --modules how often each module was entered."""
    parser = argparse.ArgumentParser(prog="python -m bench.way", description=__doc__)
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument("--modules", action="store_true", help="list the modules, too")
    given = parser.parse_args()
    walked = walk()
    told = {
        "modules": len(walked.modules),
        "functions": len(walked.functions),
        "entries": sum(walked.modules.values()),
    }
    if given.json:
        print(json.dumps(told))
        return
    print(", ".join(f"{count} {what}" for what, count in told.items()))
    if given.modules:
        for module, count in walked.modules.most_common():
            print(f"{count:6} {module}")


if __name__ == "__main__":
    main()
