"""Write rows in the format of 1.0: a separate envelope for each salt, envelopes as JSON, no data keys."""

from __future__ import annotations

import json
from dataclasses import replace

from pbem.store.db.uow import Store, UnitOfWork
from pbem.store.log.event_store import PAYLOAD, SALT, SALT_BYTES
from pbem.store.rows.core import DATA_KEY, EVENT_SECRET

_KID, _NONCE = slice(1, 17), slice(17, 33)


def drop_data_keys(store: Store) -> None:
    """Let the keys of the file encrypt an empty database, as in 1.0."""
    with store.unit_of_work() as uow:
        uow.connection.execute(DATA_KEY.delete())
    keys = store.keys
    store.keys = lambda: replace(keys())  # another object, so that the data keys are read again


def in_json(short: str) -> dict[str, object]:
    """Convert an envelope to the JSON object that 1.0 stored."""
    nonce, data = short[_NONCE], short[_NONCE.stop :]
    return {"v": 1, "alg": "aes-256-gcm", "kid": short[_KID], "nonce": nonce, "data": data}


def write_secrets_as_1_0(uow: UnitOfWork) -> None:
    """Rewrite every secret of every log in the format of 1.0."""
    rows = uow.connection.execute(EVENT_SECRET.select()).all()
    for game_id, version, _, sealed in rows:
        opened = uow.envelopes.open(sealed, PAYLOAD, game_id, version)
        parts = {
            SALT: opened[:SALT_BYTES].hex().encode(),
            PAYLOAD: opened[SALT_BYTES:],
        }
        new = {
            name.partition(".")[2]: json.dumps(
                in_json(uow.envelopes.seal(part, name, game_id, version)), separators=(",", ":")
            )
            for name, part in parts.items()
        }
        uow.connection.execute(
            EVENT_SECRET.update()
            .where(EVENT_SECRET.c.game_id == game_id, EVENT_SECRET.c.version == version)
            .values(new)
        )
