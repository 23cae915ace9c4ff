"""Three people play by mail for a fortnight, and every mail that they get is counted.

Anna is eager and answers within the hour. Bob is slow and often answers only after a reminder. Carol answers
the same day, quotes the whole mail and says something below her move. The mails are real bytes through the
whole service. Only the clock is moved.
"""

from __future__ import annotations

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
"""How far the clock moves at once, so that reminders come in time."""
DELAYS = ((0.1, 0.8), (18, 47), (2, 8))
"""Hours after which each person answers, at least and at most."""
QUIETLY = ("receipts off", "auto mine")
_SPEECH = ("nice one", "I had hoped for that", "back from lunch", "well played")


@dataclass(slots=True)
class Person:
    """What one person sent and got.

    Attributes:
        moves: moves that they made by mail.
        mails: mails that they got, by kind.
    """

    name: str
    moves: int = 0
    mails: Counter[str] = field(default_factory=Counter)

    @property
    def per_move(self) -> float:
        """Mails that came for each move."""
        return self.mails.total() / max(1, self.moves)


def play(folder: Path, orders: Sequence[str] = (), seed: int = 1, days: int = DAYS) -> list[Person]:
    """Play a fortnight and return what each person sent and got.

    Args:
        folder: for the database.
        orders: what each of them writes at the beginning, such as `receipts off`.
        seed: of the deals, and of when people answer.
        days: how long they play.
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
                one.id: addresses[uow.players.addresses(one.id)[0]] for one in uow.players.list()
            }
        for mail in table.outbox()[begins_at:]:
            if mail.status == "sent" and mail.player_id is not None:
                owners[mail.player_id].mails[mail.kind] += 1
        return people


def _games(table: Table, seed: int, ends_at: datetime) -> Iterator[Game]:
    """Yield one game of Phyliss after the other until the fortnight is over."""
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
        answers_at = table.clock.now() + timedelta(hours=luck.uniform(*DELAYS[seat]))
        while table.clock.now() < answers_at:
            table.clock.instant = min(answers_at, table.clock.now() + STEP)
            table.run()
        now = table.game(game.id)
        if now.position == game.position:
            table.answer(seat, _answer(table, now, seat, luck))
            people[seat].moves += table.game(game.id).position > game.position


def _answer(table: Table, game: Game, seat: int, luck: Random) -> str:
    """Return the mail of a person: a move, and from Carol also talk and the whole mail below it."""
    _, move = table.standby(game)
    if NAMES[seat] != "Carol":
        return move
    mail = table.last_to(seat)
    quoted = "\n".join(f"> {line}" for line in mail.text.splitlines())
    said = f"\nsay {luck.choice(_SPEECH)}" if luck.random() < 0.3 else ""
    return f"{move}{said}\n\nOn {table.clock.now():%a, %d %b %Y at %H:%M} Cards wrote:\n{quoted}"
