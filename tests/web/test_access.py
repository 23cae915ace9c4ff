"""Test the seat page without scripts, by keyboard, by screen reader and with reduced motion."""

from __future__ import annotations

import re

import pytest

from tests.show.browser import CHROMIUM, Page
from tests.web.conftest import Site
from tests.web.phones import GAMES, LOOPBACK, Phone, local, page, phone_of
from tests.web.sight import CALM

__all__ = ["local", "page"]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")

TABS = 60
_FOCUS = """(() => {
  const e = document.activeElement, ring = e.closest('.move') || e, box = ring.getBoundingClientRect();
  const tray = document.querySelector('.tray').getBoundingClientRect().top;
  return {
    kind: e.matches('[data-t]') ? 'card' : e.matches('[name=move]') ? 'move' : e.id || e.className || e.tagName,
    ring: getComputedStyle(ring).outlineStyle,
    isCovered: !e.closest('.tray') && (box.top < 0 || box.bottom > tray),
  };
})()"""
_SHIFTS = """new Promise((done) => {
  const shifts = [], top = (box) => `${box.left},${box.top} ${box.width}x${box.height}`;
  new PerformanceObserver((list) => list.getEntries().forEach((each) => each.sources.forEach(
    ({node, previousRect, currentRect}) => shifts.push(
      `${node?.id || node?.className || node?.nodeName}: ${top(previousRect)} to ${top(currentRect)}`))))
    .observe({type: 'layout-shift', buffered: true});
  setTimeout(() => done(shifts), 200);
})"""
_PLACES = """[...document.querySelectorAll('[data-t]')]
  .map((e) => [e.offsetLeft, e.offsetTop, e.offsetWidth, e.offsetHeight])"""


def _without_scripts(page: Page, phone: Phone) -> Page:
    """Open a page in a browser without scripts."""
    plain = page.another(java_script_enabled=False)
    known, _ = phone.site.known(phone.seat, phone.path)
    plain.remember(phone.url, known.cookies)
    plain.open(phone.url, width=360, height=640)
    return plain


def _submit(plain: Page) -> None:
    """Press Send, and wait for the page with the result."""
    once = plain.ask("document.querySelector('input[name=once]').value")
    plain.click(".tray .go")
    is_new = f"document.querySelector('input[name=once]')?.value !== {once!r}"
    plain.wait_for(f"document.readyState === 'complete' && {is_new}")
    assert plain.ask("location.search").startswith("?after=")


def test_talk_and_votes_without_scripts(local: Site, page: Page) -> None:
    game = local.table.started()
    phone = phone_of(local, page, game)
    other = (phone.seat + 1) % 3
    local.table.answer(other, "pause")
    plain = _without_scripts(page, phone)
    plain.ask("document.querySelector('#words').value = 'say a moment, please'")
    _submit(plain)
    reader, there = local.known(other, local.link(other, LOOPBACK))
    assert "a moment, please" in reader.get(there).text
    plain.click(".move input[value^=yes]")
    _submit(plain)
    assert plain.ask("document.querySelector('.result.good')") is not None
    plain.close()


def test_a_move_by_keyboard(local: Site, page: Page) -> None:
    """Tab moves from the hand to the moves, the line and Send. The focused element is visible and has a ring."""
    game = local.table.skip(local.table.started(), 5)
    phone = phone_of(local, page, game)
    phone.open()
    stops = []
    for _ in range(TABS):
        page.press("Tab")
        stops.append(page.ask(_FOCUS))
        if stops[-1]["kind"] == "go":
            break
    kinds = [stop["kind"] for stop in stops]
    assert list(dict.fromkeys(kinds)) == ["card", "move", "words", "go"]
    assert {stop["ring"] for stop in stops} == {"solid"}
    assert not [stop for stop in stops if stop["isCovered"]]
    while page.ask(_FOCUS)["kind"] != "card" or page.ask("document.activeElement.matches('.no')"):
        page.press("Shift+Tab")
    page.press("Space")
    assert page.ask("document.activeElement.getAttribute('aria-pressed')") == "true"
    while page.ask(_FOCUS)["kind"] != "go":
        page.press("Tab")
    once = page.ask("document.querySelector('input[name=once]').value")
    page.press("Enter")
    page.wait_for(f"document.querySelector('input[name=once]').value !== {once!r}")
    assert local.table.game(game.id).version > game.version
    assert page.ask("document.activeElement.tagName") == "H1"


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_screen_reader_hears_words(local: Site, page: Page, ruleset: str) -> None:
    """Everything that can be used has a name, and cards are named in words."""
    game = local.table.skip(local.table.started(ruleset=ruleset), 4)
    phone = phone_of(local, page, game)
    phone.open()
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    names: dict[str, list[str]] = {}
    for node in nodes:
        if not node["ignored"]:
            names.setdefault(node["role"]["value"], []).append(
                node.get("name", {}).get("value", "").strip()
            )
    for role in ("button", "radio", "textbox", "link", "image", "heading", "region"):
        assert all(names.get(role, [])), role
    *cards, send = names["button"]
    assert send == "Send"
    assert all(re.fullmatch(r"[A-Za-z]{3,}( \w+)*", card) for card in cards), cards


def test_a_screen_reader_hears_choice_and_result(local: Site, page: Page) -> None:
    game = local.table.started()
    phone = phone_of(local, page, game)
    phone.open()
    assert page.ask("document.querySelector('#told').getAttribute('role')") == "status"
    page.click("button[data-t]")
    words = page.ask("document.querySelector('#words').value")
    assert words in page.ask("document.querySelector('#told').textContent")
    page.ask("document.querySelector('#words').value = 'play Kc Kd'")
    page.click(".tray .go")
    page.wait_for("document.querySelector('.result.bad') !== null")
    result = page.ask("document.querySelector('.result.bad p:nth-child(2)').textContent")
    assert result in page.ask("document.querySelector('#told').textContent")


@pytest.mark.parametrize("ruleset", GAMES)
def test_nothing_moves(local: Site, page: Page, ruleset: str) -> None:
    """Opening the page, a tap and news from the table shift nothing."""
    game = local.table.skip(local.table.started(ruleset=ruleset), 3)
    phone = phone_of(local, page, game)
    phone.open()
    before = page.ask(_PLACES)
    page.click("button[data-t]:not(.no), .move input[name=move]")
    assert page.ask(_PLACES) == before
    local.table.answer((phone.seat + 1) % 3, "say I am in a hurry")
    page.wait_for("!document.querySelector('#moved').hidden")
    assert page.ask(_PLACES) == before
    page.click("#moved button")
    page.wait_for(f"document.body.textContent.includes('in a hurry') && {CALM}")
    assert page.ask(_SHIFTS) == []


def test_reduced_motion_is_honoured(local: Site, page: Page) -> None:
    game = local.table.started()
    phone = phone_of(local, page, game)
    durations = []
    for wish in ("no-preference", "reduce"):
        moved = page.another(reduced_motion=wish)
        known, _ = local.known(phone.seat, phone.path)
        moved.remember(phone.url, known.cookies)
        moved.open(phone.url)
        durations.append(
            moved.ask(
                "getComputedStyle(document.querySelector('button[data-t]')).transitionDuration"
            )
        )
        moved.close()
    assert durations == ["0.12s", "0s"]


def test_a_phone_can_install_it(local: Site, page: Page) -> None:
    """Chromium finds the manifest and its icon good, and opens where it starts."""
    game = local.table.started()
    phone = phone_of(local, page, game)
    phone.open()
    manifest = page.call("Page.getAppManifest")
    assert manifest["errors"] == []
    errors = page.call("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {error["errorId"] for error in errors} <= {"in-incognito"}
    page.open(f"{LOOPBACK}:{local.port}/seat/", width=360, height=640)
    assert page.ask("document.querySelectorAll('.own').length") == 1
    assert page.errors == []
