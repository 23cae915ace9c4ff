"""Ladders: their ranking, `challenge`, and what messages report about challenges.

No ranking is stored, because it is derived from the finished challenges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engine import registry
from engine.sentences import Sentence, joined, one_of, sentence
from pbem.domain.league.ladder import (
    AGAIN,
    HOLDS,
    Challenge,
    has_declined,
    ladder_of,
    playing,
    rank_of,
    within_reach,
)
from pbem.domain.league.order import game_of_challenge, read_challenge
from pbem.domain.log.chain import GameId
from pbem.domain.play import decide, seating
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import CHALLENGE, Timing, for_challenge, with_words
from pbem.domain.words import naming
from pbem.domain.words.orders import OrderLine
from pbem.durations import duration_words
from pbem.errors import Refusal
from pbem.mail_out.content import InvitationMail
from pbem.mail_out.kinds import INVITATION
from pbem.service.change import lock
from pbem.service.core import games
from pbem.service.core.mail_context import MailContext, SeatContext
from pbem.service.league.league_messages import when
from pbem.service.lobby import creation as lobby
from pbem.service.lobby import games_list, guests, never_invite, new_game
from pbem.service.lobby.guests import SeatOccupant
from pbem.store.db.uow import UnitOfWork

AROUND = 2
"""Number of ranks shown above and below the two players of a finished challenge."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The ladder of a ruleset at some time.

    Attributes:
        players: IDs of the known players, highest rank first.
        challenges: all challenges, finished ones first.
    """

    ruleset: str
    players: tuple[str, ...]
    challenges: tuple[Challenge, ...]

    @property
    def title(self) -> str:
        """Return the title of the game."""
        return registry.title_of(self.ruleset)

    def challenge_of(self, player: str) -> Challenge | None:
        """Return a player's running challenge, or None."""
        return next(
            (one for one in self.challenges if one.finished_at is None and player in one.players),
            None,
        )

    def made_by(self, player: str, at: datetime) -> Challenge | None:
        """Return the running challenge that prevents a player from making another challenge."""
        return next(
            (
                one
                for one in self.challenges
                if one.finished_at is None
                and one.challenger == player
                and at - one.created_at < HOLDS
            ),
            None,
        )


def standing(
    uow: UnitOfWork, ruleset: str, at: datetime, challenges: Sequence[Challenge] | None = None
) -> Standing:
    """Compute a ladder from the given challenges, or from all challenges."""
    if challenges is None:
        challenges = uow.standings.challenges(ruleset)
    ladder = ladder_of(challenges)
    order = ladder.standing(at, playing(challenges, at))
    uow.players.preload(order)
    known = tuple(who for who in order if uow.players.get(who) is not None)
    return Standing(ruleset, known, tuple(challenges))


# --- the order
# --------------------------------------------------------------------------------------


def challenge(mail_context: MailContext, line: OrderLine) -> None:
    """Carry out `challenge …`: create a game for two that counts on the ladder. Raises: Refusal."""
    service, uow, writer = mail_context.service, mail_context.uow, mail_context.player
    name, ruleset, rest = read_challenge(line.argument or "")
    ruleset = ruleset or usual(mail_context)
    wanted = game_of_challenge(ruleset, rest)
    lobby.check_mailable(service, ruleset)
    lock(uow, GameId(f"ladder:{ruleset}"))
    now = standing(uow, ruleset, service.now())
    other, name = meant = _find_opponent(uow, now, writer.id, name)
    _check_free(uow, now, writer.id, meant, service.now())
    new_game.check_games(service, uow, writer)
    guests.check_caps(service, uow, writer, [SeatOccupant(other, name)])
    uow.invitations.call(other, name)
    plan = lobby.GamePlan(
        ruleset,
        [writer.id, other],
        wanted.options,
        _clock(service.timing, wanted.clock),
        by_lot=True,
        challenge=True,
        never_invite=never_invite.among(service, uow, [other]),
    )
    new_game.make(mail_context, plan)


def _clock(usual: Timing, wanted: Mapping[str, str]) -> Timing:
    """Return the clock of a challenge. Raises: Refusal if it would be too slow."""
    limited = for_challenge(usual)
    timing = with_words(limited, wanted) if wanted else limited
    if for_challenge(timing) != timing:
        raise Refusal(
            "setup",
            sentence(
                "A challenge must not take too long: at most {time} for a move, a time bank of {bank}"
                " at most, and a clock that goes on when somebody is silent.",
                time=duration_words(CHALLENGE["time_per_move"]),
                bank=duration_words(CHALLENGE["bank"]),
            ),
        )
    return timing


def usual(mail_context: MailContext) -> str:
    """Return the ruleset to use if the player names no ladder. Raises: Refusal."""
    if mail_context.here is not None:
        return mail_context.here[0].existing().ruleset.id.name
    own = games_list.rulesets(mail_context.uow, mail_context.player_id)
    if len(own) == 1:
        return own[0]
    raise Refusal(
        "which-ladder",
        sentence("On which ladder? Each game has its own."),
        suggestions=tuple(sentence("ladder {name}", name=name) for name in registry.names()),
    )


def _find_opponent(uow: UnitOfWork, now: Standing, writer: str, name: str) -> tuple[str, str]:
    """Return the ID and shown name of the player who can be challenged by a name.

    Raises: Refusal unless exactly one such player can be challenged.
    """
    near = within_reach(now.players, writer)
    friends = [] if writer in now.players else guests.friends_of(uow, writer)
    known = [*near, *(friend for friend in friends if friend not in now.players)]
    everybody = [*now.players, *known[len(near) :]]  # numbered as in the displayed ladder
    called = dict(zip(everybody, games.shown_names(uow, everybody), strict=True))
    names = [called[one] for one in known]
    looks = naming.lookalike_key(name.strip(" .!\"'“”„"))
    found = [one for one in zip(known, names, strict=True) if naming.lookalike_key(one[1]) == looks]
    if len(found) == 1:
        return found[0]
    if not known and writer in now.players:
        said = sentence(
            "You stand at the top of the ladder of {game}: the others challenge you.",
            game=now.title,
        )
    elif not known:
        said = sentence(
            "Nobody stands on the ladder of {game} yet: challenge somebody with whom you have played.",
            game=now.title,
        )
    else:
        said = sentence(
            "On the ladder of {game} you can challenge {names}. Up to three places above your own is"
            " allowed, and whoever is not on it yet stands below everybody.",
            game=now.title,
            names=one_of(names),
        )
    order = [sentence("challenge {name} at {game}", name=one, game=now.ruleset) for one in names]
    raise Refusal("whom", said, suggestions=tuple(order[-3:]))


def _check_free(
    uow: UnitOfWork, now: Standing, writer: str, meant: tuple[str, str], at: datetime
) -> None:
    """Check that a player may challenge another one now. Raises: Refusal.

    The other player may have running challenges. Otherwise an accomplice could shield them.
    """
    other, _ = meant
    own = now.made_by(writer, at)
    if own is not None:
        raise Refusal(
            "challenged",
            sentence(
                "You have made a challenge already; the next one comes after [{game}].",
                game=own.game,
            ),
        )
    free_at = max(
        (one.created_at + AGAIN for one in now.challenges if {writer, other} == {*one.players}),
        default=at,
    )
    if free_at > at:
        raise Refusal(
            "again",
            sentence(
                "The same two people can have one challenge a week: write again after {when}.",
                when=when(uow, writer, free_at),
            ),
        )


# --- messages
# ---------------------------------------------------------------------------------------


def with_challenge(
    uow: UnitOfWork, game: Game, mail: InvitationMail, at: datetime
) -> InvitationMail:
    """Add the stakes on the ladder to a message about a new challenge."""
    if not game.is_challenge:
        return mail
    sentences = [stakes(uow, game, mail.reader, mail.players, at)]
    if mail.kind == INVITATION.name:
        sentences += _warning(uow, game, mail.reader, at)
    return replace(mail, challenge=True, notes=(*mail.notes, *sentences))


def _warning(uow: UnitOfWork, game: Game, seat: int, at: datetime) -> list[Sentence]:
    """Explain to the challenged player what declining costs."""
    now = standing(uow, game.ruleset.id.name, at)
    player = game.seats[seat].player
    if player not in now.players:
        return []
    if has_declined(now.challenges, player):
        return [
            sentence(
                "You declined the last challenge. If you decline this one as well, or don't answer within"
                " three days, it counts as lost."
            )
        ]
    return [
        sentence(
            "If you don't answer within three days, it counts as lost. You can decline, but then you"
            " must play the next one."
        )
    ]


def decline(progress: SeatContext) -> None:
    """Decline a challenge. A challenged player who declines twice in a row loses.

    Raises: Refusal.
    """
    decision, seat, game = progress.decision, progress.seat, progress.game
    player = game.seats[seat].player
    is_lost = False
    if player != game.creator and game.seats[seat].status == "invited":
        now = standing(progress.mail_context.uow, game.ruleset.id.name, decision.now)
        is_lost = player in now.players and has_declined(now.challenges, player)
    if is_lost:
        seating.expire(decision, seat)
        seating.call_off(decision, "expired")
    else:
        decide.decline(decision, seat)


def stakes(
    uow: UnitOfWork, game: Game, reader: int, names: Sequence[str], at: datetime
) -> Sentence:
    """Describe to one of the two players what a challenge changes on the ladder."""
    now = standing(uow, game.ruleset.id.name, at)
    own, theirs = (rank_of(now.players, game.seats[seat].player) for seat in (reader, 1 - reader))
    other, title = names[1 - reader], now.title
    if own == theirs:
        message = sentence(
            "This game counts on the ladder of {game}, where neither of you stands yet: both of you enter"
            " it at the foot, the winner above the other.",
            game=title,
        )
    elif own < theirs:
        message = sentence(
            "This game counts on the ladder of {game}. You stand in place {own}: if {name} wins, that"
            " place is taken, and you move down by one.",
            game=title,
            own=own,
            name=other,
        )
    else:
        message = sentence(
            "This game counts on the ladder of {game}. {name} stands in place {theirs}: if you win, that"
            " place is yours.",
            game=title,
            name=other,
            theirs=theirs,
        )
    return joined(
        [message, sentence("Everyone who stands on it can read your name, place and rating.")]
    )


def notes(
    uow: UnitOfWork, game: Game, reader: int, names: Sequence[str], at: datetime
) -> list[Sentence]:
    """Describe the stakes while a challenge is running, and its effect once it has ended.

    Returns an empty list for other games.
    """
    if not game.is_challenge:
        return []
    return [result(uow, game) if game.is_over else stakes(uow, game, reader, names, at)]


def result(uow: UnitOfWork, game: Game) -> Sentence:
    """Show the ladder after a challenge, around the ranks of the two players."""
    ruleset = game.ruleset.id.name
    every = uow.standings.challenges(ruleset)
    time = next(
        (
            number
            for number, item in enumerate(every)
            if item.game == game.id and (item.places or item.lost_unplayed)
        ),
        None,
    )
    if time is None:
        title = registry.title_of(ruleset)
        return sentence("The ladder of {game} stays as it is.", game=title)
    ended = every[time].finished_at or every[time].created_at
    now = standing(uow, ruleset, ended, every[: time + 1])
    places = [rank_of(now.players, seat.player) for seat in game.seats]
    first, last = max(1, min(places) - AROUND), max(places) + AROUND
    names = games.shown_names(uow, now.players)
    message = sentence(
        "The ladder of {game} now: {places}",
        game=now.title,
        places=", ".join(
            f"{rank}. {name}" for rank, name in enumerate(names, 1) if first <= rank <= last
        ),
    )
    if every[time].lost_unplayed is None:
        return message
    return joined([sentence("The challenge was not taken, so it counts as lost."), message])
