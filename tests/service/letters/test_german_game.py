"""A whole game in which one player reads and writes German, and the other one English."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, urlsplit

from pbem.mail_in.mime.message import Envelope
from pbem.mail_in.ways.way import RejectedMail
from pbem.service.intake import accepting
from pbem.service.lobby import making as lobby
from tests.mail_out import pages
from tests.service.conftest import NAMES, Table, configured, raw_mail

LISTED = re.compile(r"^  \d+  (.+)$", re.MULTILINE)
UNDER_ZONES = re.compile(r" {2,}\d\d  \S")
"""A second card on the line, under the next zone."""


def _newest_list(table: Table, seat: int) -> tuple[list[str], str]:
    """The moves that the newest mail with a list offers to a seat, and where to answer."""
    mail = next(mail for mail in reversed(table.mails_to(seat)) if LISTED.search(mail.text))
    listed = LISTED.findall(mail.text)
    if any(UNDER_ZONES.search(line) for line in listed):  # cards only: their links have the words
        page = mail.message.get_body(("html",))
        assert page is not None
        queries = (urlsplit(link).query for _, link in pages.mailto_links(page.get_content()))
        bodies = [parse_qs(query).get("body", [""])[0] for query in queries]
        listed = [body for body in bodies if body.startswith(("play ", "spiele "))]
    return listed, mail.reply_to


def _orders_in_links(table: Table, seat: int) -> list[str]:
    """The orders that the links of the newest mail to a seat send."""
    page = table.last_to(seat).message.get_body(("html",))
    assert page is not None
    queries = (urlsplit(link).query for _, link in pages.mailto_links(page.get_content()))
    return [parse_qs(query)["body"][0] for query in queries if "body" in query]


def test_a_whole_game_by_german_mails(table: Table) -> None:
    """From the invitation to the end: each move as the German mail lists it, and what else is written."""
    service = configured(table.service, language="de")
    table.service = service
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in NAMES[:2]]
    game = lobby.create_game(
        service,
        people,
        lobby.GamePlan("phalanx", options={"max_battles": 1}, server_secret=b"g" * 32),
    )
    table.run()
    assert "lädt dich zu Phalanx ein" in " ".join(table.last_to(0).text.split())
    assert _orders_in_links(table, 0)[:2] == ["beitreten", "ablehnen"]
    table.answer(1, "sprache englisch")
    assert "in English" in table.last_to(1).text
    table.answer(0, "Beitreten, Spruch: grüner Tee am Sonntag", to=table.mails_to(0)[0].reply_to)
    table.answer(1, "join", to=table.mails_to(1)[0].reply_to)
    table.answer(0, "regeln\nirgendwas anderes")
    for _ in range(60):
        game = table.game(game.id)
        if game.is_over:
            break
        seat = game.to_act[0]
        moves, reply_to = _newest_list(table, seat)
        assert moves[0].split()[0] in (("eröffne", "spiele") if seat == 0 else ("open", "play"))
        table.answer(seat, moves[-1], to=reply_to)
        assert table.game(game.id).version > game.version
    assert game.status == "finished"
    german, english = table.last_to(0).text, table.last_to(1).text
    assert "Phalanx mit Bob, die Partie ist" in german
    assert "the game is over" in english
    assert game.seats[0].phrase == "grüner Tee am Sonntag"


def test_links_send_german_words(table: Table) -> None:
    """An order is said in German, only the order is tapped, and talk stays as it was written."""
    game = table.started(2)
    seat = game.to_act[0]
    table.answer(seat, "language de")
    table.answer(seat, "paly 99 of everything")
    links = _orders_in_links(table, seat)
    assert "sag: paly 99 of everything" in links
    assert {"regeln", "hilfe"} <= set(links)
    assert not [order for order in links if "„" in order or "“" in order], links
    table.answer(1 - seat, "pause")
    links = _orders_in_links(table, seat)
    assert {"ja", "nein"} <= set(links), links


def test_a_refusal_in_german(table: Table) -> None:
    """What was wrong, and what would be right, is said in the language of who wrote it."""
    game = table.started(2)
    seat = game.to_act[0]
    table.answer(seat, "language de")
    table.answer(seat, "spiele Herz Dame Pik Dame Karo Dame Kreuz Dame")
    text = " ".join(table.last_to(seat).text.split())
    assert re.search(r" -- (?!PHY).+ Das geht nicht\. Regel PHY-1[78]\.", text)
    assert "Möglich wäre eines davon: „spiele" in text
    links = _orders_in_links(table, seat)
    assert any(re.fullmatch(r"spiele \d+[♣♦♥♠]", order) for order in links), links
    assert not [order for order in links if re.search(r"play|pickup|[2-9JQKA][cdhs]\b", order)]
    table.answer(seat, f"{links[0]}?\nprobiere {links[0]}")
    assert " ".join(table.last_to(seat).text.split()).count(f"„{links[0]}“ ginge") == 2
    version = table.game(game.id).version
    table.answer(seat, links[0])
    assert table.game(game.id).version > version
    table.answer(seat, "bestätigen")
    assert "aufgeben bestätigen" in " ".join(table.last_to(seat).text.split())
    table.answer(seat, "Aufgeben bestätigen")
    assert "antworte mit „ja“" in " ".join(table.question(seat).text.split())
    table.answer(seat, "ja", to=table.question(seat).reply_to)
    assert table.game(game.id).status == "finished"


def test_an_option_that_is_refused_in_german(table: Table) -> None:
    """What would be allowed is said in the language of who wishes for a game, too."""
    game = table.started(2)
    table.answer(0, "language de")
    table.answer(0, "neu phalanx mit bob, ante 99", to=table.last_to(0).reply_to)
    text = " ".join(table.last_to(0).text.split())
    assert "Option ante: 99 geht nicht; erlaubt: 0 bis 52/Mitspieler - 7" in text
    assert table.game(game.id).status == "running"


def test_the_words_of_a_german_in_a_hurry(table: Table) -> None:
    """What is said without a thought of order words: the table, the help, an answer to an invitation."""
    table.service = configured(table.service, language="de")
    game = table.new_game(2)
    table.answer(1, "Ja gerne!")
    table.answer(0, "Bin dabei 😀")
    game = table.game(game.id)
    table.answer(game.to_act[0], "Wer ist dran?")
    assert "Du bist dran" in table.last_to(game.to_act[0]).text


def test_the_name_of_a_game_in_german(table: Table) -> None:
    """In subjects, sentences, links, lists and the rules, each in the language of its reader."""
    game = table.started(2, ruleset="phase10-family")
    assert "Phase 10, family rules with Bob" in table.last_to(0).message["Subject"]
    seat = table.mails_to(0)[0].reply_to
    table.answer(0, "language de")
    before = len(table.mails_to(0))
    for text in (
        "rules",
        "games",
        "standings phase10-family",
        "board",
        "vacation 2026-12-01 to 2026-12-05",
    ):
        table.answer(0, text, to=seat)
    german = table.mails_to(0)[before:]
    assert len(german) == 5
    for mail in german:
        page = mail.message.get_body(("html",))
        assert page is not None
        whole = "\n".join((mail.message["Subject"], mail.text, unquote(page.get_content())))
        assert "Phase 10, Familienregeln" in whole
        assert "family rules" not in whole
    assert table.game(game.id).ruleset.title == "Phase 10, family rules"


def test_why_a_mail_was_set_aside_in_german(table: Table) -> None:
    """What was too large, and what our own code failed on: the person who wrote German reads it."""
    table.new_game(2)
    table.answer(0, "sprache deutsch")
    to = table.last_to(0).reply_to
    for number, (size, said) in enumerate(
        ((None, "ist hier etwas schiefgegangen"), (10_000_000, "Deine Mail hat 9766 kB"))
    ):
        raw = raw_mail("anna@example.org", to, "21", message_id=f"<large{number}@example.org>")
        envelope = Envelope("anna@example.org", to, "imap", table.clock.now())
        accepting.set_aside(table.service, raw, envelope, RejectedMail("cannot be", "7", size))
        table.run()
        words = table.last_to(0).words
        assert said in words, words
        assert "nothing" not in words
