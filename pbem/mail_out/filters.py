"""Template filters for one language.

Cards are shown in the skin of the game. `skin`, `looks`, `mail`, `me` and `name` are variables that
the renderer passes to every template of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, TypeAlias, cast

from babel.numbers import get_decimal_symbol
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from engine.sentences import Sentence, all_of, one_of
from pbem import durations, plain
from pbem.domain.terms import spoken_hash
from pbem.domain.words.translate import shown_order
from pbem.games.profile import GroupWords
from pbem.games.profile import profile_of as face_of
from pbem.language import catalog, translate
from pbem.mail_out import cards, phases, skins, speech, texts, times
from pbem.mail_out.cards import Face

_EXCERPT = 52
"""Maximum length of an excerpt in characters."""

Value: TypeAlias = Any
"""Any value that a template handles."""

PLAIN: Final[Mapping[str, Callable[..., Value]]] = {
    "aloud": spoken_hash.hash_words,
    "cards_in": texts.cards_in,
    "goes_on": speech.goes_on,
    "in_rank_order": texts.in_rank_order,
    "linked": texts.linked,
    "padded": texts.padded,
    "plain": texts.plain,
    "rank": texts.rank,
    "reply_words": texts.reply_words,
    "speech_lines": speech.speech_lines,
}
"""Filters that are the same in every language."""

TRANSLATED: Final[Mapping[str, Callable[..., object]]] = {
    "about": times.about_text,
    "day": times.day_text,
    "due": times.short_text,
    "in_full": times.when_text,
    "left": times.left_text,
    "phase": phases.in_a_sentence,
    "phase_list": phases.in_a_list,
    "place": texts.place_text,
    "player_name": texts.name_text,
    "rank_word": texts.rank_word,
    "said_at": times.past_time_text,
    "said_on": times.date_text,
    "short_left": times.short_left_text,
    "time": durations.duration_words,
}
"""Filters whose result is a sentence, which is then translated."""


class Filters:
    """Template filters for one language: each public method is one, under its name."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._also = translate(texts.ALSO, language)
        self._wrapped = lru_cache(maxsize=512)(texts.wrap)  # many lines occur in all messages
        self._face_of_card = lru_cache(maxsize=1024)(self._make_face)

    def by_name(self) -> dict[str, Value]:
        """Return all filters by name, for the environment."""
        names = (name for name in dir(self) if not name.startswith("_") and name != "by_name")
        own = {name: getattr(self, name) for name in names}
        translated = {name: self._translating(make) for name, make in TRANSLATED.items()}
        return {**PLAIN, **translated, **own}

    # --- texts and numbers ------------------------------------------------------------------------

    def clean(self, text: object, limit: int | None = None) -> str:
        """Return a text as one line without control characters."""
        return plain.clean(self._translated(text), limit)

    def ended(self, text: object) -> str:
        """Return a text with a final full stop, unless it already ends with punctuation."""
        return texts.ended(self.clean(text))

    def excerpt(self, text: object) -> str:
        """Return the beginning of a text without double quotation marks."""
        return plain.clean(text, _EXCERPT).replace('"', "'")

    @pass_context
    def wrap(
        self,
        context: Context,
        text: object,
        first: str = "",
        rest: str | None = None,
        width: int = 0,
    ) -> str:
        """Wrap a text to the width of the message."""
        width = width or context.get("width", texts.WIDTH)
        return self._wrapped(self._spelled(context, text), first, rest, width, self._also)

    @pass_context
    def rich(self, context: Context, text: object) -> Markup:
        """Return a text as HTML, with its cards and codes marked."""
        return texts.rich(self._spelled(context, text))

    def grid(self, rows: Sequence[Sequence[object]], figures: int = 0) -> str:
        """Align rows of cells in columns (see `texts.grid`)."""
        return texts.grid(rows, figures, self._also)

    def in_words(self, items: Iterable[str], word: str = "and") -> str:
        """Join a list with commas and a word: `a, b and c`, or with `or`."""
        items = tuple(items)
        return translate(one_of(items) if word == "or" else all_of(items), self._language)

    def count_of(self, number: int, singular: str, many: str) -> str:
        """Return a number with its noun in the singular or plural."""
        return f"{number} {catalog(self._language).ngettext(singular, many, number)}"

    def tenths(self, number: int) -> str:
        """Format a number of tenths as a decimal fraction."""
        return self._fraction(f"{number / 10:.1f}")

    def points(self, number: int) -> str:
        """Format league points, stored in 120ths, as a decimal fraction."""
        return self._fraction(f"{number / 120:.2f}")

    # --- orders -----------------------------------------------------------------------------------

    @pass_context
    def order(self, context: Context, text: object) -> str:
        """Return an order or a move in the reader's language."""
        return order_text(self.clean(text), self._language, in_words=_in_words(context))

    @pass_context
    def quoted(self, context: Context, items: Iterable[object]) -> list[str]:
        """Return orders in quotation marks."""
        quotes = catalog(self._language).quotes
        return [self.order(context, item).join(quotes) for item in items]

    # --- cards ------------------------------------------------------------------------------------

    @pass_context
    def card(self, context: Context, card: object) -> str:
        """Format a card for the game's deck."""
        if _in_words(context):
            return cards.named(_shown(context, [card]), self._language)
        is_standard = context.get("skin") == skins.STANDARD
        return texts.card_text(skins.standard_words(str(card)) if is_standard else card)

    @pass_context
    def cards(self, context: Context, several: object) -> str:
        """Format several cards for the game's deck, on one line."""
        if _in_words(context):
            return cards.named(_shown(context, several), self._language)
        return texts.cards_text(_shown(context, several))

    @pass_context
    def card_lines(
        self, context: Context, label: str, more: str, several: object, indent: str = "  "
    ) -> str:
        """Return a label and cards in lines. It is also a global function of the templates."""
        if _in_words(context):
            named = cards.named(_shown(context, several), self._language)
            return self.wrap(context, f"{label}: {named}.")
        return texts.hand_lines(label, more, _shown(context, several), indent)

    @pass_context
    def face(self, context: Context, card: object) -> Face:
        """Return the display of a card."""
        (shown,) = _shown(context, [card])
        return self._face_of_card(str(shown), cards.FOUR_COLOURS in context["looks"])

    @pass_context
    def boxed(self, context: Context, text: object) -> Markup:
        """Return a text as HTML, with its cards in boxes."""
        has_letters = context.get("skin", "") not in ("", skins.STANDARD)
        looks = context["looks"]
        return cards.boxed(str(text), looks, self._language, has_letters=has_letters)

    # --- groups -----------------------------------------------------------------------------------

    @pass_context
    def group_name(self, context: Context, owner: int, at: int) -> str:
        """Return the name of a group on the table, such as `your 7s` or `Bob’s run`."""
        groups = context["mail"].view["groups"][owner]
        return self._whose(context, owner, _group_words(context).name(groups, at, context["skin"]))

    @pass_context
    def group_hit(self, context: Context, hit: Mapping[str, Any]) -> str:
        """Return the name of the group that a hit was added to."""
        owner, laid = int(hit["owner"]), (context["mail"].view or {}).get("groups") or []
        groups = laid[owner] if owner < len(laid) else []
        return self._whose(context, owner, _group_words(context).hit(hit, groups, context["skin"]))

    @pass_context
    def takes(self, context: Context, group: Mapping[str, Any], hand: Iterable[str]) -> list[str]:
        """Return the cards of a hand that can be added to a group, without duplicates."""
        fits = _group_words(context).takes
        return [card for card in dict.fromkeys(hand) if fits(card, group)]

    # --- parts of the above -----------------------------------------------------------------------

    def _translating(self, make: Callable[..., object]) -> Callable[..., object]:
        """Create a filter that calls a function and translates the resulting sentence."""
        return lambda *given: self._translated(make(*given))

    def _translated(self, text: object) -> object:
        return translate(text, self._language) if isinstance(text, Sentence) else text

    def _spelled(self, context: Context, text: object) -> str:
        return cards.spelled(str(text), self._language) if _in_words(context) else str(text)

    def _fraction(self, text: str) -> str:
        return text.replace(".", get_decimal_symbol(self._language))

    def _make_face(self, card: str, has_four_colours: bool) -> Face:
        image = cards.face(card, (cards.FOUR_COLOURS,) if has_four_colours else ())
        return replace(image, name=translate(image.name, self._language))

    def _whose(self, context: Context, owner: int, words: str) -> str:
        """Return a phrase with the name of the owner, which is not translated."""
        if owner == context["me"]:
            return shown_order(f"your {words}", self._language)
        name = context["name"](owner)
        return str(name[:-1] + shown_order(f"{name[-1:]}’s {words}", self._language))


def order_text(order: str, language: str, *, in_words: bool) -> str:
    """Return an order or move in the reader's language, optionally with cards as words."""
    shown = shown_order(order, language)
    return cards.spelled_order(shown, language) if in_words else shown


def _group_words(context: Context) -> GroupWords:
    return cast(GroupWords, face_of(context["mail"].ruleset).groups)


def _in_words(context: Context) -> bool:
    return cards.WORDS in context["looks"]


def _shown(context: Context, several: Value) -> list[Value]:
    if context.get("skin") != skins.STANDARD:
        return list(several)
    return [skins.standard_words(str(card)) for card in several]
