"""A mail on its way: who wrote it, to which reply address, what shows that, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.api import AnyRuleset, JsonObject
from pbem.domain.terms.tokens import Token
from pbem.domain.words.orders import OrderLine, OrderReader, is_cut
from pbem.domain.words.service_words import Word
from pbem.mail_in.mime.message import InboundMail, Reply
from pbem.mail_in.quotes.body import extract_reply
from pbem.service.core import whose
from pbem.service.core.context import Service
from pbem.service.core.whose import Proof
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.post.inbox import InboxMail

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The inbox status of a handled mail and why, for audit: no content, no address, no token.

    Attributes:
        status: `done`, `ignored`, `held`, `asked`, or `new` to be handled again.
        why: a few words.
        triage: as in `pbem.mail_in.mime.message.Triage`.
    """

    status: str
    why: str
    triage: str = "human"

    def as_json(self) -> JsonObject:
        """Return what the inbox row keeps."""
        return {"why": self.why, "triage": self.triage}


@dataclass(frozen=True, slots=True)
class OwnWords:
    """What the writer of a mail wrote, without what the mail quotes.

    Attributes:
        reply: the text, its doubts, and why it could not be read.
        lines: each judged by its form.
    """

    reply: Reply
    lines: tuple[OrderLine, ...]

    @property
    def words(self) -> set[Word | None]:
        """The order words of the lines; None stands for anything else."""
        return {line.word for line in self.lines}

    @property
    def is_cut(self) -> bool:
        """True if the text was too long to be read to its end."""
        return is_cut(self.reply.text, self.lines)

    def yes_or_no(self) -> Word | None:
        """Return the first answer to a question; None if there is none."""
        return next((line.word for line in self.lines if line.word in (Word.YES, Word.NO)), None)


@dataclass(frozen=True, slots=True)
class Incoming:
    """One mail from a person, while it is handled.

    Attributes:
        row: of the inbox.
        mail: as it was read.
        sender: the address in From.
        token: of the reply address that it came to; None for the bare address, and a broken token.
        writer: the player whose address From is; None for a stranger.
        proof: what shows that they wrote it.
        has_token: it came to a reply address, be it one of ours or not.
    """

    service: Service
    uow: UnitOfWork
    row: InboxMail
    mail: InboundMail
    sender: str
    token: Token | None
    writer: Player | None
    proof: Proof
    has_token: bool = False

    @classmethod
    def of(cls, service: Service, uow: UnitOfWork, row: InboxMail, mail: InboundMail) -> Incoming:
        """Find out who wrote a mail; what a trusted server says of that is noted with it."""
        sender = mail.sender or ""
        text, token = whose.token_of(service, row.rcpt_to, mail)
        writer = uow.players.by_address(sender)
        proof = whose.proof_of(service, uow, row, sender, token, writer)
        return cls(service, uow, row, mail, sender, token, writer, proof, text is not None)

    @property
    def player(self) -> Player:
        """The player who wrote; only for mails whose sender is known."""
        if self.writer is None:
            raise ValueError("a mail from a stranger")
        return self.writer

    def token_as(self, kind: type[T]) -> T:
        """Return the token, which is of this kind for any mail that got here."""
        if not isinstance(self.token, kind):
            raise TypeError(f"a mail to another reply address than a {kind.__name__}")
        return self.token

    @property
    def language(self) -> str:
        """Whose order words the writer may use besides English ones."""
        return self.service.config.service.language if self.writer is None else self.writer.language

    def own_words(
        self,
        rulesets: Sequence[AnyRuleset] = (),
        names: Sequence[str] = (),
        *,
        quoting: tuple[str | None, str | None] = (None, None),
    ) -> OwnWords:
        """Separate the writer's own words from what they quote, and judge them line by line.

        Args:
            rulesets: of the games whose orders are known.
            names: of the players at the table, by seat.
            quoting: text and HTML of our mails that may be quoted, if they are known.
        """
        orders = OrderReader(rulesets, names, self.language)
        answered, answered_html = quoting
        reply = extract_reply(
            self.mail, answered=answered, answered_html=answered_html, recogniser=orders
        )
        return OwnWords(reply, orders.read(reply.text))
