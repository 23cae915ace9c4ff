"""What the rules say about one word: the answer to `help god` and "what is flanking?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from engine.api import AnyRuleset
from pbem.domain.table.game import Game
from pbem.games import glossary
from pbem.games.face import face

_HEADING = re.compile(r"\d+\. \S.*")


def explain(
    rules: AnyRuleset, topic: str, game: Game | None, say: Callable[[str], str]
) -> str | None:
    """Return what the rules say about a word, in the form of a rules text; None if nothing.

    Args:
        game: its options hold; None: the usual ones.
        say: says a sentence in the reader's language.
    """
    term = glossary.find(topic, face(rules.id.name).terms)
    if term is None:
        return None
    text = (
        rules.rules_text(say=say)
        if game is None
        else rules.rules_text(len(game.seats), game.options, say)
    )
    title, *blocks = (block for block in re.split(r"\n\s*\n", text.strip("\n")) if block.strip())
    wanted = {code.rstrip("*"): code.endswith("*") for code in term.rules}
    found = [part for chapter in _chapters(blocks) for part in _told(chapter, wanted)]
    return "\n\n".join([title, *found]) + "\n" if found else None


def _chapters(blocks: Sequence[str]) -> list[list[str]]:
    chapters: list[list[str]] = [[]]
    for block in blocks:
        if _HEADING.fullmatch(block):
            chapters.append([])
        chapters[-1].append(block)
    return chapters


def _told(chapter: Sequence[str], wanted: dict[str, bool]) -> list[str]:
    """Return what a chapter tells of these rules, below its heading."""
    heading, rest = chapter[:1], chapter[1:]
    if any(wanted.get(code) for block in rest for code in glossary.CODE.findall(block)):
        return list(chapter)
    told: list[str] = []
    is_picture_of = False
    for block in rest:
        if block.startswith("    "):
            told += [block] if is_picture_of else []
            continue
        items = re.split(r"\n(?=[-*] )", block) if block.startswith(("- ", "* ")) else [block]
        named = [
            item for item in items if any(code in wanted for code in glossary.CODE.findall(item))
        ]
        is_picture_of = bool(named)
        told += ["\n".join(named)] if named else []
    return [*heading, *told] if told else []
