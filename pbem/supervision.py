"""Talking to systemd: sd_notify(3), sd_watchdog_enabled(3), sd_listen_fds(3).

Without systemd nothing happens.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

FIRST_INHERITED = 3
"""Descriptor of the first socket that is handed over."""


def notify(env: Mapping[str, str], *states: str) -> bool:
    """Tell the supervisor, e.g. `READY=1`; False if none listens."""
    path = env.get("NOTIFY_SOCKET", "")
    if not path.startswith(("/", "@")):
        return False
    address = "\0" + path[1:] if path.startswith("@") else path
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as link:
        try:
            link.sendto("\n".join(states).encode(), address)
        except OSError:
            return False
    return True


def inherited_sockets(env: Mapping[str, str]) -> list[socket.socket]:
    """Return the sockets that were opened for this process."""
    if env.get("LISTEN_PID") != str(os.getpid()):
        return []
    count = int(env.get("LISTEN_FDS") or 0)
    found = range(FIRST_INHERITED, FIRST_INHERITED + count)
    for descriptor in found:
        os.set_inheritable(descriptor, False)
    return [socket.socket(fileno=descriptor) for descriptor in found]
