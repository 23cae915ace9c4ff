"""Test talk by mail: who gets it, when, and that it does not affect the game."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pbem.domain.log.events import Hidden, MessagePosted
from pbem.domain.table.game import Game
from pbem.errors import PermanentDeliveryError, TransientDeliveryError
from pbem.mail_in.sandbox.reader import DirectReader
from pbem.mail_out.kinds import TALK
from pbem.service.admin import acts
from pbem.service.core.context import Service
from pbem.service.evidence import auditing, bundles
from pbem.service.evidence.reopen_bundle import open_bundle
from pbem.service.intake.handle_mail import handle_all
from pbem.service.letters import rendering
from pbem.service.lobby import creation as lobby
from pbem.service.logbook.verify import verify_file, verify_game
from pbem.service.notify import talking
from pbem.service.people import data_export as people
from pbem.service.people import erasure
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.core import OutboxMail
from tests.service.conftest import NAMES, Table

WORDS = "Hello; this is <b>me</b>, 100 % & https://example.org/all?a=1!"


def list_kinds(table: Table, seat: int) -> list[str]:
    reader = table.player(f"{NAMES[seat].lower()}@example.org").id
    return [row.kind for row in table.outbox() if (row.player_id, row.status) == (reader, "sent")]


def test_others_read_exactly_what_was_written(table: Table, trio: Game) -> None:
    """Keep markup and links in both parts. Deadline and tokens do not change."""
    before = table.game(trio.id)
    table.answer(1, f"say {WORDS}")
    after = table.game(trio.id)
    assert (after.deadline, after.position) == (before.deadline, before.position)
    assert [seat.decision for seat in after.seats] == [seat.decision for seat in before.seats]
    table.wait(hours=3)
    for seat in (0, 2):
        mail = table.last_to(seat)
        assert f"| {WORDS}" in mail.text.splitlines()
        assert "Bob said, Saturday, 21 November, 13:00:" in mail.text
        assert "Hello; this is &lt;b&gt;me&lt;/b&gt;, 100 % &amp; https" in mail.html
    assert [event.text for event in table.events(trio, MessagePosted)] == [WORDS]
    assert list_kinds(table, 1)[-1] == "answer"


def test_folded_into_the_mail_that_comes_anyway(table: Table) -> None:
    """A message that comes for another reason contains the talk, and no other follows."""
    _, seat, move = table.start(2)
    table.answer(seat, f"say good luck\n{move}")
    mail = table.last_to(1 - seat)
    assert "Your turn" in mail.text
    assert "| good luck" in mail.text.splitlines()
    table.wait(hours=4)
    assert table.last_to(1 - seat) is mail
    assert "good luck" not in table.ask(1 - seat, "board").text


@pytest.mark.parametrize(
    "error",
    [
        TransientDeliveryError("451 mailbox busy", scope="recipient", status="4.2.1"),
        PermanentDeliveryError("554 not this one", scope="mail", status="5.6.0"),
    ],
)
def test_words_of_a_mail_that_never_left_are_told(table: Table, error: Exception) -> None:
    """A superseded or refused message does not lose the talk, which is sent separately."""
    game, seat, move = table.start(2)
    table.delivery.error = error
    table.answer(seat, f"say remember the milk\n{move}")
    table.delivery.error = None
    table.skip(game, 1)
    for _ in range(5):
        table.wait(hours=1)
    assert next(row.status for row in table.outbox() if row.kind == "turn") != "sent"
    assert sum("| remember the milk" in mail.text for mail in table.mails_to(1 - seat)) == 1


@pytest.mark.usefixtures("trio")
def test_what_is_said_while_a_mail_is_written_is_told_by_another(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Talk that arrives during rendering does not wait for the next message about the game."""
    table.answer(1, "talk at once")
    table.answer(0, "say first words", run=False)
    real, said = rendering.render, ["say second words"]

    def render(service: Service, uow: UnitOfWork, row: OutboxMail, rcpt_to: str) -> Any:
        if row.kind == TALK.name and said:
            table.answer(2, said.pop(), run=False)
            handle_all(table.service)
        return real(service, uow, row, rcpt_to)

    monkeypatch.setattr(rendering, "render", render)
    table.run()
    for words in ("first words", "second words"):
        assert sum(f"| {words}" in mail.text for mail in table.mails_to(1)) == 1


@pytest.mark.parametrize(
    ("setting", "direct", "open_"),
    [("as usual", True, False), ("at once", True, True), ("folded", False, False)],
)
@pytest.mark.usefixtures("trio")
def test_when_talk_comes(table: Table, setting: str, direct: bool, open_: bool) -> None:
    """The reader's setting decides. Private talk comes at once by default."""
    table.answer(1, f"talk {setting}")
    table.answer(0, "say to bob: between us")
    assert (list_kinds(table, 1)[-1] == "talk") is direct
    table.wait(hours=3)
    table.answer(0, "say hear, hear")
    assert ("hear, hear" in table.last_to(1).text) is open_


def test_private_talk_is_hidden(table: Table, trio: Game) -> None:
    """Other players do not learn of it. The log stores it, and no export opens it."""
    assert "Nobody but Bob reads that." in table.ask(0, "say to bob: my xylophone").words
    assert "Anna said to nobody but you, Saturday" in table.last_to(1).text
    assert "| my xylophone" in table.last_to(1).text.splitlines()
    (hidden,) = [e for e in table.log(trio) if isinstance(e.event, Hidden)]
    assert (hidden.actor, hidden.cause) == ("hidden", None)
    table.wait(hours=5)
    table.answer(2, "history 50")
    table.answer(2, "history talk")
    assert all("xylophone" not in mail.text for mail in table.mails_to(2))
    assert "| my xylophone" in table.ask(1, "history talk").text.splitlines()
    finish(table, trio)
    data = table.export(trio.id)
    assert b"xylophone" not in data
    assert verify_file(data).complete


def finish(table: Table, game: Game) -> None:
    """Let all seats but one resign."""
    for seat in range(len(game.seats) - 1):
        table.answer_twice(seat, "resign confirm")
    assert table.game(game.id).is_over


def test_talk_after_the_end(table: Table, game: Game) -> None:
    """Talk is possible for some days, and the log still verifies."""
    finish(table, game)
    table.answer(1, "say that was quick")
    log = table.log(game)
    assert isinstance(log[-1].event, MessagePosted)
    data = table.export(game.id)
    assert verify_file(data).complete
    assert json.loads(data.splitlines()[0])["complete"]
    table.clock.forward(days=8)
    table.answer(1, "say still here")
    assert len(table.log(game)) == len(log)
    assert "nobody talks about it here" in table.last_to(1).words


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("say:\nI think\nplay 7 7\nis best", "A blank line ends what you say"),
        ("say to bob hello", 'Begin with "say to Bob:" if it is for Bob alone'),
        ("say bob: hello", 'Begin with "say to Bob:" if it is for Bob alone'),
        ("say to bib: hello", "Nobody at this table is called"),
        ("say", "There are no words behind it"),
        (f"say {'x' * 2001}", "has at most 2000 characters"),
        ("say " + "word " * 13 + "and\nwhat follows below", "broken your line in two"),
        ("say anonymously: boo", "nobody speaks without a name"),
    ],
)
def test_what_is_not_certain_is_not_said(table: Table, trio: Game, text: str, asked: str) -> None:
    """Nothing is posted, the writer is asked, and lines below are not carried out."""
    before = table.game(trio.id).version
    table.answer(0, text)
    assert table.game(trio.id).version == before
    assert asked in table.last_to(0).words


def test_muting(table: Table, trio: Game) -> None:
    """The muted player is not notified, and no message mentions it."""
    assert "You read nothing that Bob says" in table.ask(2, "mute bob").words
    table.answer(1, "say can anybody hear me?")
    table.answer(1, "say to carol: can you?")
    table.wait(hours=3)
    assert "can anybody" in table.last_to(0).text
    assert all(
        "can you" not in mail.text and "anybody hear" not in mail.text for mail in table.mails_to(2)
    )
    assert "anybody hear" not in table.ask(2, "history talk").text
    assert f"In game {trio.id} you read nothing that Bob says." in table.ask(2, "settings").words
    assert all("mute" not in mail.text.lower() for mail in table.mails_to(1)[-3:])
    table.answer(2, "unmute bob")
    assert "| can you?" in table.ask(2, "history talk").text.splitlines()


def test_not_too_much(table: Table, game: Game) -> None:
    for number in range(2):
        table.answer(0, "\n".join(f"say {number} {one}" for one in range(15)))
    assert len(table.events(game, MessagePosted)) == 20
    assert "20 things within an hour" in table.last_to(0).words
    table.clock.forward(hours=1, minutes=1)
    table.answer(0, "say once more")
    assert len(table.events(game, MessagePosted)) == 21


@pytest.fixture
def masked(table: Table) -> Game:
    """A game of three in which words without a name are allowed."""
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in NAMES[:3]]
    game = lobby.create_game(table.service, people, lobby.GamePlan("phyliss", anonymous_talk=True))
    table.run()
    assert "without a name" in table.last_to(0).words
    for seat in range(3):
        table.answer(seat, "join")
    return table.game(game.id)


def test_words_without_a_name(table: Table, masked: Game) -> None:
    """All players, including the writer, get the same message hours later."""
    assert (
        "nobody is told whose they are" in table.ask(1, "say anonymously: who is slow here?").words
    )
    counts = [len(table.mails_to(seat)) for seat in range(3)]
    table.wait(hours=5, minutes=59)
    table.move(table.game(masked.id))
    assert all("who is slow" not in mail.text for n in (0, 2) for mail in table.mails_to(n))
    table.wait(minutes=2)
    told = [table.last_to(seat) for seat in range(3)]
    for mail in told:
        assert "| who is slow here?" in mail.text.splitlines()
        assert "Somebody said without a name, Saturday, 21 November:" in mail.text
        assert "Bob said" not in mail.text
    assert len({mail.message["Date"] for mail in told}) == 1
    assert all(str(masked.version) not in str(mail.message["Message-ID"]) for mail in told)
    assert all(len(table.mails_to(n)) > counts[n] for n in range(3))
    table.wait(hours=24)
    assert "Somebody said without a name" in table.ask(2, "history talk").text
    assert sum("| who is slow" in mail.text for mail in table.mails_to(2)) == 2


def test_words_without_a_name_do_not_name_their_event(table: Table, masked: Game) -> None:
    """Their message names the newest event that all players know."""
    table.answer(1, "say anonymously: who is slow here?")
    said = table.log(masked)[-1]
    assert isinstance(said.event, Hidden)
    table.wait(hours=7)
    for seat in range(3):
        mail = table.last_to(seat)
        assert "| who is slow here?" in mail.text.splitlines()
        head = [masked.head, str(masked.version), masked.id]
        assert str(mail.message["PBEM-Chain-Head"]).split() == head
        assert said.hash not in mail.words
        assert f"(event {masked.version})" in mail.words
    table.verify(masked, [masked.head])
    table.answer(0, "dispute I want to know who that was.")
    data = bundles.make_bundle(table.service, masked.id, 1, reason="her complaint")
    assert open_bundle(data, DirectReader()).agrees


def test_words_without_a_name_are_alone(table: Table, masked: Game) -> None:
    """Beside a move they would have a name: nothing of them is said."""
    seat, move = table.standby(masked)
    table.answer(seat, f"{move}\nsay anonymously: guess who")
    log = [type(item.event) for item in table.log(masked)]
    assert Hidden not in log
    assert "alone in their mail" in table.last_to(seat).words


def test_history_tells_what_the_reader_may_know(table: Table) -> None:
    _, seat, move = table.start(2)
    table.answer(seat, f"{move}\nsay your turn")
    table.clock.forward(minutes=5)
    text = table.ask(1 - seat, "history 5").text
    assert "- Saturday, 21 November, 13:00: " in text
    assert "| your turn" in text.splitlines()
    assert list_kinds(table, 1 - seat)[-1] == "history"
    assert table.ask(1 - seat, "history 1").text.count("Saturday, 21 November") == 1


@pytest.mark.parametrize(
    "private",
    [
        "say to bob, carol: my xylophone",
        "say to bob:\nmy xylophone",
        "next: if top <= 9 play 9 or pickup",
        "try god",
        "mute bob",
        "Nächster Zug: wenn oben <= 9 spiele 9 oder aufnehmen",
    ],
)
def test_an_audit_of_a_move_leaves_out_what_stood_beside_it_in_private(
    table: Table, private: str
) -> None:
    """Show only the move and public talk after the end of the game."""
    game, seat, move = table.start(3)
    assert seat == 0
    table.answer(seat, f"language de\n{move}\n{private}\n\nsay a zither for all")
    acts.stop(table.service, game.id, "Enough.")
    found = auditing.inquire(table.service, auditing.audit(table.service, game.id), "1").source
    assert found.text is not None
    told = f"{found.text} {found.lines}"
    assert move in found.text
    assert "a zither for all" in told
    assert not any(line in told for line in private.splitlines())
    assert len(found.lines) == 4


def test_what_a_person_said_goes_with_them(table: Table, trio: Game) -> None:
    """The player's own export contains it. After erasure the log still verifies."""
    table.answer(0, "say a xylophone for all")
    table.answer(0, "say to bob: a zither for one")
    finish(table, trio)
    said = people.collect(table.service, "Anna")["games"][0]["said"]  # type: ignore[index,call-overload]
    assert [one["talk"] for one in said if "talk" in one] == [
        "a xylophone for all",
        "a zither for one",
    ]
    erasure.forget(table.service, "Anna", "she asked for it")
    with table.service.store.reading() as uow:
        assert talking.messages(uow, trio.id) == []
        assert verify_game(uow, trio.id).complete
    assert "xylophone" not in table.ask(1, "history talk").text


def test_private_talk_stays_closed_to_the_admin(table: Table, trio: Game) -> None:
    """Neither replay nor audit shows it or its writer."""
    table.answer(0, "say to bob: my xylophone")
    assert people.collect(table.service, "Anna")["games"][0]["said"] == []
    for _ in range(2):
        found = auditing.audit(table.service, trio.id)
        entry = next(one for one in found.entries if one.step.recorded.actor == "hidden")
        assert (entry.actor, entry.cause, entry.mails) == ("hidden", None, ())
        assert "xylophone" not in repr([one.words for one in found.entries])
        if not table.game(trio.id).is_over:
            finish(table, trio)
