"""Matches with Python players, and their records."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, List, Tuple

import pytest

import agon

SMALL = "breakthrough:5x5"


def first(position: agon.Position) -> agon.Move:
    return position.actions()[0]


class Chooser:
    """The course's style."""

    made: List[int] = []

    def __init__(self, player: int) -> None:
        self.player = player
        Chooser.made.append(player)

    def act(self, state: agon.Position, remaining_time: float) -> agon.Move:
        assert state.to_move() == self.player
        assert 0 < remaining_time <= 60
        return random.choice(state.actions())


def test_a_class_is_made_anew_for_every_game() -> None:
    Chooser.made.clear()
    result = agon.match(SMALL, Chooser, "random", games=6, time="1m")
    assert Chooser.made == [1, -1] * 3
    mine, other = result.standings
    assert (mine.agent, other.agent) == ("Chooser", "random")
    assert mine.wins + mine.draws + mine.losses == len(result.games) == 6
    assert (mine.wins, mine.losses) == (other.losses, other.wins)
    assert mine.faults == other.faults == 0
    assert sum(result.reasons.values()) == 6 and not result.stopped


def test_functions_and_objects_play() -> None:
    def timed(position: agon.Position, remaining: float) -> str:
        assert remaining == float("inf")
        return str(position.actions()[-1])

    seats = Chooser(1)
    seats.act = lambda state, remaining_time: state.actions()[0]  # type: ignore[method-assign]
    assert [one.faults for one in agon.match(SMALL, first, timed, games=2).standings] == [0, 0]
    assert [one.faults for one in agon.match(SMALL, seats, "greedy").standings] == [0, 0]


def test_agents_of_the_fenix_course_see_its_states() -> None:
    from agon import fenix

    class Student(fenix.Agent):
        def act(self, state: fenix.FenixState, remaining_time: float) -> fenix.FenixAction:
            assert isinstance(state, fenix.FenixState) and state.to_move() == self.player
            state.pieces[(9, 9)] = 1  # It is a separate copy.
            del state.pieces[(9, 9)]
            return state.actions()[0]

    class Careless(Student):
        def act(self, state: fenix.FenixState, remaining_time: float) -> fenix.FenixAction:
            return fenix.FenixAction((0, 0), (6, 6), frozenset())

    result = agon.match("fenix", Student, fenix.RandomAgent, games=2, openings="random:3")
    assert [one.faults for one in result.standings] == [0, 0]
    faults = agon.match("fenix", Careless, Student, games=2)
    assert [one.faults for one in faults.standings] == [2, 0]
    assert "FenixAction(start=(0, 0), end=(6, 6)" in str(faults.games[0].evidence)


def test_three_players() -> None:
    result = agon.match("fauhalma:star3,limit=20", first, "random", "greedy", games=6)
    assert len(result.standings) == 3 and len(result.games) == 6
    assert all(one.faults == 0 for one in result.standings)


def test_a_strong_agent_beats_a_naive_one() -> None:
    result = agon.match("congo", "engine:depth=3", first, games=4)
    assert result.standings[0].wins >= 3


def raising(position: agon.Position) -> agon.Move:
    raise RuntimeError("I had a bad day")


@pytest.mark.parametrize(
    ("player", "words"),
    [
        (raising, ["crash", "RuntimeError: I had a bad day", "in raising"]),
        (lambda position: None, ["illegal move", "returned None", "expected a Move"]),
        (lambda position: 17, ["illegal move", "returned 17"]),
        (lambda position: "z9z9", ["illegal move", "z9z9"]),
        (lambda position: agon.Game("congo").start().actions()[0], ["illegal move"]),
        (lambda position: agon._native.nothing, ["crash", "AttributeError"]),  # type: ignore[attr-defined]
        (lambda position: exit(3), ["crash", "SystemExit"]),
        (lambda position: {"a": "b"}[position.text], ["crash", "KeyError"]),
    ],
)
def test_who_does_something_wrong_loses_that_game(player: Any, words: List[str]) -> None:
    result = agon.match(SMALL, "random", player, games=2)
    assert [one.faults for one in result.standings] == [0, 2]
    assert result.standings[0].wins == 2
    for game in result.games:
        told = f"{game.reason}: {game.evidence}"
        assert all(word in told for word in words), told


def test_a_class_that_cannot_be_made_loses() -> None:
    class Broken:
        def __init__(self, player: int) -> None:
            raise OSError("no weights")

        def act(self, state: agon.Position, remaining_time: float) -> agon.Move:
            raise AssertionError

    result = agon.match(SMALL, "random", Broken, games=2)
    assert result.standings[1].faults == 2
    assert "no weights" in str(result.games[0].evidence)


def test_resigning_and_time() -> None:
    resigned = agon.match(SMALL, "random", lambda position: "resign", games=2)
    assert resigned.standings[0].wins == 2 and resigned.standings[1].faults == 0

    def slow(position: agon.Position) -> agon.Move:
        import time

        time.sleep(0.3)
        return position.actions()[0]

    late = agon.match(SMALL, "random", slow, games=2, move_time="10ms")
    assert late.standings[1].faults == 2 and "too slow" in late.games[0].reason


def test_games_are_records() -> None:
    told: List[agon.GameRecord] = []
    result = agon.match("congo", "greedy", "random", games=4, seed=3, on_game=told.append)
    assert told == result.games
    for game in result.games:
        line = game.line()
        assert [str(move) for move in line.moves] == game.opening + game.moves
        assert game.final() == line[-1]
        assert len(game.seconds) == len(game.moves) and len(game.opening) == 4
        if game.final().is_terminal():
            assert game.final().points == game.points
    again = agon.match("congo", "greedy", "random", games=4, seed=3)
    assert [game.moves for game in again.games] == [game.moves for game in result.games]


def test_a_listener_that_fails_ends_the_match() -> None:
    def fail(game: agon.GameRecord) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        agon.match(SMALL, "random", "random", games=1000, on_game=fail)


def test_a_match_is_a_table() -> None:
    result = agon.match(SMALL, "greedy", first, games=2)
    page, text = result._repr_html_(), str(result)
    assert page.startswith("<table>") and "<th>greedy</th>" in page
    assert text.splitlines()[0] == f"{result.variant}  2 games"
    assert "wins" in text and "first" in text


def test_games_are_kept_where_they_are_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = agon.match(SMALL, first, "random", games=4, store=tmp_path)
    kept = agon.records(tmp_path)
    assert [game.moves for game in kept] == [game.moves for game in reversed(result.games)]
    assert [game.id for game in kept] == ["1.3", "1.2", "1.1", "1.0"]
    assert len(agon.records(tmp_path, limit=2)) == 2
    assert agon.records(tmp_path, agent="greedy") == agon.records(tmp_path, variant="congo") == []
    assert agon.records(tmp_path, agent="first", variant=SMALL, series=1) == kept
    monkeypatch.setenv("AGON_DATA", str(tmp_path))
    agon.match("congo", "random", "random", store=True)
    assert len(agon.records()) == 6
    with pytest.raises(OSError, match="games.db"):
        agon.records(tmp_path / "nowhere")


def test_errors_say_what_would_be_right() -> None:
    cases: List[Tuple[List[Any], str]] = [
        (["greedy", "greed"], "did you mean greedy"),
        (["greedy"], "2"),
        (["greedy", 3], "3 cannot play: expected an agent's text"),
        (["greedy", int], "int cannot play: expected a method act"),
    ]
    for players, words in cases:
        with pytest.raises((agon.AgonError, TypeError), match=words):
            agon.match(SMALL, *players)
    with pytest.raises(ValueError, match="such as 5m, 1s"):
        agon.match(SMALL, "greedy", "random", time="10")
    with pytest.raises(agon.NotationError, match="expected a game"):
        agon.match("chess", "greedy", "random")
