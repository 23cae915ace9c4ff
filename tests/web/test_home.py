"""Test the list of a player's tables, and installing it on a phone's home screen."""

from __future__ import annotations

import json
import re

from pbem.mail_out.kinds import PingParams
from pbem.service.letters import pings
from pbem.service.people.mail_acts import rotate
from tests.service.conftest import NAMES
from tests.web.conftest import URL, Site


def test_a_known_browser_lists_its_tables(site: Site) -> None:
    """The one whose turn it is comes first; each opens without the address."""
    waits = site.table.started(3)
    acts = site.table.started(3, seed=2)
    seat = next(seat for seat in range(3) if seat in acts.to_act and seat not in waits.to_act)
    browser, _ = site.known(seat)
    page = browser.get("/seat/")
    links = re.findall(rf'href="{URL}(/seat/[^"]+)"', page.text)
    assert [acts.id in links[0], waits.id in links[1]] == [True, True]
    assert page.text.count("<b>Your turn</b>") == 1
    for link in links:
        assert 'name="address"' not in browser.get(link).text


def test_another_browser_lists_nothing(site: Site) -> None:
    game = site.table.started(2)
    browser = site.browser()
    browser.cookies["pbem-x"] = f"{game.seats[0].player}.{'0' * 64}"
    page = browser.get("/seat/")
    assert page.status == 200
    assert game.id not in page.text
    assert "Open a table from one of your mails" in page.text


def test_the_list_ends_with_the_reply_addresses(site: Site) -> None:
    game = site.table.started(2)
    browser, _ = site.known(0)
    assert game.id in browser.get("/seat/").text
    rotate(site.table.service, NAMES[0])
    assert game.id not in browser.get("/seat/").text


def test_a_phone_can_keep_it(site: Site) -> None:
    """The manifest names the list, and no token."""
    answer = site.browser().get("/seat/-/app.webmanifest")
    manifest = json.loads(answer.text)
    assert answer.headers["Content-Type"] == "application/manifest+json"
    assert manifest["start_url"] == manifest["scope"] == "/seat/"
    types = [icon["type"] for icon in manifest["icons"]]
    assert types == ["image/svg+xml", "image/png"]
    for icon in manifest["icons"]:
        answer = site.browser().ask("HEAD", f"/seat/-/{icon['src']}")
        assert (answer.status, answer.headers["Content-Type"]) == (200, icon["type"])
    page = site.browser().get("/seat/").text
    assert '<link rel="apple-touch-icon" href="-/icon.png">' in page


def test_a_ping_leads_to_the_list(site: Site) -> None:
    """It has the address of the list, and none that would open a seat by itself."""
    game = site.table.started(2)
    seat = int(game.to_act[0])
    params = PingParams(game=game.id, seat=seat, decision=game.seats[seat].decision or 0)
    with site.table.service.store.reading() as uow:
        player = uow.players.get(game.seats[seat].player)
        assert player is not None
        text = pings.render(site.table.service, uow, params, player).decode()
    assert text.startswith("Your turn in Phyliss with")
    assert text.endswith(f"\n{URL}/seat/")
    assert game.id not in text
