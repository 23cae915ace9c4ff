"""A running game that moves to another server, and back: nobody loses a card, and nobody peeks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from pbem.domain.events import GameArrived, GameMoved
from pbem.domain.game import Game
from pbem.errors import ConfigError, LogError, Refusal, TransientDeliveryError
from pbem.service import (
    acts,
    disputes,
    importing,
    lobby,
    looking,
    maintenance,
    merging,
    moving,
    people,
)
from pbem.service.exports import export_lines
from pbem.service.verify import verify_file, verify_game
from pbem.store.locked import lock, unlock
from pbem.store.uow import Store
from tests.databases import PostgresServer, sqlite_file
from tests.service.conftest import Table, make_table

PASSPHRASE = "correct horse"
CHEAP = 2**4


@dataclass
class File:
    """What was written, and how often."""

    texts: list[str] = field(default_factory=list)

    @property
    def data(self) -> bytes:
        return self.texts[-1].encode()


def other_table(store: Store) -> Table:
    table = make_table(store)
    tokens = replace(table.service.tokens, keys=(b"o" * 32,), domain="other.example.net")
    table.service = replace(table.service, tokens=tokens)
    return table


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Table]:
    with closing(Store(f"sqlite:///{sqlite_file(tmp_path, 'other.sqlite3')}")) as store:
        yield other_table(store)


def sent(table: Table, game: Game, reason: str = "We have a better server.") -> File:
    file = File()
    moving.send_away(table.service, game.id, reason, PASSPHRASE, file.texts.append, cost=CHEAP)
    table.run()
    return file


def taken(table: Table, file: File) -> importing.Imported:
    imported = moving.take_in_sealed(table.service, file.data, PASSPHRASE, "game.sealed")
    table.run()
    return imported


@pytest.mark.rule("GEN-1")
def test_game_goes_on_at_the_other_server(table: Table, server: PostgresServer) -> None:
    """Same cards, same people, new addresses; played to an end that everybody can check."""
    game = table.skip(table.started(2), 8)
    file = sent(table, game)
    with server.store() as store:
        there = other_table(store)
        imported = taken(there, file)
        after = there.game(game.id)
        assert (imported.report.head, imported.is_new) == (after.head, True)
        assert after.status == "running"
        assert after.ruleset.state_json(after.state) == game.ruleset.state_json(game.state)
        assert after.deadline is not None
        seat = int(after.to_act[0])
        for number in (0, 1):
            assert "The game goes on here" in there.last_to(number).words
            assert "We have a better server." in there.last_to(number).words
            assert there.last_to(number).reply_to.endswith("@other.example.net")
        there.answer(seat, there.standby(after)[1])
        played = there.game(game.id)
        assert played.ruleset.ply(played.state) > game.ruleset.ply(game.state)
        ended = acts.stop(there.service, game.id, "Enough.")
        assert maintenance.check(there.service, lambda _: None) == []
        with store.reading() as uow:
            data = b"".join(line + b"\n" for line in export_lines(uow, game.id))
        assert verify_file(data, heads=[game.head, ended.head]).complete


def test_old_server_stands_still(table: Table) -> None:
    """Mails are answered with where the game is; no act of an admin, no clock, no peek."""
    game = table.skip(table.started(3), 6)
    sent(table, game)
    gone = table.game(game.id)
    assert (gone.status, gone.deadline, gone.to_act) == ("moved", None, ())
    for seat in range(3):
        assert "another server" in table.last_to(seat).words
        assert "We have a better server." in table.last_to(seat).words
    seat, order = table.standby(game)
    for text in (order, "resign\nconfirm", "dispute x", "pause", "vacation 1 Dec to 3 Dec", "hand"):
        table.answer(seat, text)
        assert {mail.status for mail in table.inbox()} == {"done"}
    assert "has moved to another server" in table.last_to(seat).words
    table.clock.forward(days=30)
    table.run()
    for act in (
        lambda: acts.stop(table.service, game.id, "x"),
        lambda: acts.remove(table.service, game.id, "0", "x"),
        lambda: acts.undo(table.service, game.id, "1", "x"),
        lambda: acts.adjudicate(table.service, game.id, "0,1,2", "x"),
        lambda: acts.replace(table.service, game.id, "0", lobby.Person("D", "d@example.org"), "x"),
        lambda: looking.replay(table.service, game.id, seats=[0], reason="x"),
        lambda: sent(table, game),
    ):
        with pytest.raises(Refusal, match="moved to another server"):
            act()
    assert table.game(game.id).version == gone.version
    assert maintenance.check(table.service, lambda _: None) == []
    found = people.collect(table.service, "Anna")
    assert game.server_secret not in json.dumps(found)


def test_turn_mail_that_has_not_left_stays(table: Table) -> None:
    """It would ask for an answer to where nothing moves any more."""
    game = table.started(2)
    table.delivery.error = TransientDeliveryError("later")
    table.skip(game, 1)
    table.delivery.error = None
    sent(table, game)
    table.clock.forward(days=1)
    table.run()
    assert [mail.status for mail in table.outbox() if mail.kind == "turn"][-1] == "superseded"


def test_file_taken_in_twice_and_taken_back(table: Table, other: Table) -> None:
    """A second time is said; at the old server it brings the game back, with the time anew."""
    game = table.skip(table.started(2), 4)
    file = sent(table, game)
    taken(other, file)
    version = other.game(game.id).version
    assert not taken(other, file).is_new
    assert other.game(game.id).version == version
    assert taken(table, file).is_new
    back = table.game(game.id)
    assert (back.status, back.to_act) == ("running", game.to_act)
    seat, order = table.standby(back)
    table.answer(seat, order)
    assert table.game(game.id).position > back.position
    with pytest.raises(Refusal, match="another log"):
        taken(table, sent(other, other.game(game.id)))


def test_there_and_back_again(table: Table, other: Table) -> None:
    """Played on elsewhere, then home: the old log is continued by what happened there."""
    game = table.skip(table.started(2), 4)
    taken(other, sent(table, game))
    game = other.skip(other.game(game.id), 3)
    taken(table, sent(other, game, "Home again."))
    back = table.game(game.id)
    assert back.ruleset.state_json(back.state) == game.ruleset.state_json(game.state)
    kinds = [type(item.event) for item in table.log(back)]
    assert kinds.count(GameMoved) == kinds.count(GameArrived) == 2
    with table.service.store.reading() as uow:
        verify_game(uow, game.id, heads=[game.head])
    assert maintenance.check(table.service, lambda _: None) == []


def test_people_who_are_known_there(table: Table, other: Table) -> None:
    """The same address is the same person, under the id of that server; others keep theirs."""
    game = table.skip(table.started(3), 4)
    with other.service.store.unit_of_work() as uow:
        bob = uow.players.add("Robert", "UTC", created_at=other.clock.now())
        uow.players.add_address(bob.id, "bob@example.org", is_primary=True)
    taken(other, sent(table, game))
    after = other.game(game.id)
    assert after.seats[1].player == bob.id
    assert [after.seats[n].player for n in (0, 2)] == [game.seats[n].player for n in (0, 2)]
    seat, order = other.standby(after)
    other.answer(seat, order)
    assert other.game(game.id).version > after.version


def test_who_became_one_player_meanwhile(table: Table, other: Table) -> None:
    """The game that comes home knows the id that is no player any more: the seat is the other's."""
    game = table.skip(table.started(2), 4)
    taken(other, sent(table, game))
    lobby.add_player(table.service, lobby.Person("Anni", "anni@work.example"))
    done = merging.merge(table.service, "Anna", "Anni")
    assert done.games == ()
    taken(table, sent(other, other.game(game.id), "Home again."))
    assert table.game(game.id).seats[0].player == done.player.id


def test_further_addresses_are_not_believed(table: Table, other: Table) -> None:
    """A file could say that anybody's address is one of its players', and have their mails sent there."""
    game = table.skip(table.started(2), 4)
    with table.service.store.unit_of_work() as uow:
        uow.players.add_address(game.seats[0].player, "carol@example.org", is_primary=False)
    taken(other, sent(table, game))
    with other.service.store.reading() as uow:
        assert uow.players.addresses(game.seats[0].player) == ["anna@example.org"]
        assert uow.players.by_address("carol@example.org") is None


def test_words_and_reasons_come_along(table: Table, other: Table) -> None:
    """Texts that open never are in the file, sealed: a dispute can be settled there."""
    game = table.skip(table.started(2), 4)
    table.answer(1, "dispute this was not my card")
    taken(other, sent(table, game))
    assert other.game(game.id).paused_at is not None
    assert disputes.find(other.service, game.id, 1).text == "this was not my card"
    disputes.resolve(other.service, game.id, 1, "It was.")
    assert other.game(game.id).deadline is not None


def test_what_anybody_reads_in_the_file(table: Table) -> None:
    """Which game, and nothing of cards, people or secrets; a wrong passphrase opens nothing."""
    game = table.skip(table.started(2), 4)
    file = sent(table, game)
    said = json.loads(file.texts[0])
    assert said["game"] == game.id
    for word in (game.server_secret, "Anna", "anna@example.org"):
        assert word not in file.texts[0]
    for passphrase, text in (("wrong horse", file.texts[0]), (PASSPHRASE, file.texts[0][:-90])):
        with pytest.raises(ConfigError):
            moving.take_in_sealed(table.service, text.encode(), passphrase, "game.sealed")


def test_game_stays_where_the_file_cannot_be_written(table: Table) -> None:
    """No file, no reason, a short passphrase: refused, and the game goes on."""
    game = table.skip(table.started(2), 2)

    def fail(_text: str) -> None:
        raise Refusal("file", "disk full")

    for reason, passphrase in (("x", PASSPHRASE), (" ", PASSPHRASE), ("x", "short")):
        with pytest.raises((Refusal, ConfigError)):
            moving.send_away(table.service, game.id, reason, passphrase, fail, cost=CHEAP)
    assert table.game(game.id).status == "running"
    with pytest.raises(Refusal, match="not begun"):
        sent(table, table.new_game(3))


@pytest.mark.rule("GEN-6")
def test_game_does_not_move_amid_secret_choices(table: Table) -> None:
    """Else a new deadline would tell who has chosen."""
    game = table.started(2, ruleset="cathedral")
    assert game.is_choosing
    with pytest.raises(Refusal, match="choose secretly"):
        sent(table, game)


def test_content_that_is_no_json(other: Table) -> None:
    """Whoever knows the passphrase can lock up anything."""
    text = lock(b"{", PASSPHRASE, moving.FORMAT, cost=CHEAP)
    with pytest.raises(LogError, match="damaged"):
        moving.take_in_sealed(other.service, text.encode(), PASSPHRASE, "x")


@pytest.mark.parametrize(
    "damage", ["move", "secret", "end", "player", "zone", "rotation", "fields"]
)
def test_content_is_believed_in_nothing(table: Table, other: Table, damage: str) -> None:
    """Whoever has the passphrase can write a file; what does not verify is refused all the same."""
    game = table.skip(table.started(2), 4)
    inside = json.loads(unlock(sent(table, game).texts[0], PASSPHRASE, moving.FORMAT, "x"))
    events, (anna, _) = inside["events"], inside["players"]
    match damage:
        case "move":
            next(e for e in events if e["type"] == "MovePlayed")["public"]["move"] = "pickup"
        case "secret":
            events[0]["secret"]["payload"]["server_secret"] = "11" * 32
        case "end":
            events.pop()
        case "player":
            anna["name"] = "A\nnna"
        case "zone":
            anna["zone"] = "Mars/Crater"
        case "rotation":
            anna["rotation"] = "1"
        case "fields":
            del inside["players"][0]["id"]
    text = lock(json.dumps(inside).encode(), PASSPHRASE, moving.FORMAT, cost=CHEAP)
    with pytest.raises(LogError):
        taken(other, File([text]))
    with other.service.store.reading() as uow:
        assert list(uow.events.games()) == []
        assert uow.players.list() == []
