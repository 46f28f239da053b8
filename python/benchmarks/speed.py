"""The speed of positions, compared with pure Python in one run.

    python benchmarks/speed.py [ROUNDS]

Random games of Fenix are generated first and then replayed with `actions()` and `result()` alone,
by the package's positions and by the naive twin of the tests, which makes deep copies as the
course's code does; alternately, by CPU time, and the medians count. Then the overhead of a call
into Rust. Only a release build is meaningful.
"""

from __future__ import annotations

import random
import sys
import timeit
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, Callable, List

import agon

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from fenix_twin import FenixState  # noqa: E402

Start = Callable[[], Any]


def find(start: Start, rng: random.Random) -> List[int]:
    """The numbers of the moves of a random game."""
    state, numbers = start(), []
    while not state.is_terminal() and state.actions():
        actions = state.actions()
        numbers.append(rng.randrange(len(actions)))
        state = state.result(actions[numbers[-1]])
    return numbers


def play(start: Start, games: List[List[int]]) -> float:
    """Microseconds per ply."""
    began = process_time()
    for numbers in games:
        state = start()
        for number in numbers:
            state = state.result(state.actions()[number])
    return (process_time() - began) * 1e6 / sum(map(len, games))


def compare(rounds: int) -> None:
    rng = random.Random(1)
    start = agon.Game("fenix").start
    # Enough repetitions to take a few milliseconds each.
    native_games = [find(start, rng) for _ in range(200)]
    plain_games = [find(FenixState, rng) for _ in range(4)]
    native, plain = [], []
    for _ in range(rounds):
        native.append(play(start, native_games))
        plain.append(play(FenixState, plain_games))
    ratio = median(one / other for one, other in zip(plain, native))
    print("actions() and result(), random games of Fenix:")
    print(f"  agon.Game     {median(native):8.2f} µs a ply")
    print(f"  plain Python  {median(plain):8.2f} µs a ply, {ratio:.0f} times as long")


def crossing() -> None:
    print("a call without arguments:")
    names = {"position": agon.Game("fenix").start()}
    for call in ["position.to_move()", "position.is_terminal()", "position.ply"]:
        seconds = min(timeit.repeat(call, globals=names, number=20_000, repeat=7)) / 20_000
        print(f"  {call:24} {seconds * 1e9:6.0f} ns")


if __name__ == "__main__":
    compare(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
    crossing()
