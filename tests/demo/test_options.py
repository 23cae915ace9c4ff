"""Test the options of the demo."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.demo import play
from pbem.demo.correspondents import listed_moves
from pbem.demo.play import DemoPlan, Show, Stage
from tests.demo.mails import make_mailboxes, received


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[DemoPlan]:
    """Collect the plans instead of playing."""
    kept: list[DemoPlan] = []

    def run(plan: DemoPlan, **_: Any) -> None:
        kept.append(plan)

    monkeypatch.setattr(play, "run", run)
    return kept


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--play", "--watch"], "one or the other"),
        (["--game", "phase10"], "one of phyliss, cathedral, phalanx"),
    ],
)
def test_what_cannot_be_is_refused(options: list[str], words: str, plans: list[DemoPlan]) -> None:
    result = CliRunner().invoke(app, ["demo", *options])
    assert result.exit_code == 1
    assert words in result.output
    assert plans == []


@pytest.mark.parametrize(
    ("options", "terminal", "shown"),
    [
        ([], False, Show.TERMINAL),
        ([], True, Show.WINDOW),
        (["--watch"], True, Show.TERMINAL),
        (["--json"], True, Show.TERMINAL),
        (["--play"], False, Show.VISITOR),
    ],
)
def test_where_it_shows_itself(
    monkeypatch: pytest.MonkeyPatch,
    plans: list[DemoPlan],
    options: list[str],
    terminal: bool,
    shown: Show,
) -> None:
    monkeypatch.setattr("pbem.cli.demo._is_watched", lambda: terminal)
    assert CliRunner().invoke(app, ["demo", *options, "-o", "deals=1"]).exit_code == 0
    assert plans == [DemoPlan(3, "phyliss", ("deals=1",), shown)]


@pytest.mark.parametrize("name", ["turn", "turn-large-hand"])
def test_a_turn_mail_is_shown_to_the_end_of_its_moves(name: str, tmp_path: Path) -> None:
    printed = StringIO()
    stage = Stage(DemoPlan(), tmp_path, Console(file=printed, width=80), make_mailboxes())
    anna, mail = stage.people[0], received(name)
    anna.turns = 1
    stage.on_mail(anna, mail, "21")
    for number, move in listed_moves(mail.text):
        assert f"{number}  {move.strip()}" in printed.getvalue()


def test_moves_in_columns_are_read() -> None:
    """A zone may be closed: then its column is empty."""
    lines = "  left                    middle\n  21  7♠                  22  7♠ x 10♥\n"
    lines += " " * 26 + "23  K♣\n  Anna  40  points\n"
    assert listed_moves(lines) == [(21, "7♠"), (22, "7♠ x 10♥"), (23, "K♣")]
