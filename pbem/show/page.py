"""A page that steps through a game: one file, nothing from a network.

The page contains its data; style and script come from `templates/replay/`. A policy in the page
lets nothing else run or load, by their hashes.
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
    """HTML that a page shows without its script.

    Attributes:
        head: more elements of the head.
        top: above the heading.
        players, status: below it.
        where, said, table: the step at which the page begins.
        list: the course of the game.
        without: what those read who have no script.
        hidden: an attribute of the controls, which the script takes away.
        style: more rules, behind those of the replay.
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
        packed: the data is compressed, for long games; browsers of 2023 and later unpack it.
        still: what is there before the script.
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
    """Return a source for a policy that allows this style or script alone."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _packed(data: JsonObject) -> str:
    """Write compressed JSON in base64; no such text begins like JSON."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _for_script(data: JsonObject) -> str:
    """Write JSON that cannot end a script element, whatever the players are called."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
