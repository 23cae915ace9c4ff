"""A step tells what happened when it is asked, not before, and always the same."""

from engine.api import Fact, Seat, Setup, Shuffle, Step
from engine.phyliss.rules import Phyliss

DREW = Fact("drew", Seat(0), {"count": 2})
PLAYED = Fact("played", Seat(0), {"cards": ["7c"]})


class Pen:
    """Writes facts, and counts how often."""

    def __init__(self):
        self.times = 0

    def __call__(self):
        self.times += 1
        return [PLAYED, DREW]


def test_facts_given_as_facts_stay_as_they_are():
    """As a caller that has them at hand gives them."""
    assert Step("state", (PLAYED, DREW)).facts == (PLAYED, DREW)
    assert Step("state").facts == ()


def test_notes_are_written_in_their_order():
    """Facts and functions that write some may stand side by side."""
    step = Step("state", [DREW, lambda: [PLAYED, DREW], PLAYED])
    assert step.facts == (DREW, PLAYED, DREW, PLAYED)


def test_nothing_is_written_before_it_is_read_and_nothing_twice():
    """Whoever only plays on is spared the story; who reads it twice reads the same objects."""
    pen = Pen()
    step = Step("state", [pen])
    assert pen.times == 0
    first = step.facts
    assert step.facts is first
    assert pen.times == 1


def test_whether_something_was_shuffled_is_known_before_it_is_told():
    """A shuffle may be a function that makes it, too."""
    shuffled = Shuffle(3, ("7c", "8c"), ("8c", "7c"))
    pen = []
    step = Step("state", (), [shuffled, lambda: pen.append(1) or shuffled])
    assert step.has_shuffled
    assert pen == []
    assert step.shuffles == (shuffled, shuffled)
    assert pen == [1]
    assert not Step("state").has_shuffled


def test_steps_are_equal_by_what_they_tell():
    """However the facts came about."""
    assert Step("state", [lambda: [PLAYED]]) == Step("state", (PLAYED,))
    assert Step("state", [lambda: [PLAYED]]) != Step("state", (DREW,))
    assert Step("state") != Step("other state")
    assert Step("state") != ("state", (), ())


def test_facts_are_of_the_moment_however_late_they_are_read():
    """Playing on changes nothing of what is told about an earlier ply."""
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
