"""Test that sentences are answered with the requested information and change nothing."""

from __future__ import annotations

import pytest

from pbem.domain.table.game import Game
from tests.service.conftest import Sent, Table
from tests.service.lobby.test_lobby import known, own

ASKED = (
    ("unsubscribe", '"resign confirm", "reminders off" or "digest 8"'),
    ("stop mailing me", "resign confirm"),
    ("fewer mails please", '"digest 8", "reminders off", "replace me with carol@example.org" or'),
    ("I quit", "resign confirm"),
    ("I'm on holiday until Friday", "vacation until Friday"),
    ("I need more time", "pause"),
    ("can I take that back?", "undo"),
    ("who is winning?", "Your hand"),
    ("what does god mean?", "the top card of the stock is turned over"),
    ("help god", "the top card of the stock is turned over"),
    ("what is PHY-22?", "you are out and safe"),
    ("rules PHY-22", "you are out and safe"),
    ("How do I pick up the pile?", "Pick up the whole pile"),
    ("whose turn is it?", "Your hand"),
    ("Bob never answers", "replace"),
    ("stop reminding me", "reminders off"),
    ("mails in German please", "language de"),
    ("Wonderful weather today", "say Wonderful weather today"),
)


def test_each_gets_a_way_forward_and_changes_nothing(table: Table) -> None:
    """No sentence records an event, and each answer contains the order or the information."""
    game = table.skip(table.started(2), 4)
    seat = game.to_act[0]
    to = table.last_to(seat).reply_to
    for line, wanted in ASKED:
        table.clock.forward(hours=1)
        assert wanted in table.ask(seat, line, to=to).words, line
    assert table.game(game.id).position == game.position
    assert table.game(game.id).seats[seat].status == "joined"


@pytest.mark.parametrize(
    ("language", "line", "status"),
    [
        ("en", "Sure!", "joined"),
        ("en", "Yes, gladly!", "joined"),
        ("en", "No thanks, not this time", "declined"),
        ("en", "yes, but only from next week", "invited"),
        ("en", "stop mailing me", "invited"),
        ("de", "Ich mache mit", "joined"),
        ("de", "Ja, gern!", "joined"),
        ("en", "k", "joined"),
        ("en", "Auf Deutsch bitte!\nJa super, bin dabei!", "joined"),
        ("en", "unsubscribe\nyes please", "invited"),
    ],
)
def test_the_plain_answer_to_an_invitation(
    table: Table, language: str, line: str, status: str
) -> None:
    """A line that says only yes or no is the answer. Otherwise the player is asked."""
    game = table.new_game(3)
    if language == "de":
        table.answer(1, "language de")
    table.answer(1, line)
    assert table.game(game.id).seats[1].status == status
    if status == "invited":
        assert "decline" in table.last_to(1).words


@pytest.mark.parametrize(
    ("language", "line", "vote"),
    [
        ("en", "ok", True),
        ("en", "Sure!", True),
        ("en", "\U0001f44d", True),
        ("en", "\U0001f44d\U0001f3fd", True),
        ("en", "rather not", False),
        ("de", "passt", True),
        ("de", "ja klar", True),
        ("de", "nö", False),
        ("en", "yeah", True),
        ("en", "k", True),
        ("de", "Ja gern!", True),
        ("de", "Ja, ich mach mit!", True),
        ("en", "ok?", None),
        ("en", "ok, but not for long", None),
        ("en", "great game!", None),
        ("de", "passt mir gerade nicht", None),
        ("de", "super", None),
    ],
)
def test_an_informal_answer_to_the_only_open_vote(
    table: Table, language: str, line: str, vote: bool | None
) -> None:
    """A line of nothing but agreement is a vote, and praise or a condition is not."""
    game = table.started(4)
    if language == "de":
        table.answer(0, "language de")
    table.answer(1, "pause")
    table.answer(0, line)
    assert table.game(game.id).votes["pause"].get(0) is vote


def test_an_informal_answer_to_two_votes_or_to_the_end_of_the_game_counts_for_none(
    table: Table,
    trio: Game,
) -> None:
    """Which vote is meant would be a guess, and the end of a game takes a plain yes."""
    table.answer_twice(1, "end game")
    assert table.game(trio.id).votes["end"] == {1: True}
    table.answer(0, "ok")
    table.answer(0, "\U0001f44d")
    assert table.game(trio.id).votes["end"] == {1: True}
    table.answer(1, "pause")
    table.answer(0, "ok")
    now = table.game(trio.id)
    assert (now.votes["end"], now.votes["pause"]) == ({1: True}, {1: True})


@pytest.mark.parametrize("is_bare", [False, True])
def test_unsubscribe_stops_mails_where_that_binds_nobody(
    table: Table, game: Game, is_bare: bool
) -> None:
    """After the last game, stop the messages until the player writes again."""

    def unsubscribe() -> Sent:
        if not is_bare:
            return table.ask(1, "unsubscribe")
        table.clock.forward(hours=2)
        table.answer(1, "unsubscribe", to=table.service.own_address)
        return table.ask(1, "yes", to=table.question(1).reply_to)

    assert ("reminders off" if is_bare else "once you leave your games") in unsubscribe().words
    table.answer_twice(0, "resign confirm")
    assert table.game(game.id).is_over
    assert "This is the last mail from here" in unsubscribe().words
    assert table.read(lambda uow: uow.deliverability.unreachable(game.seats[1].player)) is not None
    table.answer(1, "games")
    assert table.read(lambda uow: uow.deliverability.unreachable(game.seats[1].player)) is None


def test_a_mail_of_which_a_line_was_not_understood_is_done_only_in_part(table: Table) -> None:
    """The headline says so, and the unread line does not speak for the whole message."""
    game, seat, order = table.start(2)
    table.answer(seat, f"{order}\nI need more time")
    assert table.game(game.id).position > game.position
    told = table.last_to(seat).words
    assert "Only a part of your mail was carried out." in told
    assert "I don't understand this line, so nothing was done about it." in told
    assert (
        "I don't understand this line, so nothing was done. "
        in table.ask(1 - seat, "I need more time").words
    )


@pytest.mark.parametrize(
    ("language", "line", "rule"),
    [
        ("en", "can i play two cards at once?", "PHY-8"),
        ("en", "may I lay several cards together?", "PHY-8"),
        ("de", "darf ich zwei Karten auf einmal legen?", "PHY-8"),
        ("de", "kann man mehrere Karten gleichzeitig spielen?", "PHY-8"),
    ],
)
def test_a_question_about_several_cards_brings_its_rule(
    table: Table, language: str, line: str, rule: str
) -> None:
    """It asks for the rule rather than for the moves of this turn."""
    game, seat, _ = table.start(2)
    turn = table.last_to(seat).reply_to
    table.answer(seat, f"language {language}")
    assert rule in table.ask(seat, line, to=turn).words
    assert table.game(game.id).position == game.position


def test_a_suggested_message_has_its_order_word_once(table: Table) -> None:
    """A line that begins with "sag" is suggested with a colon behind that word."""
    seat = 1 - table.started(2).to_act[0]
    table.answer(seat, "language de")
    words = table.ask(seat, "sag kommt schon, ihr zwei").words
    assert "sag: kommt schon, ihr zwei" in words
    assert "sag: sag" not in words


@pytest.mark.parametrize(
    ("language", "line", "is_over"),
    [
        ("en", "yeah", True),
        ("en", "k", True),
        ("de", "Ja gern!", True),
        ("de", "Ja, das war ich", True),
        ("de", "Ja, ich mach mit!\n\nViele Grüße\nBob", True),
        ("en", "nope", False),
        ("en", "ok?", None),
        ("en", "yes, but only tomorrow", None),
        ("en", "sure\nwait, maybe later", None),
    ],
)
def test_a_confirmation_takes_the_words_of_a_vote(
    table: Table, game: Game, language: str, line: str, is_over: bool | None
) -> None:
    """An unclear answer is asked about."""
    table.answer(1, f"language {language}")
    table.answer(1, "resign confirm")
    table.answer(1, line, to=table.question(1).reply_to)
    assert table.game(game.id).is_over is (is_over is True)
    assert ("Please answer yes" in table.last_to(1).words) is (is_over is None)


def test_a_move_in_answer_to_the_rules_brings_the_turn_mail(table: Table) -> None:
    """The game is clear, so its turn message comes again with the words of the move."""
    game, seat, order = table.start(2)
    table.answer(seat, "rules")
    table.answer(seat, order)
    assert table.game(game.id).position == game.position
    assert "Please answer this mail instead" in table.last_to(seat).words
    table.answer(seat, order)
    assert table.game(game.id).position > game.position


@pytest.mark.parametrize(
    ("language", "line", "told", "order"),
    [
        ("en", "new phalanks", "Did you mean phalanx?", "new phalanx with bot"),
        (
            "en",
            "new game of phalanks with bob@example.org, 2 days a move",
            "Did you mean phalanx?",
            "new phalanx with bob@example.org, 2 days a move",
        ),
        (
            "de",
            "neue Partie phalanks mit bob@example.org, 3 Tage pro Zug",
            "Meintest du phalanx?",
            "neu phalanx mit bob@example.org, 3 Tage pro Zug",
        ),
    ],
)
def test_a_misspelt_game_comes_back_as_the_whole_order(
    table: Table, language: str, line: str, told: str, order: str
) -> None:
    """Suggest the order instead of guessing. Sent as it is, it makes the game."""
    to = own(table, known(table))
    table.answer(0, f"language {language}", to=to)
    assert told in table.ask(0, line, to=to).words
    assert f'"{order}"' in table.last_to(0).words
    assert "Phalanx" in table.ask(0, order, to=to).message["Subject"]


def test_a_sentence_about_a_move_is_offered_moves_and_plays_none(table: Table) -> None:
    """Offer the nearest legal moves before anything about the greeting. Each is one tap."""
    game, seat, order = table.start(2)
    card = order.split()[1]
    answer = table.ask(seat, f"Dear Sir or Madam,\nhmm, {card} looks quite tempting today")
    assert f'"{order}"' in answer.words
    assert "say Dear Sir" not in answer.words
    assert table.game(game.id).position == game.position
    assert f"body={order.replace(' ', '%20')}" in answer.html
    table.answer(seat, order, to=answer.reply_to)
    assert table.game(game.id).position > game.position
