"""Test the pack, the deal and the first player (PHY-1 to PHY-7)."""

import pytest

from engine.cards import PACK
from engine.phyliss.moves import Draft
from engine.phyliss.rules import first_to_play
from engine.shuffle import shuffle
from tests.engine.phyliss.tables import RULES, SEED, orders_of, seat, setup, table

ORDER = ["3", "4", "5", "6", "7", "8", "9", "J", "Q", "K", "A"]


@pytest.mark.rule("PHY-1", "PHY-2", "PHY-3", "PHY-8")
@pytest.mark.parametrize("top", [*ORDER, "2"])
def test_what_can_be_played_on_a_rank(top):
    """The rank itself and higher ones, 2s and 10s; anything on a 2. Suits do not matter."""
    higher = ORDER if top == "2" else ORDER[ORDER.index(top) :]
    hand = " ".join(f"{rank}c" for rank in [*ORDER, "2", "10"])
    orders = orders_of(table(seat(hand), seat("3h"), pile=f"{top}s"))
    assert {*orders} == {"pickup", *(f"play {rank}c" for rank in [*higher, "2", "10"])}


@pytest.mark.rule("PHY-5")
def test_the_new_pack_is_clubs_diamonds_hearts_spades_each_from_2_to_ace():
    """The list that is shuffled, written out."""
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    assert list(PACK) == [rank + suit for suit in "cdhs" for rank in ranks]


@pytest.mark.rule("PHY-1", "PHY-4", "PHY-5", "GEN-2")
@pytest.mark.parametrize(("players", "dealer"), [(2, 1), (3, 0), (3, 1), (4, 3), (5, 2)])
def test_nine_in_a_row_from_the_top_starting_left_of_the_dealer(players, dealer):
    """Blind 1, 2, 3, then face up, then the hand. The other cards are the stock."""
    state = RULES.start(setup(players, dealer=dealer)).state
    from_top = list(reversed(shuffle(PACK, SEED, 0)))
    for turn in range(players):
        own = state.seats[(dealer + 1 + turn) % players]
        nine = from_top[9 * turn : 9 * turn + 9]
        assert (list(own.blind), own.blind_numbers) == (nine[:3], (1, 2, 3))
        assert list(own.up) == nine[3:6]
        assert sorted(own.hand) == sorted(nine[6:])
    assert list(state.stock) == list(reversed(from_top[9 * players :]))
    assert state.pile == ()


@pytest.mark.rule("PHY-6", "PHY-7")
@pytest.mark.parametrize(
    ("ups", "dealer", "expected"),
    [
        (("Kc 4c Qc", "Ad 3d Kd"), 1, 1),  # a 3 is lower than a 4
        (("2c 10c Ac", "5d 6d 7d"), 1, 1),  # 2s and 10s do not count
        (("3c 9c Jc", "3d 8d Ad"), 1, 1),  # the second lowest decides
        (("3c 8c Jc", "3d 8d 9d"), 1, 1),  # the third decides
        (("3c 8c 2c", "3d 8d Ad"), 1, 1),  # a missing card is worse than an ace
        (("3c 10c 2c", "4d 5d 6d"), 1, 0),  # the lowest card decides first
        (("2c 2d 10c", "Ac 2h 2s"), 1, 1),  # nothing that counts is worst of all
        (("Ac Kc Qc", "3d 4d 5d", "3h 4h 5h"), 0, 1),  # equal: from the dealer's left
        (("Ac Kc Qc", "3d 4d 5d", "3h 4h 5h"), 1, 2),
        (("Ac Kc Qc", "3d 4d 5d", "3h 4h 5h"), 2, 1),
    ],
)
def test_the_lowest_face_up_cards_start(ups, dealer, expected):
    """They are compared in ascending order."""
    draft = Draft(table(*(seat(up=up) for up in ups), dealer=dealer))
    assert first_to_play(draft) == expected
