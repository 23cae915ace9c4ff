"""Let three people play by mail for a fortnight, and count every mail that they get.

Anna answers within the hour. Bob often answers only after a reminder. Carol answers the same day, quotes the
whole mail and writes talk below her move. Some moves are first written in loose words, as people do on a phone.
If the service does not understand them, the player reads its answer and writes the exact move. All mails are
real bytes and pass through the whole service. Only the clock is simulated.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from tests.databases import sqlite_store
from tests.service.conftest import NAMES, Table, make_table

DAYS = 14
PACE = Timing(2 * 86_400)
STEP = timedelta(hours=1)
"""Step by which the clock moves, small enough that reminders come in time."""
DELAYS = ((0.1, 0.8), (18, 47), (2, 8))
"""Minimum and maximum hours until each person answers."""
QUIETLY = ("receipts off", "auto mine")
LOOSE = 0.4
"""Share of the moves that are first written in loose words."""
_SPEECH = ("nice one", "I had hoped for that", "back from lunch", "well played")
_LOOSE_CARDS = (
    "the {rank} of {suit} please!!",
    "{rank} i guess",
    "sorry for the delay, I play my {rank}",
    "hm, the {rank} or so?",
    "can I play the {rank} of {suit}?",
    "paly {card}",
)
_LOOSE_ORDERS = {
    "pickup": ("ok ok, I pick it up", "i take the lot", "pikcup"),
    "god": ("let's see what god says", "hand of god, come on!", "god then"),
}
_RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"}
_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
_SUGGESTION = re.compile(r"“([^”]+)”")


@dataclass(slots=True)
class Person:
    """Statistics of one person.

    Attributes:
        moves: number of moves made by mail.
        mails: number of received mails, by kind.
        waited: sum of the times from each turn mail to the move.
        loose: number of moves in loose words, by outcome: `played` at once, `helped` if the answer suggested
            the intended move, or `lost` if it did not.
    """

    name: str
    moves: int = 0
    mails: Counter[str] = field(default_factory=Counter)
    waited: timedelta = timedelta()
    loose: Counter[str] = field(default_factory=Counter)

    @property
    def per_move(self) -> float:
        """Return the number of received mails per move."""
        return self.mails.total() / max(1, self.moves)

    @property
    def days(self) -> float:
        """Return the mean time from a turn mail to the move, in days."""
        return self.waited / timedelta(days=1) / max(1, self.moves)


def play(folder: Path, orders: Sequence[str] = (), seed: int = 1, days: int = DAYS) -> list[Person]:
    """Play a fortnight and return the statistics of each person.

    Args:
        folder: folder of the database.
        orders: orders that each person sends at the beginning, such as `receipts off`.
        seed: determines the deals and the times of the answers.
        days: length of the simulation.
    """
    luck = Random(seed)  # noqa: S311
    with sqlite_store(folder) as store:
        table = make_table(store)
        people = [Person(name) for name in NAMES[:3]]
        ends_at = table.clock.now() + timedelta(days=days)
        for number, game in enumerate(_games(table, seed, ends_at)):
            if not number:
                for seat in range(len(people)):
                    for order in orders:
                        table.answer(seat, order)
                begins_at = len(table.outbox())
            _play_on(table, game, people, ends_at, luck)
        addresses = {f"{person.name.lower()}@example.org": person for person in people}
        with table.service.store.reading() as uow:
            owners = {
                player.id: addresses[uow.players.addresses(player.id)[0]]
                for player in uow.players.list()
            }
        for mail in table.outbox()[begins_at:]:
            if mail.status == "sent" and mail.player_id is not None:
                owners[mail.player_id].mails[mail.kind] += 1
        return people


def _games(table: Table, seed: int, ends_at: datetime) -> Iterator[Game]:
    """Yield one game of Phyliss after another until `ends_at`."""
    while table.clock.now() < ends_at:
        yield table.started(3, seed, timing=PACE)
        seed += 1


def _play_on(
    table: Table, game: Game, people: Sequence[Person], ends_at: datetime, luck: Random
) -> None:
    """Let each person answer their turn mails until the game or the fortnight ends."""
    while True:
        game = table.game(game.id)
        if game.is_over or table.clock.now() >= ends_at:
            return
        seat = int(game.to_act[0])
        person, asked_at = people[seat], table.clock.now()
        answers_at = asked_at + timedelta(hours=luck.uniform(*DELAYS[seat]))
        while table.clock.now() < answers_at:
            table.clock.instant = min(answers_at, table.clock.now() + STEP)
            table.run()
        if table.game(game.id).position != game.position:
            continue  # a standing order or the deadline made the move
        _, move = table.standby(game)
        if luck.random() < LOOSE:
            table.answer(seat, _loose(move, luck))
            outcome = _outcome(table, game, seat, move)
            person.loose[outcome] += 1
        if table.game(game.id).position == game.position:
            table.answer(seat, _answer(table, move, seat, luck))
        if table.game(game.id).position > game.position:
            person.moves += 1
            person.waited += table.clock.now() - asked_at


def _loose(move: str, luck: Random) -> str:
    """Reword a move of Phyliss loosely. If several cards are played, they are named by rank."""
    if move in _LOOSE_ORDERS:
        return luck.choice(_LOOSE_ORDERS[move])
    cards = move.removeprefix("play ").split()
    rank, suit = cards[0][:-1], cards[0][-1]
    return luck.choice(_LOOSE_CARDS).format(
        card=" ".join(cards), rank=_RANKS.get(rank, rank), suit=_SUITS[suit]
    )


def _outcome(table: Table, game: Game, seat: int, move: str) -> str:
    """Return the outcome of a move in loose words, a key of `Person.loose`."""
    if table.game(game.id).position > game.position:
        return "played"
    _, _, answer = table.last_to(seat).text.partition("You wrote “")
    suggestions = _SUGGESTION.findall(answer.partition("Your moves:")[0].partition("”")[2])
    ranks = [card[:-1] for card in move.removeprefix("play ").split()]
    return "helped" if suggestions[:1] in ([move], ranks) else "lost"


def _answer(table: Table, move: str, seat: int, luck: Random) -> str:
    """Return the text of a person's mail: a move, for Carol followed by talk and the quoted mail."""
    if NAMES[seat] != "Carol":
        return move
    mail = table.last_to(seat)
    quoted = "\n".join(f"> {line}" for line in mail.text.splitlines())
    speech = f"\nsay {luck.choice(_SPEECH)}" if luck.random() < 0.3 else ""
    return f"{move}{speech}\n\nOn {table.clock.now():%a, %d %b %Y at %H:%M} Cards wrote:\n{quoted}"
