"""Play seats for bots, from the seat's view alone and outside of transactions.

Bots run in separate processes (`pbem.bots.bot_client`) and have a separate loop in the service, so that
no message and no player's deadline has to wait for a bot.
"""

from __future__ import annotations

import hashlib

import structlog

from engine.api import Seat
from pbem.bots import LEVELS, BotError, Question
from pbem.domain.play import decide, timeouts
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.domain.table.motion import voters
from pbem.domain.terms.seats import bot_level
from pbem.errors import Refusal
from pbem.service.change import Change
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.notify import to_admins
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.game_rows import Deadline

log = structlog.get_logger(__name__)

MAX_PLIES = 200
"""Maximum number of plies that a bot plays in a turn, to guarantee termination."""

_LEVELS = frozenset(level.name for level in LEVELS)

_SILENT = 2
"""Number of missed turns after which a player counts as absent, if the game sets no number."""


def play_turn(service: Service, entry: Deadline) -> bool:
    """Play the turn of a seat that a bot controls. Return True if it moved.

    A bot always plays the same move in the same position, so a second attempt or process decides
    the same. The first result is recorded. Messages that the player sent before take precedence.

    Raises: VersionConflictError if another move came first. The next check decides again.
    """
    with service.store.reading() as uow:
        game = games.load(uow, entry.game_id)
        if not _is_to_play(game, entry) or _is_mail_unread(service, uow, entry):
            return False
        decision = games.begin(
            service, uow, game, actor="system", cause=f"deadline:{entry.version}"
        )
    for _ in range(MAX_PLIES):
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
        if not uow.lock_game(entry.game_id) or _is_mail_unread(service, uow, entry):
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


def _is_mail_unread(service: Service, uow: UnitOfWork, entry: Deadline) -> bool:
    now = service.now()
    return uow.inbox.has_open_in_time(entry.game_id, entry.seat, now, held_after=now)


def is_nobody_there(game: Game) -> bool:
    """True if all human players have missed several turns in a row (GEN-7).

    Then bots would only play among themselves, so the safe move is played instead.
    """
    silent = game.timing.misses or _SILENT
    return all(game.seats[seat].misses >= silent for seat in voters(game))


def _play(service: Service, decision: Decision, seat: int) -> None:
    """Play the move of the bot in this seat.

    If a built-in bot times out or fails, the simplest one plays. If an external bot does, the safe
    move of the rules is played (GEN-7) and the admins are alerted.
    """
    game = decision.existing()
    level = bot_level(game.seats[seat].player) or service.config.serve.bot_level
    is_ours = level in _LEVELS
    for name in dict.fromkeys((level, "easy" if is_ours else "standby", "standby")):
        try:
            order = service.thinker.order(question(game, seat, name))
            decide.play(decision, seat, order, source="bot")
        except Exception as error:
            if decision.existing().version != game.version:
                raise
            why = str(error) if isinstance(error, BotError) else type(error).__name__
            log.error(
                "bot failed", action="bot_failed", game=game.id, seat=seat, bot=name, error=why
            )
            if name == level and not is_ours:
                why = "its move is not legal" if isinstance(error, Refusal) else why
                _tell_admins(service, game, level, why)
        else:
            return
    raise AssertionError("the cautious move is always legal")


def question(game: Game, seat: int, level: str) -> Question:
    """Build the question to a bot that plays a seat, with everything it may know of the game."""
    rules = game.ruleset
    view = rules.view(game.state, Seat(seat))
    moves = rules.legal_moves(game.state, Seat(seat))
    words = f"pbem seat/{game.server_secret}/{game.id}/{game.version}/{seat}"
    return Question(
        rules.id,
        len(game.seats),
        game.options,
        view,
        [rules.format_move(game.state, Seat(seat), move) for move in moves],
        level,
        hashlib.sha256(words.encode()).hexdigest(),
        game.id,
        [
            {"kind": fact.kind, "seat": fact.seat, "data": fact.data}
            for fact in game.news_for(None, 0)
        ],
    )


def _tell_admins(service: Service, game: Game, bot: str, why: str) -> None:
    with service.store.unit_of_work() as uow:
        to_admins.queue(
            service,
            uow,
            key=f"bot:{bot}:{game.id}",
            message=f"In game {game.id} ({game.ruleset.title}) the bot {bot} did not play: {why}. A"
            " cautious move was made in its place, and the game goes on. You are told once per game; the"
            f" log names each time. Its command is in [bots.{bot}] of the configuration.",
            game_id=game.id,
        )
