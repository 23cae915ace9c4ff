"""Run a short soak: games of every ruleset with every option set and every number of seats."""

import pytest

from engine import registry
from engine.api import Seat, Setup, Source, Step
from trials.soak.cells import OPTION_SETS, Cell, cells
from trials.soak.trial import EXCHANGED, Trial, cards_in

GAMES = 4


def some_cells():
    """Yield each option set of a ruleset once, with the numbers of seats in turn."""
    for name in registry.names():
        players = registry.find(name).players
        for number, options in enumerate(OPTION_SETS[name]):
            yield Cell(name, players[number % len(players)], tuple(options.items()))


@pytest.mark.no_cover
@pytest.mark.rule("GEN-1", "GEN-5", "GEN-8", "GEN-12", "GEN-14")
@pytest.mark.parametrize("cell", list(some_cells()), ids=str)
def test_games_of_every_kind_keep_every_promise(cell):
    played = [Trial(cell, number).play() for number in range(GAMES)]
    assert sum(results.plies for results in played) > 0


def test_every_ruleset_and_number_of_seats_has_cells():
    for name in registry.names():
        for chosen in (cells(name), (cell for cell in some_cells() if cell.ruleset == name)):
            assert {cell.players for cell in chosen} == set(registry.find(name).players)
        assert name in EXCHANGED


@pytest.mark.parametrize("name", registry.names())
def test_the_checks_count_every_card(name):
    rules = registry.find(name)
    step = rules.start(Setup(2, bytes(32), rules.check_options(2, {})))
    pack = [card for shuffle in step.shuffles for card in shuffle.before]
    assert sorted(cards_in(rules.state_json(step.state)).elements()) == sorted(pack)


class Faulty:
    """Rules with faults that the trial must notice."""

    def __init__(self, rules, **broken) -> None:
        self._rules = rules
        self._broken = broken

    def __getattr__(self, name):
        return self._broken.get(name) or getattr(self._rules, name)


def played_with(**broken):
    trial = Trial(Cell("phyliss", 3, ()), 1)
    trial.rules = Faulty(trial.rules, **broken)
    trial.luck.random = lambda: 0.006  # checks every position closely, and no player resigns
    trial.quitting = 0
    return trial.play()


def test_a_leaking_view_is_noticed():
    rules = registry.find("phyliss")

    def leak(state, seat):
        return {**rules.view(state, seat), "next": rules.state_json(state)["stock"][-1:]}

    with pytest.raises(AssertionError, match="a view leaks"):
        played_with(view=leak)


def test_a_lost_card_is_noticed():
    rules = registry.find("phyliss")

    def lose(state):
        data = rules.state_json(state)
        return {**data, "stock": data["stock"][:-1]}

    with pytest.raises(AssertionError, match="a card is lost"):
        played_with(state_json=lose)


def test_a_dead_end_and_a_forgotten_ply_are_noticed():
    rules = registry.find("phyliss")
    with pytest.raises(AssertionError, match="a dead end"):
        played_with(legal_moves=lambda state, seat: iter(()))

    def idle(state, seat: Seat, move, source=Source.CHOSEN):
        rules.apply(state, seat, move, source)
        return Step(state, ())

    with pytest.raises(AssertionError, match="a ply counts one"):
        played_with(apply=idle)
