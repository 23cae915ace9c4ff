"""Test the registry of games, and refused options (GEN-14)."""

import pytest

from engine import registry
from engine.api import RulesetId
from engine.errors import SetupError

LATER = {name: {"naturals"} for name in ("phase10", "phase10-family")}
"""Options that came after the release: at its default such an option is left out (GEN-1)."""


def test_a_ruleset_is_found_by_name_and_version():
    """Without a version it is the newest one."""
    phyliss = registry.find("phyliss", 1)
    assert phyliss.id == RulesetId("phyliss", 1)
    assert registry.find("phyliss") in registry.latest()
    assert registry.get(RulesetId("phyliss", 1)) is phyliss
    assert str(phyliss.id) == "phyliss/1"
    assert "phyliss" in registry.names()


@pytest.mark.parametrize("name", ["philiss", "Phyliss", "phylis"])
def test_an_unknown_name_gets_the_nearest_ones(name):
    """A misspelt game is not guessed, but named."""
    with pytest.raises(SetupError, match="did you mean phyliss"):
        registry.find(name)


@pytest.mark.parametrize("name", ["bridge", "", "x" * 10_000])
def test_an_unknown_name_gets_all_names(name):
    """And the message stays short."""
    with pytest.raises(SetupError, match=r"\. Games: phyliss") as caught:
        registry.find(name)
    assert len(str(caught.value)) < 300


@pytest.mark.rule("GEN-1")
@pytest.mark.parametrize("version", [0, 99, -1])
def test_an_unknown_version_is_refused(version):
    """An old game is never replayed under other rules."""
    with pytest.raises(SetupError, match="versions: "):
        registry.find("phyliss", version)


def test_versions_are_unique_and_names_are_plain():
    """One ruleset per name and version; names are words in lower case."""
    ids = [ruleset.id for ruleset in registry.rulesets()]
    assert len(set(ids)) == len(ids)
    assert all(name == name.lower() and " " not in name for name in registry.names())


@pytest.mark.parametrize("ruleset", registry.rulesets(), ids=lambda ruleset: str(ruleset.id))
class TestEveryRuleset:
    def test_defaults_are_accepted_and_complete(self, ruleset):
        """Every documented option has a value, and checking twice changes nothing."""
        for players in ruleset.players:
            checked = ruleset.check_options(players, {})
            later = LATER.get(ruleset.id.name, set())
            assert set(checked) == {spec.name for spec in ruleset.options} - later
            assert ruleset.check_options(players, checked) == checked
            for spec in ruleset.options:
                if spec.name in later:
                    given = {spec.name: spec.default}
                    assert ruleset.check_options(players, given) == checked
                else:
                    assert spec.default is None or checked[spec.name] == spec.default

    @pytest.mark.rule("GEN-14")
    @pytest.mark.parametrize("value", [None, 1.5, "nonsense", -1, [], {}, b"x"])
    def test_no_option_takes_just_anything(self, ruleset, value):
        """A wrong type or value is refused for every option, with a message and the rule."""
        for spec in ruleset.options:
            with pytest.raises(SetupError) as caught:
                ruleset.check_options(ruleset.players[0], {spec.name: value})
            assert spec.name in str(caught.value)
            assert caught.value.rule == "GEN-14"

    def test_rules_text_is_narrow_and_complete(self, ruleset):
        """At most 72 columns, no tabs, ends with a line feed, names the order words."""
        text = ruleset.rules_text()
        assert all(len(line) <= 72 for line in text.split("\n"))
        assert "\t" not in text
        assert text.endswith("\n")
        assert not any(line != line.rstrip() for line in text.split("\n"))

    def test_order_words_are_sorted_and_lower_case(self, ruleset):
        """They are what a misspelt word may have meant."""
        assert list(ruleset.order_words) == sorted(set(ruleset.order_words))
        assert all(word == word.casefold() for word in ruleset.order_words)
