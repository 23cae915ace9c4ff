"""Test who can become a player, and that most messages of strangers get no answer."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.errors import Refusal
from pbem.sections import LimitsSection
from pbem.service.admin import acts
from pbem.service.lobby import creation as lobby
from pbem.service.lobby import never_invite
from pbem.service.people import mail_acts
from pbem.service.upkeep import health, pruning
from tests.service.conftest import Sent, Table, configured, raw_mail
from tests.service.lobby.test_lobby import (
    ANNA,
    BARE,
    BOB,
    CAROL,
    known,
    own,
    statuses,
    the_game,
    to,
    write,
)

ZOE = "zoe.long@example.org"


def configure(table: Table, **changes: object) -> Table:
    table.service = configured(table.service, **changes)
    return table


@pytest.fixture
def anybody(table: Table) -> Table:
    return configure(table, registration="open")


def write_as_stranger(table: Table, text: str, *, sender: str = ZOE) -> list[Sent]:
    return table.send(sender, BARE, text)


def test_strangers_get_no_answer_where_the_admin_adds_people(table: Table) -> None:
    configure(table, registration="admin")
    assert write_as_stranger(table, "new phyliss with bot") == []
    assert write_as_stranger(table, "help") == []


def test_a_stranger_reads_once_how_to_be_invited(table: Table) -> None:
    """The short answer accepts no token. Spam gets no answer."""
    configure(table, limits=LimitsSection(strangers_per_day=2))
    assert write_as_stranger(table, "Win money now!") == []
    (told,) = write_as_stranger(table, "Hi,\n\nI would like to play a game\n\nZoe")
    assert "Ask somebody who plays here to invite you" in told.words
    assert told.reply_to == table.service.own_address
    table.clock.forward(days=30)
    assert write_as_stranger(table, "new phyliss with bot") == []
    sent = [write_as_stranger(table, "help", sender=f"v{n}@example.org") for n in range(3)]
    assert [len(mails) for mails in sent] == [1, 1, 0]
    assert table.read(lambda uow: uow.players.list()) == []


def test_an_admin_sees_who_waits_and_settles_it(anybody: Table) -> None:
    """The message of an admitted stranger is handled, and a declined stranger gets no answer."""
    write_as_stranger(anybody, "new phyliss with bot")
    (asked, *_) = write_as_stranger(anybody, "help", sender="eve@other.example")
    zoe, eve = anybody.read(mail_acts.waiting)
    assert (zoe.sender, eve.sender) == (ZOE, "eve@other.example")
    assert (
        mail_acts.admit_or_decline(anybody.service, eve.id, is_admitted=False)
        == "eve@other.example"
    )
    assert mail_acts.admit_or_decline(anybody.service, zoe.id, is_admitted=True) == ZOE
    with pytest.raises(Refusal, match="No stranger waits"):
        mail_acts.admit_or_decline(anybody.service, zoe.id, is_admitted=True)
    anybody.run()
    question = anybody.delivery.mails[-1]
    assert (question.rcpt_to, 'Carry out "new"?' in question.words) == (ZOE, True)
    write(anybody, ZOE, question.reply_to, "yes")
    assert the_game(anybody).status == "inviting"
    assert write(anybody, "eve@other.example", asked.reply_to, "yes") == []
    with anybody.service.store.reading() as uow:
        assert [player.name for player in uow.players.list()] == ["Zoe Long"]
        assert mail_acts.waiting(uow) == []


def test_a_stranger_registers_and_their_first_mail_is_carried_out(anybody: Table) -> None:
    """After one question and one yes the game is made, with a name from the address."""
    (asked,) = write_as_stranger(anybody, "new phyliss with bot")
    assert asked.rcpt_to == ZOE
    assert anybody.read(lambda uow: uow.players.list()) == []
    mails = write(anybody, ZOE, asked.reply_to, "yes\nvacation 2 days")
    assert [mail.rcpt_to for mail in mails] == [ZOE, ZOE]
    assert "Zoe Long" in mails[0].words
    assert 'Not carried out: "vacation 2 days".' in mails[1].words
    assert statuses(anybody) == ["invited", "joined"]
    anybody.answer(0, "join", to=mails[0].reply_to, sender=ZOE)
    assert the_game(anybody).status == "running"


def test_a_stranger_is_asked_once_a_day(anybody: Table) -> None:
    """Other messages get no answer, and a yes from another address has no effect."""
    (asked,) = write_as_stranger(anybody, "help")
    for _ in range(3):
        assert write_as_stranger(anybody, "new phyliss with bot") == []
    assert write(anybody, BOB, asked.reply_to, "yes") == []
    anybody.clock.forward(days=1.1)
    assert len(write_as_stranger(anybody, "help")) == 1


def test_a_stranger_who_answers_neither_yes_nor_no_is_asked_once_more(anybody: Table) -> None:
    """A yes to either mail counts."""
    (asked,) = write_as_stranger(anybody, "new phyliss with bot")
    assert write(anybody, BOB, asked.reply_to, "hello?") == []
    (again,) = write(anybody, ZOE, asked.reply_to, "What is this, please?")
    assert (again.rcpt_to, again.reply_to) == (ZOE, asked.reply_to)
    assert "Your answer was neither yes nor no" in again.words
    assert 'reply with "never"' in again.words
    assert write(anybody, ZOE, again.reply_to, "I still wonder.") == []
    write(anybody, ZOE, asked.reply_to, "yes")
    assert the_game(anybody).status == "inviting"


def test_a_stranger_is_asked_again_only_where_strangers_are_answered(anybody: Table) -> None:
    """Not past the limits of a day, not if the envelope is foreign, and not if blocked."""
    (asked,) = write_as_stranger(anybody, "help")
    anybody.receive(
        raw_mail(ZOE, asked.reply_to, "What?", message_id="<w1@example.org>"),
        asked.reply_to,
        mail_from="list@elsewhere.example",
    )
    before = len(anybody.delivery.mails)
    anybody.run()
    configure(anybody, registration="open", blocked=(ZOE,))
    assert write(anybody, ZOE, asked.reply_to, "What is this?") == []
    limits = LimitsSection(strangers_per_domain=1)
    configure(anybody, registration="open", limits=limits, blocked=())
    assert write(anybody, ZOE, asked.reply_to, "Who are you?") == []
    assert len(anybody.delivery.mails) == before
    anybody.clock.forward(days=1.1)
    assert len(write(anybody, ZOE, asked.reply_to, "Still here, what is it?")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "join",
        "mitspielen",
        "Hello,\n\nI'd like to join.",
        "Can I join the autumn league?",
        "join league autumn",
        "I would like to play a game",
    ],
)
@pytest.mark.parametrize("mode", ["open", "invited"])
def test_a_stranger_who_asks_to_join_is_answered(table: Table, mode: str, text: str) -> None:
    configure(table, registration=mode, language="de" if text == "mitspielen" else "en")
    assert len(write_as_stranger(table, text)) == 1


@pytest.mark.parametrize("text", ["Join our webinar now!", "Play the best slots", "hello"])
def test_an_advertisement_is_not_answered(anybody: Table, text: str) -> None:
    assert write_as_stranger(anybody, text) == []


def test_where_the_admin_adds_people_join_is_answered_once_and_waits(table: Table) -> None:
    """The message waits for the decision of an admin."""
    configure(table, registration="admin")
    (answer,) = write_as_stranger(table, "join")
    assert "the people who run this service add new players" in answer.words
    assert answer.reply_to == table.service.own_address
    assert write_as_stranger(table, "join") == []
    assert [mail.sender for mail in table.read(mail_acts.waiting)] == [ZOE]


def test_a_fifth_of_the_questions_is_for_authenticated_strangers(anybody: Table) -> None:
    """A flood of forged senders does not use up their share."""
    configure(anybody, registration="open", limits=LimitsSection(strangers_per_day=5))
    sent = [write_as_stranger(anybody, "help", sender=f"v{n}@d{n}.example") for n in range(6)]
    assert [len(mails) for mails in sent] == [1, 1, 1, 1, 0, 0]
    for verdict, count in (
        ("fail", 0),
        ("pass header.from=other.example", 0),
        ("pass header.from=example.org", 1),
    ):
        results = f"mx.example.net; dmarc={verdict}"
        mails = anybody.send(ZOE, BARE, "help", Authentication_Results=results)
        assert len(mails) == count, verdict


@pytest.mark.parametrize("blocked", ["zoe.long@example.org", "Zoe.Long@Example.org", "example.org"])
def test_nothing_is_said_to_somebody_who_is_blocked(anybody: Table, blocked: str) -> None:
    """Answer neither their messages nor their yes. Similar addresses are asked."""
    (asked,) = write_as_stranger(anybody, "help")
    configure(anybody, registration="open", blocked=(blocked,))
    assert write(anybody, ZOE, asked.reply_to, "yes") == []
    assert anybody.player(ZOE) is None
    anybody.clock.forward(days=1.1)
    for tagged in (ZOE, "zoe.long+x@example.org"):
        assert write_as_stranger(anybody, "help", sender=tagged) == []
    assert len(write_as_stranger(anybody, "help", sender="zoe.long@notexample.org")) == 1
    assert anybody.inbox()[-1].status != "shunted"


def test_a_question_that_nobody_answered_lapses_and_its_mail_goes(anybody: Table) -> None:
    """After two weeks a yes is too late, and the message is pruned like any other."""
    (asked,) = write_as_stranger(anybody, "new phyliss with bot")
    held = anybody.inbox()[-1]
    anybody.clock.forward(days=13)
    pruning.tidy(anybody.service)
    assert anybody.inbox()[-1].status == held.status == "held"
    anybody.clock.forward(days=2)
    pruning.tidy(anybody.service)
    assert anybody.inbox()[-1].status == "dropped"
    assert write(anybody, ZOE, asked.reply_to, "yes") == []
    assert anybody.player(ZOE) is None
    anybody.clock.forward(days=80)
    assert held.id in pruning.find_prunable(anybody.service, timedelta(days=90)).mails_in


@pytest.mark.parametrize("word", ["never", "no"])
def test_a_stranger_wants_nothing(anybody: Table, word: str) -> None:
    """`no` and `never` are not answered. After `never`, no question or invitation follows."""
    (asked,) = write_as_stranger(anybody, "help")
    assert write(anybody, ZOE, asked.reply_to, word) == []
    anybody.clock.forward(days=2)
    assert len(write_as_stranger(anybody, "help")) == (word == "no")
    mails = write(anybody, ANNA, own(anybody, known(anybody)), f"new phyliss with {ZOE}")
    assert (ZOE in {mail.rcpt_to for mail in mails}) == (word == "no")


def test_only_the_admin_adds_people(table: Table) -> None:
    """The refusal is the same whether an address is known or not."""
    configure(table, registration="admin")
    anna = known(table)
    known(table, "Bob")
    answers = [
        write(table, ANNA, own(table, anna), f"new phyliss with {address}")
        for address in (BOB, CAROL)
    ]
    said = {" ".join(mail.words.partition("You wrote")[0].split()) for (mail,) in answers}
    assert len(said) == 1
    assert "only the admin adds people" in said.pop()


def test_never_holds_for_everybody(table: Table) -> None:
    """It binds admins and running games, too. An admin can lift it."""
    write(table, ANNA, own(table, known(table)), "new phyliss with zoe.long@example.org")
    (question,) = write(table, ZOE, table.sent_to(ZOE)[0].reply_to, "never")
    write(table, ZOE, question.reply_to, "yes")
    zoe = [lobby.Person("Anna", ANNA), lobby.Person("Zoe", ZOE)]
    with pytest.raises(Refusal, match="wants no invitations"):
        lobby.create_game(table.service, zoe, lobby.GamePlan("phyliss"))
    game = table.started(2)
    before = len(table.delivery.mails)
    assert "declined" in table.ask(0, f"replace bob with {ZOE}").words
    assert ZOE not in {mail.rcpt_to for mail in table.delivery.mails[before:]}
    with pytest.raises(Refusal):
        acts.replace(table.service, game.id, "1", zoe[1], "Bob left.")
    never_invite.allow(table.service, ZOE)
    with pytest.raises(Refusal, match="not on the list"):
        never_invite.allow(table.service, ZOE)
    lobby.create_game(table.service, zoe, lobby.GamePlan("phyliss"))


# --- hostile --------------------------------------------------------------------------------------


def test_too_many_invitations(table: Table) -> None:
    """Limit unanswered invitations, invitations per day, and games per day."""
    configure(table, limits=LimitsSection(open_invitations=5, invitations_per_day=6))
    anna = own(table, known(table))

    def ask(number: int) -> str:
        people = ", ".join(f"g{number}x{n}@example.org" for n in range(3))
        return to(write(table, ANNA, anna, f"new phyliss with {people}"), ANNA).words

    assert "is ready" in ask(1)
    assert "5 invitations out" in ask(2)
    table.clock.forward(days=0.5)
    game = the_game(table)
    for seat in (1, 2, 3):
        token = table.sent_to(f"g1x{seat - 1}@example.org")[0]
        write(table, token.rcpt_to, token.reply_to, "join")
    assert table.game(game.id).status == "running"
    assert "is ready" in ask(3)
    assert (
        "6 people within a day"
        in to(write(table, ANNA, anna, "new phyliss with dora@example.org"), ANNA).words
    )
    for _ in range(4):
        write(table, ANNA, anna, "new phyliss with bot")
    assert "6 games within a day" in write(table, ANNA, anna, "new phyliss with bot")[0].words


@pytest.mark.parametrize(
    "name",
    [
        "Carol\r\nBcc: victim@example.org",
        "Win at http://evil.example",
        "evil.example/free",
        "C\u0430rol",
        "=?utf-8?b?Q2Fyb2w=?=",
        "Anna" * 30,
        '"><script>alert(1)</script>',
        "0800 123456",
    ],
)
def test_names_that_carry_something_else(table: Table, name: str) -> None:
    """No header, link or script reaches the invited player, whose name comes from the address."""
    mails = write(
        table, ANNA, own(table, known(table)), f"new phyliss with {name} <carol@example.org>"
    )
    invited = [mail for mail in mails if mail.rcpt_to == CAROL]
    for mail in invited:
        assert "Carol: is invited" in to(mails, ANNA).words
        assert mail.message["Bcc"] is None
        assert "evil" not in mail.text
    assert {mail.rcpt_to for mail in mails} <= {ANNA, CAROL}


def test_a_name_that_was_stored_before_is_shown_as_what_it_is(table: Table) -> None:
    """Escape stored names in HTML and headers."""
    with table.service.store.unit_of_work() as uow:
        for name, address in (
            ("<b onclick=x>Eve</b>", BOB),
            ("Eve\r\nBcc: eve@evil.example", CAROL),
        ):
            player = uow.players.add(name, "UTC", created_at=table.clock.now())
            uow.players.add_address(player.id, address, is_primary=True)
    write(table, ANNA, own(table, known(table)), f"new phyliss with {BOB}, {CAROL}")
    for seat, who in enumerate((ANNA, BOB, CAROL)):
        newest = table.sent_to(who)[-1]
        if seat:
            write(table, who, newest.reply_to, "join")
    assert the_game(table).status == "running"
    for mail in table.delivery.mails:
        assert "<b onclick" not in mail.html
        assert mail.message["Bcc"] is None
    assert any(
        "&lt;b onclick" in mail.message.get_body(("html",)).get_content()
        for mail in table.delivery.mails
    )


# --- open games -----------------------------------------------------------------------------------


def test_an_open_game(table: Table) -> None:
    """All players can see the game with its commitment. The last seat starts it."""
    anna, bob, _ = (known(table, name) for name in ("Anna", "Bob", "Carol"))
    (told,) = write(table, ANNA, own(table, anna), "new phyliss open 3 players")
    game = the_game(table)
    assert f"join {game.id}" in told.words
    (listed,) = write(table, BOB, own(table, bob), "games")
    assert game.commitment in listed.text
    assert "1 of 3 seats are taken" in listed.words
    (seated,) = write(table, BOB, own(table, bob), f"join {game.id} phrase: green tea")
    assert "You have a seat" in seated.words
    assert "exactly as it is used: green tea" in seated.words
    assert the_game(table).seats[1].phrase == "green tea"
    (twice,) = write(table, BOB, own(table, bob), f"join {game.id}")
    assert "already joined" in twice.words
    (asked,) = write(table, CAROL, BARE, f"join {game.id}")
    assert statuses(table) == ["joined", "joined", "open"]
    mails = write(table, CAROL, asked.reply_to, "yes")
    assert the_game(table).status == "running"
    assert {mail.rcpt_to for mail in mails} == {ANNA, BOB, CAROL}
    assert "It begins when" not in to(mails, CAROL).words
    (late,) = write(table, ANNA, own(table, anna), "join aaaaaaaaaa")
    assert "no open place" in late.words


def test_what_games_and_help_say_of_mine(table: Table) -> None:
    """Invited, waiting, my turn: each has its line and its advice."""
    address = own(table, known(table))
    assert "tutorial" in to(write(table, ANNA, address, "help"), ANNA).words
    write(table, ANNA, address, "new phyliss with bob@example.org")
    assert "waits for Bob" in to(write(table, ANNA, address, "games"), ANNA).words
    assert "begins when everybody has joined" in to(write(table, ANNA, address, "help"), ANNA).words
    bobs = table.last_to(1).reply_to
    assert "you are invited" in to(write(table, BOB, bobs, "games"), BOB).words
    assert 'reply there with "join" or "decline"' in to(write(table, BOB, bobs, "help"), BOB).words
    table.answer(1, "decline", to=bobs)
    assert "an empty seat waits" in to(write(table, ANNA, address, "games"), ANNA).words
    assert "start without" in to(write(table, ANNA, address, "help"), ANNA).words
    table.answer(0, "bot")
    game = the_game(table)
    table.run()
    turn = to(write(table, ANNA, address, "games"), ANNA).words
    assert ("it is your turn, until" in turn) == (the_game(table).to_act == (0,))
    assert game.id in turn


def test_strangers_together_are_answered_so_often_and_no_more(anybody: Table) -> None:
    """No amplifier: a flood of forged senders ends in silence."""
    configure(anybody, registration="open", limits=LimitsSection(strangers_per_day=3))
    sent = [write_as_stranger(anybody, "help", sender=f"v{n}@example.org") for n in range(6)]
    assert [len(mails) for mails in sent] == [1, 1, 1, 0, 0, 0]
    told = [health.alert(anybody.service, since=anybody.clock.now()) for _ in range(2)]
    anybody.run()
    said = [one.words for one in anybody.delivery.mails if one.rcpt_to == "root@example.org"]
    assert told[0]
    assert [words.count("3 strangers were answered within a day") for words in said] == [1], (
        "one a day"
    )
