"""HTML mails for the frame of the window: their links lead back into it only."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import lxml.html
from lxml.html import HtmlElement

POLICY = (
    "sandbox allow-top-navigation-by-user-activation; default-src 'none';"
    " style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none';"
    " frame-ancestors 'self'"
)
"""What a mail may do (Content-Security-Policy): be looked at, and have its links clicked."""


def mailto_targets(html: str) -> list[str]:
    """Return the targets of all links that begin a mail, in their order in the mail."""
    return [] if not html.strip() else [link.get("href", "") for link in _links(_page(html))]


def framed(html: str, address: Callable[[int], str] | None) -> str:
    """Build the page for the frame.

    Args:
        html: the HTML part of the mail.
        address: the target of the link with this number, from 0; None disables all links.
    """
    page = _page(html)
    links = list(_links(page))
    for link in page.iter("a"):
        link.attrib.pop("href", None)
    for number, link in enumerate(links):
        if address is not None:
            link.set("id", f"link-{number}")
            link.set("href", address(number))
            link.set("target", "_top")
    return str(lxml.html.tostring(page, encoding="unicode", doctype="<!DOCTYPE html>"))


def _page(html: str) -> HtmlElement:
    return lxml.html.document_fromstring(html)


def _links(page: HtmlElement) -> Iterator[HtmlElement]:
    return (link for link in page.iter("a") if link.get("href", "").startswith("mailto:"))
