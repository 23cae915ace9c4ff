"""Test orders of an admin by mail, and that other senders cannot give them."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from pbem.domain.log.clock_events import GamePaused
from pbem.domain.log.events import ReasonGiven
from pbem.domain.log.seat_events import SeatControllerChanged, SeatRemoved
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.domain.terms.tokens import AdminToken
from pbem.service.people import mail_acts
from tests.service.conftest import Sent, Table, configured

ROOT = "root@example.org"
DAY = 24 * 60 * 60


def find_alert(table: Table, address: str = ROOT) -> Sent:
    return table.sent_to(address)[-1]


def answer(table: Table, text: str, *, sender: str = ROOT, to: str | None = None) -> Sent:
    table.send(sender, to or find_alert(table).reply_to, text)
    return find_alert(table, sender if sender in table.service.config.service.admins else ROOT)


def answer_twice(table: Table, text: str) -> Sent:
    """Write an order that needs confirmation, and confirm it."""
    question = answer(table, text)
    assert question.message["Subject"] == "Please confirm"
    return answer(table, "yes", to=question.reply_to)


def start_asked_game(table: Table, ruleset: str = "phyliss") -> tuple[Game, int]:
    """Start a game whose deadline has passed and whose admin was asked to decide."""
    timing = Timing(time_per_move=DAY, on_timeout="ask")
    game, seat, _ = table.start(2, timing=timing, ruleset=ruleset)
    table.wait(days=4)
    assert "asks you what happens now" in find_alert(table).words
    return table.game(game.id), seat


def test_more_time(table: Table) -> None:
    """An order without a game id is about the game of the answered message."""
    game, seat = start_asked_game(table)
    said = answer(table, "extend 2d the mail server was down")
    assert said.message["Subject"] == "What you asked for is done"
    assert (
        f"Done in game {game.id}, and told to the players. There is more time now: 2 days."
        in said.words
    )
    after = table.game(game.id)
    assert after.deadline is not None
    assert game.deadline is not None
    assert after.deadline.due_at == table.clock.now() + timedelta(days=2), "from now: it had passed"
    assert table.log(after)[-1].actor == "admin:mail"
    assert table.log(after)[-1].event == ReasonGiven("the mail server was down")
    assert (
        "The reason given by the admin (mail): the mail server was down"
        in table.last_to(seat).words
    )
    assert said.message["In-Reply-To"] == f"<s{table.counter}@example.org>"


def test_the_other_acts(table: Table) -> None:
    """Carry out the orders of one message in sequence, and record the admin and the reason."""
    game, seat = start_asked_game(table)
    other = ("Anna", "Bob")[1 - seat]
    answer_twice(table, f"pause {other} is ill\nresume\nbot {other} at sea")
    events = [item.event for item in table.log(game)]
    assert GamePaused("admin", "Bob is ill".replace("Bob", other)) in events
    assert SeatControllerChanged(1 - seat, "bot", "admin") in events
    assert "Say why, every player reads it" in answer(table, f"remove {seat}").words
    answer_twice(table, f"remove {seat} reason: nobody has heard of them")
    assert SeatRemoved(seat, "nobody has heard of them") in [item.event for item in table.log(game)]


def test_nobody_else(table: Table) -> None:
    """The right address and another sender, the right sender and another's token: nothing at all."""
    game, _ = start_asked_game(table)
    count = len(table.delivery.mails)
    answer(table, "extend 2d", sender="anna@example.org")
    answer(table, "extend 2d", to=table.service.own_address)
    forged = re.sub(r"\+o-[a-z2-7]+-", "+o-aaaaaaaaaaaa-", find_alert(table).reply_to)
    answer(table, "extend 2d", to=forged)
    real, table.service = table.service, configured(table.service, admins=("anna@example.org",))
    answer(table, "extend 2d")
    table.service = real
    assert table.game(game.id).version == game.version
    assert not [mail for mail in table.delivery.mails[count:] if mail.rcpt_to == ROOT]


@pytest.mark.rule("GEN-6")
def test_secret_choices_stay_secret(table: Table) -> None:
    """The answers to an admin are the same whether a seat has chosen or not."""
    game, seat = start_asked_game(table, "cathedral")
    _, move = table.standby(game)
    table.answer(seat, move)
    assert table.game(game.id).to_act == (1 - seat,)
    said = [answer(table, f"standby {one}").words for one in (0, 1)]
    told = [
        words.partition("Your card games, admin")[2].partition("You can answer")[0]
        for words in said
    ]
    assert "nobody may see who has" in told[0]
    assert told[0] == told[1]


def test_a_refusal_teaches(table: Table) -> None:
    """Name possible orders without anything about hands. Stop after some answers within an hour."""
    start_asked_game(table)
    said = answer(table, "What shall I do?")
    assert "None of its lines is an order, so nothing was done." in said.words
    assert '"extend GAME 2d"' in said.words
    assert '"standby GAME SEAT"' in answer(table, "help").words
    assert "typing mistake" in answer(table, "extned 2d").words
    count = len(table.delivery.mails)
    for _ in range(table.service.config.limits.idle_answers_per_hour + 3):
        answer(table, "hello?")
    assert len(table.delivery.mails) - count < table.service.config.limits.idle_answers_per_hour


# --- an old mail, or one that somebody else holds --------------------------------------------------


@pytest.mark.parametrize("order", ["remove 1 reason: cheating", "bot 1", "resolve all is well"])
def test_a_forwarded_mail_does_nothing_that_stays(table: Table, game: Game, order: str) -> None:
    """The registered address reads the effect of an order, and only a yes from there confirms it."""
    table.answer(0, "dispute my mail was lost")
    before = table.game(game.id).version
    question = answer(table, order)
    assert table.game(game.id).version == before
    assert question.rcpt_to == ROOT
    assert "Not done yet" in question.words
    assert game.id in question.words
    said = answer(table, "yes", to=question.reply_to)
    assert table.game(game.id).version > before
    assert f"Done in game {game.id}" in said.words


def test_a_no_makes_the_old_mails_void(table: Table, game: Game) -> None:
    table.answer(0, "dispute my mail was lost")
    old = find_alert(table).reply_to
    question = answer(table, "remove 1 reason: cheating")
    fresh = answer(table, "no", to=question.reply_to)
    assert fresh.message["Subject"] == "Your reply addresses were replaced"
    answer(table, "yes", to=question.reply_to)
    assert "is void" in answer(table, "pause 1", to=old).words
    assert ([seat.status for seat in table.game(game.id).seats]) == ["joined", "joined"]
    answer_twice(table, f"remove {game.id} 1 reason: he asked me to")
    assert ([seat.status for seat in table.game(game.id).seats]) == ["joined", "removed"]


def test_a_mail_to_an_admin_counts_for_two_weeks(table: Table, game: Game) -> None:
    """The answer to an older message brings a new reply address."""
    table.answer(0, "dispute my mail was lost")
    old = find_alert(table).reply_to
    table.clock.forward(days=14)
    assert "Done" in answer(table, "extend 2d", to=old).words or table.game(game.id).paused_at
    table.clock.forward(days=1)
    version = table.game(game.id).version
    said = answer(table, "pause", to=old)
    assert "too old" in said.words
    assert "as a reply to this mail" in said.words
    assert table.game(game.id).version == version
    answer_twice(table, "resolve all is well")
    assert not table.game(game.id).disputes


def test_rotate_makes_an_admins_mails_void(table: Table, game: Game) -> None:
    """After each rotation only the newest message counts."""
    table.answer(0, "dispute my mail was lost")
    old = find_alert(table).reply_to
    for _ in range(2):
        assert mail_acts.rotate(table.service, "Root@example.org") is None
        table.run()
        assert "Your reply addresses were replaced" in find_alert(table).message["Subject"]
        assert "is void" in answer(table, "resolve all is well", to=old).words
        old = find_alert(table).reply_to
    assert table.game(game.id).disputes
    answer_twice(table, f"resolve {game.id} 1 all is well")
    assert not table.game(game.id).disputes


def test_a_token_of_version_1_0_counts_where_its_age_is_known(table: Table, game: Game) -> None:
    """Without a reference to its message, the admin gets a new address."""
    table.answer(0, "dispute my mail was lost")
    sent = find_alert(table)
    token = table.service.tokens.decode(sent.reply_to.partition("+")[2].partition("@")[0])
    assert isinstance(token, AdminToken)
    old = table.service.tokens.address(AdminToken(token.mark, token.game_id))
    assert old.count("-") == 3, "as version 1.0 wrote it"
    assert "too old" in answer(table, "resolve all is well", to=old).words
    table.send(ROOT, old, "resolve all is well", In_Reply_To=sent.message["Message-ID"])
    answer(table, "yes", to=find_alert(table).reply_to)
    assert not table.game(game.id).disputes


def test_an_admin_who_plays_there_does_not_get_the_complaint(table: Table) -> None:
    """The text of a dispute may reveal cards."""
    table.service = configured(table.service, admins=(ROOT, "bob@example.org"))
    table.started(2)
    table.answer(0, "dispute I hold two kings")
    told = next(m for m in reversed(table.mails_to(1)) if "+o-" in m.reply_to)
    assert "two kings" in find_alert(table).words
    assert "two kings" not in told.words
