"""Test preferences that players set by mail."""

from __future__ import annotations

import re

import pytest

from pbem.domain.terms.timing import Timing
from pbem.errors import Refusal
from pbem.service.lobby import making as lobby
from tests.service.conftest import Sent, Table


def test_a_player_reads_deadlines_in_the_own_zone(table: Table) -> None:
    """`timezone …` changes the times of this player's mails and nobody else's, and no event."""
    game = table.started(2)
    seat = game.to_act[0]
    first = " ".join(table.last_to(seat).text.split())
    assert "Times are those of Europe/Berlin." in first
    assert "Answer by Tue 24 Nov, 13:00" in first
    table.answer(seat, "timezone asia/tokyo")
    text = " ".join(table.last_to(seat).text.split())
    assert "Answer by Tue 24 Nov, 21:00" in text
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
    assert "Please say whether you want reminders, or how long before" in table.last_to(seat).words


def test_deadlines_for_calendars(table: Table) -> None:
    """A game with `ics`: whoever is to move gets the entry, a later mail replaces it by its UID."""
    game = table.started(2, timing=Timing(86400, reminders=(50,), ics=True))
    seat = int(game.to_act[0])
    first = calendar_of(table.last_to(seat))
    assert game.deadline is not None
    assert first["DTSTART"] == f"{game.deadline.due_at:%Y%m%dT%H%M%SZ}"
    assert first["UID"] == f"{game.id}.{seat}@pbem.play.example.org"
    assert first["ORGANIZER"] == "mailto:game@play.example.org"
    assert "+" not in "".join(first.values()), "no reply address"
    table.answer(1 - seat, "extend 2d")
    table.clock.forward(hours=12)
    table.run()
    later = calendar_of(table.last_to(seat))
    assert (later["UID"], int(later["SEQUENCE"]) > int(first["SEQUENCE"])) == (first["UID"], True)
    assert later["DTSTART"] > first["DTSTART"]
    assert calendar_of(table.last_to(1 - seat)) == {}, "nothing to note"


def calendar_of(mail: Sent) -> dict[str, str]:
    """The lines of the calendar file of a mail, by name."""
    for part in mail.message.iter_attachments():
        raw = part.get_payload(decode=True)
        assert isinstance(raw, bytes)
        text = re.sub(r"\r\n[ \t]", "", raw.decode())
        return dict(line.split(":", 1) for line in text.split("\r\n") if line)
    return {}


@pytest.mark.parametrize("words", ["language de", "Sprache: Deutsch.", "language german"])
def test_mails_in_another_language(table: Table, words: str) -> None:
    """From the answer on, all mails of this player are German, and nobody else's."""
    game = table.started(2)
    seat = game.to_act[0]
    table.answer(seat, words)
    text = " ".join(table.last_to(seat).text.split())
    assert "Von jetzt an bekommst du deine Mails auf Deutsch." in text
    assert "Schreib deine Antwort oberhalb dieser Zeile" in text
    table.answer(seat, "settings")
    assert "Deine Mails nennen alle Zeiten in der Zone" in " ".join(
        table.last_to(seat).text.split()
    )
    table.answer(1 - seat, "settings")
    assert "Language: English." in " ".join(table.last_to(1 - seat).text.split())
    table.answer(seat, "language en")
    assert "you are written to in English" in " ".join(table.last_to(seat).text.split())


def test_somebody_registered_with_a_language(table: Table) -> None:
    """The first mail already is in it; an address is registered once, a language must have texts."""
    anna = lobby.Person("Antonia", "antonia@example.org")
    assert lobby.add_player(table.service, anna, language="Deutsch").language == "de"
    with pytest.raises(Refusal, match="registered"):
        lobby.add_player(table.service, anna)
    with pytest.raises(Refusal, match="en, de"):
        lobby.add_player(table.service, lobby.Person("B", "b@example.org"), language="xx")


def test_mails_as_plain_text_alone(table: Table) -> None:
    """For one player, from the answer on; `settings` tells it; both work in German."""
    game = table.started(2)
    seat = int(game.to_act[0])
    assert "text/html" in kinds_of_parts(table.last_to(seat))
    table.answer(seat, "html off")
    assert "your mails come as plain text alone" in table.last_to(seat).words
    assert "text/html" not in kinds_of_parts(table.last_to(seat))
    table.answer(seat, "settings")
    assert "Format: plain text." in table.last_to(seat).words
    table.answer(1 - seat, "board")
    assert "text/html" in kinds_of_parts(table.last_to(1 - seat))
    table.answer(seat, "html")
    assert "html off" in table.last_to(seat).words
    table.answer(seat, "language de")
    table.answer(seat, "HTML an")
    assert "text/html" in kinds_of_parts(table.last_to(seat))
    assert "Text und HTML" in table.last_to(seat).words


def test_how_cards_are_shown(table: Table) -> None:
    """Colours and size go together, words stand alone; `settings` tells; both languages know it."""
    game = table.started(2)
    seat = int(game.to_act[0])
    table.answer(seat, "card style")
    assert "cards four-colour" in table.last_to(seat).words
    table.answer(seat, "cards four colours")
    assert "Clubs are green and diamonds blue." in table.last_to(seat).words
    table.answer(seat, "Cards: large.")
    table.answer(seat, "board")
    page = table.last_to(seat).message.get_body(("html",))
    assert page is not None
    assert "height:80px" in page.get_content()
    table.answer(seat, "settings")
    assert "Clubs are green and diamonds blue. Cards are large." in table.last_to(seat).words
    table.answer(seat, "language de")
    table.answer(seat, "Karten Wörter")
    table.answer(seat, "tisch")
    mail = table.last_to(seat)
    page = mail.message.get_body(("html",))
    assert page is not None
    assert "<table" not in page.get_content()
    assert not set("♣♦♥♠") & set(mail.text + page.get_content())
    assert set("♣♦♥♠") & set(table.last_to(1 - seat).text)
    table.answer(seat, "karten wie üblich")
    table.answer(seat, "tisch")
    assert set("♣♦♥♠") & set(table.last_to(seat).text)


def kinds_of_parts(mail: Sent) -> list[str]:
    return [part.get_content_type() for part in mail.message.walk()]


@pytest.mark.rule("GEN-11")
@pytest.mark.parametrize("value", ["public", "all", "off"])
def test_what_is_played_by_itself_is_the_tables_matter(table: Table, value: str) -> None:
    """Asked, it is told; a wish to change it is refused, with the rule and what can be done."""
    game = table.started(2, auto_forced=value)
    seat = int(game.to_act[0])
    table.answer(seat, "auto")
    told = table.last_to(seat).words
    assert ("no move is played by itself" in told) is (value == "off")
    assert "The table agrees on that before the first deal" in told
    other = "off" if value == "all" else "all"
    table.answer(seat, f"auto {other}")
    refused = table.last_to(seat).words
    assert "GEN-11" in refused
    assert f"new phyliss with bob, auto_forced {other}" in refused
    table.answer(seat, f"auto {value}")
    assert "GEN-11" not in table.last_to(seat).words
    assert table.game(game.id).version == game.version
