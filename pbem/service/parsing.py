"""What the service understands of a raw mail, without doing anything: `pbem mail parse`."""

from __future__ import annotations

from collections.abc import Iterable

from engine import registry
from engine.api import JsonObject
from pbem.domain.orders import LineKind, read_lines, reads_as_order
from pbem.domain.tokens import find_token_text
from pbem.errors import MalformedMailError
from pbem.mail_in.body import extract_reply
from pbem.mail_in.message import InboundMail, Triage
from pbem.mail_in.parse import parse_mail


def describe(raw: bytes, *, answered: bytes | None = None, own: Iterable[str] = ()) -> JsonObject:
    """Say what is read from a raw mail.

    Args:
        raw: the mail.
        answered: our raw mail that it answers, None if unknown.
        own: domains of the service, to recognise mails that came back.

    Returns:
        `triage`, `from`, `token`, `text` (own text), `orders` (lines of it that would be carried
        out in a game that knows them), `problems`.
    """
    try:
        mail = parse_mail(raw, own_domains=frozenset(own))
    except MalformedMailError as error:
        return _described(Triage.AUTO, problems=[f"not parsed: {error}"])
    token = _token(mail)
    if mail.triage is not Triage.HUMAN:
        return _described(mail.triage, mail.sender, token, problems=list(mail.problems))
    rulesets = registry.latest()
    ours = None if answered is None else _parsed(answered)
    reply = extract_reply(
        mail,
        answered=None if ours is None else ours.plain,
        answered_html=None if ours is None else ours.html or "",
        is_order=lambda line: reads_as_order(line, rulesets),
    )
    orders = [
        line.text
        for line in read_lines(reply.text, rulesets)
        if line.kind in (LineKind.SERVICE, LineKind.GAME)
    ]
    problems = list(dict.fromkeys([*mail.problems, *reply.problems]))
    if reply.doubts:
        orders = []
        problems.append("a line that may be quoted reads as an order: nothing would be done")
    return _described(mail.triage, mail.sender, token, reply.text, orders, problems)


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


def _token(mail: InboundMail) -> str | None:
    for place in (*mail.recipients, mail.subject):
        found = find_token_text(place)
        if found is not None:
            return found
    return None


def _parsed(raw: bytes) -> InboundMail | None:
    try:
        return parse_mail(raw)
    except MalformedMailError:
        return None
