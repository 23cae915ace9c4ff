"""Jinja environment of the templates: sandbox, loaders, macros."""

from __future__ import annotations

import os
import re
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from types import BuiltinMethodType, CodeType, FunctionType
from typing import Any, ClassVar, Final, TypeAlias, cast

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
from pbem.domain.words.service_lines import help_lines
from pbem.language import Source, catalog
from pbem.mail_out.filters import Filters

Value: TypeAlias = Any
"""Any value that templates handle."""


class _Writer(CodeGenerator):
    """Compile templates so that values which are already escaped are written without a copy."""

    def _output_child_pre(
        self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile and finalize.src is None:
            self.write("environment.escaped(")
        else:
            super()._output_child_pre(node, frame, finalize)


_ESCAPED: Final = re.compile("[&<>'\"]")


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, which caches its safety checks and has fast paths for common cases."""

    code_generator_class = _Writer
    _MAX_KNOWN = 4096

    def __init__(self, **options: Value) -> None:
        """Create an empty sandbox."""
        super().__init__(**options)
        self._is_safe: dict[tuple[type, str], bool] = {}
        self._plain: set[tuple[type, str]] = set()
        """Safe attributes that need no further handling by Jinja, by type and name."""
        self.gettext: Callable[..., str] | None = None
        """The translation function that templates call as `_`."""

    @staticmethod
    def escaped(value: Value) -> str:
        """Escape a value for HTML. A str without special characters is returned unchanged."""
        kind = type(value)
        if kind is Markup or (kind is str and _ESCAPED.search(value) is None):
            return cast(str, value)
        return escape(value)

    def is_safe_attribute(self, obj: Value, attr: str, value: Value) -> bool:
        """True if templates may read an attribute.

        The result depends on the attribute's name and the object's type, and is cached.
        """
        named = (type(obj), attr)
        known = self._is_safe.get(named)
        if known is None:
            known = super().is_safe_attribute(obj, attr, value)
            if len(self._is_safe) < self._MAX_KNOWN:
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
                pass  # it may be an item instead
        return super().getattr(obj, attribute)

    def call(self, context: Context, obj: Value, /, *args: Value, **kwargs: Value) -> Value:
        """Call a function for a template. Plain functions bypass Jinja's checks and context."""
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
    """Loader for the program's own templates, which must match its code.

    While a process runs, a newer version may be installed whose templates its code does not
    support. The file names that do not exist are remembered, because messages look up many of them.
    """

    def __init__(self, folder: Path) -> None:
        """Load from a folder."""
        super().__init__(folder)
        self._missing: set[str] = set()

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Return the source, its path, and a function that always reports it as up to date.

        Raises:
            TemplateNotFound: there is no template with this name.
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
    """In-process cache of compiled templates, for all languages.

    Templates provided by an admin are compiled once per language, because constants in them may be
    translated at compile time.
    """

    _CODES: ClassVar[dict[str, tuple[str, CodeType]]] = {}

    def __init__(self, own: Sequence[Path], language: str) -> None:
        """Initialise with the program's own folders, in whose files no constant is translated."""
        self._own = tuple(f"{folder}{os.sep}" for folder in own)
        self._language = language

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Return the cache key: the file name, plus the language if it affects the compiled code."""
        is_own = (filename or "").startswith(self._own)
        return f"{filename} {'' if is_own else self._language}"

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load the compiled code of the same source."""
        checksum, bucket.code = self._CODES.get(bucket.key, ("", None))
        if checksum != bucket.checksum:
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store the compiled code."""
        self._CODES[bucket.key] = bucket.checksum, cast(CodeType, bucket.code)


@cache
def environment(folders: tuple[Path, ...], language: str) -> ImmutableSandboxedEnvironment:
    """Return the environment for these template directories and a language.

    Earlier directories take precedence. Templates are compiled once per process. Those of the
    program and of installed games never change. All others are recompiled when their files change.

    Raises:
        ConfigError: the language has no catalog.
    """
    games = [folder for package in registry.installed() if (folder := package.folder("templates"))]
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
    _speak(env, catalog(language))
    filters = Filters(language)
    env.filters.update(filters.by_name())
    env.globals.update({"card_lines": filters.card_lines, "order_help": help_lines})
    return env


def macros(
    env: ImmutableSandboxedEnvironment, files: Sequence[str], variables: Mapping[str, object]
) -> dict[str, list[Macro]]:
    """Return the macros of several template files by name, those of the first file first.

    Args:
        variables: variables of one message. The macros must not be used for other messages.
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
    """Return the functions `say(name, …)` and `list_of(name, …)`, which render a macro as text.

    `say` returns the text, `list_of` its lines. Both return an empty result for a macro that no
    file defines, because rulesets need not define all macros. A macro is rendered only once per
    message for the same arguments.

    A macro that a template calls directly uses the escaping of that template, so a plain text macro
    called in HTML would be treated as safe. Macros are therefore called here and return plain
    strings.

    Args:
        make_macros: called when the first macro is needed.
    """
    macros: dict[str, list[Macro]] = {}
    spoken: dict[tuple[object, ...], list[str]] = {}

    def list_of(name: str, *args: object) -> list[str]:
        if not all(type(arg) in (str, int) for arg in args):
            return rendered(name, *args)
        if (name, *args) not in spoken:
            spoken[name, *args] = rendered(name, *args)
        return spoken[name, *args]

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


def _speak(env: Sandbox, words: Source) -> None:
    """Install a catalog for `_` and `trans` in templates. It is twice as fast as Jinja's own."""
    env.policies["ext.i18n.trimmed"] = True
    env.install_gettext_translations(words, newstyle=True)  # type: ignore[attr-defined]
    translated = lru_cache(maxsize=4096)(words.gettext)

    @pass_context
    def gettext(context: Context, message: str, /, **values: object) -> str:
        translation = translated(message)
        return (Markup(translation) if context.eval_ctx.autoescape else translation) % values  # noqa: S704  (text of our own catalogue)

    env.gettext = env.globals["_"] = env.globals["gettext"] = gettext
