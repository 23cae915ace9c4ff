"""Follow the installation page in a Debian with systemd: `python -m tools.units ROOT CHECKOUT`.

`tools/fresh.sh systemd` creates the Debian system and runs this module as root. The system has
separate processes, mounts and control groups, but shares this machine's network.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 600
_BOOT = """
set -e
mount --make-rprivate /
mount --bind "$0" "$0"
mount -t proc proc "$0/proc"
mount -t sysfs sysfs "$0/sys"
for place in run tmp dev/shm sys/fs/cgroup; do mount -t tmpfs tmpfs "$0/$place"; done
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  mount -t cgroup2 cgroup2 "$0/sys/fs/cgroup"
else
  mkdir "$0/sys/fs/cgroup/systemd"
  mount --bind /sys/fs/cgroup/systemd/pbem-fresh "$0/sys/fs/cgroup/systemd"
fi
cd "$0"
pivot_root . mnt
exec chroot . env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin \\
  sh -c "umount -l /mnt && exec /lib/systemd/systemd --unit=basic.target"
"""
_MAIL_SERVER = """
import smtplib, threading
from aiosmtpd.controller import Controller

class MailServer:
    async def handle_DATA(self, server, session, envelope):
        def hand_on():
            with smtplib.SMTP("127.0.0.1", 2525, timeout=60) as client:
                client.sendmail(envelope.mail_from, envelope.rcpt_tos, envelope.content)

        to = envelope.rcpt_tos[0]
        print(to, flush=True)
        if to.endswith("@play.example.org"):
            threading.Thread(target=hand_on).start()
        return "250 kept"

controller = Controller(MailServer(), hostname="127.0.0.1", port=2526)
controller.start()
threading.Event().wait()
"""
_TOLD = {
    "pbem init ": "--address game@play.example.org --smtp-host 127.0.0.1 --smtp-security none"
    " --smtp-port 2526 --listen smtp:127.0.0.1:2525",
    "pbem key backup ": "--passphrase-file /etc/pbem/passphrase",
}
"""Start of a command to the options that answer its questions."""


@dataclass
class Machine:
    """A running Debian system with systemd.

    Attributes:
        root: the folder that is its `/`.
        init: the process id of its systemd, as seen from outside.
    """

    root: Path
    init: int

    def run(self, command: str, expected: int = 0) -> str:
        """Run a shell command as root in its checkout and return the output. Raises: RuntimeError."""
        carried = [
            f"{k}={v}"
            for k, v in os.environ.items()
            if re.match(r"PIP_|https?_proxy", k, re.IGNORECASE)
        ]
        path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
        entered = ["nsenter", "-t", str(self.init), "-m", "-p", "-u", "-i", "-r", "-w"]
        inside = f"cd /srv/pbem && {command}"
        result = subprocess.run(
            [*entered, "env", "-i", path, "HOME=/root", *carried, "sh", "-c", inside],
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
        )
        if result.returncode != expected:
            journal = "" if "journalctl" in command else self.run("journalctl -n 60 --no-pager")
            raise RuntimeError(
                f"{command}: {result.returncode}\n{result.stdout}{result.stderr}{journal}"
            )
        return result.stdout

    def shown(self, unit: str, name: str) -> str:
        """Return a property of a systemd unit, such as `ActiveState`."""
        return self.run(f"systemctl show -P {name} {unit}").strip()


@contextmanager
def booted(root: Path) -> Iterator[Machine]:
    """Start systemd in a folder, with separate processes and mounts, which end with the context."""
    groups = Path("/sys/fs/cgroup/systemd/pbem-fresh")
    inside = 'exec "$@"'
    if not Path("/sys/fs/cgroup/cgroup.controllers").exists():
        groups.mkdir(exist_ok=True)
        inside = f"echo $$ >{groups}/cgroup.procs && {inside}"
    apart = ["unshare", "--pid", "--mount", "--uts", "--ipc", "--cgroup", "--fork", "--kill-child"]
    with (root.parent / "boot.log").open("wb") as log:
        process = subprocess.Popen(
            ["sh", "-c", inside, "sh", *apart, "sh", "-c", _BOOT, str(root)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        until(lambda: bool(children.read_text().split()), "it has not begun")
        machine = Machine(root, int(children.read_text().split()[0]))
        until(lambda: _is_up(machine), "systemd has not come up")
        yield machine
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def _is_up(machine: Machine) -> bool:
    try:
        return machine.run("systemctl is-system-running").strip() == "running"
    except RuntimeError:
        return False


def until(is_so: Callable[[], bool], otherwise: str, seconds: float = 90) -> None:
    """Wait until `is_so` returns True.

    Raises:
        RuntimeError: with the text `otherwise`, after `seconds`.
    """
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise RuntimeError(otherwise)
        time.sleep(0.3)


def lines_for_good(page: str) -> list[str]:
    """Return the commands of docs/install.md that install the service permanently, in order."""
    blocks = re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return [
        line
        for block in blocks
        if "/opt/pbem" in block or "systemctl" in block
        for line in block.splitlines()
    ]


def told(line: str) -> str:
    """Append to a command of docs/install.md the options that answer its questions."""
    return next((f"{line} {more}" for start, more in _TOLD.items() if start in line), line)


def main(root: Path, checkout: Path) -> None:
    """Follow the page, then kill, stop and upgrade the service. Raises: RuntimeError."""
    shutil.copytree(checkout, root / "srv/pbem")
    lines = lines_for_good((checkout / "docs/install.md").read_text(encoding="utf-8"))
    (root / "srv/mail_server.py").write_text(_MAIL_SERVER)
    with booted(root) as machine:

        def step(line: str) -> None:
            print(line, flush=True)  # noqa: T201
            machine.run(told(line))
            if "-m venv" in line:
                machine.run("/opt/pbem/bin/pip wheel --quiet --no-deps --wheel-dir dist .")
            elif "/etc/pbem" in line and line.startswith("install -d"):
                machine.run("echo a long passphrase of ours >/etc/pbem/passphrase")
                server = "/opt/pbem/bin/python /srv/mail_server.py"
                machine.run(f"systemd-run --quiet --unit=mail-server {server}")

        upgrade = next(n for n, line in enumerate(lines) if "pbem db backup" in line)
        for line in lines[:upgrade]:
            step(line)
        look_at(machine)
        for line in lines[upgrade:]:
            step(line)
        until(
            lambda: machine.shown("pbem", "ActiveState") == "active", "the upgraded one is not up"
        )
        machine.run("systemctl stop pbem.socket pbem.service")
        if machine.shown("pbem", "Result") != "success":
            raise RuntimeError("it did not stop in peace")
    print("ok: the page makes a service of systemd's")  # noqa: T201


def look_at(machine: Machine) -> None:
    """Check the running service: its user, its watchdog, and its restart after being killed."""
    if machine.shown("pbem", "ActiveState") != "active" or machine.shown("pbem", "User") != "pbem":
        raise RuntimeError("the service is not up")
    exposed = machine.run("systemd-analyze security --no-pager --threshold=20 pbem.service")
    print(exposed.splitlines()[-1])  # noqa: T201
    machine.run("cp docs/systemd/pbem-health* /etc/systemd/system/ && systemctl daemon-reload")
    machine.run("systemctl start pbem-health.service")
    machine.run("systemctl kill -s KILL pbem.service")
    until(lambda: machine.shown("pbem", "NRestarts") == "1", "nobody started it again")
    until(lambda: machine.shown("pbem", "ActiveState") == "active", "it did not come up again")
    machine.run("mv /etc/pbem/pbem.toml /etc/pbem/aside")
    machine.run(
        "systemctl start pbem-health.service", expected=1
    )  # without a configuration the check fails
    machine.run("mv /etc/pbem/aside /etc/pbem/pbem.toml")
    alarm = "journalctl --no-pager -u pbem-health-alarm.service"
    until(lambda: "Nobody is told" in machine.run(alarm), "the alarm has not rung")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
