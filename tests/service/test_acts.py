"""Acts of an admin: stop, remove, undo. Everybody is mailed the reason, and the log still verifies."""

from __future__ import annotations

import random  # noqa: TID251  (which moves a test makes, never what the game deals)
from dataclasses import replace

import pytest

from engine import registry
from engine.api import Seat
from pbem.domain import decide
from pbem.domain.events import MovePlayed, MovesRetracted
from pbem.domain.evolve import fold
from pbem.domain.game import Game
from pbem.errors import LogError, Refusal
from pbem.service import acts, auditing, games, lobby, looking, replay_page, replaying
from pbem.service.exports import export_lines
from pbem.service.verify import verify_file, verify_game
from tests.service.conftest import NAMES, Table

RULESETS = [rules.id.name for rules in registry.latest()]


def dealt(table: Table, ruleset: str, seed: int = 1) -> Game:
    """A game of two in which everybody has joined, without mails."""
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in NAMES[:2]]
    game = lobby.create_game(
        table.service, ruleset=ruleset, people=people, options={}, server_secret=bytes([seed]) * 32
    )
    with table.service.store.unit_of_work() as uow:
        decision = decide.decision_on(game, actor="system", cause=None, now=table.clock.now())
        for seat in range(2):
            decide.join(decision, seat, None)
        decide.settle(decision)
        return games.record(uow, decision)[0]


def play_on(table: Table, game: Game, chance: random.Random, plies: int) -> Game:
    for _ in range(plies):
        game = table.game(game.id)
        if game.is_over:
            break
        seat = Seat(chance.choice(game.to_act))
        move = chance.choice(list(game.ruleset.legal_moves(game.state, seat)))
        with table.service.store.unit_of_work() as uow:
            decision = decide.decision_on(
                game, actor=f"seat:{seat}", cause=None, now=table.clock.now()
            )
            order = game.ruleset.format_move(game.state, seat, move)
            decide.play(decision, seat, order, source="mail")
            if decision.game is not None and decision.game.position > game.position:
                decide.settle(decision)
            games.record(uow, decision)
    return table.game(game.id)


def exported(table: Table, game: Game) -> bytes:
    with table.service.store.reading() as uow:
        return b"".join(line + b"\n" for line in export_lines(uow, game.id))


@pytest.mark.rule("GEN-1", "GEN-4")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_games_with_undo_verify_and_replay(table: Table, ruleset: str) -> None:
    """Log, tables, snapshots, running and opened export, replay, page and audit agree after undo."""
    chance = random.Random(7)  # noqa: S311
    game = play_on(table, dealt(table, ruleset), chance, 30)
    for _ in range(4):
        if game.is_over:
            break
        version = chance.randrange(max(7, game.version - 40), game.version)
        try:
            acts.undo(table.service, game.id, f"@{version}", "once more")
        except Refusal:
            continue
        game = play_on(table, game, chance, 12)
    log = table.log(game)
    undone = [item.event for item in log if isinstance(item.event, MovesRetracted)]
    assert undone
    assert fold(log, game.id) == table.game(game.id)
    with table.service.store.unit_of_work() as uow:
        before = uow.projections.dump()
        uow.projections.rebuild()
        assert uow.projections.dump() == before
        for item in log:
            if item.version % 17 == 0:
                at = games.load(uow, game.id, up_to=item.version)
                assert at == fold(log[: item.version], game.id)
        assert any("taken back" in check for check in verify_game(uow, game.id).checks)
    if not game.is_over:
        assert not verify_file(exported(table, game)).complete
        acts.stop(table.service, game.id, "enough")
    data = exported(table, game)
    assert verify_file(data).complete
    found = looking.replay(table.service, game.id)
    gone = [step for step in found.steps if step.is_retracted]
    assert gone
    effective = [n for step in found.steps if not step.is_retracted for n in step.moves]
    assert effective == list(range(1, found.steps[-1].ply + 1))
    assert replaying.find(found.steps, f"@{gone[0].version}") == gone[0].version - 1
    assert "taken back" in gone[0].text
    seen = looking.through_eyes(table.service, found, [0, 1])
    page = replay_page.page_data(seen)
    assert page["steps"]
    audited = auditing.audit(table.service, game.id)
    acted = [entry for entry in audited.entries if entry.is_admin_act]
    assert any("once more" in entry.words for entry in acted)


@pytest.mark.rule("GEN-1")
def test_a_changed_retraction_is_found(table: Table) -> None:
    """An export in which moves go back to another place does not verify."""
    chance = random.Random(1)  # noqa: S311
    game = play_on(table, dealt(table, "phyliss"), chance, 12)
    acts.undo(table.service, game.id, "5", "misread")
    acts.stop(table.service, game.id, "enough")
    data = exported(table, game)
    assert verify_file(data).complete
    wrong = data.replace(b'"back_to":', b'"back_to":1', 1)
    assert wrong != data
    with pytest.raises(LogError, match="hash"):
        verify_file(wrong)


def test_undo_by_move_and_what_everybody_reads(table: Table) -> None:
    """Before move 3: the table as it was, the reason to all, a new deadline, older mails are stale."""
    game = table.skip(table.started(3), 5)
    old = {seat: table.last_to(seat) for seat in range(3)}
    view = looking.replay(table.service, game.id, last="2").steps[-1].view
    mails = len(table.delivery.mails)
    after = acts.undo(table.service, game.id, "3", "Carol's mail was misread")
    table.run()
    assert after.ruleset.ply(after.state) == 2
    assert after.ruleset.view(after.state, None) == view
    new = table.delivery.mails[mails:]
    assert sorted(mail.rcpt_to for mail in new) == [
        "anna@example.org",
        "bob@example.org",
        "carol@example.org",
    ]
    for mail in new:
        assert "took back the moves 3 to 5" in mail.words
        assert "Carol's mail was misread" in mail.words
        assert "cannot be unseen" in mail.words
    seat, order = table.standby(table.game(game.id))
    table.answer(seat, order, to=old[seat].reply_to)
    assert table.game(game.id).version == after.version
    assert "older position" in table.last_to(seat).words or "old" in table.last_to(seat).words
    table.answer(seat, order)
    assert isinstance(table.log(game)[after.version].event, MovePlayed)


def test_undo_of_what_cannot_be_undone(table: Table) -> None:
    """Nothing is recorded, nobody is mailed."""
    game = table.skip(table.started(3), 4)
    mails = len(table.outbox())
    for place, said in [
        ("0", "deal itself"),
        ("@3", "deal itself"),
        ("99", "moves 0"),
        (f"@{game.version}", "no move was made"),
        ("soon", "no place"),
    ]:
        with pytest.raises(Refusal, match=said):
            acts.undo(table.service, game.id, place, "why not")
    with pytest.raises(Refusal, match="reason"):
        acts.undo(table.service, game.id, "2", " ")
    assert table.game(game.id).version == game.version
    assert len(table.outbox()) == mails
    acts.stop(table.service, game.id, "enough")
    with pytest.raises(Refusal, match="over"):
        acts.undo(table.service, game.id, "2", "too late")


@pytest.mark.rule("GEN-7")
def test_remove_a_player(table: Table) -> None:
    """The others play on; all read who did it and why, the removed player too."""
    game = table.skip(table.started(3), 3)
    mails = len(table.delivery.mails)
    after = acts.remove(table.service, game.id, "bob", "He asked me to.")
    table.run()
    assert after.seats[1].status == "removed"
    assert 1 not in after.to_act
    told = table.delivery.mails[mails:]
    assert {mail.rcpt_to for mail in told} == {
        "anna@example.org",
        "bob@example.org",
        "carol@example.org",
    }
    for mail in told:
        assert "took Bob out" in mail.words or "took you out" in mail.words
        assert "He asked me to." in mail.words
    with pytest.raises(Refusal, match="left the game already"):
        acts.remove(table.service, game.id, "Bob", "again")


@pytest.mark.rule("GEN-4")
def test_stop_a_game(table: Table) -> None:
    """It ends without a result, the secret opens, all read the reason."""
    game = table.skip(table.started(2), 3)
    after = acts.stop(table.service, game.id, "We all agreed.")
    table.run()
    assert after.status == "stopped"
    for seat in range(2):
        assert "We all agreed." in table.last_to(seat).words
        assert game.server_secret in table.last_to(seat).text.replace("\n", "").replace(" ", "")
    assert replace(after, head="") == replace(table.game(game.id), head="")
    with pytest.raises(Refusal, match="over"):
        acts.stop(table.service, game.id, "again")
