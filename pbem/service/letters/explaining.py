"""Answer `help god` and "what is flanking?" from the text of the rules."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence

from engine.api import AnyRuleset
from engine.reading.lexicon import folded_words
from pbem.domain.table.game import Game
from pbem.games import glossary
from pbem.games.profile import profile_of

_STEM = 6
"""Words that share this many leading letters count as equal."""
_PLURAL = re.compile(r"(?<=\w{3})e?s?$")
_ENOUGH = 0.5
"""Minimum share of a question's weight that a paragraph's words must cover to answer it."""
_EVERYWHERE = frozenset(
    [
        "the",
        "and",
        "but",
        "for",
        "from",
        "with",
        "what",
        "when",
        "where",
        "who",
        "why",
        "how",
        "which",
        "does",
        "did",
        "can",
        "could",
        "may",
        "must",
        "should",
        "will",
        "would",
        "have",
        "has",
        "had",
        "are",
        "was",
        "were",
        "that",
        "this",
        "these",
        "those",
        "there",
        "then",
        "than",
        "you",
        "your",
        "one",
        "any",
        "all",
        "not",
        "only",
        "also",
        "even",
        "get",
        "got",
        "need",
        "do",
        "play",
        "played",
        "playing",
        "game",
        "games",
        "rule",
        "rules",
        "card",
        "cards",
        "mail",
        "happens",
        "der",
        "die",
        "das",
        "den",
        "dem",
        "des",
        "ein",
        "eine",
        "einen",
        "einem",
        "einer",
        "und",
        "oder",
        "aber",
        "von",
        "vom",
        "mit",
        "was",
        "wann",
        "wer",
        "wie",
        "wo",
        "warum",
        "wieso",
        "kann",
        "darf",
        "muss",
        "soll",
        "wird",
        "werden",
        "wurde",
        "haben",
        "hat",
        "hatte",
        "bin",
        "bist",
        "ist",
        "sind",
        "war",
        "wenn",
        "falls",
        "dass",
        "dies",
        "diese",
        "dieser",
        "man",
        "ich",
        "mir",
        "mich",
        "auch",
        "nur",
        "noch",
        "nicht",
        "alle",
        "spiel",
        "spiele",
        "spielt",
        "spielen",
        "regel",
        "regeln",
        "karte",
        "karten",
        "passiert",
        "gilt",
        "partie",
    ]
)
"""Words in questions that do not help to find the paragraph."""
_HEADING = re.compile(r"\d+\. \S.*")


def explain(
    rules: AnyRuleset, topic: str, game: Game | None, say: Callable[[str], str]
) -> str | None:
    """Return the passages of the rules about a term, or None.

    Args:
        game: the game whose options are described. None uses the defaults.
        say: translates a sentence into the reader's language.
    """
    code = glossary.CODE.search(topic.upper())
    term = glossary.find(code[0] if code else topic, profile_of(rules.id.name).terms)
    if term is None:
        return None
    title, *blocks = _blocks(rules, game, say)
    wanted = {code.rstrip("*"): code.endswith("*") for code in term.rules}
    parts = [
        paragraph for chapter in _chapters(blocks) for paragraph in _matching_parts(chapter, wanted)
    ]
    return "\n\n".join([title, *parts]) + "\n" if parts else None


def answer(
    rules: AnyRuleset, question: str, game: Game | None, say: Callable[[str], str]
) -> str | None:
    """Return the paragraph or chapter of the rules that best matches a question, or None.

    Args:
        game: the game whose options are described. None uses the defaults.
        say: translates a sentence into the reader's language.

    Rare words in the rules weigh more than frequent words.
    """
    title, *blocks = _blocks(rules, game, say)
    parts = [
        (chapter, item)
        for chapter in _chapters(blocks)[1:]
        for block in chapter[1:]
        if not block.startswith("    ")
        for item in _items(block)
    ]
    headings = [_stems(chapter[0]) for chapter, _ in parts]
    stems = [_stems(item) for _, item in parts]
    counts = Counter(
        stem for own, heading in zip(stems, headings, strict=True) for stem in own | heading
    )
    asked = _stems(question)
    weights = {stem: math.log(len(parts) / counts[stem]) for stem in asked if counts[stem]}

    def score(index: int) -> float:
        in_heading, in_item = asked & headings[index], asked & stems[index]
        return sum(map(weights.__getitem__, [*in_item, *in_heading, *in_heading]))

    best = max(range(len(parts)), key=score)
    unknown = math.log(len(parts)) * sum(not counts[stem] for stem in asked)
    if not asked or score(best) < _ENOUGH * (sum(weights.values()) + unknown):
        return None
    chapter, item = parts[best]
    paragraphs = chapter if asked & headings[best] else [chapter[0], item]
    return "\n\n".join([title, *paragraphs]) + "\n"


def _stems(text: str) -> set[str]:
    """Return the significant words of a text, without their endings."""
    words = set(folded_words(glossary.CODE.sub("", text)).split()) - _EVERYWHERE
    return {_PLURAL.sub("", word)[:_STEM] for word in words if len(word) > 2}  # noqa: PLR2004


def _blocks(rules: AnyRuleset, game: Game | None, say: Callable[[str], str]) -> list[str]:
    """Return the title of the rules and their paragraphs, as a list of text blocks."""
    text = (
        rules.rules_text(say=say)
        if game is None
        else rules.rules_text(len(game.seats), game.options, say)
    )
    return [block for block in re.split(r"\n\s*\n", text.strip("\n")) if block.strip()]


def _items(block: str) -> list[str]:
    """Split a list into its items. Any other block is a single item."""
    return re.split(r"\n(?=[-*] )", block) if block.startswith(("- ", "* ")) else [block]


def _chapters(blocks: Sequence[str]) -> list[list[str]]:
    chapters: list[list[str]] = [[]]
    for block in blocks:
        if _HEADING.fullmatch(block):
            chapters.append([])
        chapters[-1].append(block)
    return chapters


def _matching_parts(chapter: Sequence[str], wanted: dict[str, bool]) -> list[str]:
    """Return the parts of a chapter that contain any of these rules, after its heading.

    Args:
        wanted: IDs of the rules. The value is True for a rule whose whole chapter is shown.

    Returns an empty list if the chapter contains none of the rules.
    """
    heading, rest = chapter[:1], chapter[1:]
    if any(wanted.get(code) for block in rest for code in glossary.CODE.findall(block)):
        return list(chapter)
    told: list[str] = []
    is_picture_of = False
    for block in rest:
        if block.startswith("    "):
            told += [block] if is_picture_of else []
            continue
        named = [
            item
            for item in _items(block)
            if any(code in wanted for code in glossary.CODE.findall(item))
        ]
        is_picture_of = bool(named)
        told += ["\n".join(named)] if named else []
    return [*heading, *told] if told else []
