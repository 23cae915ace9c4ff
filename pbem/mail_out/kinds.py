"""Registry of the kinds of messages, one row each.

A new kind is a row here and its templates `body.txt` and `body.html` in
`templates/email/<room>/<name>/`, unless those of its base fit. Its parameters, besides views and
facts, are an instance of one of the classes below, or of a new one. They are stored as JSON in the
outbox.
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
"""Data that the preview of a message needs.

In order: a seat of a running game (whose hand is shown), a finished game, a game that has not
started, a player with a question, any player, or no data.
"""
Listed = tuple[tuple[str, str, str, str], ...]
"""Games in a list: id, title, players, state in words."""

NOTHING_SAID = Sentence("")
NO_STANDINGS = StandingTable(())
NO_CROSS = CrossTable("")


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of a message, besides views and facts."""


P = TypeVar("P", bound=Params)


@dataclass(frozen=True, slots=True)
class GameParams(Params):
    """Parameters of a message about a game.

    Attributes:
        facts_after: version after which facts are news. None means the version that the seat saw.
        announced_after: the same for announced facts. None means `facts_after`.
        dealt_at: version of the deal, in the first message.
        lines: results of the reader's message.
        is_look: True if that message requested the table.
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
    """Anonymous talk of one slot of the day: first version and name of the slot."""

    first: int
    slot: str


@dataclass(frozen=True, slots=True)
class HistoryParams(Params):
    """The part of the history that a player wants to read."""

    count: int
    only_talk: bool = False
    notes: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatingParams(Params):
    """Parameters of a message about a game that has not begun. `seat` is the vacant seat.

    Attributes:
        again: True if the message is a reminder of an invitation.
        inviter: inviting person, if the game was not created by a player. `note` is their text.
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
    """The games of a daily digest: id, seat, and range of versions of each."""

    games: tuple[tuple[str, int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class NoteParams(Params):
    """A message outside games. The fields are those of `ServiceMail`."""

    message: Sentence = NOTHING_SAID
    notes: tuple[Sentence, ...] = ()
    lines: tuple[LineResult, ...] = ()
    suggestions: tuple[str, ...] = ()
    title: str = ""

    def token(self, player_id: str, rotation: int) -> Token:
        """Return the token for replies, which identifies the player's own reply address."""
        return PlayerToken(player_id, rotation)


@dataclass(frozen=True, slots=True)
class OfferParams(NoteParams):
    """An offer of a seat. Without a game, the end of an offer."""

    game: str = ""
    seat: int = 0

    def token(self, player_id: str, rotation: int) -> Token:
        """Return the token that accepts the seat if it is still offered."""
        if not self.game:
            return PlayerToken(player_id, rotation)
        return OfferToken(GameId(self.game), self.seat, player_id)


@dataclass(frozen=True, slots=True)
class QuestionParams(NoteParams):
    """A question, by its id.

    Attributes:
        until: when the addresses in the question expire.
        is_clear: True if it is about encryption only and must be readable by someone who has lost
            their key.
    """

    question: str = ""
    until: str = ""
    is_clear: bool = False

    def token(self, player_id: str, rotation: int) -> Token:
        """Return the token for replies to this question."""
        return QuestionToken(self.question)


@dataclass(frozen=True, slots=True)
class AnswerParams(NoteParams):
    """An answer with information. The fields are those of `ServiceMail`.

    Attributes:
        export: game whose log is attached.
        replay: game of which a replay page is attached, as the reader may see it.
        contest: file name of the page of its league or ladder, or empty for none.
        is_long: True if the help lists everything.
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
    """A question to an unregistered sender, or the answer that their message waits for an admin.

    Attributes:
        language: language of the message, or empty for the service's default.
        message: the invitation that they want to accept, or empty.
    """

    name: str
    is_waiting: bool = False
    question: str = ""
    language: str = ""
    message: Sentence = NOTHING_SAID


@dataclass(frozen=True, slots=True)
class AlertParams(Params):
    """An English alert for an admin.

    Attributes:
        game: default game of an answer.
        question: question id, if it asks something.
    """

    message: str = ""
    title: str = ""
    text: str | None = None
    game: str | None = None
    question: str = ""


@dataclass(frozen=True, slots=True)
class PingParams(Params):
    """Parameters of a ping: a code for the target `to`, or the decision of a seat.

    Attributes:
        question: question that the code answers.
        again: True if the accompanying mail is a reminder.
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
        room: folder in `templates/email` that contains its own folder.
        params: class of its parameters.
        base: frame in `templates/email/_base` for kinds without a body of their own.
        subject: its subject, followed by the game id. None means the game and its players.
        asks: True if the reader has a move to make, provided that it is their turn.
        is_question: True if an unchanged reply with yes answers it.
        is_quiet: True if it contains neither a decision to make nor an admin's action.
        dies_with_decision: True if it becomes obsolete when its decision has been made.
        reaches_unreachable: True if it is also sent to a player whose messages bounced.
        is_theirs: True if it goes to an address of the player. Otherwise it must not reveal
            anything about them.
        previews: the data that a preview needs, or None without previews.
        sample: parameters of a preview.
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
        """Return the folder of its templates, relative to `templates/email`."""
        return f"{self.room}/{self.name}"

    def read(self, params: JsonObject) -> P:
        """Parse the parameters in an outbox row."""
        return msgspec.convert(params, self.params, dec_hook=_text)


def _text(kind: type, value: Any) -> Any:  # noqa: ANN401  (the signature of msgspec)
    return kind(value)


def to_json(params: Params, language: str) -> JsonObject:
    """Convert parameters to JSON for an outbox row, with sentences in the given language.

    Empty values are omitted.
    """
    values = {field.name: getattr(params, field.name) for field in fields(params)}
    return {
        name: _as_json(value, language)
        for name, value in values.items()
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
        return {
            field.name: _as_json(getattr(value, field.name), language) for field in fields(value)
        }
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
LEAGUE_OPEN = MailKind(
    "league_open",
    "league",
    AnswerParams,
    "league",
    subjects.of_open_league,
    is_quiet=True,
    reaches_unreachable=False,
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
WEEKLY = MailKind(
    "weekly",
    "clock",
    NoteParams,
    subject=sentence("Your week at the card tables"),
    is_quiet=True,
    reaches_unreachable=False,
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
"""Not a message: one line, which `service.letters.pings` writes and `pbem.pings` sends."""
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
"""Names of the templates of a message, if they exist."""
