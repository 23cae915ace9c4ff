"""Test that answers of real mail clients to a turn message make a move.

What they write above, below and between its lines is in the corpus (`*_real_*`); this is one each.
"""

from __future__ import annotations

import re
from email import message_from_bytes
from email.utils import parseaddr
from pathlib import Path

import pytest

from pbem.domain.log.events import MovePlayed
from tests.mail_servers.clients import PROGRAMS, Client
from tests.mail_servers.conftest import need
from tests.service.conftest import NAMES, Table


@pytest.mark.parametrize(
    ("program", "where"),
    list(zip(PROGRAMS, ("bottom", "top", "inline", "bottom", "inline"), strict=True)),
)
def test_a_move_by_number(table: Table, tmp_path: Path, program: str, where: str) -> None:
    """`21` is carried out, and of what the client quotes nothing is taken for an order.

    alpine asks whether to use Reply-To, and here it does not: the mail goes to the bare address.
    """
    need(program, servers=False)
    game = table.started(2)
    seat = game.to_act[0]
    mail = table.last_to(seat)
    address = f"{NAMES[seat].lower()}@example.org"
    raw = Client(tmp_path, mail.raw, address, "21", where).answer(program)
    to = parseaddr(str(message_from_bytes(raw)["To"]))[1]
    assert to == (table.service.own_address if program == "alpine" else mail.reply_to)
    table.receive(raw, to)
    table.run()
    row = table.inbox()[-1]
    assert (row.status, (row.verdict or {}).get("triage")) == ("done", "human"), row.verdict
    moves = [item.event for item in table.log(game) if isinstance(item.event, MovePlayed)]
    assert [move.source for move in moves].count("mail") == 1
    proof = re.search(r"^Against cheating: \w+", mail.text, re.MULTILINE)
    assert proof, "the last paragraph of the mail"
    assert proof[0] in raw.decode("utf-8", "replace"), "the mail is quoted"
