"""Faulty agents, named after what they do wrong."""

import os
import signal
import sys
import threading
import time


def first(state):
    return state.actions()[0]


class Raises:
    def __init__(self, player):
        self.player = player

    def act(self, state, remaining_time):
        return self.dig(state, 30)

    def dig(self, state, depth):
        if depth == 0:
            raise ValueError("not my day")
        return self.dig(state, depth - 1)


class RaisesInConstructor:
    def __init__(self, player):
        self.table = {}[player]

    def act(self, state, remaining_time):
        return first(state)


class NotAtOnce:
    """Plays well for a while."""

    def __init__(self, player):
        self.asked = 0

    def act(self, state, remaining_time):
        self.asked += 1
        return first(state) if self.asked < 3 else None


class Hangs:
    def act(self, state, remaining_time):
        while True:
            self.think()

    def think(self):
        time.sleep(0.001)


class Sleeps:
    def act(self, state, remaining_time):
        time.sleep(600)


class PrintsMegabytes:
    def act(self, state, remaining_time):
        for _ in range(80):
            print("z" * 1_000_000)
        return first(state)


class WritesMegabytes:
    def act(self, state, remaining_time):
        for _ in range(1300):
            os.write(1, b"bestmove a1a2\n" * 4681)
        return first(state)


class Exits:
    def act(self, state, remaining_time):
        sys.exit(0)


class LeavesAtOnce:
    def act(self, state, remaining_time):
        os._exit(0)


class Forks:
    """More than is allowed."""

    def act(self, state, remaining_time):
        for _ in range(200):
            if os.fork() == 0:
                time.sleep(600)
        time.sleep(600)


class LeavesChildren:
    def act(self, state, remaining_time):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(600)
            os._exit(0)
        os.wait()
        time.sleep(0.6)
        return first(state)


class ReturnsNonsense:
    def act(self, state, remaining_time):
        return {"move": 42}


class ReturnsNothing:
    def act(self, state, remaining_time):
        first(state)


class ReturnsOldAction:
    """An action of the previous state."""

    def __init__(self, player):
        self.last = None

    def act(self, state, remaining_time):
        last, self.last = self.last, first(state)
        return last or self.last


class ReturnsLiar:
    """Something that is equal to everything and fails when it is shown."""

    class Liar:
        def __eq__(self, other):
            raise RuntimeError("equal to whom?")

        def __repr__(self):
            raise RuntimeError("no words")

    def act(self, state, remaining_time):
        return self.Liar()


class ReadsInput:
    def act(self, state, remaining_time):
        return input("your move? ")


class ClosesFiles:
    def act(self, state, remaining_time):
        os.closerange(0, 256)
        return first(state)


class KillsItself:
    def act(self, state, remaining_time):
        os.kill(os.getpid(), signal.SIGKILL)


class OverflowsStack:
    def act(self, state, remaining_time):
        return self.act(state, remaining_time)


# Nuisances that cost nothing.


class Chatters:
    """Prints, including lines that look like the protocol and bytes that are no text."""

    def act(self, state, remaining_time):
        print("bestmove resign")
        sys.stderr.write("bestmove resign\n")
        os.write(1, b"\xff\x1b[2Jbestmove resign\n")
        print("\udcff no end", end="")
        return first(state)


class ChangesState:
    def act(self, state, remaining_time):
        action = first(state)
        if hasattr(state, "pieces"):
            state.pieces.clear()
            state.turn = 1000
            state.current_player = 7
        return action


class KeepsThreads:
    """Leaves behind threads that never end and a slow exit handler."""

    def __init__(self, player):
        import atexit

        atexit.register(time.sleep, 600)

    def act(self, state, remaining_time):
        threading.Thread(target=time.sleep, args=(600,)).start()
        return first(state)


class ForksAndGoesOn:
    """Both processes return an answer."""

    def act(self, state, remaining_time):
        child = os.fork()
        if child:
            os.waitpid(child, 0)
        return first(state)


class HelpsItself:
    """Computes in other processes, as people do to use more cores."""

    def act(self, state, remaining_time):
        import multiprocessing

        with multiprocessing.get_context("fork").Pool(2) as pool:
            numbers = pool.map(abs, [-1, 2, -3])
        assert numbers == [1, 2, 3]
        return first(state)
