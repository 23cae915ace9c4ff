"""Test converting typed events to payloads and back."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.api import JsonObject, JsonValue
from engine.canonical import canonical_json
from pbem.domain.log.chain import GENESIS, GameId, NewEvent, Secret, StoredEvent, chain, format_time
from pbem.domain.log.clock_events import DeadlineExtended
from pbem.domain.log.events import (
    NEVER_OPENED,
    NEXT_ORDERED,
    SCHEMA_VERSIONS,
    Event,
    Hidden,
    MovePlayed,
    Recorded,
    is_choice,
    is_private,
    opens,
    secret_fields,
)
from pbem.errors import UpcastError
from pbem.store.log.codec import decode, decode_written, encode
from pbem.store.rows.texts import load_object
from tests.store.samples import DECIDED, NOW, created, deadline, is_redacted, move, new, removed

GAME = GameId("abcdefghij")


def _stored(event: NewEvent) -> StoredEvent:
    return chain(GAME, (0, GENESIS), [event], format_time(NOW))[0]


def _through_json(payload: JsonObject) -> JsonObject:
    return load_object(canonical_json(payload))


@given(DECIDED)
def test_every_event_comes_back(decided: Recorded) -> None:
    """What is encoded, written as JSON, read and decoded is the same event."""
    new_event = encode(decided)
    public = _through_json(new_event.public)
    secret = new_event.secret
    if secret is not None and secret.payload is not None:
        secret = replace(secret, payload=_through_json(secret.payload))
    recorded = decode(_stored(replace(new_event, public=public, secret=secret)))
    assert recorded.event == decided.event
    assert type(recorded.event) is type(decided.event)
    assert (recorded.actor, recorded.cause) == (decided.actor, decided.cause)
    assert recorded.recorded_at == NOW
    assert recorded.version == 1


@given(DECIDED)
def test_hidden_fields_go_into_the_secret(decided: Recorded) -> None:
    """And nothing else does; its type says when the secret opens, its salt is new each time."""
    hidden = secret_fields(type(decided.event))
    first, second = encode(decided), encode(decided)
    left_out = {
        f.name for f in fields(decided.event) if getattr(decided.event, f.name) == f.default
    }
    assert set(first.public) == {f.name for f in fields(decided.event)} - set(hidden) - left_out
    if not hidden:
        assert first.secret is None
        return
    assert first.secret is not None
    assert second.secret is not None
    assert first.secret.payload is not None
    assert set(first.secret.payload) == set(hidden)
    if first.type != "Hidden" or first.secret.payload["type"] not in NEVER_OPENED:
        assert {opens(_stored(first))} == set(hidden.values())
    assert len(first.secret.salt) == 32
    assert first.secret.salt != second.secret.salt


def test_payloads_are_written_as_the_format_says() -> None:
    """Tuples are lists, instants the log's text."""
    (event,) = new(deadline(0, 2))
    assert event.public == {
        "seats": [0, 2],
        "starts_at": "2026-11-21T06:33:49.123456Z",
        "base_at": "2026-11-22T06:33:49.123456Z",
        "due_at": "2026-11-22T06:33:49.123456Z",
        "fires_at": "2026-11-22T06:33:49.123456Z",
        "reminders": ["2026-11-21T18:33:49.123456Z"],
    }
    assert event.schema_version == SCHEMA_VERSIONS["DeadlineSet"]


@pytest.mark.parametrize(
    "event",
    [
        replace(move(0), seat="0"),
        replace(move(0), seat=True),
        replace(move(0), digest=b"x"),
        replace(deadline(0), due_at=NOW.replace(tzinfo=None)),
        replace(deadline(0), seats={0}),
        replace(created(), options={"x": 1.5}),
        replace(created(), timing={"bank": 2**60}),
        replace(created(), seats=("half a \udc80",)),
    ],
)
def test_what_the_log_cannot_keep_is_refused(event: Event) -> None:
    """On the way in already: wrong types, naive times, floats, half characters."""
    with pytest.raises(UpcastError, match="a new "):
        encode(Recorded(1, NOW, "system", None, "", event))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"type": "QueenCaptured"}, "event 1 of game .* no such type"),
        ({"schema_version": 2}, "schema version 2 is newer than this program's 1"),
        ({"schema_version": 0}, "no upcaster from schema version 0"),
        ({"public": {}}, "missing required field `seat`"),
        (
            {"public": {"seat": "geheim", "move": "geheim"}},
            r"Expected `int`, got `str` - at `\$.seat`",
        ),
        (
            {"public": {"seat": 0, "move": "x", "source": "mail", "ply": 1, "digest": "x"}},
            "a field that the type does not have",
        ),
        ({"recorded_at": "geheim"}, "recorded_at"),
        ({"secret": None}, "redacted"),
        ({"secret": Secret(b"", None)}, "redacted"),
        ({"secret": Secret(b"", {"digest": "geheim"})}, "missing required field `digest_version`"),
        (
            {"secret": Secret(b"", {"digest": "a", "digest_version": 1, "x": 1})},
            "a field that the type does not have",
        ),
    ],
)
def test_what_cannot_be_read_is_named(change: dict[str, Any], words: str) -> None:
    """Game, version, type and field; never what the payload says."""
    event = replace(_stored(new(move(0))[0]), **change)
    with pytest.raises(UpcastError, match=words) as caught:
        decode(event)
    assert "event 1 of game abcdefghij" in str(caught.value)
    assert "geheim" not in str(caught.value)


def test_an_erased_secret_reads_as_empty_texts() -> None:
    """What opens never may be erased for a person's sake; the game goes on."""
    event = _stored(new(removed(reason="geheim"))[0])
    assert not is_redacted(event)
    assert event.secret is not None
    erased = replace(event, secret=replace(event.secret, payload=None))
    assert is_redacted(erased)
    assert decode(erased).event == removed(reason="")
    assert decode(replace(event, secret=None)).event == removed(reason="")


def test_what_was_told_in_private_opens_never_and_may_be_erased() -> None:
    """In the log it is `Hidden` like a secret choice; without its words it means nothing."""
    told = Hidden(NEXT_ORDERED, "seat:1", "", format_time(NOW), {"seat": 1, "text": "pickup"})
    choice = replace(told, type="ChoiceMade")
    event, other = (
        _stored(encode(Recorded(1, NOW, "hidden", None, "", one))) for one in (told, choice)
    )
    assert event.secret is not None
    assert other.secret is not None
    assert (opens(event), opens(other)) == ("never", "game_end")
    assert (event.type, event.public) == (other.type, other.public)
    erased = replace(event, secret=replace(event.secret, payload=None))
    for closed in (erased, replace(event, secret=None)):
        assert decode(closed).event == Hidden("", "", "", "", None)
        assert is_private(decode(closed).event)
    assert is_private(told)
    assert is_choice(choice)


@given(DECIDED)
def test_a_redacted_event_gives_its_public_fields_if_asked(decided: Recorded) -> None:
    """Every type has blanks for what is hidden."""
    event = replace(_stored(encode(decided)), secret=None)
    hidden = secret_fields(type(decided.event))
    recorded = decode(event, redacted=True)
    for f in fields(decided.event):
        value = getattr(recorded.event, f.name)
        if f.name in hidden:
            assert value in ("", 0, (), None)
        else:
            assert value == getattr(decided.event, f.name)


def test_old_payloads_are_lifted_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were MovePlayed at version 3: each upcaster makes one step, the stored event stays as it is."""
    event = replace(
        _stored(new(move(0))[0]),
        public={"who": 0, "move": "x", "ply": 1},
        secret=Secret(b"", {"digest": "a"}),
    )

    def rename(public: JsonObject, secret: JsonObject | None) -> Any:
        public["seat"] = public.pop("who")
        return public, secret

    def add(public: JsonObject, secret: JsonObject | None) -> Any:
        return {**public, "source": "mail"}, {**(secret or {}), "digest_version": 1}

    monkeypatch.setitem(SCHEMA_VERSIONS, "MovePlayed", 3)
    upcasters = {("MovePlayed", 1): rename, ("MovePlayed", 2): add}
    assert decode(event, upcasters=upcasters).event == MovePlayed(0, "x", "mail", 1, "a", 1)
    assert event.public == {"who": 0, "move": "x", "ply": 1}
    assert new(move(0))[0].schema_version == 3
    assert decode(_stored(new(move(0))[0]), upcasters={}).event == move(0)
    with pytest.raises(UpcastError, match="no upcaster from schema version 2"):
        decode(event, upcasters={("MovePlayed", 1): rename})
    with pytest.raises(UpcastError, match=r"from schema version 1 failed \(KeyError\)"):
        decode(replace(event, public={}), upcasters=upcasters)
    with pytest.raises(UpcastError, match="schema version 4 is newer than this program's 3"):
        decode(replace(event, schema_version=4), upcasters=upcasters)


JUNK: list[Any] = [
    *(None, True, 0, 1.5, 2**60, 2**70, "geheim", "gehörig", "\ud800", [], ["x"], [True], [1.0]),
    *([[]], [["\udfff"]], {}, {"\ud800": 1}, {"x": 2**70}, {"x": {"y": [1]}}),
    *("2026-11-21T06:33:49.123456Z", "2026-13-21T06:33:49.123456Z", ["2026-11-21T06:33:49.1Z"]),
    *("2026-11-21T06:33:49.123456+00:00", "2026-11-21t06:33:49.123456z", 1763706829),
]


def _payloads(event: StoredEvent) -> tuple[JsonObject, JsonObject]:
    hidden = None if event.secret is None else event.secret.payload
    return event.public, hidden or {}


def _damaged(event: StoredEvent) -> Iterator[StoredEvent]:
    """Each field with each junk, one field too many, one too few, one on the other side."""
    public, hidden = _payloads(event)
    for which, payload, other in ((0, public, hidden), (1, hidden, public)):
        changed = [{**payload, name: value} for name in (*payload, "one_more") for value in JUNK]
        changed += [{k: v for k, v in payload.items() if k != name} for name in payload]
        changed += [{**payload, name: value} for name, value in other.items()]
        for one in changed:
            if which == 0:
                yield replace(event, public=one)
            elif event.secret is not None:
                yield replace(event, secret=replace(event.secret, payload=one))


@settings(max_examples=100, deadline=None)
@given(DECIDED)
def test_a_damaged_payload_is_refused_or_means_what_it_says(decided: Recorded) -> None:
    """What is read would be written the same again; all else is our own error."""
    damaged = list(_damaged(_stored(encode(decided))))
    assert [event for event in damaged if not _is_refused_or_kept(event)] == []


def _is_refused_or_kept(event: StoredEvent) -> bool:
    """True if the event cannot be read, or is written again as it is."""
    try:
        read = decode(event)
    except UpcastError:
        return True
    try:
        again = encode(Recorded(1, NOW, "system", None, "", read.event))
    except UpcastError:  # a number of free JSON that the chain refuses, too
        with pytest.raises((TypeError, ValueError), match=r"not exact|float|surrogates"):
            canonical_json([*_payloads(event)])
        return True
    return _payloads(_stored(again)) == _payloads(event)


def _bytes_of(event: StoredEvent) -> tuple[bytes, bytes | None]:
    hidden = None if event.secret is None else event.secret.payload
    return canonical_json(event.public), None if hidden is None else canonical_json(hidden)


def _read_with_care(event: StoredEvent, public: bytes, payload: bytes | None) -> Event:
    secret = None if payload is None else Secret(b"x" * 32, load_object(payload))
    return decode(replace(event, public=load_object(public), secret=secret)).event


@settings(max_examples=50, deadline=None)
@given(DECIDED, st.data())
def test_bytes_that_are_read_at_once_mean_what_they_say(
    decided: Recorded, data: st.DataObject
) -> None:
    """Damaged or not: what is made of them at once is what careful reading makes."""
    whole = _stored(encode(decided))
    public, payload = _bytes_of(whole)
    assert decode_written(whole.type, 1, public, payload) in (decided.event, None)
    assert decode_written(whole.type, 2, public, payload) is None

    found = [(public, payload)]
    for one in _damaged(whole):
        with suppress(TypeError, ValueError):
            found.append(_bytes_of(one))
    for _ in range(20):
        at, byte = data.draw(st.integers(0, 400)), data.draw(st.sampled_from(b'"{}[],:\\ 1aTZ'))
        for text in (public, payload or b""):
            changed = (
                text[: at % (len(text) + 1)] + bytes([byte]) + text[at % (len(text) + 1) + 1 :]
            )
            found.append((changed, payload) if text is public else (public, changed))
    for one_public, one_payload in found:
        event = decode_written(whole.type, 1, one_public, one_payload)
        if event is not None:
            assert event == _read_with_care(whole, one_public, one_payload)


@pytest.mark.parametrize("place", ["due_at", "reminders"])
def test_an_instant_of_another_form_is_refused(place: str) -> None:
    """One that msgspec would take."""
    other = "2026-11-21 06:33:49.000000Z"
    extended = DeadlineExtended(1, NOW, NOW, NOW, (), "admin")
    stored = _stored(new(extended)[0])
    changed: JsonValue = other if place == "due_at" else [other]
    public = canonical_json({**stored.public, place: changed})
    assert decode_written(stored.type, 1, public, None) is None
    with pytest.raises(UpcastError, match="no instant of the log's form"):
        _read_with_care(stored, public, None)
