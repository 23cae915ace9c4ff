"""Options and snapshots of every ruleset: what is taken, and what is refused.

`options.tsv` has a ruleset, a number of players, options, and the refusal or (as JSON) what the options are completed
to. `states.tsv` has a position, a place in its snapshot, and a value that does not belong there (`-`: nothing).
"""

import json
from pathlib import Path

import pytest

from engine import registry
from engine.api import Setup
from engine.errors import ReplayError, SetupError
from tests.engine.cathedral import tables as cat
from tests.engine.phalanx import tables as plx
from tests.engine.phase10 import tables as p10
from tests.engine.test_replay import STATES


def rows(name):
    text = Path(__file__).with_name(name).read_text("utf-8")
    return [line.split("\t") for line in text.splitlines()]


@pytest.mark.rule(
    "GEN-14", "P10-2", "P10-V1", "P10-V2", "P10-V3", "P10-V4", "PLX-V1", "PLX-V3", "PLX-V4", "PLX-V5",
    "PLX-V6", "PLX-V7",
)  # fmt: skip
@pytest.mark.parametrize(("ruleset", "players", "given", "expected"), rows("options.tsv"))
def test_options_are_completed_or_refused_with_what_is_allowed(ruleset, players, given, expected):
    """The refusal names the option and the allowed values."""
    rules = registry.find(ruleset)
    if expected.startswith("{"):
        result = rules.check_options(int(players), json.loads(given))
        assert result.items() >= json.loads(expected).items()
        assert rules.check_options(int(players), result) == result
    else:
        with pytest.raises(SetupError) as refusal:
            rules.check_options(int(players), json.loads(given))
        assert (refusal.value.rule, str(refusal.value)) == ("GEN-14", expected)


PRIVATE = cat.table(
    cat.seat("4c 5c", "6c 7c Qd", known="5c"), cat.seat("8c 9c Jc", "Qc Kc Ac", known="9c"),
    pile="3h", stock="4h 5h",
)  # fmt: skip
POSITIONS = {
    "cathedral": PRIVATE,
    "cathedral choosing": cat.Game(cat.choosing(*cat.SIX)).by(1, "keep 2 3 4").state,
    "phyliss": STATES[10],
    "phalanx": plx.new(3).state,
    "phalanx zones": plx.new(2, stakes="zones").state,
    "phase10": p10.OFFICIAL.start(p10.setup(2)).state,
}


@pytest.mark.rule("GEN-1")
@pytest.mark.parametrize(("position", "place", "value"), rows("states.tsv"))
def test_a_snapshot_that_does_not_fit_is_no_state(position, place, value):
    """Wrong types, missing or doubled cards, fields that contradict each other: never a strange state."""
    state, rules = POSITIONS[position], registry.find(position.partition(" ")[0])
    data = json.loads(json.dumps(rules.state_json(state)))
    assert rules.state_from_json(state.setup, data) == state
    *way, last = (int(step) if step.isdecimal() else step for step in place.split("."))
    part = data
    for step in way:
        part = part[step]
    if value == "-":
        del part[last]
    else:
        part[last] = json.loads(value)
    with pytest.raises(ReplayError, match="no state of"):
        rules.state_from_json(state.setup, data)


@pytest.mark.rule("GEN-5")
@pytest.mark.parametrize("rules", registry.latest(), ids=lambda rules: rules.id.name)
def test_no_hidden_card_or_seed_is_in_the_repr_of_a_state(rules):
    """A state that lands in a log line or traceback gives nothing away."""
    setup = Setup(2, bytes(range(32)), rules.check_options(2, {}))
    state = rules.start(setup).state
    view = json.dumps(rules.view(state, None))
    dealt = [card for own in state.seats for card in own.hand]
    assert dealt
    text = repr(state)
    hidden = {card for card in dealt if f'"{card}"' not in view}
    assert hidden
    assert not any(f"'{card}'" in text for card in hidden)
    assert setup.seed.hex() not in text
    assert repr(setup.seed) not in text
