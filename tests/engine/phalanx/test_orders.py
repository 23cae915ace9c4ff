"""Reading and writing orders of Phalanx (GEN-9)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import AmbiguousOrderError, EngineError, IllegalMoveError, InvalidOrderError
from engine.phalanx.reading import ORDER_WORDS
from tests.engine.phalanx.tables import RULES, seat, table
from tests.engine.phalanx.test_gambling import betting

HAND = "7s 9h 9c Ks Qh 10d"
PLAYING = table(seat(HAND), seat("3h"), seat("4h"), side0="1:10h 1:4c 1:8s-", center="1:5d 2:6d")
CHOOSING = table(seat(HAND), seat("3h"), to_act=None)
BETS = betting(20, 20, 20).state
SAME = table(
    seat("Ks", chips=9), seat("3h", chips=9), seat("4h", chips=9), center="1:10d 2:10d 2:4c",
    options={"stakes": "per_card"},
)  # fmt: skip

pytestmark = pytest.mark.rule("GEN-9")


def read(text: str, state=PLAYING) -> str:
    return RULES.format_move(state, 0, RULES.parse_order(state, 0, text))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("play 7s left", "play 7s left"),
        ("7s center", "play 7s center"),
        ("7s to the centre", "play 7s center"),
        ("7s in the middle.", "play 7s center"),
        ("left 7s", "play 7s left"),
        ("Play the seven of spades to my left!", "play 7s left"),
        ("7♠ right", "play 7s right"),
        ("7 right", "play 7s right"),
        ("s7 RIGHT", "play 7s right"),
        ("K♠ left x 10h", "play Ks left x 10h"),
        ("play Ks left takes 10h", "play Ks left x 10h"),
        ("K left x 10", "play Ks left x 10h"),
        ("Ks left × 10♥", "play Ks left x 10h"),
        ("Ks left x10h", "play Ks left x 10h"),
        ("Ks x 10h left", "play Ks left x 10h"),
        ("Ks takes the ten of hearts on the left", "play Ks left x 10h"),
        ("Ks left x 10h@1", "play Ks left x 10h"),
        ("Ks left x 10h of 1", "play Ks left x 10h"),
        ("Ks left x 10 of hearts of seat 1", "play Ks left x 10h"),
        ("Ks left x 10 of seat 1", "play Ks left x 10h"),
        ("Ks left x 10h from 1", "play Ks left x 10h"),
        ("Ks right", "play Ks right"),
        ("queen left", "play Qh left"),
        ("9h left", "play 9h left"),
        ("9h with seat 1", "play 9h left"),
        ("play the queen of hearts with seat 2", "play Qh right"),
    ],
)
def test_plays_are_read_forgivingly(text, canonical):
    """Case, punctuation, word order and little words do not matter."""
    assert RULES.reads_as_order(text)
    assert read(text) == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("7s with 1", "play 7s left"),
        ("play 7s with 2", "play 7s right"),
        ("play 7s to 2", "play 7s right"),
        ("seven of spades to 1's side", "play 7s left"),
        ("7s into the zone between me and 2", "play 7s right"),
        ("the 7♠ on 1’s side", "play 7s left"),
        ("7 against seat 2", "play 7s right"),
        ("Ks with 1 x 10h", "play Ks left x 10h"),
        ("play 7 to 1", "play 7s left"),
    ],
)
@pytest.mark.rule("PLX-3")
def test_a_zone_is_called_by_the_neighbour(text, canonical):
    """Who shares a side zone names it; the canonical form is left or right all the same."""
    assert RULES.reads_as_order(text)
    assert read(text) == canonical


@pytest.mark.parametrize("text", ["3 to 1", "7 against 2.", "7s 1", "with 1", "7s with 1 or so"])
def test_a_result_is_no_play(text):
    """Nor a line with a word too many."""
    assert not RULES.reads_as_order(text)


@pytest.mark.rule("PLX-3")
def test_only_neighbours_share_a_side_zone():
    """Oneself and seats further away are refused."""
    for text in ("7s with 0", "7s with 3"):
        with pytest.raises(IllegalMoveError, match="PLX-3"):
            RULES.parse_order(PLAYING, 0, text)


@pytest.mark.rule("PLX-3")
def test_two_players_say_which_side():
    """Unless the order is possible on one side only."""
    pair = table(seat(HAND), seat("3h"), side0="1:10h 1:4c 1:8s-", center="1:5d")
    with pytest.raises(AmbiguousOrderError) as caught:
        RULES.parse_order(pair, 0, "7s with 1")
    assert caught.value.candidates == ("play 7s left", "play 7s right")
    assert read("Ks with 1 x 10h", pair) == "play Ks left x 10h"


ACES = table(
    seat("7s As Ah Kd 10s"), seat("3h"), seat("4h"), side0="1:Ac 1:2c", side2="0:4c"
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("a 7 left", "play 7s left"),
        ("play a seven to the right", "play 7s right"),
        ("play a 7♠, left", "play 7s left"),
        ("a ten of spades center", "play 10s center"),
        ("A♠ left", "play As left"),
        ("A of spades left", "play As left"),
        ("play a of hearts, right", "play Ah right"),
        ("an ace of hearts, center", "play Ah center"),
        ("a king left take an ace", "play Kd left x Ac"),
        ("K left x A", "play Kd left x Ac"),
        ("K left x a @1", "play Kd left x Ac"),
        ("K left takes A from seat 1", "play Kd left x Ac"),
        ("king left, takes a 2", "play Kd left x 2c"),
    ],
)
def test_an_a_is_an_ace_or_an_article(text, canonical):
    """Whichever makes one card of the words."""
    assert read(text, ACES) == canonical


@pytest.mark.parametrize(
    "text", ["A 7 left", "play A 10s right", "A A left", "ace 7 left", "a a left"]
)
def test_two_cards_are_no_play(text):
    """A capital A before a rank is an ace and no article."""
    assert not RULES.reads_as_order(text)


@pytest.mark.parametrize("text", ["A left", "play A left", "a left", "an ace left"])
def test_an_ace_of_two_is_asked_back(text):
    """Suits matter in this game."""
    with pytest.raises(AmbiguousOrderError) as caught:
        RULES.parse_order(ACES, 0, text)
    assert caught.value.candidates == ("play Ah left", "play As left")


@pytest.mark.parametrize("text", ["open 9h", "9h", "play 9h", "Open with the 9 of hearts", "h9 open",
                                  "open 9♥ in the center"])  # fmt: skip
def test_openings_are_read(text):
    """A card alone is enough while openings are chosen."""
    assert read(text, CHOOSING) == "open 9h"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("check", "check"),
        ("Decline.", "check"),
        ("fold", "check"),
        ("raise left 5", "raise left 5"),
        ("raise 5 left", "raise left 5"),
        ("raise left by 5", "raise left 5"),
        ("raise my left zone by 5", "raise left 5"),
        ("match center", "match center"),
        ("call centre", "match center"),
        ("raise left 5, match center", "raise left 5, match center"),
        ("match center, raise left 5", "raise left 5, match center"),
        ("match center and right", "match center, match right"),
        ("raise left 5 and right 2", "raise left 5, raise right 2"),
        ("raise right 1, match left, raise center 3", "match left, raise center 3, raise right 1"),
        ("raise with 1 5", "raise left 5"),
        ("raise with 2 by 3, match with 1", "match left, raise right 3"),
        ("raise left to 5", "raise left 5"),
    ],
)
def test_bets_are_read_forgivingly(text, canonical):
    """In the order left, center, right, however they were written."""
    assert RULES.reads_as_order(text)
    move = RULES.parse_order(BETS, 0, text)
    assert RULES.format_move(BETS, 0, move) == canonical
    assert RULES.parse_order(BETS, 0, canonical) == move


def test_the_owner_is_named_where_the_card_alone_is_ambiguous():
    """Only there."""
    with pytest.raises(AmbiguousOrderError) as caught:
        RULES.parse_order(SAME, 0, "Ks center x 10d")
    assert caught.value.candidates == ("play Ks center x 10d@1", "play Ks center x 10d@2")
    for text in ("Ks center x 10d@2", "Ks center x 10d of 2", "Ks center takes 10d of seat 2"):
        assert read(text, SAME) == "play Ks center x 10d@2"
    assert read("Ks center x 4c", SAME) == "play Ks center x 4c"


@pytest.mark.parametrize(
    ("text", "rule", "candidates"),
    [
        ("9 left", "GEN-9", ("play 9c left", "play 9h left")),
        ("7s", "PLX-11", ("play 7s left", "play 7s center", "play 7s right")),
        ("Ks left", "PLX-14", ("play Ks left x 10h", "play Ks left x 4c")),
        ("Ks center", "PLX-14", ("play Ks center x 5d", "play Ks center x 6d")),
    ],
)
def test_words_that_fit_several_moves_are_ambiguous(text, rule, candidates):
    """A bare rank held twice (suits matter here), no zone, no target."""
    with pytest.raises(AmbiguousOrderError) as caught:
        RULES.parse_order(PLAYING, 0, text)
    assert caught.value.rule == rule
    assert caught.value.candidates == candidates


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2c left", "PLX-11: you do not hold 2c"),
        ("2 left", "PLX-11: you do not hold 2"),
        ("Ks left x 10d", "PLX-13: no opponent has 10d face up in your left zone; there are 10h@1, 4c@1"),
        ("Ks left x 8s", "PLX-13: no opponent has 8s face up"),
        ("Ks left x 10h@2", "PLX-13: no opponent has 10h of seat 2 face up"),
        ("Ks right x 10h", "PLX-13: no opponent has 10h face up in your right zone; there is none"),
        ("7s left x 10h", "PLX-13: only a king takes a card; 7s is none"),
        ("7s with 0", "PLX-3: you share a zone with your two neighbours only"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_the_rule(text, message):
    """Never guessed, never replaced by another card."""
    with pytest.raises(IllegalMoveError) as caught:
        RULES.parse_order(PLAYING, 0, text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "left", "x", "x 10h", "play", "play left", "7s left right", "7s left left",
        "7s 9h left", "both 9s left", "Ks left x", "Ks left x 10h x 4c", "Ks left x 10h 4c",
        "Ks left x 10h of 1 2", "play 7s left tomorrow", "I would play 7s left", "7s left?",
        "k", "a", "open", "open 9h 9c", "open 9h left", "pass the salt", "pass pass", "check check",
        "check left", "raise", "raise left", "raise 5", "raise left 5 5", "raise left 0",
        "raise left -5", "raise left 5 match", "match", "match 5", "match left 5",
        "raise match left", "raise left match center 5",
        "left raise 5", "11 left", "7z left", "#7 left", "\x00", "\ud800", "seven up yours",
        "Ks left x 10h@", "Ks@1 left", "at 10", "on 7", "play " * 500,
    ],
)  # fmt: skip
def test_prose_is_no_order(text):
    """The whole line must be an order, or nothing is read from it."""
    for state in (PLAYING, CHOOSING, BETS):
        with pytest.raises(InvalidOrderError):
            RULES.parse_order(state, 0, text)
    assert not RULES.reads_as_order(text)


def test_the_order_words_are_those_of_the_game():
    """What a misspelt word may have meant."""
    for word in ("open", "play", "left", "center", "right", "raise", "match", "check", "takes",
                 "seat", "spades", "king"):  # fmt: skip
        assert word in ORDER_WORDS
    assert list(ORDER_WORDS) == sorted(set(ORDER_WORDS))


@given(st.text(max_size=60) | st.text("playopenlftrigceraismxk 0579jqkahsdc♥♠@,.", max_size=40))
def test_any_text_is_a_move_or_an_error_of_the_engine(text):
    """Fuzzed: a value or an EngineError, nothing else; what is no order is invalid."""
    for state in (PLAYING, CHOOSING, BETS, SAME):
        try:
            move = RULES.parse_order(state, 0, text)
        except InvalidOrderError:
            assert not RULES.reads_as_order(text)
        except EngineError:
            assert RULES.reads_as_order(text)
        else:
            assert RULES.reads_as_order(text)
            RULES.format_move(state, 0, move)
