"""Whole games, the order of moves and a conversation, as files to be read and reviewed.

Shipped rules never change (GEN-1), so these files do not either. `pytest --rewrite-golden` writes
them anew from what the code does; only for a new version of the rules, or before the first release.
"""

import json
from pathlib import Path

import pytest

from engine.cards import PACK
from engine.protocol import Conversation
from engine.replay import log_from_json, replay
from engine.shuffle import shuffle
from tests.engine.cathedral.reference import Table
from tests.engine.cathedral.tables import RULES, orders_of, setup
from tests.engine.cathedral.transcript import transcript

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden"
GAMES = sorted(GOLDEN.glob("cathedral-*.json"))


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
            reasons |= {fact.data["reason"] for fact in step.facts if fact.kind == "cleared"}
    assert kinds == {
        "dealt", "chosen", "kept", "choices_made", "played", "cleared", "drew", "took_reserve",
        "picked_up", "goes_again", "resigned", "deal_over", "stopped", "game_over",
    }  # fmt: skip
    assert reasons == {"tens", "four"}
    assert len(sources) == 4


@pytest.mark.rule("GEN-1", "CAT-15", "CAT-16")
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
            lines += [
                f"{path.stem} {number}, seat {seat}: {', '.join(orders_of(step.state, seat))}"
                for seat in RULES.to_act(step.state)
            ]
    compare(HERE / "move_order.txt", "\n".join(lines) + "\n", rewrite_golden)


@pytest.mark.rule("GEN-1", "GEN-6")
def test_a_conversation_in_the_engine_protocol(rewrite_golden):
    """Every `>` line of conversation.txt gets the `<` line below it."""
    path = HERE / "conversation.txt"
    conversation = Conversation()
    lines = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("> "):
            answer = conversation.answer_line(line[2:].encode()).decode().rstrip("\n")
            lines += [line, f"< {answer}"]
        elif not line.startswith("< "):
            lines.append(line)
    assert len(lines) >= 20
    compare(path, "\n".join(lines) + "\n", rewrite_golden)


def sequences(state, depth):
    """Number of sequences of `depth` moves from a state, the lowest seat choosing first."""
    if depth == 0:
        return 1
    seat = RULES.to_act(state)[0]
    return sum(
        sequences(RULES.apply(state, seat, move).state, depth - 1)
        for move in RULES.legal_moves(state, seat)
    )


def reference_sequences(table, moves, depth):
    """The same with the second implementation, which cannot go back: replay from the deal."""
    if depth == 0:
        return 1
    now = table()
    for seat, move in moves:
        now.play(seat, move)
    seat = now.waiting()[0]
    return sum(
        reference_sequences(table, (*moves, (seat, move)), depth - 1) for move in now.moves(seat)
    )


@pytest.mark.rule("GEN-1", "CAT-2", "CAT-6")
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
            if depth <= 3:
                assert reference_sequences(table, (), depth) == int(count)
