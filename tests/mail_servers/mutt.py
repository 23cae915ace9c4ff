"""Answer messages with mutt, which reads by IMAP and sends by SMTP."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
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


_SENDS = ((b"y:Send", b"y"), (b"Mail sent", b"q"))
"""Text that mutt shows after the editor has ended, and the key to press then."""
_AGAIN_SECONDS = 2.0
"""Seconds until a key is pressed again, because mutt discards keys while it is busy."""
_LONGEST_SECONDS = 60.0


def answer_with_mutt(
    player: Player,
    mail: EmailMessage,
    words: str,
    folder: Path,
    program: str = "mutt",
    *,
    settings: str = "",
) -> None:
    """Answer a message with mutt: open it, press `r`, write above the quote, press `y`, and quit.

    Args:
        folder: home folder of the program.
        settings: additional lines of its configuration.
    """
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
        + settings
    )
    player.answered.add(mail["Message-ID"])
    name = mail["Message-ID"].strip("<>").partition("@")[0]
    screen, terminal = pty.openpty()
    process = subprocess.Popen(
        [
            *(program, "-n", "-F", str(config)),
            *("-e", f'push "<search>~i {name}<enter><display-message><reply>"'),
        ],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
        env={**os.environ, "TERM": "vt100", "HOME": str(folder), "LINES": "40", "COLUMNS": "100"},
    )
    os.close(terminal)
    shown = _watch_and_type(screen, process)
    if process.poll() is None:
        process.kill()
    code = process.wait()
    os.close(screen)
    assert code == 0, shown[-2000:]


def _watch_and_type(screen: int, process: subprocess.Popen[bytes]) -> bytes:
    """Press each key when mutt is ready for it, until mutt has quit. Return all its output."""
    shown, known, done = b"", 0, 0
    began = pressed_at = time.monotonic()
    while process.poll() is None and time.monotonic() - began < _LONGEST_SECONDS:
        if select.select([screen], [], [], 0.1)[0]:
            try:
                shown += os.read(screen, 4096)
            except OSError:  # the terminal is closed
                break
        if done < len(_SENDS) and _SENDS[done][0] in shown[known:]:
            known, done = len(shown), done + 1
        elif not done or time.monotonic() - pressed_at < _AGAIN_SECONDS:
            continue
        os.write(screen, _SENDS[done - 1][1])
        pressed_at = time.monotonic()
    with suppress(subprocess.TimeoutExpired):
        process.wait(10)
    return shown
