"""Test the details that `pbem mail parse` prints in addition to the text."""

from __future__ import annotations

import pytest

from pbem.domain.words.translate import reply_marker
from pbem.service.intake.parsing import QuoteParser

HEAD = "From: anna@example.org\nTo: cards@pbem.example.org\nSubject: Re: Phyliss\n"
PLAIN = "Content-Type: text/plain; charset=utf-8\n\n"


def mail(text: str) -> bytes:
    return (HEAD + PLAIN + text).encode()


@pytest.mark.parametrize(
    ("answered", "orders"),
    [("de", ["spiele 7c", "aufnehmen", "21"]), ("en", ["21"]), (None, ["spiele 7c", "aufnehmen", "21"])],
)  # fmt: skip
def test_orders_are_read_in_the_language_of_the_answered_mail(
    answered: str | None, orders: list[str]
) -> None:
    """In all languages if that mail is unknown."""
    ours = None if answered is None else mail(f"{reply_marker(answered)}\n\nHello Anna!\n")
    quote_parser = QuoteParser(answered=ours)
    assert quote_parser.describe(mail("spiele 7c\naufnehmen\n21\n"))["orders"] == orders
