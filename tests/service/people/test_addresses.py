"""Test addresses with non-ASCII domains, which are compared in their DNS form."""

from __future__ import annotations

import pytest

from pbem.errors import Refusal
from pbem.mail_in.mime.addresses import normal_address
from pbem.service.lobby import making as lobby
from pbem.service.lobby.making import checked_address
from tests.service.conftest import NAMES, Table, raw_mail

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


def test_one_thread_for_each_seat_of_a_game(table: Table) -> None:
    """Check subjects, references and headers, and that no message has a copy."""
    game = table.started(2)
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
