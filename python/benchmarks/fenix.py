"""How much faster the Fenix drop-in is than pure Python: both play the same random games,
alternately.

    python benchmarks/fenix.py [GAMES]

The naive twin (`tests/fenix_twin.py`) follows the description of the course's interface to the
letter: a deep copy for every result, a stack of chains for the actions. Times are CPU times, so
that other programs matter less; a round is one game of each, and the median of the rounds counts.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any, Callable, List, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import fenix_twin  # noqa: E402

import agon.fenix  # noqa: E402

MOST_PLIES = 200


def actions_and_result(start: Any, numbers: List[float]) -> int:
    """Plays `actions()` and `result()` alone, as a rollout does, and returns the plies."""
    state = start
    for ply, number in enumerate(numbers):
        actions = state.actions()
        if not actions:
            return ply
        state = state.result(actions[int(number * len(actions))])
    return len(numbers)


def whole_games(start: Any, numbers: List[float]) -> int:
    """The same with `is_terminal()`, as a search does."""
    state = start
    for ply, number in enumerate(numbers):
        if state.is_terminal():
            return ply
        actions = state.actions()
        if not actions:
            return ply
        state = state.result(actions[int(number * len(actions))])
    return len(numbers)


def microseconds(play: Callable[..., int], module: Any, numbers: List[float]) -> Tuple[float, int]:
    start = module.FenixState()
    began = time.process_time()
    plies = play(start, numbers)
    return (time.process_time() - began) * 1e6 / plies, plies


def length(numbers: List[float]) -> int:
    """The length of a game: what comes after its end is not measured."""
    return whole_games(agon.fenix.FenixState(), numbers)


def compare(play: Callable[..., int], games: int) -> Tuple[float, float, int]:
    rng = random.Random(7)
    dropin, twin, plies = [], [], 0
    for _ in range(games):
        numbers = [rng.random() for _ in range(MOST_PLIES)]
        numbers = numbers[: length(numbers)]
        ours, count = microseconds(play, agon.fenix, numbers)
        theirs, same = microseconds(play, fenix_twin, numbers)
        assert count == same, "the two played different games"
        dropin.append(ours)
        twin.append(theirs)
        plies += count
    return statistics.median(dropin), statistics.median(twin), plies


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(f"{games} random games, microseconds per ply (median of the games)")
    for name, play in [
        ("actions + result", actions_and_result),
        ("is_terminal + actions + result", whole_games),
    ]:
        dropin, twin, plies = compare(play, games)
        print(
            f"{name:32} drop-in {dropin:6.2f}   twin {twin:7.2f}   "
            f"{twin / dropin:5.1f} times   ({plies} plies)"
        )


if __name__ == "__main__":
    main()
