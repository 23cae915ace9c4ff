"""Test the intents recognised in sentences, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import registry
from pbem.domain.words import intents, meanings
from pbem.domain.words.intents import BEGUN, INTENTS, INVITED, OVER, RUNNING, VOTING
from pbem.domain.words.orders import LineKind, OrderReader
from pbem.domain.words.service_words import ORDER_WORDS, Word
from pbem.language import translate

NAMES = ("Anna", "Bob", "Carol")
READERS = {code: OrderReader(registry.latest(), NAMES, code) for code in ("en", "de")}

EXAMPLES = {
    (name, language): lines
    for name, language, lines in (
        row.split("\t")
        for row in Path(__file__).with_name("intents.tsv").read_text("utf-8").splitlines()
    )
}
"""Lines by intent and language, separated by semicolons."""

CHAT = """
Nice weather here in Hamburg.; Well played Bob!; Haha, that was mean; Greetings from Italy; What a game; I hope you are all well.
Sorry for the delay, I was busy with work.; Thanks for the invitation, it's fun; See you all next week; How are the kids, Bob?
My daughter starts school on Monday, so exciting; Bob, did you see the match last night?; That was a lucky draw; Good luck everyone
this is going to be close; You got me there; We should meet for a beer; I never get any good cards; oh no; lol; How did you do that?
my son moved to Berlin last month; mein Bruder ist wieder da; die Kinder sind krank; hi all, nice to meet you; how are you all doing; Take your time, Anna; lol no hurry, I'm in a meeting; Carol is so fast, 2 cards already!; wir haben das früher immer im Urlaub gespielt
ok waiting; thanks!; thank you, got it; Ja ja der Bob, immer im Stress; Alles klar, ich warte; ok gut zu wissen; ich überlegs mir noch
Happy birthday Carol; I will get my revenge; I think the pile is getting big; Wow, three queens; Love, Anna; It's raining again
Who would have thought; I can't believe it; The last game was more fun; did you have a good holiday?; We had a lovely trip to the lake
Bob: are you back from your vacation?; Anna, take that back!; Merry Christmas; I need a coffee; Time flies
Schönes Wetter heute; Gut gespielt, Bob!; Viele Grüße aus Rom; Das war knapp; So ein Pech; Ich hoffe es geht euch gut
Entschuldigt die Verspätung, ich hatte viel zu tun; Bis nächste Woche; Wie geht es den Kindern, Bob?; Frohe Weihnachten
Da habt ihr mich aber erwischt; Die Partie macht Spaß; Ich habe nie Glück; Wie war euer Urlaub?; Wir sehen uns am Samstag
Was für ein Zug; Carol gewinnt bestimmt; Alles Gute zum Geburtstag; Das Spiel wird noch spannend; Ach du meine Güte; Schade
"""


def stage_for(name: str) -> str:
    stage = OVER if name == "replay" else next(i.stage for i in INTENTS if i.name == name)
    stage = RUNNING if stage == BEGUN else stage
    return stage if stage or name == "unsubscribe" else RUNNING


def lines_of(text: str) -> list[str]:
    return [line.strip() for part in text.strip().splitlines() for line in part.split("; ")]


UNSEEN = {
    "en": """
is it me yet?; did Bob move already?; whose move; how many cards has Carol left?; which cards have I got; why did I lose points?; what did Carol discard?
when does a round end?; what happens if I run out of time?; how do I tell you my choice?; are aces high?; can I still change my choice?; who won?
another day or so please; could I have till Sunday?; swamped this week; could we slow down a bit; im away next week; out camping until Tuesday
I'm sick in bed; can't today, tomorrow; let's keep going; home from hospital; 2 days are too short for me; do I need to do something now; on a plane tomorrow; can we take a breather
""",
    "de": """
hat Bob schon gezogen?; wann bin ich wieder dran?; wieviel Karten hat Anna noch?; was hat Carol abgelegt?; wie zählen die Punkte?; wer hat gewonnen?
was passiert wenn ich zu spät antworte?; darf ich meine Auswahl noch ändern?; ist das Ass hoch?; wofür steht das W?; kannst du mir die Reserve erklären
brauche noch einen Tag; wieviel Zeit bleibt mir; bin überlastet diese Woche; ab Freitag offline; schaff es heute nicht; diese Woche ist stressig; können wir etwas langsamer; bin nächste Woche weg; komme erst Donnerstag dazu
5 Tage pro Zug wären besser; wieder da aus dem Urlaub; kleine Pause?; lasst uns weiterspielen; ich liege krank im Bett; erst wieder am Montag
""",
}


@pytest.mark.parametrize("language", UNSEEN)
def test_requests_in_other_words_find_a_way(language: str) -> None:
    """Lines that no row was written for."""
    found = {
        line: meanings.likely_intent(line, language, VOTING, NAMES)
        for line in lines_of(UNSEEN[language])
    }
    assert [line for line, meant in found.items() if meant is None] == []


def test_every_row_has_examples() -> None:
    assert {name for name, _ in EXAMPLES} == {intent.name for intent in INTENTS}
    assert all(len(lines_of(text)) >= 4 for text in EXAMPLES.values())


@pytest.mark.parametrize(("name", "language"), EXAMPLES)
def test_each_by_example(name: str, language: str) -> None:
    """A line that is no order, and means this."""
    kinds = {
        line: READERS[language].read_line(line).kind for line in lines_of(EXAMPLES[name, language])
    }
    # some have become orders that say the same
    for line in (line for line, kind in kinds.items() if kind is not LineKind.SERVICE):
        assert kinds[line] is LineKind.PROSE, line
        found = meanings.likely_intent(line, language, stage_for(name), NAMES)
        assert found is not None, line
        assert found.intent.name == name, (line, found.intent.name)


@pytest.mark.parametrize("stage", [RUNNING, OVER])
def test_chat_stays_chat(stage: str) -> None:
    """None of these lines gets an answer beside "I don't understand this line"."""
    said = {line: meanings.likely_intent(line, "de", stage, NAMES) for line in lines_of(CHAT)}
    assert {line: found.intent.name for line, found in said.items() if found} == {}


@pytest.mark.parametrize("intent", INTENTS, ids=lambda intent: intent.name)
def test_nothing_binding_follows_from_an_intent(intent: intents.Intent) -> None:
    """It asks what changes nothing, or it names orders, which are another mail."""
    assert (intent.asks is None) is bool(intent.orders) is bool(intent.message)
    if intent.asks is not None:
        row = ORDER_WORDS[intent.asks]
        assert row.asks
        assert not row.needs_proof


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("intent", INTENTS, ids=lambda intent: intent.name)
def test_what_is_suggested_is_an_order(intent: intents.Intent, language: str) -> None:
    """In the language of the mail, filled with examples."""
    lines = (lines_of(EXAMPLES[intent.name, language]) * 2)[:5]
    for line in lines:
        found = meanings.likely_intent(line, language, stage_for(intent.name), NAMES)
        for order in found.orders if found is not None else ():
            said = translate(order, language)
            assert READERS[language].read_line(said).kind in (LineKind.SERVICE, LineKind.GAME), said


@pytest.mark.parametrize(
    ("line", "language", "order"),
    [
        ("I'm on holiday until Friday", "en", "vacation until Friday"),
        (
            "We are away from the 20th to the 27th of December",
            "en",
            "vacation from the 20th to the 27th of December",
        ),
        ("Ich bin vom 20. bis 27. Dezember verreist", "de", "urlaub vom 20. bis 27. Dezember"),
        ("Ich fahre für zwei Wochen weg", "de", "urlaub zwei Wochen"),
        ("bin krank", "de", "urlaub bis Freitag"),
        ("Gib Bob drei Tage mehr", "de", "verlängern 3 Tage"),
        ("my wife eve@example.org takes over for me", "en", "replace me with eve@example.org"),
        ("can you mute Carol?", "en", "mute Carol"),
        ("gone for the weekend", "en", "vacation Saturday to Sunday"),
        ("im away next week", "en", "vacation Monday to Sunday"),
        ("back on monday", "en", "vacation until monday"),
        ("bin nächste Woche weg", "de", "urlaub Montag bis Sonntag"),
        ("no internet till the 30th", "en", "vacation till the 30th"),
        ("kein Internet bis zum 30.", "de", "urlaub bis zum 30."),
        ("bin bis Freitag, bitte wartet, im Spital", "de", "urlaub bis Freitag"),
        ("I need one more day", "en", "vacation one day"),
        ("bräuchte zwei Tage mehr", "de", "urlaub zwei Tage"),
        ("give Bob half a day more", "en", "extend 12 hours"),
        ("I live in New York, the times are wrong", "en", "timezone America/New_York"),
        ("ich wohne in Zürich, die Zeiten stimmen nicht", "de", "zeitzone Europe/Zurich"),
        ("start a game of Phalanx with Bob and Carol", "en", "new phalanx with Bob, Carol"),
        ("ich will gegen zwei Computer Cathedral spielen", "de", "neu cathedral mit 2 bots"),
        ("one mail a day at 7", "en", "digest 7"),
        ("verlängern Bob um 2 Tage", "de", "verlängern 2 Tage"),
        ("language xx", "en", "language en"),
        ("going away for ten days", "en", "vacation for ten days"),
        ("sick, better by Wednesday", "en", "vacation until Wednesday"),
        ("please remind me six hours before", "en", "reminders off"),
        ("alles um 18 Uhr in einer Mail", "de", "tagesmail 18"),
        ("let everybody know I'll be late", "en", "say I'll be late"),
        ("tell Bob nice game", "en", "say to Bob: nice game"),
        ("message to Carol: that queen was mean", "en", "say to Carol: that queen was mean"),
        ("Nachricht an Bob: bis morgen", "de", "sag zu Bob: bis morgen"),
        ("an alle: bin später da", "de", "sag: bin später da"),
        ("tell them both well played", "en", "say well played"),
    ],
)
def test_what_the_line_tells_is_in_the_order(line: str, language: str, order: str) -> None:
    found = meanings.likely_intent(line, language, RUNNING, NAMES)
    assert found is not None
    assert translate(found.orders[0], language) == order


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        (["Sure!"], Word.JOIN),
        (["Yes, gladly!"], Word.JOIN),
        (["Hi Anna, how nice!", "Yes I'd love to play!", "Love, Bob"], Word.JOIN),
        (["Ja, gern!"], Word.JOIN),
        (["Ich mache mit", "Viele Grüße"], Word.JOIN),
        (["ich spiele mit"], Word.JOIN),
        (["Klar, bin dabei!"], Word.JOIN),
        (["No thanks, not this time"], Word.DECLINE),
        (["Nein, diesmal nicht"], Word.DECLINE),
        (["Sure?"], None),
        (["Sure!", "No thanks"], None),
        (["Sure!", "But only if Carol plays"], None),
        (["Ja", "aber erst ab Montag"], None),
        (["Thank you"], None),
        (["Sure thing, Bob told me about it"], None),
        (["Ja, wie geht das?"], None),
    ],
)
def test_plain_answers_to_an_invitation(lines: list[str], word: Word | None) -> None:
    """A whole line that says yes or no, and nothing beside it that doubts it."""
    found = meanings.plain_answer(lines, Word.JOIN, Word.DECLINE)
    assert (None if found is None else found[1]) == word


def test_an_answer_to_an_invitation_is_none_elsewhere() -> None:
    """In a game "Sure!" is talk."""
    assert INVITED != RUNNING
    assert READERS["en"].read_line("Sure!").kind is LineKind.PROSE
    assert meanings.likely_intent("Sure!", "en", RUNNING, NAMES) is None


def test_a_card_of_ones_own_asks_for_no_list_of_games() -> None:
    """`spiele` is a verb in one line, and what one plays in the other."""
    found = meanings.likely_intent("ich spiele meine Fünf aus", "de", RUNNING, NAMES)
    assert found is None
    found = meanings.likely_intent("zeig mir meine Spiele", "de", RUNNING, NAMES)
    assert found is not None
    assert found.intent.name == "games"
