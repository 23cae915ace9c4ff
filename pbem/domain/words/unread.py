"""Lines that speak of a move and cannot be read: the orders below them must not be carried out.

Somebody writes `draw`, then "I lay down three nines", then `discard 5`: without the line between,
the discard would end the turn. Chat about cards ("nice king!", "you took my pile") says nothing of
what its writer does, and stops nothing. So a line counts only if it has a verb of an order in the
form in which people give one (`play …`, `I'll play …`, `ich spiele …`, `… auslegen`) and names a
card or a thing of the game; or if it is mostly cards. When in doubt it counts: nothing is lost, and
the player is told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_LONGEST: Final = 300
_CODE: Final = r"(?:(?:10|1[12]|[1-9ajqkt])[cdhs♠♣♥♦]|[rbgy](?:1[0-2]|[1-9]))"
_RANK: Final = r"(?:1[0-2]|[1-9]|[ajqkws])"
_ROW: Final = re.compile(
    rf"(?<![\w+.:-])(?:{_CODE}|{_RANK})(?:(?:[\s,/&+]|\s(?:and|und)\s)+(?:{_CODE}|{_RANK})){{2,}}"
    r"(?![\w:-])"
)
"""Three cards or more in a row, as in `5 5 5 / 7 7 7`."""


def _any(words: str) -> str:
    return f"(?:{'|'.join(words.split())})"


@dataclass(frozen=True, slots=True)
class _Tongue:
    """How moves are spoken of in one language.

    Attributes:
        does: begins to say what the writer does; the thing must follow.
        ends: says it at the end of a line, behind the thing.
        thing: a card, or something of a game.
    """

    does: re.Pattern[str]
    ends: re.Pattern[str] | None
    thing: re.Pattern[str]


_EN_NUMBERS = "two three four five six seven eight nine ten eleven twelve"
_EN_VERBS = (
    "play lay put place draw discard hit take pick flip turn raise match keep drop throw meld"
    " playing laying putting placing drawing discarding hitting taking picking flipping turning"
)
_EN_THINGS = (
    "kings? queens? jacks? aces? deuces? twos threes fours fives sixes sevens eights nines tens"
    " elevens twelves hearts? diamonds? clubs? spades? phases? sets? runs? wilds? skips? jokers?"
    " cards? pile stock deck discards chips? zones? blind"
)
_DE_NUMBERS = "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"
_DE_VERBS = (
    "spiel spiele leg lege zieh ziehe wirf werfe werf nimm nehme decke deck dreh drehe erhöhe"
    " behalte eröffne setze schmeiß schmeiße"
)
_DE_INFINITIVES = (
    "spielen legen ablegen auslegen hinlegen anlegen rauslegen ziehen werfen abwerfen nehmen"
    " aufnehmen aufdecken umdrehen erhöhen behalten eröffnen setzen"
)
_DE_THINGS = (
    "könige? königs? damen? buben? bube asse? ass zweien zweier dreien dreier vierer vieren fünfer"
    " fünfen sechser sechsen siebener sieben achter neuner neunen zehner zehnen elfer zwölfer herz"
    " karo pik kreuz phasen? satz sätze drillinge? folgen? reihe joker aussetzer karten? stapel"
    " ablage vorrat chips? zonen? gott gottes"
)
_TONGUES: Final[dict[str, _Tongue]] = {
    "en": _Tongue(
        re.compile(
            r"(?:^|[.,;:!]\s*|\b(?:and|then|now|please|i|i['’]?ll|i['’]?m|i am|i will|going to"
            r"|i['’]?d like to|would like to|want to|wanna|let me|first|next)\s+)"
            rf"{_any(_EN_VERBS)}\b"
        ),
        None,
        re.compile(
            rf"\b{_any(_EN_THINGS)}\b|\b{_CODE}\b|[♠♣♥♦]"
            rf"|\b(?:my|the|a|an|number|both|all|red|blue|green|yellow)\s+"
            rf"(?:{_any(_EN_NUMBERS)}|{_RANK})\b(?!\s*(?:days?|hours?|weeks?|minutes?))"
            rf"|(?<!\bat )\b(?:{_any(_EN_NUMBERS)}|{_RANK})(?:\s*[.!]?$|\s+of\b)"
        ),
    ),
    "de": _Tongue(
        re.compile(
            rf"(?:^|[.,;:!]\s*|\b(?:und|dann|jetzt|nun|bitte|ich|zuerst)\s+){_any(_DE_VERBS)}\b"
            rf"|\b{_any(_DE_VERBS)}\s+ich\b|\bich\s+(?:möchte|will|würde|werde|kann|muss)\b"
        ),
        re.compile(rf"\b{_any(_DE_INFINITIVES)}\b[\s.!]*$"),
        re.compile(
            rf"\b{_any(_DE_THINGS)}\b|\w+(?:satz|drilling|folge|stapel|karten?)\b|\b{_CODE}\b|[♠♣♥♦]"
            rf"|\b(?:die|meine|den|meinen|das|eine|beide|alle|(?:rot|blau|grün|gelb)en?)\s+"
            rf"(?:{_any(_DE_NUMBERS)}|{_RANK})\b(?!\s*(?:tage?n?|stunden?|wochen?|minuten?|uhr))"
        ),
    ),
}


def speaks_of_a_move(text: str, language: str) -> bool:
    """True if a line that is not an order seems to say what its writer plays; linear."""
    said = text[:_LONGEST].casefold().replace("ß", "ss")
    if _is_mostly_cards(said):
        return True
    tongues = [_TONGUES[one] for one in ("en", language) if one in _TONGUES]
    return any(_says_a_move(said, tongue) for tongue in dict.fromkeys(tongues))


def _is_mostly_cards(said: str) -> bool:
    cards = sum(len(row.group().split()) for row in _ROW.finditer(said))
    return 0 < len(said.split()) <= 2 * cards


def _says_a_move(said: str, tongue: _Tongue) -> bool:
    begun = tongue.does.search(said)
    if begun is not None and tongue.thing.search(said, begun.end()):
        return True
    ended = None if tongue.ends is None else tongue.ends.search(said)
    return ended is not None and tongue.thing.search(said, 0, ended.start()) is not None
