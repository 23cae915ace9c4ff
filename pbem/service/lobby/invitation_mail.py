"""Messages about a game that has not started: invitations, and messages to its creator."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from engine.sentences import Sentence, joined, plural, sentence
from pbem.bots import plays_like
from pbem.domain.league.ladder import LAPSES
from pbem.domain.table.game import Game
from pbem.domain.terms.seats import bot_level, is_bot, is_open, is_tutor
from pbem.domain.terms.tokens import PlayerToken
from pbem.domain.words.translate import shown_order
from pbem.games.options import option_sentences
from pbem.mail_out.content import InvitationMail, TableSeat
from pbem.mail_out.kinds import CREATED, INVITATION, VACANT, SeatingParams
from pbem.plain import clean
from pbem.service.core import games, operators
from pbem.service.core.context import Service
from pbem.service.core.names import reply_link, seat_address
from pbem.service.lobby import new_game
from pbem.service.lobby.expiry import DECIDE
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.rows.core import OutboxMail


def build(
    service: Service,
    uow: UnitOfWork,
    row: OutboxMail,
    params: SeatingParams,
    game: Game,
    player: Player,
) -> InvitationMail:
    """Build the content of a message about a game that has not started."""
    seat = row.seat or 0
    names = games.table_names(uow, game)
    reply_to = seat_address(service, game, seat, player)
    maker = next(
        (name for name, one in zip(names, game.seats, strict=True) if one.player == game.creator),
        None,
    )
    mails, days = new_game.expected(game)
    shorter = new_game.suggest_shorter_game(game) if row.kind == CREATED.name else None
    mail = InvitationMail(
        kind=row.kind,
        game_id=game.id,
        ruleset=game.ruleset.id.name,
        title=game.ruleset.title,
        players=names,
        reader=seat,
        inviter=maker or params.inviter or service.config.service.name,
        language=player.language,
        clock=game.timing,
        options=option_sentences(game.ruleset, game.options, names),
        expected_mails=mails,
        expected_days=days,
        commitment=game.commitment,
        operator=seat in game.operator_seats or operators.is_operator(service, uow, player.id),
        reply_to=reply_to,
        join_mailto="",
        decline_mailto="",
        lesson_mailto=reply_link(
            service,
            service.tokens.address(PlayerToken(player.id, player.rotation)),
            "tutorial",
            shown_order("tutorial", player.language),
        ),
        head=game.head,
        version=game.version,
        seats=_seats(game, names),
        vacant=params.seat,
        notes=(*_quoted_note(params, maker), *params.notes, *_ended_deals(uow, row)),
        again=params.again,
        renewed=params.renewed,
        may_shrink=len(game.seats) > game.ruleset.players[0],
        may_link=service.config.web is not None and not game.is_challenge,
        vacant_is_open=params.seat is not None and is_open(game.seats[params.seat].player),
        lesson=any(is_tutor(one.player) for one in game.seats),
        shorter=shorter or "",
        runs_out=_runs_out(service, uow, row, game),
        zone=player.zone,
        anonymous_talk=game.anonymous_talk,
    )
    subject = f"Re: {service.renderer.subject(mail)}"
    join, decline, never = (
        reply_link(service, reply_to, subject, shown_order(word, player.language))
        for word in ("join", "decline", "never again")
    )
    return replace(mail, join_mailto=join, decline_mailto=decline, never_mailto=never)


def _quoted_note(params: SeatingParams, maker: str | None) -> list[Sentence]:
    """Quote the inviter's note, or return an empty list without a note."""
    name = maker or params.inviter
    if not params.note:
        return []
    note = clean(params.note)
    return [
        sentence("{name} writes: “{note}”", name=name, note=note) if name else joined([f"“{note}”"])
    ]


def _seats(game: Game, names: tuple[str, ...]) -> tuple[TableSeat, ...]:
    return tuple(
        TableSeat(
            name,
            "bot" if is_bot(seat.player) else seat.status,
            is_maker=bool(game.creator) and seat.player == game.creator,
            plays_like=_plays_like(game, seat.player),
        )
        for name, seat in zip(names, game.seats, strict=True)
    )


def _plays_like(game: Game, player: str) -> int | None:
    level = None if is_tutor(player) else bot_level(player)
    return None if level is None else plays_like(game.ruleset.id.name, level)


def _ended_deals(uow: UnitOfWork, row: OutboxMail) -> list[Sentence]:
    """Disclose in an invitation how many games the server recently ended before the first move."""
    if row.kind != INVITATION.name:
        return []
    count = operators.ended_deals(uow, row.created_at)
    if not count:
        return []
    message = plural(
        "In the last 30 days this server ended {count} game before its first move.",
        "In the last 30 days this server ended {count} games before their first move.",
        count,
    )
    return [joined([message, _WHY_TOLD])]


_WHY_TOLD = sentence(
    "Whoever runs it can look at a deal before anybody else, so ask why if that happens often."
)


def _runs_out(service: Service, uow: UnitOfWork, row: OutboxMail, game: Game) -> datetime | None:
    """Return the time after which an answer is too late, or None if the message needs no answer."""
    if row.kind == VACANT.name:
        return row.created_at + DECIDE
    asked = uow.invitations.of(game.id, row.seat or 0)
    if row.kind != INVITATION.name or asked is None:
        return None
    return asked.asked_at + (
        LAPSES if game.is_challenge else service.config.limits.invitation_expires
    )
