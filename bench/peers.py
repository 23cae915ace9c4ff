"""Run public libraries that do comparable work. They are installed for the benchmarks only."""

from __future__ import annotations

from random import Random


class OpenSpielGames:
    """Play random games of OpenSpiel, whose rules are C++, called from Python.

    In each step the legal actions are listed, one is picked, and it is carried out. Chance actions
    are also picked at random, but do not count as steps, like our shuffles.
    """

    def __init__(self, name: str, players: int) -> None:
        import pyspiel  # noqa: PLC0415  (only where it is measured)

        given = {"players": players} if name == "crazy_eights" else {}
        self._game = pyspiel.load_game(name, given)
        self._pick = Random(1).random  # noqa: S311

    def __call__(self) -> int:
        """Play one game and return the number of its moves."""
        pick, state, steps = self._pick, self._game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                action = outcomes[int(pick() * len(outcomes))][0]
            else:
                actions = state.legal_actions()
                action = actions[int(pick() * len(actions))]
                steps += 1
            state.apply_action(action)
        return steps


class RlcardGames:
    """Play whole games of an RLCard environment with `env.run` and its random agents.

    A step is one call of `env.step`: the agent got the legal actions and chose one, and the
    environment carried it out.
    """

    def __init__(self, name: str) -> None:
        import rlcard  # noqa: PLC0415  (only where it is measured)
        from rlcard.agents import RandomAgent  # noqa: PLC0415

        self._env = rlcard.make(name, config={"seed": 1})
        agents = [RandomAgent(num_actions=self._env.num_actions)] * self._env.num_players
        self._env.set_agents(agents)
        self._steps = 0
        self._step = self._env.step
        self._env.step = self._counted

    def _counted(self, *given: object) -> object:
        self._steps += 1
        return self._step(*given)

    def __call__(self) -> int:
        """Play one game and return the number of its steps."""
        before = self._steps
        self._env.run(is_training=False)
        return self._steps - before


class ChessReplays:
    """Replay games of chess with python-chess, move by move from their notation."""

    def __init__(self, length: int) -> None:
        import chess  # noqa: PLC0415

        self._chess = chess
        luck = Random(3)  # noqa: S311
        self._games: list[list[str]] = []
        left = length
        while left:
            board, moves = chess.Board(), []
            while left and not board.is_game_over():
                move = luck.choice(list(board.legal_moves))
                moves.append(board.san(move))
                board.push(move)
                left -= 1
            self._games.append(moves)

    def __call__(self) -> int:
        """Replay the games once and return the number of moves."""
        for moves in self._games:
            board = self._chess.Board()
            for move in moves:
                board.push_san(move)
        return sum(map(len, self._games))
