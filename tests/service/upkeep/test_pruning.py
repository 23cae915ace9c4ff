"""Test pruning old messages on both databases (tests/cli/test_prune.py tests its output)."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.service.admin import acts
from pbem.service.upkeep import doctor, pruning
from pbem.store.rows.core import InboxMail, OutboxMail
from pbem.store.seal.keyring import Key, KeyRing
from tests.service.conftest import Table


def test_on_both_databases(both: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prune in several transactions. Waiting and quarantined messages keep their bytes."""
    monkeypatch.setattr(pruning, "AT_ONCE", 2)
    acts.stop(both.service, both.started(2).id, "Nobody has time.")
    both.run()
    mails = both.inbox()
    with both.service.store.unit_of_work() as uow:
        uow.inbox.mark(mails[0].id, "shunted")
        uow.outbox.add(
            OutboxMail(
                key="waits",
                kind="alert",
                player_id=None,
                rcpt_to="root@example.org",
                message_id="waits@example.org",
                created_at=both.clock.now(),
                not_before=both.clock.now(),
                params={},
            )
        )
    both.clock.forward(days=31)
    done: list[int] = []
    found = pruning.find_prunable(both.service, timedelta(days=30))
    assert found.mails_in == tuple(mail.id for mail in mails[1:])
    assert found.size > 1000
    pruning.prune(both.service, found, done.append)
    assert done[-1] == found.count
    assert len(done) > 1
    assert pruning.find_prunable(both.service, timedelta(days=30)).count == 0
    with both.service.store.reading() as uow:
        assert uow.inbox.get(mails[0].id).raw
    assert [row.status for row in both.outbox() if row.key == "waits"] == ["pending"]


def test_the_service_does_it_in_shares(
    both: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keep messages of a game with a dispute, and those of the last 90 days."""
    monkeypatch.setattr(pruning, "AT_ONCE", 2)
    monkeypatch.setattr(pruning, "WINDOW", timedelta(hours=5))
    service = both.service
    assert pruning.tidy(service) == 0
    disputed = both.started(2)
    both.answer(0, "dispute that was not what I wrote")
    game = both.started(2, seed=2)
    told = {
        mail.id: hashlib.sha256(mail.rendered).hexdigest()
        for mail in both.outbox()
        if mail.rendered
    }
    both.clock.forward(days=89)
    assert pruning.tidy(service) == 0
    both.clock.forward(days=2)
    both.answer(int(game.to_act[0]), "help")
    assert pruning.tidy(service) == 8  # two mails came in, six went out
    assert pruning.tidy(service) == 0
    recent = both.clock.now() - timedelta(days=90)
    with service.store.reading() as uow:
        for mail in both.outbox():
            is_whole = mail.game_id == disputed.id or mail.created_at > recent
            assert (mail.rendered is None) is not is_whole
            assert mail.params.get("sha256") == (None if is_whole else told[mail.id])
        for entry in both.inbox():
            came = uow.inbox.get(entry.id)
            assert (came.raw == b"") is not (
                entry.game_id == disputed.id or entry.arrived_at > recent
            )
    file = tmp_path / "pbem.toml"
    file.touch()
    text = " ".join(one.text for one in doctor.examine(service, file))
    assert "kept whole, for 90 days; those before 2026-11-22" in text


def test_mails_whose_key_was_given_up_stop_nobody(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Received messages stay, because their verdicts cannot be read."""
    acts.stop(table.service, table.started(2).id, "Nobody has time.")
    table.run()
    table.clock.forward(days=31)
    with table.service.store.reading() as uow:
        lost = frozenset(key.kid for key in uow.envelopes.ring.data)
    today = Key.made(table.clock.now().date(), b"\x77" * 32)
    ring = KeyRing((today,), sealed_only=True, lost=lost)
    monkeypatch.setattr(table.service.store, "keys", lambda: ring)
    found = pruning.find_prunable(table.service, timedelta(days=30))
    assert not found.mails_in
    pruning.prune(table.service, found, lambda _: None)


def test_two_processes_prune_the_same_mails(both: Table) -> None:
    """The second process finds the messages pruned already."""
    acts.stop(both.service, both.started(2).id, "Nobody has time.")
    both.run()
    both.clock.forward(days=31)
    found = pruning.find_prunable(both.service, timedelta(days=30))
    pruning.prune(both.service, found, lambda _: None)
    told = [mail.params["sha256"] for mail in both.outbox() if mail.id in found.mails_out]
    pruning.prune(both.service, found, lambda _: None)
    assert [mail.params["sha256"] for mail in both.outbox() if mail.id in found.mails_out] == told


def prune(table: Table) -> tuple[list[InboxMail], list[OutboxMail]]:
    """Prune the messages of a stopped game, and return them as they were before."""
    acts.stop(table.service, table.started(2).id, "Nobody has time.")
    table.run()
    mails_in, mails_out = read_mails(table)
    table.clock.forward(days=31)
    pruning.prune(
        table.service, pruning.find_prunable(table.service, timedelta(days=30)), lambda _: None
    )
    return mails_in, mails_out


def read_mails(table: Table) -> tuple[list[InboxMail], list[OutboxMail]]:
    with table.service.store.reading() as uow:
        found = [uow.inbox.get(entry.id) for entry in uow.inbox.list()]
        return [mail for mail in found if mail], uow.outbox.list()


def test_all_but_the_bytes_stays(both: Table) -> None:
    """The remaining fields are packed into the encrypted row."""
    before_in, before_out = prune(both)
    after_in, after_out = read_mails(both)
    assert [mail.raw for mail in after_in] == [b""] * len(before_in)
    for was, mail in zip(before_in, after_in, strict=True):
        day = both.clock.now().date().isoformat()
        assert was.rcpt_to
        verdict = {**(was.verdict or {}), "pruned": day}
        assert mail == was.changed(raw=b"", verdict=verdict, bound=mail.bound)
    for sent, row in zip(before_out, after_out, strict=True):
        said = {name: row.params[name] for name in ("pruned", "sha256")}
        params = {**row.params, **sent.params, **said}
        assert row == sent.changed(rendered=None, params=params, bound=row.bound)
    texts = (
        "SELECT raw, mail_from, rcpt_to, sender, verdict FROM inbox",
        "SELECT params, rendered, said FROM outbox",
    )
    with both.service.store.reading() as uow:
        for query in texts:
            assert not any(map(any, uow.connection.exec_driver_sql(query)))


@pytest.mark.parametrize("column", ["raw", "params"])
def test_nobody_else_can_make_a_mail_look_pruned(both: Table, column: str) -> None:
    """An empty column without encrypted fields fails verification."""
    both.answer(int(both.started(2).to_act[0]), "help", run=False)
    with both.service.store.unit_of_work() as uow:
        uow.connection.exec_driver_sql(
            "UPDATE inbox SET raw = '' WHERE status = 'new'"
            if column == "raw"
            else "UPDATE outbox SET params = ''"
        )
    mails_in, mails_out = read_mails(both)
    assert [mail.fits for mail in mails_in].count(False) == (column == "raw")
    assert [mail.fits for mail in mails_out] == [column == "raw"] * len(mails_out)
    both.run()
    newest = max(both.inbox(), key=lambda mail: mail.id)
    assert newest.status == ("shunted" if column == "raw" else "done")
