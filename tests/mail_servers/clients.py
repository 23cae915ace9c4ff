"""Answer messages with real terminal mail clients, driven by scripts.

A client gets a mailbox with one message, an editor that inserts words like a person, and a
`sendmail` that stores its input.
"""

from __future__ import annotations

import mailbox
import os
import pty
import re
import select
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = ("mutt", "neomutt", "s-nail", "nmh", "alpine")
SECONDS = 30
QUIET = 0.2
CTRL_X = b"\x18"
_CONTROLS = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()].|\x1b[=>]")

_EDITOR = r"""#!{python}
import re, sys
where, words = {where!r}, {words!r}
path = sys.argv[-1]
with open(path, encoding="utf-8", errors="surrogateescape") as file:
    text = file.read()
head, line, body = text.partition("\n--------\n")  # a draft of nmh begins with its header
if not line:
    head, body = "", text
lines = body.split("\n")
if where == "top":
    lines[:0] = [words, ""]
elif where == "bottom":
    lines += ["", words, ""]
else:
    at = next(n for n, one in enumerate(lines) if re.match(r"\W*21\s", one))
    lines[at + 1 : at + 1] = ["", words, ""]
with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
    file.write(head + line + "\n".join(lines))
"""

_SENDMAIL = "#!/bin/sh\ncat > '{sent}.part' && mv '{sent}.part' '{sent}'\n{hand_on}"
_MSMTP = "msmtp --host=127.0.0.1 --port={port} --tls=off --from={address} -t < '{sent}'\n"

_MUTT = """
set spoolfile="{box}" mbox_type=mbox folder="{home}" record=""
set from="{address}" use_from=yes realname="Anna" hostname=example.org
set editor="{editor}" sendmail="{sendmail}" fast_reply=yes include=yes reply_to=yes
set abort_unmodified=no user_agent=yes copy=no move=no wait_key=no quit=yes beep=no
"""

_NAIL = """
set from={address} hostname=example.org quote indentprefix="> " reply-to-honour
set mta={sendmail} sendwait VISUAL={editor} EDITOR={editor} sendcharsets=utf-8
"""

_PINE = """
personal-name=Anna
user-domain=example.org
customized-hdrs=From: {address}
inbox-path={box}
sendmail-path={sendmail}
editor={editor}
feature-list=enable-alternate-editor-cmd,enable-alternate-editor-implicitly,include-text-in-reply,
  fast-recent-test,quit-without-confirm,no-disable-2022-jp-conversions,suppress-user-lookup-in-password-file,
  enable-suspend,use-sender-not-x-sender,allow-changing-from
fcc-name-rule=default-fcc
default-fcc=""
saved-msg-name-rule=default-folder
last-version-used=99.99
reply-leadin=
"""


@dataclass(frozen=True)
class Client:
    """A person's account with a message to answer.

    Attributes:
        home: a separate home folder.
        raw: the message to answer.
        address: address of the person.
        where: `top`, `bottom` or `inline` (below the quoted line of the first listed move).
        smtp: port of a server to which `msmtp` also sends the answer.
    """

    home: Path
    raw: bytes
    address: str
    words: str
    where: str
    smtp: int | None = None

    def answer(self, program: str) -> bytes:
        """Answer the message with a program. Return the bytes that it gives to its mail server."""
        box = mailbox.mbox(self.home / "box")
        box.add(mailbox.mboxMessage(self.raw))
        box.close()
        editor = {"python": sys.executable, "where": self.where}
        self._script("editor", _EDITOR.format(words=self.words, **editor))
        sent, msmtp = self.home / "sent", ""
        if self.smtp is not None:
            msmtp = _MSMTP.format(port=self.smtp, address=self.address, sent=sent)
        self._script("sendmail", _SENDMAIL.format(sent=sent, hand_on=msmtp))
        getattr(self, f"_{program.replace('-', '_')}")()
        return sent.read_bytes()

    def _mutt(self, program: str = "mutt") -> None:
        config = self._file("muttrc", _MUTT)
        keys = 'push "<display-message><reply><send-message><exit><quit>"'
        self._at_terminal([program, "-n", "-F", str(config), "-e", keys])

    def _neomutt(self) -> None:
        self._mutt("neomutt")

    def _s_nail(self) -> None:
        config = self._file("nailrc", _NAIL)
        self._run(
            ["s-nail", "-#", "-R", "-f", str(self.home / "box")],
            text="reply 1\n~v\n~.\nxit\n",
            MAILRC=str(config),
            NAIL_NO_SYSTEM_RC="1",
            S_NAIL_NO_SYSTEM_RC="1",
        )

    def _nmh(self) -> None:
        folder = self.home / "Mail" / "inbox"
        folder.mkdir(parents=True)
        (folder / "1").write_bytes(self.raw.replace(b"\r\n", b"\n"))
        profile = f"Path: {self.home}/Mail\nLocal-Mailbox: Anna <{self.address}>\n"
        (self.home / ".mh_profile").write_text(profile)
        environment = {
            "MH": str(self.home / ".mh_profile"),
            "MHMTSUSERCONF": str(
                self._file("mts.conf", "mts: sendmail/pipe\nsendmail: {sendmail}\n")
            ),
            "PATH": f"/usr/bin/mh:{os.environ['PATH']}",
        }
        draft = str(self.home / "Mail" / "reply")
        self._run(["repl", "-build", "-format", "-noedit", "+inbox", "1"], **environment)
        self._run([str(self.home / "editor"), draft])
        self._run(["send", draft], **environment)

    def _alpine(self) -> None:
        config = self._file("pinerc", _PINE)
        command = ["alpine", "-p", str(config), "-i"]
        self._at_terminal(
            command,
            (b"Message 1 of 1", b"r"),
            (b"N No", b"n"),  # use Reply-To in place of From? The last word that the question shows
            (b"N [No]", b"n"),  # reply to all recipients?
            (b"Alternate editor done", CTRL_X),
            (b"Send message?", b"y"),
            (b"1 of 1 ANS", b"q"),
        )

    def _script(self, name: str, text: str) -> None:
        (self.home / name).write_text(text)
        (self.home / name).chmod(0o755)

    def _file(self, name: str, text: str) -> Path:
        (self.home / name).write_text(
            text.format(
                home=self.home,
                box=self.home / "box",
                address=self.address,
                editor=self.home / "editor",
                sendmail=self.home / "sendmail",
            )
        )
        return self.home / name

    def _environment(self, more: Mapping[str, str]) -> dict[str, str]:
        screen = {"TERM": "vt100", "LINES": "40", "COLUMNS": "100", "LC_ALL": "C.UTF-8"}
        return {**os.environ, **screen, "HOME": str(self.home), **more}

    def _run(self, command: Sequence[str], *, text: str = "", **more: str) -> None:
        done = subprocess.run(
            command,
            input=text.encode(),
            capture_output=True,
            check=False,
            timeout=SECONDS,
            cwd=self.home,
            env=self._environment(more),
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def _at_terminal(self, command: Sequence[str], *dialogue: tuple[bytes, bytes]) -> None:
        """Run a program in a terminal to its end.

        Args:
            dialogue: pairs of a text on the screen and the keys to press when it appears.
        """
        screen, terminal = pty.openpty()
        process = subprocess.Popen(
            command,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
            env=self._environment({}),
        )
        os.close(terminal)
        alarm = threading.Timer(SECONDS, process.kill)
        alarm.start()
        shown, steps, seen = b"", deque(dialogue), 0
        with suppress(OSError):  # the terminal is closed
            while piece := os.read(screen, 4096):
                shown += _CONTROLS.sub(b"", piece.replace(b"\0", b""))
                if select.select([screen], [], [], QUIET)[0]:
                    continue  # alpine drops keys that are pressed while it still draws
                if steps and (at := shown.find(steps[0][0], seen)) >= 0:
                    os.write(screen, steps.popleft()[1])
                    seen = at + 1
        code = process.wait()
        alarm.cancel()
        os.close(screen)
        assert code == 0, shown[-3000:].decode("utf-8", "replace")
