"""Test moving games between installations, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from pbem.domain.log.events import opens
from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import SeatToken
from pbem.errors import LogError, PbemError, Refusal, StoreError
from pbem.service.admin import acts
from pbem.service.logbook import importing, replays
from pbem.service.logbook.verify import verify_game
from pbem.store.db.uow import Store
from tests.databases import PostgresServer, sqlite_file, sqlite_store
from tests.service.conftest import Table, failing, make_table
from tests.service.forging import forged


@dataclass
class Old:
    """The installation that a game comes from: stopped there, with words that are private."""

    table: Table
    game: Game
    data: bytes


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Old]:
    with sqlite_store(tmp_path_factory.mktemp("old")) as store:
        table = make_table(store)
        game = table.skip(table.started(2), 10)
        game = acts.stop(table.service, game.id, "We must all go home.")
        table.run()
        yield Old(table, game, table.export(game.id))


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Table]:
    """Another installation, with people and a key of its own."""
    store = Store(f"sqlite:///{sqlite_file(tmp_path, 'other.sqlite3')}")
    with closing(store):
        table = make_table(store)
        tokens = replace(table.service.tokens, keys=(b"o" * 32,), domain="other.example.net")
        table.service = replace(table.service, tokens=tokens)
        yield table


def test_round_trip_between_sqlite_and_postgresql(
    old: Old, other: Table, server: PostgresServer
) -> None:
    """There and back again: the file stays the same to the byte, and everything holds there."""
    game, data = old.game, old.data
    with server.store() as store:
        there = make_table(store)
        for at in (there, other):
            imported = importing.take_in(at.service, data)
            assert imported.is_new
            assert imported.report.head == game.head
            assert at.check() == []
            assert at.export(game.id) == data
            after = at.game(game.id)
            assert (after.version, after.head, after.status) == (game.version, game.head, "stopped")
            assert after.ruleset.state_json(after.state) == game.ruleset.state_json(game.state)
            data = at.export(game.id)
    assert other.read(lambda uow: verify_game(uow, game.id, heads=[game.head]).complete)


def test_people_and_private_words_stay_behind(old: Old, other: Table) -> None:
    """The imported game has no names or reasons, and no player is notified."""
    game = old.game
    importing.take_in(other.service, old.data)
    found = replays.replay(other.service, game.id)
    assert not {"Anna", "Bob"} & set(found.names)
    assert len(set(found.names)) == 2
    with other.service.store.reading() as uow:
        assert not any(
            event.secret is not None
            for event in uow.events.read(game.id)
            if event.type == "GameStopped"
        )
        assert {opens(event) for event in uow.events.read(game.id) if event.secret} == {"game_end"}
    other.run()
    assert other.outbox() == []
    assert b"must all go home" not in other.export(game.id)


def test_second_time_changes_nothing(old: Old, other: Table) -> None:
    """A second import adds nothing, also at the origin of the game."""
    game = old.game
    importing.take_in(other.service, old.data)
    for at in (other, old.table):
        assert not importing.take_in(at.service, old.data).is_new
        assert at.game(game.id).version == game.version
        assert at.check() == []


def kept(events: list[dict[str, Any]]) -> None:
    """Change only the chain."""


def test_other_log_of_the_same_game_is_refused(old: Old, other: Table) -> None:
    """Whichever came first stays, and both heads are named."""
    data = forged(old.data, lambda events: events[0].update(actor="admin:mail"))
    assert importing.take_in(other.service, data).is_new
    head = other.game(old.game.id).head
    with pytest.raises(Refusal, match=f"(?s){head}.*{old.game.head}"):
        importing.take_in(other.service, old.data)
    assert other.game(old.game.id).head == head


def test_running_game_is_refused(table: Table, other: Table) -> None:
    """Its export is redacted, so the game could not continue."""
    game = table.skip(table.started(2), 6)
    with pytest.raises(Refusal, match="still runs"):
        importing.take_in(other.service, table.export(game.id))
    assert other.read(lambda uow: list(uow.events.games())) == []


@pytest.mark.parametrize(
    "game_id", ["aaaaaaaaa", "../../etc", "ABCDEFGHIJ", "aaaaaaaaaaa", "aaaaaaaaa\n"]
)
def test_strange_ids_are_refused(old: Old, other: Table, game_id: str) -> None:
    """Ids have ten lowercase letters and digits."""
    assert importing.take_in(other.service, forged(old.data, kept, game_id="aaaaaaaaaa")).is_new
    with pytest.raises(LogError, match="no id"):
        importing.take_in(other.service, forged(old.data, kept, game_id=game_id))


def test_trouble_in_the_middle_leaves_nothing(
    old: Old, other: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failure rolls back events and projections."""
    monkeypatch.setattr(importing, "verify_game", failing(StoreError("the disk is full")))
    with pytest.raises(PbemError):
        importing.take_in(other.service, old.data)
    monkeypatch.undo()
    assert other.check() == []
    assert importing.take_in(other.service, old.data).is_new


def test_old_reply_address_of_an_imported_game(old: Old, other: Table) -> None:
    """A known player reads that the address is not valid. A stranger gets no answer."""
    game = old.game
    address = old.table.last_to(0).reply_to
    importing.take_in(other.service, old.data)
    other.new_game(2)  # makes Anna and Bob known there
    count = len(other.delivery.mails)
    token = SeatToken(game.id, 0, 1, 0, game.version, 0)
    for to in (
        address.replace("play.example.org", "other.example.net"),  # with the MAC of the old key
        other.service.tokens.address(token),  # the key moved along
    ):
        other.answer(0, "pickup", to=to)
        assert len(other.delivery.mails) == count + 1
        assert "not valid" in other.last_to(0).words
        other.answer(0, "pickup", to=to, sender="eve@example.org")
        count += 1
        assert len(other.delivery.mails) == count
        other.clock.forward(hours=2)  # what proves nothing is answered once an hour
    assert other.game(game.id).version == game.version


def test_same_game_under_another_id(old: Old, other: Table) -> None:
    """Recognise a game by its secret, even if its whole chain is new."""
    data = forged(old.data, kept, game_id="aaaaaaaaaa")
    assert importing.take_in(other.service, data).is_new
    with pytest.raises(Refusal, match="is here as aaaaaaaaaa"):
        importing.take_in(other.service, old.data)
    with pytest.raises(Refusal, match=f"is here as {old.game.id}"):
        importing.take_in(old.table.service, data)


def test_a_file_names_no_player_of_this_server(old: Old, other: Table) -> None:
    """Only an admin can confirm that players of this server took part."""
    player = other.new_game(2, seed=7).seats[0].player

    def change(events: list[dict[str, Any]]) -> None:
        text = json.dumps(events).replace(events[0]["public"]["seats"][0], player)
        events[:] = json.loads(text)

    data = forged(old.data, change)
    count = len(other.delivery.mails)
    with pytest.raises(Refusal, match="names 1 of the players of this server"):
        importing.take_in(other.service, data)
    assert other.read(lambda uow: uow.events.head(old.game.id)) is None
    assert importing.take_in(other.service, data, may_name_players=True).is_new
    other.run()
    assert len(other.delivery.mails) == count
    assert "Anna" in replays.replay(other.service, old.game.id).names


def list_ranked(table: Table) -> set[str]:
    return table.read(lambda uow: {one.player_id for one in uow.standings.rated()})


def test_imported_game_counts_only_if_the_admin_says_so(
    table: Table, game: Game, other: Table
) -> None:
    """The decision may come later and survives rebuilds."""
    table.answer_twice(0, "resign confirm")
    data = table.export(game.id)
    assert len(list_ranked(table)) == 2
    assert not importing.take_in(other.service, data).is_rated
    for _ in range(2):
        assert list_ranked(other) == set()
        other.write(lambda uow: uow.projections.rebuild())
    again = importing.take_in(other.service, data, is_rated=True)
    assert (again.is_new, again.is_rated) == (False, True)
    for _ in range(2):
        assert list_ranked(other) == list_ranked(table)
        assert other.check() == []
        other.write(lambda uow: uow.projections.rebuild())
    assert importing.take_in(other.service, data).is_rated
    assert importing.take_in(table.service, data).is_rated
