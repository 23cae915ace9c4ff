"""Build the content of a message from its outbox row, with views and facts of one seat only.

The game is folded up to the row's version, so that a message shows the position at the time of the
decision even if it is sent late.
"""

from __future__ import annotations

from dataclasses import replace

from engine.sentences import sentence
from pbem.domain.log.chain import GameId, parse_time
from pbem.domain.terms.tokens import PlayerToken, QuestionToken, Token
from pbem.domain.words.service_lines import is_for_anybody
from pbem.domain.words.translate import in_english, shown_order
from pbem.errors import RowVerificationError, StoreError
from pbem.language import translate
from pbem.mail_out import subjects
from pbem.mail_out.content import (
    Content,
    DigestMail,
    GameMail,
    InvitationMail,
    ServiceMail,
)
from pbem.mail_out.kinds import (
    KINDS,
    WELCOME,
    AlertParams,
    AnswerParams,
    DigestParams,
    GameParams,
    HistoryParams,
    NewcomerParams,
    NoteParams,
    Params,
    QuestionParams,
    SeatingParams,
    WatchParams,
)
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.names import (
    contest_address,
    contest_page,
    reply_link,
)
from pbem.service.league import ladder
from pbem.service.league import league_messages as leagues
from pbem.service.letters import history
from pbem.service.letters.game_mail import game_mail, result_of, unread_talk
from pbem.service.lobby import invitation_mail
from pbem.service.notify import questions, to_admins
from pbem.service.votes import observing
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.rows.core import OUTBOX, OutboxMail

_WAITS = sentence(
    "People play card games by e-mail here, and the people who run this service add new players. They can"
    " see that you would like to play, and your mail is kept for them."
)


def build(service: Service, uow: UnitOfWork, row: OutboxMail) -> Content:
    """Build the content of an outgoing message.

    Raises: StoreError if its player or game is missing; RowVerificationError if the seat had another player
    at that version; like `games.load`.
    """
    params = KINDS[row.kind].read(row.params)
    if isinstance(params, NewcomerParams):
        return _to_newcomer(service, row, params)
    if isinstance(params, AlertParams):
        return _to_admin(service, uow, row, params)
    player = None if row.player_id is None else uow.players.get(row.player_id)
    if player is None:
        raise StoreError(f"outbox {row.id}: its player is gone")
    match params:
        case NoteParams():
            return _service_mail(service, uow, row, params, player)
        case DigestParams():
            return _digest(service, uow, row, params, player)
        case WatchParams():
            game = games.load(uow, GameId(params.game), up_to=params.version)
            return observing.content(service, uow, game, player, params.since, result_of(game))
        case _:
            return _about_a_seat(service, uow, row, params, player)


def _to_newcomer(service: Service, row: OutboxMail, params: NewcomerParams) -> ServiceMail:
    """Build a message to an unregistered person. Only the welcome asks a question."""
    language = params.language or service.config.service.language
    reply_to, yes = service.own_address, ""
    if KINDS[row.kind] is WELCOME:
        reply_to = service.tokens.address(QuestionToken(params.question))
        yes = reply_link(service, reply_to, "yes", shown_order("yes", language))
    return ServiceMail(
        kind=row.kind,
        name=params.name,
        reply_to=reply_to,
        yes_mailto=yes,
        language=language,
        message=_WAITS if params.is_waiting else params.message,
    )


def _to_admin(
    service: Service, uow: UnitOfWork, row: OutboxMail, params: AlertParams
) -> ServiceMail:
    """Build an alert, or a question to an admin."""
    token: Token = QuestionToken(params.question)
    if not params.question:
        address, day = row.rcpt_to or "", row.created_at.toordinal()
        of_now = to_admins.rotation(uow, address)
        token = to_admins.token_for(address, params.game, day, of_now)
    return ServiceMail(
        kind=row.kind,
        name="admin",
        reply_to=service.tokens.address(token),
        message=params.message,
        title=params.title,
        text=to_admins.HINT if params.text is None else params.text,
    )


def _about_a_seat(
    service: Service, uow: UnitOfWork, row: OutboxMail, params: Params, player: Player
) -> GameMail | InvitationMail:
    """Build a message to the player of a seat, at the game's version when it was decided."""
    if row.game_id is None or row.seat is None:
        raise StoreError(f"outbox {row.id}: it names no game")
    game = games.load(uow, row.game_id, up_to=row.version)
    # compare with the seat's player at that version, because the row may have been altered
    if game.seats[row.seat].player != player.id:
        raise RowVerificationError(OUTBOX.name, row.id)
    if isinstance(params, SeatingParams):
        built = invitation_mail.build(service, uow, row, params, game, player)
        built = ladder.with_challenge(uow, game, built, row.created_at)
        built = replace(built, contest_url=contest_address(service, contest_page(uow, game)[0]))
        return leagues.with_round(uow, game, built)
    mail = game_mail(service, uow, row, params, game, row.seat, player)
    if isinstance(params, HistoryParams):
        found = history.entries(service, uow, game, mail, params.count, only_talk=params.only_talk)
        return replace(mail, history=found)
    return mail


def has_talk(uow: UnitOfWork, row: OutboxMail) -> bool:
    """True if a talk message contains anything that earlier messages did not report."""
    player = None if row.player_id is None else uow.players.get(row.player_id)
    if player is None or row.game_id is None or row.seat is None:
        return False
    game = games.load(uow, row.game_id, up_to=row.version)
    if game.seats[row.seat].player != player.id:
        return False
    return bool(unread_talk(uow, row.seat, KINDS[row.kind].read(row.params), game, player))


def _digest(
    service: Service, uow: UnitOfWork, row: OutboxMail, params: DigestParams, player: Player
) -> DigestMail:
    reported, links = [], []
    board = shown_order("board", player.language)
    for game_id, seat, since, version in params.games:
        game = games.load(uow, GameId(game_id), up_to=version)
        news = GameParams(facts_after=since)
        content = game_mail(service, uow, row, news, game, seat, player)
        reported.append(content)
        links.append(
            reply_link(service, content.reply_to, f"Re: {subjects.of_its_game(content)}", board)
        )
    return DigestMail(
        name=player.name,
        games=tuple(reported),
        board_mailtos=tuple(links),
        reply_to=service.tokens.address(PlayerToken(player.id, player.rotation)),
        language=player.language,
    )


def _service_mail(
    service: Service, uow: UnitOfWork, row: OutboxMail, params: NoteParams, player: Player
) -> ServiceMail:
    token = params.token(player.id, player.rotation)
    if isinstance(params, QuestionParams) and params.until:
        listed = questions.strange_addresses(uow, player.id, parse_time(params.until))
        suggestions = questions.suggested_answers(listed)
        params = replace(
            params,
            suggestions=tuple(translate(suggestion, player.language) for suggestion in suggestions),
        )
    # A message to an address that may not be the player's contains none of the player's tokens.
    is_elsewhere = row.rcpt_to is not None and not isinstance(params, QuestionParams)
    reply_to = service.own_address if is_elsewhere else service.tokens.address(token)
    is_question = KINDS[row.kind].is_question

    def link(order: str) -> str:
        text = shown_order(translate(order, player.language), player.language)
        return reply_link(service, reply_to, f"Re: {service.config.service.name}", text)

    linked = [] if row.rcpt_to is not None else [*params.suggestions]
    if isinstance(token, PlayerToken):  # orders of a seat need another reply address
        linked = [
            order
            for order in linked
            if any(map(is_for_anybody, (order, *in_english(order, player.language, ()))))
        ]
    yes = reply_link(service, reply_to, "yes", shown_order("yes", player.language))
    mail = ServiceMail(
        kind=row.kind,
        name=player.name,
        reply_to=reply_to,
        yes_mailto=yes if is_question else "",
        message=params.message,
        lines=params.lines,
        suggestions=params.suggestions,
        links=tuple((order, link(order)) for order in linked),
        notes=params.notes,
        title=params.title,
        language=player.language,
    )
    if not isinstance(params, AnswerParams):
        return mail
    return replace(
        mail,
        text=params.text,
        is_long=params.is_long,
        games=params.games,
        open_games=params.open_games,
        rulesets=params.rulesets,
        standings=params.standings,
        cross=params.cross,
        contest_url=contest_address(service, params.contest),
    )
