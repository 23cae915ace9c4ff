"""Carry out orders about talk, such as `say`, and deliver talk.

Talk is delivered with the next message to its reader or in a separate message.

Talk is stored only in the log. Each message about a game includes the talk since the previous
message. If there is no such message in time, one of kind `talk` delivers it. It is superseded if
other messages have reported everything by then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from engine.sentences import Sentence, all_of, sentence
from pbem.domain.log.chain import GameId, format_time
from pbem.domain.log.events import PRIVATE_MESSAGE, Event, Hidden, MessagePosted, Recorded
from pbem.domain.play import posting
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import AT_TABLE, Game, SeatState
from pbem.domain.words import talk
from pbem.domain.words.orders import OrderLine
from pbem.domain.words.service_words import Word
from pbem.domain.words.talk import ANONYMOUS
from pbem.errors import Refusal
from pbem.mail_in.quotes.marks import words_of
from pbem.mail_out.content import Speech
from pbem.mail_out.kinds import DIGEST, TALK, SlotParams
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.mail_context import SeatContext
from pbem.service.notify import mailings
from pbem.store.db.uow import UnitOfWork
from pbem.store.log import codec
from pbem.store.people.players import Player

FOLDED_FOR = timedelta(hours=3)
"""How long talk waits for another message to its reader."""
AFTER_DIGEST = timedelta(minutes=10)
SHOWN_AT_ONCE = 12
"""Maximum number of talk messages shown at once. `history talk` shows older talk."""

COUNTED_EVENTS = 1000
"""Number of recent events that are searched for a player's talk of the last hour."""

TYPES = (MessagePosted.__name__, Hidden.__name__)
SLOT, MIN_WAIT = timedelta(hours=6), timedelta(hours=1)
"""Anonymous talk is delivered four times a day, so that the time does not reveal the author."""
LONGEST_WAIT = MIN_WAIT + SLOT


@dataclass(frozen=True, slots=True)
class Message:
    """A talk message as recorded in the log.

    Attributes:
        player: the author's ID.
        seat: the author's seat at that time.
        to: IDs of the players who may read it. Empty means everyone.
        is_anonymous: True if the author is not shown.
    """

    version: int
    at: datetime
    seat: int
    player: str
    text: str
    to: tuple[str, ...] = ()
    is_anonymous: bool = False

    def is_for(self, reader: SeatState) -> bool:
        """True if a player may read the message and has not muted its author."""
        if (ANONYMOUS if self.is_anonymous else self.player) in reader.muted:
            return False
        return not self.to or reader.player in (*self.to, self.player)

    @property
    def released_at(self) -> datetime:
        """Return the earliest time at which it may be read."""
        if not self.is_anonymous:
            return self.at
        day = self.at.replace(hour=0, minute=0, second=0, microsecond=0)
        slots = (self.at + MIN_WAIT - day) // SLOT + 1
        return day + slots * SLOT


def messages(
    uow: UnitOfWork, game_id: GameId, after: int = 0, up_to: int | None = None
) -> list[Message]:
    """Return the talk after a version, oldest first, without erased messages."""
    recorded = (
        codec.decode(event) for event in uow.events.read_types(game_id, TYPES, after, up_to)
    )
    read = [_message(item) for item in recorded]
    return [message for message in read if message is not None and message.text]


def _message(item: Recorded) -> Message | None:
    event = item.event
    if isinstance(event, MessagePosted):
        return Message(item.version, item.recorded_at, event.seat, event.player, event.text)
    if not isinstance(event, Hidden) or event.type != PRIVATE_MESSAGE:
        return None
    payload: Any = event.payload
    return Message(
        item.version,
        item.recorded_at,
        payload["seat"],
        payload["player"],
        payload["text"],
        tuple(payload["to"]),
        payload["is_anonymous"],
    )


def count_since(
    uow: UnitOfWork, game: Game, player_id: str, since: datetime, decision: Decision
) -> int:
    """Count a player's messages in a game since a time, including those not yet recorded."""
    here = len(decision.events)
    first = max(0, game.version - here - COUNTED_EVENTS)
    sent = messages(uow, game.id, first)
    before = sum(message.player == player_id and message.at > since for message in sent)
    return before + sum(_is_message(decided.event) for decided in decision.events)


def _is_message(event: Event) -> bool:
    is_hidden = isinstance(event, Hidden) and event.type == PRIVATE_MESSAGE
    return is_hidden or isinstance(event, MessagePosted)


def untold(uow: UnitOfWork, game: Game, seat: int, player: Player) -> list[Message]:
    """Return the named talk that this reader has not received yet, without their own.

    Anonymous talk is sent separately.
    """
    reported = uow.outbox.reported_up_to(game.id, seat, player.id)
    if reported >= game.version:
        return []
    reader = game.seats[seat]
    unread = [
        message
        for message in messages(uow, game.id, reported, game.version)
        if message.player != reader.player and not message.is_anonymous and message.is_for(reader)
    ]
    told_daily = _version_in_digest(uow, game.id, seat, player) if unread else 0
    return [one for one in unread if one.version > told_daily]


def in_slot(uow: UnitOfWork, game: Game, seat: int, first: int, slot: str) -> list[Message]:
    """Return the anonymous talk from version `first` on that is released in a slot."""
    reader = game.seats[seat]
    return [
        message
        for message in messages(uow, game.id, first - 1, game.version)
        if message.is_anonymous
        and format_time(message.released_at) == slot
        and message.is_for(reader)
    ]


def _version_in_digest(uow: UnitOfWork, game_id: GameId, seat: int, player: Player) -> int:
    last = uow.outbox.last_to_player(player.id, DIGEST.name, sent=True)
    told = () if last is None else DIGEST.read(last.params).games
    return max((one[3] for one in told if one[:2] == (game_id, seat)), default=0)


def speeches(
    uow: UnitOfWork, game: Game, reader: str, said: Sequence[Message]
) -> tuple[Speech, ...]:
    """Convert talk messages to what a reader sees."""
    seated = [state.player for state in game.seats]
    names = dict(zip(seated, games.seat_names(uow, game.seats), strict=True))

    def name(player_id: str) -> str:
        return names.get(player_id) or games.shown_names(uow, [player_id])[0]

    return tuple(
        Speech(who="", at=message.released_at, text=message.text)
        if message.is_anonymous
        else Speech(
            who=name(message.player),
            at=message.at,
            text=message.text,
            to=tuple(name(other) for other in message.to if other != reader),
            is_mine=message.player == reader,
            to_me=reader in message.to,
        )
        for message in said
    )


def deliver(service: Service, uow: UnitOfWork, game: Game, events: Sequence[Recorded]) -> None:
    """Schedule messages that deliver new talk to each seat's player."""
    talk = [message for item in events if (message := _message(item)) is not None]
    if not talk:
        return
    for seat, state in enumerate(game.seats):
        player = uow.players.get(state.player)
        if player is None or state.status not in AT_TABLE:
            continue
        named = [
            message
            for message in talk
            if message.player != player.id and not message.is_anonymous and message.is_for(state)
        ]
        if named:
            leaves_at = min(_leaves_at(service, game, player, message) for message in named)
            if not uow.outbox.hasten(game.id, seat, TALK.name, leaves_at):
                mailings.queue_talk(service, uow, game, seat, not_before=leaves_at)
        for message in talk:  # includes the author, so that receiving it reveals nothing
            if message.is_anonymous and message.is_for(state):
                leaves_at = message.released_at
                slot = SlotParams(message.version, format_time(leaves_at))
                mailings.queue_anonymous(service, uow, game, seat, slot, leaves_at)


def _leaves_at(service: Service, game: Game, player: Player, message: Message) -> datetime:
    """Return the latest time to send a talk message, as its reader prefers."""
    now = service.now()
    if player.talk == "at once" or (player.talk == "" and message.to):
        return now
    if player.digest_at is not None and game.status == "running":
        return player.digest_at + AFTER_DIGEST
    return now + FOLDED_FOR


AFTER_THE_END = timedelta(days=7)
"""How long players may talk about a finished game."""
MESSAGES_PER_HOUR = 20
"""Maximum number of messages per player and game in an hour."""
_TELLING_WORDS = 3
"""Minimum number of words for a line that also occurs in our message to count as quoted."""


def doubt(line: OrderLine) -> Refusal:
    """Return a refusal that asks where the talk in a message ends."""
    if line.guess is not None:
        return Refusal(
            "talk",
            sentence(
                'Is "{line}" a part of what you want to say, or a move? I cannot tell, so nothing'
                " was said. A blank line ends what you say: write moves below one, or above.",
                line=line.guess,
            ),
        )
    return Refusal(
        "talk",
        sentence(
            "Your mail program may have broken your line in two, and I cannot tell whether the second"
            ' one belongs to it, so nothing was said. Write "say:" on a line of its own and your words'
            " below it; a blank line ends them."
        ),
    )


def say(progress: SeatContext, line: OrderLine) -> None:
    """Post a message to all or some players. Raises: Refusal."""
    words = line.argument or ""
    talk_ = talk.read_said(words, progress.names, progress.seat)
    _refuse_quoted(progress, talk_.text)
    _refuse_late_and_loud(progress)
    if talk_.is_anonymous and not progress.is_single_order:
        raise Refusal(
            "talk",
            sentence(
                "Words without a name must be alone in their mail, or the others could tell by what"
                " else happened at that moment who wrote them. Nothing was said."
            ),
        )
    posting.say(progress.decision, progress.seat, talk_)
    if talk_.is_anonymous:
        progress.notes.append(
            sentence(
                "The others read your words in a few hours, and nobody is told whose they are. The log"
                " keeps it under lock and key: only who runs this server could find out."
            )
        )
    elif talk_.to:
        names = [progress.names[other] for other in talk_.to]
        progress.notes.append(sentence("Nobody but {names} reads that.", names=all_of(names)))


def mute(progress: SeatContext, line: OrderLine) -> None:
    """Mute or unmute a player in this game. Raises: Refusal."""
    is_muted = line.word is Word.MUTE
    name = (line.argument or "").strip(" .!")
    if not name:
        raise Refusal(
            "talk",
            sentence("Say behind the word whom you mean."),
            suggestions=tuple(
                f"{line.text.strip()} {other}"
                for seat, other in enumerate(progress.names)
                if seat != progress.seat
            ),
        )
    if name.casefold() in (talk.ANONYMOUS, "anonymously"):
        player, shown = talk.ANONYMOUS, ""
    else:
        seat = talk.seat_called(name, progress.names)
        player, shown = progress.game.seats[seat].player, progress.names[seat]
    posting.mute(progress.decision, progress.seat, player, is_muted=is_muted)
    progress.notes.append(_muted(shown, is_muted=is_muted))


def _muted(name: str, *, is_muted: bool) -> Sentence:
    if not name and is_muted:
        return sentence("You read nothing that is said without a name in this game any more.")
    if not name:
        return sentence("You read again what is said without a name in this game.")
    if is_muted:
        return sentence(
            "You read nothing that {name} says in this game any more, and nobody is told so.",
            name=name,
        )
    return sentence("You read again what {name} says in this game.", name=name)


def pages(progress: SeatContext, line: OrderLine) -> None:
    """Object to a public page of this game, or withdraw the objection. Raises: Refusal."""
    is_allowed = (line.argument or "").strip(" .").casefold() == "on"
    posting.set_page(progress.decision, progress.seat, is_allowed=is_allowed)
    others = [n for n in progress.decision.existing().against_page if n != progress.seat]
    if not is_allowed:
        message = sentence(
            "This game has no page that others could read, as long as you don't want one."
        )
    elif others:
        message = sentence("You no longer object to a page of this game, but somebody else does.")
    else:
        message = sentence("You no longer object to a page of this game.")
    progress.notes.append(message)


def _refuse_quoted(progress: SeatContext, text: str) -> None:
    """Refuse talk that may quote our message, or that only one form (text or HTML) contains."""
    lines = text.split("\n")
    words = [words_of(line) for line in lines]
    ours = set(map(words_of, progress.quoted.splitlines() if len(lines) > 1 else ()))
    is_ours = any(len(sequence) >= _TELLING_WORDS and sequence in ours for sequence in words)
    if is_ours or not progress.is_witnessed([word for sequence in words for word in sequence]):
        raise Refusal(
            "talk",
            sentence(
                "I cannot tell whether all of these words are yours or some of them quoted, so nothing"
                " was said. Please write again and delete what you quote."
            ),
        )


def _refuse_late_and_loud(progress: SeatContext) -> None:
    service, uow, game = progress.mail_context.service, progress.mail_context.uow, progress.game
    now = service.now()
    row = uow.projections.game(game.id)
    ended_at = None if row is None else row.finished_at
    if game.is_over and ended_at is not None and now - ended_at > AFTER_THE_END:
        raise Refusal(
            "over", sentence("The game has been over for so long that nobody talks about it here.")
        )
    count = count_since(
        uow, game, game.seats[progress.seat].player, now - timedelta(hours=1), progress.decision
    )
    if count >= MESSAGES_PER_HOUR:
        raise Refusal(
            "talk",
            sentence(
                "You have said {count} things within an hour; please let the others have a word, and"
                " write again later.",
                count=count,
            ),
        )
