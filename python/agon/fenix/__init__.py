"""A drop-in replacement for the course's Fenix: agents written for the course's files run
unchanged.

Import from here, or let `python -m agon.fenix install DIR` write the course's modules (`fenix`,
`agent`, `random_agent`, `game_manager`, `visual_game_manager`) on top of this package.

>>> from agon.fenix import FenixState, RandomAgent, TextGameManager
>>> state = FenixState()
>>> RandomAgent(1).act(state, 300) in state.actions()
True
"""

from .agents import Agent, RandomAgent
from .state import FenixAction, FenixState
from .text_manager import TextGameManager
from .visual_manager import VisualGameManager

__all__ = [
    "Agent",
    "FenixAction",
    "FenixState",
    "RandomAgent",
    "TextGameManager",
    "VisualGameManager",
]
