"""Find every sentence for players: in templates, and in calls of `sentence` and `plural`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from jinja2 import Environment, nodes
from jinja2.ext import babel_extract

ROOT = Path(__file__).parent.parent.parent
KEYWORDS = {"sentence": None, "plural": (1, 2)}
OPTIONS = {"trimmed": "true", "trim_blocks": "true", "lstrip_blocks": "true"}

Found = tuple[str, str | tuple[str, ...]]
"""Where it stands (a path within the project), and the text, or the two forms of what counts."""


def sources() -> list[Path]:
    """List the program's own files that may hold sentences."""
    return sorted(
        path for folder in ("engine", "pbem") for path in (ROOT / folder).rglob("*.py") if path.stem
    )


def templates() -> list[Path]:
    """List the templates of mails."""
    return sorted(path for path in (ROOT / "templates" / "email").rglob("*") if path.is_file())


def found() -> Iterator[Found]:
    """Give every sentence, in the order of the files."""
    for path in templates():
        yield from _in_template(path)
    for path in sources():
        yield from _in_source(path)


def _in_source(path: Path) -> Iterator[Found]:
    name = path.relative_to(ROOT).as_posix()
    with path.open("rb") as file:
        for _, text, _, _ in extract("python", file, KEYWORDS):
            yield name, text


def _in_template(path: Path) -> Iterator[Found]:
    name = path.relative_to(ROOT).as_posix()
    with path.open("rb") as file:
        for _, how, text, _ in babel_extract(
            file, ("_", "gettext", "ngettext"), (), {**OPTIONS, "silent": "false"}
        ):
            forms = text if isinstance(text, tuple) else (text,)
            yield name, forms[:2] if how == "ngettext" else forms[0]
    env = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    parsed = env.parse(path.read_text(encoding="utf-8"))
    for use in parsed.find_all(nodes.Filter):
        if use.name == "count_of":
            yield name, tuple(form.as_const() for form in use.args)


def not_written_out() -> Iterator[str]:
    """Give the places where a template of a sentence is not written out, so that nobody finds it."""
    for path in sources():
        if path.name == "sentences.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in KEYWORDS:
                forms = node.args[: 2 if getattr(node.func, "id", "") == "plural" else 1]
                if not all(
                    isinstance(form, ast.Constant) and isinstance(form.value, str) for form in forms
                ):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}"


def template_catalog() -> Catalog:
    """Put all sentences into a catalog without translations, each with the files it is from."""
    catalog = Catalog(project="pbem", charset="utf-8")
    for name, text in found():
        catalog.add(text, locations=[(name, 0)])
    return catalog
