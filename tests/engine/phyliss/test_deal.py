"""Test the pack, the deal and the first player (PHY-1 to PHY-7)."""

import pytest

from engine.api import Seat
from engine.cards import PACK
from engine.phyliss.moves import Draft, can_be_played_on
from engine.phyliss.rules import first_to_play
from engine.shuffle import shuffle
from tests.engine.phyliss.tables import RULES, SEED, Game, cards, seat, setup, table


@pytest.mark.rule("PHY-1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_two_to_five_players(players):
    """Two to five seats can play, with the 52 cards of one pack."""
    state = RULES.start(setup(players)).state
    dealt = [c for own in state.seats for c in (*own.hand, *own.up, *own.blind)]
    assert sorted([*dealt, *state.stock]) == sorted(PACK)
    assert len(PACK) == 52


@pytest.mark.rule("PHY-1")
def test_suits_do_not_matter():
    """Any seven can be played on any other seven."""
    game = Game(table(seat("7c 9c"), seat("8d 9h"), pile="7s")).play("7c")
    assert game.state.pile == cards("7s 7c")


ORDER = ["3", "4", "5", "6", "7", "8", "9", "J", "Q", "K", "A"]


@pytest.mark.rule("PHY-2")
@pytest.mark.parametrize("low", range(len(ORDER)))
def test_rank_order_low_to_high(low):
    """A rank beats itself and what is below it in 3 … 9 J Q K A, and nothing above."""
    for high in range(len(ORDER)):
        assert can_be_played_on(ORDER[high], ORDER[low]) == (high >= low)


@pytest.mark.rule("PHY-2")
@pytest.mark.parametrize("rank", [*ORDER, "2", "10"])
def test_a_two_is_high_and_low(rank):
    """A 2 may be played on anything, and anything on a 2."""
    assert can_be_played_on(rank, "2")
    if rank != "10":
        assert can_be_played_on("2", rank)


@pytest.mark.rule("PHY-3")
@pytest.mark.parametrize("top", [*ORDER, "2", None])
def test_a_ten_goes_on_anything(top):
    """The destroyer has no place in the order and may always be played."""
    assert can_be_played_on("10", top)


@pytest.mark.rule("PHY-4")
@pytest.mark.parametrize(("players", "stock"), [(2, 34), (3, 25), (4, 16), (5, 7)])
def test_nine_cards_each_and_the_rest_is_the_stock(players, stock):
    """Three blind, three face up, three in the hand."""
    state = RULES.start(setup(players)).state
    for own in state.seats:
        assert (len(own.blind), len(own.up), len(own.hand)) == (3, 3, 3)
        assert own.blind_numbers == (1, 2, 3)
    assert len(state.stock) == stock
    assert state.pile == ()


@pytest.mark.rule("PHY-5")
def test_the_new_pack_is_clubs_diamonds_hearts_spades_each_from_2_to_ace():
    """The list that is shuffled, written out."""
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    assert list(PACK) == [rank + suit for suit in "cdhs" for rank in ranks]


@pytest.mark.rule("PHY-5", "GEN-2")
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_nine_in_a_row_from_the_top_starting_left_of_the_dealer(dealer):
    """Blind 1, 2, 3, then face up, then hand; the top of the pile is its last card."""
    state = RULES.start(setup(3, dealer=dealer)).state
    from_top = list(reversed(shuffle(PACK, SEED, 0)))
    for turn in range(3):
        own = state.seats[(dealer + 1 + turn) % 3]
        nine = from_top[9 * turn : 9 * turn + 9]
        assert list(own.blind) == nine[:3]
        assert list(own.up) == nine[3:6]
        assert sorted(own.hand) == sorted(nine[6:])
    assert list(state.stock) == list(reversed(from_top[27:]))


def starter(*ups: str, dealer: int | None = None) -> Seat:
    return first_to_play(Draft(table(*(seat(up=up) for up in ups), dealer=dealer)))


@pytest.mark.rule("PHY-6")
def test_the_lowest_face_up_cards_start():
    """A 3 is lower than a 4."""
    assert starter("Kc 4c Qc", "Ad 3d Kd") == 1


@pytest.mark.rule("PHY-6")
def test_twos_and_tens_do_not_count():
    """Neither a 2 nor a 10 makes a seat start."""
    assert starter("2c 10c Ac", "5d 6d 7d") == 1


@pytest.mark.rule("PHY-7")
@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("3c 9c Jc", "3d 8d Ad", 1),  # the second lowest decides
        ("3c 8c Jc", "3d 8d 9d", 1),  # the third decides
        ("3c 8c 2c", "3d 8d Ad", 1),  # a missing card is worse than an ace
        ("3c 10c 2c", "4d 5d 6d", 0),  # the lowest card decides first
        ("2c 2d 10c", "Ac 2h 2s", 1),  # nothing that counts is worst of all
    ],
)
def test_face_up_cards_are_compared_in_ascending_order(first, second, expected):
    """As sequences, padded with something above the ace."""
    assert starter(first, second, dealer=1) == expected


@pytest.mark.rule("PHY-7")
@pytest.mark.parametrize(("dealer", "expected"), [(0, 1), (1, 2), (2, 1)])
def test_equal_cards_are_decided_clockwise_from_the_dealers_left(dealer, expected):
    """Seats 1 and 2 show the same; who sits nearer to the dealer's left starts."""
    assert starter("Ac Kc Qc", "3d 4d 5d", "3h 4h 5h", dealer=dealer) == expected


@pytest.mark.rule("PHY-28")
def test_the_deal_tells_everybody_what_lies_open_and_each_seat_its_hand():
    """One public fact without hidden cards, one private fact per seat."""
    step = RULES.start(setup(3))
    public, *private = step.facts
    assert public.audience is None
    assert public.data["up"] == [list(own.up) for own in step.state.seats]
    assert "hand" not in public.data
    assert [fact.audience for fact in private] == [0, 1, 2]
    assert [fact.data["hand"] for fact in private] == [list(s.hand) for s in step.state.seats]
