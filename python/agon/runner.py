"""Runs a Python agent as a program that speaks the Universal Game Interface.

    python -m agon.runner FILE[#CLASS]
    python -m agon.runner --check FILE[#CLASS]

This implements `python:FILE[#CLASS]` in matches and tournaments. The agent's output goes to
standard error, and its standard input is empty; only this file talks to the other side.
"""

from __future__ import annotations

import faulthandler
import os
import queue
import sys
import threading
import time
import traceback
from typing import Any, Callable, List, NoReturn, Optional, Sequence, Tuple

from . import Game
from ._players import Ask, Factory
from ._student import NoAgent, Source, check, load
from ._world import IllegalAnswer, World, world

# The remaining time passed to an agent without a clock: the arena's default timeout.
NO_CLOCK = 60.0

# How long an agent may keep thinking after `quit`, in seconds; the arena waits half a second.
FAREWELL = 0.3

# The arena keeps the last eight lines: a traceback of any depth has to fit.
MOST_FRAMES = 5

USAGE = "usage: python -m agon.runner [--check] FILE[#CLASS]"

_PYTHONS_OWN = ("runpy.py", "importlib/__init__.py")
_OWN_FOLDER = os.path.dirname(os.path.abspath(__file__))


class Wire:
    """The two pipes to the other side, out of the agent's way."""

    def __init__(self) -> None:
        self._input = os.dup(0)
        self._output = os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        for stream in (sys.stdout, sys.stderr):
            # Nothing may be lost when the process is killed, and no character may cause an error.
            stream.reconfigure(  # type: ignore[union-attr]
                encoding="utf-8", errors="backslashreplace", line_buffering=True
            )

    def lines(self) -> Any:
        """The lines from the other side, until it closes the pipe."""
        rest = b""
        while True:
            chunk = os.read(self._input, 1 << 16)
            if not chunk:
                return
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                yield line.decode("utf-8", "replace").strip()

    def say(self, *lines: str) -> None:
        rest = memoryview("".join(f"{line}\n" for line in lines).encode("utf-8"))
        while rest:
            rest = rest[os.write(self._output, rest) :]


class Runner:
    """Plays game after game with one agent."""

    def __init__(self, wire: Wire, source: Source) -> None:
        self.wire = wire
        self.source = source
        self.process = os.getpid()
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.make: Optional[Factory] = None
        self.ask_agent: Optional[Ask] = None
        self.world: World = world(Game("breakthrough:8x8"))
        self.thinking = False

    def run(self) -> NoReturn:
        threading.Thread(target=self.listen, name="agon", daemon=True).start()
        self.make = self.guarded(lambda: load(self.source))
        while True:
            line = self.lines.get()
            try:
                self.obey(line)
            except ValueError as error:
                self.wire.say(f"info string error: {' '.join(str(error).split())}")

    def listen(self) -> None:
        """Reads commands and handles those that cannot wait for the agent."""
        for line in self.wire.lines():
            if line == "quit":
                break
            if line == "stop":
                if self.thinking:
                    tell_place(self.source.folder)
            elif line == "isready" and self.thinking:
                self.wire.say("readyok")
            else:
                self.lines.put(line)
        # Pending questions are answered if that is quick. Then the process ends, whatever the agent
        # is doing and however many threads it has.
        self.lines.put("quit")
        time.sleep(FAREWELL)
        os._exit(0)

    def obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "ugi":
            option = f"option name Variant type string default {self.world.game.variant}"
            self.wire.say(f"id name {os.path.basename(self.source.file)}", option, "ugiok")
        elif word == "isready":
            self.wire.say("readyok")
        elif word == "uginewgame":
            self.ask_agent = None
            self.world.begin(None)
        elif word == "setoption":
            self.set_option(rest)
        elif word == "position":
            self.world.set(*read_position(rest))
        elif word == "go":
            self.go(rest.split())
        elif word == "quit":
            leave(0)
        elif word:
            self.wire.say(f"info string error: unknown command {word!r}")

    def set_option(self, text: str) -> None:
        name, _, value = text.partition(" value ")
        if name.lower() != "name variant":
            self.wire.say(f"info string error: expected name Variant value …, found {text!r}")
            return
        self.world = world(Game(value.strip()))
        self.ask_agent = None

    def go(self, words: Sequence[str]) -> None:
        if self.world.position.is_terminal():
            self.wire.say("info string the game is over", "bestmove none")
            return
        remaining = remaining_seconds(words, self.world.seat())
        shown = self.world.shown()
        began = time.perf_counter()
        self.thinking = True
        answer = self.guarded(lambda: self.ask(shown, remaining))
        self.thinking = False
        spent = int(1000 * (time.perf_counter() - began))
        flush()
        try:
            move = self.guarded(lambda: self.world.legal(answer))
        except IllegalAnswer as problem:
            complain([f"returned {problem}"])
            move = "returned:" + one_word(problem.answer)
        self.wire.say(f"info time {spent}", f"bestmove {move}")

    def ask(self, shown: Any, remaining: float) -> Any:
        # Only now is it known which player it is.
        if self.ask_agent is None:
            assert self.make is not None
            self.ask_agent = self.make(self.world.player())
        return self.ask_agent(shown, remaining)

    def guarded(self, work: Callable[[], Any]) -> Any:
        """Runs the agent's code. Any exception ends the program, including sys.exit."""
        try:
            result = work()
        except IllegalAnswer:
            raise
        except NoAgent as problem:
            complain([str(problem)])
            leave(2)
        except BaseException as error:
            tell_error(error, self.source.folder)
            leave(1)
        finally:
            # If the agent forked, the child gets here, too, and must end.
            if os.getpid() != self.process:
                os._exit(0)
        return result


def read_position(text: str) -> Tuple[Optional[str], List[str]]:
    """
    >>> read_position("fen 5/3p1/2P2/5/5 w moves c3c4 d4c3")
    ('5/3p1/2P2/5/5 w', ['c3c4', 'd4c3'])
    """
    words = text.split()
    at = words.index("moves") if "moves" in words else len(words)
    start, moves = words[:at], words[at + 1 :]
    return (" ".join(start[1:]) if start[:1] == ["fen"] else None), moves


def remaining_seconds(words: Sequence[str], seat: int) -> float:
    """The time left for the player to move: its clock or the time per move, whichever is smaller.

    >>> remaining_seconds("p1time 9000 p2time 7000 p1inc 100".split(), 1)
    7.0
    >>> remaining_seconds("p1time 9000 p2time 7000 movetime 500".split(), 1)
    0.5
    """
    limits = [
        int(value) / 1000
        for name, value in zip(words, words[1:])
        if name in (f"p{seat + 1}time", "movetime")
    ]
    return max(min(limits, default=NO_CLOCK), 0.0)


def one_word(text: str) -> str:
    """A text as one word of ASCII characters, as required by the protocol."""
    plain = text.encode("ascii", "backslashreplace").decode("ascii")
    return "".join(character for character in plain if "!" <= character <= "~")[:200]


# Reports about an agent's code


def tell_error(error: BaseException, folder: str) -> None:
    """Prints a short traceback, without our own frames."""
    lines = ["Traceback (most recent call last):"]
    lines += frame_lines(traceback.extract_tb(error.__traceback__), folder)
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if earlier is not None:
        lines.append(f"(after {one_line(earlier)})")
    lines.append(one_line(error))
    flush()
    complain(lines)


def one_line(error: BaseException) -> str:
    parts = traceback.format_exception_only(type(error), error)
    text = " ".join("".join(parts).split())
    return text if len(text) <= 400 else f"{text[:150]} … {text[-240:]}"


def tell_place(folder: str) -> None:
    """Prints where the agent is when its time is up."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    lines = ["the time is up, and it is still here (most recent call last):"]
    complain(lines + frame_lines(traceback.extract_stack(frame), folder))


def complain(lines: Sequence[str]) -> None:
    """Writes lines to standard error, even if sys.stderr was replaced."""
    text = "".join(f"{line}\n" for line in lines)
    try:
        os.write(2, text.encode("utf-8", "backslashreplace"))
    except OSError:
        pass


def frame_lines(stack: Sequence[traceback.FrameSummary], folder: str) -> List[str]:
    frames = list(stack)
    while frames and leads_to_agent(frames[0].filename):
        frames.pop(0)
    lines = []
    for frame in frames:
        inside = frame.filename.startswith(folder + os.sep)
        file = os.path.relpath(frame.filename, folder) if inside else frame.filename
        lines.append(f'  File "{file}", line {frame.lineno}, in {frame.name}: {frame.line}')
    if len(lines) > MOST_FRAMES:
        cut = len(lines) - MOST_FRAMES + 1
        lines[1 : 1 + cut] = [f"  … {cut} more"]
    return lines


def leads_to_agent(filename: str) -> bool:
    """Whether a frame belongs to the runner, or to Python's start-up and import machinery."""
    ours = os.path.dirname(filename) == _OWN_FOLDER
    return ours or filename.startswith("<") or filename.endswith(_PYTHONS_OWN)


def flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


def leave(code: int) -> NoReturn:
    """Ends the process now, without waiting for the agent's threads and exit handlers."""
    flush()
    os._exit(code)


def main(arguments: Optional[Sequence[str]] = None) -> None:
    words = list(sys.argv[1:] if arguments is None else arguments)
    only_check = words[:1] == ["--check"]
    if only_check:
        del words[0]
    if len(words) != 1:
        print(USAGE, file=sys.stderr)
        sys.exit(2)
    try:
        source = Source.read(words[0])
        if only_check:
            check(source)
            print("ok")
            return
    except NoAgent as problem:
        print(problem)
        sys.exit(2)
    wire = Wire()
    faulthandler.enable(file=os.dup(2), all_threads=False)
    sys.argv = [source.file]
    # Agents keep their opening books and tables next to their file.
    if os.path.isdir(source.folder):
        os.chdir(source.folder)
    Runner(wire, source).run()


if __name__ == "__main__":
    main()
