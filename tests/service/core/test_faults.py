"""Test program and database faults: a message is quarantined or retried, never lost or half done."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
import structlog

from engine.api import Seat
from pbem import logs
from pbem.errors import StoreAwayError, StoreError, VersionConflictError
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_in.sandbox.reader import DirectReader, ReaderAwayError, ReaderError
from pbem.service.intake import handle_mail
from pbem.service.intake.handle_mail import handle_all
from pbem.store.db.uow import Store, UnitOfWork
from tests.service.conftest import NAMES, Table


def a_fault(*_args: object, **_named: object) -> None:
    raise RuntimeError("cards 7c 9d in anna@example.org")


def test_mail_that_crashes_a_handler_is_shunted_and_the_next_one_goes_on(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault in one game does not stop another. After a retry the message is handled."""
    first, seat, order = table.start(2)
    turn = table.last_to(seat).reply_to
    second = table.new_game(2, seed=2)
    with monkeypatch.context() as patch:
        real = handle_mail.ROUTES[handle_mail.Route.SEAT]

        def handle(incoming: Any) -> Any:
            return a_fault() if incoming.token.game_id == first.id else real(incoming)

        patch.setitem(handle_mail.ROUTES, handle_mail.Route.SEAT, handle)
        table.answer(seat, "join", run=False)
        table.answer(seat, order, to=turn)
    *_, done, shunted = table.inbox()
    assert (done.status, shunted.status) == ("done", "shunted")
    assert table.game(first.id).version == first.version
    assert table.game(second.id).seats[seat].status == "joined"
    assert "RuntimeError" in shunted.error
    assert "test_faults.py" in shunted.error
    table.write(lambda uow: uow.inbox.mark(shunted.id, "new"))
    table.run()
    assert table.inbox()[-1].status == "done"
    assert table.game(first.id).version > first.version


def test_player_of_a_shunted_mail_is_told_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Notify the player once that an admin checks the message. A retry is answered as usual."""
    game, seat, order = table.start(2)
    before, to = len(table.delivery.mails), table.last_to(seat).reply_to
    with monkeypatch.context() as patch:
        patch.setitem(handle_mail.ROUTES, handle_mail.Route.SEAT, a_fault)
        table.answer(seat, order, to=to)
        shunted = table.inbox()[-1]
        table.write(lambda uow: uow.inbox.mark(shunted.id, "new"))
        table.run()
    assert table.inbox()[-1].status == "shunted"
    told = table.delivery.mails[before:]
    assert [one.rcpt_to for one in told] == [f"{NAMES[seat].lower()}@example.org"]
    assert "Something went wrong here" in told[0].words
    table.write(lambda uow: uow.inbox.mark(shunted.id, "new"))
    table.run()
    assert table.game(game.id).to_act == (1 - seat,)
    assert f"answer:{shunted.id}" in [row.key for row in table.outbox()]


class DyingReader(DirectReader):
    """A reader that dies while reading a body with a certain word."""

    def read(self, raw: bytes, *, head_only: bool = False, **named: Any) -> InboundMail:
        if b"poison" in raw and not head_only:
            raise ReaderError("reading it takes more than a second of processor time")
        return super().read(raw, head_only=head_only, **named)


def test_mail_that_kills_its_reader_is_shunted_answered_once_and_the_next_goes_on(
    table: Table,
) -> None:
    """Store the reason, tell the player how to write, and handle the next message."""
    table.service = replace(table.service, reader=DyingReader())
    game, seat, order = table.start(2)
    before, to = len(table.delivery.mails), table.last_to(seat).reply_to
    table.answer(seat, "poison", to=to)
    table.answer(seat, order, to=to)
    assert [row.status for row in table.inbox()][-2:] == ["shunted", "done"]
    assert table.inbox()[-2].error.startswith("ReaderError: reading it takes more than a second")
    told = [one for one in table.delivery.mails[before:] if "could not be read" in one.words]
    assert [one.rcpt_to for one in told] == [f"{NAMES[seat].lower()}@example.org"]
    assert table.game(game.id).to_act == (1 - seat,)


class AwayReader(DirectReader):
    """A reader that cannot start its process after some messages."""

    def __init__(self, reads: int) -> None:
        self.reads = reads

    def read(self, raw: bytes, **named: Any) -> InboundMail:
        if not self.reads:
            raise ReaderAwayError("the reading process cannot be used: out of memory")
        self.reads -= 1
        return super().read(raw, **named)


@pytest.mark.parametrize("is_fault", [False, True])
def test_mails_wait_where_none_can_be_read(
    table: Table, monkeypatch: pytest.MonkeyPatch, is_fault: bool
) -> None:
    """If no process can be started, no message is quarantined and the service does not end."""
    game, seat, order = table.start(2)
    to = table.last_to(seat).reply_to
    for text in ("say one", "say two", order):
        table.answer(seat, text, to=to, run=False)
    direct = table.service.reader
    table.service = replace(table.service, reader=AwayReader(1))
    with monkeypatch.context() as patch:
        if is_fault:
            patch.setitem(handle_mail.ROUTES, handle_mail.Route.SEAT, a_fault)
        assert handle_all(table.service) == (0 if is_fault else 1)
    waiting = ["new"] * (3 if is_fault else 2)
    assert [row.status for row in table.inbox()][-len(waiting) :] == waiting
    table.service = replace(table.service, reader=direct)
    table.run()
    assert [row.status for row in table.inbox()][-3:] == ["done"] * 3
    assert table.game(game.id).to_act == (1 - seat,)


@contextmanager
def break_commits(fail: list[Exception | None], unheard: Exception | None = None) -> Iterator[None]:
    """Let the next units of work end with these errors instead of their commits, in this order."""
    real, untold = Store.unit_of_work, [unheard]

    @contextmanager
    def unit_of_work(self: Store) -> Iterator[UnitOfWork]:
        is_last = not fail
        with real(self) as uow:
            yield uow
            if fail and (error := fail.pop(0)) is not None:
                raise error
        if is_last and untold and (error := untold.pop()) is not None:
            raise error

    patch = pytest.MonkeyPatch()
    patch.setattr(Store, "unit_of_work", unit_of_work)
    try:
        yield
    finally:
        patch.undo()


def test_trouble_of_the_database_is_no_reason_to_shunt(table: Table) -> None:
    """A connection that breaks at the commit: the mail is handled again, once."""
    game, seat, order = table.start(2)
    table.answer(seat, order, run=False)
    with break_commits([StoreError("gone"), VersionConflictError("late"), None]):
        handle_all(table.service)
    table.run()
    assert table.inbox()[-1].status == "done"
    assert table.game(game.id).to_act == (1 - seat,)
    answers = [row for row in table.outbox() if row.key == f"answer:{table.inbox()[-1].id}"]
    assert [row.status for row in answers] == ["sent"]


@pytest.mark.parametrize("failing", [3, 4])
def test_full_disk_is_no_reason_to_shunt(table: Table, failing: int) -> None:
    """A message waits if neither it nor the record of its fault can be written."""
    game, seat, order = table.start(2)
    table.answer(seat, order, run=False)
    full: list[Exception | None] = [StoreAwayError("full") for _ in range(failing)]
    if failing == 4:
        full[:3] = [StoreError("damaged") for _ in range(3)]
    with break_commits(full), pytest.raises(StoreAwayError):
        handle_all(table.service)
    assert not full
    assert table.inbox()[-1].status == "new"
    table.run()
    assert table.inbox()[-1].status == "done"
    assert table.game(game.id).to_act == (1 - seat,)


def test_player_who_cannot_be_told_keeps_no_mail_from_being_set_aside(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Quarantine the message even if its player cannot be notified, and handle the next one."""
    _, seat, order = table.start(2)
    to = table.last_to(seat).reply_to
    monkeypatch.setattr(handle_mail.refusing, "tell_set_aside", a_fault)
    with monkeypatch.context() as patch:
        patch.setitem(handle_mail.ROUTES, handle_mail.Route.SEAT, a_fault)
        table.answer(seat, order, to=to)
    table.answer(seat, order, to=to)
    assert [row.status for row in table.inbox()][-2:] == ["shunted", "done"]


# --- the program's own log ------------------------------------------------------------------------


def test_log_of_a_whole_game_holds_nothing_private(
    table: Table, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No line contains an address, token, name, hand or text of a message, even after a fault."""
    logs.configure("debug", as_json=True)
    game = table.started(3)
    hands: set[str] = set()
    for number in range(40):
        game = table.game(game.id)
        if game.is_over:
            break
        for seat in range(3):
            hands.update(game.ruleset.view(game.state, Seat(seat))["seats"][seat]["hand"] or ())
        seat, order = table.standby(game)
        address = table.last_to(seat).reply_to
        if number == 3:
            table.answer(seat, "a private remark to everybody")
            with monkeypatch.context() as patch:
                patch.setitem(handle_mail.ROUTES, handle_mail.Route.SEAT, a_fault)
                table.answer(seat, order, to=address)
            table.answer(seat, order, to=address, sender="eve@elsewhere.example")
        table.answer(seat, order, to=address)
    text = capsys.readouterr().err.lower()
    assert text.count("mail_handled") > 30
    assert "mail_shunted" in text
    for private in ("@", "remark", "anna", "bob", "carol", "play ", "pickup", "01" * 32):
        assert private not in text, private
    for address in {mail.reply_to for mail in table.delivery.mails}:
        assert address.partition("@")[0].partition("+")[2] not in text
    assert len(hands) > 20
    words = set(text.replace('"', " ").replace(",", " ").split())
    assert not words & {card.lower() for card in hands}


def test_log_lines_are_redacted_wherever_the_token_stands(
    capsys: pytest.CaptureFixture[str], table: Table
) -> None:
    """Redact nested values and the text of an exception, too."""
    game = table.new_game(2)
    token = table.last_to(0).reply_to.partition("@")[0].partition("+")[2]
    assert game.id in token
    logs.configure("debug", as_json=True)
    log = structlog.get_logger("pbem.test")
    log.info("one", action="x", text=token, nested={"a": [token, (token,)]})
    try:
        raise ValueError(f"to game+{token}@play.example.org")
    except ValueError:
        log.exception("two", action="y")
    logging.getLogger("some.library").warning("at %s", token)
    logging.getLogger("mail.log").info("RCPT %s", token)
    text = capsys.readouterr().err
    assert "two" in text
    assert "some.library" in text
    assert token not in text
    assert text.count("[token]") >= 5
