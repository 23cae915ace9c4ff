"""Test `next`, `drawing` and `try` by mail: execution, cancellation and secrecy."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine import registry
from engine.api import Seat, Setup
from pbem.bots import Chance
from pbem.domain.log.events import Hidden, MovePlayed
from pbem.domain.table.game import Game
from pbem.domain.table.standing_fold import CLEARED
from pbem.errors import Refusal
from pbem.games.profile import knowledge_of
from pbem.mail_in.mime.message import Envelope
from pbem.service.admin import acts
from pbem.service.evidence import auditing
from pbem.service.intake import accepting as intake
from pbem.service.intake.handle_mail import handle_all
from pbem.service.lobby import creation as lobby
from pbem.service.logbook.event_words import CLOSED
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.replaying import walk
from pbem.service.logbook.verify import verify_file
from pbem.service.people import erasure
from pbem.service.standing_orders.giving import Tried, dry_run
from tests.domain.samples import PLAYERS, legal_orders, played
from tests.service.conftest import NAMES, START, Table, raw_mail


def start_two(table: Table, **options: Any) -> tuple[Game, int, int]:
    """Start a game of two. Return it, the seat to act, and the other one."""
    game, seat, _ = table.start(2, **options)
    return game, seat, 1 - seat


def list_moves(table: Table, game: Game) -> list[tuple[int, str, str]]:
    events = [item.event for item in table.log(game)]
    return [(e.seat, e.move, e.source) for e in events if isinstance(e, MovePlayed)]


def move_on(table: Table, game: Game) -> None:
    """Let the seat to act end its turn by mail."""
    before = table.game(game.id)
    seat = table.move(before)
    if table.game(game.id).seats[seat].decision == before.seats[seat].decision:
        move_on(table, game)


# --- next -----------------------------------------------------------------------------------------


def test_it_is_carried_out_with_the_move_before_it(table: Table) -> None:
    """The first alternative that fits is played in the same transaction."""
    game, first, then = start_two(table)
    assert (
        'Your standing order for your next turn is "if pile > 5'
        in table.ask(then, "next: if pile > 5 pickup or play 10 or if top <= A pickup").words
    )
    sent = len(table.mails_to(then))
    move_on(table, game)
    assert list_moves(table, game)[-1] == (then, "pickup", "standing")
    assert table.game(game.id).to_act == (first,)
    assert len(table.mails_to(then)) == sent
    assert f"{NAMES[then]} picked up the pile" in table.last_to(first).words
    move_on(table, game)
    told = table.last_to(then).words
    assert 'Your standing order did this: "pickup".' in told
    assert "Your standing order for" not in told, "it is used up"
    table.verify(game)


def test_one_that_does_not_fit_disarms_itself(table: Table) -> None:
    """The turn message explains each alternative, and the order is removed."""
    game, _, then = start_two(table)
    table.answer(then, "next: if pile > 5 pickup or flip 2")
    move_on(table, game)
    told = table.last_to(then).words
    assert 'Your standing order was "if pile > 5 pickup or flip 2". It does not fit' in told
    assert '"pile > 5" does not hold: it is 1; "flip 2": PHY-' in told
    assert "Your moves:" in told
    move_on(table, game)
    move_on(table, game)
    assert "standing order" not in table.last_to(then).words
    assert {source for *_, source in list_moves(table, game)} == {"mail"}


def test_with_the_move_in_one_mail(table: Table) -> None:
    """Orders of both players follow each other until none fits."""
    game, first, then = start_two(table)
    table.answer(then, "next: pickup")
    _, order = table.standby(game)
    table.answer(first, f"{order}\nnext: play K or god or play 3 4")
    played = [(seat, source) for seat, _, source in list_moves(table, game)]
    assert played[:2] == [(first, "mail"), (then, "standing")]
    assert (first, "standing") in played, "an empty pile: the hand of god always succeeds"
    table.verify(game)


@pytest.mark.rule("GEN-7")
@pytest.mark.parametrize("order", ["pickup", "pickup or god"])
def test_a_condition_about_somebody_who_left_disarms_the_order(table: Table, order: str) -> None:
    """No other alternative is played instead."""
    game, first, _ = table.start(3, ruleset="phyliss")
    then, last = (first + 1) % 3, (first + 2) % 3
    wanted = f"if hand of {NAMES[last]} <= 2 {order}"
    table.answer(then, f"next: {wanted}")
    table.answer_twice(last, "resign confirm")
    move_on(table, game)
    assert not any(source == "standing" for *_, source in list_moves(table, game))
    words = table.last_to(then).words
    assert f"{NAMES[last]} has left the game" in words
    assert "hand of" in words
    assert int(table.game(game.id).to_act[0]) == then
    table.verify(game)


def undo_a_move(table: Table, game: Game, _seat: int) -> None:
    move_on(table, game)
    acts.undo(table.service, game.id, "1", "misread")


def replace_player(table: Table, game: Game, seat: int) -> None:
    person = lobby.Person("Dora", "dora@example.org")
    acts.replace(table.service, game.id, NAMES[seat], person, "ill", agreed=True)


ENDS: dict[str, Callable[[Table, Game, int], object]] = {
    "undo": undo_a_move,
    "replace": replace_player,
    "resign": lambda table, _, seat: table.answer_twice(seat, "resign confirm"),
    "stop": lambda table, game, _: acts.stop(table.service, game.id, "enough"),
}


@pytest.mark.parametrize("end", ENDS)
def test_an_order_ends_with_what_it_was_about(table: Table, end: str) -> None:
    """Cancel it if moves are taken back, its player leaves, or the game ends."""
    game = table.started(3, ruleset="phyliss", deals=2)
    move_on(table, game)
    game = table.game(game.id)
    target = next(seat for seat in range(3) if seat not in game.to_act)
    table.answer(target, "next: pickup")
    assert table.game(game.id).seats[target].standing.wanted == "pickup"
    ENDS[end](table, game, target)
    table.run()
    assert not table.game(game.id).seats[target].standing.wanted
    assert not any(source == "standing" for *_, source in list_moves(table, game))
    table.verify(game)
    news = {item.fact.kind for item in table.game(game.id).news}
    steps = table.read(lambda uow: walk(uow, game.id, NAMES[:3]))
    assert (CLEARED in news) is (end == "undo")
    assert CLEARED not in {fact.kind for step in steps for fact in step.facts_for(target)}


def test_an_order_for_one_deal_is_not_carried_out_in_the_next(table: Table) -> None:
    game, first, _ = table.start(3, ruleset="phyliss", deals=2)
    target = (first + 1) % 3
    table.answer(target, "next: pickup")
    game = table.skip(game, 3000, until=lambda now: len(now.state.course.results) == 1)
    standing = game.seats[target].standing
    assert standing.is_void or not standing.wanted


@pytest.mark.rule("GEN-6")
def test_no_secret_choice_in_advance(table: Table) -> None:
    table.started(2, ruleset="cathedral")
    assert (
        "A secret choice needs the cards of its own deal" in table.ask(0, "next: keep 2 10 Q").words
    )
    table.answer(0, "next: play 3 or pickup")  # while all choose: for the turn after it
    assert "Your standing order for your next turn" in table.last_to(0).words


# --- nobody else ----------------------------------------------------------------------------------


def make_comparable(text: str) -> str:
    """Return a message without parts that differ between games: ids, hashes and event numbers."""
    text = " ".join(text.split())
    text = re.sub(
        r"(?<=Against cheating: )(?:[a-z]+ ){6}|(?<=, after )(?:[a-z]+ ){6}(?=\()", "… ", text
    )
    text = re.sub(r"\b[a-z2-7]{10}\b(?=[].,)])|\b[0-9a-f]{64}\b|\+[a-z0-9-]+@", "…", text)
    return re.sub(r"(?i)event \d+( of game \S+)?", "event", " ".join(text.split()))


@pytest.mark.rule("GEN-5", "GEN-16")
@pytest.mark.parametrize("line", ["next: if pile > 50 pickup", "next: flip 3"])
def test_the_others_never_hear_of_it(table: Table, line: str) -> None:
    """All mails to the others are the same with an order that does not fit and without one.

    Some games before both, since mails say less to who has had some turns.
    """
    told: list[list[str]] = []
    for says in (None, None, None, line):
        start = len(table.delivery.mails)
        table.clock.instant = START
        game, first, then = start_two(table, seed=5)
        if says is not None:
            sent = len(table.delivery.mails)
            table.answer(then, says)
            assert {mail.rcpt_to for mail in table.delivery.mails[sent:]} == {
                f"{NAMES[then].lower()}@example.org"
            }
        for _ in range(3):
            move_on(table, game)
        address = f"{NAMES[first].lower()}@example.org"
        mails = [m for m in table.delivery.mails[start:] if m.rcpt_to == address]
        told.append([make_comparable(str(m.message["Subject"]) + m.text) for m in mails])
    *_, plain, with_order = told
    assert plain == with_order
    assert not any("standing" in text for text in with_order)


def test_the_log_tells_nobody(table: Table, tmp_path: Any) -> None:
    """Audit, replay and export hide player, kind and text, also after the end."""
    game, _, then = start_two(table)
    table.answer(then, "next: if pile > 50 pickup")
    move_on(table, game)
    for is_over in (False, True):
        if is_over:
            acts.stop(table.service, game.id, "enough")
        found = auditing.audit(table.service, game.id)
        entries = [e for e in found.entries if isinstance(e.step.recorded.event, Hidden)]
        assert [(e.actor, e.cause, e.who, e.words, e.mails) for e in entries] == [
            ("hidden", None, "somebody", CLOSED, ())
        ]
        place = f"@{entries[0].step.version}"
        asked = auditing.inquire(table.service, found, place)
        assert asked.reasons == ("What is hidden here stays closed.",)
        assert asked.source is None
        lines = table.read(lambda uow: list(export_lines(uow, game.id)))
        assert not any(b"pile > 50" in line or b"NextOrdered" in line for line in lines)
        file = tmp_path / f"{is_over}.jsonl"
        file.write_bytes(b"".join(line + b"\n" for line in lines))
        verify_file(file.read_bytes())


def test_who_is_forgotten_leaves_no_order(table: Table, trio: Game) -> None:
    target = next(seat for seat in range(3) if seat not in trio.to_act)
    table.answer(target, "next: if pile > 50 pickup")
    acts.remove(table.service, trio.id, NAMES[target], "gone")
    erasure.forget(table.service, NAMES[target], "asked for it")
    assert table.events(trio, Hidden) == [Hidden("", "", "", "", None)]
    table.verify(trio)


# --- drawing --------------------------------------------------------------------------------------


def wait_for_turn(table: Table, game: Game, seat: int) -> str:
    """Play on until a seat must act, and return its turn message."""
    for _ in range(6):
        move_on(table, game)
        if seat in table.game(game.id).to_act:
            return table.last_to(seat).words
    raise AssertionError("the turn never comes")


def test_a_turn_of_phase_10_takes_one_mail(table: Table) -> None:
    """The turn message shows the drawn card, and the rule stays until it is changed."""
    game, _, then = start_two(table, ruleset="phase10", seed=3)
    assert (
        '"take if it is a wild or it lays, else stock"'
        in table.ask(then, "drawing: take if it is a wild or lays, else stock").words
    )
    for _ in range(2):
        told = wait_for_turn(table, game, then)
        assert 'Your rule for drawing did this: "' in told
        assert "You drew" in told or "You took" in told
        assert table.game(game.id).state.has_drawn
    assert "Your rule for drawing is" not in table.ask(then, "drawing: none").words
    assert not re.search("rule for drawing", wait_for_turn(table, game, then))
    assert not table.game(game.id).state.has_drawn
    table.verify(game)


def test_a_rule_rests_while_its_player_is_silent(table: Table) -> None:
    """Otherwise a game of silent players would never end (GEN-7)."""
    game, _, then = start_two(table, ruleset="phase10")
    table.answer(then, "drawing: always stock")
    wait_for_turn(table, game, then)
    drawn = len([m for m in list_moves(table, game) if m[2] == "standing"])
    table.wait(days=3, seconds=5)
    assert table.game(game.id).seats[then].misses == 1
    assert "It rests until you have made a move yourself again." in wait_for_turn(table, game, then)
    assert len([m for m in list_moves(table, game) if m[2] == "standing"]) == drawn
    assert not table.game(game.id).state.has_drawn


# --- try ------------------------------------------------------------------------------------------


def test_trying_changes_nothing_and_says_what_would_be(table: Table) -> None:
    game, first, then = start_two(table)
    _, order = table.standby(game)
    version, sent = game.version, len(table.delivery.mails)
    told = table.ask(first, f"try {order}\ntry 21\ntry play 9 9 9 9 or {order}").words
    assert f'"{order}" would be legal.' in told
    assert told.count("It would read like this: - You played") == 3
    assert "What you would draw is not told." in told
    assert table.game(game.id).version == version
    assert len(table.delivery.mails) == sent + 1
    assert "Refused." in table.ask(first, "try play 9 9 9 9").words
    told = table.ask(then, "try pickup\ntry 21").words
    assert f"it is not your turn yet: {NAMES[first]} must move first" in told
    assert "it would be refused: PHY-13" in told
    assert "That number belongs to another list" in told


# --- races ----------------------------------------------------------------------------------------


def test_the_order_and_the_move_before_it_at_once(both: Table) -> None:
    """Whichever worker is first, the log contains one order, which is carried out or waits."""
    for seed in range(3):
        game, first, then = start_two(both, seed=seed + 1)
        _, order = both.standby(game)
        for number, (seat, line) in enumerate(((then, "next: pickup"), (first, order))):
            mail = both.last_to(seat)
            sender = f"{NAMES[seat].lower()}@example.org"
            raw = raw_mail(sender, mail.reply_to, line, message_id=f"<r{seed}{number}@example.org>")
            envelope = Envelope(sender, mail.reply_to, "smtp", both.clock.now())
            intake.receive(both.service, raw, envelope)
        workers = [threading.Thread(target=handle_all, args=(both.service,)) for _ in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(60)
        both.run()
        hidden = [i for i in both.log(game) if isinstance(i.event, Hidden)]
        assert len(hidden) == 1
        played = list_moves(both, game)
        assert played in ([(first, order, "mail"), (then, "pickup", "standing")], played[:1])
        both.verify(game)


def try_order(game: Game, seat: int, order: str) -> Tried | str:
    try:
        return dry_run(game, seat, order, PLAYERS, listing=game.position)
    except Refusal as refusal:
        return f"{refusal.rule} {refusal.message} {refusal.suggestions}"


def deal_elsewhere(game: Game, seat: int, number: int) -> Game:
    """Return the same game as a seat can see it, with other hidden cards."""
    chance = Chance("elsewhere", number)
    setup = Setup(len(game.seats), chance.seed(), game.options)
    view = game.ruleset.view(game.state, Seat(seat))
    made = knowledge_of(game.ruleset.id.name).guess(view, setup, chance)
    other = replace(game, state=game.ruleset.state_from_json(setup, made))
    assert other.ruleset.view(other.state, Seat(seat)) == view
    assert other.ruleset.state_json(other.state) != game.ruleset.state_json(game.state)
    return other


@pytest.mark.rule("GEN-5", "GEN-16")
@pytest.mark.parametrize("name", registry.names())
def test_what_is_told_does_not_hang_on_hidden_cards(name: str) -> None:
    """Try every legal move at tables that look the same to the player."""
    asked = 0
    for plies in (0, 3, 9, 20):
        game = played(plies + 1, players=3, plies=plies, ruleset=name).game
        if game.is_over:
            continue
        seat = int(game.to_act[0])
        orders = [
            *legal_orders(game, seat)[:8],
            "play 9 9 9 9",
            "god",
            "flip 1",
            "21",
            "99",
            "take",
        ]
        other = deal_elsewhere(game, seat, plies)
        for order in orders:
            assert try_order(game, seat, order) == try_order(other, seat, order)
            asked += not isinstance(try_order(game, seat, order), str)
        for waiting in {0, 1, 2} - {int(number) for number in game.to_act}:
            other = deal_elsewhere(game, waiting, plies)
            for order in ("pickup", "draw", "play 3", "flip 1"):
                assert try_order(game, waiting, order) == try_order(other, waiting, order)
    assert asked > 10


def test_what_is_told_comes_true() -> None:
    """The reported facts are the first public facts of the move."""
    game = played(4, players=3, plies=12).game
    seat = int(game.to_act[0])
    for order in legal_orders(game, seat):
        tried = dry_run(game, seat, order, PLAYERS, listing=game.position)
        move = game.ruleset.parse_order(game.state, Seat(seat), order)
        facts = game.ruleset.apply(game.state, Seat(seat), move).facts
        public = [fact for fact in facts if fact.audience is None]
        assert list(tried.facts) == public[: len(tried.facts)]
        assert order == "god" or tried.facts
