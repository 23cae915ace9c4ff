"""Preview a message as it would be now, without queueing or sending it.

Its reply addresses are created with a temporary key, so they are invalid. Private talk and standing
orders are always left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engine.api import JsonObject
from pbem.domain.log.chain import GameId
from pbem.domain.table import standing_fold
from pbem.domain.table.game import Game
from pbem.domain.terms.seats import is_person
from pbem.errors import Refusal
from pbem.language import languages
from pbem.mail_out import kinds
from pbem.mail_out.content import Content, GameMail
from pbem.service.core import games, names
from pbem.service.core.context import Service
from pbem.service.letters import contents, information, rendering
from pbem.service.logbook import replays
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.rows.core import OutboxMail

KINDS = tuple(name for name, kind in kinds.KINDS.items() if kind.previews is not None)

READER = "reader@example.invalid"
"""Placeholder for the reader's address, which no one needs to see."""


@dataclass(frozen=True, slots=True)
class Preview:
    """A previewed message.

    Attributes:
        raw: the message as it would be sent.
        html: its HTML part.
    """

    raw: bytes = field(repr=False)
    html: str = field(repr=False)


def preview(
    service: Service,
    kind: str,
    *,
    game_id: GameId | None = None,
    who: str | None = None,
    language: str | None = None,
    reason: str | None = None,
) -> Preview:
    """Render a message of a kind for a reader.

    Args:
        kind: one of `KINDS`.
        game_id: the game of the message. Most kinds need it.
        who: seat (0 is the first) or name in the game. Without a game a person by name, ID or
            address.
        language: None uses the reader's language.
        reason: needed if the message shows a hand of a running game. Every player is notified of
            it.

    Raises: Refusal, UnknownStreamError, LogError.
    """
    _require_known(kind, language)
    if _is_of_game(kind) and game_id is None:
        raise Refusal("game", f"A mail of the kind {kind} is about a game: add --game GAME.")
    if who is None and _shown(kind) != "nobody":
        raise Refusal("seat", "Whose mail? Add --as with a seat or a name.")
    seat = None if game_id is None or who is None else replays.seat_of(service, game_id, who)
    apart = replace(
        service,
        tokens=replace(service.tokens, keys=(service.random_bytes(32),)),
    )
    with service.store.reading() as uow:
        game = None if game_id is None else games.load(uow, game_id)
        player = _reader(uow, game, seat, who)
        if game is not None and seat is not None:
            _require_possible(kind, game, seat)
        spoken = language or (player.language if player else service.config.service.language)
        params = kinds.to_json(_params(service, uow, kind, game, seat, player), spoken)
        row = _row(apart, kind, game, seat, player, params)
        content = _without_private(contents.build(apart, uow, row), spoken)
        raw, rendered, _ = rendering.compose_message(apart, uow, row, content, READER)
    if _shown(kind) == "hand" and game is not None and seat is not None:
        replays.record_reveal(service, game.id, [seat], game.version, reason=reason)
    return Preview(raw, rendered.html)


def _require_known(kind: str, language: str | None) -> None:
    if kind not in KINDS:
        raise Refusal("kind", f"There is no {kind} to look at; there are {', '.join(KINDS)}.")
    if language is not None and language not in languages():
        raise Refusal("language", f"There is no {language}; there are {', '.join(languages())}.")


def _reader(uow: UnitOfWork, game: Game | None, seat: int | None, who: str | None) -> Player | None:
    if game is None or seat is None:
        return None if who is None else names.find_player(uow, who)
    player_id = game.seats[seat].player
    player = uow.players.get(player_id) if is_person(player_id) else None
    if player is None:
        raise Refusal("seat", f"Nobody who reads mails sits in seat {seat}.")
    return player


def _require_possible(kind: str, game: Game, seat: int) -> None:
    """Refuse a message that the player cannot get now. Raises: Refusal."""
    if _shown(kind) == "hand" and game.status != "running":
        raise Refusal("kind", f"The game is not running, so there is no mail {kind}.")
    if _shown(kind) == "end" and not (game.is_over and game.state is not None):
        raise Refusal("kind", f"The game was not played to an end, so there is no mail {kind}.")
    if _shown(kind) == "lobby" and game.status != "inviting":
        raise Refusal("kind", f"The game has begun, so there is no mail {kind} any more.")
    if kinds.KINDS[kind].dies_with_decision and not game.may_decide(seat):
        turns = " and ".join(str(one) for one in range(len(game.seats)) if game.may_decide(one))
        raise Refusal(
            "kind", f"Seat {seat} has nothing to decide, so there is no {kind}; seat {turns} has."
        )
    if kind in (kinds.CREATED.name, kinds.VACANT.name) and game.seats[seat].player != game.creator:
        raise Refusal("kind", f"Only the player who made the game gets a mail {kind}.")
    if kind == kinds.ROUND.name and not game.league:
        raise Refusal("kind", "This game is not part of a league, so it has no mail about a round.")
    if kind == kinds.VACANT.name and not _vacancies(game, seat):
        raise Refusal("kind", "Every seat is taken, so there is no mail vacant.")


def _vacancies(game: Game, seat: int) -> list[int]:
    return [n for n, invited in enumerate(game.seats) if invited.status != "joined" and n != seat]


def _row(
    service: Service,
    kind: str,
    game: Game | None,
    seat: int | None,
    player: Player | None,
    params: JsonObject,
) -> OutboxMail:
    """Create an outbox row that is never stored."""
    now = service.now()
    is_of_game = _is_of_game(kind)
    return OutboxMail(
        id=0,
        key="preview",
        kind=kind,
        player_id=None if player is None or _shown(kind) == "nobody" else player.id,
        game_id=game.id if game is not None and is_of_game else None,
        seat=seat if is_of_game else None,
        version=game.version if game is not None and is_of_game else None,
        params=params,
        message_id=f"preview.{service.new_id(20)}@{service.message_domain}",
        not_before=now,
        created_at=now,
        rcpt_to=READER if _shown(kind) == "nobody" else None,
    )


def _params(
    service: Service,
    uow: UnitOfWork,
    kind: str,
    game: Game | None,
    seat: int | None,
    player: Player | None,
) -> kinds.Params:
    row = kinds.KINDS[kind]
    if row.previews == "question" and player is not None:
        is_of_ruleset = game is not None and row in (kinds.RULES, kinds.STANDINGS)
        of = game.ruleset.id.name if game is not None and is_of_ruleset else None
        return information.answer_lookup(service, uow, player, (kind, of), game)
    if row is kinds.STARTED and game is not None:
        return kinds.GameParams(facts_after=game.position - 1)
    if row is kinds.VACANT and game is not None and seat is not None:
        return kinds.SeatingParams(_vacancies(game, seat)[0])
    sample: kinds.Params = row.params() if row.sample is None else row.sample
    return sample


def _shown(kind: str) -> kinds.PreviewOf | None:
    return kinds.KINDS[kind].previews


def _is_of_game(kind: str) -> bool:
    return _shown(kind) in ("hand", "end", "lobby")


def _without_private(content: Content, language: str) -> Content:
    if isinstance(content, GameMail):
        return replace(
            content,
            language=language,
            happened=tuple(
                fact for fact in content.happened if fact.kind not in standing_fold.PRIVATE
            ),
            standing=content.standing if content.kind == kinds.STARTED.name else (),
            talk=(),
            talk_left_out=0,
        )
    return replace(content, language=language)
