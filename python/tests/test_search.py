"""Searches: their results, concurrency and interruption."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import agon

ROOMY = 20.0
"""The timeout in seconds for anything that should stop, even on a busy machine."""


def start(variant: str = "congo") -> agon.Position:
    return agon.Game(variant).start()


@pytest.mark.parametrize(
    "agent", ["random", "greedy", "minimax:depth=2", "alphabeta:depth=3", "mcts", "engine"]
)
def test_agents_answer_with_legal_moves(agent: str) -> None:
    position = start()
    result = agon.search(position, agent, nodes=2000)
    assert result.move in position.actions()
    assert result.line == [] or result.line[0] == result.move
    for move in result.line:
        position = position.result(move)
    assert str(result.move) in str(result) and str(result.move) in result._repr_html_()


def test_three_players_are_served() -> None:
    position = start("fauhalma:star3")
    assert agon.search(position, depth=1).move in position.actions()


def test_depth_and_nodes_are_limits() -> None:
    deep = agon.search(start(), depth=4)
    assert deep.statistics.depth == 4 and deep.statistics.nodes > 100
    assert agon.search(start(), depth=4).line == deep.line
    assert agon.search(start(), nodes=5000).statistics.nodes <= 5000
    assert deep.statistics.nodes_per_second > 0


def test_forced_results_have_no_end() -> None:
    position = agon.Game("breakthrough:5x5").from_text("5/3P1/5/p4/5 w")
    won = agon.search(position, depth=3)
    assert (won.score, won.plies_to_end) == (math.inf, 1)
    lost = agon.search(agon.Game("breakthrough:5x5").from_text("5/3P1/p4/5/5 b"), depth=4)
    assert (lost.score, lost.plies_to_end) == (-math.inf, 2)


def test_history_counts() -> None:
    position = agon.Game("fenix").from_text("K7/8/8/8/8/8/7k 30 0 w 00")
    for text in ["a7b7", "h1g1", "b7a7", "g1h1"] * 2:
        position = position.result(text)
    assert agon.search(position, depth=2).move in position.actions()


def test_iterations_come_while_the_search_goes_on() -> None:
    iterations = agon.search_iter(start(), time=60.0)
    begun = time.monotonic()
    first = next(iterations)
    assert first.depth == 1 and first.line and "depth 1" in str(first)
    iterations.stop()
    result = iterations.result
    assert time.monotonic() - begun < ROOMY
    assert result.move in start().actions()
    assert list(iterations) == [] and iterations.result is result


def test_who_leaves_stops_the_search() -> None:
    threads = threads_of_this_process()
    for _ in range(20):
        next(agon.search_iter(start(), time=600.0))
    deadline = time.monotonic() + ROOMY
    while threads_of_this_process() > threads and time.monotonic() < deadline:
        time.sleep(0.05)
    assert threads_of_this_process() <= threads


def threads_of_this_process() -> int:
    tasks = Path("/proc/self/task")
    return len(list(tasks.iterdir())) if tasks.exists() else 0


def test_other_threads_run_while_rust_thinks() -> None:
    position, count, over = start(), 0, threading.Event()

    def search() -> None:
        agon.search(position, time=1.0)
        over.set()

    thread = threading.Thread(target=search)
    thread.start()
    while not over.is_set():
        count += 1
        time.sleep(0.001)
    thread.join()
    assert count > 50


def test_searches_run_side_by_side() -> None:
    found = []

    def search() -> None:
        found.append(agon.search(start(), depth=3).move)

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and len(set(found)) == 1


INTERRUPTED = {
    "search": 'agon.search(agon.Game("congo").start(), time=600.0)',
    "iterations": 'list(agon.search_iter(agon.Game("congo").start(), time=600.0))',
    "solve": 'agon.solve(agon.Game("breakthrough:8x8").start())',
    "perft": 'agon.perft(agon.Game("congo").start(), 9)',
    "match": 'agon.match("congo", "engine", "engine", games=1000, move_time="1s")',
    "player": 'agon.match("congo", "random", lambda p: time.sleep(600), games=2)',
}


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
@pytest.mark.parametrize("what", INTERRUPTED)
def test_ctrl_c_ends_it(what: str) -> None:
    # Whoever runs the tests in the background may have them ignore Ctrl-C.
    code = f"""
import agon, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
print("ready", flush=True)
try:
    {INTERRUPTED[what]}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.5)
        begun = time.monotonic()
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "interrupted\n"
        assert time.monotonic() - begun < ROOMY
        assert child.wait(ROOMY) == 0
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def test_errors_say_what_would_be_right() -> None:
    with pytest.raises(agon.AgentError, match="did you mean engine"):
        agon.search(start(), "engin")
    with pytest.raises(agon.AgentError, match="did you mean depth"):
        agon.search(start(), "alphabeta:dept=3")
    with pytest.raises(ValueError, match="bad time -1: expected seconds above 0"):
        agon.search(start(), time=-1)
    over = agon.Game("breakthrough:5x5").from_text("2P2/5/5/p4/5 b")
    with pytest.raises(agon.AgonError, match="the game is over"):
        agon.search(over)
    with pytest.raises(agon.AgonError, match="the game is over"):
        agon.solve(over)
    with pytest.raises(agon.AgonError, match="only two-player games can be solved"):
        agon.solve(start("fauhalma:star3"))
    with pytest.raises(ValueError, match="bad depth 0: expected at least 1"):
        agon.perft_divide(start(), 0)


def test_counting() -> None:
    position = start("fenix")
    divided = agon.perft_divide(position, 3)
    assert list(divided) == position.actions()
    assert sum(divided.values()) == agon.perft(position, 3, threads=2) == 185_400
    assert agon.perft(position, 3, hash_mib=1) == 185_400
    assert agon.perft(position, 0) == 1
    over = agon.Game("breakthrough:5x5").from_text("2P2/5/5/p4/5 b")
    assert agon.perft(over, 2) == 0


def test_solving_within_a_budget() -> None:
    assert agon.solve(start("breakthrough:3x5")).value == "draw"
    unknown = agon.solve(start("breakthrough:8x8"), nodes=1000)
    assert unknown.value is None and unknown.nodes <= 2000
