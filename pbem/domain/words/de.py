"""Translates German orders into English, line by line and word by word.

This module contains only tables. A line is an order only if its translation is a whole order, so a
surplus word here can never turn prose into a move.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.domain.words.en import pairs, rows, words

LINES: Mapping[str, str] = rows("""
join: beitreten; mitspielen; ich bin dabei; bin dabei; ja gerne; annehmen
decline: ablehnen; absagen; nein danke; leider keine zeit
resign: aufgeben
confirm: bestätigen
resign confirm: aufgeben bestätigen
yes: ja; ja bitte
no: nein
help: hilfe; was kann ich tun; wie geht das
rules: regeln
games: spiele; partien; meine spiele; meine partien
standings: rangliste
board: tisch; spielstand; wie steht es; wer ist dran
hand: hand; meine karten; handkarten
history: verlauf
catch up: aufholen
vacation: urlaub
back: zurück; ich bin zurück; bin wieder da; ich bin wieder da
pause: pause
resume: fortsetzen
undo: zurücknehmen; rückgängig
tempo: tempo
rematch: revanche; noch einmal
observe: zuschauen
replace: ersetzen
export: protokoll
address: adresse; adressen
unobserve: nicht mehr zuschauen
extend: verlängern
reminders: erinnerungen
digest: tagesmail
dispute: streitfall
say: sagen
talk: gespräch
history talk: gespräche
html: html
auto: automatik
mute: stumm
unmute: nicht mehr stumm
resend: noch einmal senden; nochmal senden
timezone: zeitzone
settings: einstellungen
language: sprache
next: nächster zug
drawing: ziehregel
try: probiere
new: neu
invite: einladen
hard bot: starker bot
easy bot: leichter bot
start without: ohne anfangen
never: nie; nie wieder
invitations off: einladungen aus
invitations on: einladungen an
tutorial: probepartie
skip tutorial: probepartie beenden
""")
"""Whole lines of the service."""

OWN_TEXT = re.compile(
    r"\s*(?:sag(?:en?)?\b|streitfall\b|neue?s?\b|(?:(?:beitreten|mitspielen|annehmen)[\s,;:.-]*)?spruch\b)",
    re.IGNORECASE,
)
"""Starts of lines that end with long text of the player's own: talk, a new game."""

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
"""Service lines with arguments.

`own` and `own2` stay as they are; `words` are translated.
"""

SUITS: Mapping[str, str] = {"kreuz": "c", "karo": "d", "herz": "h", "pik": "s"}
RANKS: Mapping[str, str] = {str(number): str(number) for number in range(2, 11)} | pairs(
    "zwei=2; drei=3; vier=4; fünf=5; sechs=6; sieben=7; acht=8; neun=9; zehn=10; bube=J; dame=Q; könig=K; ass=A"
)
"""A suit and a rank make a card, in either order: `Herz Dame` is `Qh`."""

DROPPED = words("der die das den dem ein eine einen meine meinen mein mit")
"""Words that mean nothing in an order."""

_BESIDE: Mapping[str, str] = pairs("""
eins=1; elf=11; zwölf=12; zweien=twos; dreien=threes; vieren=fours; fünfen=fives; fünfer=fives;
sechsen=sixes; siebenen=sevens; achten=eights; neunen=nines; zehnen=tens; buben=jacks;
damen=queens; könige=kings; asse=aces; herz=hearts; pik=spades; kreuz=clubs; karo=diamonds;
alle=all; beide=both; und=and; links=left; linke=left; mitte=center; rechts=right;
rechte=right; in=in; nach=to; zone=zone; nimmt=x; nimm=x; schlägt=x; von=of; erhöhe=raise;
erhöhen=raise; mitgehen=match; um=by; rot=red; rote=red; blau=blue; blaue=blue; grün=green;
grüne=green; gelb=yellow; gelbe=yellow; wildkarte=wild; aussetzer=skip; an=on; auf=on;
gegen=against; eigene=own; eigenen=own; gruppe=group; platz=seat; unten=low; oben=high;
satz=set; folge=run; farbgruppe=colour; aus=off; bis=to; zum=; vom=from; heute=today;
morgen=tomorrow; nächsten=next; tag=day; tage=days; tagen=days; woche=week; wochen=weeks;
stunde=hour; stunden=hours; minuten=minutes; montag=monday; dienstag=tuesday;
mittwoch=wednesday; donnerstag=thursday; freitag=friday; samstag=saturday; sonnabend=saturday;
sonntag=sunday; januar=january; februar=february; märz=march; mär=mar; april=april; mai=may;
juni=june; juli=july; august=august; september=september; oktober=october; okt=oct;
november=november; dezember=december; dez=dec; fortsetzen=resume; zurücknehmen=undo;
rückgängig=undo
""")
WORDS: Mapping[str, str] = {**RANKS, **_BESIDE}
"""Words that follow the verb of an order."""

VERBS = words("""
ablegen abwerfen anlegen aufdecken aufnehmen auslegen behalte behalten beiseite decke
drehe erhöhe erhöhen eröffne eröffnen gott gottes leg lege mitgehen nehme nehmen nimm
passe passen schiebe schieben spiel spiele spielen spruch stapel umdrehen verlängere
verlängern werfe wirf zieh ziehe ziehen
""")
"""Verbs that begin orders, and words that occur only in orders."""

OR = "oder"

BEFORE_ORDERS: Mapping[str, str] = {"probiere": "try"}
"""Words before an order that is tried out but not carried out."""

TALK = words("spieler spielt karte karten partie")
"""Words about a game that are not misspelt order words."""

SAID: Mapping[str, str] = pairs("""
play=spiele; pickup=aufnehmen; god=gott; flip=drehe; keep=behalte; open=eröffne; left=links;
center=mitte; right=rechts; of=von; check=schieben; match=mitgehen; raise=erhöhe; pass=passe;
draw=ziehe; take=nimm; lay=auslegen; hit=anlegen; on=an; low=unten; high=oben; discard=ablegen
""")
"""The words of canonical moves in our mails; they are read back as the same move."""


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
"""Phrases in conditions, each with its English; earlier ones are tried first."""

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
)
"""The same for `drawing:`, where the verb can come last."""

WISH: Mapping[str, str] = {
    "joint": "und|mit|gegen",
    "units": "wochen?|tage?|stunden?",
    "numbers": "ein eine einen einem; zwei; drei; vier; fünf",
    "leaves_out": "nicht ohne außer oder",
    "levels": "starke[nrm]?|leichte[nrm]?",
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
"""Words in an order for a game (`new …`), as parts of the patterns in `game_forms`."""
LEVELS: Mapping[str, str] = {"stark": "hard", "leich": "easy"}
"""Levels of a bot, by their first five letters."""
UNITS: Mapping[str, str] = {"w": "w", "t": "d", "s": "h"}
"""Units of time, by their first letters."""
OFF = words("aus nein")
"""Words that turn a switch off."""
EVERYBODY = words("alle allen")
"""Names for the whole table, as the addressee of a message."""
REPLY_MARKER = "-- Antworte über dieser Zeile oder zwischen den Zeilen. --"
"""The first line of text of every mail."""
