"""Seeds, commitments and shuffles: all randomness of the games (GEN-2, GEN-3, GEN-4, GEN-13).

Everything here is defined byte by byte, so that a few lines in any language can recompute a deal
from the revealed secret. tests/engine/vectors/shuffle.json contains test vectors.
"""

from __future__ import annotations

import hashlib
import itertools
import struct
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Generic, TypeVar

T = TypeVar("T")

SECRET_LENGTH = 32
SEED_LENGTH: Final = 32
PHRASE_LENGTH = 200
"""Maximum length of a phrase in code points."""

_WORDS: Final = 1 << 32
_EIGHT_WORDS: Final = struct.Struct(">8I")
_BLOCK_WORDS: Final = 8

# HMAC (RFC 2104): block size of the hash, and the pads.
_HASH_BLOCK: Final = 64
_INNER_PAD: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD: Final = bytes(byte ^ 0x5C for byte in range(256))

# All code points with the Unicode property White_Space. `str.isspace` and `str.split` also accept
# the separators U+001C..U+001F, which do not have it.
_WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_TO_BLANK = str.maketrans(dict.fromkeys(_WHITE_SPACE, " "))


def normalise_phrase(text: str) -> str:
    """Return the canonical form of a player's phrase (GEN-4).

    NFC, then each run of white space becomes one space, both ends are stripped, the rest is cut to
    200 code points, and trailing space is stripped again. The function is idempotent.
    """
    blanks = unicodedata.normalize("NFC", text).translate(_TO_BLANK)
    words = " ".join(word for word in blanks.split(" ") if word)
    return words[:PHRASE_LENGTH].rstrip(" ")


def commitment(secret: bytes) -> bytes:
    """Return the commitment, which is published before the phrases are accepted (GEN-4)."""
    _need_length(secret, SECRET_LENGTH, "a server secret")
    return hashlib.sha256(b"pbem-commit-v1" + secret).digest()


def game_seed(secret: bytes, phrases: Sequence[str]) -> bytes:
    """Compute the seed of a game (GEN-4).

    Args:
        secret: the server secret, 32 bytes.
        phrases: one per seat in seat order, empty if none, exactly as `normalise_phrase` gave them
            when they were accepted. They are not normalised again: another version of Unicode must
            not change an old game.
    """
    _need_length(secret, SECRET_LENGTH, "a server secret")
    digest = hashlib.sha256(b"pbem-seed-v1" + secret)
    for phrase in phrases:
        data = phrase.encode()
        digest.update(len(data).to_bytes(4, "big") + data)
    return digest.digest()


def random_words(seed: bytes, number: int) -> Iterator[int]:
    """Yield the infinite stream of 32-bit words for shuffle `number` (GEN-3)."""
    for counter in itertools.count():
        yield from _blocks(seed, number, range(counter, counter + 1))


def _blocks(seed: bytes, number: int, counters: Iterable[int]) -> list[int]:
    """Return the words of some blocks of the stream, eight words each."""
    _need_length(seed, SEED_LENGTH, "a game seed")
    # HMAC-SHA256 as in RFC 2104 §2: for such a short message two plain hashes are twice as fast as
    # `hmac.digest`.
    key = seed.ljust(_HASH_BLOCK, b"\0")
    inner = key.translate(_INNER_PAD) + b"pbem-shuffle-v1" + number.to_bytes(4, "big")
    outer = key.translate(_OUTER_PAD)
    words: list[int] = []
    for counter in counters:
        message_hash = hashlib.sha256(inner + counter.to_bytes(4, "big")).digest()
        words += _EIGHT_WORDS.unpack(hashlib.sha256(outer + message_hash).digest())
    return words


def draw_below(bound: int, words: Iterator[int]) -> int:
    """Draw a uniformly distributed number from 0 to `bound - 1`, from 32-bit words (GEN-3).

    Words in the last, incomplete multiple of `bound` are rejected.
    """
    limit = _WORDS - _WORDS % bound
    for word in words:
        if word < limit:
            return word % bound
    raise ValueError("the stream of words has ended")


def shuffle_with(items: Iterable[T], words: Iterator[int]) -> tuple[T, ...]:
    """Shuffle by Fisher–Yates, from the last place down to the second, with `words`.

    Args:
        items: bottom to top.
        words: a sufficient number of words.
    """
    result = list(items)
    for last in range(len(result) - 1, 0, -1):
        chosen = draw_below(last + 1, words)
        result[last], result[chosen] = result[chosen], result[last]
    return tuple(result)


def shuffle(items: Iterable[T], seed: bytes, number: int) -> tuple[T, ...]:
    """Shuffle a list in its documented order. The top is the last element (GEN-3).

    Args:
        items: bottom to top.
        seed: the game seed.
        number: number of the shuffle in this game, from 0. Shuffles of one card or no cards are
            counted, too (GEN-2, GEN-13).
    """
    return tuple(Shuffled(items, seed, number))


class Shuffled(Generic[T]):
    """The result of `shuffle`, computed lazily from the top down.

    Fisher–Yates determines the last places first, so that a hand can be drawn without computing the
    rest, whose order is often never needed. It equals the tuple of its items, but does not show them
    in `repr`.
    """

    __slots__ = ("_items", "_number", "_seed", "_settled", "_used")

    def __init__(self, items: Iterable[T], seed: bytes, number: int, used: int = 0) -> None:
        """Initialise with the arguments of `shuffle`. Earlier draws have used `used` words."""
        self._items = tuple(items)
        self._seed = seed
        self._number = number
        self._used = used
        self._settled: tuple[T, ...] | None = None

    @property
    def unordered(self) -> tuple[T, ...]:
        """Return the items in an order that does not reveal the shuffled one."""
        return self._items

    def draw(self, count: int) -> tuple[tuple[T, ...], tuple[T, ...] | Shuffled[T]]:
        """Return this many items from the top, the topmost last, and the rest below."""
        items = list(self._items)
        length = len(items)
        left = length - count
        used = self._used
        wanted = min(count, max(length - 1, 0))  # the last item needs no draw
        blocks = range(used // _BLOCK_WORDS, -(-(used + wanted) // _BLOCK_WORDS))
        words = _blocks(self._seed, self._number, blocks)[used % _BLOCK_WORDS :]
        if words and max(words) >= _WORDS - length:
            # A word may have to be rejected, which happens about once in ten million shuffles.
            stream = itertools.islice(random_words(self._seed, self._number), used, None)
            settled = shuffle_with(items, stream)
            return settled[left:], settled[:left]
        # A copy of `shuffle_with`, because its calls would cost more than the draws.
        last = length
        for word in words[:wanted]:
            chosen = word % last
            last -= 1
            items[last], items[chosen] = items[chosen], items[last]
        rest = Shuffled(items[:left], self._seed, self._number, used + wanted)
        return tuple(items[left:]), rest

    def _all(self) -> tuple[T, ...]:
        if self._settled is None:
            self._settled, _ = self.draw(len(self._items))
        return self._settled

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Shuffled):
            return self._all() == other._all()
        return self._all() == other if isinstance(other, tuple) else NotImplemented

    # A hash is not needed, and computing it would determine the whole order.
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Shuffled({len(self)} items)"


def _need_length(value: bytes, length: int, what: str) -> None:
    if len(value) != length:
        raise ValueError(f"{what} has {length} bytes, not {len(value)}")
