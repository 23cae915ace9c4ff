"""Lines that take back what stands above them: `no, 22!`, `Sorry, I mean 22`, `Forget that`.

Such a line is no order, but whoever reads it would not carry out the order above. Only a line that
begins like a correction and ends with an order is one, or one that says in so many words that
something shall not be done; talk that merely begins with `sorry` is none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final

LONGEST: Final = 120
_MOST_WORDS: Final = 5
"""Words of an order at the end of a correction that are looked at."""


def _any(words: str) -> str:
    found = sorted((word.strip() for word in words.split(";")), key=len, reverse=True)
    return "(?:" + "|".join(re.escape(word) for word in found) + r")(?!\w)"


_CORRECTS: Final = re.compile(
    r"\W*"
    + _any(
        "no; not; nicht; nope; oops; whoops; ups; sorry; wait; correction; actually; rather; instead; i mean; i meant;"
        "make that; make it; change that to; better; nein; doch; lieber; ich meine; ich meinte; korrektur;"
        "quatsch; entschuldigung; moment; halt; non; plutôt; pardon; je veux dire; je voulais dire; désolé;"
        "désolée; mejor; perdón; quiero decir; quise decir; anzi; scusa; scusate; meglio; volevo dire;"
        "não; melhor; aliás; desculpe; quero dizer; nee; liever; ik bedoel; nej; hellre; hellere; nei; heller;"
        "nie; raczej; przepraszam; ne; raději; radši; inkább; bocsánat; нет; лучше; ой; простите; извините;"
        "ні; краще; hayır; yani; όχι; 不; 不是; 错了; 不對; いや; いえ; 아니; 아니요"
    )
)
_INSTEAD: Final = re.compile(
    r"(?P<order>.+?)[\s,]+(?:instead|rather|actually|lieber|stattdessen|plutôt)\W*\Z"
)
_TAKES_BACK: Final = re.compile(
    r"\W*(?:(?:no|oh|oops|sorry|please|bitte)\W+)?(?:"
    r"(?:forget|ignore|scratch|cancel|disregard|strike)\s+(?:that|this|it|the\s+above|my\s+(?:last|move))"
    r"|never\s?mind|(?:just|only)\s+(?:kidding|joking)|(?:no\W+)?wait"
    r"|(?:do\s+not|don['’]?t)\s+(?:play|do|execute|carry\s+out|count|use)\s+"
    r"(?:that|this|it|them|anything|\d+)\b.{0,30}"
    r"|(?:vergiss|vergesst|ignoriere|ignorier)\s+(?:das|es|dies)|doch\s+nicht|(?:war\s+)?nur\s+(?:ein\s+)?spa(?:ß|ss)"
    r"|oublie[zs]?\s+(?:ça|cela)|annule[zs]?(?:\s+(?:ça|cela))?|olvid(?:a|e|ad)\s+eso|lascia\s+(?:stare|perdere)"
    r"|esquece(?:\s+isso)?|vergeet\s+dat|забудь(?:те)?(?:\s+это)?"
    r")(?:\W*\Z|\s*[.,!:;)–—-])"
)


def takes_back(line: str, is_order: Callable[[str], bool]) -> bool:
    """True if a line that is no order takes back the order above it.

    Args:
        is_order: says whether some words, the last of the line, are an order.
    """
    if len(line) > LONGEST:
        return False
    folded = unicodedata.normalize("NFKC", line).casefold()
    if _TAKES_BACK.match(folded):
        return True
    other = _INSTEAD.fullmatch(folded)
    if other is not None and is_order(other["order"]):
        return True
    found = _CORRECTS.match(folded)
    if found is None:
        return False
    words = line.split()[1:]
    return any(
        is_order(" ".join(words[-size:])) for size in range(1, min(_MOST_WORDS, len(words)) + 1)
    )
