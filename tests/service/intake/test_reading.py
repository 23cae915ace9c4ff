"""Test which parts of a message are read, and that the answer mentions the rest."""

from __future__ import annotations

import pytest

from tests.service.conftest import Sent, Table

INTRO = "-----Original Message-----\nFrom: Game\nSent: Friday, November 20, 2026 6:00 PM\n"


def test_every_order_of_a_mail_is_in_its_answer(table: Table) -> None:
    """The order may be below, above, between or inside quoted lines."""
    game, seat, _ = table.start(3)
    ours = table.last_to(seat).text
    assert (
        "All that I can read in your mail is quoted or in a signature"
        in table.ask(seat, f"{INTRO}\n{ours}").words
    )
    assert table.game(game.id).position == game.position
    lines = table.last_to(seat).text.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("  21  "))
    move = lines[at].split(maxsplit=1)[1]
    rest = "\n".join(lines[at + 1 :])
    answer = table.ask(seat, f"say hello everybody\n{move}\n{rest}").words
    assert f'You wrote "{move}". Not carried out. It stands below or between' in answer
    assert table.game(game.id).position == game.position
    answer = table.ask(
        seat, f"{INTRO}\n{table.last_to(seat).text}\n{move}\nsay hello everybody\n"
    ).words
    assert "You played" in answer
    assert 'You wrote "say hello everybody". Done' in answer
    assert table.game(game.id).position > game.position


def test_an_order_below_an_unmarked_quote_stops_all(table: Table) -> None:
    """The lower order may be quoted, so both wait, and the answer mentions them."""
    game, seat, _ = table.start(3)
    answer = table.ask(seat, f"21\n\n{INTRO}\n{table.last_to(seat).text}\nboard\n").words
    assert "Nothing was carried out" in answer
    assert 'You wrote "21"' in answer
    assert 'You wrote "board"' in answer
    assert table.game(game.id).position == game.position


@pytest.mark.rule("GEN-10")
@pytest.mark.parametrize(
    ("between", "is_done"),
    [("I lay down three nines and a set of fives", False), ("what a hand, two kings!", True)],
)
def test_unread_move_stops_the_orders_below_it(table: Table, between: str, is_done: bool) -> None:
    """Otherwise the discard would end the turn without the phase. Chat stops nothing."""
    game, seat, _ = table.start(3, ruleset="phase10")
    card = next(
        line.partition(": ")[2].split()[0]
        for line in table.last_to(seat).text.splitlines()
        if line.startswith("Your hand: ")
    )
    answer = table.ask(seat, f"draw\n{between}\ndiscard {card}").words
    assert 'You wrote "draw". Done' in answer
    assert (game.to_act != table.game(game.id).to_act) is is_done
    if not is_done:
        assert "This seems to say what you play, but I cannot read it" in answer
        assert f'You wrote "discard {card}". Not carried out, because a line before' in answer


def test_what_was_done_beside_something_else_is_told(table: Table) -> None:
    """The answer names an order that appears nowhere else in it."""
    for before, text, told in (
        (True, "join\nsay hello", 'You wrote "say hello"'),
        (False, "vacation 5 days\nsay hello", 'You wrote "say hello"'),
        (False, "say hello", 'You wrote "say hello"'),
        (False, "board\nsay hello", 'You wrote "say hello"'),
    ):
        game = table.new_game(2) if before else table.started(2)
        assert told in table.ask(0, text).words, text
        assert 'You wrote "join"' not in table.last_to(0).words
        assert table.game(game.id).version > game.version


INTRODUCTIONS = {
    "header block": "-----Original Message-----\nFrom: Game\nSent: Friday, November 20, 2026 6:00 PM\n",
    "attribution": "On Sat, Nov 28, 2026 at 7:00 AM Cards <game@play.example.org> wrote:\n",
    "nothing": "",
}
LAST_LINES = {"whole": None, "within the list": 3, "before the list": 0}
"""Number of list rows in the copy of our message, or None for the whole message."""


@pytest.mark.parametrize(("answers", "below"), [(0, "\nCheers\nAnna\n"), (2, "")])
@pytest.mark.parametrize("introduction", INTRODUCTIONS.values(), ids=list(INTRODUCTIONS))
@pytest.mark.parametrize("rows", LAST_LINES.values(), ids=list(LAST_LINES))
def test_a_copied_row_is_played_or_asked_about(
    table: Table, answers: int, introduction: str, rows: int | None, below: str
) -> None:
    """The copied row may come from any message about the same position."""
    game, seat, _ = table.start(3)
    for _ in range(answers):
        table.answer(seat, "board")
    lines = table.last_to(seat).text.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("  21  "))
    copy = lines if rows is None else lines[: first + rows]
    quote = "\n".join(copy)
    words = table.ask(seat, f"{introduction}\n{quote}\n\n{lines[first]}\n{below}").words
    is_played = table.game(game.id).position > game.position
    assert is_played or "I cannot tell whether some lines are yours or quoted" in words
    assert "All that I can read in your mail is quoted" not in words


ANNA, BARE = "anna@example.org", "game@play.example.org"
SAID = "I read the text of your mail, not its subject"


@pytest.mark.parametrize(
    ("subject", "order"),
    [
        ("21", "21"),
        ("21 EOM", "21"),
        ("21 (eom)", "21"),
        ("21 n/t", "21"),
        ("21 Re: Re: Your turn: Phyliss with Anna [nh56oult2h]", "21"),
        ("21 AW: Your turn", "21"),
        ("Re: 21", "21"),
        ("Pickup", "Pickup"),
        ("help", "help"),
    ],
)
@pytest.mark.parametrize("is_quoting", [False, True])
def test_a_player_reads_that_the_subject_is_not_read(
    table: Table, subject: str, order: str, is_quoting: bool
) -> None:
    game, seat, _ = table.start(2)
    mail = table.last_to(seat)
    text = f"\n\n{mail.quote}" if is_quoting else ""
    sender = f"{('anna', 'bob')[seat]}@example.org"
    (answer,) = table.send(sender, mail.reply_to, text, Subject=subject)
    assert f'{SAID}. Write "{order}" in the text' in answer.words
    assert "had no text of its own" not in answer.words
    assert table.game(game.id).version == game.version


def test_words_beside_the_subject_are_read_as_always(table: Table) -> None:
    """An order in the text counts, whatever the subject says."""
    game, seat, order = table.start(2)
    sender = f"{('anna', 'bob')[seat]}@example.org"
    answers = table.send(sender, table.last_to(seat).reply_to, order, Subject="22")
    assert table.game(game.id).position > game.position
    assert not any(SAID in answer.words for answer in answers)


EMPTY = "had no text of its own"


def write_part(table: Table, seat: int, head: str, body: str) -> list[Sent]:
    mail = table.last_to(seat)
    start = f"From: {mail.rcpt_to}\r\nTo: {mail.reply_to}\r\nMessage-ID: <part@example.org>\r\n"
    raw = f"{start}Subject: Re: game\r\nMIME-Version: 1.0\r\n{head}\r\n\r\n{body}\r\n"
    return table.deliver(raw.encode(), mail.reply_to)


@pytest.mark.parametrize(
    "head",
    [
        "Content-Type: text/plain charset=utf-8",
        "Content-Type: text/plain, charset=utf-8",
        "Content-Type: text/markdown; charset=utf-8",
        'Content-Type: text/plain; charset=utf-8; name="body.txt"',
        'Content-Type: text/plain\r\nContent-Disposition: inline; filename="reply.txt"',
    ],
)
def test_order_in_an_odd_part_is_carried_out(table: Table, head: str) -> None:
    game, seat, order = table.start(2)
    write_part(table, seat, head, order)
    assert table.game(game.id).position > game.position


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("Content-Type: text/enriched", "text/enriched"),
        ("Content-Type: application/octet-stream", "application/octet-stream"),
        ('Content-Type: text/plain\r\nContent-Disposition: attachment; filename="a"', "text/plain"),
    ],
)
def test_part_that_is_not_read_is_named(table: Table, head: str, kind: str) -> None:
    game, seat, order = table.start(2)
    (answer,) = write_part(table, seat, head, order)
    assert f"no text that I can read, only a part of type {kind}" in answer.words
    assert EMPTY not in answer.words
    assert table.game(game.id).version == game.version


@pytest.mark.parametrize(
    "body",
    [
        "👍\n\nBob Example reacted via Gmail\n<https://www.google.com/gmail/about/>",
        "Bob Example reacted to your message:\n👍",
        'Bob Example would like to recall the message, "Your turn".',
    ],
)
@pytest.mark.usefixtures("game")
def test_reactions_and_recalls_are_silent(table: Table, body: str) -> None:
    assert write_part(table, 0, "Content-Type: text/plain; charset=utf-8", body) == []
    assert table.inbox()[-1].status == "ignored"
