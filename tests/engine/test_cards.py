"""Test cards, their order and their words (GEN-9)."""

import pytest

from engine.cards import (
    PACK,
    RANK_OF,
    SUIT_OF,
    Named,
    Several,
    card,
    read_cards,
    sort_cards,
)


@pytest.mark.rule("GEN-9")
def test_cards_are_written_rank_then_suit():
    """`7h`, `10s`, `Qd`, `Ac`: 52 of them, interned."""
    assert {"7h", "10s", "Qd", "Ac"} < set(PACK)
    assert len(set(PACK)) == 52
    for value in PACK:
        assert card("".join(list(value))) is value
        assert value == RANK_OF[value] + SUIT_OF[value]


@pytest.mark.rule("GEN-9")
def test_sorting_is_by_rank_then_clubs_diamonds_hearts_spades():
    """In the order of a new pack, the ace last."""
    hand = [card(text) for text in ("As", "10d", "2h", "10c", "2c")]
    assert sort_cards(hand) == ("2c", "2h", "10c", "10d", "As")


def read(text):
    return read_cards(text.split())


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize("text", ["7h", "h7", "7♥", "♥7", "7 h", "7 of hearts", "seven of hearts",
                                  "hearts seven", "the seven of hearts", "7 heart"])  # fmt: skip
def test_one_card_in_many_words(text):
    """All of them are the seven of hearts."""
    assert read(text) == ((Named("7", "h"),),)


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize("suit", range(4))
def test_every_card_is_read_in_all_its_forms(suit):
    """Both notations, T for 10, the sign, the words."""
    words = dict(zip(("clubs", "diamonds", "hearts", "spades"), "♣♦♥♠", strict=True))
    name, sign = list(words.items())[suit]
    for value in (value for value in PACK if SUIT_OF[value] == "cdhs"[suit]):
        rank, letter = RANK_OF[value], SUIT_OF[value]
        expected = ((Named(rank, letter),),)
        for text in (value, letter + rank, rank + sign, sign + rank, f"{rank} of {name}"):
            assert read(text.lower()) == expected
        if rank == "10":
            assert read("t" + letter) == read(letter + "t") == expected


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("7", ((Named("7"),),)),
        ("7 7", ((Named("7"), Named("7")),)),
        ("7 7h q", ((Named("7"), Named("7", "h"), Named("Q")),)),
        ("sevens", (Several("7", None),)),
        ("two sevens", (Several("7", 2),)),
        ("all 7", (Several("7", None),)),
        ("all of the queens", (Several("Q", None),)),
        ("three qs", (Several("Q", 3), (Named("3"), Named("Q", "s")))),
        ("one ace", (Several("A", 1),)),
        ("two seven", (Several("7", 2), (Named("2"), Named("7")))),
        ("7h7d", ((Named("7", "h"), Named("7", "d")),)),
        ("7s", ((Named("7", "s"),),)),
    ],
)
def test_several_cards(text, readings):
    """Lists, counts, all; what can be read two ways is given both ways."""
    assert read(text) == readings


@pytest.mark.parametrize(
    "text",
    ["one sevens", "one of seven", "two of 7", "", "and", "the", "of", "7 of", "of 7", "7 of of hearts", "7h of spades", "of hearts", "hearts 7d", "haha", "hahaha", "haha 7", "hearts spades", "7 of 8", "7 hearts spades", "hearts", "five sevens",
     "all", "all all", "two", "all 7 8", "1", "11", "joker", "7x", "7h8", "x7h", "hh", "clubs clubs 7"],
)  # fmt: skip
def test_what_is_no_list_of_cards(text):
    """No reading, unless it is a plain rank."""
    assert read(text) == (() if text != "two" else ((Named("2"),),))
