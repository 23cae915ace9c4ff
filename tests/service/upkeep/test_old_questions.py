"""Test that answers to questions of version 1.0 work after an upgrade."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import pytest
from sqlalchemy import select

from engine.canonical import canonical_json
from pbem.domain.log.seat_events import SeatResigned
from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import QuestionToken
from pbem.mail_out.kinds import (
    ASK_NEW,
    ASK_ORDER,
    ASK_SENDER,
    CONFIRM_ADDRESS,
    WELCOME,
    MailKind,
)
from pbem.service.upkeep import maintenance
from pbem.store.db import migrating
from pbem.store.post.outbox_queries import PARAMS
from pbem.store.rows.core import OUTBOX
from pbem.store.rows.texts import load_object
from pbem.store.seal.keyring import KeyRing
from tests.service.conftest import Table, configured

NEW = "anna@work.example"


def make_old(table: Table, kind: MailKind[Any], *, is_sent: bool) -> str:
    """Store the newest question as 1.0 did, in the parameters of its mail, and upgrade.

    Returns:
        The reply address that 1.0 wrote into that mail.
    """
    with table.service.store.unit_of_work() as uow:
        query = select(OUTBOX).where(OUTBOX.c.kind == kind.name).order_by(OUTBOX.c.id.desc())
        row = uow.connection.execute(query.limit(1)).one()
        params = load_object(uow.envelopes.open(row.params, PARAMS, row.key))
        question = uow.questions.get(str(params.pop("question")))
        what, day = question.what, question.asked_at.toordinal()
        values: dict[str, Any] = {}
        if kind is CONFIRM_ADDRESS:
            params |= {"to": what.address, "day": day}
            text = f"pbem-address-v1\n{row.player_id}\n{what.address}"
            mark = base64.b32encode(hashlib.sha256(text.encode()).digest()).decode().lower()[:12]
            old_id = f"a-{row.player_id}-{day}-{mark}"
            values["rcpt_to"] = None
        else:
            params |= {"inbox_id": what.inbox_id, "acts": [*what.acts]}
            old_id = f"c-{what.inbox_id}"
            if what.rotation is not None:
                params["rotation"] = what.rotation
                old_id += f"-{what.rotation}"
        values["params"] = uow.envelopes.seal(canonical_json(params), PARAMS, row.key)
        if not is_sent:
            values |= {"status": "pending", "rendered": None, "sent_at": None, "lease_until": None}
        uow.connection.execute(OUTBOX.update().where(OUTBOX.c.id == row.id).values(values))
        ring = uow.envelopes.ring
    # In 1.0 all keys were in the file.
    table.service.store.keys = lambda: KeyRing((*ring.keys, *ring.data), sealed_only=True)
    migrating.downgrade(table.service.store, "0004")
    maintenance.upgrade(table.service, lambda _: None)
    return table.service.tokens.address(QuestionToken(old_id))


def find_owner(table: Table, address: str) -> str | None:
    with table.service.store.reading() as uow:
        player = uow.players.by_address(address)
        return None if player is None else player.name


@pytest.mark.parametrize("is_sent", [True, False])
def test_an_order_is_carried_out(both: Table, is_sent: bool) -> None:
    game = both.started(3)
    both.answer(0, "resign confirm")
    reply_to = make_old(both, ASK_ORDER, is_sent=is_sent)
    both.run()
    assert both.game(game.id).seats[0].status == "joined"
    both.answer(0, "yes", to=reply_to)
    assert both.events(game, SeatResigned)


@pytest.mark.usefixtures("trio")
def test_a_mail_that_waits_is_sent_with_the_old_address(table: Table) -> None:
    table.answer(0, "resign confirm")
    reply_to = make_old(table, ASK_ORDER, is_sent=False)
    table.run()
    assert table.last_to(0).reply_to == reply_to


def test_a_held_mail_is_carried_out(table: Table, trio: Game) -> None:
    table.answer(0, "pause", sender=NEW)
    table.answer(0, "yes", to=make_old(table, ASK_SENDER, is_sent=True))
    assert table.game(trio.id).votes["pause"] == {0: True}
    assert [mail.rcpt_to for mail in table.delivery.mails if mail.rcpt_to == NEW]


@pytest.mark.usefixtures("game")
def test_a_mail_without_a_reply_address_is_carried_out(table: Table) -> None:
    table.answer(0, "timezone Asia/Tokyo", to="game@play.example.org")
    table.answer(0, "yes", to=make_old(table, ASK_NEW, is_sent=True))
    assert table.player("anna@example.org").zone == "Asia/Tokyo"


@pytest.mark.parametrize("is_sent", [True, False])
@pytest.mark.usefixtures("game")
def test_an_address_is_bound_by_a_yes_from_there(table: Table, is_sent: bool) -> None:
    table.answer_twice(0, f"address add {NEW}")
    reply_to = make_old(table, CONFIRM_ADDRESS, is_sent=is_sent)
    table.run()
    table.answer(1, "yes", to=reply_to)
    assert find_owner(table, NEW) is None
    table.answer(0, "yes", to=reply_to, sender=NEW)
    assert find_owner(table, NEW) == "Anna"


def test_a_stranger_becomes_a_player(table: Table) -> None:
    table.service = configured(table.service, registration="open")
    table.answer(0, "new phyliss with bot", to="game@play.example.org", sender="zoe@example.org")
    table.answer(0, "yes", to=make_old(table, WELCOME, is_sent=True), sender="zoe@example.org")
    assert find_owner(table, "zoe@example.org") is not None


@pytest.mark.usefixtures("game")
def test_a_settled_question_is_settled(table: Table) -> None:
    table.answer(0, "pause", sender=NEW)
    table.answer(0, "no", to=table.question(0).reply_to)
    reply_to = make_old(table, ASK_SENDER, is_sent=True)
    assert "settled already" in table.ask(0, "yes", to=reply_to).words
