"""Reading and writing orders of Phase 10 (GEN-9, P10-2, P10-3, P10-16, P10-30)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import AmbiguousOrderError, EngineError, IllegalMoveError, InvalidOrderError
from engine.phase10.forms import ORDER_WORDS, LayForm, read_form
from engine.phase10.words import TABLES, AnyColour
from tests.engine.phase10.tables import OFFICIAL, done, laid, seat, table

SETS = laid(1, "R5 B5 G5/R7 B7 G7")
PHASE_2 = laid(2, "R8 B8 G8/R3 B4 G5 W")
COLOURS = laid(8, "G1 G2 G3 G4 G6 W W")

LAYING = table(seat("R5 B5 G5 R7 G7 Y7 W W S R1 R2"), seat("G1"), seat("G2"), drawn=True)
HITTING = table(
    done("R5 B5 Y5 G7 B2 W S S"), seat("G1"), done(),
    groups={0: SETS, 2: PHASE_2}, drawn=True,
)  # fmt: skip
START = table(seat("R5"), seat("G1"), pile="Y1 Y9")


def read(state, text):
    return OFFICIAL.format_move(state, 0, OFFICIAL.parse_order(state, 0, text))


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("draw", "draw"),
        ("Draw a card.", "draw"),
        ("draw from the stock", "draw"),
        ("take from the deck", "draw"),
        ("take", "take"),
        ("take the top card", "take"),
        ("pick up", "take"),
        ("pickup", "take"),
        ("take the discard", "take"),
        ("draw from the discard pile", "take"),
        ("take from the pile", "take"),
        ("take Y9", "take"),
        ("take the 9", "take"),
        ("take the top one", "take"),
        ("take the yellow nine", "take"),
    ],
)
def test_drawing_and_taking(text, canonical):
    """Many words, two moves."""
    assert read(START, text) == canonical


@pytest.mark.rule("GEN-9", "P10-3", "P10-30")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("lay", "lay R5 B5 G5 / R7 G7 Y7"),
        ("lay phase 1", "lay R5 B5 G5 / R7 G7 Y7"),
        ("lay down my phase", "lay R5 B5 G5 / R7 G7 Y7"),
        ("lay 5 5 5 / 7 7 W", "lay R5 B5 G5 / R7 G7 W"),
        ("lay 5 5 5/7 7 7", "lay R5 B5 G5 / R7 G7 Y7"),
        ("LAY five five wild / seven seven seven", "lay R5 B5 W / R7 G7 Y7"),
        ("lay G5 5 w / y7 7 wild", "lay R5 G5 W / R7 Y7 W"),
        ("lay red 5 blue 5 green 5 / 7y 7g r7", "lay R5 B5 G5 / R7 G7 Y7"),
        ("lay 5 5 5 7 7 7", "lay R5 B5 G5 / R7 G7 Y7"),
        ("lay 5, 5, 5 / 7, 7, 7 and W", "lay R5 B5 G5 / R7 G7 Y7 W"),
    ],
)
def test_laying_down(text, canonical):
    """Bare numbers take the first colours in documented order; the stroke may be left out."""
    assert read(LAYING, text) == canonical


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("lay 5 5 W W 7 7", 1),
        ("lay 5 5 5 W 7 7 7", 2),
        ("lay 5 5 5 5 / 7 7 7", 0),
        ("lay R9 / W", 0),
    ],
)
def test_where_the_second_group_begins(text, candidates):
    """The only way is taken; of several the player is asked; none is refused."""
    if candidates == 1:
        assert read(LAYING, text) == "lay R5 B5 W / R7 G7 W"
    else:
        with pytest.raises(AmbiguousOrderError if candidates else IllegalMoveError) as caught:
            read(LAYING, text)
        assert len(getattr(caught.value, "candidates", ())) == candidates


@pytest.mark.rule("P10-30")
def test_lay_without_a_phase_in_the_hand():
    """Says so, with the phase in words."""
    state = table(seat("R5 B5 G5 R7"), seat("G1"), drawn=True)
    with pytest.raises(IllegalMoveError, match="set of 3 \\+ set of 3") as caught:
        read(state, "lay")
    assert caught.value.rule == "P10-30"


@pytest.mark.rule("GEN-9", "P10-9")
def test_bare_numbers_in_a_colour_group():
    """Of the one colour that has them all; of several the player is asked."""
    hand = "R1 R2 R3 R4 R5 R6 R7 B1 B2 B3 W W"
    state = table(seat(hand, phase=8), seat("G1"), drawn=True)
    assert read(state, "lay 1 2 3 4 5 6 7") == "lay R1 R2 R3 R4 R5 R6 R7"
    assert read(state, "lay 4 5 6 7 1 W W") == ("lay R1 R4 R5 R6 R7 W W")
    both = table(seat("R1 R2 R3 R4 R5 B1 B2 B3 B4 B5 W W", phase=8), seat("G1"), drawn=True)
    with pytest.raises(AmbiguousOrderError) as caught:
        read(both, "lay 1 2 3 4 5 W W")
    assert caught.value.candidates == ("lay R1 R2 R3 R4 R5 W W", "lay B1 B2 B3 B4 B5 W W")
    assert read(both, "lay B1 2 3 4 5 W W") == "lay B1 B2 B3 B4 B5 W W"
    with pytest.raises(IllegalMoveError):
        read(both, "lay 1 2 3 4 5 6 7")


@pytest.mark.rule("GEN-9", "P10-16")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("hit R5 on 0.0", "hit R5 on 0.0"),
        ("hit R5 on own", "hit R5 on 0.0"),
        ("hit 5 on mine", "hit R5 on 0.0"),
        ("hit the red 5 onto my set", "hit R5 on 0.0"),
        ("hit 7 on 0 set", "hit G7 on 0.1"),  # the first where it is legal
        ("hit G7 on 0", "hit G7 on 0.1"),
        ("hit G7 on 2 run high", "hit G7 on 2.1"),
        ("hit 7 on 2", "hit G7 on 2.1"),
        ("hit B2 on 2's run", "hit B2 on 2.1"),
        ("hit 2", "hit B2 on 2.1"),  # it fits in one place only
        ("hit W on 2 run high", "hit W on 2.1 high"),
        ("hit W low on 2 run", "hit W on 2.1 low"),
        ("hit W on 2 high", "hit W on 2.1 high"),
        ("hit W on 2", "hit W on 2.0"),  # the first where it is legal as written
        ("hit a wild on the low end of 2 run", "hit W on 2.1 low"),
        ("hit wild on seat 2 set", "hit W on 2.0"),
    ],
)
def test_hitting(text, canonical):
    """A group by seat and number, by kind, or the first one that fits."""
    assert read(HITTING, text) == canonical


@pytest.mark.rule("P10-15", "P10-16")
@pytest.mark.parametrize(
    ("text", "error", "rule"),
    [
        ("hit W", AmbiguousOrderError, "P10-15"),
        ("hit W on 2 run", IllegalMoveError, "P10-16"),
        ("hit R5 on 2", IllegalMoveError, "P10-15"),
        ("hit R5 on 1", IllegalMoveError, "P10-15"),
        ("hit R5 on 8", IllegalMoveError, "P10-15"),
        ("hit R5 on 0.9", IllegalMoveError, "P10-15"),
        ("hit Y9 on 0", IllegalMoveError, "P10-15"),
        ("hit 9 on 0", IllegalMoveError, "P10-15"),
        ("hit S on 0", IllegalMoveError, "P10-10"),
        ("hit S", IllegalMoveError, "P10-10"),
        ("hit R5 high on 0", IllegalMoveError, "P10-16"),
        ("hit R5 B5 on 0", InvalidOrderError, None),
        ("hit R5 on", InvalidOrderError, None),
        ("hit R5 on bob", InvalidOrderError, None),
        ("hit on 0", InvalidOrderError, None),
        ("hit W on 2 low high", InvalidOrderError, None),
        ("hit W on 2 3", InvalidOrderError, None),
    ],
)
def test_hits_that_are_refused(text, error, rule):
    """Asked back, refused by rule, or no order at all."""
    with pytest.raises(error) as caught:
        read(HITTING, text)
    assert caught.value.rule == rule


@pytest.mark.rule("GEN-9", "P10-19")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("discard G7", "discard G7"),
        ("discard the green seven", "discard G7"),
        ("discard 7", "discard G7"),
        ("discard 5", "discard R5"),  # colour means nothing in this hand
        ("discard a wild", "discard W"),
        ("discard S 2", "discard S 2"),
        ("discard skip 2", "discard S 2"),
        ("discard the skip on 1", "discard S 1"),
        ("skip 2", "discard S 2"),
        ("Skip seat 2!", "discard S 2"),
    ],
)
def test_discarding(text, canonical):
    """One card; a skip with its name."""
    assert read(HITTING, text) == canonical


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize("where", ["at phase 8", "on the table"])
def test_a_bare_discard_is_asked_back_where_colour_matters(where):
    """Somebody is at phase 8, or a colour group lies."""
    other = seat("R1", phase=8) if where == "at phase 8" else seat("R1")
    groups = {} if where == "at phase 8" else {1: COLOURS}
    state = table(seat("R5 B5 B5 G7"), other, groups=groups, drawn=True)
    with pytest.raises(AmbiguousOrderError) as caught:
        read(state, "discard 5")
    assert caught.value.candidates == ("discard R5", "discard B5")
    assert read(state, "discard 7") == "discard G7"


@pytest.mark.rule("P10-19")
def test_a_skip_that_can_name_one_seat_only_names_it():
    """With two players nobody need be named."""
    state = table(seat("S R1"), seat("G1"), drawn=True)
    assert read(state, "discard S") == "discard S 1"
    assert read(state, "skip") == "discard S 1"


@pytest.mark.rule("P10-2")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("lay 5h 5s 5c / ah ac kd", "lay R5 B5 G5 / R1 G1 W"),
        ("lay 5 5 5 / A A K", "lay R5 B5 G5 / R1 G1 W"),
        ("lay five of hearts 5♠ c5 / ace ace king", "lay R5 B5 G5 / R1 G1 W"),
        ("lay R5 B5 G5 / R1 G1 W", "lay R5 B5 G5 / R1 G1 W"),
        ("discard Qd", "discard Y12"),
        ("discard jack", "discard B11"),
        ("discard the queen of diamonds", "discard Y12"),
        ("discard joker 1", "discard S 1"),
        ("discard S 1", "discard S 1"),
        ("discard king of spades", "discard W"),
        ("discard Js", "discard B11"),
    ],
)
def test_the_standard_deck_is_read_and_the_cards_stay(text, canonical):
    """Suits are colours, kings wilds, jokers skips."""
    hand = "R5 B5 G5 R1 G1 W Y12 B11 S"
    state = table(seat(hand), seat("G2"), drawn=True, options={"deck": "standard"})
    assert read(state, text) == canonical


@pytest.mark.rule("P10-2")
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("lay W S", [("W", "S")]),
        ("lay 5 5 W S", [(5, 5, "W", "S")]),
        ("lay S W", [("S", "W")]),
        ("lay S S / w s w", [("S", "S"), ("W", "S", "W")]),
        ("lay 5 S", [("B5",)]),
        ("lay 5 S S", [("B5", "S")]),
        ("lay 5h S", [("R5", "S")]),
        ("lay hearts 5 S", [("R5", "S")]),
        ("lay 5 h 7 S", [("R5", "B7")]),
        ("lay 5 h S", [("R5", "S")]),
        ("lay R5 S", [("R5", "S")]),
        ("lay five of S W", [("B5", "W")]),
        ("lay K S", [("W",)]),
        ("lay king of spades S", [("W", "S")]),
        ("lay joker S", [("S", "S")]),
        ("lay wild S", [("W", "S")]),
        ("lay W h 5", [("W", "R5")]),
        ("lay W s5", [("W", "B5")]),
        ("lay W S 5", [("W", "S", 5)]),
        ("lay QS W", [("B12", "W")]),
    ],
)
def test_with_the_standard_deck_w_and_s_are_wild_and_skip(text, meant):
    """They take no suit; a king does, and an `S` right behind another rank is its suit."""
    form = read_form(text, TABLES["standard"])
    assert isinstance(form, LayForm)
    assert form.groups == tuple(
        tuple(AnyColour(one) if isinstance(one, int) else one for one in group) for group in meant
    )


@pytest.mark.rule("P10-2", "P10-3")
@pytest.mark.parametrize(
    ("text", "meant"),
    [("lay W R 5", ("W", "R5")), ("lay W S", ("W", "S")), ("lay 5 b W", ("B5", "W"))],
)
def test_with_the_own_deck_a_wild_takes_no_colour(text, meant):
    assert read_form(text, TABLES["phase10"]) == LayForm((meant,))
    assert read_form("lay 5 5 5 / W B", TABLES["phase10"]) is None


@pytest.mark.rule("P10-2")
@pytest.mark.parametrize("text", ["discard 5h", "discard king", "discard joker"])
def test_without_the_option_suits_are_no_cards(text):
    """Except the skip words, which are the same in both."""
    state = table(seat("R5 W S R1"), seat("G2"), drawn=True)
    if text == "discard joker":
        assert read(state, text) == "discard S 1"
    else:
        with pytest.raises(InvalidOrderError):
            read(state, text)


@pytest.mark.parametrize(
    "text",
    [
        "", "hello", "5 5 5", "R5", "W", "I draw", "draw draw", "draw 5", "lay down your arms",
        "lay /", "lay 5 5 5 /", "lay low", "discard", "discard S bob", "skip bob",
        "skip this one", "skip on", "take 5 6", "hit me", "hit", "draw pile", "/", "take it easy", "take a card",
        "discard R5 or 2", "hit R5 on 1.0.0", "pick a card", "on 1", "lay?", "take Y9 or not",
    ],
)  # fmt: skip
def test_prose_never_moves_a_card(text):
    """What is not understood to the last word is no order."""
    assert not OFFICIAL.reads_as_order(text)
    for state in (START, LAYING, HITTING):
        with pytest.raises(InvalidOrderError):
            OFFICIAL.parse_order(state, 0, text)


@pytest.mark.rule("P10-6")
def test_taking_a_card_that_is_not_on_top():
    """The top card is public, so the refusal names it."""
    with pytest.raises(IllegalMoveError, match="Y9"):
        read(START, "take Y1")


@given(
    text=st.text(max_size=30)
    | st.lists(st.sampled_from([*ORDER_WORDS, "/", "1.0", "2", "R5"]), max_size=8).map(" ".join)
)
def test_any_text_is_an_order_or_refused(text):
    """Nothing else comes out of the reader, and what it reads it can write and read again."""
    for state in (START, LAYING, HITTING):
        try:
            move = OFFICIAL.parse_order(state, 0, text)
        except EngineError:
            continue
        assert OFFICIAL.reads_as_order(text)
        canonical = OFFICIAL.format_move(state, 0, move)
        try:
            OFFICIAL.apply(state, 0, move)
        except IllegalMoveError:
            continue
        assert OFFICIAL.parse_order(state, 0, canonical) == move


@pytest.mark.rule("GEN-9")
def test_every_listed_move_reads_back():
    """The canonical text gives the move back, with either deck."""
    for deck in ("phase10", "standard"):
        for hand in ("R5 B5 G5 R7 G7 Y7 W W S R1 R2", "S S W W W W W R9 R8 R7 R12"):
            for own in (seat(hand), done(hand)):
                state = table(
                    own, seat("G1"), done(), groups={2: PHASE_2}, drawn=True,
                    options={"deck": deck},
                )  # fmt: skip
                for move in OFFICIAL.legal_moves(state, 0):
                    text = OFFICIAL.format_move(state, 0, move)
                    assert OFFICIAL.parse_order(state, 0, text) == move
                    OFFICIAL.apply(state, 0, move)


def test_a_run_is_read_with_bare_numbers():
    """Wilds at their places."""
    state = table(seat("R5 B5 G5 R1 R2 Y4 W", phase=2), seat("G1"), drawn=True)
    assert read(state, "lay 1 2 W 4 / 5 5 5") == "lay R5 B5 G5 / R1 R2 W Y4"


STANDARD = table(
    seat("R1 B1 B5 B11 G5 W S S"), seat("G1"), seat("G2"), drawn=True, options={"deck": "standard"},
    pile="Y1 B1",
)  # fmt: skip


@pytest.mark.rule("GEN-9", "P10-2")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("discard A of spades", "discard B1"),
        ("discard A ♥", "discard R1"),
        ("discard A s", "discard B1"),
        ("discard an ace of spades", "discard B1"),
        ("discard a jack", "discard B11"),
        ("discard a J of s", "discard B11"),
        ("discard 5 s", "discard B5"),
        ("discard a 5 of ♣", "discard G5"),
        ("discard an A", "discard R1"),
        ("discard a B11", "discard B11"),
        ("discard a king", "discard W"),
        ("discard s 1", "discard S 1"),
        ("discard a joker on 2", "discard S 2"),
    ],
)
def test_standard_cards_are_read_with_their_articles(text, canonical):
    """An `a` is an ace or an article, an `s` spades or a skip, whichever makes one card."""
    assert read(STANDARD, text) == canonical


@pytest.mark.rule("GEN-9", "P10-2", "P10-6")
@pytest.mark.parametrize("text", ["discard A 5", "discard 5 W", "discard 5 5", "5, 8 away"])
def test_two_cards_are_not_discarded_at_once(text):
    """In signs the capital A is an ace; what is read as two cards is refused by its rule."""
    with pytest.raises(IllegalMoveError, match="one card a turn, not 2") as refusal:
        OFFICIAL.parse_order(STANDARD, 0, text)
    assert refusal.value.rule == "P10-6"


@pytest.mark.rule("GEN-9", "P10-2")
def test_two_cards_do_not_hit_at_once():
    with pytest.raises(InvalidOrderError):
        OFFICIAL.parse_order(STANDARD, 0, "hit A 5 on 1.0")


@pytest.mark.rule("GEN-9")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [("discard an 8", "discard R8"), ("discard a red 8", "discard R8"), ("discard a R8", "discard R8"),
     ("discard R 8", "discard R8"), ("discard a wild card", "discard W")],
)  # fmt: skip
def test_own_cards_are_read_with_their_articles(text, canonical):
    """There is no ace in a pack of Phase 10."""
    assert read(table(seat("R8 G3 W"), seat("G1"), drawn=True), text) == canonical


OF_WILDS = "R5 B5 G5 W W W W S R1"


def wild_table(hand=OF_WILDS, phase=1, **options):
    return table(
        seat(hand, phase=phase), seat("G1"), drawn=True, options={"naturals": "phase", **options}
    )


@pytest.mark.rule("P10-V4", "GEN-9")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("lay W W W as 7 / B5 G5 R5", "lay W W W as 7 / R5 B5 G5"),
        ("lay 5 5 5 / W W W as 7", "lay R5 B5 G5 / W W W as 7"),
        ("lay W W W as sevens / 5 5 5", "lay W W W as 7 / R5 B5 G5"),
        ("lay three wilds as 7s / three 5s", "lay W W W as 7 / R5 B5 G5"),
        ("lay wild wild wild AS SEVEN / 5 5 5", "lay W W W as 7 / R5 B5 G5"),
        ("put down W W W as 7 / 5 5 5", "lay W W W as 7 / R5 B5 G5"),
        ("lay a set of W W W as 7 and a set of 5 5 5", "lay W W W as 7 / R5 B5 G5"),
        ("lay W W W as 7 and 5 5 5", "lay W W W as 7 / R5 B5 G5"),
        ("lay W W W as 7 5 5 5", "lay W W W as 7 / R5 B5 G5"),
        ("lay 5 5 5 W W W as 7", "lay R5 B5 G5 / W W W as 7"),
        ("lay 5 5 5 as 5 / W W W W as 12", "lay R5 B5 G5 / W W W W as 12"),
        ("lay 5 5 5 / R1 W W as 1", "lay R5 B5 G5 / R1 W W"),
        ("lay", "lay R1 W W / R5 B5 G5"),
    ],
)
def test_wilds_say_what_they_are(text, canonical):
    """The log has `as` behind wilds alone, and only there."""
    state = wild_table()
    assert read(state, text) == canonical
    assert read(state, canonical) == canonical
    assert OFFICIAL.reads_as_order(text)


@pytest.mark.rule("P10-V4")
def test_a_colour_can_be_said():
    """Then bare numbers are of that colour."""
    state = wild_table("R1 R2 R3 R4 R5 B1 B2 B3 B4 B5 W W", phase=8)
    assert read(state, "lay 1 2 3 4 5 W W as red") == "lay R1 R2 R3 R4 R5 W W"
    assert read(state, "lay 1 2 3 4 5 W W as B") == "lay B1 B2 B3 B4 B5 W W"
    with pytest.raises(IllegalMoveError, match="as R") as caught:
        read(state, "lay B1 B2 B3 B4 B5 W W as red")
    assert caught.value.rule == "P10-V4"


@pytest.mark.rule("P10-V4")
@pytest.mark.parametrize(
    "text", ["lay W W W / 5 5 5", "lay 5 5 5 / W W W", "lay 5 5 5 W W W", "lay 5 5 5 W W W W"]
)
def test_wilds_that_do_not_say_what_they_are(text):
    """The refusal shows how to write it, and that is understood."""
    state = wild_table()
    with pytest.raises(IllegalMoveError) as caught:
        read(state, text)
    assert caught.value.rule == "P10-V4"
    *_, form = caught.value.message.partition("as in ")
    assert read(state, f"lay {form}") == f"lay {form}"


@pytest.mark.rule("P10-V4", "P10-2")
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("lay K K K as 7 / 5 5 5", ((("W", "W", "W"), 7), ((5, 5, 5), None))),
        ("lay K K K As Q", ((("W", "W", "W"), 12),)),
        ("lay W W W W as A", ((("W", "W", "W", "W"), 1),)),
        ("lay K K As", ((("W", "W", "B1"), None),)),  # the ace of spades at the end
        ("lay K As 2 3", ((("W", "B1", 2, 3), None),)),  # and before more than one word
        ("lay 5 5 As 5", ((("5", "5", "B1", "5"), None),)),  # and behind other cards
    ],
)
def test_as_is_a_word_only_between_kings_and_the_last_word(text, meant):
    """With the standard deck, where it is also the ace of spades."""
    form = read_form(text, TABLES["standard"], by_phase=True)
    groups = tuple(
        tuple(AnyColour(int(one)) if str(one).isdecimal() else one for one in group)
        for group, _ in meant
    )
    numbers = tuple(number for _, number in meant)
    assert form == LayForm(groups, numbers if any(numbers) else ())


@pytest.mark.rule("P10-V4", "P10-2")
def test_without_the_option_as_stays_the_ace_of_spades():
    """Five kings, the ace and the five of spades are a colour group there."""
    hand, text = "B1 B5 W W W W W S", "lay K K K K K As 5"
    state = table(seat(hand, phase=8), seat("G1"), drawn=True, options={"deck": "standard"})
    assert read(state, text) == "lay B1 B5 W W W W W"
    with pytest.raises(IllegalMoveError):
        read(wild_table(hand, phase=8, deck="standard"), text)


@pytest.mark.rule("P10-V4")
def test_as_is_refused_in_other_games():
    """With what it is for."""
    state = table(seat(OF_WILDS), seat("G1"), drawn=True)
    with pytest.raises(IllegalMoveError, match="naturals=phase") as caught:
        read(state, "lay W W W as 7 / 5 5 5")
    assert caught.value.rule == "P10-V4"
