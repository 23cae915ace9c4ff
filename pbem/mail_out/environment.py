"""The templates' tools: the sandbox, its filters, cards in the skin of a game."""

from __future__ import annotations

import os
import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from pathlib import Path
from types import BuiltinMethodType, CodeType, FunctionType
from typing import Any, ClassVar, Final, TypeAlias, cast

from babel.numbers import get_decimal_symbol
from jinja2 import (
    BytecodeCache,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateNotFound,
    nodes,
    pass_context,
)
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

from engine import registry
from engine.sentences import Sentence, all_of, one_of
from pbem import plain
from pbem.domain.terms import spoken_hash
from pbem.domain.words.service_lines import help_lines
from pbem.domain.words.translate import shown_order
from pbem.durations import in_words
from pbem.games.face import GroupWords
from pbem.games.face import face as face_of
from pbem.language import Source, catalog, translate
from pbem.mail_out import cards, phases, skins, speech, texts, times

_ELLIPSIS_AT = 52

Value: TypeAlias = Any
"""Whatever templates have to do with."""


class _Writer(CodeGenerator):
    """Compiles templates so that what is escaped already is written without a copy."""

    def _output_child_pre(
        self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile and finalize.src is None:
            self.write("environment.escaped(")
        else:
            super()._output_child_pre(node, frame, finalize)


_ESCAPED: Final = re.compile("[&<>'\"]")


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, which remembers its verdicts and has short ways for what is common and harmless."""

    code_generator_class = _Writer
    _MOST_KNOWN = 4096

    def __init__(self, **options: Value) -> None:
        """Make an empty sandbox."""
        super().__init__(**options)
        self._is_safe: dict[tuple[type, str], bool] = {}
        self._plain: set[tuple[type, str]] = set()
        """Safe attributes that Jinja replaces by nothing of its own."""
        self.gettext: Callable[..., str] | None = None
        """`_` of the templates."""

    @staticmethod
    def escaped(value: Value) -> str:
        """Escape a value for HTML, where it is put out: most have nothing to escape, and none need be a `Markup`."""
        kind = type(value)
        if kind is Markup or (kind is str and _ESCAPED.search(value) is None):
            return cast(str, value)
        return escape(value)

    def is_safe_attribute(self, obj: Value, attr: str, value: Value) -> bool:
        """True if templates can see an attribute.

        Its name and the type of the object decide.
        """
        named = (type(obj), attr)
        known = self._is_safe.get(named)
        if known is None:
            known = super().is_safe_attribute(obj, attr, value)
            if len(self._is_safe) < self._MOST_KNOWN:
                self._is_safe[named] = known
                if known and attr not in ("format", "format_map"):
                    self._plain.add(named)
        return known

    def getattr(self, obj: Value, attribute: str) -> Value:
        """Return an attribute, or else an item."""
        if (type(obj), attribute) in self._plain:
            try:
                return getattr(obj, attribute)
            except AttributeError:
                pass  # perhaps an item
        return super().getattr(obj, attribute)

    def call(self, context: Context, obj: Value, /, *args: Value, **kwargs: Value) -> Value:
        """Call what a template calls: what bears no mark is safe, and wants nothing of Jinja."""
        kind = type(obj)
        if kind is Macro:
            args = (context.eval_ctx, *args)
        elif obj is self.gettext:
            args = (context, *args)
        elif kind is not BuiltinMethodType and (kind is not FunctionType or obj.__dict__):
            return super().call(context, obj, *args, **kwargs)
        if not kwargs:
            return obj(*args)
        kwargs.pop("_loop_vars", None)
        kwargs.pop("_block_vars", None)
        return obj(*args, **kwargs)


class _Own(FileSystemLoader):
    """The templates of the program, which belong to its code.

    A newer version can be installed under a running process. Its templates are for the next
    process: they can use features that this one lacks. Mails ask for many that do not exist.
    """

    def __init__(self, folder: Path) -> None:
        """Load from a folder."""
        super().__init__(folder)
        self._missing: set[str] = set()

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Return the source, the path, and that the source never changes.

        Raises: TemplateNotFound.
        """
        if template in self._missing:
            raise TemplateNotFound(template)
        try:
            source, path, _ = super().get_source(environment, template)
        except TemplateNotFound:
            self._missing.add(template)
            raise
        return source, path, lambda: True


class _Compiled(BytecodeCache):
    """What templates were compiled to in this process, for all languages.

    What an admin wrote is compiled for each language: constants in it may be translated as it is compiled.
    """

    _CODES: ClassVar[dict[str, tuple[str, CodeType]]] = {}

    def __init__(self, own: Sequence[Path], language: str) -> None:
        """Take the program's own folders, in whose files no constant is translated."""
        self._own = tuple(f"{folder}{os.sep}" for folder in own)
        self._language = language

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return the file, with the language if that matters."""
        is_own = (filename or "").startswith(self._own)
        return f"{filename} {'' if is_own else self._language}"

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill in what the same source was compiled to."""
        checksum, bucket.code = self._CODES.get(bucket.key, ("", None))
        if checksum != bucket.checksum:
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it."""
        self._CODES[bucket.key] = bucket.checksum, cast(CodeType, bucket.code)


@cache
def environment(folders: tuple[Path, ...], language: str) -> ImmutableSandboxedEnvironment:
    """Return the templates of these folders in a language; earlier folders win.

    They are compiled once in a process. The templates of the last folder, the program's own, never
    change, and neither do those of installed games, which come last of all; all others are compiled
    again when their files change.

    Raises: ConfigError, the language has no catalog.
    """
    games = [found for one in registry.installed() if (found := one.folder("templates"))]
    own = (*folders[-1:], *games)
    env = Sandbox(
        loader=ChoiceLoader([*map(FileSystemLoader, folders[:-1]), *map(_Own, own)]),
        bytecode_cache=_Compiled(own, language),
        auto_reload=len(folders) > 1,
        undefined=StrictUndefined,
        autoescape=lambda name: name is not None and name.endswith(".html"),
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    words = catalog(language)
    _speak(env, words)
    also = translate(texts.ALSO, language)
    wrapped = lru_cache(maxsize=512)(texts.wrap)  # many lines are the same in all mails
    face_of_card = lru_cache(maxsize=1024)(partial(_face, language=language))

    def said(text: object) -> object:
        return translate(text, language) if isinstance(text, Sentence) else text

    def clean(text: object, limit: int | None = None) -> str:
        return plain.clean(said(text), limit)

    @pass_context
    def order(context: Context, text: object) -> str:
        return order_text(clean(text), language, in_words=_in_words(context))

    @pass_context
    def quoted(context: Context, items: Iterable[object]) -> list[str]:
        return [order(context, item).join(words.quotes) for item in items]

    @pass_context
    def spelled(context: Context, text: object) -> str:
        return cards.spelled(str(text), language) if _in_words(context) else str(text)

    @pass_context
    def wrap(
        context: Context, text: object, first: str = "", rest: str | None = None, width: int = 0
    ) -> str:
        width = width or context.get("width", texts.WIDTH)
        return wrapped(spelled(context, text), first, rest, width, also)

    @pass_context
    def rich(context: Context, text: object) -> Markup:
        return texts.rich(spelled(context, text))

    @pass_context
    def boxed(context: Context, text: object) -> Markup:
        has_letters = context.get("skin", "") not in ("", skins.STANDARD)
        return cards.boxed(str(text), context["looks"], language, has_letters=has_letters)

    @pass_context
    def card(context: Context, card: object) -> str:
        if _in_words(context):
            return cards.named(_shown(context, [card]), language)
        return _card_text(context, card)

    @pass_context
    def list_of(context: Context, several: object) -> str:
        if _in_words(context):
            return cards.named(_shown(context, several), language)
        return texts.cards_text(_shown(context, several))

    @pass_context
    def card_lines(
        context: Context, label: str, more: str, several: object, indent: str = "  "
    ) -> str:
        if _in_words(context):
            return wrap(context, f"{label}: {cards.named(_shown(context, several), language)}.")
        return texts.hand_lines(label, more, _shown(context, several), indent)

    def in_one_list(items: Iterable[str], word: str = "and") -> str:
        items = tuple(items)
        return translate(one_of(items) if word == "or" else all_of(items), language)

    def count_of(number: int, one: str, many: str) -> str:
        return f"{number} {words.ngettext(one, many, number)}"

    def tenths(number: int) -> str:
        return f"{number / 10:.1f}".replace(".", get_decimal_symbol(language))

    def points(number: int) -> str:
        return f"{number / 120:.2f}".replace(".", get_decimal_symbol(language))

    @pass_context
    def face(context: Context, card: object) -> cards.Face:
        (shown,) = _shown(context, [card])
        return face_of_card(str(shown), cards.FOUR_COLOURS in context["looks"])

    def group_words(context: Context) -> GroupWords:
        return cast(GroupWords, face_of(context["mail"].ruleset).groups)

    def whose(context: Context, owner: int, words: str) -> str:
        """Return `your 7s`, `Bob’s run`; the name itself is no word to translate."""
        if owner == context["me"]:
            return shown_order(f"your {words}", language)
        name = context["name"](owner)
        return str(name[:-1] + shown_order(f"{name[-1:]}’s {words}", language))

    @pass_context
    def group_name(context: Context, owner: int, at: int) -> str:
        groups = context["mail"].view["groups"][owner]
        return whose(context, owner, group_words(context).name(groups, at, context["skin"]))

    @pass_context
    def group_hit(context: Context, hit: Mapping[str, Any]) -> str:
        owner, laid = int(hit["owner"]), (context["mail"].view or {}).get("groups") or []
        groups = laid[owner] if owner < len(laid) else []
        return whose(context, owner, group_words(context).hit(hit, groups, context["skin"]))

    @pass_context
    def takes(context: Context, group: Mapping[str, Any], hand: Iterable[str]) -> list[str]:
        fits = group_words(context).takes
        return [card for card in dict.fromkeys(hand) if fits(card, group)]

    env.filters.update(
        {
            "face": face,
            "group_name": group_name,
            "group_hit": group_hit,
            "takes": takes,
            "grid": partial(texts.grid, also=also),
            "clean": clean,
            "aloud": spoken_hash.in_words,
            "card": card,
            "cards": list_of,
            "cards_in": texts.cards_in,
            "faces": _faces,
            "rank": texts.rank,
            "rank_word": lambda rank: said(texts.rank_word(rank)),
            "in_words": in_one_list,
            "phase": lambda phase: said(phases.in_a_sentence(phase)),
            "phase_list": lambda phase: said(phases.in_a_list(phase)),
            "place": lambda place: said(texts.place_text(place)),
            "count_of": count_of,
            "wrap": wrap,
            "tenths": tenths,
            "points": points,
            "padded": texts.padded,
            "rich": rich,
            "boxed": boxed,
            "linked": texts.linked,
            "player_name": lambda name: said(texts.name_text(name)),
            "plain": texts.plain,
            "in_rank_order": texts.in_rank_order,
            "time": lambda seconds: said(in_words(seconds)),
            "left": lambda seconds: said(times.left_text(seconds)),
            "short_left": lambda seconds: said(times.short_left_text(seconds)),
            "due": lambda at, zone: said(times.short_text(at, zone)),
            "in_full": lambda at, zone: said(times.when_text(at, zone)),
            "about": lambda seconds: said(times.about_text(seconds)),
            "said_at": lambda at, zone: said(times.said_at(at, zone)),
            "said_on": lambda at, zone: said(times.said_on(at, zone)),
            "speech_lines": speech.speech_lines,
            "goes_on": speech.goes_on,
            "day": lambda day: said(times.day_text(day)),
            "excerpt": lambda text: plain.clean(text, _ELLIPSIS_AT).replace('"', "'"),
            "ended": lambda text: texts.ended(clean(text)),
            "order": order,
            "quoted": quoted,
        }
    )
    env.globals.update({"card_lines": card_lines, "order_help": help_lines})
    return env


def macros(
    env: ImmutableSandboxedEnvironment, files: Sequence[str], variables: Mapping[str, object]
) -> dict[str, list[Macro]]:
    """Return the macros of some template files by name, those of the first file first.

    Args:
        variables: what the macros see. They are those of one mail, so the macros must not outlive it.
    """
    by_name: dict[str, list[Macro]] = defaultdict(list)
    seen = {**env.globals, **variables}
    for file in files:
        template = env.get_template(file)
        context = template.new_context(seen, shared=True)
        deque(template.root_render_func(context), maxlen=0)
        for name, value in context.get_exported().items():
            if isinstance(value, Macro):
                by_name[name].append(value)
    return by_name


def sayers(
    make_macros: Callable[[], dict[str, list[Macro]]],
) -> tuple[Callable[..., str], Callable[..., list[str]]]:
    """Return two functions: `say(name, …)`, a macro as one plain text, and `list_of`, its lines.

    Both return nothing for a macro that no file has, because a ruleset need not have words for
    everything. A macro is rendered once in a mail for the same texts and numbers.

    A macro that a template calls itself takes over the escaping of that template: a plain text
    macro called in HTML would count as safe. Macros are therefore called from here and return plain
    strings.

    Args:
        make_macros: called when the first macro is needed.
    """
    macros: dict[str, list[Macro]] = {}
    said: dict[tuple[object, ...], list[str]] = {}

    def list_of(name: str, *args: object) -> list[str]:
        if not all(type(one) in (str, int) for one in args):
            return rendered(name, *args)
        if (name, *args) not in said:
            said[name, *args] = rendered(name, *args)
        return said[name, *args]

    def rendered(name: str, *args: object) -> list[str]:
        if not macros:
            macros.update(make_macros())
        for macro in macros.get(name, ()):
            lines = [" ".join(line.split()) for line in str(macro(*args)).splitlines()]
            if any(lines):
                return [line for line in lines if line]
        return []

    def say(name: str, *args: object) -> str:
        return " ".join(list_of(name, *args))

    return say, list_of


def order_text(order: str, language: str, *, in_words: bool) -> str:
    """Return an order or a move as the reader would write it, with cards in words if wanted."""
    shown = shown_order(order, language)
    return cards.spelled_order(shown, language) if in_words else shown


def _speak(env: Sandbox, words: Source) -> None:
    """Let templates translate with a catalog: `_` in half the time of Jinja's own, and `trans`."""
    env.policies["ext.i18n.trimmed"] = True
    env.install_gettext_translations(words, newstyle=True)  # type: ignore[attr-defined]
    translated = lru_cache(maxsize=4096)(words.gettext)

    @pass_context
    def gettext(context: Context, message: str, /, **values: object) -> str:
        found = translated(message)
        return (Markup(found) if context.eval_ctx.autoescape else found) % values  # noqa: S704  (ours)

    env.gettext = env.globals["_"] = env.globals["gettext"] = gettext


def _face(card: str, has_four_colours: bool, language: str) -> cards.Face:
    found = cards.face(card, (cards.FOUR_COLOURS,) if has_four_colours else ())
    return replace(found, name=translate(found.name, language))


# Cards are shown in the skin of the game; `skin` is a variable of every mail of a game.


def _is_standard(context: Context) -> bool:
    return bool(context.get("skin") == skins.STANDARD)


def _in_words(context: Context) -> bool:
    return cards.WORDS in context["looks"]


def _card_text(context: Context, card: object) -> str:
    shown = skins.standard_words(str(card)) if _is_standard(context) else card
    return texts.card_text(shown)


@pass_context
def _faces(context: Context, text: object) -> str:
    """Return a sentence with its canonical cards as the players see them."""
    cards = str(text).split()
    return " ".join(texts.card_text(card) for card in _shown(context, cards))


def _shown(context: Context, cards: Value) -> list[Value]:
    if not _is_standard(context):
        return list(cards)
    return [skins.standard_words(str(card)) for card in cards]
