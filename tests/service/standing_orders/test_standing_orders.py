"""`next`, `drawing` and `try` by mail: carried out at once, disarmed with a reason, told to nobody else."""

from __future__ import annotations

import re
import threading
from datetime import timedelta
from typing import Any

import pytest

from engine.api import Seat
from pbem.domain.log.events import Hidden, MovePlayed
from pbem.domain.table.game import Game
from pbem.domain.table.standing_fold import CLEARED, FACT
from pbem.domain.terms.timing import Timing
from pbem.mail_in.mime.message import Envelope
from pbem.service.admin import acts
from pbem.service.clock.fire_due import fire_due
from pbem.service.evidence import auditing
from pbem.service.intake import accepting as intake
from pbem.service.intake.handle_mail import handle_all
from pbem.service.lobby import making as lobby
from pbem.service.logbook.event_words import CLOSED
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.replaying import ReplayStep, walk
from pbem.service.logbook.verify import verify_file, verify_game
from pbem.service.people import forgetting
from pbem.service.people import stored as people
from tests.service.conftest import NAMES, START, Table, raw_mail


def two(table: Table, **options: Any) -> tuple[Game, int, int]:
    """A game of two, who is to move, and who is next."""
    game = table.started(2, **options)
    seat = int(game.to_act[0])
    return game, seat, 1 - seat


def moves(table: Table, game: Game) -> list[tuple[int, str, str]]:
    events = [item.event for item in table.log(game)]
    return [(e.seat, e.move, e.source) for e in events if isinstance(e, MovePlayed)]


def move_on(table: Table, game: Game) -> None:
    """Let who is to act end the turn by mail."""
    before = table.game(game.id)
    seat, order = table.standby(before)
    table.answer(seat, order)
    if table.game(game.id).seats[seat].decision == before.seats[seat].decision:
        move_on(table, game)


def sound(table: Table, game: Game) -> None:
    with table.service.store.reading() as uow:
        verify_game(uow, game.id)


# --- next -----------------------------------------------------------------------------------------


def test_it_is_carried_out_with_the_move_before_it(table: Table) -> None:
    """In one transaction, of all alternatives the first that fits; told in the next mail."""
    game, first, then = two(table)
    table.answer(then, "next: if pile > 5 pickup or play 10 or if top <= A pickup")
    assert 'Your standing order for your next turn is "if pile > 5' in table.last_to(then).words
    sent = len(table.mails_to(then))
    move_on(table, game)
    assert moves(table, game)[-1] == (then, "pickup", "standing")
    assert table.game(game.id).to_act == (first,)
    assert len(table.mails_to(then)) == sent
    assert f"{NAMES[then]} picked up the pile" in table.last_to(first).words
    move_on(table, game)
    told = table.last_to(then).words
    assert 'Your standing order did this: "pickup".' in told
    assert "Your standing order for" not in told, "it is used up"
    sound(table, game)


def test_one_that_does_not_fit_disarms_itself(table: Table) -> None:
    """The turn mail says why, alternative by alternative; the player decides, and it is gone."""
    game, _, then = two(table)
    table.answer(then, "next: if pile > 5 pickup or flip 2")
    move_on(table, game)
    told = table.last_to(then).words
    assert 'Your standing order was "if pile > 5 pickup or flip 2". It does not fit' in told
    assert '"pile > 5" does not hold: it is 1; "flip 2": PHY-' in told
    assert "Your moves:" in told
    move_on(table, game)
    move_on(table, game)
    assert "standing order" not in table.last_to(then).words
    assert {source for *_, source in moves(table, game)} == {"mail"}


def test_none_cancels_and_another_replaces(table: Table) -> None:
    game, _, then = two(table)
    table.answer(then, "next: none")
    assert "You have no standing order" in table.last_to(then).words
    table.answer(then, "next: pickup")
    table.answer(then, "next: none")
    assert "standing order" not in table.last_to(then).words
    move_on(table, game)
    assert table.game(game.id).to_act == (then,)
    table.answer(then, "next: god")  # one's own turn: it is for the one after
    table.answer(then, "next: pickup")
    version = table.game(game.id).version
    table.answer(then, "next: pickup")
    assert table.game(game.id).version == version, "nothing new"
    assert 'Your standing order for your next turn is "pickup"' in table.last_to(then).words
    move_on(table, game)
    move_on(table, game)
    assert moves(table, game)[-1] == (then, "pickup", "standing")


def test_with_the_move_in_one_mail(table: Table) -> None:
    """Orders of everybody follow each other until somebody has none that fits."""
    game, first, then = two(table)
    table.answer(then, "next: pickup")
    _, order = table.standby(game)
    table.answer(first, f"{order}\nnext: play K or god or play 3 4")
    played = [(seat, source) for seat, _, source in moves(table, game)]
    assert played[:2] == [(first, "mail"), (then, "standing")]
    assert (first, "standing") in played, "an empty pile: the hand of god always succeeds"
    sound(table, game)


@pytest.mark.parametrize("how", ["timeout", "bot", "resigned", "removed"])
def test_whatever_ends_the_turn_before(table: Table, how: str) -> None:
    """Silence, a bot, somebody who leaves."""
    timing = Timing(3 * 86400, on_timeout="bot" if how == "bot" else "standby")
    game = table.started(3, timing=timing)
    first = int(game.to_act[0])
    then = (first + 1) % 3
    table.answer(then, "next: pickup or god")
    if how == "resigned":
        table.answer_twice(first, "resign confirm")
    elif how == "removed":
        acts.remove(table.service, game.id, NAMES[first], "why not")
    else:
        table.clock.forward(days=3, seconds=5)
        table.run()
        table.run()
    assert (then, "standing") in [(seat, source) for seat, _, source in moves(table, game)]
    sound(table, game)


@pytest.mark.rule("GEN-7")
@pytest.mark.parametrize("order", ["pickup", "pickup or god"])
def test_a_condition_about_somebody_who_left_disarms_the_order(table: Table, order: str) -> None:
    """The hand of a player who resigned counts nothing, and no other alternative is guessed."""
    game = table.started(3, ruleset="phyliss")
    first = int(game.to_act[0])
    then, last = (first + 1) % 3, (first + 2) % 3
    wanted = f"if hand of {NAMES[last]} <= 2 {order}"
    table.answer(then, f"next: {wanted}")
    table.answer_twice(last, "resign confirm")
    move_on(table, game)
    assert not any(source == "standing" for *_, source in moves(table, game))
    words = table.last_to(then).words
    assert f"{NAMES[last]} has left the game" in words
    assert "hand of" in words
    assert int(table.game(game.id).to_act[0]) == then
    sound(table, game)


@pytest.mark.parametrize("how", ["undo", "replace", "resign", "stop", "deal"])
def test_it_is_gone(table: Table, how: str) -> None:
    """When moves are taken back, the person goes, the game ends, or other cards are dealt."""
    game = table.started(3, ruleset="phyliss", deals=2)
    first = int(game.to_act[0])
    then = (first + 1) % 3
    move_on(table, game)
    game = table.game(game.id)
    asked = int(game.to_act[0])
    target = next(seat for seat in range(3) if seat != asked)
    table.answer(target, "next: pickup")
    assert table.game(game.id).seats[target].standing.wanted == "pickup"
    if how == "undo":
        move_on(table, game)
        acts.undo(table.service, game.id, "1", "misread")
    elif how == "replace":
        person = lobby.Person("Dora", "dora@example.org")
        acts.replace(table.service, game.id, NAMES[target], person, "ill", agreed=True)
    elif how == "resign":
        table.answer_twice(target, "resign confirm")
    elif how == "stop":
        acts.stop(table.service, game.id, "enough")
    else:
        return _another_deal(table, game, then)
    table.run()
    assert not table.game(game.id).seats[target].standing.wanted
    assert not any(source == "standing" for *_, source in moves(table, game))
    sound(table, game)
    told = {news.fact.kind for news in table.game(game.id).news}
    seen = {fact.kind for one in _steps(table, game) for fact in one.facts_for(target)}
    assert (CLEARED in told) is (how == "undo")
    assert CLEARED not in seen, "in no replay either"
    return None


def _steps(table: Table, game: Game) -> tuple[ReplayStep, ...]:
    with table.service.store.reading() as uow:
        return walk(uow, game.id, NAMES[: len(game.seats)])


def _another_deal(table: Table, game: Game, target: int) -> None:
    """An order for the cards of one deal is not carried out in the next."""
    table.skip(game, 3000, until=lambda one: len(one.state.course.results) == 1)
    game = table.game(game.id)
    seat = game.seats[target]
    if seat.standing.wanted:
        assert seat.standing.is_void


def test_time_is_not_charged_and_silence_goes_on(table: Table) -> None:
    """An order that was carried out is no sign of life, and costs no bank."""
    timing = Timing(86400, bank=86400, increment=0)
    game, first, then = two(table, timing=timing)
    table.answer(then, "next: pickup or god")
    table.clock.forward(hours=30)
    move_on(table, game)
    after = table.game(game.id)
    assert after.seats[first].bank_used == 6 * 3600
    assert after.seats[then].bank_used == 0
    assert after.seats[then].seen < after.position


@pytest.mark.rule("GEN-6")
def test_no_secret_choice_in_advance(table: Table) -> None:
    table.started(2, ruleset="cathedral")
    table.answer(0, "next: keep 2 10 Q")
    assert "A secret choice needs the cards of its own deal" in table.last_to(0).words
    table.answer(0, "next: play 3 or pickup")  # while all choose: for the turn after it
    assert "Your standing order for your next turn" in table.last_to(0).words


def test_who_chose_last_has_a_standing_order_too(table: Table) -> None:
    """The turn after the choice is the next one, also for the seat whose choice ended it."""
    game = table.started(2, ruleset="cathedral")
    for seat in (0, 1):
        table.answer(seat, "next: " + " or ".join(f"play {rank}" for rank in "34567"))
    for seat in (0, 1):
        rules, state = game.ruleset, table.game(game.id).state
        table.answer(
            seat, rules.format_move(state, Seat(seat), rules.standby_move(state, Seat(seat)))
        )
    assert {source for *_, source in moves(table, game)} == {"standing"}
    sound(table, game)


# --- nobody else ----------------------------------------------------------------------------------


def comparable(text: str) -> str:
    """A mail without what differs from game to game: ids, hashes (and their words), numbers of events."""
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
        game, first, then = two(table, seed=5)
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
        told.append([comparable(str(m.message["Subject"]) + m.text) for m in mails])
    *_, plain, with_order = told
    assert plain == with_order
    assert not any("standing" in text for text in with_order)


def test_the_log_tells_nobody(table: Table, tmp_path: Any) -> None:
    """Not who, not what, not which kind: in audit, replay and export, also when the game is over."""
    game, _, then = two(table)
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
        with table.service.store.reading() as uow:
            lines = list(export_lines(uow, game.id))
        assert not any(b"pile > 50" in line or b"NextOrdered" in line for line in lines)
        file = tmp_path / f"{is_over}.jsonl"
        file.write_bytes(b"".join(line + b"\n" for line in lines))
        verify_file(file.read_bytes())


def test_its_player_may_have_it(table: Table) -> None:
    """What is kept of a person is theirs to read, of the others nobody's; while the game runs the admin,
    who hands it over, looks at no plan without the players' reading why."""
    game, first, then = two(table)
    table.answer(then, "next: if pile > 50 pickup")
    for seat, expected in ((then, True), (first, False)):
        assert "if pile > 50 pickup" not in str(people.collect(table.service, NAMES[seat]))
        why = "They asked for it."
        told = people.collect(table.service, NAMES[seat], reveal=True, reason=why)
        assert ("if pile > 50 pickup" in str(told)) is expected
    acts.stop(table.service, game.id, "enough")
    assert "if pile > 50 pickup" in str(people.collect(table.service, NAMES[then]))


def test_a_log_without_the_words_leads_to_the_same_states(table: Table) -> None:
    """Erased for a person's sake, the game goes on and verifies."""
    game, _, then = two(table, ruleset="phase10")
    table.answer(then, "drawing: take if it is red, else stock\nnext: take")
    for _ in range(3):
        move_on(table, game)
    assert (then, "standing") in [(seat, source) for seat, _, source in moves(table, game)]
    before = table.game(game.id)
    with table.service.store.unit_of_work() as uow:
        hidden = [i.version for i in table.log(game) if isinstance(i.event, Hidden)]
        assert len(hidden) == 2
        assert all(uow.events.erase_secret(game.id, version) for version in hidden)
    after = table.game(game.id)
    assert after.state == before.state
    assert not after.seats[then].standing.drawing
    sound(table, game)


def test_who_is_forgotten_leaves_no_order(table: Table) -> None:
    game = table.started(3)
    target = next(seat for seat in range(3) if seat not in game.to_act)
    table.answer(target, "next: if pile > 50 pickup")
    acts.remove(table.service, game.id, NAMES[target], "gone")
    forgetting.forget(table.service, NAMES[target], "asked for it")
    told = [item.event for item in table.log(game) if isinstance(item.event, Hidden)]
    assert told == [Hidden("", "", "", "", None)]
    sound(table, game)


# --- drawing --------------------------------------------------------------------------------------


def turn_of(table: Table, game: Game, seat: int) -> str:
    """Play on until it is that seat's turn; gives its turn mail."""
    for _ in range(6):
        move_on(table, game)
        if seat in table.game(game.id).to_act:
            return table.last_to(seat).words
    raise AssertionError("the turn never comes")


def test_a_turn_of_phase_10_takes_one_mail(table: Table) -> None:
    """The turn mail shows the card that was drawn; the rule holds until it is changed."""
    game, _, then = two(table, ruleset="phase10", seed=3)
    table.answer(then, "drawing: take if it is a wild or lays, else stock")
    assert '"take if it is a wild or it lays, else stock"' in table.last_to(then).words
    for _ in range(2):
        told = turn_of(table, game, then)
        assert 'Your rule for drawing did this: "' in told
        assert "You drew" in told or "You took" in told
        assert table.game(game.id).state.has_drawn
    table.answer(then, "drawing: none")
    assert "Your rule for drawing is" not in table.last_to(then).words
    assert not re.search("rule for drawing", turn_of(table, game, then))
    assert not table.game(game.id).state.has_drawn
    sound(table, game)


def test_a_rule_given_in_the_own_turn_begins_with_it(table: Table) -> None:
    """Unless the card was drawn already, or the same mail draws it otherwise."""
    game, first, _ = two(table, ruleset="phase10")
    table.answer(first, "drawing: always stock")
    assert moves(table, game) == [(first, "draw", "standing")]
    assert "You drew" in table.last_to(first).words
    table.answer(first, "drawing: none")
    table.answer(first, "drawing: always stock")
    assert len(moves(table, game)) == 1


def test_a_rule_given_in_the_own_turn_revives_no_order(table: Table) -> None:
    """The mail of the turn said that it does not fit, and that its player decides."""
    game, _, then = two(table, ruleset="phase10")
    cards = ("12", "11", "10", "9", "8", "7")
    table.answer(then, "next: " + " or ".join(f"discard {card}" for card in cards))
    assert "It does not fit, so you decide now." in turn_of(table, game, then)
    before = len(moves(table, game))
    table.answer(then, "drawing: always stock")
    assert moves(table, game)[before:] == [(then, "draw", "standing")]
    assert table.game(game.id).to_act == (then,)


def test_it_may_ask(table: Table) -> None:
    game, _, then = two(table, ruleset="phase10")
    table.answer(then, "drawing: take if it is a wild, else ask")
    table.clock.forward(minutes=1)
    told = turn_of(table, game, then)
    assert not table.game(game.id).state.has_drawn
    assert 'else ask"' in told


def test_a_rule_rests_while_its_player_is_silent(table: Table) -> None:
    """Or a game of people who are all asleep would never end (GEN-7)."""
    game, _, then = two(table, ruleset="phase10")
    table.answer(then, "drawing: always stock")
    turn_of(table, game, then)
    drawn = len([m for m in moves(table, game) if m[2] == "standing"])
    table.clock.forward(days=3, seconds=5)
    table.run()
    assert table.game(game.id).seats[then].misses == 1
    told = turn_of(table, game, then)
    assert "It rests until you have made a move yourself again." in told
    assert len([m for m in moves(table, game) if m[2] == "standing"]) == drawn
    assert not table.game(game.id).state.has_drawn


def test_there_is_no_rule_for_other_games(table: Table) -> None:
    two(table)
    table.answer(0, "drawing: always stock")
    assert "Only in Phase 10" in table.last_to(0).words
    table.answer(0, "drawing:")
    assert "Only in Phase 10" in table.last_to(0).words


@pytest.mark.parametrize("line", ["next", "next:", "drawing", "drawing:", "try"])
def test_the_bare_words_say_what_belongs_behind_them(table: Table, line: str) -> None:
    two(table, ruleset="phase10")
    table.answer(0, line)
    assert 'Behind "' in table.last_to(0).words


# --- try ------------------------------------------------------------------------------------------


def test_trying_changes_nothing_and_says_what_would_be(table: Table) -> None:
    game, first, then = two(table)
    _, order = table.standby(game)
    version, sent = game.version, len(table.delivery.mails)
    table.answer(first, f"try {order}\ntry 21\ntry play 9 9 9 9 or {order}")
    told = table.last_to(first).words
    assert f'"{order}" would be legal.' in told
    assert told.count("It would read like this: - You played") == 3
    assert "What you would draw is not told." in told
    assert table.game(game.id).version == version
    assert len(table.delivery.mails) == sent + 1
    table.answer(first, "try play 9 9 9 9")
    assert "Refused." in table.last_to(first).words
    table.answer(then, "try pickup\ntry 21")
    told = table.last_to(then).words
    assert f"it is not your turn yet: {NAMES[first]} must move first" in told
    assert "it would be refused: PHY-13" in told
    assert "That number belongs to another list" in told


def test_a_move_with_a_question_mark_is_tried(table: Table) -> None:
    """`pickup?` is answered as `try pickup`; the order below it is carried out."""
    game, first, _ = two(table)
    version, (_, order) = game.version, table.standby(game)
    table.answer(first, f"Hm.\n{order}?\nCan I {order} please?")
    told = table.last_to(first).words
    assert told.count(f'"{order}" would be legal.') == 2
    assert table.game(game.id).version == version
    table.answer(first, f"{order}?\n{order}")
    assert table.game(game.id).version > version


def test_trying_again_tomorrow_is_no_order(table: Table) -> None:
    _, first, _ = two(table)
    table.answer(first, "I will\ntry again tomorrow")
    assert "I don't understand this line" in table.last_to(first).words


def test_trying_shows_no_card(table: Table) -> None:
    """Drawing, and the hand of god: legal, and no word of what would come."""
    _, first, _ = two(table)
    table.answer(first, "try god")
    assert "Which card you would see is not told." in table.last_to(first).words
    assert "Told as if" not in table.last_to(first).words
    _, first, _ = two(table, ruleset="phase10")
    table.answer(first, "try draw\ntry take")
    told = table.last_to(first).words
    assert '"draw" would be legal. Which card you would see is not told.' in told
    assert "You took" in told


def test_settings_tell_what_stands_in_every_game(table: Table) -> None:
    """Of the own games; in the mail of a game that one's stands where it always does."""
    game, _, then = two(table)
    table.answer(then, "next: pickup")
    other = table.started(2, ruleset="phase10")
    table.answer(then, "drawing: always stock\nsettings")
    told = table.last_to(then).words
    assert f'Phyliss [{game.id}]: Your standing order for your next turn is "pickup"' in told
    assert told.count('always stock"; it holds') == 1
    table.answer(then, "settings", to="game@play.example.org")
    told = table.last_to(then).words
    assert f'Phase 10 [{other.id}]: Your rule for drawing is "always stock"' in told
    table.answer(1 - then, "settings", to="game@play.example.org")
    assert "standing order" not in table.last_to(1 - then).words


# --- in another language --------------------------------------------------------------------------


def test_orders_may_be_in_the_language_of_the_player(table: Table) -> None:
    """Of `next:` and `try:`, as anywhere else; what is kept is English."""
    game, _, then = two(table)
    table.answer(then, "language de")
    table.answer(then, "next: spiele 10 oder aufnehmen\ntry: aufnehmen")
    told = table.last_to(then).words
    assert 'Vorgemerkt hast du "spiele 10 oder aufnehmen"' in told
    assert "du bist noch nicht dran" in told
    move_on(table, game)
    assert moves(table, game)[-1][2] == "standing"


def test_a_game_of_phase_10_begins_with_a_hint(table: Table) -> None:
    """What saves most mails is said where it can still save them."""
    table.started(2, ruleset="phase10")
    assert '"drawing: take if it lays, else stock"' in table.last_to(0).words
    table.started(2)
    assert "drawing:" not in table.last_to(0).words


# --- races ----------------------------------------------------------------------------------------


def test_the_order_and_the_move_before_it_at_once(both: Table) -> None:
    """Two workers: whichever is first, the log holds one order, and it is carried out or waits."""
    for seed in range(3):
        game, first, then = two(both, seed=seed + 1)
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
        played = moves(both, game)
        assert played in ([(first, order, "mail"), (then, "pickup", "standing")], played[:1])
        sound(both, game)


def test_a_deadline_fires_standing_orders_once(table: Table) -> None:
    """Looking again and again plays nothing twice; a replay gives the recorded digests."""
    game, _, then = two(table)
    table.answer(then, "next: pickup or god")
    table.clock.forward(days=3, seconds=5)
    for _ in range(4):
        fire_due(table.service)
    assert [source for *_, source in moves(table, game)].count("standing") == 1
    steps = _steps(table, game)
    assert steps[-1].game.state == table.game(game.id).state
    kinds = {fact.kind for step in steps for seat in (0, 1) for fact in step.facts_for(seat)}
    assert "picked_up" in kinds or "god" in "".join(kinds)
    assert FACT not in kinds, "what a player told in private is in no replay"
    assert FACT in {news.fact.kind for news in table.game(game.id).news}
    assert table.clock.now() - START > timedelta(days=3)


def test_in_german_with_a_condition(table: Table) -> None:
    """The words of a German mail are understood, and what stands is told in it."""
    game = table.started(2)
    seat = 1 - int(game.to_act[0])
    table.answer(seat, "language de")
    table.answer(seat, "nächster Zug: wenn oben <= 9 spiele 9 oder aufnehmen")
    standing = table.game(game.id).seats[seat].standing
    assert standing.wanted == "if top <= 9 play 9 or pickup"
    table.answer(seat, "nächster Zug: wenn es regnet aufnehmen")
    assert "nächster zug: wenn oben <= 9 spiele 9 oder aufnehmen" in table.last_to(seat).words
