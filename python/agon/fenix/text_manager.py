"""`TextGameManager`, which lets two agents play and prints the game."""

from __future__ import annotations

import time
from copy import deepcopy
from typing import Any, Tuple

from .state import FenixState


class TextGameManager:
    """Lets two agents play, each with a clock for all of its moves.

    A clock runs only inside `act`, is charged after the move, and is not reset for another game. An
    agent that returns anything but one of `state.actions()` loses; so does one that exceeds its
    clock, unless that very move ended the game. What `act` raises comes out of `play`.

    >>> from agon.fenix import RandomAgent
    >>> scores = TextGameManager(RandomAgent(1), RandomAgent(-1), display=False).play()
    >>> sum(scores)
    0
    """

    def __init__(
        self, agent_1: Any, agent_2: Any, time_limit: float = 300, display: bool = True
    ) -> None:
        self.agent_1 = agent_1
        self.agent_2 = agent_2
        # Passed to the agents unchanged: their first call gets an int if it is one.
        self.remaining_time_1 = time_limit
        self.remaining_time_2 = time_limit
        self.dim = (7, 9)
        self.display = display

    def play(self) -> Tuple[int, int]:
        """Plays one game from the start and returns the scores of players 1 and -1."""
        state = FenixState()
        self._show("========== Initial State ==========", state)
        while not state.is_terminal() and min(self.remaining_time_1, self.remaining_time_2) >= 0:
            player = state.to_move()
            action, spent = self._ask(player, state)
            if action not in state.actions():
                self._show(f"Invalid action: {action}\n")
                return self._over(-1 if player == 1 else 1)
            state = state.result(action)
            self._charge(player, spent)
            self._show(f"========== Turn: {state.turn:3} ==========\n")
            self._show(f"Chosen action: {action}\n")
            self._show(state)
        if state.is_terminal():
            return self._over(state.utility(1))
        return self._out_of_time(1 if self.remaining_time_1 < 0 else -1)

    def _ask(self, player: int, state: FenixState) -> Tuple[Any, float]:
        """The answer of a player's agent, and the time it took."""
        agent, remaining = self.agent_1, self.remaining_time_1
        if player != 1:
            agent, remaining = self.agent_2, self.remaining_time_2
        copy = deepcopy(state)
        began = time.perf_counter()
        action = agent.act(copy, remaining)
        return action, time.perf_counter() - began

    def _charge(self, player: int, spent: float) -> None:
        if player == 1:
            self.remaining_time_1 -= spent
        else:
            self.remaining_time_2 -= spent

    def _over(self, score: int) -> Tuple[int, int]:
        self._show("========== Game Over ==========")
        self._show(f"Player 1 score: {score}\nPlayer -1 score: {-score}")
        return score, -score

    def _out_of_time(self, player: int) -> Tuple[int, int]:
        self._show("========== Game Over ==========")
        self._show(f"Player {player} ran out of time.")
        return -player, player

    def _show(self, *parts: object) -> None:
        if self.display:
            print(*parts, sep="\n")
