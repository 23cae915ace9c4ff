"""Mutable context for carrying out the lines of a message, for a player and for a seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.api import JsonObject
from engine.sentences import Sentence, sentence
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import SeatToken
from pbem.domain.words.orders import MAX_LINES
from pbem.errors import Refusal
from pbem.language import SOURCE
from pbem.mail_in.quotes.marks import words_of
from pbem.mail_out.content import LineResult
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import EncryptionKey, Player

Lookup = tuple[str, str | None]
"""A request for information: the order word, and the ruleset that follows `rules` or `standings`, or None."""


@dataclass(slots=True)
class MailContext:
    """Context and results of carrying out a person's message.

    Attributes:
        cause: cause of the resulting events, as in `Recorded`.
        here: the pending decision on the message's game, and the seat. The caller records the
            decision. None if the message is not about a game.
        notes: sentences for the answer.
        lookups: requested information. Each request is answered by a separate message.
        has_acted: True if something was done that other people can notice.
        message_id: Message-ID of the message, for replies to it.
        answers: number of orders already answered by a separate message.
        is_strong: True if irrevocable orders need no confirmation, because the sender was
            authenticated or has confirmed.
        is_authenticated: True if a trusted mail server authenticated the sender.
        put_off: orders that need the person's confirmation, as data and as sentences.
        brought: the sender's OpenPGP key, if the message contains one.
        sender: the address that sent the message, which belongs to the person.
    """

    service: Service
    uow: UnitOfWork
    player_id: str
    cause: str
    here: tuple[Decision, int] | None = None
    notes: list[Sentence] = field(default_factory=list)
    lookups: list[Lookup] = field(default_factory=list)
    has_acted: bool = False
    message_id: str | None = None
    answers: int = 0
    is_strong: bool = False
    is_authenticated: bool = False
    put_off: list[tuple[JsonObject, str]] = field(default_factory=list)
    brought: EncryptionKey | None = None
    sender: str = field(default="", repr=False)

    @property
    def player(self) -> Player:
        """Return the sender. Raises: Refusal if the sender's data was erased in the meantime."""
        player = self.uow.players.get(self.player_id)
        if player is None:
            raise Refusal("player", sentence("Nobody is known by that name any more."))
        return player

    @property
    def language(self) -> str:
        """Return the person's language. Order words in it and in English are understood."""
        player = self.uow.players.get(self.player_id)
        return SOURCE if player is None else player.language


SHOWN_LINE = 200
CUT = sentence(
    "Only the first {limit} lines of a mail are read; what you wrote below them was not.",
    limit=MAX_LINES,
)


@dataclass(slots=True)
class SeatContext:
    """Results of the lines that were carried out for a seat so far.

    Attributes:
        names: the players' names, by seat.
        mail_orders: context of orders that need no seat. It contains the notes of the answer.
        results: the result of each line.
        tried: result of a dry run, until it is appended to `results`.
        catches_up: True if the answer reports everything since the reader's last move.
        stopped: True if a line was refused, so that later lines are not carried out (GEN-10).
        is_single_order: True if the message contains a single order and nothing else.
        quoted: the text of our messages that this message may quote.
        witness: reply text of the message's other form (HTML or plain text), or None if the message
            has only one form.
    """

    mail_context: MailContext
    decision: Decision
    token: SeatToken
    names: tuple[str, ...]
    results: list[LineResult] = field(default_factory=list)
    tried: LineResult | None = None
    catches_up: bool = False
    stopped: bool = False
    is_single_order: bool = False
    quoted: str = ""
    witness: str | None = None

    def is_witnessed(self, words: Sequence[str]) -> bool:
        """True if the message's other form contains these words in sequence, or if there is no other form."""
        other = None if self.witness is None else f" {' '.join(words_of(self.witness))} "
        return other is None or f" {' '.join(words)} " in other

    @property
    def is_only_asked(self) -> bool:
        """True if all orders wait for confirmation messages and there is nothing else to report."""
        outcomes = {one.outcome for one in self.results}
        return "asked" in outcomes and outcomes <= {"asked", "unused", "meant"} and not self.notes

    @property
    def game(self) -> Game:
        """Return the game after the lines carried out so far."""
        return self.decision.existing()

    @property
    def seat(self) -> int:
        """Return the sender's seat."""
        return self.token.seat

    @property
    def notes(self) -> list[Sentence]:
        """Return the sentences for the answer."""
        return self.mail_context.notes


def result(line: str, outcome: str, move: str | None = None, *, why: str = "") -> LineResult:
    """Create the result of a line.

    Args:
        line: the line, which is shortened.
        outcome: the kind of result.
        move: the canonical move, if any.
        why: the reason if the line was not carried out.
    """
    return LineResult(line[:SHOWN_LINE], outcome, move=move, message=why)
