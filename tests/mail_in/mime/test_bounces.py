"""Test the severity of delivery status reports."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail_in.mime.bounces import BounceReport, read_report, severity

HEAD = 'From: MAILER-DAEMON@x.example\nContent-Type: multipart/report; boundary="b"\n\n'


def dsn(action: str, status: str, *, words: str = "It failed.", ends: str = "\r\n") -> bytes:
    text = (
        f"{HEAD}--b\nContent-Type: text/plain\n\n{words}\n\n"
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x.example\n\n"
        f"Final-Recipient: rfc822; anna@example.org\nAction: {action}\nStatus: {status}\n\n"
        "--b\nContent-Type: message/rfc822\n\nSubject: a mail\n\nAction: delayed\nStatus: 4.4.1\n"
        "--b--\n"
    )
    return text.replace("\n", ends).encode()


@pytest.mark.parametrize(
    ("action", "status", "kind"),
    [
        ("failed", "5.1.1", "hard"),
        ("Failed", "5.2.1 (mailbox disabled)", "hard"),
        ("failed", "5.4.4", "hard"),
        ("failed", "5.0.0", "hard"),
        ("failed", "5.2.2", "soft"),
        ("failed", "5.7.1", "policy"),
        ("failed", "5.3.4", "soft"),
        ("failed", "5.1.8", "policy"),
        ("failed", "5.2.252", "policy"),
        ("failed", "4.4.1", "soft"),
        ("failed", "nonsense", "soft"),
        ("delayed", "4.4.1", "delayed"),
    ],
)
def test_how_bad_it_is(action: str, status: str, kind: str) -> None:
    """A full mailbox or a policy says nothing about the address; a warning is no failure."""
    for ends in ("\n", "\r\n"):
        report = read_report(dsn(action, status, ends=ends))
        assert report is not None
        assert report.kind == kind


@pytest.mark.parametrize(
    ("status", "answer", "report"),
    [
        ("5.0.0", "550-5.7.26 the sender is\n unauthenticated", BounceReport("policy", "5.7.26")),
        ("5.0.0", "552 5.2.2 mailbox over quota", BounceReport("soft", "5.2.2")),
        ("5.0.0", "550 5.1.1 no such user", BounceReport("hard", "5.1.1")),
        ("5.0.0", "550 mail from 5.1.1.2 is not wanted", BounceReport("hard", "5.0.0")),
        ("5.1.90", "550 5.1.90 your daily limit", BounceReport("policy", "5.1.90")),
        ("5.4.5", "550 5.4.5 Daily user sending limit exceeded", BounceReport("policy", "5.4.5")),
        ("5.4.4", "Host or domain name not found", BounceReport("hard", "5.4.4")),
        ("5.2.0", "554 5.2.0 OutboundSpamException", BounceReport("policy", "5.2.0")),
        ("5.6.0", "554 5.6.0 outbound spam", BounceReport("policy", "5.6.0")),
        ("5.1.1", "550 5.1.1 <outbound.spam@b.example> unknown", BounceReport("hard", "5.1.1")),
    ],
)
def test_the_diagnostic_code_says_who_is_refused(
    status: str, answer: str, report: BounceReport
) -> None:
    """RFC 3464 §2.3.6; Exim writes 5.0.0 for every failure."""
    assert read_report(dsn("failed", f"{status}\nDiagnostic-Code: smtp; {answer}")) == report


@pytest.mark.parametrize("action", ["delivered", "relayed", "expanded"])
def test_success_is_no_bounce(action: str) -> None:
    assert read_report(dsn(action, "2.0.0")) is None


@pytest.mark.parametrize(
    ("words", "report"),
    [
        ("550 5.1.1 <a@b.example>: no such user", BounceReport("hard", "5.1.1")),
        ("Hi. This is qmail.\n<a@b.example>:\n554 mailbox unavailable", BounceReport("hard", None)),
        (
            "Remote host said: 554 Service unavailable; listed at zen.spamhaus.org",
            BounceReport("policy", None),
        ),
        ("host said: 452-over quota", BounceReport("soft", None)),
        ("It could not be delivered.", BounceReport("soft", None)),
        ("from 5.1.1.2 or 10.5.1.1", BounceReport("soft", None)),
    ],
)
def test_reports_for_people_are_read_too(words: str, report: BounceReport) -> None:
    """A code in the words counts, one in the mail that was sent back does not."""
    back = "\n\n--b\nContent-Type: message/rfc822\n\nSubject: 550 5.1.1\n"
    assert read_report((HEAD + words + back).encode()) == report


@given(st.binary(max_size=400))
def test_any_bytes_are_read_without_an_error(raw: bytes) -> None:
    """A report or none."""
    for mail in (raw, b"Content-Type: message/delivery-status\n" + raw):
        report = read_report(mail)
        assert report is None or report.kind in {"hard", "soft", "policy", "delayed"}


def test_a_huge_report_costs_little() -> None:
    """Time is bounded whatever is in it."""
    parts = (b"4.", b"--", b"content-type: message/", b"status: 5.", b"\n", b"Action: ", b"555")
    started = time.process_time()
    for part in parts:
        read_report(part * (2_000_000 // len(part)))
    assert time.process_time() - started < 3


def test_severity_without_a_code() -> None:
    """Mild: nothing is known."""
    assert severity(None) == "soft"
