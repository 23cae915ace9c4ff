"""Settings of a player for all their mails."""

from __future__ import annotations

import difflib
from dataclasses import replace
from datetime import timedelta

from engine.sentences import Sentence, all_of, joined, one_of, sentence
from pbem.domain.table.game import UNFINISHED
from pbem.domain.terms.calendar import daily
from pbem.domain.words.orders import OrderLine
from pbem.domain.words.service_words import Word
from pbem.domain.words.talk import ANONYMOUS
from pbem.durations import in_words, parse_duration
from pbem.errors import Refusal
from pbem.language import languages
from pbem.mail_out.times import left_text
from pbem.sections import zones
from pbem.service.core import games, reminders
from pbem.service.core.context import Service
from pbem.service.people import own_addresses, own_encryption, own_files, own_pings
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player

USUAL_HOUR = 18
MOST_REMINDERS = 5
LAST_HOUR = 23


def carry_out(service: Service, uow: UnitOfWork, player: Player, line: OrderLine) -> Sentence:
    """Carry out one such order; gives a sentence for the player. Raises: Refusal."""
    match line.word:
        case Word.TIMEZONE:
            return _set_zone(service, uow, player, checked_zone(line.argument))
        case Word.REMINDERS:
            return set_reminders(service, uow, player, line.argument)
        case Word.DIGEST:
            return _set_digest(service, uow, player, line.argument)
        case Word.ADDRESS:
            return own_addresses.carry_out(service, uow, player, line.argument)
        case Word.LANGUAGE:
            return _set_language(uow, player, line.argument)
        case Word.TALK:
            return _set_talk(uow, player, line.argument)
        case Word.HTML:
            return _set_html(uow, player, line.argument)
        case Word.CARDS:
            return _set_cards(uow, player, line.argument)
        case Word.PING:
            return own_pings.carry_out(service, uow, player, line.argument)
        case Word.CALENDAR | Word.OWN_PAGE:
            return own_files.carry_out(service, uow, player, line.word, line.argument)
        case _:
            said = own_addresses.carry_out(service, uow, player, None)
            pinged = own_pings.in_sentence(service, uow, player)
            return joined(
                [
                    in_sentences(player),
                    pinged,
                    *own_files.in_sentences(service, player),
                    *own_encryption.in_sentences(uow, player),
                    *_banks(uow, player),
                    *mutes(uow, player),
                    said,
                ]
            )


def in_sentences(player: Player) -> Sentence:
    """Say what a player has set."""
    if not player.wants_reminders:
        reminded = sentence("Reminders: none.")
    elif player.reminders:
        reminded = sentence("Reminders: {times} before a deadline.", times=_times(player.reminders))
    else:
        reminded = sentence("Reminders: as each game has them.")
    folded = (
        sentence(
            "You get the news in one mail a day, at {hour}; what asks something of you comes at once.",
            hour=f"{player.digest_hour:02d}:00",
        )
        if player.digest_at is not None
        else sentence("You get news as it happens.")
    )
    zone = sentence("Time zone: {zone}.", zone=player.zone)
    # The catalog of each language names its own one here, and so does the answer to `language …`.
    return joined(
        [
            zone,
            sentence("Language: English."),
            _HTML[player.wants_html],
            *[_CARDS[look] for look in player.cards],
            reminded,
            folded,
            _TALK[player.talk],
        ]
    )


_TALK = {
    "at once": sentence("What others say comes at once."),
    "folded": sentence(
        "What others say comes with your next mail, or after three hours in one of its own."
    ),
    "": sentence(
        "What others say to you alone comes at once, what they say to all with your next mail or"
        " after three hours in one of its own."
    ),
}


_HTML = {
    True: sentence("Format: text and HTML."),
    False: sentence("Format: plain text."),
}


_CARDS = {
    "four-colour": sentence("Clubs are green and diamonds blue."),
    "large": sentence("Cards are large."),
    "words": sentence("Cards are written in words, in short mails to be read aloud."),
}


def _set_cards(uow: UnitOfWork, player: Player, look: str | None) -> Sentence:
    """Carry out `cards large` and its like; gives a sentence. Raises: Refusal.

    Colours and size go together; words stand alone.
    """
    if look is None:
        raise Refusal(
            "cards",
            sentence("Please say how your mails shall show cards."),
            suggestions=(
                sentence("cards four-colour"),
                sentence("cards large"),
                sentence("cards words"),
                sentence("cards as usual"),
            ),
        )
    if look == "as usual":
        uow.players.prefer(player.id, cards=())
        return sentence("From now on your mails show cards as usual.")
    stays = () if look == "words" else [one for one in player.cards if one not in ("words", look)]
    uow.players.prefer(player.id, cards=(*stays, look))
    return _CARDS[look]


def _set_html(uow: UnitOfWork, player: Player, words: str | None) -> Sentence:
    """Carry out `html on` or `off`; gives a sentence. Raises: Refusal."""
    if words is None:
        raise Refusal(
            "html",
            sentence(
                "Please say whether you want mails with a page in colour, or plain text alone."
            ),
            suggestions=(sentence("html on"), sentence("html off")),
        )
    uow.players.prefer(player.id, wants_html=words == "on")
    if words == "on":
        return sentence("From now on your mails come with a page in colour beside the plain text.")
    return sentence("From now on your mails come as plain text alone.")


def _set_talk(uow: UnitOfWork, player: Player, when: str | None) -> Sentence:
    """Carry out `talk at once`, `folded` or `as usual`; gives a sentence. Raises: Refusal."""
    if when is None:
        raise Refusal(
            "talk",
            sentence("Please say when you want to read what others say."),
            suggestions=("talk at once", "talk folded", "talk as usual"),
        )
    uow.players.prefer(player.id, talk=when.replace("as usual", ""))
    return _TALK[when.replace("as usual", "")]


def _banks(uow: UnitOfWork, player: Player) -> list[Sentence]:
    """Say what a player's time banks hold."""
    said = []
    for game in games.of_player(uow, player.id, ("running",)):
        seat = next(iter(game.seats_of(player.id)), None)
        if seat is None or not game.timing.bank:
            continue
        left = game.timing.bank - game.seats[seat].bank_used
        text = sentence("In game {game} your time bank is used up.", game=game.id)
        if left:
            text = sentence(
                "In game {game} your time bank holds {time}.", game=game.id, time=left_text(left)
            )
        said.append(text)
    return said


def mutes(uow: UnitOfWork, player: Player) -> list[Sentence]:
    """Say whose words a player does not read, and in which games."""
    said = []
    for game in games.of_player(uow, player.id, UNFINISHED):
        muted = next((game.seats[seat].muted for seat in game.seats_of(player.id)), ())
        people = games.shown_names(uow, [one for one in muted if one != ANONYMOUS])
        if people:
            text = sentence(
                "In game {game} you read nothing that {names} says.",
                game=game.id,
                names=one_of(people),
            )
            said.append(text)
        if ANONYMOUS in muted:
            text = sentence(
                "In game {game} you read nothing that is said without a name.", game=game.id
            )
            said.append(text)
    return said


def _set_language(uow: UnitOfWork, player: Player, language: str | None) -> Sentence:
    if language is None:
        raise Refusal(
            "language",
            sentence("Please say which language."),
            suggestions=tuple(
                sentence("language {language}", language=code) for code in languages()
            ),
        )
    uow.players.prefer(player.id, language=language)
    return sentence("From now on you are written to in English.")


def checked_zone(text: str | None) -> str:
    """Return the IANA name of a zone in any case. Raises: Refusal with similar names."""
    by_lower = {zone.lower(): zone for zone in zones()}
    wanted = (text or "").lower()
    if wanted in by_lower:
        return by_lower[wanted]
    cities = {zone.rpartition("/")[2].lower(): zone for zone in sorted(zones())}
    named = [zone for zone in zones() if zone.lower().endswith(f"/{wanted}")]
    if wanted and len(named) == 1:
        return named[0]
    near = difflib.get_close_matches(wanted, [*by_lower, *cities], n=3, cutoff=0.6)
    names = dict.fromkeys(by_lower.get(name) or cities[name] for name in near)
    raise Refusal(
        "zone",
        sentence(
            "There is no time zone of that name; write it like Europe/Berlin or America/New_York."
        ),
        suggestions=tuple(sentence("timezone {zone}", zone=name) for name in names),
    )


def _set_zone(service: Service, uow: UnitOfWork, player: Player, zone: str) -> Sentence:
    uow.players.prefer(player.id, zone=zone)
    if player.digest_at is not None:
        _rearrange_digest(service, uow, player.id, player.digest_hour)
    return sentence("From now on your mails tell times in the zone {zone}.", zone=zone)


def set_reminders(service: Service, uow: UnitOfWork, player: Player, words: str | None) -> Sentence:
    """Carry out `reminders on`, `off` or `24h 4h`; gives a sentence. Raises: Refusal."""
    if words in ("on", "off"):
        said = (
            sentence("From now on you get reminders of deadlines.")
            if words == "on"
            else sentence("From now on you get no reminders of deadlines.")
        )
        minutes: tuple[int, ...] = ()
    else:
        minutes = _minutes(words)
        said = sentence(
            "From now on you are reminded {times} before a deadline.", times=_times(minutes)
        )
    uow.players.prefer(player.id, wants_reminders=words != "off", reminders=minutes)
    now_set = replace(player, wants_reminders=words != "off", reminders=minutes)
    reminders.arrange_all(uow, now_set, service.now())
    return said


def _minutes(words: str | None) -> tuple[int, ...]:
    """Read `24h 4h`, `1d, 2h` or `24h and 4h`. Raises: Refusal."""
    parts = (words or "").replace(",", " ").replace(" and ", " ").split()
    try:
        found = {parse_duration(part) for part in parts}
    except ValueError:
        found = set()
    if not found or len(found) > MOST_REMINDERS:
        raise Refusal(
            "reminders",
            sentence(
                "Please say whether you want reminders, or how long before a deadline (at most"
                " {most}).",
                most=MOST_REMINDERS,
            ),
            suggestions=(
                sentence("reminders on"),
                sentence("reminders off"),
                sentence("reminders 24h 4h"),
            ),
        )
    return tuple(sorted({max(1, time // timedelta(minutes=1)) for time in found}, reverse=True))


def _times(minutes: tuple[int, ...]) -> Sentence:
    return all_of([in_words(60 * count) for count in minutes])


def _set_digest(service: Service, uow: UnitOfWork, player: Player, words: str | None) -> Sentence:
    if words == "off":
        uow.players.prefer(player.id, digest_hour=-1, digest_at=None)
        return sentence("From now on news come in mails of their own again.")
    hour = USUAL_HOUR if words == "on" else _hour(words)
    _rearrange_digest(service, uow, player.id, hour)
    return sentence(
        "From now on news and most reminders come in one mail a day, at {hour} of your own day."
        " Your turns, answers to your mails, and what else asks something of you come at once.",
        hour=f"{hour:02d}:00",
    )


def _rearrange_digest(service: Service, uow: UnitOfWork, player_id: str, hour: int) -> None:
    player = uow.players.get(player_id)
    if player is not None:
        at = daily(service.now(), hour, player.zone)
        uow.players.prefer(player_id, digest_hour=hour, digest_at=at)


def _hour(words: str | None) -> int:
    digits = (words or "").removesuffix(":00")
    if digits.isascii() and digits.isdigit() and int(digits) <= LAST_HOUR:
        return int(digits)
    raise Refusal(
        "digest",
        sentence("Please say at which hour of your day the mail shall come, from 0 to 23."),
        suggestions=(sentence("digest on"), sentence("digest 8"), sentence("digest off")),
    )
