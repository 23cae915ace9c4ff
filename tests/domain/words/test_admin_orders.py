"""Test the parser of orders of admins, and its errors."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.domain.words import admin_orders
from pbem.domain.words.admin_orders import NO_REASON, CompleteOrder
from pbem.errors import Refusal

GAME = "k7q2m3x9ab"
OTHER = "aaaaabbbbb"
NAMES = ("Anna", "Bob", "Mary Ann")


def deed(text: str, game: str | None = GAME, disputes: tuple[int, ...] = (2,)) -> CompleteOrder:
    (order,) = admin_orders.read(text)
    return admin_orders.complete(
        order, game, lambda word: word in (GAME, OTHER), lambda _: NAMES, lambda _: disputes
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("extend 2d", CompleteOrder("extend", GAME, NO_REASON, time=timedelta(days=2))),
        (
            f"Extend {OTHER} by 36 hours.",
            CompleteOrder("extend", OTHER, NO_REASON, time=timedelta(hours=36)),
        ),
        (
            f"pbem game extend {OTHER} 1d 12h --reason the trains",
            CompleteOrder("extend", OTHER, "the trains", time=timedelta(hours=36)),
        ),
        ("pause because Bob is ill", CompleteOrder("pause", GAME, "Bob is ill")),
        (f"resume [{OTHER}]", CompleteOrder("resume", OTHER, NO_REASON)),
        ("standby 1", CompleteOrder("standby", GAME, NO_REASON, seat=1)),
        ("bot seat 2: at sea", CompleteOrder("bot", GAME, "at sea", seat=2)),
        ("bot mary ann, she is away", CompleteOrder("bot", GAME, "she is away", seat=2)),
        (
            'remove Bob reason: "He asked me to."',
            CompleteOrder("remove", GAME, "He asked me to.", seat=1),
        ),
        (
            "resolve 7 The move stands.",
            CompleteOrder("resolve", GAME, "The move stands.", number=7),
        ),
        ("resolve The move stands.", CompleteOrder("resolve", GAME, "The move stands.", number=2)),
        (
            f"pbem dispute resolve {OTHER} 1 --text It stands.",
            CompleteOrder("resolve", OTHER, "It stands.", number=1),
        ),
    ],
)
def test_what_is_understood(text: str, expected: CompleteOrder) -> None:
    assert deed(text) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("extend", "How much more time"),
        ("extend soon", "How much more time"),
        ("bot Carl", "one of these: 0 Anna, 1 Bob, 2 Mary Ann"),
        ("standby 3", "Whose seat"),
        ("remove Bob", "Say why, every player reads it"),
        ("resolve 2", "Say why"),
        ("extnd 2d", '"extend" with a typing mistake'),
    ],
)
def test_what_is_missing(text: str, said: str) -> None:
    with pytest.raises(Refusal, match=said):
        deed(text)


def test_a_reason_that_was_broken_in_two() -> None:
    """As mail programs do with long lines; a short line has ended, and so has a blank one."""
    first = "resolve 2 the line was prose, so the move stands as it was made,"
    said = deed(f"{first}\nas the rules say in GEN-10.\n\nRegards").reason
    assert said == f"{first[10:]} as the rules say in GEN-10."
    assert deed("pause Bob is ill\nRegards").reason == "Bob is ill"
    assert deed(f"{first}\n\nRegards, Otto").reason == first[10:]


def test_more_than_one() -> None:
    """A game or a dispute that nobody named is asked for; prose and what stands below an end is nothing."""
    with pytest.raises(Refusal, match="Which game"):
        deed("pause", game=None)
    with pytest.raises(Refusal, match="open: 1, 2"):
        deed("resolve it stands", disputes=(1, 2))
    said = "Hello,\npause\nextend 2d\nThank you very much, and see you soon.\n--\nresume"
    assert [order.act for order in admin_orders.read(said)] == ["pause", "extend"]
