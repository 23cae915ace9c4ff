"""Test that commands show no hidden cards of a running game by default."""

from __future__ import annotations

import json

import pytest

from engine.api import Seat
from pbem.domain.log.events import GameCreated
from pbem.service.intake import handle_mail
from tests.cli.conftest import Shell
from tests.service.conftest import NAMES
from tests.service.core.test_faults import a_fault

PHRASE = "a phrase of my very own"
TALK = "the cat sat upon my cards"
WORDS = "seventeen dragons"


def test_nothing_hidden_is_printed_by_default(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No hand, seed, token, address or word of a mail, by any command that only looks."""
    table = shell.table
    game = table.new_game(2)
    table.answer(0, f"join phrase: {PHRASE}")
    table.answer(1, "join")
    for _ in range(2):
        seat, order = table.standby(table.game(game.id))
        table.answer(seat, f"{order}\nsay {TALK}")
    seat, order = table.standby(table.game(game.id))
    token = table.last_to(seat).reply_to.partition("+")[2].partition("@")[0]
    table.answer(seat, f"play {WORDS}")
    with monkeypatch.context() as patch:
        patch.setitem(handle_mail.ROUTES, handle_mail.Route.SEAT, a_fault)
        table.answer(seat, order)
    game = table.game(game.id)
    created = next(item.event for item in table.log(game) if isinstance(item.event, GameCreated))
    hand = game.ruleset.view(game.state, Seat(seat))["seats"][seat]["hand"]  # type: ignore[call-overload,index]
    hidden = {
        "server secret": created.server_secret,
        "phrase": PHRASE,
        "talk": TALK,
        "words": WORDS,
        "token": token.rpartition("-")[2],
        "address": "@example.org",
        "hand": " ".join(hand),
        "hand in JSON": ", ".join(f'"{card}"' for card in hand),
        "hand without blanks": ",".join(f'"{card}"' for card in hand),
    }
    mails = [row.id for row in table.inbox()]
    commands = [
        ("game", "list"),
        ("game", "show", game.id),
        ("game", "deadlines"),
        ("replay", game.id),
        ("diff", game.id, "0", "2"),
        ("audit", game.id),
        ("audit", game.id, "--move", "2"),
        ("audit", game.id, "--move", "@1"),
        ("verify", game.id),
        ("export", game.id),
        ("mail", "inbox"),
        ("mail", "outbox", "list"),
        ("mail", "outbox", "show", "1"),
        ("mail", "shunted"),
        ("mail", "shunted", "show", str(mails[-1])),
        *(("mail", "show", str(number)) for number in mails),
        ("dispute", "list"),
        ("key", "list"),
        ("health",),
    ]
    version = table.game(game.id).version
    for command in commands:
        for form in ((), ("--json",)):
            result = shell.run(*command, *form)
            assert result.exit_code == 0 or command == ("health",), result.output
            said = " ".join((result.stdout + result.stderr).split())
            assert [what for what, words in hidden.items() if words in said] == [], command
    assert table.game(game.id).version == version, "nothing was revealed"
    asked = ("replay", game.id, "--as", NAMES[seat], "--reveal", "--reason", "a test", "--json")
    said = " ".join(shell.run(*asked).stdout.split())
    assert hidden["hand in JSON"] in said, "so the search would find it"
    assert table.game(game.id).version == version + 1, "and it is in the log"


@pytest.mark.rule("GEN-6")
def test_nobody_reads_here_who_has_chosen(shell: Shell) -> None:
    """A command that reveals nothing names all who choose, as long as one of them has not."""
    game = shell.table.started(3, ruleset="phalanx")
    seat, order = shell.table.standby(game)
    shell.table.answer(seat, order)
    assert len(shell.table.game(game.id).to_act) == 2
    assert shell.json("game", "show", game.id)["to_act"] == [0, 1, 2]
    assert shell.done("game", "show", game.id).count("yes") == 3


@pytest.mark.rule("GEN-6")
@pytest.mark.parametrize("command", [("mail", "show"), ("mail", "shunted", "show")])
def test_a_size_does_not_tell_a_secret_choice(shell: Shell, command: tuple[str, ...]) -> None:
    """A 10 is one character longer than a K: an admin who plays along must not count them."""
    table, said = shell.table, set[str]()
    game = table.started(3, ruleset="phalanx")
    for card in ("10s", "Ks", "10h"):
        table.answer(1, f"open {card}", run=False)
        with table.service.store.unit_of_work() as uow:
            newest = uow.inbox.list()[0].id
            uow.inbox.mark(newest, "shunted", error="a fault of ours")
        shown = json.loads(shell.done(*command, str(newest), "--json"))
        said.add(json.dumps({**shown, "id": 0, "sha256": "", "mail": 0}))
        printed = shell.done(*command, str(newest))
        assert "kilobyte" in printed
        assert " bytes" not in printed
    assert len(said) == 1
    assert table.game(game.id).version == game.version
