"""`FenixState` and `FenixAction`, as in the course's `fenix` module.

The attributes are the state: they may be changed in place at any time, so every method reads them
afresh. The expensive parts are done in Rust; what students' code may override (`actions`, `_hash`,
`_has_king` and the like) is called as a method.
"""

from __future__ import annotations

from collections import namedtuple
from copy import deepcopy
from typing import Any, Dict, List, Optional, Tuple, TypeVar

from agon._native import FenixRules

Square = Tuple[int, int]
State = TypeVar("State", bound="FenixState")

# Not `typing.NamedTuple`: it would have annotations, which the course's class has not.
FenixAction = namedtuple("FenixAction", ["start", "end", "removed"])
FenixAction.__doc__ = """A move: from `start` to `end`, taking the pieces on the squares `removed`.

>>> FenixAction((0, 0), (1, 0), frozenset())
FenixAction(start=(0, 0), end=(1, 0), removed=frozenset())
>>> FenixAction((0, 0), (1, 0), frozenset()) == ((0, 0), (1, 0), set())
True
"""

_RULES = FenixRules(FenixAction)


def _start() -> Dict[Square, int]:
    """The board at the start. Its order is part of the interface: it determines the order of
    actions."""
    squares = {square: square for square in _RULES.squares}
    pieces = {}
    for diagonal in range(6):
        for column in range(diagonal + 1):
            pieces[squares[diagonal - column, column]] = 1
            pieces[squares[6 - diagonal + column, 7 - column]] = -1
    return pieces


_START = _start()

_SETUP_PLIES = 10
_MOST_GENERALS = 4
_MOST_QUIET_PLIES = 50
_REPETITIONS = 3

_GENERAL, _KING = 2, 3

_FIELDS = 9
_new: Any = object.__new__


class FenixState:
    """A state of the game: the board, whose turn it is, and the history the rules need.

    >>> state = FenixState()
    >>> len(state.actions())
    60
    >>> state.actions()[0]
    FenixAction(start=(0, 0), end=(1, 0), removed=frozenset())
    >>> state.result(state.actions()[0]).to_move()
    -1
    """

    dim: Tuple[int, int]
    pieces: Dict[Square, int]
    turn: int
    current_player: int
    can_create_general: bool
    can_create_king: bool
    precomputed_hash: Optional[int]
    history_boring_turn_hash: List[int]
    boring_turn: int

    def __init__(self) -> None:
        self.dim = (7, 8)
        self.pieces = _START.copy()
        self.turn = 0
        self.current_player = 1
        self.can_create_general = False
        self.can_create_king = False
        self.precomputed_hash = None
        self.history_boring_turn_hash = []
        self.boring_turn = 0

    def to_move(self) -> int:
        """The player to move: 1 is red, -1 is black."""
        return self.current_player

    def actions(self) -> List[FenixAction]:
        """A new list of what the player to move may do, in the course's order.

        Two chains of captures with the same start, end and captures are two equal entries. Terminal
        states have actions, too.
        """
        if self.turn < _SETUP_PLIES:
            return self._setup_actions()
        return self._max_actions()

    def _setup_actions(self) -> List[FenixAction]:
        player = self.current_player
        room_for_general = self._count_generals(player) < _MOST_GENERALS
        room_for_king = not self._has_king(player)
        return _RULES.setup_actions(self.pieces, player, room_for_general, room_for_king)

    def _max_actions(self) -> List[FenixAction]:
        return _RULES.max_actions(
            self.pieces,
            self.dim,
            self.current_player,
            self.can_create_general,
            self.can_create_king,
        )

    def result(self: State, action: FenixAction) -> State:
        """The state after an action, as a deep copy. Legality is not checked."""
        if (
            type(self) is FenixState
            and len(self.__dict__) == _FIELDS
            and type(self.pieces) is dict
            and type(self.dim) is tuple
            and not hasattr(FenixState, "__deepcopy__")
        ):
            # Only the attributes set below.
            child: State = _new(FenixState)
            child.dim = self.dim
            child.pieces = pieces = self.pieces.copy()
            history = self.history_boring_turn_hash.copy()
        else:
            child = deepcopy(self)
            pieces, history = child.pieces, child.history_boring_turn_hash

        start, end, removed = action.start, action.end, action.removed
        moved = pieces[start]
        pieces[end] = pieces.get(end, 0) + moved
        del pieces[start]
        general = king = False
        for square in removed:
            units = abs(pieces[square])
            if units == _GENERAL:
                general = True
            elif units == _KING:
                king = True
            del pieces[square]

        child.turn = self.turn + 1
        child.current_player = -self.current_player
        child.can_create_general = general
        child.can_create_king = king
        child.precomputed_hash = None
        if removed:
            child.history_boring_turn_hash = []
            child.boring_turn = 0
        else:
            child.history_boring_turn_hash = history
            child.boring_turn = self.boring_turn
            if child.turn > _SETUP_PLIES:
                child.boring_turn += 1
                history.append(self._hash())
        return child

    def is_terminal(self) -> bool:
        """Whether the game is over. Having no actions after the setup does not end it."""
        return _winner(self) is not None

    def utility(self, player: int) -> int:
        """1 if the player has won, -1 if it has lost, 0 for a draw or while the game goes on.

        >>> FenixState().utility(1)
        0
        """
        winner = _winner(self)
        if not winner:
            return 0
        return 1 if winner == player else -1

    def _hash(self) -> int:
        """A hash of the board alone, cached until `result`; code that changes `pieces` must set
        `precomputed_hash` to None. In Python -1 and -2 have the same hash, so a black soldier looks
        like a black general here, as in the course's code."""
        if self.precomputed_hash is None:
            self.precomputed_hash = hash(self._flatten())
        return self.precomputed_hash

    def _flatten(self) -> Tuple[int, ...]:
        return _RULES.flatten(self.pieces, self.dim)

    def _has_king(self, player: int) -> bool:
        return _KING * player in self.pieces.values()

    def _count_generals(self, player: int) -> int:
        return list(self.pieces.values()).count(_GENERAL * player)

    def _has_piece(self, player: int) -> int:
        return _RULES.count_pieces(self.pieces, player)

    def _is_inside(self, square: Square) -> bool:
        return 0 <= square[0] < self.dim[0] and 0 <= square[1] < self.dim[1]

    def __str__(self) -> str:
        rows, columns = self.dim
        rule = "-" * (5 * columns + 1) + "\n"
        lines = [rule]
        for row in range(rows):
            values = [self.pieces.get((row, column), "") for column in range(columns)]
            lines.append("|" + "".join(f" {value:>2} |" for value in values) + "\n")
            lines.append(rule)
        return "".join(lines)


def _winner(state: FenixState) -> Optional[int]:
    """The winner, 0 for a draw, None while the game goes on.

    Not a method: subclasses are free to use the name.
    """
    if state.history_boring_turn_hash.count(state._hash()) >= _REPETITIONS:
        return 0
    if state.boring_turn >= _MOST_QUIET_PLIES:
        return 0
    player = state.current_player
    if state.turn <= _SETUP_PLIES:
        if not state.actions():
            return -player
    elif not state._has_king(-player):
        return player
    if not _is_alive(state, player):
        return -player
    if not _is_alive(state, -player):
        return player
    return None


_has_piece = FenixState._has_piece


def _is_alive(state: FenixState, player: int) -> bool:
    """Whether `_has_piece` is not 0; stops at the first piece unless it is overridden."""
    if type(state)._has_piece is _has_piece:
        return _RULES.has_piece(state.pieces, player)
    return bool(state._has_piece(player))
