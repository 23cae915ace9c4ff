"""A player's settings: the orders of `domain.words.player_settings`, and `settings`.

A setting that is read only when messages are built needs no code here. `_FOLLOWS` lists the side
effects of settings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.sentences import Sentence, joined, one_of, sentence
from pbem.domain.table.game import UNFINISHED
from pbem.domain.terms.calendar import daily
from pbem.domain.words.orders import OrderLine
from pbem.domain.words.player_settings import SETTINGS, setting_of
from pbem.domain.words.service_words import Word
from pbem.domain.words.setting_values import NO_HOUR
from pbem.domain.words.talk import ANONYMOUS
from pbem.errors import Refusal
from pbem.mail_out.times import left_text
from pbem.service.core import games, names, reminders
from pbem.service.core.context import Service
from pbem.service.people import own_addresses, own_encryption, own_pings
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player


def carry_out(service: Service, uow: UnitOfWork, player: Player, line: OrderLine) -> Sentence:
    """Carry out an order about settings and return the answer. Raises: Refusal."""
    match line.word:
        case Word.ADDRESS:
            return own_addresses.carry_out(service, uow, player, line.argument)
        case Word.PING:
            return own_pings.carry_out(service, uow, player, line.argument)
        case Word.CALENDAR | Word.OWN_PAGE:
            return _order_file(service, uow, player, line.word, line.argument)
        case None | Word.SETTINGS:
            return _in_sentences(service, uow, player)
        case word:
            return _set(service, uow, player, word, line.argument)


def _set(
    service: Service, uow: UnitOfWork, player: Player, word: Word, argument: str | None
) -> Sentence:
    """Store the value that an order asks for. Raises: Refusal."""
    name = setting_of(word.value)
    row = SETTINGS[name]
    value = row.value_of(argument, getattr(player, name))
    changed = uow.players.prefer(player.id, **{name: value})
    if name in _FOLLOWS:
        _FOLLOWS[name](service, uow, changed)
    return row.answer(value)


def _in_sentences(service: Service, uow: UnitOfWork, player: Player) -> Sentence:
    """Describe all settings of a player."""
    shown = [row.shown(getattr(player, name)) for name, row in SETTINGS.items()]
    return joined(
        [
            *filter(None, shown),
            own_pings.in_sentence(service, uow, player),
            *_files(service, player),
            *own_encryption.in_sentences(uow, player),
            *_banks(uow, player),
            *mutes(uow, player),
            own_addresses.carry_out(service, uow, player, None),
        ]
    )


def _plan_digest(service: Service, uow: UnitOfWork, player: Player) -> None:
    """Schedule the next daily digest by the player's hour and time zone."""
    hour = player.digest_hour
    due_at = None if hour == NO_HOUR else daily(service.now(), hour, player.zone)
    uow.players.plan_digest(player.id, due_at)


_FOLLOWS: Mapping[str, Callable[[Service, UnitOfWork, Player], None]] = {
    "zone": _plan_digest,
    "reminders": lambda service, uow, player: reminders.arrange_all(uow, player, service.now()),
    "digest_hour": _plan_digest,
}
"""Functions that run after the new value of a setting is stored."""


def _banks(uow: UnitOfWork, player: Player) -> list[Sentence]:
    """Describe what is left in a player's time banks."""
    sentences = []
    for game in games.of_player(uow, player.id, ("running",)):
        seat = next(iter(game.seats_of(player.id)), None)
        if seat is None or not game.timing.bank:
            continue
        left = game.timing.bank - game.seats[seat].bank_used
        text = sentence("In game {game} your time bank is used up.", game=game.id)
        if left:
            text = sentence(
                "In game {game} your time bank holds {time}.", game=game.id, time=left_text(left)
            )
        sentences.append(text)
    return sentences


def mutes(uow: UnitOfWork, player: Player) -> list[Sentence]:
    """List the players whom a player has muted, by game."""
    sentences = []
    for game in games.of_player(uow, player.id, UNFINISHED):
        muted = next((game.seats[seat].muted for seat in game.seats_of(player.id)), ())
        people = games.shown_names(
            uow, [player_id for player_id in muted if player_id != ANONYMOUS]
        )
        if people:
            text = sentence(
                "In game {game} you read nothing that {names} says.",
                game=game.id,
                names=one_of(people),
            )
            sentences.append(text)
        if ANONYMOUS in muted:
            text = sentence(
                "In game {game} you read nothing that is said without a name.", game=game.id
            )
            sentences.append(text)
    return sentences


# --- published files ------------------------------------------------------------------------------


def _order_file(
    service: Service, uow: UnitOfWork, player: Player, word: Word, words: str | None
) -> Sentence:
    """Carry out an order such as `calendar on` or `my page off`. Raises: Refusal."""
    if service.config.pages is None:
        raise Refusal("pages", sentence("This server has no pages."))
    is_calendar = word is Word.CALENDAR
    if words is None:
        return _calendar(service, player) if is_calendar else _own_page(service, player)
    changed = uow.players.prefer(player.id, **{setting_of(word.value): words == "on"})
    return _calendar(service, changed) if is_calendar else _own_page(service, changed)


def _files(service: Service, player: Player) -> list[Sentence]:
    """Describe a player's files. The result is empty on a server without pages."""
    if service.config.pages is None:
        return []
    return [_calendar(service, player), _own_page(service, player)]


def _calendar(service: Service, player: Player) -> Sentence:
    if not player.has_calendar:
        return sentence('Write "calendar on" for a calendar of your deadlines to subscribe to.')
    return sentence(
        "Subscribe to your deadlines at {address} and give that address to nobody. The file is there from"
        ' your next turn on; "calendar off" ends it.',
        address=_file_address(service, names.calendar_name(service, player)),
    )


def _own_page(service: Service, player: Player) -> Sentence:
    if not player.has_page:
        return sentence('Write "my page on" for a page about you that everybody can read.')
    return sentence(
        'Everybody can read your games and ratings at {address} until you write "my page off".',
        address=_file_address(service, names.own_page_name(player)),
    )


def _file_address(service: Service, name: str) -> str:
    pages = service.config.pages
    return "" if pages is None else f"{pages.url}/{name}"
