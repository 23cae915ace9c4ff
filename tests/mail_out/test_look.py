"""Every turn mail, seen in Chromium."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.mail_out.test_render import RENDERER
from tests.mail_out.turns import ROWS, turns
from tests.show.browser import CHROMIUM, browser
from tools.look import NEWCOMERS, OTHERS, faults


@pytest.mark.skipif(CHROMIUM is None, reason="chromium or fonts-liberation is missing")
def test_every_turn_at_a_glance(tmp_path: Path) -> None:
    """Each kind of turn in each game, short in English or for newcomers in German; `make look` sees the rest."""
    found = []
    with browser(tmp_path) as page:
        for number, turn in enumerate(turn for row in ROWS for turn in turns(row)):
            language, most = (("en", OTHERS), ("de", NEWCOMERS))[number % 2]
            mail = replace(turn.mail, language=language, is_newcomer=most == NEWCOMERS)
            seen = faults(page, RENDERER.render(mail).html, most_words=most)
            found += [f"{turn.row}, {turn.kind}, {language}: {fault}" for fault in seen]
    assert not found, "\n".join(sorted(set(found)))
