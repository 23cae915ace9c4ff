"""Test `pbem ladder`."""

from __future__ import annotations

from tests.cli.conftest import Shell
from tests.service.league.test_ladder import ANNA, BOB, challenged, club_of, lost


def test_the_ladder_and_what_made_it(shell: Shell) -> None:
    assert shell.json("ladder", "phyliss") == {"ruleset": "phyliss", "ladder": [], "challenges": []}
    club = club_of(shell.table)
    lost(club, ANNA, game := challenged(club, BOB, ANNA))
    told = shell.json("ladder", "phyliss")
    assert [one["name"] for one in told["ladder"]] == [BOB, ANNA]
    (made,) = told["challenges"]
    assert (made["game"], made["status"], sorted(made["places"])) == (game.id, "finished", [1, 2])
    assert game.id in shell.done("ladder", "phyliss")
    assert "chess" in shell.refused("ladder", "chess")
