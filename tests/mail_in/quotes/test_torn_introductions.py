"""Test introductions of quotes that are spread over several lines, in every language."""

from __future__ import annotations

import html

import pytest

from tests.mail_in.quotes.test_body import ATTRIBUTIONS, reply_to
from tests.mail_in.samples import orders_of

BOX = "game+x@play.example"
TORN = (
    f"PBEM\n<\nmailto:{BOX}\n>",
    f"PBEM\n<mailto:{BOX}>\n",
    f"PBEM <\n{BOX}\n>",
    f"PBEM <{BOX}\n>",
    f"PBEM\n<\n{BOX}<mailto:{BOX}>\n>",
    f"PBEM\n<\n{BOX}\n<mailto:{BOX}>\n> ",
    f"PBEM\n<\nmailto:{BOX}\n>\n",
    f"PBEM\n\n<mailto:{BOX}>\n\n",
    f"PBEM\n\n<\n\nmailto:{BOX}\n\n> ",
    f"\nPBEM\n<\nmailto:{BOX}\n>",
    f"PBEM <\n{BOX}>",
    f"PBEM\n<\nmailto:{BOX}>",
)
"""The sender's name with an address that a client made a link of."""

OTHERS = (
    f"On Fri, Nov 20, 2026 at 6:00 PM PBEM [\nmailto:{BOX}\n] wrote:",
    f"On Fri,\nNov 20, 2026\nat 6:00 PM\nPBEM\n<\nmailto:{BOX}\n>\nwrote:",
    f"On Fri,\n\nNov 20, 2026\n\nat 6:00 PM\n\nPBEM\n\n<\n\nmailto:{BOX}\n\n>\n\nwrote:",
    f"On Fri, Nov 20, 2026 at 6:00 PM PBEM <\nmailto:{BOX}\n> wrote\n:",
    f"On Fri, Nov 20, 2026 at 6:00 PM PBEM <\nmailto:{BOX}\n> wrote",
    f"PBEM\n<\nmailto:{BOX}\n> wrote on Fri,\nNov 20, 2026:",
    f"PBEM <\nmailto:{BOX}\n> schrieb am Fr.,\n20. Nov. 2026, 18:00:",
    f"From: PBEM <\nmailto:{BOX}\n>\nSent: Friday, November 20, 2026 18:00\nTo: Alice",
    f"From:\nPBEM\n<\nmailto:{BOX}\n>\nSent:\nFriday, November 20, 2026 18:00\nTo:\nAlice",
    f"PBEM\n<\nmailto:{BOX}\n>\nNov 20, 2026, 18:00\nto me",
)


def check(introduction: str) -> None:
    """Check that no line below is played, in text and HTML, and that one above is."""
    for after in ("\n", "\n\n"):
        quoted = f"{introduction}{after}Your cards\nplay Kd\n"
        for above, own in (("play 9s\n\n", ["play 9s"]), ("Hello,\n", [])):
            text = f"{above}{quoted}"
            rich = "<br>".join(html.escape(line, quote=False) for line in text.split("\n"))
            for reply in (reply_to(text, answered=None), reply_to(None, rich, answered=None)):
                assert orders_of(reply.text) == own, text


@pytest.mark.parametrize("language", ATTRIBUTIONS)
def test_an_address_torn_out_of_an_introduction(language: str):
    """Its last line begins with `>`, and what follows is the unmarked original all the same."""
    for torn in TORN:
        check(ATTRIBUTIONS[language].replace("PBEM", torn))


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize("first", ["Your cards", "21  play 7c"])
@pytest.mark.parametrize(
    "introduction",
    [
        f"Am 20.11.26 um 18:00 schrieb PBEM <\n{BOX}>:",
        f"Am Fr., 20. Nov. 2026 um 18:00 Uhr schrieb PBEM <\nmailto:{BOX}>:",
        f"PBEM <\n{BOX}> schrieb am Fr., 20. Nov. 2026, 18:00:",
        f"On Fri, Nov 20, 2026 at 6:00 PM PBEM <\n{BOX}> wrote:",
    ],
)
def test_a_torn_introduction_takes_no_quote_mark(introduction: str, first: str, gap: str):
    """An address that ends on its own line needs no `>` of the quote below it."""
    text = f"9s\n\n{introduction}{gap}> {first}\n> 22  pickup\n\nplay Kd\n"
    reply = reply_to(text, answered=None)
    assert (reply.text, reply.doubts) == ("9s\n\nplay Kd", ())


@pytest.mark.parametrize("introduction", OTHERS)
def test_other_introductions_over_several_lines(introduction: str):
    """Without a colon, with the day at the end, header fields."""
    check(introduction)


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Is 6 < 7?\n> 21 play Kd\nplay 9s", ["play 9s"]),
        ("I <3 this\nbob@example.org\n> 21 play Kd\nplay 9s", ["play 9s"]),
    ],
)
def test_what_is_no_torn_introduction(text: str, orders: list[str]):
    """Quotes stay quotes, and own words stay own."""
    reply = reply_to(text, answered=None)
    assert orders_of(reply.text) + list(reply.doubts) == orders


@pytest.mark.parametrize("gap", ["", " "])
@pytest.mark.parametrize(
    "introduction",
    [
        f"On 20.11.26 18:00, PBEM <{BOX}> wrote:",
        "Am 20.11.26 um 18:00 schrieb PBEM:",
    ],
)
def test_an_order_right_before_an_introduction(introduction: str, gap: str):
    """Thunderbird leaves out the line break if somebody deletes it; without a quote nothing is parted."""
    quote = "\n> 21  play 7c\n> 22  pickup\n"
    for text, own in (
        (f"21{gap}{introduction}{quote}", ["21"]),
        (f"hello{gap}{introduction}{quote}", []),
        (f"21{gap}{introduction}\n", []),
    ):
        assert orders_of(reply_to(text, answered=None).text) == own, text
