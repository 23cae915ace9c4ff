"""Test a restored database: messages sent after the backup cause no moves."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import BounceToken, QuestionToken, SeatToken
from pbem.errors import Refusal, StoreError
from pbem.mail_out.kinds import TURN
from pbem.service.admin import acts, clock_acts
from pbem.service.clock import downtime
from pbem.service.core import served
from pbem.service.logbook import looking
from pbem.service.notify import mailings
from pbem.service.upkeep import backup, restoring
from pbem.store.db.uow import Store
from tests.databases import ring
from tests.service.conftest import START, Table, make_table


def silent(_done: int) -> None:
    return None


@contextmanager
def restore_triggers(
    table: Table, file: Path, folder: Path, name: str = "again"
) -> Iterator[Table]:
    """The copy, in the place of a database, at the time of now; nobody has served it yet."""
    here = folder / f"{name}.sqlite3"
    shutil.copy(file, here)
    with closing(Store(f"sqlite:///{here}", keys=ring)) as store:
        copy = make_table(store)
        copy.clock.instant = table.clock.instant
        copy.delivery.mails = list(table.delivery.mails)
        copy.counter = 1000
        yield copy


def token_of(table: Table, seat: int) -> SeatToken:
    """What the newest mail to a seat can be answered with."""
    text = table.service.tokens.token_text(table.last_to(seat).reply_to)
    token = table.service.tokens.decode(text or "")
    assert isinstance(token, SeatToken)
    return token


def choose(table: Table, game: Game, number: str) -> int:
    """Let who is to act choose a number of their list; gives the seat."""
    seat = int(table.game(game.id).to_act[0])
    table.answer(seat, number)
    return seat


def test_number_of_a_lost_list_is_no_move(table: Table, tmp_path: Path) -> None:
    """The same seat, decision and position, another list: the old 21 moves nothing, the new one does."""
    game = table.started(2)
    file = tmp_path / "copy"
    backup.take(table.service, file, silent)
    table.answer(int(game.to_act[0]), "say This hour is going to be lost.")
    choose(table, game, "21")
    reader = int(table.game(game.id).to_act[0])
    lost, lost_token = table.last_to(reader), token_of(table, reader)
    with restore_triggers(table, file, tmp_path) as copy:
        restoring.restored(copy.service)
        copy.run()
        choose(copy, game, "23")
        now, token = copy.game(game.id), token_of(copy, reader)
        assert replace(token, rotation=lost_token.rotation) == lost_token
        assert "21 play 3d" in lost.words
        assert "21 play Qd" in copy.last_to(reader).words
        copy.answer(reader, "21", to=lost.reply_to)
        assert copy.game(game.id) == now
        told = copy.last_to(reader)
        assert "was replaced by a new one and moves nothing" in told.words
        assert "21 play Qd" in told.words
        choose(copy, game, "21")
        assert copy.game(game.id).position > now.position


def test_mails_that_lay_in_the_mailbox_are_answered(table: Table, tmp_path: Path) -> None:
    """What came in since, moved back: taken in again, not carried out, answered with the table of now."""
    game = table.started(2)
    table.answer(0, "say Before.", message_id="<before@example.org>")
    file = tmp_path / "copy"
    backup.take(table.service, file, silent)
    seat = int(game.to_act[0])
    to = table.last_to(seat).reply_to
    raw = table.answer(seat, "21")
    with restore_triggers(table, file, tmp_path) as copy:
        restoring.restored(copy.service)
        copy.run()
        before = copy.game(game.id)
        for _ in range(2):
            copy.receive(raw, to)
            copy.run()
        assert copy.game(game.id) == before
        assert "was replaced by a new one" in copy.last_to(seat).words
        assert len(copy.inbox()) == 4  # two joins, one word, and the one that was moved back


def test_everybody_who_plays_is_told(table: Table, tmp_path: Path) -> None:
    """In their language, with the time of the backup; whoever is to act reads the turn; the log says why."""
    game = table.started(2)
    open_game = table.new_game(3)
    with table.service.store.unit_of_work() as uow:
        uow.players.prefer(game.seats[1].player, language="de")
    file = tmp_path / "copy"
    backup.take(table.service, file, silent)
    table.clock.forward(hours=20)
    with restore_triggers(table, file, tmp_path) as copy:
        copy.delivery.mails.clear()
        done = restoring.restored(copy.service)
        assert (done.players, set(done.games), done.mails) == (3, {game.id, open_game.id}, 5)
        copy.run()
        assert len(copy.delivery.mails) == 6
        to_admin = copy.delivery.mails.pop()
        assert to_admin.rcpt_to == "root@example.org"
        assert "the players of 2 games" in to_admin.words
        for mail in copy.delivery.mails:
            said = "had to be put back to an earlier state: Saturday, 21 November 2026, 13:00 (UTC"
            if mail.rcpt_to == "bob@example.org":
                said = "auf einen früheren Stand zurückgesetzt werden: Samstag, 21. November 2026, 13:00"
            assert said in mail.words
        kinds = [row.kind for row in copy.outbox()[-6:-1]]
        assert sorted(kinds) == ["invitation", "invitation", "invitation", "notice", "turn"]
        assert any("Du bist dran" in mail.words for mail in copy.mails_to(1))
        last = copy.log(game)[-1]
        assert type(last.event).__name__ == "ReasonGiven"
        assert last.actor == "admin:local"
        assert "stood at 2026-11-21 12:00 UTC" in last.event.reason  # type: ignore[union-attr]


def test_time_that_is_lost_is_given_back(table: Table, tmp_path: Path) -> None:
    """The deadline is as far away as it was, and the turn mail says the new one; the old one never left."""
    downtime.beat(table.service)
    game = table.started(2)
    seat = int(game.to_act[0])
    with table.service.store.unit_of_work() as uow:
        mailings.queue_again(table.service, uow, game, seat, TURN, "test")
    file = tmp_path / "copy"
    backup.take(table.service, file, silent)
    table.clock.forward(days=5)
    with restore_triggers(table, file, tmp_path) as copy:
        done = restoring.restored(copy.service)
        assert (done.gap, done.replaced) == (timedelta(days=5), 1)
        copy.run()
        deadline = copy.game(game.id).deadline
        assert deadline is not None
        assert deadline.due_at == START + timedelta(days=8)
        assert "Answer by Sun 29 Nov, 13:00, in" in copy.last_to(seat).words
        assert len(copy.mails_to(seat)) == len(table.mails_to(seat)) + 1


def test_numbers_of_mails_mean_nothing_twice(table: Table, tmp_path: Path) -> None:
    """A bounce of a lost mail counts for nobody; a lost question about a sender releases no mail."""
    table.started(2)
    file = tmp_path / "copy"
    backup.take(table.service, file, silent)
    with restore_triggers(table, file, tmp_path) as copy:
        last_in, last_out = copy.inbox()[-1].id, copy.outbox()[-1].id
        done = restoring.restored(copy.service)
        copy.run()
        copy.answer(0, "say Hello.")
        assert min(done.inbox_from, done.outbox_from) > last_out + 1_000_000
        assert copy.inbox()[-1].id == done.inbox_from + 1
        assert copy.outbox()[-1].id > done.outbox_from
        tokens = copy.service.tokens
        for token in (BounceToken(last_out + 1), QuestionToken(f"c-{last_in + 1}")):
            copy.answer(0, "yes", to=tokens.address(token))
        with copy.service.store.reading() as uow:
            assert uow.outbox.get(last_out + 1) is None
            assert uow.inbox.get(last_in + 1) is None


def test_one_backup_put_back_twice(table: Table, tmp_path: Path) -> None:
    """Addresses and numbers of the first time are none of the second, nor of a rotation in between."""
    game = table.started(2)
    file = tmp_path / "copy"
    backup.take(table.service, file, silent)
    found = []
    for name in ("first", "second"):
        table.clock.forward(minutes=10)
        with restore_triggers(table, file, tmp_path, name) as copy:
            done = restoring.restored(copy.service)
            copy.run()
            found.append((token_of(copy, int(game.to_act[0])).rotation, done.outbox_from))
    (first, ids), (second, more_ids) = found
    assert abs(first - second) > 1
    assert min(first, second) > 5000
    assert more_ids - ids == 600


def test_copy_is_not_served(table: Table, tmp_path: Path) -> None:
    """Until it was put back for good; that once, and not again."""
    file = tmp_path / "copy"
    backup.take(table.service, file, silent)
    with table.service.store.reading() as uow:
        served.require_live_database(uow)
    with restore_triggers(table, file, tmp_path) as copy:
        with copy.service.store.reading() as uow, pytest.raises(StoreError, match="is a copy"):
            served.require_live_database(uow)
        restoring.restored(copy.service)
        with copy.service.store.reading() as uow:
            served.require_live_database(uow)
        with pytest.raises(Refusal, match=r"was run in it at 2026-11-21 12:00 UTC.*--unmarked"):
            restoring.restored(copy.service)


def test_nobody_acts_or_peeks_in_a_copy(table: Table, tmp_path: Path) -> None:
    """No player would ever read of it; what needs no event can be looked at."""
    game, file = table.started(2), tmp_path / "copy"
    backup.take(table.service, file, silent)
    with restore_triggers(table, file, tmp_path) as copy:
        for act in (
            lambda: looking.replay(copy.service, game.id, seats=[0, 1], reason="I like to see."),
            lambda: acts.stop(copy.service, game.id, "Then all is open."),
            lambda: acts.carry_out(copy.service, game.id, clock_acts.pause, "No."),
        ):
            with pytest.raises(StoreError, match="is a copy"):
                act()
        assert looking.replay(copy.service, game.id).game == game
        restoring.restored(copy.service)
        assert acts.stop(copy.service, game.id, "Enough.").is_over
