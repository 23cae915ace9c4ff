"""Erase a person's data: `pbem player forget`. Their games are kept and remain verifiable.

The person's name, addresses, settings and messages are erased, and so are the messages sent to
them. Messages to players at the same tables lose their bytes, and so do incoming messages that
name the person. In the log, all texts that never open are erased if the person wrote them, if they
are about the person's seat, or if they name the person. Data that opens with the game remains:
moves, and the phrase, from which the shuffles follow.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.api import JsonValue
from engine.canonical import canonical_json
from pbem.domain.log.chain import GameId, StoredEvent
from pbem.domain.log.events import DisputeOpened, DisputeResolved, Hidden, Recorded, opens
from pbem.domain.table.game import AT_TABLE, UNFINISHED
from pbem.errors import MailError, Refusal
from pbem.mail_in.mime.parts import ENCRYPTED, LOCKED
from pbem.service.core import games, names, sender_identity
from pbem.service.core.context import Service
from pbem.service.league import league_messages
from pbem.service.league import orders as leagues
from pbem.service.logbook import keys
from pbem.service.logbook.verify import verify_game, verify_public
from pbem.service.notify import to_admins
from pbem.service.people import data_export as people
from pbem.store.db.uow import UnitOfWork
from pbem.store.log import codec
from pbem.store.people.players import Player
from pbem.store.people.traces import Traces
from pbem.store.rows.core import OPEN_STATUSES, InboxMail


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The numbers of erased messages and log texts, and the games that the person played."""

    player_id: str
    games: tuple[GameId, ...]
    mails: int
    texts: int


@dataclass(frozen=True, slots=True)
class _Person:
    """The person to erase, and a pattern of the words that name them."""

    player: Player
    addresses: list[str]
    words: re.Pattern[str]

    def blot_out(self, value: JsonValue) -> JsonValue:
        """Replace these words in all texts of a value."""
        match value:
            case str():
                return self.words.sub(games.UNKNOWN, value)
            case list():
                return [self.blot_out(item) for item in value]
            case dict():
                return {key: self.blot_out(item) for key, item in value.items()}
            case _:
                return value


def forget(service: Service, who: str, reason: str) -> Forgotten:
    """Erase a person's data in one transaction. The admins are notified of the reason and the ID.

    The bytes may still be in the file afterwards. `Store.vacuum` removes them.

    Args:
        who: ID, address or name.
        reason: for the admins. It must not name the person.

    Raises: Refusal if the person is still playing or several people have the name, or LogError.
    """
    if not reason.strip():
        raise Refusal("reason", "Forgetting somebody needs a reason, for the other admins.")
    with service.store.unit_of_work() as uow:
        person = _person(uow, names.find_player(uow, who))
        if person.words.search(reason):
            raise Refusal("reason", "The reason names the person; it would be all that remains.")
        lost = keys.lost_games(uow)
        _refuse_while_playing(uow, person.player, lost)
        leagues.withdraw(service, uow, person.player.id)
        traces = Traces(uow.connection, uow.envelopes)
        game_ids = traces.games_naming(person.player.id)
        for game_id in game_ids:
            if not uow.lock_game(game_id):
                raise Refusal("busy", f"Game {game_id} is being changed at this moment; try again.")
        texts = sum(
            uow.events.erase_unreadable(game_id)
            if game_id in lost
            else _erase_texts(uow, game_id, person)
            for game_id in game_ids
        )
        for question in uow.questions.all():  # includes questions to others about the person
            if person.words.search(str((question.what.address, question.what.acts))):
                uow.questions.drop(question.id)
        mails = _erase_mails(service, uow, traces, person, game_ids, lost)
        traces.erase_player(person.player.id)
        for game_id in game_ids:
            (verify_public if game_id in lost else verify_game)(uow, game_id)
        to_admins.queue(
            service,
            uow,
            key=f"forgotten:{person.player.id}",
            message=f"The player {person.player.id} was forgotten: name, addresses and mails are"
            f" erased, backups are not. The reason given: {reason.strip()}",
        )
    return Forgotten(person.player.id, tuple(game_ids), mails, texts)


def _person(uow: UnitOfWork, player: Player) -> _Person:
    addresses = uow.players.addresses(player.id)
    named = "|".join(re.escape(word) for word in [*addresses, player.name])
    return _Person(player, addresses, re.compile(rf"(?<!\w)(?:{named})(?!\w)", re.IGNORECASE))


def _refuse_while_playing(uow: UnitOfWork, player: Player, lost: frozenset[GameId]) -> None:
    for game in uow.projections.games_of(player.id):
        if game.id in lost:
            continue  # their games cannot continue
        for seat in uow.projections.seats(game.id):
            is_theirs = seat.player_id == player.id and seat.status in AT_TABLE
            if is_theirs and game.status in UNFINISHED:
                out = "remove" if game.status == "running" else "stop"
                who = f" {seat.seat}" if out == "remove" else ""
                raise Refusal(
                    "plays",
                    f"They still have seat {seat.seat} of game {game.id}. First: pbem game replace"
                    f" {game.id} {seat.seat} NAME=ADDRESS --reason …, or pbem game {out} {game.id}{who}"
                    " --reason …",
                )


def _erase_texts(uow: UnitOfWork, game_id: GameId, person: _Person) -> int:
    """Erase the texts in a log that the person wrote, that concern them, or that name them."""
    count = 0
    disputes: set[int] = set()
    steps = people.seats_of(uow, game_id, person.player.id)
    seat_before = -1
    for stored, (seat, _) in zip(uow.events.read(game_id), steps, strict=True):
        seats = {seat, seat_before} - {-1}
        seat_before = seat
        if not _may_be_erased(stored):
            continue
        recorded = codec.decode(stored)
        if isinstance(recorded.event, DisputeOpened) and recorded.event.seat in seats:
            disputes.add(recorded.event.number)
        if _concerns(stored, recorded, person, seats, disputes):
            count += uow.events.erase_secret(game_id, stored.version)
    return count


def _may_be_erased(event: StoredEvent) -> bool:
    secret = event.secret
    return secret is not None and secret.payload is not None and opens(event) == "never"


def _concerns(
    stored: StoredEvent, recorded: Recorded, person: _Person, seats: set[int], disputes: set[int]
) -> bool:
    event = recorded.event
    if isinstance(event, DisputeResolved):
        is_theirs = event.number in disputes
    elif isinstance(event, Hidden):
        is_theirs = isinstance(event.payload, dict) and event.payload.get("seat") in seats
    else:
        is_theirs = getattr(event, "seat", -1) in seats
    text = "" if stored.secret is None else canonical_json(stored.secret.payload).decode()
    return is_theirs or person.words.search(text) is not None


def _erase_mails(
    service: Service,
    uow: UnitOfWork,
    traces: Traces,
    person: _Person,
    game_ids: list[GameId],
    lost: frozenset[GameId],
) -> int:
    own = person.player.id
    at_table = {
        seat.player
        for game_id in game_ids
        if game_id not in lost
        for _, game in people.seats_of(uow, game_id, own)
        for seat in game.seats
    }
    at_table |= {
        seat.player_id
        for game in lost.intersection(game_ids)
        for seat in uow.projections.seats(game)
    }
    at_table |= {
        entry.player for league in league_messages.of_player(uow, own) for entry in league.entries
    }
    at_table -= {own}
    is_own = people.is_from(own, person.addresses)

    def is_wanted(mail: InboxMail) -> bool:
        if is_own(mail):
            return True
        is_near = mail.player_id is None or mail.player_id in at_table or mail.game_id in game_ids
        return is_near and mail.status not in OPEN_STATUSES and _names(service, uow, mail, person)

    # messages to admins about disputes of these games, which quote a complaint
    complaints = tuple(f"alert:dispute:{game_id}:" for game_id in game_ids)
    count = 0
    for mail in traces.mails_in(is_wanted):
        traces.erase_mail_in(mail)
        count += 1
    for out in traces.mails_out({own, *at_table}, game_ids):
        if out.player_id == own:
            traces.erase_mail_out(out)
            count += 1
        elif out.key.startswith(complaints):
            traces.erase_mail_out(out)
        elif out.game_id is None or out.game_id in game_ids:
            params = {key: person.blot_out(value) for key, value in out.params.items()}
            if out.player_id is not None or params != out.params:
                traces.rewrite_mail_out(out, params)
    return count


def _names(service: Service, uow: UnitOfWork, mail: InboxMail, person: _Person) -> bool:
    """True if another person's message names the person, in any encoding.

    An unreadable message counts as naming them. A message without bytes does not.
    """
    if not mail.raw:
        return False
    if person.words.search(mail.raw.decode("utf-8", "replace")):
        return True
    try:
        read = sender_identity.read(service, mail.raw, mail.mail_from, uow=uow)
    except MailError:
        return True
    if read.unread in (ENCRYPTED, LOCKED):
        return True
    texts = (read.plain, read.html, read.subject, *read.recipients)
    return any(person.words.search(text) for text in texts if text)
