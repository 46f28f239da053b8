// The players: names, whose turn it is, who is thinking, and the clocks.

/** @import { Game } from "../api-types" */

import { sideMark, tone } from "../board/pieces.js";
import { capital, el } from "../dom.js";
import { Clocks } from "./clock.js";

/** The players of a game. */
export class Players {
  /**
   * @param {Game} game
   * @param {AbortSignal} signal
   */
  constructor(game, signal) {
    this.states = game.players.map(() => el("span", { class: "state muted" }));
    const faces = game.players.map((player) =>
      el("span", { class: "clock", role: "timer", "aria-label": `Clock of ${player.label}` }));
    this.rows = game.players.map((player, seat) => el("li", { class: "player", data: { seat } },
      swatch(game.position.seats, seat),
      el("span", { class: "who" }, el("strong", null, player.name),
        // People sharing one board are already named after their seats.
        capital(player.label) !== player.name && el("span", { class: "muted seat-name" }, capital(player.label)),
        player.owned && el("span", { class: "muted you" }, game.yours.includes(seat) ? "you" : "by link")),
      this.states[seat], faces[seat]));
    this.clocks = new Clocks(faces, signal);
    this.node = el("ul", { class: "players card", "aria-label": "Players" }, ...this.rows);
    this.show(game);
  }

  /** @param {Game} game */
  show(game) {
    this.clocks.set(game.clock);
    this.rows.forEach((row, seat) => {
      const turn = !game.position.outcome && game.position.to_move === seat;
      row.classList.toggle("to-move", turn);
      if (turn) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
      const state = /** @type {HTMLElement} */ (this.states[seat]);
      state.classList.toggle("thinking", turn && game.thinking);
      const words = stateWords(game, seat, turn);
      // The row's colour already says so; narrow screens hide the words.
      state.classList.toggle("obvious", words === "to move");
      state.textContent = words;
    });
  }
}

/**
 * A dot in the seat's colour, with its symbol if it has one, as on the board.
 * @param {string[]} seats
 * @param {number} seat
 */
export function swatch(seats, seat) {
  const side = tone(seats, seat);
  return el("span", { class: `swatch tone-${side}`, "aria-hidden": "true" }, sideMark(side));
}

/**
 * @param {Game} game
 * @param {number} seat
 * @param {boolean} turn
 */
function stateWords(game, seat, turn) {
  const { outcome } = game.position;
  if (outcome) return outcome.places.length > 2 ? `place ${outcome.places[seat]}` : `${(outcome.points[seat] ?? 0) / 100}`;
  if (!turn) return "";
  if (game.watch?.paused) return "paused";
  return game.thinking ? "thinking" : "to move";
}
