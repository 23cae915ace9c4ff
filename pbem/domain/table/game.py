"""The state of one game as the service sees it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias, TypeVar

from engine.api import (
    AnyRuleset,
    Fact,
    JsonObject,
    OptionValue,
    Outcome,
    Seat,
    Setup,
    Source,
)
from engine.shuffle import game_seed
from pbem.domain.log.chain import GameId
from pbem.domain.log.events import GameFinished, Recorded
from pbem.domain.terms.seats import is_tutor
from pbem.domain.terms.timing import Timing

T = TypeVar("T")

NEWS_LIMIT = 300
"""Facts kept for "what happened since my last move"; older ones are in the log."""
REVEALED = "hands_revealed"
"""Kind of the fact that an admin looked at hidden cards: kept until everybody has read of it."""

UNFINISHED = ("inviting", "running")
"""Status of a game that is not over."""
AT_TABLE = ("invited", "joined")
"""Status of a seat whose person is at the table, or asked to be."""
CHOSEN_SOURCES = frozenset({"mail", "standing", "admin", "bot"})
"""Sources of plies that somebody decided; the others are played by the service."""

ENGINE_SOURCES = {"forced": Source.FORCED, "standby": Source.STANDBY}


def replace(value: T, **changes: Any) -> T:  # noqa: ANN401  (as `dataclasses.replace`)
    """Return a changed copy, in a tenth of the time of `dataclasses.replace`.

    The class has no slots and does nothing after its construction: all fields are taken over at once.
    Raises: KeyError for a field that it has not.
    """
    held = value.__dict__
    taken = held | changes
    if len(taken) != len(held):
        raise KeyError(*(changes.keys() - held.keys()))
    changed: T = object.__new__(type(value))
    object.__setattr__(changed, "__dict__", taken)
    return changed


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing orders of a seat, of which nobody else knows.

    Attributes:
        wanted: the standing order for the next turn, as `next_order.text_of` writes it; empty = none.
        given_in: the decision in whose turn it was given, so that it is for the turn after that; 0 =
            the seat was not to act.
        is_void: another deal has begun since.
        drawing: the rule for drawing in Phase 10, as `drawing_text` writes it; empty = none.
    """

    wanted: str = field(default="", repr=False)
    given_in: int = 0
    is_void: bool = False
    drawing: str = field(default="", repr=False)


@dataclass(frozen=True)
class SeatState:
    """One seat of a game.

    Attributes:
        player: player id.
        status: `invited`, `joined`, `declined`, `expired`, `open`, `resigned`, `removed`.
        generation: counts the people who sat here, from 1.
        phrase: what the person added to the shuffles; None = not given (yet).
        decision: version of the event that gave the seat something to decide; None = nothing.
        seen: version of the seat's last own chosen ply: facts after it are news.
        is_unreachable: mails do not reach the person.
        bank_used: seconds beside the time per move that were used up.
        vacations: (first, last), ISO dates of the player's zone, both included.
        misses: turns in a row that were played for the seat because it was silent.
        excused: of each miss that was excused and still counts as one, how many turns the player has
            played since.
        silent_since: when a bot began to sit in, without pauses and outages; None = it does not.
        controller: who decides for the seat: `person` or `bot`.
        standing: its standing orders.
        muted: whose words the person does not read: player ids, `anonymous`.
        has_chosen: the person has made the secret choice that is not revealed yet.
    """

    player: str
    status: str = "invited"
    generation: int = 1
    phrase: str | None = field(default=None, repr=False)
    decision: int | None = None
    seen: int = 0
    is_unreachable: bool = False
    bank_used: int = 0
    vacations: tuple[tuple[str, str], ...] = ()
    misses: int = 0
    excused: tuple[int, ...] = ()
    silent_since: datetime | None = None
    controller: str = "person"
    standing: Standing = Standing()
    muted: tuple[str, ...] = ()
    has_chosen: bool = field(default=False, repr=False)


@dataclass(frozen=True)
class OpenDeadline:
    """The running deadline; `version` and instants as in its DeadlineSet.

    `vacation_moved`: by how many seconds days off announced since then moved it.
    """

    version: int
    seats: tuple[int, ...]
    starts_at: datetime
    base_at: datetime
    due_at: datetime
    fires_at: datetime
    reminders: tuple[datetime, ...]
    vacation_moved: int = 0


@dataclass(frozen=True, slots=True)
class OpenDispute:
    """A dispute that is not resolved yet; `version` is that of its DisputeOpened."""

    number: int
    seat: int
    version: int


@dataclass(frozen=True, slots=True)
class OpenMotion:
    """A motion that is voted on, beside those about the clock.

    Attributes:
        kind: one of `pbem.domain.log.motion_events.VOTED_ON`.
        version: of the event that opened it.
        seat: who asked; -1 = a person who does not play.
        terms: what it would do, as in that event.
    """

    kind: str
    version: int
    seat: int
    terms: JsonObject

    def number(self, name: str) -> int:
        """Return a term that is a number."""
        value = self.terms[name]
        if not isinstance(value, int):
            raise TypeError(f"the term {name} is no number")
        return value


@dataclass(frozen=True, slots=True)
class OpenOffer:
    """A seat that a person was asked to take over.

    `version`: that of its MotionOpened. `while_away`: it was offered because its player was away.
    """

    seat: int
    player: str
    expires_at: datetime
    version: int
    while_away: bool


class TurnCounts(NamedTuple):
    """How punctual a person was in a seat.

    Attributes:
        on_time: deadlines that the person answered before they passed.
        late: deadlines that passed without an answer.
        passed: the last of those, as the version of its DeadlineSet; 0 for none.
    """

    on_time: int = 0
    late: int = 0
    passed: int = 0


Punctuality: TypeAlias = dict[tuple[int, str], TurnCounts]
"""By seat and player id, also of players who have left."""


class News(NamedTuple):
    """A fact and the version of the event that it follows from."""

    version: int
    fact: Fact


@dataclass(frozen=True)
class Game:
    """A game, folded from its stream.

    Attributes:
        status: `inviting`, `running`, `finished`, `stopped`.
        creator: id of the player who made it; empty if an admin did.
        state: the engine's state; None before the deal.
        position: version of the last event that changed what a seat can decide on; older lists of
            moves are out of date. A secret choice changes only the chooser's view.
        deadline: None while nobody has one.
        paused_at: since when the clock stands still; None = it runs.
        paused_by: who stopped the clock, as in `GamePaused`; empty while it runs.
        vacations_then: of each seat, as they were known when the clock was stopped; empty while it runs.
        votes: on open motions, by kind: who is for (True) or against it.
        motions: those that are open, but for the clock's standing still.
        observers: ids of the people who watch.
        offers: seats that a person was asked to take over.
        undo_asked: position at which moves were last asked to be taken back.
        asked: seats that the admin was asked about since the deadline was set or moved.
        compensated: end of the last gap of the service that the running deadline was moved for.
        retracted: first and last version of the branches that were taken back, oldest first.
        disputes: those that are open; `disputed` counts all that ever were.
        league: the league and the round that it belongs to, as in `GameCreated`; empty for none.
        is_challenge: it counts on the ladder of its ruleset: both play it who were asked.
        anonymous_talk: the players may speak without a name.
        against_page: seats that want no page of the game, ascending.
        news: facts since the longest silence at the table, oldest first.
        created_at, ended_at: when the first event and the one that ended the game were recorded.
        turns: how punctual its players are.
    """

    id: GameId
    version: int
    head: str
    status: str
    ruleset: AnyRuleset
    options: dict[str, OptionValue]
    seats: tuple[SeatState, ...]
    operator_seats: tuple[int, ...]
    timing: Timing
    commitment: str
    server_secret: str = field(repr=False)
    created_at: datetime
    state: Any = field(default=None, repr=False)
    position: int = 0
    deadline: OpenDeadline | None = None
    paused_at: datetime | None = None
    paused_by: str = ""
    vacations_then: tuple[tuple[tuple[str, str], ...], ...] = ()
    votes: dict[str, dict[int, bool]] = field(default_factory=dict)
    motions: tuple[OpenMotion, ...] = ()
    undo_asked: int = 0
    observers: tuple[str, ...] = ()
    offers: tuple[OpenOffer, ...] = ()
    asked: tuple[int, ...] = ()
    compensated: datetime | None = None
    retracted: tuple[tuple[int, int], ...] = ()
    disputes: tuple[OpenDispute, ...] = ()
    disputed: int = 0
    news: tuple[News, ...] = field(default=(), repr=False)
    finished: GameFinished | None = None
    creator: str = ""
    league: str = ""
    is_challenge: bool = False
    anonymous_talk: bool = False
    against_page: tuple[int, ...] = ()
    ended_at: datetime | None = None
    turns: Punctuality = field(default_factory=dict)

    @property
    def time_per_move(self) -> int:
        """The time for every decision, in seconds."""
        return self.timing.time_per_move

    @property
    def setup(self) -> Setup:
        """What determines the shuffles and the rules."""
        phrases = [seat.phrase or "" for seat in self.seats]
        return Setup(
            players=len(self.seats),
            seed=game_seed(bytes.fromhex(self.server_secret), phrases),
            options=self.options,
        )

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Seats that have something to decide now."""
        if self.status != "running":
            return ()
        return tuple(self.ruleset.to_act(self.state))

    @property
    def to_decide(self) -> tuple[int, ...]:
        """Seats that a deadline is for: those to act, or all that choose in secret.

        A seat that has chosen stays among them, since nobody may see who has (GEN-6).
        """
        deadline = self.deadline
        if self.is_choosing and deadline is not None and deadline.version > self.position:
            return tuple(n for n in deadline.seats if self.seats[n].status == "joined")
        return tuple(int(seat) for seat in self.to_act)

    @property
    def is_choosing(self) -> bool:
        """True if the seats choose secretly now (GEN-6)."""
        return not self.is_over and self.state is not None and self.ruleset.is_choosing(self.state)

    def may_decide(self, seat: int) -> bool:
        """True if a seat has something to decide: it is to act, or may replace its choice."""
        return self.seats[seat].decision is not None

    def seats_of(self, player: str, statuses: Collection[str] = ()) -> list[int]:
        """Return the seats that a player has or had, of any status, or of some of them."""
        return [
            number
            for number, seat in enumerate(self.seats)
            if seat.player == player and (not statuses or seat.status in statuses)
        ]

    @property
    def bots(self) -> tuple[int, ...]:
        """The seats that bots play now."""
        return tuple(n for n, seat in enumerate(self.seats) if seat.controller == "bot")

    def waits_for(self, seat: int) -> bool:
        """True if the clock stands still because mails do not reach a seat."""
        return self.timing.unreachable == "wait" and self.seats[seat].is_unreachable

    @property
    def is_over(self) -> bool:
        """True if nothing can happen any more."""
        return self.status in ("finished", "stopped")

    def outcome(self) -> Outcome | None:
        """Return the engine's outcome; None before the deal and while it runs."""
        return None if self.state is None else self.ruleset.outcome(self.state)

    def news_of(self, seat: int | None, version: int) -> tuple[Fact, ...]:
        """Return the facts of one event that this seat (None: an observer) may read."""
        return tuple(
            news.fact
            for news in self.news
            if news.version == version and news.fact.audience in (None, seat)
        )

    def news_for(self, seat: int | None, after: int) -> tuple[Fact, ...]:
        """Return the facts after a version that this seat (None: an observer) may read."""
        return tuple(
            news.fact
            for news in self.news
            if news.version > after and news.fact.audience in (None, seat)
        )


def has_page(game: Game) -> bool:
    """True if everybody may see the table: cards were dealt, nobody objects, it is no lesson."""
    is_lesson = any(is_tutor(seat.player) for seat in game.seats)
    is_open = game.timing.observers != "off" and not game.against_page
    return game.state is not None and is_open and not is_lesson


def with_seat(game: Game, number: int, **changes: Any) -> Game:  # noqa: ANN401  (as `replace`)
    """Return the game with one seat changed."""
    seat = replace(game.seats[number], **changes)
    return replace(game, seats=(*game.seats[:number], seat, *game.seats[number + 1 :]))


def with_news(game: Game, version: int, facts: Iterable[Fact]) -> Game:
    """Return the game with news; what everybody has seen is forgotten."""
    return replace(game, news=news_with(game, version, facts))


def with_turn(game: Game, seat: int) -> Game:
    """Note that the player of a seat has played a turn: misses that were excused lie further back."""
    excused = game.seats[seat].excused
    if not excused:
        return game
    moves = game.timing.excused[1]
    return with_seat(game, seat, excused=tuple(n + 1 for n in excused if n + 1 < moves))


def with_fact(
    game: Game,
    version: int,
    kind: str,
    seat: int | None = None,
    data: JsonObject | None = None,
) -> Game:
    """Return the game with one piece of news that everybody may read."""
    fact = Fact(kind, None if seat is None else Seat(seat), data or {})
    return with_news(game, version, [fact])


def with_act(
    game: Game, item: Recorded, kind: str, seat: int | None = None, data: JsonObject | None = None
) -> Game:
    """Return the game with the news of an admin's act: who, and the reason."""
    said = {"admin": item.actor.removeprefix("admin:"), "reason": getattr(item.event, "reason", "")}
    return with_fact(game, item.version, kind, seat, {**(data or {}), **said})


def ended(game: Game, status: str, ended_at: datetime) -> Game:
    """End a game: nobody has anything to decide any more."""
    seats = tuple(replace(seat, decision=None, standing=Standing()) for seat in game.seats)
    return replace(game, status=status, deadline=None, seats=seats, ended_at=ended_at)


def news_with(game: Game, version: int, facts: Iterable[Fact]) -> tuple[News, ...]:
    """Return the news of a game with some more, without what everybody has seen."""
    oldest = seen_by_all(game.seats)
    kept = game.news
    if kept and kept[0].version <= oldest:
        kept = tuple([news for news in kept if news.version > oldest])
    added = tuple([News(version, fact) for fact in facts])
    too_many = len(kept) + len(added) - NEWS_LIMIT
    if too_many <= 0:
        return kept + added
    looks = tuple([news for news in kept[:too_many] if news.fact.kind == REVEALED])
    return looks + kept[too_many:] + added[-NEWS_LIMIT:]


def seen_by_all(seats: Iterable[SeatState]) -> int:
    """Return the version up to which everybody at the table has seen the news."""
    return min([seat.seen for seat in seats if seat.status == "joined"], default=0)
