"""Somebody who can write the database and has no key: no hand goes elsewhere, no order is taken as Bob's.

docs/keys.md says what is bound, and what remains.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, text

from pbem.domain.game import Game
from pbem.service.handle_mail import handle_all
from tests.service.conftest import Sent, Table

ANNA, BOB, SPY = "anna@example.org", "bob@example.org", "spy@example.net"


def sql(table: Table, statement: str, **values: object) -> int:
    """What a database browser does; gives the number of rows."""
    with table.service.store.db_engine.begin() as connection:
        return connection.execute(text(statement), values).rowcount


def rows(table: Table, statement: str, **values: object) -> list[Row[Any]]:
    with table.service.store.db_engine.begin() as connection:
        return list(connection.execute(text(statement), values))


def copied(table: Table, name: str, where: str, **changes: object) -> None:
    """Insert a copy of a row with some other values."""
    with table.service.store.db_engine.begin() as connection:
        row = connection.execute(text(f"SELECT * FROM {name} WHERE {where}")).one()  # noqa: S608
        values = {**row._mapping, **changes}
        columns, marks = ", ".join(values), ", ".join(f":{column}" for column in values)
        connection.execute(text(f"INSERT INTO {name} ({columns}) VALUES ({marks})"), values)  # noqa: S608


def id_of(table: Table, name: str) -> str:
    (found,) = rows(table, "SELECT id FROM player WHERE name = :name", name=name)
    return str(found[0])


def to(table: Table, address: str) -> list[Sent]:
    return [mail for mail in table.delivery.mails if mail.rcpt_to == address]


def alerts(table: Table) -> list[str]:
    """What the admins were told of rows that do not fit."""
    return [mail.words for mail in to(table, "root@example.org") if "does not fit" in mail.words]


def asks(table: Table, sender: str, *orders: str) -> None:
    """Write orders to the bare address, one mail each."""
    for order in orders:
        table.answer(0, order, to=table.service.own_address, sender=sender)


def waiting(table: Table, seat: int, words: str) -> int:
    """Have a mail to a seat wait, not rendered yet; gives its number."""
    table.answer(seat, words, run=False)
    handle_all(table.service)
    return int(rows(table, "SELECT max(id) FROM outbox")[0][0])


def to_move(table: Table) -> tuple[Game, int]:
    """A game of two in which somebody is to move."""
    game = table.started(2)
    return game, int(game.to_act[0])


# -- seats -------------------------------------------------------------------------------------


def swap_seats(table: Table, game: Game) -> None:
    anna, bob = (seat.player for seat in game.seats)
    for number, player in ((0, bob), (1, anna)):
        sql(table, "UPDATE seat SET player_id = :id WHERE game_id = :game AND seat = :number",
            id=player, game=game.id, number=number)  # fmt: skip


def test_a_seat_is_whose_the_log_says(both: Table) -> None:
    """Owners exchanged in the projection: a leaked reply address stays that of its player."""
    game, seat = to_move(both)
    other = 1 - seat
    swap_seats(both, game)
    _, order = both.standby(game)
    leaked = both.last_to(seat).reply_to
    both.answer(other, order, to=leaked)
    assert both.game(game.id).version == game.version, "the other one's mail is held"
    both.answer(seat, order, to=leaked)
    assert both.game(game.id).version > game.version


def test_a_log_goes_to_who_has_sat_there(both: Table) -> None:
    """A seat that only the projection has opens no export of a running game."""
    game = both.started(2)
    outsider = both.new_game(3).seats[2].player
    sql(both, "UPDATE seat SET player_id = :id WHERE game_id = :game AND seat = 1",
        id=outsider, game=game.id)  # fmt: skip
    both.answer(2, f"export {game.id}")
    assert [part.get_filename() for part in both.last_to(2).message.iter_attachments()] == []
    both.answer(1, f"export {game.id}")
    assert f"{game.id}.jsonl" in str(both.last_to(1).message)
