"""Measure replies with one to three orders of each game, at each position in every mail program.

Three faults are counted: an order that is neither read nor asked about, an order read twice, and an
order read from the quote.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from typing import Final

from engine import registry
from pbem.domain.words.orders import OrderReader
from pbem.mail_in.mime.parse import bodies_of, parse_mail
from pbem.mail_in.quotes.answered import page_text
from pbem.mail_in.quotes.body import extract_reply
from pbem.mail_in.quotes.marks import words_of
from tests.mail_in.grid.build import BLOCKED, FULL, MARKED, UNMARKED
from tests.mail_in.grid.further import FURTHER
from tests.mail_in.grid.mails import Case, Own, Turn, compose, load_turn, paragraphs

GAMES: Final = ("phyliss", "cathedral", "phalanx", "phase10")
FORMS: Final = ("both", "plain", "rich")
QUOTES: Final = ("whole", "head", "list")
"""Part of our message that the player leaves in the quote."""
PLACES: Final = ("top", "bottom", "inline", "around")
"""Positions of the orders. With `around` the first is above the quote, the others are below it."""
MAKERS: Final = {**FULL, **MARKED, **UNMARKED, **FURTHER}
_LISTED: Final = re.compile(r"\s*(\d\d)\s\s+(\S.*)")


@dataclass(frozen=True)
class Shape:
    """A raw reply with its orders."""

    name: str
    raw: bytes
    turn: Turn
    game: str
    orders: tuple[str, ...]


def _orders_of(turn: Turn) -> tuple[tuple[str, ...], ...]:
    """Return groups of orders for replies: moves in words, move numbers, and orders to the service."""
    listed = [found.groups() for line in turn.lines if (found := _LISTED.fullmatch(line))]
    moves = sorted((move for _, move in listed), key=len)
    short, longest = listed[0][1], moves[-1]
    return (
        (short,),
        (longest,),
        ("21",),
        (short, "say hello everybody"),
        (longest, "say hello everybody"),
        ("say hello everybody", longest),
        ("22", "board"),
        (longest, "say hello everybody", "digest 8"),
        ("help", short, "say all: good luck"),
    )


@cache
def _turn(game: str, quote: str) -> Turn:
    turn = load_turn(game)
    start = next(at for at, line in enumerate(turn.lines) if _LISTED.fullmatch(line)) - 1
    end = next(at for at in range(start + 1, len(turn.lines)) if not turn.lines[at])
    match quote:
        case "head":
            lines = turn.lines[: min(start, 12)]
        case "list":
            lines = turn.lines[start:end]
        case _:
            return turn
    return replace(turn, lines=lines, html=paragraphs(list(lines)))


def shapes(step: int = 1) -> Iterator[Shape]:
    """Yield every `step`-th reply. `step` must have no common factor with the 51 replies of a game."""
    number = -1
    for client, game in product(sorted(MAKERS), GAMES):
        for orders, place in product(_orders_of(load_turn(game)), PLACES):
            if place == ("inline" if client in BLOCKED else "around" * (len(orders) == 1)):
                continue
            for quote in QUOTES if place == "top" else QUOTES[:1]:
                number += 1
                if number % step == 0:
                    yield _shape(
                        Shape(f"{number}", b"", _turn(game, quote), game, orders), client, place
                    )


def _shape(shape: Shape, client: str, place: str) -> Shape:
    """Write a reply. Its number determines whether it is text, HTML or both."""
    orders, number = shape.orders, int(shape.name)
    first, below = (orders[:1], orders[1:]) if place == "around" else (orders, ())
    position = "top" if place == "around" else place
    case = Case(shape.turn, Own(first), "en", position, number % 2 == 0, number, below)
    plain, rich = MAKERS[client](case)
    form = FORMS[number % len(FORMS)]
    if form == "plain" and plain is not None:
        rich = None
    elif form == "rich" and rich is not None:
        plain = None
    name = f"{client}/{shape.game}/{place}/{len(shape.turn.lines)}/{form}/{number}"
    return replace(shape, name=name, raw=compose(case, plain, rich, client=client))


@dataclass
class Faults:
    """Names of the replies with a lost, doubled or leaked order, and numbers of the others by outcome."""

    replies: int = 0
    right: int = 0
    asked: int = 0
    told: int = 0
    silent: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    leaked: list[str] = field(default_factory=list)


@cache
def _reader(game: str) -> OrderReader:
    return OrderReader([registry.find(game)], ("Anna", "Bob", "Carol"))


@cache
def _bodies(raw: bytes) -> tuple[str | None, str | None]:
    return bodies_of(raw)


def judge(faults: Faults, shape: Shape, *, knows: bool) -> str:
    """Read a reply and count its result. Return a description of the errors, or an empty string."""
    text, html = _bodies(shape.turn.raw) if knows else (None, None)
    reader = _reader(shape.game)
    reply = extract_reply(
        parse_mail(shape.raw),
        answered=text,
        answered_page=None if html is None else page_text(html),
        recogniser=reader,
    )
    wanted = Counter(_key(order) for order in shape.orders)
    found = Counter(_key(line) for line in reply.text.split("\n") if reader.is_order(line))
    named = {_key(line) for line in (*reply.doubts, *reply.left_out)}
    faults.replies += 1
    faults.right += found == wanted and not named
    faults.asked += bool(reply.doubts)
    faults.told += bool(reply.left_out)
    # Beside a doubt nothing is carried out, and the answer says so, as it does of a mail in which
    # nothing but our own lines was found.
    is_told = bool(reply.doubts) or (reply.is_cleared and not found)
    silent = [
        key for key in wanted if found[key] < wanted[key] and key not in named and not is_told
    ]
    twice = [key for key in wanted if found[key] > wanted[key]]
    leaked = [key for key in found if key not in wanted]
    for keys, names in ((silent, faults.silent), (twice, faults.twice), (leaked, faults.leaked)):
        if keys:
            names.append(shape.name)
    if silent or twice or leaked:
        return f"{shape.name}: {shape.orders} silent {silent} twice {twice} leaked {leaked}; {reply.doubts}"
    return ""


def _key(line: str) -> tuple[str, ...]:
    return words_of(line)


def measure(step: int, *, knows: bool) -> tuple[Faults, list[str]]:
    """Read every `step`-th reply. Return the results and descriptions of the errors."""
    faults = Faults()
    said = [judge(faults, one, knows=knows) for one in shapes(step)]
    return faults, [one for one in said if one]


def main(step: int, *, show: bool = False) -> None:
    """Print the results with and without knowledge of the answered message."""
    for knows in (True, False):
        faults, said = measure(step, knows=knows)
        sys.stdout.write(
            f"shapes, answered mail {'known' if knows else 'unknown'}: {faults.replies} replies, "
            f"right {faults.right}, asked {faults.asked}, named as left out {faults.told}; "
            f"order dropped in silence {len(faults.silent)}, read twice {len(faults.twice)}, "
            f"from a quote {len(faults.leaked)}\n"
        )
        if show:
            sys.stdout.writelines(f"  {line}\n" for line in said)


if __name__ == "__main__":
    main(int(sys.argv[1]), show="--show" in sys.argv)
