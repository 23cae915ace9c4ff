"""One incoming message: its sender, token, authentication level, reply text and verdict."""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import TypeVar

from engine.api import AnyRuleset, JsonObject
from engine.sentences import Sentence, sentence
from pbem.domain.table.decision import Decision
from pbem.domain.terms.tokens import SeatToken, Token
from pbem.domain.words import meanings
from pbem.domain.words.orders import LineKind, OrderLine, is_cut, order_reader
from pbem.domain.words.service_lines import read_service_words
from pbem.domain.words.service_words import Word
from pbem.mail_in.mime.message import InboundMail, Reply
from pbem.mail_in.mime.parse import bodies_of
from pbem.mail_in.mime.parts import ENCRYPTED, LOCKED, SKIPPED
from pbem.mail_in.quotes.answered import BETWEEN, page_text
from pbem.mail_in.quotes.body import extract_reply
from pbem.service.core import limits, sender_identity
from pbem.service.core.context import Service
from pbem.service.core.limits import Permit
from pbem.service.core.mail_context import SHOWN_LINE, MailContext
from pbem.service.core.sender_identity import AuthLevel
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import EncryptionKey, Player, normal_address
from pbem.store.post.outbox_queries import Said
from pbem.store.rows.core import InboxMail

T = TypeVar("T")

_MAX_LEFT_OUT = 3

_REPLY = re.compile(
    r"\b(?:re|aw|antw|sv|vs|fwd?|wg|tr|rv|rif|odp)\s*(?:\[\d+\])?\s*:", re.IGNORECASE
)
"""Reply and forward prefixes of subjects in several languages."""
_NO_TEXT = re.compile(
    r"\[[^]]*\]|[\s(<-]*\b(?:eom|n/?t|n\.t\.|o\.?t\.?|kt|k\.t\.)[\s)>.-]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""Parts of a subject to ignore: a bracketed game ID or token, and abbreviations for "no text" such as EOM."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The inbox status of a handled message and the reason, for the audit.

    Contains no content, address or token.

    Attributes:
        status: `done`, `ignored`, `held`, `asked`, or `new` to handle it again.
        why: a short reason.
        triage: as in `pbem.mail_in.mime.message.Triage`.
    """

    status: str
    why: str
    triage: str = "human"

    def as_json(self) -> JsonObject:
        """Return the verdict in the form stored in the inbox."""
        return {"why": self.why, "triage": self.triage}


@dataclass(frozen=True, slots=True)
class OwnWords:
    """The text that the sender wrote, without quotes.

    Attributes:
        reply: the text, the doubtful lines, and the reason if it could not be read.
        lines: the parsed lines.
    """

    reply: Reply
    lines: tuple[OrderLine, ...]

    @property
    def words(self) -> set[Word | None]:
        """Return the order word of each line, or None for a line that is not an order."""
        return {line.word for line in self.lines}

    @property
    def is_cut(self) -> bool:
        """True if the text was too long and only its beginning was parsed."""
        return is_cut(self.reply.text, self.lines)

    @property
    def is_trial(self) -> bool:
        """True if the first line is `test`, which requests a dry run."""
        if self.lines:
            return self.lines[0].word is Word.TEST
        words = read_service_words(self.reply.doubts[0]) if self.reply.doubts else None
        return words is not None and words.word is Word.TEST

    def yes_or_no(self) -> Word | None:
        """Return the first `yes` or `no` in the lines, else what a plain answer means, else None."""
        words = [line.word for line in self.lines if line.word in (Word.YES, Word.NO)]
        prose = [line.text for line in self.lines if line.kind is LineKind.PROSE]
        plain = meanings.plain_answer(prose, Word.YES, Word.NO)
        return words[0] if words else None if plain is None else plain[1]

    def unused(self, used: Collection[Word | None]) -> list[Sentence]:
        """Report orders that were ignored because the address accepts only certain words."""
        beside = [
            sentence(
                'Not carried out: "{line}". This was the answer to a question; please send that to'
                " another mail of ours.",
                line=line.text[:SHOWN_LINE],
            )
            for line in self.lines
            if line.kind is not LineKind.PROSE and line.word not in used
        ]
        return [*beside[:_MAX_LEFT_OUT], *self.left_out()]

    def left_out(self) -> list[Sentence]:
        """Report orders that were ignored because they are probably quoted."""
        given = {line.text for line in self.lines}
        return [
            sentence(
                'Not used, because it may only be quoted: "{line}". If it is yours, please send it'
                " again, above the quote.",
                line=line[:SHOWN_LINE],
            )
            for line in self.reply.left_out
            if line not in given
        ][:_MAX_LEFT_OUT]


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message from a person while it is being handled.

    Attributes:
        row: its row in the inbox.
        mail: the parsed message.
        sender: the address in From.
        token: the token of its reply address, or None for the plain address or an invalid token.
        writer: the player with the address in From, or None if it is unregistered.
        auth_level: how the sender was authenticated.
        has_token: True if it was sent to a reply address, valid or not.
        asked_in: language of the question that an unregistered sender answers, or empty if unknown.
    """

    service: Service
    uow: UnitOfWork
    row: InboxMail
    mail: InboundMail
    sender: str
    token: Token | None
    writer: Player | None
    auth_level: AuthLevel
    has_token: bool = False
    asked_in: str = ""

    @classmethod
    def of(cls, service: Service, uow: UnitOfWork, row: InboxMail, mail: InboundMail) -> Incoming:
        """Identify the sender of a message, and record the trusted server's authentication results.

        If the row of a new message names a player, the message was held earlier and that player has
        claimed it. Claiming has the same effect as a matching From address, whatever the actual
        address is.
        """
        sender = mail.sender or ""
        text, token = sender_identity.token_of(service, uow, row.rcpt_to, mail)
        if row.player_id is None or row.status != "new":
            since = service.now() - limits.HOUR
            writer = uow.players.by_address(sender, row.game_id, since=since)
            auth_level = sender_identity.auth_level_of(service, uow, row, sender, token, writer)
        else:
            writer = uow.players.get(row.player_id)
            is_theirs = sender_identity.is_token_of(uow, token, writer)
            auth_level = AuthLevel.TOKEN if is_theirs else AuthLevel.CLAIM
        return cls(service, uow, row, mail, sender, token, writer, auth_level, text is not None)

    @property
    def player(self) -> Player:
        """Return the sending player. Raises: ValueError if the sender is unregistered."""
        if self.writer is None:
            raise ValueError("a mail from a stranger")
        return self.writer

    def token_as(self, kind: type[T]) -> T:
        """Return the token. Raises: TypeError if it is not of this type."""
        if not isinstance(self.token, kind):
            raise TypeError(f"a mail to another reply address than a {kind.__name__}")
        return self.token

    @property
    def language(self) -> str:
        """Return the language whose order words the sender can use besides English."""
        if self.writer is None:
            return self.asked_in or self.service.config.service.language
        return self.writer.language

    def own_words(
        self,
        rulesets: Sequence[AnyRuleset] = (),
        names: Sequence[str] = (),
        *,
        quoting: tuple[str | None, str | None] = (None, None),
    ) -> OwnWords:
        """Extract the sender's reply text and parse each line.

        Args:
            rulesets: rules of the games whose orders are recognised.
            names: the players at the table, by seat.
            quoting: plain and HTML text of our messages that may be quoted, if known.
        """
        orders = order_reader(tuple(rulesets), tuple(names), self.language)
        answered, page = quoting
        reply = extract_reply(self.mail, answered=answered, answered_page=page, recogniser=orders)
        return OwnWords(reply, orders.read(reply.text))

    def subject_order(
        self, rulesets: Sequence[AnyRuleset] = (), names: Sequence[str] = ()
    ) -> Sentence | None:
        """Explain that an order in the subject was ignored.

        Return None if the subject has no order.

        The text after the last `Re:` is our own subject, so only moves count in it.
        """
        reader = order_reader(tuple(rulesets), tuple(names), self.language)
        parts = _NO_TEXT.sub("", _REPLY.sub("\n", self.mail.subject)).split("\n")
        for number, words in enumerate(dict.fromkeys((parts[0], parts[-1]))):
            lines = reader.read(words)
            kinds = (LineKind.GAME,) if number else (LineKind.SERVICE, LineKind.GAME)
            if len(lines) == 1 and lines[0].kind in kinds:
                return sentence(
                    "Nothing was done, because I read the text of your mail, not its subject. Write"
                    ' "{order}" in the text.',
                    order=lines[0].text[:SHOWN_LINE],
                )
        return None

    def permit(self, kind: str) -> Permit | None:
        """Return permission to answer this message if it changed nothing, like `limits.permit`."""
        return limits.permit(
            self.service, self.uow, self.row, self.player.id, self.auth_level, kind
        )

    def orders(self, here: tuple[Decision, int] | None = None) -> MailContext:
        """Create the context for carrying out the sender's orders.

        Args:
            here: as in `MailContext`.
        """
        return MailContext(
            self.service,
            self.uow,
            self.player.id,
            self.row.cause,
            here,
            message_id=self.mail.message_id,
            is_strong=self.auth_level.is_strong,
            is_authenticated=self.auth_level is AuthLevel.AUTHENTICATED,
            brought=self.brought,
            sender=self.mail.sender or "",
        )

    @property
    def brought(self) -> EncryptionKey | None:
        """Return the OpenPGP key in the message, or None.

        A date in the future is replaced by the arrival time.
        """
        if not self.mail.autocrypt:
            return None
        key, earliest = self.mail.autocrypt
        arrived = self.row.arrived_at.astimezone(UTC).isoformat()
        earliest = min(earliest or arrived, arrived)
        return EncryptionKey(base64.b64decode(key), earliest, normal_address(self.sender))


# -- quoted messages that we sent --------------------------------------------------------------

_MAILS_OF_A_POSITION = 20
MAILS_COMPARED = 3
"""Maximum number of our messages that a reply is compared with. The newest are used."""


def answered_mails(
    uow: UnitOfWork, named: Sequence[Said], token: SeatToken, answer: int | None = None
) -> list[Said]:
    """Return the texts of our messages that this reply may quote.

    These are the messages in its References header, or if there are none, the newest messages to
    the seat. If the reply was already answered, `answer` is the ID of that answer, and later
    messages are ignored.
    """
    sent = [mail for mail in named if (mail.game_id, mail.seat) == (token.game_id, token.seat)]
    if not sent:
        limit = MAILS_COMPARED if answer is None else _MAILS_OF_A_POSITION
        written = uow.outbox.texts_to_seat(token.game_id, token.seat, token.listing, limit)
        sent = [mail for mail in written if answer is None or mail.id < answer]
    return [mail for mail in sent[:MAILS_COMPARED] if mail.forms is not None]


def quoted(mails: Iterable[tuple[str, str]]) -> tuple[str | None, str | None]:
    """Join the plain and the HTML texts of our messages, to recognise quoted lines."""
    ours = [*mails]
    if not ours:
        return None, None
    return BETWEEN.join(text for text, _ in ours), BETWEEN.join(page for _, page in ours)


def forms_of(raw: bytes) -> tuple[str, str]:
    """Return the plain text of one of our messages and the text of its HTML form."""
    text, html = bodies_of(raw)
    return text or "", page_text(html or "")


# -- reasons for not reading a message --------------------------------------------------------

_UNLOCKED = sentence(
    'Please send it again without encryption. "encrypt on" from a mail program with Autocrypt brings you my'
    " key."
)
PLAIN_PLEASE = sentence(
    "Please answer again with a few lines of plain text and without attachments."
)

_REASONS = {
    str(reason): reason
    for reason in (
        sentence("too many parts"),
        sentence("containers are nested too deep"),
        sentence("the text is longer than the size limit"),
        sentence("an encrypted mail or a digest is not read"),
        sentence("it is encrypted, but not with my key, or it was damaged on the way"),
        sentence("what is wrapped in S/MIME or in winmail.dat is not read"),
        sentence("it is protected, and only a web page shows its text"),
        sentence("a container without boundary"),
        sentence("the character set is not known, or the text is not of it"),
        sentence("the HTML is too deep or too long to be read"),
        sentence("text and HTML of the mail differ about an order"),
        sentence("the header is too long"),
        sentence("the header has too many lines"),
        sentence("a header line is too long"),
        sentence("too many header fields"),
        sentence("only its header was read"),
        sentence("reading it takes more than a second of processor time"),
    )
}


def not_read(reason: str) -> Sentence:
    """Explain to the sender why a message could not be read, with advice."""
    if reason.startswith(SKIPPED):
        return sentence(
            "Your mail has no text that I can read, only a part of type {kind}. {please}",
            kind=reason.removeprefix(SKIPPED),
            please=PLAIN_PLEASE,
        )
    return sentence(
        "Your mail could not be read: {reason}. {please}",
        reason=_REASONS.get(reason, reason),
        please=_UNLOCKED if reason in (ENCRYPTED, LOCKED) else PLAIN_PLEASE,
    )
