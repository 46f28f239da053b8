"""Positions of Fenix for the tests: of random games, of the repository's vectors, and odd ones that
can only arise from changing attributes by hand."""

import json
import random
from pathlib import Path

VECTORS = Path(__file__).resolve().parents[2] / "crates/games/src/fenix/vectors.jsonl"

FIELDS = [
    "dim",
    "pieces",
    "turn",
    "current_player",
    "can_create_general",
    "can_create_king",
    "precomputed_hash",
    "history_boring_turn_hash",
    "boring_turn",
]

# The pieces of odd boards, by what is odd about them.
KINDS = {
    "usual": [1, 1, 2, 3, -1, -1, -2, -3],
    "stacks": [1, 2, 3, 4, 5, -1, -2, -3, -4, -6],
    "large enemies": [1, 2, 3, -1, -2, -3, -4, -7],
    "zeros": [0, 1, 2, 3, -1, -2, -3],
    "off the board": [1, 2, 3, -1, -2, -3],
    "other boards": [1, 2, 3, -1, -2, -3],
}


def vectors():
    with VECTORS.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def state_of(module, fields, base=None):
    """A state with these attributes; keys and values are not shared with other states."""
    state = module.FenixState() if base is None else base
    for name, value in fields.items():
        setattr(state, name, value.copy() if isinstance(value, (dict, list)) else value)
    return state


def seen(state):
    """Everything visible of a state, including the order of pieces."""
    fields = dict(vars(state))
    fields["pieces"] = list(fields["pieces"].items())
    return fields


def odd_fields(rng, kind):
    """Attributes that no game reaches."""
    squares = [(row, column) for row in range(7) for column in range(8)]
    if kind == "off the board":
        squares = [(row, column) for row in range(-2, 9) for column in range(-2, 10)]
    pieces = {}
    for _ in range(rng.randrange(32)):
        pieces[rng.choice(squares)] = rng.choice(KINDS[kind])
    return {
        "dim": rng.choice([(5, 5), (8, 8), (7, 9), (3, 12), (0, 0)])
        if kind == "other boards"
        else (7, 8),
        "pieces": pieces,
        "turn": rng.choice([0, 5, 9, 10, 11, 12, rng.randrange(100)]),
        "current_player": rng.choice([1, -1]),
        "can_create_general": rng.random() < 0.4,
        "can_create_king": rng.random() < 0.4,
        "precomputed_hash": rng.choice([None, None, None, 12345]),
        "history_boring_turn_hash": rng.choice([[], [12345] * 2, [12345] * 3, [7]]),
        "boring_turn": rng.choice([0, 0, 3, 49, 50, 60]),
    }


def odd_action(rng, module, state):
    """An action that is hardly ever legal."""
    squares = [*state.pieces, (0, 0), (3, 3), (6, 7)]
    removed = [rng.choice(squares) for _ in range(rng.choice([0, 0, 1, 2]))]
    wrap = rng.choice([frozenset, set, list, tuple])
    return module.FenixAction(rng.choice(squares), rng.choice(squares), wrap(removed))


def random_game(module, seed):
    """The states of a random game, including the last."""
    rng = random.Random(seed)
    state = module.FenixState()
    while True:
        yield state
        actions = state.actions()
        if state.is_terminal() or not actions:
            return
        state = state.result(actions[rng.randrange(len(actions))])
