"""Create games by email: `new …` with its invitations, `tutorial` and `rematch`.

A rematch has the same players, options and clock, with a new secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from engine import registry
from engine.api import OptionValue
from engine.errors import SetupError
from engine.sentences import Sentence, all_of, joined, plural, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.play import decide, seating
from pbem.domain.table.decision import Decision
from pbem.domain.table.game import Game
from pbem.domain.terms.seats import BOT_LEVELS, TUTOR, bot_id, is_person
from pbem.domain.terms.timing import FAST, Timing, evening_end, with_words
from pbem.domain.words import game_order
from pbem.domain.words.game_order import GameOrder
from pbem.domain.words.orders import OrderLine
from pbem.errors import Refusal
from pbem.games import EXAMPLE
from pbem.games.options import AUTO_FORCED
from pbem.games.profile import profile_of
from pbem.service.change import changing, lock
from pbem.service.core import games, operators
from pbem.service.core.context import Service
from pbem.service.core.mail_context import MailContext, SeatContext
from pbem.service.lobby import creation as lobby
from pbem.service.lobby import guests, never_invite
from pbem.service.lobby.guests import SeatOccupant
from pbem.service.notify import mailings
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player

DAY = timedelta(days=1)
LESSON_PLIES = 24
"""Plies of a tutorial game, about a dozen messages from the learner."""


def from_line(mail_context: MailContext, line: OrderLine) -> None:
    """Create the game that a line requests. Raises: Refusal, in which case no game is created."""
    writer = mail_context.player
    service, uow = mail_context.service, mail_context.uow
    wanted = _wanted(service, line.argument)
    check_games(service, uow, writer)
    occupants = guests.find(service, uow, writer, wanted.guests, ruleset=wanted.ruleset)
    if not any(occupant.player == writer.id for occupant in occupants):
        occupants.insert(0, SeatOccupant(writer.id))
    occupants += guests.open_places(_places(wanted, len(occupants)))
    _check_seats(wanted.ruleset, len(occupants) - 1)
    timing = _timing(service, wanted, writer.zone)
    _check_options(wanted, len(occupants))
    guests.check_caps(service, uow, writer, occupants)
    players = guests.register(service, uow, writer, occupants)
    plan = lobby.GamePlan(
        wanted.ruleset,
        players,
        wanted.options,
        timing,
        by_lot=wanted.by_lot,
        anonymous_talk=wanted.anonymous_talk,
        never_invite=[
            player
            for player, occupant in zip(players, occupants, strict=True)
            if occupant.never_invite
        ],
    )
    make(mail_context, plan)


def _wanted(service: Service, argument: str | None) -> GameOrder:
    """Parse the text after `new` and check what does not depend on the players. Raises: Refusal."""
    if argument is None:
        raise Refusal("setup", game_order.HOW)
    wanted = game_order.read_game_order(argument, service.config.bots)
    lobby.check_mailable(service, wanted.ruleset)
    _check_open(wanted)
    if len(wanted.guests) > registry.find(wanted.ruleset).players[-1]:
        _check_seats(wanted.ruleset, len(wanted.guests))
    return wanted


def check(service: Service, line: OrderLine, zone: str) -> None:
    """Check the game that a line requests, without looking up the people whom it names.

    Options are refused only if no number of players allows them. Raises: Refusal.
    """
    wanted = _wanted(service, line.argument)
    if not wanted.guests:
        _check_seats(wanted.ruleset, _places(wanted, 1))
    _timing(service, wanted, zone)
    refusals: list[Refusal] = []
    sizes = registry.find(wanted.ruleset).players
    for players in sizes:
        try:
            _check_options(wanted, players)
        except Refusal as refusal:
            refusals.append(refusal)
    if len(refusals) == len(sizes):
        raise refusals[0]


def lesson(mail_context: MailContext, _line: OrderLine) -> None:
    """Create a short game against a bot that explains each step. Raises: Refusal."""
    writer = mail_context.player
    service, uow = mail_context.service, mail_context.uow
    check_games(service, uow, writer)
    plan = lobby.GamePlan(
        EXAMPLE,
        [writer.id, bot_id(BOT_LEVELS[0], TUTOR)],
        {"max_plies": LESSON_PLIES},
        replace(service.timing, on_timeout="standby", misses=2),
    )
    make(mail_context, plan)


def renew(service: Service, uow: UnitOfWork, decision: Decision, message_id: str | None) -> Game:
    """Replace a game by one without its vacant seats, and invite everyone again.

    Raises: Refusal if too few players are left.
    """
    game = seating.inviting(decision.existing())
    vacant = seating.vacant(game)
    stay = [number for number in range(len(game.seats)) if number not in vacant]
    left = [game.seats[number].player for number in stay]
    rules = game.ruleset
    usual = rules.check_options(len(game.seats), {})
    options = {name: value for name, value in game.options.items() if usual.get(name) != value}
    dealer = game.options.get("dealer")
    if isinstance(dealer, int) and dealer in stay:
        options["dealer"] = stay.index(dealer)  # the dealer stays the same person
    else:
        options.pop("dealer", None)
    if len(left) < rules.players[0]:
        raise Refusal(
            "setup",
            sentence(
                "{game} is for {least} players or more: invite somebody else, or write: bot",
                game=rules.title,
                least=rules.players[0],
            ),
        )
    labels = uow.invitations.labels(game.id)
    for number, seat in enumerate(game.seats):
        label = labels.get((number, seat.player), "")
        if label:
            uow.invitations.call(seat.player, label)
    seating.call_off(decision, "renewed")
    return lobby.make(
        service,
        uow,
        lobby.GamePlan(
            rules.id.name,
            left,
            options,
            game.timing,
            never_invite=never_invite.among(service, uow, filter(is_person, left)),
            is_renewed=True,
            anonymous_talk=game.anonymous_talk,
        ),
        actor=f"player:{game.creator}",
        cause=decision.cause or "",
        answers=message_id,
    )


def make(mail_context: MailContext, plan: lobby.GamePlan) -> None:
    """Create the game that the writer of a message has ordered. Raises: Refusal."""
    lobby.make(
        mail_context.service,
        mail_context.uow,
        plan,
        actor=f"player:{mail_context.player_id}",
        cause=mail_context.cause,
        answers=mail_context.message_id,
    )
    mail_context.has_acted = True
    mail_context.answers += 1


def _places(wanted: GameOrder, named: int) -> int:
    """Return how many seats are open for anyone. Raises: Refusal."""
    if wanted.players is None:
        return wanted.open_seats
    left = wanted.players - named
    if left < wanted.open_seats or (left and not wanted.is_open):
        raise Refusal(
            "setup",
            sentence(
                "You wish for {players} players and name {named}, yourself included. Write: open"
                " {players} players, if anybody may take the other seats.",
                players=wanted.players,
                named=named,
            ),
        )
    return left


def _check_open(wanted: GameOrder) -> None:
    if wanted.players is None and wanted.is_open and not wanted.open_seats:
        raise Refusal(
            "setup",
            sentence("How many players shall it be in all? Write, for example: open 4 players"),
            suggestions=(f"new {wanted.ruleset} open 4 players",),
        )


def check_games(service: Service, uow: UnitOfWork, writer: Player) -> None:
    """Check a player's limit on new games within a day. Raises: Refusal."""
    limit = service.config.limits.invitations_per_day
    if uow.outbox.count_to(writer.id, service.now() - DAY, prefix=mailings.CREATED) >= limit:
        raise Refusal(
            "limit",
            sentence(
                "You can make {limit} games within a day; please go on tomorrow.", limit=limit
            ),
        )


def _check_seats(ruleset: str, others: int) -> None:
    rules = registry.find(ruleset)
    if others + 1 > rules.players[-1] or others == 0:
        raise Refusal(
            "setup",
            sentence(
                "{game} is for {least} to {most} players, you among them. Nobody was invited.",
                game=rules.title,
                least=rules.players[0],
                most=rules.players[-1],
            ),
            rule="GEN-14",
        )


def _check_options(wanted: GameOrder, players: int) -> Mapping[str, OptionValue]:
    """Return all options of the game. Raises: Refusal."""
    try:
        return registry.find(wanted.ruleset).check_options(players, wanted.options)
    except SetupError as error:
        raise Refusal(
            "setup",
            sentence("This game can't be set up: {reason}.", reason=error.message),
            rule=error.rule,
        ) from error


def _timing(service: Service, wanted: GameOrder, zone: str) -> Timing:
    """Return the game's timing. A fast evening ends at a time in its creator's time zone."""
    timing = with_words(service.timing, wanted.clock) if wanted.clock else service.timing
    if wanted.evening is None:
        return timing
    until = evening_end(wanted.evening or None, service.now(), zone)
    return replace(timing, fast=FAST, fast_until=int(until.timestamp()))


# --- expected duration ----------------------------------------------------------------------------


_SHORTER = 5
"""Number of battles or phases for which a game by email takes only weeks."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An option that makes a long game much shorter."""

    option: str
    value: OptionValue
    mails: int
    """Expected number of players' messages in the whole game with this option."""


def expected_mails(game: Game) -> int | None:
    """Return the expected number of players' messages in the whole game, or None if unknown."""
    return game.ruleset.expected_turns(len(game.seats), game.options)


def shorter(game: Game) -> Proposal | None:
    """Propose a shorter game if this game may take months (PLX-V7), or return None."""
    long = profile_of(game.ruleset.id.name).long
    if long is None or game.options.get(long[0]) != long[1]:
        return None
    mails = expected_mails(replace(game, options={**game.options, long[0]: _SHORTER}))
    return None if mails is None else Proposal(long[0], _SHORTER, mails)


def expected(game: Game) -> tuple[int | None, int]:
    """Return the expected number of messages from human players, and of days.

    Each player is assumed to answer within half a day, and bots send no messages. Returns None and
    0 if there are no measurements.
    """
    mails = expected_mails(game)
    if mails is None:
        return None, 0
    persons = sum(is_person(seat.player) or seat.status == "open" for seat in game.seats)
    own = max(round(mails * persons / len(game.seats)), 1)
    pace = min(timedelta(hours=12), timedelta(seconds=game.time_per_move))
    return own, max(round(own * pace / DAY), 1)


def suggest_shorter_game(game: Game) -> Sentence | None:
    """Describe a proposed shorter game if this one may take months, else None."""
    proposal = shorter(game)
    if proposal is None:
        return None
    return sentence(
        'It is a long game. With {option} {value} it takes about {mails} mails: write "decline", and then'
        " the game anew with that.",
        option=proposal.option,
        value=proposal.value,
        mails=proposal.mails,
    )


# --- moves that are played automatically ----------------------------------------------------------

_AUTO_AGREED = sentence(
    "The table agrees on that before the first deal, and nobody can change it for the others: a move that"
    " is played by itself may tell the others something about a hand."
)
_AUTO_HOW = sentence(
    'Whoever makes a game chooses: "auto_forced public" is usual, "auto_forced all" also plays what only'
    ' the hand shows, "auto_forced off" plays nothing. With "auto mine" your own moves that everybody can'
    " see are the only ones are played in any game."
)


def explain_auto(mail_context: MailContext, line: OrderLine) -> None:
    """Explain which moves are played automatically (GEN-11). Raises: Refusal.

    The whole table agrees on that option, so a single player cannot change it.
    """
    here = None if mail_context.here is None else mail_context.here[0].existing()
    value = None if here is None else str(here.options["auto_forced"])
    sentences: list[Sentence] = [] if value is None else [AUTO_FORCED[value]]
    wanted = "all" if line.argument == "on" else line.argument
    if wanted is None or wanted == value:
        mail_context.notes.append(joined([*sentences, _AUTO_AGREED, _AUTO_HOW]))
        return
    example = sentence(
        "For a new game write for example: {order}",
        order=f"new {EXAMPLE if here is None else here.ruleset.id.name} with bob, auto_forced {wanted}",
    )
    raise Refusal("auto", joined([*sentences, _AUTO_AGREED, example]), rule="GEN-11")


# --- the next game at the same table --------------------------------------------------------------

MAX_TRIES = 20
"""Maximum number of rematches of a game that never started."""


def rematch(progress: SeatContext, _line: OrderLine) -> None:
    """Create the rematch, or join it if another player has created it. Raises: Refusal."""
    mail_context, game = progress.mail_context, progress.game
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
    service, uow, cause = mail_context.service, mail_context.uow, mail_context.cause
    game_id, number = _open_one(uow, game)
    if number is None:
        with changing(service, uow, game_id, actor=f"seat:{progress.seat}", cause=cause) as change:
            _join(mail_context, change.decision, progress.seat)
        progress.notes.append(_about_rematch(progress, change.game))
    else:
        after = lobby.make(
            service,
            uow,
            _plan_rematch(service, uow, game, game_id),
            actor=f"player:{mail_context.player_id}",
            cause=cause,
            answers=mail_context.message_id,
            notes=lambda made: [_about_rematch(progress, made)],
        )
        progress.notes.append(_about_rematch(progress, after))
        mail_context.answers += 1
    mail_context.has_acted = True


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


def _plan_rematch(service: Service, uow: UnitOfWork, game: Game, game_id: GameId) -> lobby.GamePlan:
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


def _join(mail_context: MailContext, decision: Decision, seat: int) -> None:
    game, player = decision.existing(), mail_context.player_id
    if game.seats[seat].player != player:
        raise Refusal(
            "rematch",
            sentence(
                "In the rematch [{game}] your seat is meant for somebody else by now.", game=game.id
            ),
        )
    is_operator = operators.is_operator(mail_context.service, mail_context.uow, player)
    decide.join(decision, seat, None, is_operator=is_operator)
    if decision.existing().status == "running":
        decide.settle(decision)


def _about_rematch(progress: SeatContext, after: Game) -> Sentence:
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
