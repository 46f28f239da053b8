"""The name `pygame`, which star imports of the course's visual manager pass on.

The board here is a page in the browser, so nothing needs pygame. Who uses the name gets the real
one, loaded at that moment.
"""

from __future__ import annotations

import importlib
import types
from typing import Any


class _Pygame(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return getattr(importlib.import_module("pygame"), name)
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                f"pygame.{name} needs pygame, which is not installed; the board itself does not: "
                "it opens in the browser. pip install pygame",
                name="pygame",
            ) from error


pygame = _Pygame("pygame")
