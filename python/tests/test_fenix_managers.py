"""The text manager: its output, its clocks, and how it handles bad answers."""

import io
import random
import time
from contextlib import redirect_stdout

import pytest

from agon.fenix import Agent, FenixAction, FenixState, RandomAgent, TextGameManager

BOARD = str(FenixState())


class Scripted(Agent):
    """Answers with the result of a function, and records its arguments."""

    def __init__(self, player, answer):
        super().__init__(player)
        self.answer = answer
        self.states = []
        self.times = []

    def act(self, state, remaining_time):
        self.states.append(state)
        self.times.append(remaining_time)
        return self.answer(state)


def first(state):
    return state.actions()[0]


def slow(state):
    time.sleep(0.03)
    return first(state)


def play(red, black, **options):
    manager = TextGameManager(Scripted(1, red), Scripted(-1, black), **options)
    printed = io.StringIO()
    with redirect_stdout(printed):
        scores = manager.play()
    return manager, scores, printed.getvalue()


def test_a_whole_game_in_words():
    manager, scores, text = play(first, first)
    assert scores == (1, -1)
    start = "========== Initial State ==========\n" + BOARD + "\n"
    action = "FenixAction(start=(0, 0), end=(1, 0), removed=frozenset())"
    turn = f"========== Turn:   1 ==========\n\nChosen action: {action}\n\n"
    after = str(FenixState().result(first(FenixState())))
    assert text.startswith(start + turn + after + "\n========== Turn:   2 ==========\n")
    assert text.endswith(
        "\n\n========== Game Over ==========\nPlayer 1 score: 1\nPlayer -1 score: -1\n"
    )
    assert text.count("Chosen action") == 20 and "========== Turn:  20 ==========" in text


def test_nothing_is_printed_if_not_asked_for():
    assert play(first, first, display=False)[2] == ""
    assert play(lambda state: None, first, display=False)[2] == ""


def test_what_agents_are_told():
    manager, _, _ = play(first, first, display=False)
    for agent in (manager.agent_1, manager.agent_2):
        assert type(agent.times[0]) is int and agent.times[0] == 300
        assert all(type(remaining) is float for remaining in agent.times[1:])
        assert agent.times == sorted(agent.times, reverse=True)
    assert [state.turn for state in manager.agent_2.states] == list(range(1, 20, 2))
    assert vars(manager).keys() == {
        "agent_1", "agent_2", "remaining_time_1", "remaining_time_2", "dim", "display",
    }  # fmt: skip
    assert manager.dim == (7, 9)


def test_agents_may_change_their_state():
    def wreck(state):
        action = first(state)
        state.pieces.clear()
        state.turn = 99
        return action

    assert play(wreck, first, display=False)[1] == play(first, first, display=False)[1]


@pytest.mark.parametrize(
    "answer",
    [None, (1, 2), FenixAction((0, 0), (1, 0), []), FenixAction((9, 9), (1, 0), frozenset())],
)
def test_an_invalid_action_loses(answer):
    manager, scores, text = play(lambda state: answer, first)
    assert scores == (-1, 1)
    assert text.endswith(
        f"Invalid action: {answer}\n\n========== Game Over ==========\n"
        "Player 1 score: -1\nPlayer -1 score: 1\n"
    )
    assert type(manager.remaining_time_1) is int and manager.remaining_time_1 == 300
    assert play(first, lambda state: answer, display=False)[1] == (1, -1)


def test_a_set_as_removed_is_the_same_action():
    manager, _, text = play(
        lambda state: first(state)._replace(removed=set(first(state).removed)), first
    )
    assert "removed=set()" in text


def test_a_plain_tuple_is_found_and_then_cannot_be_played():
    with pytest.raises(AttributeError, match="start"):
        play(lambda state: tuple(first(state)), first)


def test_what_agents_raise_comes_out():
    def fail(state):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        play(fail, first)


def test_a_clock_below_zero_loses_after_the_move():
    manager, scores, text = play(slow, first, time_limit=0.05)
    assert scores == (-1, 1) and text.endswith("Over ==========\nPlayer 1 ran out of time.\n")
    assert manager.remaining_time_1 < 0 and len(manager.agent_1.times) == 2
    assert "Turn:   3" in text and "Turn:   4" not in text
    manager, scores, text = play(first, slow, time_limit=0.05)
    assert scores == (1, -1) and text.endswith("Player -1 ran out of time.\n")


def test_clocks_are_not_set_back():
    manager, scores, _ = play(slow, first, time_limit=0.05, display=False)
    asked = len(manager.agent_1.times)
    assert manager.play() == (-1, 1) and len(manager.agent_1.times) == asked


def test_a_late_move_that_ends_the_game_counts():
    def late_at_the_end(state):
        action = first(state)
        if state.result(action).is_terminal():
            time.sleep(0.3)
        return action

    manager, scores, _ = play(late_at_the_end, late_at_the_end, time_limit=0.25, display=False)
    assert scores == (1, -1)
    assert min(manager.remaining_time_1, manager.remaining_time_2) < 0


def test_a_player_without_actions_loses_whatever_it_answers(monkeypatch):
    def nearly_stuck(self):
        self.__dict__.update(stuck)

    stuck = vars(FenixState()).copy()
    # Red's king and soldier in the corner, behind black pieces that cannot be jumped.
    stuck.update(turn=20, pieces={(0, 0): 1, (0, 1): -1, (0, 2): -1, (1, 0): -1, (2, 0): -3})
    monkeypatch.setattr(FenixState, "__init__", nearly_stuck)
    state = FenixState()
    assert state.actions() == [] and not state.is_terminal()
    assert play(lambda state: None, first, display=False)[1] == (-1, 1)


def test_the_agents():
    with pytest.raises(TypeError):
        Agent()
    with pytest.raises(NotImplementedError):
        Agent(1).act(FenixState(), 300)
    assert RandomAgent(-1).player == -1 and "__init__" not in vars(RandomAgent)
    state = FenixState()
    random.seed(5)
    mine = RandomAgent(1).act(state, 300)
    random.seed(5)
    assert mine == random.choice(state.actions())
    state.pieces.clear()
    with pytest.raises(Exception, match=r"^No action available\.$"):
        RandomAgent(1).act(state, 300)


def test_random_agents_play():
    for seed in range(10):
        random.seed(seed)
        manager = TextGameManager(agent_1=RandomAgent(1), agent_2=RandomAgent(-1), display=False)
        assert sum(manager.play()) == 0
