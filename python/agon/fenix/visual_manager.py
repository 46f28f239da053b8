"""`VisualGameManager`: a game between agents and people on a board in the browser."""

from __future__ import annotations

import random
import sys
import threading
import time
import traceback
from copy import deepcopy
from typing import Any, Dict, List, Optional, Tuple

from .page import Page
from .state import FenixState

_FRAMES_PER_S = 60
_NAMES = {1: "Red", -1: "Black"}


class VisualGameManager:
    """Plays a game on a board in the browser; None instead of an agent is a person.

    Click a piece to choose it, go through its actions with the left and right arrows, play with
    Enter. Escape unselects, or quits if nothing is selected; `r` plays a random action.

    The clock of a player runs from the last move to its own, including `min_agent_play_time`, and
    is charged with the move; at 0 it loses. So does an agent that fails or returns anything but one
    of `state.actions()`; the page shows the reason.
    """

    def __init__(
        self,
        red_agent: Any = None,
        black_agent: Any = None,
        total_time: float = 300,
        min_agent_play_time: float = 0.5,
    ) -> None:
        self.dim = (7, 8)
        self.min_agent_play_time = min_agent_play_time
        self.red_agent = red_agent
        self.black_agent = black_agent
        self.state = FenixState()
        self.winner: Optional[int] = None
        self.actions: List[Any] = self.state.actions()
        self.selected_actions: List[Any] = []
        self.selected_id = 0
        self.selected_action: Any = None
        self.human_to_play = red_agent is None
        self.agent_thread: Optional[threading.Thread] = None
        self.agent_action: Any = None
        self.time_start_thread = time.perf_counter_ns()
        self.remaining_time_red = total_time
        self.remaining_time_black = total_time
        self.screen = Page("Fenix")
        self.pieces_images = {value: _image(value) for value in (3, 2, 1, -1, -2, -3)}
        self.number_font = "600 22px system-ui, sans-serif"
        self.win_font = "700 44px system-ui, sans-serif"
        self.clock = _Metronome()
        self.running = True
        self.start_thinking_time = time.perf_counter_ns()
        # Not in the course's window: why an agent has lost, and where the last move was.
        self.reason = ""
        self.last_action: Any = None
        self._failure = ""

    def play(self) -> None:
        """Plays until the page is closed or left with Escape, then ends the program by raising
        `SystemExit`."""
        try:
            while self.running:
                self.handle_events()
                self.update()
                self.draw()
                self.clock.tick(_FRAMES_PER_S)
        finally:
            self.screen.close()
        sys.exit()

    # --- input

    def handle_events(self) -> None:
        """Handles clicks and keys on the page since the last call."""
        for event in self.screen.events():
            if event.get("quit"):
                self.running = False
            elif "click" in event:
                self._click(event["click"])
            elif "key" in event:
                self._key(event["key"])

    def _click(self, place: Any) -> None:
        if not self._person_may_move() or not isinstance(place, list):
            return
        square = tuple(place)
        ends = [action.end for action in self.selected_actions]
        if square in ends:
            self.selected_id = ends.index(square)
            return
        chosen = [action for action in self.actions if action.start == square]
        if chosen:
            self.selected_actions = chosen
            self.selected_id = 0

    def _key(self, key: Any) -> None:
        if key == "Escape":
            if not self.selected_actions:
                self.running = False
            self._unselect()
        elif not self._person_may_move():
            return
        elif key == "r":
            self.selected_action = random.choice(self.actions)
        elif not self.selected_actions:
            return
        elif key in ("ArrowLeft", "ArrowRight"):
            step = 1 if key == "ArrowRight" else -1
            self.selected_id = (self.selected_id + step) % len(self.selected_actions)
        elif key == "Enter":
            self.selected_action = self.selected_actions[self.selected_id]

    def _person_may_move(self) -> bool:
        return self.human_to_play and self.winner is None and bool(self.actions)

    def _unselect(self) -> None:
        self.selected_actions = []
        self.selected_id = 0
        self.selected_action = None

    # --- the game

    def update(self) -> None:
        """Advances the game if there is a person's choice or an agent's answer."""
        self._judge()
        if self.winner is not None:
            return
        if self.human_to_play:
            if self.selected_action is not None:
                self._move(self.selected_action)
        elif self.agent_thread is None:
            self._start_agent()
        elif not self.agent_thread.is_alive():
            thought = (time.perf_counter_ns() - self.time_start_thread) / 1e9
            if thought >= self.min_agent_play_time:
                self._hear_agent()

    def _judge(self) -> None:
        """Checks whether it is over. A move that ended the game counts, whatever the clock says."""
        if self.winner is not None:
            return
        player = self.state.to_move()
        if self.state.is_terminal():
            self._end(self.state.utility(1))
        elif self.remaining_time_red <= 0:
            self._end(-1, "Red ran out of time.")
        elif self.remaining_time_black <= 0:
            self._end(1, "Black ran out of time.")
        elif self.human_to_play and not self.actions:
            self._end(-player, f"{_NAMES[player]} has no action left.")

    def _end(self, winner: int, reason: str = "") -> None:
        self.winner = winner
        self.reason = reason
        self.actions = []
        self._unselect()

    def _agent_to_move(self) -> Tuple[Any, float]:
        if self.state.to_move() == 1:
            return self.red_agent, self.remaining_time_red
        return self.black_agent, self.remaining_time_black

    def _start_agent(self) -> None:
        agent, remaining = self._agent_to_move()
        state = deepcopy(self.state)
        self.agent_action = None
        self._failure = ""

        def think() -> None:
            try:
                self.agent_action = agent.act(state, remaining)
            except BaseException as error:  # noqa: B902: whatever it is, it ends this thread
                self._failure = "".join(traceback.format_exception_only(type(error), error)).strip()
                traceback.print_exc()

        self.time_start_thread = time.perf_counter_ns()
        # A daemon, so that closing the page does not wait for an agent that thinks for ever.
        self.agent_thread = threading.Thread(target=think, daemon=True)
        self.agent_thread.start()

    def _hear_agent(self) -> None:
        self.agent_thread = None
        player = self.state.to_move()
        name = _NAMES[player]
        if self._failure:
            self._end(-player, f"{name}'s agent failed: {self._failure}")
            return
        # The equal named tuple, so that a plain tuple with the same values can be played.
        known = [action for action in self.actions if action == self.agent_action]
        if known:
            self._move(known[0])
        else:
            self._end(-player, f"{name}'s agent gave an invalid action: {self.agent_action!r}")

    def _move(self, action: Any) -> None:
        now = time.perf_counter_ns()
        spent = (now - self.start_thinking_time) / 1e9
        if self.state.to_move() == 1:
            self.remaining_time_red -= spent
        else:
            self.remaining_time_black -= spent
        self.state = self.state.result(action)
        self.last_action = action
        self.actions = self.state.actions()
        self._unselect()
        self.start_thinking_time = now
        self.human_to_play = self._agent_to_move()[0] is None
        self._judge()

    # --- output

    def draw(self) -> None:
        """Shows the board and the state of the game."""
        self.screen.publish(self._view())

    def _view(self) -> Dict[str, Any]:
        player = self.state.to_move()
        selected = self.selected_actions[self.selected_id] if self.selected_actions else None
        return {
            "dim": self.dim,
            "pieces": [[*square, value] for square, value in self.state.pieces.items()],
            "images": {str(value): image for value, image in self.pieces_images.items()},
            "fonts": {"number": self.number_font, "win": self.win_font},
            "player": player,
            "person": self.human_to_play,
            "message": self._message(player),
            "win": self._verdict(),
            "reason": self.reason,
            "clocks": {"1": self.remaining_time_red, "-1": self.remaining_time_black},
            "since": self.start_thinking_time / 1e9 if self.winner is None else None,
            "starts": sorted({a.start for a in self.actions}) if self.human_to_play else [],
            "ends": sorted({a.end for a in self.selected_actions}),
            "selected": _shown(selected),
            "last": _shown(self.last_action),
        }

    def _message(self, player: int) -> str:
        if self.winner is not None:
            return ""
        if not self.human_to_play:
            return f"{_NAMES[player]} is thinking"
        if self.selected_actions:
            return f"Action {self.selected_id + 1}/{len(self.selected_actions)}"
        return f"{_NAMES[player]} to play"

    def _verdict(self) -> str:
        if self.winner is None:
            return ""
        return f"{_NAMES[self.winner]} wins!" if self.winner else "Draw!"


class _Metronome:
    """Limits the rate of a loop."""

    def __init__(self) -> None:
        self._last = time.perf_counter()

    def tick(self, frames_per_s: float) -> None:
        """Waits for the rest of this frame."""
        time.sleep(max(0.0, self._last + 1 / frames_per_s - time.perf_counter()))
        self._last = time.perf_counter()


def _shown(action: Any) -> Optional[Dict[str, Any]]:
    if action is None:
        return None
    removed = sorted(action.removed)
    return {"start": action.start, "end": action.end, "removed": removed}


def _image(value: int) -> str:
    """A stack of as many discs as the piece has units, drawn around (0, 0)."""
    discs = []
    for disc in range(abs(value)):
        y = 7 * (abs(value) - 1) - 14 * disc
        discs.append(
            f'<path class="side" d="M-24 {y}v6a24 11 0 0 0 48 0v-6z"/>'
            f'<ellipse class="top" cx="0" cy="{y}" rx="24" ry="11"/>'
        )
    if abs(value) == 3:
        discs.append('<path class="crown" d="M-12-9l-2-11 7 5 7-9 7 9 7-5-2 11z"/>')
    owner = "red" if value > 0 else "black"
    return f'<g class="piece {owner}">{"".join(discs)}</g>'
