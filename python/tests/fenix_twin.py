"""The naive twin of the Fenix drop-in: the course's interface, written from its description.

It does what the description says in the simplest way: `result` takes a deep copy, chains of captures
are followed with a stack. It is the oracle of the tests and what the benchmark compares with, so it
is meant to be checked by reading, not to be fast.
"""

from collections import namedtuple
from copy import deepcopy

FenixAction = namedtuple("FenixAction", ["start", "end", "removed"])

UP, LEFT, DOWN, RIGHT = (-1, 0), (0, -1), (1, 0), (0, 1)
ORTHOGONAL = [UP, LEFT, DOWN, RIGHT]
ALL_AROUND = ORTHOGONAL + [(-1, -1), (-1, 1), (1, 1), (1, -1)]

SOLDIER, GENERAL, KING = 1, 2, 3
SETUP_PLIES = 10
MOST_GENERALS = 4
MOST_QUIET_PLIES = 50
REPETITIONS = 3


def beside(square, direction):
    return (square[0] + direction[0], square[1] + direction[1])


class FenixState:
    def __init__(self):
        self.dim = (7, 8)
        self.pieces = {}
        for diagonal in range(6):
            for column in range(diagonal + 1):
                self.pieces[(diagonal - column, column)] = 1
                self.pieces[(6 - diagonal + column, 7 - column)] = -1
        self.turn = 0
        self.current_player = 1
        self.can_create_general = False
        self.can_create_king = False
        self.precomputed_hash = None
        self.history_boring_turn_hash = []
        self.boring_turn = 0

    def to_move(self):
        return self.current_player

    # --- actions

    def actions(self):
        if self.turn < SETUP_PLIES:
            return self._setup_actions()
        return self._max_actions()

    def _setup_actions(self):
        player = self.current_player
        found = []
        for start, value in self.pieces.items():
            if value != SOLDIER * player:
                continue
            for direction in ORTHOGONAL:
                end = beside(start, direction)
                onto = self.pieces.get(end)
                general = onto == SOLDIER * player and self._count_generals(player) < MOST_GENERALS
                king = onto == GENERAL * player and not self._has_king(player)
                if general or king:
                    found.append(FenixAction(start, end, frozenset()))
        return found

    def _max_actions(self):
        most = 0
        found = []
        stack = [
            (square, square, frozenset())
            for square, value in self.pieces.items()
            if value * self.current_player >= 0
        ]
        while stack:
            start, here, removed = stack.pop()
            for end, captured in self._extensions(start, here, removed):
                chain = removed if captured is None else removed | {captured}
                units = sum(abs(self.pieces[square]) for square in chain)
                if units > most:
                    most = units
                    found = []
                if units == most:
                    found.append(FenixAction(start, end, chain))
                if captured is not None:
                    stack.append((start, end, chain))
        return found

    def _extensions(self, start, here, removed):
        """The continuations of a chain: where the piece lands, and what it captures, None for a
        step."""
        kind = abs(self.pieces[start])
        if kind == SOLDIER:
            return self._steps(here, removed, ORTHOGONAL, True)
        if kind == GENERAL:
            return self._slides(here, removed)
        if kind == KING:
            return self._steps(here, removed, ALL_AROUND, False)
        raise TypeError(f"no piece moves like {self.pieces[start]} on {start}")

    def _steps(self, here, removed, directions, soldier):
        for direction in directions:
            over = beside(here, direction)
            if self._is_enemy(over):
                end = beside(over, direction)
                if over not in removed and self._is_free(end):
                    yield end, over
            elif not removed:
                if self._is_free(over) or (soldier and self._may_create_on(over)):
                    yield over, None

    def _slides(self, here, removed):
        for direction in ORTHOGONAL:
            end = beside(here, direction)
            while self._is_free(end):
                if not removed:
                    yield end, None
                end = beside(end, direction)
            over = end
            if not self._is_enemy(over) or over in removed:
                continue
            end = beside(over, direction)
            while self._is_free(end):
                yield end, over
                end = beside(end, direction)

    def _may_create_on(self, square):
        onto = abs(self.pieces.get(square, 0)) if self._is_inside(square) else 0
        return (onto == SOLDIER and self.can_create_general) or (
            onto == GENERAL and self.can_create_king
        )

    def _is_inside(self, square):
        return 0 <= square[0] < self.dim[0] and 0 <= square[1] < self.dim[1]

    def _is_free(self, square):
        return self._is_inside(square) and square not in self.pieces

    def _is_enemy(self, square):
        value = self.pieces.get(square, 0)
        return self._is_inside(square) and value * self.current_player < 0

    # --- result

    def result(self, action):
        child = deepcopy(self)
        moved = child.pieces[action.start]
        child.pieces[action.end] = child.pieces.get(action.end, 0) + moved
        del child.pieces[action.start]
        child.can_create_general = False
        child.can_create_king = False
        for square in action.removed:
            if abs(child.pieces[square]) == GENERAL:
                child.can_create_general = True
            if abs(child.pieces[square]) == KING:
                child.can_create_king = True
            del child.pieces[square]
        child.turn += 1
        child.current_player = -child.current_player
        child.precomputed_hash = None
        if action.removed:
            child.boring_turn = 0
            child.history_boring_turn_hash = []
        elif child.turn > SETUP_PLIES:
            child.boring_turn += 1
            child.history_boring_turn_hash.append(self._hash())
        return child

    # --- the end

    def is_terminal(self):
        return self._winner() is not None

    def utility(self, player):
        winner = self._winner()
        if not winner:
            return 0
        return 1 if winner == player else -1

    def _winner(self):
        """The winner, 0 for a draw, None while the game goes on."""
        player = self.current_player
        if self.history_boring_turn_hash.count(self._hash()) >= REPETITIONS:
            return 0
        if self.boring_turn >= MOST_QUIET_PLIES:
            return 0
        if self.turn <= SETUP_PLIES and not self.actions():
            return -player
        if self.turn > SETUP_PLIES and not self._has_king(-player):
            return player
        if not self._has_piece(player):
            return -player
        if not self._has_piece(-player):
            return player
        return None

    # --- used by students' tables and evaluations

    def _hash(self):
        if self.precomputed_hash is None:
            self.precomputed_hash = hash(self._flatten())
        return self.precomputed_hash

    def _flatten(self):
        rows, columns = self.dim
        board = [0] * (rows * columns)
        for (row, column), value in self.pieces.items():
            board[row * columns + column] = value
        return tuple(board)

    def _has_king(self, player):
        return KING * player in self.pieces.values()

    def _count_generals(self, player):
        return list(self.pieces.values()).count(GENERAL * player)

    def _has_piece(self, player):
        return sum(1 for value in self.pieces.values() if value * player > 0)

    def __str__(self):
        rows, columns = self.dim
        rule = "-" * (5 * columns + 1) + "\n"
        text = rule
        for row in range(rows):
            cells = [self.pieces.get((row, column), "") for column in range(columns)]
            text += "|" + "".join(f" {cell:>2} |" for cell in cells) + "\n" + rule
        return text
