"""Sentences around a whole move: `I'd like to play the seven`, `dann halt die 21`.

A frame says who moves, and nothing else: in the first person, now, and not for sure only if the
table of doubts has it. So no negation, no condition, no past and nobody else's move has a frame,
and what a frame leaves must be a whole order by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, cast

from pbem.later import Later


def _pattern(text: str) -> re.Pattern[str]:
    """Return a pattern that is compiled when it is first used: all take a while, few commands need any."""
    return cast("re.Pattern[str]", Later("re", "compile", text, re.IGNORECASE | re.VERBOSE))


_PAUSE = r"[\s,:.!…–—-]+"
_NUMBER = r"\#?\s?(?:[2-9]\d|[1-9]\d\d)(?!\d)"
_SPELT_NUMBER = (
    r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[\s-]?"
    r"(?:one|two|three|four|five|six|seven|eight|nine)\b"
)
_VERB = (
    r"(?:play|pick\s*-?up|pick|pickup|draw|discard|flip|turn\s+over|reveal|lay|hit|add|use|set|hold|reserve|choose|"
    r"take|go|select|keep|open|start|put|place|throw|drop|dump|toss|get\s+rid|raise|match|call|check|pass|skip|"
    r"grab|do|chuck|risk|try\s+(?:my|the|hand|god))\b"
)
_WELL_WORDS = (
    r"(?:ok|okay|k|well|so|then|now|alright|all\s+right|right|fine|yes|yeah|sure|hm+|um+|oh|ah|ugh|argh|damn|meh|and|sadly|"
    r"unfortunately|ja|gut|na\s+gut|also|also\s+gut|dann|halt|eben|nun|jetzt|tja|hmm+|"
    r"schade|leider|mist|verdammt|och|naja|na\s+ja|und)"
)
_MUST = r"(?:have\s+to|need\s+to|must|gotta|got\s+to|will\s+have\s+to|guess\s+i(?:['’]ll|\s+will|\s+have\s+to|\s+must)?)"
_WILL = (
    r"i(?:['’\s]?ll|\s+will|['’]?d\s+like\s+to|\s+(?:would|should)\s+like\s+to|\s+want\s+to|\s+wanna|\s+wish\s+to|\s+shall|"
    r"['’]m\s+going\s+to|\s+am\s+going\s+to|['’]m\s+gonna|\s+choose\s+to|\s+decide\s+to|['’]ve\s+decided\s+to)?"
)

TO_SOMEBODY: Final = _pattern(
    r"(?:hi|hello|hey|hallo|moin|servus|dear|liebe[r]?|good\s+(?:morning|evening)|guten\s+(?:morgen|abend|tag))"
    r"(?:\s+[^\W\d_]{2,20}){0,2}\s*[,!:–—-]+\s+(?=(?:i|ich|let|my|mein)\b|\#?\d\d)"
)

FIRST: Final = (
    _pattern(rf"(?:{_WELL_WORDS}{_PAUSE})+(?:the\s+|die\s+|den\s+)?(?={_NUMBER}|{_SPELT_NUMBER})"),
    _pattern(rf"(?:{_WELL_WORDS}{_PAUSE})+(?=(?:i|ich|let|{_VERB})\b)"),
    _pattern(
        rf"(?!i\s+take\s+it\b)(?:(?:i\s+guess|i\s+suppose|looks\s+like|it\s+looks\s+like)\s+)?"
        rf"(?:{_WILL}|{_MUST}|gonna|going\s+to|let\s+me|let['’]?s)"
        rf"(?:\s+(?:{_MUST}|then|now|just|simply|go\s+ahead\s+and))*\s+(?={_VERB})"
    ),
    _pattern(
        r"(?:then|dann)\s+(?:(?:it['’]?s|halt|eben|nehm\s+ich|mal)\s+)+(?=(?:the|die|der|den|das)\s+\S+\s*\Z)"
    ),
    _pattern(r"i(?:['’\s]?m|\s+am)\s+(?=[a-z]{2,9}ing\b)"),
    _pattern(r"go(?:ing)?\s+(?:w|with)\s+(?=(?:the|my)\s+\S)"),
    _pattern(
        r"(?:try|risk|go\s+for|go\s+with)\s+(?:my\s+luck\s+(?:with|on)\s+)?(?=(?:the\s+|my\s+)?(?:hand\s+of\s+)?god\b)"
    ),
    _pattern(
        rf"(?:go(?:ing)?\s+(?:with|for)|grab|do|tak(?:e|ing)|choos(?:e|ing)|(?:dann|nehme?|nimm|spiele?|wähle?|"
        rf"ich\s+(?:nehme?|wähle|entscheide\s+mich\s+für|möchte|will|spiele?)|mach(?:e|en)?)(?:\s+(?:bitte|mal|halt|dann|jetzt))*)"
        rf"\s+(?:the\s+|die\s+|den\s+)?(?:(?:number|option|move|choice|nr\.?|nummer|zug|variante|möglichkeit)\s+)?(?={_NUMBER}|{_SPELT_NUMBER})"
    ),
    _pattern(
        rf"(?:die|den|variante|möglichkeit|auswahl|punkt|choice)\s+(?:nummer\s+|nr\.?\s+)?(?={_NUMBER})"
    ),
)
"""Beginnings that are left out."""

LAST: Final = (
    _pattern(
        r"\s+[-–—|(]?\s*(?:sent\s+(?:from|via|with|by)\s|gesendet\s+(?:von|mit|über)\s|von\s+mein\w*\s[\w\s]{2,20}\sgesendet|"
        r"get\s+outlook\s|von\s+unterwegs|envoyé\s+de|enviado\s+d|inviato\s+da|verzonden\s+|skickat\s+från|"
        r"verschickt\s+von|diese\s+nachricht\s+wurde|sent\s+on\s+the\s+go).{0,60}\Z"
    ),
    _pattern(
        r"(?<![\s,.!–—-])[\s,.!–—-]+(?:then|now|from\s+me|for\s+(?:now|the\s+moment|today)|this\s+time|this\s+turn|is\s+it|dann|halt|jetzt|dann\s+halt|diesmal|fürs\s+erste|erst\s?mal|for\s+the\s+win)[\s.!]*\Z"
    ),
)
"""Ends that are left out: what a phone signs, and small words."""

_CORRECTING = (
    r"no|not|nope|wait|but|or|if|instead|rather|unless|only|nein|nicht|doch|aber|oder|wenn|falls|lieber|kein\w*|moment|statt|erst"
    r"|meant|mean|meinte?|meinen|wanted|wollte|actually|eigentlich|make|change|correct\w*|korrektur|sondern|wrong|mistake|falsch\w*"
    r"|versehen|forget|ignore|scratch|vergiss|quatsch|undo|zurück"
)
_OWN = rf"(?:\s+(?!(?:{_CORRECTING})\b)[^\W\d_]+)"
_CHAT: Final = _pattern(
    rf"""
    (?:good|best\s+of)\s+luck{_OWN}{{0,4}} | (?:have\s+)?(?:lots\s+of\s+)?fun{_OWN}{{0,3}} | gl | hf | gg
    | (?:so\s+|very\s+)?(?:sorry|sry)(?:\s+for\s+the\s+(?:long\s+)?wait|\s+(?:for|about|everyone|everybody|all|guys|folks|to\s+keep|it|this|that\s+took|took|i\s+was|i['’]?ve\s+been){_OWN}{{0,6}})?
    | (?:keep\s+(?:your\s+)?)?fingers\s+crossed{_OWN}{{0,2}} | wish\s+me\s+luck | here\s+(?:goes|we\s+go)(?:\s+nothing)?
    | (?:many\s+)?thanks{_OWN}{{0,4}} | thank\s+you{_OWN}{{0,4}} | thx | cheers{_OWN}{{0,2}} | love{_OWN}{{1,2}}
    | (?:hi|hello|hey|dear|morning|good\s+(?:morning|evening|afternoon)){_OWN}{{0,3}} | (?:all\s+the\s+)?best(?:\s+(?:wishes|regards|to|from){_OWN}{{0,3}})?
    | (?:kind\s+|warm\s+)?regards{_OWN}{{0,2}} | greetings{_OWN}{{0,3}} | bye{_OWN}{{0,2}} | see\s+(?:you|ya){_OWN}{{0,2}}
    | have\s+a\s+(?:nice|good|great|lovely)\s+(?:day|evening|weekend|week|time|one|trip){_OWN}{{0,2}} | take\s+care{_OWN}?
    | (?:i['’]?ve\s+(?:got\s+)?|i\s+have\s+)?no\s+(?:other\s+)?choice{_OWN}{{0,2}} | nothing\s+(?:else\s+)?(?:fits|works|helps|left)(?:\s+here)?
    | (?:i\s+)?can['’]?t\s+(?:play|beat\s+that|do\s+anything){_OWN}{{0,2}} | (?:then\s+)?(?:let['’]?s|we['’]?ll|we\s+will)\s+see{_OWN}{{0,4}} | finally
    | (?:that['’]?s\s+)?easy(?:\s+(?:peasy|one|enough))? | no\s+(?:problem|brainer) | can['’]?t\s+complain | (?:and\s+)?why\s+not | what\s+the\s+heck | obviously | of\s+course
    | (?:happy|merry){_OWN}{{1,5}} | congrat(?:s|ulations){_OWN}{{0,4}} | (?:i(?:['’]?ve)?\s+)?(?:have\s+|got\s+)?nothing{_OWN}{{1,5}}
    | here\s+(?:you\s+(?:are|go)|it\s+is)
    | (?:hope|hoping){_OWN}{{1,4}}
    | viel\s+(?:glück|spa(?:ß|ss)|erfolg){_OWN}{{0,3}} | toi(?:\s+toi)* | drückt?\s+mir\s+(?:mal\s+)?die\s+daumen | daumen\s+drücken
    | (?:lg|vg|mfg|bg){_OWN}{{0,2}} | gruß{_OWN}{{0,2}} | grüße{_OWN}{{0,3}} | (?:ganz\s+)?(?:liebe|viele|schöne|beste|herzliche)[nr]?\s+gr(?:uß|üße){_OWN}{{0,3}}
    | mit\s+(?:freundlichen|lieben|besten)\s+grüßen{_OWN}{{0,2}}
    | (?:frohe\w?|schöne\w?){_OWN}{{1,4}} | alles\s+(?:gute|liebe){_OWN}{{0,4}} | (?:herzlichen\s+)?glückwunsch{_OWN}{{0,4}} | (?:ich\s+)?habe?\s+(?:nichts|nix){_OWN}{{0,5}}
    | (?:entschuldigung|entschuldigt?|tut\s+mir\s+leid|verzeihung|sorry|sry){_OWN}{{0,8}} | (?:vielen\s+)?dank{_OWN}{{0,3}} | danke{_OWN}{{0,3}}
    | (?:schönen?s?|guten?s?)\s+(?:morgen|tag|abend|nacht|woche|wochenende|sonntag|samstag|feierabend|urlaub){_OWN}{{0,3}}
    | (?:hallo|moin|servus|hey|liebe){_OWN}{{0,3}} | bis\s+(?:dann|bald|morgen|später|nachher){_OWN}{{0,2}} | (?:und\s+)?tschüss{_OWN}{{0,2}}
    | (?:es\s+)?(?:geht|passt|hilft|nützt)\s+(?:ja\s+)?(?:leider\s+)?(?:nix|nichts|nicht\s+anders) | kann\s+(?:leider\s+)?(?:nicht|nichts|nix)(?:\s+(?:legen|spielen|machen|anderes))?
    | (?:ich\s+)?(?:habe?\s+)?keine\s+(?:andere\s+)?wahl | (?:mal\s+)?(?:sehen|schauen|schaun|gucken){_OWN}{{0,4}} | (?:auf|los|weiter)\s+geht['’]?s
    | endlich | kein\s+problem | klar | logisch | (?:und\s+)?warum\s+(?:auch\s+)?nicht | was\s+soll['’]?s | (?:und\s+)?(?:fertig|gut\s+so)
    """
)
"""Words between two stops that are courtesy or a sigh, and say nothing about the move."""

_THING: Final = r"(?:the|that|this|my|these|those|both)(?:\s+\w+){1,4}?"
_DING: Final = r"(?:die|der|das|den|dem|meine[nr]?|diese[rs]?|beide)(?:\s+\w+){1,3}?"
_UNWANTED: Final = (
    r"(?:no\s+thanks?\s+to|(?:i\s+)?(?:don['’]?t|do\s+not)\s+(?:want|need|like))\s+(?:the|that|this|your|bob['’]?s|carol['’]?s)(?:\s+\w+){0,3}"
    r"|(?:der|die|das|den)(?:\s+\w+){1,2}\s+(?:brauche?|will|mag|möchte|nehme?)\s+ich\s+(?:wirklich\s+|jetzt\s+)?nicht"
    rf"|(?:i(?:['’]?d|['’]?ll|['’]?m|\s+will|\s+would|\s+want\s+to)?\s+)?(?:(?:rather|better|going\s+to|gonna)\s+)*"
    rf"(?:keep|hold|save|hang|keeping|holding|saving|hanging)(?:\s+(?:on|onto|to|back|up))*\s+{_THING}(?:\s+(?:for\s+(?:now|later)|back))?"
    rf"|{_THING}\s+(?:is|are|does|do|isn['’]?t|doesn['’]?t|won['’]?t)\s+(?:(?:no|not|of|any|much)\s+)*(?:good|use|useful|help|nothing|useless|fit)"
    r"(?:\s+(?:to|for)\s+me)?(?:\s+(?:here|anyway|now|at\s+all))?"
    rf"|(?:i\s+)?(?:don['’]?t|do\s+not)\s+(?:want\s+to|wanna)\s+(?:waste|use|lose|spend|play|part\s+with)\s+{_THING}(?:\s+(?:yet|now))?"
    rf"|(?:ich\s+)?(?:mag|will|möchte)\s+{_DING}\s+(?:noch\s+|jetzt\s+)*nicht\s+(?:hergeben|verschwenden|verlieren|opfern|spielen|ausgeben|verpulvern)"
    rf"|(?:i(?:['’]?ll|\s+will)?\s+)?(?:pass\s+on|leave|decline)\s+{_THING}"
    rf"|too\s+(?:early|soon)\s+for\s+{_THING}"
    rf"|{_DING}\s+(?:spar|heb|behalt|brauch)e?\s+ich(?:\s+(?:mir|noch|lieber|erst|mal|einmal|jetzt|auf|nicht|mehr))*"
    rf"|{_DING}\s+(?:bringt|bringen|hilft|helfen|nützt|nützen|taugt)\s+(?:(?:mir|ja|auch|eh|hier|gar)\s+)*(?:nix|nichts|nicht|wenig)(?:\s+(?:mehr|weiter))?"
    rf"|{_DING}\s+kann\s+ich\s+(?:(?:gut|noch|nicht|echt|gerade)\s+)*(?:ge)?brauchen"
    rf"|(?:ich\s+)?(?:mag|will|möchte|würde)\s+{_DING}\s+(?:(?:noch|lieber|erst|mal|gern)\s+)*(?:behalten|aufheben|sparen|aufsparen)"
    rf"|(?:ich\s+)?(?:behalt|spar|heb)e?\s+(?:mir\s+)?{_DING}(?:\s+(?:noch|lieber|auf|mal))*|(?:{_DING}|\w+)\s+(?:ist|sind|wären?)\s+(?:(?:mir|noch|dafür|viel)\s+)*zu\s+(?:schade|wertvoll|gut|früh|teuer)|zu\s+früh\s+für\s+{_DING}|(?:(?:nö|nee|nein)[\s,]+)?{_DING}\s+(?:nicht|liegen\s+lassen)"
    r"|(?:(?:my|the|meine|die)\s+)?phase(?:\s+\d+)?\s+(?:is|ist|steht)(?:\s+(?:complete|ready|done|full|there|fertig|komplett|voll|da))?"
    r"|(?:i(?:['’]ve)?\s+(?:have|got)|ich\s+habe?)\s+(?:my|the|die|meine)\s+phase(?:\s+(?:ready|now|fertig|zusammen|jetzt))?"
)
"""What somebody leaves or keeps who does something else: `the 11 I don't need, draw`."""

_SIGH: Final = _pattern(
    rf"""
    (?:a?ha)+h? | he(?:he)+ | hi(?:hi)+ | lol | rofl | yay | wow | phew | ouch | sigh | (?:oops|ups)(?:\s+(?:nearly|almost|totally))?(?:\s+forgot)? | boom | bam | blimey | crikey | oh\s+bother | (?:oh\s+)?dear | darn | bugger | oof | ha | right | yikes | woohoo | wow | argh+ | ugh+ | grr+ | hm+ | well
    | yes | ok(?:ay)? | oh\s+(?:well|no|dear|boy|man|my) | too\s+bad | what\s+a\s+(?:day|hand|game|mess|pity|shame|draw|card)
    | well\s+played{_OWN}{{0,2}} | (?:nice|good|great|lovely)\s+(?:one|move|game|play|round|cards?){_OWN}{{0,3}}
    | ach\s+(?:ja|je|nee|gott|herrje|was) | oh\s+(?:je|mann|weh) | oje | na\s+(?:toll|ja|gut|also|super) | juhu | puh | tja | mist
    | was\s+bleibt\s+mir\s+(?:anderes\s+|sonst\s+)?übrig | schade | verdammt | ups | naja | was\s+für\s+(?:eine?n?\s+)?(?:tag|blatt|mist|pech|karten?|runde|überraschung)
    | {_UNWANTED} | (?:gut|schön|stark)\s+gespielt{_OWN}{{0,2}} | (?:schöne[sr]?|gute[sr]?|tolle[sr]?)\s+(?:partie|runde|spiel|zug|karten?){_OWN}{{0,3}}
    """
)
"""Such words that may be about cards as well: `three kings, wow` plays none."""

_DOES: Final = _pattern(
    rf"(?:(?:{_NUMBER}|{_SPELT_NUMBER}|pickup|god)[\s.!]*\Z|.*\b(?:{_VERB}|i|i['’]ll|hand|gottes|please|pls|plz|bitte|goes|kommt|drauf|werf\w*|wirf|schmei\w*|hau\w*|ab|fliegt|aus|ich|nehm\w*|nimm|spiel\w*|leg\w*|zieh\w*"
    r"|\w+nehmen|\w+legen|\w*werfen|weg|raus|down|dreh\w*|behalte|aside|away|beiseite|\w*ing)\b)"
)
"""What a move must have that stands behind such words: a verb, or a number of the list."""

_LABEL: Final = _pattern(
    r"(?:(?:my|the|meine?|die)\s+)?(?:lowest|highest|smallest|biggest|low|high|niedrigste|höchste|kleinste|größte|kleine|große)"
    r"(?:\s+(?:ones?|cards?|karte))?(?:\s+(?:first|zuerst|i\s+have|i['’]?ve(?:\s+got)?|die\s+ich\s+habe?))?"
)
"""What announces a card: `my lowest, the 5`."""

_YOURS: Final = _pattern(
    rf"(?:your|you['’]re|bob|carol)\s+(?:turn|next|up){_OWN}{{0,2}} | over\s+to\s+you{_OWN}?"
    rf" | (?:du|ihr)\s+(?:bist|seid)\s+dran{_OWN}?"
)
"""Said behind a move only: before one it is the headline of our mail, `Your turn: draw a card`."""

_SIGNS: Final = _pattern(
    r"(?:cheers|(?:all\s+the\s+)?best(?:\s+wishes)?|(?:kind\s+|warm\s+|best\s+)?regards|greetings|love|bye|lg|vg|mfg|gruß|grüße"
    r"|(?:liebe|viele|schöne|beste|herzliche)[nr]?\s+gr(?:uß|üße))"
)
"""Words that a name can follow."""

_STOP: Final = re.compile(
    r"(?<!^\d)[\s,.!;…–—-]*(?:[,.!;:…–—]|\s-|\s(?:and|so|und)\s)[\s,.!;…–—-]*(?:(?:so|also)\s+)?",
    re.IGNORECASE,
)
"""Between two parts of a line; `3. Your turn` has one part."""
_ALONE: Final = _pattern(r"(?:(?:ein\s+)?gott|(?:my\s+)?god|[^\W\d_]{2})[\s.!]*")
"""What is a move only if nothing else is said: `God, good luck with that`."""


def is_chat(text: str) -> bool:
    """True if a line is nothing but courtesy, or has no words at all."""
    parts = [part for part in _STOP.split(text[:_LONGEST].strip(" .,!;")) if re.search(r"\w", part)]
    return all(_is_courtesy(part) or _SIGH.fullmatch(part) for part in parts)


def _is_courtesy(part: str) -> bool:
    return bool(_CHAT.fullmatch(part) or _YOURS.fullmatch(part))


def without_chat(text: str) -> str | None:
    """Return a line without the courtesy before and behind its move; None without any."""
    if len(text) > _LONGEST or not _STOP.search(text):
        return None
    line = text.strip(" .,!;")
    stops = [(found.start(), found.end()) for found in _STOP.finditer(line)]
    starts, ends = [0, *(end for _, end in stops)], [*(start for start, _ in stops), len(line)]
    parts = [line[start:end] for start, end in zip(starts, ends, strict=True)]
    first, last = 0, len(parts) - 1
    while first < last and any(one.fullmatch(parts[first]) for one in (_CHAT, _SIGH, _LABEL)):
        first += 1
    if last - 1 > first and _SIGNS.fullmatch(parts[last - 1]) and parts[last].isalpha():
        last -= 2
    is_sigh = not all(map(_LABEL.fullmatch, parts[:first]))
    while last > first and (_is_courtesy(parts[last]) or _SIGH.fullmatch(parts[last])):
        is_sigh |= not _is_courtesy(parts[last])
        last -= 1
    bare = line[starts[first] : ends[last]]
    if bare == line or _ALONE.fullmatch(bare) or (is_sigh and _DOES.match(bare) is None):
        return None
    return bare


_CALLS: Final = "(?:so|well|right|ha|oh|hey|tja|na|ach|ok|okay)"
_SAID_OF_ONESELF: Final = re.compile(
    r"\b(?:i|i['’]?(?:ll|m|d)|my|gonna|ich|mein\w*|on(?:to)? your|auf dein\w*)\b", re.IGNORECASE
)
"""What shows that a line which names somebody is about a move of its writer's."""


def without_name(text: str, names: tuple[str, ...]) -> str | None:
    """Return a line of its writer's own move without the name that it is told to: `tja Bob, ich nehme auf`."""
    told = _named(names)[0].sub("", text) if names else text
    return told if told != text and _SAID_OF_ONESELF.search(told) else None


def is_told_to(text: str, names: tuple[str, ...]) -> bool:
    """True if a line is told to one of these players, as in `Bob, throw the eight!`."""
    return bool(names) and _named(names)[1].search(text) is not None


@lru_cache
def _named(names: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what finds the name that a line begins or ends with, and one with words behind it."""
    called = "|".join(map(re.escape, names))
    around = rf"^(?:{_CALLS}\s+)?(?:{called})\s*[,!:–-]\s*|\s*,\s*(?:{called})[\s.!]*$"
    told_to = rf"\b(?:{called})\s*[,:!]\s*\w|,\s*(?:{called})[\s.!]*$"
    return re.compile(around, re.IGNORECASE), re.compile(told_to, re.IGNORECASE)


_REMARK: Final = re.compile(
    r"(?P<order>\S.{0,60}?)(?:\s*[,.!;:…(]+\s*|\s+[–—-]+\s+)(?P<said>[^\d?？؟]{2,80})"
)
_MOST_SAID: Final = 14
_DEPENDS: Final = _pattern(
    rf"\b(?:{_CORRECTING}|when|once|until|after|before|nor|except|maybe|perhaps|think|guess|might|same|next|then|both|you|your|sobald"
    r"|bis|nachdem|bevor|vielleicht|evtl|glaube?|nur|dann|danach|außer|beide\w*|du|dein\w*)\b|n['’]t\b"
    r"|\b(?:tomorrow|tonight|eventually|some(?:day|time|body|one)|anyone|one\s+day|in\s+an?\s+\w+|at\s+some\s+point|following|hang\s+on|hold\s+on|stop"
    r"|sleep|thinking|thought|undecided|dunno|tricky|risky|tempting|idea|check|rules?|hypothetically|provided|assuming|case|probably|possibly|likely"
    r"|jok\w+|kidding|dream\w*|wishful|fat\s+chance|dead|sa(?:id|ys?)|told|mumbl\w+|shout\w*|advice|advis\w+|story|unlike|saving|regret\w*|lose|repeat)\b"
    r"|\b(?:morgen|heute\s+abend|irgendwann|demnächst|später|nächste\w*|letzte\w*|in\s+einer\s+\w+|stopp?|augenblick|sekunde|minute|schlaf\w*|überleg\w*"
    r"|unsicher|unentschlossen|schwierig|riskant|idee|regeln?|hypothetisch|notfalls|gegebenenfalls|vermutlich|wahrscheinlich|womöglich"
    r"|scherz|spa(?:ß|ss)|witz|von\s+wegen|träum\w*|im\s+leben|niemals|sag(?:t\w*|en)|r(?:iet|ät)|ruf(?:t|en)|schwor|dachte\w*|geschichte|fehler|verlier\w*)\b"
)
"""Words of a remark that put the order before it in doubt: a condition, another time, a joke, who says so."""

_BEGINS: Final = _pattern(
    rf".*\b(?:please|pls|plz|bitte)\b|(?:(?:ok|so|well|gut|dann|also)\s+)?(?:i|i['’](?:ll|m|d)|gonna|going|let|{_VERB}|\w{{3,}}ing|ich|nehme?|nimm|spiele?|lege?|ziehe?|werfe?|wirf|hau\w*|setze?|schmei\w*|gebe?|hebe?|eröffne|fange?|sage?|mache?|lasse?|packe?|bringe?|stelle?|\w+(?:nehmen|legen|werfen))\b"
)
"""What a line begins with whose writer does something; a card alone may be talk."""


def before_reason(text: str) -> str:
    """Return the first part of a line that says why behind it: `I pick up because of Bob`; empty for none.

    A reason may name what it likes, but puts no condition.
    """
    found = _REASON.fullmatch(text.strip(" .!)")) if len(text) <= _LONGEST else None
    is_move = found is not None and _BEGINS.match(found["order"]) is not None
    return found["order"] if found and is_move and not _DEPENDS.search(found["said"]) else ""


_REASON: Final = _pattern(
    r"(?P<order>\S.{2,60}?)[\s,.–-]+(?:because|cause|['’]?cos|coz|bc|weil|denn)\s+(?P<said>[^?？؟]{2,80})"
)


def beside_remarks(text: str) -> Iterator[tuple[str, str]]:
    """Yield a part of a line that may be a move, and the remark behind it, or the sentences around it.

    As `22, I was asleep`, or `It rains. I pick up. Bob is late.` The rest has no number, asks nothing,
    and puts no condition.
    """
    if len(text) > _LONGEST:
        return
    found = _REMARK.fullmatch(text.strip(" )"))
    if found is not None:
        yield from _told(found["order"], found["said"])
    parts = [part for part in _SENTENCE.split(text.strip()) if part]
    for at, order in enumerate(parts if len(parts) > 1 else ()):
        others = [one for part in (*parts[:at], *parts[at + 1 :]) for one in _COMMA.split(part)]
        said = ". ".join(one for one in others if one and not _is_courtesy(one))
        if not _NO_REMARK.search(said):
            yield from _told(order.rstrip(".!…"), said)


_SENTENCE: Final = re.compile(r"(?<=[^\W\d_][.!…])\s+")
_COMMA: Final = re.compile(r"\s*[,.!;…]+\s*")
_NO_REMARK: Final = re.compile(r"[\d?？؟]")


def _told(order: str, said: str) -> Iterator[tuple[str, str]]:
    is_short = len(said.split()) <= _MOST_SAID
    if is_short and _BEGINS.match(order) and not _DEPENDS.search(said):
        yield order, said


_THEN: Final = _pattern(
    r"\s*[,.!:–—-]*\s+(?:(?:and|und)\s+)?(?:then|afterwards|after\s+that|dann|danach|anschließend|hinterher)[\s,]+(?=\S)"
)
_NEXT: Final = _pattern(r"\s*[,.+&]\s+(?:(?:and|und)\s+)?(?=\S)")
_AND: Final = _pattern(rf"{_NEXT.pattern}|\s+(?:and|und)\s+")
_STEP: Final = _pattern(rf"{_DOES.pattern}|.*\b(?:on|onto|to|an|bei|zu|auf)\b")
_MOST_STEPS: Final = 4


def steps(text: str) -> Iterator[list[str]]:
    """Yield the parts of a line that may be a move each: `lay my phase, then discard 5`.

    Without `then` each part needs a word that says what is done.
    """
    if len(text) > _LONGEST:
        return
    for joint in (_THEN, _NEXT, _AND):
        parts = joint.split(text.strip())
        if 1 < len(parts) <= _MOST_STEPS and (joint is _THEN or all(map(_STEP.match, parts))):
            yield parts


_ING: Final = {
    "playing": "play", "picking": "pick", "drawing": "draw", "discarding": "discard", "flipping": "flip",
    "turning": "turn", "laying": "lay", "hitting": "hit", "adding": "add", "using": "use", "setting": "set",
    "taking": "take", "keeping": "keep", "opening": "open", "starting": "start", "putting": "put",
    "placing": "place", "throwing": "throw", "dropping": "drop", "dumping": "dump", "raising": "raise",
    "matching": "match", "calling": "call", "skipping": "skip", "holding": "hold", "getting": "get",
}  # fmt: skip
_PHRASES: Final = (
    (_pattern(r"(?:my\s+)?opening(?:\s+card)?(?:\s+is|\s*:)\s+(?=\S)"), "open "),
    (_pattern(rf"({'|'.join(_ING)})(?:\s+(?=\S)|\Z)"), None),
    (_pattern(r"(?:play|spiele?)(?=(?:10|[2-9])(?:[cdhs♣♦♥♠]|\b))"), "play "),
    (re.compile(r"(?:[Pp]lay|[Ss]piele?)(?=[JQKAD][cdhs♣♦♥♠]?$)"), "play "),
    (_pattern(rf"(?:just|only)\s+(?=(?:the|play)\s|{_VERB})"), ""),
    (_pattern(r"play\s+(?:just|only)\s+(?=(?:the|my|one)\s)"), "play "),
    (_pattern(r"(?:chuck|chucking)\s+(?=(?:my|the)\s)"), "discard "),
)
_DOWN: Final = _pattern(r"(?:put|putting|lay|laying)\s+((?:the|my|both)\s.{1,40}?)\s+down[.!]*\Z")


def in_plain_words(line: str) -> str:
    """Return a line with the verb in the form of an order: `playing 7`, `Play7` are `play 7`."""
    for pattern, verb in _PHRASES:
        found = pattern.match(line)
        if found is not None:
            said = f"{_ING[found[1].lower()]} " if verb is None else verb
            return said + line[found.end() :]
    down = _DOWN.match(line)
    return line if down is None else f"play {down[1]}"


_DOUBTS: Final = _pattern(
    r"(?:(?:(?:yes|no|ok|well|so|hm+|ja|oder|or|und|and|also|then|dann)[\s,]+)?"
    r"(?:(?:maybe|perhaps|probably|i\s+think|i\s+suppose|what\s+if\s+i|how\s+about|what\s+about|why\s+not|"
    r"(?:can|could|may|shall|should|would)\s+(?:i|you)|(?:i|you)\s+(?:can|could|might|may|would)|am\s+i\s+allowed\s+to|is\s+it\s+ok(?:ay)?\s+to|"
    r"vielleicht|evtl\.?|eventuell|ich\s+(?:glaube|denke)|wie\s+wäre?\s?['’]?e?s\s+mit|(?:kann|soll|darf|könnte|sollte|muss)\s+ich|"
    r"(?:kannst|könntest|würdest)\s+du|ich\s+(?:könnte|würde|kann|darf|nehme?)|i(?:['’]ll)?\s+take|i\s+will\s+take|take|let['’]?s\s+go\s+with|"
    r"number|nr\.?|nummer|move|option|zug|die|den|das|meine?n?|my|just|only|nur|geht|ginge|dann|ok|okay|gut|then|so)"
    r"(?:\s+(?:please|bitte|then|just|mal|auch|jetzt|dann|i|ich|i['’]ll|play|the))*[\s,:]+))+(?=\S)"
)
_LONGEST: Final = 120
_ASKED = re.compile(r"\s*[?？؟]+\s*\Z")
_DOUBTS_LAST: Final = _pattern(
    r"[\s,]+(?:i\s+think|i\s+guess|maybe|perhaps|probably|vielleicht|glaub(?:e)?\s+ich|denke\s+ich|oder|right|ok|okay|or\s+not|or\s+what|possible|möglich|allowed|erlaubt)\Z"
)


_MAY_I: Final = _pattern(
    r"(?:(?:can|could|may|am)\s+i(?:\s+allowed\s+to)?|is\s+it\s+(?:ok|okay|possible|allowed)\s+to|(?:kann|darf|könnte)\s+ich|geht|ginge)"
    r"(?:\s+(?:please|bitte|just|mal|auch|jetzt|play))*\s+(?=\S)"
)


def asked_about(text: str) -> tuple[str, ...]:
    """Return what a line asks about, with and without `can I`; empty if it is no question."""
    found = _ASKED.search(text[:_LONGEST])
    if found is None or not found.start():
        return ()
    said = text[: found.start()]
    may = _MAY_I.match(said)
    return (said,) if may is None else (said, said[may.end() :])


def without_doubt(text: str) -> str | None:
    """Return a line without the words that make it a doubt: `maybe 21`; None without any."""
    if len(text) > _LONGEST:
        return None
    line = " ".join(text.split())
    found = _DOUBTS.match(line)
    bare = line[found.end() :] if found is not None else line
    last = _DOUBTS_LAST.search(bare)
    bare = bare[: last.start()] if last is not None else bare
    return bare if bare and bare != line else None


_LOOKALIKES = str.maketrans("lI|oO", "11100")
_MISTYPED = re.compile(r"\#?([2-9][lI|oO]|[2-9][lI|oO\d][lI|oO\d])[.!]?")


def mistyped_number(text: str) -> str | None:
    """Return the number that `2l` or `3O` look like; None for anything else."""
    found = _MISTYPED.fullmatch(text.strip())
    return None if found is None or found[1].isdigit() else found[1].translate(_LOOKALIKES)
