"""Test seating before the deal: invited people, bots and open seats."""

from __future__ import annotations

from typing import Any

import pytest

from engine.shuffle import game_seed
from pbem.domain.log.seat_events import PlayerJoined
from pbem.domain.play import decide, seating
from pbem.domain.table.decision import Decision
from pbem.domain.terms import seats
from pbem.domain.terms.timing import Timing
from pbem.errors import Refusal
from tests.domain.samples import GAME_ID, NOW, SECRET, Story, join

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


@pytest.mark.rule("GEN-4")
def test_against_bots_alone_nothing_is_dealt_before_the_commitment_was_read() -> None:
    """The bots have joined; the person is still to join, and may add a phrase."""
    story = made("anna", EASY)
    assert statuses(story) == ["invited", "joined"]
    assert story.game.seats[1].controller == "bot"
    story.do(join, 0, "green tea")
    assert story.game.status == "running"
    assert story.game.setup.seed == game_seed(SECRET, ["green tea", ""])


def test_a_bot_for_who_declines() -> None:
    """The game waits for its maker, goes on with a bot, and the first one's phrase is gone."""
    story = made("anna", "bob", "carol")
    story.do(join, 1, "bobs words", actor="seat:1")
    story.do(decide.decline, 1, actor="seat:1")
    assert statuses(story) == ["joined", "declined", "invited"]
    assert seating.vacant(story.game) == [1]
    story.do(filled, 1, EASY, by=seating.seat_bot, actor="player:anna")
    seat = story.game.seats[1]
    assert (seat.status, seat.controller, seat.phrase, seat.generation) == (
        "joined",
        "bot",
        None,
        2,
    )
    story.do(join, 2, actor="seat:2")
    assert story.game.status == "running"


def test_somebody_else_is_asked() -> None:
    """Instead of who declined, or has not answered; never in a seat of who has joined."""
    story = made("anna", "bob", "carol")
    story.do(seating.ask, 1, "dora", actor="player:anna")
    assert [seat.player for seat in story.game.seats] == ["anna", "dora", "carol"]
    assert story.game.seats[1].generation == 2
    refused(story, "seated", seating.ask, 2, "dora")
    refused(story, "joined", seating.ask, 0, "emil")


def test_an_open_place_is_anybodys() -> None:
    """The last one to take a place starts the game; nobody takes two, or one that is not open."""
    story = made("anna", "open:1", "open:2")
    assert statuses(story) == ["joined", "open", "open"]
    story.do(filled, 1, "bob", by=seating.take, actor="player:bob")
    assert seating.open_seats(story.game) == [2]
    refused(story, "seated", seating.take, 2, "bob")
    refused(story, "joined", seating.take, 1, "carol")
    story.do(filled, 2, "carol", by=seating.take, actor="player:carol")
    assert story.game.status == "running"
    refused(story, "started", seating.take, 2, "dora")


def test_an_invitation_runs_out_and_may_still_be_accepted() -> None:
    """It can be accepted while the seat is free."""
    story = made("anna", "bob")
    story.do(seating.expire, 1, actor="clock")
    assert statuses(story) == ["joined", "expired"]
    story.do(join, 1, actor="seat:1")
    assert story.game.status == "running"


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
