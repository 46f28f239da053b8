"""Games, searches and matches of Agon as Python objects.

>>> import agon
>>> position = agon.Game("congo").start()
>>> position.result("d2d3").to_move()
-1
"""

from ._line import Line
from ._match import GameRecord, MatchResult, Standing, match, records
from ._native import AgentError, AgonError, Game, Move, NotationError, Position
from ._search import (
    Iteration,
    Iterations,
    SearchResult,
    Solution,
    Statistics,
    perft,
    perft_divide,
    search,
    search_iter,
    solve,
)

__all__ = [
    "AgentError",
    "AgonError",
    "Game",
    "GameRecord",
    "Iteration",
    "Iterations",
    "Line",
    "MatchResult",
    "Move",
    "NotationError",
    "Position",
    "SearchResult",
    "Solution",
    "Standing",
    "Statistics",
    "match",
    "perft",
    "perft_divide",
    "records",
    "search",
    "search_iter",
    "solve",
]
