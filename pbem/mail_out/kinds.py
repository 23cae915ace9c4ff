"""The kinds of mail: one row each, with the values for a mail of that kind.

A new kind is a row here and its templates in `templates/email/<room>/<name>/`: `body.txt` and
`body.html`, if those of its base do not fit. Its values beside views and facts are one of the classes
below, or a new one; they are stored as JSON in the outbox.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Generic, Literal, TypeVar

import msgspec

from engine.api import JsonObject, JsonValue
from engine.sentences import Sentence, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.terms.tokens import OfferToken, PlayerToken, QuestionToken, Token
from pbem.language import translate
from pbem.mail_out import subjects
from pbem.mail_out.content import CrossTable, LineResult, StandingTable

PreviewOf = Literal["hand", "end", "lobby", "question", "person", "nobody"]
"""The data for a preview of a kind.

A seat of a running game, whose hand it shows; of a game that is over; of one that has not begun; a
player with a question; any player; nothing.
"""
Listed = tuple[tuple[str, str, str, str], ...]
"""Games in a list: id, title, players, state in words."""

NOTHING_SAID = Sentence("")
NO_STANDINGS = StandingTable(())
NO_CROSS = CrossTable("")


@dataclass(frozen=True, slots=True)
class Params:
    """The values of a mail beside views and facts."""


P = TypeVar("P", bound=Params)


@dataclass(frozen=True, slots=True)
class GameParams(Params):
    """The values of a mail about a game.

    Attributes:
        facts_after: the version after which facts are news; None: the version that the seat saw.
        announced_after: the same for facts that everybody must read; None: as `facts_after`.
        dealt_at: version of the deal, in the first mail.
        lines: the results of the reader's mail.
        is_look: that mail asked for the table.
        notes: further sentences.
    """

    facts_after: int | None = None
    announced_after: int | None = None
    dealt_at: int | None = None
    lines: tuple[LineResult, ...] = ()
    notes: tuple[Sentence, ...] = ()
    is_look: bool = False


@dataclass(frozen=True, slots=True)
class SlotParams(Params):
    """Words without a name in one slot of the day: its first version, its name."""

    first: int
    slot: str


@dataclass(frozen=True, slots=True)
class HistoryParams(Params):
    """How much of the history a player wants to read."""

    count: int
    only_talk: bool = False
    notes: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatingParams(Params):
    """A game that has not begun; `seat` is the vacant one.

    Attributes:
        again: it reminds of an invitation.
        inviter: the person who invites, if no player makes the game; `note` are their words.
    """

    seat: int | None = None
    again: bool = False
    renewed: bool = False
    notes: tuple[Sentence, ...] = ()
    inviter: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class WatchParams(Params):
    """An observer's unread versions: those after `since`, up to `version`."""

    game: str
    since: int
    version: int


@dataclass(frozen=True, slots=True)
class DigestParams(Params):
    """The games of a daily mail: id, seat, and the range of versions for each."""

    games: tuple[tuple[str, int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class NoteParams(Params):
    """A mail outside of a game; the fields are those of `ServiceMail`."""

    message: Sentence = NOTHING_SAID
    notes: tuple[Sentence, ...] = ()
    lines: tuple[LineResult, ...] = ()
    suggestions: tuple[str, ...] = ()
    title: str = ""

    def token(self, player_id: str, rotation: int) -> Token:
        """Return the token for answers: the reader's own address."""
        return PlayerToken(player_id, rotation)


@dataclass(frozen=True, slots=True)
class OfferParams(NoteParams):
    """A seat on offer; without a game the offer is over."""

    game: str = ""
    seat: int = 0

    def token(self, player_id: str, rotation: int) -> Token:
        """Return the token that takes the seat, if it is still on offer."""
        if not self.game:
            return PlayerToken(player_id, rotation)
        return OfferToken(GameId(self.game), self.seat, player_id)


@dataclass(frozen=True, slots=True)
class QuestionParams(NoteParams):
    """A question, by its id.

    Attributes:
        until: the instant up to which the addresses in the question wait.
        is_clear: it is about encryption alone, and must be readable for somebody who has lost their key.
    """

    question: str = ""
    until: str = ""
    is_clear: bool = False

    def token(self, player_id: str, rotation: int) -> Token:
        """Return the token that answers this question."""
        return QuestionToken(self.question)


@dataclass(frozen=True, slots=True)
class AnswerParams(NoteParams):
    """The answer to a question; the fields are those of `ServiceMail`.

    Attributes:
        export: the game whose log is attached.
        replay: the game of which a page is attached, as the reader may see it.
        contest: the page of the league or ladder that it is about, as name of the file; empty for none.
        is_long: the help lists everything.
    """

    text: str = ""
    is_long: bool = False
    games: Listed = ()
    open_games: Listed = ()
    rulesets: tuple[str, ...] = ()
    standings: StandingTable = NO_STANDINGS
    cross: CrossTable = NO_CROSS
    export: str = ""
    replay: str = ""
    contest: str = ""


@dataclass(frozen=True, slots=True)
class NewcomerParams(Params):
    """The question to a stranger who wrote a mail, or the answer that their mail waits for an admin."""

    name: str
    is_waiting: bool = False
    question: str = ""


@dataclass(frozen=True, slots=True)
class AlertParams(Params):
    """An English alert for an admin.

    Attributes:
        game: the game of an answer that does not name one.
        question: its id, if it asks something.
    """

    message: str = ""
    title: str = ""
    text: str | None = None
    game: str | None = None
    question: str = ""


@dataclass(frozen=True, slots=True)
class PingParams(Params):
    """What a ping tells: a code for the place `to`, or the decision of a seat.

    Attributes:
        question: the question that the code answers.
        again: the mail beside it reminds.
    """

    to: str = ""
    code: str = ""
    question: str = ""
    game: str = ""
    seat: int = 0
    decision: int = 0
    again: bool = False


@dataclass(frozen=True, slots=True)
class MailKind(Generic[P]):
    """A kind of mail.

    Attributes:
        room: the folder in `templates/email` that holds its own folder.
        params: its values beside views and facts.
        base: the frame in `templates/email/_base` for kinds without a body of their own.
        subject: what stands in the list of mails; a game's id follows. None: the game and its players.
        asks: the reader has a move to make, if it is their turn.
        is_question: a yes that needs only to be sent answers it.
        is_quiet: it contains neither a decision to make nor an act of an admin.
        dies_with_decision: it is worthless once its decision is over.
        reaches_unreachable: it is also sent to a player whose mails came back.
        is_theirs: it goes to an address of the player; if not, it says nothing about them.
        previews: None: it has no preview.
        sample: the values of a preview.
    """

    name: str
    room: str
    params: type[P]
    base: str = "service"
    subject: subjects.Subject | None = None
    asks: bool = False
    is_question: bool = False
    is_quiet: bool = False
    dies_with_decision: bool = False
    reaches_unreachable: bool = True
    is_theirs: bool = True
    previews: PreviewOf | None = None
    sample: P | None = None

    @property
    def folder(self) -> str:
        """Its folder of templates in `templates/email`."""
        return f"{self.room}/{self.name}"

    def read(self, params: JsonObject) -> P:
        """Read the values in an outbox row."""
        return msgspec.convert(params, self.params, dec_hook=_text)


def _text(kind: type, value: Any) -> Any:  # noqa: ANN401  (the signature of msgspec)
    return kind(value)


def to_json(params: Params, language: str) -> JsonObject:
    """Write the values for an outbox row, with sentences in a language.

    Empty values are left out.
    """
    said = {one.name: getattr(params, one.name) for one in fields(params)}
    return {
        name: _as_json(value, language)
        for name, value in said.items()
        if value is not None and value is not False and value not in ("", ())
    }


def _as_json(value: Any, language: str) -> JsonValue:  # noqa: ANN401  (the value of any field)
    if isinstance(value, Sentence):
        return translate(value, language)
    if isinstance(value, list | tuple):
        return [_as_json(item, language) for item in value]
    if isinstance(value, dict):
        return {name: _as_json(item, language) for name, item in value.items()}
    if is_dataclass(value):
        return {one.name: _as_json(getattr(value, one.name), language) for one in fields(value)}
    plain: JsonValue = value
    return plain


TURN = MailKind(
    "turn",
    "play",
    GameParams,
    "game",
    subjects.YOUR_TURN,
    asks=True,
    dies_with_decision=True,
    previews="hand",
)
REMINDER = MailKind(
    "reminder",
    "clock",
    GameParams,
    "game",
    sentence("Still your turn: {game}"),
    asks=True,
    dies_with_decision=True,
    reaches_unreachable=False,
    previews="hand",
)
ANSWER = MailKind(
    "answer",
    "play",
    GameParams,
    "game",
    subjects.of_answer,
    asks=True,
    previews="hand",
)
NOTICE = MailKind("notice", "play", GameParams, "game", reaches_unreachable=False, previews="hand")
STARTED = MailKind(
    "started",
    "play",
    GameParams,
    "game",
    subjects.of_start,
    asks=True,
    previews="hand",
)
TAKEOVER = MailKind("takeover", "votes", GameParams, "game", previews="hand")
FINISHED = MailKind("finished", "play", GameParams, "game", subjects.of_end, previews="end")
TIMED_OUT = MailKind("timed_out", "clock", GameParams, "game", asks=True)
TALK = MailKind("talk", "notify", GameParams, "talk", is_quiet=True)
ANONYMOUS = MailKind("anonymous", "notify", SlotParams, "talk", is_quiet=True)
HISTORY = MailKind("history", "letters", HistoryParams, "game", is_quiet=True)
OBSERVED = MailKind("observed", "votes", WatchParams, "game")

INVITATION = MailKind(
    "invitation",
    "lobby",
    SeatingParams,
    "lobby",
    subjects.of_invitation,
    previews="lobby",
)
CREATED = MailKind(
    "created", "lobby", SeatingParams, "lobby", subjects.of_own_game, previews="lobby"
)
ROUND = MailKind(
    "round",
    "league",
    SeatingParams,
    "lobby",
    subjects.of_round,
    previews="lobby",
)
VACANT = MailKind(
    "vacant", "lobby", SeatingParams, "lobby", sentence("A seat is free: {game}"), previews="lobby"
)

DIGEST = MailKind("digest", "clock", DigestParams, "game", subjects.of_digest)

HELP = MailKind(
    "help",
    "letters",
    AnswerParams,
    subject=sentence("Help: card games by e-mail"),
    previews="question",
)
RULES = MailKind("rules", "letters", AnswerParams, subject=subjects.of_rules, previews="question")
GAMES = MailKind(
    "games", "letters", AnswerParams, subject=sentence("Your games"), previews="question"
)
STANDINGS = MailKind(
    "standings", "letters", AnswerParams, subject=subjects.of_standings, previews="question"
)
LEAGUE = MailKind(
    "league",
    "league",
    AnswerParams,
    "league",
    subjects.of_league,
    previews="question",
)
LEAGUE_ROUND = MailKind(
    "league_round",
    "league",
    AnswerParams,
    "league",
    subjects.of_league_round,
    reaches_unreachable=False,
)
LEAGUE_END = MailKind("league_end", "league", AnswerParams, "league", subjects.of_league_end)
LADDER = MailKind("ladder", "league", AnswerParams, subject=subjects.of_ladder)
EXPORT = MailKind("export", "letters", AnswerParams, subject=sentence("The log of a game"))
REPLAY = MailKind("replay", "letters", AnswerParams, subject=sentence("A game to look through"))
TRIAL = MailKind("trial", "intake", NoteParams, subject=sentence("How your mail is read"))
_UNCHANGED = NoteParams(sentence("Nothing was changed."))
REFUSAL = MailKind(
    "refusal",
    "intake",
    NoteParams,
    subject=sentence("Your mail could not be carried out"),
    previews="person",
    sample=_UNCHANGED,
)
NOTED = MailKind(
    "noted",
    "intake",
    NoteParams,
    subject=subjects.of_note,
    previews="person",
    sample=_UNCHANGED,
)
BROWSER = MailKind(
    "browser",
    "intake",
    NoteParams,
    subject=sentence("A new browser opened your table"),
    previews="person",
    sample=_UNCHANGED,
)
_MEANT = QuestionParams(
    sentence("You will get no more mails once you answer yes."), question="q-sample"
)
ASK_ORDER = MailKind(
    "ask_order",
    "intake",
    QuestionParams,
    subject=sentence("Please confirm"),
    is_question=True,
    previews="person",
    sample=_MEANT,
)
ASK_STOP = MailKind(
    "ask_stop",
    "intake",
    QuestionParams,
    subject=sentence("Stop all mails?"),
    is_question=True,
    previews="person",
    sample=_MEANT,
)
ASK_SENDER = MailKind(
    "ask_sender",
    "intake",
    QuestionParams,
    subject=sentence("Was this mail yours?"),
    is_question=True,
)
ASK_SENDERS = MailKind(
    "ask_senders", "intake", QuestionParams, subject=sentence("Is one of these addresses yours?")
)
ASK_NEW = MailKind(
    "ask_new",
    "intake",
    QuestionParams,
    subject=sentence("Did you write this?"),
    is_question=True,
)
_STRANGER = NewcomerParams("Anna", question="q-sample")
WELCOME = MailKind(
    "welcome",
    "intake",
    NewcomerParams,
    subject=sentence("Card games by e-mail: was it you?"),
    previews="nobody",
    sample=_STRANGER,
)
BY_INVITATION = MailKind(
    "by_invitation",
    "intake",
    NewcomerParams,
    subject=sentence("Card games by e-mail: how to be invited"),
    is_theirs=False,
    previews="nobody",
    sample=_STRANGER,
)
ADDRESSES = MailKind(
    "addresses",
    "people",
    NoteParams,
    subject=sentence("Your addresses were changed"),
    is_theirs=False,
)
CONFIRM_ADDRESS = MailKind(
    "confirm_address",
    "people",
    QuestionParams,
    subject=sentence("Is this an address of yours?"),
    is_theirs=False,
)
STOPPED = MailKind("stopped", "people", NoteParams, subject=sentence("No more mails from now on"))
ASK_REACH = MailKind(
    "ask_reach",
    "people",
    NoteParams,
    subject=sentence("Do my mails reach you?"),
    previews="person",
    sample=_UNCHANGED,
)
OFFER = MailKind(
    "offer", "votes", OfferParams, subject=sentence("A seat in a game of cards by e-mail")
)
REPLACED = MailKind(
    "replaced", "votes", NoteParams, subject=sentence("Your seat was given to somebody else")
)
WITHDRAWN = MailKind(
    "withdrawn", "lobby", NoteParams, subject=sentence("Your invitation is no longer open")
)
PING = MailKind(
    "ping",
    "people",
    PingParams,
    subject=sentence("A ping"),
    dies_with_decision=True,
    is_theirs=False,
)
"""No mail: one line, which `service.letters.pings` writes and `pbem.pings` hands on."""
ALERT = MailKind(
    "alert",
    "admin",
    AlertParams,
    subject=subjects.of_alert,
    previews="nobody",
    sample=AlertParams("This is what an alert looks like; nothing has happened."),
)

KINDS: dict[str, MailKind[Any]] = {
    row.name: row for row in [*globals().values()] if isinstance(row, MailKind)
}
QUIET = frozenset(kind.name for kind in KINDS.values() if kind.is_quiet)
TEMPLATES = frozenset(
    f"{kind.folder}/{file}"
    for kind in KINDS.values()
    for file in ("subject.txt", "body.txt", "body.html")
)
"""Names of the templates of a mail, if they exist."""
