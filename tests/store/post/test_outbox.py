"""Test queued messages on both databases: queued once, leased, in order for each seat."""

from datetime import timedelta
from typing import Any

import pytest

from pbem.domain.log.chain import GameId
from pbem.store.db.uow import Store
from pbem.store.post.outbox import Outbox
from pbem.store.rows.core import OutboxMail
from tests.store.samples import DAY, NOW, in_threads

GAME, OTHER = GameId("abcdefghij"), GameId("klmnopqrst")
LEASE = timedelta(minutes=5)
SECOND = timedelta(seconds=1)


@pytest.fixture
def player(store: Store) -> str:
    with store.unit_of_work() as uow:
        return uow.players.add("Anna", "UTC", created_at=NOW).id


def _add(outbox: Outbox, player: str, key: str, **more: Any) -> bool:
    values: dict[str, Any] = {"game_id": GAME, "seat": 0, "version": 3, "params": {}} | more
    created_at = values.setdefault("created_at", NOW)
    values.setdefault("not_before", created_at)
    return outbox.add(
        OutboxMail(
            key=key, kind="turn", player_id=player, message_id=f"<{key}@example.org>", **values
        )
    )


def _claim(store: Store, at: Any = NOW, limit: int = 100) -> list[OutboxMail]:
    with store.unit_of_work() as uow:
        return uow.outbox.claim_due(at, LEASE, limit)


def _keys(mails: list[OutboxMail]) -> list[str]:
    return [mail.key for mail in mails]


def test_an_intention_is_kept_whole(store: Store, player: str) -> None:
    """With its parameters in an envelope, and a fixed Message-ID."""
    with store.unit_of_work() as uow:
        assert _add(
            uow.outbox, player, "k", decision=2, params={"lines": ["geheim"]}, answers="<a@b>"
        )
        (mail,) = uow.outbox.list()
        assert uow.outbox.get(mail.id) == mail
        assert uow.outbox.get(mail.id + 1) is None
    assert (mail.key, mail.kind, mail.player_id) == ("k", "turn", player)
    assert (mail.game_id, mail.seat, mail.version, mail.decision) == (GAME, 0, 3, 2)
    assert mail.params == {"lines": ["geheim"]}
    assert (mail.answers, mail.message_id) == ("<a@b>", "<k@example.org>")
    assert (mail.not_before, mail.created_at, mail.status) == (NOW, NOW, "pending")
    assert (mail.lease_until, mail.attempts, mail.rendered, mail.sent_at) == (None, 0, None, None)
    assert "geheim" not in repr(mail)


def test_a_key_that_exists_changes_nothing(store: Store, player: str) -> None:
    """The same intention twice is one mail."""
    with store.unit_of_work() as uow:
        assert _add(uow.outbox, player, "k")
        assert not uow.outbox.add(
            OutboxMail(
                key="k",
                kind="other",
                player_id=player,
                message_id="<x>",
                created_at=NOW,
                not_before=NOW,
                params={},
            )
        )
        (mail,) = uow.outbox.list()
    assert (mail.kind, mail.message_id) == ("turn", "<k@example.org>")


def test_what_is_due_is_claimed_once(store: Store, player: str) -> None:
    """With a lease; what is not due yet stays."""
    with store.unit_of_work() as uow:
        _add(uow.outbox, player, "now", seat=0)
        _add(uow.outbox, player, "later", seat=1, not_before=NOW + DAY)
    (mail,) = _claim(store)
    assert (mail.key, mail.attempts, mail.lease_until) == ("now", 1, NOW + LEASE)
    assert _claim(store) == []
    assert _keys(_claim(store, NOW + DAY)) == ["now", "later"]


def test_a_lease_is_renewed_by_who_has_it(store: Store, player: str) -> None:
    """No other worker can renew it, since it may have claimed or sent the message."""
    with store.unit_of_work() as uow:
        _add(uow.outbox, player, "k")
    (mail,) = _claim(store)
    with store.unit_of_work() as uow:
        assert uow.outbox.renew(mail, NOW + 2 * LEASE)
        assert not uow.outbox.renew(mail, NOW + 3 * LEASE)
    assert _claim(store, NOW + LEASE) == []
    (taken_over,) = _claim(store, NOW + 2 * LEASE)
    with store.unit_of_work() as uow:
        uow.outbox.mark_sent(mail.id, NOW)
        assert not uow.outbox.renew(taken_over, NOW + 9 * LEASE)


def test_no_mail_is_claimed_twice(store: Store, player: str) -> None:
    """Four workers, all at once, until nothing is left."""
    with store.unit_of_work() as uow:
        for number in range(60):
            _add(uow.outbox, player, f"{number}", game_id=GameId(f"g{number}"))

    def work(_: int) -> list[int]:
        mine: list[int] = []
        empty = 0
        while empty < 3:  # another worker may hold rows that it will not keep
            claimed = [mail.id for mail in _claim(store, limit=5)]
            empty = 0 if claimed else empty + 1
            mine += claimed
        return mine

    results = in_threads(4, work)
    claimed = [mail_id for result in results for mail_id in result]
    assert len(claimed) == len(set(claimed)) == 60


def test_the_mails_of_a_seat_keep_their_order(store: Store, player: str) -> None:
    """The next one is given out when the one before is through, put off or given up."""
    with store.unit_of_work() as uow:
        for key in ("1", "2", "3", "4"):
            _add(uow.outbox, player, key)
        _add(uow.outbox, player, "other seat", seat=1)
        _add(uow.outbox, player, "other game", game_id=OTHER)
        _add(uow.outbox, player, "no game", game_id=None, seat=None)
        _add(uow.outbox, player, "no game either", game_id=None, seat=None)
    first = _claim(store)
    assert _keys(first) == ["1", "other seat", "other game", "no game", "no game either"]
    assert _claim(store) == []
    with store.unit_of_work() as uow:
        uow.outbox.mark_sent(first[0].id, NOW)
    (second,) = _claim(store)
    assert second.key == "2"
    with store.unit_of_work() as uow:
        uow.outbox.retry_at(second.id, NOW + DAY, "450 later")
    (third,) = _claim(store)
    assert third.key == "3"
    with store.unit_of_work() as uow:
        uow.outbox.mark_failed(third.id, "550 no", NOW)
    assert _keys(_claim(store)) == ["4"]


def test_rendered_bytes_are_never_replaced(store: Store, player: str) -> None:
    """The second attempt sends what the first one may have sent; the position is that of the bytes."""
    with store.unit_of_work() as uow:
        _add(uow.outbox, player, "k")
    (mail,) = _claim(store)
    newer, until = mail.changed(version=4), NOW + 2 * LEASE
    with store.unit_of_work() as uow:
        assert uow.outbox.keep_rendered(newer, b"first\r\n", until) == b"first\r\n"
        assert uow.outbox.keep_rendered(mail, b"second", until) == b"first\r\n"
        kept = uow.outbox.get(mail.id)
    assert kept is not None
    assert (kept.rendered, kept.version, kept.lease_until) == (b"first\r\n", 4, until)


def _one(store: Store, player: str) -> int:
    with store.unit_of_work() as uow:
        _add(uow.outbox, player, "k")
        return uow.outbox.list()[0].id


def _state(store: Store, mail_id: int) -> OutboxMail:
    with store.reading() as uow:
        mail = uow.outbox.get(mail_id)
    assert mail is not None
    return mail


def test_what_was_sent_stays_sent(store: Store, player: str) -> None:
    """A slow worker, whose lease another one took over, cannot take that back."""
    mail_id = _one(store, player)
    with store.unit_of_work() as uow:
        uow.outbox.mark_sent(mail_id, NOW)
        uow.outbox.mark_superseded(mail_id)
        uow.outbox.mark_failed(mail_id, "x", NOW)
        uow.outbox.retry_at(mail_id, NOW, "x")
        uow.outbox.reopen(mail_id, NOW)
    assert _state(store, mail_id).status == "sent"
    assert _claim(store, NOW + DAY) == []


def test_what_is_superseded_is_not_sent(store: Store, player: str) -> None:
    """A newer message has replaced it."""
    mail_id = _one(store, player)
    with store.unit_of_work() as uow:
        uow.outbox.mark_superseded(mail_id)
    assert _state(store, mail_id).status == "superseded"
    assert _claim(store) == []


def test_the_alarm_clock_knows_when_to_look(store: Store, player: str) -> None:
    """The earliest instant at which something can be claimed: due, or its lease over."""
    with store.unit_of_work() as uow:
        assert uow.outbox.next_due(NOW) is None
        _add(uow.outbox, player, "later", seat=1, not_before=NOW + DAY)
        assert uow.outbox.next_due(NOW) == NOW + DAY
        _add(uow.outbox, player, "now", not_before=NOW - SECOND)
        assert uow.outbox.next_due(NOW) == NOW - SECOND
    (mail,) = _claim(store)
    with store.unit_of_work() as uow:
        assert uow.outbox.next_due(NOW) == NOW + LEASE
        assert uow.outbox.next_due(NOW + LEASE) == NOW - SECOND
        uow.outbox.mark_sent(mail.id, NOW)
        assert uow.outbox.next_due(NOW) == NOW + DAY


def test_the_mail_that_was_answered_is_found(store: Store, player: str) -> None:
    """By what may have reached the seat, and by Message-ID whatever its status."""
    with store.unit_of_work() as uow:
        for version in (1, 2, 3):
            _add(uow.outbox, player, f"v{version}", version=version)
        _add(uow.outbox, player, "other", seat=1)
        by_key = {mail.key: mail for mail in uow.outbox.list()}
        uow.outbox.mark_sent(by_key["v1"].id, NOW)
        (second, *_) = uow.outbox.claim_due(NOW, LEASE, 5)
        assert second.key == "v2"
        uow.outbox.keep_rendered(second, b"perhaps on its way", NOW + LEASE)
        uow.outbox.mark_sent(by_key["other"].id, NOW)
        assert _keys(uow.outbox.sent_to(GAME, 0)) == ["v2", "v1"]
        assert _keys(uow.outbox.sent_to(GAME, 0, limit=1)) == ["v2"]
        ids = ["<v3@example.org>", "<v1@example.org>", "<foreign@x>", "\x00\udcff"]
        assert _keys(uow.outbox.by_message_id(ids)) == ["v3", "v1"]
        assert uow.outbox.by_message_id([]) == []


def test_a_decision_that_has_not_left_is_known(store: Store, player: str) -> None:
    """Turn mails of the seat from that version on, still pending; reminders are no turn mails."""
    with store.unit_of_work() as uow:
        _add(uow.outbox, player, "old", version=2, decision=2)
        _add(uow.outbox, player, "talk", version=9)
        assert not uow.outbox.has_unsent(GAME, 0, 3)
        _add(uow.outbox, player, "turn", version=3, decision=3)
        assert uow.outbox.has_unsent(GAME, 0, 3)
        assert not uow.outbox.has_unsent(GAME, 1, 3)
        assert not uow.outbox.has_unsent(OTHER, 0, 3)
        uow.outbox.mark_sent(uow.outbox.list()[0].id, NOW)
        assert not uow.outbox.has_unsent(GAME, 0, 3)


def test_a_failure_is_counted_and_waiting_is_not(store: Store, player: str) -> None:
    """A worker that dies, or a server that rests, is no failure of the mail."""
    with store.unit_of_work() as uow:
        _add(uow.outbox, player, "k")
    (mail,) = _claim(store)
    with store.unit_of_work() as uow:
        uow.outbox.put_off(mail.id, NOW + DAY)
    (mail,) = _claim(store, NOW + DAY)
    assert (mail.attempts, mail.failures) == (1, 0)
    with store.unit_of_work() as uow:
        uow.outbox.retry_at(mail.id, NOW + 2 * DAY, "later")
    (mail,) = _claim(store, NOW + 2 * DAY)
    assert (mail.attempts, mail.failures) == (2, 1)
    with store.unit_of_work() as uow:
        uow.outbox.retry_at(mail.id, NOW + 3 * DAY, "no login", is_refused=False)
    (mail,) = _claim(store, NOW + 3 * DAY)
    assert (mail.failures, mail.last_error) == (1, "no login")


def test_all_that_wait_are_tried_at_once(store: Store, player: str) -> None:
    """Not what a worker has, nor what is meant for later, nor what is settled."""
    with store.unit_of_work() as uow:
        for key in ("leased", "failed", "off"):
            _add(uow.outbox, player, key, game_id=None, seat=None)
        _, failed, off = uow.outbox.list()[::-1]
        uow.outbox.put_off(off.id, NOW + DAY)
        uow.outbox.mark_failed(failed.id, "550 no", NOW)
    assert _keys(_claim(store)) == ["leased"]
    with store.unit_of_work() as uow:
        _add(uow.outbox, player, "later", created_at=NOW + DAY)
        assert uow.outbox.reopen_all(NOW, NOW) == 1
        assert uow.outbox.count("pending") == 3
        assert uow.outbox.count("pending", NOW + SECOND) == 2
        assert uow.outbox.count("failed", NOW) == 0
        assert uow.outbox.has_key("later")
        assert not uow.outbox.has_key("lat")
    assert _keys(_claim(store)) == ["off"]


def test_a_decision_that_nobody_was_told_of_is_known(store: Store, player: str) -> None:
    """The newest turn mail was given up, and nothing else has left, a reminder neither."""
    with store.unit_of_work() as uow:
        for key, version in (("old", 2), ("one", 3), ("two", 4)):
            _add(uow.outbox, player, key, version=version, decision=version)
        two, one, old = (mail.id for mail in uow.outbox.list())
        uow.outbox.mark_sent(old, NOW)
        assert uow.outbox.untold(GAME, 0, 3) is None, "they wait"
        uow.outbox.mark_failed(one, "550 no", NOW)
        uow.outbox.mark_failed(two, "550 no", NOW)
        assert uow.outbox.untold(GAME, 0, 3) == two
        assert uow.outbox.untold(GAME, 1, 3) is None
        assert uow.outbox.untold(GAME, 0, 5) is None
        uow.outbox.cancel(two, "why")
        assert uow.outbox.has_failed(GAME, 0, 3)
        assert uow.outbox.untold(GAME, 0, 3) is None, "an admin made an end of it"
        uow.outbox.reopen(two, NOW)
        uow.outbox.mark_sent(two, NOW)
        assert uow.outbox.untold(GAME, 0, 3) is None


def test_an_admin_cancels_and_retries(store: Store, player: str) -> None:
    """What was sent stays sent; what a worker has at this moment is not taken away."""
    with store.unit_of_work() as uow:
        _add(uow.outbox, player, "k")
    (mail,) = _claim(store)
    with store.unit_of_work() as uow:
        assert not uow.outbox.reopen(mail.id, NOW), "leased"
        assert uow.outbox.cancel(mail.id, "why")
        assert not uow.outbox.cancel(mail.id, "again")
        kept = uow.outbox.get(mail.id)
        assert kept is not None
        assert (kept.status, kept.last_error) == ("cancelled", "why")
    assert _claim(store, NOW + DAY) == []
    with store.unit_of_work() as uow:
        assert uow.outbox.reopen(mail.id, NOW + DAY)
    assert _keys(_claim(store, NOW + DAY)) == ["k"]
    with store.unit_of_work() as uow:
        uow.outbox.mark_sent(mail.id, NOW + DAY)
        assert not uow.outbox.cancel(mail.id, "too late")
        assert not uow.outbox.reopen(mail.id, NOW + 9 * DAY)
