"""The agent that `agon export fenix-agent` writes, as a student would hand it in."""

import importlib.util
import random
import time
from pathlib import Path

import pytest
from fenix_positions import random_game, seen

import agon.fenix
from agon.fenix import Agent, FenixState, RandomAgent, TextGameManager

SOURCE = Path(__file__).resolve().parents[1] / "examples/fenix_agent.py"


def load(name):
    spec = importlib.util.spec_from_file_location(name, SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


exported = load("agent")


class Minimax(Agent):
    """Plain minimax over units, to a depth of two."""

    def act(self, state, remaining_time):
        actions = state.actions()
        random.shuffle(actions)
        return max(actions, key=lambda action: self.value(state.result(action), 1))

    def value(self, state, depth):
        if state.is_terminal():
            return 1000 * state.utility(self.player)
        if depth == 0:
            return sum(state.pieces.values()) * self.player
        values = [self.value(state.result(action), depth - 1) for action in state.actions()]
        mine = state.to_move() == self.player
        if not values:
            return -1000 if mine else 1000
        return max(values) if mine else min(values)


def play(opponent, red, seconds=1.5):
    """The score of the exported agent, and the time left on its clock."""
    agents = [exported.Agent(1), opponent(-1)] if red else [opponent(1), exported.Agent(-1)]
    manager = TextGameManager(*agents, display=False)
    if red:
        manager.remaining_time_1 = seconds
        return manager.play()[0], manager.remaining_time_1
    manager.remaining_time_2 = seconds
    return manager.play()[1], manager.remaining_time_2


@pytest.mark.parametrize("opponent", [RandomAgent, Minimax])
def test_it_beats(opponent):
    random.seed(1)
    games = [play(opponent, red) for red in (True, False, True, False)]
    assert all(left > 0 for _, left in games)
    assert sum(score for score, _ in games) >= 3, games


def test_its_successors_are_results():
    for seed in range(20):
        for state in random_game(agon.fenix, seed):
            for action in state.actions()[:5]:
                child = exported.successor(state, action)
                assert seen(child) == seen(state.result(action))
                assert child.pieces is not state.pieces


def test_its_search_is_minimax():
    """Alpha-beta, ordering and table change the time, not the result."""

    def plain(state, depth, ply):
        if state.is_terminal():
            return state.utility(state.current_player) * (exported.WIN - ply)
        actions = state.actions()
        if not actions:
            return ply - exported.WIN
        if depth <= 0 and not actions[0].removed:
            return exported.evaluate(state)
        return max(-plain(state.result(action), depth - 1, ply + 1) for action in actions)

    for seed in range(4):
        for state in list(random_game(agon.fenix, seed))[12:40:6]:
            search = exported.Search()
            search.deadline = time.perf_counter() + 60
            value = search.value(state, 2, 0, -exported.WIN, exported.WIN)
            assert value == plain(state, 2, 0), (seed, state.turn)


def test_it_answers_in_every_situation():
    agent = exported.Agent(1)
    for seed in range(5):
        for state in random_game(agon.fenix, seed):
            for remaining in (0.02, 300 if state.turn < 10 else 0.1):
                actions = state.actions()
                answer = agent.act(state, remaining)
                assert answer in actions or not actions
    empty = FenixState()
    empty.pieces.clear()
    assert agent.act(empty, 300) is None


def test_it_keeps_its_time():
    state = FenixState()
    state.turn = 10
    agent = exported.Agent(1)
    began = time.perf_counter()
    agent.act(state, 7.0)
    assert time.perf_counter() - began < 1.0


def test_it_stays_out_of_the_trap():
    agents = {1: exported.Agent(1), -1: exported.Agent(-1)}
    state = FenixState()
    while state.turn < 10:
        assert not state.is_terminal()
        state = state.result(agents[state.to_move()].act(state, 300))
    for player in (1, -1):
        assert state._has_king(player) and state._count_generals(player) == 3


def test_it_is_plain_python_in_one_file():
    lines = [line.strip() for line in SOURCE.read_text().splitlines()]
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    assert imports == ["import time"]
