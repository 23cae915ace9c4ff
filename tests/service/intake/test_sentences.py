"""People write sentences: each is answered with what it asks for, and nothing is carried out."""

from __future__ import annotations

import pytest

from pbem.domain.log.motion_events import VoteCast
from tests.service.conftest import Table
from tests.service.core.test_claims import forge
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
    """One game, many sentences; no event, and each answer has the order or the answer itself."""
    game = table.skip(table.started(2), 4)
    seat = game.to_act[0]
    to = table.last_to(seat).reply_to
    for line, wanted in ASKED:
        table.clock.forward(hours=1)
        table.answer(seat, line, to=to)
        assert wanted in table.last_to(seat).words, line
    assert table.game(game.id).position == game.position
    assert table.game(game.id).seats[seat].status == "joined"


def test_the_order_of_an_intent_is_one_tap(table: Table) -> None:
    """A link with the order as its text, which needs only to be sent."""
    game = table.started(2)
    table.answer(game.to_act[0], "Sorry, I am away until Monday")
    html = table.last_to(game.to_act[0]).message.get_body(("html",))
    assert html is not None
    assert "body=vacation%20until%20Monday" in html.get_content()


def test_a_sentence_beside_a_move_brings_no_mail_of_its_own(table: Table) -> None:
    """The move is played, and a question in the chat below it changes nothing of that."""
    game = table.started(2)
    seat, order = table.standby(game)
    before = len(table.mails_to(seat))
    table.answer(seat, f"{order}\nWhat are the rules again? I forgot the rules.")
    assert table.game(game.id).position > game.position
    assert len(table.mails_to(seat)) == before + 1


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
    ],
)
def test_the_plain_answer_to_an_invitation(
    table: Table, language: str, line: str, status: str
) -> None:
    """A whole line that says yes or no is the answer; anything else is asked back."""
    game = table.new_game(3)
    if language == "de":
        table.answer(1, "language de")
    table.answer(1, line)
    assert table.game(game.id).seats[1].status == status
    if status == "invited":
        assert "decline" in table.last_to(1).words


@pytest.mark.parametrize(
    ("language", "line", "is_for"),
    [
        ("en", "No thanks", False),
        ("de", "Nein danke", False),
        ("de", "Ja gerne", True),
        ("en", "join kitten", None),
    ],
)
def test_a_plain_answer_to_a_vote(
    table: Table, language: str, line: str, is_for: bool | None
) -> None:
    """Who has joined can only mean the vote; a phrase to join with is still refused."""
    game = table.started(3)
    table.answer(1, f"language {language}", to=table.last_to(1).reply_to)
    table.answer(0, "pause")
    table.answer(1, line)
    votes = [event.event for event in table.log(game) if isinstance(event.event, VoteCast)]
    assert [vote.is_for for vote in votes if vote.seat == 1] == [is_for] * (is_for is not None)


def test_unsubscribe_stops_mails_where_that_binds_nobody(table: Table) -> None:
    """After the last game it is done at once; the next mail of the person ends it."""
    game = table.started(2)
    table.answer(1, "unsubscribe")
    assert "once you leave your games" in table.last_to(1).words
    table.answer_twice(0, "resign confirm")
    assert table.game(game.id).is_over
    table.answer(1, "unsubscribe")
    assert "This is the last mail from here" in table.last_to(1).words
    with table.service.store.reading() as uow:
        assert uow.reach.loss(game.seats[1].player) is not None
    table.answer(1, "games")
    with table.service.store.reading() as uow:
        assert uow.reach.loss(game.seats[1].player) is None


def test_yes_to_the_question_whether_to_stop_does_it(table: Table) -> None:
    """Who is at a table reads after the yes why it cannot be kept."""
    game = table.started(2)
    bare = table.service.config.service.address
    table.answer(1, "unsubscribe", to=bare)
    table.answer(1, "yes", to=table.question(1).reply_to)
    assert "reminders off" in table.last_to(1).words
    table.answer_twice(0, "resign confirm")
    assert table.game(game.id).is_over
    table.clock.forward(hours=2)
    table.answer(1, "unsubscribe", to=bare)
    assert 'Carry out "unsubscribe"?' in table.question(1).words
    table.answer(1, "yes", to=table.question(1).reply_to)
    assert "This is the last mail from here" in table.last_to(1).words
    with table.service.store.reading() as uow:
        assert uow.reach.loss(game.seats[1].player) is not None


def test_sentences_to_the_bare_address(table: Table) -> None:
    """Without a game, too, everything gets a way forward."""
    player = known(table)
    to = own(table, player)
    for line, wanted in (
        ("I would like to play a game", "new phyliss with bot"),
        ("show me the rankings", "You have not finished a game yet"),
        ("what is flanking?", "counts for you next door"),
        ("can I play against the computer?", "new phyliss with bot"),
        ("stop mailing me", "unsubscribe"),
    ):
        table.clock.forward(hours=1)
        table.answer(0, line, to=to)
        assert wanted in table.last_to(0).words, line


def test_a_move_in_answer_to_the_rules_brings_the_turn_mail(table: Table) -> None:
    """It is clear which game is meant: the mail to answer comes again, with the words."""
    game = table.started(2)
    seat, order = table.standby(game)
    table.answer(seat, "rules")
    table.answer(seat, order)
    assert table.game(game.id).position == game.position
    told = table.last_to(seat)
    assert "Please answer this mail instead" in told.words
    table.answer(seat, order)
    assert table.game(game.id).position > game.position


def test_who_joins_a_game_that_was_called_off_reads_that(table: Table) -> None:
    """Not that it has begun."""
    game = table.new_game(2)
    to = table.last_to(0).reply_to
    table.answer(1, "decline")
    assert table.game(game.id).is_over
    table.answer(0, "join", to=to)
    assert "called off before it began" in table.last_to(0).words


def test_the_example_of_a_vacation_is_within_the_usual_days(table: Table) -> None:
    """What our mails suggest is accepted with the settings that nobody has changed."""
    game = table.started(2)
    table.answer(0, "vacation 20 Dec to 2 Jan")
    assert "from 20 December 2026 to 2 January 2027" in table.last_to(0).words
    assert table.game(game.id).seats[0].vacations


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
    """It is suggested, not guessed; sent as it stands, it makes the game."""
    player = known(table)
    to = own(table, player)
    table.answer(0, f"language {language}", to=to)
    table.answer(0, line, to=to)
    assert told in table.last_to(0).words
    assert f'"{order}"' in table.last_to(0).words
    table.answer(0, order, to=to)
    assert "Phalanx" in table.last_to(0).message["Subject"]


def test_a_sentence_about_a_move_is_offered_moves_and_plays_none(table: Table) -> None:
    """The nearest legal moves, each one tap; one of them is then a whole answer."""
    game = table.started(2)
    seat, order = table.standby(game)
    card = order.split()[1]
    table.answer(seat, f"Hello all\nhmm, {card} looks quite tempting today")
    answer = table.last_to(seat)
    assert f'"{order}"' in answer.words
    assert table.game(game.id).position == game.position
    html = answer.message.get_body(("html",))
    assert html is not None
    assert f"body={order.replace(' ', '%20')}" in html.get_content()
    table.answer(seat, order, to=answer.reply_to)
    assert table.game(game.id).position > game.position


PROPOSED = (
    ("new phyliss with bob@example.org and Carol <c@example.org>, 3 days per move", "new"),
    ("join k7q2m3x9ab", "join"),
    ("vacation 24 Dec to 3 Jan", "vacation"),
    ("timezone tokyo", "timezone"),
    ("digest 8", "digest"),
    ("language de", "language"),
)


def test_an_unproven_order_is_asked_about_in_our_own_words(table: Table) -> None:
    """The question names the order and repeats nothing of what anybody could have written behind it."""
    table.new_game(2)
    for line, order in PROPOSED:
        table.clock.forward(hours=6)
        (question,) = forge(table, line)
        assert f'Carry out "{order}"?' in question.words, line
        assert 'Reply "yes" if you wrote this' in question.words, line
        assert line.removeprefix(f"{order} ") not in question.words
        assert table.inbox()[-1].status == "held"
    table.answer(0, "language de", to=table.mails_to(0)[0].reply_to)
    for line, order in (
        ("neue Partie Phyliss mit bob@example.org", "neu"),
        ("beitreten k7q2m3x9ab", "beitreten"),
        ("tagesmail 8", "tagesmail"),
    ):
        table.clock.forward(hours=6)
        (question,) = forge(table, line)
        assert f'Soll "{order}" ausgeführt werden?' in question.words, line


def test_an_unproven_order_that_is_wrong_is_refused_after_the_answer(table: Table) -> None:
    table.new_game(2)
    (question,) = forge(table, "timezone Mars")
    table.answer(0, "yes", to=question.reply_to)
    assert "Mars" in table.last_to(0).words
    assert "Nothing was changed." in table.last_to(0).words


def test_a_move_before_the_seat_is_taken(table: Table) -> None:
    """Whoever is still invited is offered the seat."""
    table.new_game(2)
    table.answer(1, "21")
    assert 'This would be allowed: "join"' in table.last_to(1).words
