"""The recorded positions of all games, through their common interface."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest

import agon

GAMES = Path(__file__).parents[2] / "crates" / "games" / "src"
Record = Dict[str, Any]


def records(game: str) -> List[Record]:
    lines = (GAMES / game / "vectors.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def texts(position: agon.Position) -> List[str]:
    return sorted(map(str, position.actions()))


def fen_row(cells: str) -> str:
    """Empty cells, written as dots, as their number."""
    groups = ((dot == ".", "".join(run)) for dot, run in groupby(cells))
    return "".join(str(len(run)) if run[0] == "." else run for _, run in groups)


def test_dots_become_numbers() -> None:
    assert fen_row("..S.s...") == "2S1s3"


def check_perft(position: agon.Position, counts: List[int], below: int) -> None:
    for depth, count in enumerate(counts, start=1):
        if count < below:
            assert agon.perft(position, depth) == count


# Congo


@pytest.mark.parametrize("record", records("congo"), ids=lambda record: record["id"])
def test_congo(record: Record) -> None:
    position = agon.Game("congo").from_text(record["fen"])
    assert position.text == record["fen"]
    if record["status"] == "Draw (two lions)":
        assert position.is_terminal() and position.utility(1) == 0
        return
    assert texts(position) == [move["m"] for move in record["moves"]]
    for known in record["moves"]:
        move = position.read(known["m"])
        after = position.result(move)
        assert after.text == known["fen"]
        route = position.route(move)
        assert route[0] + route[-1] == known["ft"]
        winner = {"White wins": 1, "Black wins": -1}.get(known["res"], 0)
        assert (after.utility(1), after.utility(-1)) == (winner, -winner)


# Fenix


def square(place: List[int]) -> str:
    row, column = place
    return "abcdefgh"[column] + str(7 - row)


Ends = Tuple[str, str, Tuple[str, ...]]


def fenix_ends(action: Any) -> Ends:
    start, end, removed = action
    return square(start), square(end), tuple(sorted(map(square, removed)))


def ends_of(position: agon.Position, move: agon.Move) -> Ends:
    route = position.route(move)
    return route[0], route[-1], tuple(sorted(position.removes(move)))


def fenix_text(record: Record) -> str:
    letters = {1: "S", 2: "G", 3: "K", -1: "s", -2: "g", -3: "k", 0: "."}
    rows = "/".join(fen_row("".join(letters[units] for units in row)) for row in record["board"])
    side = "w" if record["to_move"] == 1 else "b"
    flags = f"{record['can_create_general']:d}{record['can_create_king']:d}"
    return f"{rows} {record['turn']} {record['boring_turn']} {side} {flags}"


@pytest.mark.parametrize("record", records("fenix"), ids=lambda record: str(record["id"]))
def test_fenix(record: Record) -> None:
    game = agon.Game("fenix")
    base = record["base"]
    position = game.start() if base is None else game.from_text(fenix_text(base))
    for action in record["path"]:
        (move,) = [it for it in position.actions() if ends_of(position, it) == fenix_ends(action)]
        position = position.result(move)
    assert position == game.from_text(fenix_text(record))
    # The course's code plays on where a player is stuck after the setup, and lists moves of
    # finished games.
    if not record["terminal"]:
        assert position.is_terminal() == (record["n_unique"] == 0)
        found = {ends_of(position, it) for it in position.actions()}
        assert found == set(map(fenix_ends, record["actions"]))
        assert len(position.actions()) == record["n_unique"]
    else:
        assert position.is_terminal() and position.actions() == []
        assert position.utility(1) == record["utility_red"]
        assert position.utility(-1) == record["utility_black"]


# Breakthrough


def breakthrough() -> List[Record]:
    text = (GAMES / "breakthrough" / "vectors.json").read_text(encoding="utf-8")
    known: List[Record] = json.loads(text)["positions"]
    return known


def course_move(text: str) -> str:
    """`1 2 1 3` as `a2a3`."""
    x, y, to_x, to_y = map(int, text.split())
    return f"{'abcdefghij'[x - 1]}{y}{'abcdefghij'[to_x - 1]}{to_y}"


@pytest.mark.parametrize("record", breakthrough(), ids=lambda record: record["pos"])
def test_breakthrough(record: Record) -> None:
    rows, side = record["pos"].split()
    rows = "/".join(map(fen_row, rows.replace("w", "P").replace("b", "p").split("/")))
    game = agon.Game(f"breakthrough:{record['w']}x{record['h']}")
    position = game.from_text(f"{rows} {side}")
    values = {course_move(move): value for move, value in record["moves"].items()}
    assert texts(position) == sorted(values)
    if record["w"] * record["h"] <= 16:
        numbers = {"win": 1, "draw": 0, "loss": -1}
        solution = agon.solve(position, all_moves=True, hash_mib=1)
        assert numbers[str(solution.value)] == record["value"]
        found = {str(move): numbers[str(one.value)] for move, one in solution.moves.items()}
        assert found == values


# Wumpus


def wumpus_move(move: List[int]) -> str:
    row, column, to_row, to_column = (number + 1 for number in move)
    return f"{row},{column}-{to_row},{to_column}"


def wumpus_rows(board: List[str]) -> str:
    return "/".join(map(fen_row, board))


def wumpus(*kinds: str) -> List[Record]:
    return [record for record in records("wumpus") if record["kind"] in kinds]


@pytest.mark.parametrize("record", wumpus("start_perft", "position"))
def test_wumpus(record: Record) -> None:
    game = agon.Game(f"wumpus:{record['d']}")
    position = game.from_text(f"{wumpus_rows(record['board'])} {record['turn']} 0")
    assert texts(position) == sorted(map(wumpus_move, record["legal"]))
    check_perft(position, record["perft"], below=1_000_000)


@pytest.mark.parametrize("record", wumpus("battle", "pit", "terminal"))
def test_wumpus_losses(record: Record) -> None:
    game = agon.Game("wumpus:3")
    before = game.from_text(f"{wumpus_rows(record['before'])} agent 7")
    after = before.result(wumpus_move(record["move"]))
    assert after.text == f"{wumpus_rows(record['after'])} adversary 0"
    assert after.is_terminal() == (record.get("result") is not None)
    if record.get("result") == "adversary":
        assert after.utility("adversary") == 1 and after.utility("agent") == -1


# FAUhalma


def fauhalma(*kinds: str) -> List[Record]:
    return [record for record in records("fauhalma") if record["kind"] in kinds]


def fauhalma_position(record: Record) -> agon.Position:
    text = json.dumps({**record["position"], "turn": record["turn"]})
    return agon.Game(f"fauhalma:{record['variant']}").from_text(text)


@pytest.mark.parametrize("record", fauhalma("start_perft", "position"))
def test_fauhalma(record: Record) -> None:
    position = fauhalma_position(record)
    names = [f"{x},{y}" for x, y in (place for move in record["legal"] for place in move)]
    known = sorted(zip(names[::2], names[1::2]))
    routes = [position.route(move) for move in position.actions()]
    assert sorted((route[0], route[-1]) for route in routes) == known
    check_perft(position, record["perft"], below=1_000_000)


@pytest.mark.parametrize("record", fauhalma("rule_case"), ids=lambda record: record["title"])
def test_fauhalma_rules(record: Record) -> None:
    position = fauhalma_position(record)
    path = json.dumps(record["path"])
    if record["legal"]:
        position.result(path)
    else:
        with pytest.raises(agon.NotationError, match="expected"):
            position.result(path)
