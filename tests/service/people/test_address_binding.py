"""Test that an attacker who can write the database, without keys, cannot redirect or forge messages.

docs/keys.md says what is bound, and what remains.
"""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Row, text

from pbem.domain.log.chain import chain
from pbem.domain.log.events import GameFinished, Recorded
from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import PlayerToken
from pbem.service.intake.handle_mail import handle_all
from pbem.store.log import codec
from pbem.store.rows.texts import dump
from tests.service.conftest import Table

ANNA, BOB, SPY = "anna@example.org", "bob@example.org", "spy@example.net"


def sql(table: Table, statement: str, **values: object) -> int:
    """Change the database without keys, and return the number of rows."""
    with table.service.store.db_engine.begin() as connection:
        return connection.execute(text(statement), values).rowcount


def select(table: Table, statement: str, **values: object) -> list[Row[Any]]:
    with table.service.store.db_engine.begin() as connection:
        return list(connection.execute(text(statement), values))


def copy_row(table: Table, name: str, where: str, **changes: object) -> None:
    """Insert a copy of a row with some other values."""
    with table.service.store.db_engine.begin() as connection:
        row = connection.execute(text(f"SELECT * FROM {name} WHERE {where}")).one()  # noqa: S608
        values = {**row._mapping, **changes}
        columns, marks = ", ".join(values), ", ".join(f":{column}" for column in values)
        connection.execute(text(f"INSERT INTO {name} ({columns}) VALUES ({marks})"), values)  # noqa: S608


def find_id(table: Table, name: str) -> str:
    (found,) = select(table, "SELECT id FROM player WHERE name = :name", name=name)
    return str(found[0])


def find_alerts(table: Table) -> list[str]:
    """Return the alerts about rows that fail verification."""
    return [
        mail.words for mail in table.sent_to("root@example.org") if "does not fit" in mail.words
    ]


def write_orders(table: Table, sender: str, *orders: str) -> None:
    """Write orders to the bare address, in one message each."""
    for order in orders:
        table.answer(0, order, to=table.service.own_address, sender=sender)


def start_to_move(table: Table) -> tuple[Game, int]:
    """Start a game of two, and return it with the seat to act."""
    game = table.started(2)
    return game, int(game.to_act[0])


# -- addresses ---------------------------------------------------------------------------------


@pytest.mark.usefixtures("game")
def test_an_address_that_was_changed_reads_no_hand(table: Table) -> None:
    """Nothing is sent to the spy's address, and an admin is notified once."""
    before = len(table.delivery.mails)
    assert sql(table, "UPDATE address SET address = :spy WHERE address = :bob", spy=SPY, bob=BOB)
    write_orders(table, SPY, "hand", "resend", "games")
    assert table.sent_to(SPY) == []
    assert table.sent_to(BOB)[before:] == []
    assert sql(table, "UPDATE address SET address = :bob WHERE address = :spy", spy=SPY, bob=BOB)
    (told,) = find_alerts(table)
    assert find_id(table, "Bob") in told
    assert "@example" not in told.replace("root@example.org", "")
    write_orders(table, BOB, "hand")
    assert "Your hand" in table.last_to(1).words


def test_players_that_change_their_numbers(table: Table, game: Game) -> None:
    """Neither player gets a message, and none about the other's cards."""
    sent = len(table.delivery.mails)
    anna, bob = (seat.player for seat in game.seats)
    sql(table, "UPDATE address SET is_primary = :no", no=False)
    for address, player in ((ANNA, bob), (BOB, anna)):
        sql(table, "UPDATE address SET player_id = :id WHERE address = :it", id=player, it=address)
    sql(table, "UPDATE address SET is_primary = :yes", yes=True)
    write_orders(table, ANNA, "hand")
    write_orders(table, BOB, "hand")
    assert [mail for mail in table.delivery.mails[sent:] if "Your hand" in mail.words] == []
    assert len(find_alerts(table)) == 2


@pytest.mark.usefixtures("game")
def test_another_primary_address_gets_no_mail(table: Table) -> None:
    """Messages wait until the row is restored."""
    old = "bob@old.example"
    table.answer_twice(1, f"address add {old}")
    table.answer(1, "yes", to=table.sent_to(old)[-1].reply_to, sender=old)
    sent = len(table.delivery.mails)
    for address, flag in ((BOB, False), (old, True)):
        sql(table, "UPDATE address SET is_primary = :flag WHERE address = :it",
            flag=flag, it=address)  # fmt: skip
    table.answer(0, "pause")
    assert {mail.rcpt_to for mail in table.delivery.mails[sent:]} <= {ANNA, "root@example.org"}
    assert len(find_alerts(table)) == 1
    for address, flag in ((old, False), (BOB, True)):
        sql(table, "UPDATE address SET is_primary = :flag WHERE address = :it",
            flag=flag, it=address)  # fmt: skip
    table.wait(hours=2)
    assert [mail.rcpt_to for mail in table.delivery.mails[sent:]].count(BOB) >= 1


def test_reply_addresses_that_were_void_stay_so(table: Table) -> None:
    """Resetting the rotation does not make old addresses valid."""
    game, seat = start_to_move(table)
    leaked = table.last_to(seat).reply_to
    table.write(lambda uow: uow.players.rotate(game.seats[seat].player))
    sql(table, "UPDATE player SET rotation = 0")
    _, order = table.standby(game)
    table.answer(seat, order, to=leaked)
    assert table.game(game.id).version == game.version
    assert len(find_alerts(table)) == 1


# -- seats -------------------------------------------------------------------------------------


def test_a_seat_is_whose_the_log_says(table: Table) -> None:
    """Exchange the owners in the projection."""
    game, seat = start_to_move(table)
    other = 1 - seat
    anna, bob = (owner.player for owner in game.seats)
    exchange = "UPDATE seat SET player_id = CASE player_id WHEN :anna THEN :bob ELSE :anna END"
    sql(table, exchange, anna=anna, bob=bob)
    _, order = table.standby(game)
    leaked = table.last_to(seat).reply_to
    table.answer(other, order, to=leaked)
    assert table.game(game.id).version == game.version, "the other one's mail is held"
    table.answer(seat, order, to=leaked)
    assert table.game(game.id).version > game.version


@pytest.mark.parametrize("is_added", [True, False])
def test_an_end_that_somebody_wrote_opens_no_hand(table: Table, game: Game, is_added: bool) -> None:
    """Add an event with the right hash, or change one without triggers."""
    last = table.read(lambda uow: uow.events.read(game.id)[-1])
    over = GameFinished(((0,), (1,)), "finished", None, "00" * 32)
    finished = codec.encode(Recorded(1, table.clock.now(), "system", None, "", over))
    (end,) = chain(game.id, (last.version, last.hash), [finished], last.recorded_at)
    if is_added:
        changes = {
            name: getattr(end, name) for name in ("version", "type", "actor", "prev_hash", "hash")
        }
        changes |= {
            "public": dump(end.public),
            "schema_version": 1,
            "position": 999,
            "secret_commitment": None,
        }
        copy_row(table, "event", f"version = {last.version}", **changes)
    else:
        sql(table, "DROP TRIGGER event_no_update")
        statement = (
            "UPDATE event SET type = :type, public = :public, schema_version = 1 WHERE version = :v"
        )
        sql(table, statement, type=end.type, public=dump(end.public), v=last.version)
    anna = table.service.tokens.address(PlayerToken(find_id(table, "Anna"), 0))
    told = table.ask(0, f"export {game.id}", to=anna)
    assert list(told.message.iter_attachments()) == []
    assert "does not hold" in told.words


# -- mails that wait ---------------------------------------------------------------------------


@pytest.mark.parametrize("column", ["player_id", "seat", "kind", "game_id"])
def test_a_mail_that_waits_goes_to_who_was_meant(table: Table, game: Game, column: str) -> None:
    """A message with another player, seat, kind or game is not sent."""
    other = table.started(2, seed=2)
    table.answer(1, "board", run=False)
    handle_all(table.service)
    number = select(table, "SELECT max(id) FROM outbox")[0][0]
    values = {"player_id": game.seats[0].player, "seat": 0, "kind": "digest", "game_id": other.id}
    (row,) = select(table, "SELECT * FROM outbox WHERE id = :id", id=number)
    meant = values[column] if values[column] != row._mapping[column] else game.id
    sent = len(table.delivery.mails)
    sql(table, f"UPDATE outbox SET {column} = :to WHERE id = :id", to=meant, id=number)  # noqa: S608
    table.run()
    assert [mail for mail in table.delivery.mails[sent:] if "Your hand" in mail.words] == []
    assert len(find_alerts(table)) == 1
    back = row._mapping[column]
    sql(table, f"UPDATE outbox SET {column} = :to WHERE id = :id", to=back, id=number)  # noqa: S608
    table.wait(hours=2)
    assert "Your hand" in table.last_to(1).words


# -- mails that came in ------------------------------------------------------------------------


def test_an_old_mail_is_not_carried_out_again(table: Table, game: Game) -> None:
    """A handled message is quarantined if its status or its whole row is reset."""
    table.answer(1, "say hello", run=False)
    (first,) = select(table, "SELECT * FROM inbox ORDER BY id DESC LIMIT 1")
    table.run()
    after = table.game(game.id)
    sql(table, "UPDATE inbox SET status = 'new' WHERE id = :id", id=first.id)
    table.run()
    assert table.game(game.id).version == after.version
    table.run()
    assert len(find_alerts(table)) == 1
    names = ", ".join(f"{name} = :{name}" for name in first._mapping if name != "id")
    sql(table, f"UPDATE inbox SET {names} WHERE id = :id", **first._mapping)  # noqa: S608
    table.run()
    assert table.game(game.id).version == after.version


@pytest.mark.usefixtures("game")
def test_a_yes_is_about_the_mail_that_was_asked_about(table: Table) -> None:
    """Exchange two held messages."""
    write_orders(table, BOB, "address add bob@work.example")
    question = table.last_to(1)
    table.clock.forward(hours=2)  # such mails are asked about once an hour
    write_orders(table, BOB, f"address add {SPY}")
    (first, second) = select(table, "SELECT id FROM inbox WHERE status = 'held' ORDER BY id")
    for old, new in ((first.id, -1), (second.id, first.id), (-1, second.id)):
        sql(table, "UPDATE inbox SET id = :new WHERE id = :old", old=old, new=new)
    table.answer(1, "yes", to=question.reply_to)
    assert table.sent_to(SPY) == []


@pytest.mark.parametrize(("column", "value"), [("seat", 0), ("player_id", "x"), ("key", "y")])
def test_a_mail_that_was_changed_stops_no_other(
    table: Table, game: Game, column: str, value: object
) -> None:
    """It is quarantined, and later messages are carried out."""
    table.answer(1, "pause", run=False)
    sql(table, f"UPDATE inbox SET {column} = :to WHERE status = 'new'", to=value)  # noqa: S608
    table.answer(0, "pause")
    assert table.game(game.id).votes["pause"] == {0: True}
    statuses = select(table, "SELECT status FROM inbox ORDER BY id DESC LIMIT 2")
    assert [row.status for row in statuses] == ["done", "shunted"]


@pytest.mark.parametrize("is_primary", [False, True])
@pytest.mark.usefixtures("game")
def test_a_second_row_writes_for_nobody(table: Table, is_primary: bool) -> None:
    """Copy Bob's row with the spy's address."""
    if is_primary:
        sql(table, "UPDATE address SET is_primary = :no WHERE address = :bob", no=False, bob=BOB)
    copy_row(table, "address", f"address = '{BOB}'", address=SPY, is_primary=is_primary)
    write_orders(table, SPY, "hand", "resend")
    table.answer(1, "hand", to=table.last_to(1).reply_to, sender=SPY)
    assert table.sent_to(SPY) == []
    assert len(find_alerts(table)) == 1
