"""Searches, exact values and counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional

from . import _native
from ._html import table as html_table
from ._native import Move, Position


@dataclass(frozen=True)
class Statistics:
    """The cost of a search and the quality of its cut-offs."""

    nodes: int
    """Moves played by the search."""
    expanded: int
    """Positions whose moves were generated."""
    depth: int
    """The depth of the last complete iteration."""
    seconds: float
    cutoffs: int
    """Positions where the remaining moves were cut off."""
    first_move_cutoffs: int
    """Of these, where the first move was enough."""
    evaluations: int
    iterations: int
    """The number of iterations of a Monte Carlo search."""
    effective_branching_factor: float

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / max(self.seconds, 1e-9)


@dataclass(frozen=True)
class Iteration:
    """One iteration of a search."""

    depth: int
    rank: int
    """The rank of the line among those requested; 0 is the best."""
    score: Optional[float]
    plies_to_end: Optional[int]
    score_text: Optional[str]
    line: List[Move]
    nodes: int
    """Moves played so far, all iterations together."""
    seconds: float

    def __str__(self) -> str:
        moves = " ".join(map(str, self.line))
        return f"depth {self.depth}  {self.score_text}  {self.nodes:,} nodes  {moves}"


@dataclass(frozen=True)
class SearchResult:
    """The result of a search."""

    move: Move
    """The move to play."""
    score: Optional[float]
    """The value for the player to move in units of the game; `inf` and `-inf` for a forced win or
    loss; None if the agent has none."""
    plies_to_end: Optional[int]
    """The number of plies to a forced result."""
    score_text: Optional[str]
    """The score in words: `+0.25`, `win in 3 plies`."""
    line: List[Move]
    """The expected line, starting with the move."""
    statistics: Statistics

    def __str__(self) -> str:
        score = "" if self.score_text is None else f" ({self.score_text})"
        return f"{self.move}{score}"

    def _repr_html_(self) -> str:
        cost = self.statistics
        rows = [
            ("move", str(self.move)),
            ("score", self.score_text or ""),
            ("line", " ".join(map(str, self.line))),
            ("depth", str(cost.depth)),
            ("nodes", f"{cost.nodes:,}"),
            ("time", f"{cost.seconds:.3f} s"),
        ]
        return html_table(None, rows)


class Iterations(Iterator[Iteration]):
    """The iterations of a running search; `result` when they are over.

    Leaving the loop early stops the search. It can also be asked to return what it has so far: see
    `stop`.
    """

    def __init__(self, search: _native.Search) -> None:
        self._search = search
        self._result: Optional[SearchResult] = None

    def __iter__(self) -> Iterations:
        return self

    def __next__(self) -> Iteration:
        message = self._search.next()
        if message is None:
            raise StopIteration
        if message.pop("kind") == "iteration":
            return Iteration(**message)
        self._result = _result_of(message)
        raise StopIteration

    def stop(self) -> None:
        """Asks the search to stop soon; what it has found is its result."""
        self._search.stop()

    @property
    def result(self) -> SearchResult:
        """The result; waits for it."""
        for _ in self:
            pass
        if self._result is None:
            raise RuntimeError("the search was interrupted and has no result")
        return self._result


def _result_of(message: Dict[str, Any]) -> SearchResult:
    statistics = Statistics(**message.pop("statistics"))
    return SearchResult(statistics=statistics, **message)


def search_iter(
    position: Position,
    agent: str = "engine",
    *,
    time: Optional[float] = None,
    depth: Optional[int] = None,
    nodes: Optional[int] = None,
    seed: int = 0,
) -> Iterations:
    """The iterations of a search, each as soon as it is finished.

    >>> import agon
    >>> position = agon.Game("breakthrough:5x5").start()
    >>> iterations = agon.search_iter(position, depth=4)
    >>> [iteration.depth for iteration in iterations]
    [1, 2, 3, 4]
    >>> iterations.result.move in position.actions()
    True
    """
    if time is None and depth is None and nodes is None:
        time = 1.0
    return Iterations(_native.Search(position, agent, time, depth, nodes, seed))


def search(
    position: Position,
    agent: str = "engine",
    *,
    time: Optional[float] = None,
    depth: Optional[int] = None,
    nodes: Optional[int] = None,
    seed: int = 0,
) -> SearchResult:
    """Asks an agent for a move, with its score and the expected line.

    `agent` is a text as everywhere in Agon: `engine`, `mcts`, `alphabeta:depth=4,eval=simple`. The
    search ends after `time` seconds, `depth` plies or `nodes` moves played, whichever comes first;
    by default after one second. Other Python threads keep running meanwhile, and Ctrl-C stops it.

    >>> import agon
    >>> position = agon.Game("breakthrough:5x5").from_text("5/3P1/5/p4/5 w")
    >>> result = agon.search(position, depth=3)
    >>> result.score, result.plies_to_end, result.score_text
    (inf, 1, 'win in 1 ply')
    >>> position.result(result.move).utility(1)
    1.0
    """
    return search_iter(position, agent, time=time, depth=depth, nodes=nodes, seed=seed).result


@dataclass(frozen=True)
class Solution:
    """The exact value of a position."""

    value: Optional[str]
    """`win`, `draw` or `loss` for the player to move; None if it is unknown."""
    distance: Optional[int]
    """The number of plies to the end with best play by both sides, if known."""
    move: Optional[Move]
    """A move that keeps the value."""
    line: List[Move]
    nodes: int
    seconds: float
    moves: Dict[Move, Solution]
    """The same for every move, if requested; the values are for the mover."""


def solve(
    position: Position,
    *,
    time: Optional[float] = None,
    nodes: Optional[int] = None,
    all_moves: bool = False,
    hash_mib: int = 256,
    threads: int = 1,
) -> Solution:
    """Finds the exact value of a position of a two-player game, if the budget allows.

    >>> import agon
    >>> solution = agon.solve(agon.Game("breakthrough:3x5").start(), all_moves=True)
    >>> solution.value
    'draw'
    >>> sorted(one.value for one in solution.moves.values())
    ['draw', 'draw', 'draw']
    """
    found = _native.solve(position, time, nodes, all_moves, hash_mib, threads)
    moves = {move: Solution(moves={}, **one) for move, one in found.pop("moves").items()}
    return Solution(moves=moves, **found)


def perft(position: Position, depth: int, *, threads: int = 1, hash_mib: int = 0) -> int:
    """Counts the sequences of exactly `depth` moves.

    >>> import agon
    >>> agon.perft(agon.Game("fenix").start(), 2)
    3600
    """
    if depth < 1:
        return 1
    return sum(perft_divide(position, depth, threads=threads, hash_mib=hash_mib).values())


def perft_divide(
    position: Position, depth: int, *, threads: int = 1, hash_mib: int = 0
) -> Dict[Move, int]:
    """The same, separately for every first move."""
    if depth < 1:
        raise ValueError(f"bad depth {depth}: expected at least 1 to divide")
    return dict(_native.perft(position, depth, threads, hash_mib))
