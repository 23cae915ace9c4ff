"""Questions with a mail of their own as the answer.

These are `help`, `rules`, `games`, `standings` and `export`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from engine import registry
from engine.api import JsonObject, JsonValue
from engine.sentences import Sentence, joined, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.table.game import AT_TABLE, UNFINISHED, Game
from pbem.errors import LogError, UpcastError
from pbem.language import SOURCE, translate
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_out.kinds import HISTORY, KINDS, AnswerParams, HistoryParams, MailKind
from pbem.service.core import games
from pbem.service.core.asking import Question
from pbem.service.core.context import Service
from pbem.service.letters import history
from pbem.service.lobby import games_list
from pbem.service.logbook.verify import checked_export
from pbem.service.notify import mailings, to_admins
from pbem.service.notify.intentions import Mailing, queue_for_seat, queue_to_player
from pbem.service.people import ratings
from pbem.store.db.uow import UnitOfWork

MOST_RESENT = 10
"""Most games whose mails are resent to a player at a time."""

_SEATING = ("GameCreated", "PlayerInvited", "PlayerJoined", "SeatReplaced")
"""Events that name a player who plays or is invited."""


def send(
    service: Service,
    uow: UnitOfWork,
    mail: InboundMail,
    player_id: str,
    question: Question,
    game: Game | None,
    *,
    key: str,
    notes: Sequence[Sentence] = (),
) -> None:
    """Queue the answer to a question.

    Args:
        service, uow: as everywhere.
        mail: the mail with the question.
        player_id: the player who asked.
        question: the question.
        game: the game in which it was asked; None: outside of all games.
        key: of the answer; if there are several, one for each game, the game is appended.
        notes: further sentences in the answer.
    """
    kind, of = question
    said = tuple(notes)
    if kind == "history":
        if game is not None:
            _send_history(service, uow, mail, player_id, of, game, key, said)
        return
    if kind in ("board", "hand", "resend") and _resend(
        service, uow, mail, player_id, game, key, said
    ):
        return
    if kind == "resend":
        kind = "games"
    params = (
        _export(service, uow, player_id, of, game)
        if kind == "export"
        else told(uow, player_id, (kind, of), game)
    )
    answer: MailKind[AnswerParams] = KINDS[kind]
    said_last = replace(params, notes=said)
    queue_to_player(service, uow, player_id, Mailing(answer, said_last, key, mail.message_id))


def count(uow: UnitOfWork, player_id: str, question: Question) -> int:
    """Count the mails that answer a question outside of a game."""
    if question[0] != "resend":
        return 1
    games_of = uow.projections.games_of(player_id)
    open_games = sum(one.status in UNFINISHED for one in games_of)
    return min(max(open_games, 1), MOST_RESENT)


def told(uow: UnitOfWork, player_id: str, question: Question, game: Game | None) -> AnswerParams:
    """Return the answer to `rules`, `games`, `help` or `standings`."""
    kind, of = question
    player = uow.players.get(player_id)
    if kind == "rules":
        return _rules(uow, player_id, of, game)
    if kind == "standings":
        return ratings.asked(uow, player_id, of)
    if player is None:
        return AnswerParams()
    if kind == "games":
        return AnswerParams(
            games=tuple(games_list.lines(uow, player)),
            open_games=tuple(games_list.open_lines(uow, player_id)),
        )
    said = games_list.situation(uow, player)
    return AnswerParams(said, rulesets=tuple(games_list.rulesets(uow, player_id)))


def _export(
    service: Service, uow: UnitOfWork, player_id: str, of: str | None, game: Game | None
) -> AnswerParams:
    """Return the answer that names the game whose log is attached.

    The player has or had a seat in it, or it is over.
    """
    named = of or (None if game is None else game.id)
    meant = None if named is None else uow.projections.game(GameId(named))
    if meant is None or not _has_sat(uow, player_id, meant.id):
        known = [row.id for row in uow.projections.games_of(player_id)]
        said = sentence("Which game do you mean? Its name stands in brackets in the subjects.")
        orders = tuple(f"export {row_id}" for row_id in known[-3:])
        return AnswerParams(said, suggestions=orders)
    try:
        checked_export(uow, meant.id)
    except (LogError, UpcastError) as error:
        to_admins.queue(
            service,
            uow,
            key=f"export:{meant.id}",
            message=f"A player asked for the log of game {meant.id}, and it does not hold: it was not"
            f' handed out. What is wrong: "pbem verify {meant.id}".',
            game_id=meant.id,
        )
        return AnswerParams(_broken(meant.id, getattr(error, "version", None)))
    if meant.status in UNFINISHED:
        said = sentence(
            "The log of the game [{game}] is attached: what is open by now. No secret is in it; all of"
            " it can be had when the game is over.",
            game=meant.id,
        )
    else:
        said = sentence("The whole log of the game [{game}] is attached.", game=meant.id)
    how = sentence('"pbem verify" and docs/verify.py check it, without asking anybody.')
    return AnswerParams(joined([said, how]), export=meant.id)


def _broken(game_id: GameId, version: int | None) -> Sentence:
    if version is None:
        return sentence(
            "The log of the game [{game}] does not hold, so no file is attached. The admins have been"
            " told.",
            game=game_id,
        )
    return sentence(
        "The log of the game [{game}] does not hold at event {version}, so no file is attached. The"
        " admins have been told.",
        game=game_id,
        version=version,
    )


def _has_sat(uow: UnitOfWork, player_id: str, game_id: GameId) -> bool:
    """True if the log of a game names a player as seated or invited."""
    return any(
        player_id in (event.public.get("player"), *_seats(event.public))
        for event in uow.events.read_public(game_id)
        if event.type in _SEATING
    )


def _seats(public: JsonObject) -> Sequence[JsonValue]:
    seats = public.get("seats")
    return seats if isinstance(seats, list) else ()


def _resend(
    service: Service,
    uow: UnitOfWork,
    mail: InboundMail,
    player_id: str,
    game: Game | None,
    key: str,
    notes: tuple[Sentence, ...],
) -> bool:
    """Resend the newest mail of a game, or of all open ones; False without one."""
    open_games = [one.id for one in uow.projections.games_of(player_id) if one.status in UNFINISHED]
    asked = open_games[-MOST_RESENT:] if game is None else []
    loaded = [game, *(games.load_if_sound(uow, one) for one in asked)]
    found = [one for one in loaded if one is not None]
    seats = [
        (one, seat)
        for one in found
        for seat, state in enumerate(one.seats)
        if state.player == player_id and state.status in AT_TABLE
    ]
    for number, (one, seat) in enumerate(seats):
        mailings.queue_resent(
            service,
            uow,
            one,
            seat,
            key=key if game is not None else f"{key}:{one.id}",
            answers=mail.message_id,
            notes=notes if number == len(seats) - 1 else (),
        )
    return bool(seats)


def _send_history(
    service: Service,
    uow: UnitOfWork,
    mail: InboundMail,
    player_id: str,
    of: str | None,
    game: Game,
    key: str,
    notes: tuple[Sentence, ...],
) -> None:
    seat = next(seat for seat, state in enumerate(game.seats) if state.player == player_id)
    only_talk = of == "talk"
    count = history.MOST if only_talk else int(of or history.USUAL)
    params = HistoryParams(min(max(count, 1), history.MOST), only_talk, notes)
    queue_for_seat(service, uow, game, seat, Mailing(HISTORY, params, key, mail.message_id))


def _rules(uow: UnitOfWork, player_id: str, of: str | None, game: Game | None) -> AnswerParams:
    """Return the rules of a game with its options, or of a ruleset with defaults.

    A player who asks outside of a game without a ruleset gets the rules of their only open game.
    Otherwise the answer tells them how to ask.
    """
    player = uow.players.get(player_id)
    language = SOURCE if player is None else player.language
    say = partial(translate, language=language)
    if game is None:
        here = [row for row in uow.projections.games_of(player_id) if row.status in UNFINISHED]
        meant = [row for row in here if of in (None, row.ruleset)]
        game = games.load_if_sound(uow, meant[0].id) if len(meant) == 1 else None
    if game is not None and of in (None, game.ruleset.id.name):
        text = game.ruleset.rules_text(len(game.seats), game.options, say)
        return AnswerParams(title=game.ruleset.title, text=text)
    if of is None:
        names = [sentence("rules {ruleset}", ruleset=name) for name in registry.names()]
        return AnswerParams(sentence("Which game do you mean?"), suggestions=tuple(names))
    rules = registry.find(of)
    return AnswerParams(title=rules.title, text=rules.rules_text(say=say))
