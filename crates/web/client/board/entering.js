/**
 * A move being entered: what a click does, and what to say about it.
 *
 * @typedef {import("../api-types.js").Move} Move
 * @typedef {import("../api-types.js").Position} Position
 * @typedef {import("./entry.js").Fit} Fit
 * @typedef {object} Listener
 * @property {() => void} changed the board has to be redrawn
 * @property {(fit: Fit, stops: number[], dropped: boolean) => void} play
 *   a move is complete; `stops` are those the piece has already been shown to pass
 * @property {(message: string, kind: "info" | "error") => void} say an empty message clears the last
 */
import { begin, enter, fitting, isPlacing, landings, mustTake, placings, starts, targets } from "./entry.js";

export class Entering {
  /** The stops so far. @type {number[]} */
  stops = [];
  /** Moves to choose from, if the cells do not determine the move. @type {Fit[]} */
  choices = [];
  /** Whether a second click on the last stop ends the move. */
  canEnd = false;
  /** Pieces to highlight because one of them must take. @type {Set<number>} */
  forced = new Set();
  /** The letter of the piece that was taken from the supply, if one was. @type {string | null} */
  held = null;

  /** @type {Listener} */ #on;
  #said = false;
  /** @type {Position | null} */ #position = null;
  /** @type {Move[]} */ #moves = [];
  /** Those that place a piece: none in most games, where asking every cell costs nothing then. @type {Move[]} */
  #placing = [];
  /** @type {Set<number>} */ #starts = new Set();

  /** @param {Listener} on */
  constructor(on) {
    this.#on = on;
  }

  /**
   * Lets a move be entered on a position, unless the side to move is not among these seats.
   * @param {Position} position
   * @param {number[]} mine
   */
  open(position, mine) {
    this.#position = position;
    const open = position.to_move !== null && mine.includes(position.to_move);
    this.#allow(open ? (position.moves ?? []) : []);
    this.forced = new Set();
    this.#select([]);
    if (open) this.#sayForced("info");
  }

  /** Nothing can be entered until the next position. */
  close() {
    this.forced = new Set();
    this.#allow([]);
    this.#select([]);
  }

  /** @param {Move[]} moves */
  #allow(moves) {
    this.#moves = moves;
    this.#placing = moves.filter(isPlacing);
    this.#starts = starts(moves);
  }

  /** Whether a move can be entered here. */
  get isOpen() {
    return this.#moves.length > 0;
  }

  /** Whether the piece on this cell can move. @param {number} cell */
  canStart(cell) {
    return this.held === null && this.#starts.has(cell);
  }

  /**
   * The moves that place a piece when this cell is clicked.
   * @param {number} cell
   */
  placings(cell) {
    return placings(this.#inHand, cell);
  }

  /** The cells where pieces can come to stand that are placed. */
  get landings() {
    return landings(this.#inHand);
  }

  /** The pieces in the supply that can be placed, by their letters. */
  get placeable() {
    return new Set(this.#placing.flatMap((move) => move.places ?? []));
  }

  /** The moves that place a piece: the held one, if there is one. */
  get #inHand() {
    return this.held === null ? this.#placing : this.#placing.filter((move) => move.places === this.held);
  }

  /**
   * What can be clicked after these stops, which pieces that would take, and where the moving piece
   * would be lost.
   * @param {number[]} [stops]
   */
  targets(stops = this.stops) {
    /** @type {Set<number>} */
    const deadly = new Set();
    if (stops.length === 0) {
      const ends = this.held === null ? new Set() : this.landings;
      return { ends, next: new Set(), victims: new Set(), deadly };
    }
    const fits = fitting(this.#moves, stops);
    const pieces = this.#position?.scene.pieces ?? [];
    const foes = pieces.filter((piece) => piece.owner !== this.#position?.to_move).map((piece) => piece.cell);
    const victims = new Set(fits.flatMap(({ move }) => move.removes).filter((cell) => foes.includes(cell)));
    for (const { move, route } of fits) {
      if (move.removes.includes(stops[0])) deadly.add(route[route.length - 1]);
    }
    return { ...targets(this.#moves, stops), victims, deadly };
  }

  /**
   * A piece of the supply is taken in hand, to be placed next.
   * @param {string} letter
   * @returns {boolean} whether it can be
   */
  hold(letter) {
    if (!this.isOpen) this.#sayClosed();
    if (!this.placeable.has(letter)) return false;
    this.#select([], letter);
    return true;
  }

  /**
   * A drag starts.
   * @param {number} cell
   * @returns {boolean} whether it can be
   */
  take(cell) {
    if (this.stops.length > 0 && cell === this.stops[this.stops.length - 1]) return true;
    if (!this.canStart(cell)) return false;
    this.#select([cell]);
    return true;
  }

  /**
   * A cell is clicked, or a piece dropped on it.
   * @param {number} cell
   * @param {boolean} [dropped]
   */
  click(cell, dropped = false) {
    if (!this.isOpen) return this.#sayClosed();
    this.choices = [];
    if (this.stops.length === 0) return this.#start(cell, dropped);
    const step = enter(this.#moves, this.stops, cell, dropped);
    if (step.kind === "play") return this.#play(step.fit, dropped);
    if (step.kind === "refuse") return this.#astray(cell, dropped);
    if (step.kind === "choose") return this.#offer(step.fits);
    this.stops = step.stops;
    this.canEnd = step.canEnd;
    if (step.canEnd) this.#say("Click again to end the move here, or continue.", "info");
    return this.#on.changed();
  }

  /**
   * Lets the player choose one of several moves.
   * @param {Fit[]} fits
   */
  #offer(fits) {
    this.choices = fits;
    this.#say("Several moves end there. Choose one.", "info");
    return this.#on.changed();
  }

  /**
   * Plays one of the choices, or any legal move by its text.
   * @param {string} text
   */
  choose(text) {
    const choice = this.choices.find((fit) => fit.move.text === text);
    const move = this.#moves.find((one) => one.text === text);
    if (choice) this.#play(choice, false);
    else if (move) this.#play({ move, route: move.routes[0] ?? [], from: 0 }, false);
  }

  /** Gives up what was entered so far. @returns {boolean} whether there was anything */
  cancel() {
    const any = this.stops.length > 0 || this.held !== null;
    this.#select([]);
    return any;
  }

  /**
   * @param {string} message
   * @param {"info" | "error"} kind
   */
  #say(message, kind) {
    this.#said = message !== "";
    this.#on.say(message, kind);
  }

  /**
   * @param {number[]} stops
   * @param {string | null} [held]
   */
  #select(stops, held = null) {
    // The message about the last click is out of date.
    if (this.#said) this.#say("", "info");
    this.stops = stops;
    this.held = held;
    this.choices = [];
    this.canEnd = false;
    this.#on.changed();
  }

  /**
   * @param {number} cell
   * @param {boolean} [dropped]
   */
  #start(cell, dropped = false) {
    const step = begin(this.held === null ? this.#moves : this.#inHand, cell);
    if (step.kind === "play") return this.#play(step.fit, dropped);
    if (step.kind === "continue") {
      this.#select(step.stops);
      this.canEnd = step.canEnd;
      if (step.canEnd) this.#say("Click again to place a piece here, or move this one.", "info");
      return this.#on.changed();
    }
    if (step.kind === "choose") {
      // The cell stays selected, so that the choice can be given up.
      this.#select([step.fits[0].route[0]]);
      return this.#offer(step.fits);
    }
    if (this.#sayForced("error")) return this.#on.changed();
    const why = this.#whyNot(cell);
    if (why) this.#say(why, "error");
    return this.#on.changed();
  }

  /**
   * Why no move begins on this cell; empty where nobody would expect one to.
   * @param {number} cell
   */
  #whyNot(cell) {
    const piece = this.#position?.scene.pieces.find((one) => one.cell === cell);
    const placing = this.landings.size > 0;
    if (placing && (!piece || this.held !== null || this.#starts.size === 0)) return "Nothing can be placed there.";
    if (!piece) return "";
    return piece.owner === this.#position?.to_move ? "This piece has no legal move." : "This piece is not yours.";
  }

  /**
   * A cell that is no target.
   * @param {number} cell
   * @param {boolean} dropped
   */
  #astray(cell, dropped) {
    const [last] = this.stops.slice(-1);
    if (cell === last && dropped) return this.#on.changed();
    if (this.stops.length === 1 && !dropped) {
      this.#select([]);
      return cell === last ? undefined : this.#start(cell);
    }
    if (this.#starts.has(cell) && !dropped) return this.#start(cell);
    this.#say("Click one of the marked cells.", "error");
    return this.#on.changed();
  }

  /**
   * @param {Fit} fit
   * @param {boolean} dropped
   */
  #play(fit, dropped) {
    const stops = this.stops;
    this.close();
    this.#on.play(fit, stops, dropped);
  }

  #sayClosed() {
    const over = this.#position?.to_move === null;
    this.#say(over ? "The game is over." : "It is not your turn.", "error");
  }

  /**
   * Says so if taking is compulsory.
   * @param {"info" | "error"} kind
   */
  #sayForced(kind) {
    const position = this.#position;
    if (!position || position.to_move === null) return false;
    const must = mustTake(this.#moves, position.scene.pieces, position.to_move);
    if (!must) return false;
    const names = must.starts.slice(0, 4).map((cell) => position.scene.cells[cell]?.name);
    if (must.starts.length > 4) names.push("…");
    this.forced = new Set(must.starts);
    const much = must.taken === null ? "" : ` ${must.taken}${must.stacks ? " units" : ""}`;
    this.#say(`You must take${much}: ${names.join(", ")}`, kind);
    return true;
  }
}
