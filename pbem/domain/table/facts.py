"""Registry of the facts that the service adds to games.

`pbem.mail_out.happened` has a row with the sentences for each of them. The facts of the rules are
defined in `engine.<game>`, and templates of each game contain their sentences.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.api import Fact
from pbem.domain.table.game import REVEALED


@dataclass(frozen=True, slots=True)
class FactKind:
    """A type of fact.

    Attributes:
        is_announced: True if the next message of any type to each player includes it.
        is_admin_act: True if an admin caused it. It is then reported even in a long list of events.
    """

    name: str
    is_announced: bool = False
    is_admin_act: bool = False


FACTS = {
    kind.name: kind
    for kind in (
        FactKind("adjudicated", is_admin_act=True),
        FactKind("admin_asked", is_announced=True),
        FactKind("anonymous_talk", is_announced=True),
        FactKind("bank_changed"),
        FactKind("bot_decides", is_announced=True),
        FactKind("bot_moved", is_announced=True),
        FactKind("compensated", is_announced=True),
        FactKind("deadline_extended", is_announced=True),
        FactKind("dispute_opened", is_announced=True),
        FactKind("dispute_resolved", is_announced=True, is_admin_act=True),
        FactKind("forced"),
        FactKind("game_stopped"),
        FactKind(REVEALED, is_announced=True, is_admin_act=True),
        FactKind("miss_excused"),
        FactKind("motion_carried", is_announced=True),
        FactKind("motion_ended", is_announced=True),
        FactKind("motion_opened", is_announced=True),
        FactKind("motion_voted", is_announced=True),
        FactKind("moves_retracted", is_announced=True, is_admin_act=True),
        FactKind("moves_undone", is_announced=True),
        FactKind("next_cleared"),
        FactKind("observer_left", is_announced=True),
        FactKind("paused", is_announced=True),
        FactKind("person_decides", is_announced=True),
        FactKind("reachable", is_announced=True),
        FactKind("reason_given", is_announced=True, is_admin_act=True),
        FactKind("replacement_declined", is_announced=True),
        FactKind("replacement_expired", is_announced=True),
        FactKind("replacement_offered", is_announced=True),
        FactKind("replacement_over", is_announced=True),
        FactKind("resumed", is_announced=True),
        FactKind("seat_dropped", is_announced=True),
        FactKind("seat_removed", is_announced=True, is_admin_act=True),
        FactKind("seat_replaced", is_announced=True, is_admin_act=True),
        FactKind("seat_resigned", is_announced=True),
        FactKind("seat_silent", is_announced=True),
        FactKind("seat_taken_over", is_announced=True),
        FactKind("standing_move"),
        FactKind("timed_out"),
        FactKind("unreachable", is_announced=True),
        FactKind("vacation", is_announced=True),
        FactKind("vacation_ended", is_announced=True),
        FactKind("went_back"),
    )
}

ANNOUNCED = frozenset(kind.name for kind in FACTS.values() if kind.is_announced)
_ADMIN_ACTS = frozenset(kind.name for kind in FACTS.values() if kind.is_admin_act)


def is_admin_act(fact: Fact) -> bool:
    """True if an admin caused the fact, directly or instead of a vote, clock or opponent."""
    return fact.kind in _ADMIN_ACTS or "admin" in (fact.data.get(key) for key in _DOERS)


_DOERS = ("by", "reason", "why")
"""Data keys that name the cause of a fact with several possible causes."""
