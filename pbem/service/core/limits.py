"""Limits: the last guards against mail loops, floods and nosy strangers.

They are counted in the database over a sliding window, so they survive a restart or a second
process.

Answers to proven mails that changed nothing are counted in each game; `help` and `rules` for
themselves, and a new person's first hour for no game. A mail that only claims to be a player's gets
one answer of its kind per hour and touches none of that. Refused moves of the player to act are not
counted.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from engine.sentences import Sentence, sentence
from pbem.domain.log.chain import GameId
from pbem.service.core.asking import Lookup
from pbem.service.core.context import Service
from pbem.service.core.whose import Proof
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.core import InboxMail

IDLE = "idle:"
"""Keys of answers to proven mails that changed nothing begin so; then what they are counted for, and
the mail."""
ALL_TOGETHER = 4
"""So many times `idle_answers_per_hour` is what one person gets from all games together."""
CLAIM = "claim:"
"""Keys of answers to mails that prove nothing begin so; then the kind, the player and the hour."""
REFUSED = "refused:"
"""Keys of answers to refused moves begin like this; a mark of the words and the mail follow."""
STRANGER = "stranger:"
"""Keys of mails to strangers begin so; then a hash of the domain, and one of the address."""
RESERVED = 5
"""One of so many mails to strangers in a day is kept for those whose sender was authenticated."""
ASK = "ask_new"
"""Kind of the question whether a mail to the bare address was the person's own."""
SAME_WORDS = 5
"""So often within an hour the same refused words are answered; more of it is a loop."""
HELP = "help"
"""Kind of the answers to `help` and `rules`: they are not counted for the game in which one asks."""
_LEARNING = frozenset({"help", "rules"})
_OF_THEIR_OWN = frozenset({HELP, "test"})
"""Kinds of answers that are counted for themselves, wherever they are asked for."""
_NEW = f"{IDLE}new:"
"""Keys of answers in the hour after a person's first mail begin so."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Permit:
    """Permission to answer a mail that changed nothing.

    Attributes:
        key: the key of the one answer; if there are several, see `named`.
        most: how many answers there may be.
    """

    key: str
    most: int
    _last: tuple[Sentence, ...]

    def named(self, name: str) -> str:
        """Return the key of one of several answers; an unproven mail gets only one."""
        return self.key if self.key.startswith(CLAIM) else f"{self.key}:{name}"

    def notes(self, answers: int) -> list[Sentence]:
        """Return the note of the last of these answers: no more will follow."""
        return list(self._last) if answers >= self.most else []


def permit(
    service: Service, uow: UnitOfWork, mail: InboxMail, player_id: str, proof: Proof, kind: str
) -> Permit | None:
    """Return permission to answer a mail that changed nothing, or None after too many.

    Args:
        service, uow: as everywhere.
        mail: the mail.
        player_id: its sender, or the player it claims to be from.
        proof: the evidence for that.
        kind: the kind of answer; unproven mails are counted by kind.
    """
    if proof.is_proven:
        return _permit_idle(service, uow, mail, player_id, kind)
    if proof is Proof.FOREIGN:
        return None
    begin = f"{CLAIM}{kind}:"
    if uow.outbox.count_to(player_id, service.now() - HOUR, prefix=begin):
        return None
    # Two workers at once choose the same key, so only one of their answers is sent.
    replies_help = service.trusted is None and kind != ASK
    note = ONLY_ONE if replies_help else ONLY_ONE_HERE
    return Permit(f"{begin}{player_id}:{window(service.now())}", 1, (note,))


def permit_refusal(
    service: Service, uow: UnitOfWork, mail_id: int, player_id: str, words: str
) -> Permit | None:
    """Return permission to explain a refused move; None if the same words keep coming."""
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
    most, since = service.config.limits.idle_answers_per_hour, service.now() - HOUR
    left = ALL_TOGETHER * most - uow.outbox.count_to(player_id, since, prefix=IDLE)
    begin = key.removesuffix(str(mail.id))
    if begin != _NEW:
        left = min(left, most - uow.outbox.count_to(player_id, since, prefix=begin))
    return Permit(key, left, (_LAST,)) if left > 0 else None


def idle_key(service: Service, uow: UnitOfWork, mail: InboxMail, player_id: str, kind: str) -> str:
    """Return the key of an answer that is counted: it names what it is counted for."""
    if kind in _OF_THEIR_OWN:
        return f"{IDLE}{kind}:{mail.id}"
    is_new = not uow.inbox.has_from(player_id, until=service.now() - HOUR)
    return f"{_NEW}{mail.id}" if is_new else f"{IDLE}{mail.game_id or ''}:{mail.id}"


def kind_of(lookups: Sequence[Lookup]) -> str:
    """Return the kind of the answers to some lookups: `help` if all want to learn the game."""
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
    """True if a person sent too many proven mails this hour, in a game or outside."""
    done = uow.players.mailed.get((player_id, game_id)) if game_id is not None else None
    if done is None:
        done = uow.inbox.count_from(player_id, service.now() - HOUR, game_id)
    return done >= service.config.limits.mails_per_hour


def strangers_for_all(service: Service) -> int:
    """Return how many strangers are answered in a day before only authenticated ones are."""
    most = service.config.limits.strangers_per_day
    return most - most // RESERVED


def window(moment: datetime) -> str:
    """Return the name of an instant's hour, for keys of answers sent once an hour."""
    return f"{moment:%Y-%m-%dT%H}"
