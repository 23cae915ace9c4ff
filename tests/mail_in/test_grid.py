"""Test generated replies of many mail programs."""

from __future__ import annotations

import pytest

from tests.mail_in.grid.build import replies
from tests.mail_in.grid.report import Figures, judge


@pytest.mark.parametrize("knows", [True, False], ids=["answered known", "answered unknown"])
def test_grid_is_read_without_leaks(knows: bool):
    """Hardly anything is lost, and nothing that is quoted is taken for an order."""
    figures = Figures()
    for reply in replies(seed=1, count=72):
        judge(figures, reply, knows=knows)
    assert figures.leaked == []
    assert figures.right >= 0.95 * figures.replies
