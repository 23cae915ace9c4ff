"""Test answers to the player's own messages: earlier orders are not carried out again.

Programs quote in layers of their own kind, and one that marks nothing puts its layer around one
that marks. Whatever the layers, an order in them is an old one.
"""

from __future__ import annotations

import pytest

from pbem.mail_in.mime.message import InboundMail, Reply, Triage
from pbem.mail_in.quotes.body import extract_reply
from tests.mail_in.quotes.test_between import TURN, marked
from tests.mail_in.samples import RECOGNISER, orders_of

ANNA = "anna@example.org"
OURS = "cards+s-k7q2-0-1-57@play.example"
TO_US = "On Sat, Nov 21, 2026 at 8:10 AM Card table <cards+s-k7q2-0-1-57@play.example> wrote:\n"
OWN_MAILS = {
    "outlook in Vietnamese": f"Từ: Anna <{ANNA}>\nĐã gửi: Thứ Bảy, 21 tháng 11, 2026 7:10\nTới: {OURS}\nChủ đề: Re: Phyliss\n\n",
    "newton": f"On Sat, Nov 21, 2026 at 9:10 AM Anna < mailto:Anna <{ANNA}> > wrote:\n\n",
    "swisscom": f"----Ursprüngliche Nachricht----\nVon : {ANNA}\nDatum : 21/11/2026 - 09:10 (MZ)\nAn : {OURS}\nBetreff : Re: Phyliss\n\n",
    "notes": f"-----Anna <{ANNA}> schrieb: -----\nAn: {OURS}\nVon: Anna <{ANNA}>\nDatum: 21.11.2026 09:10\nBetreff: Re: Phyliss\n\n",
    "samsung": f"-------- Original message --------\nFrom: Anna <{ANNA}> Date: 21.11.26  09:10  (GMT+01:00) To: {OURS} Subject: Re: Phyliss \n\n",
    "groupwise": f">>> Anna <{ANNA}> 21.11.2026 09:10 >>>\n",
    "letters that were lost": f'----- ???? -----\n???: "Anna" <{ANNA}>;\n????: 2026?11?21?(???) 9:10\n???: <{OURS}>;\n??: Re: Phyliss\n\n',
}
EARLIER = {
    "below the quote": f"{TO_US}{marked(TURN)}\n\nplay 3h\n\nAnna\n",
    "between the lines": TO_US
    + marked(TURN).replace(">   22  play Kd", ">   22  play Kd\nplay 3h"),
    "typed into the quote": TO_US
    + marked(TURN).replace(">   22  play Kd", ">   22  play Kd\n> play 3h"),
    "between bare lines": TO_US + TURN.replace("  22  play Kd", "  22  play Kd\nplay 3h"),
    "without an address": f"Dne 21. 11. 26 v 8:10 Card table napsal(a):\n{marked(TURN)}\n\nplay 3h\n",
    "below a marked introduction": f"> {TO_US}>\n{marked(TURN)}\n\nplay 3h\n",
    "above": f"play 3h\n\n{TO_US}{marked(TURN)}\n",
}


def reply_to(plain: str, *, known: bool) -> Reply:
    mail = InboundMail("m@x", ANNA, (OURS,), "", (), Triage.HUMAN, plain, None)
    return extract_reply(
        mail,
        answered=TURN if known else None,
        answered_page="" if known else None,
        recogniser=RECOGNISER,
    )


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("earlier", EARLIER.values(), ids=EARLIER)
@pytest.mark.parametrize("introduction", OWN_MAILS.values(), ids=OWN_MAILS)
class TestUnmarkedLayer:
    """The outer program marks nothing."""

    def test_nothing_is_carried_out_again(self, introduction: str, earlier: str, known: bool):
        reply = reply_to(f"Did you get this?\n\n{introduction}{earlier}", known=known)
        assert reply.doubts or orders_of(reply.text) == []

    def test_a_new_order_above_stands_alone(self, introduction: str, earlier: str, known: bool):
        reply = reply_to(f"play 9s\n\n{introduction}{earlier}", known=known)
        assert (orders_of(reply.text), reply.doubts) == (["play 9s"], ())


@pytest.mark.parametrize(
    "inner",
    ["Also sprach Card table:\n", "", "-----Original Message-----\n", TO_US],
    ids=["odd", "none", "mark", "dated"],
)
@pytest.mark.parametrize("typed", ["below", "between"])
@pytest.mark.parametrize("marks_itself", [False, True])
def test_nothing_in_a_marked_layer_is_carried_out_again(inner: str, typed: str, marks_itself: bool):
    """The outer program marks; the inner one marked nothing, and left our mail whole."""
    changed = f"{TURN}\n\nplay 3h\n"
    if typed == "between":
        changed = TURN.replace("  22  play Kd\n", "  22  play Kd\nplay 3h\n")
    introduction = f"Am 21.11.2026 um 09:10 schrieb Anna <{ANNA}>:\n"
    if marks_itself:
        plain = marked(f"{introduction}\n{inner}{changed}")
    else:
        plain = introduction + marked(f"{inner}{changed}")
    assert orders_of(reply_to(f"Hm?\n\n{plain}", known=True).text) == []


def test_an_answer_in_a_mail_of_ours_is_still_carried_out():
    """The introduction that the client marks too is ours."""
    changed = TURN.replace("  22  play Kd\n", "  22  play Kd\nplay 3h\n")
    assert orders_of(reply_to(marked(f"{TO_US}\n{changed}"), known=True).text) == ["play 3h"]
    assert orders_of(reply_to(TO_US + marked(changed), known=True).text) == ["play 3h"]


@pytest.mark.parametrize("introduction", OWN_MAILS.values(), ids=OWN_MAILS)
def test_a_tower_below_our_mail_in_a_marked_layer_is_old(introduction: str):
    """Our mail is whole; an older one of one's own stands below it, marked as much."""
    tower = marked(f"{TURN}\n\n{introduction}play 3h\n\n{TO_US}{TURN}")
    reply = reply_to(f"Thanks.\n\n{TO_US}{tower}", known=True)
    assert orders_of(reply.text) == []


class TestMarksOfAnotherProgram:
    """A header block that is not of our mail, and our lines marked below it: the marks are inner ones."""

    BLOCK = (
        "From: {}\nSent: Friday, 20 November 2026 18:40\nTo: x@example.org\nSubject: Phyliss\n\n"
    )

    @pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
    @pytest.mark.parametrize("who", ["Bob <bob@example.org>", f"Anna <{ANNA}>"])
    def test_answer_between_the_lines_is_theirs(self, who: str, known: bool):
        inner = marked(TURN).replace(">   23  pickup", ">   23  pickup\n\nplay 3h\n")
        reply = reply_to(f"play 9s\n\n{self.BLOCK.format(who)}{inner}", known=known)
        assert reply.doubts == ("play 3h",)

    def test_answer_between_the_lines_of_ours_is_own(self):
        inner = marked(TURN).replace(">   23  pickup", ">   23  pickup\n\nplay 3h\n")
        reply = reply_to(f"{self.BLOCK.format(f'Card table <{OURS}>')}{inner}", known=True)
        assert (orders_of(reply.text), reply.doubts) == (["play 3h"], ())

    def test_answer_below_marked_words_of_theirs_is_own(self):
        block = self.BLOCK.format("Bob <bob@example.org>")
        reply = reply_to(f"{block}> Nice game, Anna, well done!\n\nplay 3h\n", known=True)
        assert (orders_of(reply.text), reply.doubts) == (["play 3h"], ())


@pytest.mark.parametrize(
    "instant", ["20 Nov 2026, 18:12 (2 hours ago)", f"Anna <{ANNA}> 20.11.26 18:12"]
)
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_order_below_a_date_alone_is_of_an_earlier_mail(instant: str, known: bool):
    """As a conversation is shown on one page; above it stands what is new."""
    reply = reply_to(f"play 9s\n\n{instant}\nto Card table\n\nplay 3h\n", known=known)
    assert reply.doubts == ("play 3h",)
    reply = reply_to(f"{instant}\n\nplay 3h\n", known=known)
    assert (orders_of(reply.text), reply.doubts) == (["play 3h"], ())
