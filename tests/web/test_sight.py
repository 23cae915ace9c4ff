"""Test what a reader can see of every kind of turn on the seat page, on phone and desktop.

The pages are rendered from the rules, without a server.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem import resources
from pbem.language import languages
from pbem.mail_out.cards import LOOKS
from pbem.mail_out.content import GameMail
from tests.mail_out.test_render import RENDERER
from tests.mail_out.turns import ROWS, ends, turns
from tests.show.browser import CHROMIUM, Page, browser
from tests.web.sight import PHONE, faults

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")

GIVEN = {
    "once": "a",
    "digest": "b",
    "is_known": True,
    "by_mail": False,
    "problem": "",
    "words": "",
    "outcome": "",
}
"""What the server tells the template about a browser that is known."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which pages find their style and script."""
    folder = tmp_path_factory.mktemp("pages")
    shutil.copytree(resources.templates_dir() / "web", folder / "-")
    return folder


@pytest.fixture(scope="module")
def page(folder: Path) -> Iterator[Page]:
    with browser(folder) as opened:
        yield opened


@pytest.mark.parametrize("row", ROWS)
def test_every_turn_and_the_end(page: Page, folder: Path, row: str) -> None:
    """Every kind of turn and the end in each language, and the cards as players may have them."""
    first, *_ = of_row = [turn.mail for turn in turns(row)]
    fullest = max(of_row, key=lambda mail: len(mail.moves))
    end = ends(row)[-1]
    scenes: list[tuple[GameMail, tuple[str, ...], bool]] = [
        *(
            (replace(mail, language=language), (), True)
            for mail in of_row
            for language in languages()
        ),
        *((replace(end, language=language), (), False) for language in languages()),
        *((first, (look,), True) for look in LOOKS),
        *((fullest, (look,), False) for look in LOOKS),
    ]
    problems = []
    for number, (mail, looks, is_turn) in enumerate(scenes):
        (folder / "page.html").write_text(RENDERER.page(mail, looks, GIVEN), encoding="utf-8")
        page.open(folder / "page.html", width=PHONE[0], height=PHONE[1])
        name = f"{number} {mail.language} {looks} {[move.order for move in mail.moves[:1]]}"
        problems += [f"{name}: {fault}" for fault in faults(page, is_turn=is_turn)]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("row", ROWS)
def test_an_unknown_browser_shows_the_moves_too(page: Page, folder: Path, row: str) -> None:
    """The field for the address takes no room before an order is sent."""
    problems = []
    for mail in (turn.mail for turn in turns(row)):
        html = RENDERER.page(mail, (), GIVEN | {"is_known": False})
        (folder / "page.html").write_text(html, encoding="utf-8")
        page.open(folder / "page.html", width=PHONE[0], height=PHONE[1])
        problems += [f"{mail.moves[:1]}: {fault}" for fault in faults(page)]
    assert not problems, "\n".join(problems)
