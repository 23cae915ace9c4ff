"""Test the replay page in a real browser: steps, keys, buttons, viewers, phone and desktop."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.api import Seat
from pbem import resources
from pbem.service.logbook import replays
from pbem.service.logbook.replay_page import page_data
from pbem.show import page as pages
from pbem.show.delta import changes
from tests.databases import sqlite_store
from tests.service.conftest import Table, make_table
from tests.show.browser import CHROMIUM, Page, browser
from tests.show.following import applied
from tests.show.games import EVERY_KIND, play

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="NOT TESTED: chromium or fonts-liberation is missing"
)
PHONE = (390, 844)


def build(table: Table, folder: Path, ruleset: str, players: int, **options: Any) -> Path:
    """Play a game and write its page."""
    game = play(table, ruleset, players, **options)
    found = replays.replay(table.service, game.id)
    file = folder / f"{game.id}.html"
    text = pages.build(page_data(found), "A game <&>", resources.templates_dir() / "replay")
    file.write_text(text, encoding="utf-8")
    return file


def data_of(file: Path) -> Any:
    return json.loads(file.read_text("utf-8").split('id="data">')[1].split("</script>")[0])


# --- what is in it --------------------------------------------------------------------------------


@pytest.mark.parametrize(("ruleset", "players", "options"), EVERY_KIND)
def test_every_frame_is_what_observer_and_seats_saw(
    table: Table, ruleset: str, players: int, options: dict[str, Any]
) -> None:
    """Followed from the first, the instructions give each view at each event, to the last value."""
    game = play(table, ruleset, players, **options)
    found = replays.replay(table.service, game.id)
    steps = {step.version: step for step in found.steps}
    data: Any = page_data(found)
    document: Any = {}
    for frame in data["steps"]:
        document = applied(document, frame["change"])
        state = steps[frame["event"]].game.state
        assert document["table"] == game.ruleset.view(state, None)
        for seat in range(players):
            view: Any = document["table"]
            for path, value in document["eyes"][str(seat)].items():
                keys = [int(key) if key.isdigit() else key for key in path.split("/")]
                view = applied(view, [[keys, value]])
            assert {**view, "seat": seat} == game.ruleset.view(state, Seat(seat))
    assert data["steps"][-1]["move"] == found.steps[-1].ply
    made = [frame["first"] for frame in data["steps"] if "first" in frame]
    assert made == sorted(made)
    assert made[0] == 1
    assert data["result"]["ranking"]


def test_a_change_from_false_to_zero_is_an_instruction() -> None:
    """Python considers them equal."""
    assert changes({"a": [False]}, {"a": [0]}) == [[["a"], [0]]]
    assert changes([[0, 1]], [[False, 1]]) == [[[0], [False, 1]]]


def test_a_page_is_one_file_that_nothing_can_break_out_of(table: Table) -> None:
    """No address of anything in it, a policy against all else, and no end of a script in a name."""
    game = play(table, "phyliss", 2, 3)
    data = page_data(replays.replay(table.service, game.id))
    data["names"] = ["</script><script>alert(1)</script>", "<!--"]
    text = pages.build(data, "</title><b>", resources.templates_dir() / "replay")
    assert text.count("<script") == 2
    assert text.count("</script>") == 2
    assert "</title><b>" not in text
    assert "default-src 'none'" in text
    for outside in ("http:", "https:", "src=", "@import", "url("):
        assert outside not in text


def test_a_long_game_is_a_small_page(table: Table) -> None:
    """Hundreds of moves of Phase 10, from every seat's eyes, below a kilobyte each."""
    game = play(table, "phase10", 3, 300)
    found = replays.replay(table.service, game.id)
    size = len(
        json.dumps(page_data(replays.replay_as_seats(table.service, found, [0], reason="x")))
    )
    assert size < 300 * 700


# --- in a browser ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("chromium")) as page:
        yield page


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """A page of every kind of game."""
    folder = tmp_path_factory.mktemp("pages")
    with sqlite_store(folder) as store:
        table = make_table(store)
        yield {
            f"{ruleset}-{players}": build(table, folder, ruleset, players, **options)
            for ruleset, players, options in EVERY_KIND
        }


def where(page: Page) -> str:
    said: str = page.ask("document.getElementById('where').textContent")
    return said


@needs_chromium
def test_buttons_keys_slider_and_list_lead_through_the_game(
    chromium: Page, site: dict[str, Path]
) -> None:
    """Each goes where it says, and the address names the place."""
    file = site["phyliss-3"]
    last = len(data_of(file)["steps"]) - 1
    chromium.errors.clear()
    chromium.requests.clear()
    chromium.open(file)
    assert where(chromium).startswith("The deal")
    assert chromium.ask("document.getElementById('back').disabled") is True
    at = "Number(document.getElementById('slider').value)"
    for act, value in (
        (lambda: chromium.click("#next"), 1),
        (lambda: chromium.press("ArrowRight"), 2),
        (lambda: chromium.press("ArrowRight"), 3),
        (lambda: chromium.click("#back"), 2),
        (lambda: chromium.press("ArrowLeft"), 1),
        (lambda: chromium.press("End"), last),
        (lambda: chromium.press("Home"), 0),
        (lambda: chromium.click("#last"), last),
        (lambda: chromium.click("#first"), 0),
        (lambda: chromium.click("#list li:nth-child(6) button"), 5),
    ):
        act()
        assert chromium.ask(at) == value
    assert chromium.ask("document.querySelector('#list [aria-current]').innerText").startswith("5")
    chromium.ask(
        "(() => { const s = document.getElementById('slider'); s.value = 7;"
        " s.dispatchEvent(new Event('input')); })()"
    )
    assert where(chromium).startswith("Move 7 of")
    event = data_of(file)["steps"][7]["event"]
    assert chromium.ask("location.hash") == f"#event={event}&eyes=all"
    chromium.ask("document.activeElement.blur()")
    chromium.press(" ")
    assert chromium.ask("document.getElementById('play').textContent") == "Pause"
    chromium.press(" ")
    assert chromium.ask("document.getElementById('play').textContent") == "Play"
    assert chromium.errors == []
    assert {url.split(":")[0] for url in chromium.requests} <= {"file", "about"}


@needs_chromium
@pytest.mark.parametrize("name", [f"{ruleset}-{players}" for ruleset, players, _ in EVERY_KIND])
def test_cards_are_there_for_these_eyes_only(
    chromium: Page, site: dict[str, Path], name: str
) -> None:
    """Half-way and at the end, on a phone: the own hand, nobody else's, nothing wider than it."""
    data = data_of(site[name])
    steps = data["steps"]
    chromium.errors.clear()
    for index in (0, len(steps) // 2, len(steps) - 1):
        document: Any = {}
        for step in steps[: index + 1]:
            document = applied(document, step["change"])
        for eyes in (0, 1):
            chromium.open(
                site[name], f"#event={steps[index]['event']}&eyes={eyes}", width=390, height=844
            )
            for seat in (0, 1):
                own = document["eyes"][str(eyes)].get(f"seats/{seat}/hand")
                hand = document["table"]["seats"][seat]["hand"] or own
                shown = chromium.ask(
                    f'[...document.querySelectorAll(\'[data-seat="{seat}"] .row:not(.group)'
                    " [data-card]')].map((e) => e.dataset.card)"
                )
                for card in hand or []:
                    assert card in shown, (index, eyes, seat)
                if hand is None and "known" not in document["table"]["seats"][seat]:
                    assert shown == [], (index, eyes, seat)
            assert chromium.ask("document.documentElement.scrollWidth") <= 390
    assert "The result" in chromium.ask("document.getElementById('table').innerText")
    assert chromium.errors == []


@needs_chromium
def test_everybodys_cards_lie_open_and_an_observer_sees_none(
    chromium: Page, site: dict[str, Path]
) -> None:
    """The chooser of eyes, by mouse or keyboard."""
    chromium.open(site["cathedral-2"], "#move=4")
    hidden = "document.querySelectorAll('.seat .back').length"
    assert chromium.ask(hidden) == 0
    chromium.ask(
        "(() => { const e = document.getElementById('eyes'); e.value = 'none';"
        " e.dispatchEvent(new Event('change')); })()"
    )
    assert chromium.ask(hidden) > 0
    assert chromium.ask("location.hash").endswith("eyes=none")


@needs_chromium
def test_the_ring_of_phalanx_has_every_zone(chromium: Page, site: dict[str, Path]) -> None:
    """One between neighbours and one in the middle; none lies on another, on a phone either."""
    for width, height in (PHONE, (1280, 900)):
        chromium.open(site["phalanx-3"], "#move=12", width=width, height=height)
        boxes = chromium.ask(
            "[...document.querySelectorAll('.ring > *')].map((e) => { const r ="
            " e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; })"
        )
        zones = chromium.ask("[...document.querySelectorAll('.zone')].map((e) => e.dataset.zone)")
        assert sorted(zones) == ["center", "side:0", "side:1", "side:2"]
        for number, (left, top, right, bottom) in enumerate(boxes):
            for x1, y1, x2, y2 in boxes[:number]:
                assert right <= x1 or x2 <= left or bottom <= y1 or y2 <= top


@needs_chromium
def test_long_names_push_nothing_off_a_phone(
    chromium: Page, site: dict[str, Path], tmp_path: Path
) -> None:
    """Every button can be reached with any names."""
    for name in ("phalanx-3", "phase10-3"):
        data = data_of(site[name])
        data["names"] = ["Donaudampfschifffahrtsgesellschaftskapit…", "דניאל", "W" * 40]
        file = tmp_path / f"{name}.html"
        file.write_text(
            pages.build(data, "Long", resources.templates_dir() / "replay"), encoding="utf-8"
        )
        chromium.open(file, "#move=9&eyes=0", width=390, height=844)
        right = chromium.ask(
            "Math.max(...[...document.querySelectorAll('button, select, input, .card, h3')]"
            ".map((e) => e.getBoundingClientRect().right))"
        )
        assert right <= 390
        assert chromium.ask("document.documentElement.scrollWidth") <= 390


@needs_chromium
def test_dark_is_dark_and_the_page_is_named_for_those_who_listen(
    chromium: Page, site: dict[str, Path]
) -> None:
    """The scheme of the device; every button and card has a name."""
    chromium.dark(on=True)
    chromium.open(site["phase10-3"], "#move=9")
    ground = chromium.ask("getComputedStyle(document.body).backgroundColor")
    chromium.dark(on=False)
    assert max(int(part) for part in ground[4:-1].split(",")) < 60
    for kind in ("button", "input", "select"):
        nameless = (
            f"[...document.querySelectorAll('{kind}')].filter((e) => !e.ariaLabel"
            " && !e.textContent.trim() && !e.labels?.length).length"
        )
        assert chromium.ask(nameless) == 0
    assert (
        chromium.ask(
            "[...document.querySelectorAll('[data-card]')].filter((e) => !e.ariaLabel).length"
        )
        == 0
    )
    letters = chromium.ask(
        "[...document.querySelectorAll('.p10[data-card]')].map((e) => [e.dataset.card,"
        " e.textContent])"
    )
    assert letters
    assert all(card[0] in text for card, text in letters)
