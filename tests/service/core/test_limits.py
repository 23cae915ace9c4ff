"""Test limits on answers, messages and questions, also for unauthenticated messages."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from engine.api import Seat
from pbem.domain.table.game import Game
from pbem.mail_in.mime.authentication import TrustedServer
from pbem.sections import LimitsSection
from pbem.service.letters.rendering import MAX_UNVERIFIED
from tests.service.conftest import NAMES, Sent, Table, configured

STRANGER = "stranger@example.net"


@pytest.fixture
def strict(table: Table) -> Table:
    """Return a service with low limits."""
    return replace(
        table,
        service=configured(
            table.service, limits=LimitsSection(idle_answers_per_hour=3, questions_per_day=2)
        ),
    )


def test_mails_that_change_nothing_get_so_many_answers_in_an_hour(strict: Table) -> None:
    """The last answer says so, and no more follow within the hour. Moves still count."""
    game = strict.started(2)
    strict.clock.forward(hours=1, seconds=1)
    seat, order = strict.standby(game)
    to = strict.last_to(seat).reply_to
    strict.delivery.mails.clear()
    for _ in range(9):
        strict.answer(seat, "thank you, I am on holiday", to=to)
    assert len(strict.mails_to(seat)) == 3
    assert "the last one for now" not in strict.mails_to(seat)[1].words
    assert "the last one for now" in strict.mails_to(seat)[2].words
    silent = strict.inbox()[-1]
    assert silent.status == "ignored"
    assert "enough" in (silent.verdict or {})["why"]
    strict.answer(seat, order, to=to)
    assert strict.game(game.id).version > game.version
    assert "You wrote" not in strict.last_to(seat).words
    strict.clock.forward(hours=1, seconds=1)
    assert (
        "I don't understand this line"
        in strict.ask(seat, "thank you, I am on holiday", to=to).words
    )


def _ask_repeatedly(table: Table, seat: int, text: str, to: str, times: int) -> list[bool]:
    """Write the same words several times. Return for each answer whether it is the last for now."""
    before = len(table.mails_to(seat))
    for _ in range(times):
        table.answer(seat, text, to=to)
    return ["the last one for now" in mail.words for mail in table.mails_to(seat)[before:]]


def test_each_game_has_its_own_answers_and_so_have_help_and_rules(strict: Table) -> None:
    """Talk in one game does not use up the answers of another, but all games share a limit."""
    strict.clock.forward(hours=-2)
    addresses = []
    for _ in range(3):
        strict.started(2)
        addresses.append(strict.last_to(0).reply_to)
    strict.clock.forward(hours=2)
    for _ in range(2):
        assert _ask_repeatedly(strict, 0, "help", addresses[0], 1) == [False]
    for number, to in enumerate(addresses):
        assert _ask_repeatedly(strict, 0, "what a lovely day", to, 5) == [False, False, True], (
            number
        )
    assert _ask_repeatedly(strict, 0, "rules", addresses[1], 3) == [True], "three of help and rules"
    assert _ask_repeatedly(strict, 0, "help", addresses[2], 2) == []
    assert len(_ask_repeatedly(strict, 0, "games", strict.own_address(0), 9)) == 0, (
        "twelve answers to one person"
    )


def test_a_flood_is_told_once_and_not_carried_out(table: Table) -> None:
    """Messages beyond the limit are stored but not carried out."""
    strict = replace(
        table, service=configured(table.service, limits=LimitsSection(mails_per_hour=6))
    )
    game, seat, order = strict.start(2)
    for _ in range(4):
        strict.answer(seat, "board")
    to = strict.ask(seat, "board").reply_to
    version = strict.game(game.id).version
    strict.delivery.mails.clear()
    strict.answer(seat, order, to=to)
    strict.answer(seat, order, to=to)
    assert strict.game(game.id).version == version
    (told,) = strict.mails_to(seat)
    assert "More than 6 mails" in told.words
    assert {mail.status for mail in strict.inbox()[-2:]} == {"ignored"}


def test_one_question_stands_for_all_mails_from_an_address(strict: Table) -> None:
    """`yes` releases them all, in the order in which they came."""
    game, seat, order = strict.start(2)
    to = strict.last_to(seat).reply_to
    strict.delivery.mails.clear()
    strict.answer(seat, "nonsense", sender=STRANGER, to=to)
    strict.answer(seat, order, sender=STRANGER, to=to)
    (question,) = strict.mails_to(seat)
    assert [mail.status for mail in strict.inbox()[-2:]] == ["held", "held"]
    strict.answer(seat, "yes\npickup", to=question.reply_to)
    assert any('Not carried out: "pickup".' in mail.words for mail in strict.mails_to(seat))
    assert [mail.status for mail in strict.inbox()[-3:]] == ["done"] * 3
    assert strict.game(game.id).version > game.version


def test_what_stands_too_far_below_is_told(table: Table) -> None:
    """An order below fifty lines is not read, and its player does not wait for it."""
    game, seat, order = table.start(2)
    talk = "\n".join(["we had a long day in the garden"] * 60)
    table.answer(seat, f"{talk}\n{order}")
    assert table.game(game.id).version == game.version
    assert "Only the first 50 lines of a mail are read" in table.last_to(seat).words
    table.answer(seat, f"{order}\n{talk[:500]}")
    assert table.game(game.id).version > game.version
    assert "Only the first" not in table.last_to(seat).words


BARE = "game@play.example.org"
FOREIGN = "eve@evil.example"
GREEDY = (
    "help\nrules phyliss\nrules cathedral\nrules phalanx\nrules phase10\nrules phase10-family\n"
    "games\nstandings"
)


def forge(table: Table, *texts: str, seat: int = 0, mail_from: str | None = None) -> list[Sent]:
    """Write in a player's name without authentication, and return the messages sent because of it."""
    sender = f"{NAMES[seat].lower()}@example.org"
    sent = [table.send(sender, BARE, text, mail_from=mail_from) for text in texts]
    return [mail for mails in sent for mail in mails]


def find_illegal_order(game: Game, seat: int) -> str:
    """Return an order that reads as a move, and is refused."""
    rules = game.ruleset
    held = {card[:-1] for card in rules.view(game.state, Seat(seat))["seats"][seat]["hand"]}
    return next(f"play {rank}" for rank in "3456789JQKA" if rank not in held)


def ask_once(table: Table, seat: int, text: str, to: str) -> Sent:
    """Write as the real player, and return the only answer."""
    before = len(table.mails_to(seat))
    table.answer(seat, text, to=to)
    (answer,) = table.mails_to(seat)[before:]
    return answer


def assert_all_is_answered(table: Table, game: Game, seat: int, to: str) -> None:
    """Check that all orders of the real player are answered, including a refused move."""
    assert "The table" in ask_once(table, seat, "board", to).text
    assert "hand" in ask_once(table, seat, "hand", to).words.lower()
    assert "Nothing has changed" in ask_once(table, seat, find_illegal_order(game, seat), to).words


# --- what it may cost -----------------------------------------------------------------------------


@pytest.mark.usefixtures("game")
def test_a_mail_that_proves_nothing_gets_one_small_answer(table: Table) -> None:
    """Answer its first question in plain text, once an hour for each kind."""
    (answer,) = forge(table, GREEDY)
    assert len(answer.raw) <= MAX_UNVERIFIED
    assert "Only the first" in answer.words
    assert "the only answer of its kind within an hour" in answer.words
    assert [part.get_content_type() for part in answer.message.walk()][1:] == ["text/plain"]
    assert forge(table, "help") == []
    (games,) = forge(table, "games")
    assert "Phyliss" in games.words
    assert forge(table, "games\nhelp") == []
    table.clock.forward(hours=1, seconds=1)
    assert len(forge(table, GREEDY)) == 1
    before = len(table.mails_to(0))
    table.answer(0, GREEDY, to=answer.reply_to)
    assert len(table.mails_to(0)) - before == 8, "to the reply address all of it is answered"


@pytest.mark.parametrize("text", ["export", "board", "hand", "history", "resend", "21", "hello?"])
def test_no_answer_is_large_or_brings_a_file(table: Table, game: Game, text: str) -> None:
    """Show the table of the only game in plain text, and send no log."""
    (answer,) = forge(table, text, seat=int(game.to_act[0]))
    assert len(answer.raw) <= MAX_UNVERIFIED
    assert [part.get_content_type() for part in answer.message.walk()][1:] == ["text/plain"]
    assert forge(table, text, seat=int(game.to_act[0])) == []


# --- what it may do -------------------------------------------------------------------------------


@pytest.mark.usefixtures("game")
def test_a_pass_of_the_trusted_server_is_proof(table: Table) -> None:
    """All questions to the bare address are answered, whatever the envelope sender is."""
    table.service = configured(table.service, trusted=TrustedServer("mx.example.net", "dmarc"))
    mails = table.send(
        "anna@example.org",
        BARE,
        "help\ngames\ntimezone Asia/Tokyo",
        mail_from="bounce@provider.example",
        Authentication_Results="mx.example.net; dmarc=pass header.from=example.org",
    )
    assert len(mails) == 3
    assert forge(table, "help", mail_from=FOREIGN) == []
    (told,) = forge(table, "help")
    assert "without the proof" in told.words
    assert forge(table, "games") == []


# --- the storm ------------------------------------------------------------------------------------


def test_a_storm_of_forged_mails(table: Table) -> None:
    """Send one answer of each kind to the player, whose own orders are answered as usual."""
    game, seat, _ = table.start(2)
    to = table.last_to(seat).reply_to
    assert_all_is_answered(table, game, seat, to)
    said = [GREEDY, "help", "games", "standings", "board", "21", "hello?", "new phyliss with bot"]
    said += ["rules", "rules phalanx", "vacation 5 days", "resign confirm", "export", "settings"]
    said += ["resend", "history", "address add eve@evil.example", "never", "", "play 7\nhand"]
    storm: list[Sent] = []
    for number in range(6):
        storm += forge(table, *said, seat=seat)
        table.clock.forward(seconds=1)
        if number == 3:
            assert_all_is_answered(table, game, seat, to)
    assert {mail.rcpt_to for mail in storm} == {f"{NAMES[seat].lower()}@example.org"}
    kinds = Counter(row.key.split(":")[1] for row in table.outbox() if row.key.startswith("claim:"))
    assert set(kinds.values()) == {1}, kinds
    assert len(storm) == len(kinds) <= 12
    assert max(len(mail.raw) for mail in storm) <= MAX_UNVERIFIED
    assert_all_is_answered(table, game, seat, to)
    version = table.game(game.id).version
    assert "You wrote" not in ask_once(table, seat, table.standby(game)[1], to).words
    assert table.game(game.id).version > version


# --- the budget of what is proven -----------------------------------------------------------------


def test_who_is_to_move_always_learns_why_a_move_was_refused(table: Table) -> None:
    """Refusals of moves have no limit and use up no other limit."""
    strict = replace(
        table, service=configured(table.service, limits=LimitsSection(idle_answers_per_hour=2))
    )
    game = strict.started(2)
    strict.clock.forward(hours=1, seconds=1)
    seat = int(game.to_act[0])
    to = strict.last_to(seat).reply_to
    for _ in range(4):
        strict.answer(seat, "hello there", to=to)
    before = len(strict.mails_to(seat))
    strict.answer(seat, "board", to=to)
    assert len(strict.mails_to(seat)) == before, "what changes nothing has an end"
    for number in range(20):
        told = ask_once(
            strict, seat, f"{find_illegal_order(game, seat)}\nThis is try {number}.", to
        )
        assert "Nothing has changed" in told.words
    strict.clock.forward(hours=1, seconds=1)
    for _ in range(3):
        ask_once(strict, seat, find_illegal_order(game, seat), to)
    assert "The table" in ask_once(strict, seat, "board", to).text


def test_the_same_words_again_and_again_are_a_loop(table: Table) -> None:
    """Five messages with the same text within an hour end the answers to this text only."""
    game, seat, _ = table.start(2)
    to = table.last_to(seat).reply_to
    before = len(table.mails_to(seat))
    for _ in range(8):
        table.answer(seat, find_illegal_order(game, seat), to=to)
    answers = table.mails_to(seat)[before:]
    assert len(answers) == 5
    assert ["the last answer to them" in mail.words for mail in answers] == [
        *[False] * 4,
        True,
    ]
    assert (
        "Nothing has changed"
        in ask_once(table, seat, f"{find_illegal_order(game, seat)}\nDo it.", to).words
    )


# --- strangers with a leaked reply address --------------------------------------------------------


def write_as_strangers(table: Table, to: str, numbers: range, text: str = "pickup") -> None:
    for number in numbers:
        table.answer(0, text, sender=f"s{number}@evil{number}.example", to=to, run=False)
        table.run()


def test_fifty_strangers_do_not_keep_a_players_new_address_from_being_asked_about(
    table: Table,
) -> None:
    """Ask about the first addresses one by one, and about all others in one message."""
    game, seat, _ = table.start(2)
    to = table.last_to(seat).reply_to
    order = table.standby(game)[1]
    before = len(table.mails_to(seat))
    write_as_strangers(table, to, range(50))
    table.answer(seat, order, sender="me@new.example", to=to)
    write_as_strangers(table, to, range(50, 60))
    assert table.inbox()[50 + 2].status == "held"
    assert len(table.mails_to(seat)) - before == 2
    table.wait(hours=1, seconds=1)
    question = table.last_to(seat)
    assert len(table.mails_to(seat)) - before == 3
    assert "yes me@new.example" in question.words
    assert "yes s49@evil49.example" in question.words
    assert table.game(game.id).version == game.version
    assert "yes and the address" in ask_once(table, seat, "yes", question.reply_to).words
    table.answer(seat, "yes me@new.example", to=question.reply_to)
    assert table.game(game.id).version > game.version
    there = table.sent_to("me@new.example")[0]
    table.answer(seat, "yes", to=there.reply_to, sender="me@new.example")
    assert table.player("me@new.example").id == game.seats[seat].player
    held = {row.sender for row in table.inbox() if row.status == "held"}
    assert len(held) == 60
    table.answer(seat, "no", to=question.reply_to)
    assert not [row for row in table.inbox() if row.status == "held"]
