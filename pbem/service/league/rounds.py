"""Rounds of leagues: draw them, deal their games, and end them when due.

Processing is idempotent: like deadline processing it may run late, twice or concurrently, because
every step reads the log again under the league's lock. Each step is a unit of work. A draw can take
seconds, so it is computed before the transaction, and discarded if the league has changed.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TypeAlias

import structlog

from engine import registry
from pbem.domain.league import decide
from pbem.domain.league.league import League, Round, Seating
from pbem.domain.league.pairing import Draw
from pbem.domain.log.chain import GameId
from pbem.domain.log.league_events import LEAGUE
from pbem.domain.play import decide as play
from pbem.domain.play import voting
from pbem.domain.table.decision import CLOCK, SYSTEM
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import from_json
from pbem.errors import VersionConflictError
from pbem.service import change
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.league import league_messages
from pbem.service.league.changing import changing, load
from pbem.service.lobby import creation as lobby
from pbem.store.db.uow import UnitOfWork

log = structlog.get_logger(__name__)

DEALS_IN = timedelta(days=1)
"""Time for players of a new table to add a phrase. After it, the game starts without waiting."""
MAX_STEPS = 200
"""Maximum number of steps of a league in one check."""


def take_due_steps(service: Service) -> int:
    """Take all steps that are due in all leagues, and return their number."""
    with service.store.reading() as uow:
        due = uow.leagues.due(service.now())
    return sum(_take_steps_of(service, one) for one in due)


def _take_steps_of(service: Service, league_id: GameId) -> int:
    def put_off(uow: UnitOfWork) -> None:
        uow.leagues.put_off(league_id, service.now() + games.PAUSE)

    done = 0
    with change.set_apart(service, league_id, put_off):
        while done < MAX_STEPS:
            ready = _drawn_apart(service, league_id)
            with service.store.unit_of_work() as uow:
                if not _step(service, uow, league_id, ready):
                    break
            done += 1
    return done


Ready: TypeAlias = tuple[str, Draw | None]
"""The head of a league, and the draw computed from its log up to there."""


def _drawn_apart(service: Service, league_id: GameId) -> Ready | None:
    """Compute the draw of the next round if it is due, without writing anything."""
    with service.store.reading() as uow:
        league = load(uow, league_id)
    return (league.head, decide.next_draw(league)) if _draws_now(service, league) else None


def _draws_now(service: Service, league: League) -> bool:
    if league.status == "open":
        return service.now() >= league.terms.joins_until
    played = len(league.rounds)
    return league.status == "running" and league.rounds[-1].is_over and played < league.terms.rounds


def _step(service: Service, uow: UnitOfWork, league_id: GameId, ready: Ready | None = None) -> bool:
    """Take the next step that is due. Return False if no step is due."""
    change.lock(uow, league_id)
    league, now = load(uow, league_id), service.now()
    if league.is_over:
        return False
    if _draws_now(service, league):
        if ready is None or ready[0] != league.head:
            raise VersionConflictError(f"league {league_id} changed while its round was drawn")
        if draw(service, uow, league_id, ready[1]) and league.rounds:
            league_messages.tell_round(service, uow, load(uow, league_id), ended=league)
        return True
    if league.status == "open":
        uow.leagues.put_off(league_id, league.terms.joins_until)
        return False
    last = league.rounds[-1]
    if last.is_over:
        with changing(service, uow, league.id, actor=CLOCK, cause=None) as decision:
            decide.finish(decision)
        league_messages.tell_end(service, uow, decision.existing())
        return True
    if _moved_by_outage(service, uow, league, last):
        return True
    before = _statuses(uow, last)
    if any(
        _play(service, uow, league, last, table) for table in last.tables if table.ranking is None
    ):
        return True
    next_at = last.deals_at if now < last.deals_at else last.ends_at
    uow.leagues.put_off(league_id, next_at if now < next_at else now + games.PAUSE)
    if _statuses(uow, last) != before:
        raise VersionConflictError(f"a game of league {league_id} ended meanwhile")
    return False


def _statuses(uow: UnitOfWork, last: Round) -> list[str]:
    known = (uow.projections.game(table.game) for table in last.tables)
    return [row.status for row in known if row is not None]


def _moved_by_outage(service: Service, uow: UnitOfWork, league: League, last: Round) -> bool:
    """Extend a round by new downtime, as for its games' deadlines. Return whether there was any."""
    gaps = uow.outages.within(last.since, last.ends_at)
    if gaps:
        with changing(service, uow, league.id, actor=SYSTEM, cause=None) as decision:
            for gap in gaps:
                decide.extend_round(decision, gap.begin, gap.end)
    return bool(gaps)


def damaged(uow: UnitOfWork, league: League) -> list[Seating]:
    """Return the unscored tables whose games have damaged logs and so block the current round."""
    if league.status != "running":
        return []
    waiting = (table for table in league.rounds[-1].tables if table.ranking is None)
    return [pairing for pairing in waiting if games.load_if_sound(uow, pairing.game) is None]


def draw(service: Service, uow: UnitOfWork, league_id: GameId, tables_drawn: Draw | None) -> bool:
    """Start the next round with this draw and create its games. False if the league ended instead.

    In the first round, players without a table are notified. The others get a message about their
    game.
    """
    with changing(service, uow, league_id, actor=CLOCK, cause=None) as decision:
        is_drawn = decide.draw_round(decision, tables_drawn, service.new_game_id, DEALS_IN)
    league = decision.existing()
    if not is_drawn:
        league_messages.tell_end(service, uow, league)
        return False
    for table in league.rounds[-1].tables:
        _make(service, uow, league, table)
    league_messages.tell_byes(service, uow, league)
    log.info("round drawn", action="round_drawn", league=league_id, round=len(league.rounds))
    return True


def _make(service: Service, uow: UnitOfWork, league: League, table: Seating) -> None:
    """Create the game of a table. The first seat is the dealer if the game has a dealer."""
    terms = league.terms
    usual = registry.find(terms.ruleset).check_options(len(table.players), terms.options)
    options = {**terms.options, **({"dealer": 0} if "dealer" in usual else {})}
    number = f"{league.id.removeprefix(LEAGUE)}:{len(league.rounds)}"
    plan = lobby.GamePlan(
        terms.ruleset,
        table.players,
        options,
        from_json(terms.timing),
        league=number,
        game_id=table.game,
    )
    lobby.make(service, uow, plan, actor=CLOCK, cause=None)


def _play(service: Service, uow: UnitOfWork, league: League, last: Round, table: Seating) -> bool:
    """Start, stop or score a game if that is due. Return False if nothing was done.

    A game with a damaged log is skipped.
    """
    game, now = games.load_if_sound(uow, table.game), service.now()
    if game is None:
        return False
    if game.is_over:
        ranking = () if game.finished is None else game.finished.ranking
        with changing(service, uow, league.id, actor=CLOCK, cause=None) as decision:
            decide.score(decision, table.game, ranking)
        return True
    if game.status == "inviting" and now >= last.deals_at:
        seat_all(service, uow, game)
        return True
    if now >= last.ends_at:
        with change.changing(service, uow, game.id, actor=CLOCK, cause=None) as change_:
            voting.end_round(change_.decision)
            play.settle(change_.decision)
        return True
    return False


def seat_all(service: Service, uow: UnitOfWork, game: Game) -> None:
    """Start a league game. Players who have not answered are seated without a phrase."""
    with change.changing(service, uow, game.id, actor=CLOCK, cause=None) as change_:
        for seat, state in enumerate(game.seats):
            if state.status != "joined":
                play.join(change_.decision, seat, None)
        play.settle(change_.decision)
