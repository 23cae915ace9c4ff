"""Run Dovecot on loopback, with mailboxes that are read by IMAP and filled by LMTP."""

from __future__ import annotations

import smtplib
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from imap_tools.mailbox import MailBoxUnencrypted

from tests.mail_servers.places import answers, certificate, free_port, process, until

PASSWORD = "not-in-any-log"
TOKEN = "ya29.fresh"
USERS = 200

_CONFIG = """
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
disable_plaintext_auth = no
ssl = {ssl}
{certificate}
auth_username_format = %Ln
auth_failure_delay = 0 secs
recipient_delimiter = {delimiter}
first_valid_uid = 8
first_valid_gid = 8
mail_location = maildir:{base}/mail/%Ln
mail_max_userip_connections = 100
{capability}
{oauth}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%Ln {base}/users
}}
userdb {{
  driver = passwd-file
  args = username_format=%Ln {base}/users
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
namespace inbox {{
  inbox = yes
  separator = /
}}
protocol lmtp {{
  postmaster_address = postmaster@play.example
}}
"""

_OAUTH = """
auth_mechanisms = xoauth2 plain
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {base}/oauth2.conf
}}
service auth {{
  unix_listener {base}/logins {{
    mode = 0666
  }}
}}
"""

PLAIN = "IMAP4rev1 LITERAL+ ENABLE NAMESPACE"
"""Capabilities of a server without IDLE, MOVE and UIDPLUS."""


@dataclass
class Dovecot:
    """A running Dovecot, whose mailboxes all have the same password."""

    base: Path
    imap: int
    imaps: int
    lmtp: int
    capability: str = ""
    token_info: str = ""
    delimiter: str = "+"
    count: int = 0

    def new_user(self) -> str:
        """Reserve an unused mailbox and return its name."""
        self.count += 1
        assert self.count < USERS
        return f"u{self.count}"

    def deliver(self, user: str, raw: bytes, *, to: str | None = None, sender: str = "") -> None:
        """Deliver a message to a mailbox by LMTP."""
        with smtplib.LMTP("127.0.0.1", self.lmtp) as client:
            client.sendmail(sender, [to or f"{user}@play.example"], raw)

    @contextmanager
    def opened(self, user: str, name: str = "INBOX") -> Iterator[MailBoxUnencrypted]:
        """Log in to a mailbox by IMAP and select a folder."""
        with MailBoxUnencrypted("127.0.0.1", self.imap).login(user, PASSWORD, name) as box:
            yield box

    def mails(self, user: str, name: str = "INBOX") -> list[bytes]:
        """Return the raw messages of a folder, without marking them as seen."""
        with self.opened(user, name) as box:
            return [
                part[1]
                for uid in box.uids("UNDELETED")
                for part in box.client.uid("FETCH", uid, "(BODY.PEEK[])")[1]
                if isinstance(part, tuple)
            ]

    def flags(self, user: str, name: str) -> list[tuple[str, ...]]:
        """Return the flags of every message of a folder."""
        with self.opened(user, name) as box:
            return [mail.flags for mail in box.fetch(mark_seen=False)]

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run the server. The mailboxes survive its end."""
        secure = (self.base / "server.pem").is_file()
        text = _CONFIG.format(
            base=self.base,
            imap=self.imap,
            imaps=self.imaps if secure else 0,
            lmtp=self.lmtp,
            delimiter=self.delimiter,
            ssl="yes" if secure else "no",
            certificate=(
                f"ssl_cert = <{self.base}/server.pem\nssl_key = <{self.base}/server.pem"
                if secure
                else ""
            ),
            capability=f"imap_capability = {self.capability}" if self.capability else "",
            oauth=_OAUTH.format(base=self.base) if self.token_info else "",
        )
        (self.base / "oauth2.conf").write_text(
            f"tokeninfo_url = {self.token_info}\nusername_attribute = user\n"
        )
        config = self.base / "dovecot.conf"
        config.write_text(text)
        # Write all users at once, because the server checks this file only every two seconds.
        (self.base / "users").write_text(
            "".join(
                f"u{n}:{{PLAIN}}{PASSWORD}:8:8::{self.base}/mail/u{n}::\n" for n in range(USERS)
            )
        )
        for name in ("run", "state", "mail"):
            (self.base / name).mkdir(exist_ok=True)
        (self.base / "mail").chmod(0o777)
        with process(["dovecot", "-F", "-c", str(config)], self.base / "dovecot.out"):
            until(lambda: answers(self.imap) and answers(self.lmtp))
            yield


@contextmanager
def vouching(token: str) -> Iterator[str]:
    """Run a provider's token service on loopback. Yield its URL, which assigns `token` to `u1`."""

    class TokenInfo(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_known = self.path.rpartition("=")[2] == token
            body = b'{"user": "u1"}' if is_known else b'{"error": "invalid_token"}'
            self.send_response(200 if is_known else 401)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Do not log requests."""

    with HTTPServer(("127.0.0.1", 0), TokenInfo) as authority:
        threading.Thread(target=authority.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{authority.server_port}/?t="
        authority.shutdown()


def dovecot(
    base: Path,
    *,
    capability: str = "",
    secure: bool = False,
    token_info: str = "",
    delimiter: str = "+",
) -> Dovecot:
    """Prepare a server with free ports.

    Args:
        base: folder of the server.
        capability: capabilities that it announces, or empty for all.
        secure: True to create a certificate for it.
        token_info: URL of a token service, or empty. With a URL, the server accepts its access tokens
            as well as passwords, and checks logins of other servers at the socket `logins` in `base`.
        delimiter: separates the name of a mailbox from a suffix in addresses, or empty for no suffix.
    """
    base.mkdir(exist_ok=True)
    with suppress(FileExistsError):
        if secure:
            certificate(base)
    return Dovecot(base, free_port(), free_port(), free_port(), capability, token_info, delimiter)
