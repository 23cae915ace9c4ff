"""What happened, with the names that its readers know: of people in the log, of seats in moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.api import Fact, JsonObject
from pbem.domain.terms.seats import with_seat_names
from pbem.service.core import games
from pbem.store.db.uow import UnitOfWork


def named(uow: UnitOfWork, facts: Iterable[Fact], names: Sequence[str]) -> tuple[Fact, ...]:
    """Name the people who sat in a seat before, who look on, and who acted as an admin.

    Args:
        names: of the players, by seat.
    """
    return tuple(
        Fact(fact.kind, fact.seat, _with_names(uow, fact, names), fact.audience) for fact in facts
    )


def _with_names(uow: UnitOfWork, fact: Fact, names: Sequence[str]) -> JsonObject:
    data, admin = fact.data, fact.data.get("admin")
    if isinstance(admin, str) and (player := uow.players.get(admin)) is not None:
        data = {**data, "admin": player.name}
    if isinstance(move := data.get("move"), str):
        data = {**data, "move": with_seat_names(move, names)}
    if fact.kind in ("seat_replaced", "seat_taken_over"):
        return {**data, "name": _name_of(uow, str(data["was"]))}
    if "player" in data and fact.kind.startswith(("observer_", "replacement_")):
        return {**data, "name": _name_of(uow, str(data["player"]))}
    return data


def _name_of(uow: UnitOfWork, player_id: str) -> str:
    return games.shown_names(uow, [player_id])[0]
