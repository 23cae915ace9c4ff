"""Test that forgetting a player erases name, address and texts, and games still verify."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pbem.domain.table.game import Game
from pbem.errors import Refusal
from pbem.service.admin import acts, disputes
from pbem.service.core import names
from pbem.service.evidence import auditing
from pbem.service.lobby import making as lobby
from pbem.service.logbook.exports import export_lines
from pbem.service.logbook.verify import verify_file, verify_game
from pbem.service.people import forgetting
from pbem.service.people import stored as people
from pbem.service.upkeep import maintenance
from pbem.store.db.uow import Store
from pbem.store.post.outgoing import RENDERED, SAID
from pbem.store.rows.core import ADDRESS, BOUNCE, OUTBOX, PLAYER, REACH
from tests.databases import PostgresServer, sqlite_file
from tests.service import conftest
from tests.service.conftest import Table, make_table

NAME = "Wilhelmina"
ADDRESS_OF_HERS = "wilhelmina@example.org"
PRIVATE = "Xylophonkonzert"
ABOUT = "Zimmerlinde"
WORDS = (NAME, NAME.lower(), ADDRESS_OF_HERS, PRIVATE, ABOUT)


@pytest.fixture(autouse=True)
def somebody_of_note(monkeypatch: pytest.MonkeyPatch) -> None:
    """Her name is long enough to be found in bytes and by no accident."""
    monkeypatch.setattr(conftest, "NAMES", (NAME, "Bob", "Carol"))


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[Table]:
    """A database in which nothing is sealed: whatever is left can be read."""
    with closing(Store(f"sqlite:///{sqlite_file(tmp_path)}")) as store:
        yield make_table(store)


def encoded(word: str) -> list[bytes]:
    """A word as it stands in a file: plain, or within base64 at any of three places."""
    data = word.encode()
    found = [data]
    for before in range(3):
        text = base64.b64encode(b"\0" * before + data)
        first = -(-before * 8 // 6)
        last = (before + len(data)) * 8 // 6
        found.append(text[first:last])
    return found


def remaining(table: Table) -> set[str]:
    """Which words can be read from the bytes of the database and what lies beside it."""
    file = table.file
    data = b"".join(path.read_bytes() for path in sorted(file.parent.glob(f"{file.name}*")))
    return {word for word in WORDS if any(form in data for form in encoded(word))}


def played(table: Table) -> Game:
    """A game with talk about her: disputes, reasons, other people's quotes; she has just left."""
    game = table.started(3)
    table.answer(0, f"dispute I was at the {PRIVATE} that evening")
    table.answer(1, f"dispute {NAME} was there and I was not")
    for number, text in ((1, f"{ABOUT}, says the witness."), (2, f"Ask {NAME}.")):
        disputes.resolve(table.service, game.id, number, text)
    table.run()
    game = table.skip(table.game(game.id), 6)
    table.answer(1, f"help\n\n> {NAME} wrote:\n> {PRIVATE}")
    table.answer(0, "say nothing\n" + PRIVATE, sender="w.other@example.org")
    acts.remove(table.service, game.id, "0", f"She moved away: {ABOUT}.")
    table.run()
    return table.game(game.id)


def test_not_a_byte_is_left(plain: Table) -> None:
    """All of it is there before, none after; the log knows an id, and verifies."""
    game = played(plain)
    player = game.seats[0].player
    assert remaining(plain) == set(WORDS)
    done = forgetting.forget(plain.service, NAME, "They asked for it.")
    plain.service.store.vacuum()
    assert remaining(plain) == set()
    assert (done.player_id, done.games) == (player, (game.id,))
    assert done.texts == 5
    assert maintenance.check(plain.service, lambda _: None) == []
    with plain.service.store.reading() as uow:
        verify_game(uow, game.id, heads=[game.head])
        for table in (PLAYER, ADDRESS, REACH, BOUNCE):
            name = "id" if table is PLAYER else "player_id"
            rows = uow.connection.execute(table.select().where(table.c[name] == player))
            assert rows.all() == []
    assert plain.game(game.id).seats[0].player == player


@pytest.mark.parametrize("order", ["observe", "replace"])
def test_who_looked_on_or_was_offered_a_seat(plain: Table, order: str) -> None:
    """The others read the name, and wrote the address: nothing of it is left either."""
    lobby.add_player(plain.service, lobby.Person(NAME, ADDRESS_OF_HERS))
    bob, carol = (lobby.Person(name, f"{name.lower()}@example.org") for name in ("Bob", "Carol"))
    game = lobby.create_game(plain.service, [bob, carol], lobby.GamePlan("phyliss"))
    plain.run()
    plain.answer(1, "join")
    plain.answer(2, "join")
    if order == "observe":
        plain.answer(0, f"observe {game.id}", to=plain.service.own_address)
        plain.answer(0, "yes")
        plain.answer(1, "yes")
        plain.answer(2, "yes")
        assert "You are watching" in plain.last_to(0).words
    else:
        plain.answer_twice(1, f"replace me with {ADDRESS_OF_HERS}")
        plain.answer(2, "yes")
        plain.answer(0, "decline")
        assert "You do not take over" in plain.last_to(0).words
    seat, move = plain.standby(plain.game(game.id))
    plain.answer(seat + 1, move)
    assert remaining(plain) >= {NAME, ADDRESS_OF_HERS}
    done = forgetting.forget(plain.service, NAME, "They asked for it.")
    plain.service.store.vacuum()
    assert remaining(plain) == set()
    assert done.games == (game.id,)
    for _ in range(2):
        seat, move = plain.standby(plain.game(game.id))
        plain.answer(seat + 1, move)
    assert {mail.status for mail in plain.outbox()} <= {"sent", "superseded"}
    assert maintenance.check(plain.service, lambda _: None) == []


def test_audit_says_that_a_mail_was_erased(plain: Table) -> None:
    """Its hash stays in the chain; that no bytes fit it is no alarm."""
    game = played(plain)
    forgetting.forget(plain.service, NAME, "They asked for it.")
    acts.stop(plain.service, game.id, "Enough.")
    audited = auditing.audit(plain.service, game.id)
    joined = next(n for n, e in enumerate(audited.entries) if e.step.recorded.actor == "seat:0")
    source = auditing.inquire(plain.service, audited, f"@{joined + 1}").source
    assert source is not None
    assert source.is_erased
    assert source.text is None


def test_game_goes_on_without_them(plain: Table) -> None:
    """The others play to the end and are mailed; nobody writes to who is gone, nobody is stuck."""
    game = played(plain)
    plain.answer(1, "help", run=False)
    plain.run()
    count = len(plain.mails_to(0))
    old = plain.last_to(0).reply_to
    forgetting.forget(plain.service, ADDRESS_OF_HERS, "They asked for it.")
    seat, order = plain.standby(plain.game(game.id))
    plain.answer(seat, order)
    assert "somebody" in plain.last_to(seat).words
    plain.answer(0, "play 7", to=old)
    ended = acts.stop(plain.service, game.id, "Enough.")
    plain.run()
    assert len(plain.mails_to(0)) == count
    assert "Enough." in plain.last_to(1).words
    assert {mail.status for mail in plain.outbox()} <= {"sent", "superseded"}
    assert {mail.status for mail in plain.inbox()} <= {"done", "ignored", "dropped"}
    with plain.service.store.reading() as uow:
        data = b"".join(line + b"\n" for line in export_lines(uow, game.id))
    assert verify_file(data, heads=[ended.head]).complete


def test_who_still_plays_stays(plain: Table) -> None:
    """Refused with what to do first, invited or seated; nothing is erased."""
    game = plain.new_game(3)
    with pytest.raises(Refusal, match=f"pbem game stop {game.id}"):
        forgetting.forget(plain.service, NAME, "x")
    for seat in range(3):
        plain.answer(seat, "join")
    with pytest.raises(Refusal, match=f"pbem game remove {game.id} 0"):
        forgetting.forget(plain.service, NAME, "x")
    assert NAME in plain.last_to(1).words
    with plain.service.store.reading() as uow:
        assert names.find_player(uow, NAME).name == NAME
    acts.stop(plain.service, game.id, "Nobody has time.")
    forgetting.forget(plain.service, NAME, "They asked for it.")


def test_forgetting_on_postgresql(server: PostgresServer) -> None:
    """The same there, in rows; the tables are written anew."""
    with server.store() as store:
        table = make_table(store)
        game = played(table)
        forgetting.forget(table.service, NAME, "They asked for it.")
        store.vacuum()
        with store.reading() as uow:
            verify_game(uow, game.id, heads=[game.head])
            for mail in table.outbox():
                full = uow.outbox.get(mail.id)
                assert full is not None
                assert full.rendered is None or NAME.encode() not in full.rendered
        assert maintenance.check(table.service, lambda _: None) == []


def test_export_of_a_person(plain: Table) -> None:
    """Profile, addresses, games, what they said, mails both ways; nothing of the others' mails."""
    game = played(plain)
    acts.stop(plain.service, game.id, "Enough.")
    plain.run()
    found: Any = people.collect(plain.service, NAME)
    assert found["name"] == NAME
    assert found["addresses"] == [ADDRESS_OF_HERS]
    (about,) = found["games"]
    assert about["game"] == game.id
    assert PRIVATE in str(about)
    texts = [mail["mail"] for mail in found["mails_out"] if mail["mail"] is not None]
    assert len(texts) == len(plain.mails_to(0))
    assert all(ADDRESS_OF_HERS in text for text in texts)
    assert any(PRIVATE in str(mail) for mail in found["mails_in"])
    assert "bob@example.org" not in str(found)


def test_export_while_a_game_runs_hides_its_mails(plain: Table) -> None:
    """Her mails show her cards: closed, unless every player reads why."""
    game = plain.new_game(2)
    plain.answer(0, f"join phrase: {PRIVATE}")
    plain.answer(1, "join")
    game = plain.skip(plain.game(game.id), 4)
    found: Any = people.collect(plain.service, NAME)
    assert PRIVATE not in str(found)
    assert all(mail["mail"] is None for mail in found["mails_out"])
    with pytest.raises(Refusal):
        people.collect(plain.service, NAME, reveal=True)
    assert plain.game(game.id).version == game.version
    found = people.collect(plain.service, NAME, reveal=True, reason="She wants her data.")
    assert any(mail["mail"] for mail in found["mails_out"])
    assert PRIVATE in str(found["games"])
    seat, order = plain.standby(plain.game(game.id))
    plain.answer(seat, order)
    assert "She wants her data." in plain.last_to(1).words


def test_nothing_packed_is_left(plain: Table) -> None:
    """Mails and their lines are packed: no search for bytes finds a name in them, so they are opened."""
    played(plain)

    def found() -> set[str]:
        with plain.service.store.reading() as uow:
            told = [
                uow.envelopes.open_mail(text, place, key).decode()
                for column, place in ((OUTBOX.c.rendered, RENDERED), (OUTBOX.c.said, SAID))
                for key, text in uow.connection.execute(select(OUTBOX.c.key, column))
                if text is not None
            ]
        return {word for word in WORDS if any(word in text for text in told)}

    assert {NAME, ABOUT} <= found()
    forgetting.forget(plain.service, NAME, "They asked for it.")
    assert found() == set()
