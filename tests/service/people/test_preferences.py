"""Test preferences that players set by mail."""

from __future__ import annotations

import re

import pytest

from pbem.domain.terms.timing import Timing
from pbem.errors import Refusal
from pbem.service.lobby import creation as lobby
from tests.service.conftest import Sent, Table


def test_a_player_reads_deadlines_in_the_own_zone(table: Table) -> None:
    """`timezone` affects only the messages to this player, and no event."""
    game, seat, _ = table.start(2)
    first = " ".join(table.last_to(seat).text.split())
    assert "Times are those of Europe/Berlin." in first
    assert "Answer by Tue 24 Nov, 13:00" in first
    text = " ".join(table.ask(seat, "timezone asia/tokyo").text.split())
    assert "Answer by Tue 24 Nov, 21:00" in text
    assert "From now on your mails tell times in the zone Asia/Tokyo." in text
    assert table.game(game.id) == game
    assert "Europe/Berlin" in table.last_to(1 - seat).text


def test_reminders_can_be_ended_and_brought_back(table: Table) -> None:
    """This holds in all games of the player and does not move deadlines."""
    _, seat, _ = table.start(2)
    assert "you get no reminders of deadlines" in table.ask(seat, "reminders off").words
    table.wait(hours=40)
    assert "reminder" not in [row.kind for row in table.outbox()]
    table.answer(seat, "reminders on")
    table.wait(hours=26)
    assert [row.seat for row in table.outbox() if row.kind == "reminder"] == [seat]
    assert (
        "Please say whether you want reminders, or how long before"
        in table.ask(seat, "reminders").words
    )


def test_deadlines_for_calendars(table: Table) -> None:
    """With `ics`, the player to act gets an entry, which later messages replace."""
    game, seat, _ = table.start(2, timing=Timing(86400, reminders=(50,), ics=True))
    first = read_calendar(table.last_to(seat))
    assert first["DTSTART"] == f"{game.deadline.due_at:%Y%m%dT%H%M%SZ}"
    assert first["UID"] == f"{game.id}.{seat}@pbem.play.example.org"
    assert first["ORGANIZER"] == "mailto:game@play.example.org"
    assert "+" not in "".join(first.values()), "no reply address"
    table.answer(1 - seat, "extend 2d")
    table.wait(hours=12)
    later = read_calendar(table.last_to(seat))
    assert (later["UID"], int(later["SEQUENCE"]) > int(first["SEQUENCE"])) == (first["UID"], True)
    assert later["DTSTART"] > first["DTSTART"]
    assert read_calendar(table.last_to(1 - seat)) == {}, "nothing to note"


def read_calendar(mail: Sent) -> dict[str, str]:
    """Return the lines of a message's calendar file by name."""
    for part in mail.message.iter_attachments():
        text = re.sub(r"\r\n[ \t]", "", part.get_payload(decode=True).decode())
        return dict(line.split(":", 1) for line in text.split("\r\n") if line)
    return {}


@pytest.mark.parametrize("words", ["language de", "Sprache: Deutsch.", "language german"])
def test_mails_in_another_language(table: Table, words: str) -> None:
    """All messages to this player are German from the answer on."""
    _, seat, _ = table.start(2)
    text = " ".join(table.ask(seat, words).text.split())
    assert "Von jetzt an bekommst du deine Mails auf Deutsch." in text
    assert "Schreib deine Antwort oberhalb dieser Zeile" in text
    assert "Deine Mails nennen alle Zeiten in der Zone" in " ".join(
        table.ask(seat, "settings").text.split()
    )
    assert "Language: English." in " ".join(table.ask(1 - seat, "settings").text.split())
    assert "you are written to in English" in " ".join(table.ask(seat, "language en").text.split())


def test_somebody_registered_with_a_language(table: Table) -> None:
    """Refuse a second registration and a language without texts."""
    anna = lobby.Person("Antonia", "antonia@example.org", "Deutsch")
    assert lobby.add_player(table.service, anna).language == "de"
    with pytest.raises(Refusal, match="registered"):
        lobby.add_player(table.service, anna)
    with pytest.raises(Refusal, match="en, de"):
        lobby.add_player(table.service, lobby.Person("B", "b@example.org", "xx"))


def test_mails_as_plain_text_alone(table: Table) -> None:
    """This holds for one player and works in German, too."""
    _, seat, _ = table.start(2)
    assert "text/html" in list_types(table.last_to(seat))
    assert "your mails come as plain text alone" in table.ask(seat, "html off").words
    assert "text/html" not in list_types(table.last_to(seat))
    assert "Format: plain text." in table.ask(seat, "settings").words
    assert "text/html" in list_types(table.ask(1 - seat, "board"))
    assert "html off" in table.ask(seat, "html").words
    table.answer(seat, "language de")
    assert "text/html" in list_types(table.ask(seat, "HTML an"))
    assert "Text und HTML" in table.last_to(seat).words


def test_how_cards_are_shown(table: Table) -> None:
    """Colours and size can be combined, and words replace both."""
    _, seat, _ = table.start(2)
    assert "cards four-colour" in table.ask(seat, "card style").words
    assert "Clubs are green and diamonds blue." in table.ask(seat, "cards four colours").words
    table.answer(seat, "Cards: large.")
    page = table.ask(seat, "board").html
    assert "height:80px" in page
    assert (
        "Clubs are green and diamonds blue. Cards are large." in table.ask(seat, "settings").words
    )
    table.answer(seat, "language de")
    table.answer(seat, "Karten Wörter")
    mail = table.ask(seat, "tisch")
    page = mail.html
    assert "<table" not in page
    assert not set("♣♦♥♠") & set(mail.text + page)
    assert set("♣♦♥♠") & set(table.last_to(1 - seat).text)
    table.answer(seat, "karten wie üblich")
    assert set("♣♦♥♠") & set(table.ask(seat, "tisch").text)


def list_types(mail: Sent) -> list[str]:
    return [part.get_content_type() for part in mail.message.walk()]


@pytest.mark.rule("GEN-11")
@pytest.mark.parametrize("value", ["public", "all", "off"])
def test_what_is_played_by_itself_is_the_tables_matter(table: Table, value: str) -> None:
    """A player can ask for the setting but not change it."""
    game, seat, _ = table.start(2, auto_forced=value)
    told = table.ask(seat, "auto").words
    assert ("no move is played by itself" in told) is (value == "off")
    assert "The table agrees on that before the first deal" in told
    other = "off" if value == "all" else "all"
    refused = table.ask(seat, f"auto {other}").words
    assert "GEN-11" in refused
    assert f"new phyliss with bob, auto_forced {other}" in refused
    assert "GEN-11" not in table.ask(seat, f"auto {value}").words
    assert table.game(game.id).version == game.version
