"""Content of messages as plain values, before rendering.

Templates render the content to text and HTML. The service builds it only from views and facts, so
that it contains nothing that is secret from the reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from engine.api import Fact, JsonObject
from pbem.domain.log.chain import NOTHING, Head
from pbem.domain.terms.timing import Timing
from pbem.language import SOURCE


@dataclass(frozen=True, slots=True)
class ListedMove:
    """A legal move with its number (from 21), text, and a link that needs only "Send".

    Attributes:
        order: the text in the log, with names for seats, or empty if it is the same as `text`.
    """

    number: int
    text: str
    mailto: str
    order: str = ""


@dataclass(frozen=True, slots=True)
class LineResult:
    """The result of one line of the player's message.

    Attributes:
        line: the player's text, at most 200 characters, control characters removed.
        outcome: `done`, `refused`, `not-done` (it follows a refused line, or for the reason in
            `message`), `unused` (not an order), `tried` (dry run: nothing was done), `asked` (done
            after the player confirms it), `read`, `quoted`: in a test, where nothing is done.
        move: canonical text of the executed move, or `join` for taking a seat, or None otherwise.
        message: for `refused`: the mistake, in one or two sentences. For `not-done`: the reason,
            unless it is the preceding line.
        rule: id in the rule book, or None.
        suggestions: legal orders, most similar first.
        links: for each suggestion a `mailto:` link that only needs to be sent, or empty if there
            are none.
        facts: for `tried`: the public facts that would result, each as kind, seat and data.
    """

    line: str
    outcome: str
    move: str | None = None
    message: str = ""
    rule: str | None = None
    suggestions: tuple[str, ...] = ()
    facts: tuple[list[Any], ...] = ()
    links: tuple[str, ...] = ()

    @property
    def told(self) -> tuple[Fact, ...]:
        """Return the facts of the line as `Fact` objects."""
        return tuple(Fact(*fact) for fact in self.facts)


@dataclass(frozen=True, slots=True)
class FinalResult:
    """The result of a game, as reported in the last message.

    Attributes:
        ranking: seats by place, equal places together.
        reason: `finished`, `stopped`, `last-seat`, `adjudicated`, or the reason an admin gave.
        scores: as in `engine.api.Outcome`.
        server_secret: hex, revealed now (GEN-4).
        phrases: by seat, exactly as used, or empty if none.
    """

    ranking: tuple[tuple[int, ...], ...]
    reason: str
    scores: object
    server_secret: str
    phrases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Speech:
    """A talk message as visible to one reader.

    Attributes:
        who: name of the writer, or empty for anonymous talk.
        at: when, shown in the reader's zone, or only the day for anonymous talk.
        text: exactly the writer's text, in lines.
        to: names of the recipients. Empty means everyone at the table.
        is_mine: True if the reader wrote it under their name.
        to_me: True if the reader is one of `to`.
    """

    who: str
    at: datetime
    text: str
    to: tuple[str, ...] = ()
    is_mine: bool = False
    to_me: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """An event or a message in the history, with its time.

    Attributes:
        sentences: the event in the reader's language.
        speech: the message, or None for an event.
        is_undone: True if it was taken back later.
    """

    at: datetime
    sentences: tuple[str, ...] = ()
    speech: Speech | None = None
    is_undone: bool = False


@dataclass(frozen=True, slots=True)
class TimeBank:
    """A seat's time bank.

    Attributes:
        base_at: when the time for a move ends and the bank starts to run.
        left: remaining seconds, not counting what was used since `base_at`.
        is_running: True if `base_at` had passed when the message was decided.
    """

    base_at: datetime
    left: int
    is_running: bool = False


@dataclass(frozen=True, slots=True)
class GameMail:
    """Any message about a running or finished game. Each kind uses the fields that it needs.

    Attributes:
        kind: name of a row in `pbem.mail_out.kinds`.
        ruleset: name, e.g. `phyliss`: selects the templates for table and facts.
        title: the game's display name, e.g. `Phyliss`.
        players: names by seat.
        reader: the reader's seat.
        dealt: False while people are still joining (an `answer` to `join`): no view yet.
        open_seats: seats that nobody was invited to and nobody took yet, before the deal.
        called: by seat, the names that orders can use for players, or empty for the others.
        to_act: seats that have to decide something now.
        happened: facts since the reader's last own move, oldest first, already filtered for the
            reader. Their kinds are the engine's (docstring of `engine.<game>`) and those of
            `pbem.domain.table.facts`.
        view: the engine's view of the reader's seat. Empty object while not dealt.
        moves: legal moves if the reader is to act. `moves_complete` is True if nothing else is
            legal.
        safe: number of the move that a missed deadline would play, or 0 if it is not in the list.
        has_moved: True if the reader has made a move in this game. Otherwise, in the first rounds,
            only messages that ask for a move use it.
        lines: results of the reader's message (`answer` only).
        deadline: aware time or None, shown in `zone` (IANA name) with the UTC offset.
            `is_overdue` is True if it had passed when the message was decided. It includes the
            bank.
        bank: bank of the seat to act whose deadline it is, or None.
        counts_until: end of the grace period, in a message sent during it.
        away_until: last day of the reader's vacation, if their current turn ends before that day.
        head: hash of the last event, whose number is `version`.
        before: head of the log in the previous message.
        commitment: hex (GEN-4).
        reply_to: the reply address with token.
        result: at the end only.
        notes: further plain sentences for the reader, e.g. the exact phrase used.
        skin: `standard` if the cards of Phase 10 are shown as two standard packs (P10-2).
        clock: the agreed clock settings, if the message shows them.
        bots: seats that bots play.
        paused: True if the clock is paused.
        gone: True if the reader's seat has left the game.
        observer: name of a reader who only watches. `reader` is then not a seat.
        rematch_mailto: link that requests another game. Used only in a message about the end.
        ballots: one sentence for each question that the reader votes on, except on the clock.
        vote_mailtos: links that vote yes and no, if exactly one question waits for the reader's
            vote.
        answer_mailto: link that answers in the thread. The text of the answer is appended to it.
        replay_file: name of the attached replay page, or empty without one.
        ics: True if the deadline is attached as a calendar file.
        talk: messages that the reader has not read yet, oldest first. `talk_left_out` is the number
            of older ones that do not fit.
        page_url: public page of the table, or empty if it has none.
        contest_url: public page of its league or ladder, or empty if there is none.
        seat_url: the reader's own page of the table, or empty if the message has no link to it.
        anonymous_talk: True if players may send talk without a name.
        history: earlier events that the reader asked for, oldest first (`history` only).
        language: the language of the message, one of `pbem.language.languages()`.
        standing: sentences about the reader's standing orders.
        motion: `pause` or `resume` during a vote on it. `asked` is True if the reader's vote is
            missing.
        at: when the message was decided.
        is_newcomer: True if the reader has had few turns in games of this ruleset, so that the
            message explains more.
        is_look: True if the message answers a request to see the table.
        awaited: names of people who have not joined yet, for a reader who has.
        confirms: True if it reports the reader's own last moves, because no other message did.
    """

    kind: str
    game_id: str
    ruleset: str
    title: str
    players: tuple[str, ...]
    reader: int
    dealt: bool
    to_act: tuple[int, ...]
    happened: tuple[Fact, ...]
    view: JsonObject
    moves: tuple[ListedMove, ...]
    moves_complete: bool
    lines: tuple[LineResult, ...]
    deadline: datetime | None
    zone: str
    head: str
    version: int
    commitment: str
    reply_to: str
    open_seats: tuple[int, ...] = ()
    result: FinalResult | None = None
    notes: tuple[str, ...] = ()
    skin: str = ""
    clock: Timing | None = None
    bots: tuple[int, ...] = ()
    paused: bool = False
    standing: tuple[str, ...] = ()
    motion: str | None = None
    asked: bool = False
    before: Head = NOTHING
    is_overdue: bool = False
    bank: TimeBank | None = None
    counts_until: datetime | None = None
    away_until: date | None = None
    gone: bool = False
    rematch_mailto: str = ""
    answer_mailto: str = ""
    replay_file: str = ""
    ballots: tuple[str, ...] = ()
    vote_mailtos: tuple[str, ...] = ()
    observer: str = ""
    ics: bool = False
    talk: tuple[Speech, ...] = ()
    talk_left_out: int = 0
    history: tuple[Entry, ...] = ()
    anonymous_talk: bool = False
    at: datetime | None = None
    is_newcomer: bool = True
    safe: int = 0
    has_moved: bool = True
    is_look: bool = False
    confirms: bool = False
    awaited: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    page_url: str = ""
    contest_url: str = ""
    seat_url: str = ""
    language: str = SOURCE

    @property
    def is_brief(self) -> bool:
        """True if the message asks for a move and contains little else."""
        return self.kind in ("turn", "reminder")

    @property
    def is_terse(self) -> bool:
        """True for a brief message to a reader who knows the game, which contains even less."""
        return self.is_brief and not self.is_newcomer


@dataclass(frozen=True, slots=True)
class TableSeat:
    """A seat of a game that has not begun.

    Attributes:
        status: as in `pbem.domain.table.game`, or `bot`.
        is_maker: True for the seat of the person who created the game.
        plays_like: rating of a bot of this level among bots, or None if unknown.
    """

    name: str
    status: str
    is_maker: bool = False
    plays_like: int | None = None


@dataclass(frozen=True, slots=True)
class InvitationMail:
    """A game that has not begun: its players, its rules, how to accept or opt out.

    Kinds: `invitation`, `created` (to the game's creator), `vacant` (asks the creator about a
    vacant seat).

    Attributes:
        inviter: name of the inviting person, or "the admin".
        clock: the clock settings of the game.
        options: non-default options of this game, a sentence each.
        expected_mails: approximate number of messages from all players together.
        operator: True if the reader operates the server: their phrase stays empty (fairness).
        anonymous_talk: True if players may send talk without a name.
        join_mailto, decline_mailto: links with prepared body. `never_mailto`: to get no more
            messages from us. `lesson_mailto`: to play a tutorial first.
        expected_days: duration if everyone answers within half a day. 0 means unknown.
        seats: seats of the table. `vacant` is the seat that a message of that kind is about.
        vacant_is_open: True if anyone may take that seat.
        again: True if the invitation is repeated.
        renewed: True if the game was recreated with fewer seats.
        may_shrink: True if it can be played with one seat less.
        may_link: True if its creator can share a link to the free seats.
        lesson: True for a short game that explains itself.
        shorter: sentence on how to make the game shorter, or empty if its length is fine.
        runs_out: until when an answer counts.
        notes: sentences of the service, shown first.
        round: round of the league to which the game belongs, or None for any other game.
        challenge: True if the game counts on a ladder.
        contest_url: public page of its league or ladder, or empty if it has none.
    """

    game_id: str
    ruleset: str
    title: str
    players: tuple[str, ...]
    reader: int
    inviter: str
    options: tuple[str, ...]
    expected_mails: int | None
    commitment: str
    operator: bool
    reply_to: str
    join_mailto: str
    decline_mailto: str
    head: str
    version: int
    clock: Timing
    before: Head = NOTHING
    kind: str = "invitation"
    anonymous_talk: bool = False
    language: str = SOURCE
    never_mailto: str = ""
    lesson_mailto: str = ""
    expected_days: int = 0
    seats: tuple[TableSeat, ...] = ()
    vacant: int | None = None
    again: bool = False
    renewed: bool = False
    may_shrink: bool = False
    may_link: bool = False
    vacant_is_open: bool = False
    lesson: bool = False
    shorter: str = ""
    runs_out: datetime | None = None
    zone: str = "UTC"
    notes: tuple[str, ...] = ()
    round: RoundPart | None = None
    contest_url: str = ""
    challenge: bool = False


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A row of the standings: the reader, or a person with whom the reader finished a game.

    Attributes:
        place: place in the whole list, from 1.
        rating, uncertainty, surely: in tenths. `surely` is the cautious value.
        games: number of rated games.
        on_time: percentage of turns played on time, or None if there were none.
        against: number of games in which the reader was ahead, behind, level, or None for the
            reader.
    """

    place: int
    name: str
    is_reader: bool
    rating: int
    uncertainty: int
    surely: int
    games: int
    on_time: int | None
    against: tuple[int, int, int] | None


@dataclass(frozen=True, slots=True)
class OwnRating:
    """The reader's rating in one ruleset, in tenths."""

    title: str
    ruleset: str
    rating: int
    uncertainty: int
    games: int


@dataclass(frozen=True, slots=True)
class StandingTable:
    """The list in a message of kind `standings` or `ladder`.

    Attributes:
        left_out: number of people who are not in `lines`.
        bots: levels with the ratings that their play corresponds to.
    """

    lines: tuple[StandingLine, ...]
    own: tuple[OwnRating, ...] = ()
    left_out: int = 0
    bots: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class CrossLine:
    """A player's row in a league table.

    Attributes:
        rounds: points in each shown round, in 120ths of a won game, or None for none.
        opponents: names of the others at the same table, for each shown round.
        opposition: sum of their mean points, in 7200ths.
    """

    place: int
    name: str
    is_reader: bool
    rounds: tuple[int | None, ...]
    opponents: tuple[tuple[str, ...], ...]
    points: int
    opposition: int
    has_left: bool = False


@dataclass(frozen=True, slots=True)
class CrossTable:
    """A league table: a row for each player, a column for each round.

    Attributes:
        rounds: number of rounds that have begun, out of `of`.
        first: number of the first round that is shown.
        winner: names of the winners, or empty while the league is running.
    """

    league: str
    title: str = ""
    rounds: int = 0
    of: int = 0
    first: int = 1
    lines: tuple[CrossLine, ...] = ()
    winner: str = ""


@dataclass(frozen=True, slots=True)
class RoundPart:
    """The league round to which a game belongs, and when it starts and ends."""

    league: str
    number: int
    of: int
    deals_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class ServiceMail:
    """A message that is not about a position of a game.

    Attributes:
        kind: name of a row in `pbem.mail_out.kinds`.
        message: one or two sentences.
        title: subject matter for the subject line, e.g. the game of these `rules`, or the orders
            carried out.
        text: a longer plain text, shown unchanged.
        games: (game id, title, players, state in words).
        open_games: the same for games with a seat that the reader could take.
        rulesets: games that the reader plays. Help covers only those, if there are any.
        is_long: True if the help lists all orders, not just ten lines.
        suggestions: orders that the reader can write.
        links: (suggestion, `mailto:` link that only needs to be sent), if this address accepts it.
        notes: further sentences, e.g. on how many questions are answered.
        cross: table of the league that the message is about.
        contest_url: public page of that league, or of the ladder, or empty if it has none.
        yes_mailto: link that answers a question with yes and only needs to be sent.
    """

    kind: str
    name: str
    reply_to: str
    message: str = ""
    title: str = ""
    text: str = ""
    is_long: bool = False
    games: tuple[tuple[str, str, str, str], ...] = ()
    lines: tuple[LineResult, ...] = ()
    suggestions: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    rulesets: tuple[str, ...] = ()
    open_games: tuple[tuple[str, str, str, str], ...] = ()
    standings: StandingTable = StandingTable(())
    yes_mailto: str = ""
    language: str = SOURCE
    cross: CrossTable = CrossTable("")
    contest_url: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DigestMail:
    """A daily digest (kind `digest`): the news of each running game of the reader.

    Attributes:
        name: name of the reader.
        games: content as in turn messages. Table and moves are not shown.
        board_mailtos: for each game a link that requests its table.
        reply_to: the reader's own address for settings. Each game has its own.
    """

    name: str
    games: tuple[GameMail, ...]
    board_mailtos: tuple[str, ...]
    reply_to: str
    kind: str = "digest"
    language: str = SOURCE


Content = GameMail | InvitationMail | ServiceMail | DigestMail
