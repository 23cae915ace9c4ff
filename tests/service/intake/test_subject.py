"""Test that an order in the subject is not carried out, and its sender is told where to write it."""

from __future__ import annotations

import pytest

from tests.service.conftest import Sent, Table, raw_mail

ANNA, BARE = "anna@example.org", "game@play.example.org"
SAID = "I read the text of your mail, not its subject"


def write(table: Table, to: str, subject: str, text: str, *, sender: str = ANNA) -> list[Sent]:
    before = len(table.delivery.mails)
    table.counter += 1
    ident = f"<subject{table.counter}@example.org>"
    raw = raw_mail(sender, to, text, message_id=ident, Subject=subject)
    table.receive(raw, to)
    table.run()
    return table.delivery.mails[before:]


def quoted(mail: Sent) -> str:
    quote = "\n".join(f"> {line}" for line in mail.text.splitlines())
    return f"\n\nOn Sat, Nov 28, 2026 at 7:00 AM Cards <{BARE}> wrote:\n\n{quote}"


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
    game = table.started(2)
    seat = game.to_act[0]
    mail = table.last_to(seat)
    text = quoted(mail) if is_quoting else ""
    sender = f"{('anna', 'bob')[seat]}@example.org"
    (answer,) = write(table, mail.reply_to, subject, text, sender=sender)
    assert f'{SAID}. Write "{order}" in the text' in answer.words
    assert "had no text of its own" not in answer.words
    assert table.game(game.id).version == game.version


def test_words_beside_the_subject_are_read_as_always(table: Table) -> None:
    """An order in the text counts, whatever the subject says."""
    game = table.started(2)
    seat, order = table.standby(game)
    sender = f"{('anna', 'bob')[seat]}@example.org"
    answers = write(table, table.last_to(seat).reply_to, "22", order, sender=sender)
    assert table.game(game.id).position > game.position
    assert not any(SAID in answer.words for answer in answers)
