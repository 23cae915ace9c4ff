"""What one person asks for in a mail, and how far it has been carried out."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.api import JsonObject
from engine.sentences import Sentence
from pbem.domain.table.decision import Decision
from pbem.language import SOURCE
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork

Question = tuple[str, str | None]
"""What somebody asks for, the word of it, and the ruleset that `rules` or `standings` names, if any."""


@dataclass(slots=True)
class Wishes:
    """Where the carrying out of one person's wishes stands.

    Attributes:
        cause: of the events that follow, as in `Recorded`.
        here: the decision of the game in which the mail was written, and the seat; its caller
            records it. None if the mail is about no game.
        notes: sentences for the answer.
        questions: what is answered by mails of their own.
        has_acted: something was done that other people may notice.
        message_id: of the mail, for mails that answer it.
        answers: orders that a mail of their own has answered already.
        is_sure: what binds the person is done at once: the mail is proven to be theirs, or they said yes to it.
        asked: what is done only once they have said yes to it, as data and in a sentence each.
    """

    service: Service
    uow: UnitOfWork
    player_id: str
    cause: str
    here: tuple[Decision, int] | None = None
    notes: list[Sentence] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    has_acted: bool = False
    message_id: str | None = None
    answers: int = 0
    is_sure: bool = False
    asked: list[tuple[JsonObject, str]] = field(default_factory=list)

    @property
    def language(self) -> str:
        """What the person is written to in, and whose order words they may use."""
        player = self.uow.players.get(self.player_id)
        return SOURCE if player is None else player.language
