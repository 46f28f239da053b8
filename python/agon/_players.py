"""Python objects as players of a match."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Tuple, Union

from ._native import Move, Position

Answer = Union[Move, str]
Ask = Callable[[Position, float], Answer]
Factory = Callable[[int], Ask]


def entry_of(player: Any) -> Union[str, Tuple[str, Factory]]:
    """A player for the native half: an agent's text, or a name and a factory that makes a callable
    for every game."""
    if isinstance(player, str):
        return player
    name = getattr(player, "__name__", None) or type(player).__name__
    if inspect.isclass(player):
        if not callable(getattr(player, "act", None)):
            raise TypeError(
                f"{name} cannot play: expected a method act(self, state, remaining_time)"
            )
        return name, lambda number: _asking(_made(player, number).act)
    if callable(getattr(player, "act", None)):
        ask = _asking(player.act)
        return name, lambda number: ask
    if callable(player):
        ask = _asking(player)
        return name, lambda number: ask
    raise TypeError(
        f"{player!r} cannot play: expected an agent's text such as 'engine', a class with a method "
        "act(self, state, remaining_time), an object of one, or a function of a position"
    )


def _made(player: Any, number: int) -> Any:
    """An instance of a player's class: the course's classes take the player's number, others
    nothing."""
    return player(number) if _takes(player, 1) else player()


def _asking(function: Callable[..., Answer]) -> Ask:
    """Accepts functions without the time parameter."""
    if _takes(function, 2):
        return function
    return lambda position, remaining: function(position)


def _takes(function: Callable[..., Any], count: int) -> bool:
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # No signature available.
        return True
    return True
