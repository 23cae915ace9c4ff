"""Test that typing mistakes are corrected without comparing every known word."""

from __future__ import annotations

import hashlib

import pytest

import engine.orders
from engine import registry
from engine.orders import typing_distance
from pbem.domain.words import forms, translate
from pbem.domain.words.orders import MAX_LINES, LineKind, OrderReader

RULESETS = {rules.id.name: rules for rules in registry.RULESETS}
WORDS_EACH = 8


def slips(word: str) -> list[str]:
    """Return each kind of mistake within a word: an extra, missing, wrong or swapped letter."""
    begin, end = word[: len(word) // 2], word[len(word) // 2 :]
    return [f"{begin}q{end}", begin + end[1:], f"{begin}q{end[1:]}", begin + end[1::-1] + end[2:]]


def unknown_word(letters: str, number: int) -> str:
    """Return an unknown word of 4 to 12 letters."""
    drawn = hashlib.sha256(f"{letters} {number}".encode()).digest()
    return "".join(letters[one % len(letters)] for one in drawn[: 4 + drawn[-1] % 9])


def test_every_mistake_of_one_letter_is_found():
    """As in a comparison with the whole vocabulary."""
    orders = translate._orders("de")
    assert orders is not None
    vocabulary = sorted(orders.vocabulary)
    for right in vocabulary:
        for word in {right, *slips(right)}:
            like = [one for one in vocabulary if abs(len(one) - len(word)) <= 1]
            near = [one for one in like if typing_distance(word, one) == 1]
            is_asked = len(word) >= 4 and word.isalpha()
            is_known = word in orders.vocabulary or word in orders.lexicon["of_talk"]
            wanted = near[0] if near and is_asked and not is_known else word
            assert translate._nearest(word, orders) == wanted


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("letters", ["abcdefghijklmnoprstuvwz", "spielneachdru"])
def test_a_long_mail_costs_few_comparisons(
    monkeypatch: pytest.MonkeyPatch, ruleset: str, letters: str
):
    """In lines of words that nobody knows; before, each was compared with hundreds of others."""
    words = [unknown_word(letters, number) for number in range(MAX_LINES * WORDS_EACH)]
    lines = [" ".join(words[at::MAX_LINES]) for at in range(MAX_LINES)]
    counted = 0

    def counting(a: str, b: str) -> int:
        nonlocal counted
        counted += 1
        return typing_distance(a, b)

    monkeypatch.setattr(forms, "typing_distance", counting)
    monkeypatch.setattr(engine.orders, "typing_distance", counting)
    read = OrderReader([RULESETS[ruleset]], ("Anna", "Bob"), "de").read("\n".join(lines))
    assert len(read) == MAX_LINES
    assert counted <= 5 * len(words)


def test_words_longer_than_any_order_are_not_compared(monkeypatch: pytest.MonkeyPatch):
    """However long they are."""
    orders = translate._orders("de")
    assert orders is not None
    assert max(map(len, orders.vocabulary)) < forms._LONGEST
    assert orders.spelling
    monkeypatch.setattr(forms, "_without_a_letter", None)
    assert translate._nearest("s" * (forms._LONGEST + 1), orders)


@pytest.mark.parametrize("parts", [1, MAX_LINES - 1, MAX_LINES, 5 * MAX_LINES])
def test_of_a_line_with_many_parts_only_those_that_are_read_are_judged(parts: int):
    """A line of a quoted mail is judged as it would be read, however it is made."""
    reader = OrderReader([RULESETS["phyliss"]], ("Anna", "Bob"), "de")
    line = "x; " * parts + "pickup"
    is_read = any(one.kind is LineKind.GAME for one in reader.read(line))
    assert reader.is_order(line) == is_read == (parts < MAX_LINES)
