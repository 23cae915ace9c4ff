"""A token that only the full parser finds."""

from __future__ import annotations

import base64

from tests.service.conftest import Table, raw_mail


def test_a_token_in_an_encoded_subject_is_found_later(table: Table) -> None:
    """Mail systems without plus-addressing: the mail is given to its game and handled there."""
    game = table.started(2)
    seat, order = table.standby(game)
    token = table.last_to(seat).reply_to.partition("+")[2].partition("@")[0]
    subject = base64.b64encode(f"Re: {token}".encode()).decode()
    raw = raw_mail(
        f"{'anna' if seat == 0 else 'bob'}@example.org",
        "game@play.example.org",
        order,
        message_id="<subject@example.org>",
    ).replace(b"Subject: Re: game", f"Subject: =?utf-8?b?{subject}?=".encode())
    received = table.receive(raw, "game@play.example.org")
    assert received.game_id is None
    table.run()
    assert table.game(game.id).version > game.version
    with table.service.store.reading() as uow:
        row = uow.inbox.list(limit=1)[0]
    assert (row.game_id, row.seat, row.status) == (game.id, seat, "done")
