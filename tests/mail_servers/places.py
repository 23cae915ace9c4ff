"""Requirements of the servers on this machine, and the start and end of their processes."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.patience import patience

PATIENCE = 30.0
"""Seconds until something that should happen is given up."""

PROGRAMS = {
    "dovecot": "dovecot-imapd, dovecot-lmtpd",
    "postfix": "postfix",
    "mutt": "mutt",
    "neomutt": "neomutt",
    "s-nail": "s-nail",
    "nmh": "nmh",
    "alpine": "alpine",
    "msmtp": "msmtp",
    "openssl": "openssl",
    "gpg": "gpg",
}
"""Programs, and the Debian packages that hold them."""


def missing(*programs: str, servers: bool = True) -> str | None:
    """Return the packages to install for these programs, or None if all are installed.

    Args:
        programs: keys of `PROGRAMS`.
        servers: whether servers are to be started, too.
    """
    search = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin:/usr/bin/mh"
    gone = [
        PROGRAMS[name]
        for name in programs
        if shutil.which("repl" if name == "nmh" else name, path=search) is None
    ]
    if gone:
        return f"NOT TESTED: install {', '.join(gone)} (.ci/run does)"
    if servers and os.geteuid() != 0:
        return "NOT TESTED: mail servers can be started by root only"
    return None


def free_port() -> int:
    """Return a free port of 127.0.0.1."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def until(what: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until a condition is true, because servers do not report it."""
    end = time.monotonic() + patience(seconds)
    while not what():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def answers(port: int) -> bool:
    """Return True if a server listens and greets."""
    try:
        with socket.create_connection(("127.0.0.1", port), 1) as tried:
            tried.settimeout(5)
            return bool(tried.recv(1))
    except OSError:
        return False


@contextmanager
def folder() -> Iterator[Path]:
    """Make a folder that the users of the servers can enter; its path is short, for sockets."""
    path = Path(tempfile.mkdtemp(prefix="pbem-", dir="/tmp"))
    path.chmod(0o755)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def process(command: Sequence[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server in the foreground, in a process group of its own, and end it."""
    environment = {**os.environ, "PATH": f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"}
    with log.open("ab") as written:
        running = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=written,
            start_new_session=True,
            env=environment,
        )
    try:
        yield running
    finally:
        running.terminate()
        try:
            running.wait(1)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()


def certificate(folder: Path) -> Path:
    """Make a certificate for 127.0.0.1, with its key in the same file."""
    file = folder / "server.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"),
            *("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(file)),
            *("-out", str(file.with_suffix(".crt"))),
        ],
        check=True,
        capture_output=True,
    )
    with file.open("a") as both:
        both.write(file.with_suffix(".crt").read_text())
    file.chmod(0o644)
    return file
