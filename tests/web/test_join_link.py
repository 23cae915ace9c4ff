"""Test invitation links: creation, expiry, their page, and the confirmation by mail."""

from __future__ import annotations

import re
import time

import pytest

from pbem.mail_in.mime.authentication import TrustedServer
from pbem.service.lobby import creation, join_links, never_invite
from tests.patience import patience
from tests.service.conftest import Sent, Table, configured
from tests.service.lobby.test_lobby import ANNA, BARE, known, own, statuses, the_game, to, write
from tests.web.conftest import URL, Answer, Site
from tests.web.test_seat_page import STRICT

ZOE = "zoe@example.net"


def opened(table: Table, wish: str = "new phyliss open 3 players") -> Sent:
    """Let Anna create a game with open seats, and return the message about it."""
    return to(write(table, ANNA, own(table, known(table)), wish), ANNA)


def link_of(table: Table, created: Sent, order: str = "invite link") -> str:
    """The path of the link in the answer to Anna's order."""
    answer = to(write(table, ANNA, created.reply_to, order), ANNA)
    match = re.search(rf"{URL}(/join/l-[a-z2-7]{{16}})\s", answer.text)
    assert match is not None, answer.text
    return match[1]


def ask(site: Site, path: str, name: str = "Zoe", address: str = ZOE, language: str = "") -> Answer:
    headers = {"Accept_Language": language} if language else {}
    return site.browser().post(path, {"name": name, "address": address}, **headers)


def mails_after(site: Site) -> list[Sent]:
    """Wait until what the page stored is handled; give the mails that went out."""
    before, end = len(site.table.delivery.mails), time.monotonic() + patience(20)
    while any(row.status == "new" for row in site.table.inbox()):
        assert time.monotonic() < end
        time.sleep(0.02)  # another thread handles it
    site.table.run()
    return site.table.delivery.mails[before:]


def say_yes(site: Site, question: Sent, sender: str = ZOE, text: str = "yes") -> list[Sent]:
    return write(site.table, sender, question.reply_to, text)


def rows(site: Site) -> tuple[object, ...]:
    with site.table.service.store.reading() as uow:
        asked = [(row.id, row.answered_at) for row in uow.questions.all()]
    return (site.table.inbox(), site.table.outbox(), asked, the_game(site.table).version)


def test_a_stranger_comes_from_a_link_to_a_seat(site: Site) -> None:
    """Name and address on the page, one mail with a question, one yes: then Zoe sits at the table."""
    path = link_of(site.table, opened(site.table))
    page = site.browser().get(path)
    assert page.status == 200
    assert "Anna invites you to Phyliss" in page.text
    assert "With Anna, a move at a time." in page.text
    assert "Anna: has joined" in page.text
    assert "It takes" in page.text
    sent = ask(site, path)
    assert sent.status == 200
    assert "Look into your mailbox" in sent.text
    (question,) = mails_after(site)
    assert question.rcpt_to == ZOE
    assert "entered this address on a page where Anna invites people to Phyliss" in question.words
    assert b"?subject=yes" in question.raw.replace(b"=3D", b"=").replace(b"=\r\n", b"")
    assert statuses(site.table) == ["joined", "open", "open"]
    welcome = to(say_yes(site, question), ZOE)
    assert "You have a seat in this game" in welcome.words
    assert "somebody" not in welcome.message["Subject"]
    assert statuses(site.table) == ["joined", "joined", "open"]
    with site.table.service.store.reading() as uow:
        zoe = uow.players.by_address(ZOE)
    assert zoe is not None
    assert (zoe.name, zoe.language) == ("Zoe", "en")


def test_a_chat_shows_what_the_link_is(site: Site) -> None:
    """It reads title, text and picture from the page."""
    path = link_of(site.table, opened(site.table))
    page = site.browser().get(path).text
    seen = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]+)">', page))
    assert seen["title"] == "Anna invites you to Phyliss"
    assert seen["description"].startswith("Get rid of your cards")
    assert seen["image"] == f"{URL}/seat/-/icon.png"
    ended = site.browser().get("/join/l-" + "a" * 16).text
    assert "og:" not in ended


def test_nothing_happens_without_the_yes(site: Site) -> None:
    path = link_of(site.table, opened(site.table))
    ask(site, path)
    (question,) = mails_after(site)
    say_yes(site, question, "mallory@example.net")
    say_yes(site, question, text="no")
    assert statuses(site.table) == ["joined", "open", "open"]
    with site.table.service.store.reading() as uow:
        assert uow.players.by_address(ZOE) is None


def test_a_player_takes_a_seat_by_a_link(site: Site) -> None:
    """Under their own name, whatever was entered on the page."""
    path = link_of(site.table, opened(site.table))
    bob = known(site.table, "Bob")
    ask(site, path, "Robert", "bob@example.org")
    (question,) = mails_after(site)
    assert "a page where Anna invites people to Phyliss" in question.words
    assert "Take a free seat there?" in question.words
    to(say_yes(site, question, "bob@example.org"), "bob@example.org")
    assert the_game(site.table).seats[1].player == bob.id
    with site.table.service.store.reading() as uow:
        player = uow.players.get(bob.id)
    assert player is not None
    assert player.name == "Bob"


def test_a_link_fills_the_seat_of_somebody_who_declined(site: Site) -> None:
    """Such a seat is open to nobody else: the number of the game alone takes none."""
    table = site.table
    created = opened(table, "new phyliss with bob@example.org, carol@example.org")
    invited = next(mail for mail in table.delivery.mails if mail.rcpt_to == "bob@example.org")
    refused = to(write(table, ANNA, created.reply_to, "invite link"), ANNA)
    assert "No seat is free" in refused.words
    write(table, "bob@example.org", invited.reply_to, "decline")
    path = link_of(table, created)
    dora = known(table, "Dora")
    answers = write(table, "dora@example.org", own(table, dora), f"join {the_game(table).id}")
    assert "There is no open place" in to(answers, "dora@example.org").words
    ask(site, path)
    (question,) = mails_after(site)
    say_yes(site, question)
    assert sorted(statuses(table)) == ["invited", "joined", "joined"]


def test_the_code_works_in_a_mail_too(site: Site) -> None:
    """Where people come by invitation, a link is one."""
    code = link_of(site.table, opened(site.table)).rpartition("/")[2]
    site.table.answer(0, f"join {code}", to=BARE, sender=ZOE)
    question = site.table.delivery.mails[-1]
    assert "a page where Anna invites" in question.words
    say_yes(site, question)
    assert statuses(site.table) == ["joined", "joined", "open"]


def test_the_same_link_until_it_is_switched_off(site: Site) -> None:
    created = opened(site.table)
    path = link_of(site.table, created)
    assert link_of(site.table, created) == path
    answer = to(write(site.table, ANNA, created.reply_to, "invite off"), ANNA)
    assert "The invitation link of this game has ended" in answer.words
    page = site.browser().get(path)
    assert page.status == 404
    assert "This invitation has ended" in page.text
    assert ask(site, path).status == 404
    assert link_of(site.table, created) != path


def test_a_link_ends_after_fourteen_days(site: Site) -> None:
    path = link_of(site.table, opened(site.table))
    site.table.clock.forward(days=13)
    assert site.browser().get(path).status == 200
    site.table.clock.forward(days=1, seconds=1)
    assert site.browser().get(path).status == 404


def test_a_link_ends_with_the_seats(site: Site) -> None:
    """A person who answers too late becomes a player, and reads why there is no seat."""
    path = link_of(site.table, opened(site.table, "new phyliss open 2 players"))
    ask(site, path)
    ask(site, path, "Yann", "yann@example.net")
    first, second = mails_after(site)
    say_yes(site, first, first.rcpt_to)
    assert the_game(site.table).status == "running"
    assert site.browser().get(path).status == 404
    answers = say_yes(site, second, second.rcpt_to)
    assert "This invitation link has ended" in to(answers, second.rcpt_to).words


def test_looking_at_a_link_changes_nothing(site: Site) -> None:
    path = link_of(site.table, opened(site.table))
    before = rows(site)
    browser = site.browser()
    for _ in range(3):
        page = browser.get(path)
        browser.ask("HEAD", path)
        browser.get(f"{path}?sent")
        browser.get(f"{path}/qr.svg")
    assert rows(site) == before
    assert browser.cookies == {}
    for name, value in STRICT.items():
        assert page.headers[name].startswith(value)
    assert not re.search(r"\sstyle=|\son\w+=|<script|<style", page.text)
    assert ANNA not in page.text


def test_the_code_of_a_link_is_a_picture(site: Site) -> None:
    path = link_of(site.table, opened(site.table))
    picture = site.browser().get(f"{path}/qr.svg")
    assert picture.headers["Content-Type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")
    assert site.browser().get("/join/l-aaaaaaaaaaaaaaaa/qr.svg").status == 404


def test_a_german_browser_gets_german(site: Site) -> None:
    """The message is German too, and so are later ones to a person who answers yes."""
    path = link_of(site.table, opened(site.table))
    page = site.browser().get(path, Accept_Language="de-CH,de;q=0.9,en;q=0.5")
    assert '<html lang="de">' in page.text
    assert "Anna lädt dich zu Phyliss ein" in page.text
    ask(site, path, language="de-CH,de;q=0.9")
    (question,) = mails_after(site)
    assert "Jemand, vermutlich du, hat diese Adresse" in question.words
    assert "antworte" in question.words
    say_yes(site, question, text="ja")
    with site.table.service.store.reading() as uow:
        zoe = uow.players.by_address(ZOE)
    assert zoe is not None
    assert zoe.language == "de"
    assert statuses(site.table) == ["joined", "joined", "open"]


def test_only_the_maker_has_a_link(site: Site) -> None:
    table = site.table
    path = link_of(table, opened(table))
    ask(site, path)
    (question,) = mails_after(site)
    seat = to(say_yes(site, question), ZOE)
    answer = to(write(table, ZOE, seat.reply_to, "invite link"), ZOE)
    assert "/join/" not in answer.text


def test_there_is_no_link_without_pages(table: Table) -> None:
    created = opened(table)
    assert "invite link" not in created.words
    answer = to(write(table, ANNA, created.reply_to, "invite link"), ANNA)
    assert "This server has no web pages" in answer.words


def test_another_site_cannot_send_the_form(site: Site) -> None:
    path = link_of(site.table, opened(site.table))
    fields = {"name": "Zoe", "address": ZOE}
    assert site.browser().post(path, fields, Sec_Fetch_Site="cross-site").status == 403


def test_the_page_tells_nobody_who_is_registered(site: Site) -> None:
    """A player, a stranger, a person at the table and one who wants no invitations get the same page."""
    table = site.table
    path = link_of(table, opened(table))
    known(table, "Bob")
    with table.service.store.unit_of_work() as uow:
        uow.invitations.never(
            never_invite.hashes(table.service, "quiet@example.net")[0], table.clock.now()
        )
    addresses = ("bob@example.org", ZOE, ANNA, "quiet@example.net")
    pages = {ask(site, path, address=address).text for address in addresses}
    assert len(pages) == 1
    assert "quiet@example.net" not in {mail.rcpt_to for mail in mails_after(site)}


def test_a_link_takes_so_many_addresses_a_day(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(join_links, "PER_DAY", 2)
    path = link_of(site.table, opened(site.table))
    pages = [ask(site, path, address=f"zoe@example{number}.net") for number in range(3)]
    assert [page.status for page in pages] == [200, 200, 429]
    assert "until tomorrow" in pages[2].text
    site.table.clock.forward(days=1, seconds=1)
    assert ask(site, path, address="zoe@example2.net").status == 200


def test_where_the_admin_adds_people_a_link_registers_nobody(site: Site) -> None:
    table = site.table
    table.service = configured(table.service, registration="admin")
    path = link_of(table, opened(table))
    ask(site, path)
    (told,) = mails_after(site)
    assert "the people who run this service add new players" in told.words
    assert [row.status for row in table.inbox() if row.transport == join_links.PAGE] == ["held"]


def test_a_trusted_server_decides_about_the_yes(site: Site) -> None:
    """The question is asked all the same; a yes without its proof gives no seat."""
    path = link_of(site.table, opened(site.table))
    site.table.service = configured(
        site.table.service, trusted=TrustedServer("mx.example.org", "dmarc")
    )
    ask(site, path)
    (question,) = mails_after(site)
    say_yes(site, question)
    assert statuses(site.table) == ["joined", "open", "open"]


def test_a_game_of_the_admin_has_a_link(site: Site) -> None:
    service = site.table.service
    seats = [creation.Person("Anna", ANNA), creation.OpenSeat(), creation.OpenSeat()]
    game = creation.create_game(service, seats, creation.GamePlan("phyliss"))
    link = join_links.make_of(service, game.id)
    page = site.browser().get(f"/join/{link.code}")
    assert service.config.service.name in page.text
    join_links.end_of(service, game.id)
    assert site.browser().get(f"/join/{link.code}").status == 404
