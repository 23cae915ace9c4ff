"""Test `pbem doctor` with working and faulty servers on loopback."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import dns.resolver
import pytest
from aiosmtpd.smtp import SMTP, AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from pbem.service.core.live_database import SERVE
from pbem.service.upkeep import doctor_dns
from tests.cli.conftest import Shell


@contextmanager
def served(factory: Callable[[], asyncio.Protocol]) -> Iterator[int]:
    """Run a server in a separate thread and yield its port."""
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(loop.create_server(factory, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0.01))
        loop.close()


class Recorder:
    """A handler that would notice a mail."""

    mails = 0

    async def handle_DATA(self, *_: Any) -> str:  # noqa: N802
        Recorder.mails += 1
        return "250 OK"


def smtp(ident: str = "test", password: str | None = None) -> Callable[[], SMTP]:
    def check(
        _server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any
    ) -> AuthResult:
        return AuthResult(success=data.password == (password or "").encode(), handled=False)

    return lambda: SMTP(
        Recorder(),
        ident=ident,
        authenticator=check if password else None,
        auth_require_tls=False,
    )


class Imap(asyncio.Protocol):
    """As much of IMAP as a login and a look need."""

    password = b"secret"

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(b"* OK hello\r\n")

    def data_received(self, data: bytes) -> None:
        for line in data.splitlines():
            tag, command, *rest = line.split(b" ")
            word = command.upper()
            result = b"OK done"
            told = b""
            if word == b"CAPABILITY":
                told = b"* CAPABILITY IMAP4rev1\r\n"
            elif word == b"LOGIN" and self.password not in rest[-1]:
                result = b"NO [AUTHENTICATIONFAILED] never"
            elif word == b"SELECT":
                told = b"* 2 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n"
                if b"INBOX" not in rest[-1]:
                    told, result = b"", b"NO no such folder"
            elif word == b"UID":
                told = b"* SEARCH 3 4\r\n"
            self.transport.write(told + tag + b" " + result + b"\r\n")


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """DNS knows loopback, and what a test adds; no resolver answers."""
    known: set[str] = set()
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers, resolver.port = ["127.0.0.1"], 1
    monkeypatch.setattr(dns.resolver, "default_resolver", resolver)
    monkeypatch.setattr(doctor_dns, "PATIENCE_SECONDS", 0.2)
    ask = socket.getaddrinfo

    def answer(host: str, *args: Any, **kwargs: Any) -> Any:
        if host in known:
            host = "127.0.0.1"
        elif host not in ("127.0.0.1", None):
            raise socket.gaierror(-2, "Name or service not known")
        return ask(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    return known


@pytest.fixture
def server() -> Iterator[int]:
    with served(smtp()) as port:
        yield port


def configured(shell: Shell, port: int, more: str = "", smtp_more: str = "") -> None:
    text = shell.config.read_text()
    shell.config.write_text(text.replace("port = 2526", f"port = {port}\n{smtp_more}") + more)
    for file in (shell.folder / "pbem.key", shell.folder / "pbem.sqlite3"):
        file.chmod(0o600)


def alive(shell: Shell) -> None:
    with shell.table.service.store.unit_of_work() as uow:
        uow.outages.beat(SERVE, shell.table.clock.now(), timedelta(minutes=15))


def looked(shell: Shell, status: str) -> list[str]:
    """Return the checks with a status, as `name: text → remedy`."""
    result = shell.run("doctor", "--json")
    said = json.loads(result.stdout)
    assert said["ok"] is (result.exit_code == 0)
    assert said["ok"] is not any(check["status"] == "fail" for check in said["checks"])
    assert bool(said["error"]) is not said["ok"]
    for check in said["checks"]:
        assert bool(check["remedy"]) is (check["status"] in ("warn", "fail"))
    return [
        f"{check['name']}: {check['text']} → {check['remedy']}"
        for check in said["checks"]
        if check["status"] == status
    ]


def test_all_is_well(shell: Shell, server: int, names: set[str]) -> None:
    """Every line ok but the hints; exit 0, no mail, nothing changed."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    configured(shell, server, f'[listen]\nprotocol = "lmtp"\nport = {port}\n')
    text = shell.config.read_text()
    text = text.replace("[service]", '[service]\nadmins = ["a@example.org"]')
    shell.config.write_text(text + '[authentication]\nauthserv_id = "mx.example.net"\n')
    names.add("play.example.org")
    alive(shell)
    assert looked(shell, "fail") == looked(shell, "warn") == []
    said = [line.partition(":")[0] for line in looked(shell, "ok")]
    assert said == [
        "configuration", "files", "files", "admins", "disk", "database", "guards", "serve", "refused", "strangers", "lost pings", "encryption", "keys", "clock", "outages", "mails", "games", "senders", "SMTP", "listener",
    ]  # fmt: skip
    assert len(looked(shell, "hint")) == 1
    text = shell.done("doctor")
    assert "_dmarc.play.example.org" in text
    assert Recorder.mails == 0


def test_nobody_vouches_for_senders(shell: Shell, server: int) -> None:
    """What that means, what it costs, and where it is told how to change it."""
    configured(shell, server)
    (line,) = [line for line in looked(shell, "warn") if line.startswith("senders: ")]
    assert "From can be forged" in line
    assert "only after a second mail" in line
    assert "[authentication]" in line
    assert "docs/install.md" in line


def test_nothing_there_at_all(shell: Shell) -> None:
    """No configuration, a wrong one: one line that fails."""
    shell.config.write_text("[service]\nadress = 1\n")
    (line,) = looked(shell, "fail")
    assert line.startswith("configuration: ")
    shell.config.unlink()
    assert "no such file" in looked(shell, "fail")[0]
    assert shell.run("doctor").exit_code == 1


def test_files_that_others_may_read(shell: Shell, server: int) -> None:
    """Keys fail, the database warns, each with the command that helps; a missing password file."""
    configured(shell, server)
    (shell.folder / "pbem.key").chmod(0o640)
    (shell.folder / "pbem.sqlite3").chmod(0o644)
    (line,) = looked(shell, "fail")
    assert f"chmod 600 {shell.folder / 'pbem.key'}" in line
    assert any(
        f"chmod 600 {shell.folder / 'pbem.sqlite3'}" in line for line in looked(shell, "warn")
    )
    shell.config.chmod(0o666)
    assert any("others may change it" in line for line in looked(shell, "fail"))


INLINE = '[imap]\nhost = "127.0.0.1"\nport = 1\nusername = "me"\npassword = "hunter2"\n'


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("sqlite:///pbem.sqlite3", "postgresql://me:hunter]2@127.0.0.1:1/x", "[database] url"),
        ("sqlite:///pbem.sqlite3", "postgresql://127.0.0.1:1/x?password=hunter2", "[database] url"),
        ("[smtp]", f"{INLINE}[smtp]", "[imap] password"),
    ],
)
def test_every_secret_in_the_configuration(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, before: str, after: str, what: str
) -> None:
    """Also of the mailbox and the database; what a variable holds does not stand in the file."""
    monkeypatch.setenv("PBEM_SMTP__USERNAME", "me")
    monkeypatch.setenv("PBEM_SMTP__PASSWORD", "hunter2")
    configured(shell, 1)
    shell.config.chmod(0o644)
    assert not any(str(shell.config) in line for line in looked(shell, "fail"))
    text = shell.config.read_text()
    shell.config.write_text(text.replace(before, after))
    lines = [line for line in looked(shell, "fail") if line.startswith("files: ")]
    said = f"files: {shell.config}: others may read {what} → chmod 600 {shell.config}"
    assert lines == [said]


def test_database_of_another_schema_or_away(shell: Shell, server: int) -> None:
    """Each with what to run."""
    configured(shell, server)
    with shell.table.service.store.db_engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM alembic_version")
    (line,) = looked(shell, "fail")
    assert "pbem db upgrade" in line
    (shell.folder / "pbem.sqlite3").write_bytes(b"this is no database at all" * 100)
    assert any(line.startswith("database: ") for line in looked(shell, "fail"))


def test_a_log_without_its_guards(shell: Shell, server: int) -> None:
    """The database would let the log be changed: named, with what to run; `db check` says it, too."""
    configured(shell, server)
    with shell.table.service.store.db_engine.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER event_no_delete")
    (line,) = [line for line in looked(shell, "fail") if line.startswith("guards: ")]
    assert "event_no_delete" in line
    assert "pbem db upgrade" in line
    checked = shell.run("db", "check")
    assert (checked.exit_code, "event_no_delete" in checked.stderr) == (1, True)
    upgraded = shell.run("db", "upgrade")
    assert (upgraded.exit_code, "event_no_delete" in upgraded.stderr) == (0, True)
    shell.done("db", "check")


def test_clock_and_outages(shell: Shell, server: int) -> None:
    """Set back behind what happened, or long before this program; gaps between heartbeats."""
    configured(shell, server)
    clock = shell.table.clock
    assert any("has ever run" in line for line in looked(shell, "warn"))
    alive(shell)
    clock.forward(hours=5)
    alive(shell)
    assert any("down 1 times" in line and "5:00:00" in line for line in looked(shell, "warn"))
    clock.forward(hours=-2)
    assert any("earlier than the last thing" in line for line in looked(shell, "fail"))
    clock.forward(days=-3650)
    assert any("in the past" in line for line in looked(shell, "fail"))


def test_smtp_that_does_not_let_us_in(shell: Shell) -> None:
    """Cover a closed port, another program, a wrong password, missing STARTTLS and an unknown host."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        configured(shell, free.getsockname()[1])
    assert any("SMTP" in line and "nobody listens" in line for line in looked(shell, "fail"))
    text = shell.config.read_text()
    port = text.rpartition("port = ")[2].split()[0]

    def why(there: int, security: str = 'security = "none"') -> str:
        changed = text.replace(f"port = {port}", f"port = {there}")
        shell.config.write_text(changed.replace('security = "none"', security))
        (line,) = [line for line in looked(shell, "fail") if line.startswith("SMTP")]
        return line

    login = 'security = "none"\nusername = "me"\npassword = "hunter2"'
    with served(smtp(password="other")) as there:
        assert "refused our login (535)" in why(there, login)
        assert "the server does not offer STARTTLS" in why(there, 'security = "starttls"')
        assert "TLS" in why(there, 'security = "tls"')
    with served(Imap) as there:
        assert "does not answer as a mail server" in why(there)
    shell.config.write_text(text.replace('host = "127.0.0.1"', 'host = "smtp.example.org"'))
    assert any("not known to DNS" in line for line in looked(shell, "fail"))


IMAP = """
[imap]
host = "127.0.0.1"
port = {port}
security = "none"
username = "me"
password = "{password}"
inbox = "{inbox}"
"""


@pytest.mark.parametrize(
    ("password", "inbox", "status", "words"),
    [
        ("secret", "INBOX", "ok", "INBOX holds 2 mails"),
        ("wrong", "INBOX", "fail", "refused our login"),
        ("secret", "Elsewhere", "fail", "folder Elsewhere"),
    ],
)
def test_imap(
    shell: Shell, server: int, password: str, inbox: str, status: str, words: str
) -> None:
    """Logged in and looked; or why not."""
    with served(Imap) as port:
        configured(shell, server, IMAP.format(port=port, password=password, inbox=inbox))
        (line,) = [line for line in looked(shell, status) if line.startswith("IMAP")]
        assert words in line


def test_listener(shell: Shell, server: int) -> None:
    """Cover our own listener, a foreign server, and an invalid certificate."""
    with served(smtp("pbem")) as port:
        configured(shell, server, f'[listen]\nprotocol = "smtp"\nport = {port}\n')
        assert any("`pbem serve` answers" in line for line in looked(shell, "ok"))
    with served(smtp("postfix")) as other:
        shell.config.write_text(shell.config.read_text().replace(str(port), str(other)))
        assert any("another program" in line for line in looked(shell, "fail"))
    (shell.folder / "cert.pem").write_text("nonsense")
    (shell.folder / "cert.pem").chmod(0o600)
    text = shell.config.read_text()
    shell.config.write_text(f'{text}certificate_file = "cert.pem"\n')
    assert any("no certificate" in line for line in looked(shell, "fail"))


@pytest.mark.parametrize(("days", "status"), [(15, "ok"), (13, "warn"), (0, "warn"), (-1, "fail")])
def test_the_end_of_the_certificate(shell: Shell, server: int, days: int, status: str) -> None:
    """Told early enough to renew it, and that the service reads it when it starts."""
    now = shell.table.clock.now()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "mail.example.org")])
    key = ec.generate_private_key(ec.SECP256R1())
    end = now + timedelta(days=days, minutes=1)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), 1)
        .not_valid_before(now - timedelta(days=90))
        .not_valid_after(end)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    pem, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    file = shell.folder / "cert.pem"
    file.write_bytes(made.public_bytes(pem) + key.private_bytes(pem, pkcs8, plain))
    file.chmod(0o600)
    configured(shell, server, f'[listen]\nport = 1\ncertificate_file = "{file}"\n')
    (line,) = [line for line in looked(shell, status) if line.startswith("certificate: ")]
    assert f"holds until {end:%Y-%m-%d %H:%M} UTC" in line
    assert ("systemctl try-restart pbem" in line) is (status != "ok")


def test_templates_of_ones_own_are_compiled(shell: Shell, server: int) -> None:
    """Each fault is named by file and line; a folder that is not there is one, too."""
    configured(shell, server)
    text = shell.config.read_text()
    shell.config.write_text(text.replace("[service]", '[service]\ntemplates = "mine"'))
    assert any("no such folder" in line for line in looked(shell, "fail"))
    kind = shell.folder / "mine" / "play" / "turn"
    kind.mkdir(parents=True)
    (kind / "subject.txt").write_text("It is your turn")
    (kind / "more.txt").write_text("one of our own")
    assert any("2 of your own, 1 of them" in line for line in looked(shell, "ok"))
    (kind / "body.txt").write_text("one\n{% if %}\n")
    (kind / "body.html").write_text('{% extends "_base/nowhere.html" %}')
    (kind / "odd.html").write_bytes(b"\xff\xfe")
    said = "\n".join(line for line in looked(shell, "fail") if line.startswith("templates"))
    assert "body.txt: line 2" in said
    assert "no template _base/nowhere.html" in said
    assert "odd.html: this is not UTF-8" in said
