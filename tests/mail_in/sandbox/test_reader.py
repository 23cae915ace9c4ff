"""Test the parser process, which may die while it parses a message."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from pbem.errors import MalformedMailError
from pbem.mail_in.mime.message import Triage
from pbem.mail_in.sandbox import reader as reader_module
from pbem.mail_in.sandbox.reader import DirectReader, ReaderAwayError, ReaderError, WorkerReader
from tests.mail_in.samples import load
from tests.patience import patience

MAIL = b"From: alice@example.org\r\nMessage-ID: <a@example.org>\r\n\r\nplay 9s\r\n"


@pytest.fixture(scope="module")
def worker() -> Iterator[WorkerReader]:
    """Share one parser process among all tests of this module."""
    reader = WorkerReader()
    yield reader
    reader.close()


def outcome(reader: WorkerReader | DirectReader, raw: bytes) -> object:
    """What a reader makes of a mail."""
    try:
        return reader.read(raw, own_domains=["play.example"], own_addresses=["pbem@play.example"])
    except MalformedMailError as error:
        return str(error)


def test_process_reads_the_corpus_as_we_do(worker: WorkerReader):
    """Nothing is lost between the processes, and its limits are no hindrance."""
    for sample in load():
        assert outcome(worker, sample.raw) == outcome(DirectReader(), sample.raw)


def test_large_mail_is_read_as_we_do(worker: WorkerReader):
    """Only the beginning is handed over, and it is said that there was more."""
    raw = MAIL + b"x" * 3_000_000
    assert outcome(worker, raw) == outcome(DirectReader(), raw)


def test_head_alone_is_read(worker: WorkerReader):
    """For telling somebody that the mail could not be read."""
    mail = worker.read(MAIL, head_only=True)
    assert (mail.sender, mail.plain, mail.triage) == ("alice@example.org", None, Triage.HUMAN)
    assert mail.unread == "only its header was read"


def test_process_that_was_killed_is_replaced(worker: WorkerReader):
    """The mail after a death is read."""
    worker.read(MAIL)
    assert worker._child._process is not None
    os.kill(worker._child._process.pid, signal.SIGKILL)
    assert worker.read(MAIL).plain == "play 9s\n"


@pytest.mark.parametrize(
    ("does", "says"),
    [
        ("sys.exit(3)", "died"),
        ("os.kill(os.getpid(), signal.SIGPROF)", "a second of processor time"),
        ("time.sleep(60)", "in time"),
        ("print('not what was agreed', flush=True); time.sleep(60)", "too much"),
        ("answer({'failed': 'MemoryError at x:1'})", "MemoryError"),
        ("answer({'mail': {'nothing': 1}})", "no mail"),
    ],
)
def test_mail_that_ends_the_process_is_an_error_that_names_no_content(
    monkeypatch: pytest.MonkeyPatch, does: str, says: str
):
    """Whatever happens over there, here it is a ReaderError."""
    program = (
        "import sys, os, time, signal\n"
        "from pbem.mail_in.sandbox.wire import pack\n"
        "def answer(m): sys.stdout.buffer.write(pack(m)); sys.stdout.flush(); time.sleep(60)\n"
        f"sys.stdin.buffer.read(8)\n{does}\n"
    )

    monkeypatch.setattr(reader_module, "_COMMAND", (sys.executable, "-c", program))
    reader = WorkerReader(patience=1.5)
    try:
        with pytest.raises(ReaderError, match=says):
            reader.read(MAIL)
    finally:
        reader.close()


def test_machine_without_processes_or_files_is_no_fault_of_a_mail(
    worker: WorkerReader, monkeypatch: pytest.MonkeyPatch
):
    """The process cannot be started: the next attempt reads the mail."""
    worker.close()

    def none_left(*_: object, **_named: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr("pbem.child_process.subprocess.Popen", none_left)
        with pytest.raises(ReaderAwayError, match="Too many open files"):
            worker.read(MAIL)
    assert worker.read(MAIL).plain == "play 9s\n"


@pytest.mark.parametrize(
    ("does", "code"),
    [
        ("worker._allow(0.2)\nwhile True: pass", -signal.SIGPROF),
        ("worker._give_up_rights()\ntry: bytes(300 << 20)\nexcept MemoryError: sys.exit(7)", 7),
        ("worker._give_up_rights()\ntry: open('/etc/hosts')\nexcept OSError: sys.exit(7)", 7),
        ("import socket; worker._give_up_rights()\ntry: socket.socket()\nexcept OSError: sys.exit(7)", 7),
    ],
)  # fmt: skip
def test_process_has_no_more_than_it_needs(does: str, code: int):
    """Time, memory, files and sockets end at the kernel."""
    program = f"import sys\nfrom pbem.mail_in.sandbox import worker\n{does}\n"
    done = subprocess.run([sys.executable, "-c", program], check=False, timeout=patience(60))
    assert done.returncode == code


def test_environment_holds_no_secrets(monkeypatch: pytest.MonkeyPatch):
    """A mail that takes the process over finds no key there."""
    monkeypatch.setenv("PBEM_SERVICE__KEY", "secret")
    reader = WorkerReader()
    reader.read(MAIL)
    assert reader._child._process is not None
    with open(f"/proc/{reader._child._process.pid}/environ", "rb") as file:  # noqa: PTH123
        assert b"PBEM" not in file.read()
    reader.close()
