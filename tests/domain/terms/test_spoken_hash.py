"""Test fingerprints in words."""

from __future__ import annotations

import hashlib
import textwrap

from engine import registry
from pbem.domain.terms import spoken_hash
from pbem.domain.words.orders import LineKind, read_line


def test_each_byte_has_a_word_of_its_own():
    assert len(spoken_hash.WORDS) == len(set(spoken_hash.WORDS)) == 256
    assert all(word.isascii() and word.isalpha() and word.islower() for word in spoken_hash.WORDS)


def test_six_words_for_six_bytes():
    assert (
        spoken_hash.hash_words("00ff00ff0001" + "9" * 52) == "acorn zebra acorn zebra acorn actor"
    )


def test_however_it_is_written():
    assert (
        spoken_hash.tidy("  Acorn, zebra ACORN\n zebra acorn actor ")
        == "acorn zebra acorn zebra acorn actor"
    )


def test_no_words_are_an_order():
    """They stand in every mail, and every mail is quoted."""
    for number in range(300):
        words = spoken_hash.hash_words(
            hashlib.sha256(bytes([number % 256, number // 256])).hexdigest()
        )
        proof = f"Proof: {words} (event 41), after {words} (event 37)."
        for text in (words, proof, *textwrap.wrap(proof, 72)):
            assert read_line(text, registry.latest()).kind is LineKind.PROSE, text
