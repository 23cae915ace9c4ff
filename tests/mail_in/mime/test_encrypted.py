"""Test encrypted messages and attached keys, which are read in the parser process."""

from __future__ import annotations

import base64
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from pbem import openpgp
from pbem.errors import MailError
from pbem.mail_in.mime.message import InboundMail, Triage
from pbem.mail_in.mime.parse import LIMITS
from pbem.mail_in.mime.parts import ENCRYPTED, LOCKED
from pbem.mail_in.sandbox.reader import WorkerReader
from tests.gnupg import Gpg, pgp_mime

OURS = openpgp.new_secret("game@example.org")
THEIRS = openpgp.new_secret("anna@example.org")
ANNAS = base64.b64encode(openpgp.public(THEIRS)).decode()
INSIDE = b"Content-Type: text/plain; charset=utf-8\r\nFrom: mallory@example.org\r\n\r\nplay 7H\r\n"


@pytest.fixture(scope="module")
def reader() -> Iterator[WorkerReader]:
    one = WorkerReader()
    yield one
    one.close()


def sealed(inside: bytes = INSIDE, *, by: bytes = THEIRS, to: bytes = OURS) -> bytes:
    return pgp_mime(openpgp.encrypted(inside, openpgp.public(to), by).encode())


def test_an_encrypted_mail_is_opened(reader: WorkerReader) -> None:
    mail = reader.read(sealed(), secret=OURS)
    assert (mail.plain, mail.unread) == ("play 7H\n", None)
    assert mail.sender == "anna@example.org"  # whoever is named inside


def test_its_key_is_in_no_process_that_reads_another_mail(
    reader: WorkerReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither one before it, which may have taken the process over, nor one after it."""
    reader.read(b"From: a@example.org\r\n\r\nhello\r\n")
    begun: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def noted(*command: Any, **options: Any) -> Any:
        begun.append(start(*command, **options))
        return begun[-1]

    monkeypatch.setattr(subprocess, "Popen", noted)
    for _ in range(2):
        assert reader.read(sealed(), secret=OURS).plain == "play 7H\n"
        assert begun[-1].returncode is not None
    reader.read(b"From: a@example.org\r\n\r\nhello\r\n")
    assert len(begun) == 2


def test_gpgs_mails_are_opened(reader: WorkerReader, gpg: Gpg) -> None:
    gpg.take(openpgp.public(OURS))
    raw = pgp_mime(gpg.encrypted(INSIDE, "game@example.org"))
    assert reader.read(raw, secret=OURS).plain == "play 7H\n"
    assert reader.read(raw, secret=THEIRS).unread == LOCKED
    assert reader.read(raw).unread == ENCRYPTED


@pytest.mark.parametrize(
    "raw",
    [
        sealed(to=THEIRS),
        sealed().replace(b"application/octet-stream", b"application/x-other"),
        sealed()[:700],
        pgp_mime(b"no message"),
        pgp_mime(b""),
    ],
)
def test_what_does_not_open_says_so(reader: WorkerReader, raw: bytes) -> None:
    mail = reader.read(raw, secret=OURS)
    assert (mail.unread, mail.plain) == (LOCKED, None)


HEAD = (
    "From: Anna <anna@example.org>\r\nSubject: [...]\r\nDate: Sat, 21 Nov 2026 13:00:00 +0000\r\n"
)


def test_what_the_header_inside_says_counts(reader: WorkerReader) -> None:
    """Delta Chat writes outside neither what it answers nor its key, and a date that is not true."""
    inside = (
        "In-Reply-To: <ours@example.org>\r\nDate: Thu, 26 Nov 2026 19:00:00 +0000\r\n"
        f"Autocrypt: {GOOD}\r\nContent-Type: text/plain\r\n\r\n21\r\n"
    )
    message = openpgp.encrypted(inside.encode(), openpgp.public(OURS), THEIRS).encode()
    mail = reader.read(pgp_mime(message, HEAD), secret=OURS)
    assert (mail.plain, mail.answers) == ("21\n", ("ours@example.org",))
    assert mail.autocrypt[1] == "2026-11-26T19:00:00+00:00"
    assert mail.triage is Triage.HUMAN


@pytest.mark.parametrize(
    "field",
    ["Content-Disposition: reaction", "Chat-Delete: <a@localhost>", "Auto-Submitted: auto-replied"],
)
def test_a_gesture_is_no_mail_of_a_person(reader: WorkerReader, field: str) -> None:
    """A thumb that is put to a mail (RFC 9078) says nothing to us, in the clear and encrypted."""
    inside = f"{field}\r\nContent-Type: text/plain\r\n\r\nyes\r\n"
    message = openpgp.encrypted(inside.encode(), openpgp.public(OURS), THEIRS).encode()
    assert reader.read(pgp_mime(message, HEAD), secret=OURS).triage is Triage.AUTO
    assert reader.read(f"{HEAD}{inside}".encode()).triage is Triage.AUTO


def test_one_layer_is_opened(reader: WorkerReader) -> None:
    assert reader.read(sealed(sealed()), secret=OURS).unread == ENCRYPTED


def test_what_is_inside_keeps_the_limits(reader: WorkerReader, gpg: Gpg) -> None:
    gpg.take(openpgp.public(OURS))
    inside = INSIDE + b"and so on\r\n" * (LIMITS.mail // 10)
    packed = pgp_mime(gpg.encrypted(inside, "game@example.org"))
    assert len(packed) < LIMITS.mail < len(sealed(inside))
    for raw in (packed, sealed(inside)):
        assert reader.read(raw, secret=OURS).unread == "the text is longer than the size limit"


def test_a_bomb_ends_the_reading_process_alone(reader: WorkerReader, gpg: Gpg) -> None:
    gpg.take(openpgp.public(OURS))
    bomb = gpg.encrypted(INSIDE + bytes(150_000_000), "game@example.org", "-z", "9")
    assert len(bomb) < LIMITS.mail
    with pytest.raises(MailError):
        reader.read(pgp_mime(bomb), secret=OURS)
    assert reader.read(sealed(), secret=OURS).plain == "play 7H\n"


def with_header(*values: str) -> bytes:
    fields = "".join(f"Autocrypt: {value}\r\n" for value in values)
    head = "From: Anna <Anna@example.org>\r\nDate: Sat, 21 Nov 2026 13:00:00 +0100\r\n"
    return f"{head}{fields}\r\njoin\r\n".encode()


GOOD = f"addr=anna@example.org; prefer-encrypt=mutual; keydata=\r\n {ANNAS[:70]}\r\n {ANNAS[70:]}"
RSA_HEAD = "addr=anna@example.org; keydata="


def brought(reader: WorkerReader, *values: str) -> InboundMail:
    return reader.read(with_header(*values))


def test_a_key_comes_with_its_date(reader: WorkerReader) -> None:
    key, at = brought(reader, GOOD).autocrypt
    assert base64.b64decode(key) == openpgp.public(THEIRS)
    assert at == "2026-11-21T12:00:00+00:00"


def test_a_field_may_have_notes_of_others_and_another_address_is_not_ours(
    reader: WorkerReader,
) -> None:
    bobs = GOOD.replace("anna@", "bob@")
    assert brought(reader, bobs, f"_note=x; {GOOD}").autocrypt


@pytest.mark.parametrize(
    "values",
    [
        (),
        (GOOD, GOOD),
        (GOOD.replace("anna@", "bob@"),),
        (f"important=1; {GOOD}",),
        (RSA_HEAD,),
        (f"{RSA_HEAD}!!!",),
        (f"{RSA_HEAD}AAAA",),
        (f"{RSA_HEAD}{ANNAS[:400]}",),
        (f"{RSA_HEAD}{ANNAS};_pad={' x' * 5200}".replace("x x x", "x\r\n x x"),),
        ("",),
        (";;;=;",),
    ],
)
def test_a_field_that_is_not_one_good_key_of_the_sender_is_nothing(
    reader: WorkerReader, values: tuple[str, ...]
) -> None:
    mail = brought(reader, *values)
    assert (mail.autocrypt, mail.plain) == ((), "join\n")


def test_a_mail_without_a_date_brings_a_key(reader: WorkerReader) -> None:
    raw = with_header(GOOD).replace(b"Sat, 21 Nov 2026 13:00:00 +0100", b"soon")
    assert reader.read(raw).autocrypt[1] == ""
