"""Test that a player gets the same bytes in two worlds that differ only in hidden cards."""

from __future__ import annotations

from pathlib import Path
from random import Random  # noqa: TID251  (who plays what, not what is dealt)

import pytest
import structlog

from engine import registry
from engine.api import OptionValue, Seat
from pbem.domain.table.game import Game
from tests.engine.chance import chance
from tests.service.conftest import Table
from trials.leaks import worlds
from trials.leaks.worlds import SIZE, TOKEN_LENGTH, differences, first_difference, heard, story

RULESETS = [rules.id.name for rules in registry.latest() if rules.id.name != "phalanx"]
"""All rulesets but Phalanx, which has a separate test below with a whole battle."""
ZONES: dict[str, OptionValue] = {"stakes": "zones", "max_battles": 2, "bankroll": 30}


@pytest.mark.no_cover
@pytest.mark.rule("GEN-5", "GEN-15", "GEN-16")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_hidden_cards_change_no_byte(ruleset: str, tmp_path: Path) -> None:
    """This covers messages, attachments, sizes, commands, exports, logs and metrics."""
    luck = chance(f"worlds {ruleset}")
    told = story(ruleset, 3, {}, 7, luck, plies=10, others=1)
    ((exchanged, where),) = differences(told, luck, tmp_path)
    assert where is None
    assert exchanged > 2


@pytest.mark.no_cover
@pytest.mark.rule("GEN-11", "GEN-16")
def test_moves_played_for_players_tell_nothing_of_hands(tmp_path: Path) -> None:
    """All players have written `auto mine`, and the game itself plays no forced moves."""
    luck = chance("auto mine")
    told = story(
        "cathedral", 2, {"auto_forced": "off"}, 3, luck, plies=40, others=1, auto_mine=True
    )
    assert any(ply.is_forced for ply in told.first.plies)
    ((exchanged, where),) = differences(told, luck, tmp_path)
    assert where is None
    assert exchanged > 2


@pytest.mark.no_cover
@pytest.mark.rule("GEN-5", "GEN-15", "GEN-16")
def test_a_whole_battle_of_phalanx(tmp_path: Path) -> None:
    """The battle has bets, formed, face-down and lost cards in all zones, and new hands after it."""
    luck = chance("battle 5")
    told = story("phalanx", 2, ZONES, 7, luck, plies=36, others=1)
    assert told.happened >= {
        *("chosen", "revealed", "bet", "checked", "window_closed", "turned_down", "formed"),
        *("resolved center", "resolved side:0", "resolved side:1", "battle_over", "anted"),
    }
    ((exchanged, where),) = differences(told, luck, tmp_path)
    assert where is None
    assert exchanged > 2


def test_a_leak_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log line with a card of another player is reported as a difference."""
    luck = chance("worlds phyliss")
    told = story("phyliss", 3, {}, 7, luck, plies=4, others=1)
    log, talk = structlog.get_logger("pbem.leak"), worlds._talk

    def careless(table: Table, game: Game) -> None:
        talk(table, game)
        hand = [game.ruleset.view(game.state, Seat(seat))["seats"][seat] for seat in (1, 2)]  # type: ignore[call-overload,index]
        log.debug("seen", action="seen", hands=str(hand))

    monkeypatch.setattr(worlds, "_talk", careless)
    ((_, where),) = differences(told, luck, tmp_path)
    assert str(where).startswith("log: ")


def test_everything_is_really_heard(tmp_path: Path) -> None:
    """Every compared source has real content, not only refusals."""
    told = story("phalanx", 2, {}, 7, chance("heard"), plies=6, others=0)
    seen: dict[str, str] = {}
    for label, text in heard(told, told.first, tmp_path / "world", Random(1)):  # noqa: S311
        seen[label] = seen.get(label, "") + text
    assert "BEGIN:VCALENDAR" in seen["mail, text/calendar"]
    assert "Reply-To:" in seen["mail"]
    assert "mail_sent" in seen["log"]
    assert "pbem_actions_total" in seen["metrics"]
    assert '"kind": "turn"' in seen["mail outbox list --json"]
    assert '"actor"' in seen["export {game}"]
    assert " to move</b>" in seen["page index.html"]
    assert '"steps":[{"event":' in seen["page game/GAME.html"]
    assert "<entry>" in seen["page game/GAME.xml"]
    assert ">plays</a>" in seen["page league/winter.html"]
    assert "Running challenges" in seen["page ladder/phalanx.html"]
    assert "2. <bdi>" in seen["page ladder/phalanx.html"]
    assert any("BEGIN:VEVENT" in seen[f"page calendar/PLAYER{seat}.ics"] for seat in (0, 1))
    assert "to move" in seen["page player/PLAYER1.html"]
    assert 'data-t="' in seen["seat page"]
    assert "The table has moved on" in seen["seat page, forwarded"]
    assert "What became of it" in seen["seat page, answer"]
    assert "Phalanx with" in seen["seat pages"]
    assert "1" in seen["seat page, stream"]
    assert '"legal":["open ' in seen["bot"]
    assert seen.keys() >= {f"{command} --json" for command in worlds.COMMANDS}


def test_sizes_may_differ_by_less_than_a_token() -> None:
    """Sizes may differ by the length of fingerprint words, but an additional card name is noticed."""
    assert first_difference([(SIZE, "9000")], [(SIZE, str(9000 + TOKEN_LENGTH))]) is None
    assert first_difference([(SIZE, "9000")], [(SIZE, str(9001 + TOKEN_LENGTH))]) is not None
