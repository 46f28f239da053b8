"""`FenixState` against the naive twin, the repository's vectors and the native game."""

import copy
import hashlib
import pickle
import random

import fenix_twin
import pytest
from fenix_positions import (
    FIELDS,
    KINDS,
    odd_action,
    odd_fields,
    random_game,
    seen,
    state_of,
    vectors,
)

import agon
import agon.fenix
from agon.fenix import FenixAction, FenixState

QUESTIONS = [
    ("actions",),
    ("is_terminal",),
    ("utility", 1),
    ("utility", -1),
    ("to_move",),
    ("_flatten",),
    ("_hash",),
    ("_has_king", 1),
    ("_has_king", -1),
    ("_count_generals", 1),
    ("_count_generals", -1),
    ("_has_piece", 1),
    ("_has_piece", -1),
    ("_is_inside", (6, 7)),
    ("_is_inside", (7, 0)),
    ("__str__",),
]


def answer(state, name, *arguments):
    """The result of a method, or the type of its error; error messages may differ."""
    try:
        value = getattr(state, name)(*arguments)
    except Exception as error:
        value = (type(error), error.args if isinstance(error, KeyError) else None)
    else:
        if name == "result":
            value = seen(value)
    return value


def check_alike(ours, twin, what):
    for name, *arguments in QUESTIONS:
        mine, theirs = answer(ours, name, *arguments), answer(twin, name, *arguments)
        assert mine == theirs, (what, name)
        assert seen(ours) == seen(twin), (what, "attributes after", name)


def check_results_alike(ours, twin, action, what):
    theirs = action
    if isinstance(action, tuple) and hasattr(action, "start"):
        theirs = fenix_twin.FenixAction(*action)
    assert answer(ours, "result", action) == answer(twin, "result", theirs), (what, action)
    assert seen(ours) == seen(twin), (what, action)


@pytest.mark.parametrize("seed", range(60))
def test_random_games_are_those_of_the_twin(seed):
    both = zip(random_game(agon.fenix, seed), random_game(fenix_twin, seed))
    for ours, twin in both:
        check_alike(ours, twin, (seed, ours.turn))
    assert ours.is_terminal() or not ours.actions()


@pytest.mark.parametrize("kind", KINDS)
def test_odd_boards_are_those_of_the_twin(kind):
    rng = random.Random(kind)
    for number in range(700):
        fields = odd_fields(rng, kind)
        ours, twin = state_of(agon.fenix, fields), state_of(fenix_twin, fields)
        check_alike(ours, twin, fields)
        actions = answer(ours, "actions")
        for action in rng.sample(actions, min(3, len(actions))) if type(actions) is list else []:
            check_results_alike(ours, twin, action, fields)
        check_results_alike(ours, twin, odd_action(rng, agon.fenix, ours), fields)


def test_states_changed_in_place_are_read_anew():
    rng = random.Random(3)
    for seed in range(25):
        for ours, twin in zip(random_game(agon.fenix, seed), random_game(fenix_twin, seed)):
            for name in rng.sample(["pieces", "turn", "current_player", "flags", "quiet"], 2):
                if name == "pieces" and ours.pieces:
                    square = rng.choice(list(ours.pieces))
                    value = rng.choice([1, 2, 3, -1, -2, -3])
                    for state in (ours, twin):
                        state.pieces[square] = value
                        state.precomputed_hash = None
                elif name == "turn":
                    ours.turn = twin.turn = rng.choice([9, 10, 11, 30])
                elif name == "current_player":
                    ours.current_player = twin.current_player = -ours.current_player
                elif name == "flags":
                    ours.can_create_general = twin.can_create_general = rng.choice([0, 1, True])
                    ours.can_create_king = twin.can_create_king = rng.choice([0, 1, None])
                else:
                    ours.boring_turn = twin.boring_turn = rng.choice([0, 49, 50])
                check_alike(ours, twin, (seed, name))


def test_the_vectors():
    for vector in vectors():
        state, twin = FenixState(), fenix_twin.FenixState()
        if vector["base"]:
            base = dict(vector["base"])
            rows = base.pop("board")
            base["current_player"] = base.pop("to_move")
            base["pieces"] = {
                (row, column): value
                for row, values in enumerate(rows)
                for column, value in enumerate(values)
                if value
            }
            base.pop("history")
            state, twin = state_of(agon.fenix, base), state_of(fenix_twin, base)
        for start, end, removed in vector["path"]:
            removed = frozenset(map(tuple, removed))
            state = state.result(FenixAction(tuple(start), tuple(end), removed))
            twin = twin.result(fenix_twin.FenixAction(tuple(start), tuple(end), removed))
        check_alike(state, twin, vector["id"])
        rows, columns = state.dim
        board = [value for row in vector["board"] for value in row]
        assert list(state._flatten()) == board
        for field in ("turn", "can_create_general", "can_create_king", "boring_turn"):
            assert getattr(state, field) == vector[field], vector["id"]
        assert state.to_move() == vector["to_move"]
        assert len(state.history_boring_turn_hash) == len(vector["history"])
        actions = state.actions()
        assert len(actions) == vector["n_actions"], vector["id"]
        expected = {
            (tuple(start), tuple(end), frozenset(map(tuple, removed)))
            for start, end, removed in vector["actions"]
        }
        assert set(actions) == expected and len(expected) == vector["n_unique"], vector["id"]
        assert state.is_terminal() == vector["terminal"], vector["id"]
        ends = (state.utility(1), state.utility(-1))
        assert ends == (vector["utility_red"], vector["utility_black"]), vector["id"]


@pytest.mark.parametrize(
    "m, b, plies, entries, digest, ends",
    [
        (0, 0, 20, 587, "5df586f7b2ac7c17", (1, -1)),
        (1, 0, 20, 629, "44b0b1e94f10dff8", (1, -1)),
        (7, 3, 45, 1129, "dcb3722d2c159570", (-1, 1)),
        (17, 8, 116, 2170, "470a7982d2583fe6", (0, 0)),
        (36, 8, 100, 2260, "70970d48ac12780d", (1, -1)),
        (38, 8, 93, 1629, "a9529eaa5a593891", (-1, 1)),
    ],
)
@pytest.mark.parametrize("module", [agon.fenix, fenix_twin])
def test_the_order_of_actions(module, m, b, plies, entries, digest, ends):
    state, text, count = module.FenixState(), "", 0
    while not state.is_terminal():
        actions = state.actions()
        text += ";".join(map(entry, actions)) + "\n"
        count += len(actions)
        state = state.result(actions[(state.turn * m + b) % len(actions)])
    assert (state.turn, count) == (plies, entries)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == digest
    assert (state.utility(1), state.utility(-1)) == ends


def entry(action):
    removed = "|".join(f"{row},{column}" for row, column in sorted(action.removed))
    (row, column), (to_row, to_column) = action.start, action.end
    return f"{row},{column}>{to_row},{to_column}x{removed}"


def square_name(square):
    return "abcdefgh"[square[1]] + str(7 - square[0])


def notation(action):
    text = square_name(action.start) + square_name(action.end)
    captured = sorted(map(square_name, action.removed))
    return text + ("x" + ",".join(captured) if captured else "")


def test_the_native_game_has_the_same_moves():
    for seed in range(60):
        rng = random.Random(seed)
        state, position = FenixState(), agon.Game("fenix").start()
        while not state.is_terminal() and state.actions():
            assert not position.is_terminal(), (seed, state.turn)
            actions = state.actions()
            names = sorted({notation(action) for action in actions})
            assert sorted(map(str, position.actions())) == names, (seed, state.turn)
            action = rng.choice(actions)
            state, position = state.result(action), position.result(notation(action))
        assert position.is_terminal(), seed
        if state.is_terminal():
            assert [position.utility(p) for p in (1, -1)] == [state.utility(p) for p in (1, -1)]


def test_actions_are_named_tuples():
    action = FenixState().actions()[0]
    assert action == ((0, 0), (1, 0), frozenset()) == FenixAction((0, 0), (1, 0), set())
    assert action != FenixAction((0, 0), (1, 0), []) and action != ([0, 0], (1, 0), frozenset())
    start, end, removed = action
    assert (start, end, removed) == (action.start, action[1], action.removed)
    assert type(removed) is frozenset and type(action) is FenixAction
    assert action._replace(end=(2, 0)) == FenixAction(start=(0, 0), end=(2, 0), removed=frozenset())
    assert hash(action) == hash(((0, 0), (1, 0), frozenset()))
    assert pickle.loads(pickle.dumps(action)) == action
    assert repr(action) == "FenixAction(start=(0, 0), end=(1, 0), removed=frozenset())"


def test_states_are_themselves_only():
    state = FenixState()
    assert state != FenixState() and state in {state} and FenixState() not in [state]
    assert list(vars(state)) == FIELDS
    assert state.actions() is not state.actions()


def test_copies():
    for state in random_game(agon.fenix, 5):
        for copied in (copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert seen(copied) == seen(state) and copied.actions() == state.actions()
            assert copied.pieces is not state.pieces
        assert copy.copy(state).pieces is state.pieces


class Tagged(FenixState):
    def __init__(self, tag):
        super().__init__()
        self.tag = tag


def test_results_keep_the_type_and_share_nothing():
    state = Tagged(["a", "list"])
    state.board, state.me = state.pieces, state
    child = state.result(state.actions()[0])
    assert type(child) is Tagged and child.tag == state.tag and child.tag is not state.tag
    assert child.board is child.pieces and child.me is child

    plain = FenixState()
    plain.note = {"deep": [1]}
    child = plain.result(plain.actions()[0])
    assert child.note == plain.note and child.note["deep"] is not plain.note["deep"]
    assert list(vars(child)) == [*FIELDS, "note"]

    plain = FenixState()
    plain.dim = [7, 8]
    assert plain.result(plain.actions()[0]).dim is not plain.dim

    parent = FenixState()
    before = seen(parent)
    child = parent.result(parent.actions()[3])
    child.pieces.clear()
    child.history_boring_turn_hash.append(1)
    assert seen(parent) == before


def test_methods_of_subclasses_are_asked():
    class Blocked(FenixState):
        def actions(self):
            return []

    class Kingless(FenixState):
        def _has_king(self, player):
            return False

    class Same(FenixState):
        def _hash(self):
            return 7

    assert Blocked().is_terminal() and Blocked().utility(1) == -1
    state = Kingless()
    state.turn = 11
    assert state.is_terminal() and state.utility(1) == 1
    state = Same()
    state.history_boring_turn_hash = [7, 7, 7]
    assert state.is_terminal() and state.utility(1) == 0


def test_a_copy_of_ones_own_is_used():
    class Counted(FenixState):
        copies = 0

        def __deepcopy__(self, memo):
            Counted.copies += 1
            child = Counted()
            child.__dict__.update(self.__dict__, pieces=dict(self.pieces))
            return child

    state = Counted()
    state.result(state.actions()[0])
    assert Counted.copies == 1


def test_errors():
    state = FenixState()
    with pytest.raises(KeyError) as error:
        state.result(FenixAction((3, 4), (3, 5), frozenset()))
    assert error.value.args == ((3, 4),)
    with pytest.raises(KeyError) as error:
        state.result(FenixAction((0, 0), (1, 0), frozenset([(3, 4)])))
    assert error.value.args == ((3, 4),)
    for nonsense in (None, ((0, 0), (1, 0), frozenset())):
        with pytest.raises(AttributeError, match="start"):
            state.result(nonsense)
    with pytest.raises(TypeError):
        state.result(FenixAction((0, 0), (1, 0), None))
    with pytest.raises(TypeError):
        FenixState(1)
    assert state.result(FenixAction((0, 0), (1, 1), [(1, 0)])).turn == 1
    assert state.result(FenixAction((2, 3), (2, 6), frozenset())).pieces[(2, 6)] == 0


@pytest.mark.parametrize(
    "change, words",
    [
        ({"pieces": {(3, 3): 4}}, "the 4 on (3, 3)"),
        ({"pieces": {(3, 3): 0}}, "the 0 on (3, 3)"),
        ({"pieces": {"a1": 1}}, "'a1'"),
        ({"pieces": {(1, 2, 3): 1}}, "(1, 2, 3)"),
        ({"pieces": {(1, 2): "K"}}, "'K' on (1, 2)"),
        ({"pieces": {(1, 2): 0.5}}, "0.5 on (1, 2)"),
    ],
)
def test_boards_that_mean_nothing_say_why(change, words):
    state = state_of(agon.fenix, {"turn": 20, **change})
    with pytest.raises(TypeError) as error:
        state.actions()
    assert words in str(error.value)


def test_numbers_of_other_types_will_do():
    class Index:
        def __init__(self, value):
            self.value = value

        def __index__(self):
            return self.value

    usual = FenixState()
    usual.turn = 10
    odd = FenixState()
    odd.turn = 10
    odd.pieces = {square: float(value) for square, value in usual.pieces.items()}
    assert odd.actions() == usual.actions()
    odd.pieces = {square: Index(value) for square, value in usual.pieces.items()}
    assert odd.actions() == usual.actions()
    odd.pieces = {tuple([row, column]): v for (row, column), v in usual.pieces.items()}
    assert odd.actions() == usual.actions()


def test_a_board_beyond_all_reason_is_refused():
    state = FenixState()
    state.dim, state.turn = (10**9, 10**9), 20
    with pytest.raises(MemoryError, match="1000000000"):
        state.actions()


def test_the_text_of_a_board():
    lines = str(FenixState()).split("\n")
    assert len(lines) == 16 and lines[15] == "" and set(lines[0]) == {"-"} and len(lines[0]) == 41
    assert lines[1] == "|  1 |  1 |  1 |  1 |  1 |  1 |    |    |"
    assert lines[3] == "|  1 |  1 |  1 |  1 |  1 |    |    | -1 |"
