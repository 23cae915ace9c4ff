"""Parse an admin's replies to messages of the service: `extend 2d`, `bot Bob`.

As in players' messages, an order takes a whole line. A reason may follow at the end of the line.
The caller supplies the games, seats and names, which separate the arguments from the reason.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from pbem.durations import parse_duration
from pbem.errors import Refusal

EXTEND, PAUSE, RESUME, STANDBY, BOT, REMOVE, RESOLVE = ACTS = (
    "extend",
    "pause",
    "resume",
    "standby",
    "bot",
    "remove",
    "resolve",
)
HELP = "help"
EXAMPLES = {
    EXTEND: "extend 2d the mail server was down",
    PAUSE: "pause Bob is in hospital",
    RESUME: "resume Bob is back",
    STANDBY: "standby Bob",
    BOT: "bot Bob he is at sea",
    REMOVE: "remove Bob reason: he asked me to",
    RESOLVE: "resolve 1 the move stands, for the rules say so",
}
"""One example of each order, for help and for refusals."""
_OF_SEAT = (STANDBY, BOT, REMOVE)
_EXPLAINED = (REMOVE, RESOLVE)

NO_REASON = "none was given"
LONGEST = 4000
"""Maximum number of characters that are read from a line."""
BROKEN_FROM = 60
"""Number of characters from which a line may have been wrapped by a mail program."""
_ENDS = frozenset({"end", "stop", "--", "__"})
_LIKE_COMMANDS = re.compile(r"(?:pbem\s+)?(?:(?:game|dispute)\s+)?", re.IGNORECASE)
_WHY = re.compile(
    r"(?:\W*(?:because|reason|text|reason is|da|weil|grund)\b)?[\s:,.–—=-]*", re.IGNORECASE
)
_MIN_NEAR = 0.75


@dataclass(frozen=True, slots=True)
class AdminOrder:
    """The order in a line of an admin's reply.

    Attributes:
        act: one of `ACTS`, or `help`.
        rest: the text after the act.
    """

    text: str
    act: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class CompleteOrder:
    """An order with all its arguments.

    Attributes:
        seat: seat for `standby`, `bot` and `remove`, otherwise -1.
        time: additional time for `extend`, otherwise zero.
        number: number of the dispute for `resolve`, otherwise 0.
        reason: the reason that is shown to all players.
    """

    act: str
    game: str
    reason: str
    seat: int = -1
    time: timedelta = timedelta()
    number: int = 0


def read(text: str) -> list[AdminOrder]:
    """Parse the orders in a message. Raises: Refusal if a line contains a mistyped order.

    A line after a long order continues it, because mail programs wrap long lines.
    """
    orders: list[AdminOrder] = []
    is_broken = False
    for raw in text.splitlines():
        line = raw.strip()[:LONGEST]
        if line.lower() in _ENDS:
            break
        result = order_in(line)
        goes_on = is_broken and result is None and bool(line)
        is_broken = len(line) >= BROKEN_FROM and (result is not None or goes_on)
        if result is not None:
            orders.append(result)
            continue
        if goes_on:
            last = orders[-1]
            joined, rest = f"{last.text} {line}", f"{last.rest} {line}"
            orders[-1] = replace(last, text=joined, rest=rest)
            continue
        near = _near(line)
        if near is not None:
            raise Refusal(
                "near", f'"{line}" looks like "{near}" with a typing mistake; nothing was guessed.'
            )
    return orders


def order_in(line: str) -> AdminOrder | None:
    """Parse a line as an order, or return None if it is not an order."""
    words = _LIKE_COMMANDS.sub("", line.strip(), count=1)
    act, _, rest = words.partition(" ")
    act = act.lower().rstrip(".,:!")
    if act == HELP and not rest:
        return AdminOrder(line, HELP)
    return AdminOrder(line, act, rest.strip()) if act in ACTS else None


def is_order(line: str, /) -> bool:
    """True if a line is an admin order."""
    return order_in(line) is not None


def complete(
    order: AdminOrder,
    game: str | None,
    is_game: Callable[[str], bool],
    names_of: Callable[[str], Sequence[str]],
    disputes_of: Callable[[str], Sequence[int]],
) -> CompleteOrder:
    """Determine the game and the arguments of an order.

    Args:
        order: an order that `read` returned.
        game: ID of the game that the answered message is about, or None.
        is_game: returns True if a game has this ID.
        names_of: returns the names of a game's players, by seat.
        disputes_of: returns the numbers of a game's open disputes.

    Raises: Refusal with the missing argument.
    """
    words = order.rest.split()
    if words[:1] == ["game"]:
        words = words[1:]
    if words and is_game(words[0].strip("[]:,.").lower()):
        game, words = words[0].strip("[]:,.").lower(), words[1:]
    if game is None:
        raise Refusal("game", f'Which game? Name it behind the word: "{order.act} GAME …".')
    seat, time, number = -1, timedelta(), 0
    if order.act in _OF_SEAT:
        seat, words = _seat(order, words, names_of(game))
    elif order.act == EXTEND:
        time, words = _time(order, words)
    elif order.act == RESOLVE:
        number, words = _number(words, disputes_of(game))
    reason = _WHY.sub(
        "", " ".join(words).replace("--reason", "").replace("--text", "").strip(), count=1
    )
    reason = reason.strip().strip('"“”„').strip()
    if not reason and order.act in _EXPLAINED:
        raise Refusal(
            "reason", f'Say why, every player reads it: "{EXAMPLES[order.act]}". Nothing was done.'
        )
    return CompleteOrder(order.act, game, reason or NO_REASON, seat, time, number)


def _seat(order: AdminOrder, words: list[str], names: Sequence[str]) -> tuple[int, list[str]]:
    if words[:1] == ["seat"] or words[:1] == ["for"]:
        words = words[1:]
    first = words[0].strip(":,.") if words else ""
    if first.isdecimal() and int(first) < len(names):
        return int(first), words[1:]
    for count in range(len(words), 0, -1):
        named = " ".join(words[:count]).strip(":,.").casefold()
        for seat, name in enumerate(names):
            if name.casefold() == named:
                return seat, words[count:]
    listed = ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
    raise Refusal("seat", f"Whose seat? Write {order.act} and one of these: {listed}.")


def _time(order: AdminOrder, words: list[str]) -> tuple[timedelta, list[str]]:
    if words[:1] == ["by"]:
        words = words[1:]
    for count in range(min(len(words), 4), 0, -1):
        try:
            return parse_duration(" ".join(words[:count]).strip(":,.")), words[count:]
        except ValueError:
            continue
    raise Refusal("time", f'How much more time? For example: "{EXAMPLES[order.act]}".')


def _number(words: list[str], numbers: Sequence[int]) -> tuple[int, list[str]]:
    if words[:1] == ["dispute"]:
        words = words[1:]
    first = words[0].strip(":,.#") if words else ""
    if first.isdecimal():
        return int(first), words[1:]
    if len(numbers) == 1:
        return numbers[0], words
    listed = ", ".join(map(str, numbers)) or "none"
    raise Refusal("dispute", f"Which dispute? Name its number behind the word (open: {listed}).")


def _near(line: str) -> str | None:
    first = line.split(" ", 1)[0].lower().strip(".,:!")
    if len(first) < len(BOT) + 1 or len(line.split()) > len(EXAMPLES[REMOVE].split()):
        return None
    return next(iter(difflib.get_close_matches(first, ACTS, n=1, cutoff=_MIN_NEAR)), None)
