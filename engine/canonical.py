"""Canonical JSON: exactly one text for each value, for digests and hashes.

Keys are sorted by code point. There is no whitespace. The encoding is UTF-8, and only quotes,
backslashes and control characters below U+0020 are escaped. Values that some JSON parsers do not
preserve exactly are rejected: floats, integers beyond ±2^53 and lone surrogates.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

LARGEST_INTEGER = 1 << 53
DEEPEST_NESTING = 64

_LISTS = (list, tuple)
_PLAIN = frozenset({str, bool, type(None)})
_SMALL = range(-100_000, 100_000)


def encoder(default: Callable[[object], object] | None = None) -> Callable[[object], str]:
    """Return a function that encodes a value as JSON text without validating it.

    Unlike `JSONEncoder.encode`, the function creates the C encoder only once.

    Args:
        default: converts a value of another type, or raises TypeError.
    """
    slow = json.JSONEncoder(
        ensure_ascii=False,
        check_circular=False,
        allow_nan=False,
        sort_keys=True,
        separators=(",", ":"),
        default=default,
    )
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return slow.encode
    quote = json.encoder.encode_basestring
    pieces = make(None, slow.default, quote, None, ":", ",", True, False, False)
    return lambda value: "".join(pieces(value, 0))


_encode = encoder()

quoted: Callable[[str], str] = json.encoder.encode_basestring
"""Encode a string as canonical JSON text. Raises: TypeError for other types."""


def canonical_json(value: object) -> bytes:
    """Encode a value as canonical JSON in UTF-8.

    Raises:
        TypeError: the value contains something other than str, int, bool, None, list, tuple, or
            dict
        with str keys.
        ValueError: an integer is beyond ±2^53, a string contains a lone surrogate, or lists and
            dicts
        are nested more than 64 levels deep, or contain themselves.
    """
    _check(value, 0)
    return _encode(value).encode()


def _check(value: object, depth: int) -> None:
    kind = type(value)
    if kind in _PLAIN:
        return
    if kind is int and isinstance(value, int):
        if not -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
            raise ValueError("an integer beyond ±2^53 is not exact in JSON")
        return
    if depth >= DEEPEST_NESTING:
        raise ValueError(f"nested more than {DEEPEST_NESTING} deep")
    items: Iterable[object]
    if kind in _LISTS and isinstance(value, _LISTS):
        items = value
    elif kind is dict and isinstance(value, dict):
        for key in value:
            if type(key) is not str:
                raise TypeError(f"a key of canonical JSON is a str, not {type(key).__name__}")
        items = value.values()
    else:
        raise TypeError(f"{kind.__name__} has no place in canonical JSON")
    for item in items:
        inner = type(item)
        if inner in _PLAIN or (inner is int and item in _SMALL):  # true for most items
            continue
        _check(item, depth + 1)
