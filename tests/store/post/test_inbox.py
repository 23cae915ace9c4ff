"""Test received messages on both databases: stored once, claimed by game, oldest first."""

import hashlib
import itertools
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.domain.log.chain import GameId
from pbem.store.db.uow import Store
from pbem.store.post.inbox import STATUSES, Inbox, PendingWork
from pbem.store.rows.core import InboxMail
from tests.store.samples import DAY, NOW, in_threads

HOUR = timedelta(hours=1)
GAME, OTHER = GameId("abcdefghij"), GameId("klmnopqrst")
RAW = b"Subject: geheim\r\n\r\nplay 7 7 \xff\x00"


def _add(
    inbox: Inbox,
    key: str,
    *,
    at: datetime = NOW,
    game: GameId | None = GAME,
    seat: int | None = 0,
) -> int:
    mail_id = inbox.add(
        InboxMail(
            raw=RAW,
            key=key,
            mail_from="anna@example.org",
            rcpt_to="game+token@example.org",
            transport="smtp",
            arrived_at=at,
            game_id=game,
            seat=seat,
        )
    )
    assert mail_id is not None
    return mail_id


def test_a_mail_is_kept_as_it_came(store: Store) -> None:
    """Bytes, envelope, instant of arrival."""
    with store.unit_of_work() as uow:
        mail_id = _add(uow.inbox, "k1")
    with store.reading() as uow:
        mail = uow.inbox.get(mail_id)
        assert uow.inbox.get(mail_id + 1) is None
    assert mail is not None
    assert mail.raw == RAW
    assert mail.raw_sha256 == hashlib.sha256(RAW).hexdigest()
    assert (mail.mail_from, mail.rcpt_to) == ("anna@example.org", "game+token@example.org")
    assert (mail.arrived_at, mail.transport) == (NOW, "smtp")
    assert (mail.game_id, mail.seat, mail.status, mail.attempts) == (GAME, 0, "new", 0)
    assert (mail.verdict, mail.error, mail.handled_at) == (None, None, None)
    assert "geheim" not in repr(mail)
    assert "example.org" not in repr(mail)


def test_a_row_is_bound_to_its_number_whoever_adds_mails_beside(store: Store) -> None:
    """Also after a number was used up, or by another process."""
    beside = store.beside(store.db_engine.url.render_as_string(hide_password=False))
    with store.unit_of_work() as uow:
        ids = [_add(uow.inbox, "k1")]
        assert _again(uow.inbox) is None  # a number may be used up
        ids.append(_add(uow.inbox, "after a copy"))
    with beside.unit_of_work() as uow:
        ids.append(_add(uow.inbox, "another process"))
    with store.unit_of_work() as uow:
        _add(uow.inbox, "undone")
        uow.connection.rollback()
    with store.unit_of_work() as uow:
        ids.append(_add(uow.inbox, "after that"))
        found = [uow.inbox.get(one) for one in ids]
    assert all(one is not None and one.fits for one in found)
    beside.db_engine.dispose()


def test_a_key_seen_before_changes_nothing(store: Store) -> None:
    """This holds in the same unit and later, for every status of the first row."""
    with store.unit_of_work() as uow:
        first = _add(uow.inbox, "k1")
        assert _again(uow.inbox) is None
        uow.inbox.mark(first, "done", handled_at=NOW)
    with store.unit_of_work() as uow:
        assert _again(uow.inbox) is None
        mail = uow.inbox.get(first)
        assert len(uow.inbox.list()) == 1
    assert mail is not None
    assert (mail.raw, mail.status) == (RAW, "done")


def _again(inbox: Inbox) -> int | None:
    return inbox.add(
        InboxMail(
            raw=b"other", key="k1", mail_from=None, rcpt_to=None, transport="pipe", arrived_at=NOW
        )
    )


def test_the_same_mail_four_times_at_once(store: Store) -> None:
    """One of them is kept, the others hear that it was seen."""

    def deliver(_: int) -> int | None:
        with store.unit_of_work() as uow:
            return _again(uow.inbox)

    results = in_threads(4, deliver)
    assert results.count(None) == 3, results
    with store.reading() as uow:
        assert len(uow.inbox.list()) == 1


NUMBERS = itertools.count()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(raw=st.binary(max_size=50), words=st.text(max_size=400) | st.just("\udcff\x00ä" * 400))
def test_any_mail_can_be_kept(store: Store, raw: bytes, words: str) -> None:
    """NUL, undecodable bytes, endless Message-IDs: a mail is never refused by the database."""
    with store.unit_of_work() as uow:
        mail_id = uow.inbox.add(
            InboxMail(
                raw=raw,
                key=f"{next(NUMBERS)} {words}",
                mail_from=words,
                rcpt_to=words,
                transport="pipe",
                arrived_at=NOW,
            )
        )
        assert mail_id is not None
        uow.inbox.mark(mail_id, "shunted", error=words, verdict={"why": "x"}, handled_at=NOW)
        mail = uow.inbox.get(mail_id)
    assert mail is not None
    assert mail.raw == raw


def test_work_is_listed_by_game_longest_waiting_first(store: Store) -> None:
    """A game once, with its oldest mail; mails that name no game each by themselves."""
    with store.unit_of_work() as uow:
        late = _add(uow.inbox, "1", at=NOW + 3 * HOUR, game=OTHER)
        _add(uow.inbox, "2", at=NOW + 2 * HOUR)
        alone = _add(uow.inbox, "3", at=NOW + HOUR, game=None, seat=None)
        first = _add(uow.inbox, "4", at=NOW)
        alone_too = _add(uow.inbox, "5", at=NOW + 4 * HOUR, game=None, seat=None)
        done = _add(uow.inbox, "6", at=NOW - DAY)
        uow.inbox.mark(done, "done", handled_at=NOW)
    with store.reading() as uow:
        work = uow.inbox.open_games(10)
        assert [one.game_id for one in work] == [GAME, None, OTHER, None]
        assert work[1] == PendingWork(None, alone)
        assert work[2] == PendingWork(OTHER, late)
        assert work[3] == PendingWork(None, alone_too)
        assert uow.inbox.open_games(2) == work[:2]
    with store.unit_of_work() as uow:
        mail = uow.inbox.next_open(GAME)
        assert mail is not None
        assert mail.id == first
        assert uow.inbox.next_open(GameId("nosuchgame")) is None


def test_the_mails_of_a_game_are_taken_in_order_of_arrival(store: Store) -> None:
    """Not in the order in which they were written to the database."""
    with store.unit_of_work() as uow:
        ids = [_add(uow.inbox, f"{n}", at=NOW + n * HOUR) for n in (2, 0, 1)]
        taken = []
        while (mail := uow.inbox.next_open(GAME)) is not None:
            taken.append(mail.id)
            uow.inbox.mark(mail.id, "done", handled_at=NOW)
    assert taken == [ids[1], ids[2], ids[0]]


@pytest.mark.parametrize("store", ["postgresql"], indirect=True)
def test_a_mail_that_another_worker_has_is_not_claimed(store: Store) -> None:
    """Only until that one is through, or dead."""
    with store.unit_of_work() as uow:
        mail_id = _add(uow.inbox, "1", game=None)
    with store.unit_of_work() as uow, store.unit_of_work() as other:
        assert uow.inbox.claim(mail_id) is not None
        assert other.inbox.claim(mail_id) is None
        assert other.inbox.next_open(None) is None
    with store.unit_of_work() as uow:
        assert uow.inbox.claim(mail_id) is not None
        uow.inbox.mark(mail_id, "done", handled_at=NOW)
        assert uow.inbox.claim(mail_id) is None


@pytest.mark.parametrize("status", STATUSES)
def test_a_mail_in_time_stops_the_deadline(store: Store, status: str) -> None:
    """While it is new, shunted, held or asked about; of that seat of that game, arrived by then."""
    with store.unit_of_work() as uow:
        mail_id = _add(uow.inbox, "1")
        uow.inbox.mark(mail_id, status, handled_at=NOW)
    is_open = status in ("new", "shunted", "held", "asked")
    with store.reading() as uow:
        inbox = uow.inbox
        assert inbox.has_open_in_time(GAME, 0, NOW) == is_open
        assert inbox.has_open_in_time(GAME, 0, NOW + HOUR) == is_open
        assert not inbox.has_open_in_time(GAME, 0, NOW - timedelta(microseconds=1))
        assert not inbox.has_open_in_time(GAME, 1, NOW)
        assert not inbox.has_open_in_time(OTHER, 0, NOW)
        in_grace = is_open and status not in ("held", "asked")
        assert inbox.has_open_in_time(GAME, 0, NOW, held_after=NOW) == in_grace
        assert inbox.has_open_in_time(GAME, 0, NOW, held_after=NOW - HOUR) == is_open


def test_whose_mail_it_is_taken_to_be(store: Store) -> None:
    """Held mails are found by whom they speak for and where they came from; done ones are counted."""
    with store.unit_of_work() as uow:
        ids = [_add(uow.inbox, f"{number}") for number in range(4)]
        other = _add(uow.inbox, "other", game=None)
        for mail_id in (*ids, other):
            uow.inbox.attribute(mail_id, "Strange@example.net", "anna")
        for mail_id, status in zip(ids, ("held", "done", "held", "dropped"), strict=True):
            uow.inbox.mark(mail_id, status)
        assert uow.inbox.held_from("anna", "Strange@example.net") == (ids[0], ids[2])
        assert uow.inbox.held_from("bob", "Strange@example.net") == ()
        assert uow.inbox.count_from("anna", NOW - HOUR, GAME) == 1
        assert uow.inbox.count_from("anna", NOW, GAME) == 0, "too long ago"
        assert uow.inbox.count_from("anna", NOW - HOUR, None) == 0, "not done"
        entry = next(entry for entry in uow.inbox.list() if entry.id == other)
    assert (entry.sender, entry.player_id) == ("Strange@example.net", "anna")
    assert "Strange" not in repr(entry)
