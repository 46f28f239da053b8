"""A game as the sequence of its positions."""

from __future__ import annotations

from html import escape
from typing import List, Sequence, Union, overload

from ._native import Move, Position


class Line(Sequence[Position]):
    """The positions of a game from its start to a given position, in order.

    >>> import agon
    >>> position = agon.Game("congo").start().result("d2d3").result("d6d5")
    >>> line = agon.Line(position)
    >>> len(line), line[-1] == position, line[0].ply
    (3, True, 0)
    >>> print(line)
    1. d2d3 d6d5
    """

    def __init__(self, position: Position) -> None:
        positions = [position]
        before = position.parent
        while before is not None:
            positions.append(before)
            before = before.parent
        self._positions = positions[::-1]

    @property
    def moves(self) -> List[Move]:
        """The moves between the positions."""
        return self._positions[-1].played

    @overload
    def __getitem__(self, index: int) -> Position: ...
    @overload
    def __getitem__(self, index: slice) -> List[Position]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Position, List[Position]]:
        return self._positions[index]

    def __len__(self) -> int:
        return len(self._positions)

    def __str__(self) -> str:
        seats = len(self._positions[0].game.players)
        texts = [str(move) for move in self.moves]
        rounds = range(0, len(texts), seats)
        return " ".join(f"{at // seats + 1}. {' '.join(texts[at:at + seats])}" for at in rounds)

    def __repr__(self) -> str:
        return f"<Line of {self._positions[0].game.variant}: {len(self.moves)} moves>"

    def _repr_html_(self) -> str:
        """Small boards side by side, each below its move; for a long game only the beginning and
        the end."""
        shown = list(range(len(self)))
        if len(shown) > 24:
            shown = [*shown[:12], *shown[-12:]]
        cells = []
        for index in shown:
            position = self._positions[index]
            last = position.last_move
            title = "start" if last is None else f"{index}. {last}"
            if index > 0 and index - 1 not in shown:
                cells.append("<div>…</div>")
            cells.append(
                f'<figure style="margin:0;width:9em"><figcaption>{escape(title)}</figcaption>'
                f"{position._repr_svg_()}</figure>"
            )
        style = "display:flex;flex-wrap:wrap;gap:.5em;align-items:end"
        return f'<div style="{style}">{"".join(cells)}</div>'
