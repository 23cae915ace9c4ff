"""Test stop, remove and undo by an admin: notifications, and verification of the log."""

from __future__ import annotations

import random  # noqa: TID251  (which moves a test makes, never what the game deals)
from contextlib import suppress
from dataclasses import replace

import pytest

from engine.api import Seat
from pbem.domain.log.events import MovePlayed, MovesRetracted
from pbem.domain.play import decide
from pbem.domain.table.fold import fold
from pbem.domain.table.game import Game
from pbem.errors import Refusal
from pbem.service.admin import acts
from pbem.service.core import games
from pbem.service.evidence import auditing
from pbem.service.lobby import creation as lobby
from pbem.service.logbook import replay_page, replaying, replays
from pbem.service.logbook.verify import verify_file
from tests.service.conftest import NAMES, Table, configured


def play_by_chance(table: Table, game: Game, chance: random.Random, plies: int) -> Game:
    """Let the seats make random moves without messages between them."""
    with table.changing(game) as decision:
        for _ in range(plies):
            game = decision.existing()
            if game.is_over:
                break
            seat = Seat(chance.choice(game.to_act))
            move = chance.choice(list(game.ruleset.legal_moves(game.state, seat)))
            order = game.ruleset.format_move(game.state, seat, move)
            decide.play(decision, seat, order, source="mail")
            if decision.existing().position > game.position:
                decide.settle(decision)
    return table.game(game.id)


@pytest.mark.rule("GEN-1", "GEN-4")
def test_games_with_undo_verify_and_replay(table: Table) -> None:
    """Log, tables, snapshots, running and opened export, replay, page and audit agree after undo."""
    chance = random.Random(7)  # noqa: S311
    game = play_by_chance(table, table.started(2, ruleset="phase10"), chance, 30)
    for _ in range(4):
        version = chance.randrange(max(7, game.version - 40), game.version)
        with suppress(Refusal):
            acts.undo(table.service, game.id, f"@{version}", "once more")
        game = play_by_chance(table, game, chance, 12)
    log = table.log(game)
    assert table.events(game, MovesRetracted)
    assert fold(log, game.id) == table.game(game.id)
    assert table.check() == []
    with table.service.store.reading() as uow:
        for version in range(17, game.version, 17):
            assert games.load(uow, game.id, up_to=version) == fold(log[:version], game.id)
    assert any("taken back" in check for check in table.verify(game).checks)
    assert not verify_file(table.export(game.id)).complete
    acts.stop(table.service, game.id, "enough")
    assert verify_file(table.export(game.id)).complete
    replay = replays.replay(table.service, game.id)
    retracted = [step for step in replay.steps if step.is_retracted]
    effective = [n for step in replay.steps if not step.is_retracted for n in step.moves]
    assert effective == list(range(1, replay.steps[-1].ply + 1))
    assert replaying.find(replay.steps, f"@{retracted[0].version}") == retracted[0].version - 1
    assert "taken back" in retracted[0].text
    assert replay_page.page_data(replays.replay_as_seats(table.service, replay, [0, 1]))["steps"]
    audit = auditing.audit(table.service, game.id)
    assert any("once more" in entry.words for entry in audit.entries if entry.is_admin_act)


def test_undo_by_move_and_what_everybody_reads(table: Table) -> None:
    """Restore the table before move 3, tell all players the reason, and set a new deadline."""
    game = table.skip(table.started(3), 5)
    old = {seat: table.last_to(seat) for seat in range(3)}
    view = replays.replay(table.service, game.id, last="2").steps[-1].view
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


@pytest.mark.rule("GEN-7")
def test_remove_a_player(table: Table) -> None:
    """The others play on. All players, also the removed one, read the reason and the name of the admin."""
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


def test_another_person_takes_a_seat(table: Table) -> None:
    """The new player gets the table by mail and plays on. The former player cannot move."""
    game = table.skip(table.started(3), 4)
    seat, order = table.standby(game)
    old = table.last_to(seat)
    mails = len(table.delivery.mails)
    person = lobby.Person("Dora", "dora@example.org")
    after = acts.replace(table.service, game.id, NAMES[seat], person, "She is ill.", agreed=True)
    table.run()
    sent = {mail.rcpt_to: mail.words for mail in table.delivery.mails[mails:]}
    assert f"in the seat of {NAMES[seat]}" in sent["dora@example.org"]
    assert "Somebody else plays on" in sent[f"{NAMES[seat].lower()}@example.org"]
    for name in {"Anna", "Bob", "Carol"} - {NAMES[seat]}:
        assert "Dora sits in the seat of" in sent[f"{name.lower()}@example.org"]
        assert "She is ill." in sent[f"{name.lower()}@example.org"]
    assert after.seats[seat].generation == 2
    assert after.deadline.version > game.version
    answer = table.ask(seat, order, to=old.reply_to)
    assert "Somebody else plays in that seat now" in answer.words
    assert table.game(game.id).version == after.version
    table.answer(3, order)
    moved = table.log(game)[after.version]
    assert isinstance(moved.event, MovePlayed)
    assert moved.actor == f"seat:{seat}"
    assert table.check() == []
    with pytest.raises(Refusal, match="left or taken a seat"):
        acts.undo(table.service, game.id, f"@{game.version - 1}", "too far")


@pytest.mark.rule("GEN-4")
def test_operator_who_is_seated_before_the_deal_gives_no_phrase(table: Table) -> None:
    """A phrase of an operator could be chosen after those of the other players."""
    game = table.new_game(2)
    root = lobby.Person("Root", "root@example.org")
    acts.replace(table.service, game.id, "Bob", root, "He has no time.", agreed=True)
    table.run()
    mail = table.sent_to(root.address)[0]
    assert "your phrase stays empty" in mail.words
    table.answer(1, "join phrase: mine", to=mail.reply_to, sender=root.address)
    assert table.game(game.id).seats[1].status == "invited"
    told = table.sent_to(root.address)
    assert "You run this server, so you cannot add a phrase" in told[-1].words
    table.answer(1, "join", to=mail.reply_to, sender=root.address)
    assert table.game(game.id).seats[1].status == "joined"


@pytest.mark.rule("GEN-4", "GEN-17")
def test_adjudicate_a_game(table: Table) -> None:
    """The admin sets the ranking. The secret opens, all players read the reason, and the export verifies."""
    game = table.skip(table.started(3), 4)
    for ranking, said in [
        ("Anna, Bob", "everybody who still plays"),
        ("Anna, Anna, Bob, Carol", "twice"),
        ("Anna, Zoe", "Zoe"),
    ]:
        with pytest.raises(Refusal, match=said):
            acts.adjudicate(table.service, game.id, ranking, "x")
    after = acts.adjudicate(table.service, game.id, "carol, Anna = Bob", "The server moves.")
    table.run()
    assert after.status == "finished"
    assert after.finished.ranking == ((2,), (0, 1))
    for seat in range(3):
        words = table.last_to(seat).words
        assert "The server moves." in words
        assert "an admin decided them" in words
    assert "You won" in table.last_to(2).words
    report = verify_file(table.export(game.id))
    assert report.complete
    assert any("ranking is an admin's" in check for check in report.checks)
    assert table.read(lambda uow: uow.projections.game(game.id)).status == "finished"
    assert replays.replay(table.service, game.id).steps[-1].text.startswith("An admin ended")


def test_who_plays_does_not_adjudicate_alone(table: Table) -> None:
    """An admin who plays must name another admin as judge, who does not play and is notified."""
    table.service = configured(table.service, admins=("bob@example.org",))
    game = table.skip(table.started(2), 2)
    with pytest.raises(Refusal, match="does not decide it alone"):
        acts.adjudicate(table.service, game.id, "Bob, Anna", "I won")
    both = frozenset({"bob@example.org", "root@example.org"})
    table.service = configured(table.service, admins=both)
    with pytest.raises(Refusal, match="--judge"):
        acts.adjudicate(table.service, game.id, "Bob, Anna", "I won")
    for judge in ("bob@example.org", "anna@example.org"):
        with pytest.raises(Refusal, match="does not play"):
            acts.adjudicate(table.service, game.id, "Bob, Anna", "I won", judge=judge)
    acts.adjudicate(table.service, game.id, "Anna, Bob", "agreed", judge="root@example.org")
    table.run()
    assert "with a judge who does not play" in table.last_to(0).words
    assert "neutral judge" in table.sent_to("root@example.org")[0].words
