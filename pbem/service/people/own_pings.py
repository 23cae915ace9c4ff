"""A player's ping destination: `ping ntfy my-topic`, its confirmation code, `ping off`."""

from __future__ import annotations

import hmac
from dataclasses import replace

from engine.sentences import Sentence, joined, one_of, sentence
from pbem.errors import Refusal
from pbem.mail_out.kinds import PingParams
from pbem.pings.services import SERVICES, read_place
from pbem.service.core.context import Service
from pbem.service.core.limits import DAY
from pbem.service.notify import intentions, questions
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import PingSettings, Player
from pbem.store.post.questions import What

CODE_LENGTH = 6
MAX_TRIES = 5
"""Number of wrong codes after which a new one has to be sent."""
_MAX_TOGETHER = 10


def carry_out(service: Service, uow: UnitOfWork, player: Player, words: str | None) -> Sentence:
    """Carry out the words after `ping` and return a sentence. Raises: Refusal."""
    if words is None:
        return joined([in_sentence(service, uow, player), _how(service)])
    if words.lower() == "off":
        uow.players.set_pinged(player.id, PingSettings())
        _end_question(service, uow, player)
        return sentence("From now on you get no pings.")
    if len(words) == CODE_LENGTH and words.isdigit():
        return _confirm(service, uow, player, words)
    return _ask(service, uow, player, words)


def in_sentence(service: Service, uow: UnitOfWork, player: Player) -> Sentence:
    """Describe a player's ping destination. Empty if they have none and pings are disabled."""
    pinged = uow.players.pinged(player)
    if not pinged.place:
        return sentence("You get no pings.") if service.config.pings.allow else Sentence("")
    message = sentence("When it is your turn you are pinged by {place}.", place=pinged.place)
    last = uow.outbox.newest_with_key(f"{intentions.PING_KEY}{player.id}:")
    if last is None or not last.is_in_trouble:
        return message
    return joined([message, sentence("The last ping could not be delivered.")])


def _how(service: Service) -> Sentence:
    allowed = service.config.pings.allow
    if not allowed:
        raise _none()
    examples = one_of([f'"ping {word} {SERVICES[word].example}"' for word in allowed])
    return sentence('Write {examples}, or "ping off".', examples=examples)


def _none() -> Refusal:
    return Refusal("ping", sentence("This server sends no pings."))


def _ask(service: Service, uow: UnitOfWork, player: Player, words: str) -> Sentence:
    """Send a confirmation code to a destination. Raises: Refusal."""
    if not service.config.pings.allow:
        raise _none()
    destination = read_place(words)
    if destination is None or destination[0] not in service.config.pings.allow:
        raise Refusal("ping", joined([sentence("I cannot ping you there."), _how(service)]))
    address = " ".join(destination)
    if address == uow.players.pinged(player).place:
        return in_sentence(service, uow, player)
    # The limit for all players together is ten times as high, because destinations may be foreign.
    limit = _MAX_TOGETHER * service.config.limits.questions_per_day
    is_enough = uow.questions.count(questions.PLACE, service.now() - DAY) >= limit
    if is_enough or not questions.may_ask(service, uow, questions.PLACE, player.id):
        raise Refusal("ping", sentence("That was asked often enough today; try again tomorrow."))
    _end_question(service, uow, player)
    number = int.from_bytes(service.random_bytes(8)) % 10**CODE_LENGTH
    code = f"{number:0{CODE_LENGTH}}"
    what = What(acts=({"act": "place", "place": address, "code": code, "tries": 0},))
    questions.ask(service, uow, questions.PLACE, player.id, PingParams(to=address, code=code), what)
    return sentence(
        'A code is on its way to {place}. Answer with "ping" and the code within a day, and your pings'
        " go there. If none comes, nothing changes.",
        place=address,
    )


def _confirm(service: Service, uow: UnitOfWork, player: Player, code: str) -> Sentence:
    """Check the code that was sent to a destination, and use the destination. Raises: Refusal."""
    question = uow.questions.newest(questions.PLACE, player.id)
    if question is None or question.answered_at or service.now() > question.expires_at:
        raise Refusal("ping", joined([sentence("No code is open."), _how(service)]))
    (act,) = question.what.acts
    if not hmac.compare_digest(code.encode(), str(act["code"]).encode()):
        tries = int(str(act["tries"])) + 1
        uow.questions.drop(question.id)
        uow.questions.add(replace(question, what=What(acts=({**act, "tries": tries},))))
        if tries >= MAX_TRIES:
            _end_question(service, uow, player)
        raise Refusal("ping", sentence("That is not the code that I sent."))
    _end_question(service, uow, player)
    address = str(act["place"])
    uow.players.set_pinged(player.id, PingSettings(address))
    return sentence("From now on you are pinged by {place} when it is your turn.", place=address)


def _end_question(service: Service, uow: UnitOfWork, player: Player) -> None:
    """Invalidate the pending code, if any."""
    question = uow.questions.newest(questions.PLACE, player.id)
    if question is not None:
        uow.questions.mark_answered(question.id, service.now())
