"""Test a Maildir as the inbound transport."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog

from pbem.errors import StoreError
from pbem.mail_in.mime.message import Envelope
from pbem.mail_in.transports import maildir, transport
from pbem.mail_in.transports.maildir import Maildir
from pbem.mail_in.transports.transport import Intake, RejectedMail

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
LIMIT = 1000


class Kept:
    """What the service has; a second copy of a mail is no second mail."""

    def __init__(self) -> None:
        self.mails: dict[bytes, Envelope] = {}
        self.aside: dict[str, tuple[bytes, str]] = {}
        self.looks = 0

    def accept(self, raw: bytes, envelope: Envelope) -> None:
        self.mails.setdefault(raw, envelope)

    def set_aside(self, raw: bytes, _envelope: Envelope, rejected: RejectedMail) -> None:
        self.aside[rejected.name] = (raw, rejected.why)

    def looked(self) -> None:
        self.looks += 1


@pytest.fixture
def box(tmp_path: Path) -> Path:
    for name in ("tmp", "new", "cur"):
        (tmp_path / name).mkdir()
    return tmp_path


@pytest.fixture
def kept() -> Kept:
    return Kept()


def way(box: Path, kept: Kept, **hooks: Any) -> Maildir:
    given: dict[str, Any] = {
        "accept": kept.accept,
        "set_aside": kept.set_aside,
        "is_ours": lambda address: address.endswith("@play.example"),
        "now": lambda: NOW,
        "looked": kept.looked,
        "max_bytes": LIMIT,
    }
    return Maildir(box, 0.05, Intake(**{**given, **hooks}))


@pytest.fixture
def reader(box: Path, kept: Kept) -> Iterator[Maildir]:
    with closing(way(box, kept)) as made:
        yield made


def put(box: Path, name: str, raw: bytes, *, minutes: int = 0) -> None:
    """Deliver a mail, as a mail server does; it arrived that many minutes before now."""
    (box / "tmp" / name).write_bytes(raw)
    at = (NOW - timedelta(minutes=minutes)).timestamp()
    os.utime(box / "tmp" / name, (at, at))
    (box / "tmp" / name).rename(box / "new" / name)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_mails_are_kept_and_moved(box: Path, kept: Kept, reader: Maildir) -> None:
    """The oldest first; the file's time is the arrival; from `new` to `cur`, without a flag."""
    noted = b"Return-Path: <a@b.example>\nDelivered-To: game@play.example\n"
    put(box, "1", noted + b"\nsecond", minutes=1)
    put(box, "2", noted + b"X-Original-To: game+t@play.example\n\nfirst", minutes=2)
    put(box, "3", b"Delivered-To: x@elsewhere.example\n\nfrom the future", minutes=-5)
    reader.take_all()
    first, second, third = kept.mails.values()
    assert (first.mail_from, first.rcpt_to) == ("a@b.example", "game+t@play.example")
    assert second.rcpt_to == "game@play.example"
    assert (third.mail_from, third.rcpt_to, third.arrived_at) == (None, None, NOW)
    assert first.arrived_at == NOW - timedelta(minutes=2)
    assert (first.transport, reader.last_look, kept.looks) == ("maildir", NOW, 1)
    assert names(box / "new") == []
    assert names(box / "cur") == ["1:2,", "2:2,", "3:2,"]


def test_a_mail_that_is_too_large(
    box: Path, kept: Kept, reader: Maildir, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first part is kept with the reason; all of it is in .Failed."""
    monkeypatch.setattr(maildir, "FIRST_PART", 10)
    put(box, "large", b"x" * (LIMIT + 1))
    put(box, "whole", b"x" * LIMIT)
    reader.take_all()
    assert list(kept.mails) == [b"x" * LIMIT]
    first_part, why = kept.aside["maildir:large"]
    assert first_part == b"x" * 10
    assert why == (
        "the mail has 1001 bytes, more than the 1000 that are accepted: its first 10 bytes are"
        " here, all of it is large in .Failed"
    )
    assert names(box / ".Failed" / "cur") == ["large:2,"]
    assert (box / ".Failed" / "maildirfolder").is_file()


def test_what_is_no_mail_is_left_alone(box: Path, kept: Kept, reader: Maildir) -> None:
    """Folders, links, hidden files; they do not stop the others."""
    (box / "new" / "folder").mkdir()
    (box / "new" / "link").symlink_to(box / "tmp")
    (box / "new" / ".hidden").write_bytes(b"x")
    put(box, "good", b"good")
    reader.take_all()
    assert list(kept.mails) == [b"good"]
    assert names(box / "new") == [".hidden", "folder", "link"]


class Killed(BaseException):
    """The process is gone."""


@pytest.mark.parametrize("at", ["before commit", "after commit", "after move"])
def test_killed_between_any_two_steps(
    box: Path, kept: Kept, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    """Nothing is lost, nothing doubled."""
    rename = Path.rename

    def accept(raw: bytes, envelope: Envelope) -> None:
        if at == "before commit":
            raise Killed
        kept.accept(raw, envelope)
        if at == "after commit":
            raise Killed

    def move(self: Path, target: Path) -> Path:
        rename(self, target)
        raise Killed

    for name in "ab":
        put(box, name, name.encode())
    with monkeypatch.context() as patch, closing(way(box, kept, accept=accept)) as dying:
        if at == "after move":
            patch.setattr(Path, "rename", move)
        with pytest.raises(Killed):
            dying.take_all()
    assert len(names(box / "new")) == (1 if at == "after move" else 2)
    with closing(way(box, kept)) as again:
        again.take_all()
    assert list(kept.mails) == [b"a", b"b"]
    assert names(box / "cur") == ["a:2,", "b:2,"]


def test_a_mail_that_cannot_be_moved_is_tried_again(box: Path, kept: Kept, reader: Maildir) -> None:
    """It is kept once, and does not stop the ones behind it."""
    (box / "cur").rmdir()
    (box / "cur").touch()
    for name in "ab":
        put(box, name, name.encode())
    with structlog.testing.capture_logs() as logged:
        reader.take_all()
    assert [line["action"] for line in logged] == ["mail_not_moved"] * 2
    (box / "cur").unlink()
    (box / "cur").mkdir()
    reader.take_all()
    assert (len(kept.mails), names(box / "cur")) == (2, ["a:2,", "b:2,"])


def test_the_thread_outlives_trouble(
    box: Path, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that is away, a folder that is not there; then everything is taken."""
    monkeypatch.setattr(transport, "FIRST_PAUSE", 0.01)
    troubles = iter([StoreError("the database is away"), StoreError("the database is away")])
    faults = iter([ValueError("of ours")])

    def accept(raw: bytes, envelope: Envelope) -> None:
        for trouble in troubles:
            raise trouble
        kept.accept(raw, envelope)
        done.set()

    def looked() -> None:
        for fault in faults:
            raise fault

    done = threading.Event()
    put(box, "a", b"a")
    (box / "new").rename(box / "old")
    reader = way(box, kept, accept=accept, looked=looked)
    thread = threading.Thread(target=reader.run)
    with structlog.testing.capture_logs() as logged:
        thread.start()
        while not logged:
            done.wait(0.01)
        assert reader.last_look is None
        (box / "old").rename(box / "new")
        assert done.wait(10)
        put(box, "b", b"b")
        reader.look()
        while len(kept.mails) < 2:
            done.wait(0.01)
        reader.stop()
        thread.join(10)
    assert not thread.is_alive()
    errors = [line["error"] for line in logged]
    assert errors[0] == "No such file or directory"
    assert errors.count("the database is away") == 2
    assert errors.count("ValueError") == 1
    pauses = [line["again_in"] for line in logged]
    assert pauses[:2] == [0.01, 0.02]
