"""The runner behind `python:FILE[#CLASS]`, driven as the arena does."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any, List, Optional, Tuple

import pytest

import agon
from agon._student import NoAgent, Source, check
from agon._world import FenixWorld, IllegalAnswer, world
from agon.fenix import FenixAction, FenixState

FIRST = """
def choose(state, remaining):
    return state.actions()[0]
"""


class Talk:
    """A runner with a file, and a conversation with it."""

    def __init__(self, folder: Path, text: str, name: str = "mine.py", which: str = "") -> None:
        file = folder / name
        file.write_text(textwrap.dedent(text))
        self.program = subprocess.Popen(
            [sys.executable, "-m", "agon.runner", str(file) + which],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def say(self, *lines: str) -> None:
        assert self.program.stdin is not None
        self.program.stdin.write("".join(f"{line}\n" for line in lines))
        self.program.stdin.flush()

    def wait_for(self, word: str) -> str:
        """The next line that starts with a word; all lines before must be part of the protocol."""
        assert self.program.stdout is not None
        for line in self.program.stdout:
            assert line.split()[0] in ("id", "option", "ugiok", "readyok", "info", "bestmove"), line
            if line.startswith(word):
                return line.strip()
        raise AssertionError(f"no {word}: {self.errors()}")

    def begin(self, variant: str) -> None:
        self.say("ugi", f"setoption name Variant value {variant}", "uginewgame", "isready")
        self.wait_for("readyok")

    def move(self, position: str = "startpos", go: str = "movetime 1000") -> str:
        self.say(f"position {position}", f"go {go}")
        return self.wait_for("bestmove").partition(" ")[2]

    def errors(self) -> List[str]:
        """Its error output until it exits."""
        assert self.program.stderr is not None
        return self.program.stderr.read().splitlines()

    def end(self) -> Tuple[int, List[str]]:
        """Its exit status, after `quit` if it is still running, and its last lines."""
        try:
            self.say("quit")
        except BrokenPipeError:
            pass
        errors = self.errors()
        return self.program.wait(10), errors[-8:]


def test_prints_never_reach_the_protocol(tmp_path: Path) -> None:
    talk = Talk(
        tmp_path,
        """
        import os, sys
        print("bestmove imported")
        def choose(state, remaining):
            print("bestmove resign")
            os.write(1, b"bestmove resign\\n")
            os.system("echo bestmove resign")
            print("input:", repr(sys.stdin.read()), sys.argv)
            return state.actions()[0]
        """,
    )
    talk.begin("congo")
    assert talk.move() in agon.Game("congo").start().actions()
    status, errors = talk.end()
    assert status == 0
    assert errors.count("bestmove resign") == 3
    assert any(line.startswith("input: ''") for line in errors)


def test_a_fresh_agent_plays_every_game_and_knows_its_player(tmp_path: Path) -> None:
    talk = Talk(
        tmp_path,
        """
        class Mine:
            made = 0
            def __init__(self, player, depth=3):
                self.player, self.asked = player, 0
                Mine.made += 1
            def act(self, state, remaining_time):
                self.asked += 1
                print(Mine.made, self.player, self.asked, remaining_time, state.to_move())
                return state.actions()[0]
        """,
    )
    talk.begin("breakthrough:5x5")
    first = talk.move(go="p1time 9000 p2time 7000 p1inc 100 p2inc 100")
    talk.move(f"startpos moves {first} e4e3", go="p1time 5000 p2time 7000 movetime 250")
    talk.say("uginewgame")
    talk.move("startpos moves a2a3", go="p1time 9000 p2time 7000")
    talk.move("startpos moves a2a3 a4b3 a3a4", go="depth 3")
    _, errors = talk.end()
    assert errors == ["1 1 1 9.0 1", "1 1 2 0.25 1", "2 -1 1 7.0 -1", "2 -1 2 60.0 -1"]


def test_three_players_have_numbers(tmp_path: Path) -> None:
    talk = Talk(
        tmp_path,
        """
        class Mine:
            def __init__(self, player): print("player", player)
            def act(self, state, remaining_time): return str(state.actions()[0])
        """,
    )
    talk.begin("fauhalma:star3")
    first = talk.move()
    talk.say("uginewgame")
    talk.move(f"startpos moves {first}")
    assert talk.end()[1] == ["player 1", "player 2"]


@pytest.mark.parametrize(
    "code, last",
    [
        ("return 1 // 0", "ZeroDivisionError: integer division or modulo by zero"),
        ("import sys; sys.exit('enough')", "SystemExit: enough"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("return input()", "EOFError: EOF when reading a line"),
        ("return deep(500)", "ValueError: down here"),
        ("return deep(10**9)", "RecursionError: maximum recursion depth exceeded"),
        ("raise ValueError('many\\nlines\\n' * 50)", "ValueError: many lines many lines"),
    ],
)
def test_an_exception_ends_it_with_a_traceback_that_fits(
    tmp_path: Path, code: str, last: str
) -> None:
    deep = "def deep(n):\n    if not n: raise ValueError('down here')\n    return deep(n - 1)\n"
    talk = Talk(tmp_path, f"{deep}\ndef choose(state, remaining):\n    {code}\n")
    talk.begin("congo")
    talk.say("position startpos", "go movetime 100")
    errors = talk.errors()
    assert talk.program.wait(10) == 1
    assert errors[0] == "Traceback (most recent call last):"
    assert errors[1] == f'  File "mine.py", line 6, in choose: {code.partition("; ")[0]}' or (
        errors[1].startswith('  File "mine.py", line 6, in choose: ')
    )
    assert errors[-1].startswith(last)
    assert 3 <= len(errors) <= 8


def test_what_led_to_an_exception_is_told(tmp_path: Path) -> None:
    code = "def choose(state, remaining):\n    try: {}['x']\n    except KeyError: None.y\n"
    talk = Talk(tmp_path, code)
    talk.begin("congo")
    talk.say("position startpos", "go movetime 100")
    assert talk.errors()[-2] == "(after KeyError: 'x')"


def test_a_file_that_cannot_be_imported_says_where(tmp_path: Path) -> None:
    talk = Talk(tmp_path, "def choose(state, remaining:\n    pass\n")
    errors = talk.errors()
    assert talk.program.wait(10) == 1
    assert 'mine.py", line ' in errors[-1] and "SyntaxError" in errors[-1]
    talk = Talk(tmp_path, "import nonesuch\n")
    assert talk.errors()[-1] == "ModuleNotFoundError: No module named 'nonesuch'"


@pytest.mark.parametrize(
    "answer, word, told",
    [
        ("None", "returned:None", "returned None, which is none of the"),
        ("{'a': 1}", "returned:{'a':1}", "returned {'a': 1}, "),
        ("'a1a9'", "returned:'a1a9'", "expected a square"),
        ("'d\\xe9\\n'", "returned:'d\\xe9\\n'", ""),
        ("state.result(state.actions()[0]).actions()[0]", "returned:Move(", "returned Move("),
        ("'x' * 10**6", "returned:'xxx", "returned 'xxx"),
        ("Shy()", "returned:<Shyinstanceat", "returned <Shy instance at"),
    ],
)
def test_what_is_no_legal_move_is_told(tmp_path: Path, answer: str, word: str, told: str) -> None:
    shy = "class Shy:\n    def __repr__(self): raise OSError\n"
    talk = Talk(tmp_path, f"{shy}\ndef choose(state, remaining):\n    return {answer}\n")
    talk.begin("congo")
    move = talk.move()
    assert move.startswith(word) and len(move) < 300 and " " not in move and move.isascii()
    status, errors = talk.end()
    assert status == 0 and told in errors[-1]


def test_moves_may_be_written_and_the_game_given_up(tmp_path: Path) -> None:
    talk = Talk(tmp_path, "def choose(state):\n    return 'd2d3' if state.ply == 0 else 'resign'\n")
    talk.begin("congo")
    assert talk.move() == "d2d3"
    assert talk.move("startpos moves d2d3") == "resign"
    talk.end()


def test_stop_tells_where_it_is(tmp_path: Path) -> None:
    text = "def choose(state, remaining):\n    while True: think()\ndef think():\n    sum([1])\n"
    talk = Talk(tmp_path, text)
    talk.begin("congo")
    talk.say("position startpos", "go movetime 100")
    time.sleep(0.3)
    talk.say("stop", "isready")
    assert talk.wait_for("readyok")
    began = time.monotonic()
    status, errors = talk.end()
    assert status == 0 and time.monotonic() - began < 5
    assert errors[0] == "the time is up, and it is still here (most recent call last):"
    assert errors[1].startswith('  File "mine.py", line 2, in choose: while True: think()')


def test_it_leaves_at_the_end_of_its_input_whatever_runs(tmp_path: Path) -> None:
    text = """
    import atexit, threading, time
    atexit.register(time.sleep, 600)
    threading.Thread(target=time.sleep, args=(600,)).start()
    def choose(state, remaining):
        time.sleep(600)
    """
    talk = Talk(tmp_path, text)
    talk.begin("congo")
    talk.say("position startpos", "go movetime 100")
    assert talk.program.stdin is not None
    talk.program.stdin.close()
    assert talk.program.wait(5) == 0


def test_a_script_can_be_piped_in(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FIRST)
    said = "ugi\nposition startpos\ngo movetime 100\nquit\n"
    command = [sys.executable, "-m", "agon.runner", str(tmp_path / "mine.py")]
    out = subprocess.run(command, input=said, text=True, stdout=subprocess.PIPE, check=True).stdout
    assert "bestmove a2a3" in out and out.startswith("id name mine.py")


def test_of_two_processes_one_answers(tmp_path: Path) -> None:
    text = """
    import os
    def choose(state, remaining):
        if os.fork() == 0:
            print("child")
        else:
            os.wait()
        return state.actions()[0]
    """
    talk = Talk(tmp_path, text)
    talk.begin("congo")
    first = talk.move()
    talk.move(f"startpos moves {first} a6a5")
    assert talk.end() == (0, ["child", "child"])


def test_bad_lines_change_nothing(tmp_path: Path) -> None:
    talk = Talk(tmp_path, FIRST)
    talk.begin("congo")
    talk.say("position startpos moves z1z2", "setoption name X value 1", "hello", "isready")
    for _ in range(3):
        assert talk.wait_for("info").startswith("info string error: ")
    talk.wait_for("readyok")
    assert talk.move("fen 7/7/3l3/7/7/3P3/3L3 w 0") == "d2c3"
    assert talk.move("fen 3l3/7/7/7/7/7/7 w 0") == "none"
    talk.end()


# The course's modules


def test_the_courses_modules_are_there(tmp_path: Path) -> None:
    text = """
    from agent import Agent
    from fenix import *
    import fenix, random_agent, game_manager
    class Mine(Agent):
        def act(self, state, remaining_time):
            assert type(state) is FenixState is fenix.FenixState
            assert isinstance(state.actions()[0], FenixAction)
            return random_agent.RandomAgent(self.player).act(state, remaining_time)
    """
    for name in ("mine.py", "agent.py", "fenix_agent.py"):
        talk = Talk(tmp_path, text, name)
        talk.begin("fenix")
        assert talk.move() in agon.Game("fenix").start().actions()
        assert talk.end()[0] == 0
        (tmp_path / name).unlink()


def test_the_students_own_files_come_first(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("class Agent:\n    own = True\n")
    (tmp_path / "helper.py").write_text("import mine\nword = mine.WORD\n")
    (tmp_path / "book.txt").write_text("a7b7\n")
    text = """
    WORD = "one module"
    from agent import Agent
    class Mine(Agent):
        def __init__(self, player):
            import helper
            self.book = open("book.txt").read()
            print(self.own, helper.word, helper.mine.Mine is Mine, __name__)
        def act(self, state, remaining_time):
            return state.actions()[0]
    """
    talk = Talk(tmp_path, text)
    talk.begin("fenix")
    talk.move()
    assert talk.end() == (0, ["True one module True mine"])


def test_names_of_libraries_do_no_harm(tmp_path: Path) -> None:
    for name in ("queue.py", "agon.py", "my-agent.py", "no_suffix"):
        talk = Talk(tmp_path, FIRST, name)
        talk.begin("congo")
        talk.move()
        assert talk.end()[0] == 0
        (tmp_path / name).unlink()


# Which agent is chosen

IMPORT = "from agent import Agent\n"
AGENT = "class Agent:\n    def act(self, state, remaining_time): ...\n"


@pytest.mark.parametrize(
    "text, name, chosen",
    [
        (IMPORT + "class Mine(Agent): ...\nclass Node:\n def act(s): ...\n", "", "Mine"),
        ("import agent\nclass Mine(agent.Agent): ...\n", "", "Mine"),
        (AGENT + "class Mine(Agent): ...\n", "", "Mine"),
        (AGENT, "", "Agent"),
        ("from random_agent import RandomAgent\nclass Mine(RandomAgent): ...\n", "", "Mine"),
        ("class Mine:\n def act(self, s, t): ...\ndef choose(s, t): ...\n", "", "Mine"),
        ("class Node: ...\n" + FIRST, "", "choose"),
        ("choose = lambda state: state.actions()[0]\n", "", "choose"),
        (AGENT + "class Mine(Agent): ...\nclass Other(Agent): ...\n", "#Other", "Other"),
        (FIRST + "def second(state): ...\n", "#second", "second"),
        (AGENT + "class A(Agent): ...\nclass B(Agent): ...\n", "", "mine.py#A, mine.py#B"),
        ("class A:\n def act(s): ...\nclass B:\n def act(s): ...\n", "", "mine.py#A, mine.py#B"),
        ("class Node: ...\n", "", "its classes are Node"),
        ("x = 1\n", "", "it has no class"),
        (AGENT, "#Mine", "no Mine in"),
    ],
)
def test_the_agent_is_found(tmp_path: Path, text: str, name: str, chosen: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)
    source = Source.read(f"{file}{name}")
    problem: Optional[str] = None
    try:
        check(source)
    except NoAgent as error:
        problem = str(error)
    code = (
        "import sys; from agon import _student as s\n"
        "try:\n"
        "    source = s.Source.read(sys.argv[1])\n"
        "    make = s.load(source)\n"
        "    print(s.find(sys.modules['mine'], source).__name__.replace('<lambda>', 'choose'))\n"
        "except s.NoAgent as error:\n"
        "    print(error)\n"
    )
    command = [sys.executable, "-c", code, f"{file}{name}"]
    found = subprocess.run(command, text=True, stdout=subprocess.PIPE, check=True).stdout.strip()
    if problem is None:
        assert found == chosen
    else:
        assert chosen in problem and found == problem


def test_what_may_come_from_elsewhere_is_left_to_the_import(tmp_path: Path) -> None:
    for text in (
        "from helper import *\n",
        "globals()['Mine'] = make()\n",
        "from helper import Base\nclass Mine(Base): ...\n",
        "def choose(state, remaining:\n",
    ):
        (tmp_path / "mine.py").write_text(text)
        check(Source.read(f"{tmp_path}/mine.py"))
    check(Source.read(f"{tmp_path}/mine.py#Mine"))


def test_a_mark_in_a_files_name(tmp_path: Path) -> None:
    (tmp_path / "c#.py").write_text(FIRST)
    assert Source.read(f"{tmp_path}/c#.py").name is None
    assert Source.read(f"{tmp_path}/c#.py#choose").name == "choose"


# How agents see Fenix


def test_the_courses_state_follows_the_game() -> None:
    rng = random.Random(1)
    for _ in range(20):
        shown = FenixWorld(agon.Game("fenix"))
        plain = FenixState()
        moves: List[str] = []
        while not shown.position.is_terminal():
            state = shown.shown()
            assert state.__dict__ == plain.__dict__ | {"precomputed_hash": state.precomputed_hash}
            assert list(state.pieces) == list(plain.pieces)
            assert state.to_move() == shown.player() and not state.is_terminal()
            texts = {shown.legal(action) for action in state.actions()}
            assert texts == {str(move) for move in shown.position.actions()}
            action = rng.choice(state.actions())
            moves.append(shown.legal(action))
            plain = plain.result(action)
            # Whatever an agent does to the state it gets.
            state.pieces.clear()
            shown.set(None, moves)


def test_a_state_from_a_position() -> None:
    rng = random.Random(2)
    shown = FenixWorld(agon.Game("fenix"))
    for _ in range(60):
        if shown.position.is_terminal():
            break
        other = FenixWorld(agon.Game("fenix"))
        other.set(shown.position.text, [])
        for name in ("pieces", "turn", "current_player", "boring_turn", "dim"):
            assert getattr(other.state, name) == getattr(shown.state, name), name
        for name in ("can_create_general", "can_create_king"):
            assert getattr(other.state, name) is getattr(shown.state, name), name
        assert set(other.state.actions()) == set(shown.state.actions())
        move = rng.choice(shown.position.actions())
        shown.set(None, [*shown.moves, str(move)])


def test_what_is_equal_to_an_action_is_one() -> None:
    shown = FenixWorld(agon.Game("fenix"))
    assert shown.legal(FenixAction((0, 0), (1, 0), frozenset())) == "a7a6"
    assert shown.legal(FenixAction((0, 0), (1, 0), set())) == "a7a6"
    answers: List[Any] = [
        ((0, 0), (1, 0), frozenset()),
        FenixAction((0, 0), (1, 0), []),
        FenixAction((0, 0), (1, 0), None),
        FenixAction((6, 7), (5, 7), frozenset()),
        "a7a6",
        None,
    ]
    for bad in answers:
        with pytest.raises(IllegalAnswer):
            shown.legal(bad)


def test_games_that_only_go_on_are_not_played_again() -> None:
    shown = world(agon.Game("congo"))
    shown.set(None, ["d2d3"])
    before = shown.position
    shown.set(None, ["d2d3", "d6d5"])
    assert shown.position.parent == before
    shown.set(None, ["c2c3"])
    assert shown.moves == ["c2c3"]


def test_the_check_by_command(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("raise SystemExit\n" + FIRST)

    def run(*words: str) -> Tuple[int, str]:
        command = [sys.executable, "-m", "agon.runner", *words]
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, cwd=tmp_path)
        return done.returncode, done.stdout.strip()

    assert run("--check", "mine.py") == (0, "ok")
    place = os.path.realpath(tmp_path)
    assert run("--check", "other.py") == (2, f"there is no file other.py in {place}")
    assert run()[0] == 2
