"""Test `pbem replay` and `pbem diff`: positions, viewers, steps, pages, and no hidden cards."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.domain.log.events import HandsRevealedToAdmin, Hidden
from pbem.domain.table.game import Game
from pbem.service.logbook import replays
from pbem.service.logbook.event_words import CLOSED
from tests.cli.conftest import Shell
from tests.show.games import EVERY_KIND, PEOPLE, play

_GLYPHS = str.maketrans("♣♦♥♠", "cdhs")
_CARD = re.compile(r"(?<![\w.#])((?:10|[2-9JQKA])[cdhs]|[RBGY](?:1[0-2]|[1-9]))(?!\w)")


def cards_in(text: str) -> set[str]:
    """Return every card in a text, written in letters or symbols."""
    return set(_CARD.findall(text.replace("\ufe0e", "").translate(_GLYPHS)))


def hidden_cards(shell: Shell, game: Game) -> set[str]:
    """Return cards of hands and secret choices that were never public."""
    steps = replays.replay(shell.table.service, game.id).steps
    public = cards_in(
        " ".join(
            json.dumps(game.ruleset.view(step.game.state, None)).replace('"', " ") + step.text
            for step in steps
            if step.game.state is not None
        )
    )
    state: Any = game.ruleset.state_json(game.state)
    own = [
        card for seat in state["seats"] for card in [*seat["hand"], *(seat.get("reserve") or [])]
    ]
    own += [card for seat in state["seats"] for card in seat.get("choice") or []]
    return cards_in(" ".join([*own, *state["stock"]] if "stock" in state else own)) - public


def page_data(file: Path) -> Any:
    """Return the data of a page without its script, which also contains card names."""
    return json.loads(file.read_text("utf-8").split('id="data">')[1].split("</script>")[0])


def stepped(shell: Shell, game: Game, *lines: str, args: tuple[str, ...] = ()) -> str:
    result = CliRunner().invoke(
        app,
        ["replay", game.id, "--step", *args, "--config", str(shell.config)],
        input="".join(f"{line}\n" for line in lines),
    )
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.rule("GEN-5")
@pytest.mark.parametrize(("ruleset", "players", "options"), EVERY_KIND)
def test_no_way_of_looking_shows_a_hidden_card_of_a_running_game(
    shell: Shell, ruleset: str, players: int, options: dict[str, object]
) -> None:
    """Text, JSON, differences, audit, steps and page; names are there, addresses and secrets not."""
    game = play(shell.table, ruleset, players, 9, **options)
    assert not game.is_over
    hidden = hidden_cards(shell, game)
    assert len(hidden) > 3
    page = shell.folder / "page.html"
    last = f"@{game.version}"
    for args in (
        ("replay", game.id),
        ("replay", game.id, "--json"),
        ("replay", game.id, "--to", "1"),
        ("diff", game.id, "0", last),
        ("diff", game.id, "0", last, "--json"),
        ("audit", game.id),
        ("audit", game.id, "--json"),
        ("audit", game.id, "--move", last),
        ("audit", game.id, "--move", "1", "--json"),
        ("replay", game.id, "--html", str(page)),
        ("steps",),
        ("page",),
    ):
        if args == ("steps",):
            printed = stepped(shell, game, *["n"] * 25)
        elif args == ("page",):
            printed = json.dumps(page_data(page)).replace('"', " ")
        else:
            printed = shell.done(*args)
        assert not cards_in(printed) & hidden, args
        assert game.server_secret not in printed
        assert "@example.org" not in printed
    assert page_data(page)["names"] == list(PEOPLE[:players])
    assert shell.table.game(game.id).version == game.version


@pytest.mark.rule("GEN-6")
def test_who_chose_in_secret_stays_closed_while_the_game_runs(shell: Shell) -> None:
    """Even the fact of a choice is hidden until all cards are revealed."""
    game = play(shell.table, "phalanx", 3, 4, max_battles=1)
    chosen = [e.version for e in shell.table.log(game) if isinstance(e.event, Hidden)]
    assert len(chosen) == 3
    for version in chosen:
        said = shell.json("replay", game.id, "--from", f"@{version}", "--to", f"@{version}")
        assert not any(seat["has_chosen"] for seat in said["view"]["seats"])
        assert said["view"]["to_act"] == [0, 1, 2]
        assert said["events"][0]["text"] == CLOSED
        assert said["events"][0]["happened"] == [CLOSED]
        told = shell.json("audit", game.id, "--move", f"@{version}")
        assert (told["actor"], told["cause"], told["mails"]) == ("hidden", None, [])
        assert told["source"] is None
    revealed = shell.json("replay", game.id, "--from", "2", "--to", "2")["events"][0]
    assert revealed["moves"] == [1, 2, 3]
    assert "Opening cards:" in revealed["happened"][0]
    ended = play(shell.table, "phalanx", 3, seed=2, max_battles=1)
    opened = shell.json("audit", ended.id, "--move", "1")["choices"]
    assert [words.split(":")[0] for words in opened] == list(PEOPLE[:3])


@pytest.mark.rule("GEN-5")
def test_eyes_are_named_and_leave_a_trace(shell: Shell) -> None:
    """--as bob, in any case; only Bob's hand is in the page; the reveal names the position."""
    shell.serve()
    game = play(shell.table, "phyliss", 3, 6)
    assert "--reveal" in shell.refused("replay", game.id, "--as", "bob")
    page = shell.folder / "bob.html"
    shell.done(
        *("replay", game.id, "--as", "bob", "--to", "3", "--html", str(page)),
        *("--reveal", "--reason", "He asked"),
    )
    data = page_data(page)
    assert page.stat().st_mode & 0o777 == 0o600
    assert data["eyes"] == [1]
    assert data["looks"] == 1
    assert {seat for step in data["steps"] for seat in step["own"]} <= {"1"}
    events = [e.event for e in shell.table.log(game) if isinstance(e.event, HandsRevealedToAdmin)]
    third = shell.json("replay", game.id, "--to", "3")["events"][-1]["version"]
    assert events == [HandsRevealedToAdmin((1,), third, "He asked")]
    assert "Nobody there is called zoe" in shell.refused(
        "replay", game.id, "--as", "zoe", "--reveal", "--reason", "x"
    )


def test_diff_tells_what_moved(shell: Shell) -> None:
    """Where, before, after; hand sizes of a running game, never hands."""
    game = play(shell.table, "phyliss", 2, 5)
    said = shell.json("diff", game.id, "1", "2")
    assert (said["from"]["move"], said["to"]["move"]) == (1, 2)
    where = {change["where"]: (change["before"], change["after"]) for change in said["changes"]}
    assert where["ply"] == (1, 2)
    assert "pile" in where
    assert where["to act"][0] != where["to act"][1]
    assert {where["to act"][0][0], where["to act"][1][0]} <= {"Anna", "Bob"}
    assert not any("hand" in place.split(", ") for place in where)
    assert "ply" in shell.done("diff", game.id, "1", "2")
    assert shell.json("diff", game.id, "2", "2")["changes"] == []
    shell.refused("diff", game.id, "2", "1")


def test_stepping_goes_everywhere(shell: Shell) -> None:
    """Next, back, jumps, search, somebody's next move, the ends, help, and nonsense."""
    game = play(shell.table, "phyliss", 2, 30)
    seats = [e["actor"] for e in shell.json("replay", game.id)["events"]]
    assert seats
    printed = stepped(
        shell, game, "b", "0", "n", "", "b", "7", "@9", "/played", "/", "m Bob", "m", "m Zoe", "last",
        "n", "first", "h", "nonsense", "/what nobody says", "/", "q", "n",
    )  # fmt: skip
    places = re.findall(r"(\S+(?: move)? ?\S*) of 30 \(h helps\) > ", printed)
    assert len(places) == 20
    for words in (
        "This is the first step",
        "This is the last step",
        "Whose?",
        "Nobody here is called Zoe",
        '"nonsense" is no place',
        "is said nowhere",
        "search onwards",
    ):
        assert words in printed
    assert "move 7 of 30" in printed
    own = stepped(shell, play(shell.table, "phyliss", 2), "0", "m", "q", args=("--as", "bob"))
    assert "You played" in own
    assert shell.run("replay", game.id, "--step", "--json").exit_code == 1
