"""Orders in German: what they are in English, line by line and word by word.

A table and nothing else. What is no whole order in English afterwards was none in German either, so
a word too many here can never make a move of prose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

LINES: Mapping[str, str] = {
    "beitreten": "join",
    "mitspielen": "join",
    "ich bin dabei": "join",
    "bin dabei": "join",
    "ja gerne": "join",
    "annehmen": "join",
    "ablehnen": "decline",
    "absagen": "decline",
    "nein danke": "decline",
    "leider keine zeit": "decline",
    "aufgeben": "resign",
    "bestätigen": "confirm",
    "aufgeben bestätigen": "resign confirm",
    "ja": "yes",
    "ja bitte": "yes",
    "nein": "no",
    "hilfe": "help",
    "regeln": "rules",
    "spiele": "games",
    "partien": "games",
    "meine spiele": "games",
    "meine partien": "games",
    "rangliste": "standings",
    "tisch": "board",
    "spielstand": "board",
    "wie steht es": "board",
    "wer ist dran": "board",
    "was kann ich tun": "help",
    "wie geht das": "help",
    "hand": "hand",
    "verlauf": "history",
    "aufholen": "catch up",
    "urlaub": "vacation",
    "zurück": "back",
    "ich bin zurück": "back",
    "bin wieder da": "back",
    "ich bin wieder da": "back",
    "pause": "pause",
    "fortsetzen": "resume",
    "zurücknehmen": "undo",
    "rückgängig": "undo",
    "tempo": "tempo",
    "revanche": "rematch",
    "noch einmal": "rematch",
    "zuschauen": "observe",
    "ersetzen": "replace",
    "protokoll": "export",
    "adresse": "address",
    "adressen": "address",
    "nicht mehr zuschauen": "unobserve",
    "verlängern": "extend",
    "erinnerungen": "reminders",
    "tagesmail": "digest",
    "streitfall": "dispute",
    "sagen": "say",
    "gespräch": "talk",
    "gespräche": "history talk",
    "html": "html",
    "automatik": "auto",
    "stumm": "mute",
    "nicht mehr stumm": "unmute",
    "meine karten": "hand",
    "handkarten": "hand",
    "noch einmal senden": "resend",
    "nochmal senden": "resend",
    "zeitzone": "timezone",
    "einstellungen": "settings",
    "sprache": "language",
    "nächster zug": "next",
    "ziehregel": "drawing",
    "probiere": "try",
    "neu": "new",
    "einladen": "invite",
    "starker bot": "hard bot",
    "leichter bot": "easy bot",
    "ohne anfangen": "start without",
    "nie": "never",
    "nie wieder": "never",
    "einladungen aus": "invitations off",
    "einladungen an": "invitations on",
    "probepartie": "tutorial",
    "probepartie beenden": "skip tutorial",
}
"""Whole lines of the service."""

OWN_TEXT = re.compile(
    r"\s*(?:sag(?:en?)?\b|streitfall\b|neue?s?\b|(?:(?:beitreten|mitspielen|annehmen)[\s,;:.-]*)?spruch\b)",
    re.IGNORECASE,
)
"""With which a line begins whose end is the player's own, however long: talk, a wish for a game."""

_MOTION = r"(pause|fortsetzen|zurücknehmen|rückgängig|tempo)"

FORMS: tuple[tuple[str, str], ...] = (
    (
        r"(?:beitreten|mitspielen|annehmen)?[\s,;:.-]*spruch\s*[:=]?\s*(?P<own>\S.*)",
        "join phrase: {own}",
    ),
    (
        r"neue?s?(?: partie| spiel| runde)?[\s:,]+(?P<own>\S+(?: 10(?: familie)?)?) mit (?P<own2>\S[\s\S]*)",
        "new {own} with {own2}",
    ),
    (r"neue?s?(?: partie| spiel| runde)?[\s:,]+(?P<own>\S[\s\S]*)", "new {own}"),
    (r"(?:beitreten|mitspielen)[\s:]+(?P<own>[a-z0-9]{10})", "join {own}"),
    (
        r"einladen[\s:]+(?P<own>\S.*?) (?:statt|für) (?P<words>\S.*)",
        "invite {own} instead of {words}",
    ),
    (r"einladen[\s:]+(?P<own>\S.*)", "invite {own}"),
    (r"bot (?:statt|für) (?P<own>\S.*)", "bot instead of {own}"),
    (r"ohne (?P<own>\S.*?) anfangen", "start without {own}"),
    (r"(?:starten|starte|anfangen) ohne (?P<own>\S.*)", "start without {own}"),
    (r"streitfall[\s:,.!-]+(?P<own>\S.*)", "dispute {own}"),
    (r"sag(?:en?)?\s*:\s*(?P<own>\S.*)", "say: {own}"),
    (r"sag(?:en?)?\s+zu\s+(?P<own>[^:]{1,80}:.*)", "say to {own}"),
    (r"html[\s:=]+(?P<words>an|aus)", "html {words}"),
    (r"(?:auto|automatik)[\s:=]+(?P<words>an|aus|alle)", "auto {words}"),
    (r"(?:auto|automatik)[\s:=]+öffentlich", "auto public"),
    (r"gespräch[\s:=]+sofort", "talk at once"),
    (r"gespräch[\s:=]+gesammelt", "talk folded"),
    (r"gespräch[\s:=]+wie üblich", "talk as usual"),
    (r"stumm[\s:]+(?P<own>\S+)", "mute {own}"),
    (r"nicht mehr stumm[\s:]+(?P<own>\S+)", "unmute {own}"),
    (r"verlauf[\s:]+(?P<own>\d+)", "history {own}"),
    (r"zeitzone[\s:=]+(?P<own>\S+)", "timezone {own}"),
    (r"urlaub[\s:,=]+(?P<words>\S.*)", "vacation {words}"),
    (r"erinnerungen[\s:=]+(?P<words>\S.*)", "reminders {words}"),
    (r"tagesmail(?: um)?[\s:=]+(?P<words>\S+)(?: uhr)?", "digest {words}"),
    (r"sprache[\s:=]+(?P<own>\S+)", "language {own}"),
    (r"(?:ersetze|ersetzen) mich durch (?P<own>\S.*)", "replace me with {own}"),
    (
        r"(?:ersetze|ersetzen)[\s:]+(?P<own>\S.*?) durch (?P<own2>\S.*)",
        "replace {own} with {own2}",
    ),
    (r"adresse[\s:]+(?:dazu|neu)[\s:]+(?P<own>\S+)", "address add {own}"),
    (r"adresse[\s:]+haupt[\s:]+(?P<own>\S+)", "address primary {own}"),
    (r"adresse[\s:]+weg[\s:]+(?P<own>\S+)", "address remove {own}"),
    (r"zuschauen(?: bei)?[\s:]+(?P<own>\S+)", "observe {own}"),
    (r"nicht mehr zuschauen(?: bei)?[\s:]+(?P<own>\S+)", "unobserve {own}"),
    (r"(?:verlängern|verlängere)(?: um)?[\s:=]+(?P<words>\S.*)", "extend {words}"),
    (r"tempo[\s:=]+(?P<words>\S.*?)(?: pro zug| je zug)?", "tempo {words}"),
    (r"(?:zurücknehmen|rückgängig)(?: bis)?(?: zug)?[\s:]+(?P<own>\d+)", "undo {own}"),
    (rf"ja[\s,:]+(?P<words>{_MOTION})", "yes {words}"),
    (rf"nein[\s,:]+(?P<words>{_MOTION})", "no {words}"),
    (r"nächster zug\s*[:=]\s*(?:nichts|keiner)", "next: none"),
    (r"nächster zug\s*[:=]\s*(?P<own>\S.*)", "next: {own}"),
    (r"ziehregel\s*[:=]\s*(?:nichts|keine)", "drawing: none"),
    (r"ziehregel\s*[:=]\s*(?P<own>\S.*)", "drawing: {own}"),
    (r"regeln(?: von| für)? (?P<own>.+)", "rules {own}"),
    (r"rangliste(?: von| für| in)? (?P<own>.+)", "standings {own}"),
)
"""Lines of the service with something beside the word: `own` and `own2` stay as they are, `words` are translated."""

_PICK_UP = (
    r"aufnehmen|(?:den )?stapel (?:auf)?nehmen|nimm auf|nimm (?:den )?stapel(?: auf)?"
    r"|(?:ich )?nehme (?:auf|(?:den )?stapel(?: auf)?)"
)
_PLAY = r"(?:ich )?(?:spiele?|spielen|leg|lege) (?P<words>\S.*)"
_SHEDDING = ((_PICK_UP, "pickup"), (_PLAY, "play {words}"))
_PHASE10 = (
    (r"(?:ich )?(?:zieh|ziehe|ziehen)(?: (?:eine )?karte)?(?: vom (?:nachzieh)?stapel)?", "draw"),
    (
        r"(?:ich )?(?:nimm|nehme|nehmen)(?: (?:die )?(?:oberste(?: karte)?|karte))?(?: vom ablagestapel)?",
        "take",
    ),
    (r"(?:ich )?(?:nimm|nehme|nehmen) (?P<words>\S.*)", "take {words}"),
    (
        r"auslegen|(?:ich )?(?:leg|lege) aus|(?:(?:ich )?(?:leg|lege) )?(?:meine )?phase(?: aus| auslegen)",
        "lay",
    ),
    (r"auslegen (?P<words>\S.*)|(?:ich )?(?:leg|lege) (?P<words2>\S.*) aus", "lay {words}"),
    (
        r"anlegen (?P<words>\S.*)|(?:ich )?(?:leg|lege) (?P<words2>\S.*? an \S.*?)(?: an)?",
        "hit {words}",
    ),
    (
        r"(?:ablegen|abwerfen) (?P<words>\S.*)|(?:ich )?(?:leg|lege|wirf|werfe) (?P<words2>\S.*) ab",
        "discard {words}",
    ),
    (r"aussetzer (?P<words>\S.*)", "skip {words}"),
)
GAMES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "phyliss": (
        (r"gott|(?:die )?hand gottes|(?:ich )?(?:spiele?|versuche) (?:die )?hand gottes", "god"),
        (
            r"(?:drehe?|decke?|umdrehen|aufdecken) (?:karte )?(?P<words>\w+)(?: um| auf)?",
            "flip {words}",
        ),
        *_SHEDDING,
    ),
    "cathedral": (
        (
            r"(?:ich )?behalten? (?P<words>\S.*)|(?:ich )?lege? (?P<words2>\S.*) (?:beiseite|zurück)",
            "keep {words}",
        ),
        *_SHEDDING,
    ),
    "phalanx": (
        (r"(?:ich )?(?:eröffne|eröffnen)(?: mit)? (?P<words>\S.*)", "open {words}"),
        (r"schieben?|ich schiebe", "check"),
        (r"passen?|ich passe", "pass"),
        (r"(?P<words>(?:erhöhe|erhöhen|mitgehen) \S.*)", "{words}"),
        (_PLAY, "play {words}"),
    ),
    "phase10": _PHASE10,
    "phase10-family": _PHASE10,
}
"""Orders of each game, the first form that fits; a second group `words2` stands for `words`."""

SUITS: Mapping[str, str] = {"kreuz": "c", "karo": "d", "herz": "h", "pik": "s"}
RANKS: Mapping[str, str] = {
    **{str(number): str(number) for number in range(2, 11)},
    "zwei": "2",
    "drei": "3",
    "vier": "4",
    "fünf": "5",
    "sechs": "6",
    "sieben": "7",
    "acht": "8",
    "neun": "9",
    "zehn": "10",
    "bube": "J",
    "dame": "Q",
    "könig": "K",
    "ass": "A",
}
"""Suit and rank, in either order, are a card: `Herz Dame` is `Qh`."""

DROPPED = frozenset(
    ["der", "die", "das", "den", "dem", "ein", "eine", "einen", "meine", "meinen", "mein", "mit"]
)
"""Words of sentences that mean nothing in an order."""

WORDS: Mapping[str, str] = {
    **RANKS,
    "eins": "1",
    "elf": "11",
    "zwölf": "12",
    "zweien": "twos",
    "dreien": "threes",
    "vieren": "fours",
    "fünfen": "fives",
    "fünfer": "fives",
    "sechsen": "sixes",
    "siebenen": "sevens",
    "achten": "eights",
    "neunen": "nines",
    "zehnen": "tens",
    "buben": "jacks",
    "damen": "queens",
    "könige": "kings",
    "asse": "aces",
    "herz": "hearts",
    "pik": "spades",
    "kreuz": "clubs",
    "karo": "diamonds",
    "alle": "all",
    "beide": "both",
    "und": "and",
    "links": "left",
    "linke": "left",
    "mitte": "center",
    "rechts": "right",
    "rechte": "right",
    "in": "in",
    "nach": "to",
    "zone": "zone",
    "nimmt": "x",
    "nimm": "x",
    "schlägt": "x",
    "von": "of",
    "erhöhe": "raise",
    "erhöhen": "raise",
    "mitgehen": "match",
    "um": "by",
    "rot": "red",
    "rote": "red",
    "blau": "blue",
    "blaue": "blue",
    "grün": "green",
    "grüne": "green",
    "gelb": "yellow",
    "gelbe": "yellow",
    "wildkarte": "wild",
    "aussetzer": "skip",
    "an": "on",
    "auf": "on",
    "gegen": "against",
    "eigene": "own",
    "eigenen": "own",
    "gruppe": "group",
    "platz": "seat",
    "unten": "low",
    "oben": "high",
    "satz": "set",
    "folge": "run",
    "farbgruppe": "colour",
    "aus": "off",
    "bis": "to",
    "zum": "",
    "vom": "from",
    "heute": "today",
    "morgen": "tomorrow",
    "nächsten": "next",
    "tag": "day",
    "tage": "days",
    "tagen": "days",
    "woche": "week",
    "wochen": "weeks",
    "stunde": "hour",
    "stunden": "hours",
    "minuten": "minutes",
    "montag": "monday",
    "dienstag": "tuesday",
    "mittwoch": "wednesday",
    "donnerstag": "thursday",
    "freitag": "friday",
    "samstag": "saturday",
    "sonnabend": "saturday",
    "sonntag": "sunday",
    "januar": "january",
    "februar": "february",
    "märz": "march",
    "mär": "mar",
    "april": "april",
    "mai": "may",
    "juni": "june",
    "juli": "july",
    "august": "august",
    "september": "september",
    "oktober": "october",
    "okt": "oct",
    "november": "november",
    "dezember": "december",
    "dez": "dec",
    "fortsetzen": "resume",
    "zurücknehmen": "undo",
    "rückgängig": "undo",
}
"""What stands in an order beside its verb."""

VERBS = frozenset(
    [
        *("spiel", "spiele", "spielen", "leg", "lege", "nimm", "nehme", "nehmen", "aufnehmen"),
        *("gott", "gottes", "drehe", "decke", "umdrehen", "aufdecken", "behalte", "behalten"),
        *("eröffne", "eröffnen", "schiebe", "schieben", "passe", "passen", "erhöhe", "erhöhen"),
        *("mitgehen", "zieh", "ziehe", "ziehen", "auslegen", "anlegen", "ablegen", "abwerfen"),
        *("wirf", "werfe", "beiseite", "stapel", "spruch", "verlängere", "verlängern"),
    ]
)
"""What orders begin with, and words that only stand in them."""

OR = "oder"

BEFORE_ORDERS: Mapping[str, str] = {"probiere": "try"}
"""Words before an order that is not carried out, or not now."""

TALK = frozenset(["spieler", "spielt", "karte", "karten", "partie"])
"""Words that people use of a game, and that are no slips of an order word."""

SAID: Mapping[str, str] = {
    "play": "spiele",
    "pickup": "aufnehmen",
    "god": "gott",
    "flip": "drehe",
    "keep": "behalte",
    "open": "eröffne",
    "left": "links",
    "center": "mitte",
    "right": "rechts",
    "of": "von",
    "check": "schieben",
    "match": "mitgehen",
    "raise": "erhöhe",
    "pass": "passe",
    "draw": "ziehe",
    "take": "nimm",
    "lay": "auslegen",
    "hit": "anlegen",
    "on": "an",
    "low": "unten",
    "high": "oben",
    "discard": "ablegen",
}
"""The words of canonical moves as mails show them; read back, they are the same move."""
