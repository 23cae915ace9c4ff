"""Process of the built-in bots: `python -m pbem.bots` answers requests, line by line.

It uses the protocol of external bots and does no other I/O (docs/dev/bots.md).
"""

from __future__ import annotations

import json
import sys

from pbem.bots.bot_client import answer
from pbem.errors import PbemError


def main() -> None:
    """Read a request from each line of standard input and print the answer."""
    for line in sys.stdin:
        try:
            reply = {"move": answer(json.loads(line))}
        except (PbemError, ValueError, KeyError, TypeError) as error:
            reply = {"error": type(error).__name__}
        print(json.dumps(reply), flush=True)  # noqa: T201  (the answers go to stdout)


main()
