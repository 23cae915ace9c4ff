"""Rate limits against mail loops, floods and unregistered senders.

They count rows of the database in a sliding window, so they survive restarts and work across
processes. Answers to authenticated messages that changed nothing are counted per game. Answers to
`help` and `rules` are counted separately, and answers in a new player's first hour are not counted
for the game. A message that merely claims to be from a player gets one answer of each kind per
hour, which does not affect the other limits. Refused moves of the player to act are not counted.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from engine.sentences import Sentence, sentence
from pbem.domain.log.chain import GameId
from pbem.service.core.context import Service
from pbem.service.core.mail_context import Lookup
from pbem.service.core.sender_identity import AuthLevel
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.core import InboxMail

IDLE = "idle:"
"""Prefix of the keys of answers to authenticated messages that changed nothing.

The counter's name and the message ID follow.
"""
ALL_TOGETHER = 4
"""Factor on `idle_answers_per_hour` that limits one person's answers across all games."""
CLAIM = "claim:"
"""Prefix of the keys of answers to unauthenticated messages. Kind, player and hour follow."""
REFUSED = "refused:"
"""Prefix of the keys of answers to refused moves. A digest of the text and the message ID follow.
"""
STRANGER = "stranger:"
"""Prefix of the keys of messages to unregistered people. Hashes of domain and address follow."""
RESERVED = 5
"""One in this many daily messages to unregistered people is reserved for authenticated senders."""
ASK = "ask_new"
"""Kind of the question whether the player wrote a message that was sent to the plain address."""
SAME_WORDS = 5
"""Maximum number of answers to the same refused text per hour. A higher number indicates a loop."""
HELP = "help"
"""Kind of the answers to `help` and `rules`, which do not count for the game."""
_LEARNING = frozenset({"help", "rules"})
_OF_THEIR_OWN = frozenset({HELP, "test"})
"""Kinds of answers with separate counters."""
_NEW = f"{IDLE}new:"
"""Prefix of the keys of answers in the hour after a person's first message."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Permit:
    """Permission to answer a message that changed nothing.

    Attributes:
        key: the key of the answer. If there are several answers, `named` returns their keys.
        most: maximum number of answers.
    """

    key: str
    most: int
    _last: tuple[Sentence, ...]

    def named(self, name: str) -> str:
        """Return the key of an answer if there are several.

        Unauthenticated messages are limited to one answer, so all their answers have the same key.
        """
        return self.key if self.key.startswith(CLAIM) else f"{self.key}:{name}"

    def notes(self, answers: int) -> list[Sentence]:
        """Return a note that no more answers will follow, if these answers reach the limit."""
        return list(self._last) if answers >= self.most else []


def permit(
    service: Service,
    uow: UnitOfWork,
    mail: InboxMail,
    player_id: str,
    auth_level: AuthLevel,
    kind: str,
) -> Permit | None:
    """Return permission to answer a message that changed nothing, or None if the limit is reached.

    Args:
        service: the service.
        uow: the unit of work.
        mail: the message.
        player_id: its sender, or the player it claims to be from.
        auth_level: how the sender was authenticated.
        kind: the kind of answer. Answers to unauthenticated messages are counted by kind.
    """
    if auth_level.is_trusted:
        return _permit_idle(service, uow, mail, player_id, kind)
    if auth_level is AuthLevel.FOREIGN:
        return None
    begin = f"{CLAIM}{kind}:"
    if uow.outbox.count_to(player_id, service.now() - HOUR, prefix=begin):
        return None
    # concurrent workers choose the same key, so only one answer is sent
    replies_help = service.trusted is None and kind != ASK
    note = ONLY_ONE if replies_help else ONLY_ONE_HERE
    return Permit(f"{begin}{player_id}:{window(service.now())}", 1, (note,))


def permit_refusal(
    service: Service, uow: UnitOfWork, mail_id: int, player_id: str, words: str
) -> Permit | None:
    """Return permission to explain a refused move, or None if the same text was refused too often."""
    key = service.tokens.keys[0]
    mark = hmac.new(key, f"pbem-refused-v1\n{words}".encode(), hashlib.sha256).hexdigest()[:16]
    begin = f"{REFUSED}{mark}:"
    left = SAME_WORDS - uow.outbox.count_to(player_id, service.now() - HOUR, prefix=begin)
    note = sentence(
        "You sent these words {limit} times within an hour, so this is the last answer to them"
        " until the hour is over. Other words are answered as always.",
        limit=SAME_WORDS,
    )
    return Permit(f"{begin}{mail_id}", left, (note,)) if left > 0 else None


def _permit_idle(
    service: Service, uow: UnitOfWork, mail: InboxMail, player_id: str, kind: str
) -> Permit | None:
    key = idle_key(service, uow, mail, player_id, kind)
    limit, since = service.config.limits.idle_answers_per_hour, service.now() - HOUR
    left = ALL_TOGETHER * limit - uow.outbox.count_to(player_id, since, prefix=IDLE)
    begin = key.removesuffix(str(mail.id))
    if begin != _NEW:
        left = min(left, limit - uow.outbox.count_to(player_id, since, prefix=begin))
    return Permit(key, left, (_LAST,)) if left > 0 else None


def idle_key(service: Service, uow: UnitOfWork, mail: InboxMail, player_id: str, kind: str) -> str:
    """Return the key of an answer. Its prefix determines the counter."""
    if kind in _OF_THEIR_OWN:
        return f"{IDLE}{kind}:{mail.id}"
    is_new = not uow.inbox.has_from(player_id, until=service.now() - HOUR)
    return f"{_NEW}{mail.id}" if is_new else f"{IDLE}{mail.game_id or ''}:{mail.id}"


def kind_of(lookups: Sequence[Lookup]) -> str:
    """Return the kind of the answers to these requests: `help` if all are about learning a game."""
    return HELP if lookups and {word for word, _ in lookups} <= _LEARNING else "questions"


ONLY_ONE = sentence(
    "Your mail did not come to one of your reply addresses, and anybody can put your address into"
    " From. So this is the only answer of its kind within an hour. Reply to this mail instead: a reply"
    " counts as yours, and is answered."
)
ONLY_ONE_HERE = sentence("This is the only answer of its kind within an hour.")
_LAST = sentence(
    "So many of your mails changed nothing within an hour that this answer is the last one for now:"
    " further mails of that kind to this address are kept and not answered until the hour is over."
    " Moves are carried out and answered as always."
)


def is_flood(service: Service, uow: UnitOfWork, player_id: str, game_id: GameId | None) -> bool:
    """True if a person has sent too many authenticated messages this hour, in or outside a game."""
    done = uow.players.mailed.get((player_id, game_id)) if game_id is not None else None
    if done is None:
        done = uow.inbox.count_from(player_id, service.now() - HOUR, game_id)
    return done >= service.config.limits.mails_per_hour


def strangers_for_all(service: Service) -> int:
    """Return the maximum number of unauthenticated, unregistered people to answer per day."""
    limit = service.config.limits.strangers_per_day
    return limit - limit // RESERVED


def window(moment: datetime) -> str:
    """Format the hour that contains a time, for keys of answers sent once an hour."""
    return f"{moment:%Y-%m-%dT%H}"
