"""An example of an agent for Fenix, as one file to hand in: agent.py.

It searches with alpha-beta, deeper and deeper until its time for the move is over. Read it from the
top to the bottom: first how a position is judged, then how a position after an action is made, then
the search, and at last the agent with its clock. Every number in capitals is there to be played with.

It needs nothing but the states it is given: `actions`, `is_terminal`, `utility`, `_flatten` and the
attributes.
"""

import time

# --- How good is a position? ---------------------------------------------------------------------

SOLDIER, GENERAL, KING = 1, 2, 3

# What pieces are worth. A general is more than two soldiers: it captures from afar. A king cannot be
# paid for, but it can rise again, so it is not worth the whole game.
WORTH = {SOLDIER: 100, GENERAL: 260, KING: 900}

# For every own piece next to the king: whoever jumps over the king must land behind it.
GUARD = 12

# For every step that the king is away from the enemy's corner, where it is safer.
FAR_AWAY = 6

# For every step that a soldier has gone towards the middle of the board, where it takes part.
FORWARD = 2

# More than any position is worth. A win is worth this much less the plies that it takes, so that
# sooner is better, and later is better for who loses.
WIN = 100_000

NEIGHBOURS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def evaluate(state):
    """How good the position is for the player to move."""
    return side_value(state, state.current_player) - side_value(state, -state.current_player)


def side_value(state, player):
    pieces = state.pieces
    total = 0
    for (row, column), value in pieces.items():
        if value * player <= 0:
            continue
        kind = abs(value)
        total += WORTH[kind]
        # Steps from this player's own corner: red begins on top at the left, black at the other end.
        steps = row + column if player == 1 else 13 - row - column
        if kind == KING:
            total -= FAR_AWAY * steps
            for down, right in NEIGHBOURS:
                if pieces.get((row + down, column + right), 0) * player > 0:
                    total += GUARD
        elif kind == SOLDIER:
            total += FORWARD * min(steps, 7)
    return total


# --- What does an action lead to? ----------------------------------------------------------------


def successor(state, action):
    """The same as `state.result(action)`, but faster.

    `result` makes a deep copy, which looks at every key of the dictionary. Squares and values never
    change, so copying the dictionary and the list is enough.
    """
    child = object.__new__(type(state))
    child.__dict__.update(state.__dict__)

    child.pieces = pieces = state.pieces.copy()
    pieces[action.end] = pieces.get(action.end, 0) + pieces.pop(action.start)
    captured = [abs(pieces.pop(square)) for square in action.removed]
    child.can_create_general = GENERAL in captured
    child.can_create_king = KING in captured

    child.turn = state.turn + 1
    child.current_player = -state.current_player
    child.precomputed_hash = None
    if captured:
        child.boring_turn = 0
        child.history_boring_turn_hash = []
    elif child.turn > 10:
        child.boring_turn = state.boring_turn + 1
        child.history_boring_turn_hash = state.history_boring_turn_hash + [state._hash()]
    return child


# --- The search ----------------------------------------------------------------------------------

# What the table says about a value: it is the value, or the value is at least or at most that.
EXACT, AT_LEAST, AT_MOST = range(3)

MOST_ENTRIES = 300_000

# The table knows boards, not how they came about. Close to fifty quiet plies that would be wrong.
TRUST_TABLE_UNTIL = 40


class TimeIsUp(Exception):
    """Raised in the middle of a search to get out of it at once."""


class Search:
    """Alpha-beta in the form called negamax: a value is always for the player to move, so what is
    good for the one is minus that for the other, and one function does for both."""

    def __init__(self):
        self.table = {}
        self.history = {}
        self.deadline = 0.0
        self.nodes = 0

    def best_action(self, state, actions, depth):
        """The best of the actions when looking `depth` plies ahead, and its value."""
        best, alpha = actions[0], -WIN
        for action in actions:
            value = -self.value(successor(state, action), depth - 1, 1, -WIN, -alpha)
            if value > alpha:
                best, alpha = action, value
        return best, alpha

    def value(self, state, depth, ply, alpha, beta):
        """The value of a state. What is not better than `alpha` or not worse than `beta` need not be
        exact: somebody has something better elsewhere, and it will not be played."""
        self.nodes += 1
        if time.perf_counter() > self.deadline:
            raise TimeIsUp
        if state.is_terminal():
            return state.utility(state.current_player) * (WIN - ply)
        actions = state.actions()
        if not actions:
            return ply - WIN  # whatever is answered now, the manager makes it lose

        # Captures must be played, so a position in which there are some is in the middle of an
        # exchange. Judging it would be a gamble: go on until it is quiet.
        if depth <= 0 and not actions[0].removed:
            return evaluate(state)

        key = (
            state._flatten(),
            state.current_player,
            state.can_create_general,
            state.can_create_king,
        )
        known = self.table.get(key) if state.boring_turn < TRUST_TABLE_UNTIL else None
        if known and known[0] >= depth:
            _, kind, value, _ = known
            if (
                kind == EXACT
                or (kind == AT_LEAST and value >= beta)
                or (kind == AT_MOST and value <= alpha)
            ):
                return value

        best, best_action, floor = -WIN, None, alpha
        for action in self.ordered(state, actions, known and known[3]):
            child = successor(state, action)
            value = -self.value(child, depth - 1, ply + 1, -beta, -alpha)
            if value > best:
                best, best_action = value, action
            alpha = max(alpha, value)
            if alpha >= beta:
                # The opponent will not let it come to this. Remember what was that good.
                where = (action.start, action.end)
                self.history[where] = self.history.get(where, 0) + depth * depth
                break

        kind = AT_LEAST if best >= beta else AT_MOST if best <= floor else EXACT
        # Wins are counted in plies from the root, which are others at the next place of this board.
        if len(self.table) < MOST_ENTRIES and abs(best) < WIN - 1000:
            self.table[key] = (depth, kind, best, best_action)
        return best

    def ordered(self, state, actions, first):
        """The actions, each once, the most promising first: the earlier a good one is tried, the
        more of the others can be left out. `first` is what was best here before."""

        def promise(action):
            units = sum(abs(state.pieces[square]) for square in action.removed)
            creates = action.end in state.pieces
            where = (action.start, action.end)
            return (action == first, units, creates, self.history.get(where, 0))

        return sorted(dict.fromkeys(actions), key=promise, reverse=True)


# --- The agent -----------------------------------------------------------------------------------

# A game is hardly longer than this many moves of ours; so much of the clock is a move worth.
MOVES_TO_GO = 35

# The next iteration takes several times as long as all before. With this part of the time gone it
# would not come to its end.
ENOUGH = 0.4

# Kept back for what happens outside of the search.
RESERVE_S = 0.05

MOST_DEPTH = 40


class AlphaBetaAgent:
    def __init__(self, player):
        self.player = player
        self.search = Search()

    def act(self, state, remaining_time):
        actions = list(dict.fromkeys(state.actions()))
        if not actions:
            return None  # lost by the rules
        if len(actions) == 1:
            return actions[0]
        if state.turn < 10:
            return self.set_up(state, actions)

        began = time.perf_counter()
        time_for_move = max(0.0, remaining_time - RESERVE_S) / MOVES_TO_GO
        search = self.search
        search.deadline = began + time_for_move
        if len(search.table) >= MOST_ENTRIES:
            search.table.clear()
        search.history.clear()

        best = actions[0]
        for depth in range(1, MOST_DEPTH + 1):
            try:
                best, value = search.best_action(state, actions, depth)
            except TimeIsUp:
                break  # what the last whole iteration found is good enough
            if abs(value) > WIN - 1000:
                break  # a forced end was found, deeper is no better
            if time.perf_counter() - began > ENOUGH * time_for_move:
                break
            # The best so far comes first, so that the others are measured against it.
            actions.sort(key=lambda action: action != best)
        return best

    def set_up(self, state, actions):
        """In the setup the armies do not meet, so what the opponent does is of no matter, and the
        best is what looks best. The king comes early, since it is worth so much: that keeps out of
        the trap of four generals without a soldier beside them."""
        return max(actions, key=lambda action: -evaluate(successor(state, action)))


# The name under which the course's other files look for an agent in agent.py.
Agent = AlphaBetaAgent
