"""Test that the lines recorded at rendering equal those read from the message."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem import resources
from pbem.language import languages
from pbem.mail_in.quotes.answered import own_page_text
from pbem.mail_in.quotes.marks import words_of
from pbem.mail_out.compose import HTML_LIMIT, compose, forms
from pbem.mail_out.content import Content, DigestMail
from pbem.mail_out.render import Renderer
from pbem.service.core.incoming import forms_of
from tests.mail_out.samples import MAIL_HEAD, SAMPLES
from tests.mail_out.turns import ROWS, turns

RENDERER = Renderer([resources.templates_dir() / "email"])


def words(text: str) -> list[tuple[str, ...]]:
    return [found for line in text.split("\n") if (found := words_of(line))]


def check(content: Content, language: str, looks: str = "") -> None:
    content = replace(content, language=language)
    if isinstance(content, DigestMail):
        games = tuple(replace(game, language=language) for game in content.games)
        content = replace(content, games=games)
    rendered = RENDERER.render(content, looks.split())
    text, page = forms_of(compose(rendered, MAIL_HEAD))
    noted, html = forms(rendered)
    assert words(noted) == words(text)
    assert words(own_page_text(html)) == words(page)
    assert words(page) or not html


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", SAMPLES)
def test_every_kind(name: str, language: str) -> None:
    check(SAMPLES[name], language)


@pytest.mark.parametrize(("language", "looks"), [("en", "words"), ("de", ""), ("de", "words")])
@pytest.mark.parametrize("row", ROWS)
def test_every_game(row: str, language: str, looks: str) -> None:
    for turn in turns(row):
        check(turn.mail, language, looks)


def test_a_page_that_is_too_large_says_nothing() -> None:
    rendered = replace(RENDERER.render(SAMPLES["help"]), html="<p>x</p>" * HTML_LIMIT)
    assert forms(rendered) == (rendered.text, "")
    assert forms_of(compose(rendered, MAIL_HEAD))[1] == ""
