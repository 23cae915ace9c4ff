"""Tables for the translation of German orders into English, by line and by word.

The German translations of the service's order words are in their rows of `service_words`. A line is
an order only if its translation is a complete order, so a surplus entry cannot turn prose into a
move.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.domain.table.motion_kinds import GERMAN_MOTIONS
from pbem.domain.words.en import pairs, words
from pbem.domain.words.service_words import ORDER_WORDS

LINES: Mapping[str, str] = {
    said: english
    for word, row in ORDER_WORDS.items()
    for said, english in row.german_lines(word.value).items()
}
"""Maps complete German lines with orders to the service to their English."""

OWN_TEXT = re.compile(
    r"\s*(?:sag(?:en?)?\b|streitfall\b|neue?s?\b|(?:(?:beitreten|mitspielen|annehmen)[\s,;:.-]*)?spruch\b)",
    re.IGNORECASE,
)
"""Beginnings of lines that contain free text, such as talk or the description of a new game."""

FORMS: tuple[tuple[str, str], ...] = tuple(
    form for row in ORDER_WORDS.values() for form in row.german_forms
)
"""Patterns of German lines with arguments, each with its English.

The groups `own` and `own2` are kept, `words` is translated, and `greeting` begins with a greeting.
"""

_CARDS_OF_A_RANK = r"(?=\s+(?!(?:links|mitte|rechts|schippen?)\b)[^\W\d]{3,}(?:en|er|e|s)\b)"
"""Lookahead for a plural of cards (`drei Damen`), but no zone or suit (`Pik drei links`)."""
PHRASES: tuple[tuple[str, str], ...] = (
    (r"(?:de[nm]|einen|meinen)\s+buben", "J"),
    (
        r"ein(?:en?|er|s)\s+(?:der|meiner|von\s+(?:den|meinen))(?:\s+(?:beiden|zwei|drei|vier))?(?=\s+\w)",
        "one of",
    ),
    (r"(?:die\s+|meine\s+)?(?:beiden?)(?:\s+(?:meine[nr]?|die))?", "both"),
    (rf"ein\s+paar|zwei(?:\s+(?:meine[nr]?|von\s+meinen))?{_CARDS_OF_A_RANK}", "two"),
    (rf"drei{_CARDS_OF_A_RANK}", "three"),
    (rf"vier{_CARDS_OF_A_RANK}", "four"),
    (r"nur\s+eine?n?", "one"),
    (r"nur(?=\s+(?:die|den|das)\b)", ""),
    (r"alle(?:\s+(?:meine[nr]?|die|zwei|drei|vier))", "all"),
    (r"zwei(?=\s+\d+er\b)", "two"),
    (r"drei(?=\s+\d+er\b)", "three"),
    (r"vier(?=\s+\d+er\b)", "four"),
    (r"(\d+)er\b", r"\1s"),
    (r"rot(?:e[nr]?)?\s+(?=\w)", "red "),
    (r"grün(?:e[nr]?)?\s+(?=\w)", "green "),
    (r"gelb(?:e[nr]?)?\s+(?=\w)", "yellow "),
    (r"blau(?:e[nr]?)?\s+(?=\w)", "blue "),
    (r"(ro|bl|gr|ge)\s?(?=(?:1[0-2]|[1-9])\b)", r"\1 "),
    (r"zur\s+mitte|in\s+die\s+mitte|in\s+der\s+mitte|mittig", "center"),
    (
        r"nach\s+links|auf\s+die\s+linke\s+seite|(?:in|auf)\s+(?:die|der|meine[rn]?)\s+linken?(?:\s+(?:zone|seite))?",
        "left",
    ),
    (
        r"nach\s+rechts|auf\s+die\s+rechte\s+seite|(?:in|auf)\s+(?:die|der|meine[rn]?)\s+rechten?(?:\s+(?:zone|seite))?",
        "right",
    ),
    (r"(?:und\s+)?(?:nimmt|nimm|nehme|schlägt|schlage|schlag|kassiert|kassiere)\b", "x"),
    (r"(?:an|bei|auf)\s+(?:mein(?:e[nrm]?)?|mich|mir)\b", "on my"),
    (
        (
            r"(?:an|bei|auf|zu)\s+(\S.{0,40}?)s\s+"
            r"(?=(?:erste[nrs]?|zweite[nrs]?)?\s*(?:satz|folge|gruppe|farb|\d+s\b|asse|buben|damen))"
        ),
        r"on \1's ",
    ),
    (r"erste[nrs]?\s+(?=satz|folge|gruppe|farb|\d+s\b|asse|buben|damen)", "first "),
    (r"zweite[nrs]?\s+(?=satz|folge|gruppe|farb|\d+s\b|asse|buben|damen)", "second "),
    (r"(?:erste[nr]?)", "1"),
    (r"(?:zweite[nr]?)", "2"),
    (r"(?:dritte[nr]?)", "3"),
)
"""Patterns of phrases with their English, which are translated before single words."""

MOTIONS = GERMAN_MOTIONS
"""Maps words for motions to their English."""

OWNED = r"(?:auf|an|in|zu)\s+{name}(?:s|['’]s?)?\s+(?:seite|zone)"
"""Pattern of a place that belongs to a player: `auf Bobs Seite`."""

OR = "oder"

BEFORE_ORDERS: Mapping[str, str] = {"probiere": "try"}
"""Words before an order that is only tried and not carried out, with their English."""

SAID: Mapping[str, str] = pairs("""
play=spiele; pickup=aufnehmen; god=gott; flip=drehe; keep=behalte; open=eröffne; left=links;
center=Mitte; middle=Mitte; right=rechts; with=mit; of=von; check=schieben; match=mitgehen; raise=erhöhe; pass=passe;
draw=ziehe; take=nimm; lay=auslegen; hit=anlegen; on=an; low=unten; high=oben; discard=abwerfen
""")
"""German for the words of canonical moves in our messages. The parser accepts these words, too."""

_GROUP = r"(?=(?:first |second )?(?:\d+er|Asse|Buben|Damen|run|colour group|group)\b)"
_SEVERAL = r"(?=\d+er|Asse|Buben|Damen)"
SAID_FORMS: tuple[tuple[str, str], ...] = (
    (r"^set aside (.+)", r"lege \1 beiseite"),
    (r"(?<=[WK] )as(?= \d)", "als"),
    (r"(’s|\b(?:my|your))( first| second)? (\d+)s\b", r"\1\2 \3er"),
    (r"(’s|\b(?:my|your))( first| second)? aces\b", r"\1\2 Asse"),
    (r"(’s|\b(?:my|your))( first| second)? jacks\b", r"\1\2 Buben"),
    (r"(’s|\b(?:my|your))( first| second)? queens\b", r"\1\2 Damen"),
    (rf"(?<=[sxzß])’s {_GROUP}", "’ "),
    (rf"\bseat (\d+)’s {_GROUP}", r"Platz \1’ "),
    (rf"’s {_GROUP}", "s "),
    (rf"\bmy {_GROUP}", "meine "),
    (rf"\byour {_GROUP}", "deine "),
    (rf"(?<=ine )first {_SEVERAL}", "ersten "),
    (rf"(?<=ine )second {_SEVERAL}", "zweiten "),
    (r"\bfirst (?=\d+er|Asse|Buben|Damen|group)", "erste "),
    (r"\bsecond (?=\d+er|Asse|Buben|Damen|group)", "zweite "),
    (r"(?<=[s’e] )run\b", "Folge"),
    (r"(?<=[s’e] )colour group\b", "Farbgruppe"),
    (r"(?<=[s’e] )group\b", "Gruppe"),
)
"""Patterns for groups and wilds in a move, which are translated before single words."""


IF = r"(?:wenn|falls)"
OTHERWISE = r"(?:sonst|andernfalls|ansonsten)"
AND = "und"
THEN = "dann"

VERB_LAST = r"(?:ist|sind|liegt|hat|habe|haben)"
"""Verbs that can end a condition."""

CONDITIONS = (
    (r"(?:die )?oberste karte|oben(?: liegt)?", "top"),
    (r"(?:der |dem |im |auf dem )?(?:ablagestapel|ablage|stapel)", "pile"),
    (r"(?:der |dem |im )?(?:nachziehstapel|vorrat)", "stock"),
    (r"(?:die )?hand von (\S+)", r"hand of \1"),
    (r"(?:die )?phase von (\S+)", r"phase of \1"),
    (r"(?:meine |die )?hand", "hand"),
    (r"(?:meine |die )?phase", "phase"),
    (r"ich habe nicht ausgelegt", "I have not laid"),
    (r"ich (?:habe )?ausgelegt(?: habe)?", "I have laid"),
    (r"ich nicht ausgelegt habe", "I have not laid"),
    (r"(\S+) nicht ausgelegt hat", r"\1 has not laid"),
    (r"(\S+) ausgelegt hat", r"\1 has laid"),
    (r"(\S+) hat nicht ausgelegt", r"\1 has not laid"),
    (r"(\S+) hat ausgelegt", r"\1 has laid"),
    (r"(?:meine |die )?(?:linke zone|links)", "left"),
    (r"(?:meine |die )?(?:mittlere zone|mitte)", "center"),
    (r"(?:meine |die )?(?:rechte zone|rechts)", "right"),
    (r"(?:ist |sind )?(?:nicht|keine?r?)", "is not"),
    (r"(?:ist |sind |hat |habe )?mindestens", "at least"),
    (r"(?:ist |sind |hat |habe )?höchstens", "at most"),
    (r"(?:ist |sind |hat |habe )?(?:mehr als|größer als|höher als|über)", "more than"),
    (r"(?:ist |sind |hat |habe )?(?:weniger als|kleiner als|niedriger als|unter)", "less than"),
    (r"hat", "has"),
    (r"ich", "I"),
    (r"habe", "have"),
    (r"(?:ist|sind|gleich|liegt)", "is"),
    (r"leer", "empty"),
    (r"karten?(?: übrig)?", "cards"),
    (r"(?:ein|eine|einen|der|die|das|genau)", ""),
)
"""Patterns of phrases in conditions with their English, in the order in which they are tried."""

DRAWING = (
    (r"(?:immer )?(?:vom |von )?(?:nachziehstapel|vorrat|stapel)", "stock"),
    (r"(?:immer )?(?:ziehen|ziehe|zieh)", "stock"),
    (r"(?:immer )?(?:mich )?(?:fragen|frage|frag)(?: mich)?", "ask"),
    (r"(?:nimm|nehmen|nehme)(?: sie)?,? (?:wenn|falls)", "take if"),
    (r"(?:sie|es|die karte)", "it"),
    (r"(?:eine|ein|einen)", "a"),
    (
        r"(?:zum auslegen (?:reicht|hilft)|auslegt|(?:meine )?phase (?:fertig macht|vollmacht))",
        "lays",
    ),
    (r"(?:passt|anlegbar|angelegt werden kann)", "hits"),
    (r"ist", ""),
    (OTHERWISE, "else"),
    (OR, "or"),
    (rf"{VERB_LAST}(?=\s*(?:,|{OR}\b|{AND}\b|{OTHERWISE}\b|\Z))", ""),
    *CONDITIONS,
)
"""Patterns of phrases in drawing rules with their English. The verb can come last."""

STANDING = (
    (r"always", "immer"),
    (r"take if it", "nimm, wenn sie"),
    (r"take if", "nimm, wenn"),
    (r"or it", OR),
    (r"is a wild", "eine Wildkarte ist"),
    (r"is a (\S+?)(?=,|\s|\Z)", r"eine \1 ist"),
    (r"is ([RGBY]\d+)", r"\1 ist"),
    *(
        (f"{before} {colour}", f"{german} {said} {verb}".strip())
        for colour, said in (
            ("red", "rot"),
            ("blue", "blau"),
            ("green", "grün"),
            ("yellow", "gelb"),
        )
        for before, german, verb in (
            ("top is not", "oben nicht", "liegt"),
            ("top is", "oben", "liegt"),
            ("is", "", "ist"),
        )
    ),
    (r"lays", "auslegt"),
    (r"hits", "passt"),
    (r"else", "sonst"),
    (r"ask", "fragen"),
    (r"if", "wenn"),
    (r"and", "und"),
    (r"or", OR),
    (r"I have not laid", "ich nicht ausgelegt habe"),
    (r"I have laid", "ich ausgelegt habe"),
    (r"(\S+) has not laid", r"\1 nicht ausgelegt hat"),
    (r"(\S+) has laid", r"\1 ausgelegt hat"),
    (r"top is not wild", "oben keine Wildkarte liegt"),
    (r"top is wild", "oben eine Wildkarte liegt"),
    (r"top is not (\S+)", r"oben nicht \1 liegt"),
    (r"top is (\S+)", r"oben \1 liegt"),
    (r"top", "oben"),
    (r"pile", "Stapel"),
    (r"stock", "Nachziehstapel"),
    (r"hand", "Hand"),
    (r"phase", "Phase"),
    (r"is not", "ist nicht"),
    (r"is", "ist"),
)
"""Phrases of standing orders with the German that is displayed for them."""

WISH: Mapping[str, str] = {
    "joint": "und|mit|gegen",
    "units": "wochen?|tage?|stunden?",
    "numbers": "ein eine einen einem; zwei; drei; vier; fünf",
    "leaves_out": "nicht ohne außer oder",
    "levels": "starke[nrm]?|mittlere[nrm]?|mittelstarke[nrm]?|leichte[nrm]?",
    "open": "offen",
    "free": "offene|freie",
    "seats": "plätze",
    "for": "für",
    "players": "spieler",
    "per": "pro|je",
    "moves": "zug",
    "weekends": "wochenenden?",
    "no": "ohne|keine?",
    "off": "frei|aus",
    "anonymous": r"anonyme?s?[\s_-]*(?:reden|gespräche?|worte)?",
    "switch": "an|aus|ja|nein",
    "polite": r"bitte|danke(?:\s+schön)?|vielen\s+dank",
    "me": "ich mich mir",
}
"""Words in an order for a new game (`new …`), as parts of the patterns in `game_forms`."""
LEVELS: Mapping[str, str] = {
    "stark": "hard", "mittl": "medium", "mitte": "medium", "leich": "easy",
}  # fmt: skip
"""Levels of bots, by the first five letters of the German word."""
UNITS: Mapping[str, str] = {"w": "w", "t": "d", "s": "h"}
"""English abbreviations of units of time, by the first letter of the German word."""
OFF = words("aus nein")
"""Values that turn a setting off."""
EVERYBODY = words("alle allen")
"""Words that address the whole table in a talk message."""
REPLY_MARKER = "-- Schreib deine Antwort oberhalb dieser Zeile. --"
"""First line of the text of every message. Replies are written above it."""
