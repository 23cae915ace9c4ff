"""`rematch` after a game: the same players, options and clock with a new secret."""

from __future__ import annotations

from engine.sentences import Sentence, all_of, joined, plural, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.play import decide, seating
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.domain.terms.seats import is_person
from pbem.domain.words.orders import OrderLine
from pbem.errors import Refusal
from pbem.service.change import changing, lock
from pbem.service.core import games, operators
from pbem.service.core.asking import MailOrders, SeatProgress
from pbem.service.core.context import Service
from pbem.service.lobby import making as lobby
from pbem.service.lobby import never_invite
from pbem.store.db.uow import UnitOfWork

MAX_TRIES = 20
"""Maximum number of rematches of a game that never started."""


def ask(progress: SeatProgress, _line: OrderLine) -> None:
    """Create the rematch, or join it if another player has created it. Raises: Refusal."""
    mail_orders, game = progress.mail_orders, progress.game
    if not game.is_over:
        raise Refusal(
            "not-over",
            sentence("A rematch can be asked for when this game is over."),
            suggestions=(
                sentence("new {ruleset} with {people}", ruleset=game.ruleset.id.name, people="bot"),
            ),
        )
    if game.state is None:
        raise Refusal("not-over", sentence("This game never began, so there is no rematch of it."))
    service, uow, cause = mail_orders.service, mail_orders.uow, mail_orders.cause
    game_id, number = _open_one(uow, game)
    if number is None:
        with changing(service, uow, game_id, actor=f"seat:{progress.seat}", cause=cause) as change:
            _join(mail_orders, change.decision, progress.seat)
        progress.notes.append(_told(progress, change.game))
    else:
        after = lobby.make(
            service,
            uow,
            _plan(service, uow, game, game_id),
            actor=f"player:{mail_orders.player_id}",
            cause=cause,
            answers=mail_orders.message_id,
            notes=lambda made: [_told(progress, made)],
        )
        progress.notes.append(_told(progress, after))
        mail_orders.answers += 1
    mail_orders.has_acted = True


def _open_one(uow: UnitOfWork, game: Game) -> tuple[GameId, int | None]:
    """Return the rematch's ID, and its number if it must be created. Raises: Refusal."""
    for number in range(1, MAX_TRIES + 1):
        game_id = seating.next_id(game, number)
        lock(uow, game_id)
        known = uow.projections.game(game_id)
        if known is None:
            return game_id, number
        if known.status == "inviting":
            return game_id, None
        if known.status != "stopped" or games.load(uow, game_id).state is not None:
            raise Refusal(
                "rematch", sentence("The rematch [{game}] has begun already.", game=game_id)
            )
    raise Refusal("rematch", sentence("It came to nothing too often; please make a new game."))


def _plan(service: Service, uow: UnitOfWork, game: Game, game_id: GameId) -> lobby.GamePlan:
    """Return the rematch as a plan. Raises: Refusal if somebody's data was erased."""
    players = [seat.player for seat in game.seats]
    people = [player for player in players if is_person(player)]
    if not all(map(uow.players.addresses, people)):
        raise Refusal(
            "rematch",
            sentence("Somebody of this table is not known here any more; please make a new game."),
        )
    dealer = seating.next_dealer(game)
    return lobby.GamePlan(
        game.ruleset.id.name,
        players,
        game.options if dealer is None else {**game.options, "dealer": dealer},
        game.timing,
        anonymous_talk=game.anonymous_talk,
        never_invite=never_invite.among(service, uow, people),
        game_id=game_id,
    )


def _join(mail_orders: MailOrders, decision: Decision, seat: int) -> None:
    game, player = decision.existing(), mail_orders.player_id
    if game.seats[seat].player != player:
        raise Refusal(
            "rematch",
            sentence(
                "In the rematch [{game}] your seat is meant for somebody else by now.", game=game.id
            ),
        )
    is_operator = operators.is_operator(mail_orders.service, mail_orders.uow, player)
    decide.join(decision, seat, None, is_operator=is_operator)
    if decision.existing().status == "running":
        decide.settle(decision)


def _told(progress: SeatProgress, after: Game) -> Sentence:
    said = [sentence("The rematch is the game [{game}].", game=after.id)]
    if progress.game.league:
        said.append(sentence("It is a game of your own, outside the league."))
    elif progress.game.is_challenge:
        said.append(sentence("It does not count on the ladder."))
    waiting = [
        progress.names[number]
        for number, state in enumerate(after.seats)
        if state.status in ("invited", "expired") and number != progress.seat
    ]
    if waiting:
        said.append(
            plural(
                "It begins when {names} has joined, too.",
                "It begins when {names} have joined, too.",
                len(waiting),
                names=all_of(waiting),
            )
        )
    elif after.status == "inviting" and after.seats[progress.seat].status == "joined":
        said.append(sentence("It begins when all seats are taken."))
    elif after.status != "inviting":
        said.append(sentence("It has begun."))
    return joined(said)
