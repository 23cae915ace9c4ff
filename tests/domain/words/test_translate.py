"""Test orders in a player's language."""

from __future__ import annotations

import pytest

from engine import registry
from engine.api import Setup
from engine.errors import SetupError
from engine.orders import is_order
from pbem.domain.words.orders import LineKind, OrderReader, is_taken_word, read_line, read_lines
from pbem.domain.words.service_words import Word
from pbem.domain.words.translate import shown_order
from pbem.language import translate

RULES = {rules.id.name: rules for rules in registry.latest()}

SUITS = {
    "kreuz": "c",
    "treff": "c",
    "karo": "d",
    "herz": "h",
    "pik": "s",
    "schippe": "s",
    "schippen": "s",
}
RANKS = {
    **{str(number): str(number) for number in range(2, 11)},
    "zwei": "2", "drei": "3", "vier": "4", "fünf": "5", "fuenf": "5", "sechs": "6", "sieben": "7",
    "acht": "8", "neun": "9", "zehn": "10", "bube": "J", "bub": "J", "dame": "Q", "könig": "K",
    "koenig": "K", "ass": "A", "as": "A", "zwo": "2",
}  # fmt: skip

GAMES = [
    ("phyliss", "spiele 7", "play 7"),
    ("phyliss", "Spiele 7♣ 7♦.", "play 7♣ 7♦"),
    ("phyliss", "lege Herz Dame", "play Qh"),
    ("phyliss", "spiele die Dame Herz", "play Qh"),
    ("phyliss", "Spiele alle Damen", "play all queens"),
    ("phyliss", "spiele Bube und Bube", "play J and J"),
    ("phyliss", "aufnehmen", "pickup"),
    ("phyliss", "Nimm den Stapel auf!", "pickup"),
    ("phyliss", "Hand Gottes", "god"),
    ("phyliss", "drehe 2 um", "flip 2"),
    ("phyliss", "decke zwei auf", "flip 2"),
    ("phyliss", "spiele 9 oder aufnehmen", "play 9 or pickup"),
    ("phyliss", "21 spiele 7c", "21 play 7c"),
    ("cathedral", "behalte 2 10 Dame", "keep 2 10 Q"),
    ("cathedral", "lege 2 10 Q beiseite", "keep 2 10 Q"),
    ("cathedral", "spiele Karo As 7", "play Ad 7"),
    ("cathedral", "spiele As Dame", "play As Q"),
    ("cathedral", "spiele Karo Herz 7", None),
    ("phalanx", "eröffne mit Herz 9", "open 9h"),
    ("phalanx", "spiele Pik 7 links", "play 7s left"),
    ("phalanx", "lege Kreuz König in die Mitte", "play Kc center"),
    ("phalanx", "spiele Ks rechts nimmt Karo 10", "play Ks right x 10d"),
    ("phalanx", "schieben", "check"),
    ("phalanx", "mitgehen mitte", "match center"),
    ("phalanx", "erhöhe links um 5", "raise left by 5"),
    ("phalanx", "erhöhe links 5, mitgehen mitte", "raise left 5, match center"),
    ("phalanx", "passe", "pass"),
    ("phase10", "ziehe eine Karte", "draw"),
    ("phase10", "nimm", "take"),
    ("phase10", "nimm die oberste Karte", "take"),
    ("phase10", "auslegen", "lay"),
    ("phase10", "lege meine Phase aus", "lay"),
    ("phase10", "lege 5 5 5 / 7 7 W aus", "lay 5 5 5 / 7 7 W"),
    ("phase10", "anlegen R5 an 1.0", "hit R5 on 1.0"),
    ("phase10", "lege rote 5 an 1.0 an", "hit red 5 on 1.0"),
    ("phase10", "anlegen W an 1.0 unten", "hit W on 1.0 low"),
    ("phase10", "ablegen G3", "discard G3"),
    ("phase10", "lege grüne 3 ab", "discard green 3"),
    ("phase10-family", "wirf Aussetzer gegen 2 ab", "discard skip against 2"),
]

SERVICE = [
    ("beitreten", Word.JOIN, None),
    ("Beitreten, Spruch: grüner Tee; am Sonntag", Word.JOIN, "grüner Tee; am Sonntag"),
    ("ablehnen", Word.DECLINE, None),
    ("Neue Partie: phalanx mit Bob", Word.NEW, "phalanx with Bob"),
    ("Neu Phase 10 mit bob@example.org", Word.NEW, "Phase 10 with bob@example.org"),
    ("Starten ohne Bob", Word.WITHOUT, "Bob"),
    ("beitreten abcdefghij", Word.TAKE, "abcdefghij"),
    ("Aufgeben bestätigen!", Word.RESIGN, "confirm"),
    ("Ja.", Word.YES, None),
    ("nein", Word.NO, None),
    ("ja, fortsetzen", Word.YES, "resume"),
    ("Hilfe!", Word.HELP, None),
    ("Regeln von Phase 10", Word.RULES, "phase10"),
    ("meine Spiele", Word.GAMES, None),
    ("Tisch", Word.BOARD, None),
    ("Verlauf", Word.HISTORY, None),
    ("aufholen", Word.BOARD, None),
    ("Ersetze mich durch eve@example.org", Word.REPLACE, "me with eve@example.org"),
    ("Sage: guten Morgen; wie geht's?", Word.SAY, "guten Morgen; wie geht's?"),
    ("Ersetze Bob durch Mai=mai@example.org", Word.REPLACE, "Bob with Mai=mai@example.org"),
    ("Rangliste", Word.STANDINGS, None),
    ("Zeitzone Europe/Berlin", Word.TIMEZONE, "Europe/Berlin"),
    ("Urlaub vom 20. Dezember bis zum 3. Januar", Word.VACATION, "from 20. december to 3. january"),
    ("Urlaub ab morgen bis Freitag", Word.VACATION, "from tomorrow to friday"),
    ("Urlaub 5 Tage", Word.VACATION, "5 days"),
    ("Urlaub bis Freitag", Word.VACATION, "to friday"),
    ("Ich bin wieder da!", Word.BACK, None),
    ("Pause", Word.PAUSE, None),
    ("verlängern um 2 Tage", Word.EXTEND, "2 days"),
    ("Erinnerungen aus", Word.REMINDERS, "off"),
    ("Erinnerungen 24h 4h", Word.REMINDERS, "24h 4h"),
    ("Tagesmail um 8 Uhr", Word.DIGEST, "8"),
    ("tagesmail an", Word.DIGEST, "on"),
    ("Streitfall meine Zeile; sie fehlt", Word.DISPUTE, "meine Zeile; sie fehlt"),
    ("HTML aus", Word.HTML, "off"),
    ("Automatik: alle", Word.AUTO, "all"),
    ("auto öffentlich", Word.AUTO, "public"),
    ("Einstellungen", Word.SETTINGS, None),
    ("Nächster Zug: spiele 9", Word.NEXT, "spiele 9"),
    ("Nächster Zug: nichts", Word.NEXT, "none"),
    ("Ziehregel: keine", Word.DRAWING, "none"),
    ("Probiere: spiele 9", Word.TRY, "play 9"),
    ("Sprache Englisch", Word.LANGUAGE, "en"),
    ("bitte hilfe", Word.HELP, None),
]


@pytest.mark.parametrize(("ruleset", "text", "english"), GAMES)
def test_moves_in_german(ruleset: str, text: str, english: str | None):
    """A line of German words is an order only for players who read German."""
    rules = RULES[ruleset]
    line = read_line(text, [rules], language="de")
    if english is None:
        assert line.kind is not LineKind.GAME
        return
    assert (line.kind, line.order, line.text) == (LineKind.GAME, english, text)
    assert is_order(rules, english)
    assert read_line(text, [rules]).kind is not LineKind.GAME


@pytest.mark.parametrize(("text", "word", "argument"), SERVICE)
def test_the_service_in_german(text: str, word: Word, argument: str | None):
    """Every order of the service can be given in German, and is named as it was written."""
    (line,) = read_lines(text, list(RULES.values()), language="de")
    assert (line.kind, line.word, line.argument) == (LineKind.SERVICE, word, argument)
    assert line.text == text


@pytest.mark.parametrize("text", ["play 7", "help", "join phrase: green tea", "21", "pickup"])
def test_english_is_understood_everywhere(text: str):
    """Another language takes nothing away."""
    rules = [RULES["phyliss"]]
    assert read_line(text, rules, language="de") == read_line(text, rules)


@pytest.mark.parametrize(
    "text",
    [
        "Sag mal, wer ist dran?",
        "Ich spiele heute nicht mehr",
        "Spiele gern mit euch",
        "Das war ein schöner Zug",
        "Urlaub wäre schön",
        "Nimm es nicht so schwer",
        "Ja, das war gut",
        "Die Dame hat gewonnen",
        "Lege ich die 7 oder nicht?",
        "Zieh dich warm an",
        "Ich lege mich hin",
        "Hilfe, was für Karten",
        "Ich passe auf",
        "Spiele sind schön",
        "Alle Achtung",
    ],
)
def test_german_prose_is_no_order(text: str):
    """A line that only sounds like an order moves nothing."""
    for rules in RULES.values():
        assert not OrderReader([rules], language="de").is_order(text), rules.id


@pytest.mark.parametrize(
    ("text", "guess"),
    [("spiehle 7", "spiele 7"), ("aufnemen", "aufnehmen"), ("einstelungen", "einstellungen")],
)
def test_slips_of_the_pen(text: str, guess: str):
    """A line that is nearly German stops the reading and is suggested, never carried out."""
    line = read_line(text, [RULES["phyliss"]], language="de")
    assert (line.kind, line.guess) == (LineKind.NEAR, guess)


@pytest.mark.parametrize("name", ["Dame", "links", "Hilfe", "Spiele", "Ja", "herz", "Ass"])
def test_names_that_are_words_of_another_language(name: str):
    """No player may have the name of an order in any language. Months and small words are free."""
    assert is_taken_word(name, RULES["phalanx"])
    assert not is_taken_word("August", RULES["phalanx"])
    assert not is_taken_word("Mia", RULES["phalanx"])


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("7c mit Bob", "7c with 1"),
        ("Kreuz 7 zu Bob", "play 7c to 1"),
        ("lege die Kreuz Sieben auf Bobs Seite", "play 7c with 1"),
        ("spiele 7♣ mit Anna B", "play 7♣ with 2"),
        ("spiele Pik König zu Emil Herz x Karo 10", "play Ks to 3 x 10d"),
        ("spiele K♠ Mitte x 10♦@Emil Herz", "play K♠ center x 10♦@3"),
        ("spiele K♠ Mitte x 10♦ von Emil Herz", "play K♠ center x 10♦ of 3"),
        ("erhöhe mit Bob 1, erhöhe Mitte 1", "raise with 1 1, raise center 1"),
        ("spiele 7c mit Bob oder 8c in die Mitte", "play 7c with 1 or play 8c center"),
    ],
)
def test_a_name_in_an_order_is_not_translated(text: str, order: str):
    """Somebody called Herz is no suit, and `mit Bob` is a zone of Phalanx."""
    line = read_line(text, [RULES["phalanx"]], ("Anna", "Bob", "Anna B", "Emil Herz"), "de")
    assert (line.kind, line.order) == (LineKind.GAME, order)


@pytest.mark.parametrize("ruleset", ["phyliss", "cathedral", "phalanx", "phase10"])
def test_moves_as_german_mails_show_them(ruleset: str):
    """Each move that a German message lists is parsed into the same move."""
    rules = RULES[ruleset]
    seen: set[str] = set()
    for seed in range(3):
        options = rules.check_options(
            3, {"stakes": "zones"} if ruleset == "phalanx" and seed else {}
        )
        state = rules.start(Setup(3, bytes([seed]) * 32, options)).state
        for turn in range(60):
            if rules.outcome(state) is not None:
                break
            seat = rules.to_act(state)[0]
            legal = list(rules.legal_moves(state, seat))
            for number, move in enumerate(legal[:8] + legal[-4:]):
                canonical = rules.format_move(state, seat, move)
                shown = shown_order(canonical, "de")
                seen.add(shown.split()[0])
                for text in (shown, f"{21 + number}  {shown}"):
                    line = read_line(text, [rules], language="de")
                    assert line.kind is LineKind.GAME, text
                order = read_line(shown, [rules], language="de").order
                assert (
                    rules.format_move(state, seat, rules.parse_order(state, seat, order))
                    == canonical
                )
            state = rules.apply(state, seat, legal[(turn * 7 + seed) % len(legal)]).state
    assert not seen & {"play", "pickup", "draw", "discard", "hit", "keep", "open", "check"}


def test_a_misspelt_game_is_asked_about_in_german():
    """The list of games that may be meant is part of the sentence."""
    with pytest.raises(SetupError) as caught:
        registry.find("phalyss")
    assert "did you mean phyliss, phase10 or phalanx?" in caught.value.message
    assert "meintest du phyliss, phase10 oder phalanx?" in translate(caught.value.message, "de")


@pytest.mark.rule("GEN-14")
@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        (
            "phyliss",
            {"deals": 0},
            "Option deals: 0 geht nicht; erlaubt: 1 oder mehr, höchstens 1000000",
        ),
        (
            "phyliss",
            {"deals": "drei"},
            'die Option deals ist eine ganze Zahl (1 oder mehr, höchstens 1000000), nicht "drei"',
        ),
        (
            "cathedral",
            {"dealr": 1},
            '"dealr" ist keine Option von Cathedral (meintest du dealer?);',
        ),
        (
            "phalanx",
            {"tie": "spils"},
            'Option tie: "spils" geht nicht (meintest du spoils?); erlaubt: ',
        ),
        ("phalanx", {"ante": 99}, "Option ante: 99 geht nicht; erlaubt: 0 bis 52/Mitspieler - 7"),
        (
            "phalanx",
            {"stakes": "per_card", "ante": 1},
            "Option ante: 1 passt nicht zu stakes=per_card; erlaubt: 0",
        ),
        ("phase10", {"phases": []}, "Option phases: eine leere Liste geht nicht; erlaubt: eine "),
        (
            "phase10",
            {"phases": [2], "even_only": True},
            "Option even_only: nicht zusammen mit phases; nenne die Phasen oder verlange",
        ),
    ],
)
def test_what_is_wrong_with_an_option_is_said_in_german(name, options, said):
    """With what would be allowed, and the nearest word."""
    with pytest.raises(SetupError) as caught:
        RULES[name].check_options(3, options)
    assert translate(caught.value.message, "de").startswith(said)


@pytest.mark.parametrize(
    ("begin", "word"),
    [
        ("sagen: ", Word.SAY),
        ("sag zu Bob: ", Word.SAY),
        ("sag anonym: ", Word.SAY),
        ("Streitfall: ", Word.DISPUTE),
        ("spruch: ", Word.JOIN),
        ("neue Partie Phyliss mit ", Word.NEW),
    ],
)
def test_own_text_may_be_long(begin: str, word: Word):
    """All of the line is text, whatever stands in it: no move is made behind a semicolon."""
    text = begin + "a, lang und gut " * 15 + "; aufnehmen"
    (line,) = read_lines(text, [RULES["phyliss"]], ("Anna", "Bob"), "de")
    assert (line.kind, line.word) == (LineKind.SERVICE, word)


@pytest.mark.parametrize(
    "text",
    [
        "just play for me",
        "please just play for me!",
        "just play for me, please",
        "spiel bitte für mich",
        "bitte spiel einfach für mich",
    ],
)
def test_an_emphatic_word_leaves_the_order_to_play_as_it_is(text: str):
    """A player in a hurry writes "just" or "einfach"."""
    (line,) = read_lines(text, [RULES["phyliss"]], ("Anna", "Bob"), "de")
    assert line.word is Word.PLAY_FOR_ME


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sag hallo ihr zwei", "hallo ihr zwei"),
        ("sage Hallo zusammen, spiele 3", "Hallo zusammen, spiele 3"),
        ("sagen gut gespielt", "gut gespielt"),
        ("sag viel Glück; aufnehmen", "viel Glück; aufnehmen"),
        ("sag bob er hat glück gehabt", None),
        ("sag den andern schöner zug", None),
        ("sag mal, wer ist dran", None),
        ("sage ab", None),
    ],
)
def test_talk_without_a_colon_begins_with_a_greeting(text: str, said: str | None):
    """Other words behind `sag` may be meant for one player, or be no talk at all."""
    (line,) = read_lines(text, [RULES["phyliss"]], ("Anna", "Bob"), "de")
    assert (line.argument if line.word is Word.SAY else None) == said


@pytest.mark.parametrize(
    ("opening", "to"),
    [
        ("sag:", ""),
        ("sag anonym:", "anonymously:"),
        ("sag Bob:", "to Bob:"),
        ("sag zu Bob:", "to Bob:"),
    ],
)
def test_a_message_may_stand_below_its_first_line(opening: str, to: str):
    """To everybody, to one of them, or without a name; a move below it is part of it."""
    (line,) = read_lines(f"{opening}\nhallo\naufnehmen", [RULES["phyliss"]], ("Anna", "Bob"), "de")
    assert line.word is Word.SAY
    assert line.argument == f"{to}\nhallo\naufnehmen".lstrip()
