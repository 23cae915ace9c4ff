"""Describe how raw messages are interpreted, without acting: `pbem mail parse`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from engine import registry
from engine.api import JsonObject
from pbem.domain.terms.tokens import find_token_text
from pbem.domain.words.orders import LineKind, OrderLine, OrderReader
from pbem.domain.words.translate import REPLY_MARKER_BY_LANGUAGE
from pbem.errors import MalformedMailError
from pbem.language import SOURCE, languages
from pbem.mail_in.mime.message import InboundMail, Triage
from pbem.mail_in.mime.parse import parse_mail
from pbem.mail_in.quotes.answered import page_text
from pbem.mail_in.quotes.body import extract_reply
from pbem.mail_in.sandbox.reader import DirectReader, MailReader, ReaderError

_STOPS = (LineKind.TAKEN_BACK, LineKind.UNREAD)


class QuoteParser:
    """Parses and describes raw replies to the same messages of ours."""

    def __init__(
        self,
        *,
        answered: bytes | None = None,
        quoting: tuple[str | None, str | None] = (None, None),
        reader: MailReader | None = None,
        secret: bytes | None = None,
    ) -> None:
        """Store what all messages have in common.

        Args:
            answered: our raw message that they answer, or None if unknown.
            quoting: plain and HTML text of our messages that they may quote, if `answered` is
                unknown.
            reader: parses them, or None to parse in this process.
            secret: our OpenPGP key, to decrypt them.
        """
        self._secret = secret
        self._reader = reader or DirectReader()
        ours = None if answered is None else _parsed(answered)
        if ours is not None:
            quoting = ours.plain, page_text(ours.html or "")
        self._plain, self._page = quoting
        self._languages = _languages_of(self._plain or "")
        ident = None if ours is None else ours.message_id
        self._own_domains = [ident.rpartition("@")[2].lower()] if ident else []

    def describe(self, raw: bytes) -> JsonObject:
        """Return how a raw message is interpreted.

        Returns:
            `triage`, `from`, `token`, `text` (the reply text), `orders` (lines that a game with
            such orders would carry out), `problems`. The orders are parsed in the language of
            the answered message, or in the best matching one if that is unknown.
        """
        trouble: list[str] = []
        try:
            try:
                mail = self._reader.read(raw, own_domains=self._own_domains, secret=self._secret)
            except ReaderError as error:
                trouble.append(f"not read: {error}")
                mail = self._reader.read(raw, own_domains=self._own_domains, head_only=True)
        except (MalformedMailError, ReaderError) as error:
            return _described(Triage.AUTO, problems=[f"not read: {error}"])
        problems = [*trouble, *mail.problems]
        tokens = map(find_token_text, (*mail.recipients, mail.subject))
        token = next(filter(None, tokens), None)
        if mail.triage is not Triage.HUMAN:
            return _described(mail.triage, mail.sender, token, problems=problems)
        orders_in = _OrdersIn(self._languages)
        reply = extract_reply(
            mail, answered=self._plain, answered_page=self._page, recogniser=orders_in
        )
        problems = list(dict.fromkeys([*problems, *reply.problems]))
        lines = orders_in.read(reply.text)
        orders = _orders(lines)
        if any(line.kind is LineKind.TAKEN_BACK for line in lines):
            problems.append("a line takes back an order above it: from that one on nothing is done")
        if any(line.kind is LineKind.UNREAD for line in lines):
            problems.append("a line seems to be a move and cannot be read: what is below waits")
        if reply.doubts:
            orders = []
            problems.append("a line that may be quoted reads as an order: nothing would be done")
        return _described(mail.triage, mail.sender, token, reply.text, orders, problems)


class _OrdersIn:
    """Recognises the orders of all games in several languages."""

    def __init__(self, languages_read: Iterable[str]) -> None:
        self._readers = [
            OrderReader(registry.latest(), (), language) for language in languages_read
        ]

    def is_order(self, text: str, /) -> bool:
        """True if a line is an order in one of the languages."""
        return any(reader.is_order(text) for reader in self._readers)

    def read(self, text: str) -> tuple[OrderLine, ...]:
        """Parse a text in the language that finds the most orders, or the first of several."""
        return max(
            (reader.read(text) for reader in self._readers), key=lambda one: len(_orders(one))
        )


def _languages_of(ours: str) -> tuple[str, ...]:
    """Return the language of one of our messages, or all languages for any other text."""
    codes = (code for code, marker in REPLY_MARKER_BY_LANGUAGE.items() if marker in ours)
    return tuple(codes) or (SOURCE, *(code for code in languages() if code != SOURCE))


def _orders(lines: Iterable[OrderLine]) -> list[str]:
    return [
        line.text
        for line in takewhile(lambda line: line.kind not in _STOPS, lines)
        if line.kind in (LineKind.SERVICE, LineKind.GAME)
    ]


def _described(
    triage: Triage,
    sender: str | None = None,
    token: str | None = None,
    text: str = "",
    orders: list[str] | None = None,
    problems: list[str] | None = None,
) -> JsonObject:
    return {
        "triage": triage.value,
        "from": sender,
        "token": token,
        "text": text,
        "orders": list(orders or []),
        "problems": list(problems or []),
    }


def _parsed(raw: bytes) -> InboundMail | None:
    try:
        return parse_mail(raw)
    except MalformedMailError:
        return None
