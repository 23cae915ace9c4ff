"""Test `rebuild` of `pbem.domain.table.fold`, which checks every rule and digest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from engine import registry
from pbem.domain.log.events import GameStarted, MovePlayed, Recorded
from pbem.domain.table.fold import fold, rebuild
from pbem.errors import LogError
from tests.domain.samples import GAME_ID, played

WRONG = "0" * 64


def with_wrong_digests(recorded: list[Recorded], versions: Iterable[int]) -> list[Recorded]:
    wanted = frozenset(versions)
    changed = list(recorded)
    for at, item in enumerate(recorded):
        if item.version in wanted:
            assert isinstance(item.event, MovePlayed | GameStarted)
            changed[at] = item._replace(event=replace(item.event, digest=WRONG))
    return changed


def digests_of(recorded: list[Recorded]) -> list[int]:
    return [item.version for item in recorded if isinstance(item.event, MovePlayed | GameStarted)]


@pytest.mark.rule("GEN-1")
@pytest.mark.parametrize("ruleset", [rules.id.name for rules in registry.latest()])
def test_it_is_the_game_that_the_fold_of_everything_gives(ruleset: str) -> None:
    story = played(5, 3, 15, ruleset)

    assert rebuild(story.recorded, GAME_ID) == fold(story.recorded, GAME_ID)
    half = fold(story.recorded[:12], GAME_ID)
    assert rebuild(story.recorded[12:], GAME_ID, half) == story.game


@pytest.mark.rule("GEN-1")
def test_rules_that_lead_elsewhere_in_the_end_are_found() -> None:
    """The last digest alone is wrong: the game is not played on."""
    recorded = played(3, 3, 12).recorded
    last = digests_of(recorded)[-1]

    with pytest.raises(LogError, match="another state") as caught:
        rebuild(with_wrong_digests(recorded, [last]), GAME_ID)

    assert caught.value.version == last


@pytest.mark.rule("GEN-1")
def test_the_error_names_the_first_event_that_leads_elsewhere() -> None:
    recorded = played(3, 3, 12).recorded
    wrong = digests_of(recorded)[4:]

    with pytest.raises(LogError, match="another state") as caught:
        rebuild(with_wrong_digests(recorded, wrong), GAME_ID)

    assert caught.value.version == wrong[0]


@pytest.mark.rule("GEN-1")
def test_a_state_on_the_way_is_compared_by_the_fold_of_everything() -> None:
    """`verify` finds a digest of which the game does not depend any more; loading does not look."""
    story = played(3, 3, 12)
    recorded = with_wrong_digests(story.recorded, digests_of(story.recorded)[:-1])

    assert rebuild(recorded, GAME_ID) == story.game
    with pytest.raises(LogError, match="another state"):
        fold(recorded, GAME_ID)
