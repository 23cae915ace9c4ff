"""Collect intact messages, and damage them at random."""

from __future__ import annotations

import random  # noqa: TID251  (damage, never what a game deals)

from tests.mail_in.grid.build import replies
from tests.mail_in.mime.test_hostile import HOSTILE, PAGES, TEXTS
from tests.mail_in.samples import load

HEAD = b"From: Anna <anna@example.org>\r\nMessage-ID: <fuzz@example.org>\r\n"
WORDS = tuple(
    word.encode()
    for word in (
        *("\r\n", "\n", "\r", "\0", "\x0b", "\x85", "\u2028", "\ufeff", "\u202e", "\udcff"[:0]),
        *("From: ", "From: a@b <c@d>\r\n", "To: ", "Subject: =?utf-8?q?=0D=0AX: y?=\r\n"),
        *("Content-Type: multipart/mixed; boundary=b\r\n\r\n", "--b\r\n", "--b--\r\n"),
        *("Content-Type: message/rfc822\r\n\r\n", "Content-Type: text/html\r\n\r\n"),
        *(
            "; charset=utf-7",
            "; charset=idna",
            "; charset=utf-16",
            "; charset*0*=x''a; charset*1=b",
        ),
        *("; boundary*0=a; boundary*1=b", "Content-Transfer-Encoding: base64\r\n", "=?", "?="),
        *("Content-Transfer-Encoding: quoted-printable\r\n", "=\r\n", "=3D", "=FF", "====="),
        *("Auto-Submitted: ", "Precedence: bulk\r\n", "Return-Path: <>\r\n", "X-Loop: a@b\r\n"),
        *("; format=flowed; delsp=yes", "((((((((", '""""""""', "<<<<", ">>>>", "@@@", "\\\\\\"),
        *("> ", ">>> ", "| ", "-- \n", "-----Original Message-----\n", "play 7c\n", "21\n"),
        *("On 1.1.2026 18:00, a@b.example wrote:\n", "From: a\nSent: b\nTo: c\nSubject: d\n"),
        *("<div>", "</div>", "<blockquote>", "<blockquote type=cite>", "<!--", "<style>", "<pre>"),
        *('<div class="gmail_quote">', "&#0;", "&#x110000;", "&nbsp;", "<![CDATA[", "<br>" * 20),
    )
)
CHARSETS = (b"utf-8", b"utf-7", b"utf-16", b"iso-2022-jp", b"hz", b"big5", b"koi8-r", b"punycode")


def seeds() -> list[bytes]:
    """Return messages to begin with: the corpus, the grid, and small hostile ones."""
    samples = [sample.raw for sample in load()]
    samples += [reply.raw for reply in replies(seed=5, count=150, messy=True)]
    samples += [make(4096) for make in HOSTILE.values()]
    samples += [
        HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + make(4096).encode()
        for make in TEXTS.values()
    ]
    samples += [
        HEAD + b"Content-Type: text/html; charset=utf-8\r\n\r\n" + make(4096).encode()
        for make in PAGES.values()
    ]
    return samples


def damaged(pool: list[bytes], dice: random.Random) -> bytes:
    """Return a message of the pool with some damage done to it."""
    raw = bytearray(dice.choice(pool))
    for _ in range(dice.choice([1, 1, 2, 3, 5, 20])):
        position = dice.randrange(len(raw) + 1)
        end = min(len(raw), position + dice.choice([1, 4, 20, 100, 1000]))
        match dice.randrange(8):
            case 0:
                del raw[position:end]
            case 1:
                raw[position:position] = raw[position:end] * dice.choice([1, 2, 50])
            case 2 | 3:
                raw[position:position] = dice.choice(WORDS) * dice.choice([1, 1, 1, 5, 200])
            case 4:
                raw[position:end] = dice.randbytes(end - position)
            case 5:
                other = dice.choice(pool)
                start = dice.randrange(len(other) + 1)
                raw[position:] = other[start:]
            case 6:
                raw = raw.replace(b"charset=utf-8", b"charset=" + dice.choice(CHARSETS), 1)
            case _:
                raw[position:end] = bytes(
                    byte ^ (1 << dice.randrange(8)) for byte in raw[position:end]
                )
        del raw[400_000:]
    return bytes(raw)
