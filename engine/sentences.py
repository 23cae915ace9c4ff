"""Sentences for players: English text with its template, for translation.

A `Sentence` behaves like its formatted English text. Only translation uses the template and values.
The engine contains no other language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class Sentence(str):
    """A formatted English text with its template and values.

    Attributes:
        template: the English text with `{names}`, which is translated.
        many: the plural template, or empty if nothing is counted.
        number: the number that selects singular or plural.
        values: the values to fill in. Sentences among them are translated, too.
    """

    template: str
    many: str
    number: int
    values: dict[str, Any]

    def __new__(cls, text: str) -> Sentence:
        """Create a sentence without values. The text is its own template."""
        made = super().__new__(cls, text)
        made.template, made.many, made.number, made.values = text, "", 1, {}
        return made


def filled(template: str, values: dict[str, Any]) -> Sentence:
    """Fill in a template that is not a literal string."""
    result = Sentence(template.format(**values) if values else template)
    result.template, result.values = template, values
    return result


def sentence(template: str, /, **values: Any) -> Sentence:  # noqa: ANN401  (any value that `format` accepts)
    """Fill in a template: `sentence("you do not hold {card}", card=card)`.

    Use whole sentences only, so that each can be translated separately. `make messages` finds the
    templates by the name of this function, so they must be literals in its calls.
    """
    return filled(template, values)


def plural(one: str, many: str, count: int, /, **values: Any) -> Sentence:  # noqa: ANN401
    """Fill in the singular or plural template. Both may contain `{count}`.

    `plural("{count} card", "{count} cards", 3)` is `3 cards`.
    """
    values = {"count": count, **values}
    result = Sentence((one if count == 1 else many).format(**values))
    result.template, result.many, result.number, result.values = one, many, count, values
    return result


def joined(parts: Sequence[str], separator: str = " ") -> Sentence:
    """Join sentences. Each is translated separately."""
    values = {f"part{number}": text for number, text in enumerate(parts)}
    result = Sentence(separator.join(parts))
    result.template = separator.join(f"{{{name}}}" for name in values)
    result.values = values
    return result


def with_words(said: str, words: Mapping[str, Sentence]) -> str:
    """Replace sentences that have certain templates by other wordings."""
    if not isinstance(said, Sentence):
        return said
    if said.template in words:
        return words[said.template]
    values = {
        name: with_words(value, words) if isinstance(value, str) else value
        for name, value in said.values.items()
    }
    template = said.many if said.many and said.number != 1 else said.template
    result = filled(template, values)
    result.template, result.many, result.number = said.template, said.many, said.number
    return result


def all_of(items: Sequence[str]) -> Sentence:
    """Join items with commas and "and": `Bob`, `Bob and Carol`, `Bob, Carol and Dora`."""
    if len(items) < 2:  # noqa: PLR2004
        return joined(items)
    return sentence("{first} and {last}", first=joined(items[:-1], ", "), last=items[-1])


def one_of(items: Sequence[str]) -> Sentence:
    """Join items with commas and "or": `7c`, `7c or 7d`, `7c, 7d or 7h`."""
    if len(items) < 2:  # noqa: PLR2004
        return joined(items)
    return sentence("{first} or {last}", first=joined(items[:-1], ", "), last=items[-1])
