// The buttons beside the board, and their keyboard shortcuts.

/** @import { Game, Position } from "../api-types" */
/** @import { Board } from "../board/board.js" */
/** @import { Key } from "../page-types" */

import { button, el } from "../dom.js";
import { coordinates, setCoordinates, setSounds, sounds } from "./settings.js";
import { sound } from "./sounds.js";

/**
 * @typedef {{ undo: () => void, hint: () => void, evaluate: () => void, threats: () => void, draw: () => void,
 *   decline: () => void, resign: () => void }} Actions
 */

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
    this.evaluate = button("Evaluate", actions.evaluate, { data: { action: "evaluate" } });
    this.sounds = button("Sounds", () => this.toggleSounds(), { "aria-pressed": String(sounds()), data: { action: "sounds" } });
    this.draw = button("Offer draw", actions.draw, { data: { action: "draw" } });
    this.decline = button("Decline", actions.decline, { data: { action: "decline" } });
    this.resign = button("Resign", actions.resign, { data: { action: "resign" } });
    this.node = el("div", { class: "tools-grid", role: "group", "aria-label": "Tools" },
      this.undo, this.hint, this.evaluate, this.threats, this.look.turnButton, this.look.namesButton, this.sounds,
      this.draw, this.decline, this.resign);
  }

  toggleSounds() {
    setSounds(!sounds());
    this.sounds.setAttribute("aria-pressed", String(sounds()));
    sound("move");
  }

  toggleThreats() {
    const on = this.threats.getAttribute("aria-pressed") !== "true";
    this.threats.setAttribute("aria-pressed", String(on));
    this.actions.threats();
  }

  /**
   * @param {Game} game
   * @param {number | null} looking  the ply that is looked back at
   */
  show(game, looking) {
    const { yours } = game;
    const over = game.position.outcome !== null;
    const { to_move } = game.position;
    this.undo.hidden = yours.length === 0;
    this.undo.disabled = !canTakeBack(game);
    // The opponent's best move is for later: when the game is over, or looking back.
    this.hint.disabled = !over && looking === null && (to_move === null || !yours.includes(to_move));
    this.threats.hidden = !game.position.has_threats;
    this.resign.hidden = yours.length === 0 || over;
    this.showDraw(game, over);
  }

  /**
   * At one board people agree on a draw; elsewhere one offers it, and the others accept or decline.
   * @param {Game} game
   * @param {boolean} over
   */
  showDraw({ yours, players, draw_offers }, over) {
    const together = yours.length === players.length;
    const offered = draw_offers.some((seat) => !yours.includes(seat));
    const waiting = draw_offers.some((seat) => yours.includes(seat));
    this.draw.hidden = over || yours.length === 0 || !players.every((player) => player.kind === "human");
    this.draw.disabled = !together && waiting;
    this.draw.textContent = together ? "Draw" : waiting ? "Draw offered" : offered ? "Accept draw" : "Offer draw";
    this.decline.hidden = over || together || !offered;
  }

  /** @returns {Key[]} */
  keys() {
    return [
      { key: "u", label: "Take back", run: () => this.undo.click() },
      { key: "h", label: "Hint", run: () => this.hint.click() },
      { key: "e", label: "Evaluate the position", run: () => this.evaluate.click() },
      { key: "t", label: "Threats on or off", run: () => this.threats.click() },
      ...this.look.keys(),
    ];
  }
}

/**
 * Whether a move can be taken back here. Where seats have owners, that is one's own last move, until another
 * person has moved.
 * @param {Game} game
 */
function canTakeBack({ can_undo, players, played, yours }) {
  const last = played.findLast((move) => players[move.seat]?.kind === "human");
  return can_undo && last !== undefined && yours.includes(last.seat);
}
