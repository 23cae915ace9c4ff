"""Forge exports with recomputed hashes, so that versions, chain, salts and commitments are valid."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from engine.canonical import canonical_json
from pbem.domain.log.chain import EVENT_PREFIX, GENESIS, HASHED_FIELDS, SECRET_PREFIX

Change = Callable[[list[dict[str, Any]]], None]


def forged(data: bytes, change: Change, *, game_id: str | None = None) -> bytes:
    """Apply a change to the list of events of an export and recompute the chain.

    Closed secrets keep their commitments. A change of `game_id` applies to all lines.
    """
    header, *lines = [json.loads(line) for line in data.splitlines()]
    events = [line for line in lines if "hash" in line]
    shuffles = lines[len(events) :]
    change(events)
    head = GENESIS
    for event in events:
        event["prev_hash"] = head
        event["game_id"] = game_id or event["game_id"]
        secret = event["secret"]
        if isinstance(secret, dict):
            hidden = bytes.fromhex(secret["salt"]) + canonical_json(secret["payload"])
            event["secret_commitment"] = hashlib.sha256(SECRET_PREFIX + hidden).hexdigest()
        body = canonical_json({name: event[name] for name in HASHED_FIELDS})
        head = event["hash"] = hashlib.sha256(EVENT_PREFIX + body).hexdigest()
    header |= {"head": head, "game_id": game_id or header["game_id"], "events": len(events)}
    return b"".join(canonical_json(line) + b"\n" for line in [header, *events, *shuffles])
