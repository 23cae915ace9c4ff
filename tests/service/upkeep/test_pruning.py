"""Old mails lose their bytes, on both databases; tests/cli/test_prune.py has what people see of it."""

from __future__ import annotations

import hashlib
import re
import threading
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.errors import KeyMissingError
from pbem.service.admin import acts
from pbem.service.upkeep import doctor, pruning
from pbem.store.people.traces import Traces
from pbem.store.rows.core import INBOX, INBOX_OPEN, OPEN_STATUSES, OUTBOX_OPEN, InboxMail, Outgoing
from pbem.store.seal.binding import bind
from pbem.store.seal.keyring import Key, KeyRing
from tests.patience import patience
from tests.service.conftest import Table


def test_on_both_databases(both: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """In several transactions; what waits, or is set aside, keeps its bytes; then nothing is left to do."""
    monkeypatch.setattr(pruning, "AT_ONCE", 2)
    acts.stop(both.service, both.started(2).id, "Nobody has time.")
    both.run()
    mails = both.inbox()
    with both.service.store.unit_of_work() as uow:
        uow.inbox.mark(mails[0].id, "shunted")
        uow.outbox.add(
            Outgoing(
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
    found = pruning.look(both.service, timedelta(days=30))
    assert found.mails_in == tuple(mail.id for mail in mails[1:])
    assert found.size > 1000
    pruning.prune(both.service, found, done.append)
    assert done[-1] == found.count
    assert len(done) > 1
    assert pruning.look(both.service, timedelta(days=30)).count == 0
    with both.service.store.reading() as uow:
        kept = uow.inbox.get(mails[0].id)
        assert kept is not None
        assert kept.raw
    assert [row.status for row in both.outbox() if row.key == "waits"] == ["pending"]


def test_the_service_does_it_in_shares(
    both: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of running games, too; a game with an open dispute keeps its mails, and so do the last 90 days."""
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
            assert came is not None
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
    """What came in stays as it is, since nobody can read what was said of it."""
    acts.stop(table.service, table.started(2).id, "Nobody has time.")
    table.run()
    table.clock.forward(days=31)
    lost = table.service.store.keys().keys[0].kid
    today = Key.made(table.clock.now().date(), b"\x77" * 32)
    ring = KeyRing((today,), sealed_only=True, lost=frozenset({lost}))
    monkeypatch.setattr(table.service.store, "keys", lambda: ring)
    found = pruning.look(table.service, timedelta(days=30))
    assert not found.mails_in
    pruning.prune(table.service, found, lambda _: None)


def test_the_first_share_is_no_larger(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in a database that is older than this: mails that come in wait for a share."""
    monkeypatch.setattr(pruning, "SHARE", 2)
    for seed in (1, 2, 3):
        table.started(2, seed)
        table.clock.forward(days=1)
    table.clock.forward(days=100)
    assert pruning.tidy(table.service) <= 10, "a share, and what is left of a window"


def test_two_processes_prune_the_same_mails(both: Table) -> None:
    """Both found them; and whoever is asked by `pbem mail prune` whether to go on takes a while."""
    acts.stop(both.service, both.started(2).id, "Nobody has time.")
    both.run()
    both.clock.forward(days=31)
    found = pruning.look(both.service, timedelta(days=30))
    pruning.prune(both.service, found, lambda _: None)
    told = [mail.params["sha256"] for mail in both.outbox() if mail.id in found.mails_out]
    pruning.prune(both.service, found, lambda _: None)
    assert [mail.params["sha256"] for mail in both.outbox() if mail.id in found.mails_out] == told


def test_another_process_can_write_meanwhile(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite asks again and again for a writer that waits, and would find another share under way each time."""
    monkeypatch.setattr(pruning, "AT_ONCE", 1)
    for _ in range(8):
        acts.stop(table.service, table.started(2).id, "Nobody has time.")
    table.run()
    table.clock.forward(days=31)
    found, begun = pruning.look(table.service, timedelta(days=30)), threading.Event()
    pruner = threading.Thread(
        target=pruning.prune, args=(table.service, found, lambda _: begun.set())
    )
    store = table.service.store
    elsewhere = store.beside(store.db_engine.url.render_as_string(hide_password=False))
    pruner.start()
    assert begun.wait(patience(10))
    with elsewhere.unit_of_work():
        assert pruner.is_alive()
    pruner.join()
    elsewhere.close()


def pruned(table: Table) -> tuple[list[InboxMail], list[Outgoing]]:
    """Prune the mails of a game that was stopped; gives them as they were."""
    acts.stop(table.service, table.started(2).id, "Nobody has time.")
    table.run()
    mails_in, mails_out = mails(table)
    table.clock.forward(days=31)
    pruning.prune(table.service, pruning.look(table.service, timedelta(days=30)), lambda _: None)
    return mails_in, mails_out


def mails(table: Table) -> tuple[list[InboxMail], list[Outgoing]]:
    with table.service.store.reading() as uow:
        found = [uow.inbox.get(entry.id) for entry in uow.inbox.list()]
        return [mail for mail in found if mail], uow.outbox.list()


def test_all_but_the_bytes_stays(both: Table) -> None:
    """Packed in the seal of the row; the columns that held it are empty."""
    before_in, before_out = pruned(both)
    after_in, after_out = mails(both)
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


def test_a_pruned_mail_can_still_be_marked_and_erased(both: Table) -> None:
    """Its row is bound anew with what it knows; or without what is to be forgotten."""
    pruned(both)
    mails_in, mails_out = mails(both)
    with both.service.store.unit_of_work() as uow:
        uow.inbox.mark(mails_in[0].id, "ignored")
        traces = Traces(uow.connection, uow.envelopes)
        traces.erase_mail_in(mails_in[1])
        traces.rewrite_mail_out(mails_out[0], {"said": "little"})
        traces.erase_mail_out(mails_out[1])
        traces.rewrite_mail_out(mails_out[2].changed(bound=""), {})
    after_in, after_out = mails(both)
    marked = mails_in[0].changed(status="ignored", attempts=2, handled_at=None)
    assert after_in[0] == marked.changed(bound=after_in[0].bound)
    assert after_in[1].verdict == {"why": "erased", "triage": None}
    assert (after_in[1].sender, after_in[1].mail_from, after_in[1].fits) == (None, None, True)
    assert (after_out[0].params, after_out[0].fits) == ({"said": "little"}, True)
    assert (after_out[1].params, after_out[1].player_id, after_out[1].fits) == ({}, None, True)
    assert (after_out[2].params, after_out[2].fits) == ({}, False)


def test_what_1_0_pruned_is_not_pruned_again(both: Table) -> None:
    """There the parts that stayed lie in their columns."""
    (mail, *_), _ = pruned(both)
    with both.service.store.unit_of_work() as uow:
        seal, key = uow.envelopes.seal, mail.key
        row = mail.columns()
        old = {
            "raw": seal(b"", "inbox.raw", key),
            "verdict": seal(b'{"pruned":"2026-12-01","why":"x"}', "inbox.verdict", key),
            "bound": bind(uow.envelopes, INBOX, row),
        }
        uow.connection.execute(INBOX.update().where(INBOX.c.id == mail.id).values(**old))
    assert pruning.look(both.service, timedelta(days=30)).count == 0
    assert mails(both)[0][0].verdict == {"pruned": "2026-12-01", "why": "x"}


def test_a_row_that_does_not_fit_stays_as_it_is(both: Table) -> None:
    """Bound anew, it would be believed; it is not counted as pruned."""
    acts.stop(both.service, both.started(2).id, "Nobody has time.")
    both.run()
    both.clock.forward(days=31)
    found = pruning.look(both.service, timedelta(days=30))
    with both.service.store.unit_of_work() as uow:
        uow.connection.exec_driver_sql("UPDATE inbox SET seat = 7")
        uow.connection.exec_driver_sql("UPDATE outbox SET seat = 7")
    before = mails(both)
    assert pruning.prune(both.service, found, lambda _: None) == 0
    assert mails(both) == before
    assert pruning.look(both.service, timedelta(days=30)).count == 0


@pytest.mark.parametrize("column", ["raw", "params"])
def test_nobody_else_can_make_a_mail_look_pruned(both: Table, column: str) -> None:
    """An empty column is believed only where the seal has what stays."""
    game = both.started(2)
    both.answer(int(game.to_act[0]), "help", run=False)
    with both.service.store.unit_of_work() as uow:
        uow.connection.exec_driver_sql(
            "UPDATE inbox SET raw = '' WHERE status = 'new'"
            if column == "raw"
            else "UPDATE outbox SET params = ''"
        )
    mails_in, mails_out = mails(both)
    assert [mail.fits for mail in mails_in].count(False) == (column == "raw")
    assert [mail.fits for mail in mails_out] == [column == "raw"] * len(mails_out)
    both.run()
    newest = max(both.inbox(), key=lambda mail: mail.id)
    assert newest.status == ("shunted" if column == "raw" else "done")


def test_a_missing_key_is_named(both: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is left of a pruned mail is under it."""
    pruned(both)
    (mail, *_), (row, *_) = mails(both)
    today = Key.made(both.clock.now().date(), b"\x77" * 32)
    ring = KeyRing((today,), sealed_only=True)
    monkeypatch.setattr(both.service.store, "keys", lambda: ring)
    with both.service.store.reading() as uow:
        for get in (lambda: uow.inbox.get(mail.id), lambda: uow.outbox.get(row.id)):
            with pytest.raises(KeyMissingError):
                get()
        known = uow.inbox.get_known(mail.id)
        assert known is not None
        assert (known.raw, known.sender, known.fits) == (b"", None, False)
        assert not uow.outbox.list()[0].params


@pytest.mark.parametrize("act", ["forget", "mark"])
def test_a_mail_that_somebody_changes_is_not_pruned(
    both: Table, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    """On PostgreSQL two processes change rows at a time; what was erased does not come back."""
    if both.service.store.is_sqlite:
        pytest.skip("one writer at a time")
    acts.stop(both.service, both.started(2).id, "Nobody has time.")
    both.run()
    both.clock.forward(days=31)
    found = pruning.look(both.service, timedelta(days=30))
    mail_id = found.mails_in[0]
    with both.service.store.unit_of_work() as uow:
        mail = uow.inbox.get(mail_id)
        assert mail is not None
        if act == "forget":
            Traces(uow.connection, uow.envelopes).erase_mail_in(mail)
        else:
            uow.inbox.mark(mail_id, "ignored")
        assert pruning.prune(both.service, found, lambda _: None) == found.count - 1
    (changed,) = [mail for mail in mails(both)[0] if mail.id == mail_id]
    assert changed.fits
    assert (changed.sender is None, changed.raw == b"") == (act == "forget", act == "forget")


def test_open_mails_are_those_of_the_index() -> None:
    """Two places name their statuses."""
    for clause, statuses in (
        (INBOX_OPEN, OPEN_STATUSES),
        (OUTBOX_OPEN, ("pending", "failed")),
    ):
        assert set(re.findall("'([a-z]+)'", str(clause))) == set(statuses)
