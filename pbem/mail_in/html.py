"""HTML bodies to lines.

Quoted text is told apart here, in the tree, where clients still say which box is a quote; in the
text made from it that knowledge would be gone. The walk is a single loop over the tree's events,
so neither depth nor size can exhaust anything; the parser itself gives up beyond 2048 levels, and
then the body is not read at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from lxml import etree

from pbem.mail_in.charsets import clean_text
from pbem.mail_in.lines import MAX_LINES, Line, Zone, with_own_marks

UNREADABLE_HTML: Final = "the HTML is too deep or too long to be read"

_DROPPED: Final = frozenset(
    [
        *("script", "style", "head", "title", "template", "noscript", "object", "svg", "math"),
        *("select", "textarea", "iframe", "video", "audio", "canvas", "map", "applet"),
    ]
)
_BLOCKS: Final = frozenset(
    [
        *("address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog"),
        *("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header"),
        *("html", "li", "main", "nav", "ol", "pre", "section", "summary", "table", "tbody"),
        *("tfoot", "thead", "tr", "ul", "caption"),
    ]
)
_QUOTE_TAGS: Final = frozenset(["blockquote", "details"])
_CELLS: Final = frozenset(["td", "th"])
_STRUCK: Final = frozenset(["s", "strike", "del"])
_PARAGRAPHS: Final = frozenset(["p", "h1", "h2", "h3", "h4", "h5", "h6"])

_QUOTES: Final = frozenset(
    [
        *("gmail_attr", "moz-cite-prefix", "moz-forward-container", "moz-email-headers-table"),
        *("tutanota_quote", "zmail_extra_hr"),
        *("mail-quote-collapse", "mailquote", "mail_quote", "elided-text", "quoted-text"),
        *("ms-outlook-mobile-reference-message", "mail-editor-reference-message-container"),
        *("mail-app-auto-quote", "isreplycontent", "isforwardcontent", "reply-intro"),
        *("appleoriginalcontents", "apple-mail-quote", "cm_quote", "hmquote", "lotusquote"),
        *(
            "front-blockquote",
            "freshdesk_quote",
            "edo-reply-content",
            "skyquote",
            "_originalcontent",
        ),
    ]
)
"""Classes, ids and names of boxes that hold what is quoted, in lower case."""
_FRAMES: Final = frozenset(
    [
        *("gmail_quote", "gmail_quote_container", "gmail_extra", "k9mail-quote", "zmail_extra"),
        *("protonmail_quote", "yahoo_quoted", "missive_quote", "nylas-quote", "hey_quote"),
    ]
)
"""Boxes around a quote, in which people also answer between the lines."""
_RESTS: Final = frozenset(
    [
        *("divrplyfwdmsg", "appendonsend", "outlookmessageheader", "stopspelling", "zwchr"),
        *("originalmessage", "__divider__", "__headers__", "__quoted_text__"),
    ]
)
"""From here to the end of the mail everything is the original."""
_SIGNATURES: Final = frozenset(
    [
        *("gmail_signature", "gmail_signature_prefix", "moz-signature", "applemailsignature"),
        *(
            "protonmail_signature_block",
            "ms-outlook-mobile-signature",
            "signature",
            "k9mail-signature",
        ),
        *("composer_signature", "yahoo-signature", "ydp-signature", "tutanota_signature"),
        *("__sig_pre__", "__sig_post__", "zimbra-signature", "mail-signature", "signature_old"),
    ]
)
_BORDER_ALONE: Final = "border-top:solid"
"""Outlook's line above the original: a box with nothing but an upper border."""
_INDENT: Final = ("margin:0px0px0px40px", "margin:00040px", "margin:0000px40px")
"""Gmail's "indent more": a blockquote that quotes nothing."""


_NAMING: Final = ("class", "id", "name", "data-marker")
_NO_NAMES: Final = frozenset[str]()
_NAME_LENGTH: Final = 120
_STYLE_LENGTH: Final = 400
_LIKE_QUOTES: Final = re.compile(
    r"(?<!no)(?<!no[-_])quot(?:e|ed|ing|ation)|zitat|citation|yqt"
    r"|original[-_]?(?:message|mail|content)|previous[-_]?(?:message|mail|repl)"
    r"|(?:message|mail|thread|conversation)[-_]?history"
)
"""In names of boxes of programs that we do not know."""
_BARRED: Final = re.compile(
    r"border-(?:left|inline-start)(?:-width|-style)?:(?!none|0|hidden|initial|inherit|medium(?:none)?(?:;|$))"
)
"""A bar to the left of what is quoted, as nearly all programs draw it."""
_HIDING: Final = re.compile(
    r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|mso-hide:all"
    r"|(?:font-size|max-height|max-width|opacity):0*(?:\.0+)?(?:px|pt|r?em|%|cm|in)?(?:!important)?(?:;|$)"
    r"|font-size:[01](?:\.\d+)?p[xt]|(?:left|top|text-indent|margin-left):-\d{3})"
    r"|(?:^|;)(?:height|width):0(?:px|pt)?;(?:.*;)?overflow:hidden"
)


@dataclass(slots=True)
class _Box:
    """An open element: where its text stands, and whether it is a paragraph with space around."""

    zone: Zone
    pre: bool
    depth: int
    spaced: bool = False


class _Writer:
    """Puts pieces of text together to lines as a browser would lay them out."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._pieces: list[str] = []
        self._space = False

    def text(self, text: str, box: _Box) -> None:
        """Add text within a line, or lines of preformatted text."""
        if box.pre:
            first, *others = text.replace("\r", "").split("\n")
            self._pieces.append(first)
            for other in others:
                self.end_line(box)
                self._pieces.append(other)
            return
        words = text.split()
        if not words:
            self._space = self._space or bool(text)
            return
        if self._pieces and (self._space or text[0].isspace()):
            self._pieces.append(" ")
        self._pieces.append(" ".join(words))
        self._space = text[-1].isspace()

    def end_line(self, box: _Box, *, only_if_text: bool = False) -> None:
        """End the line; with `only_if_text` not twice at the same place."""
        text = clean_text("".join(self._pieces)).strip()
        self._pieces.clear()
        self._space = False
        if text:
            for piece in text.split("\n"):
                self.lines.append(with_own_marks(Line(piece.strip(), box.zone, box.depth)))
        elif not only_if_text:
            self.blank()

    def blank(self) -> None:
        """Add a blank line, never two."""
        if self.lines and self.lines[-1].text:
            self.lines.append(Line(""))


_TAG: Final = re.compile(r"<[a-zA-Z][^\s/>]*")
_ATTRIBUTE: Final = re.compile(
    r"""[\s/]*[^\s/>][^\s/>=]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"'][^\s>]*))?"""
)
_MAX_ATTRIBUTES: Final = 200


def _has_huge_tag(body: str) -> bool:
    """Say whether a tag has more attributes than any client writes.

    The parser's time grows with the square of their number: seconds for a mail of our size.
    """
    at = 0
    while (tag := _TAG.search(body, at)) is not None:
        at = tag.end()
        for _ in range(_MAX_ATTRIBUTES):
            attribute = _ATTRIBUTE.match(body, at)
            if attribute is None:
                break
            at = attribute.end()
        else:
            return True
    return False


def html_lines(body: str) -> list[Line] | None:
    """Give the lines of an HTML body, each with its zone; None if it cannot be read to its end."""
    if _has_huge_tag(body):
        return None
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True
    )
    try:
        root = etree.fromstring(body.encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError, AssertionError):
        return None
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        return None
    return [] if root is None else _walk(root)


def _walk(root: etree._Element) -> list[Line] | None:
    writer = _Writer()
    stack = [_Box(Zone.TEXT, pre=False, depth=0)]
    rest = False
    events = etree.iterwalk(root, events=("start", "end"))
    for event, element in events:
        tag = element.tag if isinstance(element.tag, str) else ""
        box = stack[-1]
        if event == "start":
            if tag in _DROPPED or not tag or _is_hidden(element) or _is_struck(element, tag):
                events.skip_subtree()
                stack.append(box)
                continue
            inner = _open(element, tag, box)
            if inner.zone is Zone.REST:
                rest = True
            if rest and inner.zone is not Zone.QUOTE:
                inner.zone = Zone.REST
            inner.spaced = tag in _PARAGRAPHS and not _is_tight(element)
            _break_before(writer, tag, box, inner)
            stack.append(inner)
            if element.text:
                writer.text(element.text, inner)
            continue
        inner, box = stack.pop(), stack[-1]
        if rest and box.zone is not Zone.QUOTE:
            box.zone = Zone.REST
        if inner is not box:
            _break_after(writer, tag, box, inner)
            if inner.zone is Zone.QUOTE and box.zone is Zone.FRAME:
                box.zone = Zone.TEXT  # what follows the quote within the frame is an answer
        if element.tail and len(stack) > 1:
            writer.text(element.tail, box)
        if len(writer.lines) > MAX_LINES:
            return None
    writer.end_line(stack[-1], only_if_text=True)
    return writer.lines


def _open(element: etree._Element, tag: str, outer: _Box) -> _Box:
    """Give the box of an element: its zone and how its text is laid out."""
    attributes = element.attrib
    style = _style_of(element)
    pre = outer.pre or tag == "pre" or "white-space:pre" in style
    if outer.zone in (Zone.QUOTE, Zone.REST):
        deeper = outer.zone is Zone.QUOTE and tag == "blockquote"
        return _Box(outer.zone, pre, outer.depth + deeper)
    zone = _zone_of(element, tag, style, outer.zone) if attributes or tag in _QUOTE_TAGS else None
    if zone is Zone.QUOTE:
        return _Box(zone, pre, 1)
    return _Box(zone or outer.zone, pre, 0)


def _zone_of(element: etree._Element, tag: str, style: str, outer: Zone) -> Zone | None:
    """Recognise the boxes in which clients put what is not the writer's own."""
    names = _names(element)
    if names & _RESTS or (tag == "hr" and element.get("tabindex") == "-1"):
        return Zone.REST
    if _BORDER_ALONE in style and "border:none" in style:
        return Zone.REST
    if element.get("type") == "cite" or "quote" in (element.get("name"), element.get("id")):
        return Zone.QUOTE
    if tag != "blockquote" and names & _FRAMES:
        if outer is Zone.FRAME:
            return Zone.FRAME
        return Zone.FRAME if _has_quote(element) else Zone.QUOTE
    if names & _QUOTES:
        return Zone.QUOTE
    if tag != "blockquote" and any(map(_LIKE_QUOTES.search, names)):
        return Zone.FRAME if _has_quote(element) else Zone.QUOTE
    if tag not in _CELLS and "border-" in style and _BARRED.search(style):
        return Zone.QUOTE  # cells of signatures have such borders, too
    if tag in _QUOTE_TAGS:
        is_indent = "border:none" in style and any(mark in style for mark in _INDENT)
        return None if is_indent and not names else Zone.QUOTE
    if names & _SIGNATURES:
        return Zone.SIGNATURE
    return None


def _names(element: etree._Element) -> frozenset[str]:
    """Give class, id, name and marker of an element, without the `x_` that Outlook puts before."""
    attributes = element.attrib
    words = " ".join([str(attributes.get(key, "")) for key in _NAMING])
    if len(words) < len(_NAMING):
        return _NO_NAMES
    found: list[str] = []
    for word in words.lower().split()[:30]:
        prefixed = word
        while prefixed.startswith("x_") and len(word) < _NAME_LENGTH:
            prefixed = prefixed[2:]
        found.append(prefixed)
    return frozenset(found)


def _style_of(element: etree._Element) -> str:
    """Give the style of an element in lower case and without blanks."""
    style = element.get("style")
    if not style:
        return ""
    return _bare(style) if len(style) < _STYLE_LENGTH else _bare.__wrapped__(style)


@lru_cache(512)  # clients write the same few styles over and over
def _bare(style: str) -> str:
    return "".join(style.lower().split())


def _has_quote(element: etree._Element) -> bool:
    return next(element.iter("blockquote"), None) is not None


def _is_hidden(element: etree._Element) -> bool:
    attributes = element.attrib
    if not attributes:
        return False
    if "hidden" in attributes:
        return True
    style = _style_of(element)
    return bool(style) and _hides(style)


@lru_cache(512)
def _hides(style: str) -> bool:
    return _HIDING.search(style) is not None


def _is_struck(element: etree._Element, tag: str) -> bool:
    """Say whether the text is crossed out: who does that does not say it."""
    if tag in _STRUCK:
        return True
    style = str(element.get("style", "")).lower()
    return "line-through" in style and "text-decoration" in style


def _is_tight(element: etree._Element) -> bool:
    """Say whether a paragraph is one line of a text, as Outlook writes them."""
    style = _style_of(element)
    return "msonormal" in str(element.get("class", "")).lower() or "margin:0" in style


def _break_before(writer: _Writer, tag: str, outer: _Box, inner: _Box) -> None:
    if tag == "br":
        writer.end_line(outer)
    elif tag in ("td", "th"):
        writer.text(" ", _Box(outer.zone, pre=False, depth=outer.depth))
    elif tag in _PARAGRAPHS or tag in _BLOCKS or tag == "hr" or inner.zone is not outer.zone:
        writer.end_line(outer, only_if_text=True)
    if inner.spaced:
        writer.blank()


def _break_after(writer: _Writer, tag: str, outer: _Box, inner: _Box) -> None:
    if tag in _PARAGRAPHS or tag in _BLOCKS or inner.zone is not outer.zone:
        writer.end_line(inner, only_if_text=True)
    if inner.spaced:
        writer.blank()
