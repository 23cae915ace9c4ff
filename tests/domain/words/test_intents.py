"""What people mean who write sentences: every row by example, in both languages."""

from __future__ import annotations

import pytest

from engine import registry
from pbem.domain.words import intents, meanings
from pbem.domain.words.intents import BEGUN, INTENTS, INVITED, OVER, RUNNING, VOTING
from pbem.domain.words.orders import LineKind, OrderReader
from pbem.domain.words.service_words import ORDER_WORDS, Word
from pbem.language import translate

NAMES = ("Anna", "Bob", "Carol")
READERS = {code: OrderReader(registry.latest(), NAMES, code) for code in ("en", "de")}

EXAMPLES: dict[tuple[str, str], str] = {
    (
        "against",
        "en",
    ): "no pls; I'd rather keep playing; rather not; nope, let's go on; I'm against it",
    (
        "against",
        "de",
    ): "lieber nicht; nö, lieber weiter; bin dagegen; nee, muss nicht sein; ich bin dagegen",
    (
        "in favour",
        "en",
    ): "sure, let's pause; fine by me; I'm ok with a break; yep, go ahead; no objections",
    (
        "in favour",
        "de",
    ): "ja klar; von mir aus; hab nix dagegen; meinetwegen; passt für mich; bin einverstanden",
    (
        "free seat",
        "en",
    ): "just put a computer in; ask my sister instead, lucy@example.org; let a bot play; start without Bob then",
    (
        "free seat",
        "de",
    ): "setz halt einen Bot rein; frag lieber eva@example.org; dann fangen wir ohne Bob an; nimm einen Rechner dazu",
    (
        "tell one",
        "en",
    ): "tell Bob nice game; message to Carol: call me; please pass on to Bob: happy birthday; let Anna know I'm late",
    (
        "tell one",
        "de",
    ): "Nachricht an Bob: bis morgen; schreib Bob einen Gruß; an Carol: das war gemein; richte Anna aus: danke",
    (
        "tell all",
        "en",
    ): "tell them both well played; tell everyone I am sorry; ask the others if they mind; message to all: thanks",
    (
        "tell all",
        "de",
    ): "an alle: bin später da; Sag den anderen, dass ich später spiele; richte Bob und Carol aus: danke; sag allen Danke",
    (
        "another language",
        "en",
    ): "can I have it in French; do you speak Spanish?; mails in Dutch please; I want another language",
    (
        "another language",
        "de",
    ): "kann ich das auf Französisch haben; geht das auf Italienisch?; bitte in Polnisch; ich hätte gern eine andere Sprache",
    (
        "ballot",
        "en",
    ): "what are we voting on; who asked for the pause?; what happens if nobody votes; how long is the pause",
    (
        "ballot",
        "de",
    ): "worüber stimmen wir ab; wer will die Pause?; was ist mit meiner Frist in der Pause; wie lange dauert die Pause",
    ("turn", "en"): "Who's up?; is it my turn?; who is to play next; who are we waiting for?",
    (
        "turn",
        "de",
    ): "Wer ist am Zug?; bin ich dran?; wer ist als nächstes dran?; Auf wen warten wir?",
    (
        "deadline",
        "en",
    ): "When do I have to answer?; how long do I have?; what's the deadline; by when must I reply",
    (
        "deadline",
        "de",
    ): "bis wann muss ich ziehen?; Wie viel Zeit habe ich noch?; wann muss ich antworten; Wie lange habe ich Zeit?",
    (
        "standings",
        "en",
    ): "show me the rankings please; who is the best player?; can I see my stats?; what's my rating",
    (
        "standings",
        "de",
    ): "Rangliste zeigen; wie gut bin ich?; wer ist der beste Spieler?; gibt es eine Bestenliste?",
    (
        "score",
        "en",
    ): "who is winning?; How many points do I have?; show me the board again please; what is the state of play",
    ("score", "de"): "wer gewinnt gerade?; wie steht's?; Stand; Wie viele Karten hat Bob?; Brett",
    (
        "cards",
        "en",
    ): "what cards do I have?; what's in my hand?; show me my cards please; which cards do I hold",
    (
        "cards",
        "de",
    ): "Welche Karten habe ich?; was habe ich auf der Hand?; zeig mir meine Karten; Was ist auf meiner Hand?",
    (
        "history",
        "en",
    ): "what happened so far?; what did Bob play last?; what did I miss?; what has happened since",
    (
        "history",
        "de",
    ): "was ist passiert?; was hat Bob gespielt?; was war der letzte Zug?; Was habe ich verpasst?",
    (
        "moves",
        "en",
    ): "what are my options?; which cards can I play?; can you send it again?; I never got the mail",
    (
        "moves",
        "de",
    ): "was kann ich spielen?; nochmal schicken; Mail nicht bekommen; welche Möglichkeiten habe ich?",
    (
        "hint",
        "en",
    ): "what should I do?; what would you play?; what is the best move?; please give me a hint",
    (
        "hint",
        "de",
    ): "was soll ich tun?; was würdest du spielen?; was ist der beste Zug?; bitte gib mir einen Tipp",
    (
        "rules",
        "en",
    ): "I forgot the rules; can you send me the rules; how do you play this game?; where are the rules?",
    (
        "rules",
        "de",
    ): "Spielregeln; ich habe die Regeln vergessen; Wie spielt man das?; wo finde ich die Regeln?",
    (
        "games",
        "en",
    ): "which games am I in?; how many games do I have?; what games are running; show all games",
    (
        "games",
        "de",
    ): "welche Partien habe ich?; zeig mir meine Spiele bitte; wie viele Partien laufen?; an welchen Spielen bin ich beteiligt",
    (
        "settings",
        "en",
    ): "show me the settings; where are my preferences; what are my settings?; can I see my settings",
    (
        "settings",
        "de",
    ): "zeig mir die Einstellungen; wo sind meine Einstellungen?; Einstellungen bitte zeigen; was sind meine Einstellungen?",
    (
        "big cards",
        "en",
    ): "bigger cards please; larger print please; the cards are too small; I can't read the cards",
    (
        "big cards",
        "de",
    ): "größere Karten bitte; Karten bitte größer; die Schrift ist zu klein; kann die Karten kaum lesen",
    ("help", "en"): "I don't understand; how does it work?; what can I write?; I need some help",
    (
        "help",
        "de",
    ): "ich verstehe das nicht; Kannst du mir helfen?; was kann ich schreiben?; wie mache ich einen Zug?",
    (
        "receipts",
        "en",
    ): "stop sending me confirmations; no more receipts please; I don't need confirmations; do not confirm every move",
    (
        "receipts",
        "de",
    ): "bitte keine Bestätigungen mehr; weniger Quittungen bitte; ich brauche keine Bestätigung; Bestätigungen abschalten",
    (
        "fewer mails",
        "en",
    ): "mails off; stop mailing me; too many mails; please take me off your list; I want no more mails",
    (
        "fewer mails",
        "de",
    ): "Mails aus; Bitte keine Mails mehr; weniger Mails bitte; nehmt mich aus dem Verteiler; Ich will keine E-Mails mehr",
    (
        "no more of this",
        "en",
    ): "stop mailing me; don't write to me; please remove my address; do not send me mails",
    (
        "no more of this",
        "de",
    ): "schreibt mir nicht mehr; löscht meine Adresse; lasst mich in Ruhe; ich will keine Mails",
    (
        "unsubscribe",
        "en",
    ): "stop mailing me; remove me from your list; I don't want to get these emails anymore; no more mails please",
    (
        "unsubscribe",
        "de",
    ): "Bitte keine Mails mehr; Hört auf mir zu schreiben; nehmt mich aus dem Verteiler; lasst mich in Ruhe",
    (
        "away",
        "en",
    ): "I'm on holiday until Friday; we're off to Spain from 3 to 10 August; I won't be able to play until Monday; I am travelling next week",
    (
        "away",
        "de",
    ): "Ich bin bis Freitag im Urlaub; Ich fahre vom 3. bis 10. August weg; Kann erst am Montag wieder spielen; bin krank",
    (
        "back",
        "en",
    ): "I'm back from my trip; we are home again; I have returned; please end my vacation",
    (
        "back",
        "de",
    ): "Bin wieder zurück; wir sind wieder zuhause; bin seit gestern wieder da; Urlaub beenden",
    (
        "give time",
        "en",
    ): "give him two more days; Bob can have two more days; Carol needs another day; grant her more time",
    (
        "give time",
        "de",
    ): "Gib Bob zwei Tage mehr; gebt ihm mehr Zeit; Carol braucht mehr Zeit; Bob soll noch einen Tag bekommen",
    (
        "more time",
        "en",
    ): "I need more time; could I have an extension please; can you give me two more days?; please extend the deadline",
    (
        "more time",
        "de",
    ): "2 Tage mehr; ich brauche mehr Zeit; Kann ich bitte noch zwei Tage haben?; Ich schaffe es heute nicht mehr",
    (
        "resume",
        "en",
    ): "let's go on; can we continue the game; please end the pause; can we restart the clock",
    (
        "resume",
        "de",
    ): "weiterspielen; die Pause beenden; lasst uns weiter spielen; die Partie fortsetzen bitte",
    (
        "pause",
        "en",
    ): "can we pause the game for a week?; put the game on hold; let's take a break; please freeze the game",
    ("pause", "de"): "pausieren; Können wir eine Pause machen?; Uhr anhalten; Partie unterbrechen",
    ("tempo", "en"): "slow down please; can we play faster?; change the pace; one day per move",
    ("tempo", "de"): "Schneller bitte; das ist mir zu schnell; längere Fristen; ein Tag pro Zug",
    (
        "undo",
        "en",
    ): "can I take that back?; oops, wrong card; I meant to play the other one; I made a mistake",
    (
        "undo",
        "de",
    ): "letzten Zug zurücknehmen; Ups, falsche Karte; Ich habe mich vertippt; Kann ich den Zug zurücknehmen?",
    (
        "rematch",
        "en",
    ): "let's play again; how about a rematch; one more round please, go again; shall we play another one",
    (
        "rematch",
        "de",
    ): "neue Runde?; noch eine Partie?; gib mir Revanche; wollen wir nochmal spielen",
    (
        "not this invitation",
        "en",
    ): "I'd love to but I have no time; can't make it this time; maybe later; count me out, sorry",
    (
        "not this invitation",
        "de",
    ): "Ich würde ja gern, aber ich habe keine Zeit; vielleicht ein andermal; lieber nicht, danke; ich kann diesmal nicht mitspielen",
    (
        "yes to this invitation",
        "en",
    ): "yes, but only from next week; sounds good to me; how do I join?; ok if it does not take long",
    (
        "yes to this invitation",
        "de",
    ): "ja, aber erst ab Montag; wie kann ich beitreten?; ich würde gern mitspielen, geht das?; klar, wenn Bob auch spielt",
    (
        "when does it begin",
        "en",
    ): "how long does a game take?; who else is playing?; what is this?; when does it begin",
    (
        "when does it begin",
        "de",
    ): "Wie lange dauert das?; Wer spielt denn noch mit?; was ist das hier?; wann geht es los?",
    (
        "end here",
        "en",
    ): "shall we call it a draw?; I offer a draw; can we end the game here?; let's stop the game together",
    (
        "end here",
        "de",
    ): "wollen wir remis machen?; unentschieden?; wollen wir die Partie gemeinsam beenden?; hören wir hier auf?",
    (
        "quit",
        "en",
    ): "I quit; I'd like to drop out of this game; how do I leave the game?; I can't play anymore, sorry",
    ("quit", "de"): "ich gebe auf; aussteigen; Partie verlassen; Ich möchte aufhören",
    (
        "replace me",
        "en",
    ): "can someone take over for me?; my wife could play for me; please pass my seat to dave@example.org; can a bot play instead of me",
    (
        "replace me",
        "de",
    ): "kann jemand für mich übernehmen?; meine Frau spielt für mich weiter; Kann ein Bot für mich weiterspielen?; Carla will meinen Platz übernehmen",
    (
        "replace others",
        "en",
    ): "Bob never answers; can we kick Bob?; Carol hasn't replied for days; I am waiting for Bob for ages",
    (
        "replace others",
        "de",
    ): "Bob antwortet nicht mehr; Carol reagiert nicht; können wir Bob ersetzen?; wir warten seit Tagen auf Bob",
    (
        "in advance",
        "en",
    ): "can I play in advance?; can you play for me automatically when it is my turn; my pre-move: 9; what about my move on my next turn",
    (
        "in advance",
        "de",
    ): "kann ich im Voraus ziehen?; einen Zug vormerken; spiel 9 sobald ich dran bin; automatisch ziehen",
    (
        "talk",
        "en",
    ): "how can I talk to Bob?; can I write to everybody?; can I send a message to everyone; private message",
    (
        "talk",
        "de",
    ): "wie kann ich mit Bob reden?; wie schreibe ich den anderen; private Nachricht; mit den anderen reden",
    (
        "dispute",
        "en",
    ): "I want to complain; this can't be right, I had a 7; who runs this server?; Carol is cheating",
    (
        "dispute",
        "de",
    ): "Das stimmt nicht, ich hatte eine Sieben; Da ist ein Fehler; Wer ist der Admin?; Carol schummelt",
    (
        "new game",
        "en",
    ): "start another game with Bob; can I play against the computer?; how do I start a game?; I would like to play a game",
    (
        "new game",
        "de",
    ): "neues Spiel mit bob; Kann ich gegen den Computer spielen?; Wie fange ich ein Spiel an?; ich möchte eine Partie Phalanx spielen",
    (
        "invite",
        "en",
    ): "can my friend join?; could you add my brother; can I bring a friend along; please include my sister",
    (
        "invite",
        "de",
    ): "kann mein Bruder mitspielen?; jemanden einladen; ich will einen Freund mitbringen; darf meine Frau mitmachen?",
    (
        "watch",
        "en",
    ): "can I watch the game?; I want to follow their match; may I observe only; let me spectate",
    (
        "watch",
        "de",
    ): "kann ich zuschauen?; ich will nur zusehen; darf man mitlesen; als Zuschauer dabei sein",
    (
        "no invitations",
        "en",
    ): "stop inviting me; I never want invitations again; do not invite me; please no more invitations",
    (
        "no invitations",
        "de",
    ): "Ich will nicht mehr eingeladen werden; keine Einladungen mehr bitte; nie wieder einladen; bitte ladet mich nicht mehr ein",
    (
        "language de",
        "en",
    ): "could I get mails in German; German please; can you write German; switch to German",
    (
        "language de",
        "de",
    ): "kann ich das in Deutsch haben; bitte Deutsch; mehr Deutsch bitte; deutsche Mails",
    (
        "language en",
        "en",
    ): "could I get mails in English; English please; I don't speak German; switch to English",
    (
        "language en",
        "de",
    ): "kann ich das in Englisch haben; bitte Englisch; englische Mails; ich kann kein Deutsch",
    (
        "html",
        "en",
    ): "please no html; plain text please; can I have the text only; no pictures please",
    (
        "html",
        "de",
    ): "Bitte nur Text, kein HTML; keine Bilder; ohne Farben bitte; ich möchte reinen Text",
    (
        "reminders",
        "en",
    ): "stop reminding me; fewer reminders please; can you remind me earlier; no reminder needed",
    (
        "reminders",
        "de",
    ): "Keine Erinnerungen mehr; erinnere mich nicht mehr; bitte früher erinnern; Erinnerung abstellen",
    (
        "digest",
        "en",
    ): "can I get a daily summary; once a day is enough; please send one mail a day; everything all in one",
    (
        "digest",
        "de",
    ): "eine Mail am Tag reicht; geht das auch einmal täglich; alles in einer Mail bitte; eine tägliche Zusammenfassung",
    (
        "address",
        "en",
    ): "I have a new email address: anna@new.example; my address changed; use a different mail address; how do I change my email",
    (
        "address",
        "de",
    ): "Ich habe eine neue Mailadresse; meine Adresse hat sich geändert; kann ich die Adresse wechseln; meine alte Mailadresse gilt nicht mehr",
    (
        "time zone",
        "en",
    ): "my time zone is wrong; the times are wrong, I live in London; please use my local time; I moved to Tokyo",
    (
        "time zone",
        "de",
    ): "meine Zeitzone stimmt nicht; die Uhrzeiten passen nicht; bitte Ortszeit; falsche Zeitzone eingestellt",
    (
        "mute",
        "en",
    ): "can you mute Carol?; block Bob please; hide what Carol says; I want to ignore Bob",
    (
        "mute",
        "de",
    ): "Carol stummschalten; kann ich Bob blockieren?; ich will nichts mehr von Bob lesen; Bob ignorieren",
    (
        "lesson",
        "en",
    ): "I want to learn Phyliss; I have never played this; I am a beginner; can I practise",
    (
        "lesson",
        "de",
    ): "ich will das lernen; kann ich üben?; bin Anfänger; ich möchte es erst ausprobieren",
    (
        "suits",
        "en",
    ): "I can't tell the suits apart; I'm colourblind; four colours please; other colours for clubs please",
    (
        "suits",
        "de",
    ): "ich kann Pik und Kreuz nicht unterscheiden; bin farbenblind; vier Farben bitte; geht das in anderen Farben",
    (
        "in words",
        "en",
    ): "my screen reader reads nonsense; I am blind; I use VoiceOver; cards in words please",
    (
        "in words",
        "de",
    ): "ich benutze einen Screenreader; ich bin blind; Karten in Worten bitte; ich lasse mir vorlesen",
    (
        "rules of it",
        "en",
    ): "how does this game work?; is it complicated?; never heard of it; what kind of game is that?",
    (
        "rules of it",
        "de",
    ): "wie geht das Spiel?; ist das schwierig?; kenne ich nicht; worum geht es da?",
    (
        "replay",
        "en",
    ): "can I watch it again?; is there a film of it; how did Carol win?; show me the whole game again",
    (
        "replay",
        "de",
    ): "kann ich die Partie nochmal ansehen; gibt es einen Film davon; ich will das Spiel nachspielen; eine Wiederholung bitte",
    (
        "export",
        "en",
    ): "download the game; can I save the game; I want to verify the shuffle; give me the log file",
    (
        "export",
        "de",
    ): "die Partie herunterladen; kann ich das Mischen nachprüfen?; das Spiel speichern bitte; gib mir das Protokoll als Datei",
}

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
        line: meanings.meant(line, language, VOTING, NAMES) for line in lines_of(UNSEEN[language])
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
        found = meanings.meant(line, language, stage_for(name), NAMES)
        assert found is not None, line
        assert found.intent.name == name, (line, found.intent.name)


@pytest.mark.parametrize("stage", [RUNNING, OVER])
def test_chat_stays_chat(stage: str) -> None:
    """None of these lines gets an answer beside "I don't understand this line"."""
    said = {line: meanings.meant(line, "de", stage, NAMES) for line in lines_of(CHAT)}
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
        found = meanings.meant(line, language, stage_for(intent.name), NAMES)
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
    found = meanings.meant(line, language, RUNNING, NAMES)
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
    found = meanings.answer_to_invitation(lines)
    assert (None if found is None else found[1]) == word


def test_an_answer_to_an_invitation_is_none_elsewhere() -> None:
    """In a game "Sure!" is talk."""
    assert INVITED != RUNNING
    assert READERS["en"].read_line("Sure!").kind is LineKind.PROSE
    assert meanings.meant("Sure!", "en", RUNNING, NAMES) is None


def test_a_card_of_ones_own_asks_for_no_list_of_games() -> None:
    """`spiele` is a verb in one line, and what one plays in the other."""
    found = meanings.meant("ich spiele meine Fünf aus", "de", RUNNING, NAMES)
    assert found is None
    found = meanings.meant("zeig mir meine Spiele", "de", RUNNING, NAMES)
    assert found is not None
    assert found.intent.name == "games"
