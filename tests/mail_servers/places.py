"""Check the requirements of mail servers on this machine, and start and stop their processes."""

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
"""Timeout of waits in seconds."""

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
"""Program to the Debian packages that contain it."""


def missing(*programs: str, servers: bool = True) -> str | None:
    """Return the packages to install for these programs, or None if all are installed.

    Args:
        programs: keys of `PROGRAMS`.
        servers: True if the test also starts servers.
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
    """True if a server listens at a port and sends a greeting."""
    try:
        with socket.create_connection(("127.0.0.1", port), 1) as tried:
            tried.settimeout(5)
            return bool(tried.recv(1))
    except OSError:
        return False


@contextmanager
def folder() -> Iterator[Path]:
    """Create a temporary folder that the servers' users can enter.

    Its path is short, because sockets in it have a limited path length.
    """
    path = Path(tempfile.mkdtemp(prefix="pbem-", dir="/tmp"))
    path.chmod(0o755)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def process(command: Sequence[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server in the foreground in a separate process group, and end it with the context."""
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
    """Create a certificate for 127.0.0.1. The file also contains its key."""
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
