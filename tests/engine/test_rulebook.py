"""Test the form of all rules texts, and that they contain the options in force."""

import re
from functools import cache

import pytest

from engine import registry, rulebook
from engine.errors import SetupError
from pbem.domain.words.orders import LineKind, read_line

TABLES = {
    "phyliss": [(2, {}), (5, {"deals": 3, "max_plies": 0, "auto_forced": "off", "dealer": 0})],
    "cathedral": [(2, {}), (6, {"deals": 4, "max_plies": 50, "auto_forced": "all", "dealer": 2})],
    "phalanx": [
        (2, {}),
        (3, {"tie": "spoils", "aces": 10, "ante": 2, "max_battles": 5, "dealer": 0}),
        (4, {"tie": "swap", "aces": "highest", "max_plies": 0}),
        (
            2,
            {
                "stakes": "zones",
                "aces": 4,
                "bankroll": 50,
                "zone_ante": 2,
                "first_window": "opening",
            },
        ),
        (6, {"stakes": "per_card", "fee": 3, "max_battles": 2}),
    ],
    "phase10": [
        (2, {}),
        (3, {"phases": [2, 4, 7], "deck": "standard"}),
        (4, {"even_only": True, "phases_to_win": 2}),
        (6, {"ten_hands": True, "phases": [5]}),
    ],
}
TABLES["phase10-family"] = TABLES["phase10"]
EVERY = pytest.mark.parametrize(
    ("name", "players", "options"),
    [(name, None, {}) for name in TABLES]
    + [(name, *table) for name, tables in TABLES.items() for table in tables],
)


@cache
def is_prose(line):
    """Whether a line is no order and nearly none, in no game; most lines come again."""
    return not line or read_line(line, registry.latest()).kind is LineKind.PROSE


def test_every_ruleset_is_looked_at():
    """Also one that comes later."""
    assert set(TABLES) == set(registry.names())


@EVERY
def test_the_form_holds(name, players, options):
    """A title, numbered chapters, lines of at most 72 columns, and none that reads as an order."""
    ruleset = registry.find(name)
    text = ruleset.rules_text(players, options)
    lines = text.splitlines()
    assert lines[0] == ruleset.title.upper()
    assert text.endswith("\n")
    assert "\t" not in text
    assert not re.search(r"\n{3}|[{}]|None|=\(| \n", text)
    for line in lines:
        assert len(line) <= 72, line
        for shown in (line.strip(), line.strip(" -*")):
            assert is_prose(shown), line
    headings = [line for line in lines if re.match(r"\d+\. ", line)]
    assert [int(line.split(".")[0]) for line in headings] == list(range(1, len(headings) + 1))
    assert [line.split(". ")[1] for line in headings[-2:]] == [
        "Options of this game",
        "Settled where the sources are silent",
    ]


@EVERY
def test_the_options_in_force_are_listed_and_marked(name, players, options):
    """Every value, with a star exactly where it is not as usual."""
    ruleset = registry.find(name)
    text = ruleset.rules_text(players, options)
    listed = text[text.index("Options of this game") : text.index("Settled where")]
    for option, value in options.items():
        starred = f"* {option}={rulebook.shown(value)}"
        assert f"\n{starred}" in listed
    assert listed.count("\n* ") == len(options)


@EVERY
def test_rule_ids_exist(name, players, options, request):
    """A code in the text is one that a refusal may quote."""
    index = (request.config.rootpath / "docs" / "dev" / "rules-index.toml").read_text("utf-8")
    text = registry.find(name).rules_text(players, options)
    for rule in set(re.findall(r"\b(?:GEN|PHY|CAT|PLX|P10)-V?\d+\b", text)):
        assert f'"{rule}"' in index or f"{rule} " in index, rule


@pytest.mark.rule("GEN-14")
def test_a_table_that_cannot_be_has_no_rules():
    """With the reason that a new game would be refused for."""
    with pytest.raises(SetupError, match="max_battles"):
        registry.find("phalanx").rules_text(None, {"max_battles": -1})
    with pytest.raises(SetupError, match="ante"):
        registry.find("phalanx").rules_text(6, {"ante": 5})
    assert "ante=5" in registry.find("phalanx").rules_text(None, {"ante": 5})


@pytest.mark.parametrize("name", registry.names())
def test_the_texts_in_the_documentation_are_these(name, request, rewrite_golden):
    """`docs/rules/` holds the text of every game with its defaults."""
    path = request.config.rootpath / "docs" / "rules" / f"{name}.txt"
    text = registry.find(name).rules_text()
    if rewrite_golden:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text
