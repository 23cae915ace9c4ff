"""Read lines, links and colours of HTML messages in tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import lxml.html
from lxml.html import HtmlElement

BLOCKS = {"td", "th", "tr", "table", "div", "p", "li", "ul", "ol", "h1", "h2", "pre", "body", "br"}
_RULE = re.compile(r"\.([\w-]+)\s*\{([^}]*)\}")
_DECLARATION = re.compile(r"([\w-]+)\s*:\s*([^;!]+?)\s*(?:!important)?\s*(?:;|$)")


@dataclass(frozen=True)
class Run:
    """A piece of text with its effective colours."""

    text: str
    colour: str
    ground: str


def parse(html: str) -> HtmlElement:
    """Parse an HTML page."""
    return lxml.html.document_fromstring(html)


def lines(html: str, *, drawn: bool = False) -> list[str]:
    """Return the lines of a page as a mail program would quote them, with a line for each block.

    With `drawn`, card glyphs keep their text variation selector.
    """
    parts: list[str] = []

    def walk(element: HtmlElement) -> None:
        if not isinstance(element.tag, str) or element.tag in {"style", "title"}:
            return
        if element.tag in BLOCKS:
            parts.append("\n")
        parts.append(re.sub(r"\s+", " ", element.text or ""))
        for child in element:
            walk(child)
            parts.append(re.sub(r"\s+", " ", child.tail or ""))
        if element.tag in BLOCKS:
            parts.append("\n")

    walk(parse(html).body)
    text = "".join(parts)
    text = text if drawn else text.replace("\ufe0e", "")
    return [" ".join(line.split()) for line in text.split("\n") if line.strip()]


def mailto_links(html: str) -> list[tuple[str, str]]:
    """Return the text and the target of every link of a page."""
    return [
        (" ".join(link.text_content().split()), link.get("href", ""))
        for link in parse(html).iter("a")
    ]


def runs(html: str, *, dark: bool) -> Iterator[Run]:
    """Yield every piece of text with its effective colours in the light or dark scheme."""
    page = parse(html)
    style = "".join(page.xpath("//style/text()"))
    rules = {name: _declarations(body) for name, body in _RULE.findall(style)} if dark else {}
    yield from _runs(page.body, rules, "#000000", "#ffffff")


def _declarations(body: str) -> dict[str, str]:
    return dict(_DECLARATION.findall(body))


def _runs(
    element: HtmlElement, rules: dict[str, dict[str, str]], colour: str, ground: str
) -> Iterator[Run]:
    if not isinstance(element.tag, str):
        return
    style = _declarations(element.get("style", ""))
    for name in element.get("class", "").split():
        style |= rules.get(name, {})
    colour = style.get("color", colour)
    ground = style.get("background-color", ground)
    for text in (element.text, *(child.tail for child in element)):
        if text and text.strip():
            yield Run(text.strip(), colour, ground)
    for child in element:
        yield from _runs(child, rules, colour, ground)


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2)."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    assert re.fullmatch(r"#(?:[0-9a-f]{3}){1,2}", colour), f"a colour that is not plain: {colour}"
    if len(colour) == 4:
        colour = "#" + "".join(digit * 2 for digit in colour[1:])
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
