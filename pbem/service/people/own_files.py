"""A player's published files: a calendar at a secret URL, and a public page.

Neither exists unless the player turns it on.
"""

from __future__ import annotations

from engine.sentences import Sentence, sentence
from pbem.domain.words.player_settings import setting_of
from pbem.domain.words.service_words import Word
from pbem.errors import Refusal
from pbem.service.core import names
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player


def carry_out(
    service: Service, uow: UnitOfWork, player: Player, word: Word, words: str | None
) -> Sentence:
    """Carry out an order such as `calendar on` or `my page off`. Raises: Refusal."""
    if service.config.pages is None:
        raise Refusal("pages", sentence("This server has no pages."))
    is_calendar = word is Word.CALENDAR
    if words is None:
        return _calendar(service, player) if is_calendar else _page(service, player)
    changed = uow.players.prefer(player.id, **{setting_of(word.value): words == "on"})
    return _calendar(service, changed) if is_calendar else _page(service, changed)


def in_sentences(service: Service, player: Player) -> list[Sentence]:
    """Describe a player's files. The result is empty on a server without pages."""
    if service.config.pages is None:
        return []
    return [_calendar(service, player), _page(service, player)]


def _calendar(service: Service, player: Player) -> Sentence:
    if not player.has_calendar:
        return sentence('Write "calendar on" for a calendar of your deadlines to subscribe to.')
    return sentence(
        "Subscribe to your deadlines at {address} and give that address to nobody. The file is there from"
        ' your next turn on; "calendar off" ends it.',
        address=_address(service, names.calendar_name(service, player)),
    )


def _page(service: Service, player: Player) -> Sentence:
    if not player.has_page:
        return sentence('Write "my page on" for a page about you that everybody can read.')
    return sentence(
        'Everybody can read your games and ratings at {address} until you write "my page off".',
        address=_address(service, names.own_page_name(player)),
    )


def _address(service: Service, name: str) -> str:
    pages = service.config.pages
    return "" if pages is None else f"{pages.url}/{name}"
