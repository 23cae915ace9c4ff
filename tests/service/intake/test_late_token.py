"""Test that the game of a message is found at receipt and again when it is parsed."""

from __future__ import annotations

import base64

from pbem.mail_in.mime.message import Envelope
from pbem.service.intake import accepting as intake
from tests.service.conftest import NAMES, Table, raw_mail


def test_a_token_in_an_encoded_subject_is_found_at_the_door(table: Table) -> None:
    """A deadline waits for such a message although it has no plus address (RFC 2047)."""
    game, seat, order = table.start(2)
    token = table.last_to(seat).reply_to.partition("+")[2].partition("@")[0]
    subject = base64.b64encode(f"Re: {token}".encode()).decode()
    raw = raw_mail(
        f"{'anna' if seat == 0 else 'bob'}@example.org",
        "game@play.example.org",
        order,
        message_id="<subject@example.org>",
    ).replace(b"Subject: Re: game", f"Subject: =?utf-8?b?{subject}?=".encode())
    received = table.receive(raw, "game@play.example.org")
    assert received.game_id == game.id
    table.run()
    assert table.game(game.id).version > game.version
    row = table.read(lambda uow: uow.inbox.list(limit=1)[0])
    assert (row.game_id, row.seat, row.status) == (game.id, seat, "done")


def test_a_mail_to_two_seats_is_of_the_one_in_to(table: Table) -> None:
    """The game in To counts at receipt and while parsing, whichever field comes first."""
    games = [table.started(2, seed=seed) for seed in (1, 3)]
    seat, order = table.standby(games[0])
    to, cc = (
        next(
            mail.reply_to
            for mail in table.mails_to(seat)[::-1]
            if game.id in str(mail.message["Subject"])
        )
        for game in games
    )
    sender = f"{NAMES[seat].lower()}@example.org"
    raw = raw_mail(sender, to, order, message_id="<two-games@example.org>")
    envelope = Envelope(None, None, "imap", table.clock.now())
    received = intake.receive(table.service, f"Cc: {cc}\r\n".encode() + raw, envelope)
    table.run()
    row = table.inbox()[-1]
    assert (received.game_id, row.game_id, row.seat) == (games[0].id, games[0].id, seat)
    assert table.game(games[0].id).version > games[0].version
    assert table.game(games[1].id).version == games[1].version
