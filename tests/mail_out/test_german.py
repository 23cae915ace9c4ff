"""Test that German messages contain no English and have the form of all messages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from engine import registry
from engine.api import Fact, Seat, Setup
from pbem import resources
from pbem.domain.log.motion_events import VOTED_ON
from pbem.domain.table.facts import FACTS
from pbem.mail_out.content import Content, DigestMail, ServiceMail
from pbem.mail_out.render import Rendered, Renderer
from pbem.mail_out.texts import columns
from tests.mail_out import pages
from tests.mail_out.prose import is_prose
from tests.mail_out.samples import SAMPLES, game_mail, moves
from tests.mail_out.test_render import LISTED, RENDERER

ENGLISH = re.compile(
    r"\b(the|and|you|your|with|cards?|of|is|are|to|has|have|by|from|left the|no one|it|this|moves?|seat)\b"
)
"""Words that stand in nearly every English sentence, and in no German one."""


def _german(content: Content) -> Content:
    if isinstance(content, DigestMail):
        games = tuple(replace(game, language="de") for game in content.games)
        return replace(content, games=games, language="de")
    return replace(content, language="de")


def _said_by_others(value: object) -> Iterator[str]:
    """Yield every text in a content: what a sample or a player said stays as it is."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _said_by_others(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _said_by_others(part)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from _said_by_others(getattr(value, name))


def _lines(rendered: Rendered) -> list[str]:
    """Every line without what stands in quotation marks: orders, and what somebody wrote."""
    text = re.sub(r'"[^"]{0,200}"', "", rendered.text)
    html = [re.sub(r'"[^"]*"', "", line) for line in pages.lines(rendered.html)]
    return [rendered.subject, rendered.entry, *text.splitlines(), *html]


def check(content: Content) -> None:
    """Check what holds for every German mail."""
    rendered = RENDERER.render(_german(content))
    assert '<html lang="de">' in rendered.html
    others = sorted({text for text in _said_by_others(content) if len(text) > 3}, key=len)[::-1]
    known = " ".join(" ".join(others).split())
    for line in _lines(rendered):
        ours = line
        for text in others:
            ours = ours.replace(text, "")
        if line.strip(" -*").removesuffix(".") not in known:
            assert not ENGLISH.search(ours), line
    has_game = not isinstance(content, ServiceMail | DigestMail)
    game = content.ruleset if has_game else ""
    for line in rendered.text.splitlines():
        assert columns(line) <= 72, line
        if not LISTED.fullmatch(line):
            assert is_prose(line.strip(), game, language="de"), line


@pytest.mark.parametrize("name", [name for name in SAMPLES if not name.startswith("rules")])
def test_every_kind_of_mail(name: str):
    """Each sample is German from the subject to the last line; its lines are no orders."""
    check(SAMPLES[name])


DATA = (
    {"reason": "delivery", "number": 2, "first": 3, "last": 5, "for": True},
    {"reason": "vacation", "with_judge": True, "first": 3, "last": 3},
    {"reason": "courtesy", "by": "vote", "why": "admin", "for": True, "waits": True},
    {"by": "dispute", "why": "misses", "move": "play 7c", "first": 4, "last": 3},
    {"reason": "bounces", "why": "asleep"},
)


@pytest.mark.parametrize("kind", FACTS)
def test_what_happened_around_the_game(kind: str):
    """Every fact of the service is told in German, to who it is about and to the others."""
    days = {"first": "2026-12-20", "last": "2026-12-24", "minutes": 200}
    extra = days if kind in ("vacation", "compensated") else {}
    motions = VOTED_ON if kind.startswith("motion_") else ("",)
    for data, motion, seat in product(DATA, motions, (0, 1)):
        whole = {"first": 1, "last": 2, **data, **extra, "motion": motion}
        fact = Fact(kind, Seat(seat), whole, None)
        told = RENDERER.sentences(
            replace(game_mail(kind="notice", happened=(fact,)), language="de")
        )
        for sentence in told:
            assert not ENGLISH.search(re.sub(r'"[^"]*"', "", sentence)), sentence


@pytest.mark.parametrize(
    "ruleset", ["phyliss", "cathedral", "phalanx", "phase10", "phase10-family"]
)
def test_games_in_german(ruleset: str):
    """Turn mails with the views and facts of real games, and what is left of them at the end."""
    rules = registry.find(ruleset)
    options = rules.check_options(3, {"stakes": "zones"} if ruleset == "phalanx" else {})
    step = rules.start(Setup(3, bytes(32), options))
    facts: list[Fact] = list(step.facts)
    for turn in range(45):
        if rules.outcome(step.state) is not None:
            break
        seat = rules.to_act(step.state)[0]
        legal = list(rules.legal_moves(step.state, seat))
        if turn % 9 == 0:
            listed = moves(*(rules.format_move(step.state, seat, move) for move in legal[:20]))
            for reader in {0, int(seat)}:
                seen = tuple(fact for fact in facts if fact.audience in (None, reader))
                check(
                    game_mail(
                        ruleset=ruleset,
                        title=rules.title,
                        reader=reader,
                        to_act=(int(seat),),
                        happened=seen[-25:],
                        view=rules.view(step.state, Seat(reader)),
                        moves=listed if reader == seat else (),
                        kind="turn" if reader == seat else "answer",
                    )
                )
        step = rules.apply(step.state, seat, legal[(turn * 5) % len(legal)])
        facts += step.facts


def test_an_admins_own_template_in_german(tmp_path: Path):
    """A folder of one's own still comes first; it may use the catalog, or say what it likes."""
    (tmp_path / "play" / "turn").mkdir(parents=True)
    (tmp_path / "play" / "turn" / "subject.txt").write_text(
        'Zug! {{ _("The table") }} {{ mail.title }} {{ 5400|time }}'
    )
    renderer = Renderer([tmp_path, resources.templates_dir() / "email"])
    mail = SAMPLES["turn"]
    assert renderer.render(mail).subject == "Zug! The table Phyliss 90 minutes"
    assert renderer.render(_german(mail)).subject == "Zug! Der Tisch Phyliss 90 Minuten"
