"""Test `evolve`: valid events are folded, and others raise a LogError that names the event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from engine.api import Seat
from pbem.domain.log.clock_events import DeadlineExtended, DeadlineSet, TurnTimedOut
from pbem.domain.log.events import (
    Event,
    GameCreated,
    GameFinished,
    GameStarted,
    GameStopped,
    HandsRevealedToAdmin,
    Hidden,
    MovePlayed,
    PhraseGiven,
    Recorded,
)
from pbem.domain.log.seat_events import (
    PlayerDeclined,
    PlayerInvited,
    PlayerJoined,
    SeatRemoved,
    SeatResigned,
)
from pbem.domain.play import decide
from pbem.domain.table.fold import fold
from pbem.errors import LogError
from tests.domain.samples import (
    GAME_ID,
    NOW,
    SECRET,
    Story,
    created,
    join,
    legal_orders,
    played,
    started,
)

D64 = "d" * 64
LATER = NOW + timedelta(days=9)


def follows(story: Story, event: Event) -> None:
    fold([*story.recorded, _next(story, event)], GAME_ID)


def refused(story: Story, event: Event) -> None:
    """Check that the event cannot follow, and that the error names it."""
    with pytest.raises(LogError) as caught:
        follows(story, event)
    assert caught.value.version == len(story.recorded) + 1


def _next(story: Story, event: Event) -> Recorded:
    return Recorded(len(story.recorded) + 1, NOW, "system", None, "", event)


def half_joined() -> Story:
    story = created(2, operators=(1,))
    story.do(join, 0, "tea")
    return story


INVITING: list[Event] = [
    PlayerInvited(0, "bob"),
    PlayerInvited(1, "anna"),
    PlayerInvited(-1, "bob"),
    PlayerJoined(1, "anna"),
    PlayerJoined(0, "anna"),
    PlayerJoined(2, "carol"),
    PlayerJoined(-1, "bob"),
    PlayerDeclined(1, "anna"),
    PlayerDeclined(5, "bob"),
    PhraseGiven(0, "again"),
    PhraseGiven(1, "the operator's"),
    PhraseGiven(7, "nobody's"),
    GameStarted(("tea", ""), D64, 1),
    MovePlayed(0, "pickup", "mail", 1, D64, 1),
    DeadlineSet((0,), NOW, LATER, LATER, LATER, ()),
    DeadlineExtended(1, LATER, LATER, LATER, (), "delivery"),
    TurnTimedOut(0, 1),
    SeatResigned(0),
    SeatRemoved(0, ""),
    GameFinished(((0, 1),), "finished", None, SECRET.hex()),
    GameStopped("admin", "00" * 32, ""),
]


@pytest.mark.parametrize("event", INVITING, ids=repr)
def test_what_cannot_happen_before_the_deal(event: Event) -> None:
    """Nobody moves, joins twice or sits on another's seat; nobody adds a second phrase."""
    refused(half_joined(), event)


RUNNING: dict[str, Callable[[Story], Event]] = {
    "created twice": lambda s: s.events[0],
    "invited": lambda _: PlayerInvited(0, "anna"),
    "joined": lambda _: PlayerJoined(0, "anna"),
    "declined": lambda _: PlayerDeclined(0, "anna"),
    "phrase after the start": lambda _: PhraseGiven(0, "late"),
    "started twice": lambda s: next(e for e in s.events if isinstance(e, GameStarted)),
    "move of another seat": lambda s: MovePlayed(_other(s), "pickup", "mail", 1, D64, 1),
    "move of no seat": lambda _: MovePlayed(-1, "pickup", "mail", 1, D64, 1),
    "move that is not legal": lambda s: MovePlayed(_own(s), "flip 1", "mail", 1, D64, 1),
    "move that nobody understands": lambda s: MovePlayed(_own(s), "abracadabra", "mail", 1, D64, 1),
    "move with another digest": lambda s: replace(_good_move(s), digest="0" * 64),
    "move with another ply": lambda s: replace(_good_move(s), ply=2),
    "deadline of another seat": lambda s: DeadlineSet((_other(s),), NOW, LATER, LATER, LATER, ()),
    "deadline of nobody": lambda _: DeadlineSet((), NOW, LATER, LATER, LATER, ()),
    "extension of another deadline": lambda _: DeadlineExtended(
        1, LATER, LATER, LATER, (), "delivery"
    ),
    "extension to the past": lambda s: DeadlineExtended(
        _deadline(s), NOW, NOW, NOW, (), "delivery"
    ),
    "timeout of another deadline": lambda s: TurnTimedOut(_own(s), _deadline(s) - 1),
    "timeout of another seat": lambda s: TurnTimedOut(_other(s), _deadline(s)),
    "resignation of no seat": lambda _: SeatResigned(2),
    "removal of no seat": lambda _: SeatRemoved(-1, ""),
    "end without an end": lambda _: GameFinished(((0,), (1,)), "finished", None, SECRET.hex()),
    "stop with another secret": lambda _: GameStopped("admin", "00" * 32, ""),
}


def _own(story: Story) -> int:
    return int(story.game.to_act[0])


def _other(story: Story) -> int:
    return 1 - _own(story)


def _deadline(story: Story) -> int:
    assert story.game.deadline is not None
    return story.game.deadline.version


def _good_move(story: Story) -> MovePlayed:
    decision = decide.decision_on(story.game, actor="seat:0", cause=None, now=NOW)
    decide.play(decision, _own(story), legal_orders(story.game, _own(story))[0], source="mail")
    event = decision.events[0].event
    assert isinstance(event, MovePlayed)
    return event


@pytest.mark.rule("GEN-4", "GEN-12")
@pytest.mark.parametrize("make", RUNNING.values(), ids=list(RUNNING))
def test_what_cannot_happen_while_the_game_runs(make: Callable[[Story], Event]) -> None:
    """Phrases, joins and second starts are over; moves must be legal and lead where they say."""
    story = started(2)
    refused(story, make(story))


def test_what_can_happen_while_the_game_runs() -> None:
    """The same events, as they should be, follow."""
    story = started(2)
    for event in (
        _good_move(story),
        DeadlineSet((_own(story),), NOW, LATER, LATER, LATER, ()),
        DeadlineExtended(_deadline(story), LATER, LATER, LATER, (), "delivery"),
        TurnTimedOut(_own(story), _deadline(story)),
        SeatResigned(0),
        SeatRemoved(1, "for a reason"),
        GameStopped("admin", SECRET.hex(), ""),
        HandsRevealedToAdmin((0,), 4, "asked"),
    ):
        follows(story, event)


AFTER: list[Event] = [
    MovePlayed(0, "pickup", "mail", 1, D64, 1),
    DeadlineSet((), NOW, LATER, LATER, LATER, ()),
    SeatResigned(0),
    GameStopped("admin", bytes([3] * 32).hex(), ""),
    HandsRevealedToAdmin((0,), 1, "why"),
    PhraseGiven(0, "too late"),
    PlayerJoined(0, "anna"),
]


@pytest.mark.parametrize("event", AFTER, ids=repr)
def test_nothing_happens_after_the_end(event: Event) -> None:
    """Finished is finished."""
    refused(played(3, players=2), event)


def test_end_must_be_that_of_the_rules() -> None:
    """Another ranking, reason, score or secret is refused."""
    story = played(3, players=2)
    last = story.events[-1]
    assert isinstance(last, GameFinished)
    begun = story.recorded[:-1]
    for wrong in (
        replace(last, ranking=last.ranking[::-1]),
        replace(last, reason="stopped"),
        replace(last, scores={"made": "up"}),
        replace(last, server_secret="11" * 32),
    ):
        with pytest.raises(LogError) as caught:
            fold([*begun, story.recorded[-1]._replace(event=wrong)], GAME_ID)
        assert caught.value.version == len(story.recorded)


@pytest.mark.parametrize(
    "changes",
    [
        {"commitment": "0" * 64},
        {"server_secret": "00" * 32},
        {"server_secret": "no hex"},
        {"ruleset": "canasta"},
        {"ruleset_version": 99},
        {"options": {"deals": 0}},
        {"seats": ("anna",)},
    ],
    ids=str,
)
def test_first_event_must_be_possible(changes: dict[str, Any]) -> None:
    """A first event that no service would write is named."""
    event = created(2).events[0]
    assert isinstance(event, GameCreated)
    with pytest.raises(LogError) as caught:
        fold([Recorded(1, NOW, "a", None, "", replace(event, **changes))], GAME_ID)
    assert caught.value.version == 1


@pytest.mark.rule("GEN-5")
def test_a_secret_choice_that_cannot_be_is_named_without_its_card() -> None:
    """The message goes into the log of the program, and to admins."""
    game = started(2, ruleset="phalanx").game
    card = game.ruleset.view(game.state, Seat(1))["seats"][1]["hand"][0]  # type: ignore[index,call-overload]
    payload = {"seat": 0, "move": f"open {card}", "source": "mail", "digest": "00" * 32}
    event = Hidden("ChoiceMade", "seat:0", "", "", payload)
    with pytest.raises(LogError) as caught:
        fold([Recorded(game.version + 1, NOW, "hidden", None, "", event)], GAME_ID, game)
    assert str(caught.value) == f"event {game.version + 1} does not fit the rules"
    assert caught.value.__cause__ is None


def test_digest_finds_other_shuffles() -> None:
    """The same events with another phrase lead to another deal, which GameStarted does not fit."""
    story = created(2)
    story.do(join, 0, "tea")
    story.do(join, 1)
    recorded = [
        item._replace(event=PhraseGiven(0, "coffee"))
        if isinstance(item.event, PhraseGiven)
        else item
        for item in story.recorded
    ]
    with pytest.raises(LogError):
        fold(recorded, GAME_ID)


# --- decisions: what makes a token stale ----------------------------------------------------------


def test_own_plies_keep_the_decision_and_others_plies_renew_it() -> None:
    """Over random games: a seat's decision changes exactly with another's ply or a new deal."""
    going_again = 0
    for seed in range(8):
        story = played(seed, players=3)
        game = None
        for item in story.recorded:
            before, game = game, fold([item], GAME_ID, game)
            if before is None or before.status != "running" or game.status != "running":
                continue
            for number, (old, new) in enumerate(zip(before.seats, game.seats, strict=True)):
                assert (new.decision is not None) == (number in game.to_act)
                if old.decision is None or new.decision is None:
                    continue
                own = isinstance(item.event, MovePlayed) and item.event.seat == number
                others = isinstance(item.event, MovePlayed) and not own
                if own:
                    going_again += 1
                if others:
                    assert new.decision == item.version
                else:
                    assert new.decision == old.decision
    assert going_again > 0


def test_new_deal_makes_every_token_stale() -> None:
    """The seat that ended a deal and begins the next one decides anew."""
    renewed = 0
    for seed in range(12):
        story = started(2, secret=bytes([seed]) * 32, options={"deals": 3})
        for _ in range(600):
            if story.game.is_over:
                break
            seat = int(story.game.to_act[0])
            before = story.game.seats[seat].decision
            orders = [o for o in legal_orders(story.game, seat) if o != "pickup"]
            story.play(seat, (orders or ["pickup"])[0])
            dealt = any(
                news.fact.kind == "dealt" and news.version > (before or 0)
                for news in story.game.news
            )
            after = story.game.seats[seat].decision
            if dealt and after is not None:
                renewed += after != before
                assert after != before
    assert renewed > 0


def test_news_of_a_seat_is_never_another_seats_secret() -> None:
    """Facts for one pair of eyes reach nobody else, an observer least of all."""
    for seed in range(4):
        game = None
        for item in played(seed).recorded:
            game = fold([item], GAME_ID, game)
            for reader in (None, 0, 1, 2):
                assert all(fact.audience in (None, reader) for fact in game.news_for(reader, 0))
