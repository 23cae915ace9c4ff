"""Table of the intents of sentences that are not orders, with one row for each intent.

A line is compared with this table only if it is not an order. An intent never carries out anything:
it leads to a question that changes nothing, or to suggestions of orders.

Rows match words in any order, not sentence patterns. These keys are in `intents.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final, TypeAlias

from engine import registry
from engine.sentences import Sentence, sentence
from pbem.domain.words.service_words import Word

INVITED, WAITING, RUNNING, VOTING, OVER = "invited", "waiting", "running", "voting", "over"
"""Stages of the game that a line is about.

Its writer is invited, waits for the start, plays, plays and has a vote to answer, or has played.
"""
TALKING, BEGUN = "talking", "begun"
"""Further stages of rows: during and after the game, and at any time but an open invitation."""

WITHIN: Final[Mapping[str, frozenset[str]]] = {
    "": frozenset({"", BEGUN}),
    INVITED: frozenset({"", INVITED}),
    WAITING: frozenset({"", WAITING}),
    TALKING: frozenset({"", BEGUN, TALKING}),
    RUNNING: frozenset({"", BEGUN, TALKING, RUNNING}),
    VOTING: frozenset({"", BEGUN, TALKING, RUNNING, VOTING}),
    OVER: frozenset({"", BEGUN, TALKING, OVER}),
}
"""Maps the stage of a game to the stages of the rows that apply."""

ANY: Final = next(iter(registry.names()))
"""The game that is used in examples."""

ASKED, SOMEBODY, BOTH, ADDRESS, CITY = "ASKED", "BOB", "BOBS", "ADDRESS", "CITY"
"""Placeholders in keys: a question mark, one or several player names, an address, a city."""

Key: TypeAlias = tuple[frozenset[str], ...]
"""Sets of words. A line matches if it contains a word of each set."""


NOTHING: Final = Sentence("")


@dataclass(frozen=True)
class Intent:
    """An intent: the keys of its lines, and the answer or question that they lead to.

    Attributes:
        said: keys each of which is sufficient.
        hints: keys that make the intent more likely. A single hint makes it possible.
        unless: keys of lines with another meaning.
        message: the answer, a sentence.
        orders: suggested orders. `{days}`, `{name}` etc. are filled in from the line.
        asks: order word of the question that answers the line and changes nothing.
        stage: the stage to which the row applies, or empty for any.
    """

    name: str
    said: tuple[Key, ...]
    hints: tuple[Key, ...]
    unless: tuple[Key, ...]
    message: Sentence = NOTHING
    orders: tuple[Sentence, ...] = ()
    asks: Word | None = None
    stage: str = ""


_BALLOT: Final = sentence("The table is voting: with one word you say how you vote.")


PHRASES: Final[dict[str, Sequence[str]]] = {}
"""Complete lines that are plain answers, by the order word that they mean."""


def _keys() -> Mapping[str, Sequence[tuple[Key, ...]]]:
    """Read `intents.txt`. Returns the sufficient keys, hints and excluding keys of each row."""
    first, *blocks = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split("\n\n[")
    groups = dict(line.split(" = ") for line in first.split("\n") if line[:1].isupper())
    groups["GAMES"] = " ".join(re.sub(r"\W", "", name) for name in registry.names())
    result: dict[str, list[tuple[Key, ...]]] = {}
    for block in blocks:
        name, *lines = block.strip().split("\n")
        if ";" in lines[0]:
            PHRASES[name.rstrip("]")] = " ".join(lines).split("; ")
            continue
        rows = result[name.rstrip("]")] = [(), (), ()]
        for line in lines:
            mark = line[0] if line[0] in "?-=" else " "
            if mark == "=":
                rows[:] = result[line[2:]]
            else:
                rows[" ?-".index(mark)] += tuple(
                    tuple(_words(key_part, groups) for key_part in key.split("+"))
                    for key in line.removeprefix(f"{mark} ").split()
                )
    return result


def _words(text: str, groups: Mapping[str, str]) -> frozenset[str]:
    return frozenset(
        chain.from_iterable(groups.get(word, word).split() for word in text.split("/"))
    )


_KEYS: Final = _keys()


def _row(name: str, stage: str, answer: Sentence | Word, *orders: Sentence) -> Intent:
    phrases, hints, unless = _KEYS[name]
    if isinstance(answer, Word):
        return Intent(name, phrases, hints, unless, asks=answer, stage=stage)
    return Intent(name, phrases, hints, unless, answer, orders, stage=stage)


INTENTS: Final[tuple[Intent, ...]] = (
    _row("against", VOTING, _BALLOT, sentence("no"), sentence("yes")),
    _row("in favour", VOTING, _BALLOT, sentence("yes"), sentence("no")),
    _row("ballot", VOTING, Word.BOARD),
    _row("turn", BEGUN, Word.BOARD),
    _row("deadline", BEGUN, Word.BOARD),
    _row("standings", "", Word.STANDINGS),
    _row("score", BEGUN, Word.BOARD),
    _row("cards", BEGUN, Word.HAND),
    _row("history", BEGUN, Word.HISTORY),
    _row("replay", TALKING, sentence("The game can come as a page that shows every move."), sentence("replay"), sentence("history")),
    _row("hint", RUNNING, Word.HINT),
    _row("moves", "", Word.RESEND),
    _row("rules of it", INVITED, Word.RULES),
    _row("rules", "", Word.RULES),
    _row("games", "", Word.GAMES),
    _row("settings", "", Word.SETTINGS),
    _row("receipts", "", sentence("Moves that go well need no mail of their own."), sentence("receipts off"), sentence("digest {hour}")),
    _row("fewer mails", RUNNING, sentence("All mails of this game end once you leave it. Until then you can have fewer of them."), sentence("receipts off"), sentence("digest {hour}"), sentence("reminders off"), sentence("replace me with {person}"), sentence("resign confirm")),
    _row("no more of this", INVITED, sentence("The first of these ends the mails of this game, the second all invitations from here."), sentence("decline"), sentence("never again")),
    _row("unsubscribe", "", sentence("The first of these ends all mails from here, the others end some of them."), sentence("unsubscribe"), sentence("invitations off"), sentence("digest {hour}")),
    _row("not this invitation", INVITED, sentence("If you would rather not play, decline."), sentence("decline"), sentence("never again")),
    _row("yes to this invitation", INVITED, sentence("If you would like to play, join."), sentence("join"), sentence("decline")),
    _row("when does it begin", INVITED, Word.RESEND),
    _row("no invitations", "", sentence("Then nobody can invite you from here any more."), sentence("invitations off")),
    _row("back", RUNNING, sentence("If your vacation is over, tell your games that you are back."), sentence("back")),
    _row("replace me", RUNNING, sentence("Somebody else can take over your seat: name the person and the address."), sentence("replace me with {person}"), sentence("vacation {days}")),
    _row("resume", RUNNING, sentence("You can ask the others to let the clock run again."), sentence("resume")),
    _row("pause", RUNNING, sentence("You can ask the others to stop the clock: more than half of them must agree."), sentence("pause")),
    _row("away", RUNNING, sentence("If you are away, your deadlines can wait in all your games: send the days as a vacation."), sentence("vacation {days}")),
    _row("give time", RUNNING, sentence("You can give the player whose turn it is more time."), sentence("extend {time}")),
    _row("more time", RUNNING, sentence('You can take days off, or ask the others for a pause. They can also give you time: with the last line you ask them to write "extend {time}".'), sentence("vacation {off}"), sentence("pause"), sentence("say I need more time, please extend {time}")),
    _row("in advance", RUNNING, sentence("You can give a move for your next turn in advance; the help tells how it may depend on the table."), sentence("next: play 9 or pickup"), sentence("help")),
    _row("tempo", RUNNING, sentence("You can propose another pace to the table."), sentence("tempo {pace}")),
    _row("undo", RUNNING, sentence("You can ask the table to take your last move back: everybody must agree."), sentence("undo")),
    _row("rematch", "", sentence("When a game is over, the same people can be invited to another one."), sentence("rematch")),
    _row("end here", RUNNING, sentence("You can ask the table to end the game here: everybody must agree, it counts as it stands, and equal scores share a place."), sentence("end game")),
    _row("quit", RUNNING, sentence("Leaving cannot be undone, so it takes a reply of its own. Or somebody else plays on for you."), sentence("resign confirm"), sentence("replace me with {person}")),
    _row("replace others", RUNNING, sentence("Somebody who does not answer can be replaced: the table votes on it."), sentence("replace {name} with {person}"), sentence("drop player {name}"), sentence("extend {time}")),
    _row("tell all", TALKING, sentence('To speak to the whole table, write it after the word "say".'), sentence("say {said}")),
    _row("tell one", TALKING, sentence('To speak to one player, write it after "say to" and the name.'), sentence("say to {name}: {said}")),
    _row("talk", TALKING, sentence('What you want to say to the others goes after the word "say"; to one player alone, name them.'), sentence("say hello everybody"), sentence("talk at once")),
    _row("dispute", "", sentence("If something went wrong, call the admin: the clock stops until you have an answer."), sentence("dispute what went wrong")),
    _row("watch", "", sentence("You can ask to watch a game: its name stands in brackets in the subjects."), sentence("games"), sentence("help")),
    _row("free seat", WAITING, sentence("Before the game begins, a seat can go to somebody else or to a bot, or stay out."), sentence("invite {person}"), sentence("bot"), sentence("start without")),
    _row("invite", "", sentence("To bring in another person, name the game and the people, or the free seat."), sentence("new {game} with {person}"), sentence("invite {person}")),
    _row("new game", "", sentence("Anybody can start a game: name the game and the players."), sentence("new {game} with {who}"), sentence("new {game} open 4 players"), sentence("tutorial")),
    _row("language en", "", sentence("Your mails can come in English."), sentence("language en")),
    _row("language de", "", sentence("Your mails can come in German."), sentence("language de")),
    _row("another language", "", sentence("Your mails can come in these languages."), sentence("language en"), sentence("language de")),
    _row("big cards", "", sentence("Your cards can be drawn large, in four colours or in words."), sentence("cards large"), sentence("cards words")),
    _row("suits", "", sentence("Your cards can be drawn large, in four colours or in words."), sentence("cards four-colour"), sentence("cards words")),
    _row("in words", "", sentence("Your cards can be drawn large, in four colours or in words."), sentence("cards words"), sentence("cards large")),
    _row("html", "", sentence("Your mails can come with or without colours and pictures."), sentence("html off"), sentence("html on")),
    _row("reminders", "", sentence("You can choose how often I remind you."), sentence("reminders off"), sentence("reminders {ahead}"), sentence("digest {hour}")),
    _row("digest", "", sentence("The news and most reminders can come in one mail a day."), sentence("digest {hour}"), sentence("digest off")),
    _row("address", "", sentence("You can add the address, and after my mail there make it your first one."), sentence("address add {address}"), sentence("address primary {address}")),
    _row("time zone", "", sentence("You can have all times in your own time zone."), sentence("timezone {zone}"), sentence("settings")),
    _row("mute", RUNNING, sentence("You can stop reading what one player says in this game."), sentence("mute {name}")),
    _row("lesson", "", sentence("A short game against a bot explains itself as you play."), sentence("tutorial"), sentence("rules")),
    _row("export", "", sentence("The log of the game can come as a file that anybody can check."), sentence("export"), sentence("replay")),
    _row("help", "", Word.HELP),
)  # fmt: skip
"""All intents. If several match a line equally well, the first one is used."""
