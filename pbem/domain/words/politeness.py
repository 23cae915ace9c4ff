"""Remove meaningless words around an order: `1. I play 21, please 👍`.

Only words without another meaning are removed, and only at the two ends of a line. The remaining
words must be a complete order. Words of negation or doubt (`not`, `maybe`, `?`) are in no list, so
they are kept and make the line prose. Emojis that may represent a suit or a colour are also kept.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

LONGEST: Final = 120
_ROUNDS: Final = 6


def _any(words: str) -> str:
    """Return a pattern for any of the words, which are separated by `;`. Spaces match any space."""
    found = sorted((word.strip() for word in words.split(";")), key=len, reverse=True)
    return "(?:" + "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in found) + ")"


_PICTURES: Final = (  # without hearts, coloured shapes, signs of negation, and the pencil of edited messages
    "\U0001f300-\U0001f44d\U0001f44f-\U0001f492\U0001f4a0-\U0001f51e\U0001f550-\U0001f567"
    "\U0001f573-\U0001f5a3\U0001f5fa-\U0001f644\U0001f646-\U0001f64f\U0001f680-\U0001f6aa"
    "\U0001f6b2-\U0001f6ff\U0001f90c\U0001f90f-\U0001f936\U0001f938-\U0001f9e0\U0001f9e2-\U0001f9ff"
    "\U0001fa80-\U0001fa93\U0001fa96-\U0001faff\U0001f0cf"
    "\u263a\u2639\u270a\u270c\u261d\u2615\u23f0\u2728\u2b50\u2600\u2705\u2714\u200d\ufe0e\ufe0f"
)
_HEARTS: Final = re.compile(r"(?:(?<=2[1-9]|[3-9]\d)\s*|(?<=[a-z]{3})\s+)[\u2665\u2764]\ufe0f?\Z")
"""A heart that is not a suit, after a word or after a list number that is too high for a rank."""
_FACES: Final = r"(?::-?[)(DPp]+|;-?[)DPp]+|:-?/|=[)D]|\^\^|[xX]D)"
_PICTURE_FIRST: Final = re.compile(rf"[{_PICTURES}\s]+")
_PICTURE_LAST: Final = re.compile(rf"(?<![{_PICTURES}\s])(?:[{_PICTURES}\s]+|\s{_FACES})\Z")

_POLITE: Final = (
    "please; pse; please mate; thanks mate; cheers mate; pls; plz; thanks; thanks a lot; many thanks; thanks again; thank you; thank you very much;"
    "thx; ty; ok; okay; bitte; danke; vielen dank; s'il vous plaît; s’il vous plaît; svp; merci;"
    "por favor; gracias; per favore; grazie; obrigado; obrigada; alsjeblieft; alstublieft; dank je;"
    "bedankt; tack; takk; tak; kiitos; proszę; dziękuję; dzięki; prosím; díky; köszönöm; kérem;"
    "mulțumesc; te rog; lütfen; teşekkürler; пожалуйста; спасибо; будь ласка; дякую; παρακαλώ;"
    "ευχαριστώ; お願いします; ありがとう; 请; 谢谢; 감사합니다"
)
_FIRST_POLITE: Final = "please; pls; plz; bitte; s'il vous plaît; svp; por favor; per favore"
_GREETING: Final = re.compile(
    r"(?:hi|hello|hey|hallo|servus|moin|hej|ciao|hola|salut)[\s,!.]+", re.IGNORECASE
)
_NUMBERED: Final = re.compile(r"\(?(?:[1-9]|1\d|20)[.):]\)?\s+(?=\S)")
_WELL: Final = re.compile(
    r"(?:ok|okay|well|so|then|alright|right|fine|yes|ja|gut)[\s,:!.–—-]+(?=#?(?:[2-9]\d|[1-9]\d\d))",
    re.IGNORECASE,
)
_ARROW: Final = re.compile(r"(?:[-=]>|[→➔➜►▶])\s*")
_BULLET: Final = re.compile(
    rf"(?:[-*•·‣▪◦–—]\s+|{_ARROW.pattern}|{_NUMBERED.pattern})(?=\S)",
)
_BEFORE: Final = re.compile(_any(_FIRST_POLITE) + r"[\s,:!.–—-]+(?=\S)", re.IGNORECASE)
_AFTER: Final = re.compile(
    r"(?<![\s,.!–—(-])[\s,.!–—(-]+"
    + _any(_POLITE + ";for me; it is; is my move; is my choice")
    + r"[\s.,!)]*\Z",
    re.IGNORECASE,
)
_MINE: Final = re.compile(
    r"(?:(?:my|our|the|mein|meine|mon|ma|mi|il\s+mio|la\s+mia|meu|minha|mijn|mitt|min)\s+)?"
    + _any(
        "move; turn; choice; order; answer; selection; decision; zug; spielzug; wahl; befehl;"
        "antwort; coup; choix; jugada; movimiento; mossa; scelta; jogada; zet; drag; trekk; træk; siirto; ruch; tah;"
        "ход; хід"
    )
    + r"(?:\s*[:=]\s*|\s+(?:is|ist|est|es|è|é|would\s+be)(?:\s*:\s*|\s+))(?=\S)",
    re.IGNORECASE,
)
_PLAYING: Final = re.compile(
    _any(
        "ich spiele; ich lege; je joue; juego; gioco; eu jogo; jogo; ik speel; jag spelar; jeg spiller;"
        "jeg spiler; gram; hraju; hrám; я играю; граю"
    )
    + r"\s+(?=\S)",
    re.IGNORECASE,
)
_TO_NUMBER: Final = re.compile(
    r"(?:i(?:['’]ll|\s+will|['’]d\s+like|\s+would\s+like|\s+want|\s+would)?\s+)?"
    r"(?:(?:play|choose|select|take|have|do|pick|want|go\s+(?:with|for)|i|ich\s+nehme|ich\s+wähle|"
    r"nehme|nimm|je\s+prends|je\s+choisis|elijo|scelgo|escolho|ik\s+neem|ik\s+kies|wybieram)\s+)?"
    r"(?:the\s+)?(?:(?:number|no(?=\s*[.:])|nr|num|№|option|choice|move|item|nummer|numéro|número|numero|zug|n°)"
    r"\s*(?:number|no|nr)?\s*[.:]?\s*)?(?=#?\s?[2-9]\d|#?\s?[1-9]\d\d)",
    re.IGNORECASE,
)
_FIRST: Final = (
    *(
        _PICTURE_FIRST,
        _ARROW,
        _NUMBERED,
        _BEFORE,
        _GREETING,
        _WELL,
        _MINE,
        _TO_NUMBER,
    ),
)
_LAST: Final = (_AFTER, _HEARTS, _PICTURE_LAST)
_MEANT_FOR_SOMEBODY: Final = (_BEFORE, _GREETING, _NUMBERED)


_TO_ALL: Final = "all; both; everybody; everyone; there; table; team; folks; friends; guys; zusammen; alle; allerseits; ihr; leute"
_HELLO: Final = (
    "hi; hello; hey; dear; good morning; good afternoon; good evening; hallo; hi ihr; servus; moin; hej; ciao; hola; salut; liebe;"
    "lieber; guten tag; guten morgen; guten abend"
)
_BYE: Final = (
    "cheers; best; all the best; best wishes; regards; best regards; kind regards; greetings; bye; see you;"
    "yours; take care; gruß; grüße; viele grüße; liebe grüße; beste grüße; schöne grüße; herzliche grüße; lg; vg;"
    "mfg; tschüss; bis bald; bis dann; danke dir; danke schön; love"
)


def is_courtesy(line: str, names: Iterable[str]) -> bool:
    """True if a line only greets, thanks, or signs with one of these names."""
    said = " ".join(re.findall(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*", line.lower()))
    known = [part for name in names for part in {name.lower(), name.lower().split(" ")[0]}]
    named = "|".join(map(re.escape, filter(None, known))) or r"(?!)"
    courtesy = rf"(?:{_any(_HELLO)}(?: (?:{_any(_TO_ALL)}|{named}))*|{_any(_POLITE + ';' + _BYE)})(?: (?:{named}))?"
    return (
        bool(said)
        and not re.search(r"\d", line)
        and re.fullmatch(rf"{courtesy}|{named}", said) is not None
    )


def without_bullet(text: str) -> str:
    """Remove the bullet of a line such as `- join` or `=> 21`."""
    return _BULLET.sub("", text, count=1) if _BULLET.match(text) else text


@lru_cache(4096)  # replies often quote the same lines of our messages
def bare_words(text: str) -> tuple[str, bool]:
    """Remove meaningless words around an order.

    Returns the rest of the line, and True if the removed words may be a salutation. After `Hi` or
    `Please`, a single word is probably a name and not a card. Lines that are too long are returned
    unchanged.
    """
    if len(text) > LONGEST:
        return text, False
    line, led = " ".join(text.split()), False
    for _ in range(_ROUNDS):
        before = line
        for pattern in _FIRST:
            found = pattern.match(line)
            if found is not None and found.end():
                line, led = line[found.end() :], led or pattern in _MEANT_FOR_SOMEBODY
        found = _PLAYING.match(line)
        if found is not None:
            line = f"play {line[found.end() :]}"
        for pattern in _LAST:
            found = pattern.search(line)
            if found is not None and found.start():
                line = line[: found.start()]
        if line == before:
            break
    return line, led


_MAX_WORDS: Final = 5
"""Words of an order at the end of a correction that are read."""


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
    + r"(?!\w)"
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
    """True if a line that is not an order revokes the order above it.

    Args:
        is_order: returns True if a text is an order. It is called with parts of the line.
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
        is_order(" ".join(words[-size:])) for size in range(1, min(_MAX_WORDS, len(words)) + 1)
    )
