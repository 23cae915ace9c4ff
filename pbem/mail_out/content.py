"""The content of a mail before it has words, as plain values.

Templates turn them into text and HTML. The service builds them from views and facts only. They must
not hold anything that is secret from the reader.
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
    """A legal move: number from 21, text for people, link that needs only "Send".

    `order` is the text of the log, with names for seats; empty if it is the same.
    """

    number: int
    text: str
    mailto: str
    order: str = ""


@dataclass(frozen=True, slots=True)
class LineResult:
    """The result of one line of the player's mail.

    Attributes:
        line: the player's own words, at most 200 characters, control characters removed.
        outcome: `done`, `refused`, `not-done` (came after a refused line, or for the reason in
            `message`), `unused` (not an order),
            `tried` (a dry run: nothing was done), `asked` (done once the player answers another
            mail); `read`, `quoted`: of a test, where nothing is done.
        move: canonical text of the executed move; `join` of who took a seat; None otherwise.
        message: for `refused`: the mistake, in one or two sentences; for `not-done`: the reason, if
            it is not the line before.
        rule: rule-book id or None.
        suggestions: legal orders, nearest first.
        links: for each suggestion a `mailto:` link that needs only to be sent; empty if there are
            none.
        facts: for `tried`: what everybody would read, each kind, seat and data.
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
        """`facts` as values."""
        return tuple(Fact(*fact) for fact in self.facts)


@dataclass(frozen=True, slots=True)
class FinalResult:
    """The end of a game, as the last mail tells it.

    Attributes:
        ranking: seats by place, equal places together.
        reason: `finished`, `stopped`, `last-seat`, `adjudicated`, or the reason an admin gave.
        scores: as in `engine.api.Outcome`.
        server_secret: hex, opened now (GEN-4).
        phrases: by seat, exactly as used; empty if none.
        game_seed: hex.
    """

    ranking: tuple[tuple[int, ...], ...]
    reason: str
    scores: object
    server_secret: str
    phrases: tuple[str, ...]
    game_seed: str


@dataclass(frozen=True, slots=True)
class Speech:
    """A player's words, as far as a reader can know them.

    Attributes:
        who: name of the writer; empty for words without a name.
        at: when, shown in the reader's zone; for words without a name only the day.
        text: exactly the writer's words, in lines.
        to: names of the only readers; empty = everybody at the table.
        is_mine: the reader wrote it, with the name.
        to_me: the reader is one of `to`.
    """

    who: str
    at: datetime
    text: str
    to: tuple[str, ...] = ()
    is_mine: bool = False
    to_me: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """An event or a message, at an instant.

    Attributes:
        sentences: what happened, in the reader's words.
        speech: the message; None for an event.
        is_undone: it was taken back later.
    """

    at: datetime
    sentences: tuple[str, ...] = ()
    speech: Speech | None = None
    is_undone: bool = False


@dataclass(frozen=True, slots=True)
class TimeBank:
    """The time of one seat beside its time for a move.

    Attributes:
        base_at: when the time for a move is over and the bank begins to run.
        left: seconds that it holds, without what it lost since `base_at`.
        is_running: `base_at` had passed when the mail was decided.
    """

    base_at: datetime
    left: int
    is_running: bool = False


@dataclass(frozen=True, slots=True)
class GameMail:
    """Any mail about a running or finished game; a kind uses the parts it needs.

    Attributes:
        kind: name of a row in `pbem.mail_out.kinds`.
        ruleset: name, e.g. `phyliss`: chooses the includes for table and facts.
        title: the game's name for people, e.g. `Phyliss`.
        players: names by seat.
        reader: the reader's seat.
        dealt: False while people are still joining (an `answer` to `join`): no view yet.
        called: the names by which an order can call somebody, by seat; empty for the others.
        to_act: seats that have to decide something now.
        happened: facts since the reader's last own move, oldest first, already filtered for the
            reader. They are of the engine's kinds (docstring of `engine.<game>`) and those of
            `pbem.domain.table.facts`.
        view: the engine's view of the reader's seat; empty object while not dealt.
        moves: legal moves if the reader is to act; `moves_complete` = nothing else is legal.
        safe: number of the move that a missed deadline would play; 0 if it is not among them.
        has_moved: the reader has made a move in this game; in the first rounds, only mails that ask for
            a move are told if not.
        lines: the results of the reader's mail (`answer` only).
        deadline: aware instant or None; shown in `zone` (IANA name) with the UTC offset;
            `is_overdue`: it had passed when the mail was decided. The bank lasts until then.
        bank: of the seat to act, whose deadline that is; None if it has none.
        counts_until: the end of the grace, if the mail is of the time between.
        away_until: the last day of the reader's vacation, if their running turn ends before it does.
        head: hash of the last event; `version` its number.
        before: the head of the log in the mail before.
        commitment: hex (GEN-4).
        reply_to: the reply address with token.
        result: at the end only.
        notes: further plain sentences for the reader, e.g. the exact phrase used.
        skin: `standard` if the cards of Phase 10 are shown as two standard packs (P10-2).
        clock: the time rules that the players agreed on, if the mail tells them.
        bots: seats that bots play.
        paused: the clock is stopped.
        gone: the reader's seat has left the game.
        observer: name of the reader, if they only watch: then `reader` is not a seat.
        rematch_mailto: link that asks for another game; only in a mail about the end.
        ballots: the questions that the reader votes on, except on the clock; a sentence each.
        vote_mailtos: links that vote yes and no, if exactly one question waits for the reader's vote.
        answer_mailto: link that answers in the thread; the words of the answer go at its end.
        replay_file: name of the attached page that steps through the game; empty without one.
        ics: the mail brings its deadline for calendars.
        talk: messages that the reader has not read yet, oldest first; `talk_left_out` counts older
            ones that do not fit in.
        page_url: where the table can be seen in a browser; empty if it has no page.
        contest_url: the same of its league or ladder.
        seat_url: the reader's own page of the table; empty where the mail has no link to it.
        anonymous_talk: the players can speak without a name.
        history: the earlier events that the reader asked for, oldest first (`history` only).
        language: the language of the mail, one of `pbem.language.languages()`.
        standing: sentences about the reader's standing orders.
        motion: `pause` or `resume` during a vote on it; `asked`: the reader still has to vote.
        at: when the mail was decided.
        is_newcomer: the reader has had few turns in games of these rules: the mail explains more.
        is_look: the mail answers somebody who wants to see the table.
        awaited: names of those who have not joined yet, for a reader who has.
        confirms: it tells the reader's own last moves, because no other mail did.
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
        """True if the mail asks for a move, and tells little beside it."""
        return self.kind in ("turn", "reminder")

    @property
    def is_terse(self) -> bool:
        """True if it tells a reader who knows the game even less."""
        return self.is_brief and not self.is_newcomer


@dataclass(frozen=True, slots=True)
class TableSeat:
    """A seat of a game that has not begun.

    Attributes:
        status: as in `pbem.domain.table.game`, or `bot`.
        is_maker: this seat belongs to the maker of the game.
        plays_like: the rating that a bot of this level has among bots; None if nobody knows.
    """

    name: str
    status: str
    is_maker: bool = False
    plays_like: int | None = None


@dataclass(frozen=True, slots=True)
class InvitationMail:
    """A game that has not begun: its players, its rules, how to accept or opt out.

    Kinds: `invitation`, `created` (to the maker of the game), `vacant` (asks the maker about a
    vacant seat).

    Attributes:
        inviter: name of the inviting person, or "the admin".
        clock: the time rules that the players agree on.
        options: what is not as usual in this game, a sentence each.
        expected_mails: how many mails all players together will send, roughly.
        operator: the server is the reader's own: their phrase stays empty (fairness).
        anonymous_talk: the players can speak without a name.
        join_mailto, decline_mailto: links with body filled in; `never_mailto`: to get no more mails
            from us; `lesson_mailto`: to learn the game first.
        expected_days: if everybody answers within half a day; 0 = unknown.
        seats: of the table; `vacant`: the subject of a mail of that kind.
        vacant_is_open: that seat was a place for anybody.
        again: the invitation is repeated.
        renewed: the game was made anew with fewer seats.
        may_shrink: it can be played with one seat less.
        lesson: a short game that explains itself.
        shorter: how the game could be shorter, in a sentence; empty if its length is fine.
        runs_out: the instant until which an answer counts.
        notes: sentences of the service, said first.
        round: of the league to which the game belongs; None for any other game.
        challenge: the game counts on a ladder.
        contest_url: where its league or ladder can be seen in a browser; empty if it has no page.
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
    """The reader, or a person with whom the reader finished a game.

    Attributes:
        place: in the whole list, the best first.
        rating, uncertainty, surely: in tenths; `surely` is the cautious value.
        games: how many were rated.
        on_time: percent of the turns; None if there was none.
        against: games in which the reader was ahead, behind, level; None for the reader.
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
    """The list in a mail of kind `standings` or `ladder`.

    `left_out` people are between or behind the lines; `bots` are levels and what they play like.
    """

    lines: tuple[StandingLine, ...]
    own: tuple[OwnRating, ...] = ()
    left_out: int = 0
    bots: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class CrossLine:
    """How a player of a league stands.

    Attributes:
        rounds: what each shown round gave, in 120ths of a won game; None for nothing.
        opponents: places of those at the same table, for each shown round.
        opposition: the mean of their points, added up; in 7200ths.
    """

    place: int
    name: str
    is_reader: bool
    rounds: tuple[int | None, ...]
    opponents: tuple[tuple[int, ...], ...]
    points: int
    opposition: int
    has_left: bool = False


@dataclass(frozen=True, slots=True)
class CrossTable:
    """A league as it stands: a line for each player, a column for each round.

    Attributes:
        rounds: how many were played or are; `of` so many.
        first: number of the first round that is shown.
        winner: names of who won; empty while it goes on.
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
    """The round of a league to which a game belongs, and when it is dealt and ends."""

    league: str
    number: int
    of: int
    deals_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class ServiceMail:
    """A mail that is not about a position of a game.

    Attributes:
        kind: name of a row in `pbem.mail_out.kinds`.
        message: one or two sentences.
        title: what its subject names, e.g. the game whose `rules` these are, or the orders carried out.
        text: a longer plain text to show as it is.
        games: (game id, title, players, state in words).
        open_games: the same for games with a place that the reader could take.
        rulesets: games that the reader plays; help is about those alone, if there are any.
        is_long: the help lists everything that a player can write, not just ten lines.
        suggestions: what the reader can write.
        links: (suggestion, `mailto:` link that needs only to be sent), where this address takes it.
        notes: further sentences, e.g. on how many questions are answered.
        cross: how the league stands that the mail is about.
        contest_url: where that league, or the ladder, can be seen in a browser; empty if it has no page.
        yes_mailto: link that answers a question with yes and needs only to be sent.
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
    """One mail a day (kind `digest`): the news of each running game of the reader.

    Attributes:
        name: of the reader.
        games: as turn mails would tell them; table and moves are not shown.
        board_mailtos: for each game a link that asks for its table.
        reply_to: the reader's own address for settings; each game has its own.
    """

    name: str
    games: tuple[GameMail, ...]
    board_mailtos: tuple[str, ...]
    reply_to: str
    kind: str = "digest"
    language: str = SOURCE


Content = GameMail | InvitationMail | ServiceMail | DigestMail
