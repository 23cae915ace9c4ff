"""Sentences about changes of players: departures, replacements, bots and unreachable players."""

from __future__ import annotations

from engine.api import Fact
from engine.sentences import joined, sentence
from pbem.domain.table.motion import NOTHING, ByReader
from pbem.mail_out.happened.scene import (
    NAME_LIMIT,
    Row,
    Scene,
    data_teller,
    fixed_teller,
    words_for,
)
from pbem.plain import clean

_LEFT = fixed_teller(sentence("{name} has left the game"), sentence("You have left the game"))
"""The headline of departures."""


def _seat_resigned(fact: Fact) -> ByReader:
    if fact.data.get("keeps_place"):
        return ByReader(
            sentence("{name} has left the table; the place already won stays."),
            sentence("You have left the table; the place that you have already won stays."),
        )
    return ByReader(sentence("{name} has left the game."), sentence("You have left the game."))


def _seat_replaced(fact: Fact, scene: Scene) -> str:
    words = ByReader(
        sentence(
            "{name} sits in the seat of {before} from now on; the admin ({admin}) asked for this. The"
            " reason given: {reason}"
        ),
        sentence(
            "You sit in the seat of {before} from now on; the admin ({admin}) asked for this. The"
            " reason given: {reason}"
        ),
    )
    given = fact.data.get("name")
    before = clean(given, NAME_LIMIT) if given else sentence("another player")
    who = words_for(words, fact, scene, before=before)
    return joined([who, sentence("Both know the cards of that seat.")])


def _seat_dropped(fact: Fact, scene: Scene) -> str:
    words = ByReader(
        sentence("The vote was to go on without {name}, who is out of the game now."),
        sentence(
            "The others voted to go on without you, because you did not answer for several turns in"
            ' a row. This game goes on without your seat. Welcome back any time: "{observe}" lets'
            ' you watch, a rematch invites you like everybody, and "games" shows other games.'
        ),
    )
    return words_for(words, fact, scene, observe=f"observe {scene.mail.game_id}")


_BOT_PLAYED = {
    "admin": ByReader(
        sentence("A bot played for {name}: the admin asked for this."),
        sentence("A bot played for you: the admin asked for this."),
    ),
    "misses": ByReader(
        sentence("A bot played for {name}, after several missed turns in a row."),
        sentence("A bot played for you, because you missed several turns in a row."),
    ),
    "": ByReader(sentence("A bot played for {name}."), sentence("A bot played for you.")),
}
"""Reasons for the end of a bot's control of a seat."""
_BOT_PLAYS = {
    "admin": ByReader(
        sentence("A bot plays for {name} until a mail comes from there: the admin asked for this."),
        sentence(
            "A bot plays for you until you write: the admin asked for this. Any answer to a"
            " mail of this game gives you your seat back."
        ),
    ),
    "misses": ByReader(
        sentence(
            "A bot plays for {name} until a mail comes from there, after several missed turns"
            " in a row; the admin was told how to invite somebody else to play on."
        ),
        sentence(
            "A bot plays for you until you write, because you missed several turns in a"
            " row. Any answer to a mail of this game gives you your seat back."
        ),
    ),
    "": ByReader(
        sentence("A bot plays for {name} until a mail comes from there."),
        sentence(
            "A bot plays for you until you write. Any answer to a mail of this game gives"
            " you your seat back."
        ),
    ),
}
"""Reasons for a bot's control of a seat."""


def _bot_decides(fact: Fact, scene: Scene) -> str:
    is_over = fact.seat not in scene.mail.bots or scene.mail.result is not None
    words = _BOT_PLAYED if is_over else _BOT_PLAYS
    return words_for(words.get(str(fact.data.get("why")), words[""]), fact, scene)


def _person_decides(fact: Fact, scene: Scene) -> str:
    is_own, name = scene.is_reader(fact.seat), scene.name(fact.seat)
    if fact.data.get("why") == "asleep":
        who = sentence("You ({my_name})", my_name=name) if is_own else name
        return sentence(
            "The bot that played for {who} stopped: nobody else plays any more.", who=who
        )
    if is_own:
        return sentence("You are back and play for yourself again.")
    return sentence("{name} is back, and the bot has left.", name=name)


def _person_decides_headline(fact: Fact) -> ByReader:
    if fact.data.get("why") == "asleep":
        return ByReader(NOTHING)
    return ByReader(sentence("{name} is back"), sentence("You are back"))


def _unreachable(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return sentence("For a while you could not be reached.")
    name = scene.name(fact.seat)
    return joined(
        [
            sentence("Mails to {name} come back.", name=name)
            if fact.data.get("reason") == "bounces"
            else sentence("{name} gets no mails at present.", name=name),
            sentence("The clock of {name} is stopped until {name} writes again.", name=name)
            if fact.data.get("waits")
            else sentence(
                "The game goes on by its clock; perhaps you know another way to tell {name}.",
                name=name,
            ),
        ]
    )


ROWS = {
    "seat_resigned": Row(data_teller(_seat_resigned), _LEFT),
    "seat_silent": Row(
        fixed_teller(
            sentence("{name} missed the deadline and has left the game."),
            sentence("You missed the deadline and have left the game."),
        ),
        _LEFT,
    ),
    "seat_removed": Row(
        fixed_teller(
            sentence("The admin ({admin}) took {name} out of the game. The reason given: {reason}"),
            sentence("The admin ({admin}) took you out of the game. The reason given: {reason}"),
        ),
        _LEFT,
    ),
    "seat_replaced": Row(_seat_replaced),
    "seat_taken_over": Row(
        fixed_teller(
            sentence(
                "{name} sits in the seat of {person} from now on. Both know the cards of that seat."
            ),
            sentence(
                "You sit in the seat of {person} from now on. Both of you know the cards of that seat."
            ),
        ),
        fixed_teller(sentence("{name} plays on for {person}"), NOTHING),
    ),
    "seat_dropped": Row(_seat_dropped, _LEFT),
    "bot_decides": Row(
        _bot_decides,
        fixed_teller(sentence("A bot plays for {name}"), sentence("A bot plays for you")),
    ),
    "person_decides": Row(_person_decides, data_teller(_person_decides_headline)),
    "unreachable": Row(_unreachable, fixed_teller(sentence("Mails don’t reach {name}"), NOTHING)),
    "reachable": Row(
        fixed_teller(
            sentence("{name} can be reached again."), sentence("You can be reached again.")
        )
    ),
}
"""Sentences by kind of fact."""
