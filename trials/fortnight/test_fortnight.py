"""Test that players without confirmations make the same moves and get fewer mails."""

from __future__ import annotations

from pathlib import Path

from trials.fortnight.script import QUIETLY, play


def test_without_confirmations_mostly_turn_mails_are_left(tmp_path: Path) -> None:
    (tmp_path / "usual").mkdir()
    (tmp_path / "quiet").mkdir()
    usual = play(tmp_path / "usual", days=4)
    quiet = play(tmp_path / "quiet", QUIETLY, days=4)
    assert [person.moves for person in quiet] == [person.moves for person in usual]
    for before, after in zip(usual, quiet, strict=True):
        assert after.mails["turn"] == before.mails["turn"]
        assert after.mails["answer"] < before.mails["answer"]
