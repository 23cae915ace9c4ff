"""Texts about leagues for messages: terms, standings, rounds and results."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from engine import registry
from engine.sentences import Sentence, joined, sentence
from pbem.domain.league.league import League, Round, standings
from pbem.domain.log.chain import GameId
from pbem.domain.log.league_events import LEAGUE
from pbem.domain.table.game import Game
from pbem.domain.terms.timing import from_json
from pbem.durations import duration_words
from pbem.errors import Refusal
from pbem.mail_out import kinds, times
from pbem.mail_out.content import CrossLine, CrossTable, InvitationMail, RoundPart
from pbem.mail_out.kinds import AnswerParams, MailKind
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.names import league_page_name
from pbem.service.league.changing import find, load
from pbem.service.lobby import never_invite
from pbem.service.notify.intentions import Mailing, queue_to_player
from pbem.store.db.uow import UnitOfWork

MAX_ROUNDS = 6
"""Maximum number of rounds in a cross table, the newest ones."""


def when(uow: UnitOfWork, player_id: str, at: datetime) -> Sentence:
    """Format a time in a player's time zone."""
    player = uow.players.get(player_id)
    return times.past_time_text(at, "UTC" if player is None else player.zone)


def terms(league: League) -> list[Sentence]:
    """Describe the terms of a league."""
    fixed = league.terms
    sentences = [
        sentence(
            "{rounds} rounds of {game} at tables of {size}, {pace} for a move; a round takes {time} at most.",
            rounds=fixed.rounds,
            game=registry.title_of(fixed.ruleset),
            size=fixed.table_size,
            pace=duration_words(from_json(fixed.timing).time_per_move),
            time=duration_words(fixed.round_time),
        )
    ]
    if fixed.with_bots:
        sentences.append(sentence("Bots fill the tables."))
    return sentences


def sealed(league: League) -> Sentence:
    """Show the commitment to the secret from which the draws follow."""
    return sentence(
        "Who meets whom follows from a secret that is fixed already. Its seal: {seal}",
        seal=league.terms.commitment,
    )


# --- answers to requests
# ---------------------------------------------------------------------------


def answer_about_league(uow: UnitOfWork, player_id: str, name: str | None) -> AnswerParams:
    """Build the answer to `league`, or to `league NAME`."""
    if name is None:
        return _every(uow, player_id)
    try:
        league = find(uow, name)
    except Refusal as refusal:
        return AnswerParams(joined([refusal.message]), suggestions=refusal.suggestions)
    return of_league(uow, league, player_id)


def _every(uow: UnitOfWork, player_id: str) -> AnswerParams:
    """Describe the player's only league, or list the leagues that are open or running."""
    known = [load(uow, league.id) for league in uow.leagues.every(open_only=True)]
    own = [one for one in known if player_id in one.playing]
    if len(own) == 1:
        return of_league(uow, own[0], player_id)
    if not known:
        how = sentence(
            'There is no league just now. Begin one: "new league {game}, 5 rounds, tables of 4".',
            game=min(registry.names()),
        )
        return AnswerParams(how)
    heading = sentence("These leagues are open or running.")
    names = [sentence("league {name}", name=one.terms.name) for one in own]
    names += [
        sentence("join league {name}", name=one.terms.name)
        for one in known
        if one not in own and one.takes_more
    ]
    return AnswerParams(heading, suggestions=tuple(names))


def of_league(uow: UnitOfWork, league: League, player_id: str) -> AnswerParams:
    """Describe a league to a player. The table names no one to people who take no part."""
    is_theirs = league.entry(player_id) is not None
    notes = [*_next(uow, league, player_id), *terms(league), sealed(league)]
    suggestions = []
    if not is_theirs and league.takes_more:
        suggestions.append(sentence("join league {name}", name=league.terms.name))
    return AnswerParams(
        notes=tuple(notes),
        suggestions=tuple(suggestions),
        cross=cross_table(uow, league, player_id, is_theirs=is_theirs),
        contest=page_of(league),
    )


def page_of(league: League) -> str:
    """Return the file name of a league's page, or an empty text.

    A league has no page if it was stopped before the first round or its games admit no observers.
    """
    never_began = league.status == "stopped" and not league.rounds
    is_hidden = from_json(league.terms.timing).observers == "off"
    return "" if never_began or is_hidden else league_page_name(league.terms.name)


def _next(uow: UnitOfWork, league: League, player_id: str) -> list[Sentence]:
    """Describe what happens next in a league."""
    count = len(league.playing)
    match league.status:
        case "open":
            round_at = when(uow, player_id, league.terms.joins_until)
            return [
                sentence(
                    "The first round is drawn on {when}. Players: {count}",
                    when=round_at,
                    count=count,
                )
            ]
        case "running":
            last = league.rounds[-1]
            sentences = [
                sentence(
                    "Round {number} of {of} ends on {when} at the latest.",
                    number=last.number,
                    of=league.terms.rounds,
                    when=when(uow, player_id, last.ends_at),
                )
            ]
            table = last.table_of(player_id)
            if table is not None:
                sentences.append(sentence("Your game is [{game}].", game=table.game))
            return sentences
        case "finished":
            return [sentence("All rounds are played.")]
        case _:
            return [sentence("It was stopped before its end.")]


def cross_table(
    uow: UnitOfWork, league: League, reader: str, *, is_theirs: bool = True
) -> CrossTable:
    """Build the cross table for a reader. Without `is_theirs` it has no lines."""
    secret = bytes.fromhex(league.terms.secret) if league.status == "finished" else None
    lines = standings(league, secret) if is_theirs else []
    names = games.shown_names(uow, [line.player for line in lines])
    called = {line.player: name for line, name in zip(lines, names, strict=True)}
    first = max(0, len(league.rounds) - MAX_ROUNDS)
    return CrossTable(
        league.terms.name,
        registry.title_of(league.terms.ruleset),
        len(league.rounds),
        league.terms.rounds,
        first + 1,
        tuple(
            CrossLine(
                line.place,
                name,
                line.player == reader,
                line.rounds[first:],
                tuple(_opponents(drawn, line.player, called) for drawn in league.rounds[first:]),
                line.points,
                line.opposition,
                line.has_left,
            )
            for line, name in zip(lines, names, strict=True)
        ),
        next(iter(games.shown_names(uow, league.ranking[:1])), ""),
    )


def _opponents(drawn: Round, player: str, called: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the other people at a player's table of a round."""
    table = drawn.table_of(player)
    people = () if table is None else table.players
    return tuple(called[other] for other in people if other != player and other in called)


# --- notifications
# ---------------------------------------------------------------------------------


def tell_round(service: Service, uow: UnitOfWork, league: League, *, ended: League) -> None:
    """Send the standings of the ended round to all players when the next round is drawn."""
    last = league.rounds[-1]
    for player in league.playing:
        message = sentence(
            "Round {number} is drawn; its mail tells you your table.", number=last.number
        )
        if player in last.byes:
            message = sentence(
                "In round {number} the tables are full without you: you get half a point.",
                number=last.number,
            )
        params = AnswerParams(notes=(message,), cross=cross_table(uow, ended, player))
        _queue(service, uow, league, player, kinds.LEAGUE_ROUND, params)


def announcement_key(league: League, player: str) -> str:
    """Return the outbox key of the message that asks a player to join a league."""
    return f"{league.id}:{kinds.LEAGUE_OPEN.name}:{player}"


def tell_open(
    service: Service, uow: UnitOfWork, league: League, players: Collection[str], *, by: str = ""
) -> int:
    """Ask players to join a league, at most once each, and return how many are asked now.

    Players who take part already or want no invitations are skipped.

    Args:
        by: name of the player who asks. Empty for an admin.
    """
    game, terms_of = registry.title_of(league.terms.ruleset), league.terms
    asked = sentence("A league of {game} is open to everyone who plays here.", game=game)
    if by:
        asked = sentence(
            "{name} begins a league of {game} and asks you to join.", name=by, game=game
        )
    left_out = {*league.playing, *never_invite.among(service, uow, players)}
    count = 0
    for player in players:
        if player in left_out:
            continue
        notes = (
            joined([*terms(league), *_next(uow, league, player)]),
            sentence(
                "You play one game per round, and nobody is eliminated. All rounds together take {time}"
                " at most.",
                time=duration_words(terms_of.rounds * terms_of.round_time),
            ),
            sentence("This is the only mail about it, unless you join."),
        )
        params = AnswerParams(
            asked,
            notes=notes,
            suggestions=(
                sentence("join league {name}", name=terms_of.name),
                sentence("invitations off"),
            ),
            cross=CrossTable(terms_of.name, game),
            contest=page_of(league),
        )
        key = announcement_key(league, player)
        count += queue_to_player(service, uow, player, Mailing(kinds.LEAGUE_OPEN, params, key))
    return count


def tell_byes(service: Service, uow: UnitOfWork, league: League) -> None:
    """Notify players without a table in the first round. Later, `tell_round` reports byes."""
    last = league.rounds[-1]
    for player in last.byes if last.number == 1 else ():
        message = sentence(
            "In round {number} the tables are full without you: you get half a point.",
            number=last.number,
        )
        params = AnswerParams(message, cross=CrossTable(league.terms.name))
        _queue(service, uow, league, player, kinds.LEAGUE, params)


def tell_end(service: Service, uow: UnitOfWork, league: League, *, reason: str = "") -> None:
    """Notify everyone who took part that the league has ended, with the standings."""
    notes: list[Sentence] = []
    if league.status == "finished":
        notes.append(
            sentence(
                "The secret behind the draws is open now: {secret}", secret=league.terms.secret
            )
        )
    elif reason:
        notes.append(
            joined(
                [
                    sentence("The admin stopped the league; games that run go on."),
                    sentence("The reason: {reason}", reason=reason),
                ]
            )
        )
    else:
        notes.append(sentence("Too few players are left for another round."))
    for player in [entry.player for entry in league.entries]:
        params = AnswerParams(notes=tuple(notes), cross=cross_table(uow, league, player))
        _queue(service, uow, league, player, kinds.LEAGUE_END, params)


def _queue(
    service: Service,
    uow: UnitOfWork,
    league: League,
    player: str,
    kind: MailKind[AnswerParams],
    params: AnswerParams,
) -> None:
    params = replace(params, contest=page_of(league))
    key = f"{league.id}:{kind.name}:{len(league.rounds)}:{player}"
    queue_to_player(service, uow, player, Mailing(kind, params, key))


# --- games of a league ------------------------------------------------------------------------------


def round_of_game(uow: UnitOfWork, game: Game) -> RoundPart | None:
    """Return the league round of a game, or None for other games and unknown leagues."""
    name, _, number = game.league.partition(":")
    league_id = GameId(f"{LEAGUE}{name}")
    if not name or uow.events.head(league_id) is None:  # imported from another installation
        return None
    league = load(uow, league_id)
    one = league.rounds[int(number) - 1]
    return RoundPart(league.terms.name, one.number, league.terms.rounds, one.deals_at, one.ends_at)


def with_round(uow: UnitOfWork, game: Game, mail: InvitationMail) -> InvitationMail:
    """Add the league round to a message about a game that has not started."""
    return replace(mail, round=round_of_game(uow, game))


def of_player(uow: UnitOfWork, player_id: str) -> list[League]:
    """Return every league in which a player takes or took part."""
    known = (load(uow, league_id) for league_id in uow.events.leagues())
    return [league for league in known if league.entry(player_id) is not None]


def notes(uow: UnitOfWork, game: Game, zone: str) -> Sequence[Sentence]:
    """Describe a game's league round in its first message."""
    league_part = round_of_game(uow, game)
    if league_part is None:
        return ()
    return (
        sentence(
            "This is round {number} of the league {league}. What is not over on {when} is ranked as it"
            " stands.",
            number=league_part.number,
            league=league_part.league,
            when=times.past_time_text(league_part.ends_at, zone),
        ),
    )
