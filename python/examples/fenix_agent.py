"""An example agent for Fenix, in one file to hand in: agent.py.

It searches with alpha-beta and iterative deepening until its time for the move is up. Read it from
top to bottom: first the evaluation of a position, then how to compute the position after an action,
then the search, and finally the agent with its clock. Every number in capitals is there to be
tuned.

It needs nothing but the states it is given: `actions`, `is_terminal`, `utility`, `_flatten` and the
attributes.
"""

import time

# --- How good is a position? ---------------------------------------------------------------------

SOLDIER, GENERAL, KING = 1, 2, 3

# Piece values. A general is worth more than two soldiers: it captures from afar. Losing the king
# can lose the game, but it can rise again, so it is not worth the whole game.
WORTH = {SOLDIER: 100, GENERAL: 260, KING: 900}

# For every own piece next to the king: an enemy that jumps over the king must land behind it.
GUARD = 12

# For every step that the king is away from the enemy's corner, where it is safer.
FAR_AWAY = 6

# For every step that a soldier has advanced towards the middle of the board.
FORWARD = 2

# More than any evaluation. A win is worth this minus the plies that it takes, so that quick wins
# and slow losses are preferred.
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
        # Steps from this player's own corner: red starts at the top left, black at the bottom
        # right.
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

    `result` makes a deep copy, which visits every key of the dictionary. Squares and values never
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

# The kind of a stored value: exact, a lower bound or an upper bound.
EXACT, AT_LEAST, AT_MOST = range(3)

MOST_ENTRIES = 300_000

# The table ignores the history of a board. Close to fifty quiet plies that would be wrong.
TRUST_TABLE_UNTIL = 40


class TimeIsUp(Exception):
    """Raised in the middle of a search to abort it at once."""


class Search:
    """Alpha-beta in negamax form: a value is always for the player to move, so one player's value
    is the other's negated, and one function serves both."""

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
        """The value of a state. Values up to `alpha` or from `beta` on need not be exact: one of
        the players has something better elsewhere, so this line will not be played."""
        self.nodes += 1
        if time.perf_counter() > self.deadline:
            raise TimeIsUp
        if state.is_terminal():
            return state.utility(state.current_player) * (WIN - ply)
        actions = state.actions()
        if not actions:
            return ply - WIN  # whatever it answers now, the manager scores a loss

        # Captures must be played, so a position in which there are some is in the middle of an
        # exchange. A static evaluation would be unreliable: search on until it is quiet (quiescence
        # search).
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
                # A cut-off: the opponent will avoid this position. Remember the action (history
                # heuristic).
                where = (action.start, action.end)
                self.history[where] = self.history.get(where, 0) + depth * depth
                break

        kind = AT_LEAST if best >= beta else AT_MOST if best <= floor else EXACT
        # Wins are counted in plies from the root, so they would be wrong elsewhere in the tree.
        if len(self.table) < MOST_ENTRIES and abs(best) < WIN - 1000:
            self.table[key] = (depth, kind, best, best_action)
        return best

    def ordered(self, state, actions, first):
        """The actions, each once, the most promising first: the earlier a good one is tried, the
        more of the others are cut off. `first` is the best action stored in the table."""

        def promise(action):
            units = sum(abs(state.pieces[square]) for square in action.removed)
            creates = action.end in state.pieces
            where = (action.start, action.end)
            return (action == first, units, creates, self.history.get(where, 0))

        return sorted(dict.fromkeys(actions), key=promise, reverse=True)


# --- The agent -----------------------------------------------------------------------------------

# A game hardly takes more than this many of our moves; each gets an equal share of the clock.
MOVES_TO_GO = 35

# The next iteration takes several times as long as all before. After this part of the time it would
# not finish.
ENOUGH = 0.4

# A reserve for what happens outside the search.
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
                break  # use the result of the last complete iteration
            if abs(value) > WIN - 1000:
                break  # a forced result was found; searching deeper is pointless
            if time.perf_counter() - began > ENOUGH * time_for_move:
                break
            # Search the best so far first, so that the others are compared with it.
            actions.sort(key=lambda action: action != best)
        return best

    def set_up(self, state, actions):
        """In the setup the armies do not interact, so the opponent's moves do not matter, and one
        ply of search is enough. The king is made early, since it is worth so much: that avoids the
        trap of four generals without a soldier beside them."""
        return max(actions, key=lambda action: -evaluate(successor(state, action)))


# The course's other files import the agent under this name.
Agent = AlphaBetaAgent
