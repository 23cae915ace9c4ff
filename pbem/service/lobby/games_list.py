"""List a player's games with their states, and describe what the player can do now."""

from __future__ import annotations

from engine import registry
from engine.sentences import Sentence, all_of, joined, sentence
from pbem.domain.clock import deadlines
from pbem.domain.log.chain import GameId
from pbem.domain.play import seating
from pbem.domain.table.game import UNFINISHED, Game
from pbem.games import EXAMPLE
from pbem.mail_out.times import left_text, past_time_text, short_text
from pbem.service.core import games
from pbem.service.lobby import table_orders
from pbem.store.db.uow import UnitOfWork
from pbem.store.people.players import Player
from pbem.store.rows.game_rows import GameStatus

MAX_FINISHED = 10
"""Maximum number of finished games that are listed, the newest ones."""

GameLine = tuple[str, str, str, str]
"""Game ID, title, names of the players, state."""

_OVER = {
    "finished": sentence("over"),
    "stopped": sentence("given up"),
}


def lines(uow: UnitOfWork, player: Player) -> list[GameLine]:
    """Return a player's unfinished games, followed by the most recently finished games."""
    rows = uow.projections.games_of(player.id)
    running = [row for row in rows if row.status in UNFINISHED]
    over = [row for row in rows if row.status not in UNFINISHED][-MAX_FINISHED:]
    return [_line(uow, player, row) for row in [*running, *over]]


def open_lines(uow: UnitOfWork, player_id: str) -> list[GameLine]:
    """Return the games with a seat that a player can take, with their commitments."""
    result: list[GameLine] = []
    for game in table_orders.open_games(uow, player_id):
        names = games.table_names(uow, game)
        seated = [n for n, seat in zip(names, game.seats, strict=True) if seat.status != "open"]
        message = sentence(
            "{taken} of {seats} seats are taken; join {game} takes one. Commitment to the shuffles:"
            " {commitment}",
            taken=len(seated),
            seats=len(game.seats),
            game=game.id,
            commitment=game.commitment,
        )
        result.append((game.id, game.ruleset.title, all_of(seated), message))
    return result


def situation(uow: UnitOfWork, player: Player) -> Sentence:
    """Describe what a player can do now, in their games and outside of them."""
    sentences: list[str] = []
    for game in games.of_player(uow, player.id, UNFINISHED):
        sentences += filter(None, (_advice(game, seat) for seat in game.seats_of(player.id)))
    if not sentences:
        sentences = [
            sentence(
                'You are in no game now. Write "new {game} with bot" for one against a bot, "new {game}'
                ' with" and addresses for one with friends, or "tutorial" to learn it.',
                game=EXAMPLE,
            )
        ]
    return joined(sentences)


def rulesets(uow: UnitOfWork, player_id: str) -> list[str]:
    """Return the rulesets of a player's unfinished games, without duplicates."""
    rows = uow.projections.games_of(player_id)
    return list(dict.fromkeys(row.ruleset for row in rows if row.status in UNFINISHED))


def _line(uow: UnitOfWork, player: Player, row: GameStatus) -> GameLine:
    title = registry.title_of(row.ruleset)
    game = games.load_if_sound(uow, GameId(row.id)) if row.status in UNFINISHED else None
    if game is None:
        seats = [seat.player_id for seat in uow.projections.seats(row.id)]
        state = _OVER.get(row.status, sentence("stands still; the admin looks at it"))
        return row.id, title, all_of(games.shown_names(uow, seats)), state
    names = games.table_names(uow, game)
    seat = next(iter(game.seats_of(player.id)), None)
    return row.id, title, all_of(names), _state(game, names, seat, player.zone)


def _state(game: Game, names: tuple[str, ...], seat: int | None, zone: str) -> Sentence:
    if game.status == "inviting":
        return _before(game, names, seat)
    if game.paused_at is not None:
        return sentence("its clock stands still")
    due = _until(game, zone)
    if seat in game.to_act and due is not None:
        return sentence("it is your turn, until {when}", when=due)
    who = all_of([names[n] for n in game.to_act])
    if due is not None and game.to_act:
        return sentence("waits for {names}, until {when}", names=who, when=due)
    return sentence("waits for {names}", names=who)


def _until(game: Game, zone: str) -> Sentence | None:
    """Describe when a move is due and how much of the time bank is left, or return None."""
    deadline = game.deadline
    if deadline is None:
        return None
    left = deadlines.bank_left(game, int(game.to_act[0])) if len(game.to_act) == 1 else None
    if not left or deadline.base_at >= deadline.due_at:
        return short_text(deadline.due_at, zone)
    return sentence(
        "{when} (then the time bank runs: {time} left, until {latest} at the latest)",
        when=short_text(deadline.base_at, zone),
        time=left_text(left),
        latest=past_time_text(deadline.due_at, zone),
    )


def _before(game: Game, names: tuple[str, ...], seat: int | None) -> Sentence:
    state = None if seat is None else game.seats[seat]
    if state is not None and state.status == "invited":
        return sentence("you are invited: write join {game}, or decline its mail", game=game.id)
    if state is None or state.status in ("declined", "expired"):
        return sentence("not begun; you have no seat in it")
    if state.player == game.creator and seating.vacant(game):
        return sentence("not begun; an empty seat waits for what you decide")
    waits = [names[n] for n, one in enumerate(game.seats) if one.status != "joined"]
    return sentence("not begun; waits for {names}", names=all_of(waits))


def _advice(game: Game, seat: int) -> Sentence | None:
    title, state = game.ruleset.title, game.seats[seat]
    values = {"title": title, "game": game.id}
    if game.status == "running" and seat in game.to_act:
        return sentence(
            "In {title} [{game}] it is your turn: answer its newest mail with a move.", **values
        )
    if game.status == "running":
        return sentence(
            'In {title} [{game}] somebody else is to move; "board" shows you the table.', **values
        )
    if state.status == "invited":
        return sentence(
            'You are invited to {title} [{game}]: reply there with "join" or "decline".', **values
        )
    if state.status == "joined" and state.player == game.creator and seating.vacant(game):
        return sentence(
            'A seat of your game of {title} [{game}] is empty: answer its mail with "invite" and an'
            ' address, "bot", "start without", or "decline".',
            **values,
        )
    if state.status == "joined":
        return sentence("{title} [{game}] begins when everybody has joined.", **values)
    return None
