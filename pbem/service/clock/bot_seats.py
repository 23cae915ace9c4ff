"""Seats for which a bot decides: at once, from the view of the seat, outside of any transaction."""

from __future__ import annotations

import structlog

from engine.api import Seat
from pbem.bots import Chance, choose, find_level
from pbem.domain.play import decide, timeouts
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.domain.table.motions import voters
from pbem.domain.terms.occupants import bot_level
from pbem.service.change import Change
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.store.tables.projected import Deadline

log = structlog.get_logger(__name__)

MOST_PLIES = 200
"""Plies of one turn; no turn of any game has so many, but a look at time must end."""

_SILENT = 2
"""Turns in a row after which nobody is taken to be there, where a game names no number."""


def play_turn(service: Service, entry: Deadline) -> bool:
    """Play the turn of a seat for which a bot decides; says whether it moved.

    The same position always leads to the same moves, so that a second try, or a second process,
    decides nothing new; who is first records them. A mail of the player that is still unread comes
    before the bot.

    Raises: VersionConflictError if somebody moved meanwhile: the next look finds what is new.
    """
    with service.store.reading() as uow:
        game = games.load(uow, entry.game_id)
        if not _is_to_play(game, entry) or uow.inbox.has_open_in_time(
            entry.game_id, entry.seat, service.now(), held_after=service.now()
        ):
            return False
        decision = games.begin(
            service, uow, game, actor="system", cause=f"deadline:{entry.version}"
        )
    for _ in range(MOST_PLIES):
        now = decision.existing()
        if now.outcome() is not None or entry.seat not in now.to_act:
            break
        if now.is_choosing != game.is_choosing:
            break
        if is_nobody_there(now):
            timeouts.stand_by(decision, entry.seat)
        else:
            _play(service, decision, entry.seat)
    decide.settle(decision)
    with service.store.unit_of_work() as uow:
        if not uow.lock_game(entry.game_id):
            return False
        Change(service, uow, game, decision).finish()
    log.info("a bot moved", action="bot_moved", game=entry.game_id, seat=entry.seat)
    return True


def _is_to_play(game: Game, entry: Deadline) -> bool:
    return (
        game.deadline is not None
        and game.deadline.version == entry.version
        and game.paused_at is None
        and entry.seat in game.to_act
        and game.seats[entry.seat].controller == "bot"
    )


def is_nobody_there(game: Game) -> bool:
    """True if bots would play for nobody: every person was silent for turns in a row (GEN-7)."""
    silent = game.timing.misses or _SILENT
    return all(game.seats[seat].misses >= silent for seat in voters(game))


def _play(service: Service, decision: Decision, seat: int) -> None:
    """Play what the bot says; where it fails, the cautious move of the rules (GEN-7)."""
    game = decision.existing()
    rules = game.ruleset
    try:
        order = choose(
            rules.id,
            len(game.seats),
            game.options,
            rules.view(game.state, Seat(seat)),
            find_level(bot_level(game.seats[seat].player) or service.config.serve.bot_level),
            Chance("pbem seat", game.server_secret, game.id, game.version, seat),
        )
        decide.play(decision, seat, order, source="bot")
    except Exception as error:
        log.error(
            "bot failed",
            action="bot_failed",
            game=game.id,
            seat=seat,
            error=type(error).__name__,
        )
        if decision.existing().version != game.version:
            raise
        move = rules.standby_move(game.state, Seat(seat))
        order = rules.format_move(game.state, Seat(seat), move)
        decide.play(decision, seat, order, source="bot")
