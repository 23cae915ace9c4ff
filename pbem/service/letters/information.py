"""Answer requests for information, each in a separate message.

The requests are `help`, `rules`, `games`, `standings`, `league`, `ladder`, `history`, `board`,
`export` and `replay`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine import registry
from engine.api import JsonObject, JsonValue
from engine.sentences import Sentence, joined, sentence
from pbem.domain.log.chain import GameId
from pbem.domain.log.seat_events import SEATING
from pbem.domain.table.game import AT_TABLE, UNFINISHED, Game
from pbem.domain.words import meanings
from pbem.domain.words.forms import MORE
from pbem.errors import LogError, Refusal, UpcastError
from pbem.language import translate
from pbem.mail_out.kinds import HISTORY, KINDS, AnswerParams, HistoryParams, MailKind
from pbem.service.core import games
from pbem.service.core.context import Service
from pbem.service.core.mail_context import Lookup, MailContext
from pbem.service.league import league_messages as leagues
from pbem.service.league import ratings
from pbem.service.letters import explaining, history
from pbem.service.lobby import games_list
from pbem.service.logbook import replay_page
from pbem.service.logbook.verify import checked_export
from pbem.service.notify import mailings, to_admins
from pbem.service.notify.intentions import Mailing, queue_for_seat, queue_to_player
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.rows.game_rows import GameStatus

MAX_RESENT = 10
"""Maximum number of games whose messages are sent again at once."""


def send(
    orders: MailContext,
    lookup: Lookup,
    game: Game | None,
    *,
    key: str,
    notes: Sequence[Sentence] = (),
) -> None:
    """Queue the answer to a request for information.

    Args:
        orders: context of the message with the request.
        lookup: the request.
        game: the game in which it was asked, or None outside of games.
        key: key of the answer. If there is one answer for each game, the game is appended.
        notes: further sentences in the answer.
    """
    service, uow, player = orders.service, orders.uow, orders.player
    kind, of = lookup
    if kind == "history":
        if game is not None:
            _send_history(orders, of, game, key, notes)
        return
    if kind in ("board", "hand", "resend"):
        if _resend(orders, game, key, notes):
            return
        kind = "games" if kind == "resend" else kind
    params = answer_lookup(service, uow, player, (kind, of), game)
    if kind == "help" and of not in (None, MORE):
        kind = "rules"
    answer: MailKind[AnswerParams] = KINDS[kind]
    params = replace(params, notes=(*params.notes, *notes))
    queue_to_player(service, uow, player.id, Mailing(answer, params, key, orders.message_id))


def count(uow: UnitOfWork, player_id: str, lookup: Lookup) -> int:
    """Return the number of messages that answer a request made outside of a game."""
    if lookup[0] != "resend":
        return 1
    games_of = uow.projections.games_of(player_id)
    open_games = sum(row.status in UNFINISHED for row in games_of)
    return min(max(open_games, 1), MAX_RESENT)


def answer_lookup(
    service: Service, uow: UnitOfWork, player: Player, lookup: Lookup, game: Game | None
) -> AnswerParams:
    """Build the answer to a request whose order word is in `_ANSWERS`."""
    kind, of = lookup
    return _ANSWERS[kind](_Request(service, uow, player, of, game))


@dataclass(frozen=True, slots=True)
class _Request:
    """A request for information.

    Attributes:
        of: the words behind the order word, or None.
        game: the game in which it was asked, or None outside of games.
    """

    service: Service
    uow: UnitOfWork
    player: Player
    of: str | None
    game: Game | None

    def say(self, text: str) -> str:
        """Translate a sentence into the player's language."""
        return translate(text, self.player.language)

    def open_games(self) -> list[GameStatus]:
        """Return the unfinished games of the player."""
        rows = self.uow.projections.games_of(self.player.id)
        return [row for row in rows if row.status in UNFINISHED]


def _games(asked: _Request) -> AnswerParams:
    return AnswerParams(
        games=tuple(games_list.lines(asked.uow, asked.player)),
        open_games=tuple(games_list.open_lines(asked.uow, asked.player.id)),
    )


def _help(asked: _Request) -> AnswerParams:
    """Explain a topic of the rules, or else the order words."""
    if asked.of not in (None, MORE):
        return _explained(asked, asked.of) or _rules(replace(asked, of=None))
    said = games_list.situation(asked.uow, asked.player)
    rulesets = tuple(games_list.rulesets(asked.uow, asked.player.id))
    return AnswerParams(said, rulesets=rulesets, is_long=asked.of == MORE)


def _ladder(asked: _Request) -> AnswerParams:
    """Describe the named ladder, or else the ladder of the player's game or only ruleset."""
    uow, player_id, game = asked.uow, asked.player.id, asked.game
    own = [game.ruleset.id.name] if game else games_list.rulesets(uow, player_id)
    if asked.of is None and len(own) != 1:
        return AnswerParams(
            sentence("Each game has a ladder of its own."),
            suggestions=tuple(sentence("ladder {name}", name=name) for name in registry.names()),
        )
    return ratings.on_ladder(uow, player_id, asked.of or own[0], asked.service.now())


def _export(asked: _Request) -> AnswerParams:
    """Build an answer with the log of a game attached.

    The player must have, or have had, a seat in it or an invitation to it.
    """
    meant = _game_for_file(asked)
    if meant is None:
        return _which(asked, "export")
    try:
        checked_export(asked.uow, meant.id)
    except (LogError, UpcastError) as error:
        return _not_handed_out(asked, meant.id, error)
    if meant.status in UNFINISHED:
        message = sentence(
            "The log of the game [{game}] is attached: what is open by now. No secret is in it; all of"
            " it can be had when the game is over.",
            game=meant.id,
        )
    else:
        message = sentence("The whole log of the game [{game}] is attached.", game=meant.id)
    how = sentence('"pbem verify" and docs/verify.py check it, without asking anybody.')
    return AnswerParams(joined([message, how]), export=meant.id)


def _replay(asked: _Request) -> AnswerParams:
    """Build an answer with the page of a game attached, under the conditions of `export`."""
    meant = _game_for_file(asked)
    if meant is None:
        return _which(asked, "replay")
    try:
        page = replay_page.for_player(asked.service, asked.uow, meant.id, asked.player.id)
    except (LogError, UpcastError) as error:
        return _not_handed_out(asked, meant.id, error)
    except Refusal as refusal:
        return AnswerParams(joined([refusal.message]))
    if len(page) > replay_page.MAX_BYTES:
        message = sentence(
            "The game [{game}] is too long for a page in a mail. Its log is smaller: write export.",
            game=meant.id,
        )
        return AnswerParams(message)
    if meant.status in UNFINISHED:
        message = sentence(
            "The game [{game}] is attached as a page for your browser, up to now and as you may see"
            " it. Keep it to yourself while the game goes on: it shows your cards.",
            game=meant.id,
        )
    else:
        message = sentence(
            "The game [{game}] is attached as a page for your browser, with all cards.",
            game=meant.id,
        )
    how = sentence(
        "Open the file: the arrow keys go from move to move. It needs no network; its words are English."
    )
    return AnswerParams(joined([message, how]), replay=meant.id)


def _game_for_file(asked: _Request) -> GameStatus | None:
    """Return the game whose file a player requests.

    None if the request is unclear, or the player never had a seat in the game.
    """
    named = asked.of or (None if asked.game is None else asked.game.id)
    meant = None if named is None else asked.uow.projections.game(GameId(named))
    return meant if meant is not None and _has_sat(asked.uow, asked.player.id, meant.id) else None


def _which(asked: _Request, word: str) -> AnswerParams:
    known = [row.id for row in asked.uow.projections.games_of(asked.player.id)]
    message = sentence("Which game do you mean? Its name stands in brackets in the subjects.")
    return AnswerParams(message, suggestions=tuple(f"{word} {row_id}" for row_id in known[-3:]))


def _not_handed_out(
    asked: _Request, game_id: GameId, error: LogError | UpcastError
) -> AnswerParams:
    """Alert the admins and inform the player that the file is not available."""
    to_admins.queue(
        asked.service,
        asked.uow,
        key=f"export:{game_id}",
        message=f"A player asked for the log of game {game_id}, and it does not hold: it was not"
        f' handed out. What is wrong: "pbem verify {game_id}".',
        game_id=game_id,
    )
    version = getattr(error, "version", None)
    if version is None:
        said = sentence(
            "The log of the game [{game}] does not hold, so no file is attached. The admins have been"
            " told.",
            game=game_id,
        )
    else:
        said = sentence(
            "The log of the game [{game}] does not hold at event {version}, so no file is attached. The"
            " admins have been told.",
            game=game_id,
            version=version,
        )
    return AnswerParams(said)


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


def _resend(orders: MailContext, game: Game | None, key: str, notes: Sequence[Sentence]) -> bool:
    """Send the newest message of a game, or of all open games, again. False without a game."""
    uow, player_id = orders.uow, orders.player_id
    open_games = [row.id for row in uow.projections.games_of(player_id) if row.status in UNFINISHED]
    asked = open_games[-MAX_RESENT:] if game is None else []
    loaded = [game, *(games.load_if_sound(uow, game_id) for game_id in asked)]
    seats = [
        (here, seat)
        for here in loaded
        if here is not None
        for seat in here.seats_of(player_id, AT_TABLE)
    ]
    for number, (here, seat) in enumerate(seats, 1):
        mailings.queue_resent(
            orders.service,
            uow,
            here,
            seat,
            key=key if game is not None else f"{key}:{here.id}",
            answers=orders.message_id,
            notes=notes if number == len(seats) else (),
        )
    return bool(seats)


def _send_history(
    orders: MailContext, of: str | None, game: Game, key: str, notes: Sequence[Sentence]
) -> None:
    seat = game.seats_of(orders.player_id)[0]
    only_talk = of == "talk"
    count = history.MAX if only_talk else int(of or history.USUAL)
    params = HistoryParams(min(max(count, 1), history.MAX), only_talk, tuple(notes))
    mail = Mailing(HISTORY, params, key, orders.message_id)
    queue_for_seat(orders.service, orders.uow, game, seat, mail)


def _explained(asked: _Request, topic: str) -> AnswerParams | None:
    """Return the passages of the rules about a topic, or None.

    The rules of the game are tried first, then those of the player's games, then all others. A
    question sent to a table is answered from the rules of its game alone.
    """
    game, open_games = asked.game, asked.open_games()
    is_about_table = game is not None and meanings.is_question(topic)
    if game is None and len(open_games) == 1:
        game = games.load_if_sound(asked.uow, open_games[0].id)
    names = [*([game.ruleset.id.name] if game else []), *(row.ruleset for row in open_games)]
    known = registry.names()
    rulesets = dict.fromkeys([*(name for name in names if name in known), *known])
    for name in names[:1] if is_about_table else rulesets:
        here = game if game is not None and game.ruleset.id.name == name else None
        rules = registry.find(name) if here is None else here.ruleset
        text = explaining.explain(rules, topic, here, asked.say)
        if text is None and (game is None or here is not None) and " " in topic:
            text = explaining.answer(rules, topic, here, asked.say)
        if text is not None:
            message = sentence(
                'This is what the rules say about it; with "rules" you get all of them.'
            )
            return AnswerParams(message, title=rules.title, text=text)
    return None


def _rules(asked: _Request) -> AnswerParams:
    """Return the rules of a game with its options, or of a ruleset with defaults.

    If neither is given, the rules of the player's only open game are used. Otherwise the answer
    explains how to ask.
    """
    game, of = asked.game, asked.of
    if game is None:
        meant = [row for row in asked.open_games() if of in (None, row.ruleset)]
        game = games.load_if_sound(asked.uow, meant[0].id) if len(meant) == 1 else None
    if game is not None and of in (None, game.ruleset.id.name):
        text = game.ruleset.rules_text(len(game.seats), game.options, asked.say)
        return AnswerParams(title=game.ruleset.title, text=text)
    if of is None:
        names = [sentence("rules {ruleset}", ruleset=name) for name in registry.names()]
        return AnswerParams(sentence("Which game do you mean?"), suggestions=tuple(names))
    rules = registry.find(of)
    return AnswerParams(title=rules.title, text=rules.rules_text(say=asked.say))


_ANSWERS: Mapping[str, Callable[[_Request], AnswerParams]] = {
    "help": _help,
    "rules": _rules,
    "games": _games,
    "standings": lambda asked: ratings.standings_answer(asked.uow, asked.player.id, asked.of),
    "league": lambda asked: leagues.answer_about_league(asked.uow, asked.player.id, asked.of),
    "ladder": _ladder,
    "export": _export,
    "replay": _replay,
}
"""How to build the answer to each request, by its order word."""
