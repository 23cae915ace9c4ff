"""Seats played by bots: at once, from the seat's view, outside of transactions."""

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
"""No turn has so many plies; the limit makes every look at time end."""

_SILENT = 2
"""Missed turns after which a player counts as gone, if the game names no number."""


def play_turn(service: Service, entry: Deadline) -> bool:
    """Play the turn of a seat that a bot plays; return True if it moved.

    A bot always plays the same moves in the same position, so a second try or process decides nothing
    new; the first one records them. An unread mail of the player comes before the bot.

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
    """True if every person was silent for turns in a row, so bots play for nobody (GEN-7)."""
    silent = game.timing.misses or _SILENT
    return all(game.seats[seat].misses >= silent for seat in voters(game))


def _play(service: Service, decision: Decision, seat: int) -> None:
    """Play the bot's move, or the cautious move of the rules if the bot fails (GEN-7)."""
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
