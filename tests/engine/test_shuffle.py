"""Test seeds, commitments and shuffles with known answers and a second implementation."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import shuffle as engine
from tests.engine import reference_shuffle as reference

VECTORS = json.loads((Path(__file__).parent / "vectors" / "shuffle.json").read_text("utf-8"))
SEEDS = st.binary(min_size=32, max_size=32)
NUMBERS = st.integers(0, 2**32 - 1)


@pytest.mark.rule("GEN-1", "GEN-2", "GEN-3", "GEN-13")
@pytest.mark.parametrize("vector", VECTORS["shuffles"])
def test_published_shuffles(vector):
    """The same seed and number shuffle the same list the same way, for ever."""
    items = range(vector["count"])
    assert (
        list(engine.shuffle(items, bytes.fromhex(vector["seed"]), vector["number"]))
        == vector["result"]
    )


@pytest.mark.rule("GEN-3")
@pytest.mark.parametrize("vector", VECTORS["sampler"])
def test_published_draws(vector):
    """Words of the last, incomplete multiple of the bound are rejected."""
    stream = iter(vector["words"])
    assert engine.draw_below(vector["bound"], stream) == vector["drawn"]
    assert len(vector["words"]) - len(list(stream)) == vector["used"]


@pytest.mark.rule("GEN-4")
@pytest.mark.parametrize("vector", VECTORS["phrases"])
def test_published_phrases(vector):
    """NFC, white space joined, ends stripped, 200 code points, the end stripped again."""
    assert engine.normalise_phrase(vector["text"]) == vector["normalised"]


@pytest.mark.rule("GEN-4")
@pytest.mark.parametrize("vector", VECTORS["seeds"])
def test_published_seeds(vector):
    """Secret and phrases in seat order make the seed."""
    seed = engine.game_seed(bytes.fromhex(vector["secret"]), vector["phrases"])
    assert seed.hex() == vector["seed"]


@pytest.mark.rule("GEN-4")
@pytest.mark.parametrize("vector", VECTORS["commitments"])
def test_published_commitments(vector):
    """Every player receives it before phrases are accepted."""
    assert engine.commitment(bytes.fromhex(vector["secret"])).hex() == vector["commitment"]


def test_the_vectors_are_those_of_the_reference():
    """The file and the plain implementation beside it agree."""
    assert reference.make_vectors() == VECTORS


@pytest.mark.rule("GEN-3")
@given(SEEDS, NUMBERS, st.integers(0, 120))
def test_shuffles_agree_with_the_reference(seed, number, count):
    """Two implementations, one answer."""
    items = list(range(count))
    assert list(engine.shuffle(items, seed, number)) == reference.shuffled(items, seed, number)


@given(st.text(max_size=450) | st.text("x \t\u00a0\u3000e\u0301", max_size=450))
def test_phrases_agree_with_the_reference(text):
    """And normalising twice is normalising once."""
    once = engine.normalise_phrase(text)
    assert once == reference.normalised(text)
    assert engine.normalise_phrase(once) == once
    assert len(once) <= 200


@pytest.mark.rule("GEN-13")
def test_a_shuffle_of_nothing_or_one_card_changes_no_other_shuffle():
    """It takes a number, and draws no word from any stream."""
    assert engine.shuffle([], bytes(32), 0) == ()
    assert engine.shuffle(["7c"], bytes(32), 1) == ("7c",)
    assert engine.shuffle_with(["7c"], iter(())) == ("7c",)


@pytest.mark.rule("GEN-3")
@pytest.mark.parametrize("place", [0, 6, 7, 8, 20])
def test_a_word_that_is_thrown_away_before_or_after_a_draw(monkeypatch, place):
    """It comes once in millions of shuffles, so it is put into the stream here."""
    kept = reference.words(bytes(32), 5, 199)
    stream = [*kept[:place], 2**32 - 1, *kept[place:]]

    def blocks(seed, number, counters):
        return [word for counter in counters for word in stream[8 * counter : 8 * counter + 8]]

    monkeypatch.setattr(engine, "_blocks", blocks)
    items = range(51 + place)  # and 2**32 is no multiple of 51
    top, left = engine.Shuffled(items, bytes(32), 5).draw(7)
    assert (*left, *top) == engine.shuffle_with(items, iter(kept))


@pytest.mark.parametrize("length", [0, 31, 33])
def test_secrets_and_seeds_have_32_bytes(length):
    """Anything else is a mistake of the caller."""
    for call in (engine.commitment, lambda x: engine.game_seed(x, [])):
        with pytest.raises(ValueError, match="32 bytes"):
            call(bytes(length))
    with pytest.raises(ValueError, match="32 bytes"):
        engine.shuffle([1, 2], bytes(length), 0)
