"""Test the service under an init system: readiness, watchdog and socket activation."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from pbem import logs
from pbem.config import load_config
from pbem.service.upkeep import metrics, setup
from tests.cli.conftest import CONFIG, Shell
from tests.databases import RING
from tests.patience import patience

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "docs" / "systemd"
PATIENCE = 30

STARTER = """\
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
os.execv(sys.executable, [sys.executable, "-m", "pbem", "serve", "--config", sys.argv[2]])
"""


def test_served_at_an_inherited_door_and_told_when_ready(shell: Shell, tmp_path: Path) -> None:
    """READY=1 once the door is open, WATCHDOG=1 after each look, STOPPING=1 at the end."""
    told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    told.bind(str(tmp_path / "notify"))
    told.settimeout(patience(PATIENCE))
    door = socket.create_server(("127.0.0.1", 0))
    port = door.getsockname()[1]
    shell.config.write_text(f'{CONFIG}[listen]\nprotocol = "smtp"\nport = 1\n', encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-c", STARTER, str(door.fileno()), str(shell.config)],
        pass_fds=[door.fileno()],
        env={**os.environ, "PYTHONPATH": str(ROOT), "NOTIFY_SOCKET": str(tmp_path / "notify")},
        cwd=ROOT,
    )
    try:
        heard = [told.recv(100), told.recv(100)]
        assert sorted(heard) == [b"READY=1", b"WATCHDOG=1"]
        with socket.create_connection(("127.0.0.1", port), timeout=patience(PATIENCE)) as link:
            assert link.recv(100).startswith(b"220 ")
        process.terminate()
        assert process.wait(patience(PATIENCE)) == 0
        while (last := told.recv(100)) == b"WATCHDOG=1":
            pass
        assert last == b"STOPPING=1"
    finally:
        process.kill()
        process.wait()
        door.close()
        told.close()


def test_serve_answers_browsers_and_says_if_it_cannot(shell: Shell) -> None:
    web = '[web]\nurl = "https://cards.example.org/club"\nlisten = "127.0.0.1:{}"\n'
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        shell.config.write_text(CONFIG + web.format(port), encoding="utf-8")
        assert f"[web]: cannot listen at 127.0.0.1:{port}" in shell.refused("serve")
    process = subprocess.Popen(
        [sys.executable, "-m", "pbem", "serve", "--config", str(shell.config)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
    )
    try:
        end = time.monotonic() + patience(PATIENCE)
        while time.monotonic() < end:
            with (
                suppress(OSError),
                urllib.request.urlopen(
                    f"http://127.0.0.1:{port}/club/seat/-/seat.css", timeout=patience(PATIENCE)
                ) as answer,
            ):
                assert answer.headers["Cache-Control"] == "no-store"
                break
            time.sleep(0.1)
        else:
            pytest.fail("no browser was answered")
        process.terminate()
        assert process.wait(patience(PATIENCE)) == 0
    finally:
        process.kill()
        process.wait()


def test_figures_count_what_is_done_and_name_nobody(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Count actions, seconds and waiting messages, without names, addresses or games."""
    monkeypatch.setattr(logs, "_counts", {})
    game = shell.table.started(2)
    logs._count(None, "info", {"action": "mail_handled", "seconds": 0.5})
    logs._count(None, "info", {"action": "mail_handled", "seconds": 0.25})
    logs._count(None, "info", {"event": "no action"})
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    metrics.serve(shell.table.service, "127.0.0.1", port)
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        text = answer.read().decode()
    lines = text.splitlines()
    assert 'pbem_actions_total{action="mail_handled"} 2.0' in lines
    assert 'pbem_seconds_total{action="mail_handled"} 0.75' in lines
    assert "pbem_unsent 0.0" in lines
    assert any(line.startswith("pbem_disk_free_bytes ") for line in lines)
    assert "pbem_healthy 0.0" in lines  # no `pbem serve` has run here
    for private in (game.id, "anna", "example.org", *(seat.player for seat in game.seats)):
        assert private not in text.lower()


needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="NOT TESTED: systemd-analyze is missing"
)


def analyze(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *args], capture_output=True, text=True, check=False)


def check_units(folder: Path, texts: dict[str, str], hardened: str) -> None:
    """Check that units are well-formed, and that the one called `hardened` is hardened.

    The programs that they start need not be installed on this machine.
    """
    for name, text in texts.items():
        for program in ("/opt/pbem/bin/pbem", "/usr/bin/curl"):
            text = text.replace(program, "/bin/true")  # noqa: PLW2901
        (folder / name).write_text(text)
    checked = analyze("verify", *(str(folder / name) for name in texts))
    assert (checked.returncode, checked.stderr) == (0, "")
    judged = analyze("security", "--offline=true", "--threshold=20", str(folder / hardened))
    assert judged.returncode == 0, judged.stdout


def unit_texts(*names: str) -> dict[str, str]:
    return {name: (UNITS / name).read_text(encoding="utf-8") for name in names}


@needs_systemd
def test_the_units_are_well_formed_and_hardened(tmp_path: Path) -> None:
    texts = unit_texts("pbem.service", "pbem.socket")
    hint = "#ReadWritePaths=/var/mail/pbem\n"
    assert hint in texts["pbem.service"]
    texts["pbem.service"] = texts["pbem.service"].replace(hint, hint[1:])
    check_units(tmp_path, texts, "pbem.service")


@needs_systemd
def test_the_units_that_watch_are_well_formed_and_hardened(tmp_path: Path) -> None:
    """The timer starts the health check, whose failure starts the alarm, with each example of it."""
    alarm = "pbem-health-alarm.service"
    texts = unit_texts("pbem-health.timer", "pbem-health.service", alarm)
    assert f"OnFailure={alarm}\n" in texts["pbem-health.service"]
    examples = re.findall(r"^# {3}(ExecStart=.*)$", texts[alarm], re.MULTILINE)
    assert len(examples) == 3
    for number, example in enumerate(examples):
        texts[f"example{number}.service"] = f"[Service]\nType=oneshot\n{example}\n"
    texts = {
        name: text.replace("#ExecStartPost=", "ExecStartPost=") for name, text in texts.items()
    }
    check_units(tmp_path, texts, "pbem-health.service")


@pytest.mark.skipif(
    shutil.which("systemd-sysusers") is None, reason="NOT TESTED: systemd-sysusers is missing"
)
def test_the_user_of_the_unit_is_made(tmp_path: Path) -> None:
    """By the line that is shipped beside it; no shell, its home is the state folder."""
    users = str(UNITS / "pbem.sysusers")
    (tmp_path / "etc").mkdir()
    subprocess.run(["systemd-sysusers", f"--root={tmp_path}", users], check=True)
    (line,) = (tmp_path / "etc" / "passwd").read_text(encoding="utf-8").splitlines()
    name, _, uid, _, _, home, shell = line.split(":")
    (service,) = [line for line in _unit() if line.startswith("User=")]
    assert service == f"User={name}"
    assert 0 < int(uid) < 1000
    assert (home, shell) == (str(setup.STATE_FOLDER), "/usr/sbin/nologin")


def test_the_unit_and_the_commands_see_the_same(tmp_path: Path) -> None:
    """One configuration, one database, the very files that `pbem init` writes; no variable differs."""
    config = tmp_path / "pbem.toml"
    setup.write_config(
        config,
        tmp_path / "state",
        setup.Installation(
            address="game@play.example.org",
            smtp=setup.MailAccount("mail.example.org", 587, "starttls", "game"),
            listen="lmtp:127.0.0.1:2525",
            mailbox=setup.MailAccount("mail.example.org", 993, "tls", "game", "hush"),
            key="6b" * 32,
            ring=RING,
        ),
    )
    assert f"--config {setup.CONFIG_FOLDER / config.name}" in "".join(_unit())
    assert not [line for line in _unit() if "PBEM_" in line]
    written = {path.name for path in tmp_path.iterdir() if path.is_file()} - {config.name}
    loaded = {f"{name}:{setup.CONFIG_FOLDER / name}" for name in written}
    assert {line.partition("=")[2] for line in _unit() if line.startswith("LoadCred")} == loaded
    spared = {line.partition("=")[2] for line in _unit() if line.startswith("SetCred")}
    assert spared == {f"{name}:\\n" for name in written}
    found = load_config(config, {})
    assert found.database.url == f"sqlite:///{tmp_path}/state/pbem.sqlite3"
    assert found.database.keys_file == tmp_path / "state" / "pbem.keys"
    handed = tmp_path / "credentials"
    handed.mkdir()
    for name in written:
        (handed / name).write_text("\n", encoding="utf-8")
    assert load_config(config, {"CREDENTIALS_DIRECTORY": str(handed)}) == found
    assert setup.state_folder(setup.CONFIG_FOLDER / "pbem.toml") == setup.STATE_FOLDER
    assert setup.state_folder(config) == tmp_path


def _unit() -> list[str]:
    return (UNITS / "pbem.service").read_text(encoding="utf-8").splitlines()
