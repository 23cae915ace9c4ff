"""Play whole games in which players have their pages open and move only by taps."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pbem.domain.log.chain import GameId
from pbem.service.logbook.verify import verify_game
from tests.show.browser import Page
from tests.web.conftest import Browser, Site

LOOPBACK = "http://127.0.0.1"
_CALM = "performance.now() > calmUntil"
MAX_TURNS = 150


@dataclass
class Phone:
    """The page of a seat, open in a browser from the first turn to the last."""

    page: Page
    known: Browser
    path: str

    def catch_up(self) -> None:
        """Wait until the page shows the current state of the table."""
        digest = self.known.get(self.path).field("digest")
        shown = "document.querySelector('input[name=digest]')?.value"
        self.page.wait_for(f"{shown} === {digest!r} && {_CALM}")

    def tap(self, number: int) -> None:
        """Make a listed move by tapping its cards, or its list entry if the cards are ambiguous."""
        count = self.page.ask("document.querySelectorAll('input[name=move]').length")
        radio = f"document.querySelectorAll('input[name=move]')[{number % count}]"
        order, taps = self.page.ask(f"[{radio}.value, {radio}.dataset.taps]")
        for card in taps.split():
            self.page.click(f"button[data-t='{card}'][aria-pressed=false]")
        if self.page.ask("document.querySelector('#words').value") != order:
            self.page.ask(f"{radio}.id = 'wanted'")
            self.page.click("#wanted")
        once = self.page.ask("document.querySelector('input[name=once]').value")
        self.page.click(".tray .go")
        self.page.wait_for(f"document.querySelector('input[name=once]')?.value !== {once!r}")


def play(site: Site, first: Page, game_id: GameId, on_pages: Collection[int]) -> None:
    """Play a game to its end and verify it. Seats not in `on_pages` answer their messages."""
    game = site.table.game(game_id)
    phones = {}
    for seat in on_pages:
        page = first if not phones else first.another()
        known, path = site.known(seat, site.link(seat, LOOPBACK))
        url = f"{LOOPBACK}:{site.port}{path}"
        page.remember(url, known.cookies)
        page.open(url, width=420, height=1600)
        phones[seat] = Phone(page, known, path)
    for number in range(MAX_TURNS):
        game = site.table.game(game_id)
        if game.is_over:
            break
        seat = int(game.to_act[0])
        if seat in phones:
            phones[seat].catch_up()
            phones[seat].tap(7 * number)
        else:
            site.table.run()  # the turn mail
            site.table.answer(*site.table.standby(game))
        assert site.table.game(game_id).version > game.version
    assert game.is_over
    for phone in phones.values():
        phone.catch_up()
        assert phone.page.errors == []
        if phone.page is not first:
            phone.page.close()
    with site.table.service.store.reading() as uow:
        assert verify_game(uow, game_id).complete
