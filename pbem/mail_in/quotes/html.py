"""Convert HTML bodies to lines.

Quotes are recognised in the element tree, because clients mark quoting elements there and extracted
text loses these marks. A single loop processes the tree's events, so neither depth nor size can
exhaust resources. The parser gives up at more than 2048 levels, and the body is then not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from lxml import etree

from pbem.mail_in.mime.charsets import clean_text
from pbem.mail_in.mime.lines import (
    FRAME,
    MAX_LINES,
    QUOTE,
    REST,
    SIGNATURE,
    TEXT,
    BodyLine,
    Zone,
    with_own_marks,
)

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
LINES: Final = _BLOCKS | _PARAGRAPHS
"""Tags that begin and end a line."""

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
"""Classes, ids and names of boxes with quoted text, in lower case."""
_FRAMES: Final = frozenset(
    [
        *("gmail_quote", "gmail_quote_container", "gmail_extra", "k9mail-quote", "zmail_extra"),
        *("protonmail_quote", "yahoo_quoted", "missive_quote", "nylas-quote", "hey_quote"),
    ]
)
"""Names of boxes around a quote, in which people may also write their answers."""
_RESTS: Final = frozenset(
    [
        *("divrplyfwdmsg", "appendonsend", "outlookmessageheader", "stopspelling", "zwchr"),
        *("originalmessage", "__divider__", "__headers__", "__quoted_text__"),
    ]
)
"""Names of boxes at which the original begins. It continues to the end of the message."""
SIGNATURES: Final = frozenset(
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
"""Outlook's line above the original: a box with only an upper border."""
_INDENT: Final = ("margin:0px0px0px40px", "margin:00040px", "margin:0000px40px")
"""Gmail's "indent more": a blockquote that is not a quote."""


_NAMING: Final = ("class", "id", "name", "data-marker")
_NAME_LENGTH: Final = 120
_STYLE_LENGTH: Final = 400
_LIKE_QUOTES: Final = re.compile(
    r"(?<!no)(?<!no[-_])quot(?:e|ed|ing|ation)|zitat|citation|yqt"
    r"|original[-_]?(?:message|mail|content)|previous[-_]?(?:message|mail|repl)"
    r"|(?:message|mail|thread|conversation)[-_]?history"
)
"""Parts of box names, for unknown programs."""
_BARRED: Final = re.compile(
    r"border-(?:left|inline-start)(?:-width|-style)?:(?!none|0|hidden|initial|inherit|medium(?:none)?(?:;|$))"
)
"""Vertical bar to the left of quoted text, which almost all programs draw."""
_HIDING: Final = re.compile(
    r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|mso-hide:all"
    r"|(?:font-size|max-height|max-width|opacity):0*(?:\.0+)?(?:px|pt|r?em|%|cm|in)?(?:!important)?(?:;|$)"
    r"|font-size:[01](?:\.\d+)?p[xt]|(?:left|top|text-indent|margin-left):-\d{3})"
    r"|(?:^|;)(?:height|width):0(?:px|pt)?;(?:.*;)?overflow:hidden"
)


@dataclass(slots=True)
class _Box:
    """An open element: its zone, and whether it is a spaced paragraph."""

    zone: Zone
    pre: bool
    depth: int
    spaced: bool = False


class _Writer:
    """Joins pieces of text to lines, like a browser's layout."""

    def __init__(self) -> None:
        self.lines: list[BodyLine] = []
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

    def space(self) -> None:
        """Add a space between two pieces of a line."""
        self._space = True

    def end_line(self, box: _Box, *, only_if_text: bool = False) -> None:
        """End the line. With `only_if_text`, not twice at the same place."""
        if only_if_text and not self._pieces:
            self._space = False
            return
        text = clean_text("".join(self._pieces)).strip()
        self._pieces.clear()
        self._space = False
        if text:
            for piece in text.split("\n"):
                self.lines.append(with_own_marks(BodyLine(piece.strip(), box.zone, box.depth)))
        elif not only_if_text:
            self.blank()

    def blank(self) -> None:
        """Add a blank line, but never two in a row."""
        if self.lines and self.lines[-1].text:
            self.lines.append(BodyLine(""))


_TAG: Final = re.compile(r"""<[a-zA-Z][^\s/>]*(?P<rest>(?:\s+[a-zA-Z-]+="[^"]*"){0,20}\s*/?>)?""")
"""A tag. The group `rest` contains its attributes if they are few and use double quotes."""
_ATTRIBUTE: Final = re.compile(
    r"""[\s/]*[^\s/>][^\s/>=]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"'][^\s>]*))?"""
)
_MAX_ATTRIBUTES: Final = 200


def _has_huge_tag(body: str) -> bool:
    """True if a tag has more attributes than any client produces.

    The parser's time grows with the square of their number, up to seconds for a message within our
    size limit.
    """
    index = 0
    while (tag := _TAG.search(body, index)) is not None:
        index = tag.end()
        if tag["rest"] is not None:
            continue
        for _ in range(_MAX_ATTRIBUTES):
            attribute = _ATTRIBUTE.match(body, index)
            if attribute is None:
                break
            index = attribute.end()
        else:
            return True
    return False


def html_lines(body: str) -> list[BodyLine] | None:
    """Return the lines of an HTML body with their zones, or None if it cannot be read completely."""
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


def _walk(root: etree._Element) -> list[BodyLine] | None:
    writer = _Writer()
    stack = [_Box(TEXT, pre=False, depth=0)]
    rest = False
    events = etree.iterwalk(root, events=("start", "end"))
    for event, element in events:
        tag = element.tag if isinstance(element.tag, str) else ""
        box = stack[-1]
        if event == "start":
            if tag in _DROPPED or not tag or (look := _look_of(element, tag)).is_hidden:
                events.skip_subtree()
                stack.append(box)
                continue
            inner = _open(element, tag, look, box)
            if inner.zone is REST:
                rest = True
            if rest and inner.zone is not QUOTE:
                inner.zone = REST
            inner.spaced = tag in _PARAGRAPHS and not look.is_tight
            _break_before(writer, tag, box, inner)
            stack.append(inner)
            if element.text:
                writer.text(element.text, inner)
            continue
        inner, box = stack.pop(), stack[-1]
        if rest and box.zone is not QUOTE:
            box.zone = REST
        if inner is not box:
            _break_after(writer, tag, box, inner)
            if inner.zone is QUOTE and box.zone is FRAME:
                box.zone = TEXT  # text after the quote within the frame is an answer
        if element.tail and len(stack) > 1:
            writer.text(element.tail, box)
        if len(writer.lines) > MAX_LINES:
            return None
    writer.end_line(stack[-1], only_if_text=True)
    return writer.lines


def _open(element: etree._Element, tag: str, look: _Look, outer: _Box) -> _Box:
    """Return the state for an opened element: its zone and the layout of its text."""
    pre = outer.pre or look.is_pre
    if outer.zone in (QUOTE, REST):
        deeper = outer.zone is QUOTE and tag == "blockquote"
        return _Box(outer.zone, pre, outer.depth + deeper)
    zone = look.zone
    if look.holds_quote and not (look.is_frame and outer.zone is FRAME):
        zone = FRAME if _has_quote(element) else QUOTE
    if zone is QUOTE and _PREFIX == element.get("class") == _class_after(element):
        zone = None  # a line that was typed at the start of the attribution inherited its box
    return _Box(zone or outer.zone, pre, int(zone is QUOTE))


@dataclass(frozen=True, slots=True)
class _Look:
    """Properties of a tag and its attributes, regardless of its position.

    Attributes:
        is_hidden: True if the element is hidden or crossed out, so that its text is ignored.
        is_pre: True if the text is preformatted.
        is_tight: True for a paragraph that is a single line of text, as generated by Outlook.
        zone: zone of an element whose text was not written by the sender.
        holds_quote: True if the quote is a nested element. False if the element itself is the
            quote.
        is_frame: True for the frames that clients nest.
    """

    is_hidden: bool
    is_pre: bool
    is_tight: bool
    zone: Zone | None
    holds_quote: bool = False
    is_frame: bool = False


_TELLING: Final = ("style", *_NAMING, "hidden", "type", "tabindex")


def _look_of(element: etree._Element, tag: str) -> _Look:
    attributes: Any = element.items()
    if not attributes:
        return _evaluate_tag(tag)
    values: dict[str, str] = dict(attributes)  # by key, lxml fails for names such as `{x`
    is_short = sum(map(len, values.values())) < _STYLE_LENGTH
    read = _evaluate_tag if is_short else _evaluate_tag.__wrapped__
    return read(tag, tuple(map(values.get, _TELLING)))


@lru_cache(1024)  # clients repeat the same few tags
def _evaluate_tag(tag: str, told: tuple[str | None, ...] = (None,) * len(_TELLING)) -> _Look:
    """Evaluate a tag and the values of its attributes `_TELLING`."""
    style, *names_told, hidden, type_, tabindex = told
    box, id_, name, _ = names_told
    bare = "".join((style or "").lower().split())
    zone: Zone | None = None
    holds_quote = False
    names = _names(names_told)
    is_frame = tag != "blockquote" and not names.isdisjoint(_FRAMES)
    is_line = tag == "hr" and tabindex == "-1"
    is_drawn = _BORDER_ALONE in bare and "border:none" in bare
    if is_line or is_drawn or not names.isdisjoint(_RESTS):
        zone = REST
    elif type_ == "cite" or "quote" in (name, id_):
        zone = QUOTE
    elif is_frame:
        zone, holds_quote = FRAME, True
    elif not names.isdisjoint(_QUOTES):
        zone = QUOTE
    elif tag != "blockquote" and any(map(_LIKE_QUOTES.search, names)):
        holds_quote = True
    elif tag not in _CELLS and "border-" in bare and _BARRED.search(bare):
        zone = QUOTE  # cells of signatures have such borders, too
    elif tag in _QUOTE_TAGS:
        is_indent = "border:none" in bare and any(mark in bare for mark in _INDENT)
        zone = None if is_indent and not names else QUOTE
    elif not names.isdisjoint(SIGNATURES):
        zone = SIGNATURE
    return _Look(
        is_hidden=hidden is not None or _HIDING.search(bare) is not None or _is_struck(tag, style),
        is_pre=tag == "pre" or "white-space:pre" in bare,
        is_tight="msonormal" in (box or "").lower() or "margin:0" in bare,
        zone=zone,
        holds_quote=holds_quote,
        is_frame=is_frame,
    )


def _names(values: Iterable[str | None]) -> frozenset[str]:
    """Return class, id, name and marker of an element, without the prefix `x_` added by Outlook."""
    words = " ".join([value or "" for value in values])
    names: list[str] = []
    for word in words.lower().split()[:30]:
        prefixed = word
        while prefixed.startswith("x_") and len(word) < _NAME_LENGTH:
            prefixed = prefixed[2:]
        names.append(prefixed)
    return frozenset(names)


def _is_struck(tag: str, style: str | None) -> bool:
    """True if the text of the element is crossed out."""
    written = (style or "").lower()
    return tag in _STRUCK or ("line-through" in written and "text-decoration" in written)


_PREFIX: Final = "moz-cite-prefix"


def _class_after(element: etree._Element) -> str | None:
    after = element.getnext()
    return None if after is None else after.get("class")


def _has_quote(element: etree._Element) -> bool:
    return next(element.iter("blockquote"), None) is not None


def _break_before(writer: _Writer, tag: str, outer: _Box, inner: _Box) -> None:
    if tag == "br":
        writer.end_line(outer)
    elif tag in ("td", "th"):
        writer.space()
    elif tag in LINES or tag == "hr" or inner.zone is not outer.zone:
        writer.end_line(outer, only_if_text=True)
    if inner.spaced:
        writer.blank()


def _break_after(writer: _Writer, tag: str, outer: _Box, inner: _Box) -> None:
    if tag in LINES or inner.zone is not outer.zone:
        writer.end_line(inner, only_if_text=True)
    if inner.spaced:
        writer.blank()
