"""The settings of a player: the registry `SETTINGS` with a row for each field of `Settings`.

A row contains everything about a setting: its order word in both languages, its default, its
parser, its texts for players and its form in an export. The store saves the values that a player
has chosen as one JSON object, and `service.people.preferences` carries out the orders. To add a
setting, add a field to `Settings` and a member to `service_words.Word`.

Other modules use `Settings`, `SETTINGS`, `setting_of` and `exported`, and for the order words
`ROWS` and `orders_about`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from engine.api import JsonObject
from engine.sentences import Sentence, joined, sentence
from pbem.domain.words import setting_values as values
from pbem.domain.words.forms import OrderWord, card_style, form, lower, ping_place
from pbem.domain.words.setting_values import NO_HOUR
from pbem.errors import Refusal
from pbem.language import SOURCE, find_language, languages

T = TypeVar("T")
Topic: TypeAlias = Literal["news", "look", "talk", "pages"]
"""The topic of a setting. The help lists the settings of one topic together."""


def _no_examples(_argument: str | None) -> Sequence[str]:
    return ()


def _nothing(_value: object) -> Sentence:
    return Sentence("")


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """A row of `SETTINGS`.

    Attributes:
        word: the order word that changes the setting.
        topic: the topic under which the help lists it.
        order: the forms of the order, and its line in the help.
        read: returns the new value for an argument and the current value. The argument is None if
            the player wrote only the word. Raises ValueError for an invalid argument.
        question: text that asks for a value if `read` raises ValueError.
        examples: returns the orders that are suggested together with the question.
        answer: returns the text that confirms a new value.
        shown: returns the text about a value in the answer to `settings`. An empty text is omitted.
        exported: returns the data in an export, by key. None exports the value under the name of
            its field.
    """

    word: str
    topic: Topic
    order: OrderWord
    read: Callable[[str | None, T], T]
    question: Sentence = Sentence("")  # noqa: RUF009  (a text)
    examples: Callable[[str | None], Sequence[str]] = _no_examples
    answer: Callable[[T], Sentence] = _nothing
    shown: Callable[[T], Sentence] = _nothing
    exported: Callable[[T], JsonObject] | None = None

    def value_of(self, argument: str | None, current: T) -> T:
        """Parse an argument into the new value. Raises: Refusal with examples."""
        try:
            return self.read(argument, current)
        except ValueError:
            examples = tuple(self.examples(argument))
            raise Refusal(self.word, self.question, suggestions=examples) from None


def setting(default: T, row: Setting[T]) -> Any:  # noqa: ANN401  (stands for a dataclass field, as `field` does)
    """Declare a field of `Settings` with its default and its row."""
    return field(default=default, metadata={"row": row})


_order = partial(OrderWord, needs_seat=False, is_setting=True)


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of a player's settings, in the order of the answer to `settings`.

    Attributes:
        zone: IANA time zone, e.g. `Europe/Berlin`.
        language: the language of their messages, one of `pbem.language.languages()`.
        wants_html: True if messages contain an HTML part.
        cards: how messages display cards, as words of `pbem.mail_out.cards.LOOKS`.
        reminders: minutes before a deadline, descending. Empty for each game's default, None for no
            reminders.
        digest_hour: local hour of the daily message, or `NO_HOUR` if the player does not want it.
        receipts: False if accepted moves are not confirmed. None if the player has not chosen yet,
            in which case the setting is offered.
        auto_mine: True if moves without alternative, as all players can see, are played at once.
        weekly: True to get the weekly letter, False for none, `all` if the people in the games and
            leagues that the player started get it, too. None means the server's default.
        talk: when talk is delivered: `at once`, `folded` into other messages, or empty for default.
        has_calendar: True if the pages include a calendar of the player at a secret address.
        has_page: True if the pages include a page about the player.
    """

    zone: str = setting(
        "UTC",
        Setting(
            "timezone",
            "look",
            _order(
                (form(r"time ?zone[\s:=]+([A-Za-z0-9_+/-]{1,64})\.?"),),
                german="zeitzone",
                german_forms=((r"zeitzone[\s:=]+(?P<own>\S+)", "timezone {own}"),),
                help='Write "timezone Europe/Berlin" to get all times in that time zone.',
            ),
            read=values.read_zone,
            question=sentence(
                "There is no time zone of that name; write it like Europe/Berlin or America/New_York."
            ),
            examples=values.similar_zones,
            answer=lambda zone: sentence(
                "From now on your mails tell times in the zone {zone}.", zone=zone
            ),
            shown=lambda zone: sentence("Time zone: {zone}.", zone=zone),
            exported=lambda zone: {"time_zone": zone},
        ),
    )
    # The translations of these sentences name the language into which they are translated.
    language: str = setting(
        SOURCE,
        Setting(
            "language",
            "look",
            _order(
                (form(r"(?:language|sprache)[\s:=]+([^\W\d_]{2,20})[.!]?", find_language),),
                german="sprache",
                german_forms=((r"sprache[\s:=]+(?P<own>\S+)", "language {own}"),),
                help='Write "language de" for German mails, "language en" for English ones.',
            ),
            read=lambda argument, _current: values.one_of(
                {code: code for code in languages()}, argument
            ),
            question=sentence("Please say which language."),
            examples=lambda _argument: [
                sentence("language {language}", language=code) for code in languages()
            ],
            answer=lambda _language: sentence("From now on you are written to in English."),
            shown=lambda _language: sentence("Language: English."),
        ),
    )
    wants_html: bool = setting(
        True,
        Setting(
            "html",
            "look",
            _order(
                (form(r"html[\s:=]+(on|off)[.!]?", lower),),
                german="html",
                german_forms=((r"html[\s:=]+(?P<words>an|aus)", "html {words}"),),
                help='Write "html off" for plain text only, "html on" for mails in colour.',
            ),
            read=values.on_or_off,
            question=sentence(
                "Please say whether you want mails with a page in colour, or plain text alone."
            ),
            examples=lambda _argument: [sentence("html on"), sentence("html off")],
            answer=lambda is_on: (
                sentence("From now on your mails come with a page in colour beside the plain text.")
                if is_on
                else sentence("From now on your mails come as plain text alone.")
            ),
            shown=lambda is_on: (
                sentence("Format: text and HTML.") if is_on else sentence("Format: plain text.")
            ),
        ),
    )
    cards: tuple[str, ...] = setting(
        (),
        Setting(
            "card style",
            "look",
            _order(
                (
                    form(
                        r"cards?(?: style)?[\s:=]+((?:four|4)[ -]?colou?rs?|large|big|(?:in )?words|as usual|normal)[.!]?",
                        card_style,
                    ),
                ),
                german="kartenstil",
                german_forms=(
                    (r"karten(?:stil)?[\s:=]+(?:vierfarbig|vier farben)", "cards four-colour"),
                    (r"karten(?:stil)?[\s:=]+(?:groß|gross)", "cards large"),
                    (r"karten(?:stil)?[\s:=]+(?:wörter|woerter|in worten)", "cards words"),
                    (r"karten(?:stil)?[\s:=]+wie üblich", "cards as usual"),
                ),
                help='Write "cards four-colour" for green clubs and blue diamonds, "cards large" for large cards, "cards words" for short mails that a screen reader reads well, "cards as usual" to end that.',
            ),
            read=values.read_cards,
            question=sentence("Please say how your mails shall show cards."),
            examples=lambda _argument: [
                sentence("cards four-colour"),
                sentence("cards large"),
                sentence("cards words"),
                sentence("cards as usual"),
            ],
            answer=values.answer_cards,
            shown=lambda looks: joined([values.CARDS[word] for word in looks]),
            exported=lambda looks: {"cards": [*looks]},
        ),
    )
    reminders: tuple[int, ...] | None = setting(
        (),
        Setting(
            "reminders",
            "news",
            _order(
                (form(r"reminders?[\s:=]+(on|off|\d[\w ,]{0,60})[.!]?", lower),),
                german="erinnerungen",
                german_forms=((r"erinnerungen[\s:=]+(?P<words>\S.*)", "reminders {words}"),),
                help='Write "reminders off" to stop reminders and "reminders on" to get them again; "reminders 24h 4h" sends them 24 and 4 hours ahead.',
            ),
            read=values.read_reminders,
            question=sentence(
                "Please say whether you want reminders, or how long before a deadline (at most"
                " {most}).",
                most=values.MAX_REMINDERS,
            ),
            examples=lambda _argument: [
                sentence("reminders on"),
                sentence("reminders off"),
                sentence("reminders 24h 4h"),
            ],
            answer=values.answer_reminders,
            shown=values.show_reminders,
            exported=lambda minutes: {
                "wants_reminders": minutes is not None,
                "reminders_minutes": [*(minutes or ())],
            },
        ),
    )
    digest_hour: int = setting(
        NO_HOUR,
        Setting(
            "digest",
            "news",
            _order(
                (form(r"(?:daily )?digest(?: at)?[\s:=]+(on|off|\d{1,2}(?::00)?)[.!]?", lower),),
                german="tagesmail",
                german_forms=(
                    (r"tagesmail(?: um)?[\s:=]+(?P<words>\S+)(?: uhr)?", "digest {words}"),
                ),
                help='Write "digest 8" to get the news and most reminders in one mail a day, at eight in the morning; your turns and answers still come at once. Stop it with "digest off".',
            ),
            read=values.read_hour,
            question=sentence(
                "Please say at which hour of your day the mail shall come, from 0 to 23."
            ),
            examples=lambda _argument: [
                sentence("digest on"),
                sentence("digest 8"),
                sentence("digest off"),
            ],
            answer=values.answer_hour,
            shown=values.show_hour,
        ),
    )
    receipts: bool | None = setting(
        None,
        Setting(
            "receipts",
            "news",
            _order(
                (form(r"(?:receipts?|confirmations?)[\s:=]+(on|off)[.!]?", lower),),
                german="quittungen",
                german_forms=(
                    (
                        r"(?:quittung(?:en)?|bestätigung(?:en)?)[\s:=]+(?P<words>an|aus)",
                        "receipts {words}",
                    ),
                ),
                help='Write "receipts off" to get no answer to a move that goes well: your next turn mail says what came of it. "receipts on" brings the answers back.',
            ),
            read=values.read_receipts,
            question=sentence("Please say whether you want an answer to each of your moves."),
            examples=lambda _argument: [sentence("receipts off"), sentence("receipts on")],
            answer=values.answer_receipts,
            shown=values.show_receipts,
            exported=lambda wanted: {"receipts": wanted is not False},
        ),
    )
    auto_mine: bool = setting(
        False,
        Setting(
            "auto mine",
            "news",
            _order(
                (form(r"auto[\s:=]+mine[\s:=]+(on|off)[.!]?", lower),),
                german="automatik für mich",
                german_forms=(
                    (
                        r"(?:auto|automatik) (?:für )?mich[\s:=]+(?P<words>an|aus)",
                        "auto mine {words}",
                    ),
                ),
                help='Write "auto mine" to have your move played at once when everybody can see that it is the only one, as picking up the pile with all cards face up. "auto mine off" ends that.',
            ),
            read=values.read_auto,
            question=sentence("Please say whether moves without a choice shall be played for you."),
            examples=lambda _argument: [sentence("auto mine"), sentence("auto mine off")],
            answer=values.answer_auto,
            shown=values.show_auto,
        ),
    )
    weekly: bool | Literal["all"] | None = setting(
        None,
        Setting(
            "weekly letter",
            "news",
            _order(
                (form(r"weekly(?: letter)?[\s:=]+(on|off|(?:for )?all)[.!]?", lower),),
                german="wochenbrief",
                german_forms=(
                    (r"wochenbrief[\s:=]+(?P<words>an|aus)", "weekly {words}"),
                    (r"wochenbrief[\s:=]+(?:für )?alle", "weekly all"),
                ),
                help='Write "weekly on" to get a letter on Sundays: who won, the longest game, whose turn is the oldest. "weekly all" sends it to everyone in the games and leagues that you started, too. "weekly off" ends it.',
            ),
            read=values.read_weekly,
            question=sentence("Please say whether you want a weekly letter."),
            examples=lambda _argument: [
                sentence("weekly on"),
                sentence("weekly all"),
                sentence("weekly off"),
            ],
            answer=values.answer_weekly,
            shown=values.show_weekly,
        ),
    )
    talk: str = setting(
        "",
        Setting(
            "talk",
            "talk",
            _order(
                (form(r"talk(?:[\s:=]+(at once|folded|as usual))?[.!]?", lower),),
                german="gespräch",
                german_forms=(
                    (r"gespräch[\s:=]+sofort", "talk at once"),
                    (r"gespräch[\s:=]+gesammelt", "talk folded"),
                    (r"gespräch[\s:=]+wie üblich", "talk as usual"),
                ),
                help='Write "talk at once" to get what others say right away, "talk folded" to read it in your next mail. Write "mute bob" to stop reading Bob in this game, "unmute bob" to read him again.',
            ),
            read=lambda argument, _current: values.one_of(
                {"at once": "at once", "folded": "folded", "as usual": ""}, argument
            ),
            question=sentence("Please say when you want to read what others say."),
            examples=lambda _argument: ["talk at once", "talk folded", "talk as usual"],
            answer=values.TALK.__getitem__,
            shown=values.TALK.__getitem__,
        ),
    )
    has_calendar: bool = setting(
        False,
        Setting(
            "calendar",
            "pages",
            _order(
                (form(r"calendar[\s:=]+(on|off)[.!]?", lower),),
                german="kalender",
                german_forms=((r"kalender[\s:=]+(?P<words>an|aus)\.?", "calendar {words}"),),
                untold="for servers that have pages; its answer says how",
            ),
            read=values.on_or_off,
        ),
    )
    has_page: bool = setting(
        False,
        Setting(
            "my page",
            "pages",
            _order(
                (form(r"my page[\s:=]+(on|off)[.!]?", lower),),
                german="meine seite",
                german_forms=((r"meine seite[\s:=]+(?P<words>an|aus)\.?", "my page {words}"),),
                untold="for servers that have pages; its answer says how",
            ),
            read=values.on_or_off,
        ),
    )


SETTINGS: Mapping[str, Setting[Any]] = {
    entry.name: entry.metadata["row"] for entry in fields(Settings)
}
"""The row of each field of `Settings`."""
_NAMES = {row.word: name for name, row in SETTINGS.items()}


def setting_of(word: str) -> str:
    """Return the field of `Settings` that an order word changes. Raises: KeyError."""
    return _NAMES[word]


def exported(settings: Settings) -> JsonObject:
    """Return the data of a player's settings for an export, by key."""
    values: JsonObject = {}
    for name, row in SETTINGS.items():
        value = getattr(settings, name)
        values |= {name: value} if row.exported is None else row.exported(value)
    return values


def orders_about(topic: Topic) -> Mapping[str, OrderWord]:
    """Return the orders that change the settings of a topic, by order word."""
    return {row.word: row.order for row in SETTINGS.values() if row.topic == topic}


ROWS: Mapping[str, OrderWord] = {
    **orders_about("news"),
    "settings": _order(
        german="einstellungen", help='Write "settings" to see your settings.', asks=True
    ),
    **orders_about("look"),
    "ping": _order(
        (form(r"pings?[\s:=]+(off|\d{6}|\S+\s+\S+?)[.!]?", ping_place),),
        german="ping; pings",
        german_forms=((r"pings?[\s:=]+(?P<words>aus)\.?", "ping {words}"),),
        untold="for servers that send pings; its answer says how",
    ),
    "encrypt": _order(
        (form(r"encrypt(?:ion)?[\s:=]+(on|off)[.!]?", lower),),
        synonyms="encryption",
        german="verschlüsseln; verschlüsselung",
        german_forms=((r"verschlüssel(?:n|ung)[\s:=]+(?P<words>an|aus)\.?", "encrypt {words}"),),
        help='Write "encrypt on" in a mail program that sends a key (Autocrypt, as Delta Chat has it) to get your mails encrypted, "encrypt off" to end that.',
    ),
    **orders_about("pages"),
    "address": _order(
        (form(r"address[\s:]+((?:add|remove|primary) \S{3,254}?)\.?", lower),),
        synonyms="addresses",
        german="adresse; adressen",
        german_forms=(
            (r"adresse[\s:]+(?:dazu|neu)[\s:]+(?P<own>\S+)", "address add {own}"),
            (r"adresse[\s:]+haupt[\s:]+(?P<own>\S+)", "address primary {own}"),
            (r"adresse[\s:]+weg[\s:]+(?P<own>\S+)", "address remove {own}"),
        ),
        help='Write "address add me@example.org" to play from another address as well, once you have replied to my mail there. With "address primary me@example.org" your mails go there; "address remove me@example.org" removes it.',
    ),
}
"""Order words about settings, encryption and addresses, in the order of the help."""
