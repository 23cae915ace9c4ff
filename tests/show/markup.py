"""Check that a page is well-formed HTML, including faults that browsers correct silently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser

VOID = {"meta", "link", "base", "input", "path", "br", "img", "line", "polyline", "polygon"}
_PHRASES_ONLY = {"p", "h1", "h2", "h3", "span", "b", "i", "bdi", "a", "summary", "button", "time"}
_BLOCKS = {
    "p",
    "div",
    "section",
    "ul",
    "ol",
    "table",
    "h1",
    "h2",
    "h3",
    "details",
    "main",
    "header",
}
_INSIDE = {
    "li": {"ul", "ol"},
    "tr": {"thead", "tbody"},
    "td": {"tr"},
    "th": {"tr"},
    "summary": {"details"},
    "caption": {"table"},
    "figcaption": {"figure"},
}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: Counter[str] = Counter()
        self.seen: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        above = self.open[-1] if self.open else ""
        if len({name for name, _ in attrs}) < len(attrs):
            self.faults.append(f"{tag} has an attribute twice")
        if any(name.startswith("on") or name == "style" for name, _ in attrs):
            self.faults.append(f"{tag} has a style or script of its own")
        if tag in _BLOCKS and _PHRASES_ONLY.intersection(self.open):
            self.faults.append(f"{tag} inside {self.open}")
        if above not in _INSIDE.get(tag, {above}):
            self.faults.append(f"{tag} inside {above}")
        if above in ("ul", "ol") and tag != "li":
            self.faults.append(f"{tag} inside {above}")
        if tag == "a" and "a" in self.open:
            self.faults.append("a link inside a link")
        self.seen[tag] += 1
        self.ids.update(value or "" for name, value in attrs if name == "id")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.faults.append(f"{tag} ends itself")
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at line {self.getpos()[0]} ends another element")


def faults(text: str) -> Iterator[str]:
    """Yield a description of each fault of a page."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    yield from reader.faults
    yield from (f"{tag} is not closed" for tag in reader.open)
    yield from (f"id {name} twice" for name, count in reader.ids.items() if count > 1)
    yield from (f"{tag} is missing" for tag in ("title", "main", "h1") if not reader.seen[tag])
    if not text.startswith('<!DOCTYPE html>\n<html lang="en">'):
        yield "no doctype, or no language"
