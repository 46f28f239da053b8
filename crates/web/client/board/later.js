/**
 * A move for later: entered while another player is to move, and played when it is legal at one's turn.
 * What will be legal then is not known yet, so any way from one's own piece can be entered.
 *
 * @typedef {import("../api-types.js").Position} Position
 * @typedef {object} Listener
 * @property {() => void} changed the board has to be redrawn
 * @property {(message: string, kind: "info" | "error") => void} say
 */

export class Later {
  /** The chosen piece, until its destination is chosen. @type {number | null} */
  from = null;
  /** The first and the last cell of the move; only one where a piece is to be placed. @type {number[]} */
  way = [];

  /** @type {Listener} */ #on;
  /** @type {Position | null} */ #position = null;
  /** The seat it is for; null while nothing can be entered. @type {number | null} */ #seat = null;

  /** @param {Listener} on */
  constructor(on) {
    this.#on = on;
  }

  /**
   * Lets a move be entered by whoever has one seat and is not to move. A move that was entered before
   * stays.
   * @param {Position} position
   * @param {number[]} mine
   */
  open(position, mine) {
    const waits = mine.length === 1 && position.to_move !== null && mine[0] !== position.to_move;
    this.#position = position;
    this.#seat = waits ? mine[0] : null;
    this.from = null;
  }

  /** Whether a move can be entered now. */
  get isOpen() {
    return this.#seat !== null;
  }

  /** Whether the piece on this cell can be chosen. @param {number} cell */
  canStart(cell) {
    return this.isOpen && this.#position?.scene.pieces.some((piece) => piece.cell === cell && piece.owner === this.#seat) === true;
  }

  /** Whether a click on a cell alone places a piece. */
  get #places() {
    return this.#position?.scene.supplies?.some((supply) => supply.owner === this.#seat && supply.left !== 0) === true;
  }

  /**
   * A drag starts.
   * @param {number} cell
   * @returns {boolean} whether it can be
   */
  take(cell) {
    if (!this.canStart(cell)) return false;
    this.way = [];
    this.from = cell;
    this.#on.changed();
    return true;
  }

  /**
   * A cell is clicked, or a piece dropped on it. A click after a move was entered cancels that move.
   * @param {number} cell
   */
  click(cell) {
    if (this.way.length > 0 && this.from === null) return void this.cancel();
    if (this.from === null) return this.#start(cell);
    if (cell === this.from) return void this.cancel();
    this.#enter([this.from, cell]);
  }

  /** @param {number} cell */
  #start(cell) {
    if (this.canStart(cell)) {
      this.from = cell;
      this.#on.say("Not your turn yet: choose where this piece will go, if it can then.", "info");
      return this.#on.changed();
    }
    if (this.#places) return this.#enter([cell]);
    this.#on.say("It is not your turn.", "error");
  }

  /** @param {number[]} way */
  #enter(way) {
    this.way = way;
    this.from = null;
    this.#on.say(`${this.words(way)} will be played at your turn. Click or press Esc to cancel.`, "info");
    this.#on.changed();
  }

  /** Gives it up. @returns {boolean} whether there was anything */
  cancel() {
    const any = this.way.length > 0 || this.from !== null;
    this.way = [];
    this.from = null;
    if (any) {
      this.#on.say("", "info");
      this.#on.changed();
    }
    return any;
  }

  /** The move that is due; it is played or dropped now. */
  due() {
    const way = this.way;
    this.way = [];
    return way;
  }

  /**
   * "d2–d3".
   * @param {number[]} way
   */
  words(way) {
    return way.map((cell) => this.#position?.scene.cells[cell]?.name ?? String(cell)).join("–");
  }
}
