"""Test the commands that show and change deadlines."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.clock import SystemClock
from pbem.domain.log.clock_events import TurnTimedOut
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import Timing
from pbem.service.clock import downtime, heartbeats
from tests.cli.conftest import Shell


def run(shell: Shell) -> None:
    """Let the service look, at the time of the commands."""
    shell.table.clock.instant = SystemClock().now()
    shell.table.run()


@pytest.fixture
def game(shell: Shell) -> Game:
    shell.table.clock.instant = SystemClock().now()
    return shell.table.started(2)


def events(shell: Shell, game: Game, kind: type) -> list:
    return [item for item in shell.table.log(game) if isinstance(item.event, kind)]


def test_clock_of_a_new_game(shell: Shell) -> None:
    """`--clock` may be repeated. Its meaning is shown in words, also to the players."""
    made = shell.json(
        *("game", "new", "phyliss", "-p", "Anna=anna@example.org", "-p", "Bob=bob@example.org"),
        *("--clock", "bank=2d", "--clock", "falls-at=20", "--clock", "weekends_off=yes"),
        *("--clock", "time_per_move=36h", "--clock", "misses=0", "--clock", "increment=1h"),
    )
    shown = shell.json("game", "show", made["game"])
    assert shown["clock"]["bank"] == 172_800
    assert shown["clock"]["time_per_move"] == 129_600
    text = " ".join(shell.done("game", "show", made["game"]).split())
    assert "Each move has 36 hours." in text
    assert "Saturdays and Sundays do not count. Deadlines fall at 20:00 of each player's" in text
    assert "a time bank of 2 days for the whole game; each move adds 1 hour." in text
    run(shell)
    assert "deadlines fall at 20:00 of your own day" in shell.table.last_to(0).words


def test_standby(shell: Shell) -> None:
    """The move is made only after the deadline, and all players get the reason."""
    game = shell.table.started(2, timing=Timing(time_per_move=86_400, on_timeout="ask"))
    seat = int(game.to_act[0])
    act = ("game", "standby", game.id, str(seat), "--reason", "silent for days")
    assert "nobody is played for before" in shell.refused(*act)
    shell.table.clock.forward(days=5)
    shell.table.run()
    assert shell.json(*act)["ok"] is True
    (timed_out,) = events(shell, game, TurnTimedOut)
    assert (timed_out.actor, timed_out.event.seat) == ("admin:local", seat)
    shell.table.run()
    assert shell.table.game(game.id).to_act == (1 - seat,)
    assert "(local): silent for days" in shell.table.last_to(seat).words


def test_every_act_is_told_to_everybody_with_its_reason(shell: Shell, game: Game) -> None:
    """Players who get no message at once find the reason in their next message."""
    seat = int(game.to_act[0])
    before = len(shell.table.mails_to(1 - seat))
    shell.done("game", "extend", game.id, "2d", "--reason", "a broken mill")
    run(shell)
    said = "The reason given by the admin (local): a broken mill"
    assert said in shell.table.last_to(seat).words
    assert len(shell.table.mails_to(1 - seat)) == before, "nothing to do: no mail of its own"
    shell.table.answer(seat, shell.table.standby(shell.table.game(game.id))[1])
    assert said in shell.table.last_to(1 - seat).words, "in the turn mail"
    for command in (("pause",), ("resume",), ("bot", "0")):
        shell.done("game", command[0], game.id, *command[1:], "--reason", f"so: {command[0]}")
        run(shell)
        for reader in (0, 1):
            assert f"so: {command[0]}" in shell.table.last_to(reader).words
    assert "is running" in shell.refused("game", "resume", game.id, "--reason", "again")
    log = "".join(str(item.event) for item in shell.table.log(shell.table.game(game.id)))
    assert "a broken mill" not in log, "the words of a person stay out of logs and errors"
    refused = shell.refused("game", "extend", game.id, "1d", "--reason", "  ")
    assert "needs a reason" in refused


def test_late_and_stuck_deadlines_are_told_apart(shell: Shell, game: Game) -> None:
    """The list separates open deadlines, missed ones, and those that wait for a player's message."""
    assert shell.json("game", "deadlines")["state"] == "running"
    assert "Anna" in shell.done("game", "deadlines") or "Bob" in shell.done("game", "deadlines")
    from pbem.store.rows.game_rows import DEADLINE  # noqa: PLC0415

    past = shell.table.clock.now() - timedelta(hours=1)
    with shell.table.service.store.unit_of_work() as uow:
        uow.connection.execute(DEADLINE.update().values(due_at=past, next_at=past))
    assert shell.json("game", "deadlines")["state"] == "late"
    shell.table.clock.instant = past - timedelta(hours=1)
    shell.table.answer(int(game.to_act[0]), "board", run=False)
    shell.table.clock.forward(hours=3)
    assert shell.json("game", "deadlines")["state"] == "mail"


def test_health(shell: Shell, game: Game) -> None:
    """0 and all is well, or 1 and every reason."""
    assert "no `pbem serve` has ever run" in shell.refused("health")
    downtime.beat(shell.table.service)
    heartbeats.note_delivery(shell.table.service)
    assert "All is well" in shell.done("health")
    found = shell.json("health")
    assert found["ok"] is True
    assert (found["unread"], found["shunted"], found["late"]) == (0, 0, 0)
    now = shell.table.clock.instant
    shell.table.clock.instant = now - timedelta(hours=2)
    shell.table.answer(0, "board", run=False)
    downtime.beat(replace(shell.table.service))
    shell.table.clock.instant = now
    with shell.table.service.store.unit_of_work() as uow:
        for entry in uow.projections.open_deadlines(game.id):
            uow.projections.move_next_at(entry, now - timedelta(hours=1))
    text = " ".join(shell.run("health").stderr.split())
    assert "1 mails came in and were not handled" in text
    assert "1 deadlines or reminders are late" in text
    assert "no `pbem serve` has been alive since" in text
    assert shell.run("health", "--json").exit_code == 1


def test_health_of_each_way_in_and_of_delivery(shell: Shell, game: Game) -> None:
    """Show the last activity and what is stuck. If nothing runs, report only that."""
    shell.config.write_text(shell.config.read_text() + '[maildir]\npath = "mails"\n')
    service, clock = shell.table.service, shell.table.clock
    assert shell.run("health").stderr.count("\n") == 1, "nothing has ever run"
    downtime.beat(service)
    assert "maildir has never worked yet" in " ".join(shell.run("health").stderr.split())
    heartbeats.note(service, {"maildir": clock.now(), "listener": None})
    heartbeats.note_delivery(service)
    assert f"delivery: last at work {clock.now():%Y-%m-%d %H:%M:%S} UTC" in shell.done("health")
    begin = clock.now()
    for _ in range(6):
        clock.forward(minutes=1)
        downtime.beat(service)
        heartbeats.note(service, {"maildir": clock.now()})
        with service.store.unit_of_work() as uow:
            uow.pauses.extend("", clock.now(), lambda failures: timedelta(minutes=2))
        heartbeats.note_delivery(service)
    result = shell.run("health", "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    (problem,) = found["problems"]
    assert problem.startswith(f"delivery has not worked since {begin:%Y-%m-%d %H:%M} UTC. `pbem do")
    assert found["pulses"] == [
        {"name": "delivery", "at": begin.isoformat(), "is_late": True},
        {"name": "maildir", "at": clock.now().isoformat(), "is_late": False},
    ]


def test_an_admin_reads_the_clock_of_others(shell: Shell) -> None:
    """The text contains base time, banks and grace, and does not address the admin as the player."""
    clock = ("--clock", "bank=5h", "--clock", "grace=1h", "--time-per-move", "1d")
    people = ("-p", "Anna=anna@example.org", "-p", "Bob=bob@example.org")
    made = shell.json("game", "new", "phyliss", *people, *clock)
    shell.table.run()
    for seat in (0, 1):
        shell.table.answer(seat, "join")
    said = " ".join(shell.done("game", "show", made["game"]).split())
    assert "You" not in said
    assert "Each move has 1 day." in said
    assert "Each player has a time bank of 5 hours for the whole game." in said
    assert "An answer up to 1 hour after the deadline still counts." in said
    assert "5 hours left" in said
    assert "The deadline is 2026-11-22 12:00 UTC; then the time bank runs" in said
    shown = shell.json("game", "show", made["game"])
    assert [seat["bank_left"] for seat in shown["seats"]] == [18000, 18000]
    assert shown["base_at"] < shown["due_at"] < shown["counts_until"]
    given = shell.done("game", "extend", made["game"], "1d", "--reason", "Bob is ill")
    assert "The deadline is 2026-11-23 12:00 UTC; then the time bank runs" in given
