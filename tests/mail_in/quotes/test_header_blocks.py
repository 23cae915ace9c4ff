"""Test the start of a header block above a quoted message."""

from __future__ import annotations

import pytest

from pbem.mail_in.mime.lines import BodyLine
from pbem.mail_in.quotes.marks import header_block_length

BLOCK = (
    "From: Card table <cards@play.example.org>",
    "Sent: Saturday, 21 November 2026 07:33",
    "To: anna@example.org",
    "Subject: Phyliss with Bob",
)


@pytest.mark.parametrize("above", ["Correction: play Ks", "PS: no, 22"])
def test_what_looks_like_a_field_above_a_known_block_is_the_writers(above: str) -> None:
    lines = [BodyLine(text) for text in (above, *BLOCK, "", "It is your turn.")]
    assert header_block_length(lines, 0) == 0
    assert header_block_length(lines, 1) == len(BLOCK)


def test_a_block_in_whatever_language_begins_with_its_first_field() -> None:
    lines = [
        BodyLine(text)
        for text in (
            "Xyz: Card table <cards@play.example.org>",
            "Abc: 21 xi 2026 07:33",
            "Def: anna@example.org",
            "Ghi: Phyliss with Bob",
        )
    ]
    assert header_block_length(lines, 0) == 4
