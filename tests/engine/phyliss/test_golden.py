"""Whole games, the order of moves and counts of sequences, as files to be read and reviewed.

Shipped rules never change (GEN-1), so these files do not either. `pytest --rewrite-golden` writes
them anew from what the code does; only for a new version of the rules, or before the first release.
"""

import json
from pathlib import Path

import pytest

from engine.cards import PACK
from engine.replay import log_from_json, replay
from engine.shuffle import shuffle
from tests.engine.phyliss.reference import Table
from tests.engine.phyliss.tables import RULES, orders_of, setup
from tests.engine.phyliss.transcript import transcript

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden"
GAMES = sorted(GOLDEN.glob("phyliss-*.json"))


def log_of(path):
    return log_from_json(json.loads(path.read_text("utf-8")))


def compare(path, text, rewrite):
    if rewrite:
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def test_there_are_golden_games_in_which_everything_happens():
    """Every kind of fact that can be told occurs in one of them."""
    assert len(GAMES) >= 3
    kinds, reasons, sources = set(), set(), set()
    for path in GAMES:
        log = log_of(path)
        sources |= {getattr(entry, "source", None) for entry in log.entries}
        for step in replay(log.ruleset, log.setup, log.entries):
            kinds |= {fact.kind for fact in step.facts}
            reasons |= {fact.data["reason"] for fact in step.facts if fact.kind == "destroyed"}
    assert kinds == {
        "dealt", "played", "god", "flipped", "destroyed", "picked_up", "drew", "goes_again",
        "dropped_out", "resigned", "deal_over", "stopped", "game_over",
    }  # fmt: skip
    assert reasons == {"tens", "three"}
    assert len(sources) == 4


@pytest.mark.rule("GEN-1", "PHY-23", "PHY-24")
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


def sequences(state, depth):
    """Number of sequences of `depth` moves from a state."""
    if depth == 0:
        return 1
    seats = RULES.to_act(state)
    return sum(
        sequences(RULES.apply(state, seat, move).state, depth - 1)
        for seat in seats
        for move in RULES.legal_moves(state, seat)
    )


def reference_sequences(table, moves, depth):
    """The same with the second implementation, which cannot go back: replay from the deal."""
    if depth == 0:
        return 1
    now = table()
    for move in moves:
        now.play(move)
    return sum(reference_sequences(table, (*moves, move), depth - 1) for move in now.moves())


@pytest.mark.rule("GEN-1", "PHY-8")
def test_counts_of_move_sequences():
    """From fixed deals, as written in perft.txt; the shallow ones also by the second engine."""
    lines = (HERE / "perft.txt").read_text("utf-8").splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    assert len(rows) >= 3
    for players, dealer, digits, *counts in rows:
        given = setup(int(players), dealer=int(dealer))
        seed = bytes.fromhex(digits)
        state = RULES.start(type(given)(given.players, seed, given.options)).state
        pack = shuffle(PACK, seed, 0)

        def table(pack=pack, players=players, dealer=dealer):
            return Table(pack, int(players), int(dealer))

        for depth, count in enumerate(counts, start=1):
            assert sequences(state, depth) == int(count)
            if depth <= 4:
                assert reference_sequences(table, (), depth) == int(count)
