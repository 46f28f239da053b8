"""The course's module names, written by `python -m agon.fenix install`."""

import ast
import subprocess
import sys
import textwrap

import pytest

import agon.fenix
from agon.fenix.__main__ import COURSE, main

NAMES = {
    "fenix": {"FenixAction", "FenixState", "namedtuple", "deepcopy"},
    "agent": {"Agent"},
    "random_agent": {"RandomAgent", "Agent", "random", "fenix"},
    "game_manager": {"TextGameManager", "fenix", "time", "deepcopy"},
    "visual_game_manager": {
        "VisualGameManager", "fenix", "pygame", "sys", "random", "threading", "time", "deepcopy",
    },
}  # fmt: skip


def python(folder, program):
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.fixture
def folder(tmp_path):
    assert main(["install", str(tmp_path / "work")]) == 0
    return tmp_path / "work"


def test_the_five_modules_have_the_courses_names(folder):
    assert {path.stem for path in folder.glob("*")} == set(NAMES)
    for module, names in NAMES.items():
        program = f"from {module} import *\nprint(sorted(n for n in dir() if n[:2] != '__'))"
        assert set(ast.literal_eval(python(folder, program))) == names


def test_modules_are_those_of_the_package(folder):
    python(
        folder,
        """
        import agent, fenix, game_manager, random_agent, visual_game_manager
        import agon.fenix as package
        assert fenix.FenixState is package.FenixState
        assert agent.Agent is package.Agent is random_agent.Agent
        assert random_agent.fenix is fenix is game_manager.fenix is visual_game_manager.fenix
        assert issubclass(random_agent.RandomAgent, agent.Agent)
        assert game_manager.TextGameManager is package.TextGameManager
        assert visual_game_manager.VisualGameManager is package.VisualGameManager
        """,
    )


def test_pickles_name_the_courses_module(folder):
    python(
        folder,
        """
        import pickle
        from fenix import *
        state = FenixState()
        action = state.actions()[0]
        text = pickle.dumps([state, action])
        assert b"agon" not in text and b"fenix" in text
        copy, same = pickle.loads(text)
        assert same == action and copy.pieces == state.pieces
        assert repr(state).startswith("<fenix.FenixState object at ")
        """,
    )


def test_an_agent_of_ones_own_takes_the_place_of_agent(folder):
    own = "class Agent:\n    def __init__(self, player, depth=3):\n        self.player = player\n"
    own += "    def act(self, state, remaining_time):\n        return state.actions()[0]\n"
    (folder / "agent.py").write_text(own)
    program = """
        from agent import Agent
        from random_agent import RandomAgent
        from game_manager import TextGameManager
        print(Agent.__module__, sum(TextGameManager(Agent(1), RandomAgent(-1), display=False).play()))
        """
    assert python(folder, program) == "agent 0\n"


def test_installing_keeps_what_is_not_from_here(tmp_path, capsys):
    theirs = "class FenixState: pass\n"
    (tmp_path / "fenix.py").write_text(theirs)
    (tmp_path / "agent.py").write_text("class MyAgent: pass\n")
    for _ in range(2):
        assert main(["install", str(tmp_path)]) == 0
    assert (tmp_path / "fenix.py.orig").read_text() == theirs
    assert (tmp_path / "fenix.py").read_text() == (COURSE / "fenix.py").read_text()
    assert (tmp_path / "agent.py").read_text() == "class MyAgent: pass\n"
    assert len(list(tmp_path.iterdir())) == 6
    out = capsys.readouterr().out
    assert "fenix.py; the old file is now fenix.py.orig" in out
    assert "agent.py, which is already an agent" in out
    (tmp_path / "fenix.py").write_text("class FenixState: 'again'\n")
    assert main(["install", str(tmp_path)]) == 0
    assert (tmp_path / "fenix.py.orig2").exists()


def test_a_folder_that_cannot_be_written_is_named(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["install", str(tmp_path / "file")]) == 1
    assert str(tmp_path / "file") in capsys.readouterr().err


def test_the_command(tmp_path):
    run = subprocess.run(
        [sys.executable, "-m", "agon.fenix", "install", str(tmp_path)],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0 and "wrote" in run.stdout
    run = subprocess.run([sys.executable, "-m", "agon.fenix"], capture_output=True, text=True)
    assert run.returncode == 2 and "install" in run.stderr


def test_pygame_is_asked_for_only_if_used(folder):
    program = """
        import sys
        from visual_game_manager import *
        assert "pygame" not in sys.modules
        sys.modules["pygame"] = None
        try:
            pygame.init()
        except ModuleNotFoundError as error:
            print(error)
        """
    assert "pip install pygame" in python(folder, program)


def test_the_package_itself_says_where_its_classes_are():
    assert agon.fenix.FenixState.__module__ == "agon.fenix.state"
