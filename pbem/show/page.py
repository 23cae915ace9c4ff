"""The replay page of a game: a single file that needs no network access.

The page contains its data. Style and script are from `templates/replay/`. A content security policy
in the page allows only these, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import zlib
from dataclasses import dataclass, fields
from pathlib import Path

from engine.api import JsonObject

STYLE, SCRIPTS, BODY = "page.css", ("cards.js", "tables.js", "page.js"), "page.html"


@dataclass(frozen=True, slots=True)
class Still:
    """HTML that a page shows before its script runs, or without it.

    Attributes:
        head: more elements of the head.
        top: above the heading.
        players, status: below the heading.
        where, said, table: position, sentences and table of the step that is shown first.
        list: the course of the game.
        without: text for browsers without scripts.
        hidden: attribute of the controls, which the script removes.
        style: further CSS rules, after those of the replay.
    """

    head: str = ""
    top: str = ""
    players: str = ""
    status: str = ""
    where: str = ""
    said: str = ""
    table: str = ""
    list: str = ""
    without: str = (
        "<noscript><p>This page steps through a game, and needs JavaScript for that. It loads nothing"
        " from anywhere.</p></noscript>\n"
    )
    hidden: str = ""
    style: str = ""


NOTHING = Still()


def build(
    data: JsonObject,
    title: str,
    templates: Path,
    *,
    packed: bool = False,
    still: Still = NOTHING,
) -> str:
    """Build the page.

    Args:
        data: the data from `pbem.service.logbook.replay_page`.
        title: plain text.
        templates: the folder `templates/replay`.
        packed: True to compress the data. Browsers released since 2023 can decompress it.
        still: the content without the script.
    """
    style = (templates / STYLE).read_text(encoding="utf-8") + still.style
    script = "\n".join((templates / name).read_text(encoding="utf-8") for name in SCRIPTS)
    parts = {field.name: getattr(still, field.name) for field in fields(still)} | {
        "policy": f"default-src 'none'; style-src '{hash_of(style)}'; script-src '{hash_of(script)}'",
        "title": html.escape(title),
        "style": style,
        "script": script,
        "data": _packed(data) if packed else _for_script(data),
    }
    page = (templates / BODY).read_text(encoding="utf-8")
    pieces = page.split("%%")
    return "".join(parts[piece] if n % 2 else piece for n, piece in enumerate(pieces))


def hash_of(text: str) -> str:
    """Return the hash of a style or script as a source for a content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _packed(data: JsonObject) -> str:
    """Return compressed JSON in base64, which unlike JSON never starts with `{`."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _for_script(data: JsonObject) -> str:
    """Return JSON in which no text, such as a player's name, can end a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
