"""Matches, and the games that were played."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, Union

from . import _native
from ._html import table as html_table
from ._line import Line
from ._native import Game, Position
from ._players import Answer, Ask, Factory, entry_of

Folder = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class GameRecord:
    """A game that was played."""

    variant: str
    agents: List[str]
    """The agents in seat order."""
    start: Optional[str]
    """The start position, if it is not the variant's."""
    opening: List[str]
    """Opening moves, played before the players took over."""
    moves: List[str]
    """The players' moves."""
    seconds: List[float]
    """The time each of these took."""
    points: List[int]
    """The points of every seat, 0 to 100."""
    reason: str
    """Why it ended."""
    evidence: Optional[str]
    """The details of a fault, if there was one, such as the traceback of an exception."""
    id: Optional[str] = None
    """Where it is stored: the series and the number in it."""

    def line(self) -> Line:
        """The game as the sequence of its positions."""
        game = Game(self.variant)
        position = game.start() if self.start is None else game.from_text(self.start)
        for move in self.opening + self.moves:
            position = position.result(move)
        return Line(position)

    def final(self) -> Position:
        """The last position."""
        return self.line()[-1]

    def __str__(self) -> str:
        who = " - ".join(self.agents)
        score = " - ".join(f"{points / 100:g}" for points in self.points)
        return f"{who}  {score}  {self.reason}"

    def _repr_html_(self) -> str:
        return self.line()._repr_html_()


def _record(text: str, stored: bool) -> GameRecord:
    known = json.loads(text)
    return GameRecord(
        variant=known["variant"],
        agents=known["agents"],
        start=known["start"],
        opening=known["opening"],
        moves=known["moves"],
        seconds=[time / 1000 for time in known["times_ms"]],
        points=known["outcome"]["points"],
        reason=known["outcome"]["reason"],
        evidence=known["evidence"],
        id=known["id"] if stored else None,
    )


@dataclass(frozen=True)
class Standing:
    """The result of one player of a match."""

    agent: str
    wins: int
    draws: int
    losses: int
    points: Optional[float]
    """The mean points of a game, 0 to 100: the score in percent."""
    points_low: Optional[float]
    """The true mean is between this and `points_high` with 95 % confidence."""
    points_high: Optional[float]
    elo: Optional[float]
    """The Elo difference from the others, estimated from these games."""
    elo_error: Optional[float]
    faults: int
    """Games lost through a fault."""
    moves: int
    seconds_per_move: float
    nodes_per_move: float


_HEADINGS = ["agent", "wins", "draws", "losses", "score", "Elo", "faults", "time a move"]


@dataclass(frozen=True)
class MatchResult:
    """The result of a match; shown as a table when printed or in a notebook."""

    variant: str
    standings: List[Standing]
    """In the order of the players given."""
    games: List[GameRecord]
    reasons: Dict[str, int]
    """How often games ended for each reason."""
    mean_plies: float
    stopped: bool
    verdict: Optional[str]
    """What the results say about who is stronger, in a sentence; None without games."""

    def _rows(self) -> Iterator[List[str]]:
        for one in self.standings:
            score = _native.score_text(one.points, one.points_low, one.points_high)
            elo = _native.elo_text(one.elo, one.elo_error)
            counts = [str(count) for count in (one.wins, one.draws, one.losses)]
            time = f"{one.seconds_per_move * 1000:.1f} ms"
            yield [one.agent, *counts, score, elo, str(one.faults), time]

    def __str__(self) -> str:
        rows = [_HEADINGS, *self._rows()]
        widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
        lines = [f"{self.variant}  {len(self.games)} games"]
        for row in rows:
            cells = [row[0].ljust(widths[0])]
            cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
            lines.append("  ".join(cells).rstrip())
        if self.verdict is not None:
            lines.append(self.verdict)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return html_table(_HEADINGS, self._rows())


def match(
    game: Union[str, Game],
    *players: Any,
    games: int = 2,
    time: Optional[str] = None,
    move_time: Optional[str] = None,
    depth: Optional[int] = None,
    nodes: Optional[int] = None,
    openings: str = "random:4",
    seed: int = 0,
    concurrency: int = 1,
    store: Union[None, bool, Folder] = None,
    on_game: Optional[Callable[[GameRecord], object]] = None,
) -> MatchResult:
    """Plays games between agents, with every agent in every seat.

    A player is an agent's text (`engine:level=3`, `ugi:./mine`), a class with the course's
    `act(self, state, remaining_time)`, an object of one, or a function of a position, or of a
    position and the seconds left. It returns a move, its notation or the word `resign`; an
    exception loses the game and is the `evidence` in the game's record. In Fenix, classes and
    objects get the course's `FenixState`. Python players run in this process, one game at a time,
    and cannot be interrupted while they think.

    `time` is for a game (`10s`, `1m+1s`), `move_time` for each move. With `store`, a folder or True
    for the default one, games are stored, like those of the command line.

    >>> import agon
    >>> def first(position):
    ...     return position.actions()[0]
    >>> result = agon.match("breakthrough:5x5", "greedy", first, games=4)
    >>> [one.agent for one in result.standings], len(result.games)
    (['greedy', 'first'], 4)
    >>> result.standings[1].faults
    0
    """
    variant = game if isinstance(game, str) else game.variant
    records: List[GameRecord] = []

    def on_game_json(text: str) -> None:
        records.append(_record(text, stored=False))
        if on_game is not None:
            on_game(records[-1])

    def play(folder: str) -> Dict[str, Any]:
        return _native.play_match(
            variant,
            [_entry(player, variant) for player in players],
            games,
            time,
            move_time,
            depth,
            nodes,
            openings,
            seed,
            concurrency,
            folder,
            on_game_json,
        )

    if store is None or store is False:
        # The runner keeps the moves of games only with a store.
        with tempfile.TemporaryDirectory(prefix="agon-match-") as folder:
            played = play(folder)
    else:
        played = play(_folder(None if store is True else store))
    return MatchResult(
        variant=Game(variant).variant,
        standings=[Standing(**row) for row in played["rows"]],
        games=records,
        reasons=played["reasons"],
        mean_plies=played["mean_plies"],
        stopped=played["stopped"],
        verdict=played["verdict"],
    )


def _entry(player: Any, variant: str) -> Union[str, Tuple[str, Factory]]:
    """A player for the native half; agents of the Fenix course get the course's states."""
    entry = entry_of(player)
    of_course = callable(getattr(player, "act", None))
    if isinstance(entry, str) or not of_course or variant.partition(":")[0] != "fenix":
        return entry
    name, factory = entry
    return name, lambda number: _seeing_states(factory(number), variant)


def _seeing_states(ask: Ask, variant: str) -> Ask:
    from ._world import IllegalAnswer, world

    seen = world(Game(variant))

    def asked(position: Position, remaining: float) -> Answer:
        line = Line(position)
        start = None if line[0] == seen.game.start() else line[0].text
        seen.set(start, [str(move) for move in line.moves])
        answer = ask(seen.shown(), remaining)
        try:
            return seen.legal(answer)
        except IllegalAnswer as error:
            # Not a move at all, and so an illegal one.
            return error.answer

    return asked


def records(
    folder: Optional[Folder] = None,
    *,
    agent: Optional[str] = None,
    variant: Optional[str] = None,
    series: Optional[int] = None,
    limit: int = 100,
) -> List[GameRecord]:
    """Stored games of matches, tournaments and pages, the newest first.

    They are read from `folder`; by default from the command line's data folder: AGON_DATA, or the
    platform's data directory.

    >>> import agon, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> _ = agon.match("breakthrough:5x5", "greedy", "random", games=2, store=folder)
    >>> [game.agents for game in agon.records(folder, variant="breakthrough:5x5")]
    [['random', 'greedy'], ['greedy', 'random']]
    """
    lines = _native.stored_games(_folder(folder), agent, variant, series, limit)
    return [_record(text, stored=True) for text in lines]


def _folder(given: Optional[Folder]) -> str:
    return os.fspath(_native.data_folder() if given is None else given)
