"""The service's own order words and their arguments, which are the same for all games.

Each word is a member of `Word` and has a row in `PARTS` with all its properties except its act.
English paraphrases are in `en`, and other languages have their own modules.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping

from pbem.domain.log.motion_events import VOTED_ON
from pbem.domain.table.motion_kinds import GERMAN_MOTIONS
from pbem.domain.words import league_words, player_settings
from pbem.domain.words.forms import (
    Form,
    OrderWord,
    days,
    duration,
    form,
    lower,
    text_form,
    topic,
)


class Word(enum.Enum):
    """The service's order words. Case and closing punctuation are ignored in messages."""

    JOIN = "join"
    DECLINE = "decline"
    RESIGN = "resign"
    CONFIRM = "confirm"
    YES = "yes"
    NO = "no"
    HELP = "help"
    RULES = "rules"
    GAMES = "games"
    STANDINGS = "standings"
    BOARD = "board"
    HISTORY = "history"
    TIMEZONE = "timezone"
    VACATION = "vacation"
    BACK = "back"
    PAUSE = "pause"
    RESUME = "resume"
    EXTEND = "extend"
    UNDO = "undo"
    END = "end"
    DROP = "drop player"
    TEMPO = "tempo"
    FAST = "tempo fast"
    REMATCH = "rematch"
    REPLACE = "replace"
    EXPORT = "export"
    REPLAY = "replay"
    TEST = "test"
    ADDRESS = "address"
    OBSERVE = "observe"
    UNOBSERVE = "unobserve"
    REMINDERS = "reminders"
    DISPUTE = "dispute"
    DIGEST = "digest"
    RECEIPTS = "receipts"
    AUTO_MINE = "auto mine"
    WEEKLY = "weekly letter"
    HINT = "hint"
    PLAY_FOR_ME = "play for me"
    SETTINGS = "settings"
    LANGUAGE = "language"
    NEXT = "next"
    DRAWING = "drawing"
    TRY = "try"
    SAY = "say"
    TALK = "talk"
    HTML = "html"
    CARDS = "card style"
    PING = "ping"
    CALENDAR = "calendar"
    OWN_PAGE = "my page"
    ENCRYPT = "encrypt"
    AUTO = "auto"
    MUTE = "mute"
    UNMUTE = "unmute"
    PAGES = "pages"
    HAND = "hand"
    RESEND = "resend"
    NEW = "new"
    NEW_LEAGUE = "new league"
    JOIN_LEAGUE = "join league"
    LEAVE_LEAGUE = "leave league"
    START_LEAGUE = "start league"
    ANNOUNCE_LEAGUE = "announce league"
    LEAGUE = "league"
    CHALLENGE = "challenge"
    LADDER = "ladder"
    TAKE = "join game"
    INVITE = "invite"
    BOT = "bot"
    WITHOUT = "start without"
    NEVER = "never again"
    TUTORIAL = "tutorial"
    SKIP = "skip tutorial"
    UNSUBSCRIBE = "unsubscribe"


VACATION = re.compile(r"(?:vacation|holidays?)[\s:,=]+(\S.{0,80})", re.IGNORECASE)
NEW = re.compile(
    r"new[\s:,]+(\S.*)", re.IGNORECASE | re.DOTALL
)  # only if `reads_as_game_order` is true

UNTIL = r"(?:until|till|to)\s+(\d{1,2}(?::\d\d)?)(?:\s*(?:h|o'clock))?"
_MOTIONS = "|".join(VOTED_ON)
_GERMAN_MOTIONS = f"({'|'.join(GERMAN_MOTIONS)})"
_GAME_ID = r"(?:(?:the )?game )?\[?([a-z0-9]{10}|l-[a-z2-7]{16})\]?"
_OWN_GAME = r"(?:game )?\[?([a-z2-7]{10})\]?\.?"
_GUEST = r"(\S*@\S.{0,300}|[^\n.!?]{1,120}@[^\n]{1,200}|[^\W\d_][\w'.-]*(?: [\w'.-]+){0,5})"

PARTS: Mapping[str, Mapping[Word, OrderWord]] = {
    "turn": {
        Word.TRY: OrderWord(
            (form(r"try(?:\s*[:=]\s*|\s+)(\S.*)"),),
            german="probiere",
            help='Write "try play 9" to find out whether a move is allowed and what everybody would see; nothing is played.',
            is_private=True,
        ),
        Word.HINT: OrderWord(
            synonyms="a hint; give me a hint; suggest a move; advice",
            german="tipp; ein tipp; gib mir einen tipp; zugvorschlag",
            help='Write "hint" to read what a bot of medium strength would play with your cards, and why; nothing is played. With "play for me" it plays this turn for you.',
            asks=True,
        ),
        Word.PLAY_FOR_ME: OrderWord(
            synonyms="play for me please; just play for me; just play for me please; please just play for me; play this turn for me",
            german="spiel für mich; spiele für mich; zieh für mich; spiel bitte für mich; spiel mal für mich; spiel einfach für mich",
        ),
        Word.NEXT: OrderWord(
            (form(r"next(?:\s+turn)?\s*[:=]\s*(\S.*)?"),),
            german="nächster zug",
            german_forms=(
                (r"nächster zug\s*[:=]\s*(?:nichts|keiner)", "next: none"),
                (r"nächster zug\s*[:=]\s*(?P<own>\S.*)", "next: {own}"),
            ),
            help='Write "next: play 9 or pickup" for a move to be made as soon as your next turn begins. It can depend on the table then: "next: if top <= 9 play 9 or pickup". Cancel it with "next: none".',
            is_private=True,
        ),
        Word.DRAWING: OrderWord(
            (form(r"drawing(?:\s+rule)?\s*[:=]\s*(\S.*)?"),),
            german="ziehregel",
            german_forms=(
                (r"ziehregel\s*[:=]\s*(?:nichts|keine)", "drawing: none"),
                (r"ziehregel\s*[:=]\s*(?P<own>\S.*)", "drawing: {own}"),
            ),
            help='In Phase 10, "drawing: take if it is a 5 or it lays, else stock" draws for you whenever your turn begins, so your turn mail already shows the card. Stop it with "drawing: none".',
            help_for="draw",
            is_private=True,
        ),
        Word.AUTO: OrderWord(
            (form(r"auto(?: moves)?[\s:=]+(public|all|on|off)[.!]?", lower),),
            german="automatik",
            german_forms=(
                (r"(?:auto|automatik)[\s:=]+(?P<words>an|aus|alle)", "auto {words}"),
                (r"(?:auto|automatik)[\s:=]+öffentlich", "auto public"),
            ),
            untold="an option of each game; its answer explains that",
            needs_seat=False,
        ),
    },
    "look": {
        Word.BOARD: OrderWord(
            synonyms="status; catch up",
            german="tisch; brett; spielstand; zwischenstand; wie steht es; wer ist dran; aufholen = catch up",
            help='Write "board" or "catch up" to get the table, your cards and what has happened since your last move; it changes nothing.',
            asks=True,
            looks=True,
        ),
        Word.HAND: OrderWord(
            german="hand; meine karten; handkarten",
            untold='a move of some games; elsewhere "board" says the same',
            asks=True,
            looks=True,
        ),
        Word.HISTORY: OrderWord(
            (form(r"history[\s:=]+(talk|\d{1,4})[.!]?", lower),),
            german="verlauf; gespräche = history talk",
            german_forms=((r"verlauf[\s:]+(?P<own>\d+)", "history {own}"),),
            help='Write "history 20" for the last twenty things that happened or were said, "history talk" for what was said, and "resend" to get the mail that you should answer once more.',
            asks=True,
            looks=True,
        ),
        Word.RESEND: OrderWord(
            german="noch einmal senden; nochmal senden; nochmal schicken; noch einmal schicken",
            needs_seat=False,
            asks=True,
        ),
        Word.RULES: OrderWord(
            german="regeln; spielregeln",
            german_forms=((r"regeln(?: von| für)? (?P<own>.+)", "rules {own}"),),
            help='Write "rules" for the rules of your game with its options, "rules phalanx" for those of another game.',
            needs_seat=False,
            asks=True,
            welcomes=True,
        ),
        Word.GAMES: OrderWord(
            german="spiele; partien; meine spiele; meine partien",
            help='Write "games" for a list of your games, "help" for the most important orders, "help more" for all.',
            needs_seat=False,
            asks=True,
            welcomes=True,
        ),
        Word.HELP: OrderWord(
            (form(r"help(?: with| on| about)?[\s:]+(?:the )?(\w[\w -]{0,30})[.!?]?", topic),),
            german="hilfe; was kann ich tun; wie geht das",
            german_forms=(
                (r"hilfe[\s:]+mehr|mehr hilfe", "help more"),
                (r"hilfe(?: zu[rm]?| bei)?[\s:]+(?P<own>\S.{0,30})", "help {own}"),
            ),
            help='Write "help god" to read what the rules say about a word of your game.',
            needs_seat=False,
            asks=True,
            welcomes=True,
        ),
        Word.STANDINGS: OrderWord(
            synonyms="ratings; ranking",
            german="rangliste",
            german_forms=((r"rangliste(?: von| für| in)? (?P<own>.+)", "standings {own}"),),
            help='Write "standings" for the ratings of everybody with whom you have finished a game, "standings phalanx" for those in one game.',
            needs_seat=False,
            asks=True,
        ),
        Word.EXPORT: OrderWord(
            (form(rf"export[\s:]+{_OWN_GAME}", lower),),
            german="protokoll",
            help='Write "export" to get the log of the game as a file that anybody can check: during the game what is public, after the end everything.',
            needs_seat=False,
        ),
        Word.REPLAY: OrderWord(
            (form(rf"replay[\s:]+{_OWN_GAME}", lower),),
            german="wiederholung; replay",
            german_forms=((r"(?:wiederholung|replay)[\s:]+(?P<own>\S+)", "replay {own}"),),
            help='Write "replay" to get the game as a page for your browser that goes through it move by move: during the game as you may see it, after the end with all cards.',
            needs_seat=False,
        ),
        Word.TEST: OrderWord(
            german="test",
            help='Write "test" on the first line and anything below it to find out how I read your mail; nothing in it is carried out.',
            needs_seat=False,
            asks=True,
        ),
    },
    "talk": {
        Word.SAY: OrderWord(
            (text_form(r"say(?:\s*:\s*|\s+|\Z)(.*)"),),
            german="sagen; sag",
            german_forms=(
                (r"sage?\s+anonym\s*:\s*(?P<own>.*)", "say anonymously: {own}"),
                (r"sag\s+(?!mal\b)(?P<own>[^\s:]{1,40}\s*:.*)", "say to {own}"),
                (r"sag(?:en?)?\s*:\s*(?P<own>.*)", "say: {own}"),
                (r"sag(?:en?)?\s+zu\s+(?P<own>[^:]{1,80}:.*)", "say to {own}"),
                (r"sag(?:en?)?\s+(?P<greeting>[^\W\d_].*)", "say: {greeting}"),
            ),
            help='Write "say well played" to everybody, "say to bob: well played" to Bob alone. After "say:" on a line of its own, the lines below it are your message, up to an empty line.',
        ),
        **{Word(name): row for name, row in player_settings.orders_about("talk").items()},
        Word.MUTE: OrderWord(
            (form(r"mute(?:[\s:=]+(\S.{0,60}))?"),),
            german="stumm",
            german_forms=(
                (r"stumm[\s:]+anonym", "mute anonymous"),
                (r"stumm[\s:]+(?P<own>\S+)", "mute {own}"),
            ),
            is_private=True,
        ),
        Word.PAGES: OrderWord(
            (form(r"pages?[\s:=]+(on|off)\.?"),),
            german="spielseite",
            german_forms=((r"spielseite[\s:=]+(?P<words>an|aus)\.?", "pages {words}"),),
            untold="for servers that have pages, whose players read of it there",
        ),
        Word.UNMUTE: OrderWord(
            (form(r"unmute(?:[\s:=]+(\S.{0,60}))?"),),
            german="nicht mehr stumm",
            german_forms=(
                (r"nicht mehr stumm[\s:]+anonym", "unmute anonymous"),
                (r"nicht mehr stumm[\s:]+(?P<own>\S+)", "unmute {own}"),
            ),
            is_private=True,
        ),
    },
    "time": {
        Word.VACATION: OrderWord(
            (Form(VACATION, days),),
            synonyms="holiday; holidays",
            german="urlaub",
            german_forms=(
                (r"urlaub[\s:,=]+(?:ab|von)\s+(?P<words>\S.*)", "vacation from {words}"),
                (r"urlaub[\s:,=]+(?P<words>\S.*)", "vacation {words}"),
                (r"(?P<words>\S+ (?:tage?|wochen?)) urlaub", "vacation {words}"),
            ),
            help='Write "vacation 20 Dec to 2 Jan", "vacation 5 days" or "vacation until Friday" when you are away: your deadlines wait in all your games. Write "back" when you are back.',
            needs_seat=False,
            needs_proof=True,
        ),
        Word.BACK: OrderWord(
            synonyms="i am back",
            german="zurück; ich bin zurück; bin zurück; bin wieder da; ich bin wieder da; bin wieder zurück;"
            " ich bin wieder zurück",
            needs_seat=False,
            needs_proof=True,
        ),
        Word.PAUSE: OrderWord(
            german="pause; pausieren; partie pausieren",
            help='Write "pause" to ask the others to stop the clock, "resume" to start it again. They reply "yes" or "no"; more than half must agree.',
        ),
        Word.RESUME: OrderWord(german="fortsetzen"),
        Word.YES: OrderWord(
            (form(rf"yes[\s,:]+(?:to )?({_MOTIONS})[.!]?", lower),),
            synonyms="yes please",
            german="ja; ja bitte",
            german_forms=((rf"ja[\s,:]+(?P<words>{_GERMAN_MOTIONS})", "yes {words}"),),
        ),
        Word.NO: OrderWord(
            (form(rf"no[\s,:]+(?:to )?({_MOTIONS})[.!]?", lower),),
            german="nein",
            german_forms=((rf"nein[\s,:]+(?P<words>{_GERMAN_MOTIONS})", "no {words}"),),
        ),
        Word.EXTEND: OrderWord(
            (form(r"extend(?: by)?[\s:=]+(\d[\w ]{0,20})\.?", duration),),
            german="verlängern",
            german_forms=(
                (r"(?P<words>\d{1,2} (?:tage?|stunden?)) mehr(?: zeit)?", "extend {words}"),
                (r"(?:verlängern|verlängere)(?: um)?[\s:=]+(?P<words>\S.*)", "extend {words}"),
            ),
            help='Write "extend 2d" to give the player whose turn it is two more days.',
        ),
        Word.TEMPO: OrderWord(
            (form(r"tempo[\s:=]+(\d[\w ]{0,20}?)(?: (?:per|a|for each) move)?\.?", duration),),
            german="tempo",
            german_forms=((r"tempo[\s:=]+(?P<words>\S.*?)(?: pro zug| je zug)?", "tempo {words}"),),
            help='Write "tempo 2d" to propose two days per move. More than half must agree; if that is faster than now, everybody must.',
        ),
        Word.FAST: OrderWord(
            (form(rf"tempo[\s:=]+fast[\s,]+{UNTIL}\.?"),),
            synonyms="fast evening",
            german="tempo schnell; schneller abend",
            german_forms=(
                (
                    r"tempo[\s:=]+schnell[\s,]+bis (?P<own>\d{1,2}(?::\d\d)?)(?: uhr)?",
                    "tempo fast until {own}",
                ),
            ),
            help='Write "tempo fast until 23" to propose five minutes per move until 23:00, without confirmations; then the usual time applies again. Everybody must agree.',
        ),
        Word.UNDO: OrderWord(
            (form(r"undo[\s:]+(?:to |back to )?(?:before )?(?:move )?(\d{1,5})[.!]?"),),
            german="zurücknehmen; rückgängig; letzten zug zurücknehmen; meinen letzten zug zurücknehmen",
            german_forms=(
                (r"(?:zurücknehmen|rückgängig)(?: bis)?(?: zug)?[\s:]+(?P<own>\d+)", "undo {own}"),
            ),
            help='Write "undo" to ask for your last move back, "undo 17" for everything from move 17 on. Everybody must agree.',
        ),
        Word.END: OrderWord(
            synonyms="end game; end the game; end this game",
            german="spiel beenden; partie beenden; das spiel beenden; die partie beenden",
            help='Write "end game" to ask all others to end the game here. Everybody must agree; it counts as it stands.',
        ),
        Word.DROP: OrderWord(
            (form(r"(?:drop (?:the )?player|vote out|go on without)[\s:]+(\S.{0,60}?)[.!]?"),),
            german="spieler ausschließen",
            german_forms=(
                (r"(?:spieler ausschließen|weiter ohne)[\s:]+(?P<own>\S.*)", "drop player {own}"),
            ),
            help='If Bob is gone, write "drop player bob" to ask the others to go on without him. It takes several missed turns in a row.',
        ),
        Word.DISPUTE: OrderWord(
            (text_form(r"dispute(?:[\s:,.!-]+(\S.*))?"),),
            german="streitfall",
            german_forms=((r"streitfall[\s:,.!-]+(?P<own>\S.*)", "dispute {own}"),),
            help='Write "dispute" and, after it, what went wrong to call the admin, who can then read your mails of this game. The clock stops until you have an answer.',
        ),
    },
    "people": {
        **{Word(name): row for name, row in league_words.ROWS.items()},
        Word.TAKE: OrderWord(
            (text_form(rf"join[\s:]+{_GAME_ID}((?:[\s,;:.-]+phrase\s*[:=]?\s*\S.*)?)\.?"),),
            german_forms=(
                (
                    r"(?:beitreten|mitspielen)[\s:]+(?P<own>[a-z0-9]{10}|l-[a-z2-7]{16})",
                    "join {own}",
                ),
            ),
            untold='"games" lists the open games with it',
            needs_seat=False,
            welcomes=True,
            needs_proof=True,
        ),
        Word.JOIN: OrderWord(
            (text_form(r"(?:join|accept)?[\s,;:.-]*phrase\s*[:=]?\s*(\S.*)"),),
            synonyms="accept",
            german="beitreten; mitspielen; ich bin dabei; bin dabei; ja gerne; annehmen",
            german_forms=(
                (
                    r"(?:beitreten|mitspielen|annehmen)?[\s,;:.-]*spruch\s*[:=]?\s*(?P<own>\S.*)",
                    "join phrase: {own}",
                ),
            ),
            help='Answer an invitation with "join" or "decline"; "join phrase: green tea" adds your own words to the shuffle.',
            welcomes=True,
        ),
        Word.DECLINE: OrderWord(
            synonyms="no thanks; call off; cancel",
            german="ablehnen; absagen; nein danke; leider keine zeit",
        ),
        Word.NEW: OrderWord(
            (Form(NEW, takes_line=True),),
            german="neu",
            german_forms=(
                (
                    r"neue?s?(?: partie| spiel| runde)?[\s:,]+(?P<own>\S+(?: 10(?: familie)?)?) mit (?P<own2>\S[\s\S]*)",
                    "new {own} with {own2}",
                ),
                (r"neue?s?(?: partie| spiel| runde)?[\s:,]+(?P<own>\S[\s\S]*)", "new {own}"),
            ),
            help='Start a game with "new phalanx with bob@example.org, Carol <carol@example.org>, max_battles 3, 2d per move"; it can go on over several lines, up to an empty one. Use the names of people you have played with; "bot", "2 bots" and "hard bot" can play, too. With "new phyliss open 4 players" anybody on this server can join.\n'
            'With "new phyliss with bob@example.org, carol@example.org, anonymous talk" the players can also talk without giving their names.',
            needs_seat=False,
            welcomes=True,
            needs_proof=True,
        ),
        Word.INVITE: OrderWord(
            (
                form(r"invit(?:e|ation)[\s:]+(link|off)[.!]?", lower),
                form(rf"invite[\s:]+{_GUEST}"),
            ),
            german="einladen; einladungslink = invite link; einladungslink aus = invite off",
            german_forms=(
                (r"einladen[\s:]+aus", "invite off"),
                (
                    r"einladen[\s:]+(?P<own>\S.*?) (?:statt|für) (?P<words>\S.*)",
                    "invite {own} instead of {words}",
                ),
                (r"einladen[\s:]+(?P<own>\S.*)", "invite {own}"),
            ),
            help='Fill an empty seat before your game begins with "invite carol@example.org", "bot" or "start without"; replace somebody who has not answered with "invite carol@example.org instead of bob". "invite link" brings a link to share in a chat.',
        ),
        Word.BOT: OrderWord(
            (
                form(
                    r"((?:(?:easy|hard) )?bot (?:instead of|for) \S.{0,60}|(?:easy|hard) bot)",
                    lower,
                ),
            ),
            german="starker bot = hard bot; leichter bot = easy bot",
            german_forms=((r"bot (?:statt|für) (?P<own>\S.*)", "bot instead of {own}"),),
        ),
        Word.WITHOUT: OrderWord(
            (form(r"start (?:the game )?without(?: (\S.{0,60}))?[.!]?"),),
            synonyms="start",
            german="ohne anfangen",
            german_forms=(
                (r"ohne (?P<own>\S.*?) anfangen", "start without {own}"),
                (r"(?:starten|starte|anfangen) ohne (?P<own>\S.*)", "start without {own}"),
            ),
        ),
        Word.TUTORIAL: OrderWord(
            synonyms="lesson",
            german="probepartie",
            help='Write "tutorial" to play a short game against a bot that explains itself.',
            needs_seat=False,
            welcomes=True,
            needs_proof=True,
        ),
        Word.SKIP: OrderWord(
            german="probepartie beenden",
            untold="every mail of a tutorial says it",
        ),
        Word.REMATCH: OrderWord(
            synonyms="revenge",
            german="revanche; noch einmal",
            help='When a game is over, "rematch" invites the same people to another one.',
        ),
        Word.OBSERVE: OrderWord(
            (form(rf"observe[\s:]+{_OWN_GAME}", lower),),
            german="zuschauen",
            german_forms=((r"zuschauen(?: bei)?[\s:]+(?P<own>\S+)", "observe {own}"),),
            help='Write "observe" and the name of a game to ask to watch it, "unobserve" and the name to stop watching.',
            needs_seat=False,
            needs_proof=True,
        ),
        Word.UNOBSERVE: OrderWord(
            (form(rf"unobserve[\s:]+{_OWN_GAME}", lower),),
            german="nicht mehr zuschauen",
            german_forms=((r"nicht mehr zuschauen(?: bei)?[\s:]+(?P<own>\S+)", "unobserve {own}"),),
            needs_seat=False,
            needs_proof=True,
        ),
        Word.REPLACE: OrderWord(
            (form(r"replace[\s:]+(\S.{0,40}?(?: (?:with|by)[\s:]+\S.{2,150})?)"),),
            german="ersetzen",
            german_forms=(
                (r"(?:ersetze|ersetzen) mich durch (?P<own>\S.*)", "replace me with {own}"),
                (
                    r"(?:ersetze|ersetzen)[\s:]+(?P<own>\S.*?) durch (?P<own2>\S.*)",
                    "replace {own} with {own2}",
                ),
            ),
            help='If Bob is away, write "replace bob with eve@example.org" to ask Eve to take over his seat; with "replace me with eve@example.org" she takes over yours.',
        ),
        Word.NEVER: OrderWord(
            (form(r"invitations[\s:=]+(on|off)[.!]?", lower),),
            synonyms="never; never invite me again",
            german="nie wieder; nie; einladungen aus = invitations off;"
            " einladungen an = invitations on",
            help='Write "invitations off" to get no more invitations from this server; "invitations on" takes that back.',
            needs_seat=False,
            needs_proof=True,
        ),
        Word.UNSUBSCRIBE: OrderWord(
            synonyms="opt out; remove me; no more mails",
            german="abmelden; abbestellen; austragen; keine mails mehr",
            help='Write "unsubscribe" to get no more mails from here; while you are in a game you read what you can do instead.',
            needs_seat=False,
            needs_proof=True,
        ),
        Word.RESIGN: OrderWord(
            (form(r"resign\W+(confirm)[^\w?？؟]*", lower),),
            german="aufgeben; aufgeben bestätigen = resign confirm",
            help=(
                'To leave a game for good, send a mail with nothing but the words "resign confirm". If a'
                ' mail then asks whether you mean it, answer that with "yes".'
            ),
        ),
        Word.CONFIRM: OrderWord(german="bestätigen", untold='the second half of "resign confirm"'),
    },
    "mails": {
        **{Word(name): row for name, row in player_settings.ROWS.items()},
    },
}
"""Order words by part of the help. If the forms of several words match, the first one is used."""

ORDER_WORDS: Mapping[Word, OrderWord] = {
    word: row for rows in PARTS.values() for word, row in rows.items()
}
