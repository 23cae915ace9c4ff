"""Test abandoning a lost key: its games are lost, and other games go on."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from sqlalchemy import select

from pbem.domain.table.game import Game
from pbem.errors import KeyMissingError, Refusal
from pbem.service.logbook.verify import verify_public
from pbem.service.people import data_export as people
from pbem.service.people import erasure
from pbem.store.rows.core import EVENT, EVENT_SECRET
from pbem.store.seal.binding import resign_lost
from pbem.store.seal.keyring import Key, KeyRing
from tests.service.conftest import START, Table


@dataclass
class Lost:
    """A game whose key was lost, and one that began afterwards."""

    table: Table
    dead: Game
    alive: Game


def lose_key(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Abandon the key and continue with a new one."""
    with table.service.store.reading() as uow:
        lost = frozenset(key.kid for key in uow.envelopes.ring.data)
    new = Key.made(START.date(), b"\x77" * 32)
    ring = KeyRing((new,), sealed_only=True, lost=lost)
    monkeypatch.setattr(table.service.store, "keys", lambda: ring)
    with table.service.store.unit_of_work() as uow:
        resign_lost(uow.connection, uow.envelopes, lost)


@pytest.fixture
def lost(table: Table, monkeypatch: pytest.MonkeyPatch) -> Lost:
    dead = table.started(2)
    table.answer(0, "say to bob: psst")
    table.answer(0, "dispute My cards are marked.")
    lose_key(table, monkeypatch)
    return Lost(table, dead, table.started(2, seed=2))


def test_people_are_told_what_there_is(lost: Lost) -> None:
    """The export names the lost game without its messages."""
    found = people.collect(lost.table.service, "Anna")
    games = {game["game"]: game for game in found["games"]}  # type: ignore[union-attr, index, call-overload]
    assert games[lost.dead.id]["is_lost"] is True
    assert games[lost.dead.id]["said"] == []
    assert "is_lost" not in games[lost.alive.id]
    shown = [mail["game"] for mail in found["mails_out"] if mail["mail"] is not None]  # type: ignore[union-attr, index, call-overload]
    assert lost.dead.id not in shown


def test_people_are_forgotten(lost: Lost) -> None:
    """Erase secrets of the lost game, too, in case the key is found."""
    table, alive = lost.table, lost.alive
    with pytest.raises(Refusal, match=alive.id):
        erasure.forget(table.service, "Anna", "They asked for it.")
    table.answer_twice(0, "resign confirm")
    done = erasure.forget(table.service, "Anna", "They asked for it.")
    assert set(done.games) == {lost.dead.id, alive.id}
    with table.service.store.reading() as uow:
        assert verify_public(uow, lost.dead.id).head
        of_dead = select(EVENT.c.type, EVENT_SECRET.c.payload).where(
            EVENT.c.game_id == lost.dead.id,
            EVENT_SECRET.c.game_id == lost.dead.id,
            EVENT_SECRET.c.version == EVENT.c.version,
        )
        left = {(kind, payload is None) for kind, payload in uow.connection.execute(of_dead)}
        assert left == {
            ("GameCreated", False),
            ("GameStarted", False),
            ("GamePaused", True),
            ("DisputeOpened", True),
            ("Hidden", True),
        }
        assert {mail.player_id for mail in uow.outbox.list(limit=99)} == {
            None,
            (lost.dead.seats[1].player),
        }


def test_a_key_that_may_come_back_is_waited_for(
    lost: Lost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing key is an error unless it was given up."""
    missing = KeyRing(lost.table.service.store.keys().keys, sealed_only=True)
    monkeypatch.setattr(lost.table.service.store, "keys", lambda: missing)
    for act in (
        lambda: people.collect(lost.table.service, "Anna"),
        lambda: erasure.forget(lost.table.service, "Anna", "They asked for it."),
    ):
        with pytest.raises(KeyMissingError, match="give-up"):
            act()
