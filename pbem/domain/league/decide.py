"""Decisions about leagues: turn commands into events, or refuse them.

Nothing here draws random numbers or reads a clock. Secrets, IDs and times are passed in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from engine import registry
from engine.errors import SetupError
from engine.sentences import sentence
from pbem.domain.league.league import (
    DRAW_VERSION,
    NAME,
    ROUNDS,
    TABLE,
    League,
    drawn,
    evolve,
    links,
    standings,
)
from pbem.domain.league.order import LeagueOrder
from pbem.domain.league.pairing import Draw
from pbem.domain.log.chain import GameId
from pbem.domain.log.events import Recorded
from pbem.domain.log.league_events import (
    LeagueCreated,
    LeagueEvent,
    LeagueFinished,
    LeagueJoined,
    LeagueLeft,
    LeagueStopped,
    RoundDrawn,
    RoundExtended,
    TableScored,
)
from pbem.domain.terms.timing import Timing, to_json
from pbem.errors import Refusal

ROUND_TIME = (timedelta(hours=1), timedelta(days=180))


@dataclass(slots=True)
class LeagueDecision:
    """The events decided so far, and the league that results from them."""

    id: GameId
    now: datetime
    actor: str
    cause: str | None
    league: League | None = None
    events: list[Recorded] = field(default_factory=list)

    def emit(self, event: LeagueEvent) -> League:
        """Add an event, and return the resulting league."""
        untyped: Any = event
        version = (0 if self.league is None else self.league.version) + 1
        item = Recorded(version, self.now, self.actor, self.cause, "", untyped)
        self.league = evolve(self.league, item, self.id)
        self.events.append(item)
        return self.league

    def existing(self) -> League:
        """Return the current state of the league. Raises: Refusal if it does not exist."""
        if self.league is None:
            raise Refusal("unknown-league", sentence("There is no such league."))
        return self.league


def create(
    decision: LeagueDecision, order: LeagueOrder, name: str, timing: Timing, secret: bytes
) -> League:
    """Create a league.

    Args:
        order: the description of the league.
        name: its name, whether the order has one or not.
        timing: the clock of its games.

    Raises: Refusal.
    """
    rules, options = registry.find(order.game.ruleset), order.game.options
    round_time = order.time_of_a_round(timing.time_per_move)
    min_players, max_players = rules.players[0], min(rules.players[-1], TABLE[1])
    size = min(4, max_players) if order.table_size is None else order.table_size
    if not max(min_players, TABLE[0]) <= size <= max_players:
        raise Refusal(
            "setup",
            sentence(
                "Tables of {game} are of {least} to {most} players.",
                game=rules.title,
                least=max(min_players, TABLE[0]),
                most=max_players,
            ),
        )
    if not ROUNDS[0] <= order.rounds <= ROUNDS[1]:
        raise Refusal("setup", sentence("A league has 1 to {most} rounds.", most=ROUNDS[1]))
    if not ROUND_TIME[0] <= round_time <= ROUND_TIME[1]:
        raise Refusal("setup", sentence("A round takes from one hour to 180 days."))
    if NAME.fullmatch(name) is None:
        raise Refusal(
            "setup",
            sentence("The name of a league is one word, of 2 to 20 letters, digits and hyphens."),
        )
    fewest = 1 if order.with_bots else max(min_players, TABLE[0])
    try:
        for players in range(size if order.with_bots else fewest, size + 1):
            rules.check_options(players, options)
    except SetupError as error:
        raise Refusal(
            "setup",
            sentence("This game can't be set up: {reason}.", reason=error.message),
            rule=error.rule,
        ) from error
    return decision.emit(
        LeagueCreated(
            name=name,
            ruleset=rules.id.name,
            options={**options},
            timing=to_json(timing),
            rounds=order.rounds,
            table_size=size,
            fewest=fewest,
            round_time=int(round_time.total_seconds()),
            joins_until=decision.now + order.sign_up,
            with_bots=order.with_bots,
            draw_version=DRAW_VERSION,
            commitment=links(secret, order.rounds)[0].hex(),
            secret=secret.hex(),
        )
    )


def join(decision: LeagueDecision, player: str) -> None:
    """Join from the next round on. Raises: Refusal."""
    league = unfinished(decision)
    known = league.entry(player)
    if known is not None and not known.has_left:
        raise Refusal("joined", sentence("You take part in this league already."))
    if not league.takes_more:
        raise Refusal(
            "late", sentence("More than half of this league is played: nobody can join any more.")
        )
    decision.emit(LeagueJoined(player))


def leave(decision: LeagueDecision, player: str) -> None:
    """Leave the league. The player is not included in later rounds. Raises: Refusal."""
    known = unfinished(decision).entry(player)
    if known is None or known.has_left:
        raise Refusal("left", sentence("You do not take part in this league."))
    decision.emit(LeagueLeft(player))


def unfinished(decision: LeagueDecision) -> League:
    """Return the league. Raises: Refusal if it has ended."""
    league = decision.existing()
    if league.is_over:
        raise Refusal("over", sentence("This league is over."))
    return league


def _next_link(league: League) -> bytes:
    """Return the hash-chain link that the next round reveals."""
    return links(bytes.fromhex(league.terms.secret), league.terms.rounds)[len(league.rounds) + 1]


def next_draw(league: League) -> Draw | None:
    """Compute the draw of the next round, or None for too few players. Later rounds may take seconds."""
    try:
        return drawn(league, _next_link(league))
    except ValueError:
        return None


def draw_round(
    decision: LeagueDecision,
    tables_drawn: Draw | None,
    new_game: Callable[[], GameId],
    deals_in: timedelta,
) -> bool:
    """Start the next round. Returns False if there were too few players, so the league ended.

    Args:
        decision: a decision on a league without a running round.
        tables_drawn: the result of `next_draw` for this state of the league.
        new_game: draws a game ID.
        deals_in: time in which players can still add a phrase.
    """
    league, now = decision.existing(), decision.now
    number, link = len(league.rounds) + 1, _next_link(league)
    if tables_drawn is None:
        decision.emit(LeagueStopped("too-few", league.terms.secret, ""))
        return False
    time = timedelta(seconds=league.terms.round_time)
    decision.emit(
        RoundDrawn(
            number,
            link.hex(),
            tables_drawn.tables,
            tuple(new_game() for _ in tables_drawn.tables),
            tables_drawn.byes,
            now + min(deals_in, time / 4),
            now + time,
        )
    )
    return True


def extend_round(decision: LeagueDecision, begin: datetime, end: datetime) -> None:
    """Extend a round by the part of an outage that overlaps it."""
    last = decision.existing().rounds[-1]
    gap = end - max(begin, last.since)
    deals_at = last.deals_at + gap if begin < last.deals_at else last.deals_at
    decision.emit(RoundExtended(begin, end, deals_at, last.ends_at + gap))


def score(decision: LeagueDecision, game: GameId, ranking: tuple[tuple[int, ...], ...]) -> None:
    """Count a finished game. Without a ranking all seats are tied."""
    last = decision.existing().rounds[-1]
    seats = next(len(table.players) for table in last.tables if table.game == game)
    decision.emit(TableScored(game, ranking or (tuple(range(seats)),)))


def finish(decision: LeagueDecision) -> None:
    """End a league after its last round."""
    league = decision.existing()
    secret = bytes.fromhex(league.terms.secret)
    ranking = tuple(line.player for line in standings(league, secret))
    decision.emit(LeagueFinished(ranking, secret.hex()))


def stop(decision: LeagueDecision, reason: str) -> None:
    """Stop a league without a winner. Raises: Refusal."""
    league = unfinished(decision)
    decision.emit(LeagueStopped("admin", league.terms.secret, reason))
