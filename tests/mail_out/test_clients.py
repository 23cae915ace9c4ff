"""Test our HTML and CSS against features that three major mail programs ignore.

The table is our own reading of public knowledge (caniemail.com, the vendors' pages): `drops` names the
programs that ignore something or show it otherwise. Whatever we use is a row here; whatever one of them
drops has a reason why the mail stays good without it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from lxml.html import HtmlElement

from tests.mail_out import pages
from tests.mail_out.samples import SAMPLES
from tests.mail_out.test_render import RENDERER, rendered_sample
from tests.mail_out.turns import ROWS, turns

GMAIL, OUTLOOK, APPLE = "Gmail", "Outlook for Windows", "Apple Mail"
EVERYWHERE: frozenset[str] = frozenset()

PROPERTIES = {
    "background-color": EVERYWHERE,
    "border": EVERYWHERE,
    "border-bottom": EVERYWHERE,
    "border-collapse": EVERYWHERE,
    "border-left": EVERYWHERE,
    "border-top": EVERYWHERE,
    "color": EVERYWHERE,
    "font": EVERYWHERE,
    "font-family": EVERYWHERE,
    "font-size": EVERYWHERE,
    "font-style": EVERYWHERE,
    "font-weight": EVERYWHERE,
    "height": EVERYWHERE,
    "line-height": EVERYWHERE,
    "margin": EVERYWHERE,
    "mso-line-height-rule": EVERYWHERE,
    "padding": EVERYWHERE,
    "padding-bottom": EVERYWHERE,
    "padding-left": EVERYWHERE,
    "padding-right": EVERYWHERE,
    "padding-top": EVERYWHERE,
    "text-align": EVERYWHERE,
    "text-decoration": EVERYWHERE,
    "vertical-align": EVERYWHERE,
    "width": EVERYWHERE,
    "border-radius": frozenset({OUTLOOK}),
    "display": frozenset({OUTLOOK}),
    "max-height": frozenset({OUTLOOK}),
    "max-width": frozenset({OUTLOOK}),
    "mso-hide": frozenset({GMAIL, APPLE}),
    "mso-padding-alt": frozenset({GMAIL, APPLE}),
    "overflow": frozenset({OUTLOOK}),
    "overflow-wrap": frozenset({OUTLOOK}),
    "table-layout": frozenset({OUTLOOK}),
    "white-space": frozenset({OUTLOOK}),
    "word-break": frozenset({OUTLOOK}),
    # never: layout that Word has no idea of, and what Gmail strips
    "float": frozenset({OUTLOOK}),
    "position": frozenset({GMAIL, OUTLOOK}),
    "flex": frozenset({OUTLOOK}),
    "grid": frozenset({OUTLOOK}),
    "background-image": frozenset({OUTLOOK}),
    "box-shadow": frozenset({GMAIL, OUTLOOK}),
    "opacity": frozenset({OUTLOOK}),
    "transform": frozenset({GMAIL, OUTLOOK}),
    "min-width": frozenset({OUTLOOK}),
}
"""CSS in `style` attributes -> the programs that drop it."""

FINE_WITHOUT = {
    "border-radius": "corners are square; shape alone never says anything",
    "display": "a link is as wide as its words, within a cell of the full size; the preheader is hidden by `mso-hide`",
    "max-height": "belongs to the hidden preheader",
    "max-width": "a conditional comment gives Outlook a table 600 px wide",
    "mso-hide": "the others hide the preheader by `display:none`",
    "mso-padding-alt": "the others take the padding of the link",
    "overflow": "belongs to the hidden preheader",
    "overflow-wrap": "only very long words of players",
    "table-layout": "columns of buttons are as wide as their labels",
    "white-space": "a card may stand at the end of a line",
    "word-break": "only a fingerprint, which then widens the mail",
}
"""What we use although one of them drops it, and why the mail stays good."""

ELEMENTS = frozenset(
    [
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "table",
        "tbody",
        "thead",
        "tr",
        "td",
        "th",
        "div",
        "p",
        "span",
        "b",
        "em",
        "small",
        "h1",
        "h2",
        "ul",
        "ol",
        "li",
        "a",
        "br",
        "wbr",
    ]
)
"""All three keep these; none of them draws forms, scripts, or files from elsewhere."""

ATTRIBUTES = frozenset(
    [
        "class",
        "style",
        "role",
        "aria-label",
        "aria-hidden",
        "align",
        "valign",
        "width",
        "height",
        "bgcolor",
        "border",
        "cellspacing",
        "cellpadding",
        "colspan",
        "rowspan",
        "scope",
        "href",
        "lang",
        "charset",
        "name",
        "content",
        "dir",
    ]
)


@cache
def all_pages() -> tuple[HtmlElement, ...]:
    """Return every sample, and turns of every game with large cards, in four colours, and in words."""
    made = [rendered_sample(name).html for name in SAMPLES]
    for turn in (turns(row)[-1] for row in ROWS):
        mail = replace(turn.mail, language="de")
        made += [
            RENDERER.render(mail, look).html for look in (("large", "four-colour"), ("words",))
        ]
    return tuple(pages.parse(html) for html in made if html)


def declarations(element: HtmlElement) -> list[tuple[str, str]]:
    return [
        (name.strip(), value.strip())
        for name, _, value in (one.partition(":") for one in element.get("style", "").split(";"))
        if name.strip()
    ]


def elements() -> list[HtmlElement]:
    return [one for page in all_pages() for one in page.iter() if isinstance(one.tag, str)]


def test_what_is_dropped_is_not_missed() -> None:
    """Every property is known; what one of the programs drops has its reason, and no reason is left over."""
    used = {name for element in elements() for name, _ in declarations(element)}
    assert used <= set(PROPERTIES), "look it up, and add its row"
    dropped = {name for name in used if PROPERTIES[name]}
    assert dropped == set(FINE_WITHOUT)


def test_elements_and_attributes_are_those_that_all_keep() -> None:
    assert {element.tag for element in elements()} <= ELEMENTS
    assert {name for element in elements() for name in element.attrib} <= ATTRIBUTES


def test_every_ground_is_said_twice() -> None:
    """Word takes the ground of a cell from `bgcolor`, the others from the style: both say the same."""
    for element in elements():
        ground = dict(declarations(element)).get("background-color")
        if element.get("bgcolor") is not None:
            assert element.get("bgcolor") == ground


def test_no_length_but_pixels() -> None:
    """Word knows no `rem`, `vw` or `calc`; percent stand in widths alone."""
    for element in elements():
        for name, value in declarations(element):
            assert not re.search(r"\d(?:rem|em|vw|vh|ch)\b|calc\(|var\(", value), (name, value)
            assert "%" not in value or name == "width", (name, value)


def test_the_style_blocks_are_small_and_apart() -> None:
    """Gmail drops a block that it dislikes, as a whole, and reads 16 kB of them at most."""
    for page in all_pages():
        blocks = [block.text or "" for block in page.iter("style")]
        assert sum(map(len, blocks)) < 16_000
        wide = [block for block in blocks if "min-width" in block]
        assert all("prefers-color-scheme" not in block for block in wide)
