"""Every kind of mail has its templates, and every template belongs to a kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem import resources
from pbem.mail_out.content import Content, ServiceMail
from pbem.mail_out.kinds import KINDS
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
