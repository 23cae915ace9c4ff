"""Names of people: which names are allowed in our messages, and which look alike.

The same rule applies to all names. A name that someone types is refused if it breaks the rule. A
name from a message or an address is changed so that it follows the rule. Otherwise a player could
send strangers invitations that start with an advertisement, an address or misleading characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, Literal

from engine.api import AnyRuleset
from engine.sentences import sentence
from pbem.domain.words.en import words
from pbem.domain.words.orders import is_taken_word
from pbem.errors import Refusal

LONGEST: Final = 40
_MAX_DIGITS: Final = 3
_WITHIN: Final = " .-'’ʻʼ・"
_FORM = re.compile(r"LM{0,3}(?:(?:\.-|[-.'’ʻʼ・])? ?(?:LM{0,3}|0))*\.?")
"""Pattern of allowed names, as kinds of characters (`_kind`).

`J.-P. O'Neil 2` has the kinds `L.-L. L'LLLL 0`.
"""
_DOMAIN = re.compile(r"\.[LM0]{2}")
_LINK = re.compile(r"@|www|https?|mailto", re.IGNORECASE)
_INVISIBLE: Final = "\u034f\u115f\u1160\u17b4\u17b5"
"""Invisible characters that Unicode classifies as letters or marks."""
_SCRIPTS = words("""
LATIN GREEK CYRILLIC ARMENIAN HEBREW ARABIC THAANA DEVANAGARI BENGALI GURMUKHI GUJARATI
ORIYA TAMIL TELUGU KANNADA MALAYALAM SINHALA THAI LAO TIBETAN MYANMAR GEORGIAN ETHIOPIC
KHMER HANGUL HIRAGANA KATAKANA BOPOMOFO CJK
""")
"""Unicode names of the allowed scripts, which are those of UAX #31, table 5."""
_TOGETHER = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)
"""Scripts that a name can combine ("highly restrictive" in UTS #39, section 5.2)."""
_TWINS = str.maketrans(
    "авекмнорстухіјѕԁԛԝьѡгп" + "АВЕКМНОРСТУХІЈЅԚԜЬѠ" + "αβεηικμνορτυχγ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "ıɡɑ",
    "abekmhopctyxijsdqwbwrn" + "ABEKMHOPCTYXIJSQWbW" + "abenikmvoptuxy" + "ABEZHIKMNOPTYX" + "iga",
)
"""Letters of other scripts that look like Latin letters."""
_ALSO = {
    "ð": "d",
    "þ": "p",
    "ŋ": "n",
    "æ": "ae",
    "œ": "oe",
    "ӏ": "l",
    "ү": "y",
    "һ": "h",
    "օ": "o",
    "ո": "n",
}
"""Further letters, casefolded, that look like Latin ones but have unrelated Unicode names."""
_LATIN = re.compile(
    r"LATIN (?:LETTER SMALL CAPITAL|(?:SMALL|CAPITAL) LETTER(?: SMALL CAPITAL)?) ([A-Z])(?: WITH .*)?"
)
"""Unicode name of a variant of a plain Latin letter, such as đ, ɓ and ᴀ."""
_STROKES = str.maketrans("I1", "ll")

Fault = Literal["length", "form", "link", "scripts"]


def checked_name(text: str) -> str:
    """Return a name in its stored form. Raises: Refusal with a suggested name."""
    name = tidy(text)
    shown = "".join(filter(str.isprintable, name))[: 2 * LONGEST]
    other = made_of(shown)
    is_one_line = unicodedata.normalize("NFKC", text).strip().isprintable()
    match _fault(name) if is_one_line else "form":
        case "length":
            raise Refusal(
                "setup", sentence("A name has 1 to {most} printable characters.", most=LONGEST)
            )
        case "link":
            raise Refusal(
                "setup",
                sentence(
                    "“{name}” could be taken for an address, a link or a telephone number. Give a plain"
                    " name, for example “{other}”.",
                    name=shown,
                    other=other,
                ),
            )
        case "form":
            raise Refusal(
                "setup",
                sentence(
                    "A name begins with a letter and has only letters, single spaces, a few digits, and"
                    " . ' - between them. “{name}” has something else: give another name, for example"
                    " “{other}”.",
                    name=shown,
                    other=other,
                ),
            )
        case "scripts":
            raise Refusal(
                "setup",
                sentence(
                    "“{name}” mixes letters of different alphabets, and some of those look alike. Write"
                    " it in one alphabet, for example “{other}”.",
                    name=shown,
                    other=other,
                ),
            )
        case None:
            return name


def check_apart(names: Sequence[str]) -> None:
    """Check that the names in a game are easy to tell apart. Raises: Refusal."""
    for name, other in combinations(names, 2):
        if alike(name, other):
            raise Refusal(
                "setup",
                sentence(
                    "“{one}” and “{other}” look alike, and the names in a game must be easy to tell"
                    " apart. Give one of them another name, for example “{third}”.",
                    one=name,
                    other=other,
                    third=another(other),
                ),
            )


def tidy(text: str) -> str:
    """Normalise a text: single spaces, and plain letters instead of 𝐀 or ﬁ."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def clean_name(text: str) -> str:
    """Return the display form of a name from a message, or an empty text if it breaks the rule."""
    name = tidy(text).strip(" .'’-")
    return "" if _fault(name) else name


def made_of(text: str) -> str:
    """Derive a valid name from any text: `carol.smith@…` gives Carol Smith."""
    plain = unicodedata.normalize("NFKC", text).partition("@")[0].partition("+")[0]
    if "LATIN" in map(_script, plain):
        plain = plain.translate(_TWINS)
    words = [word.title() for word in re.findall(r"[^\W\d_]+", plain) if _fault(word) is None][:3]
    names = (clean_name(" ".join(words[:count])[:LONGEST]) for count in range(len(words), 0, -1))
    return next(filter(None, names), "Guest")


def name_of_address(address: str) -> str:
    """Derive a valid name from an address: `carol.smith@…` gives Carol Smith."""
    return made_of(address)


def playable(name: str, rulesets: Iterable[AnyRuleset]) -> str:
    """Return the name, changed if these games would read it as an order or a card."""
    return another(name) if any(is_taken_word(name, rules) for rules in rulesets) else name


def another(name: str) -> str:
    """Return a different but similar name."""
    longer = f"{name[: LONGEST - 2].rstrip()} B"
    return f"{longer[:-1]}2" if _fault(longer) else longer


def alike(name: str, other: str) -> bool:
    """True if readers might confuse two names."""
    return not _looks(name).isdisjoint(_looks(other))


@lru_cache(maxsize=1024)
def _looks(name: str) -> frozenset[str]:
    return frozenset({lookalike_key(name), lookalike_key(name.translate(_STROKES))})


def lookalike_key(name: str) -> str:
    """Return a key that is equal for names that look the same to a reader."""
    plain = unicodedata.normalize("NFKD", name.translate(_TWINS).casefold())
    letters = "".join(
        char for char in plain if char not in _WITHIN and not "\u0300" <= char <= "\u036f"
    )
    shown = letters.translate(_TWINS)
    if not shown.isascii():
        shown = "".join(map(_plain, shown))
    return shown.replace("0", "o").replace("rn", "m").replace("vv", "w")


def _plain(char: str) -> str:
    """Return the plain Latin letter that a letter looks like, or the letter itself."""
    latin = _LATIN.fullmatch(unicodedata.name(char, ""))
    return latin[1].lower() if latin is not None else _ALSO.get(char, char)


def _fault(name: str) -> Fault | None:
    """Return how a normalised name breaks the rule, or None if it is allowed."""
    kinds = "".join(map(_kind, name))
    if not 0 < len(name) <= LONGEST:
        return "length"
    if _DOMAIN.search(kinds) or _LINK.search(name) or kinds.count("0") > _MAX_DIGITS:
        return "link"
    if _FORM.fullmatch(kinds) is None:
        return "form"
    scripts = {_script(char) for char, kind in zip(name, kinds, strict=True) if kind in "LM"}
    scripts.discard("COMBINING")
    if len(scripts) > 1 and not any(scripts <= several for several in _TOGETHER):
        return "scripts"
    return None


def _kind(char: str) -> str:
    """Return L for a letter, M for a mark, 0 for a digit, or ? if not allowed.

    Characters that are allowed within names are returned unchanged.
    """
    if char in _WITHIN:
        return char
    if char in "0123456789":
        return "0"
    category = unicodedata.category(char)
    if char in _INVISIBLE or _script(char) not in _SCRIPTS | {"COMBINING"}:
        return "?"
    return "L" if category[0] == "L" else "M" if category in ("Mn", "Mc") else "?"


def _script(char: str) -> str:
    """Return the script of a character: the first word of its Unicode name."""
    first = unicodedata.name(char, "?").split()[0]
    return {"IDEOGRAPHIC": "CJK", "KATAKANA-HIRAGANA": "KATAKANA"}.get(first, first)
