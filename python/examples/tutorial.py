# %% [markdown]
# # Agon from Python: a tutorial
#
# Games, searches, matches, and an agent of your own. Run this file as it is (`python tutorial.py`),
# or open it cell by cell: editors show `# %%` as cells, and Jupyter opens it as a notebook with
# jupytext. There the last line of a cell shows positions as boards and matches as tables.

# %%
import random
import tempfile
from pathlib import Path

import agon

# %% [markdown]
# ## Play
#
# A game is named by its text, as everywhere in Agon. Positions use the names of the textbook:
# `to_move`, `actions`, `result`, `is_terminal`, `utility`. They are immutable: `result` returns a
# new one.

# %%
game = agon.Game("breakthrough:5x5")
position = game.start()
moves = position.actions()
print("player", position.to_move(), "has", len(moves), "moves, such as", moves[0])
position

# %%
after = position.result("b2b3")
print(after, "and the old one is still", position)
assert after != position and after.parent == position

# %% [markdown]
# A whole random game. The generator has a fixed seed, so that it is the same game every time.

# %%
rng = random.Random(1)
while not position.is_terminal():
    position = position.result(rng.choice(position.actions()))
print("over after", position.ply, "moves:", position.reason)
print("white", position.utility(1), "black", position.utility(-1))
position

# %% [markdown]
# An illegal move is an error that says what would be right.

# %%
try:
    game.start().result("b2b9")
except agon.NotationError as error:
    print(error)

# %% [markdown]
# ## Search
#
# The engine, or any other agent, thinks about a position for some time, to some depth or for some
# number of nodes.

# %%
start = agon.Game("congo").start()
found = agon.search(start, depth=4)
print("best:", found.move, "with the line", " ".join(map(str, found.line)))
print(f"{found.statistics.nodes:,} nodes in {found.statistics.seconds:.3f} s")

# %% [markdown]
# Iterations come one by one, while it searches.

# %%
for iteration in agon.search_iter(start, depth=4):
    print(iteration)

# %% [markdown]
# Your own search, in a few lines. It works in every two-player game, because it only uses the
# textbook's interface.


# %%
def value(position, player, depth):
    """The minimax value of a position for a player."""
    if position.is_terminal():
        return 1000 * position.utility(player)
    if depth == 0:
        worth = position.evaluate()
        return worth / 100 if position.to_move() == player else -worth / 100
    values = [value(position.result(action), player, depth - 1) for action in position.actions()]
    return max(values) if position.to_move() == player else min(values)


def minimax(position, remaining):
    """An agent: the action that leads to the best value, two plies deep."""
    player = position.to_move()
    return max(position.actions(), key=lambda action: value(position.result(action), player, 1))


small = agon.Game("breakthrough:5x5").start()
print("minimax plays", minimax(small, 1.0))

# %% [markdown]
# ## Match
#
# Who is better? Players are agents' texts, or your own functions and classes. Everybody plays both
# sides, from random openings.

# %%
result = agon.match("breakthrough:5x5", minimax, "random", games=10, seed=1)
print(result)
assert result.standings[0].wins > result.standings[1].wins
result

# %% [markdown]
# Every game is there, move by move.

# %%
print(result.games[0])
print(result.games[0].final())

# %% [markdown]
# ## A student's agent
#
# The Fenix course asks for a file with a class. It plays here unchanged: write it, and name it as
# `python:FILE`. It runs in its own process, and a mistake loses it a game and nothing else. On the
# command line it is the same: `agon match fenix python:agent.py random`.

# %%
AGENT = '''
from agent import Agent
from fenix import *


class Hungry(Agent):
    """Takes as much as it can, and prefers to build in the beginning."""

    def act(self, state, remaining_time):
        actions = state.actions()
        print(f"turn {state.turn}: {len(actions)} actions, {remaining_time:.1f} s left")
        return max(actions, key=lambda action: self.worth(state, action))

    def worth(self, state, action):
        after = state.result(action)
        own = sum(value for value in after.pieces.values() if value * self.player > 0)
        others = sum(value for value in after.pieces.values() if value * self.player < 0)
        return abs(own) - abs(others) + 100 * after.utility(self.player)
'''

folder = Path(tempfile.mkdtemp())
(folder / "agent.py").write_text(AGENT)
result = agon.match("fenix", f"python:{folder / 'agent.py'}", "random", games=4, time="60s", seed=1)
print(result)
assert result.standings[0].faults == 0

# %% [markdown]
# A mistake ends the game with its traceback in the record.

# %%
(folder / "broken.py").write_text("def choose(state, remaining):\n    return state.actoins()[0]\n")
result = agon.match("fenix", f"python:{folder / 'broken.py'}", "random", games=2, time="60s")
print(result.games[0].reason)
print(result.games[0].evidence)
assert "AttributeError" in (result.games[0].evidence or "")

# %% [markdown]
# The course's own modules are available as well, for everything else that the course's files do.

# %%
from agon.fenix import RandomAgent, TextGameManager

random.seed(1)
scores = TextGameManager(RandomAgent(1), RandomAgent(-1), display=False).play()
print("random against random:", scores)

# %% [markdown]
# Further: `agon.solve` for exact values, `agon.perft` to count, `agon.records` for games that were
# stored, and `help(agon)`.

# %%
print(agon.solve(agon.Game("breakthrough:3x5").start()))
