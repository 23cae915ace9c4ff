"""What is read without a model is what the model would have read, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.domain.log.chain import GENESIS, GameId, StoredEvent, chain, format_time
from pbem.domain.log.events import Event, Recorded, VoteCast
from pbem.errors import UpcastError
from pbem.store.log import plain
from pbem.store.log.codec import decode
from tests.store.samples import NOW, deadline, move, new

JUNK: list[Any] = [
    *(None, True, 0, 1.5, 2**70, "geheim", "gehörig", "\ud800", [], ["x"], [True], [1.0], [[]], {}),
    *("2026-11-21T06:33:49.123456Z", "2026-13-21T06:33:49.123456Z", ["2026-11-21T06:33:49.1Z"]),
]
EVENTS = [move(0), deadline(0, 2), VoteCast(1, "pause", is_for=True)]


def stored(event: Event) -> StoredEvent:
    return chain(GameId("abcdefghij"), (0, GENESIS), new(event), format_time(NOW))[0]


def changed(event: StoredEvent, name: str, value: object) -> StoredEvent:
    if event.secret is not None and event.secret.payload and name in event.secret.payload:
        payload = {**event.secret.payload, name: value}
        return replace(event, secret=replace(event.secret, payload=payload))
    return replace(event, public={**event.public, name: value})


def outcome(event: StoredEvent) -> Recorded | str:
    try:
        return decode(event)
    except UpcastError as error:
        return str(error)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_whatever_stands_there_the_outcome_is_that_of_the_model(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every field with every value, and one too many; errors word for word."""
    whole = stored(event)
    hidden = {} if whole.secret is None else whole.secret.payload or {}
    names = [*whole.public, *hidden, "one_more"]
    tried = [whole, *(changed(whole, name, value) for name in names for value in JUNK)]
    tried += [
        replace(whole, public={name: value for name, value in whole.public.items() if name != gone})
        for gone in whole.public
    ]
    found = [outcome(one) for one in tried]

    monkeypatch.setattr(plain, "read", lambda *_: None)

    assert found == [outcome(one) for one in tried]
    assert found[0] == outcome(whole)
    assert sum(isinstance(one, str) for one in found) > len(found) / 2


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_the_most_frequent_events_are_read_without_a_model(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = stored(event)
    monkeypatch.setattr("pbem.store.log.codec._validate", None)

    assert decode(kept).event == event


def test_what_is_not_plain_has_a_model() -> None:
    assert plain.readers({"seat": int, "timing": dict[str, int]}, ()) is None
    assert plain.readers({"digest": str, "seat": int}, {"digest"}) is None  # hidden ones come last
