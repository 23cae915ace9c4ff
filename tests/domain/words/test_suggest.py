"""Test the moves suggested for sentences that name a card, a zone, a number or a verb."""

from __future__ import annotations

import pytest

from pbem.domain.words.suggest import MAX_SUGGESTIONS, Position, likely_moves

PHYLISS = Position(
    "phyliss", ["play Kc", "play Kc Kd", "pickup", "god"], ["Anna", "Carol"], None, "Qd", True
)
PHALANX = Position(
    "phalanx",
    [f"play {card} {zone}" for card in ("8h", "9c", "9s", "Qh") for zone in ("left", "right")],
    ["Bob", "Carol"],
    {"Bob": "left", "Carol": "right"},
)
PICKING = Position("phyliss", ["play 7c", "play Ac", "pickup", "god"], ["Bob", "Carol"], None, "Qd")
DRAWING = Position("phase10", ["draw", "take"], ["Anna", "Bob"], None, "G11", True)
DISCARDING = Position(
    "phase10",
    ["discard R6", "discard R12", "discard G3", "discard W", "discard S Bob", "discard S Carol"],
    ["Bob", "Carol"],
)

LINES = (
    ("en", PHYLISS, "the second one", "play Kc Kd"),
    ("de", PHYLISS, "die letzte bitte", "god"),
    ("en", PHYLISS, "I side with the third of your suggestions, as my aunt would", "pickup"),
    ("de", PHYLISS, "Ich schließe mich Ihrem zweiten Vorschlag an und grüße alle", "play Kc Kd"),
    ("en", PHYLISS, "king of clubs, keeping the other one", "play Kc"),
    ("en", PHYLISS, "kings, the pair", "play Kc Kd"),
    ("en", PHYLISS, "one king only", "play Kc"),
    ("en", PHYLISS, "im feeling lucky - top card of the stock", "god"),
    ("en", PHYLISS, "ok i'd better collect the queen", "pickup"),
    ("en", PHYLISS, "No 24 for me", "god"),
    ("en", PHALANX, "hearts 8 into the zone between me and Bob", "play 8h left"),
    ("en", PHALANX, "the queen goes where Carol sits", "play Qh right"),
    ("en", PHALANX, "8 against Bob, he wont notice haha", "play 8h left"),
    ("en", PHALANX, "biggest one vs carol pls, running for the bus", "play Qh right"),
    ("en", DRAWING, "blind one from the pile please", "draw"),
    ("en", DRAWING, "Bob's green 11, ta", "take"),
    ("en", DISCARDING, "I can live without the red 6", "discard R6"),
    ("en", DISCARDING, "Bob misses a turn", "discard S Bob"),
    ("de", PHYLISS, "hau beide koenige raus", "play Kc Kd"),
    ("de", PHYLISS, "nur den kreuzkönig, den anderen behalt ich", "play Kc"),
    ("de", PHALANX, "leg mir die herzdame nach rechts, carol soll schwitzen", "play Qh right"),
    ("de", DRAWING, "eine unbekannte bitte", "draw"),
    ("de", DRAWING, "die gruene 11 nehmen", "take"),
    ("de", DISCARDING, "weg mit der roten 6", "discard R6"),
    ("de", DISCARDING, "rote sechser abschmeissen", "discard R6"),
    ("de", DISCARDING, "grüner Dreier, weg", "discard G3"),
    ("de", DISCARDING, "carol soll aussetzen hihi", "discard S Carol"),
)


@pytest.mark.parametrize(("language", "position", "text", "first"), LINES)
def test_the_nearest_move_comes_first(
    language: str, position: Position, text: str, first: str
) -> None:
    """What a line names of a move ranks it; at most three are suggested."""
    found = likely_moves(text, language, position)
    assert found[:1] == (first,), found
    assert len(found) <= MAX_SUGGESTIONS


@pytest.mark.parametrize(
    ("language", "position", "text", "first"),
    [
        ("en", PICKING, "pick up. don't want to waste the ace", "pickup"),
        ("en", PICKING, "I'll pick up, saving my ace", "pickup"),
        ("en", PICKING, "play the 7 and keep the ace", "play 7c"),
        ("en", PICKING, "not the ace, the seven", "play 7c"),
        ("de", PICKING, "ich nehm auf, das Ass heb ich auf", "pickup"),
        ("de", PICKING, "nimm auf, will das ass nicht verschwenden", "pickup"),
        ("de", PICKING, "die sieben, das ass spar ich mir", "play 7c"),
        ("de", DISCARDING, "nicht die rote 6, die grüne 3", "discard G3"),
    ],
)
def test_a_card_that_is_kept_is_no_suggestion(
    language: str, position: Position, text: str, first: str
) -> None:
    """What a line will not play is the reverse of what it means."""
    assert likely_moves(text, language, position) == (first,)


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "can't keep the red 6"), ("en", "I don't need the red 6"), ("de", "die rote 6 brauch ich nicht")],
)  # fmt: skip
def test_a_card_that_nobody_needs_may_go(language: str, text: str) -> None:
    """There `not` does not deny the move."""
    assert likely_moves(text, language, DISCARDING)[:1] == ("discard R6",)


def test_a_german_joker_is_both_the_wild_and_the_skip() -> None:
    """In its own deck nobody knows which is meant, so both are suggested."""
    found = likely_moves("Joker auf Carol", "de", DISCARDING)
    assert {"discard W", "discard S Carol"} <= set(found)


@pytest.mark.parametrize(
    "text", ["What lovely weather!", "Hello Carol, how are you?", "", "Grüße aus Rom", "¿Qué tal?"]
)
def test_a_line_that_names_nothing_gets_no_moves(text: str) -> None:
    """Small talk is answered as before."""
    for position in (PHYLISS, PHALANX, DRAWING, DISCARDING):
        assert likely_moves(text, "de", position) == ()


@pytest.mark.parametrize(
    "text",
    [
        "I always pick up the kids at 4", "we skip breakfast on sundays", "good luck everyone", "lunch at 12?",
        "heute 9 grad und nebel", "bis morgen um 9", "ich nehm um 9 die Kinder mit", "my 3 kids say hello to Bob",
        "mein Chef hat mir heute 6 neue Projekte gegeben",
    ],
)  # fmt: skip
def test_life_gets_no_moves(text: str) -> None:
    """A number, a time or an everyday verb in a line about something else."""
    for position in (PHYLISS, PHALANX, DRAWING, DISCARDING):
        assert likely_moves(text, "de", position) == (), position


def test_numbers_of_another_list_name_no_move() -> None:
    """A number is a move only in the list of the answered mail."""
    assert likely_moves("I'd say 24", "en", PHALANX) == ()


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "I'll pick up the two fives"), ("de", "ich nehm die zwei Fünfen")],
)
def test_taking_cards_that_are_not_on_the_pile_is_no_picking_up(language: str, text: str) -> None:
    moves = ["play 7h", "play 9s", "pickup", "god"]
    at = Position(game="phyliss", moves=moves, top="7c")
    assert likely_moves(text, language, at) == ()
    assert likely_moves("Ich nehme den Stapel", language, at) == ("pickup",)
