"""Turn mails of every kind, straight from the rules: quick to make, and none needs a database."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from engine import registry
from engine.api import AnyRuleset, Fact, Seat, Setup
from pbem.domain.terms.seats import with_seat_names
from pbem.domain.words.orders import names_in_orders
from pbem.games.face import Told, said_move
from pbem.mail_out.content import GameMail
from tests.mail_out.samples import game_mail, moves

ROWS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "phyliss": ("phyliss", 3, {}),
    "cathedral": ("cathedral", 3, {}),
    "phalanx-two": ("phalanx", 2, {}),
    "phalanx": ("phalanx", 3, {}),
    "phalanx-four": ("phalanx", 4, {}),
    "phalanx-zones": ("phalanx", 2, {"stakes": "zones", "bankroll": 30}),
    "phase10": ("phase10", 3, {}),
    "phase10-family": ("phase10-family", 2, {}),
}
"""A table -> its rules, players and options."""
NAMES = ("Anna", "Bob", "Carol", "Dora")
PLIES, LISTED = 150, 60


@dataclass(frozen=True)
class Turn:
    """A turn: the mail about it, and the position."""

    row: str
    kind: str
    rules: AnyRuleset
    state: object
    mail: GameMail


@cache
def turns(row: str) -> tuple[Turn, ...]:
    """Return the turns of each kind, by what the orders begin with: the first, and the fullest."""
    first: dict[str, Turn] = {}
    fullest: dict[str, Turn] = {}
    for turn in _played(row):
        first.setdefault(turn.kind, turn)
        known = fullest.get(turn.kind)
        if known is None or _size(turn) > _size(known):
            fullest[turn.kind] = turn
    return tuple({id(one): one for one in (*first.values(), *fullest.values())}.values())


def _size(turn: Turn) -> tuple[int, int]:
    return len(turn.mail.moves), len(str(turn.mail.view))


def _played(row: str) -> Iterator[Turn]:
    name, players, options = ROWS[row]
    rules = registry.find(name)
    seed = hashlib.sha256(f"turns {row}".encode()).digest()
    step = rules.start(Setup(players, seed, rules.check_options(players, options)))
    news: dict[int, list[Fact]] = {seat: [] for seat in range(players)}
    for ply in range(PLIES):
        for seat, told in news.items():
            told += [fact for fact in step.facts if fact.audience in (None, seat)]
        state = step.state
        if not rules.to_act(state):
            return
        mover = Seat(int(rules.to_act(state)[0]))
        legal = list(rules.legal_moves(state, mover))
        orders = [rules.format_move(state, mover, one) for one in legal]
        view, called = rules.view(state, mover), names_in_orders(NAMES[:players], (rules,))
        told = Told(view, mover, "", called)
        texts = [with_seat_names(said_move(name, one, told), NAMES) for one in orders]
        mail = game_mail(
            ruleset=name,
            title=rules.title,
            players=NAMES[:players],
            reader=int(mover),
            to_act=(int(mover),),
            happened=tuple(news[mover]),
            view=view,
            called=called,
            moves=tuple(
                replace(move, order=order)
                for move, order in zip(moves(*texts[:LISTED]), orders, strict=False)
            ),
            moves_complete=len(texts) <= LISTED and rules.is_list_complete(state, mover),
        )
        kind = " ".join(sorted({text.split()[0] for text in orders}))
        yield Turn(row, kind, rules, state, mail)
        news[mover] = []
        bold = legal[seed[ply % 32] % len(legal)]
        step = rules.apply(state, mover, bold if ply % 3 == 1 else rules.standby_move(state, mover))
