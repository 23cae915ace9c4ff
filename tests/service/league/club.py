"""Simulate people who play a league by mail, some of whom never answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.api import Seat
from pbem.domain.league.league import League
from pbem.domain.play import decide
from pbem.domain.table.game import Game
from pbem.service.core import games
from pbem.service.league import changing
from pbem.service.lobby import creation as lobby
from tests.service.conftest import Sent, Table


class Club:
    """A table whose players have different names.

    Attributes:
        silent: names of players who never answer.
    """

    def __init__(self, table: Table, names: Sequence[str], silent: Sequence[str] = ()) -> None:
        self.table, self.names, self.silent = table, names, silent
        known = table.read(lambda uow: {player.name for player in uow.players.list()})
        for name in names:
            if name not in known:
                lobby.add_player(table.service, lobby.Person(name, address(name)))
        self.ids = table.read(lambda uow: {player.id: player.name for player in uow.players.list()})

    def write(self, name: str, text: str, *, to: str = "") -> Sent:
        """Answer the newest message, or write to the address `to`, and confirm it if asked.

        Returns the service's answer.
        """
        known = self.mails(name)
        to = to or (known[-1].reply_to if known else "game@play.example.org")
        before = len(self.mails(name))
        self._send(name, text, to)
        new = self.mails(name)[before:]
        if any("+q-" in mail.reply_to for mail in new):
            self._send(name, "yes", new[-1].reply_to)
        return self.mails(name)[-1]

    def _send(self, name: str, text: str, to: str) -> None:
        self.table.send(address(name), to, text)

    def mails(self, name: str) -> list[Sent]:
        return self.table.sent_to(address(name))

    def last(self, name: str, subject: str) -> Sent:
        return next(m for m in reversed(self.mails(name)) if subject in m.message["Subject"])

    def league(self, name: str) -> League:
        return self.table.read(lambda uow: changing.find(uow, name))

    def running(self) -> list[Game]:
        found = self.table.read(lambda uow: [games.load(uow, game) for game in uow.events.games()])
        return [game for game in found if not game.is_over]

    def get_ready(self) -> None:
        """Let every player who is not silent answer the message about their table."""
        for game in self.running():
            for seat in game.seats:
                name = self.ids.get(seat.player, "")
                if seat.status == "invited" and name not in self.silent:
                    self.write(name, "join", to=self.last(name, game.id).reply_to)

    def count_silent(self, game: Game) -> int:
        return sum(self.ids.get(seat.player, "") in self.silent for seat in game.seats)

    def play_on(self, game: Game, plies: int) -> Game:
        """Record up to `plies` moves. Stop if a bot or a silent player must act, or the game ends."""
        for _ in range(plies):
            game = self.table.game(game.id)
            if game.is_over or self._waits(game):
                break
            with self.table.changing(game) as decision:
                seat = game.to_act[0]
                move = next(iter(game.ruleset.legal_moves(game.state, Seat(seat))))
                order = game.ruleset.format_move(game.state, Seat(seat), move)
                decide.play(decision, seat, order, source="mail")
                decide.settle(decision)
        return self.table.game(game.id)

    def _waits(self, game: Game) -> bool:
        if not game.to_act:
            return True
        state = game.seats[game.to_act[0]]
        return state.controller == "bot" or self.ids.get(state.player, "") in self.silent


def address(name: str) -> str:
    return f"{name.lower()}@example.org"


def named(count: int) -> Iterator[str]:
    """Yield `count` names that cannot be read as orders or cards."""
    first = ("Adel", "Bela", "Cora", "Dana", "Elia", "Fabia")
    last = ("berg", "dorf", "feld", "holm")
    yield from [f"{one}{other}" for other in last for one in first][:count]
