"""Test single decisions of the extraction, each with a minimal message."""

from __future__ import annotations

import pytest

from pbem.domain.words.translate import REPLY_MARKERS
from pbem.mail_in.mime.lines import Zone
from pbem.mail_in.mime.message import InboundMail, Reply, Triage
from pbem.mail_in.mime.parts import unflow
from pbem.mail_in.quotes.body import extract_reply
from pbem.mail_in.quotes.html import SIGNATURES, html_lines
from tests.mail_in.samples import FOLDER, RECOGNISER

TURN = (FOLDER / "turn.txt").read_text("utf-8")
BLOCK = "From: PBEM <p@play.example>\nSent: Friday, November 20, 2026 18:00\nTo: Alice\n\n"

ATTRIBUTIONS = {
    "en": "On Fri, Nov 20, 2026 at 6:00 PM PBEM wrote:",
    "de": "Am 20.11.2026 um 18:00 schrieb PBEM:",
    "fr": "Le 20/11/2026 à 18:00, PBEM a écrit :",
    "es": "El 20/11/2026 a las 18:00, PBEM escribió:",
    "it": "Il 20/11/2026 18:00, PBEM ha scritto:",
    "pt": "Em 20/11/2026 18:00, PBEM escreveu:",
    "nl": "Op 20-11-2026 om 18:00 schreef PBEM:",
    "sv": "Den 2026-11-20 kl. 18:00, skrev PBEM:",
    "da": "Den 20.11.2026 kl. 18.00 skrev PBEM:",
    "nb": "20.11.2026 18:00, skrev PBEM:",
    "fi": "PBEM kirjoitti 20.11.2026 klo 18.00:",
    "pl": "W dniu 20.11.2026 o 18:00, PBEM pisze:",
    "cs": "Dne 20. 11. 2026 v 18:00 PBEM napsal(a):",
    "sk": "Dňa 20. 11. 2026 o 18:00 PBEM napísal(a):",
    "sl": "PBEM je 20. 11. 2026 ob 18:00 napisal:",
    "hu": "2026. 11. 20. 18:00 keltezéssel, PBEM írta:",
    "ro": "La 20.11.2026 18:00, PBEM a scris:",
    "bg": "На 20.11.2026 г. в 18:00 PBEM написа:",
    "ru": "20.11.2026 18:00, PBEM пишет:",
    "uk": "20.11.2026 18:00, PBEM пише:",
    "el": "Στις 20/11/2026 18:00, ο PBEM έγραψε:",
    "tr": "20.11.2026 18:00 tarihinde PBEM yazdı:",
    "he": "בתאריך 20/11/2026 18:00, PBEM כתב:",
    "ar": "في 20/11/2026 18:00، كتب PBEM:",
    "zh": "在 2026/11/20 18:00, PBEM 写道:",
    "ja": "2026/11/20 18:00、PBEMさんは書きました:",
    "ko": "2026. 11. 20. 18:00에 PBEM 이(가) 쓴 글:",
    "vi": "Vào 20/11/2026 18:00, PBEM đã viết:",
    "lt": "2026-11-20 18:00, PBEM rašė:",
    "et": "20.11.2026 18:00 PBEM kirjutas:",
}


def reply_to(
    plain: str | None = None,
    html: str | None = None,
    *,
    answered: str | None = TURN,
    answered_page: str | None = "",
) -> Reply:
    """Extract from a mail with these bodies."""
    mail = InboundMail(
        message_id=None,
        sender=None,
        recipients=(),
        subject="",
        answers=(),
        triage=Triage.HUMAN,
        plain=plain,
        html=html,
    )
    return extract_reply(
        mail, answered=answered, answered_page=answered_page, recogniser=RECOGNISER
    )


def quoted(text: str) -> str:
    """Mark lines as quoted, like a mail client."""
    return "\n".join(f"> {line}" for line in text.split("\n"))


@pytest.mark.parametrize("language", ATTRIBUTIONS)
def test_attribution_is_recognised_whole_wrapped_and_without_marks(language: str):
    """In thirty languages: above a marked quote, wrapped, and above an unmarked one."""
    line = ATTRIBUTIONS[language]
    words = line.split(" ")
    wrapped = " ".join(words[:-1]) + "\n" + words[-1]
    for attribution in (line, wrapped):
        assert reply_to(f"play 9s\n\n{attribution}\n{quoted(TURN)}").text == "play 9s"
    unmarked = reply_to(f"play 9s\n\n{line}\n\n21 play 9s\n22 play Kd\n", answered=None)
    assert unmarked.text == "play 9s"


def test_order_between_unmarked_lines_is_own_when_both_forms_are_known():
    """Somebody who answers in Outlook between our lines, and we know all that we wrote."""
    text = BLOCK + TURN.replace("How to answer", "play 3h\n\nHow to answer")
    assert reply_to(text).text == "play 3h"


def test_order_between_unmarked_lines_is_a_doubt_when_the_html_form_is_unknown():
    """It may be the text of a button that only our HTML form has."""
    text = BLOCK + TURN.replace("How to answer", "play 3h\n\nHow to answer")
    reply = reply_to(text, answered_page=None)
    assert (reply.text, reply.doubts) == ("", ("play 3h",))


def test_own_order_above_makes_leftovers_of_the_original_certain():
    """Below a block of header fields, what is not from us is an older mail; the order is on top."""
    reply = reply_to("play 9s\n\n" + BLOCK + "play 3h\n\nsomething older\n")
    assert (reply.text, reply.doubts) == ("play 9s", ())


REFUSED = "so good to play with the two of you, again"
REFUSAL = TURN.replace(
    "Your moves", f'- You wrote: "{REFUSED}".\n  I did not understand this line.\n\nYour moves', 1
)
BOUNDARIES = {
    "attribution and marks": f"{ATTRIBUTIONS['de']}\n\n" + quoted(REFUSAL),
    "marked attribution": quoted(f"{ATTRIBUTIONS['en']}\n\n{REFUSAL}"),
    "header block": BLOCK + REFUSAL,
    "original mark": f"-------- Original message --------\n{BLOCK}{REFUSAL}",
}


@pytest.mark.parametrize("boundary", BOUNDARIES.values(), ids=BOUNDARIES)
@pytest.mark.parametrize("typed", [f"well, {REFUSED}", REFUSED, f"say {REFUSED}"])
def test_a_line_that_resembles_a_refused_one_is_own_above_a_quote(boundary: str, typed: str):
    """A player writes the refused words once more; our message quotes them within its line."""
    for own in (f"{typed}\nplay 9s", f"play 9s\n{typed}\nhelp"):
        reply = reply_to(f"{own}\n\n{boundary}", answered=REFUSAL)
        assert (reply.text, reply.doubts, reply.left_out) == (own, (), ())


def test_wrapped_end_of_a_quoted_line_is_quoted():
    """A client wraps a marked line and forgets the mark: its end reads as an order."""
    text = "> Your moves\n>   21  play\n9s\n>   22  play Kd\n"
    assert reply_to(text).text == ""


def test_inline_order_that_equals_a_listed_move_is_own():
    """People type what we list; the marks say whose line it is."""
    text = "> Your moves\n>   21  play 9s\nplay 9s\n>   22  play Kd\n"
    assert reply_to(text).text == "play 9s"


def test_text_and_html_that_agree_give_the_lines_of_html():
    """The text form was wrapped for the way."""
    reply = reply_to("say a long\nsentence", "<p>say a long sentence</p>")
    assert reply.text == "say a long sentence"


def test_a_text_that_stands_in_for_html_is_no_witness():
    """Some programs write nothing but a notice into the text form."""
    notice = "This is an HTML message. Please use a program that can read it.\n"
    reply = reply_to(notice, "<p>21</p><p>Best wishes<br>Anna</p>")
    assert (reply.text.split("\n")[0], reply.doubts) == ("21", ())


def test_text_and_html_that_differ_about_an_order_give_doubts():
    """What only one of them says is asked, what both say stands."""
    reply = reply_to("flip 1\nplay 9s", "<div>flip 1</div><div>play Kd</div>")
    assert reply.text == "flip 1"
    assert set(reply.doubts) == {"play 9s", "play Kd"}
    assert any("differ" in problem for problem in reply.problems)


@pytest.mark.parametrize("marker", REPLY_MARKERS)
def test_reply_marker_begins_an_unmarked_original(marker: str):
    """In every language and every wording we ever used."""
    reply = reply_to(f"play 9s\n{marker}\n21 play 9s\n22 play Kd", answered=None)
    assert reply.text == "play 9s"


@pytest.mark.parametrize("mark", ["-- ", "--", "—"])
def test_own_text_ends_at_the_signature(mark: str):
    """Nothing below it is read, not even orders."""
    assert reply_to(f"play 9s\n{mark}\nAlice\n21\n") == Reply(text="play 9s")


@pytest.mark.parametrize(
    ("text", "delete_space", "expected"),
    [
        ("a \nb", False, "a b"),
        ("a \nb", True, "ab"),
        ("> a \n> b\nc", False, "> a b\nc"),
        (">> a \n> b", False, ">> a \n> b"),
        (" > no quote", False, "> no quote"),
        ("a \n-- \nb", False, "a \n-- \nb"),
        ("a \n", False, "a "),
        ("", False, ""),
    ],
)
def test_format_flowed_is_undone(text: str, delete_space: bool, expected: str):
    """RFC 3676: soft line breaks, DelSp, quote depth, space stuffing, the signature mark."""
    assert unflow(text, delete_space=delete_space) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<span>pl</span><span>ay</span> 7", ["play 7"]),
        ("pl<b>a</b>y<wbr> <i>7</i>", ["play 7"]),
        ("a<br>b<br/>c", ["a", "b", "c"]),
        ("<div>a<br></div><div>b</div>", ["a", "b"]),
        ("<p>a</p><p>b</p>", ["a", "", "b", ""]),
        ('<p class="MsoNormal">a</p><p class="MsoNormal">b</p>', ["a", "b"]),
        ("<pre>a\n b\n</pre>c", ["a", "b", "c"]),
        ("<ul><li>a<li>b</ul>", ["a", "b"]),
        ("<table><tr><td>21</td><td>play 7</td></tr><tr><td>x</table>", ["21 play 7", "x"]),
        ("a\n  b&nbsp;c", ["a b c"]),
        ("<!-- x -->a<script>b</script><style>c</style><template>d</template>", ["a"]),
        ('<p hidden>a</p><i style="DISPLAY : none">b</i>c', ["c"]),
        ('<i style="font-size:0px">a</i><i style="font-size:0.8em">b</i>', ["b"]),
        ("&#112;lay 7", ["play 7"]),
    ],
)
def test_html_becomes_the_lines_that_a_browser_shows(body: str, expected: list[str]):
    """Inline elements join, block elements separate, hidden ones are not there."""
    lines = html_lines(body)
    assert lines is not None
    assert [line.text for line in lines] == expected


@pytest.mark.parametrize(
    "box",
    [
        "<blockquote>q</blockquote>",
        '<div class="gmail_quote">q</div>',
        '<div class="gmail_quote"><div class="gmail_attr">q</div><blockquote>q</blockquote></div>',
        '<div type="cite">q</div>',
        '<div class="yahoo_quoted">q</div>',
        '<div class="ydp12_yahoo_quoted">q</div>',
        '<div class="moz-cite-prefix">q</div>',
        '<div class="x_protonmail_quote">q</div>',
        '<div name="quote">q</div>',
        '<div id="isReplyContent">q</div>',
        '<div id="appendonsend"></div><div>q</div>',
        '<hr tabindex="-1"><div>q</div>',
        '<div id="x_divRplyFwdMsg">q</div>',
        '<div data-marker="__QUOTED_TEXT__">q</div>',
        '<div style="border: none; border-top: solid #E1E1E1 1.0pt">q</div>',
        '<hr id="stopSpelling">q',
    ],
)
def test_quote_containers_of_clients_are_not_text(box: str):
    """What stands in them, or after them, is marked; what stands before is text."""
    lines = html_lines(f"<div>own</div>{box}")
    assert lines is not None
    assert [(line.text, line.zone is Zone.TEXT) for line in lines if line.text] == [
        ("own", True),
        *[("q", False)] * box.count("q<"),
        *[("q", False)] * box.endswith(">q"),
    ]


def test_a_header_block_that_holds_our_subject_proves_nothing_about_an_order_above():
    """The order's number stands in our list, the subject of the original in our text."""
    ours = "it is your move in game 118 with Bob\n\n22: play Jd\n24: play 2s\n\nsee you in the game"
    text = (
        "24\n\nFrom: Server <x@games.example>\nDate: today\nSubject: Your move in game 118\n\n"
        + ours
    )
    assert reply_to(text, answered=ours).text == "24"


def test_header_block_in_an_unknown_language_introduces_the_original():
    """Labels that nobody knows, with an address and an instant, are a header block."""
    text = (
        "play 9s\n\nHuxu: Server <x@games.example>\nBidalia: 2026-11-20 18:00\n"
        "Nori: anna@example.org\n\nYour turn\n22\n23"
    )
    assert "22" not in reply_to(text, answered=None).text.split("\n")


def test_words_beside_an_answer_below_an_unmarked_original_are_own():
    """What stands with an answer belongs to it; so does a greeting after it."""
    reply = reply_to(BLOCK + TURN + "\n\nbad luck again\n\nplay 9s\n\nCheers, Anna\n")
    assert reply.text == "bad luck again\nplay 9s\nCheers, Anna"


def test_header_block_that_alone_is_marked_introduces_the_original():
    """Some clients put only the header block into a box of its own."""
    page = (
        "<p>play 9s</p><div name=quote>From: Game &lt;x@games.example&gt;<br>Sent: today<br>"
        "To: me<br>Subject: turn</div><div>22: play Kd</div><div>play Kd</div>"
    )
    reply = reply_to(html=page, answered=None, answered_page=None)
    assert (reply.text, reply.doubts) == ("play 9s", ())


@pytest.mark.parametrize("box", sorted(SIGNATURES))
def test_words_in_a_signature_box_are_own_if_there_are_no_others(box: str):
    """Outlook's apps put the cursor there; a quote, or the client's own line, is no other word."""
    orders = ["play 9s", "21", "flip 2"]
    quote = f"<hr tabindex=-1><div>{TURN}</div>"
    for count in (1, 2, 3):
        words = "".join(f"<div>{order}</div>" for order in orders[:count])
        boxed = f'<div id="{box}">{words}<div>Get Outlook for iOS</div></div>'
        for answered in (TURN, None):
            for page in (boxed, f"<p></p>{boxed}{quote}", f"<p>Sent from my iPhone</p>{boxed}"):
                reply = reply_to(None, page, answered=answered)
                assert (reply.text.split("\n"), reply.doubts) == (orders[:count], ()), page
            beside = reply_to(None, f"<p>Hello Bob</p>{boxed}{quote}", answered=answered)
            assert (beside.text, list(beside.doubts)) == ("Hello Bob", orders[:count])
            both = reply_to(None, f"<p>pickup</p>{boxed}{quote}", answered=answered)
            assert (both.text, list(both.doubts)) == ("pickup", orders[:count])
    reply = reply_to(None, f'<div class="{box}">-- <br>21 Anna Street<br>play 9s</div>{quote}')
    assert (reply.text, reply.doubts) == ("", ())


@pytest.mark.parametrize(
    "struck",
    [
        "<s>play Kd</s>",
        "<del>play Kd</del>",
        "<strike>play Kd</strike>",
        '<span style="color: red; text-decoration: line-through">play Kd</span>',
    ],
)
def test_what_is_crossed_out_is_not_said(struck: str):
    html = f"<div>{struck}</div><div>play 9s</div>"
    only = InboundMail("m@x", None, (), "", (), Triage.HUMAN, None, html)
    reply = extract_reply(only, answered=TURN, recogniser=RECOGNISER)
    assert (reply.text, reply.doubts) == ("play 9s", ())
    both = InboundMail("m@x", None, (), "", (), Triage.HUMAN, "play Kd\nplay 9s\n", html)
    assert extract_reply(both, answered=TURN, recogniser=RECOGNISER).doubts == ("play Kd",)
