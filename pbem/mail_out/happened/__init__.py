"""Sentences about events at a table, except events defined by a game's rules.

`sentence_of` and `headline_of` word one fact for one reader. Each type of fact in
`pbem.domain.table.facts` has one row in `ROWS`. The facts of a game's own rules have macros in
`templates/email/includes/<ruleset>/words.txt`.
"""

from __future__ import annotations

from engine.api import Fact
from pbem.language import translate
from pbem.mail_out.happened import admin_acts, clock, moves, seats, votes
from pbem.mail_out.happened.scene import Scene

ROWS = {**moves.ROWS, **seats.ROWS, **clock.ROWS, **admin_acts.ROWS, **votes.ROWS}
"""Sentences by kind of fact."""


def sentence_of(fact: Fact, scene: Scene) -> str:
    """Return the sentence for a fact in the reader's language. Empty if the fact has no row."""
    row = ROWS.get(fact.kind)
    return "" if row is None else _spoken(row.sentence(fact, scene), scene)


def headline_of(fact: Fact, scene: Scene) -> str:
    """Return the headline for a fact in the reader's language. Empty if it has none."""
    row = ROWS.get(fact.kind)
    if row is None or row.headline is None:
        return ""
    return _spoken(row.headline(fact, scene), scene)


def _spoken(sentence: str, scene: Scene) -> str:
    """Translate a sentence and put it on one line."""
    return " ".join(translate(sentence, scene.mail.language).split())
