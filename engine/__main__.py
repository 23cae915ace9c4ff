"""`python -m engine`: the engine protocol on standard input and output."""

from __future__ import annotations

import sys

from engine.protocol import serve


def main() -> int:
    """Serve one conversation. End quietly if the client hangs up or interrupts."""
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except (BrokenPipeError, KeyboardInterrupt):
        # The output has no reader. Keep the interpreter from flushing into the closed pipe at exit.
        sys.stdout = None
    return 0


if __name__ == "__main__":
    sys.exit(main())
