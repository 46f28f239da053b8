"""Games, positions and moves as Python objects."""

from __future__ import annotations

import copy
import pickle
import random
import threading
from typing import Iterator, List

import pytest

import agon

VARIANTS = [
    "fenix",
    "breakthrough:5x5",
    "breakthrough:8x8,classic",
    "congo",
    "wumpus:6",
    "fauhalma:star2",
    "fauhalma:star3",
]


def random_game(variant: str, seed: int, most: int = 60) -> Iterator[agon.Position]:
    rng = random.Random(seed)
    position = agon.Game(variant).start()
    yield position
    for _ in range(most):
        actions = position.actions()
        if not actions:
            return
        position = position.result(rng.choice(actions))
        yield position


@pytest.mark.parametrize("variant", VARIANTS)
def test_everything_about_a_position_fits_together(variant: str) -> None:
    game = agon.Game(variant)
    for seed in range(3):
        for position in random_game(variant, seed):
            again = game.from_text(position.text)
            assert again == position and hash(again) == hash(position)
            assert position.game == game
            assert position.is_terminal() == (not position.actions()) == (position.to_move() == 0)
            if position.is_terminal():
                assert position.reason and position.points is not None
                points = [(50 * (1 + position.utility(player))) for player in game.players]
                assert points == position.points
            else:
                assert position.reason is None and position.points is None
                assert position.to_move() in game.players
                assert position.player_name in game.player_names
            for move in position.actions():
                assert position.read(str(move)) == move
                assert position.route(move) and str(move) in repr(move)
            assert len(set(position.actions())) == len(position.actions())


@pytest.mark.parametrize("variant", VARIANTS)
def test_pickling_keeps_the_past(variant: str) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        *_, position = random_game(variant, 7, 20)
        copied = pickle.loads(pickle.dumps(position, protocol))
        assert copied == position and copied.played == position.played
        assert copied.is_terminal() == position.is_terminal()
        for move in position.actions()[:3]:
            moved = pickle.loads(pickle.dumps(move, protocol))
            assert moved == move and copied.result(moved) == position.result(move)
        game = pickle.loads(pickle.dumps(position.game, protocol))
        assert game == position.game and hash(game) == hash(position.game)


def test_a_position_read_from_text_is_pickled_with_it() -> None:
    start = agon.Game("congo").from_text("3l3/7/7/7/7/6P/3L3 w 0")
    position = start.result(start.actions()[0])
    copied = pickle.loads(pickle.dumps(position))
    assert copied == position and copied.parent == start


def test_copies_are_the_same_object() -> None:
    position = agon.Game("fenix").start()
    move = position.actions()[0]
    for thing in (position, move):
        assert copy.copy(thing) is thing and copy.deepcopy(thing) is thing
    assert copy.deepcopy({"state": [position]})["state"][0] is position


def test_positions_cannot_be_changed() -> None:
    position = agon.Game("fenix").start()
    before = position.text
    position.actions().clear()
    position.result(position.actions()[0])
    assert position.text == before and len(position.actions()) == 60
    with pytest.raises(AttributeError):
        position.text = ""  # type: ignore[misc]


def test_the_way_to_a_position_does_not_count_for_equality() -> None:
    start = agon.Game("fenix").start()
    one = start.result("a3b3").result("h5g5").result("a5b5")
    other = start.result("a5b5").result("h5g5").result("a3b3")
    assert one.played != other.played
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    assert one != start and one != "text" and one != agon.Game("congo").start()


def test_what_comes_back_too_often_is_a_draw() -> None:
    position = agon.Game("fenix").from_text("K7/8/8/8/8/8/7k 30 0 w 00")
    seen: List[agon.Position] = []
    for text in ["a7b7", "h1g1", "b7a7", "g1h1"] * 4:
        if position.is_terminal():
            break
        seen.append(position)
        position = position.result(text)
    assert position.is_terminal() and position.utility(1) == 0
    assert "fourth time" in str(position.reason)
    # The same board without its history is not over.
    assert not position.game.from_text(position.text).is_terminal()
    # Unpickling keeps the history.
    assert pickle.loads(pickle.dumps(position)).is_terminal()


def test_moves_are_equal_by_notation() -> None:
    position = agon.Game("congo").start()
    move = position.read("d2d3")
    assert move == agon.Move("d2d3") == "d2d3" and move != "d2d4" and move != 3
    assert hash(move) == hash("d2d3") and "d2d3" in position.actions()
    assert sorted([agon.Move("b"), agon.Move("a")]) == ["a", "b"]
    assert position.result(agon.Move("d2d3")) == position.result(move) == position.result("d2d3")


def test_moves_of_another_position_are_checked() -> None:
    start = agon.Game("congo").start()
    later = start.result("d2d3").result("d6d5")
    with pytest.raises(agon.NotationError, match="legal move"):
        later.result(start.read("d2d3"))
    other = agon.Game("wumpus").start().actions()[0]
    with pytest.raises(agon.NotationError, match="fenix: bad move"):
        agon.Game("fenix").start().result(other)


def test_players_are_numbers_and_names() -> None:
    two = agon.Game("congo").start()
    assert two.game.players == [1, -1] and two.game.player_names == ["white", "black"]
    assert two.utility("white") == two.utility(1) == 0
    three = agon.Game("fauhalma:star3").start()
    assert three.game.players == [1, 2, 3] and three.game.player_names == ["A", "B", "C"]
    with pytest.raises(ValueError, match=r'1 \("white"\) or -1 \("black"\)'):
        two.utility(2)
    with pytest.raises(TypeError, match="expected a player, found list"):
        two.utility([])  # type: ignore[arg-type]


def test_errors_say_what_would_be_right() -> None:
    with pytest.raises(agon.NotationError, match="expected a game: fenix, breakthrough"):
        agon.Game("chess")
    with pytest.raises(agon.NotationError, match=r"congo: bad position: .*\n  nonsense\n  \^"):
        agon.Game("congo").from_text("nonsense")
    start = agon.Game("congo").start()
    with pytest.raises(agon.NotationError, match=r"bad move: expected one of \d+ legal moves"):
        start.result("a1a2")
    with pytest.raises(TypeError, match="expected a Move or its notation as str, found int"):
        start.result(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match='no evaluation "deep"; expected one of: '):
        start.evaluate("deep")
    over = agon.Game("breakthrough:5x5").from_text("2P2/5/5/p4/5 b")
    with pytest.raises(agon.NotationError, match="no move: the game is over"):
        over.result("a1a2")
    assert issubclass(agon.NotationError, agon.AgonError)
    assert issubclass(agon.AgonError, ValueError)


def test_evaluations_are_for_the_player_to_move() -> None:
    position = agon.Game("breakthrough:5x5").start()
    assert position.evaluate("simple") == 50
    assert position.result("b2b3").evaluate("simple") == -51
    assert position.evaluate() == position.evaluate("simple")
    assert all(isinstance(position.evaluate(name), int) for name in position.game.evaluations)


def test_a_long_game_is_let_go_of_at_once() -> None:
    position = agon.Game("congo").from_text("3l3/7/7/7/7/7/3L2P w 0")
    for _ in range(50_000):
        actions = position.actions()
        if not actions:
            position = position.game.from_text("3l3/7/7/7/7/7/3L2P w 0")
            actions = position.actions()
        position = position.result(actions[-1])
    del position, actions


def test_threads_share_positions() -> None:
    start = agon.Game("congo").start()
    known = [str(move) for move in start.actions()]
    fresh = agon.Game("congo").start()
    failures: List[BaseException] = []

    def work(seed: int) -> None:
        rng = random.Random(seed)
        try:
            for _ in range(20):
                assert [str(move) for move in fresh.actions()] == known
                position = fresh
                while not position.is_terminal():
                    position = position.result(rng.choice(position.actions()))
                assert pickle.loads(pickle.dumps(position)) == position
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_the_board_is_a_picture() -> None:
    import xml.etree.ElementTree as xml

    for variant in VARIANTS:
        *_, position = random_game(variant, 3, 12)
        picture = xml.fromstring(position._repr_svg_())
        assert picture.tag.endswith("svg") and len(picture) > 10


def test_a_game_is_a_sequence() -> None:
    positions = list(random_game("congo", 5, 30))
    line = agon.Line(positions[-1])
    assert list(line) == positions and line[:2] == positions[:2] and len(line) == len(positions)
    assert line.moves == positions[-1].played
    page = line._repr_html_()
    assert page.count("<svg") == min(len(line), 24)
    assert str(line).startswith(f"1. {line.moves[0]} {line.moves[1]} 2. ")
