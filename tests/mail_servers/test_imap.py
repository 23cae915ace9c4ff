"""Test an ordinary mailbox on a real Dovecot as the inbound transport."""

from __future__ import annotations

import imaplib
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog

from pbem import access_token
from pbem.errors import StoreError
from pbem.mail_in.transports import imap, transport
from pbem.mail_in.transports.imap_session import Session
from pbem.service.upkeep import doctor_mail
from tests.mail_servers.conftest import need
from tests.mail_servers.dovecot import PASSWORD, TOKEN, Dovecot, dovecot, vouching
from tests.mail_servers.places import until
from tests.mail_servers.reading import LIMIT, SENDER, Reading, running
from tests.service.conftest import Table


@pytest.fixture
def reading(imap_server: Dovecot, table: Table) -> Iterator[Reading]:
    with closing(Reading(imap_server, table, imap_server.new_user())) as reading:
        yield reading


@pytest.fixture
def plainly(plain_server: Dovecot, table: Table) -> Iterator[Reading]:
    with closing(Reading(plain_server, table, plain_server.new_user())) as reading:
        yield reading


def test_a_mail_is_kept_and_moved(reading: Reading) -> None:
    """The row holds the bytes, the address with its token, the sender, and when the server took it."""
    reading.table.clock.instant = datetime.now(UTC) + timedelta(hours=1)  # noqa: TID251
    raw = reading.send()
    reader = reading.reader()
    reader.take_all()
    (row,) = reading.table.inbox()
    assert (row.status, row.transport) == ("new", "imap")
    assert (row.mail_from, row.rcpt_to) == (SENDER, reading.address)
    ago = reading.table.clock.instant - row.arrived_at
    assert timedelta(minutes=59) < ago < timedelta(minutes=61)
    with reading.table.service.store.reading() as uow:
        kept = uow.inbox.get(row.id)
    assert kept is not None
    assert kept.raw.endswith(raw[raw.index(b"\r\n\r\n") :])
    assert (reading.folder("INBOX"), reading.folder("Processed")) == (0, 1)
    assert reader.last_look == reading.table.clock.instant


def test_seen_is_no_mark(reading: Reading) -> None:
    """A mail that a person has opened is taken too, and taking one does not open it."""
    reading.send(name="a")
    with reading.server.opened(reading.user) as box:
        box.flag(box.uids(), "\\Seen", True)
    reading.send(name="b")
    reading.reader().take_all()
    assert len(reading.table.inbox()) == 2
    flags = reading.server.flags(reading.user, "Processed")
    assert ["\\Seen" in of_one for of_one in flags] == [True, False]


def test_one_mail_in_two_copies_is_one_mail(reading: Reading) -> None:
    """The same Message-ID for the same address: one row, both copies are moved."""
    reading.send(name="a")
    reading.send(name="a")
    reading.reader().take_all()
    assert len(reading.table.inbox()) == 1
    assert (reading.folder("INBOX"), reading.folder("Processed")) == (0, 2)


# --- what cannot be taken -------------------------------------------------------------------------


def test_a_mail_that_is_too_large(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only its first part is fetched. It is moved to Failed, and the admin is notified."""
    monkeypatch.setattr(imap, "FIRST_PART", 1000)
    asked: list[int] = []
    fetch = Session.fetch

    def counted(session: Session, uid: int, limit: int) -> bytes | None:
        asked.append(limit)
        return fetch(session, uid, limit)

    monkeypatch.setattr(Session, "fetch", counted)
    reading.send("x" * 70 + "\r\n" + "y\r\n" * LIMIT, name="large")
    reading.send(name="small")
    reader = reading.reader()
    reader.take_all()
    reader.take_all()
    assert asked == [1000, LIMIT + 1]
    large, small = reading.table.inbox()
    assert (large.status, small.status) == ("ignored", "new")
    assert large.error is not None
    assert "more than the 20000 that are accepted" in large.error
    assert "in the folder Failed; its UID in INBOX was 1" in large.error
    assert large.game_id is None
    assert [reading.folder(name) for name in ("INBOX", "Processed", "Failed")] == [0, 1, 1]


def test_a_mail_that_the_server_does_not_give_out(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried three times, then it goes to Failed with a row; the mails behind it do not wait."""
    fetch = Session.fetch
    monkeypatch.setattr(
        Session, "fetch", lambda s, uid, limit: None if uid == 1 else fetch(s, uid, limit)
    )
    reading.send(name="bad")
    reading.send(name="good")
    reader = reading.reader()
    reader.take_all()
    assert [row.status for row in reading.table.inbox()] == ["new"]
    reader.take_all()
    assert reading.folder("INBOX") == 1
    assert (reader.last_look, reading.looks) == (None, 0)  # a deadline may have to wait for it
    reader.take_all()
    assert (reader.last_look, reading.looks) == (reading.table.clock.now(), 1)
    assert [row.status for row in reading.table.inbox()] == ["new", "shunted"]
    assert [reading.folder(name) for name in ("INBOX", "Processed", "Failed")] == [0, 1, 1]


def test_a_fault_of_ours_at_one_mail_does_not_stop_the_others(reading: Reading) -> None:
    """The mail is set aside whole, without its content in the reason."""
    accept = reading.intake().accept

    def faulty(raw: bytes, envelope: Any) -> None:
        if b"poison" in raw:
            raise ValueError("poison")
        accept(raw, envelope)

    reading.send("poison", name="bad")
    reading.send(name="good")
    reading.reader(accept=faulty).take_all()
    bad, good = reading.table.inbox()
    assert (bad.status, good.status) == ("shunted", "new")
    assert bad.error is not None
    assert bad.error.startswith("ValueError at intake; it is in the folder Failed")
    assert "poison" not in bad.error


def test_a_database_that_is_away_leaves_the_mail(reading: Reading) -> None:
    """Nothing is moved before the commit, and the next look takes it."""

    def away(*_: object) -> None:
        raise StoreError("the database is away")

    reading.send()
    with pytest.raises(StoreError):
        reading.reader(accept=away).take_all()
    assert (reading.table.inbox(), reading.folder("INBOX")) == ([], 1)
    reading.reader().take_all()
    assert (len(reading.table.inbox()), reading.folder("INBOX")) == (1, 0)


def test_a_mail_that_cannot_be_moved_is_not_fetched_again(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stays until it can be moved; with another UIDVALIDITY its UID may mean another mail."""
    move, fetched = Session.move, []
    monkeypatch.setattr(Session, "move", lambda *_: False)
    fetch = Session.fetch
    monkeypatch.setattr(Session, "fetch", lambda s, uid, n: fetched.append(uid) or fetch(s, uid, n))
    reading.send(name="a")
    reader = reading.reader()
    reader.take_all()
    reader.take_all()
    assert (fetched, reading.folder("INBOX")) == ([1], 1)
    monkeypatch.setattr(Session, "move", move)
    select = Session.select
    monkeypatch.setattr(Session, "select", lambda s, name: f"{select(s, name)}0")
    reader.take_all()
    assert fetched == [1, 1]
    assert (len(reading.table.inbox()), reading.folder("Processed")) == (1, 1)


# --- killed between any two steps -----------------------------------------------------------------


class Killed(BaseException):
    """The process is gone."""


def crash(monkeypatch: pytest.MonkeyPatch, at: int, *, before: bool) -> list[str]:
    """Let the process die at its `at`-th step (a command to the server, or the commit)."""
    steps: list[str] = []

    def step(name: str, act: Any) -> Any:
        steps.append(name)
        dies = len(steps) == at
        if dies and before:
            raise Killed(name)
        result = act()
        if dies:
            raise Killed(name)
        return result

    uid, expunge = imaplib.IMAP4.uid, imaplib.IMAP4.expunge
    receive = imap.keep
    monkeypatch.setattr(
        imaplib.IMAP4, "uid", lambda s, name, *a: step(name, lambda: uid(s, name, *a))
    )
    monkeypatch.setattr(imaplib.IMAP4, "expunge", lambda s: step("ALL", lambda: expunge(s)))
    monkeypatch.setattr(imap, "keep", lambda *a, **k: step("commit", lambda: receive(*a, **k)))
    return steps


STEPS = {
    "imap": ["SEARCH", *["FETCH", "FETCH", "commit", "MOVE"] * 2],
    "plain": ["SEARCH", *["FETCH", "FETCH", "commit", "COPY", "STORE", "ALL"] * 2],
}


@pytest.mark.parametrize("kind", ["imap", "plain"])
def test_killed_between_any_two_steps(
    request: pytest.FixtureRequest, table: Table, kind: str
) -> None:
    """Before and after every command and the commit: nothing is lost, nothing doubled."""
    server: Dovecot = request.getfixturevalue(f"{kind}_server")
    cases = [(at, before) for at in range(1, len(STEPS[kind]) + 1) for before in (True, False)]
    for number, (at, before) in enumerate(cases):
        reading = Reading(server, table, server.new_user())
        for name in "ab":
            reading.send(name=f"{number}-{name}")
        with pytest.MonkeyPatch.context() as patch, closing(reading):
            steps = crash(patch, at, before=before)
            with pytest.raises(Killed):
                reading.reader().take_all()
        assert steps == STEPS[kind][:at]
        with closing(reading):
            reading.reader().take_all()
        rows = [row for row in table.inbox() if row.rcpt_to == reading.address]
        assert [row.status for row in rows] == ["new", "new"], (at, before)
        assert reading.folder("INBOX") == 0
        processed = reading.folder("Processed")
        # A copy that was made twice is a copy in a folder that nobody reads.
        assert processed == 2 if kind == "imap" else 2 <= processed <= 3


# --- waiting --------------------------------------------------------------------------------------


def test_the_server_tells_of_a_mail_at_once(reading: Reading) -> None:
    """IDLE: long before the next look is due, mail after mail."""
    reading.settings["poll_seconds"] = 600.0
    with running(reading.reader()):
        until(lambda: reading.looks == 1)
        for number in range(3):
            reading.send(name=f"m{number}")
            until(lambda n=number: len(reading.table.inbox()) == n + 1, 10)
        for number in range(30):  # they come while others are fetched, moved, waited for
            reading.send(name=f"n{number}")
        until(lambda: len(reading.table.inbox()) == 33, 20)


def test_without_idle_the_mailbox_is_polled(plainly: Reading) -> None:
    """Every poll_seconds, over the same connection, and at once when asked."""
    plainly.settings["poll_seconds"] = 0.2
    with running(plainly.reader()):
        until(lambda: plainly.looks >= 1)
        plainly.send()
        until(lambda: len(plainly.table.inbox()) == 1, 10)
    plainly.settings["poll_seconds"] = 600.0
    reader = plainly.reader()
    with running(reader):
        seen = plainly.looks
        until(lambda: plainly.looks > seen)
        plainly.send(name="b")
        reader.look()
        until(lambda: len(plainly.table.inbox()) == 2, 10)


def test_a_server_that_goes_away_and_comes_back(
    folder: Path, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Connect again after a pause that grows; the log says so, without secrets."""
    need("dovecot")
    monkeypatch.setattr(transport, "FIRST_PAUSE", 0.1)
    server = dovecot(folder / "away")
    reading = Reading(server, table, server.new_user())
    with structlog.testing.capture_logs() as logged:
        with server.running():
            reading.send(name="a")
            way = reading.reader()
            thread = threading.Thread(target=way.run)
            thread.start()
            until(lambda: len(table.inbox()) == 1)
        until(lambda: len([line for line in logged if line["action"] == "imap_trouble"]) >= 3)
        with server.running():
            reading.send(name="b")
            until(lambda: len(table.inbox()) == 2)
            way.stop()
            thread.join(10)
            assert not thread.is_alive()
    pauses = [line["again_in"] for line in logged if line["action"] == "imap_trouble"]
    assert pauses[:3] == [0.1, 0.2, 0.4]
    assert PASSWORD not in str(logged)
    assert "@" not in str(logged)


def test_a_wrong_password_is_tried_again_and_never_logged(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The admin may correct it on the server."""
    monkeypatch.setattr(transport, "FIRST_PAUSE", 0.01)
    reading.settings["password"] = "open-sesame"
    with structlog.testing.capture_logs() as logged, running(reading.reader()):
        until(lambda: any(line["action"] == "imap_trouble" for line in logged))
    refused = logged[0]
    assert refused["error"] == "the server refused our login"
    assert refused["host"] == f"127.0.0.1:{reading.server.imap}"
    assert refused["user"] == reading.user
    assert "open-sesame" not in str(logged)


def test_an_access_token_in_place_of_a_password(
    folder: Path, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command prints it; one that is refused, fails or hangs is told without its output."""
    need("dovecot")
    monkeypatch.setattr(access_token, "PATIENCE_SECONDS", 0.3)
    with vouching(TOKEN) as authority:
        server = dovecot(folder / "o", token_info=authority)
        with server.running(), closing(Reading(server, table, server.new_user())) as reading:
            token = tmp_path / "token"
            reading.settings.update(password="", token_command=("cat", str(token)))
            token.write_text(f"{TOKEN}\n")
            reading.send()
            reading.reader().take_all()
            assert len(table.inbox()) == 1
            for command, printed, told in [
                (("cat", str(token)), "ya29.stale", "it refused our login"),
                (("cat", str(token)), "please log in at https://…", "one access token"),
                (("cat", str(tmp_path / "none")), "", "failed with exit code 1"),
                (("sleep", "5"), "", "did not end within"),
                (("no-such-command",), "", "cannot be run"),
            ]:
                token.write_text(printed)
                reading.settings["token_command"] = command
                found = doctor_mail.check_mailbox(reading.reader()._settings)
                assert (found.status, told in found.text) == ("fail", True), found.text
                assert printed == "" or printed not in found.text


def test_tls_checks_the_certificate(
    folder: Path, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over tls and starttls; a certificate that nobody vouches for is refused."""
    need("dovecot", "openssl")
    server = dovecot(folder / "tls", secure=True)
    with server.running():
        reading = Reading(server, table, server.new_user())
        reading.settings.update(security="tls", port=server.imaps)
        with closing(reading), pytest.raises(OSError, match="certificate verify failed"):
            reading.reader().take_all()
        monkeypatch.setenv("SSL_CERT_FILE", str(server.base / "server.crt"))
        reading.settings["poll_seconds"] = 600.0
        with running(reading.reader()):
            until(lambda: reading.looks == 1)
            reading.send(name="a")
            until(lambda: len(table.inbox()) == 1, 10)
        reading.settings.update(security="starttls", port=server.imap)
        reading.send(name="b")
        with closing(reading):
            reading.reader().take_all()
    assert len(table.inbox()) == 2
