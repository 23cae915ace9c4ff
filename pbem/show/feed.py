"""Atom feeds (RFC 4287) with public news about games and leagues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

_ATOM = "http://www.w3.org/2005/Atom"


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a feed. Its ID never changes.

    Attributes:
        id: a tag URI (RFC 4151).
        link: URL of its page.
        text: plain text, or empty if the title is sufficient.
    """

    id: str
    title: str
    at: datetime
    link: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Feed:
    """An Atom feed.

    Attributes:
        own: URL of the feed.
        link: URL of the page to which the feed belongs.
        author: name of the author.
        updated: time of the feed if it has no entries.
        entries: newest first.
    """

    id: str
    title: str
    own: str
    link: str
    author: str
    updated: datetime
    entries: Sequence[Entry]


def feed_file(feed: Feed) -> bytes:
    """Serialize a feed as XML in UTF-8."""
    root = ET.Element("feed", {"xmlns": _ATOM})
    _add(root, "id", feed.id)
    _add(root, "title", feed.title)
    _add(root, "updated", _instant(max([one.at for one in feed.entries], default=feed.updated)))
    ET.SubElement(root, "link", {"rel": "self", "type": "application/atom+xml", "href": feed.own})
    ET.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": feed.link})
    _add(ET.SubElement(root, "author"), "name", feed.author)
    for one in feed.entries:
        entry = ET.SubElement(root, "entry")
        _add(entry, "id", one.id)
        _add(entry, "title", one.title)
        _add(entry, "updated", _instant(one.at))
        link = {"rel": "alternate", "type": "text/html", "href": one.link}
        ET.SubElement(entry, "link", link)
        _add(entry, "content", one.text or one.title, type="text")
    ET.indent(root, "")
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _add(parent: ET.Element, name: str, text: str, **attributes: str) -> None:
    ET.SubElement(parent, name, attributes).text = text


def _instant(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
