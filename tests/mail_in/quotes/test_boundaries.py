"""Test that orders in unmarked copies of other messages are questioned, not carried out."""

from __future__ import annotations

import pytest

from pbem.mail_in.mime.message import InboundMail, Reply, Triage
from pbem.mail_in.quotes.body import extract_reply
from tests.mail_in.quotes.test_between import TURN, marked
from tests.mail_in.samples import RECOGNISER, orders_of

OURS = "cards+s-k7q2-0-1-57@play.example"
SUBJECT = "Re: [k7q2] Phyliss with Bob, Carol"
RULE = "=" * 30

OTHERS = {
    "SFR": f'{RULE}\nMessage du : 21/11/2026\nDe : "Bob" <bob@example.org>\nA : {OURS}\nSujet : {SUBJECT}\n{RULE}',
    "two fields": f"From: Bob\nSubject: {SUBJECT}",
    "Swahili": "Kutoka: Bob <bob@example.org>\nTarehe: 21 Novemba 2026\nMada: Phyliss",
    "a language that nobody knows": "Xqz: Bob <bob@example.org>\nYyz: Phyliss",
    "one field": "From: bob@example.org",
    "subject": f"Subject: {SUBJECT}",
    "subject without its name": SUBJECT,
    "who wrote": "Bob schrieb:",
    "who wrote, and when, without a colon": "On Sat, Nov 21, 2026 at 8:30 AM Bob wrote",
    "address": "Bob <bob@example.org>",
    "name": "Bob:",
    "name and instant": "Bob, 21.11.2026 08:30",
    "name and time": "Bob  [8:30 AM]",
    "messenger": "[21.11.26, 08:30:12] Bob:",
    "cut": "[...]",
    "hidden": "[Quoted text hidden]",
    "greeting": "Hi Anna,",
    "own name": "Anna",
    "forwarded": "Forwarded message:",
}
SMALL = [name for name in OTHERS if name not in ("SFR", "Swahili")]
"""Without header blocks: what is marked below those is of another program."""
LIKELY = ("SFR", "two fields", "Swahili", "who wrote", "address", "forwarded")


def reply_to(plain: str, *, known: bool) -> Reply:
    mail = InboundMail("m@x", "anna.b@example.org", (OURS,), SUBJECT, (), Triage.HUMAN, plain, None)
    return extract_reply(
        mail,
        answered=TURN if known else None,
        answered_page="" if known else None,
        recogniser=RECOGNISER,
    )


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
class TestMailOfAnother:
    """Copied by hand, or by a program that says little."""

    @pytest.mark.parametrize("below", ["", marked(TURN), TURN], ids=["none", "marked", "bare"])
    @pytest.mark.parametrize("begin", OTHERS.values(), ids=OTHERS)
    def test_is_not_carried_out(self, begin: str, below: str, known: bool):
        reply = reply_to(f"No time today.\n\n{begin}\n\nplay 7c\n\nBob\n\n{below}", known=known)
        assert orders_of(reply.text) == []
        assert "play 7c" in reply.doubts

    @pytest.mark.parametrize("begin", [OTHERS[one] for one in LIKELY], ids=LIKELY)
    def test_is_passed_over_below_an_order_of_ones_own(self, begin: str, known: bool):
        reply = reply_to(f"play 9s\n\n{begin}\n\nplay 7c\n\nBob\n", known=known)
        assert (orders_of(reply.text), reply.doubts) == (["play 9s"], ())

    @pytest.mark.parametrize("begin", [OTHERS[one] for one in SMALL], ids=SMALL)
    def test_below_marked_lines_an_order_is_own(self, begin: str, known: bool):
        reply = reply_to(f"{begin}\n{marked(TURN)}\n\nplay 7c\n", known=known)
        assert (orders_of(reply.text), reply.doubts) == (["play 7c"], ())

    def test_is_not_carried_out_below_marked_fields(self, known: bool):
        fields = f'> Message du 21/11/26 08:30\n> De : "Bob"\n> A : {OURS}\n> Objet : Phyliss\n>'
        reply = reply_to(f"play 9s\n\n{fields}\n\nplay 7c\n\n{marked(TURN)}", known=known)
        assert reply.doubts == ("play 7c",)


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize(
    "words",
    [
        "Hi Bob,",
        "Hello card table,",
        "My move:",
        "Here is what I wrote down for today: as follows",
        "No: too risky",
        "Back on 24.12.2026.",
        "I can play again at 18:30.",
        "My new address is anna2@example.org, by the way.",
        "CAUTION: this mail is from outside.\n________________________",
        "##- Your reply above this line -##\n\nAnna B. (Friends)\nNov 21, 2026, 10:12",
        "Hmm ...",
    ],
)
def test_words_of_ones_own_part_nothing(words: str, known: bool):
    """What people and gateways write above an order does not make it another's."""
    reply = reply_to(f"{words}\n\nplay 7c\n\nAnna\n", known=known)
    assert (orders_of(reply.text), reply.doubts) == (["play 7c"], ())


BOTTOM = "Jonas will know.\n\nplay 3h\n\nBob\n"
INNER = f"On Sat, Nov 21, 2026 at 8:10 AM Card table <{OURS}> wrote:\n{marked(TURN)}\n\n{BOTTOM}"


@pytest.mark.parametrize(
    "plain",
    [
        f"play 9s\n\nOn Sat, Nov 21, 2026 Bob <bob@example.org> wrote:\n\n{marked('Well?')}\n\n{BOTTOM}",
        f"play 9s\n\nFrom: Bob\nDate: 21.11.2026 09:16\nSubject: Phyliss\n\n{marked('Well?')}\n\n{BOTTOM}",
        f"play 9s\n\nBob wrote:\n\n{INNER}",
        f"play 9s\n\nBob <bob@example.org> 9:12 21.11.2026\n\n{INNER}",
        f"On Sunday.\n\nBob via Cards · 9:10\n\n{INNER}",
    ],
)
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_what_another_wrote_below_a_quote_is_asked_about(plain: str, known: bool):
    """The program of the other marks, the one around it does not."""
    reply = reply_to(plain, known=known)
    assert "play 3h" not in orders_of(reply.text)
    if "play 9s" not in plain:
        assert reply.doubts == ("play 3h",)


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_orders_around_a_quote_of_our_mail_are_own(known: bool):
    plain = f"play 9s\n\nAnna\n\nCard table <{OURS}> wrote on 21.11.2026:\n{marked(TURN)}\n\nhelp\n"
    reply = reply_to(plain, known=known)
    assert (orders_of(reply.text), reply.doubts) == (["play 9s", "help"], ())
