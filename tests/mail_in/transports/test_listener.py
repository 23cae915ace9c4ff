"""Test the SMTP listener with a real client."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pbem.config import load_config
from pbem.errors import ConfigError, StoreError
from pbem.mail_in.mime.message import Envelope
from pbem.mail_in.transports.listener import ListenerHooks, listen

OURS = "game@play.example"
NOW = datetime(2026, 11, 21, tzinfo=UTC)


def talk(
    client: Callable[[int], None],
    accept: Callable[[bytes, Envelope], None] = lambda _raw, _envelope: None,
    **options: Any,
) -> None:
    """Let a client, in a thread, talk to a listener."""

    async def accepted(raw: bytes, envelope: Envelope) -> None:
        accept(raw, envelope)

    async def run() -> None:
        hooks = ListenerHooks(
            accept=accepted,
            is_deliverable=lambda address: address.startswith("game"),
            now=lambda: NOW,
        )
        given = {"protocol": "smtp", "place": ("127.0.0.1", 0), "max_bytes": 500_000}
        server = await listen(hooks, **{**given, **options})
        try:
            await asyncio.to_thread(client, server.sockets[0].getsockname()[1])
        finally:
            server.close()

    asyncio.run(run())


@pytest.mark.parametrize("kind", [smtplib.SMTP, smtplib.LMTP])
def test_long_lines_are_taken_as_they_are(kind: type[smtplib.SMTP]) -> None:
    """Real mails have lines of more than the 1000 octets of the standard."""
    kept: list[bytes] = []
    raw = b"Subject: x\r\n\r\n" + b"x" * 60_000 + b"\r\n"

    def client(port: int) -> None:
        with kind("127.0.0.1", port) as to:
            assert to.sendmail("a@b.example", [OURS], raw) == {}

    talk(client, lambda data, _: kept.append(data), protocol=kind.__name__.lower())
    assert kept == [raw]


def test_no_250_before_the_commit() -> None:
    """While it cannot be kept the answer is 451, and the sender tries again."""
    tries: list[bytes] = []

    def accept(raw: bytes, _: Envelope) -> None:
        tries.append(raw)
        if len(tries) == 1:
            raise StoreError("the database is away")
        if len(tries) == 2:
            raise ZeroDivisionError

    def client(port: int) -> None:
        with smtplib.SMTP("127.0.0.1", port) as to:
            for _ in range(2):
                with pytest.raises(smtplib.SMTPDataError) as refused:
                    to.sendmail("a@b.example", [OURS], b"Subject: x\r\n\r\n")
                assert refused.value.smtp_code == 451
                assert b"ZeroDivision" not in bytes(refused.value.smtp_error)
            assert to.sendmail("a@b.example", [OURS], b"Subject: x\r\n\r\n") == {}

    talk(client, accept)
    assert len(tries) == 3


def test_a_second_recipient_comes_in_a_second_transaction() -> None:
    """452: servers send it again by itself; one answer speaks for one row."""
    rows: list[str | None] = []

    def client(port: int) -> None:
        with smtplib.LMTP("127.0.0.1", port) as to:
            others = to.sendmail(
                "a@b.example", [OURS, "game+x@play.example"], b"Subject: x\r\n\r\n"
            )
            assert [code for code, _ in others.values()] == [452]

    talk(client, lambda _, envelope: rows.append(envelope.rcpt_to), protocol="lmtp")
    assert rows == [OURS]


# --- certificates and keys ------------------------------------------------------------------------


def configured(folder: Path, listen: str = "", service: str = "", key: str = "ab") -> Path:
    file = folder / "pbem.toml"
    (folder / "pbem.key").write_text(key * 32)
    file.write_text(
        f'[service]\naddress = "{OURS}"\nkey_file = "pbem.key"\n{service}\n'
        f'[smtp]\nhost = "h"\n[listen]\n{listen}\n'
    )
    return file


def test_starttls_is_offered_with_a_certificate(tmp_path: Path) -> None:
    """Offered, and not insisted on; a file that is none is named."""
    from pbem.mail_in.transports.listener import certificate_context  # noqa: PLC0415

    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-out", str(tmp_path / "c.pem")),
            *("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(tmp_path / "k.pem")),
        ],
        check=True,
        capture_output=True,
    )
    said = 'certificate_file = "c.pem"\ncertificate_key_file = "k.pem"'
    section = load_config(configured(tmp_path, said), {}).listen
    assert section is not None
    trusting = ssl.create_default_context(cafile=str(tmp_path / "c.pem"))

    def client(port: int) -> None:
        for secure in (True, False):
            with smtplib.SMTP("127.0.0.1", port) as to:
                to.ehlo()
                assert to.has_extn("starttls")
                if secure:
                    to.starttls(context=trusting)
                assert to.sendmail("a@b.example", [OURS], b"Subject: x\r\n\r\n") == {}

    talk(client, tls=certificate_context(section))
    (tmp_path / "c.pem").write_text("nonsense")
    with pytest.raises(ConfigError, match=r"c\.pem: this is no certificate with its key"):
        certificate_context(section)
    (tmp_path / "c.pem").unlink()
    with pytest.raises(ConfigError, match=r"c\.pem: No such file"):
        certificate_context(section)
