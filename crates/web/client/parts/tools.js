// The buttons beside the board, and their keyboard shortcuts.

/** @import { Game, Position } from "../api-types" */
/** @import { Board } from "../board/board.js" */
/** @import { Key } from "../page-types" */

import { button, el } from "../dom.js";
import { coordinates, setCoordinates } from "./settings.js";

/** @typedef {{ undo: () => void, hint: () => void, threats: () => void, draw: () => void, resign: () => void }} Actions */

/** How the board is turned, and whether it shows coordinates. */
export class Look {
  /**
   * @param {Board} board
   * @param {Position} position
   * @param {number} seat  the seat at the bottom
   */
  constructor(board, position, seat) {
    this.board = board;
    this.step = position.scene.shape === "hexagon" ? 60 : 180;
    this.turn = position.turns[seat] ?? 0;
    this.names = coordinates();
    this.turnButton = button("Turn board", () => this.flip(), { data: { action: "flip" } });
    // An upright board has a top and a bottom.
    this.turnButton.hidden = position.scene.shape === "hole";
    this.namesButton = button("Coordinates", () => this.toggleNames(), { data: { action: "coordinates" } });
    this.apply();
  }

  flip() {
    if (this.turnButton.hidden) return;
    this.turn = (this.turn + this.step) % 360;
    this.apply();
  }

  toggleNames() {
    this.names = !this.names;
    setCoordinates(this.names);
    this.apply();
  }

  apply() {
    this.namesButton.setAttribute("aria-pressed", String(this.names));
    this.board.setView({ turn: this.turn, coordinates: this.names });
  }

  /** @returns {Key[]} */
  keys() {
    const turning = { key: "f", label: "Turn the board", run: () => this.flip() };
    return [
      ...(this.turnButton.hidden ? [] : [turning]),
      { key: "c", label: "Coordinates on or off", run: () => this.toggleNames() },
    ];
  }
}

/** The buttons of a game. */
export class Tools {
  /**
   * @param {Board} board
   * @param {Position} position
   * @param {number} seat
   * @param {Actions} actions
   */
  constructor(board, position, seat, actions) {
    this.look = new Look(board, position, seat);
    this.actions = actions;
    this.undo = button("Take back", actions.undo, { data: { action: "undo" } });
    this.hint = button("Hint", actions.hint, { data: { action: "hint" } });
    this.threats = button("Threats", () => this.toggleThreats(), { "aria-pressed": "false", data: { action: "threats" } });
    this.draw = button("Offer draw", actions.draw, { data: { action: "draw" } });
    this.resign = button("Resign", actions.resign, { data: { action: "resign" } });
    this.node = el("div", { class: "tools-grid", role: "group", "aria-label": "Tools" },
      this.undo, this.hint, this.threats, this.look.turnButton, this.look.namesButton, this.draw, this.resign);
  }

  toggleThreats() {
    const on = this.threats.getAttribute("aria-pressed") !== "true";
    this.threats.setAttribute("aria-pressed", String(on));
    this.actions.threats();
  }

  /**
   * @param {Game} game
   * @param {number[]} people
   */
  show(game, people) {
    const over = game.position.outcome !== null;
    const { to_move } = game.position;
    this.undo.hidden = people.length === 0;
    this.undo.disabled = !game.can_undo;
    this.hint.hidden = people.length === 0;
    this.hint.disabled = over || to_move === null || !people.includes(to_move);
    this.threats.hidden = !game.position.has_threats;
    this.threats.disabled = over;
    this.draw.hidden = people.length < game.players.length || over;
    this.draw.textContent = game.draw_offers.length > 0 ? "Accept draw" : "Offer draw";
    this.resign.hidden = people.length === 0 || over;
  }

  /** @returns {Key[]} */
  keys() {
    return [
      { key: "u", label: "Take back", run: () => this.undo.click() },
      { key: "h", label: "Hint", run: () => this.hint.click() },
      { key: "t", label: "Threats on or off", run: () => this.threats.click() },
      ...this.look.keys(),
    ];
  }
}
