"""Test that `pbem init` asks only for the password if it knows the address's provider."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.config import load_config
from pbem.service.upkeep.providers import PROVIDERS, Provider
from tests.mail_servers.places import free_port


@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda one: one.name)
def test_servers_and_login_of_a_provider(tmp_path: Path, provider: Provider) -> None:
    """The configuration loads, with one login for both ways."""
    address, secret, file = (
        f"cards@{provider.domains[-1]}",
        tmp_path / "secret",
        tmp_path / "p.toml",
    )
    secret.write_text("hush\n")
    login = (
        ("--token-command", f"cat '{secret}'")
        if provider.takes_tokens
        else ("--imap-password-file", str(secret))
    )
    result = CliRunner().invoke(app, ["init", "--address", address, *login, "--out", str(file)])
    assert result.exit_code == 0, result.output
    config = load_config(file, {})
    imap, smtp = config.imap, config.smtp
    assert imap is not None
    assert ((imap.host, imap.port), (smtp.host, smtp.port)) == (provider.imap, provider.smtp)
    assert "none" not in (imap.security, smtp.security)
    assert (imap.username, smtp.username) == (address, address)
    if provider.takes_tokens:
        assert imap.token_command == smtp.token_command == ("cat", str(secret))
    else:
        assert (imap.password, smtp.password) == ("hush", "hush")
    assert (config.service.addressing == "plain") is not provider.has_plus
    assert smtp.mails_a_day == (provider.mails_a_day or 0)
    assert "hush" not in file.read_text() + result.output


def test_a_provider_at_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Address, own address, zone and password; where the password comes from is said first."""
    monkeypatch.setattr("pbem.cli.init._is_interactive", lambda: True)
    file = tmp_path / "pbem.toml"
    answers = "cards.with.anna@gmail.com\nanna@example.org\nEurope/Berlin\n\nhush\nn\n"
    result = CliRunner().invoke(app, ["init", "--out", str(file)], input=answers)
    assert result.exit_code == 0, result.output
    assert "apppasswords" in result.output
    assert "500 mails a day" in result.output
    assert [path for path in tmp_path.iterdir() if path.stat().st_mode & 0o077] == []
    config = load_config(file, {})
    assert config.imap is not None
    assert (config.imap.password, config.smtp.password) == ("hush", "hush")


def test_a_typo_is_asked_about_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the end, where it would cost all answers, the password among them."""
    monkeypatch.setattr("pbem.cli.init._is_interactive", lambda: True)
    file = tmp_path / "pbem.toml"
    given = ("cards.gmail.com", "cards@gmail.com", "anna", "anna@example.org", "Berlin")
    answers = "\n".join((*given, "Europe/Berlin", "", "hush", "n", ""))
    result = CliRunner().invoke(app, ["init", "--out", str(file)], input=answers)
    assert result.exit_code == 0, result.output
    for words in (
        "without a + in it",
        'write each as "anna@example.org"',
        'write e.g. "Europe/Berlin"',
    ):
        assert result.output.count(words) == 1
    service = load_config(file, {}).service
    assert service.address == "cards@gmail.com"
    assert (service.admins, service.time_zone) == (("anna@example.org",), "Europe/Berlin")


def test_another_port_is_asked_for_where_nothing_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both servers listen on unusual ports, which the admin enters with their security."""
    monkeypatch.setattr("pbem.cli.init._is_interactive", lambda: True)
    file, closed = tmp_path / "pbem.toml", free_port()
    with (
        socket.create_server(("127.0.0.1", 0)) as imap,
        socket.create_server(("127.0.0.1", 0)) as smtp,
    ):
        ports = [server.getsockname()[1] for server in (imap, smtp)]
        imap_answers = ("imap", "127.0.0.1", str(ports[0]), "none")
        smtp_answers = ("127.0.0.1", str(ports[1]), "starttls", "y")
        people = ("", "UTC", "", "", "hush")
        answers = ("cards@play.example.org", *imap_answers, *people, *smtp_answers, "n", "")
        options = ["--imap-port", str(closed), "--smtp-port", str(closed)]
        result = CliRunner().invoke(
            app, ["init", "--out", str(file), *options], input="\n".join(answers)
        )
    assert result.exit_code == 0, result.output
    assert result.output.count(f"127.0.0.1 does not answer on port {closed}") == 2
    config = load_config(file, {})
    assert config.imap is not None
    assert (config.imap.port, config.imap.security) == (ports[0], "none")
    assert (config.smtp.port, config.smtp.security) == (ports[1], "starttls")
