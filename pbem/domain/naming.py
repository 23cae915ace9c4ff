"""Names that other people write for somebody: what may stand in a mail of ours, and what looks alike.

Whoever invites a stranger chooses the name that the stranger reads first; no advertisement, address or
trick of writing may come along with it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from engine.api import AnyRuleset
from pbem.domain.orders import is_taken_word

LONGEST: Final = 40
_FORM = re.compile(r"[^\W\d_](?:[\w'’.-]| (?! ))*")
_LIKE_A_LINK = re.compile(r"\w\.\w|www|https?|\d{4}", re.IGNORECASE)
_TWINS = str.maketrans(
    "авекмнорстухіјѕԁԛԝ" + "αβεηικμνορτυχγ" + "ıɡℓ0",
    "abekmhopctyxijsdqw" + "abenikmvoptuxy" + "iglo",
)
"""Letters of other scripts that look like Latin ones, in lower case."""


def clean_name(text: str) -> str:
    """Give a name as it may be shown; empty if it is none: too long, a link, control characters."""
    name = unicodedata.normalize("NFC", " ".join(text.split())).strip(" .'’-")
    if not 0 < len(name) <= LONGEST or not name.isprintable():
        return ""
    if _FORM.fullmatch(name) is None or _LIKE_A_LINK.search(name) or len(_scripts(name)) > 1:
        return ""
    return name


def name_of_address(address: str) -> str:
    """Make a name of what stands before the @: `carol.smith@…` is Carol Smith."""
    words = re.findall(r"[^\W\d_]+", address.partition("@")[0].partition("+")[0])
    return clean_name(" ".join(words[:3]).title()[:LONGEST]) or "Guest"


def playable(name: str, rulesets: Iterable[AnyRuleset]) -> str:
    """Give a name that is read as no order and no card of these games."""
    return f"{name} B" if any(is_taken_word(name, rules) for rules in rulesets) else name


def look(name: str) -> str:
    """Give what names have in common that look the same to a reader."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    return letters.translate(_TWINS).replace("rn", "m").replace(" ", "")


def _scripts(name: str) -> set[str]:
    """Give the scripts of the letters; a name mixes none."""
    return {unicodedata.name(char, "?").split()[0] for char in name if char.isalpha()}
