"""What players set by mail."""

from __future__ import annotations

import pytest

from pbem.errors import Refusal
from pbem.service.preferences import checked_zone
from tests.service.conftest import Table


def test_a_player_reads_deadlines_in_the_own_zone(table: Table) -> None:
    """`timezone …` changes the times of this player's mails and nobody else's, and no event."""
    game = table.started(2)
    seat = game.to_act[0]
    assert "(UTC+01:00, Europe/Berlin)" in " ".join(table.last_to(seat).text.split())
    table.answer(seat, "timezone asia/tokyo")
    text = " ".join(table.last_to(seat).text.split())
    assert "(UTC+09:00, Asia/Tokyo)" in text
    assert "From now on your mails tell times in the zone Asia/Tokyo." in text
    assert table.game(game.id) == game
    other = 1 - seat
    assert "Europe/Berlin" in table.last_to(other).text


def test_an_unknown_zone_is_refused_with_the_nearest(table: Table) -> None:
    """Nothing changes; the names that were nearly written are suggested."""
    game = table.started(2)
    seat = game.to_act[0]
    table.answer(seat, "timezone Europe/Berln")
    text = " ".join(table.last_to(seat).text.split())
    assert "There is no time zone of that name" in text
    assert "timezone Europe/Berlin" in text


@pytest.mark.parametrize("text", ["", None, "Berlin/", "../etc/passwd", "x" * 64])
def test_what_is_no_zone(text: str | None) -> None:
    """Only names of the zone database are zones."""
    with pytest.raises(Refusal):
        checked_zone(text)


def test_an_answer_beside_information_is_not_lost(table: Table) -> None:
    """`help` alone gets the help; with another order in the mail that one is answered too."""
    game = table.started(2)
    seat = game.to_act[0]
    before = len(table.mails_to(seat))
    table.answer(seat, "help")
    assert len(table.mails_to(seat)) == before + 1
    answered = table.mails_to(seat)[before - 1]
    table.answer(seat, "timezone Asia/Tokyo\nhelp", to=answered.reply_to)
    assert len(table.mails_to(seat)) == before + 3
    assert any("Asia/Tokyo" in mail.text for mail in table.mails_to(seat)[-2:])


def test_reminders_can_be_ended_and_brought_back(table: Table) -> None:
    """For this player, in all games; the deadline is what it was."""
    game = table.started(2)
    seat = int(game.to_act[0])
    table.answer(seat, "reminders off")
    assert "you get no reminders of deadlines" in table.last_to(seat).words
    table.clock.forward(hours=40)
    table.run()
    assert "reminder" not in [row.kind for row in table.outbox()]
    table.answer(seat, "reminders on")
    table.clock.forward(hours=26)
    table.run()
    assert [row.seat for row in table.outbox() if row.kind == "reminder"] == [seat]
    table.answer(seat, "reminders")
    assert "Please say whether you want reminders." in table.last_to(seat).words
