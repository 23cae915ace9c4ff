"""Run Postfix on loopback, which accepts messages by SMTP and relays them to Dovecot or the service.

No message leaves the machine: recipients in other domains are errors. Unknown recipients in our
domains are accepted and then bounced, as by a relay in front of other servers.
"""

from __future__ import annotations

import smtplib
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.mail_servers.places import answers, free_port, process, until

DOMAIN, PEOPLE = "play.example", "people.example"

_MAIN = """
compatibility_level = 3.6
queue_directory = {base}/queue
data_directory = {base}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = {base}/mail.log
maillog_file_prefixes = {base}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
myhostname = mx.play.example
myorigin = play.example
mydestination =
local_recipient_maps =
alias_maps =
alias_database =
virtual_mailbox_domains = play.example people.example
virtual_mailbox_maps = regexp:{base}/boxes
virtual_mailbox_base = {base}/boxes.d
virtual_minimum_uid = 8
virtual_uid_maps = static:8
virtual_gid_maps = static:8
virtual_transport = lmtp:inet:127.0.0.1:{dovecot}
transport_maps = inline:{{ {{lmtp@play.example = lmtp:inet:127.0.0.1:{lmtp}}}, {{maildir@play.example = virtual:}} }}
lmtp_destination_recipient_limit = 1
recipient_delimiter = {delimiter}
default_transport = error:5.1.2 nobody outside is reached
relay_transport = error:5.1.2 nobody outside is reached
disable_dns_lookups = yes
smtp_tls_security_level = none
smtpd_tls_security_level = none
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_recipient_restrictions = permit_mynetworks, reject
queue_run_delay = 2s
minimal_backoff_time = 2s
maximal_backoff_time = 4s
notify_classes =
biff = no
{logins}
"""

_LOGINS = """
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = {logins}
"""

_MASTER = """
127.0.0.1:{smtp} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


@dataclass
class Postfix:
    """A running Postfix.

    Attributes:
        smtp: port on which it accepts messages.
        lmtp: port to which it relays messages for `lmtp@play.example`.
        maildir: folder in which it stores messages for `maildir@play.example`.
    """

    base: Path
    smtp: int
    lmtp: int

    @property
    def maildir(self) -> Path:
        return self.base / "boxes.d" / "maildir"

    def send(self, raw: bytes, sender: str, recipient: str) -> None:
        """Submit a message by SMTP."""
        with smtplib.SMTP("127.0.0.1", self.smtp, timeout=30) as client:
            client.sendmail(sender, [recipient], raw)

    def is_idle(self) -> bool:
        """True if the queues of the server are empty."""
        queues = ("maildrop", "incoming", "active", "deferred")
        return not any(
            path.is_file() for name in queues for path in (self.base / "queue" / name).rglob("*")
        )


@contextmanager
def postfix(
    base: Path, *, dovecot: int, delimiter: str = "+", logins: Path | None = None
) -> Iterator[Postfix]:
    """Run Postfix. Messages for all other recipients are relayed to Dovecot.

    Args:
        base: folder of the server.
        dovecot: LMTP port of Dovecot.
        delimiter: separates the name of a mailbox from a suffix in addresses, or empty for no suffix.
        logins: socket at which Dovecot checks logins, or None for a server without logins.
    """
    server = Postfix(base, free_port(), free_port())
    etc = base / "etc"
    for path in (base, etc, base / "queue", base / "data", base / "boxes.d"):
        path.mkdir(exist_ok=True)
    (base / "boxes.d").chmod(0o777)
    (base / "data").chmod(0o777)
    (base / "boxes").write_text("/^maildir(\\+.*)?@play\\.example$/ maildir/\n/./ all\n")
    (etc / "main.cf").write_text(
        _MAIN.format(
            base=base,
            dovecot=dovecot,
            lmtp=server.lmtp,
            delimiter=delimiter,
            logins=_LOGINS.format(logins=logins) if logins else "",
        )
    )
    (etc / "master.cf").write_text(_MASTER.format(smtp=server.smtp))
    with process(["postfix", "-c", str(etc), "start-fg"], base / "postfix.out"):
        try:
            until(lambda: answers(server.smtp))
            yield server
        finally:  # its master has left our process group
            subprocess.run(
                ["/usr/sbin/postfix", "-c", str(etc), "stop"], capture_output=True, check=False
            )
