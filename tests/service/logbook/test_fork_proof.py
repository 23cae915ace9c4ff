"""Test that messages reveal a forked log, because each names the head of the previous one."""

from __future__ import annotations

import mailbox
import shutil
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from engine.api import Seat
from pbem.domain.log.chain import GENESIS, Head
from pbem.domain.table.game import Game
from pbem.domain.terms import spoken_hash
from pbem.domain.terms.timing import Timing
from pbem.errors import VersionConflictError
from pbem.service.admin import acts
from pbem.service.lobby import creation as lobby
from pbem.store.db import copying
from pbem.store.db.uow import Store
from tests.databases import ring
from tests.service.conftest import Sent, Table, make_table
from tests.service.logbook.test_outside_verifier import run_verifier

Claim = tuple[tuple[int, str], tuple[int, str]]


def read_claims(mail: Sent) -> dict[str, Claim]:
    """Return for each game the version and head of a message, and those of the message before it."""

    def named(header: str) -> dict[str, tuple[int, str]]:
        words = [str(value).split() for value in mail.message.get_all(header, [])]
        return {game: (int(version), head) for head, version, game in words}

    before = named("PBEM-Chain-Before")
    return {game: (own, before[game]) for game, own in named("PBEM-Chain-Head").items()}


def keep(mails: list[Sent], folder: Path) -> Path:
    folder.mkdir()
    for number, mail in enumerate(mails):
        (folder / f"{number:04}.eml").write_bytes(mail.raw)
    return folder


def check_mails(folder: Path, *more: str | Path) -> tuple[int, str]:
    """Run the verifier with only the log and the messages."""
    return run_verifier("--mails", folder, *more)


def copy_database(table: Table, folder: Path) -> Path:
    """Copy the database like `cp`."""
    file = folder / "older.sqlite3"
    copying.copy_to(table.service.store, file)
    return file


def roll_back(table: Table, file: Path, already: int) -> Table:
    """The older copy in the place of the database, without a word to `db restored`.

    So many mails were sent by then; the players answer the newest of them.
    """
    here = file.with_name("again.sqlite3")
    shutil.copy(file, here)
    again = make_table(Store(f"sqlite:///{here}", keys=ring))
    again.clock.instant = table.clock.instant + timedelta(minutes=5)
    again.delivery.mails = table.delivery.mails[:already]
    again.counter = 1000
    return again


def make_other_move(table: Table, game: Game) -> int:
    """Make a move other than the standby move. Return the seat."""
    now = table.game(game.id)
    seat = int(now.to_act[0])
    _, usual = table.standby(now)
    moves = (
        now.ruleset.format_move(now.state, Seat(seat), m)
        for m in now.ruleset.legal_moves(now.state, Seat(seat))
    )
    table.answer(seat, next(text for text in moves if text != usual))
    return seat


def test_each_mail_names_the_one_before_it(table: Table, game: Game) -> None:
    """Headers and the last line of the text name it, except in the first message."""
    table.move(table.game(game.id))
    for seat in range(2):
        told = (0, GENESIS)
        for mail in table.mails_to(seat):
            own, before = read_claims(mail)[game.id]
            assert before == told
            last = " ".join(mail.text.rstrip().rsplit("Against cheating:", 1)[1].split())
            last = last.removesuffix(" Compare: everyone gets the same words.")
            spoken = f"{spoken_hash.hash_words(own[1])} (event {own[0]})"
            if told[0]:
                assert (
                    last == f"{spoken}, after {spoken_hash.hash_words(told[1])} (event {told[0]})."
                )
            else:
                assert last == f"{spoken}, in the first mail to you."
            told = max(told, own)
        assert told == (table.game(game.id).version, table.game(game.id).head)


@pytest.mark.parametrize("moves_lost", [1, 3])
def test_a_rollback_shows_in_two_mails_alone(
    table: Table, game: Game, tmp_path: Path, moves_lost: int
) -> None:
    """After a rollback, the messages to one player form no chain."""
    table.move(table.game(game.id))
    file = copy_database(table, tmp_path)
    already = len(table.delivery.mails)
    for _ in range(moves_lost):
        table.move(table.game(game.id))
    lost = table.delivery.mails[already:]
    again = roll_back(table, file, already)
    with closing(again.service.store):
        make_other_move(again, game)
        for seat in range(2):
            new = again.last_to(seat)
            old = next(mail for mail in lost if mail.rcpt_to == new.rcpt_to)
            code, words = check_mails(keep([old, new], tmp_path / f"two-{seat}"))
            assert (code, "WRONG" in words) == (1, True), words
            assert "the log " in words
    assert check_mails(keep(table.sent_to(new.rcpt_to), tmp_path / "honest"))[0] == 0


def test_two_players_who_were_told_different_things(
    table: Table, game: Game, tmp_path: Path
) -> None:
    """The messages of each player form a chain, but not those of both."""
    file = copy_database(table, tmp_path)
    already = len(table.delivery.mails)
    table.move(table.game(game.id))
    again = roll_back(table, file, already)
    with closing(again.service.store):
        make_other_move(again, game)
        for seat, of in ((0, table), (1, again)):
            assert check_mails(keep(of.mails_to(seat), tmp_path / str(seat)))[0] == 0
        code, words = check_mails(keep([*table.mails_to(0), *again.mails_to(1)], tmp_path / "both"))
        assert (code, "the log forked: event" in words) == (1, True), words
        file = tmp_path / "export"
        file.write_bytes(table.export(game.id))
        assert check_mails(tmp_path / "0", file)[0] == 0
        code, words = check_mails(tmp_path / "1", file)
        assert (code, "not in the export" in words) == (1, True), words


def test_a_changed_mail(table: Table, game: Game, tmp_path: Path) -> None:
    """Detect another word, another header, and a second message with the same Message-ID."""
    table.move(table.game(game.id))
    mails = table.mails_to(0)[-2:]
    assert check_mails(keep(mails, tmp_path / "as-sent"))[0] == 0
    head = read_claims(mails[1])[game.id][0][1]
    word = spoken_hash.hash_words(head).split()[0].encode()
    other = b"zebra" if word != b"zebra" else b"acorn"
    for name, was, then, complaint in (
        ("word", b"cheating: " + word, b"cheating: " + other, "its text tells another"),
        ("head", head.encode(), b"0" * 63 + b"1", "its text tells another"),
        ("none", b"PBEM-Chain-Before", b"X-Before", "does not name the mail before it"),
        ("form", b"PBEM-Chain-Head:", b"PBEM-Chain-Head: 7", "is damaged"),
    ):
        folder = keep(mails[:1], tmp_path / name)
        (folder / "changed.eml").write_bytes(mails[1].raw.replace(was, then))
        code, words = check_mails(folder)
        assert (code, complaint in words) == (1, True), words
    folder = keep(mails[:1], tmp_path / "twice")
    ids = [str(mail.message["Message-ID"]).encode() for mail in mails]
    (folder / "second.eml").write_bytes(mails[1].raw.replace(ids[1], ids[0]))
    assert "same Message-ID" in check_mails(folder)[1]


def test_a_mail_that_is_missing_is_told_and_no_fault(
    table: Table, game: Game, tmp_path: Path
) -> None:
    """Accept mbox files and unrelated messages, but not an empty or missing folder."""
    for _ in range(3):
        table.move(table.game(game.id))
    mails = table.mails_to(0)
    folder = tmp_path / "mails"
    folder.mkdir()
    box = mailbox.mbox(folder / "some")
    for mail in [*mails[:2], *mails[3:]]:
        box.add(mail.raw)
    box.close()
    (folder / "other.eml").write_bytes(b"Subject: lunch?\n\nAt noon.\n")
    code, words = check_mails(folder)
    assert (code, "note:   " in words, "are not here" in words) == (0, True, True), words
    empty = tmp_path / "empty"
    empty.mkdir()
    assert check_mails(empty)[0] == 1
    assert check_mails(tmp_path / "nowhere")[0] == 2


def test_a_whole_game_of_all_readers_is_one_chain(table: Table, tmp_path: Path) -> None:
    """Include an observer, daily messages, talk, an undo, reminders, timeouts, a bot and refusals."""
    lobby.add_player(table.service, lobby.Person("Dora", "dora@example.org"))
    game = table.started(3, timing=Timing(86400, on_timeout="bot", ics=True))
    other = table.started(2, seed=2)
    table.answer(3, f"observe {game.id}", to=table.service.own_address)
    table.answer(3, "yes")  # From alone does not authenticate
    for seat in range(3):
        if table.game(game.id).motions:
            table.answer(seat, "yes", to=_find_newest(table, seat, game).reply_to)
    table.answer(0, "digest on")
    for number in range(12):
        seat, order = table.standby(table.game(game.id))
        to = _find_newest(table, seat, game).reply_to
        if number == 3:
            table.answer(seat, "say Good evening.\nboard", to=to)
            table.answer(seat, "nonsense that is no order", to=to)
            table.answer(seat, "say to bob: psst", to=to)
        if number == 5:
            acts.undo(table.service, game.id, "1", "read wrongly")
        elif number in (7, 8):
            table.run_at(table.deadline(game).due_at - timedelta(hours=3))
            table.miss_deadline(game)
        else:
            table.answer(seat, order, to=to)
    table.wait(hours=5)
    acts.stop(table.service, game.id, "It is late.")
    table.wait(days=2)
    code, words = check_mails(keep(table.delivery.mails, tmp_path / "all"))
    assert code == 0, words
    assert words.count("each with one fingerprint") == 2
    assert "note:" not in words
    export = tmp_path / "export"
    export.write_bytes(table.export(game.id))
    assert check_mails(tmp_path / "all", export)[0] == 0
    kinds = {row.kind for row in table.outbox() if row.status == "sent"}
    wanted = {"turn", "answer", "notice", "reminder", "digest", "observed", "talk", "invitation"}
    assert wanted <= kinds
    daily = next(mail for mail in table.delivery.mails if len(read_claims(mail)) == 2)
    assert set(read_claims(daily)) == {game.id, other.id}
    watched = [read_claims(mail) for mail in table.mails_to(3)]
    assert [claim[game.id][1][0] for claim in watched if claim][:1] == [0]


def _find_newest(table: Table, seat: int, game: Game) -> Sent:
    return next(
        mail
        for mail in reversed(table.mails_to(seat))
        if list(read_claims(mail)) == [game.id] and "+s-" in mail.reply_to
    )


def test_two_workers_who_render_for_one_reader(both: Table) -> None:
    """The second worker gets a conflict and renders its message again."""
    game = both.started(2)
    lobby.add_player(both.service, lobby.Person("Dora", "dora@example.org"))
    reader = both.read(lambda uow: next(p.id for p in uow.players.list() if p.name == "Dora"))
    own = Head(both.game(game.id).version, both.game(game.id).head)
    planned = []
    for _ in range(2):
        with both.service.store.reading() as uow:
            assert uow.reported_heads.advance_to(reader, game.id, own) == Head()
            planned.append(uow.reported_heads.pop_advances())
    both.write(lambda uow: uow.reported_heads.store(1, planned[0]))
    with pytest.raises(VersionConflictError), both.service.store.unit_of_work() as uow:
        uow.reported_heads.store(2, planned[1])
    with both.service.store.reading() as uow:
        assert uow.reported_heads.advance_to(reader, game.id, own) == own
        assert uow.reported_heads.pop_advances() == ()
