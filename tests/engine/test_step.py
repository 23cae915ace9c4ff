"""Test that a step computes its facts lazily and always the same."""

from engine.api import Setup
from engine.phyliss.rules import Phyliss


def test_facts_are_of_the_moment_however_late_they_are_read():
    """Later plies do not change the facts of an earlier one."""
    rules = Phyliss()
    setup = Setup(2, bytes(32), rules.check_options(2, {}))

    def steps():
        step = rules.start(setup)
        yield step
        for _ in range(40):
            (seat,) = rules.to_act(step.state)
            step = rules.apply(step.state, seat, next(iter(rules.legal_moves(step.state, seat))))
            yield step

    read_at_once = [step.facts for step in steps()]
    read_late = [step.facts for step in list(steps())]
    assert read_at_once == read_late


def test_no_card_of_a_shuffle_is_in_its_repr():
    """A log line or a traceback must not open a deal."""
    (shuffled,) = Phyliss().start(Setup(2, bytes(32), Phyliss().check_options(2, {}))).shuffles
    assert repr(shuffled) == "Shuffle(number=0)"
