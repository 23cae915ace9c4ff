"""Test addresses of players: several of one player, and domains that are not ASCII."""

from __future__ import annotations

import re

import pytest

from pbem.domain.table.game import Game
from pbem.errors import Refusal
from pbem.mail_in.mime.addresses import normal_address
from pbem.service.admin import acts
from pbem.service.lobby import creation as lobby
from pbem.service.lobby.creation import checked_address
from pbem.store.people.players import Player
from pbem.store.rows.game_rows import GAME, SEAT
from tests.service.conftest import NAMES, Sent, Table, raw_mail

NEW = "anna@work.example"


def find_question(table: Table) -> Sent:
    return table.sent_to(NEW)[-1]


def list_addresses(table: Table) -> list[str]:
    with table.service.store.reading() as uow:
        assert uow.players.by_address("bob@example.org") is not None
        anna = uow.players.by_address("anna@example.org") or uow.players.by_address(NEW)
        return list(uow.players.addresses(anna.id))


def test_an_address_is_confirmed_from_there(table: Table, game: Game) -> None:
    """Only afterwards can the player write from there."""
    turn = table.last_to(0).reply_to
    table.answer_twice(0, f"Address add {NEW.title()}")
    assert f"A mail went to {NEW}" in table.last_to(0).words
    assert list_addresses(table) == ["anna@example.org"]
    assert "Anna wants to play from this address" in find_question(table).words
    assert b"+p-" not in find_question(table).raw, (
        "no token of hers goes where somebody else may read it"
    )
    table.answer(0, "yes\npickup", to=find_question(table).reply_to, sender=NEW)
    assert list_addresses(table) == ["anna@example.org", NEW]
    assert f"{NEW} is an address of yours" in table.last_to(0).words
    assert 'Not carried out: "pickup".' in table.last_to(0).words
    table.answer(0, "pause", to=turn, sender=NEW)
    assert table.game(game.id).votes["pause"] == {0: True}
    table.answer_twice(0, f"address primary {NEW}")
    assert list_addresses(table) == [NEW, "anna@example.org"]
    table.answer(0, "settings", to=table.service.own_address)
    assert f"Your addresses: {NEW} and anna@example.org." in find_question(table).words
    table.answer(0, f"address remove {NEW}", to=find_question(table).reply_to)
    table.answer(0, "yes", to=find_question(table).reply_to)
    assert list_addresses(table) == ["anna@example.org"]
    assert "not yours any more" in table.last_to(0).words


@pytest.mark.usefixtures("game")
def test_an_unclear_answer_from_there_is_asked_about_once(table: Table) -> None:
    """The new address gets the question again, and its address takes the yes."""
    table.answer_twice(0, f"address add {NEW}")
    for _ in range(3):
        table.answer(0, "what is this?", to=find_question(table).reply_to, sender=NEW)
    first, again = table.sent_to(NEW)
    assert "neither yes nor no" in again.words
    assert (again.reply_to, b"+p-" in again.raw) == (first.reply_to, False)
    table.answer(0, "Yes, that was me!", to=again.reply_to, sender=NEW)
    assert list_addresses(table) == ["anna@example.org", NEW]


@pytest.mark.usefixtures("game")
def test_only_who_reads_it_confirms_it(table: Table) -> None:
    """Another sender, a forged or an expired token and a no have no effect."""
    table.answer_twice(0, f"address add {NEW}")
    reply_to = find_question(table).reply_to
    for sender in ("mallory@example.net", "bob@example.org", "anna@example.org"):
        table.answer(0, "yes", to=reply_to, sender=sender)
    forged = re.sub(r"\+q-[a-z2-7]+-", "+q-aaaaaaaaaaaa-", reply_to)
    table.answer(0, "yes", to=forged, sender=NEW)
    table.answer(0, "no", to=reply_to, sender=NEW)
    assert list_addresses(table) == ["anna@example.org"]
    table.clock.forward(days=8)
    table.answer(0, "yes", to=reply_to, sender=NEW)
    assert list_addresses(table) == ["anna@example.org"]


def register(table: Table) -> Player:
    """Register Anni with the address that Anna wants to add."""
    return lobby.add_player(table.service, lobby.Person("Anni", NEW))


def list_addresses_of(table: Table, player: Player) -> list[str]:
    return table.read(lambda uow: uow.players.addresses(player.id))


def test_an_address_of_somebody_who_plays_nowhere_is_taken_over(table: Table, game: Game) -> None:
    """This needs a yes from the address. Its former player stays without an address."""
    anni = register(table)
    table.answer_twice(0, f"address add {NEW}")
    reply_to = find_question(table).reply_to
    assert "wants to play from this address, which is Anni's so far" in find_question(table).words
    table.answer(0, "yes", to=reply_to)
    table.answer(1, "yes", to=reply_to)
    assert (list_addresses_of(table, anni), list_addresses(table)) == ([NEW], ["anna@example.org"])
    table.answer(0, "yes", to=reply_to, sender=NEW)
    assert (list_addresses_of(table, anni), list_addresses(table)) == (
        [],
        ["anna@example.org", NEW],
    )
    assert f"{NEW} is an address of yours" in table.last_to(0).words
    table.answer(0, "pause", to=table.mails_to(0)[1].reply_to, sender=NEW)
    assert table.game(game.id).votes["pause"] == {0: True}


@pytest.mark.parametrize("text", ["", "join"])
def test_who_sits_in_a_game_keeps_the_address(table: Table, text: str) -> None:
    """Only the owner of the address reads the reason and what to do."""
    game = table.new_game(2)
    if text:
        table.answer(1, text)
    table.answer_twice(0, "address add bob@example.org")
    question = table.last_to(1).reply_to
    told = len(table.mails_to(0))
    said = table.ask(1, "yes", to=question).words
    assert f"you have a seat in {game.id}, which is not over" in said
    assert "so bob@example.org stays yours" in said
    assert "resign confirm" in said
    assert len(table.mails_to(0)) == told
    assert list_addresses(table) == ["anna@example.org"]
    acts.stop(table.service, game.id, "Nobody has time.")
    table.answer(1, "yes", to=question)
    assert list_addresses(table) == ["anna@example.org", "bob@example.org"]


def test_a_seat_that_a_table_hides_is_still_one(table: Table) -> None:
    """The log counts, even if the projection was changed."""
    game = table.new_game(2)
    table.answer_twice(0, "address add bob@example.org")
    with table.service.store.unit_of_work() as uow:
        uow.connection.execute(SEAT.update().values(player_id="aaaaaaaaaa", status="resigned"))
        uow.connection.execute(GAME.update().values(status="finished"))
    assert f"you have a seat in {game.id}" in table.ask(1, "yes").words
    assert list_addresses(table) == ["anna@example.org"]


def test_who_asks_for_an_address_learns_nothing_of_it(table: Table) -> None:
    """The answers are the same for free and used addresses."""
    register(table)
    table.started(2)
    free, theirs, playing = "free@work.example", NEW, "bob@example.org"
    said = []
    for address in (free, theirs, playing):
        before = len(table.mails_to(0))
        table.answer_twice(0, f"address add {address}")
        assert len(table.mails_to(0)) == before + 2  # the question, and what came of the yes
        said.append(table.last_to(0).words.replace(address, "ADDRESS"))
    assert len(set(said)) == 1
    told = len(table.mails_to(0))
    table.answer(1, "yes")
    table.answer(1, "no", to=find_question(table).reply_to, sender=NEW)
    assert len(table.mails_to(0)) == told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("address remove anna@example.org", "That is your only address"),
        ("address primary bob@example.org", "That isn't one of your addresses"),
        ("address add anna@example.org", "an address of yours already"),
        ("address add anna-at-home", "is no mail address"),
        ("addresses", "Your addresses: anna@example.org."),
    ],
)
@pytest.mark.usefixtures("game")
def test_what_is_said(table: Table, text: str, said: str) -> None:
    assert said in table.ask(0, text).words
    assert list_addresses(table) == ["anna@example.org"]


def test_who_has_no_address_gets_no_mails(table: Table, game: Game) -> None:
    """Messages to the player are cancelled, and the others play on."""
    bob = table.player("bob@example.org").id
    table.write(lambda uow: uow.players.remove_address(bob, "bob@example.org"))
    table.answer(0, "say are you there?")
    table.wait(hours=25)
    assert {row.kind: row.status for row in table.outbox()}["talk"] == "cancelled"
    table.answer_twice(0, "resign confirm")
    assert table.verify(game).complete


LIKE_A_LIST = {
    *("list-post", "list-id", "mailing-list", "originator", "x-mailing-list", "x-loop", "x-list"),
    *("sender", "delivered-to", "x-been-there"),
}
"""Headers by which mail programs know a mailing list, and ask at each reply whom it is for."""


@pytest.mark.parametrize(
    "shown", ["anna@bücher.example", "Anna@BÜCHER.example", "anna@xn--bcher-kva.example"]
)
def test_one_address_in_all_its_forms(shown: str) -> None:
    """As it is registered and as From shows it."""
    assert checked_address(shown) == normal_address(shown) == "anna@xn--bcher-kva.example"


@pytest.mark.parametrize(
    "shown", ["änna@example.org", "anna@ex\u0430mple.org", "anna@\u2024.org", "a@ü" + "ü" * 300]
)
def test_what_is_not_the_same(shown: str) -> None:
    """Some letters before the @ and look-alike domains make another address."""
    assert normal_address(shown) != "anna@example.org"


def test_letters_before_the_at_are_refused_with_a_reason() -> None:
    """Refuse them at registration."""
    with pytest.raises(Refusal, match="before the @"):
        checked_address("änna@example.org")


def test_a_player_with_such_a_domain_plays(table: Table) -> None:
    """Send to the ASCII form, and accept answers from both forms."""
    people = [lobby.Person("Anna", "anna@bücher.example"), lobby.Person("Bob", "bob@example.org")]
    game = lobby.create_game(table.service, people, lobby.GamePlan("phyliss"))
    table.run()
    mail = next(mail for mail in table.delivery.mails if mail.rcpt_to.startswith("anna"))
    assert mail.rcpt_to == "anna@xn--bcher-kva.example"
    raw = raw_mail("someone@example.org", mail.reply_to, "join", message_id="<1@x>")
    raw = raw.replace(b"someone@example.org", "anna@bücher.example".encode())
    table.deliver(raw, mail.reply_to)
    assert table.game(game.id).seats[0].status == "joined"


def test_one_thread_for_each_seat_of_a_game(table: Table, game: Game) -> None:
    """Check subjects, references and headers, and that no message has a copy."""
    seat = table.move(game)
    table.answer(seat, "board")
    mails = table.mails_to(seat)
    assert len(mails) >= 4
    subjects = [mail.message["Subject"].removeprefix("Re: ") for mail in mails]
    assert "invites you" in subjects[0]
    table_name = f"Phyliss with {NAMES[1 - seat]} [{game.id}]"
    titles = {subject.removesuffix(table_name) for subject in subjects[1:]}
    assert titles <= {"You joined ", "Your turn: ", "You moved: ", ""}
    roots = {mail.message["References"].split()[0] for mail in mails}
    assert roots == {f"<{game.id}.{seat}@pbem.play.example.org>"}
    for mail in mails:
        assert {mail.message["Cc"], mail.message["Bcc"]} == {None}
        assert not LIKE_A_LIST & {name.lower() for name in mail.message}
        assert mail.message["Auto-Submitted"] in ("auto-generated", "auto-replied")
        assert "?subject=stop>" in mail.message["List-Unsubscribe"]
        assert max(map(len, mail.raw.split(b"\r\n"))) <= 78
        assert mail.reply_to.startswith("game+s-")
