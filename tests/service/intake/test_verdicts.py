"""Test the results for every reply address, sender, authentication and order: `verdicts.txt`.

Each mail is handled in a unit of work that is rolled back, so that all of them meet the same world.
`python -m tests.service.intake.test_verdicts` writes the file anew.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from sqlalchemy import func, select

from pbem.domain.terms.tokens import (
    BounceToken,
    OfferToken,
    PlayerToken,
    QuestionToken,
    SeatToken,
    Token,
    find_token,
)
from pbem.mail_in.mime.authentication import TrustedServer
from pbem.mail_in.mime.message import Envelope
from pbem.service.core.context import Service
from pbem.service.intake import accepting, handle_mail
from pbem.service.notify.to_admins import token_for
from pbem.store.rows.core import OUTBOX
from tests.databases import sqlite_store
from tests.service.conftest import Table, configured, make_table, raw_mail

GOLDEN = Path(__file__).with_name("verdicts.txt")
SENDERS = ("anna", "work", "bob", "root", "stranger")
PROOFS = ("token", "foreign", "pass", "fail")
FEWER = {"foreign": ("help", "yes", "digest 8"), "fail": ("help",)}
"""What proves nothing is not tried with every order."""
_MAILS = select(OUTBOX.c.kind, OUTBOX.c.player_id)
ORDERS = ("help", "yes", "no", "join", "resign confirm", "21", "digest 8", "prose")
BINDING = (
    "unsubscribe",
    "never",
    "address add eve@example.com",
    "replace me with eve@example.com",
    "end game",
)
"""What else cannot be taken back, or tells a stranger something; tried where an order can count."""
OF_OTHERS = ("help", "yes", "21", "resign confirm", "digest 8", "address add eve@example.com")
"""What is tried from an address that is not Anna's."""
COUNTING = ("seat", "seat-replaced", "seat-former", "player", "player-replaced", "offer", "bare")


def is_tried(kind: str, sender: str, proof: str, order: str) -> bool:
    """Return True for the combinations that can differ from others."""
    if kind not in COUNTING and sender in ("work", "root") and not kind.startswith("admin"):
        return False
    if kind != "bare" and sender in ("bob", "root", "stranger") and order not in OF_OTHERS:
        return False
    if order in BINDING:
        return kind in COUNTING and proof in ("token", "pass")
    orders = FEWER.get(proof, ORDERS)
    if proof == "pass" and kind not in COUNTING:
        orders = FEWER["foreign"]
    return order in orders


class _RollBackError(Exception):
    """Ends a unit of work without a trace."""


def build_world(folder: Path) -> Iterator[Table]:
    """Yield a table with a game, a held message, an order to confirm, and a new address that was asked."""
    with sqlite_store(folder) as store:
        table = make_table(store)
        table.service = configured(table.service, registration="open")
        table.started(3)
        reply_to = table.last_to(0).reply_to
        table.answer_twice(0, "address add anna@work.example", to=reply_to)
        table.answer(0, "help", to=reply_to, sender="anna@elsewhere.example")
        table.answer(0, "resign confirm", to=reply_to)
        table.answer(
            0, "new phyliss with bob", to="game@play.example.org", sender="zoe@example.org"
        )
        yield table


def list_reply_addresses(table: Table) -> dict[str, str]:
    """Return an address of each kind, by name."""
    tokens, anna = table.service.tokens, table.player("anna@example.org")
    asked = {mail.rcpt_to: mail.reply_to for mail in table.delivery.mails}
    game_id = table.outbox()[0].game_id
    assert game_id is not None
    seats = table.game(game_id).seats
    at_table = next(
        found
        for mail in reversed(table.mails_to(0))
        if isinstance(found := find_token(tokens, [mail.reply_to], "")[1], SeatToken)
    )
    asked_now = table.read(
        lambda uow: [row for row in uow.questions.all() if row.answered_at is None]
    )
    open_questions = {row.kind: row.id for row in asked_now}
    today = table.clock.now().toordinal()
    rows: dict[str, Token] = {
        "seat": at_table,
        "seat-replaced": replace(at_table, rotation=at_table.rotation + 1),
        "seat-former": replace(at_table, generation=at_table.generation + 1),
        "seat-missing": replace(at_table, seat=7),
        "player": PlayerToken(anna.id),
        "player-replaced": PlayerToken(anna.id, 1),
        "player-missing": PlayerToken("nobody"),
        "offer": OfferToken(game_id, 2, anna.id),
        "offer-of-seat": OfferToken(game_id, 0, seats[1].player),
        "confirm-held": QuestionToken(open_questions["sender"]),
        "confirm-stranger": QuestionToken(open_questions["newcomer"]),
        "confirm-order": QuestionToken(open_questions["order"]),
        "confirm-missing": QuestionToken("q-aaaaaaaaaaaa"),
        "admin": token_for("root@example.org", None, today, 0),
        "admin-other": token_for("other@example.org", game_id, today, 0),
        "bounce": BounceToken(1),
    }
    made = {name: tokens.address(token) for name, token in rows.items()}
    made["address"] = asked["anna@work.example"]
    made["bare"] = "game@play.example.org"
    made["broken"] = made["seat"].replace("@", "x@")
    return made


def judge(table: Table, service: Service, number: int, to: str, case: tuple[str, ...]) -> str:
    """Handle a message and roll back. Return its verdict and the messages that it caused."""
    name, proof, order = case
    sender = {"stranger": "eve@example.com", "work": "anna@work.example"}.get(
        name, f"{name}@example.org"
    )
    headers = {}
    if proof in ("pass", "fail"):
        domain = sender.partition("@")[2]
        headers["Authentication_Results"] = f"mx.example.net; dmarc={proof} header.from={domain}"
    raw = raw_mail(sender, to, order, message_id=f"<v{number}@x>", **headers)
    mail_from = "someone@far.example" if proof == "foreign" else sender
    kept = accepting.receive(service, raw, Envelope(mail_from, to, "smtp", table.clock.now()))
    assert kept.inbox_id is not None
    said = ""
    try:
        with service.store.unit_of_work() as uow:
            row = uow.inbox.claim(kept.inbox_id)
            if row.game_id is not None:
                uow.lock_game(row.game_id)
            before = uow.connection.scalar(select(func.max(OUTBOX.c.id)))
            verdict = handle_mail._handle(service, uow, row)
            new = uow.connection.execute(_MAILS.where(OUTBOX.c.id > before))
            kinds = sorted(
                f"{mail.kind} {find_first_address(table, mail.player_id)}" for mail in new
            )
            said = "; ".join([f"{verdict.status}, {verdict.why}", *kinds])
            raise _RollBackError
    except _RollBackError:
        return said


def find_first_address(table: Table, player_id: str | None) -> str:
    """Return a player's first address, which is the same on each run."""
    return table.read(lambda uow: next(iter(uow.players.addresses(player_id or "")), "nobody"))


def judge_all(folder: Path) -> Iterator[str]:
    """Yield a line for each combination."""
    for table in build_world(folder):
        trusting = replace(table.service, trusted=TrustedServer("mx.example.net", "dmarc"))
        cases = product(list_reply_addresses(table).items(), SENDERS, PROOFS, ORDERS + BINDING)
        for number, ((kind, to), sender, proof, order) in enumerate(cases):
            if not is_tried(kind, sender, proof, order):
                continue
            service = trusting if proof in ("pass", "fail") else table.service
            said = judge(table, service, number, to, (sender, proof, order))
            yield f"{kind} / {sender} / {proof} / {order}: {said}"


@pytest.mark.slow
def test_every_combination_has_its_verdict(tmp_path: Path) -> None:
    """A changed line is a changed promise: say so in the commit."""
    assert list(judge_all(tmp_path)) == GOLDEN.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        lines = list(judge_all(Path(name)))
    GOLDEN.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(lines)} verdicts\n")
