"""Detect lines that seem to describe a move but cannot be parsed.

The orders below such a line must not be carried out. For example, a player writes `draw`, then "I
lay down three nines", then `discard 5`. Without the second line, the discard would end the turn
prematurely. Chat about cards ("nice king!", "you took my pile") does not describe a move.

A line seems to be a move if it contains the verb of an order in a suitable form (`play …`, `I'll
play …`, `ich spiele …`, `… auslegen`) and names a card or similar, or if it consists mostly of
cards. A false alarm does no harm, because the player gets a message and can answer.
"""

from __future__ import annotations

import re
from typing import Final

from pbem.domain.words.moves import names_a_thing, without_times
from pbem.language import SOURCE

_LONGEST: Final = 300
_CODE: Final = r"(?:(?:10|1[12]|[1-9ajqkt])[cdhs♠♣♥♦]|[rbgy](?:1[0-2]|[1-9]))"
_RANK: Final = r"(?:1[0-2]|[1-9]|[ajqkws])"
_ROW: Final = re.compile(
    rf"(?<![\w+.:-])(?:{_CODE}|{_RANK})(?:(?:[\s,/&+]|\s(?:and|und)\s)+(?:{_CODE}|{_RANK})){{2,}}"
    r"(?![\w:-])"
)
"""Three or more consecutive cards, as in `5 5 5 / 7 7 7`."""


def _any(words: str) -> str:
    return f"(?:{'|'.join(words.split())})"


_EN_VERBS = _any(
    "play lay put place draw discard hit take pick flip turn raise match keep drop throw meld"
    " playing laying putting placing drawing discarding hitting taking picking flipping turning"
)
_DE_VERBS = _any(
    "spiel spiele leg lege zieh ziehe wirf werfe werf nimm nehme decke deck dreh drehe erhöhe"
    " behalte eröffne setze schmeiß schmeiße"
)
_DOES: Final = {
    "en": re.compile(
        r"(?:^|[.,;:!]\s*|\b(?:and|then|now|please|i|i['’]?ll|i['’]?m|i am|i will|going to"
        rf"|i['’]?d like to|would like to|want to|wanna|let me|first|next)\s+){_EN_VERBS}\b"
    ),
    "de": re.compile(
        rf"(?:^|[.,;:!]\s*|\b(?:und|dann|jetzt|nun|bitte|ich|zuerst)\s+){_DE_VERBS}\b"
        rf"|\b{_DE_VERBS}\s+ich\b|\bich\s+(?:möchte|will|würde|werde|kann|muss)\b"
    ),
}
"""Beginnings of phrases about the writer's own move, which are followed by an object."""
_ENDS: Final = re.compile(
    r"\b(?:spielen|\w*legen|ziehen|\w*werfen|\w*nehmen|aufdecken|umdrehen|erhöhen|behalten|eröffnen|setzen)\b[\s.!]*$"
)
"""Ends of such phrases in German, which are preceded by an object."""


def speaks_of_a_move(text: str, language: str) -> bool:
    """True if a line that is not an order seems to describe its writer's move.

    The run time is linear in the length of the line.
    """
    said = without_times(text[:_LONGEST], language).replace("ß", "ss")
    cards = sum(len(row.group().split()) for row in _ROW.finditer(said))
    if 0 < len(said.split()) <= 2 * cards:
        return True
    begun = (_DOES[one].search(said) for one in {SOURCE, language} & _DOES.keys())
    after = [said[found.end() :] for found in begun if found is not None]
    ended = _ENDS.search(said) if language != SOURCE else None
    before = [] if ended is None else [said[: ended.start()]]
    return any(names_a_thing(part, language) for part in [*after, *before])
