"""Test every envelope in the database: signed with its row, counted, encrypted later."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import Text, text

from pbem.errors import StoreError, UpcastError
from pbem.store.db.uow import Store
from pbem.store.people.players import EncryptionKey
from pbem.store.rows.core import METADATA, InboxMail, OutboxMail
from pbem.store.rows.texts import Times
from pbem.store.seal import data_keys, sealed
from pbem.store.seal.envelope import PLAIN, SEALED_PREFIXES
from pbem.store.seal.keyring import Key, KeyRing
from pbem.store.seal.sealed import SEALED
from tests.store.old_rows import drop_data_keys, write_secrets_as_1_0
from tests.store.samples import NOW, a_stream, new_game_id

OLD, NEW = (Key.made(date(2026, 1, n), bytes([n]) * 32) for n in (1, 2))
PLAINLY = {
    "address.address": "mails are sent to it; the one place where an address stands",
    "address.player_id": "id",
    "bounce.key": "hash or number",
    "bounce.kind": "word of ours",
    "bounce.player_id": "id",
    "bounce.status": "code",
    "data_key.kid": "name of a key",
    "data_key.wrapped": "an envelope of a key in the file",
    "deadline.game_id": "id",
    "deadline.reminders": "instants",
    "event.actor": "public",
    "event.cause": "public",
    "event.game_id": "public",
    "event.hash": "public",
    "event.prev_hash": "public",
    "event.public": "public",
    "event.recorded_at": "public",
    "event.secret_commitment": "public",
    "event.type": "public",
    "event_secret.game_id": "id",
    "game.head": "public",
    "game.id": "id",
    "game.ruleset": "public",
    "game.status": "word of ours",
    "imported.game_id": "id",
    "head.game_id": "id",
    "head.hash": "public",
    "heartbeat.name": "word of ours",
    "inbox.game_id": "id",
    "inbox.key": "hash",
    "inbox.player_id": "id",
    "inbox.raw_sha256": "hash; public as the cause of an event",
    "inbox.status": "word of ours",
    "inbox.transport": "word of ours",
    "invitation.game_id": "id",
    "invitation.inviter": "id",
    "invitation.label": "what the inviter calls them, as player.name",
    "invitation.player_id": "id",
    "uninvited.hash": "keyed hash",
    "outbox.answers": "Message-ID",
    "outbox.game_id": "id",
    "outbox.key": "made of ids and numbers",
    "mailed.game_id": "id",
    "own_key.address": "in every mail of ours",
    "own_key.player_id": "id",
    "mailed.player_id": "id",
    "outbox.kind": "word of ours",
    "outbox.message_id": "Message-ID",
    "outbox.player_id": "id",
    "outbox.status": "word of ours",
    "pause.domain": "domain of a mail server",
    "player.id": "id",
    "player.name": "what the others call them",
    "player.settings": "time zone, language, and how mails come: words of ours and numbers",
    "question.id": "random; its token has a MAC",
    "question.kind": "word of ours",
    "question.player_id": "id",
    "reach.player_id": "id",
    "reach.reason": "word of ours",
    "result.game_id": "id",
    "result.player_id": "id",
    "result.ruleset": "public",
    "seat.game_id": "id",
    "seat.player_id": "id",
    "league.id": "id",
    "league.name": "public: people call it so",
    "league.status": "word of ours",
    "seat.status": "word of ours",
    "turns.game_id": "id",
    "turns.player_id": "id",
}
"""Columns of text that are not sealed, and why that is no harm; a new one has to be thought about."""


def test_every_text_is_sealed_or_plain_for_a_reason() -> None:
    """Somebody who adds a column decides."""
    columns = {
        f"{table.name}.{column.name}"
        for table in METADATA.tables.values()
        for column in table.columns
        if isinstance(column.type, Text | Times)
    }
    in_envelopes = {f"{one.table.name}.{column.name}" for one in SEALED for column in one.columns}
    assert in_envelopes <= columns
    assert columns - in_envelopes == set(PLAINLY)


def fill(store: Store) -> Callable[[], Any]:
    """Put something into every sealed column; gives a function that reads all of it back."""
    game = new_game_id()
    with store.unit_of_work() as uow:
        uow.events.append(game, 0, a_stream(), NOW)
        anna = uow.players.add("Anna", "UTC", created_at=NOW)
        uow.players.add_address(anna.id, "anna@example.org")
        uow.players.set_keyed(anna.id, EncryptionKey(b"her key", "2026-11-21T12:00:00+00:00"))
        for secret in (b"our key", b"a second one, too late"):
            uow.players.keep_own_secret(anna.id, "game@example.org", secret)
        for number in range(3):
            mail_id = uow.inbox.add(
                InboxMail(
                    raw=b"raw %d" % number,
                    key=f"in{number}",
                    mail_from="anna@example.org",
                    rcpt_to="game+token@example.org",
                    transport="smtp",
                    arrived_at=NOW,
                )
            )
            assert mail_id is not None
            uow.inbox.mark(mail_id, "held", verdict={"why": "told"}, error="Trouble")
            uow.inbox.attribute(mail_id, "anna@example.org", anna.id)
            uow.inbox.attest(mail_id, {"said": "pass"})
        uow.outbox.add(
            OutboxMail(
                key="out",
                kind="turn",
                player_id=None,
                rcpt_to="carol@example.org",
                message_id="<1@x>",
                created_at=NOW,
                params={"a": "text"},
                not_before=NOW,
            )
        )
        (mail,) = uow.outbox.claim_due(NOW, timedelta(hours=1), 1)
        uow.outbox.keep_rendered(mail, b"rendered", NOW)
        uow.outbox.retry_at(1, NOW, "the server said no")

    def everything() -> Any:
        with store.reading() as uow:
            mails = [mail for number in (1, 2, 3) if (mail := uow.inbox.get(number)) is not None]
            seals_apart = [mail.changed(bound=str(mail.fits)) for mail in mails]
            sent = [mail.changed(bound=str(mail.fits)) for mail in uow.outbox.list()]
            held = uow.inbox.held_from(anna.id, "anna@example.org")
            assert held == (1, 2, 3)
            owner = uow.players.get(anna.id)
            assert owner is not None
            keys = uow.players.keyed(owner), uow.players.own_secret(anna.id, "game@example.org")
            assert keys[0] == EncryptionKey(b"her key", "2026-11-21T12:00:00+00:00")
            assert (keys[1], uow.players.keyed_ids()) == (b"our key", [anna.id])
            return uow.events.read(game), seals_apart, sent

    return everything


def texts(store: Store) -> list[str]:
    """All texts of the sealed columns."""
    with store.reading() as uow:
        rows = [
            uow.connection.execute(one.table.select().with_only_columns(*one.columns))
            for one in SEALED
        ]
        return [value for found in rows for row in found for value in row if value]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed, "BATCH", 2)


def seal_all_plain(store: Store) -> int:
    """Encrypt all plain values in small batches. Return their number."""
    done = 0
    for one in SEALED:
        after = None
        while True:
            with store.unit_of_work() as uow:
                batch = sealed.seal_plain(uow.connection, uow.envelopes, one, after)
            assert batch.unopened == ()
            done += batch.envelopes
            if (after := batch.last) is None:
                break
    return done


def counts(store: Store) -> dict[str, int]:
    with store.reading() as uow:
        return dict(sealed.count(uow.connection))


def test_everything_is_sealed_and_comes_back(store: Store) -> None:
    """No sealed column holds anything but envelopes of the current key."""
    everything = fill(store)
    assert all(value.startswith(SEALED_PREFIXES) for value in texts(store))
    events, (mail, *_), (outgoing,) = everything()
    assert len(events) == len(a_stream())
    assert (mail.raw, mail.mail_from, mail.rcpt_to) == (
        b"raw 0",
        "anna@example.org",
        "game+token@example.org",
    )
    assert (mail.verdict, mail.error, mail.sender) == (
        {"why": "told"},
        "Trouble",
        "anna@example.org",
    )
    assert (outgoing.params, outgoing.rendered) == ({"a": "text"}, b"rendered")
    assert (outgoing.rcpt_to, outgoing.last_error) == ("carol@example.org", "the server said no")


def test_an_unsealed_database_is_sealed(store: Store) -> None:
    """Values of earlier versions, plain texts too, are encrypted in batches and read as before."""
    drop_data_keys(store)
    store.keys = KeyRing
    everything = fill(store)
    with store.unit_of_work() as uow:  # as earlier versions kept them
        for statement in (
            "UPDATE inbox SET mail_from = 'anna@example.org', sender = 'anna@example.org'",
            "UPDATE inbox SET verdict = '{\"why\":\"told\"}', error = 'Trouble'",
            'UPDATE inbox SET authentication = \'{"said":"pass"}\'',
            "UPDATE outbox SET rcpt_to = 'carol@example.org'",
        ):
            uow.connection.execute(text(statement))
    before = everything()
    total = sum(counts(store).values())
    assert counts(store) == {PLAIN: total}
    store.keys = lambda: KeyRing((NEW,))
    assert everything() == before, "readable without being sealed"
    with store.unit_of_work() as uow:
        first = sealed.seal_plain(uow.connection, uow.envelopes, SEALED[1], None)
    assert (first.rows, counts(store)) == (
        2,
        {PLAIN: total - first.envelopes, NEW.kid: first.envelopes},
    )

    def killed() -> None:
        with store.unit_of_work() as uow:
            sealed.seal_plain(uow.connection, uow.envelopes, SEALED[1], first.last)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        killed()
    assert everything() == before
    assert seal_all_plain(store) == total - first.envelopes
    assert counts(store) == {NEW.kid: total}
    store.keys = lambda: KeyRing((NEW,), sealed_only=True)
    assert everything() == before
    assert seal_all_plain(store) == 0, "nothing is left to do"


def test_a_damaged_value_stays_and_is_named(store: Store) -> None:
    """The row is named, its contents are not."""
    fill(store)
    damaged = '{"v":1,"alg":"none","kid":null,"nonce":null,"data":"?"}'
    with store.unit_of_work() as uow:
        uow.connection.execute(text("UPDATE inbox SET raw = :raw WHERE id = 1"), {"raw": damaged})
        batch = sealed.seal_plain(uow.connection, uow.envelopes, SEALED[1], None)
    assert (batch.rows, batch.envelopes) == (1, 0)
    assert [line.partition(":")[0] for line in batch.unopened] == ["inbox 1"]


SWAPS = (
    "UPDATE event_secret SET payload = (SELECT o.payload FROM event_secret AS o WHERE o.version = 3) WHERE version = 1",
    "UPDATE event_secret SET salt = payload WHERE version = 1",
    "UPDATE inbox SET raw = (SELECT other.raw FROM inbox AS other WHERE other.id = 2) WHERE id = 1",
    "UPDATE inbox SET mail_from = rcpt_to WHERE id = 1",
    "UPDATE inbox SET sender = (SELECT o.sender FROM inbox AS o WHERE o.id = 2) WHERE id = 1",
    "UPDATE outbox SET rendered = params",
    "UPDATE outbox SET params = (SELECT raw FROM inbox WHERE id = 1)",
)


@pytest.mark.parametrize("swap", SWAPS)
def test_a_swapped_envelope_is_found_out(store: Store, swap: str) -> None:
    """Who can write into the database but has no key cannot even move what is there."""
    everything = fill(store)
    with store.unit_of_work() as uow:
        assert uow.connection.execute(text(swap)).rowcount >= 1
    with pytest.raises((StoreError, UpcastError), match="belongs to another place"):
        everything()


def test_rows_of_1_0_are_read_under_a_data_key(store: Store) -> None:
    """Their JSON envelopes count under the key of the file, which a rotation stores as a data key."""
    drop_data_keys(store)
    store.keys = lambda: KeyRing((OLD,))
    everything = fill(store)
    before = everything()
    with store.unit_of_work() as uow:
        write_secrets_as_1_0(uow)
    total = sum(counts(store).values())
    assert counts(store) == {OLD.kid: total}
    assert everything() == before
    store.keys = lambda: KeyRing((OLD, NEW))
    with store.unit_of_work() as uow:
        assert data_keys.renew(uow.connection, uow.envelopes.ring) == 2
    store.keys = lambda: KeyRing((NEW,))
    assert everything() == before
    assert counts(store) == {OLD.kid: total}


def test_the_database_is_written_anew_after_reading(store: Store) -> None:
    """On both databases, also on a connection that was just used for reading."""
    fill(store)
    before = counts(store)
    store.vacuum()
    assert counts(store) == before
