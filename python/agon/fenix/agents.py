"""`Agent` and `RandomAgent`, as provided by the course."""

from __future__ import annotations

import random
from typing import Any

from .state import FenixAction, FenixState


class Agent:
    """The base class of all agents: knows which player it is; subclasses define how to act.

    >>> class First(Agent):
    ...     def act(self, state, remaining_time):
    ...         return state.actions()[0]
    >>> First(1).act(FenixState(), 300)
    FenixAction(start=(0, 0), end=(1, 0), removed=frozenset())
    """

    def __init__(self, player: int) -> None:
        self.player = player

    def act(self, state: FenixState, remaining_time: float) -> Any:
        """Returns one of `state.actions()`. `remaining_time` is the time left on this agent's
        clock, in seconds. The state is a copy: it may be changed and kept."""
        raise NotImplementedError


class RandomAgent(Agent):
    """Plays a random action. Duplicates in the list are twice as likely."""

    def act(self, state: FenixState, remaining_time: float) -> FenixAction:
        actions = state.actions()
        if not actions:
            raise Exception("No action available.")
        return random.choice(actions)
