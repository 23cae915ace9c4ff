"""Test the parser of `new …`, in any spelling."""

from __future__ import annotations

from itertools import product

import pytest

from engine import registry
from pbem.domain.words.game_order import (
    GameOrder,
    Guest,
    read_game_order,
    read_guests,
    reads_as_game_order,
)
from pbem.domain.words.orders import read_lines
from pbem.domain.words.service_lines import read_service_words
from pbem.domain.words.service_words import Word
from pbem.errors import Refusal

BOB, CAROL = Guest("", "bob@example.org"), Guest("Carol", "carol@example.org")
EASY, HARD = Guest(level="easy"), Guest(level="hard")

PEOPLE = {
    "phyliss with bob@example.org": [BOB],
    "phyliss bob@example.org Carol <carol@example.org>": [BOB, CAROL],
    "Phyliss with bob@example.org and Carol <carol@example.org>": [BOB, CAROL],
    "phyliss: bob@example.org, 'Carol' <carol@example.org>.": [BOB, CAROL],
    "phyliss against carol@example.org (Carol); <bob@example.org>": [CAROL, BOB],
    "phyliss with bob@example.org<mailto:bob@example.org>": [BOB],
    "phyliss with Carol\n<carol@example.org>,\nbob@example.org": [CAROL, BOB],
    "phyliss with bot, bot": [EASY, EASY],
    "phyliss with 2 bots and a hard bot": [EASY, EASY, HARD],
    "phyliss with two hard bots": [HARD, HARD],
    "phyliss vs bot (hard)": [HARD],
    "phyliss with a medium bot": [Guest(level="medium")],
    "phyliss vs bot please": [EASY],
    "phyliss with bob@example.org and 2 bots, thank you very much!": [BOB, EASY, EASY],
    "phyliss please, Dave bitte": [Guest("Dave")],
    "phyliss with Anna Maria & me": [Guest("Anna Maria"), Guest(is_writer=True)],
    "phyliss with “Carol” <carol@example.org> and ‘Bob’ (bob@example.org)": [
        CAROL,
        Guest("Bob", "bob@example.org"),
    ],
    "phyliss with No Minwoo <bob@example.org>": [Guest("No Minwoo", "bob@example.org")],
    "a game of phyliss with bob.and.carol@example.org": [Guest("", "bob.and.carol@example.org")],
}


@pytest.mark.parametrize("text", PEOPLE)
def test_people(text: str) -> None:
    """By address with and without a name, by name, bots, oneself."""
    assert read_game_order(text).guests == PEOPLE[text]


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("phyliss with bot mybot", ["mybot"]),
        ("phyliss with bot mybot and bob@example.org", ["mybot", ""]),
        ("phyliss with 2 mybot bots, bot", ["mybot", "mybot", "easy"]),
        ("phyliss with bot, mybot", ["easy", ""]),
    ],
)
def test_other_peoples_bots_have_names(text: str, levels: list[str]) -> None:
    """Those that the server knows; the name alone is a person's."""
    read = read_game_order(text, bots=["mybot", "another"])
    assert [guest.level for guest in read.guests] == levels


@pytest.mark.parametrize(
    ("text", "options", "clock"),
    [
        (
            "phalanx with dave max_battles 3, 2d per move",
            {"max_battles": 3},
            {"time_per_move": "2d"},
        ),
        (
            "phalanx, dave, max battles=3; 2 days per move",
            {"max_battles": 3},
            {"time_per_move": "2 days"},
        ),
        ("phalanx dave MAX-BATTLES: 3\ntime 36h", {"max_battles": 3}, {"time_per_move": "36h"}),
        ("phalanx with dave, 5 battles, aces highest", {"max_battles": 5, "aces": "highest"}, {}),
        ("phase 10 with dave, phases 1, 3 and 5", {"phases": [1, 3, 5]}, {}),
        (
            "phase 10 with dave, phases 1-4, deck standard",
            {"phases": [1, 2, 3, 4], "deck": "standard"},
            {},
        ),
        (
            "phase 10 with dave even only, ten hands off",
            {"even_only": True, "ten_hands": False},
            {},
        ),
        ("phyliss with dave, bank 5d, weekends off", {}, {"bank": "5d", "weekends_off": "yes"}),
        (
            "phyliss with dave, no weekends, quiet 22-8",
            {},
            {"weekends_off": "yes", "quiet": "22-8"},
        ),
        ("phyliss with dave, falls at 20:00", {}, {"falls_at": "20:00"}),
        ("phyliss mit dave, ohne Wochenenden", {}, {"weekends_off": "yes"}),
        ("phyliss mit dave, Wochenende frei", {}, {"weekends_off": "yes"}),
        ("phyliss with dave, weekends on", {}, {"weekends_off": "no"}),
        ("phyliss with dave, falls at 20, ics", {}, {"falls_at": "20", "ics": "yes"}),
        ("phyliss with dave, on_timeout bot", {}, {"on_timeout": "bot"}),
    ],
)
def test_options_and_clock(text: str, options: dict[str, object], clock: dict[str, str]) -> None:
    """With blanks, hyphens, underscores, `=` and `:`, with a comma or without one."""
    wish = read_game_order(text)
    assert wish.guests == [Guest("dave")]
    assert (wish.options, wish.clock) == (options, clock)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("phase10", "phase10"),
        ("Phase 10", "phase10"),
        ("phase 10 family", "phase10-family"),
        ("Phase 10, family rules", "phase10-family"),
        ("the game PHALANX", "phalanx"),
        ("Phyllis", "phyliss"),
    ],
)
def test_which_game(text: str, name: str) -> None:
    assert read_game_order(f"{text} with dave").ruleset == name


@pytest.mark.parametrize(
    ("text", "players", "seats", "lot"),
    [
        ("phyliss open 4 players", 4, 0, False),
        ("phyliss open for 4", 4, 0, False),
        ("phyliss, open game, 3 players, seats by lot", 3, 0, True),
        ("phyliss with dave and two open seats", None, 2, False),
        ("phyliss with dave, seats as listed", None, 0, False),
        ("phyliss with dave, random seats", None, 0, True),
    ],
)
def test_places_and_order(text: str, players: int | None, seats: int, lot: bool) -> None:
    wish = read_game_order(text)
    assert (wish.players, wish.open_seats, wish.by_lot) == (players, seats, lot)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("phalnx with dave", 'no game called "phalnx"'),
        ("phalanx with dave max_batles 3", "Did you mean max_battles"),
        ("phyliss with dave, aces 2", 'do not understand "aces 2"'),
        ("phyliss with dave, 5 battles", "5 battles"),
        ("phase10 with dave, even_only maybe", "even_only is on or off"),
        ("phyliss with " + ", ".join(f"p{n}@example.org" for n in range(100)), "fit at no table"),
        ("phyliss with 100 bots", "fit at no table"),
        ("phyliss with dave, not bob@example.org", 'do not understand "not bob@example.org"'),
        ("phyliss with carol@example.org or bob@example.org", '"or bob@example.org"'),
        ("phyliss with dave but without bob@example.org", '"dave but without bob@'),
        ("phyliss with dave\nWithout bob@example.org", '"Without bob@example.org"'),
        ("phyliss with dave, with weekends", "Did you mean weekends_off"),
        ("phase10 with dave phases_to_wn=3", 'do not understand "dave phases_to_wn=3"'),
    ],
)
def test_what_is_not_understood_is_named(text: str, said: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_game_order(text)
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "phase 10 with bob@example.org, tie 3",
            (
                'I do not understand "tie 3". That isn\'t an option of Phase 10, an e-mail address, or'
                " anybody you have played with. Before that I read: bob@example.org. Write for"
                " example: new phase10 with bob@example.org, phases_to_win 5."
                ' "rules phase10" explains all options.'
            ),
        ),
        (
            "phase 10 with bob@example.org, 2 bots, deck standard, phasestowni 2",
            (
                'I do not understand "phasestowni 2". Did you mean phases_to_win or phases?'
                " phases_to_win can be: 1 to the length of the list of phases. Before that I read:"
                " bob@example.org, 2 bots, deck=standard. Write for example: new phase10 with"
                ' bob@example.org, phases_to_win 2. "rules phase10" explains all options.'
            ),
        ),
        (
            "phyliss with dave and per move 2 potatoes",
            (
                'I do not understand "per move 2 potatoes". Did you mean time_per_move? Before that I'
                " read: dave. Write for example: new phyliss with bob@example.org, time_per_move 2d."
                ' "rules phyliss" explains all options.'
            ),
        ),
    ],
)
def test_a_refusal_is_short_and_says_what_to_do(text: str, said: str) -> None:
    """What was not understood, the nearest option with its values, what was read, an example."""
    with pytest.raises(Refusal) as caught:
        read_game_order(text)
    assert caught.value.message == said
    assert caught.value.suggestions == ()


def test_the_example_of_a_refusal_is_understood() -> None:
    """Whatever was misspelt in whichever game; and no misspelt option is read as another one."""
    names = {option.name for rules in registry.latest() for option in rules.options}
    parts = [f"{name}x 3" for name in sorted(names)] + [
        f"{name[:-1]} 900" for name in sorted(names)
    ]
    for part, rules in product([*parts, "phasesx", "phases all", "moon=3"], registry.latest()):
        try:
            wanted = read_game_order(f"{rules.id.name} with dave, {part}")
        except Refusal as refusal:
            example = refusal.message.partition("Write for example: new ")[2]
            order = read_game_order(example.partition('. "')[0])
            rules.check_options(rules.players[0], order.options)
        else:
            assert wanted.options == {}, part


@pytest.mark.parametrize("text", ["phone, who dis", "job is going well", "year's eve was fun", ""])
def test_talk_about_something_new_is_no_wish(text: str) -> None:
    assert not reads_as_game_order(text)
    assert read_service_words(f"new {text}") is None or not text


def test_a_wish_goes_on_to_an_empty_line() -> None:
    """Or to a mark that ends the reading; what stands below is read as always."""
    text = "new phyliss with dave\n2 bots;max_plies 50\n\ngames\nnew phalanx with bot\n--\nbot"
    lines = read_lines(text, registry.latest())
    assert [line.word for line in lines] == [Word.NEW, Word.GAMES, Word.NEW]
    wish = read_game_order(lines[0].argument or "")
    assert wish == GameOrder("phyliss", [Guest("dave"), EASY, EASY], {"max_plies": 50})


@pytest.mark.parametrize(
    ("text", "is_allowed"),
    [
        ("phyliss with dave, anonymous talk", True),
        ("phyliss anonymous_talk on with dave", True),
        ("phyliss with dave and anonymous words please", True),
        ("phyliss mit dave, anonyme Worte", True),
        ("phyliss with dave, no anonymous talk", False),
        ("phyliss with dave, anonymous talk: off", False),
        ("phyliss with dave", False),
    ],
)
def test_words_without_a_name(text: str, is_allowed: bool) -> None:
    wish = read_game_order(text)
    assert (wish.guests, wish.anonymous_talk) == ([Guest("dave")], is_allowed)


def test_people_alone() -> None:
    """As in `invite …`: anything else is refused."""
    assert read_guests("phyliss", "Carol <carol@example.org>") == [CAROL]
    with pytest.raises(Refusal):
        read_guests("phyliss", "carol@example.org, deals 2")
    with pytest.raises(Refusal):
        read_guests("phyliss", "2 open seats")


@pytest.mark.parametrize(
    ("text", "word", "argument"),
    [
        ("join k7q2m3x4ab", Word.TAKE, "k7q2m3x4ab"),
        ("join game [k7q2m3x4ab]", Word.TAKE, "k7q2m3x4ab"),
        ("join k7q2m3x4ab phrase: tea; milk", Word.TAKE, "k7q2m3x4ab phrase: tea; milk"),
        ("join phrase: tea", Word.JOIN, "tea"),
        ("bot instead of Bob", Word.BOT, "bot instead of bob"),
        ("start without bob", Word.WITHOUT, "bob"),
        ("invite carol@example.org", Word.INVITE, "carol@example.org"),
        ("never", Word.NEVER, None),
        ("invitations on", Word.NEVER, "on"),
        ("invitations off", Word.NEVER, "off"),
        ("cancel", Word.DECLINE, None),
    ],
)
def test_words(text: str, word: Word, argument: str | None) -> None:
    said = read_service_words(text)
    assert said is not None
    assert (said.word, said.argument) == (word, argument)


def test_talk_with_such_words_is_no_order() -> None:
    for text in ("Invite me for coffee tomorrow, will you.", "bot or not", "started without you"):
        assert read_service_words(text) is None


def test_a_wish_in_german() -> None:
    """Word by word; the lines below belong to it as in English."""
    text = "Neue Partie Phyliss mit dave\n2 bots und starker bot\n3 tage pro zug\n\nnie wieder"
    lines = read_lines(text, registry.latest(), language="de")
    assert [line.word for line in lines] == [Word.NEW, Word.NEVER]
    wish = read_game_order(lines[0].argument or "")
    assert wish.guests == [Guest("dave"), EASY, EASY, HARD]
    assert wish.clock == {"time_per_move": "3 d"}
    (line,) = read_lines("Neues Spiel Phase 10 Familie mit zwei Bots", (), language="de")
    assert read_game_order(line.argument or "") == GameOrder("phase10-family", [EASY, EASY])
    (line,) = read_lines("neu phyliss offen für 4 spieler", registry.latest(), language="de")
    assert read_game_order(line.argument or "").players == 4
    (line,) = read_lines("einladen bob@example.org statt Carol", registry.latest(), language="de")
    assert (line.word, line.argument) == (Word.INVITE, "bob@example.org instead of Carol")
