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
from pathlib import Path

from engine.api import JsonObject

STYLE, SCRIPTS, BODY = "page.css", ("cards.js", "tables.js", "page.js"), "page.html"


def build(data: JsonObject, title: str, templates: Path, *, packed: bool = False) -> str:
    """Build the page.

    Args:
        data: the data from `pbem.service.logbook.replay_page`.
        title: plain text.
        templates: the folder `templates/replay`.
        packed: the data is compressed, for long games; browsers of 2023 and later unpack it.
    """
    style = (templates / STYLE).read_text(encoding="utf-8")
    script = "\n".join((templates / name).read_text(encoding="utf-8") for name in SCRIPTS)
    parts = {
        "policy": f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'",
        "title": html.escape(title),
        "style": style,
        "script": script,
        "data": _packed(data) if packed else _for_script(data),
    }
    page = (templates / BODY).read_text(encoding="utf-8")
    pieces = page.split("%%")
    return "".join(parts[piece] if n % 2 else piece for n, piece in enumerate(pieces))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _packed(data: JsonObject) -> str:
    """Write compressed JSON in base64; no such text begins like JSON."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _for_script(data: JsonObject) -> str:
    """Write JSON that cannot end a script element, whatever the players are called."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
