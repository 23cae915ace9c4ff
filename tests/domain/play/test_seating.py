"""Test seating before the deal: invited people, bots and open seats."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.domain.log.seat_events import PlayerJoined
from pbem.domain.play import decide, seating
from pbem.domain.table.decision import Decision
from pbem.domain.terms import seats
from pbem.domain.terms.timing import Timing
from pbem.errors import Refusal
from tests.domain.samples import GAME_ID, NOW, SECRET, Story

EASY = seats.bot_id("easy", "Adabot")


def made(*players: str, actor: str = "player:anna") -> Story:
    story = Story()
    story.do(
        decide.create_game,
        ruleset="phyliss",
        players=players,
        options={},
        operator_seats=(),
        timing=Timing(86400),
        server_secret=SECRET,
        actor=actor,
    )
    return story


def statuses(story: Story) -> list[str]:
    return [seat.status for seat in story.game.seats]


def filled(decision: Decision, *args: Any, by: Any) -> None:
    by(decision, *args)
    if decision.existing().status == "running":
        decide.settle(decision)


def refused(story: Story, code: str, command: Any, *args: Any) -> None:
    decision = Decision(GAME_ID, NOW, "seat:0", None, story.game, recorded_at=NOW)
    with pytest.raises(Refusal) as caught:
        command(decision, *args)
    assert caught.value.code == code
    assert decision.events == []


def test_whoever_makes_a_game_sits_down_at_once() -> None:
    """The others are asked; an admin, who makes a game for others, is no creator."""
    story = made("anna", "bob", "carol")
    assert statuses(story) == ["joined", "invited", "invited"]
    assert story.game.creator == "anna"
    assert made("anna", "bob", actor="admin:local").game.creator == ""


def test_a_log_in_which_somebody_sits_down_uninvited_is_refused() -> None:
    """A person needs the invitation, or an open place; a bot sits down only where nobody has."""
    story = made("anna", "bob", "open:1")
    for event in (
        PlayerJoined(1, "mallory"),
        PlayerJoined(0, EASY),
        PlayerJoined(2, "open:9"),
        PlayerJoined(2, "anna"),
    ):
        decision = Decision(GAME_ID, NOW, "seat:0", None, story.game, recorded_at=NOW)
        with pytest.raises(Exception, match="cannot follow"):
            decision.emit(event)


def test_names_of_bots() -> None:
    """Unlike any name at the table; an id tells the level, and no person has such an id."""
    assert seats.next_bot("hard", ["Anna"]) == "bot:hard:adabot"
    assert seats.next_bot("easy", ["adabot", "bot:easy:bitbot"]) == "bot:easy:cogbot"
    assert seats.bot_level("bot:hard:adabot") == "hard"
    assert seats.bot_level("bot:") is None
    assert seats.bot_name("bot:hard:adabot") == "Adabot"
    assert not seats.is_person("open:1")


def test_somebody_else_is_asked() -> None:
    """Instead of who declined, or has not answered; never in a seat of who has joined."""
    story = made("anna", "bob", "carol")
    story.do(seating.ask, 1, "dora", actor="player:anna")
    assert [seat.player for seat in story.game.seats] == ["anna", "dora", "carol"]
    assert story.game.seats[1].generation == 2
    refused(story, "seated", seating.ask, 2, "dora")
    refused(story, "joined", seating.ask, 0, "emil")
