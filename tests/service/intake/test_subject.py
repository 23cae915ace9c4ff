"""Test that an order in the subject is not carried out, and its sender is told where to write it."""

from __future__ import annotations

import pytest

from tests.service.conftest import Table

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
