"""Test that every invalid message gets one clear answer or none, and changes nothing.

`refused` looks at the log before and after: not one event may follow from a refusal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from engine.api import Seat
from engine.orders import LIST_START
from pbem.domain.log.events import MovePlayed, PhraseGiven
from pbem.domain.table.game import Game
from tests.mail_out import pages
from tests.service.conftest import NAMES, START, Sent, Table, raw_mail

BARE = "game@play.example.org"
FOOT = {"rules", "help", "undo", "board"}
"""Orders linked in the footer of a message."""


def list_legal(game: Game, seat: int) -> list[str]:
    rules = game.ruleset
    moves = rules.legal_moves(game.state, Seat(seat))
    return [rules.format_move(game.state, Seat(seat), move) for move in moves]


def find_hand(game: Game, seat: int) -> list[str]:
    cards: list[str] = game.ruleset.view(game.state, Seat(seat))["seats"][seat]["hand"]
    return cards


@dataclass
class Change:
    """The events and messages that followed from a message."""

    events: int
    mails: list[Sent]

    def only(self, seat: int) -> Sent:
        """Return the only message that followed, and check that it went to this seat."""
        assert [mail.rcpt_to for mail in self.mails] == [f"{NAMES[seat].lower()}@example.org"]
        return self.mails[0]


def write(table: Table, game: Game, seat: int, text: str, **named: str) -> Change:
    version, sent = table.game(game.id).version, len(table.delivery.mails)
    table.answer(seat, text, **named)  # type: ignore[arg-type]
    return Change(table.game(game.id).version - version, table.delivery.mails[sent:])


def write_refused(table: Table, game: Game, seat: int, text: str, **named: str) -> Sent:
    """Check that a message causes no event and one answer, and return the answer."""
    due = table.game(game.id).deadline
    change = write(table, game, seat, text, **named)
    assert change.events == 0
    assert table.game(game.id).deadline == due
    mail = change.only(seat)
    assert "Nothing has changed." in mail.words or "nothing was done" in mail.words
    return mail


@pytest.fixture
def game(table: Table) -> Iterator[Game]:
    return table.started(2)  # type: ignore[return-value]


# --- moves ----------------------------------------------------------------------------------------


def test_move_out_of_turn(table: Table, game: Game) -> None:
    """The answer names the player to move."""
    seat = int(game.to_act[0])
    mail = write_refused(table, game, 1 - seat, "pickup")
    assert f"It is not your turn: {NAMES[seat]} must move first." in mail.words
    assert "pickup" in mail.words


def test_illegal_play_names_the_rule_and_the_nearest_moves(table: Table) -> None:
    """A card that does not beat the pile: the rule's id, and legal orders."""
    game = table.skip(table.started(2), 40, until=lambda g: _find_unplayable(g) is not None)
    seat = int(game.to_act[0])
    card = _find_unplayable(game)
    assert card is not None
    mail = write_refused(table, game, seat, f"play {card}")
    assert "PHY-" in mail.words
    assert any(
        f'"{order}"' in mail.words or order in mail.words for order in list_legal(game, seat)
    )
    assert "would be allowed" in mail.words
    links = pages.mailto_links(mail.html)
    suggested = [shown for shown, _ in links if shown not in FOOT]
    assert suggested
    assert all(shown[0].isdigit() for shown in suggested)  # what is suggested is in the list
    sent = urlsplit(links[0][1])
    table.answer(seat, parse_qs(sent.query)["body"][0], to=unquote(sent.path))
    assert table.game(game.id).version > game.version


def _find_unplayable(game: Game) -> str | None:
    seat = int(game.to_act[0])
    playable = " ".join(list_legal(game, seat))
    return next((card for card in find_hand(game, seat) if card[:-1] not in playable), None)


def test_typing_mistake_is_suggested_and_not_carried_out(table: Table, game: Game) -> None:
    """The line below it is not carried out either."""
    seat = int(game.to_act[0])
    order = list_legal(game, seat)[0]
    mistyped = order.replace("play", "plya")
    mail = write_refused(table, game, seat, f"{mistyped}\n{order}")
    assert "typing mistake" in mail.words
    assert "nothing was guessed" in mail.words
    assert "Not carried out, because a line before it was refused." in mail.words
    assert order in mail.words


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("What a lovely day it is here.", "What you want to tell the others"),
        ("lorem ipsum\ndolor sit amet", "What you want to tell the others"),
        ("👍", "I understand none of your lines, so nothing was done."),
    ],
)
def test_prose_only(table: Table, game: Game, text: str, said: str) -> None:
    """The answer names each line and says that nothing was done."""
    mail = write_refused(table, game, int(game.to_act[0]), text)
    assert said in mail.words
    assert text.splitlines()[0] in mail.words


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no text of its own"),
        ("\n\n \n", "no text of its own"),
        ("-- \nAnna\nplay 7c", "is quoted or in a signature"),
    ],
)
def test_empty_reply(table: Table, game: Game, text: str, said: str) -> None:
    """Distinguish a message without text from one whose order was quoted."""
    assert said in write_refused(table, game, int(game.to_act[0]), text).words


def test_stale_mail_is_answered_with_the_table_as_it_is(table: Table) -> None:
    """The answer contains the current list."""
    game, seat, _ = table.start(2)
    old = table.last_to(seat).reply_to
    game = table.skip(game, 40, until=lambda g: g.to_act == (seat,) and g.version > 20)
    assert game.to_act == (seat,)
    order = list_legal(game, seat)[0]
    mail = write_refused(table, game, seat, order, to=old)
    assert "answers an older position" in mail.words
    assert f"{LIST_START} {order}" in mail.words
    assert mail.reply_to != old
    assert write(table, game, seat, order).events > 0


# --- who is it ------------------------------------------------------------------------------------


def write_held(table: Table, game: Game, text: str | None = None) -> tuple[int, Sent, Sent]:
    """Write with the right token from a strange address. Return seat, turn message and question."""
    seat = int(game.to_act[0])
    turn = table.last_to(seat)
    change = write(
        table,
        game,
        seat,
        text or list_legal(game, seat)[0],
        to=turn.reply_to,
        sender="eve@elsewhere.example",
    )
    assert change.events == 0
    question = change.only(seat)
    assert table.inbox()[-1].status == "held"
    return seat, turn, question


def test_right_token_from_a_strangers_address_is_held_and_asked_about(
    table: Table, game: Game
) -> None:
    """Only the registered address is asked."""
    _, _, question = write_held(table, game)
    assert "address that is not known as yours" in question.words
    assert "Nothing in it was carried out" in question.words
    assert "eve@elsewhere.example" not in [mail.rcpt_to for mail in table.delivery.mails]


def test_no_drops_the_mail(table: Table, game: Game) -> None:
    """The address stays unknown, and a later yes has no effect."""
    seat, turn, question = write_held(table, game)
    assert write(table, game, seat, "no", to=question.reply_to) == Change(0, [])
    assert [row.status for row in table.inbox()][-2:] == ["dropped", "done"]
    later = write(table, game, seat, "yes", to=question.reply_to)
    assert later.events == 0
    assert "settled already" in later.only(seat).words
    again = write(table, game, seat, "pickup", to=turn.reply_to, sender="eve@elsewhere.example")
    assert again.events == 0
    assert table.inbox()[-1].status == "held"


# --- delivered twice, too large, unknown, automatic -----------------------------------------------


def test_second_delivery_of_the_same_bytes_without_a_message_id(table: Table, game: Game) -> None:
    """Other bytes are another message, whatever their text quotes."""
    seat = int(game.to_act[0])
    address = table.last_to(seat).reply_to
    sender = f"{NAMES[seat].lower()}@example.org"

    def without_id(text: str) -> bytes:
        raw = raw_mail(sender, address, text, message_id="<x@example.org>")
        return raw.replace(b"Message-ID: <x@example.org>\r\n", b"")

    quoted = "hello\n\nMessage-ID: <quoted@example.org>\nSubject: Re"
    first, second = without_id(f"one\n{quoted}"), without_id(f"two\n{quoted}")
    assert b"Message-ID: <quoted@" in first
    assert table.receive(first, address).inbox_id is not None
    assert table.receive(first, address).inbox_id is None
    assert table.receive(second, address).inbox_id is not None


def test_token_in_a_folded_header_is_found(table: Table, game: Game) -> None:
    """A pipe without an envelope reads To, however it is folded, and the subject."""
    seat = int(game.to_act[0])
    address = table.last_to(seat).reply_to
    raw = (
        f"From: {NAMES[seat].lower()}@example.org\r\nMessage-ID:\r\n <folded@example.org>\r\n"
        f'To: "Somebody with a rather long name" <somebody@example.org>,\r\n\t<{address}>\r\n'
        f"Subject: Re\r\n\r\n{list_legal(game, seat)[0]}\r\n"
    ).encode()
    from pbem.mail_in.mime.message import Envelope  # noqa: PLC0415
    from pbem.service.intake import accepting as intake  # noqa: PLC0415

    received = intake.receive(table.service, raw, Envelope(None, None, "pipe", START))
    assert received.game_id == game.id
    table.run()
    assert table.events(game, MovePlayed)


# --- the bare address -----------------------------------------------------------------------------


# --- joining, declining, resigning ----------------------------------------------------------------


@pytest.mark.rule("GEN-4")
def test_phrase_is_shown_as_used_and_cannot_be_changed(table: Table) -> None:
    """A second phrase is refused with the rule."""
    game = table.new_game(3)
    change = write(table, game, 0, "join phrase:  green \t tea; on Sunday ")
    assert change.events == 2
    assert "exactly as it is used: green tea; on Sunday" in change.only(0).words
    assert "GEN-4" in write_refused(table, game, 0, "phrase: black coffee").words
    phrases = table.events(game, PhraseGiven)
    assert [event.phrase for event in phrases] == ["green tea; on Sunday"]


@pytest.mark.rule("GEN-4")
def test_phrase_after_the_start(table: Table, game: Game) -> None:
    """The cards are dealt, so no phrase can be added."""
    mail = write_refused(table, game, 0, "join phrase: late tea")
    assert "nobody can join or add a phrase any more" in mail.words


@pytest.mark.rule("GEN-4")
def test_invitation_carries_the_commitment_before_anybody_joins(table: Table) -> None:
    """Every invitation contains the commitment of the log."""
    game = table.new_game(3)
    for seat in range(3):
        assert game.commitment in table.last_to(seat).text.replace("\n", "").replace(" ", "")


@pytest.mark.rule("GEN-4", "GEN-15")
def test_decline_ends_the_game_and_everybody_hears_of_it(table: Table) -> None:
    """All invited players get one message with the opened secret."""
    game = table.new_game(3)
    write(table, game, 0, "join")
    change = write(table, game, 1, "decline")
    assert table.game(game.id).status == "stopped"
    assert sorted(mail.rcpt_to for mail in change.mails) == [
        "anna@example.org",
        "bob@example.org",
        "carol@example.org",
    ]
    for mail in change.mails:
        assert (b"\x01" * 32).hex() in mail.text.replace("\n", "").replace(" ", "")
    late = write(table, game, 2, "join")
    assert late.events == 0
    late.only(2)


@pytest.mark.rule("GEN-7")
def test_confirm_alone_resigns_nothing(table: Table, game: Game) -> None:
    """The answer names the full order."""
    mail = write_refused(table, game, int(game.to_act[0]), "confirm")
    assert "resign confirm" in mail.words
    assert "GEN-7" in mail.words


@pytest.mark.rule("GEN-7")
@pytest.mark.parametrize("text", ["resign confirm", "Resign\nConfirm.", "resign; confirm"])
@pytest.mark.parametrize("on_turn", [True, False])
def test_resigning_with_confirm(table: Table, text: str, on_turn: bool) -> None:
    """Of two players, the other one wins."""
    game = table.started(2)
    seat = int(game.to_act[0]) if on_turn else 1 - int(game.to_act[0])
    table.answer_twice(seat, text)
    game = table.game(game.id)
    assert game.finished.ranking == ((1 - seat,), (seat,))
    assert "You won" in table.last_to(1 - seat).words


@pytest.mark.rule("GEN-7")
def test_who_has_resigned_is_told_so(table: Table) -> None:
    """A later message from the seat gets one answer."""
    game, seat, _ = table.start(3)
    address = table.last_to(seat).reply_to
    table.answer_twice(seat, "resign confirm")
    mail = write_refused(table, game, seat, "pickup", to=address)
    assert "left this game" in mail.words
    mail = write_refused(table, game, seat, "resign confirm", to=address)
    assert "left this game already" in mail.words


# --- several orders (GEN-10) ----------------------------------------------------------------------


@pytest.mark.rule("GEN-10")
def test_orders_before_a_refused_one_stand_and_the_rest_is_not_carried_out(table: Table) -> None:
    """The answer says so line by line."""
    game, seat, _ = table.start(2)
    first = list_legal(game, seat)[0]
    change = write(table, game, seat, f"{first}\nplay 2c 2d 2h 2s\npickup\nThanks!")
    moves = table.events(game, MovePlayed)
    assert [move.move for move in moves if move.source == "mail"] == [first]
    mail = next(m for m in change.mails if m.rcpt_to.startswith(NAMES[seat].lower()))
    assert "Only a part of your mail was carried out." in mail.words
    assert f'Done, as "{first}".' in mail.words
    assert "Refused." in mail.words
    assert "Not carried out, because a line before it was refused." in mail.words
    assert "Nothing has changed except what is marked as done." in mail.words
    assert "Thanks!" not in mail.words
    assert sum(m.rcpt_to == mail.rcpt_to for m in change.mails) == 1


# --- when the game is over ------------------------------------------------------------------------
