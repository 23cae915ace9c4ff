"""The page of the standings and their history: a single file that needs no network access.

It has no script. Its templates are in `templates/standings/`. A content security policy in the page
blocks all loading and any other style.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from pbem.show.course import Curve, drawing


@dataclass(frozen=True, slots=True)
class PageRow:
    """A person in the list, as texts. `against` may be empty."""

    place: int
    name: str
    rating: str
    surely: str
    games: str
    on_time: str
    against: str = ""


def build(
    title: str,
    lead: str,
    rows: Sequence[PageRow],
    lines: Sequence[Curve],
    folder: Path,
    *,
    home: str = "",
) -> str:
    """Build the page.

    Args:
        title, lead: plain text.
        rows: the list, best first.
        lines: values over time. Without lines there is no plot.
        folder: `templates/standings`.
        home: URL of the start page, or empty for no link.
    """
    env = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(str(folder)),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = (folder / "page.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return env.get_template("page.html").render(
        policy=f"default-src 'none'; style-src 'sha256-{digest}'",
        style=style,
        title=title,
        home=home,
        lead=lead,
        rows=rows,
        names={line.number: line.name for line in lines},
        drawing=drawing(lines),
    )
