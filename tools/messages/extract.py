"""Find every sentence for players: in templates, and in calls of `sentence` and `plural`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from jinja2 import Environment, nodes
from jinja2.ext import babel_extract

from engine import registry
from engine.api import AnyRuleset
from engine.options import AUTO_FORCED
from engine.sentences import Sentence
from pbem.domain.words.service_words import ORDER_WORDS

ROOT = Path(__file__).parent.parent.parent
KEYWORDS = {"sentence": None, "plural": (1, 2)}
_CALLED = re.compile(rb"\b(?:sentence|plural)\s*\(")
_ORDER_WORDS = "pbem/domain/words/service_words.py"
OPTIONS = {"trimmed": "true", "trim_blocks": "true", "lstrip_blocks": "true"}

Found = tuple[str, str | tuple[str, ...]]
"""A sentence: its location (a path within the project), and its text or its two plural forms."""


def sources() -> list[Path]:
    """List the program's files that contain sentences."""
    files = (path for folder in ("engine", "pbem") for path in (ROOT / folder).rglob("*.py"))
    return sorted(path for path in files if _CALLED.search(path.read_bytes()))


def templates() -> list[Path]:
    """List the templates of messages and of the seat page."""
    folders = (ROOT / "templates" / name for name in ("email", "web"))
    files = (path for folder in folders for path in folder.rglob("*"))
    return sorted(path for path in files if path.suffix in (".html", ".txt"))


def found() -> Iterator[Found]:
    """Yield every sentence, in the order of the files."""
    for path in templates():
        yield from _in_template(path)
    for path in sources():
        yield from _in_source(path)
    yield from _in_rules({rules.id.name: rules for rules in registry.RULESETS}.values())
    for row in ORDER_WORDS.values():
        yield from ((_ORDER_WORDS, line) for line in row.help.splitlines())


def _in_source(path: Path, top: Path = ROOT) -> Iterator[Found]:
    name = path.relative_to(top).as_posix()
    with path.open("rb") as file:
        for _, text, _, _ in extract("python", file, KEYWORDS):
            yield name, text


def _in_template(path: Path, top: Path = ROOT) -> Iterator[Found]:
    name = path.relative_to(top).as_posix()
    with path.open("rb") as file:
        for _, how, text, _ in babel_extract(
            file, ("_", "gettext", "ngettext"), (), {**OPTIONS, "silent": "false"}
        ):
            forms = text if isinstance(text, tuple) else (text,)
            yield name, forms[:2] if how == "ngettext" else forms[0]
    source = path.read_text(encoding="utf-8")
    if "count_of" not in source:
        return  # parsing takes as long as all of the above
    env = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    for use in env.parse(source).find_all(nodes.Filter):
        if use.name == "count_of":
            yield name, tuple(form.as_const() for form in use.args)


def _in_rules(of: Iterable[AnyRuleset]) -> Iterator[Found]:
    """Collect the sentences of rules texts, with every option that changes them."""
    for rules in of:
        for players, options in rules_tables(rules.id.name):
            said: list[Found] = []

            def note(text: str, name: str = rules.id.name, said: list[Found] = said) -> str:
                said.extend((f"rules of {name}", template) for template in _templates(text))
                return text

            rules.rules_text(players, options, note)
            yield from said


def _templates(text: object) -> Iterator[str]:
    if isinstance(text, Sentence):
        if re.search(r"[^\W\d_]{2}", re.sub(r"\{\w+\}", "", text.template)):
            yield text.template
        for value in text.values.values():
            yield from _templates(value)


def rules_tables(name: str) -> list[tuple[int | None, dict[str, Any]]]:
    """Return numbers of players and options that together use every sentence of a rules text."""
    tables: dict[str, list[tuple[int | None, dict[str, Any]]]] = {
        "phyliss": [(3, {"deals": 2, "max_plies": 0})],
        "cathedral": [(3, {"deals": 2, "max_plies": 0})],
        "phalanx": [
            (3, {"max_battles": 1, "ante": 1}),
            (5, {"tie": "spoils", "aces": 4, "max_battles": 2, "max_plies": 0}),
            (4, {"tie": "swap", "aces": 10}),
            (2, {"aces": "highest", "dealer": 0}),
            (2, {"stakes": "zones", "zone_ante": 1, "max_battles": 1}),
            (3, {"stakes": "zones", "zone_ante": 2, "first_window": "opening"}),
            (3, {"stakes": "per_card", "fee": 1}),
            (3, {"stakes": "per_card", "fee": 2, "max_battles": 1}),
        ],
        "phase10": [
            *((3, {"phases": list(range(1, count + 1))}) for count in range(1, 10)),
            *((3, {"phases": list(range(1, count + 1)), "ten_hands": True}) for count in (1, 3)),
            (3, {"phases_to_win": 1}),
            (4, {"even_only": True, "phases_to_win": 2, "max_plies": 0, "deck": "standard"}),
            *((3, {"naturals": "phase", "deck": deck}) for deck in ("phase10", "standard")),
        ],
    }
    tables["ohhell"] = [
        *((3, {"course": course}) for course in ("down", "up", "both")),
        (3, {"hook": False, "cards": 3}),
    ]
    tables["phase10-family"] = tables["phase10"]
    has = {option.name for option in registry.find(name).options}
    seats = max(2, registry.find(name).players[0])
    common = [
        *((seats, {"dealer": 0}) for _ in has & {"dealer"}),
        *((seats, {"auto_forced": forced}) for forced in AUTO_FORCED if "auto_forced" in has),
    ]
    return [(None, {}), *common, *tables.get(name, [])]


def not_written_out() -> Iterator[str]:
    """Yield the locations of sentences that cannot be extracted because they are not literals."""
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
    """Return a catalog of all sentences without translations, with the files they are from."""
    catalog = Catalog(project="pbem", charset="utf-8")
    for name, text in found():
        catalog.add(text, locations=[(name, 0)])
    return catalog


def package_catalog(folder: Path) -> Catalog:
    """Return a catalog of the sentences of an installed game that the program does not have.

    Args:
        folder: the game's package, with `templates` and the code.
    """
    known = {_first(message.id) for message in template_catalog()}
    brought = [package for package in registry.installed() if package.folder("") is not None]
    rules = [
        it
        for package in brought
        if package.game.folder.name == folder.name
        for it in package.rulesets
    ]
    catalog = Catalog(project=folder.name, charset="utf-8")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    sentences = [
        *(
            located
            for path in files
            if "templates" in path.parts
            for located in _in_template(path, folder)
        ),
        *(
            located
            for path in files
            if path.suffix == ".py"
            for located in _in_source(path, folder)
        ),
        *_in_rules(rules),
    ]
    for name, text in sentences:
        if _first(text) not in known:
            catalog.add(text, locations=[(name, 0)])
    return catalog


def _first(text: str | tuple[str, ...]) -> str:
    return text[0] if isinstance(text, tuple) else text
