"""How far one mail that speaks for a seat has been read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.sentences import Sentence, sentence
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import SeatToken
from pbem.domain.words.orders import MAX_LINES
from pbem.mail_out.content import LineResult
from pbem.service.core.asking import MailOrders

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
        quoted: words of the lines of our mails that the mail may quote.
        witness: words of the other form of the mail (HTML beside text); None if it has only one.
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
    quoted: frozenset[tuple[str, ...]] = frozenset()
    witness: tuple[str, ...] | None = None

    def is_witnessed(self, words: Sequence[str]) -> bool:
        """True if the other form of the mail has these words in a row, or is missing."""
        if self.witness is None:
            return True
        return f" {' '.join(words)} " in f" {' '.join(self.witness)} "

    @property
    def is_only_asked(self) -> bool:
        """True if separate mails ask about every order, and nothing else is to be told."""
        outcomes = {one.outcome for one in self.results}
        return (
            bool(self.mail_orders.asked)
            and outcomes <= {"asked", "unused", "meant"}
            and not self.notes
        )

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
