"""Test a game with encryption in both directions, with real servers, mutt and GnuPG."""

from __future__ import annotations

import base64
import email
import email.policy
import signal
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

from pbem import openpgp
from tests.gnupg import Gpg
from tests.mail_servers.conftest import need
from tests.mail_servers.dovecot import Dovecot
from tests.mail_servers.mutt import answer_with_mutt
from tests.mail_servers.places import until
from tests.mail_servers.postfix import DOMAIN, Postfix
from tests.mail_servers.stage import Player, Stage, first_move, mail_for, whose_turn
from tests.mail_servers.test_whole_way import imap_way, no_secrets

_CLOSED = """
set crypt_use_gpgme=yes crypt_autoencrypt=yes crypt_autosign=yes crypt_replyencrypt=yes
set pgp_default_key="{key}"
"""


@dataclass
class Reader(Player):
    """Somebody whose program opens encrypted mails, and keeps the key in their header."""

    gpg: Gpg | None = None
    opened: dict[str, EmailMessage] = field(default_factory=dict)

    def mails(self) -> list[EmailMessage]:
        return [self._opened(mail) for mail in super().mails()]

    def _opened(self, mail: EmailMessage) -> EmailMessage:
        if mail.get_content_type() != "multipart/encrypted" or self.gpg is None:
            return mail
        name = str(mail["Message-ID"])
        if name not in self.opened:
            keydata = str(mail["Autocrypt"]).partition("keydata=")[2]
            self.gpg.take(base64.b64decode("".join(keydata.split())))
            message = list(mail.iter_parts())[1].get_payload(decode=True)
            assert isinstance(message, bytes)
            found = email.message_from_bytes(
                self.gpg.run("--decrypt", data=message), policy=email.policy.default
            )
            assert isinstance(found, EmailMessage)
            for header in ("Message-ID", "From", "Subject"):
                found[header] = mail[header]
            self.opened[name] = found
        return self.opened[name]


def test_a_game_with_mutt_and_gpg_and_a_player_in_the_clear(
    tmp_path: Path, imap_server: Dovecot, smtp_server: Postfix, gpg: Gpg
) -> None:
    """One plays encrypted from `encrypt on` to the end, both ways; the other one's mails stay as they were."""
    need("mutt", "gpg")
    user = imap_server.new_user()
    stage = Stage(tmp_path, user, imap_server, smtp_server, imap_way(imap_server, user))
    anna = Reader(imap_server.new_user(), imap_server, smtp_server)
    bob = stage.player()
    anna.gpg = gpg
    gpg.make(anna.address)
    (tmp_path / ".gnupg").symlink_to(gpg.home)
    key = base64.b64encode(gpg.key).decode()
    pieces = " ".join(key[at : at + 60] for at in range(0, len(key), 60))
    autocrypt = f"my_hdr Autocrypt: addr={anna.address}\\; keydata= {pieces}\n"
    closed = _CLOSED.format(key=openpgp.fingerprint(gpg.key).replace(" ", ""))
    game = stage.new_game([anna.address, bob.address], max_plies=12)
    try:
        with stage.served() as process:
            bob.write(mail_for(bob), "join")
            answer_with_mutt(anna, mail_for(anna), "join\nencrypt on", tmp_path, settings=autocrypt)
            until(lambda: stage.game(game).status == "running")
            until(lambda: any("Please confirm" in mail["Subject"] for mail in anna.mails()))
            question = next(mail for mail in anna.mails() if "Please confirm" in mail["Subject"])
            answer_with_mutt(anna, question, "yes", tmp_path, settings=autocrypt)
            until(lambda: anna.mails() and anna.opened)
            while stage.game(game).status != "finished":
                player, mail = whose_turn([anna, bob])
                version = stage.game(game).version
                if player is anna:
                    answer_with_mutt(anna, mail, first_move(mail), tmp_path, settings=closed)
                else:
                    bob.write(mail, first_move(mail))
                until(lambda before=version: stage.game(game).version > before)
            until(lambda: not [row for row in stage.outbox() if row.status == "pending"])
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
    finally:
        stage.tell()
        stage.service.store.close()
    assert {row.status for row in stage.inbox()} == {"done"}
    raws = [stage.raw(row) for row in stage.inbox() if row.sender == anna.address]
    assert len(raws) > 5
    assert all(b"multipart/encrypted" in raw for raw in raws[2:])
    assert all(
        f"\r\nTo: {user}@{DOMAIN}".encode() in raw or f"<{user}@{DOMAIN}>".encode() in raw
        for raw in raws[2:]
    )
    assert len(anna.opened) > 4
    for mail in bob.mails():
        assert mail.get_content_type() != "multipart/encrypted"
        assert "Autocrypt" not in mail
    no_secrets(stage, [anna, bob])
