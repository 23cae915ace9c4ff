"""The parser process: `python -m pbem.mail_in.sandbox.worker`.

`pbem.mail_in.sandbox.reader` drives it. It reads requests from stdin and writes answers to stdout.
First it drops privileges: at most 256 MiB of memory, no new files or sockets, no writing to files.
A message gets one second of CPU time, after which SIGPROF ends the process.
"""

from __future__ import annotations

import codecs
import contextlib
import resource
import signal
import sys
from typing import IO, Final

from pbem import openpgp
from pbem.errors import MalformedMailError, source_location
from pbem.mail_in.mime.charsets import CODECS
from pbem.mail_in.sandbox.reader import DirectReader
from pbem.mail_in.sandbox.wire import LENGTH, Request, pack, request_of

MEMORY: Final = 256 * 1024 * 1024
SECONDS: Final = 1.0
WARM_UP: Final = "From: a@bücher.example\nContent-Type: text/html\n\n<p>&copy;</p>".encode()
"""A message that triggers all lazy imports, because files cannot be opened later."""
_WHOLE_SECONDS: Final = 2
"""Additional limit in whole seconds, enforced by the kernel, in case the timer fails."""


def main() -> None:
    """Answer requests until stdin ends."""
    reader = DirectReader()
    for name in sorted(CODECS):
        codecs.lookup(name)
    reader.read(WARM_UP)
    if openpgp.is_there():
        openpgp.library()
    _give_up_rights()
    source, target = sys.stdin.buffer, sys.stdout.buffer
    while (head := source.read(LENGTH)) and len(head) == LENGTH:
        request = request_of(source.read(int.from_bytes(head, "big")))
        raw = source.read(request.size)
        _allow(SECONDS)
        answer = _answer(reader, request, raw)
        data = pack(answer)
        _allow(0)
        _send(target, data)
        if "failed" in answer:
            break


def _answer(reader: DirectReader, request: Request, raw: bytes) -> dict[str, object]:
    try:
        mail = reader.read(
            raw,
            own_domains=request.own_domains,
            own_addresses=request.own_addresses,
            mail_from=request.mail_from,
            head_only=request.head_only,
            secret=request.secret,
        )
        return {"mail": mail}
    except MalformedMailError as error:
        return {"malformed": str(error)}
    except Exception as error:  # noqa: BLE001  (reported to the service, which quarantines the message)
        return {"failed": f"{type(error).__name__} at {source_location(error)}"}


def _send(target: IO[bytes], data: bytes) -> None:
    target.write(data)
    target.flush()


def _give_up_rights() -> None:
    _limit(resource.RLIMIT_AS, MEMORY)
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_NOFILE, 3)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    # Ctrl-C is for the service, which stops this process
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _allow(seconds: float) -> None:
    """Limit further CPU time to `seconds`. 0 means no limit."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    if seconds:
        used = resource.getrusage(resource.RUSAGE_SELF)
        most = int(used.ru_utime + used.ru_stime) + 1 + _WHOLE_SECONDS
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CPU, (most, hard))


def _limit(which: int, value: int) -> None:
    """Lower a resource limit permanently. A limit that is already lower is kept."""
    _, hard = resource.getrlimit(which)
    lowest = value if hard == resource.RLIM_INFINITY else min(value, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(which, (lowest, lowest))


if __name__ == "__main__":
    main()
