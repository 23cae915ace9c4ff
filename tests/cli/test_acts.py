"""Test `pbem game stop|remove|undo`: output, refusals and events in the log."""

from __future__ import annotations

from pbem.domain.log.events import GameStopped, MovesRetracted
from pbem.domain.log.seat_events import SeatRemoved
from tests.cli.conftest import Shell


def test_undo_remove_stop(shell: Shell) -> None:
    """Each is an event by the admin with the reason; audit counts them."""
    shell.serve()
    game = shell.table.skip(shell.table.started(3), 5)
    said = shell.done("game", "undo", game.id, "--to", "4", "--reason", "misread")
    assert "3 moves are made now" in said
    assert shell.json("game", "remove", game.id, "Bob", "--reason", "he asked")["status"]
    ended = shell.json("game", "stop", game.id, "--reason", "enough")
    assert ended["status"] == "stopped"
    assert ended["version"] == shell.table.game(game.id).version
    acts = [item for item in shell.table.log(game) if item.actor == "admin:local"][-3:]
    kinds = [type(item.event) for item in acts if item.version > game.version]
    assert kinds == [MovesRetracted, SeatRemoved, GameStopped]
    assert [getattr(item.event, "reason", None) for item in acts] == [
        "misread",
        "he asked",
        "enough",
    ]
    assert "taken back" in shell.done("replay", game.id)
    assert "acts of admins" in shell.done("audit", game.id)
    audited = shell.json("audit", game.id)
    assert sum(entry["retracted"] for entry in audited["events"]) == 2


def test_what_is_refused(shell: Shell) -> None:
    """No reason, an unknown player, place or game; a game that is over."""
    shell.serve()
    game = shell.table.skip(shell.table.started(2), 3)
    assert "reason" in shell.refused("game", "undo", game.id, "--to", "2", "--reason", " ")
    assert "Zoe" in shell.refused("game", "remove", game.id, "Zoe", "--reason", "x")
    assert "moves 0" in shell.refused("game", "undo", game.id, "--to", "77", "--reason", "x")
    assert "no game" in shell.refused("game", "stop", "aaaaaaaaaa", "--reason", "x")
    shell.refused("game", "stop", game.id, code=2)
    assert shell.table.game(game.id).version == game.version
    shell.done("game", "stop", game.id, "--reason", "x")
    assert "over" in shell.refused("game", "stop", game.id, "--reason", "x")


def test_replace_and_adjudicate(shell: Shell) -> None:
    """Seats are given by name, the new player as NAME=ADDRESS, and the ranking must be complete."""
    shell.serve()
    game = shell.table.skip(shell.table.started(2), 3)
    reason = ("--reason", "ill")
    assert "NAME=ADDRESS" in shell.refused("game", "replace", game.id, "Bob", "Dora", *reason)
    said = shell.done("game", "replace", game.id, "Bob", "Dora=dora@example.org", *reason)
    assert "Dora is asked to play on for Bob" in said
    shell.refused("game", "replace", game.id, "Bob", "Dora=dora@example.org", *reason)
    said = shell.done(
        "game", "replace", game.id, "Bob", "Emil=emil@example.org", "--agreed", *reason
    )
    assert "Emil plays on for Bob" in said
    shell.done("game", "replace", game.id, "Emil", "Dora=dora@example.org", *reason)
    said = shell.done("game", "replace", game.id, "Anna", "Fay=f@example.org", "--agreed", *reason)
    assert "Fay plays on for Anna" in said  # while another seat is offered
    shell.done("game", "replace", game.id, "Fay", "Anna=anna@example.org", "--agreed", *reason)
    assert "Bob" in shell.refused("game", "adjudicate", game.id, "Anna, Bob", *reason)
    assert shell.json("game", "adjudicate", game.id, "Emil = Anna", *reason)["status"] == "finished"
    assert "Emil" in shell.done("replay", game.id)


def test_replace_before_the_deal_and_never_by_ourselves(shell: Shell) -> None:
    """A known address keeps its player's name, and the service's own address is refused."""
    game = shell.table.new_game(2)
    shell.done("player", "add", "Dora=dora@example.org")
    by = ("--reason", "ill")
    said = shell.done("game", "replace", game.id, "Bob", "Dorothea=dora@example.org", *by)
    assert "Dora is invited in place of Bob." in said
    ours = "Eve=game@play.example.org"
    for args in (
        ("game", "replace", game.id, "Dora", ours, *by),
        ("game", "new", "phyliss", "-p", "Anna=anna@example.org", "-p", ours),
        ("player", "add", ours),
    ):
        assert "address of this service itself" in shell.refused(*args)
