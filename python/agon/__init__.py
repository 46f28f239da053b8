"""Games, searches and matches of Agon as Python objects.

>>> import agon
>>> position = agon.Game("congo").start()
>>> position.result("d2d3").to_move()
-1
"""

from ._native import AgentError, AgonError, Game, Move, NotationError, Position

__all__ = ["AgentError", "AgonError", "Game", "Move", "NotationError", "Position"]
