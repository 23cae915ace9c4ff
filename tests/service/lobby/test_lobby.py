"""Test games created by mail: `new …`, invitations, declines, bots and time."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from pbem.bots import ProcessThinker
from pbem.domain.table.game import Game
from pbem.domain.terms.tokens import PlayerToken
from pbem.errors import Refusal
from pbem.sections import Bot
from pbem.service.core import games
from pbem.service.lobby import creation as lobby
from pbem.service.lobby import expiry
from pbem.service.lobby.new_game import Proposal, shorter
from pbem.store.people.players import Player
from tests.service.conftest import NAMES, Sent, Table, configured, failing

ANNA, BOB, CAROL, DORA = (f"{name}@example.org" for name in ("anna", "bob", "carol", "dora"))
BARE = "game@play.example.org"


def known(table: Table, name: str = "Anna") -> Player:
    """Register a player without games."""
    with table.service.store.unit_of_work() as uow:
        player = uow.players.add(name, "Europe/Berlin", created_at=table.clock.now())
        uow.players.add_address(player.id, f"{name.lower()}@example.org", is_primary=True)
    return player


def own(table: Table, player: Player) -> str:
    """Return the reply address of a player that belongs to no game."""
    return table.service.tokens.address(PlayerToken(player.id))


def write(table: Table, sender: str, to: str, text: str) -> list[Sent]:
    """Write a mail from an unrelated envelope sender, and return the messages that follow."""
    return table.send(sender, to, text, mail_from="somebody@example.org")


def to(mails: list[Sent], address: str) -> Sent:
    (mail,) = [mail for mail in mails if mail.rcpt_to == address]
    return mail


def the_game(table: Table) -> Game:
    return table.read(lambda uow: table.game(uow.projections.games()[-1].id))


def made(table: Table, wish: str) -> list[Sent]:
    return write(table, ANNA, own(table, known(table)), wish)


def statuses(table: Table) -> list[str]:
    return [seat.status for seat in the_game(table).seats]


# --- new ------------------------------------------------------------------------------------------


def test_a_game_over_several_lines(table: Table) -> None:
    """Read players, options and clock in any spelling, and invite all players."""
    mails = made(
        table,
        "Hello!\n\nnew phalanx with bob@example.org,\nCarol C. <carol@example.org>, bot\n"
        "max battles = 3\n2d per move, weekends off\n\nSee you\nAnna",
    )
    game = the_game(table)
    assert [mail.rcpt_to for mail in mails] == [ANNA, BOB, CAROL]
    assert (game.options["max_battles"], game.timing.time_per_move) == (3, 2 * 86400)
    assert game.timing.weekends_off
    assert statuses(table) == ["joined", "invited", "invited", "joined"]
    told = mails[0]
    assert "Bob: is invited" in told.words
    assert "Carol C: is invited" in told.words
    assert ": 24 days if everyone" in told.words
    assert game.commitment in told.text
    assert "Anna invites you to Phalanx" in to(mails, BOB).words
    assert game.commitment in to(mails, BOB).text
    table.answer(1, "join")
    table.answer(2, "join phrase: green tea")
    assert the_game(table).status == "running"


def test_from_alone_is_not_enough(table: Table) -> None:
    """A message to the bare address needs a yes from the registered address."""
    known(table)
    (asked,) = write(table, ANNA, BARE, "new phyliss with bob@example.org")
    assert asked.rcpt_to == ANNA
    assert "bob@example.org" not in asked.text
    with table.service.store.reading() as uow:
        assert uow.projections.games() == []
        assert uow.players.by_address(BOB) is None
    assert write(table, BOB, asked.reply_to, "yes") == []
    mails = write(table, ANNA, asked.reply_to, "yes")
    assert [mail.rcpt_to for mail in mails] == [ANNA, BOB]
    assert "settled already" in write(table, ANNA, asked.reply_to, "yes")[0].words


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("new phalnx with bob@example.org", 'no game called "phalnx"'),
        ("new phalanx with bob@example.org max_batles 3", "Did you mean max_battles"),
        ("new phyliss with bob@example.org, deals 0", "set up: option deals: 0 is not allowed"),
        ("new phyliss with 9 bots", "2 to 5 players"),
        ("new phyliss", "2 to 5 players"),
        ("new phyliss open", "How many players"),
        ("new phyliss with bob@example.org, quiet 8-8", "clock"),
        ("new", "for example: new phalanx"),
    ],
)
def test_a_wrong_game_is_refused_before_a_yes_is_asked_for(
    table: Table, wish: str, said: str
) -> None:
    """In one mail, whose reply needs no second yes. The people named in it learn nothing of it."""
    known(table)
    (refused,) = write(table, ANNA, BARE, wish)
    assert said in refused.words
    assert "Carry out" not in refused.words
    assert write(table, ANNA, BARE, wish) == []
    mails = write(table, ANNA, refused.reply_to, "new phyliss with bob@example.org")
    assert [mail.rcpt_to for mail in mails] == [ANNA, BOB]


def test_who_is_invited_is_checked_only_after_the_yes(table: Table) -> None:
    """Else anybody could learn from the kind of mail who plays here, and who wants no invitations."""
    known(table)
    (asked,) = write(table, ANNA, BARE, "new phyliss with Zoe")
    assert 'Carry out "new"?' in asked.words
    (refused,) = write(table, ANNA, asked.reply_to, "yes")
    assert "anybody you have played with" in refused.words


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("new phalnx with bob@example.org", 'no game called "phalnx"'),
        ("new phalanx with bob@example.org max_batles 3", "Did you mean max_battles"),
        ("new phyliss with bob@example.org, deals 0", "set up: option deals: 0 is not allowed"),
        ("new phyliss with Zoe", "anybody you have played with"),
        ("new phyliss with bob@example.org, bob@example.org", "named twice"),
        ("new phyliss with anna@example.org and ANNA@example.org", "named twice"),
        ("new phyliss with game@play.example.org", "address of this service"),
        ("new phyliss with bob@", "do not understand"),
        ("new phyliss with 9 bots", "2 to 5 players"),
        ("new phyliss", "2 to 5 players"),
        ("new phyliss open", "How many players"),
        ("new phyliss with bob@example.org, open 2 players, 5d", "do not understand"),
        ("new phyliss with bob@example.org, quiet 8-8", "clock"),
        ("new", "for example: new phalanx"),
    ],
)
def test_a_refusal_teaches_and_makes_nothing(table: Table, wish: str, said: str) -> None:
    """The answer names the unknown words. No person is invited or registered."""
    (answer,) = made(table, wish)
    assert answer.rcpt_to == ANNA
    assert said in answer.words
    with table.service.store.reading() as uow:
        assert uow.projections.games() == []
        assert len(uow.players.list()) == 1


def test_seats_by_lot_follow_from_the_secret(table: Table) -> None:
    """The opened secret gives the same order again, which no player can choose."""
    from hashlib import sha256  # noqa: PLC0415

    from engine.shuffle import shuffle  # noqa: PLC0415

    made(table, "new phyliss with bob@example.org, carol@example.org, 2 bots, seats by lot")
    game = the_game(table)
    players = [seat.player for seat in game.seats]
    seed = sha256(b"pbem-seats-v1" + bytes.fromhex(game.server_secret)).digest()
    assert players == list(shuffle(sorted(players), seed, 0))


def test_nobody_learns_whether_an_address_is_registered(table: Table) -> None:
    """Known and unknown people get the same text, with the name given by the inviting player."""
    known(table, "Bob")
    with table.service.store.unit_of_work() as uow:
        uow.players.add_address(uow.players.by_address(BOB).id, "robert@example.org")
    mails = made(table, "new phyliss with Bert <robert@example.org>, Carol <carol@example.org>")
    told, other = to(mails, ANNA), to(mails, CAROL)
    for mail in (told, other):
        assert "Bob" not in mail.text + str(mail.message["Subject"])
    assert "Bert: is invited" in told.words
    assert "Bert" in other.words


# --- answers --------------------------------------------------------------------------------------


def test_somebody_declines_and_the_maker_is_asked(table: Table) -> None:
    """Another player is invited, then a bot takes a seat."""
    made(table, "new phyliss with bob@example.org, carol@example.org")
    before = len(table.delivery.mails)
    table.answer(1, "decline")
    asked = to([m for m in table.delivery.mails[before:] if m.rcpt_to == ANNA], ANNA)
    assert "Bob declined your invitation" in asked.words
    assert "start without" in asked.words
    mails = write(table, ANNA, asked.reply_to, "invite Dora <dora@example.org>")
    assert {mail.rcpt_to for mail in mails} == {ANNA, DORA}
    assert "Invited: Dora." in to(mails, ANNA).words
    table.answer(2, "join")
    table.answer(3, "decline")
    table.answer(0, "hard bot")
    game = the_game(table)
    assert game.status == "running"
    assert game.seats[1].player == "bot:hard:adabot"


def test_the_maker_starts_without_a_seat_in_one_step(table: Table) -> None:
    """Seats are fixed (GEN-4), so a new game replaces the old one, and all others are asked again."""
    made(table, "new phyliss with bob@example.org, carol@example.org, deals 2")
    first = the_game(table)
    table.answer(2, "join phrase: old words")
    table.answer(1, "decline")
    before = len(table.delivery.mails)
    table.clock.forward(minutes=5)
    table.answer(0, "start without")
    mails = table.delivery.mails[before:]
    assert sorted(mail.rcpt_to for mail in mails) == [ANNA, CAROL]
    second = the_game(table)
    assert table.game(first.id).status == "stopped"
    assert (second.options["deals"], len(second.seats)) == (2, 2)
    assert second.commitment != first.commitment
    assert second.commitment in to(mails, CAROL).text
    assert second.seats[1].phrase is None
    table.answer(2, "join")
    assert the_game(table).status == "running"


def test_a_seat_is_given_to_somebody_else_before_an_answer(table: Table) -> None:
    """The first invited player is notified and can no longer join."""
    made(table, "new phyliss with bob@example.org, carol@example.org")
    old = table.last_to(1)
    before = len(table.delivery.mails)
    table.answer(0, "invite dora@example.org instead of bob")
    mails = table.delivery.mails[before:]
    assert "Somebody else has your seat by now" in to(mails, BOB).words
    assert "Anna invites you" in to(mails, DORA).words
    table.answer(1, "join", to=old.reply_to)
    assert statuses(table) == ["joined", "invited", "invited"]


def test_whoever_made_it_calls_it_off(table: Table) -> None:
    """All invited players are notified."""
    made(table, "new phyliss with bob@example.org, carol@example.org")
    table.answer(0, "decline")
    assert the_game(table).status == "stopped"
    assert "called it off" in table.last_to(2).words


# --- bots -----------------------------------------------------------------------------------------


def test_somebody_elses_bot_plays_a_game_by_mail(table: Table) -> None:
    """The bot of docs/dev/bots.md plays in its own process to the end of the game."""
    page = Path(__file__).parents[3] / "docs" / "dev" / "bots.md"
    (program,) = re.findall(r"```python\n(import json.*?)```", page.read_text(), re.DOTALL)
    command = (sys.executable, "-c", program)
    thinker = ProcessThinker({"mybot": (command, 20)})
    table.service = configured(table.service, bots={"mybot": Bot(command=command)}, thinker=thinker)
    made(table, "new phyliss with bot mybot, max_plies 8")
    assert the_game(table).seats[1].player == "bot:mybot:adabot"
    table.answer(0, "join")
    for _ in range(12):
        table.run()
        game = the_game(table)
        if game.is_over:
            break
        table.answer(0, table.standby(game)[1])
    thinker.close()
    moves = [e.event for e in table.log(game) if type(e.event).__name__ == "MovePlayed"]
    assert game.is_over
    assert {move.source for move in moves if move.seat == 1} <= {"bot", "forced"}
    assert any(move.source == "bot" for move in moves)
    assert not [row for row in table.outbox() if row.kind == "alert"]


def test_a_bot_that_is_not_what_it_says_costs_a_cautious_move(table: Table) -> None:
    """Alert the admins once per game, and do not let the table wait."""
    command = (sys.executable, "-c", 'print(input() and \'{"move": "play 99"}\')')
    thinker = ProcessThinker({"mybot": (command, 20)})
    table.service = configured(
        table.service,
        admins=("admin@example.org",),
        bots={"mybot": Bot(command=command)},
        thinker=thinker,
    )
    made(table, "new phyliss with bot mybot")
    table.answer(0, "join")
    for _ in range(6):
        table.run()
        game = the_game(table)
        if 0 in game.to_act:
            table.answer(0, table.standby(game)[1])
    thinker.close()
    moves = [e.event for e in table.log(game) if type(e.event).__name__ == "MovePlayed"]
    assert len([move for move in moves if move.source == "bot"]) > 1
    (alert,) = table.sent_to("admin@example.org")
    assert "the bot mybot did not play: its move is not legal" in alert.words


@pytest.mark.rule("GEN-4")
def test_against_bots_the_cards_wait_for_join(table: Table) -> None:
    """After the commitment and the join, the bots move at once without messages."""
    (told,) = made(table, "new phyliss with medium bot, bot")
    game = the_game(table)
    assert game.state is None
    assert game.commitment in told.text
    assert [seat.player for seat in game.seats[1:]] == ["bot:medium:adabot", "bot:easy:bitbot"]
    table.answer(0, "join")
    table.run()
    game = the_game(table)
    assert game.to_act == (0,)
    assert {mail.rcpt_to for mail in table.delivery.mails} == {ANNA}
    assert "Adabot" in table.last_to(0).words
    table.answer(0, table.standby(game)[1])
    table.run()
    moves = [e.event for e in table.log(game) if type(e.event).__name__ == "MovePlayed"]
    assert {move.source for move in moves if move.seat} == {"bot"}


# --- time -----------------------------------------------------------------------------------------


def test_an_invitation_is_said_once_more_then_runs_out(both: Table) -> None:
    """Remind once, ask the creator once, then stop the game."""
    made(both, "new phyliss with bob@example.org, carol@example.org")
    both.answer(2, "join")
    for days, count in ((6.9, 0), (0.2, 1), (0.1, 0), (6.9, 0)):
        before = len(both.delivery.mails)
        both.wait(days=days)
        expiry.process_due(both.service)
        both.run()
        new = both.delivery.mails[before:]
        if count:
            assert "is still waiting: will you play" in to(new, BOB).words
    assert statuses(both) == ["joined", "expired", "joined"]
    assert "hasn't answered your invitation" in both.last_to(0).words
    both.wait(days=6.9)
    assert the_game(both).status == "inviting"
    before = len(both.delivery.mails)
    both.wait(days=0.2)
    both.run()
    assert the_game(both).status == "stopped"
    assert sorted(mail.rcpt_to for mail in both.delivery.mails[before:]) == [ANNA, BOB, CAROL]
    assert "stayed empty for too long" in both.last_to(2).words


def test_a_refused_check_of_an_invitation_stops_no_game(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check is tried again later, and the game is not reported as stopped."""
    made(table, "new phyliss with bob@example.org, carol@example.org")
    table.clock.forward(days=7.1)
    with monkeypatch.context() as patch:
        patch.setattr(expiry, "_decide", failing(Refusal("no", "Not now.")))
        assert expiry.process_due(table.service) == 0
    assert expiry.process_due(table.service) == 0
    assert table.read(lambda uow: games.stopped(table.service, uow)) == []
    table.clock.forward(hours=games.PAUSE.total_seconds() / 3600)
    assert expiry.process_due(table.service) == 2


# --- never ----------------------------------------------------------------------------------------


def test_never_again(table: Table) -> None:
    """The inviting player reads only that the seat was declined. Later invitations have no effect."""
    anna = known(table)
    write(table, ANNA, own(table, anna), "new phyliss with bob@example.org, carol@example.org")
    table.answer_twice(1, "never")
    asked = table.last_to(0)
    assert "Bob declined your invitation" in asked.words
    assert "never" not in asked.text
    mails = write(table, ANNA, own(table, anna), "new phyliss with Bob <BOB+x@Example.org>, bot")
    assert [mail.rcpt_to for mail in mails] == [ANNA]
    assert "Bob: declined" in mails[0].words
    assert table.player("bob+x@example.org") is None
    table.answer(1, "invitations on", to=table.last_to(1).reply_to)
    mails = write(table, ANNA, own(table, anna), "new phyliss with bob@example.org")
    assert {mail.rcpt_to for mail in mails} == {ANNA, BOB}


def test_list_unsubscribe_of_an_invitation_is_never(table: Table) -> None:
    """The link and a yes decline the seat, and no invitation comes until the player allows it."""
    made(table, "new phyliss with bob@example.org, carol@example.org")
    link = table.last_to(1).message["List-Unsubscribe"]
    address = link.partition("mailto:")[2].partition("?")[0].replace("%2B", "+")
    table.send(BOB, address, "", Subject="stop")
    assert statuses(table) == ["joined", "invited", "invited"]
    question = table.question(1)
    assert "Nobody can invite you" in question.words
    assert (
        "You will not be invited from here again" in table.ask(1, "yes", to=question.reply_to).words
    )
    assert statuses(table) == ["joined", "declined", "invited"]
    invited = len(table.mails_to(1))
    assert "Bob declined." in table.ask(0, "invite bob@example.org").words
    assert len(table.mails_to(1)) == invited
    assert "People can invite you again." in table.ask(1, "invitations on").words


@pytest.mark.usefixtures("game")
def test_names_stand_for_people_with_whom_i_have_played(table: Table) -> None:
    """Other names are refused like nonsense."""
    stranger = known(table, "Dora")
    address = table.own_address(0)
    (refused,) = write(table, ANNA, address, "new phyliss with Dora")
    assert "anybody you have played with" in refused.words
    mails = write(table, ANNA, address, "new phyliss with bob")
    assert [mail.rcpt_to for mail in mails] == [ANNA, BOB]
    assert stranger.id not in {seat.player for seat in the_game(table).seats}


@pytest.mark.rule("PLX-V7")
@pytest.mark.parametrize(
    ("ruleset", "players", "options", "proposal"),
    [
        ("phalanx", 4, {}, Proposal("max_battles", 5, 107)),
        ("phase10", 2, {}, Proposal("phases_to_win", 5, 143)),
        ("phase10-family", 5, {}, None),
        ("phase10", 2, {"phases_to_win": 3}, None),
        ("phalanx", 2, {"max_battles": 7}, None),
        ("phyliss", 4, {}, None),
    ],
)
def test_a_long_game_comes_with_a_proposal(
    table: Table, ruleset: str, players: int, options: dict[str, object], proposal: Proposal | None
) -> None:
    """Propose shorter games only where their length was measured."""
    people = [lobby.Person(name, f"{name.lower()}@example.org") for name in NAMES[:players]]
    game = lobby.create_game(table.service, people, lobby.GamePlan(ruleset, options=options))  # type: ignore[arg-type]
    assert shorter(game) == proposal
