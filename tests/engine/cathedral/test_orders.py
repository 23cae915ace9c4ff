"""Reading and writing orders of Cathedral (GEN-9)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cathedral.orders import ORDER_WORDS
from engine.errors import AmbiguousOrderError, EngineError, IllegalMoveError, InvalidOrderError
from engine.plays import PICK_UP
from tests.engine.cathedral.tables import RULES, SIX, choosing, seat, table

HAND = "2c 2d 7c 7d 7h 10s Qh Kd Kh Kc"
STATE = table(seat(HAND), seat("3h"), pile="2s", stock="4h")
DEALT = choosing(seat("2s 10h Qd Qh Qs 7c"), seat("3c 4c 5c 6c 8c 9c"))


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
        ("Play Two Sevens.", "play 7c 7d"),
        ("two 7s", "play 7c 7d"),
        ("three kings", "play Kc Kd Kh"),
        ("play all 7", "play 7c 7d 7h"),
        ("play sevens", "play 7c 7d 7h"),
        ("both 2s", "play 2c 2d"),
        ("play 7♥", "play 7h"),
        ("play h7", "play 7h"),
        ("the seven of hearts", "play 7h"),
        ("play 7h 7", "play 7c 7h"),
        ("7h, 7c", "play 7c 7h"),
        ("7 play", "play 7c"),
        ("play Ts", "play 10s"),
        ("ten", "play 10s"),
        ("Q", "play Qh"),
        ("K K", "play Kc Kd"),
        ("play Kh Kd", "play Kd Kh"),
        ("pickup", "pickup"),
        ("Pick up", "pickup"),
        ("pick-up", "pickup"),
        ("pick the pile up", "pickup"),
        ("take", "pickup"),
        ("Take the discard pile.", "pickup"),
    ],
)
def test_orders_are_read_forgivingly(text, canonical):
    """Case, punctuation and word order do not matter; bare ranks take the lowest suits."""
    assert RULES.reads_as_order(text)
    assert read(text) == canonical


@pytest.mark.rule("GEN-9", "CAT-2")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("keep 2s 10h Qd", "keep 2s 10h Qd"),
        ("set aside 2s 10h Qd", "keep 2s 10h Qd"),
        ("Keep Qd, 2s, 10h!", "keep 2s 10h Qd"),
        ("keep 2 10 Q", "keep 2s 10h Qd"),
        ("keep q q q", "keep Qd Qh Qs"),
        ("keep Q Q 2", "keep 2s Qd Qh"),
        ("keep Q Qd 2", "keep 2s Qd Qh"),
        ("keep Qs Q 2", "keep 2s Qd Qs"),
        ("keep three queens", "keep Qd Qh Qs"),
        ("keep all queens", "keep Qd Qh Qs"),
        ("set aside all Q", "keep Qd Qh Qs"),
        ("set 2 10 Q aside", "keep 2s 10h Qd"),
        ("keep aside 2 10 Q", "keep 2s 10h Qd"),
        ("keep the 2, the 10 and the queen of hearts", "keep 2s 10h Qh"),
        ("2 10 Q keep", "keep 2s 10h Qd"),
        ("keep 2♠ 10♥ Q♦", "keep 2s 10h Qd"),
        ("keep 2s10hQd", "keep 2s 10h Qd"),
        ("2 10 Q", "keep 2s 10h Qd"),
        ("the 2, the 10 and the queen", "keep 2s 10h Qd"),
        ("choose 2, 10, Q", "keep 2s 10h Qd"),
    ],
)
def test_setting_aside_is_read_forgivingly(text, canonical):
    """Exact cards, or bare ranks in their lowest suits."""
    assert RULES.reads_as_order(text)
    assert read(text, DEALT) == canonical


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize(
    "text",
    [
        "", " ", "I think I will play 7 tomorrow", "play 7 tomorrow", "play 7?", "don't play 7",
        "see you at 7:10", "10:30", "7-10", "> play 7", "ok", "k", "a", "play", "all", "play play 7",
        "take care", "take take", "take five", "a heart", "play a heart", "A spade", "pick", "up", "pile", "of", "play 7 of", "hearts", "play 11", "77",
        "play 7 pickup", "pickup 7", "god", "flip 1", "7z", "#7", "\x00", "\ud800", "play " * 500,
        "keep", "keep keep 2 3 4", "keep calm", "keep it up", "set aside", "set 2 3 4", "aside 2 3 4",
        "keep set aside 2 3 4", "keep play 2 3 4", "play keep 2 3 4", "set set aside 2 3 4",
        "I keep 2 3 4", "keep 2 3 4 please", "keep my promise", "keep pickup",
    ],
)  # fmt: skip
def test_prose_is_no_order(text):
    """The whole line must be an order, or nothing is read from it."""
    assert not RULES.reads_as_order(text)
    for state in (STATE, DEALT):
        with pytest.raises(InvalidOrderError):
            RULES.parse_order(state, 0, text)


@pytest.mark.rule("GEN-9", "CAT-6")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("play 7s", "CAT-6: you do not hold 7s"),
        ("play 9", "CAT-6: you do not hold 9"),
        ("all 9", "CAT-6: you do not hold 9"),
        ("play Q Q", "CAT-6: you hold Q only once"),
        ("three 2s", "CAT-6: you hold 2 only twice"),
        ("7 7 7 7", "CAT-6: you hold 7 only three times"),
        ("7c 7c", "CAT-6: 7c is named twice"),
    ],
)
def test_cards_that_are_not_held(text, message):
    """Never guessed, never replaced by another card; `7s` is the seven of spades."""
    with pytest.raises(IllegalMoveError) as caught:
        RULES.parse_order(STATE, 0, text)
    assert str(caught.value) == message


PILED = table(seat("7c 9h"), seat("8c"), pile="3d 8s", stock="4h")


@pytest.mark.rule("GEN-9", "CAT-12")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("take the 3", "pickup"),
        ("pickup the 8", "pickup"),
        ("take 8s", "pickup"),
        ("take the 9", "play 9h"),
    ],
)
def test_a_card_that_is_taken_lies_on_the_pile_or_is_held(text, canonical):
    """The pile comes as a whole; with `take` it may be a card of the hand that is chosen."""
    assert read(text, PILED) == canonical


ACES = table(seat("2c 7c 7d 10c 10d Kc Ac Ad Ah"), seat("3h"), stock="4h")
ACES_DEALT = choosing(seat("2c 7c 10d Kc Ac Ad"), seat("3c 4c 5c 6c 8c 9c"))


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("A A", "play Ac Ad"),
        ("play A A", "play Ac Ad"),
        ("a a", "play Ac Ad"),
        ("A, A", "play Ac Ad"),
        ("A A A", "play Ac Ad Ah"),
        ("play A and A", "play Ac Ad"),
        ("a 7", "play 7c"),
        ("A seven", "play 7c"),
        ("a king", "play Kc"),
        ("A of diamonds", "play Ad"),
        ("A♦ A♣", "play Ac Ad"),
        ("play A", "play Ac"),
        ("three As", "play Ac Ad Ah"),
        ("two tens", "play 10c 10d"),
    ],
)
def test_a_capital_a_beside_cards_is_an_ace(text, canonical):
    """`A A` is two aces as `7 7` is two sevens; before a word `a` is an article."""
    assert read(text, ACES) == canonical


@pytest.mark.rule("GEN-9", "CAT-6")
@pytest.mark.parametrize("text", ["A 7", "play A K", "A, 7", "7 A"])
def test_an_ace_and_another_card_are_no_single_card(text):
    """The ace is not swallowed as an article: two ranks are refused, not half of them played."""
    with pytest.raises(IllegalMoveError, match="CAT-6: one play is cards of one rank only"):
        read(text, ACES)


@pytest.mark.rule("GEN-9", "CAT-6")
def test_two_aces_where_one_is_held_are_refused():
    """`A A` never shrinks to the one ace that is there."""
    with pytest.raises(IllegalMoveError, match="CAT-6: you hold A only once"):
        read("A A", table(seat("Ac 7c"), seat("3h")))


@pytest.mark.rule("GEN-9", "CAT-2")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("keep A 7 K", "keep 7c Kc Ac"),
        ("keep a 7 k", "keep 7c Kc Ac"),
        ("keep A A K", "keep Kc Ac Ad"),
        ("keep, A, A, K", "keep Kc Ac Ad"),
        ("set A K 2 aside", "keep 2c Kc Ac"),
        ("keep K A A", "keep Kc Ac Ad"),
        ("keep two 7 10", "keep 2c 7c 10d"),
        ("keep A♣ K♣ 2♣", "keep 2c Kc Ac"),
        ("keep a king, a seven and a ten", "keep 7c 10d Kc"),
        ("set aside a two a king a seven", "keep 2c 7c Kc"),
        ("keep an ace", None),
    ],
)
def test_aces_and_articles_among_cards_to_set_aside(text, canonical):
    """That it must be three cards tells whether `a` is an ace."""
    if canonical is None:
        assert not RULES.reads_as_order(text)
    else:
        assert read(text, ACES_DEALT) == canonical


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize(
    ("position", "verb"),
    [(ACES, "play"), (ACES, ""), (ACES_DEALT, "keep"), (ACES_DEALT, "set aside")],
)
def test_every_legal_move_is_read_in_every_spelling(position, verb):
    """With suits as letters or signs, glued or apart, as bare ranks, with or without commas."""
    signs = str.maketrans("cdhs", "♣♦♥♠")
    for move in RULES.legal_moves(position, 0):
        canonical = RULES.format_move(position, 0, move)
        cards = canonical.split()[1:]
        bare = [card[:-1] for card in cards]
        for words in (
            cards,
            [card.upper() for card in cards],
            [card.lower() for card in cards],
            [card[:-1] + card[-1].translate(signs) for card in cards],
            [card[-1] + card[:-1] for card in cards],
            [f"{card[:-1]} of {card[-1]}" for card in cards],
            bare,
        ):
            for joint in (" ", ", ", " and ", " & "):
                assert read(f"{verb} {joint.join(words)}".strip(), position) == canonical


@pytest.mark.rule("GEN-9")
def test_words_that_fit_two_moves_are_ambiguous():
    """`three three` may be three 3s or two 3s; what cannot be played that way is not meant."""
    state = table(seat("3c 3d 3s 4c"), seat("5h"))
    with pytest.raises(AmbiguousOrderError) as caught:
        RULES.parse_order(state, 0, "three three")
    assert caught.value.candidates == ("play 3c 3d 3s", "play 3c 3d")
    state = table(seat("3c 3d 4c"), seat("5h"))
    assert read("three three", state) == "play 3c 3d"


@pytest.mark.rule("GEN-9", "CAT-2")
def test_of_several_readings_the_one_with_three_cards_is_set_aside():
    """`three three` are three 3s, since two cards could not be kept."""
    state = choosing(seat("3c 3d 3s 4c 5c 6c"), SIX[2])
    assert read("keep three three", state) == "keep 3c 3d 3s"


@pytest.mark.rule("GEN-9")
def test_what_may_be_meant_does_not_depend_on_hidden_cards():
    """The refusal of an invalid order is the same whatever is held."""
    messages = set()
    for hand in ("4c 5c", "6c 7c", "Ac Kc"):
        with pytest.raises(InvalidOrderError) as caught:
            RULES.parse_order(table(seat(hand), seat("3h")), 0, "dance")
        messages.add(str(caught.value))
    assert len(messages) == 1


def test_the_order_words():
    """The list that near orders are corrected with holds the words of the game."""
    for word in ("play", "keep", "set", "aside", "pickup", "take", "seven", "hearts", "all", "of"):
        assert word in ORDER_WORDS
    assert list(ORDER_WORDS) == sorted(set(ORDER_WORDS))


@pytest.mark.rule("GEN-9")
@given(
    st.text(max_size=60)
    | st.text("playkeptsiduc 23470jqkahsdc♥♠-,.", max_size=40)
    | st.lists(st.sampled_from(ORDER_WORDS), max_size=6).map(" ".join)
)
def test_any_text_is_a_move_or_an_error_of_the_engine(text):
    """Fuzzed: a value or an EngineError, nothing else; what is no order is invalid."""
    for state in (STATE, DEALT):
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


def test_pickup_is_a_value():
    """A move without a choice is always the same value."""
    assert RULES.parse_order(STATE, 0, "take") is PICK_UP
