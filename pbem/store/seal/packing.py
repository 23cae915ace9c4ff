"""Packing mails, and what stays of old ones, before they are sealed.

It is zlib with a dictionary of what our mails have in common. One of our mails, or an answer that quotes it,
shrinks to a twelfth; without the dictionary, to a fifth. What is packed names its dictionary (RFC 1950, DICTID). A
dictionary is never changed, because stored mails need it; a better one, made by
`python -m tools.dictionary`, gets the next number.
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
"""What zlib's output begins with, and no header of a mail."""
_DICTID = slice(2, 6)


@cache
def _dictionary(number: int) -> bytes:
    return Path(__file__).with_name(f"mails-{number}.zdict").read_bytes()


@cache
def _by_id() -> dict[bytes, bytes]:
    found = map(_dictionary, range(1, NEWEST + 1))
    return {zlib.adler32(one).to_bytes(4): one for one in found}


@cache
def _packer() -> zlib._Compress:
    """Return what has read the dictionary, to be copied: a copy takes an eighth of the reading."""
    return zlib.compressobj(zdict=_dictionary(NEWEST))


def pack(raw: bytes) -> bytes:
    """Pack the bytes of a mail, or its lines."""
    packer = _packer().copy()
    return packer.compress(raw) + packer.flush()


def unpack(data: bytes) -> bytes:
    """Unpack what `pack` gave; return anything else as it is. Raises: StoreError."""
    try:
        if data.startswith(_WITH_DICTIONARY):
            unpacker = zlib.decompressobj(zdict=_by_id()[data[_DICTID]])
            return unpacker.decompress(data) + unpacker.flush()
        return zlib.decompress(data) if data.startswith(_PLAIN) else data
    except KeyError:
        raise StoreError("a newer pbem packed this mail, with a dictionary of its own") from None
    except zlib.error:
        raise StoreError("the envelope is damaged: its mail does not unpack") from None


_FACTS = (
    b'"authentication":"error":"suggestions":[""{"announced_after":,"decision":,"facts_after":,"lines":[{"facts":[],'
    b'"line":"pickup","links":[],"message":"","move":"pickup","outcome":"refused","rule":""line":"pass","move":"play '
    b'","outcome":"done","rule":null,"suggestions":[]}],"why":"1 done, 0 refused, 1 events","triage":"human","why":"1'
    b' done, 0 refused, 2 events"}"mail_from":"@example.com","rcpt_to":"game+s-","sender":"@example.com"'
    b'{"pruned":"2027-0","pruned":"2026-1","sha256":"","token":"s-'
)
"""What is said of most mails, the most frequent last; never changed, as the dictionaries are not."""
_DEFLATE = -zlib.MAX_WBITS
_BY_FACTS = b"\x01"
"""Names the dictionary; a better one gets the next number."""


def pack_facts(facts: JsonObject) -> bytes:
    """Pack what stays of a mail; RFC 1951, which has no sum of its own: the envelope has one."""
    packer = zlib.compressobj(9, wbits=_DEFLATE, zdict=_FACTS)
    return _BY_FACTS + packer.compress(canonical_json(facts)) + packer.flush()


def unpack_facts(data: bytes) -> JsonObject:
    """Unpack what `pack_facts` gave; nothing is said where there is nothing. Raises: StoreError."""
    if not data:
        return {}
    if not data.startswith(_BY_FACTS):
        raise StoreError("a newer pbem packed what it knows of this mail")
    try:
        return load_object(zlib.decompressobj(_DEFLATE, zdict=_FACTS).decompress(data[1:]))
    except (zlib.error, ValueError):
        raise StoreError(
            "the envelope is damaged: what it says of its mail does not unpack"
        ) from None
