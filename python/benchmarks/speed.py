"""How fast positions are, side by side with plain Python in one run.

    python benchmarks/speed.py [GAMES]

Random games of Fenix, the same numbers for both: `actions()` and `result()` alone are timed, for
the package's positions and for the plain twin of the tests, which copies deeply as the course's
code does. Then what it costs to cross into Rust at all. Only a release build says anything.
"""

from __future__ import annotations

import sys
import timeit
from pathlib import Path
from time import perf_counter_ns
from typing import Any, Callable, Tuple

import agon

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))


def play(start: Callable[[], Any], games: int) -> Tuple[float, int]:
    """Microseconds a ply of random games, and how many plies there were."""
    spent, plies = 0, 0
    for game in range(games):
        state, number = start(), game * 7919 + 1
        while True:
            number = (number * 1103515245 + 12345) & 0x7FFFFFFF
            begun = perf_counter_ns()
            actions = state.actions()
            after = state.result(actions[number % len(actions)]) if actions else None
            spent += perf_counter_ns() - begun
            if after is None or after.is_terminal():
                break
            state, plies = after, plies + 1
    return spent / plies / 1000, plies


def best(start: Callable[[], Any], games: int) -> float:
    return min(play(start, games)[0] for _ in range(5))


def compare(games: int) -> None:
    position = agon.Game("fenix").start()
    native = best(lambda: position, games * 20)
    print(f"agon.Game     {native:8.2f} µs for actions() and result()")
    try:
        from fenix_twin import FenixState
    except ImportError:
        print("the plain twin is not here (tests/fenix_twin.py): nothing to compare with")
        return
    plain = best(FenixState, games)
    print(f"plain Python  {plain:8.2f} µs, {plain / native:.0f} times as long")


def crossing() -> None:
    names = {"position": agon.Game("fenix").start()}
    for call in ["position.to_move()", "position.is_terminal()", "position.ply", "hash(position)"]:
        seconds = min(timeit.repeat(call, globals=names, number=20_000, repeat=7)) / 20_000
        print(f"{call:24} {seconds * 1e9:6.0f} ns")


if __name__ == "__main__":
    compare(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
    crossing()
