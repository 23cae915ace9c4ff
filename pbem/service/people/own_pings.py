"""Where a player is pinged: `ping ntfy my-topic`, the code that was sent there, `ping off`."""

from __future__ import annotations

import hmac
from dataclasses import replace
from datetime import timedelta

from engine.sentences import Sentence, joined, one_of, sentence
from pbem.domain.log.chain import format_time, parse_time
from pbem.errors import Refusal
from pbem.pings.services import SERVICES, read_place
from pbem.service.core import limits
from pbem.service.core.context import Service
from pbem.service.notify import pinging
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Pinged, Player

CODE_LENGTH = 6
MOST_TRIES = 5
"""Wrong codes; then another one has to be sent."""
CODE_COUNTS = timedelta(days=1)


def carry_out(service: Service, uow: UnitOfWork, player: Player, words: str | None) -> Sentence:
    """Carry out the words behind `ping`; return a sentence. Raises: Refusal."""
    if words is None:
        return joined([in_sentence(service, uow, player), _how(service)])
    pinged = uow.players.pinged(player)
    if words.lower() == "off":
        uow.players.set_pinged(player.id, Pinged())
        return sentence("From now on you get no pings.")
    if len(words) == CODE_LENGTH and words.isdigit():
        return _confirm(service, uow, player, pinged, words)
    return _ask(service, uow, player, pinged, words)


def in_sentence(service: Service, uow: UnitOfWork, player: Player) -> Sentence:
    """Say where a player is pinged; nothing on a server without pings and a player without a place."""
    pinged = uow.players.pinged(player)
    if not pinged.place:
        return sentence("You get no pings.") if service.config.pings.allow else Sentence("")
    said = sentence("When it is your turn you are pinged by {place}.", place=pinged.place)
    last = uow.outbox.newest_with_key(f"{pinging.TOLD}{player.id}:")
    if last is None or not last.is_in_trouble:
        return said
    return joined([said, sentence("The last ping could not be delivered.")])


def _how(service: Service) -> Sentence:
    allowed = service.config.pings.allow
    if not allowed:
        raise _none()
    examples = one_of([f'"ping {word} {SERVICES[word].example}"' for word in allowed])
    return sentence('Write {examples}, or "ping off".', examples=examples)


def _none() -> Refusal:
    return Refusal("ping", sentence("This server sends no pings."))


def _ask(service: Service, uow: UnitOfWork, player: Player, pinged: Pinged, words: str) -> Sentence:
    """Send a code to a place. Raises: Refusal."""
    if not service.config.pings.allow:
        raise _none()
    found = read_place(words)
    if found is None or found[0] not in service.config.pings.allow:
        raise Refusal("ping", joined([sentence("I cannot ping you there."), _how(service)]))
    place = " ".join(found)
    if place == pinged.place:
        return in_sentence(service, uow, player)
    if not limits.may_ask_place(service, uow, player.id):
        raise Refusal("ping", sentence("That was asked often enough today; try again tomorrow."))
    number = int.from_bytes(service.random_bytes(8)) % 10**CODE_LENGTH
    code = f"{number:0{CODE_LENGTH}}"
    until = format_time(service.now() + CODE_COUNTS)
    uow.players.set_pinged(player.id, replace(pinged, asked=place, code=code, until=until, tries=0))
    pinging.queue_code(service, uow, player, place, code)
    return sentence(
        'A code is on its way to {place}. Answer with "ping" and the code within a day, and your pings'
        " go there. If none comes, nothing changes.",
        place=place,
    )


def _confirm(
    service: Service, uow: UnitOfWork, player: Player, pinged: Pinged, code: str
) -> Sentence:
    """Take the code that was sent to a place. Raises: Refusal."""
    is_open = pinged.code and service.now() <= parse_time(pinged.until)
    if not is_open:
        raise Refusal("ping", joined([sentence("No code is open."), _how(service)]))
    if not hmac.compare_digest(code.encode(), pinged.code.encode()):
        tries = pinged.tries + 1
        kept = replace(pinged, tries=tries)
        if tries >= MOST_TRIES:
            kept = Pinged(place=pinged.place)
        uow.players.set_pinged(player.id, kept)
        raise Refusal("ping", sentence("That is not the code that I sent."))
    uow.players.set_pinged(player.id, Pinged(place=pinged.asked))
    return sentence(
        "From now on you are pinged by {place} when it is your turn.", place=pinged.asked
    )
