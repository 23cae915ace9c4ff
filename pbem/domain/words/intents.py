"""What people mean who write a sentence instead of an order: one row for each intent.

A line is looked up here only after it was found to be no order. An intent carries nothing out: it
asks a question that changes nothing, or names the orders that would do what the line asks for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from engine import registry
from engine.sentences import Sentence, sentence
from pbem.domain.words.service_words import Word

INVITED, RUNNING, VOTING, OVER = "invited", "running", "voting", "over"
"""Stages of the game that a line is about: its writer is invited to it, plays in it, is asked for a
vote in it as well, or has played in it."""

WITHIN: Final[Mapping[str, frozenset[str]]] = {
    "": frozenset({""}),
    INVITED: frozenset({"", INVITED}),
    RUNNING: frozenset({"", RUNNING}),
    VOTING: frozenset({"", RUNNING, VOTING}),
    OVER: frozenset({"", OVER}),
}
"""The stage of a game -> the stages of the rows that fit."""

ANY: Final = next(iter(registry.names()))
"""The game of examples."""
_GAMES: Final = "|".join(re.sub(r"(?<=[a-z])(?=\d)", " ?", name) for name in registry.names())
_GAP: Final = r"(?: \w+){0,5}? "


def pattern(text: str) -> re.Pattern[str]:
    """Return a pattern for `take~back; ^undo$`: `~` stands for up to five other words."""
    parts = " ".join(text.split()).split("; ")
    said = "|".join(
        part.removesuffix("?").removesuffix("~").replace("~", _GAP)
        if part.endswith(("~", "~?"))
        else part.replace("~", _GAP)
        for part in parts
        if part
    )
    return re.compile(rf"(?<!\w)(?:{said.replace('GAMES', _GAMES)})(?!\w)")


_NOTHING: Final = Sentence("")


@dataclass(frozen=True)
class Intent:
    """One row: what lines of this kind say, and what they lead to.

    Attributes:
        said: languages -> patterns, as in `pattern`, over the words of `folded_words`.
        message: the answer in a sentence.
        orders: what would do it; `{days}`, `{time}`, `{name}` and `{said}` are filled from the line.
        asks: the question that answers it, which changes nothing.
        stage: only about a game at this stage; empty: about any.
    """

    name: str
    said: Mapping[str, str]
    message: Sentence = _NOTHING
    orders: tuple[Sentence, ...] = ()
    asks: Word | None = None
    stage: str = ""

    @cached_property
    def patterns(self) -> Mapping[str, re.Pattern[str]]:
        """The patterns, ready for use."""
        return {language: pattern(text) for language, text in self.said.items()}


def _row(name: str, *, en: str, de: str, **traits: object) -> Intent:
    return Intent(name, {"en": en, "de": de}, **traits)  # type: ignore[arg-type]


_MORE = r"(?:mails?|e ?mails?|messages?|letters?|spam|newsletters?)"
_POST = r"(?:mails?|e ?mails?|nachrichten|post|spam|newsletter)"

_STOP_EN: Final = f"""unsubscribe\\w*; (?:stop|quit|cease|end|enough|fewer|less|too many|so many)~(?:mailing|emailing|writing|sending|contacting|bothering|{_MORE}); (?:no more|not~any more|dont~any more|do not~any more|no further) {_MORE}; (?:dont|do not|never) (?:mail|email|write to|write|send|contact|bother) me~?;
        (?:take|remove|delete|drop|strike|get) (?:me|my)~(?:list|lists|mailing|here|account|address|e ?mail|data|database|service); (?:dont|do not|no longer) (?:want|wish|need)~{_MORE}; opt ?out; (?:delete|close|cancel) my (?:account|data|subscription); leave me alone; sign me off"""
_STOP_DE: Final = f"""abmelden; abbestellen; abbestellung; (?:meld|melde|meldet) mich ab; austragen; (?:keine|nicht mehr|kein|genug|weniger|zu viele?|so viele?)~?{_POST}~?(?:mehr|bitte|bekommen|erhalten|schicken|senden|haben)?(?: \\w+){{0,3}}$; aus (?:dem|der|diesem) (?:verteiler|liste|mailingliste); (?:loesch|loescht|loesche|loeschen|entfern|entferne|entfernt|streich|streicht)~(?:mich|konto|account|adresse|daten); (?:lass|lasst) mich in (?:ruhe|frieden); (?:hoert|hoer) auf~(?:schreiben|schicken|mailen|mails); (?:schreibt|schreib|mailt|schickt) mir (?:bitte )?(?:nicht|nichts|nie|keine)~?; konto (?:loeschen|kuendigen); unsubscribe; abgemeldet werden; abmeldung; (?:diese|die|eure) mails? nicht(?: mehr)?"""

_FOR_EN: Final = """^(?:yes|yep|yeah|yup|ya|sure|ok|okay|fine|agreed?|of course|certainly|absolutely|definitely|alright|all right|go ahead|why not|sounds good|good idea|great|cool|gladly|i agree|im (?:for|ok|okay|fine|happy|in favou?r|good)|i am (?:for|ok|okay|fine|happy|in favou?r)|no (?:objections?|problem|worries)|i (?:dont|do not) mind|i have no objections?|for|i vote (?:yes|for)|in favou?r|works for me|lets (?:pause|stop|do|take|have))(?: \\w+){0,8}$; (?:fine|ok|okay|good|alright) (?:by|with|for) me; (?:count me in|i support)~?"""
_FOR_DE: Final = """^(?:ja(?! ja)|jo|jup|jep|jawohl|klar|na klar|gern|gerne|okay|ok|sicher|natuerlich|logo|von mir aus|meinetwegen|einverstanden|bin (?:einverstanden|dafuer|dabei)|ich bin (?:einverstanden|dafuer)|passt|dafuer|in ordnung|geht klar|warum nicht|kein problem|kein einwand|keine einwaende|stimme zu|ich stimme (?:zu|dafuer)|machen wir|gute idee|auf jeden fall|unbedingt|lasst uns)(?: \\w+){0,8}$; (?:nichts|nix) dagegen; (?:passt|recht|ok|okay|in ordnung) (?:fuer|bei) mi[rch]+; mir recht"""
_AGAINST_EN: Final = """^(?:no(?! (?:objection|problem|worr))|nope|nah|never|against|rather not|please dont|please no|dont|no way|not|i disagree|disagree|i object|i vote (?:no|against)|id rather|i would rather|i prefer|im against|i am against|not really|sorry no|lets (?:keep|go on|not|continue|carry on|play)|keep)(?: \\w+){0,8}$; (?:against it|rather not|prefer not|rather (?:carry|keep|play|go|continue)\\w*)"""
_AGAINST_DE: Final = """^(?:nein|nee|ne|noe|no|niemals|auf keinen fall|bloss nicht|lieber (?:nicht|weiter)|bin dagegen|ich bin dagegen|dagegen|ich stimme (?:dagegen|nicht)|bitte nicht|eher nicht|muss nicht sein|nicht)(?: \\w+){0,8}$; (?:lieber|besser) (?:nicht|weiter\\w*); (?:bin|waere) dagegen; kommt nicht in frage"""
_BALLOT: Final = sentence("The table is voting: with one word you say how you vote.")

INTENTS: Final[tuple[Intent, ...]] = (
    _row(
        "against",
        message=_BALLOT,
        orders=(sentence("no"), sentence("yes")),
        en=_AGAINST_EN,
        de=_AGAINST_DE,
        stage=VOTING,
    ),
    _row(
        "in favour",
        message=_BALLOT,
        orders=(sentence("yes"), sentence("no")),
        en=_FOR_EN,
        de=_FOR_DE,
        stage=VOTING,
    ),
    _row(
        "turn",
        asks=Word.BOARD,
        en="""who(?:s|se| is|m)?~(?:turn|go)(?: is it| now| next)?$; ^(?:so |and )?(?:is it|am i)~(?:my turn|my go|up|next)$;
        ^who(?:s| is)?(?: it)? (?:next|up|up next|to move|to play|on)(?: now| next)?$; who (?:has to|must|should) (?:move|play|go);
        (?:waiting|wait) for (?:me|whom|who)$; who are we waiting (?:for|on); ^(?:whose|who has the) (?:move|turn|go)~?; ^is it (?:me|us|bob)(?: \\w+)?$; ^(?:so |and |wait )?(?:is it|am i)~(?:my turn|my go|up|next) (?:or|yet|now|already)~?; ^(?:has|have|did) (?:bob|they|everyone|everybody|anyone|anybody|someone|the others?)~(?:moved?|played?|answer(?:ed)?|repl(?:y|ied)|chosen?|chose|picked|discarded|gone|accepted|joined|voted|said yes|agreed)(?: yet| already| so far| his| her| their| move| turn| cards?)*$; ^when(?: is|s)? (?:it )?my (?:turn|go); ^when (?:am i|do i get|will i be)~(?:turn|up|on|next|move|play)$; (?:whats|what is)~(?:holding|taking)~; ^who~(?:still has to|hasnt|has not|is missing)~?; ^(?:did|has|have) (?:bob|everyone|everybody|anyone|they)~(?:join|joined|accept|vote|move|play|answer)(?: yet| already)*$; ^do i (?:need|have) to (?:do|play|move|answer)~?(?: \\w+){0,3}$""",
        de="""^(?:und |so )?wer(?: ist| is)?(?: denn| jetzt| gerade| nun| als naechstes| als naechster)* (?:dran|am zug|an der reihe|der naechste)(?: jetzt)?$;
        ^(?:und )?wer(?: ist)? (?:am zug|dran|an der reihe); ^bin ich(?: jetzt| schon| denn| gerade)* (?:dran|am zug|an der reihe);
        wer (?:muss|soll|darf)(?: jetzt| denn)? (?:ziehen|spielen); auf wen (?:warten|wartet); ^(?:und )?(?:hat|haben) (?:bob|sie|er|jemand|alle|schon|die andere?n|denn|ihr)~(?:gezogen|gespielt|geantwortet|gewaehlt|eroeffnet|abgelegt|zugesagt|abgestimmt|angenommen|gesagt|ausgesucht|abgesagt|reagiert|entschieden)(?: schon| bereits| jetzt)*$; ^wann (?:bin|komm|komme) ich(?: denn| wieder| endlich| jetzt)*(?: dran| am zug| an der reihe)$; ^(?:bin ich|wer)~(?:dran|am zug|an der reihe) oder~?; ^wer~(?:fehlt|hat noch nicht|muss noch)~?; ^worauf (?:warten|wartet)~; ^wer muss~; ^muss ich~(?:machen|tun|ziehen|spielen|antworten|was)$""",
    ),
    _row(
        "deadline",
        asks=Word.BOARD,
        en="""^(?:until |by |til |till )?when~(?:answer|move|reply|play|respond|due|deadline)(?: by)?$; ^whats?(?: is)? (?:the|my) (?:deadline|time limit);
        how (?:much time|long|many (?:days|hours))~(?:do i have|have i|is left|left|till|until); ^how long (?:is|are|does|do) (?:a |my |the )?(?:turns?|moves?)(?: \\w+)?$""",
        de="""bis wann~(?:zeit|antworten|ziehen|spielen|reagieren|muss); ^wann~(?:antworten|ziehen|spielen|fertig sein|faellig|frist);
        wie (?:lange|viel zeit|viele tage)~(?:ich|noch|zeit); ^(?:wann|was)~(?:die |meine )?frist; ^wie ?viel zeit~; ^wie lange (?:habe|hab) ich~""",
    ),
    _row(
        "standings",
        asks=Word.STANDINGS,
        en="""(?:see|show|check|what are) (?:my|our|the) (?:stats|statistics|record); (?:rating|ratings|ranking|rankings|leader ?board|hall of fame); who(?:s| is) the best(?: player)?; how good am i; (?:my|our|the|overall) statistics""",
        de="""rangliste; bestenliste; (?:meine|unsere|die) (?:wertung|statistik|bilanz); wie gut bin ich; wer ist~(?:der|die) beste(?:n)?(?: spieler(?:in)?)?$; ewige tabelle""",
    ),
    _row(
        "score",
        asks=Word.BOARD,
        en="""who(?:s| is)?~(?:winning|ahead|leading|in the lead|losing|first|last)$; how(?:s| is| are|re)?(?: (?!you)\\w+){0,2} (?:doing|standing|the game going)$;
        (?:whats?|what is|tell me|show me|send me|give me)~scores?; am i (?:winning|losing|ahead|behind); how many (?:points|cards|chips)~(?:i|we|bob|they|everybody|everyone|left|has|have)(?: \\w+){0,3}$;
        (?:show|send|see|get|give)~(?:board|table|position|state of (?:the )?(?:play|game)); whats? on the (?:pile|table|board); (?:what|how) does the (?:table|board|game) look;
        what(?: is|s)? (?:the )?(?:state|status|position); where (?:do we|are we|do i) stand; what is the situation; current (?:score|state|position|standing); ^who(?:s| has| is)? ?(?:won|the winner|win|wins)~?; how many (?:points|cards|chips|tricks|sets|battles|phases)~; ^(?:how|what)~(?:points|score)(?: \\w+)?$; (?:which|what) phase~(?:on|in|at|doing|i|everyone)~?; how far~(?:everyone|others?|bob|we|they|i)(?: \\w+)?$; ^how (?:many|much)~(?:left|remain\\w*|to go)(?: \\w+){0,3}$; ^(?:is|are) (?:bob|anyone|anybody|they)~(?:winning|ahead|leading|out|left)(?: \\w+)?$; ^who(?:s| has| is)~(?:most|fewest|least|best|worst|highest|lowest)~; ^(?:which|what)~cards~(?:left|out|gone|on the table|on top|visible|open)~?""",
        de="""wer~(?:gewinnt|fuehrt|liegt vorne?|vorne|verliert|hinten)(?: gerade| jetzt| denn)*$; ^wie (?:steht|stehts|stehen|stehe)(?: \\w+){0,4}$; spielstand; punktestand; zwischenstand;
        ^(?:der )?stand(?: der dinge)?$; wie ist der stand; wie viele? (?:punkte|karten|chips)~(?:ich|wir|bob|hat|haben|habe|noch|jeder|alle)(?: \\w+){0,3}$; ^(?:das )?brett$; ^wo stehen wir; (?:zeig|zeige|schick|sehen|gib)~(?:tisch|brett|stand|spielfeld);
        was liegt~(?:tisch|stapel|mitte|oben); wie sieht~(?:tisch|brett|aus); (?:gewinne|verliere|fuehre) ich; was ist(?: gerade| der)* stand; ^wer(?: hat| ist)?~(?:gewonnen|sieger|gewinner|gesiegt)(?: \\w+)?$; ^wer(?: \\w+){0,2} (?:fuehrt|gewinnt|liegt vorne?)(?: \\w+)?$; ^wie (?:viele?|viel) (?:punkte|karten|chips|stiche|phasen|schlachten)~; ^wieviele? (?:punkte|karten|chips|stiche|phasen)~; wie (?:sieht|siehts|schauts|schaut)~; punktemaessig; ^(?:in )?welche[rn]? phase~; ^wie weit (?:bin|ist|sind)~; ^wie ?viele?(?! (?:spiele|partien|urlaub\\w*))~; ^wer hat~(?:meisten|wenigsten|beste\\w*|mehr)~; ^welche karten~(?:liegen|noch|oben|offen|weg|raus)~?""",
    ),
    _row(
        "cards",
        asks=Word.HAND,
        en="""(?:what|which) cards (?:do i|have i|am i); whats? (?:is )?in my hand; (?:show|send|see|tell)~my (?:cards|hand); what do i (?:have|hold)(?: in my hand| left)?$; ^(?:so )?(?:whats|what is|what was|show) (?:in |on )?my (?:hand|cards|reserve)(?: \\w+)?$; ^(?:can|may|could) (?:i|you)~my (?:hand|cards|reserve)(?: \\w+)?$; ^my (?:hand|cards)$; ^(?:which|what)~(?:are|is) (?:in my hand|mine|my cards)$""",
        de="""(?:was|welche karten)(?: habe?| halte) ich(?: denn| noch| gerade| auf der hand| in der hand)*$; (?:zeig|schick|sehen|sag)~meine (?:karten|hand); meine handkarten; was ist auf meiner hand; ^(?:was|welche)~(?:auf der|in der|meine|meiner) (?:hand|karten|reserve)$; ^(?:was|wie) (?:ist|sind|war|waren) (?:denn |nochmal )?meine? (?:blatt|hand|karten|reserve)(?: \\w+)?$; ^(?:mein blatt|meine karten|meine hand)$; ^wie~mein blatt~?; welche karten~ich(?: \\w+){0,3}$""",
    ),
    _row(
        "history",
        asks=Word.HISTORY,
        en="""what(?:s|ve| has| have| did|d)?~(?:happened|happen|i miss|i missed|was played|they play|going on)(?: so far| since| last| until now| in the game)*$;
        what was~(?:last|previous) (?:move|turn|play|card); what did~(?:play|do|lay|discard|take)(?: last| just)?$; (?:show|see) what happened; (?:show|send|see)~(?:history|moves so far|last moves|what happened); who (?:played|did|took) (?:what|that|the); ^(?:which|what)~(?:has|have|did) (?:bob|they|everyone|the others?|we)~(?:play|played|do|done|discard|discarded|take|taken|choose|chosen|say|said)(?: \\w+){0,2}$; ^how come~; ^why (?:does|do|did|has|have|is|are|am) (?:bob|i|we|they|my)~(?:card|cards|points|skip|skipped|lost|out|chips|so many)(?: \\w+)?$; ^what was (?:played|discarded|said)~?; ^what happened~?; (?:did|have) i miss(?:ed)?~?; ^(?:anything|something|whats) (?:new|happening)~?; what(?:s| is) new~?; ^whos? (?:moved|played) (?:last|just now)~?""",
        de="""was(?: ist| war)?(?: \\w+){0,3} (?:passiert|geschehen|los|gelaufen|verpasst|gespielt)(?: bisher| bis jetzt| seitdem)*$; was (?:hat|haben)~(?:gespielt|gemacht|gelegt|abgelegt|getan)$;
        was (?:war|waren)~(?:letzte|letzten|vorige) (?:zug|zuege|karte); (?:zeig|schick|sehen)~(?:verlauf|letzten zuege); wer hat (?:was|das|den|die); ^was (?:hat|haben)~(?:gespielt|gemacht|gelegt|abgelegt|getan|gesagt|genommen|gewaehlt)(?: \\w+)?$; ^(?:welche karten?) (?:hat|haben)~; ^(?:warum|wieso|weshalb) (?:hat|habe|hab|bin|ist|sind|muss|musste|haben) (?:bob|ich|wir|sie)~(?:karten?|punkte|aussetzen|raus|verloren|so viele?)(?: \\w+)?$; ^was war (?:denn )?(?:los|da)~?; ^was (?:wurde|ist) (?:denn )?(?:gespielt|passiert)~?$; ^was war~(?:letzter|letzte|letzten) zug; ^(?:gibts|gibt es|ist)~(?:neues|passiert)~?; ^was gibts neues~?; ^was ist neu~?""",
    ),
    _row(
        "moves",
        asks=Word.RESEND,
        en="""(?:what|which)~(?:moves?|options?|choices?|cards?)?~?can i (?:play|do|lay|choose)(?: now| here)?$; what (?:are|were) my (?:options|choices|moves|possibilities); what(?: am i| should i| do i have to| must i| shall i) (?:do|play|supposed to do)(?: now| next)?$;
        (?:list|show|send)~(?:legal|possible|available|my) moves; send~(?:again|once more|another copy); resend; (?:lost|deleted|cant find|cannot find|didnt get|did not get|never got|havent got|have not (?:got|received)|didnt receive|havent received|missed)~(?:mail|email|message|turn mail|invitation)(?! from); ^(?!.*(?:advance|against|with|computer|bot))(?:can|may|am i allowed to|could|must|should|do i have to) (?:i )?(?:still )?(?:play|choose|pick|lay|draw|discard|change|swap|skip|pass)~?(?: \\w+){0,4}$""",
        de="""(?:was|welche karten?|welche zuege)(?: kann| darf| koennte) ich(?: denn| jetzt| noch| hier| alles)* (?:spielen|machen|legen|tun|ziehen)$; was soll ich(?: jetzt| denn| nun)* (?:machen|tun|spielen)$; welche (?:zuege|moeglichkeiten|optionen)~;
        (?:nochmals?|noch ?(?:ein)?mal|neu|erneut)~(?:schicken|senden|zuschicken|zusenden); (?:schick|schicke|sende|schickt|sendet)~(?:nochmals?|noch mal|noch einmal|erneut); (?:mail|nachricht|einladung)~(?:verloren|geloescht|nicht (?:bekommen|erhalten|angekommen|gefunden)|weg|finde ich nicht); finde~(?:mail|nachricht|einladung) nicht; ^(?!.*(?:voraus|vorab|gegen|computer|bot))(?:kann|darf|muss|soll|koennte) ich(?: \\w+){0,4} (?:spielen|legen|ablegen|ziehen|aendern|waehlen|tauschen|aussetzen|passen|aufnehmen)$""",
    ),
    _row(
        "rules",
        asks=Word.RULES,
        en="""(?:send|see|read|get|show|explain|know|have|forgot|forgotten|understand|remember|need|where are|what are)~(?:the |your )?rules?(?: again| please)?$; how (?:do|does|can) (?:i|you|we|one) play(?: this| it| that| the game| this game)?$; how (?:does|is) (?:this|the) game (?:work|works|played);
        (?:whats?|what is) (?:the )?(?:aim|goal|object|point|idea) of (?:this|the) game; rule ?book; i(?: do not|dont) know how to play; ^(?:so )?(?:whats|what is|what are) the (?:rank|order|value|worth|points)~; ^(?:is|are|does|do|which) (?:an? |the )?(?:ace|aces|jokers?|wilds?|kings?|queens?|jacks?|twos?|tens?|trumps?|skips?|cards?)~(?:high|low|higher|lower|count|worth|beat|beats|strongest|best|wild|same)(?: \\w+){0,3}$; ^(?:can you |please |could you )?explain~; ^(?:when|how|why) (?:do|does|can|may|must|will|is|are|did) (?:i|we|you|one|the|an?|my)~(?:king|kings|queen|pile|cards?|reserve|ace|hand|wilds?|skip|phase|battle|round|set|run|trick|score|scored|points|win|won|ends?|over|draw|discard|choose|pick|opening|stack)(?: \\w+){0,3}$; ^how (?:is|are)~(?:won|scored|counted|decided|drawn|dealt)$; ^what (?:beats|counts|wins|scores|happens (?:if|when))~; ^how do i (?:win|choose|score|pick|draw|discard|go out|go down|knock)~?; ^what does~(?:do|mean|stand for)(?: \\w+)?$; ^(?:is|are|can|may|do|does|must) (?:an? |the |we |i |one |you )?(?:suits?|ranks?|colou?rs?|pairs?|triples?|flanking|betting|passing|zones?)~""",
        de="""(?:schick|schickt|zeig|sehen|lesen|erklaer|erklaere|erklaert|kenne|kenn|vergessen|verstehe|versteh|wissen|haben|wo (?:stehen|sind|finde ich)|was sind|wie (?:lauten|sind|gehen))~(?:spiel)?regeln?(?: nicht| nochmal| noch mal| bitte| mehr| nochmals)*$; (?:spiel)?regeln?~(?:schicken|zeigen|erklaeren|nochmal|vergessen|lesen|sehen);
        wie (?:geht|funktioniert|spielt man|laeuft) (?:das|dieses|das hier|es|denn das|eigentlich das)(?: spiel)?(?: eigentlich| denn| ueberhaupt)?$; spielregeln; spielanleitung; anleitung; was ist (?:das )?ziel; ^(?:zaehlt|gilt|gelten|zaehlen|ist|sind|schlaegt|welche) (?:eine? |das |der |die )?(?:ass|asse|joker|wilde\\w*|koenige?|dame|damen|bube|zwei|zehn|trumpf|karten?)~(?:hoch|niedrig|hoeher|wert|schlaegt|zaehlt|staerkste|hoechste|wild)(?: \\w+){0,3}$; ^(?:kannst du |koenntest du |bitte )?(?:mir )?(?:bitte )?(?:erklaer\\w*)~; ^(?:kannst|koenntest|koennt|kann|koennte) (?:du|ihr|jemand|man)~erklaer\\w*; ^(?:wann|wie|warum|wieso|wozu|wofuer) (?:darf|kann|muss|wird|werden|gewinnt|gewinne|zaehlt|zaehlen|funktioniert|geht|steht|stehen|endet|waehle|lege|ist|sind)~(?:koenige?|dame|stapel|karten?|reserve|ass|hand|wilde|joker|phase|schlacht|runde|satz|folge|stich|punkte|gewonnen|gewinnt|ziehregel|regel|regeln|ziehen|ablegen|eroeffnung|w|gespielt|waehlen|aus)(?: \\w+){0,3}$; ^was (?:schlaegt|zaehlt|passiert (?:wenn|falls|bei))~; ^(?:wofuer|fuer was) steh(?:t|en)~; ^(?:was|wie) (?:bedeutet|bedeuten)~; ^wie gewinnt man~?; ^(?!.*(?:mitlesen|zuschauen|zusehen))(?:muss|darf|kann) man~; ^(?:spielt|spielen|zaehlen?|gelten?)~(?:farben?|paare?|drillinge?|zonen?)~""",
    ),
    _row(
        "games",
        asks=Word.GAMES,
        en="""(?:which|what|how many|list|show)(?: \\w+){0,3} games; which games are; (?:open|running) games$""",
        de="""(?:welche|was fuer|wie viele|zeig|zeige|schick|liste)~(?:spiele|partien)(?: \\w+){0,4}$; an welchen (?:spielen|partien)~; (?:offene|laufende) (?:spiele|partien)$""",
    ),
    _row(
        "settings",
        asks=Word.SETTINGS,
        en="""(?:show|see|what are|change|where are|edit)~(?:settings|preferences|options)$""",
        de="""(?:zeig|zeige|sehen|was sind|aendern|wo sind)~einstellungen; einstellungen~(?:zeigen|aendern|sehen)""",
    ),
    _row(
        "fewer mails",
        message=sentence(
            "All mails of this game end once you leave it. Until then you can have fewer of them."
        ),
        orders=(
            sentence("digest 8"),
            sentence("reminders off"),
            sentence("replace me with {person}"),
            sentence("resign confirm"),
        ),
        en=_STOP_EN,
        de=_STOP_DE,
        stage=RUNNING,
    ),
    _row(
        "no more of this",
        message=sentence(
            "The first of these ends the mails of this game, the second all invitations from here."
        ),
        orders=(sentence("decline"), sentence("never again")),
        en=_STOP_EN,
        de=_STOP_DE,
        stage=INVITED,
    ),
    _row(
        "unsubscribe",
        message=sentence(
            "The first of these ends all mails from here, the others end some of them."
        ),
        orders=(sentence("unsubscribe"), sentence("invitations off"), sentence("digest 8")),
        en=_STOP_EN,
        de=_STOP_DE,
    ),
    _row(
        "not this invitation",
        message=sentence("If you would rather not play, decline."),
        orders=(sentence("decline"), sentence("never again")),
        en="""(?:dont|do not|cant|cannot|can not|wont|will not|rather not|not going to|would not|wouldnt|not able to|unable to)~(?:play|join|take part|participate|make it|want to|like to|have time|accept|be able to)?; (?:no|not enough|too little) time; not interested; (?:no|nope|sorry|thanks but|not)~(?:thanks|thank you|for me|this time|today|now|time|interested|my thing); count me out; i(?:m| am)? (?:out|pass)$; i(?:ll| will)? pass; maybe (?:later|next|another|some)~?; (?:another|next|some other) time; too busy; without me; leave me out; wrong person; i quit; ^no (?:thank|thanks|sorry|not)~; ^(?:i )?(?:cant|cannot|wont|couldnt)~?; sit (?:this|it)(?: one)? out; (?:swamped|too much on|busy|on holiday|travelling)~?; ^(?:maybe |perhaps )?(?:not|never|later|next time)~?; have to (?:pass|decline|say no); i d rather~?; (?:unfortunately|sadly|regret\\w*)~?; ^pass$; hard pass""",
        de="""(?:kann|moechte|mag|will|werde|schaffe?|spiele|mache|wuerde|bin)~(?:nicht|nicht mit|leider nicht|lieber nicht|raus)(?: \\w+){0,4}$; (?:keine?|nicht genug|zu wenig) (?:zeit|lust|interesse)(?: \\w+){0,3}$; (?:nein|nee|ne|leider|danke)~(?:nicht|nein|nein danke|keine zeit|ohne mich|diesmal nicht|lieber nicht|danke)$; ohne mich; lieber nicht; (?:vielleicht )?(?:ein ander ?mal|ein anderes mal|naechstes mal|spaeter); (?:ich )?passe; diesmal nicht; bin raus; kein interesse; falsche person; ^(?:nein|nee|ne|noe)(?: danke)?~(?:nichts|nix|nicht)~?; nichts fuer mich; absagen; sag\\w* ab~?; (?:ich )?setze?~aus$; passt~(?:nicht|nimmer|schlecht)~?; (?:muss|moechte) (?:leider )?(?:passen|ablehnen|verzichten)~?; (?:bedaure|bedauere|schade)~?; ein andermal~?; (?:zu viel|viel) (?:zu tun|los|um die ohren)~?; keinen (?:bock|nerv)~?""",
        stage=INVITED,
    ),
    _row(
        "yes to this invitation",
        message=sentence("If you would like to play, join."),
        orders=(sentence("join"), sentence("decline")),
        en="""(?:id|i would|would|we) (?:love|like|be happy|be glad|be delighted|enjoy)~?; (?:yes|sure|ok|okay|yep|yeah|of course|certainly|absolutely|definitely|gladly|happy to|great|cool|fine|perfect|wonderful|lovely|why not|lets)(?: \\w+){0,8}$; (?:count|deal|sign|put) me (?:in|up|down); (?:im|i am|ill|i will|i) (?:in|join|play|ready|game|there|happy|up for)~?; (?:how|where) do i (?:join|accept|sign up|start|confirm|say yes); i (?:want|accept|agree|confirm)~?; sounds (?:good|great|fun|nice|lovely); (?:ok|okay|yes|sure|fine) join~?; my (?:phrase|seed|words?)~; accept\\w*~?; ^you bet~?; with pleasure~?; ^(?:hell|oh|absolutely|deffo|def|totally|naturally|indeed)~?; (?:gladly|definitely|looking forward)~?; ^(?:me too|why not|bring it on|lets roll|lets go|game on)~?; wouldnt miss it~?; ^(?:y|yup|yess+|yay)$""",
        de="""(?:ich )?(?:mache?|spiele?|bin|waere|komme?)~(?:mit|dabei|gern|gerne|bereit|mitspielen|da)(?: \\w+){0,4}$; (?:ja|jo|jep|klar|sicher|gern|gerne|logo|okay|ok|natuerlich|auf jeden fall|unbedingt|super|toll|prima|warum nicht|na gut|freue? mich|freut mich)(?: \\w+){0,8}$; wie (?:kann|trete|mache|sage)~(?:beitreten|bei|zusagen|mitmachen|mitspielen|mit|zu); (?:moechte|will|wuerde)~(?:mitspielen|mitmachen|teilnehmen|beitreten|gern(?:e)?); (?:ich )?(?:sage|sag) zu; zusage; nehme~an; einverstanden; (?:nehm|nehme)~an$; zaehl(?:t|e)? mich~(?:dazu|mit|rein)?~?; (?:bin|sind) (?:gerne? |sehr gerne? )?dabei~?; sehr gerne?~?; trag mich ein; ^(?:klaro|immer doch|aber hallo|aber ja|aber sicher|na klar|na logo|selbstverstaendlich|mit vergnuegen|jaa+|yes|yep|sowieso|ich auch|bin am start|los gehts|auf gehts)~?; freu(?:e)? mich~?; mach ich~?; immer gerne?; dann mal los~?; da sag ich nicht nein""",
        stage=INVITED,
    ),
    _row(
        "when does it begin",
        asks=Word.RESEND,
        en="""(?:when|how long|how many|who|what)(?: \\w+){0,8}$; ^(?:whos?|whens?|hows?|whats?|which|is|are|can|do|does) \\w+""",
        de="""(?:wann|wie lange|wie viele?|wer|was|worum)(?: \\w+){0,8}$; ^(?:welche\\w*|ist|sind|kann|muss|wieviele?|gibt) \\w+""",
        stage=INVITED,
    ),
    _row(
        "no invitations",
        message=sentence("Then nobody can invite you from here any more."),
        orders=(sentence("invitations off"),),
        en="""(?:no more|never|dont|do not|stop)~(?:invite|inviting|invitations?|games?)(?: \\w+){0,4}$""",
        de="""(?:nie|nicht|keine|kein)~(?:einladen|einladungen|eingeladen|einladung)(?: \\w+){0,3}$; (?:ladet|lade|lad) mich~(?:nicht|nie)~""",
    ),
    _row(
        "back",
        message=sentence("If your vacation is over, tell your games that you are back."),
        orders=(sentence("back"),),
        en="""(?:im|i am|we are|were) (?:home |now |already )?(?:back|home)(?: again| now| home| earlier| early| already| online| from)*; (?:end|cancel|stop|finish)~(?:vacation|holidays?); here again$; i(?:ve| have) returned; ^(?:im |i am |were |we are |and )?(?:back|home)(?: again| now)? (?:from|early|and|ready)~?; (?:home|here) again~?; (?:end|cut)~(?:vacation|holidays?|break) (?:short|early); (?:vacation|holidays?|trip) (?:is )?(?:over|ended|finished)~?; ^(?:ok |and |so )?(?:back|home|here) again~?; ^(?:ok |and |so )?(?:im |i am |we are |were )?back(?: now| again| home| online| at last| early| (?:from|at) (?:my |the )?\\w+)*$; (?:well|better|recovered|out of hospital)(?: again)? (?:and|now|so)~?""",
        de="""(?:bin|sind)(?: \\w+){0,3} (?:zurueck|zuhause|wieder da|wieder hier|wieder daheim|wieder online); ^(?:wieder|endlich)~(?:da|zurueck|daheim|zuhause|hier)(?: \\w+)?$; urlaub~(?:vorbei|beenden|zu ende|abbrechen|aus)$; (?:beende|brich)~urlaub; (?:wieder|zurueck)(?: \\w+){0,3} (?:da|hier|daheim|zu hause|aus dem urlaub|vom urlaub|spielbereit|online)(?: \\w+){0,4}$; zurueck aus~; (?:urlaub|reise) (?:ist )?(?:vorbei|rum|zu ende|um); ^wieder (?:fit|gesund|fest|startklar|im land)~?; ^(?:so )?bin wieder~; ^zurueck(?: \\w+){0,2}$""",
        stage=RUNNING,
    ),
    _row(
        "replace me",
        message=sentence("Somebody else can take over your seat: name the person and the address."),
        orders=(sentence("replace me with {person}"),),
        en="""(?:somebody|someone|anyone|anybody|friend|another|wife|husband|brother|sister|son|daughter|bot|sub|substitute|he|she)(?: \\w+){0,3} (?:take over|replace|play for me|play instead|stand in|fill in|step in|sub for|take my)~?; (?:replace|substitute) me; (?:pass|hand|give) (?:over )?my (?:seat|place|cards|hand|game)~; (?:take over|takes over) (?:my|for me); give my (?:seat|place|cards) to~; (?:plays|takes? over|continues?|steps? in|fills? in|stands? in)~(?:instead of me|for me|my (?:seat|place|hand|cards)|in my place|from here)~?; (?:give|hand|pass|transfer)~my (?:seat|place|cards|hand|spot)~?; (?:my|the) (?:seat|place|spot|cards) (?:to|goes to|for)~; (?:somebody|someone|anyone|anybody)(?: else)? (?:can|could|may|should|want|wants)~(?:my|for me|instead)~?""",
        de="""(?:jemand|anderer|anderes|freund|freundin|frau|mann|bruder|schwester|bot|vertretung|ersatz)~(?:uebernehmen|uebernimmt|ersetzen|vertreten|einspringen|fuer mich|weiterspielen); (?:ersetzt|ersetze|ersetzen|vertreten?|vertritt) mich~?; (?:meinen platz|fuer mich)~?(?:uebernehmen|uebernimmt|weiterspielen|spielen); (?:uebernimmt|uebernehmen|springt|spielt)~(?:fuer mich|meinen platz|ein|meine karten|statt mir|an meiner stelle|anstelle)~?; (?:gib|gebt|geb|geben|uebergib|uebergeben|abgeben|abtreten|weitergeben)~(?:platz|karten|hand|sitz)~?; (?:platz|karten|sitz)~(?:geben|weiter|weitergeben|uebergeben|abgeben|uebernehmen|abtreten)~?; (?:statt|anstelle von|anstatt) (?:mir|mich)~?; (?:jemand|wer|einer)(?: \\w+){0,3} (?:meine karten|meinen platz|fuer mich)~?""",
        stage=RUNNING,
    ),
    _row(
        "resume",
        message=sentence("You can ask the others to let the clock run again."),
        orders=(sentence("resume"),),
        en="""(?:continue|resume|restart|unpause|go on with|carry on with)~(?:game|clock|playing|play)?$; (?:end|stop|finish|lift)~(?:pause|break); (?:lets|can we|shall we) (?:continue|go on|carry on)(?: playing| now| again)*$; (?:lets|let us|can we|shall we|we can|time to|ready to|please)~(?:carry on|continue|go on|resume|keep going|move on|play on|start again)~?; no more (?:break|pause)~?; (?:break|pause) (?:is )?over$; ^(?:ok )?(?:lets|we can|time to|ready to) (?:go on|get going|start)(?: again| now)*$; (?:start|run) the clock~?; ^go on$""",
        de="""(?:weiterspielen|weitermachen|fortsetzen|fortfahren); pause~(?:beenden|aufheben|vorbei|zu ende); (?:lasst uns|koennen wir|wollen wir)~weiter; (?:uhr)~(?:weiterlaufen|wieder laufen|starten); (?:kann|koennen|lasst|lass|wollen|machen|gehts|geht es)~weiter ?(?:gehen|machen|spielen)?$; pause (?:ist )?(?:rum|um|vorbei); (?:uhr)~weiter~?; ^(?:na los |ok |und )?weiter gehts?(?: \\w+)?$; (?:kann|koennen|lasst uns) (?:wieder )?losgehen~?; (?:wir|es) (?:koennen|kann|kanns)~weiter~?; ^weiter(?: bitte| so)?$""",
        stage=RUNNING,
    ),
    _row(
        "pause",
        message=sentence(
            "You can ask the others to stop the clock: more than half of them must agree."
        ),
        orders=(sentence("pause"),),
        en="""(?:pause|freeze|suspend|halt|interrupt)~?(?:game|clock|play|playing|everything|for)?(?: \\w+){0,4}$; stop the clock; put~on hold; (?:take|have|need|want) a (?:short |little )?(?:pause|break); (?:take|have|make|need|want|do) (?:a |an )?(?:little |short |small |quick )?(?:break|breather|timeout|time out|rest)~?; (?:stop|hold|halt)~clock~?; (?:break|pause) (?:for|until|over|till)~; ^(?:break|pause|time ?out)(?: please| pls)?$; (?:take|have|make) (?:a |an )?(?:long |longer |christmas |summer |winter )?(?:break|pause|rest)~?; over christmas~?""",
        de="""pausier\\w*; (?:uhr|spiel|partie)~(?:anhalten|stoppen|pausieren|unterbrechen); (?:pause|unterbrechung|auszeit)(?: \\w+){0,3}$; unterbrechen; (?:halt|stopp)~(?:uhr|spiel|partie) an; (?:kurze|kleine|eine|ne|mal) (?:pause|unterbrechung|auszeit)~?; (?:stop\\w*|halt\\w*) (?:mal |bitte )?(?:die )?uhr~?; (?:pausieren|aussetzen)(?: \\w+)?$""",
        stage=RUNNING,
    ),
    _row(
        "away",
        message=sentence(
            "If you are away, your deadlines can wait in all your games: send the days as a vacation."
        ),
        orders=(sentence("vacation {days}"),),
        en="""(?:on|going on|off on|for my|going for a|take a|taking a|have a|having a|need a)(?: \\w+){0,2}? (?:vacation|holidays?|trip|leave); (?:im|i am|were|we are|ill be|well be) off (?:to|from|until|till|for)~; (?:have|got|sitting|in the middle of|studying for) (?:my |an? )?(?:exams?|surgery|operation|wedding|funeral); (?:am|im|ill be|will be|be|were|we are|going) (?:away|offline|travell?ing|abroad|out of (?:office|town|the country)|gone|off grid|in hospital|not available|unavailable|not here);
        (?:wont|will not|cant|cannot|can not|not be able to|unable to)~?(?:play|answer|reply|move|respond|write|read|check)~?(?:until|till|before|for|from|this|next|over|today|tomorrow|on); (?:no|without) (?:internet|mail|email|wifi|connection|computer)~?(?:until|till|for|from|this|next); back (?:on|in|after|next) (?:mon|tue|wed|thu|fri|sat|sun|a|two|the|\\d|week|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\\w*; my (?:vacation|holidays?); (?:off|away|gone|out|skiing|camping|hiking|sailing|travell?ing|abroad|offline|busy)~(?:weekend|next week|this week|all week|tomorrow|until|till|for (?:a|two|\\d+)|mon\\w*|tue\\w*|wed\\w*|thu\\w*|fri\\w*|sat\\w*|sun\\w*|fortnight|month); (?:wont|will not|not) be (?:around|here|there|home|able|available|online|near)~?; (?:only|not) (?:play|answer|reply|back|here|around|home|again)~(?:mon|tue|wed|thu|fri|sat|sun|week|from|on)\\w*; (?:can|will) (?:only|not)~(?:play|answer|reply|move)~(?:again|mon|tue|wed|thu|fri|sat|sun|from|on|after)\\w*; ^(?:ill |i will |will |)?(?:be )?back (?:\\w+ ){0,2}(?:mon|tue|wed|thu|fri|sat|sun|tomorrow|next|in|after|on)\\w*(?: \\w+)*$; (?:^|im |i am |were |we are )(?:ill|sick|in hospital|in bed)(?: \\w+){0,4}$; no (?:internet|wifi|mail|connection|signal|reception)(?: \\w+){0,4}$; ^(?:im |i am |were |ill be |on |in )~(?:until|till) (?:mon|tue|wed|thu|fri|sat|sun|the|\\d+|tomorrow|next)\\w*(?: \\w+){0,3}$; ^(?:im |ill be )?(?:on (?:a |the )?(?:plane|train|road|boat)|flying|driving|travell?ing)~(?:tomorrow|today|all day|until|till|next)~?; (?:out of office|out of the office|ooo|gone fishing|gone)~?(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\\w*|(?:until|till|all|from|next|this) \\w+); (?:from|between) (?:the )?\\d+(?:st|nd|rd|th)?(?: \\w+)? (?:to|till|until|and) (?:the )?\\d+(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\\w*; (?:gets?|getting|got|be) married~?; (?:wedding|funeral|moving house|surgery|operation|honeymoon|conference|business trip)(?: \\w+){0,4}$; ^out of (?:office|town)~?""",
        de="""urlaub\\w*; (?:bin|sind|verreise|fahre|fliege|fahr|bin dann)~(?:weg|verreist|unterwegs|im ausland|nicht (?:da|zu hause|erreichbar|online)|offline|abwesend|verhindert|auf reisen|in die ferien|in den ferien|krank|im krankenhaus); ferien; abwesend; (?:kann|komme|schaffe)~(?:bis|vor|erst|diese|naechste)~(?:nicht|wieder|dazu|antworten|spielen|ziehen|schreiben); (?:kein|ohne) (?:internet|netz|wlan|computer|rechner); (?:bin|sind|kann|komme|komm|spiele|antworte|ziehe|melde)~(?:erst|wieder|nicht)~(?:mo|di|mi|do|fr|sa|so|mon|diens|mitt|donners|frei|sams|sonn)\\w*(?: \\w+)?$; (?:erst|wieder) (?:am |ab |naechsten? |kommenden? )?(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|morgen|naechste woche)(?: \\w+){0,2}$; (?:weg|fort|verreist|unterwegs|skifahren|wandern|zelten|offline)~(?:wochenende|naechste woche|diese woche|bis|fuer|ab|montag|morgen); (?:naechste|diese|kommende|uebers?|am|ueber das)~(?:woche|wochenende)~(?:weg|nicht da|unterwegs|verreist|fort|offline|im urlaub|keine zeit|beschaeftigt); (?:bin|liege|lieg)~(?:nicht da|fort|weg|krank|im krankenhaus|im bett)(?: \\w+){0,3}$; ^(?:bin |ich bin |sind )~bis (?:zum |mo|di|mi|do|fr|sa|so)~?; ^(?:ab|bis) (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen)~(?:weg|offline|verreist|fort|unterwegs); (?:morgen|ab morgen|den ganzen tag)~(?:flieger|flugzeug|unterwegs|verreist|weg)$; (?:vom?|von|zwischen) \\d+(?: \\w+)? (?:bis|und)(?: zum)? \\d+(?: (?:januar|februar|maerz|april|mai|juni|juli|august|september|oktober|november|dezember))?(?: \\w+){0,3}$; (?:dienstreise|klassenfahrt|geschaeftsreise|kur|messe|hochzeit|beerdigung|umzug|flitterwochen|operation|op)(?: \\w+){0,3}$; (?:fahren?|fliegen?|reisen?)~(?:nach|in|an|ans|in den|in die) \\w+(?: \\w+){0,2}$; (?:ganze[nr]?|gesamten?) (?:januar|februar|maerz|april|mai|juni|juli|august|september|oktober|november|dezember)~?; (?:heirate\\w*|heiraten|ziehe[n]? um|zieh um)~?""",
        stage=RUNNING,
    ),
    _row(
        "give time",
        message=sentence("You can give the player whose turn it is more time."),
        orders=(sentence("extend {time}"),),
        en="""(?:give|gave|grant|allow|offer) (?:him|her|them|bob)~(?:time|days?|hours?|weeks?)$; (?:he|she|they|bob) (?:can have|can take|needs?|gets?|should get)~(?:time|days?|hours?|weeks?)""",
        de="""(?:gib|gebt|gebe|gewaehre|schenke)(?: \\w+){1,3} (?:mehr|etwas mehr|noch|\\w+) (?:zeit|tage?|stunden?|wochen?)(?: mehr)?$; (?:er|sie|bob) (?:braucht|bekommt|kriegt|soll|kann)~(?:zeit|tage?|stunden?)""",
        stage=RUNNING,
    ),
    _row(
        "more time",
        message=sentence(
            "You can take days off, or ask the others for a pause. They can also give you time: with the"
            ' last order you ask them to write "extend {time}".'
        ),
        orders=(
            sentence("vacation 2 days"),
            sentence("pause"),
            sentence("say I need more time, please extend {time}"),
        ),
        en="""(?:need|want|have|get|give me|give us|like|ask(?:ing)? for|request|require)(?: \\w+){0,3}? (?:more|extra|additional|another|longer|some|bit of|an|\\d+|two|three)~?(?:time|days?|hours?|weeks?|while|longer|extension)(?: \\w+){0,4}$; (?:extend|prolong|postpone|delay|push back)~(?:deadline|time|limit|turn|due date); more time(?: please)?$; (?:an|time) extension; (?:im|i am|too|very|so|quite) (?:really |very )?busy(?: right now| at the moment| this week| today)*; (?:cant|cannot|wont)~(?:make it|in time|on time); (?:too|very) (?:little|short) time; (?:\\d+|two|three|a few|a couple of) more (?:days?|hours?|weeks?); not enough time; (?:another|an extra|one more|1 more|\\d+|two|three|a few|few|some) ?(?:more )?(?:days?|hours?|hrs?|h|weeks?|evening)(?: or (?:so|two))?(?: more| extra| longer)?(?: please| pls| ok| thanks)*$; (?:give|have|get|need|want|could i|can i|may i|let me)~(?:days?|hours?|hrs?|time|longer|until \\w+|till \\w+)(?: more| extra| please| pls)*~?; ^not (?:today|tonight|now|before|until)~; swamped~?; snowed under~?; ^(?:crazy|busy|hectic|mad|rough|stressful)~(?:week|day|days|time|weeks); (?:work|week|life|schedule) (?:is|has been|got)~(?:mad|crazy|busy|hectic|insane|a lot)(?: \\w+){0,3}$; (?:no|little) time (?:today|tonight|now|this week|until|till|before)~?; (?:cant|cannot|wont)~(?:today|tonight|now|this week|before|until)(?: \\w+){0,3}$; ^(?:tomorrow|later)~(?:ok|okay|fine|enough|evening)$; ^(?:please )?wait~(?:until|till|for me)~?; running late~?; (?:can|could|would|will) (?:you|we|somebody|someone|everyone)~?(?:please )?(?:wait|hold on|hang on)~?; (?:wait|hold on|hang on) (?:for me|please|until|till|a bit|a moment)~?; bear with me~?; ^(?:ill|i will|will)~(?:later|tonight|tomorrow|on the weekend)(?: \\w+){0,2}$""",
        de="""(?:brauche?|moechte|haette|will|benoetige|bitte um|gib|gebt|geb)~(?:mehr|noch|etwas|bisschen|laenger)~?(?:zeit|tage?|stunden?|wochen?|laenger)(?: \\w+)?$; (?:noch|weitere) (?:\\d+|zwei|drei|ein paar|paar|einen|eine) (?:tage?|stunden?|wochen?|woche|tag)(?: \\w+)?$; verlaengerung; aufschub; verlaenger\\w*~?(?:frist|zeit|bitte); frist~(?:verlaengern|verschieben|zu kurz|laenger); mehr zeit; (?:\\d+|zwei|drei|ein paar|paar|einen|eine) (?:tage?|stunden?|wochen?|woche|tag) (?:mehr|laenger|zeit); (?:schaffe|schaff|kann)~(?:nicht|nimmer)~?(?:rechtzeitig|heute|mehr|schaffen|bis dahin); (?:keine|wenig|zu wenig|grad keine|gerade keine) zeit(?: mehr| heute| gerade)*$; (?:habe|hab|gerade|grad|zurzeit)~(?:viel zu tun|viel um die ohren|stress)$; (?:noch|etwas|bissl|bisschen|bissel|mehr|laenger|ein wenig)~(?:zeit|tage?|stunden?|laenger)(?: \\w+){0,2}$; (?:brauch\\w*|braeuchte|haette|bekomme|kriege?|krieg|koennte|kann)~(?:zeit|tage?|tag|stunden?|laenger|aufschub|bis)~?; ^(?:kann|schaffe|schaffs|schaff|komme|komm|geht)~(?:erst|nicht|nimmer)~(?:morgen|heute|abend|wochenende|mo|di|mi|do|fr|sa|so|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)(?: \\w+){0,2}$; (?:schaff\\w*|kann|klappt)~heute (?:leider )?nicht; ^heute (?:nicht|nimmer|leider nicht|klappt|wirds)~; ^(?:erst|morgen|spaeter)~(?:reicht|ok|okay|geht|abend)$; (?:diese woche|heute|grad|gerade|momentan|derzeit|zurzeit)~(?:stress|stressig|eng|knapp|voll|viel los|land unter|zu tun|keine zeit|nicht dazu)~?; land unter; (?:warte|wartet)~(?:bitte|bis|auf mich); (?:viel|so viel) los~?; ueberlastet; ueberarbeitet; (?:koennt|koennen|kannst|wuerdet)~(?:warten|gedulden)~?; ^dauert~(?:noch|bis|laenger)~?; ^(?:mach|mache|spiel|spiele|antworte|komme|komm)~(?:spaeter|heute abend|morgen|am wochenende)(?: \\w+){0,2}$; (?:bitte )?(?:um )?(?:etwas )?geduld~?; moment noch~?; komme grad nicht dazu~?""",
        stage=RUNNING,
    ),
    _row(
        "in advance",
        message=sentence(
            "You can give a move for your next turn in advance; the help tells how it may depend on the table."
        ),
        orders=(sentence("next: play 9 or pickup"), sentence("help")),
        en="""(?:in advance|ahead of time|pre ?move|when(?:ever)? its my turn|next time its my turn|automatically play|play~automatically|on my next turn)""",
        de="""(?:im voraus|vorab|vormerken|wenn ich (?:wieder )?dran bin|sobald ich dran bin|automatisch (?:spielen|ziehen)|naechsten zug~(?:schon|jetzt|vorher))""",
        stage=RUNNING,
    ),
    _row(
        "tempo",
        message=sentence("You can propose another pace to the table."),
        orders=(sentence("tempo {time}"),),
        en="""(?:play|go|be|too|bit|make it|game)~?(?:faster|slower|quicker|slow|slowly|quickly)(?: please| for me| down| game| pace)*$; (?:speed|slow)~(?:up|down|game); (?:change|shorten|lengthen|shorter|longer)~(?:pace|tempo|time per move|deadlines?|time limits?); (?:one|a|two|three|\\d+) (?:days?|hours?|weeks?) (?:per|for each|a|each) (?:move|turn); ^(?:please )?(?:slower|faster|slow down|speed up|quicker)(?: please| pls| down)*~?; (?:slow|slower|faster|speed|quicker)(?: \\w+){0,3} (?:down|up|a bit|a little|pace|please|game|for me)~?; (?:days?|hours?)~(?:too short|too long|too little|not enough|too tight|is tight|too much); (?:make it|change it to|go for|have) (?:\\d+|two|three|four|five|seven) (?:days?)~?; (?:more|less|longer|shorter)~(?:per|for each|each|every) (?:move|turn); (?:too|so) (?:fast|slow|quick)(?: for (?:me|us))?$""",
        de="""(?:schneller|langsamer|zu schnell|zu langsam)(?: spielen| bitte| machen| fuer mich| gehen)*$; (?:anderes|schnelleres|langsameres) tempo; (?:kuerzere|laengere) (?:fristen?|zeiten|bedenkzeit); bedenkzeit~; (?:tage?|stunden?|woche) (?:pro|je) zug; (?:etwas|bisschen|bissl|viel|bitte|ein wenig|zu) (?:langsamer|schneller|langsam|schnell)~?; (?:tage?n?|stunden?|wochen?)~(?:pro|je|fuer jeden|fuer einen) (?:zug|antwort); (?:tage?n?|frist|stunden?|zeit)~(?:knapp|zu kurz|zu lang|zu wenig|eng); (?:mehr|weniger|laenger|kuerzer)~(?:pro|je|fuer jeden) zug; (?:schneller|langsamer) (?:bitte|spielen|machen)""",
        stage=RUNNING,
    ),
    _row(
        "undo",
        message=sentence(
            "You can ask the table to take your last move back: everybody must agree."
        ),
        orders=(sentence("undo"),),
        en="""(?:take|took|taking)~(?:back|move back|it back|that back); (?:undo|revert|reverse|cancel|redo|withdraw|retract|correct|change)~(?:move|last|that|it|play|turn|card|choice|this); (?:made|was|thats|it was) (?:a|my)~?(?:mistake|error|misclick|typo|slip); (?:wrong|meant|didnt mean|did not mean)~(?:card|move|number|line|one|to play|to do that)$; ^(?:oops|ups|whoops|damn) wrong; (?:can|could|may) i~?(?:try again|do (?:it|that) (?:over|again)|go back|have another go); (?:want|like|have|give|need)~(?:move|turn|card|that) back; (?:wrong|sorry) (?:number|card|move|line|one)~?; (?:my )?last move back""",
        de="""(?:nehm|nehme|nimm|nehmen|zieh|ziehe)~zurueck(?:nehmen|ziehen)?; zuruecknehmen; zurueckziehen; zuruecknehm\\w*; (?:rueckgaengig|ruckgaengig); (?:letzten|meinen|den|diesen) zug~(?:aendern|korrigieren|wiederholen|loeschen|stornieren|annullieren); (?:habe? mich|hab)~(?:vertan|verschrieben|verklickt|vertippt|geirrt); (?:falsche|verkehrte|falschen|verkehrten)~(?:karte|nummer|zug|zeile|gespielt|erwischt)~?; (?:wollte|meinte)~(?:andere|anderen|anderes)~(?:karte|zug|nummer|spielen|legen); (?:das )?war(?: ein| mein)? (?:versehen|fehler|irrtum); aus versehen; (?:zug|karte)~(?:zurueck|zuruecknehmen|rueckgaengig); falsche (?:nummer|karte|zeile)~?""",
        stage=RUNNING,
    ),
    _row(
        "rematch",
        message=sentence("When a game is over, the same people can be invited to another one."),
        orders=(sentence("rematch"),),
        en="""(?:play|go|try|one|another|have)~(?:again|another round|one more|more game|another game|another one|rematch)(?: please| soon| sometime)*$; rematch; ^(?:want |i want )?(?:a |my )?revenge$; (?:lets|shall we|want to|again)~(?:again|another (?:game|round)|one more); ^(?:once |and )?(?:again|one more|another|encore)(?: please| pls| round| game| one)*$; ^(?:one more|another|next) (?:round|game|match|one)~?; same (?:again|people|players|group|table)~?; (?:play|do) (?:it |this |that )?again~?; double or quits~?; ^(?:new|next) (?:game|round)~?; ^(?:up for|fancy|anyone for|who wants) (?:another|a new|one more|a)~?; (?:lets|shall we) (?:go|play|do it) (?:again|another)~?""",
        de="""(?:noch|nochmal|noch eine?|noch ne|neue|naechste|weitere) (?:partie|runde|spiel)(?: \\w+){0,3}$; revanche; nochmal spielen; noch ?mal~(?:spielen|runde|partie); ^(?:und )?(?:noch ?mal|nochmals|noch ?eine?|noch ne)(?: bitte| runde| partie| spiel)*$; (?:gleich|sofort|direkt) (?:noch ?mal|noch ?eine?)~?; (?:gleiche|selbe|dieselbe|dieselben|gleichen) (?:runde|leute|mitspieler|besetzung)~?; naechstes spiel; ^(?:wer (?:hat|will)|lust auf|habt ihr lust) (?:auf )?~(?:runde|partie|spiel|revanche)~?; ^auf ein neues~?; ^gleich nochmal~?""",
    ),
    _row(
        "quit",
        message=sentence(
            "Leaving cannot be undone, so it takes an order of its own. Or somebody else plays on for you."
        ),
        orders=(sentence("resign confirm"), sentence("replace me with {person}")),
        en="""(?:i|id like to|i want to|want to|let me|can i|may i|how do i|how can i|i have to|i must|i will|ill|im|i am)~(?:quit|quitting|resign|resigning|surrender|concede|give up|giving up|drop out|leave|leaving|stop playing|get out|step down|bow out|withdraw|done with|out|retire|exit)(?: \\w+){0,5}$; ^(?:quit|exit|leave|surrender|concede|give up|abandon)(?: \\w+){0,3}$; i (?:dont|do not|no longer|cant|cannot) (?:want to|wanna|feel like|like to|wish to)?~?(?:play|continue|go on|playing)(?: \\w+){0,4}$; (?:end|kick|remove|take)~(?:game|me out|me from)~?; play without me; count me out; (?:im|i am) (?:done|out)(?: of (?:this|here|it))?$; ^(?:you win|i lose|ive lost|i fold|im beaten|ive had enough|i concede)(?: \\w+){0,4}$; get me out~?; (?:had|have had|got) enough~?; (?:i )?cant go on~?; (?:lets|can we|shall we) (?:stop|end|call it)(?: \\w+){0,3}$; call it (?:a day|quits)""",
        de="""(?:ich )?(?:gebe?|geb)~auf$; aufgeben; aussteigen; ausscheiden; (?:ich )?(?:steige?|hoere?|hoer|trete?)~(?:aus|auf|zurueck)(?: \\w+)?$; (?:partie|spiel|runde|tisch)~(?:verlassen|beenden|abbrechen|aufgeben|verlasse); (?:verlasse|beende|verlass)~(?:partie|spiel|runde|tisch); (?:will|mag|moechte|kann|habe?)~(?:nicht mehr|nicht weiter|keine lust|nicht laenger|aufhoeren|raus)(?: \\w+){0,3}$; (?:spielt|macht) ohne mich; (?:ich )?bin raus$; kapitulier\\w*; ohne mich; (?:gebe?|geb) mich geschlagen~?; ^aufgabe~?; (?:schmeiss\\w*|werf\\w*|werfe) (?:ich )?(?:das |es )?(?:hin|das handtuch)~?; (?:moechte|will|mag|kann)~(?:doch )?nicht (?:mehr )?(?:mit)?(?:spielen|weiterspielen|machen|mitmachen)~?; (?:das )?handtuch~?; (?:lasst uns|lass uns|koennen wir|wollen wir) (?:aufhoeren|schluss machen|abbrechen|beenden)~?; (?:hab|habe) (?:genug|die nase voll)~?; mach\\w* (?:jetzt )?schluss; nehmt mich~raus~?; nehmt mich~(?:spiel|partie)""",
        stage=RUNNING,
    ),
    _row(
        "replace others",
        message=sentence("Somebody who does not answer can be replaced: the table votes on it."),
        orders=(sentence("replace {name} with {person}"), sentence("extend {time}")),
        en="""(?:bob|anna|carol|\\w+) (?:never|isnt|is not|does not|doesnt|hasnt|has not|stopped)~(?:answer|answers|answering|reply|replies|replied|answered|playing|play|moved|move|respond|responding|there)(?: \\w+){0,3}$; (?:kick|throw|vote|replace|remove)~(?:out|him|her|them|player|bob|anna|carol)(?: \\w+)?$; (?:wait|waiting) (?:for|on)~(?:forever|ages|days|weeks|so long|too long)""",
        de="""(?:\\w+ )(?:antwortet|spielt|zieht|reagiert|meldet sich)~?(?:nicht|nie|nicht mehr)(?: \\w+){0,3}$; (?:ersetz|ersetzen|ersetzt|ausschliessen|rauswerfen|rausschmeissen)~?(?:ihn|sie|spieler|jemanden|bob|carol)?(?: \\w+)?$; warten~(?:ewig|tagen|wochen|lange) auf""",
        stage=RUNNING,
    ),
    _row(
        "tell all",
        message=sentence("To speak to the whole table, write it after the word say."),
        orders=(sentence("say {said}"),),
        en="""^(?:please |pls |can you |could you |would you )*(?:tell|ask|inform|greet|remind|wish|let|pass on to|(?:(?:a |this )?(?:message|note|msg) )?(?:to|for)|say to|write to|write|send to|message)(?: a message to| this to)? (?:the others?|the other players|others|everybody|everyone|all|them|both|the table|the group|my opponents?|bob and bob|you all)(?: \\w+)+$""",
        de="""^(?:bitte |kannst du |koenntest du )*(?:(?:eine |diese )?(?:nachricht|gruss|gruesse|botschaft|frage) (?:an|fuer)|an|sag|sage|sagt|schreib|schreibe|frag|frage|richte|richtet|gruess|gruesse|teile?)(?: bitte| an)* (?:alle|allen|die anderen|den anderen|die andern|den andern|die runde|der runde|den tisch|dem tisch|beide|beiden|ihnen|euch|die mitspieler|den mitspielern|bob und bob)(?: \\w+)+$""",
        stage=RUNNING,
    ),
    _row(
        "tell one",
        message=sentence("To speak to one player, write it after the words say to and the name."),
        orders=(sentence("say to {name}: {said}"),),
        en="""^(?:please )?say (?:thanks|thank you|hi|hello|sorry|goodbye|congratulations)~?to bob$; ^(?:please |pls |can you |could you |would you )*(?:tell|ask|inform|greet|remind|wish|let|pass on to|(?:(?:a |this )?(?:message|note|msg|word|greetings|regards) )?(?:to|for|from me to)|say to|write to|write|send to|send|message|msg|pass|at) (?:this to |a message to |a note to |greetings to |my regards to )?bob(?: \\w+)+$; ^bob (?:please )?(?:be told|should know)~; (?:pass|send|forward)~(?:to|on to) bob(?: \\w+)+$""",
        de="""^(?:bitte |kannst du |koenntest du |koennt ihr )*(?:(?:eine |diese )?(?:nachricht|gruss|gruesse|botschaft|frage) (?:an|fuer)|an|sag|sage|sagt|schreib|schreibe|frag|frage|richte|richtet|gruess|gruesse|teile?|melde|erinnere|sende|schick|schicke|wuensch\\w*)(?: bitte| an| mal| dem| der)* bob(?: \\w+)+$; ^(?:kannst|koenntest|koennt|bitte) (?:du |ihr )?bob~(?:gruesse|sagen|ausrichten|schreiben|schicken|fragen|bestellen)~?""",
        stage=RUNNING,
    ),
    _row(
        "talk",
        message=sentence(
            "What you want to say to the others goes after the word say; to one player alone, name them."
        ),
        orders=(sentence("say hello everybody"), sentence("talk at once")),
        en="""(?:tell|message|write|write to|send (?:a )?message to|let|ask|inform|greet) (?:bob|anna|carol|the others|the other players|the table|everybody|everyone|them|all|him|her|my opponents?|the group)(?: \\w+)*$; (?:how|can|may) ~?(?:i|we) (?:talk|chat|speak|write|send a message)~?(?:to|with)?~?(?:others|players|them|bob|everybody|everyone|other)?$; private message""",
        de="""(?:sag|sagt|schreib|schreibe|frag|frage|richte|gruess|teile|teil)~(?:den anderen|allen|der runde|dem tisch|ihm|ihnen|bob|carol|anna|mitspielern)(?: \\w+)*$; wie~(?:schreibe|rede|spreche|chatte|sage|kann) ich~(?:anderen|mitspielern|allen|bob|schreiben|reden|chatten); private? nachricht; mit den anderen~(?:reden|schreiben|sprechen|chatten)""",
        stage=RUNNING,
    ),
    _row(
        "dispute",
        message=sentence(
            "If something went wrong, call the admin: the clock stops until you have an answer."
        ),
        orders=(sentence("dispute what went wrong"),),
        en="""(?:cheat|cheating|cheated|cheats|cheater|unfair|not fair|rigged|manipulated); (?:thats|this is|that is|this cant be|that cant be|cannot be|something is|somethings|theres|there is|there must be|found)~(?:wrong|right|a bug|an error|not right|incorrect|a mistake|broken|against the rules|not allowed|illegal); (?:call|contact|ask|speak to|talk to|reach|write to|get|complain to|who is|who runs|who hosts|who owns)~(?:server|service|admin|administrator|operator|organi[sz]er|support|host|moderator|human|owner); complain\\w*; protest; report~(?:problem|bug|player|error)""",
        de="""(?:betrug|betrogen|betruegt|schummelt|schummeln|geschummelt|mogelt|gemogelt|unfair|manipuliert|getrickst); (?:das|da|hier)~(?:stimmt nicht|stimmt was nicht|nicht richtig|falsch|ein fehler|verboten|gegen die regeln|kaputt); (?:admin|administrator|betreiber|support|veranstalter|spielleiter|leitung)~?(?:rufen|fragen|sprechen|kontaktieren|erreichen|schreiben|holen|einschalten)?(?: \\w+)?$; beschwer\\w*; protest; reklam\\w*; (?:fehler|problem) melden""",
    ),
    _row(
        "watch",
        message=sentence(
            "You can ask to watch a game: its name stands in brackets in the subjects."
        ),
        orders=(sentence("games"), sentence("help")),
        en="""(?:watch|observe|spectate|look on|follow|spectator)~?(?:game|match|them|others|too|it|only)?(?: \\w+){0,3}$""",
        de="""(?:zuschauen|zusehen|beobachten|zuschauer|mitlesen)(?: \\w+){0,3}$""",
    ),
    _row(
        "invite",
        message=sentence(
            "To bring in another person, name the game and the people, or the free seat."
        ),
        orders=(
            sentence("new {game} with {person}"),
            sentence("invite {person}"),
        ),
        en="""(?:invite|add|bring|include|ask)~(?:address|friend|player|somebody|someone|person|wife|husband|brother|sister|people|too|as well|along)~?; (?:can|could|may|how can) (?:my|a) ~?(?:friend|wife|husband|brother|sister|son|daughter|colleague)~(?:join|play)~?; (?:get|have|let) (?:my|a) (?:friend|wife|husband|brother|sister|son|daughter|colleague)~(?:join|play|in)~?; room for~?; (?:one|two) more players?~?""",
        de="""(?:lade?|einladen|lad|mitbringen|dazuholen)~?(?:ein|freund|freundin|spieler|jemanden|frau|mann|mit)(?: \\w+)*$; einladen; (?:freund|freundin|spieler|jemanden|frau|mann|bruder|schwester)~(?:mitbringen|dazuholen|einladen); (?:kann|darf|koennte)~(?:freund|freundin|frau|mann|bruder|schwester|kollege)~(?:mitspielen|mitmachen|beitreten); (?:noch )?(?:platz|plaetze) frei~?; (?:mein|meine|ein|eine) (?:freund|freundin|frau|mann|bruder|schwester|sohn|tochter|kollege|kollegin)~(?:mitspielen|mitmachen|dazu|einsteigen|auch)~?""",
    ),
    _row(
        "new game",
        message=sentence("Anybody can start a game: name the game and the players."),
        orders=(
            sentence("new {game} with bot"),
            sentence("new {game} open 4 players"),
            sentence("tutorial"),
        ),
        en="""(?:start|begin|open|create|make|set up|play|want|organi[sz]e|new|host|have)~?(?:new |another |a )?(?:game|match|round|party|table)(?: of| with| against| for| please)*(?: \\w+){0,5}$; (?:play|start)~(?:GAMES|cards)~?; (?:how|can|may|could)~(?:i|we)~(?:play|start|join)~?; (?:play|game) (?:against|with|vs)~?(?:bot|computer|you|friend|bob); (?:play|try|have) (?:something|anything|a game|games) (?:else|different|new|other)~?; (?:play|try|fancy) (?:a (?:game|round) of )?(?:GAMES)~?; ^(?:hello |hi )?(?:anybody|anyone|is anyone|somebody)~(?:here|there|playing|free|want\\w*)~?; (?:join|enter|get into)~(?:game|round|table|somewhere|one)(?: \\w+){0,3}$; ^(?:GAMES) (?:with|against|vs|for)~""",
        de="""(?:neue|neues|weitere|eine|ein|noch eine?) (?:partie|spiel|runde)(?: \\w+){0,6}$; (?:starte|starten|beginne|eroeffne|spiele|organisiere)~(?:partie|spiel|runde|GAMES); (?:partie|spiel|runde|GAMES)~(?:starten|beginnen|eroeffnen|anlegen|anfangen|spielen|organisieren); gegen (?:bot|computer|einen bot|dich|den computer); (?:lust|zeit) auf~(?:partie|runde|spiel); (?:was|etwas|mal was) (?:anderes|neues) (?:spielen|probieren)~?; ^(?:hallo )?(?:jemand|ist jemand|ist da jemand|wer ist)~(?:da|hier|frei)~?; (?:irgendwo|wo|bei euch|bei wem) ~?(?:mitspielen|mitmachen|einsteigen|beitreten)~?; ^(?:GAMES) (?:mit|gegen|fuer)~""",
    ),
    _row(
        "language en",
        message=sentence("Your mails can come in English."),
        orders=(sentence("language en"),),
        en="""(?:in |to |speak |write |use |switch to |language )?english(?: please| language)*$; (?:dont|do not|cant|cannot) (?:speak|read|understand) german""",
        de="""(?:auf |in |bitte )?englisch(?:e|er|en)?(?: \\w+){0,3}$; (?:kein|nicht)~deutsch""",
    ),
    _row(
        "language de",
        message=sentence("Your mails can come in German."),
        orders=(sentence("language de"),),
        en="""(?:in |to |speak |write |use |switch to |sprechen sie |language )?(?:german|deutsch|auf deutsch)(?: please| bitte| language)*$""",
        de="""(?:auf |in |bitte )?deutsch(?:e|er|en|sprachig)?(?: \\w+){0,3}$""",
    ),
    _row(
        "another language",
        message=sentence("Your mails can come in these languages."),
        orders=(sentence("language en"), sentence("language de")),
        en="""(?:in|to|speak|write|use|en|auf) (?:french|francais|spanish|espanol|italian|italiano|dutch|nederlands|polish|portuguese|russian|swedish|danish|czech|greek|turkish|japanese|chinese)(?: \\w+){0,3}$; (?:my|another|other|different) language(?: \\w+)?$""",
        de="""(?:auf|in|bitte) (?:franzoesisch|spanisch|italienisch|hollaendisch|niederlaendisch|polnisch|portugiesisch|russisch|schwedisch|daenisch|tschechisch|griechisch|tuerkisch|japanisch|chinesisch)(?: \\w+){0,3}$; (?:andere|anderen|meine|meiner) sprache(?: \\w+)?$""",
    ),
    _row(
        "html",
        message=sentence("Your mails can come with or without colours and pictures."),
        orders=(sentence("html off"), sentence("html on")),
        en="""(?:html|plain ?text|text only|only text|pictures|colou?rs?|images|formatting|layout)~?(?: \\w+){0,4}$; (?:text|plain) (?:mails?|emails?)~?; (?:just|only|simple|pure) (?:plain )?text~?""",
        de="""(?:html|nur text|reiner text|reinen text|klartext|textmails?|bilder|farben|farbig\\w*|bunte?)(?: \\w+){0,4}$; (?:reine|nur|einfache) (?:text|textmails?|texte)~?""",
    ),
    _row(
        "reminders",
        message=sentence("You can choose how often we remind you."),
        orders=(sentence("reminders off"), sentence("reminders 24h 4h"), sentence("digest 8")),
        en="""remind\\w*(?: \\w+){0,6}$""",
        de="""erinner\\w*(?: \\w+){0,6}$""",
    ),
    _row(
        "digest",
        message=sentence("The news and most reminders can come in one mail a day."),
        orders=(sentence("digest 8"), sentence("digest off")),
        en="""(?:one|1|single|a|fewer|daily|only one) (?:mails?|emails?|summary|digest|overview)(?: \\w+){0,4}$; once a day; too many; all in one; (?:mails?|emails?|news)~(?:once a day|per day|a day|in one|daily|at once|together|collected|bundled); (?:everything|all)~(?:in one|together|once a day|evening|morning)~?""",
        de="""(?:eine|einmal|nur eine|weniger|taegliche) (?:mail|mails|email|e mail|am tag|taeglich|zusammenfassung|uebersicht|tagesmail)(?: \\w+){0,4}$; tageszusammenfassung; alles in einer mail; (?:eine|1) (?:e ?)?mail (?:pro|am|je) tag~?; (?:alles|alle|nachrichten|mails)~(?:gesammelt|zusammen|gebuendelt|auf einmal|in einer)~?; gesammelt~?; nur (?:noch )?einmal (?:am|pro) tag~?""",
    ),
    _row(
        "address",
        message=sentence(
            "You can add the address, and after our mail there make it your first one."
        ),
        orders=(sentence("address add {address}"), sentence("address primary {address}")),
        en="""(?:new|change|changed|moved|has changed|different|another|other|old|wrong|update|switch|use)~(?:address|e ?mail|mailbox|account)(?: \\w+){0,6}$; (?:address|e ?mail|mail address)~(?:changed|new|different|wrong|moved)""",
        de="""(?:neue|andere|geaenderte|alte|falsche|aendern|geaendert|wechseln|zweite)~(?:adresse|mailadresse|e ?mail ?adresse|e ?mail|postfach)(?: \\w+){0,6}$; (?:adresse|mailadresse)~(?:aendern|geaendert|wechseln|falsch|neu)""",
    ),
    _row(
        "time zone",
        message=sentence("You can have all times in your own time zone."),
        orders=(sentence("timezone Europe/Berlin"), sentence("settings")),
        en="""(?:time ?zone|wrong time|local time|i live in|(?:i|we)(?: have|ve)? moved to)(?: \\w+){0,6}$; (?:times|clock)~(?:wrong|off|utc); (?:i live|i am|im|we live|based) in~times?~?; times? (?:for|in|of) (?:here|my|our|new|local)~?; show~times?~""",
        de="""(?:zeitzone|ortszeit|uhrzeit(?:en)?|falsche zeit)(?: \\w+){0,6}$; (?:wohne|lebe|bin)~(?:zeiten|uhrzeit|zeit)~?; (?:zeiten|uhrzeiten?)~(?:hier|fuer|ort|anzeigen)""",
    ),
    _row(
        "mute",
        message=sentence("You can stop reading what one player says in this game."),
        orders=(sentence("mute {name}"),),
        en="""(?:mute|silence|block|ignore|shut up|hide)~(?:him|her|them|player|chat|talk|bob|anna|carol|messages|what)(?: \\w+){0,4}$""",
        de="""(?:stummschalten|stumm schalten|blockieren|ignorieren|ausblenden)(?: \\w+){0,3}$; nichts mehr von~(?:lesen|hoeren)""",
        stage=RUNNING,
    ),
    _row(
        "lesson",
        message=sentence("A short game against a bot explains itself as you play."),
        orders=(sentence("tutorial"), sentence("rules")),
        en="""(?:teach|learn|practi[sc]e|lesson|try it out|beginner|never played|training)(?: \\w+){0,6}$""",
        de="""(?:lernen|ueben|ausprobieren|anfaenger|noch nie gespielt|uebungs\\w*|beibringen|probespiel|proberunde)(?: \\w+){0,5}$""",
    ),
    _row(
        "export",
        message=sentence("The log of the game can come as a file that anybody can check."),
        orders=(sentence("export"),),
        en="""(?:download|export|save|log|file|proof|verify|record)~?(?:game|log|file|moves|shuffle)(?: \\w+){0,4}$""",
        de="""(?:herunterladen|exportieren|speichern|protokoll|nachpruefen|logdatei|beweis)(?: \\w+){0,4}$""",
    ),
    _row(
        "help",
        asks=Word.HELP,
        en="""(?:need|want|get|send|give)~(?:some )?help$; ^(?:please )?help(?: me)?(?: please| here)*$; how does (?:this|it|that)(?: thing| all| service)? work; (?:what|which)~(?:commands|orders|words)~; what can i (?:write|say|send|answer|reply|type); how (?:do|can|should) i (?:answer|reply|send|write|make a move|move|do (?:this|that|it)|use);
        i(?: do not| dont| didnt| cant)? (?:understand|get|follow)(?: \\w+){0,2}$; (?:dont|do not) understand; im (?:lost|confused|stuck); no idea (?:what|how); ^how (?:do|can|does|should|could) (?:i|one|we|you) (?:pause|stop|vote|leave|resign|undo|change|check|verify|see|get|find|know|use|play|tell|ask|choose|invite)(?: \\w+){0,9}$; ^what (?:happens|will happen) (?:if|when|to)~; ^(?:how|what) (?:many|much|about)~(?:vacation|holiday|days off)~?; ^what (?:do|does|shall|should|can|must|am|is|are) (?:i|the|this|these|that|it)~(?:do|mean|with|for|about|fingerprint|code|number|numbers)~?; ^(?:is|can|does|do|are) (?:it|this|there|i|we|you) ~?(?:possible|allowed|work|a way|see|know|check)~; ^where (?:do|can|is|are)~""",
        de="""(?:brauche?|will|bitte um|gib|geb)~hilfe; ^hilf(?:e)?(?: mir)?(?: bitte)*$; (?:kann|koennte|koennt|kannst)~helfen; wie (?:funktioniert|geht|laeuft) (?:das|es|dieser dienst)(?: hier| denn| alles)*$; (?:was|welche befehle|welche worte)~(?:kann|darf|muss|soll) ich~(?:schreiben|antworten|senden|eingeben|schicken); wie (?:kann|muss|soll|mache|schreibe|antworte|ziehe|spiele) ich~;
        (?:verstehe|versteh|kapier|kapiere|check)~(?:nicht|nichts|nix|nur bahnhof); keine ahnung (?:was|wie); ich kenne? mich nicht aus; ^was (?:passiert|geschieht|ist) (?:wenn|falls|mit)~; ^was (?:soll|kann|mache|mach|muss) (?:ich|man)~; ^wie (?:kann|lege|mache|pausiere|stoppe|pruefe|aendere|sehe|erkenne|weiss|finde|stimme|benutze|lade|waehle|verlasse) (?:ich|man)~; ^wie (?:viel|viele|lange)~(?:urlaub|urlaubstage)~?; ^(?:gibt es|geht das|kann man|ist es)~; ^wo (?:kann|sehe|finde|ist|sind|steht)~; ^woher~; ^wof(?:ue|u)r~; ^wozu~""",
    ),
)
"""All intents; of those that match a line, the first one counts."""
