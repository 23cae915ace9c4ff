"""What one person asks for in a mail, and how much of it has been carried out."""

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
class MailOrders:
    """The orders in one person's mail, and how far they have been carried out.

    Attributes:
        cause: the cause of the events that follow, as in `Recorded`.
        here: the decision of the game that the mail is about, and the seat; the caller records
            it. None if the mail is not about a game.
        notes: sentences for the answer.
        questions: answered by separate mails.
        has_acted: something was done that other people can notice.
        message_id: the Message-ID of the mail, for mails that answer it.
        answers: orders that a separate mail has already answered.
        is_sure: binding orders are done at once: the mail is proven to be theirs, or they said yes.
        asked: orders that are done only after they say yes, each as data and as a sentence.
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
        """The person's language, and the language whose order words they can use."""
        player = self.uow.players.get(self.player_id)
        return SOURCE if player is None else player.language
