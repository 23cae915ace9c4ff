"""Test that canonical texts of moves mean the same by look-up and by parsing."""

import pytest

from engine.cards import PACK
from engine.errors import EngineError
from engine.plays import PICK_UP, PLAYS, written_move
from tests.engine.cathedral import tables as cathedral
from tests.engine.phyliss import tables as phyliss

GAMES = pytest.mark.parametrize("game", [phyliss, cathedral], ids=["phyliss", "cathedral"])
TEXTS = ["play " + " ".join(play.cards) for play in PLAYS.values()]


def meaning(game, state, text: str) -> object:
    try:
        return game.RULES.parse_order(state, 0, text)
    except EngineError as error:
        return type(error), str(error), error.rule


@pytest.mark.rule("GEN-9")
@GAMES
def test_every_play_is_what_its_words_mean(game) -> None:
    """With a full stop behind it a line is no canonical text: its words are read."""
    state = game.table(game.seat(" ".join(PACK[:-1])), game.seat(PACK[-1]))
    none = game.table(game.seat("2c"), game.seat("3h"), pile="2s")
    for text in [*TEXTS, "pickup"]:
        assert written_move(f"{text}.", PACK) is None
        assert meaning(game, state, text) == meaning(game, state, f"{text}.")
        assert meaning(game, none, text) == meaning(game, none, f"{text}.")


@pytest.mark.rule("GEN-9")
def test_cards_that_are_not_there_are_left_to_the_words() -> None:
    hand = phyliss.cards("2c 2d 3h")

    assert written_move("play 2c 2d", hand) == PLAYS[hand[:2]]
    assert written_move("play 2c 2s", hand) is None
    assert written_move("play 2d 2c", hand) is None
    assert written_move("pickup", ()) is PICK_UP
