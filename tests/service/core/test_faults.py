"""Test program and database faults: a message is quarantined or retried, never lost or half done."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import aiosmtplib
import pytest

from engine.api import Seat
from pbem import logs
from pbem.errors import StoreAwayError, StoreError, VersionConflictError
from pbem.mail_in.mime.message import Envelope, InboundMail
from pbem.mail_in.sandbox.reader import DirectReader, ReaderAwayError, ReaderError
from pbem.mail_in.transports.listener import ListenerHooks, listen
from pbem.service.intake import accepting as intake
from pbem.service.intake import handle_mail
from pbem.service.intake.handle_mail import handle_all
from pbem.store.db.uow import Store, UnitOfWork
from tests.service.conftest import NAMES, START, Table, raw_mail


def a_fault(*_args: object, **_named: object) -> None:
    raise RuntimeError("cards 7c 9d in anna@example.org")


def test_mail_that_crashes_a_handler_is_shunted_and_the_next_one_goes_on(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One game's fault does not touch another's mails; put back, the mail is handled."""
    first, second = table.started(2, seed=1), table.new_game(2, seed=2)
    seat, order = table.standby(first)
    invitations = [mail for mail in table.mails_to(seat) if "invites you" in mail.words]
    turn = next(mail for mail in table.mails_to(seat) if "Your turn: " in mail.words)
    with monkeypatch.context() as patch:
        real = handle_mail.ROUTES[handle_mail.Route.SEAT]

        def handle(incoming: Any) -> Any:
            return a_fault() if incoming.token.game_id == first.id else real(incoming)

        patch.setitem(handle_mail.ROUTES, handle_mail.Route.SEAT, handle)
        table.answer(seat, order, to=turn.reply_to, run=False)
        table.answer(seat, "join", to=invitations[-1].reply_to, run=False)
        table.run()
    assert [row.status for row in table.inbox()][-2:] == ["shunted", "done"]
    assert table.game(first.id).version == first.version
    assert table.game(second.id).seats[seat].status == "joined"
    shunted = table.inbox()[-2]
    assert shunted.error is not None
    assert "RuntimeError" in shunted.error
    assert "test_faults.py" in shunted.error
    with table.service.store.unit_of_work() as uow:
        uow.inbox.mark(shunted.id, "new")
    table.run()
    assert table.inbox()[-2].status == "done"
    assert table.game(first.id).version > first.version


def test_player_of_a_shunted_mail_is_told_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One mail says that nothing was done and that a person looks; the retry is answered as ever."""
    game = table.started(2)
    seat, order = table.standby(game)
    before, to = len(table.delivery.mails), table.last_to(seat).reply_to
    with monkeypatch.context() as patch:
        patch.setitem(handle_mail.ROUTES, handle_mail.Route.SEAT, a_fault)
        table.answer(seat, order, to=to)
        shunted = table.inbox()[-1]
        with table.service.store.unit_of_work() as uow:
            uow.inbox.mark(shunted.id, "new")
        table.run()
    assert table.inbox()[-1].status == "shunted"
    told = table.delivery.mails[before:]
    assert [one.rcpt_to for one in told] == [f"{NAMES[seat].lower()}@example.org"]
    assert "Something went wrong here" in told[0].words
    with table.service.store.unit_of_work() as uow:
        uow.inbox.mark(shunted.id, "new")
    table.run()
    assert table.game(game.id).to_act == (1 - seat,)
    assert f"answer:{shunted.id}" in [row.key for row in table.outbox()]


class DyingReader(DirectReader):
    """Dies of bodies that hold a certain word; heads are harmless."""

    def read(self, raw: bytes, *, head_only: bool = False, **named: Any) -> InboundMail:
        if b"poison" in raw and not head_only:
            raise ReaderError("reading it takes more than a second of processor time")
        return super().read(raw, head_only=head_only, **named)


def test_mail_that_kills_its_reader_is_shunted_answered_once_and_the_next_goes_on(
    table: Table,
) -> None:
    """The reason is stored, the player is told how to write, and the game continues."""
    table.service = replace(table.service, reader=DyingReader())
    game = table.started(2)
    seat, order = table.standby(game)
    before, to = len(table.delivery.mails), table.last_to(seat).reply_to
    table.answer(seat, "poison", to=to)
    table.answer(seat, order, to=to)
    assert [row.status for row in table.inbox()][-2:] == ["shunted", "done"]
    error = table.inbox()[-2].error
    assert error is not None
    assert error.startswith("ReaderError: reading it takes more than a second")
    told = [one for one in table.delivery.mails[before:] if "could not be read" in one.words]
    assert [one.rcpt_to for one in told] == [f"{NAMES[seat].lower()}@example.org"]
    assert table.game(game.id).to_act == (1 - seat,)


class AwayReader(DirectReader):
    """Cannot start its process, from one mail on."""

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
    """No process can be started: no mail is set aside, nor ends the service; nor after a fault of ours."""
    game = table.started(2)
    seat, order = table.standby(game)
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
def troubled(fail: list[Exception | None], unheard: Exception | None = None) -> Iterator[None]:
    """Let the next units of work end with these errors instead of their commits.

    The one after them is committed, and its answer is `unheard`.
    """
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
    game = table.started(2)
    seat, order = table.standby(game)
    table.answer(seat, order, run=False)
    with troubled([StoreError("gone"), VersionConflictError("late"), None]):
        handle_all(table.service)
    table.run()
    assert table.inbox()[-1].status == "done"
    assert table.game(game.id).to_act == (1 - seat,)
    answers = [row for row in table.outbox() if row.key == f"answer:{table.inbox()[-1].id}"]
    assert [row.status for row in answers] == ["sent"]


@pytest.mark.parametrize("failing", [3, 4])
def test_full_disk_is_no_reason_to_shunt(table: Table, failing: int) -> None:
    """The mail does not fit while a note about it would: it waits; so does one that cannot be told of."""
    game = table.started(2)
    seat, order = table.standby(game)
    table.answer(seat, order, run=False)
    full: list[Exception | None] = [StoreAwayError("full") for _ in range(failing)]
    if failing == 4:
        full[:3] = [StoreError("damaged") for _ in range(3)]
    with troubled(full), pytest.raises(StoreAwayError):
        handle_all(table.service)
    assert not full
    assert table.inbox()[-1].status == "new"
    table.run()
    assert table.inbox()[-1].status == "done"
    assert table.game(game.id).to_act == (1 - seat,)


def test_player_who_cannot_be_told_keeps_no_mail_from_being_set_aside(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is wrong with the telling: the mail is set aside, and the next one goes on."""
    game = table.started(2)
    seat, order = table.standby(game)
    to = table.last_to(seat).reply_to
    monkeypatch.setattr(handle_mail.refusing, "tell_set_aside", a_fault)
    with monkeypatch.context() as patch:
        patch.setitem(handle_mail.ROUTES, handle_mail.Route.SEAT, a_fault)
        table.answer(seat, order, to=to)
    table.answer(seat, order, to=to)
    assert [row.status for row in table.inbox()][-2:] == ["shunted", "done"]


# --- the program's own log ------------------------------------------------------------------------


def test_log_of_a_whole_game_holds_nothing_private(
    table: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    """No address, token, name, hand or mail text in any line, faults and refusals included."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        logs.configure("debug", as_json=True)
        game = table.started(3)
        hands: set[str] = set()
        patch = pytest.MonkeyPatch()
        for number in range(40):
            game = table.game(game.id)
            if game.is_over:
                break
            for seat in range(3):
                view = game.ruleset.view(game.state, Seat(seat))
                hands.update(view["seats"][seat]["hand"] or ())
            seat, order = table.standby(game)
            if number == 3:
                address = table.last_to(seat).reply_to
                table.answer(seat, "a private remark to everybody")
                patch.setitem(handle_mail.ROUTES, handle_mail.Route.SEAT, a_fault)
                table.answer(seat, order, to=address)
                patch.undo()
                table.answer(seat, order, to=address, sender="eve@elsewhere.example")
                table.answer(seat, order, to=address)
            else:
                table.answer(seat, order)
        root.handlers[0].flush()
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    text = capsys.readouterr().err
    assert text.count("mail_handled") > 30
    assert "mail_shunted" in text
    low = text.lower()
    for private in ("@", "remark", "anna", "bob", "carol", "play ", "pickup"):
        assert private not in low, private
    for address in {mail.reply_to for mail in table.delivery.mails}:
        assert address.partition("@")[0].partition("+")[2] not in low
    words = set(low.replace('"', " ").replace(",", " ").split())
    assert len(hands) > 20
    assert not words & {card.lower() for card in hands}
    assert (b"\x01" * 32).hex() not in low


def test_log_lines_are_redacted_wherever_the_token_stands(
    capsys: pytest.CaptureFixture[str], table: Table
) -> None:
    """In nested values and in the text of an exception too."""
    import structlog  # noqa: PLC0415

    game = table.new_game(2)
    token = table.last_to(0).reply_to.partition("@")[0].partition("+")[2]
    assert game.id in token
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        logs.configure("debug", as_json=True)
        log = structlog.get_logger("pbem.test")
        log.info("one", action="x", text=token, nested={"a": [token, (token,)]})
        try:
            raise ValueError(f"to game+{token}@play.example.org")
        except ValueError:
            log.exception("two", action="y")
        logging.getLogger("some.library").warning("at %s", token)
        logging.getLogger("mail.log").info("RCPT %s", token)
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    text = capsys.readouterr().err
    assert "two" in text
    assert "some.library" in text
    assert token not in text
    assert text.count("[token]") >= 5


# --- the door -------------------------------------------------------------------------------------


async def _deliver(table: Table, raw: bytes, to: str, accept: Any = None) -> None:
    service = table.service

    async def kept(mail: bytes, envelope: Envelope) -> None:
        await asyncio.to_thread(intake.receive, service, mail, envelope)

    hooks = ListenerHooks(
        accept=accept or kept,
        is_deliverable=lambda address: intake.is_deliverable(service, address),
        now=service.now,
    )
    server = await listen(
        hooks,
        protocol="smtp",
        place=("127.0.0.1", 0),
        max_bytes=service.config.limits.max_mail_bytes,
    )
    port = server.sockets[0].getsockname()[1]
    try:
        async with aiosmtplib.SMTP(
            hostname="127.0.0.1", port=port, use_tls=False, start_tls=False
        ) as client:
            await client.sendmail("anna@example.org", [to], raw)
    finally:
        server.close()
        await server.wait_closed()


async def test_listener_keeps_a_mail_before_it_says_250(table: Table) -> None:
    """The raw bytes are in the inbox when the sender hears of it."""
    raw = raw_mail("anna@example.org", "game@play.example.org", "help", message_id="<l@example>")
    await _deliver(table, raw, "game@play.example.org")
    (row,) = await asyncio.to_thread(table.inbox)
    assert (row.status, row.transport, row.arrived_at) == ("new", "smtp", START)


async def test_mail_of_a_mebibyte_is_refused_with_552(table: Table) -> None:
    """Refused at the door, for good, and nothing is kept."""
    raw = raw_mail("anna@example.org", "game@play.example.org", "x", message_id="<b@example>")
    raw += (b"junk " * 15 + b"\r\n") * (1024 * 1024 // 77 + 1)
    with pytest.raises(aiosmtplib.SMTPResponseException) as caught:
        await _deliver(table, raw, "game@play.example.org")
    assert caught.value.code == 552
    assert await asyncio.to_thread(table.inbox) == []


@pytest.mark.parametrize(
    "address",
    [
        "game+s-aaaaaaaaaa-0-1-5-6-aaaaaaaaaaaaaaaa@play.example.org",
        "game+nonsense@play.example.org",
        "other@play.example.org",
        "game@elsewhere.example",
    ],
)
async def test_wrong_address_is_refused_at_rcpt(table: Table, address: str) -> None:
    """A MAC that fails is no address of ours."""
    raw = raw_mail("anna@example.org", address, "x", message_id="<r@example>")
    with pytest.raises(aiosmtplib.SMTPRecipientsRefused) as caught:
        await _deliver(table, raw, address)
    assert caught.value.recipients[0].code == 550


@pytest.mark.parametrize("error", [StoreError("busy"), OSError("disk"), RuntimeError("anna@x.y")])
async def test_trouble_at_the_door_is_said_to_pass(table: Table, error: Exception) -> None:
    """Any error while storing a message gives a 451 reply without details."""

    async def fail(_raw: bytes, _envelope: Envelope) -> None:
        raise error

    raw = raw_mail("anna@example.org", "game@play.example.org", "x", message_id="<t@example>")
    with pytest.raises(aiosmtplib.SMTPResponseException) as caught:
        await _deliver(table, raw, "game@play.example.org", fail)
    assert caught.value.code == 451
    assert "anna" not in caught.value.message
