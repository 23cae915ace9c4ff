"""Test delivery to a real server on loopback that can be made to fail."""

from __future__ import annotations

import asyncio
import base64
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from pbem.errors import DeliveryError, PermanentDeliveryError, TransientDeliveryError
from pbem.mail_out.compose import compose
from pbem.mail_out.deliver import FINAL_PATIENCE, Delivery, FolderDelivery, SmtpDelivery
from pbem.sections import Smtp
from tests.mail_out.samples import MAIL_HEAD
from tests.mail_out.test_compose import SIMPLE

RAW = compose(SIMPLE, MAIL_HEAD)
SENDER, READER = "cards+b-1@pbem.example.org", "anna@example.org"


@dataclass
class Recorder:
    """Keeps what it gets; answers as it is told.

    `answers` maps a stage (`MAIL`, `RCPT`, `DATA`) to an SMTP answer; `drop` names the stage at
    which the connection breaks, `hang` the one at which nothing comes any more.
    """

    answers: dict[str, str] = field(default_factory=dict)
    drop: str | None = None
    hang: str | None = None
    mails: list[tuple[str | None, list[str], bytes]] = field(default_factory=list)
    connections: int = 0
    released: asyncio.Event = field(default_factory=asyncio.Event)

    async def _stage(self, stage: str, server: SMTP) -> str | None:
        if self.hang == stage:
            await self.released.wait()
        if self.drop == stage:
            server.transport.abort()
        return self.answers.get(stage)

    async def handle_EHLO(  # noqa: N802
        self,
        server: SMTP,
        session: Session,
        envelope: Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        self.connections += 1
        session.host_name = hostname
        await self._stage("EHLO", server)
        return responses

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        answer = await self._stage("MAIL", server)
        if answer is None:
            envelope.mail_from = address
        return answer or "250 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        answer = await self._stage("RCPT", server)
        if answer is None:
            envelope.rcpt_tos.append(address)
        return answer or "250 OK"

    async def handle_QUIT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        await self._stage("QUIT", server)
        return "221 Bye"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        answer = await self._stage("DATA", server)
        if answer is None and self.drop != "DATA":
            assert isinstance(envelope.content, bytes)
            self.mails.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        return answer or "250 OK"


def changed(settings: Smtp, **values: object) -> Smtp:
    return settings.model_copy(update=values)


@asynccontextmanager
async def serving(
    recorder: Recorder,
    *,
    listen_context: ssl.SSLContext | None = None,
    kind: type[SMTP] = SMTP,
    **options: object,
) -> AsyncIterator[Smtp]:
    """Run a server on a free port of this machine."""
    protocols: list[SMTP] = []

    def protocol() -> SMTP:
        protocols.append(kind(recorder, hostname="server.example.org", **options))
        return protocols[-1]

    loop = asyncio.get_running_loop()
    server = await loop.create_server(protocol, "127.0.0.1", 0, ssl=listen_context)
    port = server.sockets[0].getsockname()[1]
    try:
        yield Smtp(host="127.0.0.1", port=port, security="none", timeout=5, connections=1)
    finally:
        recorder.released.set()
        server.close()
        await server.wait_closed()
        for each in protocols:
            if each.transport is not None:
                each.transport.abort()
        await asyncio.sleep(0)


async def test_delivers():
    """A mail arrives byte by byte, with its envelope."""
    recorder = Recorder()
    async with serving(recorder) as settings:
        await SmtpDelivery(settings).send(RAW, SENDER, READER)
    assert recorder.mails == [(SENDER, [READER], RAW)]


async def test_null_sender():
    """Automatic answers may leave without a return path (RFC 5321 §4.5.5)."""
    recorder = Recorder()
    async with serving(recorder) as settings:
        await SmtpDelivery(settings).send(RAW, "", READER)
    assert recorder.mails[0][0] in ("", "<>")


@pytest.mark.parametrize(
    ("changes", "lacking"),
    [
        ({"security": "starttls"}, "does not offer STARTTLS"),
        ({"username": "cards", "password": "hunter2"}, "does not offer AUTH here"),
    ],
)
async def test_what_a_server_lacks_is_named(changes: dict[str, object], lacking: str):
    recorder = Recorder()
    async with serving(recorder) as settings:
        with pytest.raises(TransientDeliveryError, match=lacking):
            await SmtpDelivery(changed(settings, **changes)).send(RAW, SENDER, READER)
    assert recorder.mails == []


async def test_one_connection_for_a_batch():
    """Inside `async with` mails share a connection; outside each has its own."""
    recorder = Recorder()
    async with serving(recorder) as settings:
        delivery = SmtpDelivery(settings)
        async with delivery:
            for _ in range(3):
                await delivery.send(RAW, SENDER, READER)
        assert recorder.connections == 1
        await delivery.send(RAW, SENDER, READER)
        await delivery.send(RAW, SENDER, READER)
        assert recorder.connections == 3
    assert len(recorder.mails) == 5


@pytest.mark.parametrize("stage", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("451 4.3.0 try again later <anna@example.org>", TransientDeliveryError),
        ("421 4.3.2 shutting down", TransientDeliveryError),
        ("452 4.2.2 mailbox of anna@example.org is full", TransientDeliveryError),
        ("550 5.1.1 <anna@example.org> unknown", PermanentDeliveryError),
        ("554 5.7.1 anna@example.org says no", PermanentDeliveryError),
        ("530 5.7.0 log in first, cards+b-1@pbem.example.org", TransientDeliveryError),
    ],
)
async def test_refusals(stage: str, answer: str, error: type[DeliveryError]):
    """4xx may work later, 5xx never will; neither error nor trace repeats an address."""
    recorder = Recorder(answers={stage: answer})
    async with serving(recorder) as settings, SmtpDelivery(settings) as delivery:
        with pytest.raises(error) as caught:
            await delivery.send(RAW, SENDER, READER)
    assert answer[:3] in str(caught.value)
    assert "@" not in repr(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    assert recorder.mails == []


@pytest.mark.parametrize("answer", ["451 later", "550 never", "421 closing"])
async def test_a_refusal_does_not_stop_the_batch(answer: str):
    """After a refused mail the next one is delivered, over a new connection if need be."""
    recorder = Recorder(answers={"RCPT": answer})
    async with serving(recorder) as settings, SmtpDelivery(settings) as delivery:
        with pytest.raises(DeliveryError):
            await delivery.send(RAW, SENDER, READER)
        recorder.answers.clear()
        await delivery.send(RAW, SENDER, READER)
    assert len(recorder.mails) == 1


@pytest.mark.parametrize("stage", ["EHLO", "MAIL", "RCPT", "DATA"])
async def test_broken_connection(stage: str):
    """A connection that breaks, even in the middle of a mail, is a reason to try again."""
    recorder = Recorder(drop=stage)
    async with serving(recorder) as settings, SmtpDelivery(settings) as delivery:
        with pytest.raises(TransientDeliveryError):
            await delivery.send(RAW, SENDER, READER)
        recorder.drop = None
        await delivery.send(RAW, SENDER, READER)
    assert len(recorder.mails) == 1


@pytest.mark.parametrize("stage", ["EHLO", "MAIL", "RCPT"])
async def test_timeout(stage: str):
    """A server that says nothing more is given up after the timeout."""
    recorder = Recorder(hang=stage)
    async with serving(recorder) as settings:
        delivery = SmtpDelivery(changed(settings, timeout=0.2))
        with pytest.raises(TransientDeliveryError, match="did not answer in time"):
            await delivery.send(RAW, SENDER, READER)


async def test_the_server_has_ten_minutes_after_a_whole_mail():
    """RFC 5321 §4.5.3.2.6: a scanner may look at the mail; an attempt that ends early makes copies."""
    recorder = Recorder(hang="DATA")
    async with serving(recorder) as settings:
        delivery = SmtpDelivery(changed(settings, timeout=0.2))
        sending = asyncio.ensure_future(delivery.send(RAW, SENDER, READER))
        done, _ = await asyncio.wait([sending], timeout=1)
        assert not done
        recorder.released.set()
        await sending
    assert len(recorder.mails) == 1
    assert FINAL_PATIENCE == 600


@pytest.mark.parametrize(
    "trouble", [{"drop": "DATA"}, {"answers": {"DATA": "ok"}}, {"answers": {"DATA": "251 later"}}]
)
async def test_a_server_without_an_answer_to_a_mail_may_have_taken_it(trouble: dict[str, Any]):
    """It hangs up, or says what is no answer: the next attempt can make a copy."""
    recorder = Recorder(**trouble)
    async with serving(recorder) as settings, SmtpDelivery(settings) as delivery:
        with pytest.raises(TransientDeliveryError, match="whether it took the mail") as caught:
            await delivery.send(RAW, SENDER, READER)
        recorder.drop, recorder.answers = None, {}
        await delivery.send(RAW, SENDER, READER)
    assert caught.value.scope == "unanswered"
    assert recorder.connections == 2, "what comes late on the first one answers nothing else"


@pytest.mark.parametrize("stage", ["EHLO", "MAIL", "RCPT"])
async def test_a_server_that_hangs_up_before_the_mail_has_not_taken_it(stage: str):
    async with serving(Recorder(drop=stage)) as settings:
        with pytest.raises(TransientDeliveryError) as caught:
            await SmtpDelivery(settings).send(RAW, SENDER, READER)
    assert caught.value.scope == "server"


@pytest.mark.parametrize(
    ("stage", "answer", "scope"),
    [
        ("MAIL", "553 5.7.1 <{sender}>: Sender address rejected: not owned by user", "sender"),
        ("RCPT", "553 5.7.1 <{sender}>: Sender address rejected: not owned by user", "sender"),
        ("RCPT", "550 5.1.8 <{sender}>: Sender address rejected: Domain not found", "sender"),
        ("RCPT", "450 4.1.8 <{sender}>: Sender address rejected: Domain not found", "sender"),
        (
            "RCPT",
            "554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using x",
            "sender",
        ),
        ("RCPT", "550 5.4.6 Unusual sending activity detected", "sender"),
        ("RCPT", "554 5.7.1 <{reader}>: Relay access denied", "sender"),
        ("RCPT", "550 relaying denied", "sender"),
        ("RCPT", "550 5.7.0 relay not permitted", "sender"),
        ("RCPT", "550 not permitted to relay through this server", "sender"),
        ("DATA", "550 Outbound spam suspected", "sender"),
        ("DATA", "552 submission quota exceeded", "sender"),
        ("RCPT", "451 rate limit exceeded", "sender"),
        ("DATA", "550 5.4.5 Daily user sending limit exceeded", "sender"),
        ("DATA", "554 5.2.252 SendAsDenied", "sender"),
        ("DATA", "554 Message rejected: Email address is not verified.", "sender"),
        ("RCPT", "550 5.1.0 Submission quota exceeded", "sender"),
        ("RCPT", "550 5.2.2 Outgoing mail quota exceeded", "sender"),
        ("RCPT", "550 5.1.2 The sender's domain could not be found", "sender"),
        ("RCPT", "550 5.1.1 Outbound spam: your account has been blocked", "sender"),
        ("RCPT", "550 5.2.1 Your account has been disabled for sending", "sender"),
        ("RCPT", "553 5.1.3 your envelope sender is in my badmailfrom list", "sender"),
        ("RCPT", "550 5.1.90 your daily limit for message recipients", "sender"),
        ("RCPT", "452 4.2.2 You have reached your outgoing quota", "sender"),
        ("RCPT", "450 4.7.1 <us.example>: Helo command rejected: Host not found", "sender"),
        ("RCPT", "450 4.7.1 too much mail from 192.0.2.7", "sender"),
        ("DATA", "451 Maximum credits exceeded", "sender"),
        ("DATA", "554 5.2.0 STOREDRV.Submission.Exception:OutboundSpamException", "sender"),
        ("DATA", "550 5.6.0 account has exceeded its hourly message rate", "sender"),
        ("RCPT", "550 Your IP 5.1.2.3 is dynamic", "sender"),
        ("RCPT", "554 185.5.1.1 is not allowed to connect", "sender"),
        ("RCPT", "450 4.7.1 Greylisted, come again in 5 minutes", "recipient"),
        ("RCPT", "550 5.2.1 The email account that you tried to reach is disabled", "recipient"),
        ("RCPT", "550 5.1.1 <spamhaus@example.org> unknown", "recipient"),
        ("RCPT", "550 <rate.limit.exceeded@example.org>: no such user", "recipient"),
        ("RCPT", "552 5.2.2 mailbox is over its quota limit", "recipient"),
        ("RCPT", "450 4.2.0 Greylisted", "recipient"),
        ("DATA", "554 5.6.0 malformed", "mail"),
        ("MAIL", "552 5.3.4 too large", "mail"),
        ("DATA", "552 5.3.4 too large", "mail"),
        ("RCPT", "421 4.7.0 too many connections", "server"),
        ("DATA", "535 5.7.8 bad login", "server"),
    ],
)
async def test_whom_a_refusal_blames(stage: str, answer: str, scope: str):
    """By code and by words; never by the words in a reader's address."""
    recorder = Recorder(answers={stage: answer.format(sender=SENDER, reader=READER)})
    async with serving(recorder) as settings:
        with pytest.raises(DeliveryError) as caught:
            await SmtpDelivery(settings).send(RAW, SENDER, READER)
    assert caught.value.scope == scope


async def test_partial_refusal_is_not_lost(monkeypatch: pytest.MonkeyPatch):
    """The library returns refusals of single readers instead of raising them: they count."""

    class Client:
        is_connected = True

        async def sendmail(self, *_: object) -> tuple[dict[str, tuple[int, str]], str]:
            return {READER: Answer(550, "5.1.1 unknown")}, "OK"

        async def quit(self) -> None:
            self.is_connected = False

        def close(self) -> None:
            self.is_connected = False

    @dataclass
    class Answer:
        code: int
        message: str

    delivery = SmtpDelivery(Smtp(host="127.0.0.1", security="none"))
    monkeypatch.setattr("pbem.mail_out.deliver.new_client", lambda _: Client())
    with pytest.raises(PermanentDeliveryError, match=r"recipient \(550 5\.1\.1\)"):
        await delivery.send(RAW, SENDER, READER)


@pytest.mark.parametrize(
    "address",
    ["a@b\r\nRCPT TO:<eve@example.org>", "a@b\n", "a b@c", "<a@b>", "", "nobody", "ü@example.org",
     "a@b> SIZE=1", "a" * 300 + "@b"],
)  # fmt: skip
async def test_malformed_addresses(address: str, tmp_path: Path):
    """An address that could be more than an address never gets to a server."""
    deliveries: list[Delivery] = [
        SmtpDelivery(Smtp(host="no-such-host.invalid", security="none")),
        FolderDelivery(tmp_path),
    ]
    for delivery in deliveries:
        with pytest.raises(PermanentDeliveryError, match="recipient is no address"):
            await delivery.send(RAW, SENDER, address)
        if address:
            with pytest.raises(PermanentDeliveryError, match="sender is no address"):
                await delivery.send(RAW, address, READER)


def authenticator(
    server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object
) -> AuthResult:
    """Know one login."""
    assert isinstance(data, LoginPassword)
    return AuthResult(success=data.password == b"right", handled=False)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a certificate for 127.0.0.1 that signs itself."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl to make a certificate with")
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    return folder / "cert.pem"


@pytest.fixture
def server_context(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, certificate.with_name("key.pem"))
    return context


async def test_starttls_and_login(
    certificate: Path, server_context: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
):
    """A login goes over an encrypted connection with a certificate that is checked."""
    recorder = Recorder()
    options = {
        "tls_context": server_context,
        "require_starttls": True,
        "authenticator": authenticator,
        "auth_required": True,
    }
    async with serving(recorder, **options) as plain:
        settings = changed(plain, security="starttls", username="cards", password="right")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        await SmtpDelivery(settings).send(RAW, SENDER, READER)
        with pytest.raises(TransientDeliveryError, match="refused our login"):
            await SmtpDelivery(changed(settings, password="wrong")).send(RAW, SENDER, READER)
        monkeypatch.delenv("SSL_CERT_FILE")
        with pytest.raises(TransientDeliveryError):
            await SmtpDelivery(settings).send(RAW, SENDER, READER)
    assert len(recorder.mails) == 1


class TokenAuth:
    """A way to log in that knows one access token (XOAUTH2)."""

    async def auth_XOAUTH2(self, server: SMTP, words: list[str]) -> AuthResult:  # noqa: N802
        """Check what the client sent with its command."""
        told = base64.b64decode(words[1])
        success = told == b"user=cards\x01auth=Bearer ya29.fresh\x01\x01"
        return AuthResult(success=success, handled=False)


class TokenRecorder(TokenAuth, Recorder):
    """A recorder behind that login."""


@pytest.mark.filterwarnings("ignore:Requiring AUTH")
async def test_an_access_token_in_place_of_a_password(tmp_path: Path):
    """It is asked for at each login; the error for a failed one does not repeat it."""
    recorder, token = TokenRecorder(), tmp_path / "token"
    async with serving(recorder, auth_require_tls=False, auth_required=True) as plain:
        settings = changed(plain, username="cards", token_command=("cat", str(token)))
        token.write_text("ya29.fresh\n")
        await SmtpDelivery(settings).send(RAW, SENDER, READER)
        for printed, told in (("ya29.stale", "refused our login"), ("", "print one access token")):
            token.write_text(printed)
            with pytest.raises(TransientDeliveryError, match=told) as caught:
                await SmtpDelivery(settings).send(RAW, SENDER, READER)
            assert "ya29" not in str(caught.value)
    assert len(recorder.mails) == 1


async def test_starttls_is_insisted_on():
    """A server without encryption gets no mail if encryption was asked for."""
    recorder = Recorder()
    async with serving(recorder) as plain:
        with pytest.raises(TransientDeliveryError, match="does not offer STARTTLS"):
            await SmtpDelivery(changed(plain, security="starttls")).send(RAW, SENDER, READER)
    assert recorder.mails == []


def test_password_is_not_shown():
    """Settings can be printed."""
    assert "right" not in repr(Smtp(host="h", username="u", password="right"))


async def test_folder(tmp_path: Path):
    """Mails land in a folder, each once however often it is sent."""
    async with FolderDelivery(tmp_path / "out") as delivery:
        await delivery.send(RAW, SENDER, READER)
        await delivery.send(RAW, SENDER, READER)
        await delivery.send(RAW, "", "bob@example.org")
    files = sorted((tmp_path / "out").iterdir())
    assert [file.suffix for file in files] == [".eml", ".eml"]
    envelope = f"Return-Path: <{SENDER}>\r\nDelivered-To: {READER}\r\n".encode()
    assert envelope + RAW in [file.read_bytes() for file in files]


async def test_several_at_once_over_so_many_connections():
    """No more than are set, and each is used again."""
    recorder = Recorder(hang="DATA")
    async with serving(recorder) as settings:
        delivery = SmtpDelivery(changed(settings, connections=2))
        async with delivery:
            sending = [asyncio.create_task(delivery.send(RAW, SENDER, READER)) for _ in range(6)]
            await asyncio.sleep(0.2)
            assert recorder.connections == 2
            assert recorder.mails == []
            recorder.released.set()
            await asyncio.gather(*sending)
    assert len(recorder.mails) == 6
    assert recorder.connections == 2


async def test_maildir(tmp_path: Path):
    """A folder that mail programs open; what was read is not new again."""
    delivery = FolderDelivery(tmp_path, as_maildir=True)
    await delivery.send(RAW, SENDER, READER)
    await delivery.send(RAW, SENDER, READER)
    (file,) = (tmp_path / "new").iterdir()
    assert file.read_bytes().endswith(RAW)
    file.rename(tmp_path / "cur" / f"{file.name}:2,S")
    await delivery.send(RAW, SENDER, READER)
    assert list((tmp_path / "new").iterdir()) == []
