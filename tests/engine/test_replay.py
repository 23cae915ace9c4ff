"""Test that logs replay to the same states (GEN-1, GEN-12), and that invalid logs are refused."""

import pytest

from engine import replay
from engine.api import Seat, Source
from engine.errors import EngineError, ReplayError
from engine.replay import GameLog, MoveEntry, ResignEntry
from tests.engine.phyliss.tables import RULES, setup

SETUP = setup(3, deals=2, auto_forced="all")


def short_game(sources=(Source.CHOSEN, Source.STANDBY, Source.FORCED)):
    """A few plies of every source and a resignation, with the states after each entry."""
    state = RULES.start(SETUP).state
    entries, states = [], [state]
    for number in range(30):
        (who,) = RULES.to_act(state)
        if number == 20:
            gone = Seat((who + 1) % 3)
            entries.append(ResignEntry(gone))
            state = RULES.resign(state, gone).state
        else:
            move = RULES.standby_move(state, who)
            source = sources[number % len(sources)]
            entries.append(MoveEntry(who, RULES.format_move(state, who, move), source))
            state = RULES.apply(state, who, move, source).state
        states.append(state)
    return GameLog(RULES, SETUP, tuple(entries)), states


LOG, STATES = short_game()


@pytest.mark.rule("GEN-1")
def test_a_replay_gives_every_state_again():
    """Not only the last one."""
    assert [step.state for step in replay.replay(RULES, SETUP, LOG.entries)] == STATES
    assert replay.final_state(LOG) == STATES[-1]


@pytest.mark.rule("GEN-12")
def test_an_end_by_agreement_is_an_entry_of_the_log():
    """Written, read back and replayed; the same entry twice is refused."""
    stopped = GameLog(RULES, SETUP, (*LOG.entries[:20], replay.StopEntry()))
    data = replay.log_json(stopped)
    assert data["entries"][-1] == {"stop": True}
    assert replay.log_from_json(data) == stopped
    assert RULES.outcome(replay.final_state(stopped)).reason == "stopped"
    with pytest.raises(ReplayError, match="entry 22: stop: the game is over"):
        replay.final_state(GameLog(RULES, SETUP, (*stopped.entries, replay.StopEntry())))


@pytest.mark.rule("GEN-12")
def test_a_replay_reads_the_source_and_does_not_derive_it():
    """The same moves with other sources are another state: silence is counted by source."""
    other, states = short_game(sources=(Source.CHOSEN,))
    assert [e.move for e in other.entries[:20]] == [e.move for e in LOG.entries[:20]]
    assert states[5].seats == STATES[5].seats
    assert replay.state_digest(RULES, states[5]) != replay.state_digest(RULES, STATES[5])


@pytest.mark.rule("GEN-12", "GEN-11")
def test_a_replay_plays_no_forced_move_by_itself():
    """Only moves of the log are replayed, whatever the option `auto_forced`."""
    for number, step in enumerate(replay.replay(RULES, SETUP, LOG.entries[:20])):
        assert RULES.ply(step.state) == number


@pytest.mark.rule("GEN-1")
def test_the_digest_is_the_published_one():
    """A known answer: a change of `state_json` or of the deal would change it."""
    digest = replay.state_digest(RULES, RULES.start(setup(2)).state)
    assert digest == "983c3f60c96455121d4f3cb1859f6fb71510f1c34b1ead7322fa7a1538c5909a"
    assert replay.DIGEST_VERSION == 1


@pytest.mark.rule("GEN-7")
def test_an_entry_that_the_rules_forbid_is_a_replay_error():
    """With its number, so that the place is found."""
    wrong = GameLog(RULES, SETUP, (*LOG.entries[:3], MoveEntry(Seat(0), "flip 1")))
    with pytest.raises(ReplayError, match="entry 4: seat 0"):
        replay.final_state(wrong)


def test_only_canonical_texts_are_replayed():
    """A log is not read forgivingly."""
    first = LOG.entries[0]
    for text in (first.move.upper(), first.move + " ", first.move.split()[1]):
        with pytest.raises(ReplayError, match="entry 1"):
            replay.final_state(GameLog(RULES, SETUP, (MoveEntry(first.seat, text),)))


def change(**fields):
    return {**replay.log_json(LOG), **fields}


@pytest.mark.parametrize(
    "data",
    [
        {},
        change(ruleset=1),
        change(ruleset="bridge"),
        change(version="1"),
        change(version=True),
        change(version=99),
        change(players=3.0),
        change(players=9),
        change(seed="00"),
        change(seed="zz" * 32),
        change(seed=None),
        change(options=[]),
        change(options={"deals": "2"}),
        change(entries={}),
        change(entries=[1]),
        change(entries=[{}]),
        change(entries=[{"seat": "0", "move": "god"}]),
        change(entries=[{"seat": 0}]),
        change(entries=[{"stop": 1}]),
        change(entries=[{"stop": True, "seat": 0}]),
        change(entries=[{"seat": 0, "move": "god", "source": "guess"}]),
        change(entries=[{"seat": 0, "resign": False}]),
        change(entries=[{"seat": 0, "resign": True, "move": "god"}]),
    ],
)
def test_what_is_no_log_is_refused(data):
    """Every fault is an error of the engine."""
    with pytest.raises(EngineError):
        replay.log_from_json(data)


@pytest.mark.parametrize("seat", [-1, 3, 2**60])
def test_a_seat_outside_the_table_is_a_replay_error(seat):
    """For moves and resignations."""
    for entry in (MoveEntry(Seat(seat), "god"), ResignEntry(Seat(seat))):
        with pytest.raises(ReplayError):
            replay.final_state(GameLog(RULES, SETUP, (entry,)))
