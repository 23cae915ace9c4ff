"""Implement GEN-3 and GEN-4 again, as simply as possible, from their definition alone.

It shares no code with engine/shuffle.py. HMAC is built from SHA-256, words are read with `struct`,
and white space is looked up in the Unicode database. Run as a program, it prints the test vectors:

    python -m tests.engine.reference_shuffle > tests/engine/vectors/shuffle.json
"""

import hashlib
import json
import re
import struct
import sys
import unicodedata


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    key = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(b ^ 0x36 for b in key) + message).digest()
    return hashlib.sha256(bytes(b ^ 0x5C for b in key) + inner).digest()


def words(seed: bytes, number: int, how_many: int) -> list[int]:
    stream = b""
    counter = 0
    while len(stream) < 4 * how_many:
        stream += hmac_sha256(seed, b"pbem-shuffle-v1" + struct.pack(">II", number, counter))
        counter += 1
    return list(struct.unpack(f">{how_many}I", stream[: 4 * how_many]))


def draw(bound: int, stream: list[int]) -> int:
    while True:
        word = stream.pop(0)
        if word < 2**32 - 2**32 % bound:
            return word % bound


def shuffled(items: list, seed: bytes, number: int) -> list:
    items = list(items)
    stream = words(seed, number, 16 * len(items) + 64)
    k = len(items) - 1
    while k >= 1:
        j = draw(k + 1, stream)
        items[k], items[j] = items[j], items[k]
        k -= 1
    return items


def is_white_space(letter: str) -> bool:
    """True for Unicode's White_Space: separators, the controls TAB to CR, and NEL."""
    return unicodedata.category(letter) in {"Zs", "Zl", "Zp"} or letter in "\t\n\x0b\x0c\r\x85"


def normalised(text: str) -> str:
    result = ""
    for letter in unicodedata.normalize("NFC", text):
        if not is_white_space(letter):
            result += letter
        elif not result.endswith(" "):
            result += " "
    result = result.removeprefix(" ").removesuffix(" ")
    return result[:200].removesuffix(" ")


def seed_of(secret: bytes, phrases: list[str]) -> bytes:
    message = b"pbem-seed-v1" + secret
    for phrase in phrases:
        message += struct.pack(">I", len(phrase.encode("utf-8"))) + phrase.encode("utf-8")
    return hashlib.sha256(message).digest()


SEEDS = [bytes(32), bytes(range(32)), b"\xff" * 32, hashlib.sha256(b"phyliss").digest()]
SECRETS = [bytes(32), bytes(range(32, 64))]
PHRASES = [
    "",
    " ",
    "hello",
    "  two  words \n",
    "tab\tand\r\nline",
    "no-break\u00a0space and\u2003em space",
    "\u2028line separator\u2029",
    "ideographic\u3000space",
    "not white space: \u200b \u001c \u001f \u2060",
    "cafe\u0301",
    "caf\u00e9",
    "\u212b ngstr\u00f6m",
    "\U0001f0a1\U0001f0a1",
    "x" * 200,
    "x" * 201,
    "x" * 199 + " y",
    "x" * 199 + "  y",
    "x" * 200 + " ",
    "e\u0301" * 201,
    "\U0001f0a1" * 201,
    "q\u0323\u0307" * 3,
]
SEED_CASES = [
    [],
    [""],
    ["", ""],
    ["hello"],
    ["hello", ""],
    ["", "hello"],
    ["hel", "lo"],
    ["caf\u00e9", "\U0001f0a1", ""],
]
SAMPLER = [
    # bound, words: the first word below the last whole multiple of the bound counts
    (1, [0]),
    (1, [2**32 - 1]),
    (2, [2**32 - 1]),
    (3, [2**32 - 1, 5]),  # 2^32 mod 3 = 1: only the last word is thrown away
    (3, [2**32 - 2]),
    (5, [2**32 - 1, 4]),
    (52, [2**32 - 48, 51]),  # 2^32 mod 52 = 48
    (52, [2**32 - 49]),
    (52, [2**32 - 1, 2**32 - 48, 2**32 - 49]),
    (108, [2**32 - 4, 107]),  # 2^32 mod 108 = 4
    (2**31 + 1, [2**31 + 1, 2**32 - 1, 2**31]),  # nearly half of all words
]
DESCRIPTION = [
    "Known answers for shuffles and seeds. All byte strings are hexadecimal.",
    "shuffles: the list 0, 1, …, count - 1 shuffled with seed and number; top = last element.",
    "sampler: bound and the 32-bit words of the stream; the number drawn and how many words it took.",
    "phrases: what a player wrote, and the text that counts.",
    "seeds: server secret, normalised phrases in seat order; the game seed.",
    "commitments: server secret; what is published before the phrases.",
]


def make_vectors() -> dict:
    sampler = []
    for bound, stream in SAMPLER:
        rest = list(stream)
        sampler.append({"bound": bound, "words": stream, "drawn": draw(bound, rest),
                        "used": len(stream) - len(rest)})  # fmt: skip
    return {
        "description": DESCRIPTION,
        "shuffles": [
            {
                "seed": seed.hex(),
                "number": number,
                "count": count,
                "result": shuffled(list(range(count)), seed, number),
            }
            for seed, number, count in [
                *((SEEDS[0], 0, count) for count in (0, 1, 2, 3, 52, 108)),
                *((SEEDS[1], number, 52) for number in (0, 1, 2, 255, 256, 2**32 - 1)),
                (SEEDS[2], 7, 52),
                (SEEDS[3], 0, 52),
                (SEEDS[3], 3, 108),
                (SEEDS[3], 4, 300),
            ]
        ],
        "sampler": sampler,
        "phrases": [{"text": text, "normalised": normalised(text)} for text in PHRASES],
        "seeds": [
            {"secret": secret.hex(), "phrases": case, "seed": seed_of(secret, case).hex()}
            for secret in SECRETS
            for case in SEED_CASES
        ],
        "commitments": [
            {
                "secret": secret.hex(),
                "commitment": hashlib.sha256(b"pbem-commit-v1" + secret).hexdigest(),
            }
            for secret in SECRETS
        ],
    }


if __name__ == "__main__":
    text = json.dumps(make_vectors(), indent=1)
    # Lists of numbers on one line each.
    text = re.sub(r"\[[\d\s,]+\]", lambda match: re.sub(r"\s+", " ", match[0]), text)
    sys.stdout.write(text + "\n")
