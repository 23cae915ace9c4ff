"""What one mail asks for, of a person and of a seat, and how much of it has been carried out."""

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
from pbem.store.people.players import Keyed, Player

Lookup = tuple[str, str | None]
"""What a line asks to read: its order word, and the ruleset that `rules` or `standings` names, if any."""


@dataclass(slots=True)
class MailOrders:
    """The orders in one person's mail, and how far they have been carried out.

    Attributes:
        cause: the cause of the events that follow, as in `Recorded`.
        here: the decision of the game that the mail is about, and the seat; the caller records
            it. None if the mail is not about a game.
        notes: sentences for the answer.
        lookups: what the lines ask to read; each is answered by a mail of its own.
        has_acted: something was done that other people can notice.
        message_id: the Message-ID of the mail, for mails that answer it.
        answers: orders that a separate mail has already answered.
        is_sure: binding orders are done at once: the mail is proven to be theirs, or they said yes.
        is_authenticated: a trusted mail server vouches for the sender.
        put_off: orders that are carried out only after the person says yes, each as data and as a sentence.
        brought: the OpenPGP key of its sender, if the mail brings one.
        sender: the address that wrote it, one of several that the person may have.
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
    is_sure: bool = False
    is_authenticated: bool = False
    put_off: list[tuple[JsonObject, str]] = field(default_factory=list)
    brought: Keyed | None = None
    sender: str = field(default="", repr=False)

    @property
    def player(self) -> Player:
        """The person who wrote. Raises: Refusal if they were forgotten meanwhile."""
        player = self.uow.players.get(self.player_id)
        if player is None:
            raise Refusal("player", sentence("Nobody is known by that name any more."))
        return player

    @property
    def language(self) -> str:
        """The person's language, and the language whose order words they can use."""
        player = self.uow.players.get(self.player_id)
        return SOURCE if player is None else player.language


SHOWN_LINE = 200
CUT = sentence(
    "Only the first {limit} lines of a mail are read; what you wrote below them was not.",
    limit=MAX_LINES,
)


@dataclass(slots=True)
class SeatOrders:
    """What the lines of a mail have done so far.

    Attributes:
        names: the players' names, by seat.
        mail_orders: the requests that need no seat; holds the notes of the answer.
        results: the result of each line.
        tried: the finding of a dry run, until it is among the results.
        catches_up: the answer tells everything since the reader's last move.
        stopped: a line was refused; the lines after it are not carried out (GEN-10).
        is_single_order: nothing else is asked in the mail.
        quoted: the lines of our mails that the mail may quote.
        witness: own words of the other form of the mail (HTML beside text); None if it has only one.
    """

    mail_orders: MailOrders
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
        """True if the other form of the mail has these words in a row, or is missing."""
        other = None if self.witness is None else f" {' '.join(words_of(self.witness))} "
        return other is None or f" {' '.join(words)} " in other

    @property
    def is_only_asked(self) -> bool:
        """True if separate mails ask about every order, and nothing else is to be told."""
        outcomes = {one.outcome for one in self.results}
        return "asked" in outcomes and outcomes <= {"asked", "unused", "meant"} and not self.notes

    @property
    def game(self) -> Game:
        """Return the game after the lines so far."""
        return self.decision.existing()

    @property
    def seat(self) -> int:
        """Return the seat of the writer."""
        return self.token.seat

    @property
    def notes(self) -> list[Sentence]:
        """Return the sentences for the answer."""
        return self.mail_orders.notes


def result(line: str, outcome: str, move: str | None = None, *, why: str = "") -> LineResult:
    """Return the result of a line; `why` is the reason if it was not carried out."""
    return LineResult(line[:SHOWN_LINE], outcome, move=move, message=why)
