"""Test docs/verify.py, a single file without our packages, with the same verdicts."""

from __future__ import annotations

import importlib.util
import io
import json
import re
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from engine.canonical import canonical_json
from engine.shuffle import game_seed, shuffle
from pbem.domain.log.events import EVENT_TYPES, closed_words
from pbem.domain.terms import spoken_hash
from pbem.service.admin import acts
from tests.service.conftest import START, Table

NOW = START + timedelta(days=400)
"""The time of the check: the clock of a test is not that of the machine."""
VERIFIER = Path(__file__).parents[3] / "docs" / "verify.py"


def run_verifier(file: str | Path, *arguments: str | Path) -> tuple[int, str]:
    """Run the verifier without access to the packages of this project."""
    done = subprocess.run(
        [sys.executable, "-I", VERIFIER, file, *arguments, "--now", NOW.isoformat()],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(file).parent,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def run_in_process(file: str | Path, *arguments: str | Path) -> tuple[int, str]:
    """Run the verifier in this process. Return its exit code and output."""
    printed = io.BytesIO()
    screen = io.TextIOWrapper(printed, encoding="utf-8")
    given = [str(VERIFIER), *map(str, (file, *arguments)), "--now", NOW.isoformat()]
    with patch.object(sys, "argv", given), redirect_stdout(screen), redirect_stderr(screen):
        code = load_verifier().main()
    screen.flush()
    return code, printed.getvalue().decode()


@cache
def load_verifier() -> Any:
    """Import the verifier as a module."""
    spec = importlib.util.spec_from_file_location("outside", VERIFIER)
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def files(table: Table, tmp_path: Path) -> tuple[Path, Path, Path]:
    """Write a running game, the finished game, and a message of it into files. Return their paths."""
    game = table.new_game(2)
    table.answer(0, "join phrase: grüner   Tee 🍵")
    table.answer(1, "join")
    game = table.skip(table.game(game.id), 12)
    (tmp_path / "running").write_bytes(table.export(game.id))
    acts.undo(table.service, game.id, "9", "read wrongly")
    table.run()
    mail = tmp_path / "turn.eml"
    mail.write_bytes(table.last_to(0).raw)
    acts.stop(table.service, game.id, "enough")
    (tmp_path / "over").write_bytes(table.export(game.id))
    return tmp_path / "running", tmp_path / "over", mail


def test_a_log_that_holds(files: tuple[Path, Path, Path]) -> None:
    """Verify a running and a finished game, with a message, a fingerprint and a phrase."""
    running, over, mail = files
    code, words = run_verifier(running)
    assert (code, words.count("holds:")) == (0, 3)
    assert "stays closed" in words
    head = json.loads(running.read_bytes().splitlines()[-1])["hash"]
    code, words = run_verifier(
        over, "--mail", mail, "--head", head.upper(), "--phrase", "grüner Tee 🍵"
    )
    assert (code, words.count("holds:")) == (0, 5)
    assert "fixed before the phrases came" in words


@pytest.mark.parametrize("language", ["en", "de"])
def test_mails_of_every_language_and_kind(table: Table, tmp_path: Path, language: str) -> None:
    """An answer, a turn and a daily message contain the fingerprint."""
    first, second = table.started(2, seed=1), table.started(2, seed=2)
    table.answer(0, f"language {language}")
    answer = table.ask(0, "digest 8")
    table.wait(days=1)
    daily = next(mail for mail in table.mails_to(0) if f"[{first.id}]" in mail.words)
    for mail, game in [(answer, second), (daily, first), (daily, second)]:
        file, mailed = tmp_path / game.id, tmp_path / "mail.eml"
        file.write_bytes(table.export(game.id))
        mailed.write_bytes(mail.raw)
        code, words = run_in_process(file, "--mail", mailed)
        assert (code, "1 fingerprints out of mails are in this log" in words) == (0, True)
        mailed.write_bytes(re.sub(rb"[0-9a-f]{64}", b"0" * 64, mail.raw))
        assert "not the log that was mailed" in run_in_process(file, "--mail", mailed)[1]


@pytest.mark.parametrize("number", [0, 1])
def test_a_shuffle_of_other_cards(table: Table, tmp_path: Path, number: int) -> None:
    """It follows from secret and phrases, and yet a dealer put the pack in order beforehand."""
    game = table.started(2, ruleset="phalanx", max_battles=1)
    game = table.skip(game, 60)
    assert game.is_over
    lines = [json.loads(line) for line in table.export(game.id).splitlines()]
    seed = game_seed(bytes.fromhex(game.server_secret), ["", ""])
    stacked = next(line for line in lines if line.get("shuffle") == number)
    file = tmp_path / "over"
    new = stacked["before"]
    expected = {0: [0, 1, 1, 1], 1: [0, 1, 1, 0]}[number]
    for before, code in zip((new, new[::-1], [*new, "Ac"], new[1:]), expected, strict=True):
        stacked |= {"before": before, "after": list(shuffle(before, seed, number))}
        file.write_bytes(b"".join(canonical_json(line) + b"\n" for line in lines))
        exit_code, words = run_in_process(file)
        assert (exit_code, f"shuffle {number} is not of a new pack" in words) == (code, code == 1)


def test_what_is_not_in_the_log(files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    """Reject a wrong fingerprint, an unknown phrase, an unrelated message and a missing file."""
    _, over, _ = files
    for arguments, complaint in [
        (("--head", "0" * 64), "not the log that was mailed"),
        (("--phrase", "black tea"), "no seat gave the phrase"),
    ]:
        code, words = run_in_process(over, *arguments)
        assert code == 1
        assert complaint in words
    other = tmp_path / "other.eml"
    other.write_bytes(b"Subject: hello\n\nNo game at all.\n")
    assert run_in_process(over, "--mail", other)[0] == 1
    assert run_in_process(over, "--mail", tmp_path / "none")[0] == 2


def test_it_knows_the_words_to_say_aloud() -> None:
    assert tuple(load_verifier().ALOUD) == spoken_hash.WORDS


def test_it_knows_the_words_of_the_log() -> None:
    """Additional words are harmless. A missing word would refuse an honest log."""
    verifier = load_verifier()
    closed = {
        (name, field): words
        for name, kind in EVENT_TYPES.items()
        for field, words in closed_words(kind).items()
    }
    assert closed.keys() == verifier.CLOSED.keys()
    for place, words in closed.items():
        assert set(words) <= set(verifier.CLOSED[place])


# --- hostile files ----------------------------------------------------------------------------------

WORD = "x" * 1_000_000
LONG = {
    "letters": WORD,
    "blanks": "event 1; of it:" + " " * 1_000_000,
    "brackets": "acorn actor album alley amber anchor (" + "(" * 1_000_000,
    "game ids": "1 x GAME " * 70_000,
}


@pytest.mark.parametrize("what", LONG)
def test_a_long_word_takes_no_longer_than_others(files: tuple[Path, Path, Path], what: str) -> None:
    """Check a message of 1 MB within seconds, with the long word in its text or headers."""
    running, _, mail = files
    game_id = json.loads(running.read_bytes().splitlines()[0])["game_id"]
    text = LONG[what].replace("GAME", game_id)
    head, _, _ = mail.read_bytes().partition(b"\n\n")
    head = re.sub(rb"(?m)^Content-T.*\n(?:[ \t].*\n)*", b"", head)
    folder = mail.parent / "mails"
    folder.mkdir()
    one_line = " ".join(text.split()).encode()
    for number, hostile in enumerate(
        [
            head + b"\n\n" + text.encode() + b"\n",
            re.sub(rb"(?m)^To: .*$", b"To: " + one_line, head) + b"\n\nHello\n",
            b"X-Long: " + one_line + b"\n" + head + b"\n\nHello\n",
        ]
    ):
        (folder / f"{number}.eml").write_bytes(
            hostile.replace(b"Message-ID: <", b"Message-ID: <%d" % number)
        )
        begun = time.perf_counter()
        run_in_process(running, "--mail", folder / f"{number}.eml")
        assert time.perf_counter() - begun < 5
    begun = time.perf_counter()
    run_in_process(running, "--mails", folder)
    assert time.perf_counter() - begun < 8


def test_mails_that_are_damaged(files: tuple[Path, Path, Path]) -> None:
    """Parts in parts without an end, no text at all, bytes that are no text: a verdict, no traceback."""
    running, _, mail = files
    folder = mail.parent / "mails"
    folder.mkdir()
    parts = "".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(3000)
    )
    for name, raw in {
        "parts": parts.encode(),
        "none": b"",
        "bytes": bytes(range(256)) * 99,
        "encoded": b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n\xff=\xff\n",
        "no type": b"Content-Type: ;;;=\xff\n\n\xff\n",
        "head": b"PBEM-Chain-Head: \xff\xfe\n\nx\n",
    }.items():
        (folder / "hostile.eml").write_bytes(raw)
        assert run_in_process(running, "--mail", folder / "hostile.eml")[0] == 1, name
        assert run_in_process(running, "--mails", folder)[0] == 1, name


def test_no_sign_of_a_file_controls_the_terminal(files: tuple[Path, Path, Path]) -> None:
    running, _, mail = files
    folder = mail.parent / "mails"
    folder.mkdir()
    (folder / "\x1b[2J\u202eevil.eml").write_bytes(b"PBEM-Chain-Head: 7\n\nx\n")
    code, words = run_in_process(running, "--mails", folder)
    assert code == 1
    assert "evil.eml" in words
    assert "\x1b" not in words
    assert "\u202e" not in words
