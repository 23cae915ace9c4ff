"""Build the content of a message about a game: views and facts of one seat only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from engine.api import Fact, JsonObject, Seat
from engine.orders import LIST_START
from pbem.domain.clock import deadlines, vacations
from pbem.domain.log.chain import HIDDEN
from pbem.domain.log.events import ChoicesRevealed, GameFinished, MovePlayed, MovesRetracted
from pbem.domain.log.seat_events import SeatRemoved, SeatResigned
from pbem.domain.table.facts import ANNOUNCED
from pbem.domain.table.game import REVEALED, Game, has_page
from pbem.domain.terms.seats import with_seat_names
from pbem.domain.words.orders import names_in_orders
from pbem.domain.words.translate import shown_order
from pbem.language import translate
from pbem.mail_out import subjects
from pbem.mail_out.content import (
    FinalResult,
    GameMail,
    LineResult,
    ListedMove,
    TimeBank,
)
from pbem.mail_out.kinds import (
    ANONYMOUS,
    DIGEST,
    FINISHED,
    KINDS,
    NOTICE,
    QUIET,
    REMINDER,
    STARTED,
    TURN,
    GameParams,
    HistoryParams,
    Params,
    SlotParams,
)
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.names import (
    Tell,
    contest_address,
    contest_page,
    named,
    page_address,
    reply_link,
    seat_address,
    seat_page_address,
    teller,
)
from pbem.service.league import ladder
from pbem.service.league import league_messages as leagues
from pbem.service.notify import mailings, talking
from pbem.service.standing_orders import standing_words, tutor
from pbem.service.votes import motion_words
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.rows.core import OutboxMail

NEWCOMERS_TURNS = 3
"""Number of a player's turn messages per ruleset that include instructions."""
_FIRST_PLIES = 5
"""Number of plies per seat that count as the first rounds."""
_PLIES = {MovePlayed.__name__, ChoicesRevealed.__name__}
_NOT_OF_TURNS = frozenset(kind.name for kind in KINDS.values() if not kind.asks)
_BACK = MovesRetracted.__name__
_OPENS_PAGE = (TURN.name, REMINDER.name, STARTED.name, NOTICE.name)
"""Kinds of messages that link to the seat page, because they show hand and table like the page."""
_CHANGING = _PLIES | {_BACK, SeatResigned.__name__, SeatRemoved.__name__, HIDDEN}
"""Types of events that can change the number of plies."""
LISTED_MOVES = 60
"""Maximum number of moves listed in a message."""


def unread_talk(
    uow: UnitOfWork, seat: int, params: Params, game: Game, player: Player
) -> list[talking.Message]:
    """Return the talk that a message with these parameters reports to the player of a seat."""
    match params:
        case HistoryParams():
            return []
        case SlotParams():
            return talking.in_slot(uow, game, seat, params.first, params.slot)
        case _:
            return talking.untold(uow, game, seat, player)


@dataclass(frozen=True, slots=True)
class _Letter:
    """The inputs from which the parts of a game message are built.

    Attributes:
        row: the message in the outbox.
        params: its parameters.
        game: folded up to the version of the message.
        seat: the seat of the reader, `player`.
        names: the players' names, by seat.
        called: their names as orders can use them, by seat.
        view: the engine's view of the seat, or empty before the deal.
        tell: formats a canonical order in the reader's words.
    """

    service: Service
    uow: UnitOfWork
    row: OutboxMail
    params: Params
    game: Game
    seat: Seat
    player: Player
    names: tuple[str, ...]
    called: tuple[str, ...]
    view: JsonObject
    tell: Tell

    @property
    def kind(self) -> str:
        return self.row.kind

    @property
    def game_params(self) -> GameParams:
        """Return the message's parameters, or defaults for kinds with other parameters."""
        return self.params if isinstance(self.params, GameParams) else GameParams()

    @property
    def decided_at(self) -> datetime:
        """Return the time at which the content was decided."""
        return self.row.not_before if self.kind in QUIET else self.row.created_at


def game_mail(
    service: Service,
    uow: UnitOfWork,
    row: OutboxMail,
    params: Params,
    game: Game,
    seat: int,
    player: Player,
) -> GameMail:
    """Build the content of a message about a game, one group of fields at a time.

    Args:
        row: the message, which may be about several games.
        params: its parameters for this game.
        game: folded up to the version of the message.
        seat: the seat of the reader, `player`.
    """
    names = games.table_names(uow, game)
    called = names_in_orders(names, (game.ruleset,), player.language)
    view = {} if game.state is None else game.ruleset.view(game.state, Seat(seat))
    tell = teller(game, view, names, called)
    letter = _Letter(service, uow, row, params, game, Seat(seat), player, names, called, view, tell)
    mail = _begun(letter)
    mail = _with_news(letter, mail)
    mail = _with_clock(letter, mail)
    mail = _with_votes(letter, mail)
    mail = _with_talk(letter, mail)
    mail = _with_result(letter, mail)
    mail = _with_notes(letter, mail)
    return _with_moves(letter, mail)


def _begun(letter: _Letter) -> GameMail:
    """Create a message with its game, its reader, and the event that its header names."""
    game, seat = letter.game, letter.seat
    version, head = game.version, game.head
    if letter.kind == ANONYMOUS.name:  # the newest event may be the talk itself
        version, head = letter.uow.events.public_head(game.id, version)
    page, _ = contest_page(letter.uow, game)
    return GameMail(
        kind=letter.kind,
        at=letter.row.created_at,
        game_id=game.id,
        ruleset=game.ruleset.id.name,
        title=game.ruleset.title,
        skin=str(game.options.get("deck", "")),
        players=letter.names,
        called=letter.called,
        bots=game.bots,
        reader=seat,
        language=letter.player.language,
        zone=letter.player.zone,
        dealt=game.state is not None,
        open_seats=tuple(
            number for number, seat_state in enumerate(game.seats) if seat_state.status == "open"
        ),
        gone=game.seats[seat].status in ("resigned", "removed"),
        to_act=tuple(int(number) for number in game.to_act),
        view=letter.view,
        version=version,
        head=head,
        commitment=game.commitment,
        reply_to=seat_address(letter.service, game, seat, letter.player),
        page_url=page_address(letter.service, game.id) if has_page(game) else "",
        contest_url=contest_address(letter.service, page),
        seat_url=seat_page_address(letter.service, game, seat, letter.player)
        if letter.kind in _OPENS_PAGE and game.state is not None
        else "",
        is_newcomer=not letter.uow.outbox.has_had_turns(
            letter.row, game.ruleset.id.name, NEWCOMERS_TURNS
        ),
        is_look=letter.game_params.is_look,
        lines=letter.game_params.lines,
        happened=(),
        moves=(),
        moves_complete=False,
        deadline=None,
    )


def _with_news(letter: _Letter, mail: GameMail) -> GameMail:
    """Add the facts after the reader's last move, or after `facts_after`."""
    game, seat, params = letter.game, letter.seat, letter.game_params
    after = game.seats[seat].seen if params.facts_after is None else params.facts_after
    announced_after = after if params.announced_after is None else params.announced_after
    unconfirmed = _unconfirmed(letter) if params.facts_after is None else ()
    facts = (
        *_dealt(letter.uow, game, seat, params.dealt_at),
        *unconfirmed,
        *_happened(game, seat, after, announced_after),
    )
    news = named(letter.uow, facts, letter.tell)
    return replace(mail, happened=news, confirms=bool(unconfirmed))


def _with_clock(letter: _Letter, mail: GameMail) -> GameMail:
    """Add the deadline and everything that may change it."""
    game, seat, decided_at = letter.game, letter.seat, letter.decided_at
    deadline = game.deadline
    due_at = None if deadline is None or game.paused_at else deadline.due_at
    is_grace = deadline is not None and deadline.due_at < decided_at < deadline.fires_at
    return replace(
        mail,
        deadline=due_at,
        is_overdue=due_at is not None and due_at < decided_at,
        bank=_bank(game, seat, decided_at),
        counts_until=deadline.fires_at if deadline is not None and is_grace else None,
        away_until=vacations.away_until(game, seat, letter.player.zone),
        paused=game.paused_at is not None and not game.is_over,
        clock=game.timing if letter.kind in (STARTED.name, REMINDER.name) else None,
        ics=game.timing.ics,
    )


def _with_votes(letter: _Letter, mail: GameMail) -> GameMail:
    """Add the open votes and the players whose votes are missing."""
    game, seat, names = letter.game, letter.seat, letter.names
    is_asked = mailings.must_vote_on_clock(game, seat)
    has_joined = game.seats[seat].status == "joined"
    return replace(
        mail,
        ballots=tuple(
            motion_words.questions(
                letter.uow, game, seat, names, letter.player.language, letter.player.zone
            )
        ),
        motion=mailings.clock_vote(game),
        asked=not game.is_over and is_asked,
        awaited=tuple(
            name
            for name, state in zip(names, game.seats, strict=True)
            if state.status in ("invited", "open") and has_joined
        ),
    )


def _with_talk(letter: _Letter, mail: GameMail) -> GameMail:
    """Add the unread talk, limited to the newest messages."""
    talk_ = unread_talk(letter.uow, letter.seat, letter.params, letter.game, letter.player)
    heard = talk_[-talking.SHOWN_AT_ONCE :]
    return replace(
        mail,
        talk=talking.speeches(letter.uow, letter.game, letter.player.id, heard),
        talk_left_out=len(talk_) - len(heard),
        anonymous_talk=letter.game.anonymous_talk,
    )


def _with_result(letter: _Letter, mail: GameMail) -> GameMail:
    """Add the ranking of a finished game, and the name of its attached page."""
    game = letter.game
    has_page_attached = letter.kind == FINISHED.name and mail.dealt
    return replace(
        mail,
        result=result_of(game),
        replay_file=f"{game.ruleset.id.name}-{game.id}.html" if has_page_attached else "",
    )


def _with_notes(letter: _Letter, mail: GameMail) -> GameMail:
    """Add notes about leagues and ladders, about standing orders, and from the tutor."""
    uow, game, seat, names = letter.uow, letter.game, letter.seat, letter.names
    kind, language, params = letter.kind, letter.player.language, letter.params
    notes: list[str] = []
    if kind == STARTED.name:
        notes += leagues.notes(uow, game, letter.player.zone)
    if kind in (STARTED.name, FINISHED.name):
        notes += ladder.notes(uow, game, seat, names, letter.row.created_at)
    if isinstance(params, GameParams | HistoryParams):
        notes += params.notes
    notes += tutor.says(game, seat, kind, letter.game_params.lines, language)
    standing = (
        standing_words.hint(game, seat)
        if kind == STARTED.name
        else standing_words.describe_standing(game, seat, names, language)
    )
    return replace(mail, notes=tuple(notes), standing=standing)


def _with_moves(letter: _Letter, mail: GameMail) -> GameMail:
    """Add the legal moves, the results of lines in the reader's words, and all links.

    The links use the subject of the conversation, which depends on lines and result, so this comes
    last.
    """
    game, seat, kind = letter.game, letter.seat, letter.kind
    is_to_move = seat in game.to_act and game.seats[seat].controller == "person"
    moves = _listed_moves(game, seat) if is_to_move else ()
    is_part = kind == DIGEST.name  # the daily digest has a common subject for all games
    own_subject = subjects.of_its_game if is_part else letter.service.renderer.subject
    subject = f"Re: {own_subject(mail)}"

    asked_about = mailings.motions_to_vote_on(game, seat)
    is_asked_about_clock = mailings.must_vote_on_clock(game, seat)
    is_yes_clear = not game.is_over and len(asked_about) + is_asked_about_clock == 1

    def link(order: str) -> str:
        body = shown_order(translate(order, mail.language), mail.language)
        return reply_link(letter.service, mail.reply_to, subject, body)

    def said(move: str) -> str:
        return letter.tell(move, seat)

    return replace(
        mail,
        moves=tuple(
            ListedMove(number, said(move), link(said(move)), with_seat_names(move, mail.players))
            for number, move in enumerate(moves, LIST_START)
        ),
        moves_complete=bool(moves)
        and len(moves) < LISTED_MOVES
        and game.ruleset.is_list_complete(game.state, seat),
        safe=_safe_move(game, seat, moves),
        has_moved=kind not in (TURN.name, REMINDER.name) or _has_moved(letter.uow, game, seat),
        lines=tuple(_line(line, link, said) for line in letter.game_params.lines),
        answer_mailto=link("x").removesuffix("x"),
        rematch_mailto=link("rematch") if mail.result is not None and mail.dealt else "",
        vote_mailtos=(link("yes"), link("no")) if is_yes_clear else (),
    )


def _bank(game: Game, reader: int, at: datetime) -> TimeBank | None:
    """Return the time bank of the reader, or else of the only seat to act, or None."""
    asked = (reader,) if reader in game.to_act else game.to_act
    if game.deadline is None or len(asked) != 1:
        return None
    left = deadlines.bank_left(game, int(asked[0]))
    base_at = game.deadline.base_at
    return None if left is None else TimeBank(base_at, left, is_running=base_at < at)


def _dealt(uow: UnitOfWork, game: Game, seat: int, dealt_at: int | None) -> tuple[Fact, ...]:
    """Return facts for the first message that the dealt game no longer contains.

    These are an admin's reveals before the deal, and the deal itself if forced moves followed it.
    """
    if dealt_at is None:
        return ()
    before = games.load(uow, game.id, up_to=dealt_at - 1)
    looks = tuple(news.fact for news in before.news if news.fact.kind == REVEALED)
    if any(news.version == dealt_at for news in game.news):
        return looks
    return looks + games.load(uow, game.id, up_to=dealt_at).news_of(seat, dealt_at)


def _happened(game: Game, seat: int, after: int, announced_after: int) -> tuple[Fact, ...]:
    """Return the facts after a version, preceded by admin acts after `announced_after`.

    Answers and notices report only the latest events, but every admin act must be reported.
    """
    before = tuple(
        news.fact
        for news in game.news
        if announced_after < news.version <= after
        and news.fact.kind in ANNOUNCED
        and news.fact.audience in (None, seat)
    )
    return before + game.news_for(seat, after)


def _unconfirmed(letter: _Letter) -> tuple[Fact, ...]:
    """Return the facts up to the reader's last move that no message has reported.

    Players with `receipts off`, and all players in a fast evening, get no answer to such a move. By
    their next turn the game no longer contains these facts, so they are read from the log.
    """
    game, seat, row = letter.game, letter.seat, letter.row
    seen = game.seats[seat].seen
    is_quiet = letter.player.receipts is False or bool(game.timing.fast)
    if not (is_quiet and seen):
        return ()
    shown = letter.uow.outbox.sent_to(game.id, seat, limit=2, unless=_NOT_OF_TURNS)
    last = next((mail.version or 0 for mail in shown if mail.id != row.id), seen)
    if last >= seen:
        return ()
    steps = games.walk(letter.uow, game.id, last, seen)
    return tuple(fact for step in steps for fact in step.game.news_of(seat, step.version))


def _listed_moves(game: Game, seat: Seat) -> tuple[str, ...]:
    """List legal moves in canonical text, up to `LISTED_MOVES`."""
    moves = islice(game.ruleset.legal_moves(game.state, seat), LISTED_MOVES)
    return tuple(game.ruleset.format_move(game.state, seat, move) for move in moves)


def _safe_move(game: Game, seat: Seat, listed: Sequence[str]) -> int:
    """Return the list number of the move played on a timeout, or 0 if it is not listed."""
    if not listed:
        return 0
    safe = game.ruleset.standby_move(game.state, seat)
    move = game.ruleset.format_move(game.state, seat, safe)
    return LIST_START + listed.index(move) if move in listed else 0


def _has_moved(uow: UnitOfWork, game: Game, seat: int) -> bool:
    """True if a seat's player has moved. After the first rounds this needs no log access."""
    if game.state is None or game.ruleset.ply(game.state) > _FIRST_PLIES * len(game.seats):
        return True
    up_to = game.seats[seat].seen
    happened = uow.events.types_of(game.id, _CHANGING, up_to)
    if not happened or (happened & _PLIES and _BACK not in happened):
        return bool(happened)  # the events suffice, so the game need not be folded
    seen = games.load(uow, game.id, up_to=up_to)
    return seen.state is not None and seen.ruleset.ply(seen.state) > 0


def _line(
    result: LineResult, link: Callable[[str], str], translated: Callable[[str], str]
) -> LineResult:
    """Format the result of a line in the reader's words, with its suggestions as links."""
    suggestions = tuple(map(translated, result.suggestions))
    return replace(
        result,
        move=None if result.move is None else translated(result.move),
        suggestions=suggestions,
        links=tuple(map(link, suggestions)),
    )


def result_of(game: Game) -> FinalResult | None:
    """Return the result of a finished game for its messages, or None while it is running."""
    if not game.is_over:
        return None
    finished = game.finished or GameFinished((), "stopped", None, game.server_secret)
    return FinalResult(
        ranking=finished.ranking,
        reason=finished.reason,
        scores=finished.scores,
        server_secret=finished.server_secret,
        phrases=tuple(seat.phrase or "" for seat in game.seats),
    )
