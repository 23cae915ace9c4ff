"""How much is too much: the last guards against loops, floods and nosy strangers.

Counted in the database over a sliding window, so that a restart or a second process forgets nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from engine.sentences import sentence
from pbem.domain.log import GameId
from pbem.service.context import Service
from pbem.store.uow import UnitOfWork

IDLE = "idle:"
"""Keys of answers to mails that changed nothing begin so: they are what is counted."""
QUESTION = "ask:"
"""Keys of questions whether a mail was the person's own begin so."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def idle_answers_left(service: Service, uow: UnitOfWork, player_id: str) -> int:
    """Say how many answers to mails that change nothing a person can still get in this hour."""
    sent = uow.outbox.count_to(player_id, service.now() - HOUR, prefix=IDLE)
    return max(service.settings.limits.idle_answers_per_hour - sent, 0)


def last_answer_note(service: Service, left: int) -> list[str]:
    """Say in the last answer before the silence that it is the last one; nothing in others."""
    if left != 1:
        return []
    note = sentence(
        "This is answer {limit} within an hour to mails that changed"
        " nothing, so it is the last one for now: further mails of that kind are kept and"
        " not answered until the hour is over. Moves are carried out and answered as"
        " always.",
        limit=service.settings.limits.idle_answers_per_hour,
    )
    return [note]


def is_flood(service: Service, uow: UnitOfWork, player_id: str, game_id: GameId | None) -> bool:
    """Say whether a person's mails in one game (or outside of any) are too many in this hour."""
    done = uow.inbox.count_from(player_id, service.now() - HOUR, game_id)
    return done >= service.settings.limits.mails_per_hour


def may_ask(service: Service, uow: UnitOfWork, player_id: str) -> bool:
    """Say whether a person may be asked once more today whether a mail was theirs."""
    asked = uow.outbox.count_to(player_id, service.now() - DAY, prefix=QUESTION)
    return asked < service.settings.limits.questions_per_day


def window(moment: datetime) -> str:
    """Name the hour of an instant, for keys of what is said once an hour."""
    return f"{moment:%Y-%m-%dT%H}"
