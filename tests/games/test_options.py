"""Test each option of each game: accepted and refused values, and their description."""

import pytest

from engine import registry
from engine.errors import SetupError
from engine.sentences import Sentence
from pbem.games.options import option_sentences
from pbem.language import translate

NAMES = ("Anna", "Bob", "Carol")
COUNTS = [-1, 1.5, "3", True, [3], None, 1_000_001, 10**50]
"""No numbers of anything; 0 is one or not."""

ALL = {
    "dealer": (
        {0: "Anna deals first.", 1: "Bob deals first.", 2: None},
        [3, -1, "Bob", True, None],
    ),
    "auto_forced": (
        {
            "public": None,
            "all": (
                "In this game your move is played by itself whenever it is the only one, even if that"
                " tells the others something about your hand."
            ),
            "off": 'In this game no move is played by itself, except for players who wrote "auto mine".',
        },
        ["some", "", True, 1],
    ),
}
DEALS = (
    {1: None, 3: "You play 3 deals.", 1_000_000: "You play 1000000 deals."},
    [0, *COUNTS],
)
DEAL_PLIES = (
    {
        2000: None,
        1: "A deal that is not over after 1 move of all players together is stopped.",
        50: "A deal that is not over after 50 moves of all players together is stopped.",
        0: "A deal goes on until it is over, however long that takes.",
    },
    COUNTS,
)


def game_plies(usual):
    return (
        {
            usual: None,
            50: "A game that is not over after 50 moves of all players together is stopped.",
            0: "The game goes on until it is over, however long that takes.",
        },
        COUNTS,
    )


SHEDDING = {**ALL, "deals": DEALS, "max_plies": DEAL_PLIES}
ZONES, PER_CARD = {"stakes": "zones"}, {"stakes": "per_card"}
KEPT = "every player keeps a pack of 52 cards."
PHALANX = {
    **ALL,
    "tie": (
        {
            "back": None,
            "spoils": "If players tie for the lead in a zone, all its cards become spoils.",
            "swap": "If players tie for the lead in a zone, they swap their cards there.",
        },
        ["none", 1, True],
    ),
    "aces": (
        {
            2: None,
            4: "A doubled ace counts 4.",
            10: "A doubled ace counts 10.",
            "highest": (
                "A doubled ace counts as much as the highest number card against it in its zone."
            ),
        },
        [3, "4", True, "high"],
    ),
    "ante": (
        {
            0: None,
            1: "Before each battle, everybody adds 1 card to the spoils.",
            10: "Before each battle, everybody adds 10 cards to the spoils.",
        },
        [11, *COUNTS],
    ),
    "max_battles": (
        {0: None, 1: "You play 1 battle at most.", 5: "You play 5 battles at most."},
        COUNTS,
    ),
    "stakes": (
        {
            "cards": None,
            "zones": f"You bet chips on zones, and {KEPT}",
            "per_card": f"Each card that you play costs chips, and {KEPT}",
        },
        ["money", 1, True],
        {"max_battles": 5},
    ),
    "bankroll": (
        {100: None, 3: "Everybody starts with 3 chips."}, [2, 0, *COUNTS], ZONES,
    ),
    "zone_ante": (
        {1: None, 33: "Each battle begins with 33 chips of yours in each of your zones."},
        [34, 0, *COUNTS],
        ZONES,
    ),
    "first_window": (
        {"deal": None, "opening": "You bet only once the opening cards lie on the table."},
        ["never", 1],
        ZONES,
    ),
    "fee": (
        {1: None, 100: "Each card that you play costs 100 chips."}, [101, 0, *COUNTS], PER_CARD,
    ),
    "max_plies": game_plies(5000),
}  # fmt: skip
PHASE10 = {
    **ALL,
    "phases": (
        {
            tuple(range(1, 11)): None,
            (1, 3, 5): "You play these phases: 1, 3 and 5.",
            (4,): "You play these phases: 4.",
        },
        [[], [0], [11], [2, 1], [1, 1], ["1"], [True], "1-5", 5, True],
    ),
    "even_only": (
        {False: None, True: "You play only the even phases: 2, 4, 6, 8 and 10."},
        ["yes", 1, 0],
    ),
    "phases_to_win": (
        {
            10: None,
            1: "You play only the first phase.",
            2: "You play only the first 2 phases.",
        },
        [0, 11, *COUNTS],
    ),
    "ten_hands": (
        {
            False: None,
            True: "There is one hand for each phase, made or not, and the fewest points win.",
        },
        ["yes", 1, 0],
    ),
    "deck": (
        {
            "phase10": None,
            "standard": (
                "The cards are those of two packs of 52 with four jokers: suits are colours, kings"
                " are wilds, jokers are skips."
            ),
        },
        ["uno", 52, True],
    ),
    "naturals": (
        {
            "group": None,
            "phase": (
                "One number card in the whole phase is enough: a set or run beside it can be of wilds"
                " alone."
            ),
        },
        ["all", 1, True],
    ),
    "max_plies": game_plies(10_000),
}
TABLE = {
    "phyliss": SHEDDING,
    "cathedral": SHEDDING,
    "phalanx": PHALANX,
    "phase10": PHASE10,
    "phase10-family": PHASE10,
}
DEFAULTS = {"naturals": "group"}
"""Of options that came after the release, which are left out then."""
ROWS = [
    (rules, spec.name) for rules in registry.latest() for spec in rules.options
]  # fmt: skip


def listed(value):
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.rule("GEN-14")
@pytest.mark.parametrize(("rules", "name"), ROWS, ids=lambda one: str(getattr(one, "id", one)))
def test_an_option(rules, name):
    """Every option of every game has a row; a refusal says what is allowed."""
    taken, refused, *more = TABLE[rules.id.name][name]
    beside = dict(*more)
    alone = option_sentences(rules, rules.check_options(3, beside), NAMES)
    for value, words in taken.items():
        options = rules.check_options(3, {**beside, name: listed(value)})
        assert options.get(name, DEFAULTS.get(name)) == listed(value)
        said = option_sentences(rules, options, NAMES)
        assert [one for one in said if one not in alone] == ([] if words is None else [words]), (
            value
        )
        for one in said:
            assert isinstance(one, Sentence)
            assert translate(one, "de") != str(one)
    for value in refused:
        with pytest.raises(SetupError) as caught:
            rules.check_options(3, {**beside, name: value})
        assert caught.value.rule == "GEN-14"
        assert name in caught.value.message
        assert "allowed" in caught.value.message or "whole number (" in caught.value.message
        assert len(caught.value.message) < 200


@pytest.mark.rule("GEN-14")
def test_no_option_is_forgotten():
    assert {rules.id.name for rules in registry.latest()} == TABLE.keys()


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("phase10", {"phases": [1, 2, 3]}, ["You play these phases: 1, 2 and 3."]),
        (
            "phase10",
            {"even_only": True, "phases_to_win": 3},
            [
                "You play only the even phases: 2, 4, 6, 8 and 10.",
                "You play only the first 3 phases.",
            ],
        ),
        (
            "phalanx",
            {"stakes": "per_card", "fee": 2},
            [
                "You play 5 battles at most.",
                f"Each card that you play costs chips, and {KEPT}",
                "Each card that you play costs 2 chips.",
            ],
        ),
    ],
)
def test_what_follows_from_another_option_is_told_once(name, given, words):
    """The length of a list of phases is in the list; battles are few where chips are bet."""
    rules = registry.find(name)
    assert list(option_sentences(rules, rules.check_options(3, given), NAMES)) == words
