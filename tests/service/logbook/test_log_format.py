"""Test that the numbers and steps of docs/dev/log-format.md give the documented digests."""

from __future__ import annotations

import hashlib
import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from engine import registry
from engine.canonical import canonical_json
from engine.protocol import Conversation
from engine.shuffle import commitment, game_seed, random_words, shuffle
from pbem.domain.log.chain import GENESIS, GameId, NewEvent, Secret, chain
from pbem.domain.log.events import EVENT_TYPES, closed_words
from pbem.service.admin import acts
from pbem.service.logbook.exports import export_lines
from tests.service.conftest import Table

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "dev" / "log-format.md").read_text(encoding="utf-8")
GAMES = {
    "phyliss": {},
    "cathedral": {},
    "phalanx": {"max_battles": 1},
    "phase10": {"phases_to_win": 1},
    "phase10-family": {"phases_to_win": 1},
}
RULES_SOURCE = {"forced": "forced", "standby": "standby"}
"""The log's `source` in the words of the rules; any other is `chosen`."""


def read_pack(ruleset: str) -> list[str]:
    """Return the pack that the page lists, bottom to top."""
    (row,) = re.findall(rf"^\| [^|\n]*`{ruleset}`[^|\n]* \| `([^`]+)` \|", PAGE, re.MULTILINE)
    cards: list[str] = []
    for word in row.split():
        card, _, times = word.partition("×")
        cards += [card] * int(times or 1)
    return cards


def test_the_packs_of_every_ruleset() -> None:
    """The page, docs/verify.py and the rules mean the same list."""
    known = runpy.run_path(str(DOCS / "verify.py"))["PACKS"]
    assert known == {name: read_pack(name) for name in registry.names()}


def test_the_closed_sets_of_words() -> None:
    """The page lists the words that `pbem verify` takes, of every field."""
    block = PAGE.split("**Words.**")[1].split("**Values.**")[0]
    told = {
        tuple(re.findall(r"`([^`]+)`", f"{kind.split(',')[0]} {field}")): re.findall(
            r"`([^`]+)`", words
        )
        for kind, field, words in re.findall(
            r"^\| (`.*?) \| (.*?) \| (.*) \|$", block, re.MULTILINE
        )
    }
    known = {
        (kind.__name__, field): list(words)
        for kind in EVENT_TYPES.values()
        for field, words in closed_words(kind).items()
    }
    assert told == known


def test_the_worked_example() -> None:
    """Every number of it."""
    block = PAGE.split("## A worked example")[1].split("```text\n")[1].split("```")[0]
    told = {}
    for line in block.strip().splitlines():
        name, _, value = line.partition(" = ")
        told[name.strip()] = value.strip()
    secret = bytes.fromhex(told["server secret"])
    phrases = json.loads(told["phrases"])
    seed = game_seed(secret, phrases)
    lengths = b"".join(len(p.encode()).to_bytes(4, "big") + p.encode() for p in phrases)
    words = random_words(seed, 0)
    dealt = shuffle(read_pack("phyliss"), seed, 0)
    payload, public = json.loads(told["payload"]), json.loads(told["public"])
    new = NewEvent(
        "MovePlayed",
        1,
        "seat:0",
        "mail:" + "ab" * 32,
        public,
        Secret(bytes.fromhex(told["salt"]), payload),
    )
    (event,) = chain(GameId("k7q2m3x9ab"), (16, told["prev_hash"]), [new], told["recorded_at"])
    body = {
        "actor": event.actor,
        "cause": event.cause,
        "game_id": event.game_id,
        "prev_hash": event.prev_hash,
        "public": event.public,
        "recorded_at": event.recorded_at,
        "schema_version": 1,
        "secret_commitment": event.secret_commitment,
        "type": event.type,
        "version": event.version,
    }
    assert told == {
        **told,
        "commitment": commitment(secret).hex(),
        "hashed for the seed": (b"pbem-seed-v1" + secret + lengths).hex(),
        "seed": seed.hex(),
        "first words of shuffle 0": " ".join(str(next(words)) for _ in range(9)),
        "top five of shuffle 0": " ".join(dealt[-5:]),
        "payload": canonical_json(payload).decode(),
        "secret_commitment": event.secret_commitment,
        "hashed event": canonical_json(body).decode(),
        "hash": event.hash,
    }
    assert told["prev_hash"] != GENESIS


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_log_followed_through_the_engine_protocol(table: Table, ruleset: str) -> None:
    """The steps of the page give the digests of the protocol's `state`."""
    game = table.started(2, ruleset=ruleset, **GAMES[ruleset])
    game = table.skip(game, 6)
    acts.undo(table.service, game.id, "2", "read wrongly")
    table.skip(table.game(game.id), 5)
    if not table.game(game.id).is_over:
        acts.stop(table.service, game.id, "enough")
    lines = table.read(lambda uow: [json.loads(line) for line in export_lines(uow, game.id)][1:])
    events = [line for line in lines if "hash" in line]
    shuffles = [line for line in lines if "hash" not in line]
    assert follow(events) > 3
    assert shuffles[0]["before"] == read_pack(ruleset)


def follow(events: list[dict[str, Any]]) -> int:
    """Feed a log to the engine as the page describes. Return the number of compared digests."""
    session, compared = Conversation(), 0
    created, logs = events[0], {}

    def ask(**request: Any) -> dict[str, Any]:
        answer = json.loads(session.answer_line(canonical_json(request)))
        assert answer.pop("ok"), answer
        return answer

    for event in events:
        public, secret = event["public"], (event["secret"] or {}).get("payload")
        told = None
        if event["type"] == "GameStarted":
            phrases = secret["phrases"]
            given = created["public"]
            ask(
                op="new",
                ruleset=given["ruleset"],
                version=given["ruleset_version"],
                players=len(given["seats"]),
                seed=game_seed(
                    bytes.fromhex(created["secret"]["payload"]["server_secret"]), phrases
                ).hex(),
                options=given["options"],
            )
            told = secret
        elif event["type"] == "MovePlayed":
            told = {**public, **secret}
        elif event["type"] == "Hidden" and secret:
            told = secret["payload"]
        elif event["type"] in ("SeatResigned", "SeatRemoved"):
            ask(op="resign", seat=public["seat"])
        elif event["type"] == "MovesRetracted":
            ask(op="load", log=logs[public["back_to"]])
        if told is not None:
            if "move" in told:
                source = RULES_SOURCE.get(told["source"], "chosen")
                played = ask(op="play", seat=told["seat"], order=told["move"], source=source)
                assert played["move"] == told["move"]
            assert hashlib.sha256(canonical_json(ask(op="state"))).hexdigest() == told["digest"]
            compared += 1
        if event["version"] >= 2 and compared:
            logs[event["version"]] = ask(op="log")["log"]
        if event["type"] == "GameFinished":
            result = ask(op="result")
            assert {name: result[name] for name in ("ranking", "reason", "scores")} == {
                name: public[name] for name in ("ranking", "reason", "scores")
            }
    return compared
