"""Reading and writing orders of Phyliss (GEN-9)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import AmbiguousOrderError, EngineError, IllegalMoveError, InvalidOrderError
from engine.phyliss.moves import FLIPS, GOD, PICK_UP
from engine.phyliss.orders import ORDER_WORDS
from tests.engine.phyliss.tables import RULES, seat, table

HAND = "2c 2d 7c 7d 7h 10s Qh Kd Kh Kc"
STATE = table(seat(HAND), seat("3h"), pile="2s", stock="4h")


def read(text: str, state=STATE) -> str:
    return RULES.format_move(state, 0, RULES.parse_order(state, 0, text))


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("play 7", "play 7c"),
        ("play 7 7", "play 7c 7d"),
        ("7 7", "play 7c 7d"),
        ("7", "play 7c"),
        ("play two sevens", "play 7c 7d"),
        ("Play Two Sevens.", "play 7c 7d"),
        ("play 2 7", None),
        ("two 7", "play 7c 7d"),
        ("two 7s", "play 7c 7d"),
        ("two seven", "play 7c 7d"),
        ("three kings", "play Kc Kd Kh"),
        ("play all 7", "play 7c 7d 7h"),
        ("ALL SEVENS", "play 7c 7d 7h"),
        ("all my sevens", "play 7c 7d 7h"),
        ("play sevens", "play 7c 7d 7h"),
        ("both 2s", "play 2c 2d"),
        ("play 7h", "play 7h"),
        ("play h7", "play 7h"),
        ("play 7♥", "play 7h"),
        ("play 7♥️", "play 7h"),
        ("play 7♥︎", "play 7h"),
        ("play ♥7", "play 7h"),
        ("play 7 ♥", "play 7h"),
        ("play 7H", "play 7h"),
        ("play 7 of hearts", "play 7h"),
        ("play the seven of hearts", "play 7h"),
        ("seven hearts", "play 7h"),
        ("hearts seven", "play 7h"),
        ("play 7h 7", "play 7c 7h"),
        ("play 7 7h", "play 7c 7h"),
        ("play 7h 7c", "play 7c 7h"),
        ("7h, 7c", "play 7c 7h"),
        ("7h + 7c", "play 7c 7h"),
        ("7h7c", "play 7c 7h"),
        ("7h and 7c", "play 7c 7h"),
        ("7 play", "play 7c"),
        ("play Ts", "play 10s"),
        ("play 10s", "play 10s"),
        ("play t", "play 10s"),
        ("play ten", "play 10s"),
        ("s10", "play 10s"),
        ("play q", "play Qh"),
        ("Q", "play Qh"),
        ("queen", "play Qh"),
        ("queen of hearts", "play Qh"),
        ("the Queen of Hearts!", "play Qh"),
        ("play K K", "play Kc Kd"),
        ("play a king", "play Kc"),
        ("two two", "play 2c 2d"),
        ("２ ２", "play 2c 2d"),
        ("pickup", "pickup"),
        ("Pick up", "pickup"),
        ("pick-up", "pickup"),
        ("pick up the pile", "pickup"),
        ("pick the pile up", "pickup"),
        ("take", "pickup"),
        ("take pile", "pickup"),
        ("Take the discard pile.", "pickup"),
        ("god", "god"),
        ("God!", "god"),
        ("hand of god", "god"),
        ("the Hand of God", "god"),
        ("play god", "god"),
    ],
)
def test_orders_are_read_forgivingly(text, canonical):
    """Case, punctuation and word order do not matter; bare ranks take the lowest suits."""
    if canonical is None:
        with pytest.raises(IllegalMoveError, match="PHY-8"):
            read(text)
    else:
        assert RULES.reads_as_order(text)
        assert read(text) == canonical


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "I think I will play 7 tomorrow",
        "play 7 tomorrow",
        "play 7?",
        "shall I play 7?",
        "don't play 7",
        "not 7",
        "see you at 7:10",
        "10:30",
        "7.5",
        "7-10",
        "> play 7",
        "ok",
        "k",
        "a",
        "q",
        "play",
        "play all",
        "all",
        "play play 7",
        "god god",
        "god bless you",
        "take care",
        "up",
        "pick",
        "pile",
        "hand",
        "of",
        "play of",
        "play 7 of",
        "hearts",
        "play hearts",
        "play 7 hearts spades",
        "play 11",
        "play 1",
        "15",
        "77",
        "flip 2 3",
        "flip flip",
        "flip the table",
        "play 7 pickup",
        "pickup 7",
        "seven up yours",
        "play 7; pickup",
        "joker",
        "7z",
        "#7",
        "7hh",
        "\x00",
        "\ud800",
        "play " * 500,
    ],
)
def test_prose_is_no_order(text):
    """The whole line must be an order, or nothing is read from it."""
    assert not RULES.reads_as_order(text)
    with pytest.raises(InvalidOrderError):
        RULES.parse_order(STATE, 0, text)


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize(
    ("text", "move"),
    [("flip 2", 2), ("2 flip", 2), ("Flip blind card 3", 3), ("flip #3", 3), ("flip no. 1", 1)],
)
def test_flips_are_read(text, move):
    """The number of the card as dealt."""
    state = table(seat("", "", "3c 4c 5c"), seat("3h"))
    assert RULES.parse_order(state, 0, text) == FLIPS[move]


@pytest.mark.rule("GEN-9", "PHY-20")
@pytest.mark.parametrize("text", ["no flip", "No. Flip!", "no flip 2", "flip 2 no", "flip no"])
def test_no_is_a_number_only_before_one(text):
    """Else it says that nothing shall be turned over, and a flip cannot be taken back."""
    assert not RULES.reads_as_order(text)
    with pytest.raises(InvalidOrderError):
        RULES.parse_order(table(seat("", "", "3c"), seat("3h")), 0, text)


ACES = table(seat("3c 3d 3s 7c 7s Ac Ad"), seat("5h"), pile="2s")


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("A A", "play Ac Ad"),
        ("play a a", "play Ac Ad"),
        ("play A, A", "play Ac Ad"),
        ("play A & Ace", "play Ac Ad"),
        ("a ace", "play Ac Ad"),
        ("A of diamonds", "play Ad"),
        ("play a 7", "play 7c"),
        ("play a seven", "play 7c"),
        ("A seven", "play 7c"),
        ("PLAY A SEVEN", "play 7c"),
        ("one of the sevens", "play 7c"),
        ("three 3s", "play 3c 3d 3s"),
        ("play, three 3s!", "play 3c 3d 3s"),
        ("three, three", "play 3c 3d"),
        ("three and three", "play 3c 3d"),
    ],
)
def test_an_article_is_told_from_an_ace_and_a_count_from_a_card(text, canonical):
    """`A A` is two aces as `7 7` is two sevens; cards in a list are no counts."""
    assert read(text, ACES) == canonical


@pytest.mark.rule("GEN-9", "PHY-8")
@pytest.mark.parametrize("text", ["A 7", "play A 7", "play A 3", "A, 7", "a, 7", "a and 7",
                                  "play A + seven", "play A, seven", "A 7s", "play a 7s",
                                  "two, seven", "two & 7", "two and sevens of spades"])  # fmt: skip
def test_two_ranks_in_one_play_are_never_one_of_them(text):
    """Who names an ace and a seven is told so; no half of it is carried out."""
    with pytest.raises((IllegalMoveError, InvalidOrderError)) as caught:
        RULES.parse_order(ACES, 0, text)
    if isinstance(caught.value, IllegalMoveError):
        assert caught.value.rule == "PHY-8"


@pytest.mark.rule("GEN-9", "PHY-18")
@pytest.mark.parametrize("text", ["play A A", "a a", "A, a", "play A and A"])
def test_two_aces_are_not_one(text):
    """With one ace in the hand `A A` is refused, as `7 7` is with one seven."""
    state = table(seat("7c 9d Ad"), seat("5h"), pile="2s")
    with pytest.raises(IllegalMoveError, match="PHY-18: you hold A only once"):
        RULES.parse_order(state, 0, text)


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize("text", ["one of two", "two of three", "one 7s", "one sevens"])
def test_counts_that_are_no_english_are_no_order(text):
    """`one of two` is talk; the seven of spades is not any seven."""
    assert not RULES.reads_as_order(text)


@pytest.mark.rule("GEN-9", "PHY-18")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("play 7s", "PHY-18: you do not hold 7s"),
        ("play 9", "PHY-18: you do not hold 9"),
        ("all 9", "PHY-18: you do not hold 9"),
        ("play Q Q", "PHY-18: you hold Q only once"),
        ("three 2s", "PHY-18: you hold 2 only twice"),
        ("7 7 7 7", "PHY-18: you hold 7 only three times"),
    ],
)
def test_cards_that_are_not_held(text, message):
    """Never guessed, never replaced by another card; `7s` is the seven of spades."""
    with pytest.raises(IllegalMoveError) as caught:
        RULES.parse_order(STATE, 0, text)
    assert str(caught.value) == message


@pytest.mark.rule("GEN-9")
def test_a_card_named_twice_is_refused():
    """There is only one seven of clubs."""
    with pytest.raises(IllegalMoveError, match="named twice"):
        RULES.parse_order(STATE, 0, "7c 7c")


@pytest.mark.rule("GEN-9")
def test_words_that_fit_two_moves_are_ambiguous():
    """`three three` may be three 3s or two 3s."""
    state = table(seat("3c 3d 3s 4c"), seat("5h"))
    with pytest.raises(AmbiguousOrderError) as caught:
        RULES.parse_order(state, 0, "three three")
    assert caught.value.candidates == ("play 3c 3d 3s", "play 3c 3d")
    # With two 3s only one of the readings can be meant.
    state = table(seat("3c 3d 4c"), seat("5h"))
    assert RULES.format_move(state, 0, RULES.parse_order(state, 0, "three three")) == "play 3c 3d"


@pytest.mark.rule("GEN-9")
def test_what_may_be_meant_does_not_depend_on_hidden_cards():
    """The refusal of an invalid order is the same whatever is held."""
    messages = set()
    for hand in ("4c 5c", "6c 7c", "Ac Kc"):
        with pytest.raises(InvalidOrderError) as caught:
            RULES.parse_order(table(seat(hand), seat("3h")), 0, "dance")
        messages.add(str(caught.value))
    assert len(messages) == 1


def test_the_order_words_read_as_part_of_orders():
    """The list that near orders are corrected with holds the words of the game."""
    for word in ("play", "pickup", "take", "god", "flip", "seven", "hearts", "all", "of"):
        assert word in ORDER_WORDS
    assert list(ORDER_WORDS) == sorted(set(ORDER_WORDS))
    assert all(word == word.casefold() for word in ORDER_WORDS)


@pytest.mark.rule("GEN-9")
@given(st.text(max_size=60) | st.text("playgodtkeuicf 23470jqkahsdc♥♠-,.", max_size=40))
def test_any_text_is_a_move_or_an_error_of_the_engine(text):
    """Fuzzed: a value or an EngineError, nothing else; what is no order is invalid."""
    for state in (STATE, table(seat("", "", "3c 4c"), seat("5h"), pile="7c")):
        try:
            move = RULES.parse_order(state, 0, text)
        except InvalidOrderError:
            assert not RULES.reads_as_order(text)
        except EngineError:
            assert RULES.reads_as_order(text)
        else:
            assert RULES.reads_as_order(text)
            canonical = RULES.format_move(state, 0, move)
            assert RULES.parse_order(state, 0, canonical) == move


def test_pickup_and_god_are_values():
    """Moves without a choice are always the same value."""
    assert RULES.parse_order(STATE, 0, "take") is PICK_UP
    assert RULES.parse_order(STATE, 0, "god") is GOD
