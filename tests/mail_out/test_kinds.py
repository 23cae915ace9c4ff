"""Test that every kind of message has its templates, and every template a kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.sentences import sentence
from pbem import resources
from pbem.mail_out.content import Content, LineResult, ServiceMail
from pbem.mail_out.kinds import KINDS, GameParams, to_json
from pbem.mail_out.render import Renderer
from tests.mail_out.samples import SAMPLES, game_mail

TEMPLATES = resources.templates_dir() / "email"
RENDERER = Renderer([TEMPLATES])
SHARED = ("_base", "includes")


def sample(name: str) -> Content:
    """Return a mail of a kind: a sample, or one of its shape."""
    found = [one for one in SAMPLES.values() if one.kind == name]
    if found:
        return found[0]
    kind = KINDS[name]
    return (
        ServiceMail(name, "Anna", "cards@example.org")
        if kind.base == "service"
        else replace(game_mail(), kind=name)
    )


def test_every_folder_belongs_to_a_kind() -> None:
    """Two levels: the room, and the kind."""
    found = {
        file.parent.relative_to(TEMPLATES).as_posix()
        for file in TEMPLATES.rglob("*.*")
        if file.relative_to(TEMPLATES).parts[0] not in SHARED
    }
    assert found - {kind.folder for kind in KINDS.values()} == set()


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_is_written_in_text_and_in_html(name: str) -> None:
    """The subject, too."""
    rendered = RENDERER.render(sample(name))
    assert rendered.subject
    assert rendered.text.strip()
    assert "</html>" in rendered.html


def test_what_the_outbox_keeps_is_read_as_it_was() -> None:
    """Sentences are in the reader's language. Empty values are dropped, zeros are kept."""
    lines = (LineResult("play 7", "refused", message="no", suggestions=("play 9",)),)
    said = GameParams(facts_after=0, lines=lines, notes=(sentence("Monday"),))
    kept = to_json(said, "de")
    assert set(kept) == {"facts_after", "lines", "notes"}
    read = KINDS["answer"].read(kept)
    assert read == replace(said, notes=("Montag",))
    assert KINDS["answer"].read({**kept, "pruned": "2026-11-24"}) == read
