"""Create turn messages of every kind and final messages from the rules, without a database."""

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
from pbem.games.profile import Told, said_move
from pbem.mail_out.compose import mailto_link
from pbem.mail_out.content import FinalResult, GameMail
from tests.mail_out.samples import REPLY_TO, SECRET, game_mail, moves

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
"""Name of a table to its ruleset, number of players and options."""
NAMES = ("Anna", "Bob", "Carol", "Dora")
PLIES, LISTED = 150, 60


@dataclass(frozen=True)
class Turn:
    """A turn message and its position."""

    row: str
    kind: str
    rules: AnyRuleset
    state: object
    mail: GameMail


@cache
def turns(row: str) -> tuple[Turn, ...]:
    """Return the first and the fullest turn of each kind. The kind is the first words of the orders."""
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
    options = dict(rules.check_options(players, options))
    step = rules.start(Setup(players, seed, options))
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
            skin=str(options.get("deck", "")),
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


SHORT: dict[str, dict[str, Any]] = {
    "phyliss": {"deals": 2},
    "cathedral": {"deals": 2},
    "phalanx": {"max_battles": 2},
    "phase10": {"phases_to_win": 1},
}
"""Ruleset to options with which a game ends soon."""
LONGEST = 5000


@cache
def ends(row: str) -> tuple[GameMail, ...]:
    """Return each seat's message about the end of a game, with all facts since its last move."""
    name, players, options = ROWS[row]
    rules = registry.find(name)
    given = SHORT[name.partition("-")[0]] | options
    seed = hashlib.sha256(f"ends {row}".encode()).digest()
    step = rules.start(Setup(players, seed, rules.check_options(players, given)))
    news: list[list[Fact]] = [[] for _ in range(players)]
    for ply in range(LONGEST):
        for seat, told in enumerate(news):
            told += [fact for fact in step.facts if fact.audience in (None, seat)]
        if not rules.to_act(step.state):
            break
        mover = Seat(int(rules.to_act(step.state)[0]))
        news[int(mover)] = []
        legal = list(rules.legal_moves(step.state, mover))
        standby = rules.standby_move(step.state, mover)
        step = rules.apply(
            step.state, mover, legal[seed[ply % 32] % len(legal)] if ply % 3 == 1 else standby
        )
    outcome = rules.outcome(step.state)
    assert outcome is not None
    return tuple(
        game_mail(
            kind="finished",
            ruleset=name,
            title=rules.title,
            players=NAMES[:players],
            reader=seat,
            to_act=(),
            moves=(),
            deadline=None,
            happened=tuple(told),
            view=rules.view(step.state, Seat(seat)),
            result=FinalResult(
                outcome.ranking, outcome.reason, outcome.scores, SECRET, ("green tea",) * 4
            ),
            rematch_mailto=mailto_link(REPLY_TO, "Re: a game", "rematch"),
            replay_file=f"{name}-k7q2m3x9ab.html",
        )
        for seat, told in enumerate(news)
    )
