"""Whole games and the order of moves, as files to be read and reviewed.

Shipped rules never change (GEN-1), so these files do not either. `pytest --rewrite-golden` writes
them anew from what the code does; only for a new version of the rules, or before the first release.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from engine.api import Setup
from engine.replay import log_from_json, replay
from tests.engine.phase10.tables import FAMILY, OFFICIAL, orders_of
from tests.engine.phase10.transcript import transcript

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden"
GAMES = sorted(GOLDEN.glob("phase10-*.json"))


def log_of(path):
    return log_from_json(json.loads(path.read_text("utf-8")))


def compare(path, text, rewrite):
    if rewrite:
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def test_there_are_golden_games():
    """Three of each ruleset or more, which show every option and what is rare too."""
    count = Counter(log_of(path).ruleset.id.name for path in GAMES)
    assert min(count[name] for name in ("phase10", "phase10-family")) >= 3
    options = [log_of(path).setup.options for path in GAMES]
    assert {(each["even_only"], each["ten_hands"]) for each in options} >= {
        (False, False),
        (True, False),
        (False, True),
    }
    assert {each["deck"] for each in options} == {"phase10", "standard"}
    assert {each.get("naturals") for each in options} == {None, "phase"}
    told = {
        fact.kind
        for path in GAMES
        for step in replay(log_of(path).ruleset, log_of(path).setup, log_of(path).entries)
        for fact in step.facts
    }
    assert told >= {
        "skipped",
        "restocked",
        "floated",
        "tie_break",
        "resigned",
        "went_out",
        "took",
        "stopped",
    }


@pytest.mark.rule("GEN-1", "P10-17", "P10-25", "P10-V4")
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_golden_games_replay_word_for_word(path, rewrite_golden):
    """Every fact, every card, and the digest at the end."""
    compare(path.with_suffix(".txt"), transcript(log_of(path)), rewrite_golden)


@pytest.mark.rule("GEN-9")
def test_the_order_of_legal_moves(rewrite_golden):
    """In every position of the golden games; list numbers in mails depend on it."""
    lines = []
    for path in GAMES:
        log = log_of(path)
        for number, step in enumerate(replay(log.ruleset, log.setup, log.entries)):
            if step.state.to_act is not None:
                lines.append(f"{path.stem} {number}: {', '.join(orders_of(step.state))}")
    compare(HERE / "move_order.txt", "\n".join(lines) + "\n", rewrite_golden)


def sequences(rules, state, depth: int) -> int:
    """How many ways there are to go on for so many moves."""
    to_act = rules.to_act(state)
    if not to_act:
        return 0
    moves = list(rules.legal_moves(state, to_act[0]))
    if depth == 1:
        return len(moves)
    return sum(sequences(rules, rules.apply(state, to_act[0], m).state, depth - 1) for m in moves)


def after_first_moves(rules, given: Setup, count: int):
    state = rules.start(given).state
    for _ in range(count):
        who = rules.to_act(state)[0]
        state = rules.apply(state, who, next(iter(rules.legal_moves(state, who)))).state
    return state


@pytest.mark.rule("GEN-1", "P10-6", "P10-12", "P10-15", "P10-19")
def test_counts_of_move_sequences():
    """From fixed positions, as written in perft.txt."""
    lines = (HERE / "perft.txt").read_text("utf-8").splitlines()
    for line in (line for line in lines if not line.startswith("#")):
        name, players, made, seed, options, *counts = line.split()
        rules = {"phase10": OFFICIAL, "phase10-family": FAMILY}[name]
        checked = rules.check_options(int(players), json.loads(options))
        given = Setup(int(players), bytes.fromhex(seed), checked)
        state = after_first_moves(rules, given, int(made))
        for depth, count in enumerate(counts, start=1):
            assert sequences(rules, state, depth) == int(count)
