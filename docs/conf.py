"""These pages as HTML: `make docs`. Where a page links to a folder, or to a file that is not in docs/, GitHub knows it and a site does not."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from pygments.lexers.special import TextLexer

HERE = Path(__file__).parent
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:\s]+)(#[^)\s]*)?\)")

project = "PBEM"
html_title = "Card games by mail"
html_theme = "furo"
html_copy_source = False
html_show_copyright = False
extensions = ["myst_parser"]
myst_heading_anchors = 4
"""As deep as links of our pages go."""


def setup(app: Any) -> None:  # noqa: ANN401  (Sphinx is an extra that type checks do without)
    """Tell Sphinx what differs from GitHub."""
    for kind in ("mail", "answer"):  # blocks of usability.md
        app.add_lexer(kind, TextLexer)
    app.connect("source-read", read)
    app.connect("build-finished", copy)


def read(_app: object, name: str, source: list[str]) -> None:
    """Mend the links of a page; the one with all pages gives the site its navigation, too."""
    folder = (HERE / name).parent

    def mended(link: re.Match[str]) -> str:
        words, target, _ = link.groups()
        there = (folder / target).resolve()
        if not there.is_relative_to(HERE):
            return words
        if there.is_dir():
            files = sorted(file for file in there.iterdir() if file.is_file())
            parts = (f"[{file.stem}]({file.relative_to(folder)})" for file in files)
            return f"{words} ({', '.join(parts)})"
        return link[0]

    text = source[0]
    source[0] = _LINK.sub(mended, text)
    if name == "index":
        for part in text.split("\n## ")[1:]:
            heading, _, listed = part.partition("\n")
            linked = (page for _, page, _ in _LINK.findall(listed) if page in ours())
            pages = "\n".join(dict.fromkeys(linked))
            source[0] += (
                f"\n```{{toctree}}\n:hidden:\n:caption: {heading.split(',')[0]}\n\n{pages}\n```\n"
            )


def copy(app: Any, _error: object) -> None:  # noqa: ANN401  (as above)
    """Bring the pictures that pages show by HTML of their own, which Sphinx does not look for."""
    shutil.copytree(HERE / "pictures", Path(app.outdir) / "pictures", dirs_exist_ok=True)


def ours() -> set[str]:
    """Return the names of all pages."""
    return {page.relative_to(HERE).as_posix() for page in HERE.rglob("*.md")}
