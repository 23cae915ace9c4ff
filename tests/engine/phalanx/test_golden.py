"""Whole games and the order of moves, as files to be read and reviewed.

Shipped rules never change (GEN-1), so these files do not either. `pytest --rewrite-golden` writes
them anew from what the code does; only for a new version of the rules, or before the first release.
"""

import json
from pathlib import Path

import pytest

from engine.api import Setup
from engine.replay import log_from_json, replay
from tests.engine.phalanx.tables import RULES, texts
from tests.engine.phalanx.transcript import transcript

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden"
GAMES = sorted(GOLDEN.glob("phalanx-*.json"))


def log_of(path):
    return log_from_json(json.loads(path.read_text("utf-8")))


def compare(path, text, rewrite):
    if rewrite:
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


@pytest.mark.rule("PLX-V1", "PLX-V2", "PLX-V3", "PLX-V4", "PLX-V6", "PLX-V7")
def test_there_are_golden_games_in_which_everything_happens():
    """Every variant is played, tied leads and doubled aces included, and every kind of fact told."""
    kinds, played, tied, counted = set(), set(), set(), set()
    for path in GAMES:
        log = log_of(path)
        options = log.setup.options
        played |= {
            (name, value) for name, value in options.items() if name in {"tie", "aces", "stakes"}
        }
        played |= {name for name in ("ante", "max_battles") if options[name]}
        for step in replay(log.ruleset, log.setup, log.entries):
            kinds |= {fact.kind for fact in step.facts}
            for fact in step.facts:
                if fact.kind == "resolved":
                    tied |= {options["tie"]} if fact.data["tied"] else set()
                    owners = fact.data["owners"]
                    whys = {why for one in owners for card in one["cards"] for why in card["why"]}
                    counted |= {options["aces"]} if "ace" in whys else set()
    assert played >= {
        *(("tie", tie) for tie in ("back", "spoils", "swap")),
        *(("aces", aces) for aces in (2, 4, 10, "highest")),
        *(("stakes", stakes) for stakes in ("cards", "zones", "per_card")),
        "ante",
        "max_battles",
    }
    assert tied == {"back", "spoils", "swap"}
    assert counted >= {"highest"}
    assert kinds == {
        "anted", "eliminated", "dealt", "chosen", "revealed", "window_opened", "bet", "checked",
        "window_closed", "played", "turned_down", "passed", "resolved", "left_behind",
        "battle_over", "resigned", "stopped", "game_over",
    }  # fmt: skip


@pytest.mark.rule("GEN-1", "PLX-2", "PLX-20", "PLX-23", "PLX-24", "PLX-V5")
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_golden_games_replay_word_for_word(path, rewrite_golden):
    """Every fact, every sum, and the digest at the end."""
    compare(path.with_suffix(".txt"), transcript(log_of(path)), rewrite_golden)


@pytest.mark.rule("GEN-9")
def test_the_order_of_legal_moves(rewrite_golden):
    """In every position of the golden games; list numbers in mails depend on it."""
    lines = []
    for path in GAMES:
        log = log_of(path)
        for number, step in enumerate(replay(log.ruleset, log.setup, log.entries)):
            for who in step.state.to_act:
                moves = " | ".join(texts(step.state, who))
                lines.append(f"{path.stem} {number} seat {who}: {moves}")
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


@pytest.mark.rule("GEN-1", "PLX-7", "PLX-11", "PLX-13", "PLX-V5")
def test_counts_of_move_sequences():
    """From fixed positions, as written in perft.txt."""
    lines = (HERE / "perft.txt").read_text("utf-8").splitlines()
    for line in (line for line in lines if not line.startswith("#")):
        players, made, seed, options, *counts = line.split()
        checked = RULES.check_options(int(players), json.loads(options))
        given = Setup(int(players), bytes.fromhex(seed), checked)
        state = after_first_moves(RULES, given, int(made))
        for depth, count in enumerate(counts, start=1):
            assert sequences(RULES, state, depth) == int(count)
