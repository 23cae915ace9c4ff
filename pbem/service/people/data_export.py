"""Export everything stored about a person: `pbem player export`."""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection

from engine.api import JsonObject, JsonValue
from pbem.domain.log.chain import GameId, format_time
from pbem.domain.log.events import (
    PRIVATE_MESSAGE,
    DisputeOpened,
    Hidden,
    MessagePosted,
    PhraseGiven,
)
from pbem.domain.table.fold import folded
from pbem.domain.table.game import Game
from pbem.domain.words.player_settings import exported
from pbem.service.core import names
from pbem.service.core.context import Service
from pbem.service.league import league_messages
from pbem.service.logbook import keys, replays
from pbem.store.db.uow import UnitOfWork
from pbem.store.log import codec
from pbem.store.people.traces import Traces
from pbem.store.post.pruning import pruned_on
from pbem.store.rows.core import InboxMail, OutboxMail
from pbem.store.tables.standings import TurnCounts


def collect(
    service: Service,
    who: str,
    *,
    reveal: bool = False,
    reason: str | None = None,
) -> JsonObject:
    """Collect everything that is stored about a person.

    Messages of running games show the hidden cards of seats that the person has or had, standing
    orders reveal plans, and messages without a game may quote either. Without `reveal` their
    content is left out. With it, every player of those games is notified of the reason.

    Raises: Refusal.
    """
    with service.store.reading() as uow:
        player = names.find_player(uow, who)
        lost = keys.lost_games(uow)
        running = running_seats(uow, player.id, lost)
    closed = frozenset(running)
    if reveal:
        for game_id, seats in running.items():
            replay = replays.replay(service, game_id)
            replays.replay_as_seats(service, replay, seats, reason=reason)
        closed = frozenset()
    with service.store.reading() as uow:
        traces = Traces(uow.connection, uow.envelopes)
        addresses = uow.players.addresses(player.id)
        unreachable = uow.deliverability.unreachable(player.id)
        keyed = uow.players.keyed(player)
        turns = uow.standings.turns([player.id]).get(player.id, TurnCounts())
        mails_in = traces.mails_in(is_from(player.id, addresses), [player.id])
        mails_out = traces.mails_out([player.id])
        return {
            "player": player.id,
            "name": player.name,
            "addresses": list(addresses),
            "since": format_time(player.created_at),
            **exported(player),
            "offered_languages": list(player.offered),
            "pinged_by": uow.players.pinged(player).place or None,
            "encrypted_with": None if keyed is None else base64.b64encode(keyed.key).decode(),
            "unreachable": None if unreachable is None else unreachable.reason,
            "ratings": [
                {
                    "ruleset": rating.ruleset or None,  # null: the overall rating
                    "rating": f"{rating.rating.mu:.3f}",
                    "uncertainty": f"{rating.rating.sigma:.3f}",
                    "games": rating.games,
                }
                for rating in uow.standings.rated([player.id], None)
            ],
            "turns": {"on_time": turns.on_time, "late": turns.late},
            "games": [
                _lost_json(uow, game_id, player.id)
                if game_id in lost
                else _game_json(uow, game_id, player.id, is_closed=game_id in closed)
                for game_id in traces.games_of([player.id])
            ],
            "leagues": [league.terms.name for league in league_messages.of_player(uow, player.id)],
            "questions": [
                {"kind": row.kind, "asked": format_time(row.asked_at), "about": [*row.what.acts]}
                for row in uow.questions.all()
                if row.player_id == player.id
            ],
            "mails_in": [_in_json(mail, closed) for mail in mails_in],
            "mails_out": [
                _out_json(mail, closed) for mail in mails_out if mail.player_id == player.id
            ],
        }


def is_from(player_id: str, addresses: list[str]) -> Callable[[InboxMail], bool]:
    """Return a predicate that is True for messages from a person, handled or not."""
    known = frozenset(addresses)

    def is_theirs(mail: InboxMail) -> bool:
        senders = {(mail.sender or "").lower(), (mail.mail_from or "").lower()}
        return mail.player_id == player_id or bool(known & senders)

    return is_theirs


def seats_of(uow: UnitOfWork, game_id: GameId, player_id: str) -> list[tuple[int, Game]]:
    """Return a person's seat (-1: no seat) and the game after each event of a game."""
    recorded = [codec.decode(event) for event in uow.events.read(game_id)]
    return [(next(iter(game.seats_of(player_id)), -1), game) for game in folded(recorded, game_id)]


def running_seats(
    uow: UnitOfWork, player_id: str, lost: Collection[GameId] = ()
) -> dict[GameId, list[int]]:
    """Return a person's seats, past and present, in unfinished games not in `lost`."""
    result = {}
    for game_id in Traces(uow.connection, uow.envelopes).games_of([player_id]):
        if game_id in lost:
            continue
        then = seats_of(uow, game_id, player_id)
        if not then[-1][1].is_over:  # by the log, because the row could have been altered
            result[game_id] = sorted({seat for seat, _ in then} - {-1})
    return result


def _game_json(uow: UnitOfWork, game_id: GameId, player_id: str, *, is_closed: bool) -> JsonObject:
    events = uow.events.read(game_id)
    steps = seats_of(uow, game_id, player_id)
    talk: list[JsonValue] = []
    for event, (seat, _) in zip(events, steps, strict=True):
        recorded = codec.decode(event)
        match recorded.event:
            case DisputeOpened(seat=by, text=text) if by == seat:
                talk.append({"event": event.version, "dispute": text})
            case MessagePosted(player=by, text=text) if by == player_id:
                talk.append({"event": event.version, "talk": text})
            case Hidden(type=kind, payload={"player": by, "text": text, "to": to}) if (
                kind == PRIVATE_MESSAGE and by == player_id and not is_closed
            ):
                talk.append({"event": event.version, "talk": text, "to": to})
            case PhraseGiven(seat=by, phrase=phrase) if by == seat and not is_closed:
                talk.append({"event": event.version, "phrase": phrase})
            case Hidden(type=kind, payload={"seat": by, "text": text}) if (
                by == seat and kind != PRIVATE_MESSAGE and not is_closed
            ):
                talk.append({"event": event.version, "standing order": text})
    last = steps[-1][1]
    return {
        "game": game_id,
        "ruleset": last.ruleset.id.name,
        "status": last.status,
        "seats": [*sorted({seat for seat, _ in steps if seat >= 0})],
        "begun": events[0].recorded_at,
        "said": [*talk],
    }


def _lost_json(uow: UnitOfWork, game_id: GameId, player_id: str) -> JsonObject:
    """Return the public data of a game that can no longer be decrypted, as JSON."""
    game, first = uow.projections.game(game_id), uow.events.read_public(game_id)[0]
    own = [seat.seat for seat in uow.projections.seats(game_id) if seat.player_id == player_id]
    return {
        "game": game_id,
        "ruleset": "" if game is None else game.ruleset,
        "status": "" if game is None else game.status,
        "seats": [*own],
        "begun": first.recorded_at,
        "said": [],
        "is_lost": True,
    }


def _is_open(game_id: GameId | None, closed: frozenset[GameId]) -> bool:
    """True if a message may be shown.

    A message without a game is shown only if no game is closed, because it may quote any game.
    """
    return not closed if game_id is None else game_id not in closed


def _in_json(mail: InboxMail, closed: frozenset[GameId]) -> JsonObject:
    return {
        "arrived": format_time(mail.arrived_at),
        "from": mail.sender or mail.mail_from,
        "game": mail.game_id,
        "status": mail.status,
        "sha256": mail.raw_sha256,
        "pruned": (day := pruned_on(mail.verdict)),
        "mail": mail.raw.decode("utf-8", "replace")
        if day is None and mail.raw and _is_open(mail.game_id, closed)
        else None,
    }


def _out_json(mail: OutboxMail, closed: frozenset[GameId]) -> JsonObject:
    is_shown = mail.rendered is not None and _is_open(mail.game_id, closed)
    return {
        "meant": format_time(mail.created_at),
        "sent": None if mail.sent_at is None else format_time(mail.sent_at),
        "kind": mail.kind,
        "game": mail.game_id,
        "status": mail.status,
        "message_id": mail.message_id,
        "pruned": pruned_on(mail.params),
        "mail": (mail.rendered or b"").decode("utf-8", "replace") if is_shown else None,
    }
