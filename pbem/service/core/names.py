"""Names of people in facts, reply addresses and links of seats, and lookup of players by name."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from engine.api import Fact, JsonObject, Seat
from engine.sentences import sentence, with_words
from pbem.domain.log.chain import GameId
from pbem.domain.log.league_events import LEAGUE
from pbem.domain.table.game import Game, has_page
from pbem.domain.terms.seats import with_seat_names
from pbem.domain.terms.tokens import PageToken, SeatToken
from pbem.domain.words.orders import names_in_orders
from pbem.errors import Refusal
from pbem.games.profile import Told, profile_of, said_move
from pbem.mail_out.compose import mailto_link
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player

Tell: TypeAlias = Callable[[str, int | None], str]
"""Formats a canonical move of a seat as text."""

SERVICE_PAGE = "service"
"""Path below `/seat/-/` at which `pbem doctor` recognizes this service."""


def named(uow: UnitOfWork, facts: Iterable[Fact], tell: Tell) -> tuple[Fact, ...]:
    """Add names of former players, observers and admins to facts, and format their moves."""
    return tuple(
        Fact(fact.kind, fact.seat, _with_names(uow, fact, tell), fact.audience) for fact in facts
    )


def _with_names(uow: UnitOfWork, fact: Fact, tell: Tell) -> JsonObject:
    data, admin = fact.data, fact.data.get("admin")
    if isinstance(admin, str) and (player := uow.players.get(admin)) is not None:
        data = {**data, "admin": player.name}
    if isinstance(move := data.get("move"), str):
        data = {**data, "move": tell(move, fact.seat)}
    if fact.kind in ("seat_replaced", "seat_taken_over"):
        return {**data, "name": _name_of(uow, str(data["was"]))}
    if "player" in data and fact.kind.startswith(("motion_", "observer_", "replacement_")):
        return {**data, "name": _name_of(uow, str(data["player"]))}
    return data


def _name_of(uow: UnitOfWork, player_id: str) -> str:
    return games.shown_names(uow, [player_id])[0]


def find_player(uow: UnitOfWork, who: str) -> Player:
    """Find a player by ID, address or name.

    Raises: Refusal if no player matches, or several do.
    """
    found = uow.players.get(who) or uow.players.by_address(who)
    if found is not None:
        return found
    named = [
        candidate
        for candidate in uow.players.list()
        if candidate.name.casefold() == who.strip().casefold()
    ]
    if len(named) == 1:
        return named[0]
    if not named:
        raise Refusal("unknown-player", f"There is no player {who}.")
    ids = ", ".join(player.id for player in named)
    raise Refusal("unknown-player", f"Several players are called {who}; name one by id: {ids}.")


def seat_address(service: Service, game: Game, seat: int, player: Player) -> str:
    """Return the current reply address of a seat, valid for this version of the game."""
    state = game.seats[seat]
    token = SeatToken(
        game.id, seat, state.generation, state.decision or 0, game.version, player.rotation
    )
    return service.tokens.address(token)


def reply_link(service: Service, reply_to: str, subject: str = "", body: str = "") -> str:
    """Return a `mailto:` link to a reply address.

    If the service uses its plain address only, the subject contains the token.
    """
    text = service.tokens.token_text(reply_to)
    if service.tokens.is_plain and text is not None:
        return mailto_link(service.own_address, f"{subject} [{text}]".lstrip(), body)
    return mailto_link(reply_to, subject, body)


def seat_page_address(service: Service, game: Game, seat: int, player: Player) -> str:
    """Return the URL of a seat's page, or empty if there is none.

    Players whose messages are encrypted get no link, because anyone with the link could see their
    cards.
    """
    web = service.config.web
    if web is None or player.openpgp is not None:
        return ""
    generation = game.seats[seat].generation
    token = PageToken(game.id, seat, generation, game.version, player.rotation)
    return f"{web.url}/seat/{service.tokens.encode_page(token)}"


def service_mark(service: Service) -> str:
    """Return the text that is served at `SERVICE_PAGE`. Computing it requires our key."""
    mark = hmac.new(service.tokens.keys[0], b"pbem-service-v1", hashlib.sha256)
    return mark.hexdigest()[:32]


def page_address(service: Service, game_id: GameId) -> str:
    """Return the URL of a game's page, or empty if the service has no pages."""
    pages = service.config.pages
    return "" if pages is None else f"{pages.url}/game/{game_id}.html"


def contest_address(service: Service, name: str) -> str:
    """Return the URL of a league's or ladder's page, or empty if there is none."""
    pages = service.config.pages
    return f"{pages.url}/{name}" if pages is not None and name else ""


def of_league(game: Game) -> GameId | None:
    """Return the ID of a game's league, or None."""
    name, _, _ = game.league.partition(":")
    return GameId(f"{LEAGUE}{name}") if name else None


def contest_page(uow: UnitOfWork, game: Game) -> tuple[str, str]:
    """Return file name and title of the page of a game's ladder or league, or empty texts."""
    if game.timing.observers == "off":
        return "", ""
    if game.is_challenge and (has_page(game) or games.has_ladder_page(uow, game.ruleset.id.name)):
        return ladder_page_name(game.ruleset.id.name), f"Ladder of {game.ruleset.title}"
    league_id = of_league(game)
    row = None if league_id is None else uow.leagues.called(league_id)
    return ("", "") if row is None else (league_page_name(row.name), f"League {row.name}")


def calendar_name(service: Service, player: Player) -> str:
    """Return the unguessable file name of a player's calendar.

    The name changes when the player's reply addresses are revoked.
    """
    text = f"pbem-calendar-v1\n{player.id}\n{player.rotation}".encode()
    mark = hmac.new(service.tokens.keys[0], text, hashlib.sha256).digest()
    return f"calendar/{base64.b32encode(mark).decode().lower()[:32]}.ics"


def league_page_name(name: str) -> str:
    """Return the file name of a league's page."""
    return f"league/{name}.html"


def ladder_page_name(ruleset: str) -> str:
    """Return the file name of a ladder's page."""
    return f"ladder/{ruleset}.html"


def own_page_name(player: Player) -> str:
    """Return the file name of a player's page."""
    return f"player/{player.id}.html"


def teller(game: Game, view: JsonObject, names: Sequence[str], called: Sequence[str]) -> Tell:
    """Return a function that formats canonical moves for the player who has this view.

    Zones and groups are named as in the view, in words that parse back to the same move.

    Args:
        game: the game.
        view: the player's view.
        names: the players' names, by seat.
        called: names by which orders can refer to players (`names_in_orders`).
    """
    deck = game.options.get("deck", "")

    def tell(move: str, seat: int | None) -> str:
        context = Told(view, -1 if seat is None else seat, deck, called)
        return with_seat_names(said_move(game.ruleset.id.name, move, context), names)

    return tell


def by_neighbours(text: str, game: Game, seat: int, names: Sequence[str], language: str) -> str:
    """Replace zone names in a sentence to a seat by the names of the neighbours who share them."""
    sides = profile_of(game.ruleset.id.name).sides
    if sides is None or game.state is None:
        return text
    called = names_in_orders(tuple(names), (game.ruleset,), language)
    words = {"center": sentence("middle")}
    for side, other in sides(game.ruleset.view(game.state, Seat(seat)), called).items():
        words[side] = sentence("with {name}", name=called[other])
        words[f"{side} zone"] = sentence("zone with {name}", name=called[other])
    return with_words(text, words)


_SPREADS = (50_000, 5_000, 500, 50)
"""Ranges from which a rotation is drawn. The largest range that fits into a reply address is used."""
_LONGEST = SeatToken(GameId("x" * 10), 9, 99, 9999, 9999)


def new_rotation(service: Service, uow: UnitOfWork) -> int:
    """Draw a rotation that was never used, not even in a history that was lost by a restore.

    A lost history may have continued from this state, and another restore of the same backup may
    have drawn rotations too.

    Raises: Refusal if reply addresses are too short for the number.
    """
    newest = uow.players.newest_rotation()
    for spread in _SPREADS:
        if _has_room(service, newest + spread):
            drawn = int.from_bytes(service.random_bytes(8), "big") % (spread - spread // 10)
            return newest + spread // 10 + 1 + drawn
    raise Refusal(
        "address", "The local part of the service's address is too long for new reply addresses."
    )


def _has_room(service: Service, rotation: int) -> bool:
    try:
        service.tokens.address(replace(_LONGEST, rotation=rotation))
    except ValueError:
        return False
    return True
