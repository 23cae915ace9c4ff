"""Whole games of every ruleset, the order of moves and counts of sequences, as files to be read and reviewed.

Shipped rules never change (GEN-1), so these files do not either. `pytest --rewrite-golden` writes
them anew from what the code does; only for a new version of the rules, or before the first release.
"""

import json
from pathlib import Path

import pytest

from engine import registry
from engine.api import Setup
from engine.replay import log_from_json, replay
from tests.engine.transcript import transcript

GOLDEN = Path(__file__).parent / "golden"
LOGS = {
    path: log_from_json(json.loads(path.read_text("utf-8")))
    for path in sorted(GOLDEN.glob("*.json"))
}
PERFT = [
    line.split("\t")
    for line in (GOLDEN / "perft.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
KINDS = {
    "cathedral": "chosen choices_made cleared dealt deal_over drew game_over goes_again kept picked_up"
    " played resigned stopped took_reserve",
    "phalanx": "anted battle_over bet checked chosen dealt eliminated game_over left_behind passed"
    " played resigned resolved revealed stopped turned_down window_closed window_opened",
    "phase10": "deal_over dealt discarded drew floated game_over hit laid resigned restocked skipped"
    " stopped tie_break took went_out",
    "phyliss": "deal_over dealt destroyed drew dropped_out flipped game_over god goes_again picked_up"
    " played resigned stopped",
}
"""Game -> the kinds of facts that its golden games tell."""
OPTIONS = {
    "phalanx": {
        "tie": {"back", "spoils", "swap"},
        "aces": {2, 4, 10, "highest"},
        "stakes": {"cards", "zones", "per_card"},
        "ante": {0, 2},
    },
    "phase10": {
        "even_only": {True, False},
        "ten_hands": {True, False},
        "deck": {"phase10", "standard"},
        "naturals": {None, "phase"},
    },
}
"""Game -> values of options that golden games are played with."""


def compare(path, text, rewrite):
    if rewrite:
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def of_game(game):
    return [log for path, log in LOGS.items() if path.stem.startswith(game)]


@pytest.mark.rule("PLX-V1", "PLX-V2", "PLX-V3", "PLX-V4", "PLX-V6", "PLX-V7")
@pytest.mark.parametrize("game", KINDS)
def test_everything_that_is_told_happens_in_a_golden_game(game):
    """Three games or more, with the variants, each kind of fact, source and reason."""
    logs = of_game(game)
    steps = [step for log in logs for step in replay(log.ruleset, log.setup, log.entries)]
    facts = [fact for step in steps for fact in step.facts]
    assert len(logs) >= 3
    assert {fact.kind for fact in facts} == set(KINDS[game].split())
    reasons = {fact.data.get("reason") for fact in facts if fact.kind in ("cleared", "destroyed")}
    assert reasons == {"cathedral": {"tens", "four"}, "phyliss": {"tens", "three"}}.get(game, set())
    for name, values in OPTIONS.get(game, {}).items():
        assert {log.setup.options.get(name) for log in logs} >= values
    tied = {log.setup.options["tie"] for log in logs for step in replay(log.ruleset, log.setup, log.entries)
            for fact in step.facts if fact.kind == "resolved" and fact.data["tied"]}  # fmt: skip
    assert tied == ({"back", "spoils", "swap"} if game == "phalanx" else set())


@pytest.mark.rule(
    "GEN-1", "CAT-15", "CAT-16", "PLX-2", "PLX-20", "PLX-23", "PLX-24", "PLX-V5", "P10-17", "P10-25",
    "P10-V4", "PHY-23", "PHY-24",
)  # fmt: skip
@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_golden_games_replay_word_for_word(path, rewrite_golden):
    """Every fact, every card, and the digest at the end."""
    compare(path.with_suffix(".txt"), transcript(LOGS[path]), rewrite_golden)


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize("game", KINDS)
def test_the_order_of_legal_moves(game, rewrite_golden):
    """In every position of the golden games; list numbers in mails depend on it."""
    lines = []
    for path, log in LOGS.items():
        if not path.stem.startswith(game):
            continue
        rules = log.ruleset
        for number, step in enumerate(replay(rules, log.setup, log.entries)):
            for seat in rules.to_act(step.state):
                moves = rules.legal_moves(step.state, seat)
                orders = [rules.format_move(step.state, seat, move) for move in moves]
                lines.append(f"{path.stem} {number}, seat {seat}: {' | '.join(orders)}")
    compare(GOLDEN / f"{game}-move-order.txt", "\n".join(lines) + "\n", rewrite_golden)


def sequences(rules, state, depth):
    """Count the ways to go on for so many moves, the lowest seat to act first."""
    to_act = rules.to_act(state)
    if not to_act:
        return 0
    moves = list(rules.legal_moves(state, to_act[0]))
    if depth == 1:
        return len(moves)
    return sum(sequences(rules, rules.apply(state, to_act[0], m).state, depth - 1) for m in moves)


@pytest.mark.rule(
    "GEN-1", "CAT-2", "CAT-6", "PLX-7", "PLX-11", "PLX-13", "PLX-V5", "P10-6", "P10-12", "P10-15",
    "P10-19", "PHY-8",
)  # fmt: skip
@pytest.mark.parametrize("row", PERFT, ids=lambda row: " ".join(row[:3]))
def test_counts_of_move_sequences(row):
    """From positions some listed moves after a deal, as written in perft.tsv."""
    name, players, made, seed, options, *counts = row
    rules = registry.find(name, 1)
    checked = rules.check_options(int(players), json.loads(options))
    state = rules.start(Setup(int(players), bytes.fromhex(seed), checked)).state
    for _ in range(int(made)):
        seat = rules.to_act(state)[0]
        state = rules.apply(state, seat, next(iter(rules.legal_moves(state, seat)))).state
    for depth, count in enumerate(counts, start=1):
        assert sequences(rules, state, depth) == int(count)
