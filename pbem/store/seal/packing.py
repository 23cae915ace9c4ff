"""Compression of messages, and of the metadata kept after pruning, before encryption.

Messages are compressed by zlib with a preset dictionary of text common to our messages. A message
of ours, or a reply that quotes it, shrinks to a twelfth of its size (a fifth without the
dictionary). The compressed data names its dictionary (RFC 1950, DICTID). Dictionaries never change,
because stored messages need them. `python -m tools.dictionary` creates a new dictionary, which gets
the next number.
"""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path

from engine.api import JsonObject
from engine.canonical import canonical_json
from pbem.errors import StoreError
from pbem.store.rows.texts import load_object

NEWEST = 2
_PLAIN, _WITH_DICTIONARY = b"x\x9c", b"x\xbb"
"""First bytes of zlib output. No message header begins with them."""
_DICTID = slice(2, 6)


@cache
def _dictionary(number: int) -> bytes:
    return Path(__file__).with_name(f"mails-{number}.zdict").read_bytes()


@cache
def _by_id() -> dict[bytes, bytes]:
    dictionaries = map(_dictionary, range(1, NEWEST + 1))
    return {zlib.adler32(dictionary).to_bytes(4): dictionary for dictionary in dictionaries}


@cache
def _packer() -> zlib._Compress:
    """Return a compressor with the dictionary loaded. Copying it is eight times as fast."""
    return zlib.compressobj(zdict=_dictionary(NEWEST))


def pack(raw: bytes) -> bytes:
    """Compress a message or its text."""
    packer = _packer().copy()
    return packer.compress(raw) + packer.flush()


def unpack(data: bytes) -> bytes:
    """Decompress the output of `pack` and return other data unchanged. Raises: StoreError."""
    try:
        if data.startswith(_WITH_DICTIONARY):
            unpacker = zlib.decompressobj(zdict=_by_id()[data[_DICTID]])
            return unpacker.decompress(data) + unpacker.flush()
        return zlib.decompress(data) if data.startswith(_PLAIN) else data
    except KeyError:
        raise StoreError(
            "this mail was compressed by a newer pbem, with a dictionary unknown here"
        ) from None
    except zlib.error:
        raise StoreError("the envelope is damaged: its mail cannot be decompressed") from None


_FACTS = (
    b'"authentication":"error":"suggestions":[""{"announced_after":,"decision":,"facts_after":,"lines":[{"facts":[],'
    b'"line":"pickup","links":[],"message":"","move":"pickup","outcome":"refused","rule":""line":"pass","move":"play '
    b'","outcome":"done","rule":null,"suggestions":[]}],"why":"1 done, 0 refused, 1 events","triage":"human","why":"1'
    b' done, 0 refused, 2 events"}"mail_from":"@example.com","rcpt_to":"game+s-","sender":"@example.com"'
    b'{"pruned":"2027-0","pruned":"2026-1","sha256":"","token":"s-'
)
"""Preset dictionary of frequent metadata, most frequent last. Must never change."""
_DEFLATE = -zlib.MAX_WBITS
_BY_FACTS = b"\x01"
"""Prefix that identifies the dictionary. A new dictionary gets the next number."""


def pack_facts(facts: JsonObject) -> bytes:
    """Compress the metadata that is kept after pruning.

    Raw DEFLATE (RFC 1951) has no checksum, but the envelope's authentication tag covers it.
    """
    packer = zlib.compressobj(9, wbits=_DEFLATE, zdict=_FACTS)
    return _BY_FACTS + packer.compress(canonical_json(facts)) + packer.flush()


def unpack_facts(data: bytes) -> JsonObject:
    """Decompress the output of `pack_facts`. Empty data means no metadata. Raises: StoreError."""
    if not data:
        return {}
    if not data.startswith(_BY_FACTS):
        raise StoreError("the metadata of this mail was compressed by a newer pbem")
    try:
        return load_object(zlib.decompressobj(_DEFLATE, zdict=_FACTS).decompress(data[1:]))
    except (zlib.error, ValueError):
        raise StoreError(
            "the envelope is damaged: the metadata of its mail cannot be decompressed"
        ) from None
