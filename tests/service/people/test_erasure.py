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
from pbem.service.lobby import creation as lobby
from pbem.service.logbook.verify import verify_file, verify_game
from pbem.service.people import data_export as people
from pbem.service.people import erasure
from pbem.store.db.uow import Store
from pbem.store.post.outbox_queries import RENDERED, SAID
from pbem.store.rows.core import ADDRESS, BOUNCE, OUTBOX, PLAYER, REACH
from tests.databases import sqlite_file
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
    """Yield a table whose database is not encrypted, so that all remaining text is readable."""
    with closing(Store(f"sqlite:///{sqlite_file(tmp_path)}")) as store:
        yield make_table(store)


def encode(word: str) -> list[bytes]:
    """Return a word as it appears in a file: plain, or within base64 at three offsets."""
    data = word.encode()
    found = [data]
    for before in range(3):
        text = base64.b64encode(b"\0" * before + data)
        first = -(-before * 8 // 6)
        last = (before + len(data)) * 8 // 6
        found.append(text[first:last])
    return found


def find_remaining(table: Table) -> set[str]:
    """Return the words that are readable in the files of the database."""
    file = table.file
    data = b"".join(path.read_bytes() for path in sorted(file.parent.glob(f"{file.name}*")))
    return {word for word in WORDS if any(form in data for form in encode(word))}


def played(table: Table) -> Game:
    """Play a game with disputes, reasons and quotes about a player, who has just left."""
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
    """The log keeps an id and verifies."""
    game = played(plain)
    player = game.seats[0].player
    assert find_remaining(plain) == set(WORDS)
    done = erasure.forget(plain.service, NAME, "They asked for it.")
    plain.service.store.vacuum()
    assert find_remaining(plain) == set()
    assert (done.player_id, done.games) == (player, (game.id,))
    assert done.texts == 5
    assert plain.check() == []
    with plain.service.store.reading() as uow:
        verify_game(uow, game.id, heads=[game.head])
        for table in (PLAYER, ADDRESS, REACH, BOUNCE):
            name = "id" if table is PLAYER else "player_id"
            rows = uow.connection.execute(table.select().where(table.c[name] == player))
            assert rows.all() == []
    assert plain.game(game.id).seats[0].player == player


@pytest.mark.parametrize("order", ["observe", "replace"])
def test_who_looked_on_or_was_offered_a_seat(plain: Table, order: str) -> None:
    """Erase their names and addresses from the messages of other players, too."""
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
        assert "You do not take over" in plain.ask(0, "decline").words
    seat, move = plain.standby(plain.game(game.id))
    plain.answer(seat + 1, move)
    assert find_remaining(plain) >= {NAME, ADDRESS_OF_HERS}
    done = erasure.forget(plain.service, NAME, "They asked for it.")
    plain.service.store.vacuum()
    assert find_remaining(plain) == set()
    assert done.games == (game.id,)
    for _ in range(2):
        seat, move = plain.standby(plain.game(game.id))
        plain.answer(seat + 1, move)
    assert {mail.status for mail in plain.outbox()} <= {"sent", "superseded"}
    assert plain.check() == []


def test_audit_says_that_a_mail_was_erased(plain: Table) -> None:
    """Its hash stays in the log, and the missing bytes raise no alarm."""
    game = played(plain)
    erasure.forget(plain.service, NAME, "They asked for it.")
    acts.stop(plain.service, game.id, "Enough.")
    audited = auditing.audit(plain.service, game.id)
    joined = next(n for n, e in enumerate(audited.entries) if e.step.recorded.actor == "seat:0")
    source = auditing.inquire(plain.service, audited, f"@{joined + 1}").source
    assert source.is_erased
    assert source.text is None


def test_game_goes_on_without_them(plain: Table) -> None:
    """The other players finish the game, and no message goes to the erased player."""
    game = played(plain)
    plain.answer(1, "help", run=False)
    plain.run()
    count = len(plain.mails_to(0))
    old = plain.last_to(0).reply_to
    erasure.forget(plain.service, ADDRESS_OF_HERS, "They asked for it.")
    seat = plain.move(plain.game(game.id))
    assert "somebody" in plain.last_to(seat).words
    plain.answer(0, "play 7", to=old)
    ended = acts.stop(plain.service, game.id, "Enough.")
    plain.run()
    assert len(plain.mails_to(0)) == count
    assert "Enough." in plain.last_to(1).words
    assert {mail.status for mail in plain.outbox()} <= {"sent", "superseded"}
    assert {mail.status for mail in plain.inbox()} <= {"done", "ignored", "dropped"}
    assert verify_file(plain.export(game.id), heads=[ended.head]).complete


def test_who_still_plays_stays(plain: Table) -> None:
    """The refusal says what to do first, and nothing is erased."""
    game = plain.new_game(3)
    with pytest.raises(Refusal, match=f"pbem game stop {game.id}"):
        erasure.forget(plain.service, NAME, "x")
    for seat in range(3):
        plain.answer(seat, "join")
    with pytest.raises(Refusal, match=f"pbem game remove {game.id} 0"):
        erasure.forget(plain.service, NAME, "x")
    assert NAME in plain.last_to(1).words
    assert plain.read(lambda uow: names.find_player(uow, NAME).name) == NAME
    acts.stop(plain.service, game.id, "Nobody has time.")
    erasure.forget(plain.service, NAME, "They asked for it.")


def test_export_of_a_person(plain: Table) -> None:
    """It contains profile, games, talk and messages, and nothing of other players' messages."""
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
    """Her messages show cards, so they are hidden unless all players read the reason."""
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
    plain.move(plain.game(game.id))
    assert "She wants her data." in plain.last_to(1).words


def test_nothing_packed_is_left(both: Table) -> None:
    """Open the packed messages and lines, in which a search for bytes finds no name."""
    game = played(both)

    def find_words() -> set[str]:
        with both.service.store.reading() as uow:
            texts = [
                uow.envelopes.open_mail(text, place, key).decode()
                for column, place in ((OUTBOX.c.rendered, RENDERED), (OUTBOX.c.said, SAID))
                for key, text in uow.connection.execute(select(OUTBOX.c.key, column))
                if text is not None
            ]
        return {word for word in WORDS if any(word in text for text in texts)}

    assert {NAME, ABOUT} <= find_words()
    erasure.forget(both.service, NAME, "They asked for it.")
    both.service.store.vacuum()
    assert find_words() == set()
    both.verify(game, [game.head])
    assert both.check() == []
