"""Seats without a person: bots from the start, and places that are still free.

The log stores both as ids that no person can have: `bot:easy:adabot` is the bot Adabot that plays
at the level `easy`; `open:2` is the second free place of a game.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

BOT, OPEN = "bot:", "open:"
BOT_LEVELS: Final = ("easy", "medium", "hard")
BOT_NAMES: Final = ("Adabot", "Bitbot", "Cogbot", "Dotbot", "Etabot", "Fixbot")
TUTOR: Final = "Tutor"
"""The bot of a lesson: a game with it explains itself step by step."""


def bot_id(level: str, name: str) -> str:
    """Return the id of a bot that plays from the start."""
    return f"{BOT}{level}:{name.lower()}"


def next_bot(level: str, taken: Collection[str]) -> str:
    """Return a bot whose name is not yet used at the table."""
    names = {bot_name(one) if is_bot(one) else one for one in taken}
    known = {name.casefold() for name in names}
    name = next(name for name in BOT_NAMES if name.casefold() not in known)
    return bot_id(level, name)


def open_id(number: int) -> str:
    """Return the id of a free place; `number` counts the free places from 1."""
    return f"{OPEN}{number}"


def is_bot(player_id: str) -> bool:
    """True if this is a bot that plays from the start."""
    return player_id.startswith(BOT)


def is_open(player_id: str) -> bool:
    """True if this is a place that is still free."""
    return player_id.startswith(OPEN)


def is_person(player_id: str) -> bool:
    """True if this is the id of a person."""
    return not is_bot(player_id) and not is_open(player_id)


def bot_level(player_id: str) -> str | None:
    """Return the level of a bot that plays from the start; None for everybody else."""
    return player_id.split(":")[1] if is_bot(player_id) and player_id.count(":") > 1 else None


def bot_name(player_id: str) -> str:
    """Return the name of a bot as the players see it."""
    return player_id.rpartition(":")[2].capitalize()


def is_tutor(player_id: str) -> bool:
    """True if this is the bot of a lesson."""
    return is_bot(player_id) and bot_name(player_id) == TUTOR


def first_status(player_id: str) -> str:
    """Return the first status of a seat; a bot needs no invitation."""
    if is_bot(player_id):
        return "joined"
    return "open" if is_open(player_id) else "invited"


def controller_of(player_id: str) -> str:
    """Return who decides for a seat at first: `person` or `bot`."""
    return "bot" if is_bot(player_id) else "person"
