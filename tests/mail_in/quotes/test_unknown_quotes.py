"""Test quotes of unknown mail programs, recognised by their structure."""

from __future__ import annotations

import pytest

from pbem.mail_in.mime.lines import Zone, plain_lines
from pbem.mail_in.quotes.html import html_lines
from tests.mail_in.quotes.test_boundaries import reply_to
from tests.mail_in.samples import orders_of


@pytest.mark.parametrize(
    "opening",
    [
        '<div style="border-left: 2px solid #ccc; padding-left: 1ex">',
        '<div style="border:none;border-left:solid blue 1.5pt">',
        '<div style="border-left-width: 2px; border-left-style: solid">',
        '<div style="border-inline-start: 1px solid">',
        '<div class="reply-quote">',
        '<section class="acme_quotedText">',
        '<div id="original-message">',
        '<div class="thread_history">',
        "<details><summary>q</summary>",
    ],
)
def test_box_that_looks_like_a_quote_is_one(opening: str):
    lines = html_lines(f"<div>own</div>{opening}<div>q</div></div></details></section>")
    assert lines is not None
    assert {line.text: line.zone for line in lines if line.text} == {
        "own": Zone.TEXT,
        "q": Zone.QUOTE,
    }


@pytest.mark.parametrize(
    "opening",
    [
        '<div style="border-left:none;padding-left:1ex">',
        '<div style="border-left: 0px solid">',
        '<div style="border-left: medium none">',
        '<div class="noquote">',
        '<td style="border-left:2px solid red">',
        '<div style="left:-9px;font-size:0.9em;opacity:0.8;line-height:0;height:0">',
        '<p style="text-indent:-18pt;margin-left:-36pt">',
        '<div style="width:0;min-width:100%">',
    ],
)
def test_box_that_only_resembles_one_is_text(opening: str):
    lines = html_lines(f"{opening}own")
    assert lines is not None
    assert [(line.text, line.zone) for line in lines if line.text] == [("own", Zone.TEXT)]


@pytest.mark.parametrize(
    "style",
    [
        "opacity: 0",
        "font-size: 0.0pt; line-height: 0",
        "FONT-SIZE:1px",
        "color: red; max-width: 0 !important",
        "visibility: collapse",
        "position: absolute; left: -9999px",
        "height:0; color: red; overflow:hidden",
    ],
)
def test_what_cannot_be_seen_is_not_said(style: str):
    lines = html_lines(f'<div style="{style}">play 3h</div>play 9s')
    assert lines is not None
    assert [line.text for line in lines] == ["play 9s"]


def test_marks_of_a_text_that_became_html_are_marks():
    lines = html_lines(
        "&gt; &gt; a<br>&gt;b<br>&gt;&gt;&gt; Bob 7:33 &gt;&gt;&gt;<br>-&gt; play 9s"
    )
    assert lines is not None
    assert [(line.text, line.depth) for line in lines] == [
        ("a", 2),
        ("b", 1),
        (">>> Bob 7:33 >>>", 0),
        ("-> play 9s", 0),
    ]


QUOTED = (
    "On Sat, Nov 21, 2026 Bob wrote:\n\nHm.\nplay 3h\n\nBob\n\nWell, and then\nthere was this.\n"
)


@pytest.mark.parametrize("mark", ["# ", ": ", "! ", "} ", "&gt; ", "=> ", "| ", "CT> ", "* "])
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_mark_that_somebody_set_is_one(mark: str, known: bool):
    """The same sign before many lines, blank ones among them."""
    quote = "\n".join((mark + line).rstrip() for line in QUOTED.splitlines()[1:])
    reply = reply_to(f"Later today.\n\n{quote}\n\nplay 9s\n", known=known)
    assert (orders_of(reply.text), reply.doubts) == (["play 9s"], ())


def test_list_of_ones_own_is_not_marked():
    """No entry of a list is blank, and nobody gives many orders."""
    entries = [f"- play {rank}" for rank in range(2, 10)]
    assert {line.zone for line in plain_lines("\n".join(entries))} == {Zone.TEXT}
    few = ["* play 7", "*", "* play 8"]
    assert {line.zone for line in plain_lines("\n".join(few))} == {Zone.TEXT}
