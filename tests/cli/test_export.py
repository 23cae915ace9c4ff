"""Test that `pbem export` reports a log that fails verification."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.domain.log.chain import NewEvent
from pbem.domain.log.events import MovePlayed
from pbem.domain.table.game import Game
from pbem.service.admin import acts
from tests.cli.conftest import Shell
from tests.service.conftest import Table
from tests.service.logbook.test_tampering import written_anew


def broken(table: Table, *, is_over: bool) -> tuple[Game, int]:
    """A game whose log leads elsewhere than it says; every hash is right. Gives the event, too."""
    game = table.skip(table.started(2), 12)
    if is_over:
        acts.stop(table.service, game.id, "enough")
    at = next(n for n, item in enumerate(table.log(game)) if isinstance(item.event, MovePlayed))

    def other_digest(events: list[NewEvent]) -> list[NewEvent]:
        secret = events[at].secret
        assert secret is not None
        assert secret.payload is not None
        payload = {**secret.payload, "digest": "0" * 64}
        events[at] = replace(events[at], secret=replace(secret, payload=payload))
        return events

    written_anew(table, game, other_digest)
    return game, at + 1


@pytest.mark.parametrize("is_over", [False, True])
def test_a_log_that_does_not_hold(shell: Shell, *, is_over: bool) -> None:
    """Nothing is written and the event is named; who wants it as evidence asks for it as it is."""
    game, version = broken(shell.table, is_over=is_over)
    file = shell.folder / "broken.jsonl"
    for more in ((), ("--out", str(file))):
        said = shell.refused("export", game.id, *more)
        assert f"event {version}" in said
        assert "--even-if-broken" in said
    assert not file.exists()
    result = shell.run("export", game.id, "--out", str(file), "--even-if-broken")
    assert (result.exit_code, f"event {version}" in result.stderr) == (0, True)
    assert len(file.read_bytes().splitlines()) == len(shell.table.log(game)) + 1
    assert f"event {version}" in shell.refused("verify", game.id)


def test_what_holds_needs_no_word(shell: Shell) -> None:
    game = shell.table.skip(shell.table.started(2), 12)
    assert shell.done("export", game.id) == shell.done("export", game.id, "--even-if-broken")


def test_by_mail(shell: Shell) -> None:
    """The player and the admins are notified, and no file is sent."""
    table = shell.table
    game, version = broken(table, is_over=True)
    table.answer(0, "help", to=table.service.own_address)
    table.answer(0, f"export {game.id}")
    mail = table.last_to(0)
    assert list(mail.message.iter_attachments()) == []
    assert f"does not hold at event {version}" in mail.words
    (alert,) = [one for one in table.delivery.mails if one.rcpt_to == "root@example.org"]
    assert f"pbem verify {game.id}" in alert.words
