"""Orders about leagues from players and admins: create, join, leave, start, stop."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager

from engine.sentences import Sentence, joined, one_of, plural, sentence
from pbem.domain.league import decide
from pbem.domain.league.decide import LeagueDecision
from pbem.domain.league.league import FEWEST, League
from pbem.domain.league.order import HOW, LeagueOrder, read_league_order
from pbem.domain.log.chain import GameId
from pbem.domain.log.league_events import LEAGUE
from pbem.domain.play import seating
from pbem.domain.table.decision import SYSTEM
from pbem.domain.terms.timing import with_words
from pbem.domain.words.orders import OrderLine
from pbem.errors import Refusal
from pbem.service import change
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.incoming import Incoming, Verdict
from pbem.service.core.mail_context import MailContext
from pbem.service.league import league_messages, rounds
from pbem.service.league.changing import changing, find, load, record
from pbem.service.lobby import creation as lobby
from pbem.service.lobby import never_invite
from pbem.service.lobby.guests import friends_of
from pbem.service.notify import deliverability
from pbem.store.db.uow import UnitOfWork

MAX_OWN_LEAGUES = 3
"""Maximum number of unfinished leagues per creator."""


def make(service: Service, uow: UnitOfWork, text: str, *, actor: str, cause: str) -> League:
    """Create the league described in a text, without players. Raises: Refusal."""
    wanted = read_league_order(text, service.config.bots)
    lobby.check_mailable(service, wanted.game.ruleset)
    timing = with_words(service.timing, wanted.game.clock) if wanted.game.clock else service.timing
    league_id = GameId(f"{LEAGUE}{service.new_id()}")
    decision = LeagueDecision(league_id, service.now(), actor, cause)
    decide.create(decision, wanted, _name(uow, wanted), timing, service.random_bytes(32))
    return record(uow, decision)


def _name(uow: UnitOfWork, wanted: LeagueOrder) -> str:
    """Return the requested name, or a generated name. Raises: Refusal if it is taken."""
    known = {league.name for league in uow.leagues.every()}
    if wanted.name in known:
        raise Refusal("taken", sentence("There is a league {name} already.", name=wanted.name))
    candidates = (f"{wanted.game.ruleset[:14]}-{number}" for number in itertools.count(1))
    return wanted.name or next(candidate for candidate in candidates if candidate not in known)


def create(mail_context: MailContext, line: OrderLine) -> None:
    """Carry out `new league …`. The creator joins the league. Raises: Refusal."""
    if line.argument is None:
        raise Refusal("setup", HOW)
    uow, player = mail_context.uow, mail_context.player_id
    own = [load(uow, row.id) for row in uow.leagues.every(open_only=True)]
    if sum(league.creator == player for league in own) >= MAX_OWN_LEAGUES:
        raise Refusal(
            "limit", sentence("You have {most} leagues that go on already.", most=MAX_OWN_LEAGUES)
        )
    actor = f"player:{player}"
    league = make(mail_context.service, uow, line.argument, actor=actor, cause=mail_context.cause)
    with changing(
        mail_context.service, uow, league.id, actor=actor, cause=mail_context.cause
    ) as decision:
        decide.join(decision, player)
    name = league.terms.name
    message = sentence(
        "The league {name} is open, and you take part. Tell the others: whoever plays here joins it with"
        ' "join league {name}", until {when}. With "announce league {name}" I ask everyone you have played'
        ' with, once; with "start league {name}" it begins earlier.',
        name=name,
        when=league_messages.when(uow, player, league.terms.joins_until),
    )
    _answer(mail_context, [message, *league_messages.terms(league), league_messages.sealed(league)])


def join(mail_context: MailContext, line: OrderLine) -> None:
    """Carry out `join league …`. Raises: Refusal."""
    uow, player = mail_context.uow, mail_context.player_id
    league = _find_league(
        uow, line.argument, [league_ for league_ in _open(uow) if league_.takes_more]
    )
    with _by_mail(mail_context, league) as decision:
        decide.join(decision, player)
    name = league.terms.name
    if league.rounds:
        message = sentence("You take part in the league {name} from the next round on.", name=name)
    else:
        when = league_messages.when(uow, player, league.terms.joins_until)
        message = sentence(
            "You take part in the league {name}. Its first round is drawn on {when}.",
            name=name,
            when=when,
        )
    _answer(mail_context, [message, *league_messages.terms(league), league_messages.sealed(league)])


def leave(mail_context: MailContext, line: OrderLine) -> None:
    """Carry out `leave league …`. Raises: Refusal."""
    uow, player = mail_context.uow, mail_context.player_id
    league = _find_league(
        uow, line.argument, [candidate for candidate in _open(uow) if player in candidate.playing]
    )
    with _by_mail(mail_context, league) as decision:
        decide.leave(decision, player)
    message = sentence("You left the league {name}.", name=league.terms.name)
    table = league.rounds[-1].table_of(player) if league.rounds else None
    if table is not None and table.ranking is None:
        on = sentence(
            "Your game [{game}] of this round goes on; to leave it, too, write resign confirm there.",
            game=table.game,
        )
        message = joined([message, on])
    _answer(mail_context, [message])


def start(mail_context: MailContext, line: OrderLine) -> None:
    """Carry out `start league …`, which only the creator may do. Raises: Refusal."""
    uow, player = mail_context.uow, mail_context.player_id
    own = [
        candidate
        for candidate in _open(uow)
        if candidate.creator == player and candidate.status == "open"
    ]
    league = _find_league(uow, line.argument, own)
    if league.creator != player:
        raise Refusal("maker", sentence("Only who made a league can begin it early."))
    begin(mail_context.service, uow, league)
    message = sentence("The first round of {name} is drawn.", name=league.terms.name)
    _answer(mail_context, [message])


def announce(mail_context: MailContext, line: OrderLine) -> None:
    """Carry out `announce league …`: ask those with whom its creator has played. Raises: Refusal."""
    uow, player = mail_context.uow, mail_context.player_id
    own = [
        candidate
        for candidate in _open(uow)
        if candidate.creator == player and candidate.takes_more
    ]
    league = _find_league(uow, line.argument, own)
    if league.creator != player:
        raise Refusal("maker", sentence("Only the player who made a league can announce it."))
    friends = friends_of(uow, player)
    count = invite(mail_context.service, uow, league, friends, by=mail_context.player.name)
    message = plural(
        "{count} player you have played with is asked about {name}.",
        "{count} players you have played with are asked about {name}.",
        count,
        name=league.terms.name,
    )
    _answer(mail_context, [message])


def invite(
    service: Service, uow: UnitOfWork, league: League, players: Collection[str], *, by: str = ""
) -> int:
    """Ask players whether they join a league, as in `league_messages.tell_open`. Raises: Refusal."""
    if not league.takes_more:
        raise Refusal("late", sentence("Nobody can join {name} any more.", name=league.terms.name))
    count = league_messages.tell_open(service, uow, league, players, by=by)
    if not count:
        raise Refusal(
            "nobody",
            sentence(
                "There is nobody to ask: the people you have played with take part already, were asked"
                " before, or want no invitations."
            ),
        )
    return count


def announced(uow: UnitOfWork, player: str, message_ids: Collection[str]) -> str | None:
    """Return the name of the league that one of these messages announced to a player, or None."""
    keys = {mail.key for mail in uow.outbox.by_message_id(message_ids)}
    asked = (
        candidate
        for candidate in _open(uow)
        if league_messages.announcement_key(candidate, player) in keys
    )
    return next((league.terms.name for league in asked), None)


def begin(service: Service, uow: UnitOfWork, league: League) -> None:
    """Draw the first round of a league now. Raises: Refusal."""
    if league.status != "open":
        raise Refusal("begun", sentence("The league {name} has begun.", name=league.terms.name))
    if len(league.playing) < FEWEST:
        raise Refusal("few", sentence("Nobody else has joined yet, so there is no round to draw."))
    # quick, because no two players have met yet
    rounds.draw(service, uow, league.id, decide.next_draw(league))


def stop(service: Service, name: str, reason: str) -> League:
    """Stop a league without a winner, as an admin. Its running games continue. Raises: Refusal."""
    if not reason.strip():
        raise Refusal("reason", "Stopping a league needs a reason, which every player reads.")
    with service.store.unit_of_work() as uow:
        league = find(uow, name)
        actor, cause = games.LOCAL_ADMIN, service.new_cause()
        with changing(service, uow, league.id, actor=actor, cause=cause) as decision:
            decide.stop(decision, reason.strip())
        for table in league.rounds[-1].tables if league.rounds else ():
            known = games.load_if_sound(uow, table.game)
            if known is not None and known.status == "inviting":
                with change.changing(service, uow, table.game, actor=SYSTEM, cause=None) as game:
                    seating.call_off(game.decision, "called-off")
        league_messages.tell_end(service, uow, decision.existing(), reason=reason.strip())
        return decision.existing()


def score(service: Service, name: str, game: str) -> League:
    """Count a game with a damaged log as unranked, to unblock its league's round.

    Raises: Refusal.
    """
    with service.store.unit_of_work() as uow:
        league = find(uow, name)
        waiting = [pairing.game for pairing in rounds.damaged(uow, league)]
        if game not in waiting:
            raise Refusal(
                "game",
                f"{league.terms.name} waits for no such game: its log is sound, or it counts already.",
                suggestions=tuple(waiting),
            )
        actor, cause = games.LOCAL_ADMIN, service.new_cause()
        with changing(service, uow, league.id, actor=actor, cause=cause) as decision:
            decide.score(decision, GameId(game), ())
        return decision.existing()


def withdraw(
    service: Service, uow: UnitOfWork, player: str, *, cause: str | None = None
) -> list[Sentence]:
    """Withdraw a player from all leagues and return a confirmation for each league.

    Used when a player unsubscribes or their data is erased.
    """
    sentences = []
    actor = SYSTEM if cause is None else f"player:{player}"
    for league in _open(uow):
        if player in league.playing:
            with changing(service, uow, league.id, actor=actor, cause=cause) as decision:
                decide.leave(decision, player)
            sentences.append(sentence("You left the league {name}.", name=league.terms.name))
            table = league.rounds[-1].table_of(player) if league.rounds else None
            if table is not None and table.ranking is None:
                on = sentence(
                    "Your game [{game}] of this round goes on without you.", game=table.game
                )
                sentences.append(on)
    return sentences


def unsubscribe(mail_context: MailContext, _line: OrderLine) -> None:
    """Unsubscribe a player who is in no running game, and withdraw them from leagues.

    Raises: Refusal.
    """
    service, uow, player = mail_context.service, mail_context.uow, mail_context.player_id
    never_invite.may_unsubscribe(uow, player)
    if was_only_invited(uow, player):
        mail_context.notes.append(
            never_invite.shut_out(service, uow, player, cause=mail_context.cause)
        )
    mail_context.notes += withdraw(service, uow, player, cause=mail_context.cause)
    deliverability.stop(service, uow, player)
    mail_context.notes.append(
        sentence("This is the last mail from here. As soon as you write again, mails come again.")
    )
    mail_context.has_acted = True


def stop_all(incoming: Incoming, *, cause: str, notes: Sequence[Sentence] = ()) -> Verdict:
    """Unsubscribe a player and withdraw them from leagues. The last message contains `notes`."""
    service, uow, player = incoming.service, incoming.uow, incoming.player.id
    only_invited = was_only_invited(uow, player)
    said = [*withdraw(service, uow, player, cause=cause), *notes]
    if only_invited:
        said.append(never_invite.shut_out(service, uow, player, cause=cause))
    return deliverability.stop_mails(incoming, said)


def was_only_invited(uow: UnitOfWork, player: str) -> bool:
    """True if a person was never at a table or in a league, so that only invitations reach them."""
    was_at_table = any(
        seat.player_id == player and seat.status not in ("invited", "declined", "expired")
        for game in uow.projections.games_of(player)
        for seat in uow.projections.seats(game.id)
    )
    return not was_at_table and not league_messages.of_player(uow, player)


def _open(uow: UnitOfWork) -> list[League]:
    return [load(uow, league.id) for league in uow.leagues.every(open_only=True)]


def _find_league(uow: UnitOfWork, name: str | None, likely: list[League]) -> League:
    """Return the named league, or else the only likely one. Raises: Refusal."""
    if name is not None:
        return find(uow, name)
    if len(likely) == 1:
        return likely[0]
    if not likely:
        raise Refusal("unknown-league", sentence("There is no such league just now."))
    names = [one.terms.name for one in likely]
    raise Refusal(
        "which-league", sentence("Which league do you mean: {names}?", names=one_of(names))
    )


def _by_mail(mail_context: MailContext, league: League) -> AbstractContextManager[LeagueDecision]:
    actor = f"player:{mail_context.player_id}"
    return changing(
        mail_context.service, mail_context.uow, league.id, actor=actor, cause=mail_context.cause
    )


def _answer(mail_context: MailContext, sentences: list[Sentence]) -> None:
    mail_context.notes += sentences
    mail_context.has_acted = True
