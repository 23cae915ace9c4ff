"""Run the engine protocol on standard input and output: `python -m engine`."""

from __future__ import annotations

import sys

from engine.protocol import serve


def main() -> int:
    """Serve one client. Exit without an error if it disconnects or sends an interrupt."""
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except (BrokenPipeError, KeyboardInterrupt):
        # The output is closed. Without this, the interpreter would try to flush it at exit.
        sys.stdout = None
    return 0


if __name__ == "__main__":
    sys.exit(main())
