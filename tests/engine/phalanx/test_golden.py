"""Whole games and the order of moves, as files to be read and reviewed.

Shipped rules never change (GEN-1), so these files do not either. `pytest --rewrite-golden` writes
them anew from what the code does; only for a new version of the rules, or before the first release.
"""

import json
from pathlib import Path

import pytest

from engine.replay import log_from_json, replay
from tests.engine.phalanx.tables import texts
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


def test_there_are_golden_games():
    """Three, one of them for chips."""
    assert len(GAMES) == 3
    assert any(log_of(path).setup.options["stakes"] == "zones" for path in GAMES)


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
