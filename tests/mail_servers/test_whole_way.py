"""Test games through Postfix, the service and Dovecot with simulated people."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.domain.terms.tokens import BounceToken
from tests.mail_servers.clients import Client
from tests.mail_servers.conftest import need
from tests.mail_servers.dovecot import PASSWORD, TOKEN, Dovecot, dovecot, vouching
from tests.mail_servers.mutt import answer_with_mutt
from tests.mail_servers.places import until
from tests.mail_servers.postfix import DOMAIN, PEOPLE, Postfix, postfix
from tests.mail_servers.stage import Player, Stage, first_move, mail_for, reply_to, whose_turn
from tests.service.conftest import raw_mail

Staging = Callable[[str, str], Stage]


@pytest.fixture
def staging(tmp_path: Path, imap_server: Dovecot, smtp_server: Postfix) -> Iterator[Staging]:
    """Makes a service at an address, with a way in."""
    with ExitStack() as at_end:

        def make(local: str, way: str) -> Stage:
            stage = Stage(tmp_path, local, imap_server, smtp_server, way)
            at_end.callback(stage.service.store.close)
            at_end.callback(stage.tell)
            return stage

        yield make


def imap_way(server: Dovecot, user: str) -> str:
    return (
        f'[imap]\nhost = "127.0.0.1"\nport = {server.imap}\nsecurity = "none"\n'
        f'username = "{user}"\npassword = "{PASSWORD}"\npoll_seconds = 600\n'
    )


def answer_with_nail(player: Player, mail: EmailMessage, words: str, folder: Path) -> None:
    """Answer a mail with s-nail, and send the answer with msmtp."""
    home = folder / "nail"
    home.mkdir()
    player.answered.add(mail["Message-ID"])
    port = player.postfix.smtp
    Client(home, mail.as_bytes(), player.address, words, "top", smtp=port).answer("s-nail")


def no_secrets(stage: Stage, players: list[Player]) -> None:
    """Check that the service's log contains no names and no traceback."""
    log = stage.log()
    for private in (PASSWORD, "Traceback", "@", *(player.user + "@" for player in players)):
        assert private not in log


def test_postfix_lmtp_and_a_reply_written_by_mutt(
    staging: Staging, smtp_server: Postfix, tmp_path: Path
) -> None:
    """Postfix → LMTP → service → Postfix → Dovecot → mutt → Postfix …, and a service that was away.

    The other one reads with s-nail and sends with msmtp.
    """
    need("mutt", "s-nail", "msmtp")
    stage = staging("lmtp", f'[listen]\nprotocol = "lmtp"\nport = {smtp_server.lmtp}\n')
    players = [stage.player(), stage.player()]
    game = stage.new_game([player.address for player in players])
    with stage.served() as process:
        answer_with_mutt(players[0], mail_for(players[0]), "join", tmp_path)
        answer_with_nail(players[1], mail_for(players[1]), "join", tmp_path)
        player, mail = whose_turn(players)
        version = stage.game(game).version
        process.send_signal(signal.SIGKILL)
        process.wait()
    answer_with_mutt(player, mail, first_move(mail), tmp_path)  # Postfix keeps it, and tries again
    until(lambda: "Connection refused" in (smtp_server.base / "mail.log").read_text())
    with stage.served() as process:
        until(lambda: stage.game(game).version > version)
        whose_turn(players)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    assert [row.status for row in stage.inbox()] == ["done"] * 3
    raws = [stage.raw(row) for row in stage.inbox()]
    assert [b"User-Agent: Mutt/" in raw for raw in raws].count(True) == 2
    assert all(b"\r\n> " in raw for raw in raws)
    no_secrets(stage, players)


def test_an_ordinary_mailbox_killed_twice(staging: Staging, imap_server: Dovecot) -> None:
    """SMTP out, IMAP in: mails that came while the service was dead are found; nothing is doubled."""
    user = imap_server.new_user()
    stage = staging(user, imap_way(imap_server, user))
    players = [stage.player(), stage.player()]
    game = stage.new_game([player.address for player in players])
    with stage.served() as process:
        invitations = [mail_for(player) for player in players]
        process.send_signal(signal.SIGKILL)
        process.wait()
        for player, mail in zip(players, invitations, strict=True):
            player.write(mail, "join")
        until(lambda: len(imap_server.mails(user)) == 2)
    with stage.served() as process:
        player, mail = whose_turn(players)
        version = stage.game(game).version
        player.write(mail, first_move(mail))
        until(lambda: len(stage.inbox()) == 3)
        process.send_signal(signal.SIGKILL)  # it may or may not have been moved, or handled
        process.wait()
    with stage.served() as process:
        until(lambda: stage.game(game).version > version)
        player, mail = whose_turn(players)
        version = stage.game(game).version
        player.write(mail, first_move(mail))  # IDLE: the next poll is ten minutes away
        until(lambda: stage.game(game).version > version)
        until(lambda: imap_server.mails(user) == [])
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    assert [row.status for row in stage.inbox()] == ["done"] * 4
    assert {row.transport for row in stage.inbox()} == {"imap"}
    assert len(imap_server.mails(user, "Processed")) == 4
    assert imap_server.mails(user, "Failed") == []
    no_secrets(stage, players)


def test_a_whole_game_at_a_mailbox_without_plus_and_password(folder: Path, tmp_path: Path) -> None:
    """Neither Postfix nor Dovecot has a delimiter: answers of mutt and neomutt find their game.

    The service has no password: it logs in to both with access tokens (XOAUTH2). Both players join and make
    their first moves with their programs. They answer the rest of the game, which ends after six moves, above
    the quoted mail.
    """
    need("dovecot", "postfix", "mutt", "neomutt")
    token = tmp_path / "token"
    token.write_text(f"{TOKEN}\n")
    with ExitStack() as running:
        authority = running.enter_context(vouching(TOKEN))
        server = dovecot(folder / "n", delimiter="", token_info=authority)
        running.enter_context(server.running())
        logins = server.base / "logins"
        smtp = running.enter_context(
            postfix(folder / "q", dovecot=server.lmtp, delimiter="", logins=logins)
        )
        user = server.new_user()
        login = f'username = "{user}"\ntoken_command = ["cat", "{token}"]\n'
        raw = raw_mail(f"anna@{PEOPLE}", f"{user}+x@{DOMAIN}", "help", message_id="<p@e>")
        smtp.send(raw, f"anna@{PEOPLE}", f"{user}+x@{DOMAIN}")
        way = imap_way(server, user).replace(
            f'username = "{user}"\npassword = "{PASSWORD}"\n', login
        )
        stage = Stage(tmp_path, user, server, smtp, way, addressing="plain", login=login)
        players = [stage.player(), stage.player()]
        programs = dict(zip([one.user for one in players], ("mutt", "neomutt"), strict=True))
        game = stage.new_game([player.address for player in players], max_plies=6)
        with stage.served() as process:
            for one in players:
                answer_with_mutt(one, mail_for(one), "join", tmp_path, programs[one.user])
            moved = []
            while stage.game(game).status != "finished":
                player, mail = whose_turn(players)
                version = stage.game(game).version
                assert reply_to(mail) == f"{user}@{DOMAIN}"
                if player.user in moved:
                    player.write(mail, first_move(mail))
                else:
                    moved.append(player.user)
                    words, program = first_move(mail), programs[player.user]
                    answer_with_mutt(player, mail, words, tmp_path, program)
                until(lambda before=version: stage.game(game).version > before)
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
        stage.tell()
        assert {row.status for row in stage.inbox()} == {"done"}
        assert {row.rcpt_to for row in stage.inbox()} == {f"{user}@{DOMAIN}"}
        assert server.mails(user) == server.mails(user, "Failed") == []
        for log, login in (
            (server.base / "dovecot.log", "user=<u1>, method=XOAUTH2"),
            (smtp.base / "mail.log", "sasl_method=XOAUTH2, sasl_username=u1"),
        ):
            assert login in log.read_text()
        no_secrets(stage, players)
        assert TOKEN not in stage.log()
        stage.service.store.close()


def test_what_init_writes_reads_a_mailbox(
    tmp_path: Path, imap_server: Dovecot, smtp_server: Postfix
) -> None:
    """`pbem init` with the options of a mailbox, a mail to itself, then `pbem serve`."""
    user = imap_server.new_user()
    config, secret = tmp_path / "pbem.toml", tmp_path / "secret"
    secret.write_text(f"{PASSWORD}\n")
    pbem = [sys.executable, "-m", "pbem"]
    subprocess.run(
        [
            *(*pbem, "init", "--address", f"{user}@{DOMAIN}", "--out", str(config)),
            *("--smtp-host", "127.0.0.1", "--smtp-port", str(smtp_server.smtp)),
            *("--smtp-security", "none", "--imap-security", "none", "--imap-host", "127.0.0.1"),
            *("--imap-port", str(imap_server.imap), "--imap-username", user),
            *("--imap-password-file", str(secret)),
        ],
        check=True,
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )
    tried = [*pbem, "doctor", "--round-trip", "--config", str(config)]
    said = subprocess.run(tried, capture_output=True, check=False, text=True).stdout
    assert "round trip: a mail to ourselves came in by imap" in said
    raw = raw_mail(f"anna@{PEOPLE}", f"{user}@{DOMAIN}", "help", message_id="<h@e>")
    smtp_server.send(raw, f"anna@{PEOPLE}", f"{user}@{DOMAIN}")
    until(lambda: imap_server.mails(user))
    serve = [*pbem, "serve", "--config", str(config)]
    with subprocess.Popen(serve, stderr=subprocess.DEVNULL) as process:
        try:
            until(lambda: not imap_server.mails(user))
        finally:
            process.terminate()
    assert len(imap_server.mails(user, "Processed")) == 2  # the one to itself, and that of Anna


def test_a_bounce_comes_back_and_nobody_answers_it(staging: Staging, imap_server: Dovecot) -> None:
    """A real DSN, to the envelope sender of the mail that could not be delivered."""
    user = imap_server.new_user()
    stage = staging(user, imap_way(imap_server, user))
    player = stage.player()
    stage.new_game([player.address, f"nobody@{PEOPLE}"])
    with stage.served():
        mail_for(player)
        until(lambda: any(row.handled_at for row in stage.inbox()))
        until(lambda: not [row for row in stage.outbox() if row.status == "pending"])
    (row,) = stage.inbox()
    assert row.verdict is not None
    assert row.verdict["triage"] == "bounce"
    assert (row.mail_from, row.rcpt_to is not None) == ("", True)
    text = stage.service.tokens.token_text(row.rcpt_to or "")
    token = stage.service.tokens.decode(text or "")
    assert isinstance(token, BounceToken)
    bounced = next(mail for mail in stage.outbox() if mail.id == token.outbox_id)
    assert bounced.status == "sent"
    assert all(mail.kind == "invitation" for mail in stage.outbox())
    assert imap_server.mails(user, "INBOX") == []
