"""Answer requests for information, each in a separate message.

The requests are `help`, `rules`, `games`, `standings`, `league`, `ladder`, `history`, `board`,
`export` and `replay`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from engine import registry
from engine.api import JsonObject, JsonValue
from engine.sentences import Sentence, joined, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.log.seat_events import SEATING
from pbem.domain.table.game import AT_TABLE, UNFINISHED, Game
from pbem.domain.words import meanings
from pbem.domain.words.forms import MORE
from pbem.errors import LogError, Refusal, UpcastError
from pbem.language import SOURCE, translate
from pbem.mail_in.mime.message import InboundMail
from pbem.mail_out.kinds import HISTORY, KINDS, AnswerParams, HistoryParams, MailKind
from pbem.service.core import games
from pbem.service.core.asking import Lookup
from pbem.service.core.context import Service
from pbem.service.league import league_messages as leagues
from pbem.service.league import ratings
from pbem.service.letters import explaining, history
from pbem.service.lobby import games_list
from pbem.service.logbook import replay_page
from pbem.service.logbook.verify import checked_export
from pbem.service.notify import mailings, to_admins
from pbem.service.notify.intentions import Mailing, queue_for_seat, queue_to_player
from pbem.store.db.uow import UnitOfWork
from pbem.store.rows.game_rows import GameStatus

MAX_RESENT = 10
"""Maximum number of games whose messages are sent again at once."""


def send(
    service: Service,
    uow: UnitOfWork,
    mail: InboundMail,
    player_id: str,
    lookup: Lookup,
    game: Game | None,
    *,
    key: str,
    notes: Sequence[Sentence] = (),
) -> None:
    """Queue the answer to a request for information.

    Args:
        mail: the message with the request.
        player_id: the player who asked.
        lookup: the request.
        game: the game in which it was asked, or None outside of games.
        key: key of the answer. If there is one answer for each game, the game is appended.
        notes: further sentences in the answer.
    """
    kind, of = lookup
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
    explained = None
    if kind == "help" and of not in (None, MORE):
        explained = _explained(uow, player_id, of, game)
        kind, of = "rules", None
    apart = {"export": _export, "replay": _replay, "ladder": _ladder}
    params = (
        apart[kind](service, uow, player_id, of, game)
        if kind in apart
        else explained or told(uow, player_id, (kind, of), game)
    )
    answer: MailKind[AnswerParams] = KINDS[kind]
    said_last = replace(params, notes=(*params.notes, *said))
    queue_to_player(service, uow, player_id, Mailing(answer, said_last, key, mail.message_id))


def count(uow: UnitOfWork, player_id: str, lookup: Lookup) -> int:
    """Return the number of messages that answer a request made outside of a game."""
    if lookup[0] != "resend":
        return 1
    games_of = uow.projections.games_of(player_id)
    open_games = sum(one.status in UNFINISHED for one in games_of)
    return min(max(open_games, 1), MAX_RESENT)


def told(uow: UnitOfWork, player_id: str, lookup: Lookup, game: Game | None) -> AnswerParams:
    """Build the answer to `rules`, `games`, `help`, `standings` or `league`."""
    kind, of = lookup
    player = uow.players.get(player_id)
    if kind == "rules":
        return _rules(uow, player_id, of, game)
    if kind == "standings":
        return ratings.asked(uow, player_id, of)
    if kind == "league":
        return leagues.told(uow, player_id, of)
    if player is None:
        return AnswerParams()
    if kind == "games":
        return AnswerParams(
            games=tuple(games_list.lines(uow, player)),
            open_games=tuple(games_list.open_lines(uow, player_id)),
        )
    said = games_list.situation(uow, player)
    rulesets = tuple(games_list.rulesets(uow, player_id))
    return AnswerParams(said, rulesets=rulesets, is_long=of == MORE)


def _ladder(
    service: Service, uow: UnitOfWork, player_id: str, of: str | None, game: Game | None
) -> AnswerParams:
    """Describe the named ladder, or else the ladder of the player's game or only ruleset."""
    own = [game.ruleset.id.name] if game else games_list.rulesets(uow, player_id)
    if of is None and len(own) != 1:
        return AnswerParams(
            sentence("Each game has a ladder of its own."),
            suggestions=tuple(sentence("ladder {name}", name=name) for name in registry.names()),
        )
    return ratings.on_ladder(uow, player_id, of or own[0], service.now())


def _export(
    service: Service, uow: UnitOfWork, player_id: str, of: str | None, game: Game | None
) -> AnswerParams:
    """Build an answer with the log of a game attached.

    The player must have, or have had, a seat in it or an invitation to it.
    """
    meant = _meant(uow, player_id, of, game)
    if meant is None:
        return _which(uow, player_id, "export")
    try:
        checked_export(uow, meant.id)
    except (LogError, UpcastError) as error:
        return _not_handed_out(service, meant.id, uow, error)
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


def _replay(
    service: Service, uow: UnitOfWork, player_id: str, of: str | None, game: Game | None
) -> AnswerParams:
    """Build an answer with the page of a game attached, under the conditions of `export`."""
    meant = _meant(uow, player_id, of, game)
    if meant is None:
        return _which(uow, player_id, "replay")
    try:
        page = replay_page.for_player(service, uow, meant.id, player_id)
    except (LogError, UpcastError) as error:
        return _not_handed_out(service, meant.id, uow, error)
    except Refusal as refusal:
        return AnswerParams(joined([refusal.message]))
    if len(page) > replay_page.MAX_BYTES:
        said = sentence(
            "The game [{game}] is too long for a page in a mail. Its log is smaller: write export.",
            game=meant.id,
        )
        return AnswerParams(said)
    if meant.status in UNFINISHED:
        said = sentence(
            "The game [{game}] is attached as a page for your browser, up to now and as you may see"
            " it. Keep it to yourself while the game goes on: it shows your cards.",
            game=meant.id,
        )
    else:
        said = sentence(
            "The game [{game}] is attached as a page for your browser, with all cards.",
            game=meant.id,
        )
    how = sentence(
        "Open the file: the arrow keys go from move to move. It needs no network; its words are English."
    )
    return AnswerParams(joined([said, how]), replay=meant.id)


def _meant(uow: UnitOfWork, player_id: str, of: str | None, game: Game | None) -> GameStatus | None:
    """Return the game whose file a player requests.

    None if the request is unclear, or the player never had a seat in the game.
    """
    named = of or (None if game is None else game.id)
    meant = None if named is None else uow.projections.game(GameId(named))
    return meant if meant is not None and _has_sat(uow, player_id, meant.id) else None


def _which(uow: UnitOfWork, player_id: str, word: str) -> AnswerParams:
    known = [row.id for row in uow.projections.games_of(player_id)]
    said = sentence("Which game do you mean? Its name stands in brackets in the subjects.")
    return AnswerParams(said, suggestions=tuple(f"{word} {row_id}" for row_id in known[-3:]))


def _not_handed_out(
    service: Service, game_id: GameId, uow: UnitOfWork, error: Exception
) -> AnswerParams:
    """Alert the admins and inform the player that the file is not available."""
    to_admins.queue(
        service,
        uow,
        key=f"export:{game_id}",
        message=f"A player asked for the log of game {game_id}, and it does not hold: it was not"
        f' handed out. What is wrong: "pbem verify {game_id}".',
        game_id=game_id,
    )
    return AnswerParams(_broken(game_id, getattr(error, "version", None)))


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
    """True if a game's log names a player as seated or invited."""
    return any(
        player_id in (event.public.get("player"), *_seats(event.public))
        for event in uow.events.read_public(game_id)
        if event.type in SEATING
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
    """Send the newest message of a game, or of all open games, again. False without a game."""
    open_games = [one.id for one in uow.projections.games_of(player_id) if one.status in UNFINISHED]
    asked = open_games[-MAX_RESENT:] if game is None else []
    loaded = [game, *(games.load_if_sound(uow, one) for one in asked)]
    found = [one for one in loaded if one is not None]
    seats = [(one, seat) for one in found for seat in one.seats_of(player_id, AT_TABLE)]
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
    seat = game.seats_of(player_id)[0]
    only_talk = of == "talk"
    count = history.MAX if only_talk else int(of or history.USUAL)
    params = HistoryParams(min(max(count, 1), history.MAX), only_talk, notes)
    queue_for_seat(service, uow, game, seat, Mailing(HISTORY, params, key, mail.message_id))


def _explained(
    uow: UnitOfWork, player_id: str, topic: str, game: Game | None
) -> AnswerParams | None:
    """Return the passages of the rules about a topic, or None.

    The rules of the game are tried first, then those of the player's games, then all others. A
    question sent to a table is answered from the rules of its game alone.
    """
    player = uow.players.get(player_id)
    say = partial(translate, language=SOURCE if player is None else player.language)
    is_about_table = game is not None and meanings.is_question(topic)
    open_rows = [row for row in uow.projections.games_of(player_id) if row.status in UNFINISHED]
    if game is None and len(open_rows) == 1:
        game = games.load_if_sound(uow, open_rows[0].id)
    names = [*([game.ruleset.id.name] if game else []), *(row.ruleset for row in open_rows)]
    known = registry.names()
    rulesets = dict.fromkeys([*(name for name in names if name in known), *known])
    for name in names[:1] if is_about_table else rulesets:
        is_here = game is not None and game.ruleset.id.name == name
        rules = game.ruleset if game is not None and is_here else registry.find(name)
        here = game if is_here else None
        text = explaining.explain(rules, topic, here, say)
        if text is None and (game is None or is_here) and " " in topic:
            text = explaining.answer(rules, topic, here, say)
        if text is not None:
            said = sentence(
                'This is what the rules say about it; with "rules" you get all of them.'
            )
            return AnswerParams(said, title=rules.title, text=text)
    return None


def _rules(uow: UnitOfWork, player_id: str, of: str | None, game: Game | None) -> AnswerParams:
    """Return the rules of a game with its options, or of a ruleset with defaults.

    If neither is given, the rules of the player's only open game are used. Otherwise the answer
    explains how to ask.
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
