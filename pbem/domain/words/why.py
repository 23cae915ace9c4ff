"""Explain why a line is a move or not: its words, the matching patterns, and words of doubt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

from engine.api import AnyRuleset
from engine.reading.lexicon import Lexicon
from pbem.domain.words.around import is_idiom, is_request_to_player, parts
from pbem.domain.words.moves import may_order, rows_of, tokens_in
from pbem.domain.words.orders import read_line
from pbem.games.lexicons import lexicons
from pbem.language import SOURCE

Json: TypeAlias = dict[str, object]

_DOUBTS = ("deny", "corrects", "doubt", "may")


def why(text: str, rules: AnyRuleset, names: Sequence[str] = (), language: str = SOURCE) -> Json:
    """Return the parsed line, and for each language its words, matching patterns and doubts.

    Args:
        text: one line.
        rules: ruleset of the game at the table.
        names: the players' names, by seat.
        language: the player's language, which is understood in addition to English.
    """
    may_be = partial(may_order, rulesets=[rules], language=language, names=names)
    line = read_line(text, [rules], names, language)
    return {
        "line": text,
        "kind": line.kind.value,
        "order": line.order or (line.word and line.word.value),
        "guess": line.guess,
        "told_to_somebody": is_request_to_player(text, language, names),
        "idiom": is_idiom(text, language),
        "parts": [
            {"text": reading.text, "remark": reading.remark}
            for reading in parts(text, language, names, may_be)
        ],
        "languages": {
            lexicon.codes[0]: _reading(text, rules.id.name, lexicon, names)
            for lexicon in lexicons(language, SOURCE)
        },
    }


def _reading(text: str, game: str, lexicon: Lexicon, names: Sequence[str]) -> Json:
    rows = rows_of(game, lexicon)
    tokens, unknown, by_name = tokens_in(text, rows, names)
    return {
        "tokens": {
            word: [kind for kind, words in lexicon.kinds.items() if word in words]
            for word in tokens
        },
        "unknown": unknown,
        "doubt": sorted(lexicon.words(*_DOUBTS).intersection(tokens)),
        "rows": {}
        if unknown
        else {row.order: order for row, order in rows.fitting(tokens, by_name)},
    }
