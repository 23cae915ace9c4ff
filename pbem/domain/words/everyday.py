"""Moves in everyday words: `down goes the seven`, `dann hau die Sieben raus`.

No form of sentence is looked for. Every word of a line must be known: a card, a zone, a player, a
word that says what is done, one that goes with it, or one that says nothing. Together they must be
one order of the game, which says itself what its orders are called (pbem.games.face). So a line with
a word of its own (`not`, `if`, `you`, `kids`) is never a move, and neither is one that has a question
mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import dropwhile
from typing import Final, TypeAlias

from pbem.domain.words.en import words
from pbem.domain.words.forms import Spelling
from pbem.domain.words.frames import is_told_to
from pbem.games.face import face
from pbem.language import SOURCE, folded_words

_LONGEST: Final = 100
_MOST_WORDS: Final = 16
_OF: Final = ("of", "von", "in")
_NUMBERS: Final = frozenset(map(str, range(2, 13)))
_COUNTS: Final = {"two": 2, "both": 2, "three": 3, "four": 4, "zwei": 2, "beide": 2, "beiden": 2, "drei": 3, "vier": 4}  # fmt: skip
_ONES: Final = ("one", "1", "eins")
_WILD: Final = ("w", "joker", "jokers")
"""What only a wild can mean among the cards of a phase."""
_ALL: Final = ("all", "alle")
_AMOUNT: Final = r"one|two|three|four|five|six|seven|eight|nine|ten|twelve|ein\w*|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf"
TIME: Final = re.compile(
    rf"(?<!\w)(?:(?:at|till|until|by|since|around|um|bis|gegen|seit|ab)\s+)(?:\d+|(?:{_AMOUNT})\b)"
    rf"|(?:\d+(?:[.:]\d+)?|(?<!\w)(?:{_AMOUNT}))\s?(?:(?:more|extra|weitere|mehr)\s)?(?:%|°|am\b|pm\b|o.?clock|uhr|days?|tagen?|weeks?|wochen?|hours?|stunden?|min\w*"
    r"|years?|jahren?|times|mal|km|kg|euros?|grad|degrees)"
)
"""Numbers that are a time or an amount."""
_ALLOWED: Final = re.compile(r"[\w\s.,:;!+&'’´`\-–—…♣♦♥♠\ufe0e\ufe0f]+")
_SUIT_SIGNS: Final = str.maketrans({"♣": "c ", "♦": "d ", "♥": "h ", "♠": "s "})
_CODE: Final = re.compile(r"(?:(10|[2-9jqka])([cdhs])|([rbgy])(1[0-2]|[1-9]))")
_COMPOUND: Final = re.compile(
    r"\b(kreuz|treff|karo|herz|pik)"
    r"(ass?|koenig|dame|bube?|bauer|zehn|neun|acht|sieben|sechs|fuenf|vier|drei|zwei)n?\b"
)


def _table(rows: str) -> Mapping[str, str]:
    """Return each word of `A=ace aces; 2=two` with what it names."""
    return {
        word: name
        for row in filter(None, (row.strip() for row in rows.split(";")))
        for name, _, words in [row.partition("=")]
        for word in words.split()
    }


@dataclass(frozen=True, slots=True)
class Says:
    """One order: what must be said for it, and what may stand beside that.

    Attributes:
        order: its words, with `{card}`, `{cards}`, `{zone}`, `{number}` and `{name}`; `{many}` are the cards of
            a phase, `{skip}` is a card that skips, `{fit}` any other, and `{group}` is called by a rank: `tens`.
        must: ways to say it; of each group of a way one word must occur.
        may: words that can stand beside them.
        cards: how many are named.
        is_sure: the card must be named with its suit or colour, or with an article.
        words, parts: all words that are of this order; what it has of cards and the like.
    """

    order: str
    must: tuple[tuple[frozenset[str], ...], ...]
    may: frozenset[str]
    cards: int
    is_sure: bool

    words: frozenset[str] = field(init=False)
    parts: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        said = self.may.union(*(group for one in self.must for group in one))
        object.__setattr__(self, "words", said)
        object.__setattr__(self, "parts", frozenset(re.findall(r"\{(\w+)\}", self.order)))


_OF_A_RESERVE, _LEAST_OF_A_PHASE = 3, 6
_SIZES: Final = {
    "{cards}": _OF_A_RESERVE,
    "{many}": _LEAST_OF_A_PHASE,
    "{card}": 1,
    "{fit}": 1,
    "{skip}": 1,
}


def _says(rows: str, verbs: Mapping[str, frozenset[str]]) -> Iterator[Says]:
    """Read rows of a game: `order | must a/b, or must c d/e | may`; `-` is no word at all."""

    def known(said: Iterable[str]) -> frozenset[str]:
        return frozenset[str]().union(*(verbs.get(word, {word}) for word in said))

    for row in filter(None, rows.split("\n")):
        order, must, may = (part.strip() for part in row.split("|"))
        ways = tuple(
            tuple(known(group.split("/")) for group in way.split() if group != "-")
            for way in must.split(",")
        )
        cards = next((size for part, size in _SIZES.items() if part in order), 0)
        is_sure = order.endswith("!")
        yield Says(order.rstrip("!"), ways, known(may.split()), cards, is_sure=is_sure)


Groups: TypeAlias = tuple[tuple[re.Pattern[str], str], ...]


@dataclass(frozen=True, eq=False)
class Tongue:
    """The words of one language.

    Attributes:
        code: of the language.
        groups: several words that are read as one, or as none.
        fillers: words that say nothing.
        articles: those of them that make a rank a card.
        ranks, suits, colours, zones, ordinals: what these words name.
        plurals: several cards of a rank, which are no move by themselves.
        verbs: the words that rows of games mean by a name of capital letters.
    """

    code: str
    groups: Groups
    fillers: frozenset[str]
    articles: frozenset[str]
    ranks: Mapping[str, str]
    plurals: Mapping[str, str]
    suits: Mapping[str, str]
    colours: Mapping[str, str]
    zones: Mapping[str, str]
    ordinals: Mapping[str, str]
    verbs: Mapping[str, frozenset[str]]

    @cached_property
    def _any_group(self) -> re.Pattern[str]:
        return re.compile("|".join(pattern.pattern for pattern, _ in self.groups))

    def groups_for(self, line: str) -> Groups:
        """Return the groups if a line has one; most lines have none, and are searched once for all."""
        return self.groups if self._any_group.search(line) else ()


def _groups(rows: str) -> Groups:
    parts = [row.partition(" =") for row in rows.strip().split("\n")]
    return tuple((re.compile(rf"\b(?:{said.strip()})\b"), word.strip()) for said, _, word in parts)


_EN_PUT = (
    "gofor reinforce attack attacking play playing send sending put putting lay laying drop dropping throw throwing slam slamming toss tossing"
    " chuck chucking place placing use using stick sticking pop slap plonk shove fling dump dumping lead leading fight fighting beat"
    " beating challenge strengthen strengthening support boost bolster defend commit sacrifice sacrificing bring slam waste wasting spend"
)
_EN_RID = (
    "discard discarding away rid bin binning ditch ditching dump dumping trash toss tossing scrap scrapping chuck chucking shed shedding out goes"
    " drop dropping throw throwing bye goodbye farewell unload unloading offload"
)
_DE_PUT = (
    "verstaerke verstaerken staerke staerk staerken spui greif greife angreifen attackiere spiele spiel spielen schick schicke schicken leg lege legen werf"
    " werfe werfen wirf schmeiss schmeisse schmeissen hau haue hauen pack packe packen setz setze setzen stell stelle stellen bring bringe bringen"
    " knall knalle klatsch klatsche opfer opfere schieb unterstuetze unterstuetz nutze verheize geb gebe tu tue einsetzen"
)
_DE_RID = (
    "weg ablegen ab abwerfen wegwerfen abschmeissen wegschmeissen wegtun abwurf ablage ablagestapel raus fliegt entsorge entsorgen loswerden"
    " abgeben tschuess adieu ciao bye werf werfe wirf schmeiss schmeisse opfere opfer hergeben muell eimer tonne"
)

_TONGUES: Final[Mapping[str, Tongue]] = {
    SOURCE: Tongue(
        SOURCE,
        _groups(r"""
part(?:ing)? with = rid
hit me(?: with)? = gimme
i ?d say = say
my bid(?: is)? = bid
(?:a |one |the )single = one
(?:(?:will|shall|should|must|may) (?:have to )?|ll )?(?:do|be enough|suffice|have to do|do it|do the trick|do nicely)$ = goes
can have = gets
(?:my|these|those) three(?: cards)? are|(?:my|these|those) three cards|those three =
to one side|on one side|to the side|on the side|to side = aside
^(?:all )?right (?:then|so|well|ok|okay) =
(?:i ?d|i would) (?:really |just )?(?:like|love|prefer) to|i (?:just )?(?:want|wish|have|need|choose|got|ought) to|wanna|gotta|(?:im )?(?:just )?(?:gonna|going to|about to)|(?:i ?d|i would) (?:better|rather)|i better|(?:i have |ive got )?no (?:other )?choice but to|(?:happy|glad|ready|time) (?:to|for)|allow me to|(?:i )?(?:may|might) as well =
^right (?=(?:two|both|i|im|ill|all) ) =
let ((?:the|my) [a-z0-9 ]+?) go\b = \1 goes
going down = goes
(?:i ?d|i would) (?:like|love) = gimme
i want = want
(?:just|only) (?=(?:the|my|one|a) )|its (?=(?:the )?(?:hand of )?god)|(?:it|that) is$|thats (?:it|all|my (?:move|choice|pick))$|is my (?:move|choice|pick|play)$ =
for (?:now|once|today|the moment)|this (?:time|round)|after all|right now|right away|straight away|at last|(?:and )?nothing (?:else|more)|of course|no choice|without further ado =
but (?:just|only) (?:the )?one(?: of them)?$ =
(?:hold|hang)(?:ing)? on to = keep
(?:a |the |my )?pair of = two
(all|both|two|three) (?:of )?(?:my|the|them|these|those) = \1
((?:ace|king|queen|jack|two|three|four|five|six|seven|eight|nine|ten)e?s) (?:all|both|the (?:two|pair|lot))(?: of (?:them|em|you))? = all \1
(?:pick|scoop|gather|take|hoover)(?:ing)? ((?:the|that|this|your) \w+) up = pickup \1
(?:scoop|hoover)(?:ing)?(?: up)? = pickup
(?:in|into|to) (?:my|the) hand(?! of) = intohand
(?:on|onto|over) (?:top of )?(?:that|this|your|the|his|her) (?:ace|king|queen|jack|two|three|four|five|six|seven|eight|nine|ten|[0-9]+) = ontop
phase (?:number )?(?:10|[1-9]|one|two|three|four|five|six|seven|eight|nine|ten) = phase
(?:miss|lose|skip) (?:a|his|her|the|one|this|your) (?:turn|go|round) = skip nextturn
(?:im |i am )?go(?:ing)? (?:with|for) = gofor
with (?:the|my) = the
as (?:my|the) = my
(?:let me|lemme)(?! have) = lets
^(?:i )?guess (?=i) =
pick(?:ing)? (?:it |them |the pile |everything )?up = pickup
(?:on|onto|to) (?:the )?(?:pile|table|top|stack|it)|into play =
beat(?:ing)? (?:it|(?:that|this|the|your)(?: [a-z0-9]+)?) with = play
from (?:my )?hand = fromhand
(?:to|on|onto|in|into) (?:the )?(?:discards?|discard pile) = discard
(?:from|off) (?:the )?(?:discards?|discard pile) = discards
face ?down = facedown
(?:my )?(?:(?:first|opening) card|opener)(?: is)? = opening
hold(?:ing)? back = keep
face ?up|open (?:card|one) = faceup
draw(?:ing)? (?:pile|stack|deck) = stock
(?:give|hand|pass|send) me|lemme have|let me have|lets have|i ?ll have = gimme
(?:get|getting) rid of = rid
between (?:me|us) and|next to|in front of|over to|to(?:wards?)?|against|vs?|versus|beside|facing = by
(?:is |are )?(?:coming|heading) (?:your|their) way|for you(?: all)? = goes
(?:do|did)(?:nt| not) need|can go|losing|lose = rid
comes? = goes
"""),
        words("""
i im ill the a an my please pls plz thanks thx ta cheers then now so ok okay and here ugh hmm ah oh ooh oooh aha er um
sorry alright gonna will lets to this that yeah yep yup yes hey fine sure great lovely easy simply kindly lol haha hahaha hehe folks guys boom bam bother damn
finally definitely anyway well
"""),
        words("the a an my this that"),
        _table(
            "A=ace; K=king; Q=queen q; J=jack knave j; 2=two deuce; 3=three; 4=four; 5=five; 6=six;"
            "7=seven; 8=eight; 9=nine; 10=ten; 11=eleven; 12=twelve"
        ),
        _table(
            "A=aces; K=kings; Q=queens; J=jacks; 2=twos deuces; 3=threes; 4=fours; 5=fives; 6=sixes;"
            "7=sevens; 8=eights; 9=nines; 10=tens; 11=elevens; 12=twelves; 1=ones; W=wild wilds joker jokers; S=skip skips miss misses"
        ),
        _table("c=club clubs; d=diamond diamonds; h=heart hearts; s=spade spades"),
        _table("R=red; B=blue; G=green; Y=yellow; X=black"),
        _table("left=left; center=center centre middle mid; right=right"),
        _table(
            "0=zero none nil; 1=first 1 one 1st; 2=second middle 2 two 2nd; 3=third 3 three 3rd"
        ),
        {"PUT": words(_EN_PUT), "RID": words(_EN_RID)},
    ),
    "de": Tongue(
        "de",
        _groups(r"""
(?:auf|zu) (?:den |dem |der |die )?(?:ablagestapel|ablage|abwurfstapel) = ablage
(?:von|vom) (?:der |dem |den )?(?:ablagestapel|ablage|abwurfstapel) = offene
(?:auf|zu) (?:den|dem) (?:stapel|tisch|haufen) =
(?:aus|von) (?:der|meiner) hand = ausspielen
(?:vom|aus dem|von dem) (?:nachziehstapel|vorrat|stock|talon) = nachziehstapel
mit (?:der|dem|den|meiner|meinem) = die
zur seite|bei seite|auf seite|auf die seite = beiseite
aber nur (?:einen?|eine)$ =
^einmal|^nur|^(?:zu)?erst|von mir|(?<=[a-z] )lieber|^es wird|^endlich|(?:solls|soll es) sein$|(?:gar|noch) (?=kein) =
(?:ich )?entscheide mich fuer = spiele
(beiden?|alle|zwei|drei) (?:meine[rn]?|die|der) = \1
ein(?:en?|er|s) (?:der|meiner|von den|von meinen)(?: beiden| zwei| drei)? (?=\w+) = einzeln
her mit (?:der|dem|den) = nehm die
sollten? (?=reichen|genuegen) =
(?:schlage?|ueberbiete|uebertrumpfe) (?:die|den|das) [a-z0-9]+ mit (?:der|dem|den) = schlage die
(?:soll|darf|kann) ((?:die|den|das|meinen?) [a-z0-9 ]+?) haben$ = kriegt \1
phase auf den tisch = phase raus
gehts los|mache? (?:ich )?den anfang = eroeffne
(?:muss |duerfen |darf )?(?:jetzt |leider |mal |dann )*dran glauben = raus
meine drei(?: karten)? sind =
(?:ich )?(?:wuerde?|moechte?|mag)(?: ich)?(?: (?:jetzt|mal|bitte|dann))? (?:sehr )?gerne? =
(?:in|auf) (?:die|meine) hand(?! gottes)|zu mir|an mich = aufhand
ins = in das
(?:auf|ueber) (?:die|den|das|deine|deinen|dein|diese|diesen|dieses) (?:ass|koenig|dame|buben?|zwei|drei|vier|fuenf|sechs|sieben|acht|neun|zehn|[0-9]+) = obendrauf
(?:fuer|in|zu) (?:die|der) mitte|zur mitte = mitte
(?:fuer (?:den |das )?|zum |am |ans )(?:schluss|ende)|fuer spaeter|fuer hinterher = spaeter
(?:meine |die )?(koenige|damen|buben|asse|\w{4,}(?:er|en)) (?:alle beide|alle zwei|alle|beide)(?: zusammen)? = alle \1
phase (?:nummer )?(?:10|[1-9]|eins|zwei|drei|vier|fuenf|sechs|sieben|acht|neun|zehn) = phase
(?:sonst |und )?(?:nichts|nix) (?:weiter|sonst|anderes)|sonst (?:nichts|nix)|was solls|von mir aus|fuers erste|erst ?mal|fuer den moment|diesmal|dieses mal|das wars|auf gehts|los gehts =
gegen (?:sie|ihn) =
zwischen (?:mich|mir|uns) und|neben|gegenueber|hin zu|ruebe?r zu|richtung|gegen|zum?|bei = bei
brauche? ich (?:nimmer|nicht(?: mehr)?)|(?:kann|darf) (?:weg|gehen)|trenne ich mich(?: von)?|ich trenne? mich von = weg
her mit dem (?:stapel|haufen) = aufnehmen
her damit =
bleibt (?:mir )?nur|hilft nur noch|hilft nur|probier\w* e?s? ?mit|versuch\w* e?s? ?mit|probiers mit|versuchs mit = spiele
(?:meine )?erste karte(?: ist)? = eroeffnungskarte
"""),
        words("""
ich i die der den das dem ein eine einen einmal ne nen einem meine meinen mein meiner bitte bitteschoen mal
dann halt eben jetzt nun also na naja gut ok okay so da hier und danke leider gern gerne mir
einfach hm ach tja oh oha ui ah aha aetsch wohl muss will werde moechte haette ja jo jep jup klar komm nur erst zuerst endlich sehr schoen
schon egal dafuer
"""),
        words("die der den das dem meine meinen mein meiner"),
        _table(
            "A=ass as; 1=eins; K=koenig; Q=dame d q; J=bube buben bub bauer bauern b j; 2=zwei zwo; 3=drei; 4=vier; 5=fuenf; 6=sechs;"
            "7=sieben; 8=acht; 9=neun; 10=zehn; 11=elf; 12=zwoelf"
        ),
        _table(
            "A=asse assen; K=koenige koenigen; Q=damen; J=buben; 2=zweien zweier zweiern 2er; 3=dreien dreier dreiern 3er; 4=vieren vierer vierern 4er;"
            "5=fuenfen fuenfer fuenfern 5er; 6=sechsen sechser sechsern 6er; 7=siebenen siebener siebenern 7er; 8=achten achter achtern 8er; 9=neunen neuner neunern 9er;"
            "10=zehnen zehner zehnern 10er; 11=elfen elfer elfern 11er; 12=zwoelfen zwoelfer zwoelfern; 1=einser einsern 1er; W=wildkarte joker; S=aussetzer aussetzen"
        ),
        _table("c=kreuz treff; d=karo; h=herz; s=pik schippe"),
        _table(
            "R=rot rote roten; B=blau blaue blauen; G=gruen gruene gruenen; Y=gelb gelbe gelben; X=schwarz schwarze schwarzen"
        ),
        _table("left=links linke linken; center=mitte mittig zentrum; right=rechts rechte rechten"),
        _table(
            "0=null keinen kein keine; 1=erste ersten 1 ein eins einen; 2=zweite zweiten mittlere mittleren 2 zwei; 3=dritte dritten 3 drei"
        ),
        {"PUT": words(_DE_PUT), "RID": words(_DE_RID)},
    ),
}


_SEVERAL: Final = {rank: word for word, rank in list(_TONGUES[SOURCE].plurals.items())[::-1]}
"""What the rules call a group by its rank."""
FILLERS: Final = frozenset[str]().union(*(tongue.fillers for tongue in _TONGUES.values()))
"""Words of all languages that say nothing about a move."""


def tongue_of(code: str) -> Tongue | None:
    """Return the words of a language; None for one without a table."""
    return _TONGUES.get(code)


@cache
def rows_of(game: str, code: str) -> tuple[Says, ...]:
    """Return what the orders of a game are called in a language."""
    return _orders(game, code)[0]


def folded(text: str) -> str:
    """Return the words of a line as the tables have them, `Herzdame` as two of them."""
    return _COMPOUND.sub(r"\1 \2", folded_words(text.translate(_SUIT_SIGNS)))


def names_a_thing(text: str, language: str) -> bool:
    """True if words name a card, a part of one, a heap of cards, or a place at the table."""
    tongues = [tongue for tongue in map(tongue_of, (language, SOURCE)) if tongue is not None]
    named = (
        {*tongue.ranks, *tongue.plurals, *tongue.suits, *tongue.colours, *tongue.zones}
        for tongue in tongues
    )
    said = folded(text).split()
    return any(word.isdigit() or _CODE.fullmatch(word) for word in said) or any(
        not known.isdisjoint(said) for known in (_HEAPS, *named)
    )


_HEAPS: Final = words(
    "pile stock deck discards stapel nachziehstapel ablage vorrat god gottes cards card karte karten phase phases phasen set sets"
    " satz saetze drilling run runs folge folgen reihe chips zone zonen blind"
)


def card_at(words: Sequence[str], tongue: Tongue) -> tuple[str, int]:
    """Return the card or cards that words begin with, and how many of them name it."""
    if words[0] in tongue.plurals:
        return tongue.plurals[words[0]], 1
    return _card(words, tongue)


@cache
def _orders(game: str, code: str) -> tuple[tuple[Says, ...], frozenset[str]]:
    """Return what the orders of a game are called, and all words that can stand in them."""
    rows, tongue = face(game).said.get(code), _TONGUES.get(code)
    if rows is None or tongue is None:
        return (), frozenset()
    says = tuple(_says(rows, tongue.verbs))
    named = (
        tongue.ranks,
        tongue.plurals,
        tongue.suits,
        tongue.colours,
        tongue.zones,
        tongue.ordinals,
    )
    common = tongue.fillers.union(tongue.articles, _COUNTS, _ALL, _WILD, _OF, *named)
    return says, common.union(*(row.words for row in says))


def _without_asides(line: str, groups: Groups) -> str:
    """Return a line without the groups of words that are read as none."""
    for pattern, word in groups:
        if not word or "\\" in word:
            line = pattern.sub(word, line)
    return " ".join(line.split())


@dataclass(slots=True)
class _Line:
    """What the words of a line name."""

    cards: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    zones: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    said: set[str] = field(default_factory=set)
    is_sure: bool = True


_HEADED: Final = re.compile(r"\d+\.\s+[^\W\d]")
"""How a heading begins: `4. Tricks`."""
_HITS: Final = frozenset(["hit", "add", "attach"])


def move_in(text: str, game: str, language: str, names: Sequence[str] = ()) -> Iterator[str]:
    """Yield the order that a line says in everyday words, in each language that has all of them.

    A line to somebody at the table may tell them what to do: `Bob, throw the eight!`

    Args:
        game: name of its rules.
        names: of the players at the table.
    """
    if len(text) > _LONGEST or _ALLOWED.fullmatch(text) is None or _HEADED.match(text):
        return
    if is_told_to(text, tuple(names)):
        return
    line = folded(text)
    by_name, people = _people(tuple(names))
    for code in dict.fromkeys((language, SOURCE)):
        says, vocabulary = _orders(game, code)
        if not says or " " not in line:
            continue
        tongue = _TONGUES[code]
        groups = tongue.groups_for(line)
        words, unknown = _grouped(line, groups, (vocabulary, people))
        if len(unknown) == 1 and (meant := _spelling(game, code).slipped(unknown[0])) is not None:
            line = re.sub(rf"\b{unknown[0]}\b", meant, line)
            groups = tongue.groups_for(line)
            words, unknown = _grouped(line, groups, (vocabulary, people))
        bare = _without_asides(line, groups)
        if bare and bare != line:
            yield bare
        who, *does = [*dropwhile(tongue.fillers.__contains__, words), ""]
        if who in by_name and _HITS.union(*tongue.verbs.values()).intersection(does[:1]):
            continue  # `hey Bob throw the eight`
        if len(words) <= _MOST_WORDS and not unknown:
            orders = {_fits(row, words, tongue, by_name) for row in says} - {None}
            yield from filter(None, orders if len(orders) == 1 else ())


@lru_cache
def _people(names: tuple[str, ...]) -> tuple[Mapping[str, str], frozenset[str]]:
    """Return players' names by the words of a line, and all words that name one of them."""
    by_name = {folded_words(name): name for name in names}
    return by_name, frozenset({*by_name, *(f"{name}s" for name in by_name)})


def _grouped(
    line: str, groups: Groups, known: Sequence[frozenset[str]]
) -> tuple[list[str], list[str]]:
    """Return the words of a line, groups of them as one, and those that are not known."""
    for pattern, word in groups:
        line = pattern.sub(word, line)
    words = line.split()[: _MOST_WORDS + 1]
    unknown = [
        word
        for word in words
        if not any(word in one for one in known)
        and not word.isdigit()
        and not word[:-1].isdigit()
        and not _CODE.fullmatch(word)
    ]
    return words, unknown


@cache
def _spelling(game: str, code: str) -> Spelling:
    return Spelling(_orders(game, code)[1], shortest=5)


def _fits(
    row: Says, words: Sequence[str], tongue: Tongue, by_name: Mapping[str, str]
) -> str | None:
    """Return the order of a row if these words say it and nothing else."""
    line = _named(row, words, tongue, by_name)
    if line is None or (row.is_sure and not line.is_sure):
        return None
    cards = " ".join(line.cards)
    one, count = line.cards if row.cards == 1 else [], len(cards.split())
    parts = {
        "card": one,
        "fit": [] if "S" in one else one,
        "skip": one if one == ["S"] else [],
        "cards": [cards] if row.cards == count == _OF_A_RESERVE else [],
        "many": [cards] if count >= row.cards == _LEAST_OF_A_PHASE else [],
        "group": line.groups,
        "zone": line.zones,
        "name": line.names,
        "number": line.numbers,
    }
    found = {name: values[0] for name, values in parts.items() if name in row.parts and values}
    if found.keys() != row.parts or any(len(parts[name]) > 1 for name in found):
        return None
    ways = (way for way in row.must if all(not line.said.isdisjoint(group) for group in way))
    denied = _DENIED & line.said
    if not any(denied <= frozenset().union(*way) for way in ways):
        return None
    return row.order.format(**found)


_DENIED: Final = words("no not nothing without nicht nichts nix kein keine keinen")
"""Words that must belong to the order: `nicht setzen` checks, `nicht schieben` does not."""


def _named(
    row: Says, words: Sequence[str], tongue: Tongue, by_name: Mapping[str, str]
) -> _Line | None:
    """Sort words by what they name; None if one of them is of another order, or of none."""
    line, at = _Line(), 0
    while at < len(words):
        word, parts = words[at], row.parts
        card, size = _some_cards(words[at : at + 3], tongue) if row.cards else ("", 0)
        is_led = at > 0 and words[at - 1] in tongue.articles and "group" not in parts
        if not size and row.cards == 1 and is_led and tongue.plurals.get(word, "1") != "1":
            card, size = f"all {tongue.plurals[word]}", 1
        name = by_name.get(word) or by_name.get(word.removesuffix("s"))
        if not size and word in _ONES and not parts.isdisjoint(("fit", "many")):
            card, size = "1", 1
        colour = tongue.colours.get(word)
        if colour and "fit" in parts and words[at + 1 : at + 2] and words[at + 1] in _ONES:
            card, size = f"{colour}1", 2
        if not size and "many" in parts and word in _WILD:
            card, size = "W", 1
        if "group" in parts and word[:-1] in _SEVERAL and word[-1:] == "s":
            line.groups.append(_SEVERAL[word[:-1]])
        elif size:
            line.cards.append(card)
            line.is_sure &= (not card.isdigit() and (len(card) > 1 or card in "WS")) or (
                words[at - 1 : at] != [] and words[at - 1] in tongue.articles
            )
            at += size - 1
        elif "group" in parts and word in tongue.plurals:
            line.groups.append(_SEVERAL[tongue.plurals[word]])
        elif "zone" in parts and word in tongue.zones:
            line.zones.append(tongue.zones[word])
        elif "name" in parts and name is not None:
            line.names.append(name)
        elif word in row.words:
            line.said.add(word)
        elif "number" in parts and (
            word in tongue.ordinals or word.isdigit() or word in tongue.ranks
        ):
            line.numbers.append(tongue.ordinals.get(word) or tongue.ranks.get(word) or word)
        elif word not in tongue.fillers:
            return None
        at += 1
    return line


def _some_cards(words: Sequence[str], tongue: Tongue) -> tuple[str, int]:
    """Return the card or the counted cards that words begin with, and how many words name them."""
    if tongue.plurals.get(words[0]) in ("W", "S") and not words[0].startswith("joker"):
        return tongue.plurals[words[0]], 1
    count = _COUNTS.get(words[0])
    if words[1:2] and words[1] in tongue.plurals:
        rank = tongue.plurals[words[1]]
        if count:
            return " ".join([rank] * count), 2
        if words[0] in _ALL:
            return f"all {rank}", 2
    return _card(words, tongue)


def _card(words: Sequence[str], tongue: Tongue) -> tuple[str, int]:
    """Return the card that words begin with, and how many of them name it."""
    code = _CODE.fullmatch(words[0])
    if code is not None:
        rank, suit, colour, number = code.groups()
        return (f"{rank.upper()}{suit}" if rank else f"{colour.upper()}{number}"), 1
    kinds = {**tongue.suits, **tongue.colours}
    for at_rank, at_kind, between in ((1, 0, ()), (0, 1, ()), (0, 2, _OF)):
        size = max(at_rank, at_kind) + 1
        if len(words) < size or (between and words[1] not in between):
            continue
        rank, kind = _rank(words[at_rank], tongue), kinds.get(words[at_kind])
        if kind and at_kind == 0 and (kind.islower() or words[1] == "eins"):
            rank = rank or tongue.plurals.get(words[1], "")
        if rank and kind:
            return (f"{kind}{rank}" if kind.isupper() else f"{rank}{kind}"), size
    rank = _rank(words[0], tongue)
    return rank, int(bool(rank))


def _rank(word: str, tongue: Tongue) -> str:
    """Return the rank that a word names; empty for none."""
    return word if word in _NUMBERS else tongue.ranks.get(word, "")
