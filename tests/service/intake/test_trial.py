"""Test `test` on the first line: the answer explains the reading, and nothing is done."""

from __future__ import annotations

import pytest

from pbem.service.intake import trial
from tests.service.conftest import Table

LINES = """test
21
pickup
say hello everybody
resign confirm
vacation 5 days
hitory
good luck!

On Monday, Bob wrote:
> play 7
"""
READ = (
    ("21", "Read as a move."),
    ("say hello everybody", 'Read as "say" with "hello everybody".'),
    ("resign confirm", 'Read as "resign" with "confirm".'),
    ("vacation 5 days", 'Read as "vacation" with "5 days".'),
    ("hitory", 'Did you mean "history"?'),
    ("good luck!", "No move: it changes nothing."),
    ("play 7", "Taken as quoted"),
)


@pytest.mark.parametrize("where", ["game", "bare address"])
def test_each_line_is_told_and_nothing_is_done(table: Table, where: str) -> None:
    game = table.started(3)
    to = None if where == "game" else table.service.own_address
    words = table.ask(game.to_act[0], LINES, to=to).words
    assert table.last_to(game.to_act[0]).message["Subject"] == "How your mail is read"
    for line, said in READ:
        assert line in words
        assert said in words.partition(f'"{line}"')[2]
    assert table.game(game.id).version == game.version
    others = [seat for seat in range(3) if seat != game.to_act[0]]
    assert all(
        "hello everybody" not in mail.words for seat in others for mail in table.mails_to(seat)
    )


def test_below_other_lines_it_is_refused(table: Table) -> None:
    table.started(2)
    assert (
        'A test begins with "test" on the first line' in table.ask(0, "history\ntest\npause").words
    )


def test_only_a_few_a_day(table: Table) -> None:
    """The last answer says so, and later messages have no effect."""
    game = table.started(2)
    table.service.clock.forward(hours=1)
    for _ in range(trial.MAX_PER_DAY + 1):
        table.answer(0, "test\nresign confirm")
    mails = [
        mail for mail in table.mails_to(0) if mail.message["Subject"] == "How your mail is read"
    ]
    assert len(mails) == trial.MAX_PER_DAY
    assert "the last test that is answered today" in mails[-1].words
    assert table.game(game.id).version == game.version
