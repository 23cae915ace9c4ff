"""Decisions on games: turn commands into events, or refuse them.

Every function adds to a `Decision`, which has the events to append and the resulting game. Nothing
here draws random numbers or reads a clock. Secrets, IDs and times are passed in.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from engine import registry
from engine.api import JsonObject, OptionValue, Seat, Source
from engine.errors import (
    AmbiguousOrderError,
    EngineError,
    IllegalMoveError,
    InvalidOrderError,
    NotToActError,
    SetupError,
)
from engine.orders import candidates, read_order
from engine.replay import DIGEST_VERSION, state_digest
from engine.ruleset import public_move
from engine.sentences import sentence
from engine.shuffle import commitment, normalise_phrase
from pbem.domain.clock import clockwork, deadlines
from pbem.domain.log.events import (
    ChoicesRevealed,
    GameCreated,
    GameFinished,
    GameStarted,
    GameStopped,
    HandsRevealedToAdmin,
    MovePlayed,
    PhraseGiven,
)
from pbem.domain.log.seat_events import (
    PlayerDeclined,
    PlayerInvited,
    PlayerJoined,
    SeatRemoved,
    SeatResigned,
)
from pbem.domain.play import standing
from pbem.domain.table.card_folds import revealed_data
from pbem.domain.table.decision import SYSTEM, Decision, playing, running
from pbem.domain.table.game import ENGINE_SOURCES, Game
from pbem.domain.terms.seats import is_bot, is_person
from pbem.domain.terms.timing import Timing, impossible, problems, to_json
from pbem.errors import Refusal

MAX_PLIES_PER_STEP = 10_000
"""Safety limit: more plies in one decision mean that the rules are broken."""


def decision_on(
    game: Game,
    *,
    actor: str,
    cause: str | None,
    now: datetime,
    recorded_at: datetime | None = None,
    zones: Mapping[int, str] | None = None,
    auto_seats: Collection[int] = (),
) -> Decision:
    """Create a `Decision` for an existing game.

    Args:
        recorded_at: as in `Decision`. None uses `now`.
        zones: as in `Decision`.
        auto_seats: as in `Decision`.
    """
    decided_at = recorded_at or now
    return Decision(
        game.id, now, actor, cause, game, zones or {}, auto_seats, recorded_at=decided_at
    )


# --- the life of a game ---------------------------------------------------------------------------


def create_game(
    decision: Decision,
    *,
    ruleset: str,
    players: Sequence[str],
    options: Mapping[str, OptionValue],
    operator_seats: Sequence[int],
    timing: Timing,
    server_secret: bytes,
    league: str = "",
    challenge: bool = False,
) -> Game:
    """Create a game with fixed seats, options and commitment, and invite all players.

    Args:
        league, challenge: as in `GameCreated`.
        players: IDs by seat. A player who creates the game joins immediately, except in a game
            against bots only, which is dealt after that player has read the commitment and joined
            (GEN-4).

    Raises:
        Refusal: the seats or options are invalid (GEN-14).
    """
    try:
        rules = registry.find(ruleset)
        complete = rules.check_options(len(players), options)
    except SetupError as error:
        raise Refusal("setup", error.message, rule=error.rule) from error
    wrong = problems(timing)
    if wrong:
        raise impossible(wrong)
    if len(set(players)) != len(players):
        raise Refusal("setup", "every seat needs a player of its own", rule=None)
    decision.emit(
        GameCreated(
            ruleset=rules.id.name,
            ruleset_version=rules.id.version,
            seats=tuple(players),
            options=complete,
            operator_seats=tuple(operator_seats),
            timing=to_json(timing),
            commitment=commitment(server_secret).hex(),
            server_secret=server_secret.hex(),
            package=package.pin if (package := registry.package_of(rules.id.name)) else "",
            league=league,
            challenge=challenge,
        )
    )
    creator = decision.existing().creator
    others = [player for player in players if player != creator]
    for seat, player in enumerate(players):
        if player == creator and not all(is_bot(other) for other in others):
            decision.emit(PlayerJoined(seat, player))
        elif is_person(player):
            decision.emit(PlayerInvited(seat, player))
    return decision.existing()


def join(decision: Decision, seat: int, phrase: str | None, *, is_operator: bool = False) -> None:
    """Take a seat, with a phrase for the shuffles if one was sent.

    The last player to join starts the game. `settle` must follow the last order of a message that
    started the game.

    Args:
        is_operator: True if the person runs this server, although the seat was not created for an
            operator.

    Raises: Refusal.
    """
    game = decision.existing()
    if game.is_over and game.state is None:
        raise Refusal(
            "called-off",
            sentence("This game was called off before it began, so nobody can join it any more."),
        )
    if game.status != "inviting":
        raise Refusal(
            "started", sentence("The game has begun; nobody can join or add a phrase any more.")
        )
    status = game.seats[seat].status
    if status == "declined":
        raise Refusal("declined", sentence("You declined this game; ask for a new invitation."))
    if phrase is not None:
        _check_phrase(game, seat, is_operator=is_operator)
    if status == "joined" and phrase is None:
        raise Refusal(
            "joined", sentence("You have already joined; the game begins when everybody has.")
        )
    if status != "joined":
        decision.emit(PlayerJoined(seat, game.seats[seat].player))
    if phrase is not None:
        decision.emit(PhraseGiven(seat, normalise_phrase(phrase)))
    start_if_complete(decision)


def phrase_of_operator(plain: str) -> Refusal:
    """Create the refusal of an operator's phrase. `plain` is the order to join without one."""
    return Refusal(
        "operator",
        sentence(
            "You run this server, so you cannot add a phrase, which could be chosen after the others';"
            " plain {join} works.",
            join=plain,
        ),
        rule="GEN-4",
        suggestions=(plain,),
    )


def _check_phrase(game: Game, seat: int, *, is_operator: bool) -> None:
    if is_operator or seat in game.operator_seats:
        if game.seats[seat].status != "joined":
            raise phrase_of_operator(sentence("join"))
        raise Refusal(
            "operator",
            sentence(
                "You run this server, so you cannot add a phrase: it could be chosen after the"
                " others'."
            ),
            rule="GEN-4",
        )
    if game.seats[seat].phrase is not None:
        raise Refusal(
            "phrase",
            sentence("You have given your phrase already; it stays as it is."),
            rule="GEN-4",
        )


def start_if_complete(decision: Decision) -> None:
    """Deal if all seats are filled. `settle` must follow."""
    game = decision.existing()
    if any(seat.status != "joined" for seat in game.seats):
        return
    step = game.ruleset.start(game.setup)
    decision.emit(
        GameStarted(
            phrases=tuple(seat.phrase or "" for seat in game.seats),
            digest=state_digest(game.ruleset, step.state),
            digest_version=DIGEST_VERSION,
        ),
        actor=SYSTEM,
    )
    play_forced(decision)


def decline(decision: Decision, seat: int) -> None:
    """Decline a seat. Raises: Refusal.

    If a player created the game, it waits until that player decides about the vacant seat. Games
    created by admins, challenges, and games whose creator declines are stopped.
    """
    game = decision.existing()
    if game.status != "inviting":
        raise Refusal(
            "started",
            sentence("The game has begun. To leave it, write resign and confirm on two lines."),
        )
    if game.seats[seat].status == "declined":
        raise Refusal("declined", sentence("You have declined this game already."))
    if game.league:
        raise Refusal(
            "league",
            sentence("You joined the league, and this round is drawn. Write: leave league"),
        )
    player = game.seats[seat].player
    decision.emit(PlayerDeclined(seat, player))
    if not game.creator or player == game.creator or game.is_challenge:
        code = "called-off" if game.creator == player else "declined"
        decision.emit(GameStopped(code, game.server_secret, ""), actor=SYSTEM)


# --- moves ----------------------------------------------------------------------------------------


def play(decision: Decision, seat: int, text: str, *, source: str) -> str:
    """Play one order, and return the canonical text of the move.

    Forced moves follow at once. `settle` must follow the last order.

    Args:
        text: one order, as the player wrote it.
        source: as in `MovePlayed`.

    Raises: Refusal with the rule and the legal alternatives.
    """
    game = running(decision.existing())
    rules = game.ruleset
    try:
        move = read_order(rules, game.state, Seat(seat), text)
        canonical = rules.format_move(game.state, Seat(seat), move)
        actor = SYSTEM if source == "standing" else None
        emit_move(decision, seat, move, canonical, source, actor=actor)
    except EngineError as error:
        raise refusal_of(game, seat, text, error) from error
    if source not in ("bot", "standing") and not game.is_choosing:
        deadlines.charge_move(decision, seat, game.deadline)
    play_forced(decision)
    return canonical


def refusal_of(game: Game, seat: int, text: str, error: EngineError) -> Refusal:
    """Convert an engine error into a refusal with the nearest legal orders."""
    code = next((code for kind, code in _CODES.items() if isinstance(error, kind)), None)
    if code is None:
        raise error
    suggestions = candidates(game.ruleset, game.state, Seat(seat), text, error)
    return Refusal(code, error.message, rule=error.rule, suggestions=suggestions)


_CODES: dict[type[EngineError], str] = {
    NotToActError: "not-to-act",
    AmbiguousOrderError: "ambiguous",
    InvalidOrderError: "invalid",
    IllegalMoveError: "illegal",
}


def resign(decision: Decision, seat: int) -> None:
    """Resign from the game (GEN-7). Callers must call `settle` afterwards. Raises: Refusal."""
    game = playing(decision.existing(), seat)
    try:
        leave(decision, SeatResigned(seat))
    except EngineError as error:
        raise refusal_of(game, seat, "resign", error) from error


def leave(decision: Decision, event: SeatResigned | SeatRemoved) -> None:
    """Remove a seat from the game and reveal secret choices if only this seat's was missing."""
    was_choosing = decision.existing().is_choosing
    game = decision.emit(event)
    if was_choosing and game.outcome() is None:
        _reveal_if_complete(decision, game)
    play_forced(decision)


def settle(decision: Decision) -> None:
    """Finish a change: execute standing orders, then end the game or set a new deadline.

    While seats choose secretly, the deadlines of other seats do not change.
    """
    standing.carry_out(decision, play)
    game = decision.existing()
    outcome = game.outcome()
    if outcome is not None:
        decision.emit(
            GameFinished(
                ranking=tuple(tuple(int(s) for s in group) for group in outcome.ranking),
                reason=outcome.reason,
                scores=outcome.scores,
                server_secret=game.server_secret,
            ),
            actor=SYSTEM,
        )
        return
    if game.is_choosing and game.deadline is not None and game.deadline.version > game.position:
        return
    clockwork.renew_deadline(decision)


def play_forced(decision: Decision) -> None:
    """Play forced moves (GEN-11), one ply after the other.

    These are the moves that the game's option demands, and those that a player wants played.
    """
    for _ in range(MAX_PLIES_PER_STEP):
        game = decision.existing()
        forced = game.ruleset.forced_move(game.state) or _wanted_move(decision, game)
        if forced is None or game.outcome() is not None:
            break
        seat, move = forced
        canonical = game.ruleset.format_move(game.state, seat, move)
        emit_move(decision, seat, move, canonical, "forced", actor=SYSTEM)


def _wanted_move(decision: Decision, game: Game) -> tuple[Seat, Any] | None:
    """Return the forced move of a player who wants no message for it, or None.

    All players can deduce that it is the only move, so playing it discloses no card (GEN-16).
    """
    if not decision.auto_seats:
        return None
    move = public_move(game.ruleset, game.state)
    is_wanted = move is not None and move[0] in decision.auto_seats
    return move if is_wanted else None


def emit_move(
    decision: Decision,
    seat: int,
    move: Any,  # noqa: ANN401  (a move of any ruleset)
    canonical: str,
    source: str,
    actor: str | None = None,
) -> None:
    """Record one ply or secret choice. The last choice reveals all choices (GEN-6)."""
    game = decision.existing()
    step = game.ruleset.apply(
        game.state, Seat(seat), move, ENGINE_SOURCES.get(source, Source.CHOSEN)
    )
    digest = state_digest(game.ruleset, step.state)
    if not game.is_choosing:
        ply = game.ruleset.ply(step.state)
        event = MovePlayed(seat, canonical, source, ply, digest, DIGEST_VERSION)
        decision.emit(event, actor=actor)
        return
    payload: JsonObject = {
        "seat": seat,
        "move": canonical,
        "source": source,
        "digest": digest,
        "digest_version": DIGEST_VERSION,
    }
    _reveal_if_complete(decision, decision.emit_hidden("ChoiceMade", payload, actor=actor))


def _reveal_if_complete(decision: Decision, game: Game) -> None:
    """Reveal the secret choices if all seats have chosen (GEN-6)."""
    if not game.is_choosing and game.state is not None:
        ply = game.ruleset.ply(game.state)
        decision.emit(ChoicesRevealed(revealed_data(game), ply), actor=SYSTEM)


# --- reveals to the admin -------------------------------------------------------------------------


def reveal(decision: Decision, seats: Sequence[int], at_version: int, reason: str) -> None:
    """Record that an admin viewed hidden cards of a running game. Raises: Refusal."""
    game = decision.existing()
    if game.is_over:
        return  # everything is public after the end
    if not reason.strip():
        raise Refusal(
            "reason", "Looking at hidden cards of a running game needs a reason: --reason TEXT."
        )
    decision.emit(HandsRevealedToAdmin(tuple(seats), at_version, reason.strip()))
