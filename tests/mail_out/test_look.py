"""Check the fullest turn messages and the final messages in Chromium.

`make look` sees every kind of turn in each language, width and color scheme.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.mail_out.test_render import RENDERER
from tests.mail_out.turns import ROWS, ends, turns
from tests.show.browser import CHROMIUM, browser
from tools.look import NEWCOMERS, OTHERS, faults


@pytest.mark.skipif(CHROMIUM is None, reason="chromium or fonts-liberation is missing")
def test_the_fullest_turn_and_the_end_at_a_glance(tmp_path: Path) -> None:
    """The turns are short in English and for newcomers in German."""
    problems = []
    with browser(tmp_path) as page:
        for row in ROWS:
            fullest = max((turn.mail for turn in turns(row)), key=lambda mail: len(mail.moves))
            for language, most in (("en", OTHERS), ("de", NEWCOMERS)):
                turn = replace(fullest, language=language, is_newcomer=most == NEWCOMERS)
                end = replace(ends(row)[-1], language=language)
                for fault in (
                    *faults(page, RENDERER.render(turn).html, most_words=most),
                    *faults(page, RENDERER.render(end).html, is_turn=False),
                ):
                    problems.append(f"{row}, {language}: {fault}")  # noqa: PERF401
    assert not problems, "\n".join(problems)
