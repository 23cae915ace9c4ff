"""Test the texts about time for players and admins: base time, bank and deadlines."""

from __future__ import annotations

from datetime import timedelta

from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.mail_out.times import short_text
from pbem.service.evidence import auditing
from tests.service.conftest import NAMES, Table, configured

DAY, HOUR = 86400, 3600
BERLIN = "Europe/Berlin"


def timed(table: Table, **timing: object) -> tuple[Game, int, int]:
    """A game of two with this clock: it, the seat to act, and the other."""
    table.service = configured(table.service, idle_answers_per_hour=100)
    game = table.started(2, timing=Timing(DAY, **timing))  # type: ignore[arg-type]
    first = int(game.to_act[0])
    return game, first, 1 - first


def test_a_mail_tells_base_time_bank_and_what_is_safe(table: Table) -> None:
    """Both players read when the move is due and how much time the bank contains."""
    game, mover, other = timed(table, bank=5 * HOUR)
    deadline = game.deadline
    base = short_text(deadline.base_at, BERLIN)
    assert deadline.due_at - deadline.base_at == timedelta(hours=5)
    said = f"Answer by {base}, in 24 hours. After that your time bank of 5 h runs."
    assert said in table.last_to(mover).words
    seen = f"{NAMES[mover]} has until {base}. After that the time bank of {NAMES[mover]} runs, 5 h."
    assert seen in table.last_to(other).words
    for order, said in (("board", "time bank of 5 h"), ("games", "5 hours left")):
        assert said in table.ask(mover, order).words, order
    assert f"In game {game.id} your time bank holds 5 hours." in table.ask(mover, "settings").words


def test_the_mail_while_the_bank_runs_and_once_it_is_empty(table: Table) -> None:
    """After the base time, messages say that the bank runs or is used up."""
    game, mover, other = timed(table, bank=5 * HOUR, misses=0)
    latest = short_text(game.deadline.due_at, BERLIN)
    table.clock.forward(hours=27)
    table.answer(mover, "board")
    said = f"Your time for this move is over. Your time bank runs until {latest} at the latest."
    assert said in table.last_to(mover).words
    table.answer(other, "board")
    said = f"The time bank of {NAMES[mover]} runs until {latest} at the latest."
    assert said in table.last_to(other).words
    table.answer(mover, table.standby(game)[1])
    used = "used 3 hours of the time bank and has 2 hours left."
    assert f"{NAMES[mover]} {used}" in table.last_to(other).words
    assert (
        "You used 3 hours of your time bank and have 2 hours left."
        in table.ask(mover, "history").words
    )
    table.answer(other, table.standby(table.game(game.id))[1])
    table.wait(days=2)
    table.answer(other, table.standby(table.game(game.id))[1])
    assert "Your time bank is used up." in table.last_to(mover).words
    words = [entry.words for entry in auditing.audit(table.service, game.id).entries]
    assert f"The time bank of {NAMES[mover]}: 2 hours left." in words
    assert f"The time bank of {NAMES[mover]}: used up." in words
