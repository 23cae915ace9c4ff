"""Conversations in the engine protocol, one per ruleset, for people: docs/dev/transcripts/."""

import json
import re
from pathlib import Path

import pytest

from engine import registry
from engine.protocol import Conversation

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "dev" / "transcripts"
FILES = sorted(FOLDER.glob("*.txt"))
by_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def exchanges(path):
    """Pairs of request and answer of a file."""
    lines = path.read_text("utf-8").splitlines()
    asked = [json.loads(line[2:]) for line in lines if line.startswith("> ")]
    told = [json.loads(line[2:]) for line in lines if line.startswith("< ")]
    assert len(asked) == len(told)
    return list(zip(asked, told, strict=True))


def test_there_is_one_for_every_ruleset():
    """Named after it."""
    assert {path.stem for path in FILES} == set(registry.names())


@pytest.mark.rule("GEN-1")
@by_file
def test_every_answer_is_byte_for_byte_the_one_that_is_shown(path, rewrite_golden):
    """Every `>` line gets the `<` line below it."""
    conversation = Conversation()
    lines = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("> "):
            answer = conversation.answer_line(line[2:].encode()).decode().rstrip("\n")
            lines += [line, f"< {answer}"]
        elif not line.startswith("< "):
            lines.append(line)
    text = "\n".join(lines) + "\n"
    if rewrite_golden:
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


@by_file
def test_it_shows_what_a_programmer_needs(path):
    """The game from its beginning to its result, a refusal that teaches, a view, a standby move."""
    pairs = exchanges(path)
    ops = {request["op"] for request, answer in pairs if answer["ok"]}
    assert ops >= {"new", "legal", "play", "view", "standby", "result", "quit"}
    assert pairs[0][0]["ruleset"] == path.stem
    taught = [answer for _, answer in pairs if not answer["ok"] and answer["candidates"]]
    assert any(answer["rule"] for answer in taught)
    results = [answer for request, answer in pairs if request["op"] == "result"]
    assert results[-1]["over"]


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("phyliss", {"played", "destroyed", "goes_again", "picked_up", "god", "resigned"}),
        ("cathedral", {"chosen", "kept", "choices_made", "cleared", "picked_up", "goes_again"}),
        ("phalanx", {"chosen", "revealed", "bet", "passed", "turned_down", "resolved"}),
        ("phase10", {"took", "laid", "hit", "went_out", "deal_over", "game_over"}),
        ("phase10-family", {"skipped", "floated", "tie_break", "resigned", "game_over"}),
    ],
)
def test_facts_explain_what_is_peculiar_to_the_game(name, kinds):
    """Battles, lay-downs, destroyed piles: told by facts."""
    facts = [
        fact for _, told in exchanges(FOLDER / f"{name}.txt") for fact in told.get("facts", ())
    ]
    assert {fact["kind"] for fact in facts} >= kinds


@by_file
def test_it_can_be_read(path):
    """Short, with explanations of at most 100 columns between the blocks."""
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) <= 150
    prose = [line for line in lines if line and not re.match("[<>] ", line)]
    assert len(prose) >= 6
    assert all(len(line) <= 100 for line in prose)
