"""The service's view of the state of one game."""

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
"""Maximum number of facts kept for the recap since a player's last move. The log has older ones."""
REVEALED = "hands_revealed"
"""Kind of the fact that reports that an admin saw hidden cards.

It is kept until every player has read it.
"""

UNFINISHED = ("inviting", "running")
"""Statuses of a game that is not over."""
AT_TABLE = ("invited", "joined")
"""Statuses of a seat whose player has joined or is still invited."""
CHOSEN_SOURCES = frozenset({"mail", "standing", "admin", "bot"})
"""Sources of plies that someone decided on. The service plays the others."""

ENGINE_SOURCES = {"forced": Source.FORCED, "standby": Source.STANDBY}


def replace(value: T, **changes: Any) -> T:  # noqa: ANN401  (as `dataclasses.replace`)
    """Return a changed copy of a dataclass, ten times as fast as `dataclasses.replace`.

    The class must have neither slots nor `__post_init__`.

    Raises:
        KeyError: a field is unknown.
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
    """The standing orders of a seat, which are visible to its player only.

    Attributes:
        wanted: standing order for the next turn, as written by `next_order.text_of`. Empty means
            none.
        given_in: decision that was open when the order was given. The order applies to the turn
            after that one. 0 if the seat was not to act.
        is_void: True if cards were dealt again since then.
        drawing: rule for drawing in Phase 10, as written by `drawing_text`. Empty means none.
    """

    wanted: str = field(default="", repr=False)
    given_in: int = 0
    is_void: bool = False
    drawing: str = field(default="", repr=False)


@dataclass(frozen=True)
class SeatState:
    """State of one seat of a game.

    Attributes:
        player: player id.
        status: `invited`, `joined`, `declined`, `expired`, `open`, `resigned`, `removed`.
        generation: number of people who have held this seat, from 1.
        phrase: the player's contribution to the shuffles, or None if not given (yet).
        decision: version of the event that required a decision of this seat, or None if it has
            nothing to decide.
        seen: version of the seat's last own chosen ply. Later facts are news to it.
        is_unreachable: True if messages do not reach the player.
        bank_used: seconds used from the time bank.
        vacations: (first, last) as inclusive ISO dates in the player's zone.
        misses: number of consecutive turns that were played for the seat because it was silent.
        excused: for each excused miss that still counts, the number of turns the player has played
            since.
        silent_since: when a bot took over, shifted by pauses and outages, or None without a bot.
        controller: whether a `person` or a `bot` decides for the seat.
        standing: its standing orders.
        muted: senders whose talk the player does not receive: player ids or `anonymous`.
        has_chosen: True if the player has made a secret choice that is not revealed yet.
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
    """The running deadline. `version` and times as in its DeadlineSet.

    Attributes:
        vacation_moved: seconds by which vacation days announced since then have moved it.
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
    """A dispute that is not resolved yet.

    Attributes:
        version: version of its DisputeOpened.
    """

    number: int
    seat: int
    version: int


@dataclass(frozen=True, slots=True)
class OpenMotion:
    """An open motion, apart from those on pausing and resuming the clock.

    Attributes:
        kind: one of `pbem.domain.log.motion_events.VOTED_ON`.
        version: version of the event that opened it.
        seat: the seat that proposed it, or -1 for a person without a seat.
        terms: its parameters, as in that event.
    """

    kind: str
    version: int
    seat: int
    terms: JsonObject

    def number(self, name: str) -> int:
        """Return a numeric term. Raises: TypeError if it is not a number."""
        value = self.terms[name]
        if not isinstance(value, int):
            raise TypeError(f"the term {name} is no number")
        return value


@dataclass(frozen=True, slots=True)
class OpenOffer:
    """An offer to a person to take over a seat.

    Attributes:
        version: version of its MotionOpened.
        while_away: True if the seat was offered because its player was away.
    """

    seat: int
    player: str
    expires_at: datetime
    version: int
    while_away: bool


class TurnCounts(NamedTuple):
    """Number of deadlines that a player of a seat met and missed.

    Attributes:
        on_time: deadlines that were answered before they passed.
        late: deadlines that passed without an answer.
        passed: DeadlineSet version of the last deadline that passed, or 0 if none.
    """

    on_time: int = 0
    late: int = 0
    passed: int = 0


Punctuality: TypeAlias = dict[tuple[int, str], TurnCounts]
"""Punctuality by seat and player id, including players who have left."""


class News(NamedTuple):
    """A fact with the version of the event that caused it."""

    version: int
    fact: Fact


@dataclass(frozen=True)
class Game:
    """State of one game, folded from its event stream.

    Attributes:
        status: `inviting`, `running`, `finished`, `stopped`.
        creator: id of the player who created it, or empty if an admin did.
        state: the engine's state, or None before the deal.
        position: version of the last event that changed the options of a seat. Older move lists are
            out of date. A secret choice changes only the chooser's view.
        deadline: the running deadline of any seat, or None.
        paused_at: since when the clock is paused, or None while it runs.
        paused_by: who paused the clock, as in `GamePaused`, or empty while it runs.
        vacations_then: each seat's vacations as of the pause, or empty while the clock runs.
        votes: votes on open motions, by kind and seat. True is in favour.
        motions: open motions, except on pausing and resuming.
        observers: ids of the people who watch.
        offers: open offers to take over a seat.
        undo_asked: position at which an undo was last requested.
        asked: seats about which the admin was asked since the deadline was set or moved.
        compensated: end of the last outage for which the running deadline was moved.
        retracted: first and last version of each branch that was taken back, oldest first.
        disputes: open disputes. `disputed` is the number of all disputes so far.
        league: the league and round that it belongs to, as in `GameCreated`, or empty for none.
        is_challenge: True if it counts on the ladder of its ruleset.
        anonymous_talk: True if players may send talk without a name.
        against_page: seats that object to a public page of the game, ascending.
        news: facts that some player may not have seen yet, oldest first.
        created_at, ended_at: when the first event and the event that ended the game were recorded.
        turns: the players' punctuality.
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
        """Return the time for each decision, in seconds."""
        return self.timing.time_per_move

    @property
    def setup(self) -> Setup:
        """Return the engine's input, which determines the shuffles and the rules."""
        phrases = [seat.phrase or "" for seat in self.seats]
        return Setup(
            players=len(self.seats),
            seed=game_seed(bytes.fromhex(self.server_secret), phrases),
            options=self.options,
        )

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Return the seats that must act now."""
        if self.status != "running":
            return ()
        return tuple(self.ruleset.to_act(self.state))

    @property
    def to_decide(self) -> tuple[int, ...]:
        """Return the seats with the deadline: those that must act, or all in a secret choice.

        Seats that have chosen are included, because other players must not learn who has chosen
        (GEN-6).
        """
        deadline = self.deadline
        if self.is_choosing and deadline is not None and deadline.version > self.position:
            return tuple(n for n in deadline.seats if self.seats[n].status == "joined")
        return tuple(int(seat) for seat in self.to_act)

    @property
    def is_choosing(self) -> bool:
        """True while the seats make secret choices (GEN-6)."""
        return not self.is_over and self.state is not None and self.ruleset.is_choosing(self.state)

    def may_decide(self, seat: int) -> bool:
        """True if a seat must act or may replace its secret choice."""
        return self.seats[seat].decision is not None

    def seats_of(self, player: str, statuses: Collection[str] = ()) -> list[int]:
        """Return all seats that a player has or had, optionally filtered by status."""
        return [
            number
            for number, seat in enumerate(self.seats)
            if seat.player == player and (not statuses or seat.status in statuses)
        ]

    @property
    def bots(self) -> tuple[int, ...]:
        """Return the seats that bots play now."""
        return tuple(n for n, seat in enumerate(self.seats) if seat.controller == "bot")

    def waits_for(self, seat: int) -> bool:
        """True if the clock is paused because a seat's player is unreachable."""
        return self.timing.unreachable == "wait" and self.seats[seat].is_unreachable

    @property
    def is_over(self) -> bool:
        """True if no further events are possible."""
        return self.status in ("finished", "stopped")

    def outcome(self) -> Outcome | None:
        """Return the outcome computed by the engine, or None before the end of the game."""
        return None if self.state is None else self.ruleset.outcome(self.state)

    def news_of(self, seat: int | None, version: int) -> tuple[Fact, ...]:
        """Return the facts of one event that a seat, or an observer (None), may see."""
        return tuple(
            news.fact
            for news in self.news
            if news.version == version and news.fact.audience in (None, seat)
        )

    def news_for(self, seat: int | None, after: int) -> tuple[Fact, ...]:
        """Return the facts after `after` that a seat, or an observer (None), may see."""
        return tuple(
            news.fact
            for news in self.news
            if news.version > after and news.fact.audience in (None, seat)
        )


def has_page(game: Game) -> bool:
    """True if the table may be published: cards dealt, no objection, and not a lesson."""
    is_lesson = any(is_tutor(seat.player) for seat in game.seats)
    is_open = game.timing.observers != "off" and not game.against_page
    return game.state is not None and is_open and not is_lesson


def with_seat(game: Game, number: int, **changes: Any) -> Game:  # noqa: ANN401  (as `replace`)
    """Return a copy of the game with changes to one seat."""
    seat = replace(game.seats[number], **changes)
    return replace(game, seats=(*game.seats[:number], seat, *game.seats[number + 1 :]))


def with_news(game: Game, version: int, facts: Iterable[Fact]) -> Game:
    """Return a copy of the game with added news. News that everyone has seen is dropped."""
    return replace(game, news=news_with(game, version, facts))


def with_turn(game: Game, seat: int) -> Game:
    """Count a turn played by a seat's player, so that excused misses expire."""
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
    """Return a copy of the game with an additional public fact as news."""
    fact = Fact(kind, None if seat is None else Seat(seat), data or {})
    return with_news(game, version, [fact])


def with_act(
    game: Game, item: Recorded, kind: str, seat: int | None = None, data: JsonObject | None = None
) -> Game:
    """Return a copy of the game with news of an admin action, including admin and reason."""
    details = {
        "admin": item.actor.removeprefix("admin:"),
        "reason": getattr(item.event, "reason", ""),
    }
    return with_fact(game, item.version, kind, seat, {**(data or {}), **details})


def ended(game: Game, status: str, ended_at: datetime) -> Game:
    """End a game: clear decisions, standing orders and the deadline."""
    seats = tuple(replace(seat, decision=None, standing=Standing()) for seat in game.seats)
    return replace(game, status=status, deadline=None, seats=seats, ended_at=ended_at)


def news_with(game: Game, version: int, facts: Iterable[Fact]) -> tuple[News, ...]:
    """Return the news of a game with added facts. News that everyone has seen is dropped."""
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
    """Return the latest version up to which all players at the table have seen the news."""
    return min([seat.seen for seat in seats if seat.status == "joined"], default=0)
