"""Sentences about who sits in a seat: departures, replacements, bots and players whom mails do not reach."""

from __future__ import annotations

from engine.api import Fact
from engine.sentences import joined, sentence
from pbem.mail_out.happened.scene import NAME_LIMIT, Row, Scene, admin_of, person_of, reason_of
from pbem.plain import clean


def _seat_resigned(fact: Fact, scene: Scene) -> str:
    keeps_place, is_own = fact.data.get("keeps_place"), scene.is_reader(fact.seat)
    if keeps_place and is_own:
        return sentence("You have left the table; the place that you have already won stays.")
    if keeps_place:
        return sentence(
            "{name} has left the table; the place already won stays.", name=scene.name(fact.seat)
        )
    if is_own:
        return sentence("You have left the game.")
    return sentence("{name} has left the game.", name=scene.name(fact.seat))


def _seat_left_headline(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return sentence("You have left the game")
    return sentence("{name} has left the game", name=scene.name(fact.seat))


def _seat_silent(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return sentence("You missed the deadline and have left the game.")
    return sentence("{name} missed the deadline and has left the game.", name=scene.name(fact.seat))


def _seat_removed(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return sentence(
            "The admin ({admin}) took you out of the game. The reason given: {reason}",
            admin=admin_of(fact),
            reason=reason_of(fact),
        )
    return sentence(
        "The admin ({admin}) took {name} out of the game. The reason given: {reason}",
        admin=admin_of(fact),
        name=scene.name(fact.seat),
        reason=reason_of(fact),
    )


def _seat_replaced(fact: Fact, scene: Scene) -> str:
    given = fact.data.get("name")
    before = clean(given, NAME_LIMIT) if given else sentence("another player")
    if scene.is_reader(fact.seat):
        who = sentence(
            "You sit in the seat of {was} from now on; the admin ({admin}) asked for this. The"
            " reason given: {reason}",
            was=before,
            admin=admin_of(fact),
            reason=reason_of(fact),
        )
    else:
        who = sentence(
            "{name} sits in the seat of {was} from now on; the admin ({admin}) asked for this. The"
            " reason given: {reason}",
            name=scene.name(fact.seat),
            was=before,
            admin=admin_of(fact),
            reason=reason_of(fact),
        )
    return joined([who, sentence("Both know the cards of that seat.")])


def _seat_taken_over(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return sentence(
            "You sit in the seat of {was} from now on. Both of you know the cards of that seat.",
            was=person_of(fact),
        )
    return sentence(
        "{name} sits in the seat of {was} from now on. Both know the cards of that seat.",
        name=scene.name(fact.seat),
        was=person_of(fact),
    )


def _seat_taken_over_headline(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return ""
    return sentence("{name} plays on for {was}", name=scene.name(fact.seat), was=person_of(fact))


def _seat_dropped(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return sentence(
            "The others voted to go on without you, because you did not answer for several turns in"
            ' a row. This game goes on without your seat. Welcome back any time: "{observe}" lets'
            ' you watch, a rematch invites you like everybody, and "games" shows other games.',
            observe=f"observe {scene.mail.game_id}",
        )
    return sentence(
        "The vote was to go on without {name}, who is out of the game now.",
        name=scene.name(fact.seat),
    )


def _bot_decides(fact: Fact, scene: Scene) -> str:
    reason, name = fact.data.get("why"), scene.name(fact.seat)
    is_over = fact.seat not in scene.mail.bots or scene.mail.result is not None
    if is_over and scene.is_reader(fact.seat):
        match reason:
            case "admin":
                return sentence("A bot played for you: the admin asked for this.")
            case "misses":
                return sentence("A bot played for you, because you missed several turns in a row.")
            case _:
                return sentence("A bot played for you.")
    if is_over:
        match reason:
            case "admin":
                return sentence("A bot played for {name}: the admin asked for this.", name=name)
            case "misses":
                return sentence(
                    "A bot played for {name}, after several missed turns in a row.", name=name
                )
            case _:
                return sentence("A bot played for {name}.", name=name)
    if scene.is_reader(fact.seat):
        match reason:
            case "admin":
                return sentence(
                    "A bot plays for you until you write: the admin asked for this. Any answer to a"
                    " mail of this game gives you your seat back."
                )
            case "misses":
                return sentence(
                    "A bot plays for you until you write, because you missed several turns in a"
                    " row. Any answer to a mail of this game gives you your seat back."
                )
            case _:
                return sentence(
                    "A bot plays for you until you write. Any answer to a mail of this game gives"
                    " you your seat back."
                )
    match reason:
        case "admin":
            return sentence(
                "A bot plays for {name} until a mail comes from there: the admin asked for this.",
                name=name,
            )
        case "misses":
            return sentence(
                "A bot plays for {name} until a mail comes from there, after several missed turns"
                " in a row; the admin was told how to invite somebody else to play on.",
                name=name,
            )
        case _:
            return sentence("A bot plays for {name} until a mail comes from there.", name=name)


def _bot_decides_headline(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return sentence("A bot plays for you")
    return sentence("A bot plays for {name}", name=scene.name(fact.seat))


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


def _person_decides_headline(fact: Fact, scene: Scene) -> str:
    if fact.data.get("why") == "asleep":
        return ""
    if scene.is_reader(fact.seat):
        return sentence("You are back")
    return sentence("{name} is back", name=scene.name(fact.seat))


def _unreachable(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return sentence("For a while you could not be reached.")
    name = scene.name(fact.seat)
    return joined(
        [
            sentence("Mails to {name} come back.", name=name)
            if fact.data.get("reason") == "bounces"
            else sentence("{name} gets no mails at present.", name=name),
            sentence("The clock of {name} stands still until a mail comes from there.", name=name)
            if fact.data.get("waits")
            else sentence(
                "The game goes on by its clock; perhaps you know another way to tell {name}.",
                name=name,
            ),
        ]
    )


def _unreachable_headline(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return ""
    return sentence("Mails don’t reach {name}", name=scene.name(fact.seat))


def _reachable(fact: Fact, scene: Scene) -> str:
    if scene.is_reader(fact.seat):
        return sentence("You can be reached again.")
    return sentence("{name} can be reached again.", name=scene.name(fact.seat))


ROWS = {
    "seat_resigned": Row(_seat_resigned, _seat_left_headline),
    "seat_silent": Row(_seat_silent, _seat_left_headline),
    "seat_removed": Row(_seat_removed, _seat_left_headline),
    "seat_replaced": Row(_seat_replaced),
    "seat_taken_over": Row(_seat_taken_over, _seat_taken_over_headline),
    "seat_dropped": Row(_seat_dropped, _seat_left_headline),
    "bot_decides": Row(_bot_decides, _bot_decides_headline),
    "person_decides": Row(_person_decides, _person_decides_headline),
    "unreachable": Row(_unreachable, _unreachable_headline),
    "reachable": Row(_reachable),
}
"""By the kind of the fact."""
