"""What the own zones of a seat are called in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from engine.sentences import Sentence, joined, sentence

_ZONES = {
    "left": sentence("left zone"),
    "center": sentence("center zone"),
    "right": sentence("right zone"),
}
_PLACES = {"left": sentence("left"), "center": sentence("center"), "right": sentence("right")}


def zone_words(place: str) -> Sentence:
    """`left zone`, as it follows "your"."""
    return _ZONES[place]


def places_words(places: Sequence[str]) -> Sentence:
    """`left, right`: as orders name them."""
    return joined([_PLACES[place] for place in places], ", ")
