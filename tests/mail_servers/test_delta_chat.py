"""Test a game with the real core of Delta Chat between real servers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module, util
from pathlib import Path
from typing import Any

import pytest

from pbem.service.core import sender_identity
from tests.mail_servers.dovecot import PASSWORD, Dovecot
from tests.mail_servers.places import until
from tests.mail_servers.postfix import Postfix
from tests.mail_servers.stage import Player, Stage, first_move, mail_for
from tests.mail_servers.test_whole_way import imap_way, no_secrets


@pytest.fixture
def account(folder: Path) -> Iterator[Any]:
    """A new account, which reads and writes unencrypted mails, too: by default it does not."""
    if util.find_spec("deltachat_rpc_client") is None:
        pytest.skip("NOT TESTED: install deltachat-rpc-client, deltachat-rpc-server")
    delta = import_module("deltachat_rpc_client")
    program = str(Path(sys.executable).with_name("deltachat-rpc-server"))
    log = (folder / "delta.log").open("w")
    with log, delta.Rpc(str(folder / "delta"), program, stderr=log) as rpc:
        one = delta.DeltaChat(rpc).add_account()
        one.set_config("force_encryption", "0")
        yield one
    rpc.process.wait(30)
    rpc.process.stdout.close()


def log_in(account: Any, player: Player) -> None:
    where = {
        f"{way}{what}": value
        for way, port in (("imap", player.dovecot.imap), ("smtp", player.postfix.smtp))
        for what, value in (("Server", "127.0.0.1"), ("Port", port), ("Security", "plain"))
    }
    account.add_or_update_transport(
        {"addr": player.address, "password": PASSWORD, "imapUser": player.user, **where}
    )
    account.bring_online()


def chat_of(account: Any, *, is_encrypted: bool) -> Any:
    """Wait for the chat with the service, and accept it."""
    found: list[Any] = []

    def is_there() -> bool:
        found[:] = [
            one.chat
            for one in account.get_chatlist(snapshot=True)
            if not (one.is_device_talk or one.is_self_talk) and one.is_encrypted is is_encrypted
        ]
        return bool(found)

    until(is_there)
    found[0].accept()
    return found[0]


def newest(chat: Any) -> Any:
    return chat.get_messages()[-1].get_snapshot()


def says(chat: Any, words: str) -> Callable[[], bool]:
    return lambda: words in newest(chat).text and newest(chat).from_id != 1


def test_a_game_with_delta_chat(
    tmp_path: Path, imap_server: Dovecot, smtp_server: Postfix, account: Any
) -> None:
    """Joins in the clear, then plays encrypted both ways; a thumb up is not answered."""
    user = imap_server.new_user()
    stage = Stage(tmp_path, user, imap_server, smtp_server, imap_way(imap_server, user))
    anna, bob = stage.player(), stage.player()
    log_in(account, anna)
    game = stage.new_game([anna.address, bob.address], max_plies=12)
    try:
        with stage.served():
            clear = chat_of(account, is_encrypted=False)
            clear.send_text("join")
            until(says(clear, "waiting for"))
            clear.send_text("encrypt on")
            until(says(clear, "Encrypt your mails from now on?"))
            clear.send_text("yes")
            closed = chat_of(account, is_encrypted=True)
            bob.write(mail_for(bob), "join")
            until(lambda: stage.game(game).status == "running")
            while stage.game(game).status != "finished":
                version = stage.game(game).version
                if stage.game(game).to_act[0] == 1:
                    bob.write(mail := mail_for(bob, with_moves=True), first_move(mail))
                else:
                    until(says(closed, "  21  "))
                    closed.get_messages()[-1].send_reaction("👍")
                    closed.send_text("21")
                until(lambda before=version: stage.game(game).version > before)
            until(lambda: {row.status for row in stage.inbox()} <= {"done", "ignored"})
    finally:
        stage.tell()
        stage.service.store.close()
    rows = [row for row in stage.inbox() if anna.address.encode() in stage.raw(row)]
    raws = [stage.raw(row) for row in rows]
    assert [sender_identity.is_sealed(raw) for raw in raws] == [False] * 3 + [True] * (
        len(raws) - 3
    )
    assert len(raws) > 4
    judged = [(row.verdict or {}).get("triage") for row in rows]
    assert judged[0] == "human"
    assert sorted(set(judged)) == ["auto", "human"], "thumbs and moves"
    no_secrets(stage, [anna, bob])
