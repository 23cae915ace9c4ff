"""Texts of mail programs and players in many languages, such as attribution lines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Language:
    """Texts of mail clients in one language.

    Attributes:
        gmail, apple: attribution lines; `{n}` is the name, `{a}` the address.
        labels: From, Sent, To, Subject in Outlook's header block.
        device: footer added by a phone.
        prose: a sentence that a player may write next to an order.
        bye: closing words of a player.
        charset: a character set used for this language before UTF-8.
    """

    gmail: str
    apple: str
    labels: tuple[str, str, str, str]
    device: str
    prose: str
    bye: str
    charset: str


def read_table(path: Path) -> dict[str, Language]:
    """Read languages from a table with a header line. `\\n` means a line break."""
    languages = {}
    for line in path.read_text("utf-8").splitlines()[1:]:
        code, gmail, apple, sender, sent, to, subject, *rest = line.replace("\\n", "\n").split("\t")
        languages[code] = Language(gmail, apple, (sender, sent, to, subject), *rest)
    return languages


LANGUAGES = read_table(Path(__file__).with_suffix(".tsv"))
