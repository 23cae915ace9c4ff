"""Test that a browser may play only after a confirmation by authenticated mail."""

from __future__ import annotations

import re

import pytest

from pbem.domain.table.game import Game
from pbem.mail_in.mime.authentication import TrustedServer
from pbem.service.people.mail_acts import rotate
from tests.service.conftest import NAMES, Sent, configured, raw_mail
from tests.web.conftest import Answer, Browser, Site

PROOF = {"Authentication_Results": "mx.example.org; dmarc=pass header.from=example.org"}


def vouched(site: Site, game: Game) -> tuple[int, str]:
    """Let a mail server vouch for senders from now on; give the seat to act and its link."""
    seat = int(game.to_act[0])
    path = site.link(seat)
    service = configured(site.table.service, trusted=TrustedServer("mx.example.org", "dmarc"))
    site.table.service = site.pages.service = service
    return seat, path


def ask(browser: Browser, path: str, page: Answer | None = None) -> Answer:
    page = page or browser.get(path)
    return browser.post(path, {"once": page.field("once"), "words": "board"})


def question(site: Site, seat: int) -> Sent:
    site.table.run()
    return site.table.question(seat)


def say(site: Site, seat: int, words: str, *, is_proven: bool = True) -> None:
    asked = question(site, seat)
    sender = f"{NAMES[seat].lower()}@example.org"
    site.table.counter += 1
    name = f"<v{site.table.counter}@example.org>"
    proof = PROOF if is_proven else {}
    raw = raw_mail(sender, asked.reply_to, words, message_id=name, **proof)
    site.table.receive(raw, asked.reply_to, mail_from=sender)
    site.table.run()


def may_play(browser: Browser, path: str) -> bool:
    return bool(re.search(r"<textarea[^>]*name=\"words\"", browser.get(path).text))


def number_of(text: str) -> str:
    match = re.search(r"the number (\d{4})", text)
    assert match is not None, text
    return match[1]


def test_a_browser_plays_after_a_yes_by_mail(site: Site) -> None:
    """Page and mail show the same number; then moves count as replies do, and are not mailed."""
    game = site.table.started()
    seat, path = vouched(site, game)
    browser = site.browser()
    assert not may_play(browser, path)
    waiting = ask(browser, path)
    assert waiting.status == 200
    assert number_of(waiting.text) == number_of(question(site, seat).words)
    assert not may_play(browser, path)
    say(site, seat, "yes")
    assert may_play(browser, path)
    browser.send(path, "21")
    assert site.table.game(game.id).version > game.version
    assert len(browser.cookies) == 2  # from now on the lasting one is enough
    browser.cookies = {n: v for n, v in browser.cookies.items() if "-ask-" not in n}
    assert may_play(browser, path)


def test_a_yes_without_proof_lets_no_browser_play(site: Site) -> None:
    seat, path = vouched(site, site.table.started())
    browser = site.browser()
    ask(browser, path)
    say(site, seat, "yes", is_proven=False)
    assert not may_play(browser, path)


def test_a_no_ends_the_link(site: Site) -> None:
    seat, path = vouched(site, site.table.started())
    browser = site.browser()
    ask(browser, path)
    say(site, seat, "no")
    assert browser.get(path).status == 404


def test_another_browser_does_not_profit(site: Site) -> None:
    """Nor does one that knows the mail with the question."""
    seat, path = vouched(site, site.table.started())
    browser, other = site.browser(), site.browser()
    ask(browser, path)
    ((name, value),) = browser.cookies.items()
    say(site, seat, "yes")
    assert not may_play(other, path)
    other.cookies[name] = value.partition(".")[0]
    assert not may_play(other, path)


def test_an_address_is_not_enough(site: Site) -> None:
    game = site.table.started()
    seat, path = vouched(site, game)
    browser = site.browser()
    page = browser.get(path)
    assert 'name="address"' not in page.text
    browser.send(path, "21", f"{NAMES[seat].lower()}@example.org", page)
    assert site.table.game(game.id).version == game.version


def test_browsers_known_by_an_address_are_asked_again(site: Site) -> None:
    """They became known before the mail server vouched for senders."""
    game = site.table.started()
    browser, path = site.known(int(game.to_act[0]))
    assert may_play(browser, path)
    vouched(site, game)
    assert not may_play(browser, path)


def test_questions_about_browsers_have_a_limit(site: Site) -> None:
    """Other questions of that day are left: a link alone cannot use them up."""
    seat, path = vouched(site, site.table.started())
    pages = [ask(site.browser(), path) for _ in range(6)]
    assert pages[-1].status == 429
    assert "too often today" in pages[-1].text
    site.table.run()
    asked = [mail for mail in site.table.mails_to(seat) if "+q-" in mail.reply_to]
    most = site.table.service.config.limits.questions_per_day
    assert 0 < len(asked) < most


def test_rotation_ends_a_confirmed_browser(site: Site) -> None:
    game = site.table.started()
    seat, path = vouched(site, game)
    browser = site.browser()
    ask(browser, path)
    say(site, seat, "yes")
    rotate(site.table.service, game.seats[seat].player)
    assert browser.get(path).status == 404
    site.table.run()
    assert not may_play(browser, site.link(seat))


@pytest.mark.parametrize("once", ["", "x", "A" * 16])
def test_a_form_of_no_page_asks_nothing(site: Site, once: str) -> None:
    seat, path = vouched(site, site.table.started())
    before = len(site.table.mails_to(seat))
    assert site.browser().post(path, {"once": once, "words": "board"}).status == 409
    site.table.run()
    assert len(site.table.mails_to(seat)) == before
