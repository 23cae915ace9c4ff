"""Test that every message of docs/usability.md gets the answer shown there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.service.conftest import NAMES, Sent, Table, raw_mail
from tests.service.lobby.test_lobby import known, made, own

PAGE = Path(__file__).parents[3] / "docs" / "usability.md"
SECTION = re.compile(
    r"^## (?P<title>[^\n]+)\n\nWhen: (?P<when>[^\n]+)\n\n```mail\n(?P<mail>.*?)\n```\n\n"
    r"```answer\n(?P<answer>.*?)\n```$",
    re.MULTILINE | re.DOTALL,
)
SECTIONS = list(SECTION.finditer(PAGE.read_text(encoding="utf-8")))


def invited(table: Table) -> int:
    made(table, "new phyliss with bob@example.org and carol@example.org")
    return 1


def in_no_game(table: Table) -> int:
    table.answer(0, "help", to=own(table, known(table)))
    return 0


def play_a_little(table: Table) -> int:
    return int(table.skip(table.started(2), 4).to_act[0])


def in_german(table: Table) -> int:
    seat = 1 - play_a_little(table)
    table.answer(seat, "language de")
    return seat


def after_the_end(table: Table) -> int:
    table.started(2)
    table.answer_twice(1, "resign confirm")
    return 0


SITUATIONS: dict[str, Callable[[Table], int]] = {
    "invited": invited,
    "in no game": in_no_game,
    "to move in Phyliss": play_a_little,
    "to move in Phyliss, from the office": play_a_little,
    "waiting in Phyliss": lambda table: 1 - play_a_little(table),
    "waiting in Phyliss, in German": in_german,
    "to move in Phase 10": lambda table: table.started(2, ruleset="phase10").to_act[0],
    "after the end": after_the_end,
}


def on_a_phone(answered: Sent, sender: str, words: str) -> bytes:
    """Write an answer above everything that was answered, as phones do."""
    quoted = "\n".join(f"> {line}" for line in answered.text.splitlines())
    return raw_mail(
        sender,
        answered.reply_to,
        f"{words}\n\nSent from my iPhone\n\n> On 21 Nov 2026, at 13:00, Cards by mail"
        f" <game@play.example.org> wrote:\n>\n{quoted}\n",
        message_id="<phone@example.org>",
        In_Reply_To=str(answered.message["Message-ID"]),
    )


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section["title"])
def test_what_the_page_says(table: Table, section: re.Match[str]) -> None:
    """One message gets one answer with these words."""
    when = section["when"]
    seat = table.begun(("usability", when), lambda: SITUATIONS[when](table))
    answered = table.last_to(seat)
    words, wanted = section["mail"], section["answer"]
    name = NAMES[seat].lower()
    sender = f"{name}@office.example" if "office" in when else f"{name}@example.org"
    before = len(table.delivery.mails)
    table.deliver(on_a_phone(answered, sender, words), answered.reply_to)
    answers = [m for m in table.delivery.mails[before:] if m.rcpt_to == f"{name}@example.org"]
    assert len(answers) == 1
    for line in wanted.splitlines():
        assert " ".join(line.split()) in answers[0].words


def test_the_page_is_read() -> None:
    """No section is left out because it is written in another way."""
    assert len(SECTIONS) == PAGE.read_text(encoding="utf-8").count("\n## ") >= 20
    assert {section["when"] for section in SECTIONS} == set(SITUATIONS)
