"""Read the corpus of raw messages with the expected results, and recognise orders in texts."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pbem.mail_in.mime.message import InboundMail, Reply
from pbem.mail_in.mime.parse import parse_mail
from pbem.mail_in.quotes.body import extract_reply

FOLDER = Path(__file__).parent / "corpus"

_CARD = r"(?:10|[2-9ajqk])[cdhs♠♣♥♦]?"
_ORDER = re.compile(
    rf"""
    (?:(?:2[1-9]|[3-9]\d|[1-9]\d\d)\s*)?        # number of a listed move, alone or before its text
    (?:
      (?:play\s+)?(?:all\s+)?{_CARD}(?:[\s,]+{_CARD})*
      | pick\s?up | take | god | hand\s+of\s+god | flip\s+\d+ | draw | discard\s+{_CARD}
      | join(?:\s.*)? | decline | help | resign(?:\s+confirm)?
    )?
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_order(line: str) -> bool:
    """True if a whole line looks like an order. This is as generous as the real reader."""
    bare = line.strip().rstrip(".!")
    return bool(bare) and len(bare) < 200 and _ORDER.fullmatch(bare) is not None


RECOGNISER = SimpleNamespace(is_order=is_order)


@dataclass(frozen=True)
class Sample:
    """A message of the corpus with its expected result."""

    name: str
    raw: bytes
    expected: dict[str, Any]
    answered: str | None

    def parse(self) -> InboundMail:
        """Parse the message."""
        return parse_mail(
            self.raw,
            own_domains=frozenset(self.expected.get("own_domains", ())),
            own_addresses=frozenset(self.expected.get("own_addresses", ())),
        )

    def extract(self, *, knows_answered: bool = True) -> Reply:
        """Extract the player's text, with or without knowledge of the answered message."""
        return extract_reply(
            self.parse(),
            answered=self.answered if knows_answered else None,
            answered_page="",
            recogniser=RECOGNISER,
        )


def orders_of(text: str) -> list[str]:
    """Return the lines of a text that look like orders."""
    return [line for line in text.split("\n") if is_order(line)]


def load() -> list[Sample]:
    """Read the whole corpus, sorted by name."""
    samples = []
    for path in sorted(FOLDER.glob("*.eml")):
        expected = json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
        answered = expected.get("answered")
        samples.append(
            Sample(
                name=path.stem,
                raw=path.read_bytes(),
                expected=expected,
                answered=(FOLDER / answered).read_text("utf-8") if answered else None,
            )
        )
    return samples
