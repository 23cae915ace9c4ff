"""Test `pbem.domain.log.chain`: the hashed bytes, and the chain from any head."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.canonical import canonical_json
from pbem.domain.log.chain import (
    GENESIS,
    HASHED_FIELDS,
    GameId,
    NewEvent,
    StoredEvent,
    Written,
    chain,
    check_chain,
    checked,
    event_hash,
)
from pbem.errors import LogError

GAME = GameId("k7q2m3x9ab")
AT = "2026-11-21T06:33:49.000000Z"
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


def log(count: int) -> list[StoredEvent]:
    events = [NewEvent("MovePlayed", 1, "seat:0", None, {"ply": ply}) for ply in range(count)]
    return chain(GAME, (0, GENESIS), events, AT)


@given(
    event=st.builds(
        StoredEvent,
        game_id=TEXT,
        version=st.integers(1, 1 << 53),
        type=TEXT,
        schema_version=st.integers(1, 99),
        recorded_at=TEXT,
        actor=TEXT,
        cause=TEXT | st.none(),
        public=st.dictionaries(TEXT, TEXT | st.integers(-9, 9) | st.lists(TEXT), max_size=3),
        secret_commitment=TEXT | st.none(),
        prev_hash=TEXT,
        hash=TEXT,
        secret=st.none(),
    )
)
def test_the_hash_is_that_of_the_canonical_json_of_the_fields(event: StoredEvent) -> None:
    """This agrees with docs/dev/log-format.md and docs/verify.py for any content."""
    body = canonical_json({name: getattr(event, name) for name in HASHED_FIELDS})

    assert event_hash(event) == hashlib.sha256(b"pbem-event-v1\n" + body).hexdigest()


@pytest.mark.parametrize("broken", [{"actor": 1}, {"cause": b"x"}, {"public": {"x": 1.5}}])
def test_what_canonical_json_has_not_is_not_hashed(broken: dict[str, object]) -> None:
    with pytest.raises(TypeError):
        event_hash(replace(log(1)[0], **broken))  # type: ignore[arg-type]


def test_a_chain_is_checked_from_its_head_on() -> None:
    events = log(5)

    check_chain(events, GAME)
    check_chain(events[3:], GAME, (3, events[2].hash))
    check_chain([], GAME, (3, events[2].hash))


@pytest.mark.parametrize(
    ("first", "head", "words"),
    [
        (3, (2, "0" * 64), "event 3 is missing: 4 stands in its place"),
        (3, (3, "0" * 64), "event 4 does not follow event 3"),
        (1, (0, GENESIS), "event 1 is missing"),
    ],
)
def test_what_does_not_follow_the_head_is_named(
    first: int, head: tuple[int, str], words: str
) -> None:
    with pytest.raises(LogError, match=words):
        check_chain(log(5)[first:], GAME, head)


def test_every_event_of_it_is_checked() -> None:
    events = log(5)
    events[3] = replace(events[3], public={"ply": 7})

    with pytest.raises(LogError, match="event 4 was changed"):
        check_chain(events, GAME)
    with pytest.raises(LogError, match="belongs to another game"):
        check_chain(log(2), GameId("another000"))


def test_what_held_is_given_until_something_does_not() -> None:
    events = log(5)
    events[3] = replace(events[3], public={"ply": 7})
    written = [(event, Written(canonical_json(event.public), None)) for event in events]
    given = checked(written, GAME)

    assert [next(given) for _ in range(3)] == events[:3]
    with pytest.raises(LogError, match="event 4 was changed"):
        next(given)
