"""Test that verify.py, `pbem verify` and `pbem import` agree about tampered exports."""

from __future__ import annotations

import json
import operator
import time
from collections.abc import Callable
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest

from engine.canonical import canonical_json
from engine.shuffle import game_seed, shuffle
from pbem.domain.log.events import EVENT_TYPES, secret_fields
from pbem.domain.log.motion_events import TERMS
from pbem.domain.table.fold import ROWS
from pbem.errors import LogError
from pbem.service.logbook import importing
from pbem.service.logbook.verify import verify_file
from tests.databases import sqlite_store
from tests.service.conftest import make_table
from tests.service.forging import Change, forged
from tests.service.logbook.hostile import HOSTILE, NOW, of, rich_games
from tests.service.logbook.test_outside_verifier import load_verifier

Tampering = Callable[[bytes], bytes]
DEEP = 100_000
WORD = b"x" * 1_000_000


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return rich_games(tmp_path_factory.mktemp("rich"), ["phyliss"])["phyliss"]


# --- what somebody who hashes the log anew can write ------------------------------------------------


def rehash(change: Change) -> Tampering:
    return lambda data: forged(data, change)


def repeat_event(kind: str, **values: Any) -> Change:
    """Add an event like the first of a type to the end of the log."""

    def change(events: list[dict[str, Any]]) -> None:
        event = next(event for event in events if event["type"] == kind)
        copy = json.loads(json.dumps(event))
        copy.update(version=len(events) + 1, recorded_at=events[-1]["recorded_at"], **values)
        events.append(copy)

    return change


def drop_field(field: str) -> Change:
    def change(events: list[dict[str, Any]]) -> None:
        del next(event for event in events if event["type"] == "MovePlayed")["public"][field]

    return change


def change_secret(kind: str, **values: Any) -> Change:
    """Change the secret of the first event of a type."""

    def change(events: list[dict[str, Any]]) -> None:
        event = next(event for event in events if event["type"] == kind)
        event["secret"]["payload"].update(values)

    return change


def nest(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value}
    return value


HASHED: dict[str, Change] = HOSTILE | {
    "true as a seat": of("PhraseGiven", seat=False),
    "true as a ply": of("MovePlayed", ply=True),
    "true as a version of the rules": of("GameCreated", ruleset_version=True),
    "true as a version of the schema": of("MovePlayed", schema_version=True),
    "a number as a flag": of("VoteCast", is_for=1),
    "a number as a text": of("MovePlayed", move=7),
    "a text as a list": of("DeadlineSet", seats="0"),
    "an unknown field": of("MovePlayed", public={"seat": 0, "note": "<b>"}),
    "an unknown hidden field": change_secret("MovePlayed", note="x"),
    "a missing field": drop_field("source"),
    "a field of a later version that says nothing": of("GameCreated", package=""),
    "a number out of range": of("MovePlayed", ply=2**31),
    "a day in the year 1": of("VacationTaken", last="0001-01-01"),
    "no day": of("VacationTaken", last="2026-13-41"),
    "no instant": of("MovePlayed", recorded_at="2026-99-99T99:99:99.000000Z"),
    "digits of another script": of("MovePlayed", recorded_at="٢٠٢٦-11-21T12:00:00.000000Z"),
    "a move of two lines": of("MovePlayed", move="pickup\nresign"),
    "a hidden digest": change_secret("MovePlayed", digest="no hash"),
    "an event after the end": repeat_event("MovePlayed"),
    "a deadline after the end": repeat_event("DeadlineSet"),
    "two ends": repeat_event("GameStopped"),
    "a second creation": repeat_event("GameCreated"),
    "instructions as a ruleset": of("GameCreated", ruleset="phyliss; run pip install evil"),
    "instructions as a package": of("GameCreated", package="run pip install evil"),
    "instructions as both": of(
        "GameCreated", ruleset="x; pip install y", package="pip-install-y==1"
    ),
    "instructions as a type": of("MovePlayed", type="run pip install evil"),
    "instructions as a field": of("MovePlayed", public={"run pip install evil": 1}),
    "instructions as a word": of("MovePlayed", source="run pip install evil"),
    "instructions as an actor": of("MovePlayed", actor="run pip install evil"),
    "a long word as a type": of("MovePlayed", type=WORD.decode()),
    "a long word as a move": of("MovePlayed", move=WORD.decode()),
    "a long word as a ruleset": of("GameCreated", ruleset=WORD.decode()),
    "a long word as a field": of("MovePlayed", public={WORD.decode(): 1}),
    "the clock as an admin": of("ReasonGiven", actor="clock"),
    "an admin as the service": of("DeadlineSet", actor="admin:local"),
    "another secret at the end": of("GameStopped", server_secret="22" * 32),
    "another secret from the beginning": change_secret("GameCreated", server_secret="22" * 32),
    "another phrase": change_secret("PhraseGiven", phrase="black coffee"),
    "a phrase of whoever runs the server": of("GameCreated", operator_seats=[0]),
    "no end": lambda events: events.pop(),
}


# --- what is damaged without being hashed anew ------------------------------------------------------


def change_header(**values: Any) -> Tampering:
    def change(data: bytes) -> bytes:
        first, rest = data.split(b"\n", 1)
        return canonical_json(json.loads(first) | values) + b"\n" + rest

    return change


def edited(edit: Callable[[list[bytes]], object]) -> Tampering:
    """Return a tampering that edits the list of lines."""

    def change(data: bytes) -> bytes:
        lines = data.split(b"\n")
        edit(lines)
        return b"\n".join(lines)

    return change


def replace_line(number: int, new: bytes) -> Tampering:
    return edited(lambda lines: operator.setitem(lines, number, new))


def replace_bytes(old: bytes, new: bytes) -> Tampering:
    def change(data: bytes) -> bytes:
        assert old in data
        return data.replace(old, new, 1)

    return change


def change_field(number: int, name: str, value: Any) -> Tampering:
    """Change a field of a line, and nothing else."""

    def edit(lines: list[bytes]) -> None:
        lines[number] = canonical_json(json.loads(lines[number]) | {name: value})

    return edited(edit)


def exchange_cards(side: str) -> Tampering:
    """Exchange two cards of the last shuffle."""

    def edit(lines: list[bytes]) -> None:
        shuffled = json.loads(lines[-2])
        shuffled[side][:2] = shuffled[side][1::-1]
        lines[-2] = canonical_json(shuffled)

    return edited(edit)


def remove_secret(lines: list[bytes]) -> None:
    event = json.loads(lines[2])
    del event["secret"]
    lines[2] = canonical_json(event)


RAW: dict[str, Tampering] = {
    "empty": lambda _: b"",
    "a line end": lambda _: b"\n",
    "cut off in a line": lambda data: data[: len(data) // 2],
    "cut off after a line": lambda data: data[: data.rindex(b"\n", 0, len(data) // 2) + 1],
    "only the header": lambda data: data[: data.index(b"\n") + 1],
    "no line end": lambda data: data[:-1],
    "a line end more": lambda data: data + b"\n",
    "line ends of Windows": lambda data: data.replace(b"\n", b"\r\n"),
    "an event is missing": edited(lambda lines: lines.pop(3)),
    "an event twice": edited(lambda lines: lines.insert(3, lines[3])),
    "two events exchanged": edited(lambda lines: lines.insert(3, lines.pop(4))),
    "a shuffle is missing": edited(lambda lines: lines.pop(-2)),
    "other cards before a shuffle": exchange_cards("before"),
    "other cards after a shuffle": exchange_cards("after"),
    "another move": replace_bytes(b'"type":"MovePlayed"', b'"type":"MovePlayee"'),
    "another instant": replace_bytes(b'"recorded_at":"2026', b'"recorded_at":"2025'),
    "another game": lambda data: data.replace(b'"prev_hash":"', b'"prev_hash":"0', 1),
    "deep lists": replace_line(1, b"[" * DEEP),
    "deep lists that end": replace_line(1, b"[" * DEEP + b"]" * DEEP),
    "deep objects": replace_line(1, b'{"a":' * DEEP + b"1" + b"}" * DEEP),
    "a deep header": replace_line(0, b"[" * DEEP + b"]" * DEEP),
    "deep lists in an event": replace_bytes(
        b'"public":{', b'"public":{"a":' + b"[" * DEEP + b"]" * DEEP
    ),
    "65 levels": replace_bytes(b'"public":{', b'"public":{"a":' + b"[" * 63 + b"]" * 63 + b","),
    "NaN": replace_bytes(b'"ply":1', b'"ply":NaN'),
    "infinity": replace_bytes(b'"ply":1', b'"ply":-Infinity'),
    "a fraction": replace_bytes(b'"ply":1', b'"ply":1.0'),
    "an exponent": replace_bytes(b'"ply":1', b'"ply":1e400'),
    "a huge number": replace_bytes(b'"ply":1', b'"ply":1' + b"0" * 100_000),
    "a number beyond 2^53": replace_bytes(b'"ply":1', b'"ply":9007199254740993'),
    "the same key twice": replace_bytes(b'"ply":1', b'"ply":1,"ply":1'),
    "a blank": replace_bytes(b'"ply":1', b'"ply": 1'),
    "not UTF-8": replace_bytes(b'"ply":1', b'"ply":"\xff\xfe"'),
    "UTF-16": lambda data: data.decode().encode("utf-16"),
    "a byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "half a character": replace_bytes(b'"ply":1', b'"ply":"\\ud800"'),
    "NUL": replace_bytes(b'"ply":1', b'"ply":\x00'),
    "no JSON": lambda _: b"\x89PNG\r\n\x1a\n\n",
    "a long word": lambda _: WORD + b"\n",
    "a long word in an event": replace_bytes(b'"type":"MovePlayed"', b'"type":"' + WORD + b'"'),
    "a list as a line": replace_line(1, b"[]"),
    "an empty line": replace_line(1, b""),
    "another format": change_header(format="pbem-league"),
    "another version of the format": change_header(format_version=2),
    "true as a version of the format": change_header(format_version=True),
    "a list as a version of the format": change_header(format_version=[]),
    "true as a number of events": change_header(events=True),
    "one event more": change_header(events=2**40),
    "another head": change_header(head="0" * 64),
    "no head": change_header(head=None),
    "a number as an id": change_header(game_id=1234567890),
    "it says that it runs": change_header(complete=False),
    "it says 1 for true": change_header(complete=1),
    "an unknown field in the header": change_header(note="x"),
    "true as a version": change_field(1, "version", True),
    "an unknown field beside an event": change_field(2, "note", "x"),
    "no secret": edited(remove_secret),
    "a list as a secret": change_field(2, "secret", []),
    "a secret without salt": change_field(2, "secret", {"payload": {}}),
    "a number as a salt": change_field(2, "secret", {"payload": {}, "salt": 7}),
    "a number as a hash": change_field(2, "hash", 7),
    "true as a number of a shuffle": change_field(-2, "shuffle", False),
    "a huge number of a shuffle": change_field(-2, "shuffle", 2**40),
    "a fraction of a shuffle": replace_bytes(b'"shuffle":0', b'"shuffle":0.0'),
    "numbers as cards": change_field(-2, "before", [1, 2]),
    "lists as cards": change_field(-2, "after", [["Ac"]]),
    "an unknown field beside a shuffle": change_field(-2, "note", "x"),
    "a shuffle before an event": edited(lambda lines: lines.insert(2, lines[-2])),
}

TAMPERED: dict[str, Tampering] = {name: rehash(change) for name, change in HASHED.items()} | RAW


def with_a_shuffle(data: bytes) -> bytes:
    """Add a shuffle that follows from the secret but did not happen in the game."""
    lines = [json.loads(line) for line in data.splitlines()]
    created, last = lines[1], lines[-1]
    started = next(line for line in lines if line.get("type") == "GameStarted")
    secret = bytes.fromhex(created["secret"]["payload"]["server_secret"])
    number = last["shuffle"] + 1
    after = shuffle(
        last["before"], game_seed(secret, started["secret"]["payload"]["phrases"]), number
    )
    more = {"shuffle": number, "before": last["before"], "after": list(after)}
    return data + canonical_json(more) + b"\n"


NEED_RULES: dict[str, Tampering] = {
    **{
        name: rehash(HOSTILE[name])
        for name in ("no such game", "move in other words", "late before the deadline")
    },
    "instructions as a move": rehash(of("MovePlayed", move="run pip install evil")),
    "instructions as a package": rehash(
        of("GameCreated", ruleset="poker", package="pip-install-evil==1.0")
    ),
    "options that the game does not have": rehash(
        of("GameCreated", options={"run pip install evil": 1})
    ),
    "a clock that there is not": rehash(of("GameCreated", timing=nest(61))),
    "an illegal move": rehash(of("MovePlayed", move="Ac Ad Ah As")),
    "another ply": rehash(of("MovePlayed", ply=7)),
    "a shuffle more": with_a_shuffle,
    "a shuffle twice, after moves were taken back": lambda data: (
        data + data.splitlines(keepends=True)[-1]
    ),
}
"""What only the rules of a game tell."""


def by_file(data: bytes, _folder: Path) -> None:
    verify_file(data, now=NOW)


def by_import(data: bytes, folder: Path) -> None:
    with sqlite_store(folder) as store:
        table = make_table(store)
        table.clock.instant = NOW
        importing.take_in(table.service, data)


def by_script(data: bytes, _folder: Path) -> None:
    try:
        said = list(load_verifier().check(data, now=NOW))
    except load_verifier().VerifyError as error:
        raise LogError(str(error)) from None
    assert any(label == "unchecked" for label, _ in said)


VERIFIERS = {"verify.py": by_script, "pbem verify": by_file, "pbem import": by_import}


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_an_honest_log_holds(data: bytes, tmp_path: Path, verifier: str) -> None:
    assert VERIFIERS[verifier](data, tmp_path) is None


VERDICTS = [
    (what, verifier) for what in TAMPERED.keys() - NEED_RULES.keys() for verifier in VERIFIERS
]
VERDICTS += [
    (what, verifier) for what in NEED_RULES for verifier in VERIFIERS if verifier != "verify.py"
]


@pytest.mark.rule("GEN-3", "GEN-4")
@pytest.mark.parametrize(("what", "verifier"), sorted(VERDICTS))
def test_the_same_verdict(data: bytes, tmp_path: Path, what: str, verifier: str) -> None:
    """Refused in a second or two, in words that repeat nothing long and no instruction of the file."""
    tampered = (TAMPERED | NEED_RULES)[what](data)
    assert tampered != data
    begun = time.perf_counter()
    with pytest.raises(LogError) as caught:
        VERIFIERS[verifier](tampered, tmp_path)
    assert time.perf_counter() - begun < 5
    assert 0 < len(str(caught.value)) < 200
    assert "pip" not in str(caught.value)
    assert "install" not in str(caught.value)


@pytest.mark.parametrize("what", sorted(NEED_RULES))
def test_what_needs_the_rules_is_said_to_be_unchecked(data: bytes, what: str) -> None:
    said = list(load_verifier().check(NEED_RULES[what](data), now=NOW))
    (sentence,) = [
        sentence for label, sentence in said if label == "unchecked" and "pbem verify" in sentence
    ]
    assert "moves are legal" in sentence
    assert "how many shuffles" in sentence


def test_a_pack_that_is_not_known_is_said_to_be_unchecked(data: bytes) -> None:
    said = list(load_verifier().check(forged(data, of("GameCreated", ruleset="poker")), now=NOW))
    assert any("a new pack of poker/1" in sentence for _, sentence in said)
    assert not any("new pack" in sentence for _, sentence in load_verifier().check(data, now=NOW))


def test_more_shuffles_again_than_moves_taken_back(data: bytes) -> None:
    twice = data.splitlines(keepends=True)[-1] * 2
    with pytest.raises(load_verifier().VerifyError, match="a shuffle"):
        list(load_verifier().check(data + twice, now=NOW))


# --- the tables of verify.py are those of the program -----------------------------------------------


def test_it_knows_the_fields_of_every_event() -> None:
    for name, event in EVENT_TYPES.items():
        hidden = set(secret_fields(event))
        shown = {
            field.name if field.default is MISSING else f"{field.name}?"
            for field in fields(event)
            if field.name not in hidden
        }
        assert [set(part) for part in load_verifier().TYPES[name]] == [shown, hidden]
    assert set(load_verifier().TYPES) == set(EVENT_TYPES)


def test_it_knows_when_an_event_can_happen() -> None:
    verifier = load_verifier()
    for event, row in ROWS.items():
        name = event.__name__
        is_early, is_late = "inviting" in row.during, "running" in row.during
        assert (name in verifier.EITHER) is (is_early and is_late), name
        assert (name in verifier.INVITING) is (is_early and not is_late), name
        assert (name in verifier.TALK) is ("finished" in row.during), name


def test_it_knows_the_terms_of_motions() -> None:
    assert {name: set(terms) for name, terms in load_verifier().TERMS.items()} == {
        name: set(terms) for name, terms in TERMS.items()
    }
