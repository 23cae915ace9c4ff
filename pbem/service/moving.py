"""A running game that moves to another server: sealed there, taken in here, mailed to everybody.

The sealed file holds the whole log with all secrets, and names and addresses of the players; only a
passphrase keeps it closed. At the old server the game stands still for ever, unless the same file is
taken in there again: then it has come back.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from zoneinfo import available_timezones

from engine.api import JsonObject
from engine.canonical import canonical_json
from pbem.domain import acts
from pbem.domain.events import GameMoved
from pbem.domain.game import Game
from pbem.domain.log import GameId, StoredEvent
from pbem.domain.naming import LONGEST
from pbem.errors import LogError
from pbem.language import languages
from pbem.service import games, lobby, mailings
from pbem.service.context import Service
from pbem.service.exports import GAME_ID, event_json, read_event
from pbem.service.importing import Imported, opening, other_log
from pbem.service.verify import Report, verify_events, verify_game
from pbem.store import codec
from pbem.store.locked import COST, lock, unlock
from pbem.store.players import Player
from pbem.store.uow import UnitOfWork

FORMAT = "pbem-sealed-game-v1"
_MOST_ROTATIONS = 1_000_000


def send_away(
    service: Service,
    game_id: GameId,
    reason: str,
    passphrase: str,
    write: Callable[[str], None],
    *,
    cost: int = COST,
) -> Game:
    """Seal a running game; nobody can move here any more, and every player is mailed the reason.

    Args:
        service: of the old server.
        game_id: which game.
        reason: every player reads it.
        passphrase: opens the file.
        write: keeps the sealed text; if it fails, the game stays here.
        cost: scrypt's N.

    Raises: Refusal, UnknownStreamError; ConfigError for a passphrase that is too short.
    """
    with service.store.unit_of_work() as uow:
        games.lock(uow, game_id)
        game = games.load(uow, game_id)
        decision = games.begin_by_command(uow, service, game)
        acts.move_away(decision, reason)
        after, recorded = games.record(uow, decision)
        mailings.queue(uow, service, after, recorded, position_before=game.position)
        inside: JsonObject = {
            "events": [event_json(event, event.secret) for event in uow.events.read(game_id)],
            "players": [_player_json(uow, seat.player) for seat in game.seats],
        }
        said: JsonObject = {"game": game_id, "events": after.version, "head": after.head}
        write(lock(canonical_json(inside), passphrase, FORMAT, said, cost))
    return after


def is_sealed(data: bytes) -> bool:
    """Say whether a file is a sealed game, or means to be."""
    return FORMAT.encode() in data[:200]


def take_in_sealed(service: Service, data: bytes, passphrase: str, source: str) -> Imported:
    """Take in a sealed game and let it go on here, in one transaction; its players are mailed.

    Args:
        service: of this server.
        data: the file.
        passphrase: opens it.
        source: names the file in errors.

    Raises:
        ConfigError: the passphrase is wrong, or this is no such file.
        LogError: what is in it does not verify.
        Refusal: another log of this game is here.
    """
    opened = unlock(data.decode("utf-8", "replace"), passphrase, FORMAT, source)
    events, travellers = _read(opened, service)
    report = verify_events(events)
    if events[-1].type != GameMoved.__name__ or not GAME_ID.fullmatch(report.game_id):
        raise LogError("the log does not end with the game being sent away", version=len(events))
    game_id = GameId(report.game_id)
    with service.store.unit_of_work() as uow:
        games.lock(uow, game_id)
        head = uow.events.head(game_id)
        known = [] if head is None else uow.events.read(game_id)
        if [event.hash for event in known[: len(events)]] == [event.hash for event in events]:
            if len(known) > len(events):
                return Imported(report, is_new=False)
        elif head is not None and not _continues(known, events):
            raise other_log(report, head)
        fresh = [opening(event) for event in events[len(known) :]]
        if fresh:
            uow.events.adopt(fresh)
            uow.projections.apply(game_id, [codec.decode(event) for event in fresh])
        replaced = _settle(uow, travellers)
        after = _go_on(service, uow, game_id, replaced)
        verified = verify_game(uow, game_id)
    return Imported(
        Report(game_id, after.version, after.head, complete=False, checks=verified.checks),
        is_new=True,
    )


def _continues(known: list[StoredEvent], events: list[StoredEvent]) -> bool:
    """Say whether a game that was sent away from here comes back with more events."""
    return known[-1].type == GameMoved.__name__ and [event.hash for event in known] == [
        event.hash for event in events[: len(known)]
    ]


def _go_on(service: Service, uow: UnitOfWork, game_id: GameId, replaced: dict[str, str]) -> Game:
    game = games.load(uow, game_id)
    decision = games.begin_by_command(uow, service, game)
    acts.arrive(decision)
    for seat, state in enumerate(game.seats):
        if state.player in replaced:
            reason = "At this server the same person is known by another id."
            acts.replace_player(decision, seat, replaced[state.player], reason)
    after, recorded = games.record(uow, decision)
    mailings.queue(uow, service, after, recorded, position_before=game.position)
    return after


def _settle(uow: UnitOfWork, travellers: list[tuple[Player, list[str]]]) -> dict[str, str]:
    """Register the players who are not known here; gives who has another id here.

    With one address each, to which the mails go: that further ones are theirs as well is only said
    by the file, and whoever owns them would be taken for this player here in other games, too.
    """
    replaced: dict[str, str] = {}
    for player, addresses in travellers:
        known = uow.players.get(player.id)
        if known is not None:
            if known.id != player.id:  # two players became one while the game was away
                replaced[player.id] = known.id
            continue
        owners = [uow.players.by_address(address) for address in addresses]
        owner = next((one for one in owners if one is not None), None)
        if owner is not None:
            replaced[player.id] = owner.id
            continue
        uow.players.settle(player)
        for address in addresses[:1]:
            uow.players.add_address(player.id, address, is_primary=True)
    return replaced


def _player_json(uow: UnitOfWork, player_id: str) -> JsonObject:
    player = uow.players.get(player_id)
    if player is None:
        return {"id": player_id, "name": "", "zone": "UTC", "rotation": 0, "addresses": []}
    return {
        "id": player.id,
        "name": player.name,
        "zone": player.zone,
        "language": player.language,
        "rotation": player.rotation,
        "addresses": [*uow.players.addresses(player.id)],
    }


def _read(
    opened: bytes, service: Service
) -> tuple[list[StoredEvent], list[tuple[Player, list[str]]]]:
    """Read the content of a sealed file; people are checked as those of a new game are."""
    try:
        inside: Any = json.loads(opened)
        events = [read_event(event, number) for number, event in enumerate(inside["events"], 1)]
        return events, [_read_player(one, service) for one in inside["players"] if one["name"]]
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise LogError(f"the sealed file is damaged: {type(error).__name__}") from None


def _read_player(data: dict[str, Any], service: Service) -> tuple[Player, list[str]]:
    zone, rotation, name = data["zone"], data["rotation"], data["name"]
    if not GAME_ID.fullmatch(data["id"]) or zone not in available_timezones():
        raise LogError("the sealed file names a player as no server of ours does")
    if type(rotation) is not int or not 0 <= rotation < _MOST_ROTATIONS:
        raise LogError("the sealed file counts reply addresses as no server of ours does")
    if not isinstance(name, str) or not name.isprintable() or len(name) > LONGEST:
        raise LogError("the sealed file has a name that nobody can have")
    wanted = data.get("language")
    language = wanted if wanted in languages() else service.settings.language
    player = Player(data["id"], name, zone, service.now(), rotation, language=language)
    return player, [lobby.checked_address(address) for address in data["addresses"]]
