"""Run commands in scratch installations and put their output into the pages.

`shown` fills every block of a page that follows a comment such as `<!-- prints: pbem game list
-->`, and `by_command` returns an output for each command of cli.md. Random bytes and the clock are
fixed, so that every run prints the same. `python -m tools.references.outputs` prints all outputs as
JSON. `recorded` starts it in a separate process, because the fixed random bytes must be in place
before `pbem` is imported.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shlex
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path
from unittest.mock import patch

import dns.resolver

if __name__ == "__main__":  # before the imports below bind it as a default
    _drawn: Counter[int] = Counter()

    def _fixed_bytes(size: int = 32) -> bytes:
        """Return the next bytes of the stream for this size. Each size has a separate stream."""
        _drawn[size] += 1
        return hashlib.shake_256(b"%d of %d" % (_drawn[size], size)).digest(size)

    secrets.token_bytes = _fixed_bytes
    # The pages must not change with every release.
    _version = metadata.version
    metadata.version = lambda name: "VERSION" if name == "pbem-cards" else _version(name)
    # What `pbem doctor` prints must not depend on the records of a domain.
    dns.resolver.default_resolver = dns.resolver.Resolver(configure=False)
    dns.resolver.default_resolver.nameservers, dns.resolver.default_resolver.port = ["127.0.0.1"], 1

from pbem.errors import PermanentDeliveryError
from tests.cli.conftest import CONFIG, KEY, Shell
from tests.databases import RING, ring, sqlite_file
from tests.service.conftest import make_table, raw_mail

MAX_LINES = 24
"""Maximum number of lines of an output in a page. Longer outputs are cut."""
WIDTH = "96"
FOLDER = "/srv/pbem"
"""Name of the scratch folder in the pages."""
GAME = "k7q2m3x9ab"
"""ID of the game in the pages."""
_MACHINE = re.compile(
    r"^(ok|hint|warn|fail) +(disk|SMTP|listener|DNS|clock)\b|^\d{4}-\d\d-\d\dT\S+ \[(info|warning)"
)
"""Matches lines that depend on the machine or the time of day."""
_PAGES = {"PBEM_PAGES__URL": "https://cards.example.org"}
_WITHOUT_CONFIG = ("games", "rules", "init", "mail parse", "dispute open-bundle")
_MARK = re.compile(r"(<!-- prints: (.+?) -->\n```text\n).*?(```)", re.DOTALL)


@dataclass
class Recorder:
    """Run commands of one installation and keep their outputs, by the command line in the pages."""

    shell: Shell
    game: str = ""
    names: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)

    def run(self, line: str) -> None:
        """Run a line such as `pbem game show k7q2m3x9ab  # its turn`. The command may fail."""
        words = [
            word.replace(GAME, self.game).replace(FOLDER, str(self.shell.folder))
            for word in shlex.split(line, comments=True)[1:]
        ]
        folder = {"PBEM_PAGES__FOLDER": str(self.shell.folder / "pages")}
        variables = folder | _PAGES if words[0] == "pages" else {}
        with patch.dict(os.environ, variables):
            result = self.shell.run(*words, config=not " ".join(words).startswith(_WITHOUT_CONFIG))
        assert result.exception is None or isinstance(result.exception, SystemExit), line
        assert "Traceback" not in result.output, line
        self.outputs[line] = self._plain(result.output)

    def _plain(self, text: str) -> str:
        text = re.sub(r"\x1b\[[0-9;]*m", "", text).replace(str(self.shell.folder), FOLDER)
        for name, shown in ((self.game, GAME), *self.names.items()):
            text = text.replace(name, shown) if name else text
        lines = [line.rstrip() for line in text.rstrip().splitlines()]
        is_after_machine = False
        kept = []
        for line in lines:
            is_after_machine = bool(_MACHINE.match(line)) or (
                is_after_machine and line.startswith(" ")
            )
            if not is_after_machine:
                kept.append(line)
        if len(kept) > MAX_LINES:
            kept = [*kept[: MAX_LINES - 1], "…"]
        return "\n".join(kept) + "\n"


@contextmanager
def installation(folder: Path) -> Iterator[Recorder]:
    """Create an installation with its database, like the tests of the commands."""
    from dataclasses import replace  # noqa: PLC0415

    from pbem.config import load_config  # noqa: PLC0415
    from pbem.store.db.uow import Store  # noqa: PLC0415
    from pbem.store.seal import keyring  # noqa: PLC0415

    file = folder / "pbem.toml"
    file.write_text(CONFIG, encoding="utf-8")
    (folder / "pbem.key").write_text(KEY, encoding="utf-8")
    (folder / "pbem.key").chmod(0o600)
    keyring.write(folder / "pbem.keys", RING)
    (folder / "passphrase").write_text("correct horse battery staple", encoding="utf-8")
    (folder / "passphrase").chmod(0o600)
    database = sqlite_file(folder, is_sealed=True)
    database.chmod(0o600)
    store = Store(f"sqlite:///{database}", keys=ring)
    table = make_table(store)
    key = load_config(file, {}).service.key
    table.service = replace(table.service, tokens=replace(table.service.tokens, keys=(key,)))
    try:
        yield Recorder(Shell(folder, table))
    finally:
        store.close()


def _a_game(recorder: Recorder) -> None:
    """Play a game of two players with a dispute, and run every command that shows or changes it."""
    shell, run = recorder.shell, recorder.run
    table = shell.table
    run("pbem health  # no service has run yet")
    shell.serve()
    run("pbem game new phyliss -p Carol=carol@example.org -p Dora=dora@example.org")
    first = table.started(2)
    recorder.game = first.id
    table.skip(first, 12)
    seat, order = table.standby(table.game(first.id))
    reply = table.answer(seat, f"{order}\nHave a nice day")
    (shell.folder / "reply.eml").write_bytes(reply)
    (shell.folder / "new").mkdir()
    table.answer(seat, "dispute I meant another card")
    table.receive(
        raw_mail("eve@example.net", "game@play.example.org", "join", message_id="<e@example.net>"),
        "game@play.example.org",
        mail_from="eve@example.net",
    )
    table.run()
    for line in (
        "pbem doctor",
        "pbem game list",
        f"pbem game show {GAME}",
        f"pbem game rules {GAME}",
        "pbem game deadlines",
        f"pbem replay {GAME} --from 12",
        f"pbem diff {GAME} 12 13",
        f"pbem audit {GAME}",
        f"pbem audit {GAME} --move 13",
        f"pbem verify {GAME}",
        f"pbem export {GAME} --out {FOLDER}/game.jsonl",
        f"pbem verify {FOLDER}/game.jsonl",
        "pbem dispute list",
        f"pbem dispute show {GAME} 1",
        f'pbem dispute bundle {GAME} 1 --out {FOLDER}/dispute.json --reason "Complaint of a player"',
        f"pbem dispute open-bundle {FOLDER}/dispute.json",
        f'pbem game undo {GAME} --to 13 --reason "Move 13 was read wrongly."',
        f'pbem dispute resolve {GAME} 1 --text "Move 13 is taken back."',
        f'pbem game pause {GAME} --reason "Bob is in hospital"',
        f'pbem game resume {GAME} --reason "Bob is back"',
        f'pbem game extend {GAME} 2d --reason "the mail server was down"',
        f'pbem dispute open {GAME} Bob --text "His mail of Monday got lost."',
        "pbem games",
        "pbem rules phyliss",
        "pbem player list",
        "pbem player add Emil=emil@example.org",
        "pbem player waiting",
        "pbem player rotate Emil",
        "pbem player address Emil emil@example.net",
        f"pbem player export Emil --out {FOLDER}/emil.json",
        'pbem player forget Emil --reason "He asked for it."',
        f"pbem mail parse {FOLDER}/reply.eml",
        "pbem mail inbox",
        "pbem mail show 3",
        f'pbem mail preview reminder --game {GAME} --as Bob --reason "a new template" --out {FOLDER}/look',
        "pbem mail prune --older-than 365d",
        "pbem mail outbox list --status pending",
        "pbem mail outbox show 3",
        "pbem mail outbox retry",
        'pbem mail outbox cancel 15 --reason "the address is wrong"',
    ):
        run(line)
    newest = table.inbox()[-1].id
    with table.service.store.unit_of_work() as uow:
        uow.inbox.mark(newest, "shunted", error="RuntimeError at seat_mail.py:137")
    for line in (
        "pbem mail shunted",
        f"pbem mail shunted show {newest}",
        f"pbem mail shunted retry {newest}",
    ):
        run(line)
    with table.service.store.unit_of_work() as uow:
        uow.inbox.mark(newest, "shunted", error="RuntimeError at seat_mail.py:137")
    for line in (
        "pbem health  # a message is quarantined",
        f'pbem mail shunted drop {newest} --reason "spam with a stolen address"',
        "pbem key list",
        "pbem pages build",
        f"pbem key backup {FOLDER}/keys.json --passphrase-file {FOLDER}/passphrase",
        f"pbem key restore {FOLDER}/keys.json --passphrase-file {FOLDER}/passphrase",
        f"pbem init --address game@example.org --smtp-host mail.example.org --out {FOLDER}/new/pbem.toml",
        "pbem db upgrade",
        "pbem db check",
        "pbem db rebuild",
        f"pbem db backup {FOLDER}/pbem-2026-11-21.sqlite3",
        f'pbem game bot {GAME} Bob --reason "He is at sea"',
        f'pbem game replace {GAME} Bob Frida=frida@example.org --reason "Bob is ill."',
        f'pbem game adjudicate {GAME} "Anna = Bob" --reason "Both moved away."',
        f"pbem verify {GAME}  # after the end",
        f"pbem export {GAME} --out {FOLDER}/ended.jsonl",
        f"pbem import {FOLDER}/ended.jsonl",
        "pbem stats",
        "pbem key rotate",
        "pbem key reseal",
        "pbem key retire",
        "pbem key give-up",
        "pbem db vacuum",
    ):
        run(line)


def _faults(recorder: Recorder) -> None:
    """Run commands on a game with silent players, then on a damaged database."""
    table, run = recorder.shell.table, recorder.run
    recorder.shell.serve()
    recorder.game = table.new_game(3).id
    table.answer_twice(2, "never")
    run("pbem player allow carol@example.org")
    recorder.game = table.started(3).id
    seat, order = table.standby(table.game(recorder.game))
    table.delivery.error = PermanentDeliveryError("refused (550)", scope="sender", status="5.7.1")
    table.answer(seat, order)
    table.delivery.error = None
    late = ("Anna", "Bob", "Carol")[table.standby(table.game(recorder.game))[0]]
    for line in (
        "pbem health  # the mail server refuses us",
        "pbem mail outbox list --status pending  # the mail server refuses us",
        "pbem game deadlines  # a turn message has not left",
        "pbem mail outbox retry",
    ):
        run(line)
    table.clock.forward(days=4)
    for line in (
        f'pbem game standby {GAME} {late} --reason "No answer for a week"',
        f'pbem game remove {GAME} {late} --reason "This player asked me to."',
        f'pbem game stop {GAME} --reason "All of us agreed to."',
    ):
        run(line)
    connection = sqlite3.connect(recorder.shell.folder / "pbem.sqlite3")
    with connection:
        connection.execute("DROP TRIGGER event_no_delete")
        connection.execute("UPDATE address SET address = 'eve@example.net' WHERE rowid = 1")
    connection.close()
    run("pbem db check  # the database was changed by another program")
    run("pbem db upgrade  # a trigger is missing")
    run("pbem db restored --unmarked")


def _a_league(recorder: Recorder) -> None:
    """Create a league, let three people join, and start it."""
    from tests.service.league.club import Club, named  # noqa: PLC0415

    shell, run = recorder.shell, recorder.run
    run('pbem league new "phyliss, 2 rounds, tables of 2, 1d per move, called winter"')
    club = Club(shell.table, [*named(3)])
    for name in club.names:
        club.write(name, "join league winter")
    for line in (
        "pbem league start winter",
        "pbem league list",
        "pbem league show winter",
        "pbem league verify winter",
        f"pbem league export winter --out {FOLDER}/winter.jsonl",
        'pbem league stop winter --reason "Too many are away."',
    ):
        run(line)


def _a_ladder(recorder: Recorder) -> None:
    """Play one challenge of a ladder and show the ladder."""
    from tests.service.league.test_ladder import ANNA, BOB, challenged, club_of, lost  # noqa: PLC0415

    club = club_of(recorder.shell.table)
    game = challenged(club, BOB, ANNA)
    recorder.game = game.id
    lost(club, ANNA, game)
    recorder.run("pbem ladder phyliss")


SCENES: tuple[Callable[[Recorder], None], ...] = (_a_game, _faults, _a_league, _a_ladder)


def record() -> dict[str, str]:
    """Run all scenes and return the first output of each line."""
    os.environ["COLUMNS"] = WIDTH
    outputs: dict[str, str] = {}
    for scene in SCENES:
        with tempfile.TemporaryDirectory() as folder, installation(Path(folder)) as recorder:
            os.chdir(folder)
            scene(recorder)
            outputs = recorder.outputs | outputs
            os.chdir("/")
    return outputs


@cache
def recorded() -> dict[str, str]:
    """Return the output of each line, from a process with fixed random bytes."""
    command = [sys.executable, "-B", "-m", "tools.references.outputs"]
    root = Path(__file__).resolve().parents[2]
    result = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)
    return dict(json.loads(result.stdout))


def shown(page: str) -> str:
    """Return a page with today's output in each block that follows a `prints` comment."""
    outputs = recorded()
    return _MARK.sub(lambda match: f"{match[1]}$ {match[2]}\n{outputs[match[2]]}{match[3]}", page)


def by_command(names: list[str]) -> dict[str, str]:
    """Return the first block of each command that printed something."""
    blocks: dict[str, str] = {}
    for line, output in recorded().items():
        name = max((name for name in names if f"{line} ".startswith(f"{name} ")), key=len)
        if output.strip():
            blocks.setdefault(name, f"```text\n$ {line}\n{output}```\n")
    return blocks


if __name__ == "__main__":
    print(json.dumps(record(), indent=1, ensure_ascii=False))  # noqa: T201
