"""Test IMAP responses that the real server of the other tests does not send."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.mail_in.transports.imap import ImapMailbox
from pbem.mail_in.transports.imap_session import About, Session
from pbem.mail_in.transports.transport import Intake, WakeupSignal
from pbem.sections import Imap

CET = timezone(timedelta(hours=1))


class Client:
    """A client like imaplib's that returns given responses."""

    def __init__(self, *answers: tuple[str, list[Any]], abilities: bytes = b"IMAP4rev1") -> None:
        self.answers = list(answers)
        self.abilities = abilities
        self.asked: list[str] = []
        self.told: dict[str, list[Any]] = {}

    def capability(self) -> tuple[str, list[bytes]]:
        return "OK", [self.abilities]

    def uid(self, *words: str) -> tuple[str, list[Any]]:
        self.asked.append(" ".join(words))
        return self.answers.pop(0)

    def expunge(self) -> tuple[str, list[Any]]:
        self.asked.append("EXPUNGE of all")
        return "OK", [None]

    def response(self, name: str) -> tuple[str, list[Any]]:
        return name, self.told.pop(name, [None])


def session(client: Client, **box: Any) -> Session:
    return Session(SimpleNamespace(client=client, **box))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("told", "about"),
    [
        (
            [b'1 (UID 5 RFC822.SIZE 12 INTERNALDATE "21-Nov-2026 04:31:23 +0100")'],
            About(12, datetime(2026, 11, 21, 4, 31, 23, tzinfo=CET)),
        ),
        (
            [b"7 (FLAGS (\\Seen))", b'1 (INTERNALDATE " 1-Jan-2026 00:00:00 +0000" RFC822.SIZE 0)'],
            About(0, datetime(2026, 1, 1, tzinfo=UTC)),
        ),
        ([b'1 (rfc822.size 3 internaldate "yesterday")'], About(3, None)),
        ([b"1 (RFC822.SIZE 3)"], About(3, None)),
        ([b'1 (RFC822.SIZE 3 INTERNALDATE "21-Nov-2026 04:31:23 -0000")'], About(3, None)),
        ([None], None),
        ([b"1 (FLAGS ())"], None),
    ],
)
def test_size_and_arrival(told: list[bytes | None], about: About | None) -> None:
    """In any order, with other news between; a date that is none is no date."""
    assert session(Client(("OK", told))).describe(5) == about
    assert session(Client(("NO", told))).describe(5) is None


def test_the_bytes_of_a_mail() -> None:
    """The literal of the answer; None where there is none; never without PEEK."""
    client = Client(
        ("OK", [b"7 (FLAGS ())", (b"1 (BODY[]<0> {3}", b"abc"), b" UID 5)"]),
        ("OK", [b"1 (BODY[]<0> NIL UID 5)"]),
        ("NO", [b"[SERVERBUG] no"]),
    )
    one = session(client)
    assert [one.fetch(5, 100) for _ in range(3)] == [b"abc", None, None]
    assert set(client.asked) == {"FETCH 5 (BODY.PEEK[]<0.100>)"}


OK, NO = ("OK", [None]), ("NO", [None])


@pytest.mark.parametrize(
    ("abilities", "answers", "asked", "moved"),
    [
        (b"MOVE UIDPLUS", [OK], ["MOVE"], True),
        (b"MOVE UIDPLUS", [NO, OK, OK, OK], ["MOVE", "COPY", "STORE", "EXPUNGE 5"], True),
        (b"UIDPLUS", [OK, OK, OK], ["COPY", "STORE", "EXPUNGE 5"], True),
        (b"", [OK, OK], ["COPY", "STORE", "EXPUNGE of all"], True),
        (b"MOVE UIDPLUS", [NO, NO], ["MOVE", "COPY"], False),
    ],
)
def test_ways_to_move(abilities: bytes, answers: list[Any], asked: list[str], moved: bool) -> None:
    """Nothing is removed before its copy is there."""
    client = Client(*answers, abilities=abilities)
    folders = SimpleNamespace(exists=lambda _: True)
    assert session(client, folder=folders).move(5, "Processed") is moved
    assert len(client.asked) == len(asked)
    assert all(said.startswith(word) for said, word in zip(client.asked, asked, strict=True))


def test_a_mail_that_may_not_be_deleted_is_copied_once() -> None:
    """Each look tries again; it says no more that the mail was moved, and makes no further copies."""
    client = Client(NO, OK, NO, NO, NO, NO, OK, OK, abilities=b"MOVE UIDPLUS")
    one = session(client, folder=SimpleNamespace(exists=lambda _: True))
    assert [one.move(5, "Processed") for _ in range(3)] == [False, False, True]
    assert sum(said.startswith("COPY") for said in client.asked) == 1


# --- waiting --------------------------------------------------------------------------------------


@pytest.fixture
def bell() -> Iterator[WakeupSignal]:
    made = WakeupSignal()
    yield made
    made.close()


def test_news_in_the_packet_of_the_answer_to_idle(bell: WakeupSignal) -> None:
    """They are in a buffer already: no socket tells of them any more."""
    ours, servers = socket.socketpair()
    with ours, servers, ours.makefile("rb") as lines:
        client: Any = Client(abilities=b"IDLE")
        client.sock, client.readline = ours, lines.readline
        steps: list[str] = []
        idle = SimpleNamespace(
            start=lambda: steps.append(lines.readline().decode()),
            stop=lambda: steps.append("stop"),
        )
        one = session(client, idle=idle)
        servers.sendall(b"+ idling\r\n* 1 EXISTS\r\n")
        one.wait(bell, 600)
        servers.sendall(b"+ idling\r\n")
        one.wait(bell, 0.01)
        assert steps == ["+ idling\r\n", "stop"] * 2
        assert ours.gettimeout() is None


def test_a_mailbox_that_another_process_reads_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No connection is made, and the claim is tried again with every round."""
    asked: list[str] = []
    box: ImapMailbox

    @contextmanager
    def advisory_claim(name: str) -> Iterator[bool]:
        asked.append(name)
        if len(asked) == 3:
            box.stop()
        yield False

    def refused(*_: object) -> None:
        raise AssertionError("it connected")

    monkeypatch.setattr(Session, "open", refused)
    settings = Imap(host="mail.example.org", username="game", password="x", poll_seconds=0.05)
    intake = Intake(
        accept=refused,
        set_aside=refused,
        is_ours=lambda _: True,
        now=lambda: datetime(2026, 11, 21, tzinfo=UTC),
        looked=lambda: None,
        max_bytes=1,
        advisory_claim=advisory_claim,
    )
    box = ImapMailbox(settings, intake)
    box.run()
    assert asked == ["game@mail.example.org:993/INBOX"] * 3
    assert box.last_look is None
