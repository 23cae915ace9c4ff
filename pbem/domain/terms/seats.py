"""Ids of seats without a person, and translation between seat numbers and player names.

Engines use seat numbers, players use names. In the log, seats without a person have ids that no
person can have: `bot:easy:adabot` is the bot Adabot with level `easy`, and `open:2` is
the second open seat of a game.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Final

from engine.api import AnyRuleset
from engine.orders import is_near_order, is_order

BOT, OPEN = "bot:", "open:"
BOT_LEVELS: Final = ("easy", "medium", "hard")
BOT_NAMES: Final = ("Adabot", "Bitbot", "Cogbot", "Dotbot", "Etabot", "Fixbot")
TUTOR: Final = "Tutor"
"""The bot of a tutorial game, in which every message explains the next step."""


def bot_id(level: str, name: str) -> str:
    """Return the ID of a bot that plays from the start."""
    return f"{BOT}{level}:{name.lower()}"


def next_bot(level: str, taken: Collection[str]) -> str:
    """Return the ID of a bot whose name is not used at the table yet."""
    names = {bot_name(one) if is_bot(one) else one for one in taken}
    known = {name.casefold() for name in names}
    name = next(name for name in BOT_NAMES if name.casefold() not in known)
    return bot_id(level, name)


def open_id(number: int) -> str:
    """Return the ID of an open seat. `number` counts open seats from 1."""
    return f"{OPEN}{number}"


def is_bot(player_id: str) -> bool:
    """True for the ID of a bot that plays from the start."""
    return player_id.startswith(BOT)


def is_open(player_id: str) -> bool:
    """True for the ID of an open seat."""
    return player_id.startswith(OPEN)


def is_person(player_id: str) -> bool:
    """True for the ID of a person."""
    return not is_bot(player_id) and not is_open(player_id)


def bot_level(player_id: str) -> str | None:
    """Return the level of a bot that plays from the start, or None for other IDs."""
    return player_id.split(":")[1] if is_bot(player_id) and player_id.count(":") > 1 else None


def bot_name(player_id: str) -> str:
    """Return a bot's display name."""
    return player_id.rpartition(":")[2].capitalize()


def is_tutor(player_id: str) -> bool:
    """True for the ID of the bot of a tutorial game."""
    return is_bot(player_id) and bot_name(player_id) == TUTOR


def first_status(player_id: str) -> str:
    """Return the initial status of a seat. A bot needs no invitation."""
    if is_bot(player_id):
        return "joined"
    return "open" if is_open(player_id) else "invited"


def controller_of(player_id: str) -> str:
    """Return the initial controller of a seat: `person` or `bot`."""
    return "bot" if is_bot(player_id) else "person"


_REMEMBERED = 4096
"""Number of tables whose compiled name patterns are cached."""


def with_seat_numbers(text: str, names: Sequence[str], *, every: int | None = None) -> str:
    """Replace player names by seat numbers, as the engine requires.

    Args:
        every: replace all names by this number instead.
    """
    if not names:
        return text
    pattern, by_name = _names_pattern(tuple(names))

    def number(match: re.Match[str]) -> str:
        seat = by_name.get(match.group().casefold())
        return match.group() if seat is None else str(seat if every is None else every)

    return pattern.sub(number, text)


@lru_cache(_REMEMBERED)
def _names_pattern(names: tuple[str, ...]) -> tuple[re.Pattern[str], dict[str, int]]:
    """Return a pattern for the names (longest first), and the seat of each name."""
    by_name = {name.casefold(): seat for seat, name in enumerate(names)}
    longest_first = sorted(by_name, key=len, reverse=True)
    pattern = rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)"
    return re.compile(pattern, re.IGNORECASE), by_name


def with_seats_behind(
    text: str, names: Sequence[str], before: Mapping[str, str], owned: str
) -> str:
    """Replace names after certain words by seat numbers, and translate these words to English.

    The rest of the line can then be translated word by word without confusing names with words.

    Args:
        text: one line.
        names: player names by seat.
        before: words of a language, each with its English translation.
        owned: pattern for something on the table that a player owns, with `{name}` for the owner.
    """
    if not any(names):
        return text
    pattern, by_name = _named_places(tuple(names), tuple(before), owned)

    def place(match: re.Match[str]) -> str:
        seat = by_name[(match["name"] or match["owner"]).casefold()]
        if match["at"]:
            return f"@{seat}"
        return f"{before[match['word'].casefold()] if match['word'] else 'with'} {seat}"

    return pattern.sub(place, text)


@lru_cache(_REMEMBERED)
def _named_places(
    names: tuple[str, ...], before: tuple[str, ...], owned: str
) -> tuple[re.Pattern[str], dict[str, int]]:
    by_name = {name.casefold(): seat for seat, name in enumerate(names) if name}
    any_name = "|".join(map(re.escape, sorted(by_name, key=len, reverse=True)))
    behind = rf"(?:(?<!\w)(?P<word>{'|'.join(before)})\s+|(?P<at>@))(?P<name>{any_name})"
    pattern = rf"(?:{behind}|(?<!\w){owned.format(name=f'(?P<owner>{any_name})')})(?!\w)"
    return re.compile(pattern, re.IGNORECASE), by_name


_SEAT_IN_MOVE = re.compile(r"(?<=@)\d+\b|(?<= on )\d+(?=’s )|(?<=^discard S )\d+$")
"""Seat numbers in the text of a move.

These are Phalanx's captives, and Phase 10's groups and skips.
"""
_GROUP = re.compile(r"(?<= on )(\d+)\.([01])\b")
_WHICH = {"0": "first", "1": "second"}


LONGEST_IN_MOVE = 24
"""Longest name that is written into moves. Longer names are replaced by seat numbers."""


def seat_word(seat: int, names: Sequence[str]) -> str:
    """Return the text for a seat in moves: the player's name, or the seat number.

    The number is used if the name would be ambiguous or confusing in a move.
    """
    name = names[seat] if seat < len(names) else ""
    is_left_to_right = all(unicodedata.bidirectional(letter) not in ("R", "AL") for letter in name)
    is_fit = 0 < len(name) <= LONGEST_IN_MOVE and ";" not in name and is_left_to_right
    return name if is_fit and with_seat_numbers(name, names) == str(seat) else str(seat)


def with_seat_names(move: str, names: Sequence[str]) -> str:
    """Replace seat numbers in a move by names. `with_seat_numbers` is the inverse.

    A Phase 10 group without a name (see `pbem.games.profile.said_move`) gets an ordinal.
    """

    def word(match: re.Match[str]) -> str:
        seat_name = seat_word(int(match[0]), names)
        is_bare = seat_name.isdigit() and move[: match.start()].endswith(" on ")
        return f"seat {seat_name}" if is_bare else seat_name

    counted = _GROUP.sub(lambda group: f"{group[1]}’s {_WHICH[group[2]]} group", move)
    return _SEAT_IN_MOVE.sub(word, counted)


_NO_CARD = 0
"""A seat number that cannot be a rank, so it cannot be parsed as a card."""


def with_seats(text: str, rulesets: Sequence[AnyRuleset], names: Sequence[str]) -> str:
    """Replace names by seat numbers if the result is an order. Signatures are left unchanged."""
    order = with_seat_numbers(text, names)
    if order == text:
        return text
    probe = with_seat_numbers(text, names, every=_NO_CARD)
    is_seat = any(is_order(rules, probe) or is_near_order(rules, probe) for rules in rulesets)
    return order if is_seat else text
