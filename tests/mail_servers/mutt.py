"""Somebody who answers with mutt: reads over IMAP, writes in an editor, sends over SMTP."""

from __future__ import annotations

import os
import pty
import subprocess
import threading
from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path

from tests.mail_servers.dovecot import PASSWORD
from tests.mail_servers.stage import Player

_RC = """
set imap_user="{user}" imap_pass="{password}" imap_authenticators="login"
set ssl_starttls=no ssl_force_tls=no
set spoolfile="imap://127.0.0.1:{imap}/INBOX" folder="imap://127.0.0.1:{imap}/"
set smtp_url="smtp://127.0.0.1:{smtp}/" smtp_authenticators=""
set from="{address}" use_from=yes realname="A mutt person" hostname=people.example
set editor="{editor}" fast_reply=yes include=yes reply_to=yes abort_unmodified=no
set user_agent=yes copy=no delete=yes move=no wait_key=no quit=yes beep=no mail_check=0
"""

_EDITOR = """#!/bin/sh
{{ printf '%s\\n\\n' '{words}'; cat "$1"; }} > "$1.new" && cat "$1.new" > "$1" && rm "$1.new"
"""


def answer_with_mutt(player: Player, mail: EmailMessage, words: str, folder: Path) -> None:
    """Answer a mail: find and open it, `r`, write above the quoted text, `y`, quit."""
    editor, config = folder / "editor", folder / "muttrc"
    editor.write_text(_EDITOR.format(words=words))
    editor.chmod(0o755)
    config.write_text(
        _RC.format(
            user=player.user,
            password=PASSWORD,
            imap=player.dovecot.imap,
            smtp=player.postfix.smtp,
            address=player.address,
            editor=editor,
        )
    )
    player.answered.add(mail["Message-ID"])
    name = mail["Message-ID"].strip("<>").partition("@")[0]
    keys = f'push "<search>~i {name}<enter><display-message><reply><send-message><exit><quit>"'
    screen, terminal = pty.openpty()
    shown: list[bytes] = []

    def watch() -> None:
        with suppress(OSError):  # the terminal is closed
            while piece := os.read(screen, 4096):
                shown.append(piece)

    process = subprocess.Popen(
        ["mutt", "-n", "-F", str(config), "-e", keys],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
        env={**os.environ, "TERM": "vt100", "HOME": str(folder), "LINES": "40", "COLUMNS": "100"},
    )
    os.close(terminal)
    watching = threading.Thread(target=watch)
    watching.start()
    try:
        code = process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        code = -1
    watching.join(10)
    os.close(screen)
    assert code == 0, b"".join(shown)[-2000:]
