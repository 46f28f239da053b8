/**
 * An interactive board: shows positions of any game, animates moves, and takes moves by click, drag
 * or keyboard.
 *
 * @typedef {import("../api-types.js").Move} Move
 * @typedef {import("../api-types.js").Piece} Piece
 * @typedef {import("../api-types.js").Position} Position
 * @typedef {import("../api-types.js").Supply} Supply
 * @typedef {import("./choices.js").Choice} Choice
 * @typedef {import("./entry.js").Fit} Fit
 * @typedef {import("./marks.js").Arrow} Arrow
 * @typedef {import("./marks.js").CellMark} CellMark
 * @typedef {import("./marks.js").Worth} Worth
 * @typedef {object} BoardOptions
 * @property {(text: string) => unknown} [onMove] a move was entered and is already on the board. If
 *   this returns a promise, updates of the old position wait for it
 * @property {(message: string, kind: "info" | "error") => void} [onSay] a message for the player; an
 *   empty one clears the last
 * @property {(choices: Choice[]) => void} [onChoices] several moves to choose from; empty when settled
 * @property {boolean} [interactive] false for a static picture
 * @property {boolean} [thumbnail] a small picture with few nodes
 * @property {string} [label] the board's name for screen readers
 */
import { el } from "../dom.js";
import { animateMove, mayMove, place, stageOf } from "./animate.js";
import { drawCells, dressCells, markOver } from "./cells.js";
import { choiceList, choicesOf } from "./choices.js";
import { Entering } from "./entering.js";
import { ending, lastStopOn, piecesAfter, placedPiece, suppliesAfter } from "./entry.js";
import { cellAt, towards } from "./geometry.js";
import { listen, pointOf } from "./input.js";
import { boardWords } from "./labels.js";
import { Later } from "./later.js";
import { arrow, cellMark, choiceRoute, lastMove, targetMarks, tint, valueMarks } from "./marks.js";
import { Picture } from "./picture.js";
import { Hand, drawGhosts } from "./placing.js";
import { Supplies } from "./supplies.js";
import { svg } from "./svg.js";

export class Board {
  /** The speed of animations; 0 for none. */
  speed = 1;
  /** Whether a move for later can be entered while another player is to move. */
  takesLater = false;

  /** @type {HTMLElement} */ #host;
  /** @type {BoardOptions} */ #options;
  /** Its pieces are one move ahead of the position until the server answers. @type {Picture} */ #picture;
  /** @type {Position | null} */ #position = null;
  #view = { turn: 0, coordinates: true };
  /** The route of the last move. @type {number[]} */ #last = [];
  /** The entered move, until the server answers. @type {{ ply: number, text: string, supplies: Supply[] } | null} */
  #ahead = null;
  /** Whether the page is still processing the entered move. */
  #reporting = false;
  /** An update of the old position that arrived meanwhile. @type {{ position: Position, mine: number[] } | null} */
  #held = null;
  /** @type {Promise<void>} */ #running = Promise.resolve();
  /** Numbers the calls of `show`: only the latest counts. */
  #calls = 0;
  /** @type {Entering} */ #entering;
  /** @type {Later} */ #later;
  /** The seats whose moves may be entered. @type {number[]} */ #mine = [];
  /** @type {number | null} */ #hovered = null;
  #cursor = -1;
  /** @type {{ arrows: Arrow[], cells: CellMark[] }} */ #marks = { arrows: [], cells: [] };
  /** What the moves are worth, by their texts. @type {Map<string, Worth>} */ #values = new Map();
  /** @type {HTMLElement | null} */ #list = null;
  /** @type {Supplies | null} */ #supplies = null;
  /** @type {Hand} */ #hand;

  /**
   * @param {HTMLElement} host
   * @param {BoardOptions} [options]
   */
  constructor(host, options = {}) {
    this.#options = options;
    // The list of choices is placed relative to the picture, which may have supplies below it.
    this.#host = el("div", { class: "board-stage" });
    host.append(this.#host);
    this.#picture = new Picture(this.#host, options.thumbnail === true);
    this.#hand = new Hand(this.#picture);
    this.#entering = new Entering({
      changed: () => this.#refresh(),
      play: (fit, stops, dropped) => this.#played(fit, stops, dropped),
      say: (message, kind) => options.onSay?.(message, kind),
    });
    this.#later = new Later({
      changed: () => this.#refresh(),
      say: (message, kind) => options.onSay?.(message, kind),
    });
    if (this.#still) return;
    this.#picture.node.setAttribute("role", "group");
    listen(this.#picture.node, this.#commands());
  }

  /** Whether this is a static picture. */
  get #still() {
    return this.#options.thumbnail === true || this.#options.interactive === false;
  }

  /**
   * Shows a position, and animates its last move if asked and if it follows the position shown. The
   * promise resolves when nothing moves any more. For a thumbnail, `scene` and `seats` are enough.
   * @param {Position} position
   * @param {{ animate?: boolean, mine?: number[] }} [how] `mine`: the seats that may be entered here
   * @returns {Promise<void>}
   */
  async show(position, how = {}) {
    const call = ++this.#calls;
    await this.#running;
    if (call !== this.#calls) return;
    if (this.#ahead && this.#reporting && position.ply < this.#ahead.ply) {
      this.#held = { position, mine: how.mine ?? [] };
      return;
    }
    const expected = this.#ahead?.ply === position.ply && this.#ahead?.text === position.last?.text;
    const shownPly = this.#ahead?.ply ?? this.#position?.ply;
    const follows = position.variant === this.#position?.variant && position.ply === (shownPly ?? NaN) + 1;
    if (how.animate && follows && !expected && position.last && this.#moves) {
      this.#entering.close();
      const { last } = position;
      const placed = placedPiece(position.scene, last, last.seat);
      const shown = position.scene.pieces.find((piece) => piece.cell === placed?.cell);
      await this.#animate(last, last.routes[0] ?? [], placed && (shown ?? placed));
    }
    // Record what was shown, even if something newer is waiting.
    this.#settle(position, call === this.#calls ? (how.mine ?? []) : []);
  }

  /**
   * Sets how the board is seen.
   * @param {{ turn?: number, coordinates?: boolean }} view `turn` in degrees, clockwise
   */
  setView(view) {
    this.#view = { ...this.#view, ...view };
    if (this.#position) this.#redraw(this.#position);
  }

  /**
   * Shows arrows and rings until the position changes.
   * @param {{ arrows?: Arrow[], cells?: CellMark[] }} marks
   */
  mark({ arrows = [], cells = [] }) {
    this.#marks = { arrows, cells };
    if (this.#position) this.#drawOver();
  }

  /**
   * Shows what moves are worth, on the cells where they begin or, once one is begun, where they go on;
   * until the position changes.
   * @param {Map<string, Worth>} values  by the texts of the moves
   */
  setValues(values) {
    this.#values = values;
    if (this.#position) this.#drawOver();
  }

  /** Removes the arrows and rings. */
  clearMarks() {
    this.mark({});
  }

  /**
   * Plays a choice, or any legal move, by its text.
   * @param {string} text
   */
  choose(text) {
    this.#entering.choose(text);
  }

  /** Cancels a half-entered move, and a move for later. @returns {boolean} whether there was any */
  cancel() {
    const later = this.#later.cancel();
    return this.#entering.cancel() || later;
  }

  /** Whether moves are animated. */
  get #moves() {
    return this.speed > 0 && !this.#options.thumbnail && mayMove();
  }

  /**
   * @param {Move} move
   * @param {number[]} route
   * @param {Piece | null} placed
   * @param {boolean} [dragged]
   */
  #animate(move, route, placed, dragged) {
    if (placed) this.#picture.addPiece(placed);
    const stage = stageOf(this.#picture, this.#position?.scene.regions ?? [], this.speed);
    this.#running = animateMove(stage, move, route, dragged).catch(() => {});
    return this.#running;
  }

  /**
   * A move was entered: shows it at once and reports it.
   * @param {Fit} fit
   * @param {number[]} stops
   * @param {boolean} dropped
   */
  #played({ move, route }, stops, dropped) {
    if (!this.#position) return;
    const rest = route.slice(Math.max(0, lastStopOn(route, stops)));
    const { ply, scene, to_move } = this.#position;
    const placed = placedPiece(scene, move, to_move);
    const after = piecesAfter(this.#picture.pieces, move, placed);
    this.#ahead = { ply: ply + 1, text: move.text, supplies: suppliesAfter(scene.supplies ?? [], move, to_move) };
    this.#marks = { arrows: [], cells: [] };
    this.#values = new Map();
    const moving = this.#moves ? this.#animate(move, rest, placed, dropped) : Promise.resolve();
    this.#running = moving.then(() => {
      this.#last = route;
      this.#picture.drawPieces(after);
      this.#refresh();
    });
    this.#report(move.text);
  }

  /**
   * Reports the entered move to the page. If it fails, the board goes back.
   * @param {string} text
   */
  async #report(text) {
    this.#reporting = true;
    let failed = false;
    try {
      await this.#options.onMove?.(text);
    } catch {
      // The page says why.
      failed = true;
    }
    this.#reporting = false;
    await this.#running;
    if (this.#ahead?.text !== text || !this.#position) return;
    const held = this.#held ?? (failed ? { position: this.#position, mine: this.#mine } : null);
    if (held) this.#settle(held.position, held.mine);
  }

  /**
   * @param {Position} position
   * @param {number[]} mine
   */
  #settle(position, mine) {
    const known = this.#position;
    const keys = /** @type {const} */ (["variant", "position", "ply", "to_move"]);
    const same = !this.#ahead && keys.every((key) => known?.[key] === position[key]);
    const sameMine = this.#mine.join() === mine.join();
    this.#position = position;
    this.#ahead = null;
    this.#held = null;
    // A half-entered move survives an update that changes nothing on the board.
    if (same && sameMine) return;
    this.#mine = mine;
    if (!same) {
      this.#marks = { arrows: [], cells: [] };
      this.#values = new Map();
      this.#last = this.#options.thumbnail ? [] : (position.last?.routes[0] ?? []);
      this.#hovered = null;
      this.#redraw(position);
    }
    if (this.#still) return;
    this.#later.open(position, this.takesLater ? mine : []);
    this.#entering.open(position, mine);
    if (position.to_move !== null && mine.includes(position.to_move)) this.#playLater(position);
  }

  /**
   * Plays the move for later if it is legal now; if several moves fit, the player chooses.
   * @param {Position} position
   */
  #playLater(position) {
    const way = this.#later.due();
    if (way.length === 0) return;
    const fits = ending(position.moves, way);
    if (fits.length === 1) return this.choose(fits[0].move.text);
    if (fits.length > 1) return way.forEach((cell) => this.#entering.click(cell, true));
    this.#refresh();
    this.#options.onSay?.(`${this.#later.words(way)} is not possible now.`, "error");
  }

  /** @param {Position} position */
  #redraw(position) {
    const anew = this.#picture.drawBoard(position, this.#view);
    if (anew && !this.#still) this.#drawCells(position);
    const label = this.#options.label ?? position.title ?? "Board";
    const words = this.#still && !this.#options.thumbnail ? `${label}. ${boardWords(position)}` : label;
    this.#picture.node.setAttribute("aria-label", words);
    this.#picture.drawPieces(this.#ahead ? this.#picture.pieces : position.scene.pieces);
    this.#refresh();
  }

  /** @param {Position} position */
  #drawCells(position) {
    const layer = this.#picture.layers.cells;
    const focused = layer.contains(document.activeElement);
    drawCells(layer, position.scene, this.#picture.layout);
    if (this.#cursor >= layer.children.length) this.#cursor = -1;
    if (focused) this.#focus(Math.max(this.#cursor, 0));
  }

  /** Draws what depends on the state of the entry. */
  #refresh() {
    if (!this.#position) return;
    this.#drawUnder();
    this.#drawOver();
    this.#dressPieces();
    if (!this.#still) this.#dressCells(this.#position);
    this.#offerChoices();
    this.#drawSupplies(this.#position);
  }

  #drawUnder() {
    const marks = this.#last.length > 0 ? lastMove(this.#picture.layout, this.#last) : [];
    const { stops } = this.#entering;
    if (stops.length > 0) marks.push(...tint(this.#picture.layout, stops, "mark-selected"));
    const { from, way } = this.#later;
    if (from !== null || way.length > 0) marks.push(...tint(this.#picture.layout, from === null ? way : [from], "mark-later"));
    this.#picture.layers.under.replaceChildren(...marks);
  }

  #drawOver() {
    const { stops, choices } = this.#entering;
    const pointed = stops.length === 0 ? this.#pointed : null;
    if (this.#position) drawGhosts(this.#picture, this.#position, pointed === null ? [] : this.#entering.placings(pointed));
    const hovering = pointed !== null && this.#entering.held === null;
    const shown = hovering ? [pointed] : stops;
    const what = {
      ...this.#entering.targets(shown),
      here: shown[shown.length - 1] ?? -1,
      canEnd: this.#entering.canEnd,
      occupied: (/** @type {number} */ cell) => this.#picture.at.has(cell),
    };
    const { layout } = this.#picture;
    /** @type {SVGElement[]} */
    const marks = [
      ...this.#marks.arrows.map(({ route, kind, weight }) => arrow(layout, route, `arrow-${kind}`, weight)),
      ...this.#marks.cells.map((mark) => cellMark(layout, mark)),
      ...choices.map((fit, index) => this.#choiceMark(fit, index)),
    ];
    if (this.#later.way.length > 0) marks.push(arrow(layout, this.#later.way, "arrow-later"));
    if (choices.length === 0) {
      const name = hovering ? "targets faint" : "targets";
      marks.push(svg("g", { class: name }, ...targetMarks(layout, what)));
    }
    if (this.#values.size > 0 && this.#position && !this.#ahead) marks.push(...valueMarks(layout, this.#position.moves, stops, this.#values));
    this.#picture.layers.over.replaceChildren(...marks);
  }

  /** The cell under the pointer, or the one the keyboard is on. */
  get #pointed() {
    const cursor = this.#picture.layers.cells.children[this.#cursor];
    return this.#hovered ?? (cursor?.matches(":focus-visible") ? this.#cursor : null);
  }

  /**
   * @param {Fit} fit
   * @param {number} index
   */
  #choiceMark(fit, index) {
    const mark = choiceRoute(this.#picture.layout, fit.route, index, this.#entering.choices.length);
    mark.addEventListener("click", () => this.choose(fit.move.text));
    return mark;
  }

  #dressPieces() {
    const { stops, forced } = this.#entering;
    for (const [cell, drawn] of this.#picture.at) {
      const selected = cell === stops[0];
      drawn.classList.toggle("lifted", selected);
      drawn.classList.remove("pulsing");
      const at = this.#picture.layout.points[selected ? stops[stops.length - 1] : cell];
      if (at && !this.#ahead) place(drawn, at);
      if (selected && drawn.nextSibling) this.#picture.layers.pieces.append(drawn);
    }
    if (stops.length > 0 || forced.size === 0) return;
    // The animation restarts only after a reflow without the class.
    this.#picture.node.getBoundingClientRect();
    for (const cell of forced) this.#picture.at.get(cell)?.classList.add("pulsing");
  }

  /** @param {Position} position */
  #dressCells(position) {
    const own = this.#entering;
    const placed = (/** @type {number} */ cell) =>
      own.placings(cell).flatMap(({ move }) => placedPiece(position.scene, move, position.to_move) ?? []);
    if (this.#cursor < 0) this.#cursor = this.#firstCursor(position);
    dressCells(this.#picture.layers.cells, position, {
      ...own.targets(),
      pieces: this.#picture.pieces,
      stops: own.stops,
      cursor: Math.max(0, this.#cursor),
      canStart: (cell) => own.canStart(cell),
      canLater: (cell) => this.#later.canStart(cell),
      placed,
    });
  }

  /**
   * The initial tab stop: a piece that can move or, where pieces are placed, the middle of the places.
   * @param {Position} position
   */
  #firstCursor(position) {
    const start = position.scene.cells.findIndex((_, cell) => this.#entering.canStart(cell));
    const places = [...this.#entering.landings];
    return start >= 0 ? start : (places[Math.floor(places.length / 2)] ?? -1);
  }

  /** @param {Position} position */
  #drawSupplies(position) {
    const supplies = this.#ahead?.supplies ?? position.scene.supplies ?? [];
    if (this.#options.thumbnail || (supplies.length === 0 && !this.#supplies)) return;
    if (!this.#supplies) {
      this.#supplies = new Supplies(this.#supplyCommands());
      this.#host.after(this.#supplies.node);
    }
    const { placeable, held } = this.#entering;
    this.#supplies.show(position, { supplies, placeable, held });
  }

  /** Shows or removes the list of choices. */
  #offerChoices() {
    const { choices } = this.#entering;
    const before = this.#list;
    before?.remove();
    this.#list = null;
    const offered = this.#position ? choicesOf(choices, this.#position.scene) : [];
    if (offered.length > 0) {
      const on = { choose: this.choose.bind(this), key: (/** @type {string} */ key) => this.#key(key) };
      this.#list = choiceList(offered, this.#picture, on);
      this.#host.append(this.#list);
    }
    if (before || this.#list) this.#options.onChoices?.(offered);
  }

  /** @param {string} key */
  #key(key) {
    const { choices } = this.#entering;
    if (key === "Escape") {
      const any = this.cancel();
      if (choices.length > 0) this.#focus(this.#cursor);
      return any;
    }
    const choice = choices[Number(key) - 1];
    if (!choice) return false;
    this.choose(choice.move.text);
    this.#focus(this.#cursor);
    return true;
  }

  /**
   * @param {number} cell
   * @param {FocusOptions} [how]
   */
  #focus(cell, how) {
    const cells = this.#picture.layers.cells.children;
    cells[this.#cursor]?.setAttribute("tabindex", "-1");
    this.#cursor = cell;
    cells[cell]?.setAttribute("tabindex", "0");
    if (cells[cell] instanceof SVGElement) cells[cell].focus(how);
  }

  /** @returns {import("./input.js").Commands} */
  #commands() {
    return {
      click: (cell, byKeyboard) => {
        // A cell under the pointer is visible: the page must not scroll.
        this.#focus(cell, { preventScroll: true });
        this.#hovered = null;
        if (this.#later.isOpen) return this.#later.click(cell);
        this.#entering.click(cell);
        if (byKeyboard) this.#list?.querySelector("button")?.focus();
      },
      hover: (cell) => this.#hover(cell),
      focus: () => this.#drawOver(),
      take: (cell) => (this.#later.isOpen ? this.#later.take(cell) : this.#entering.take(cell)),
      drag: (point) => {
        const drawn = this.#picture.at.get(this.#later.from ?? this.#entering.stops[0]);
        if (drawn) place(drawn, point);
        markOver(this.#picture.layers.cells, cellAt(this.#picture.layout.points, point));
      },
      drop: (point) => {
        const cell = cellAt(this.#picture.layout.points, point);
        markOver(this.#picture.layers.cells, null);
        if (cell === null) this.cancel();
        else if (this.#later.isOpen) this.#later.click(cell);
        else this.#entering.click(cell, true);
      },
      step: (cell, key) => this.#focus(towards(this.#picture.layout.points, cell, key)),
      key: (key) => this.#key(key),
    };
  }

  /** @param {number | null} cell */
  #hover(cell) {
    const own = this.#entering;
    const useful = cell !== null && (own.canStart(cell) || own.placings(cell).length > 0) ? cell : null;
    if (useful === this.#hovered) return;
    this.#hovered = useful;
    if (own.stops.length === 0) this.#drawOver();
  }

  /** @returns {import("./supplies.js").SupplyEvents} */
  #supplyCommands() {
    const own = this.#entering;
    const carried = (/** @type {PointerEvent} */ event) => this.#hand.carry(pointOf(this.#picture.node, event));
    return {
      pick: (letter, byKeyboard) => {
        if (own.held === letter) own.cancel();
        else if (own.hold(letter) && byKeyboard) this.#focus([...own.landings][0] ?? this.#cursor);
      },
      cancel: () => own.cancel(),
      take: (letter) => {
        if (!own.hold(letter) || !this.#position) return false;
        const { scene, to_move } = this.#position;
        const name = scene.supplies?.find((one) => one.owner === to_move && one.letter === letter)?.name ?? "piece";
        this.#hand.take({ cell: -1, owner: to_move, letter, name, height: 1 });
        return true;
      },
      drag: (event) => {
        const cell = carried(event);
        this.#hover(cell);
        markOver(this.#picture.layers.cells, cell);
      },
      drop: (event) => {
        const cell = event && carried(event);
        markOver(this.#picture.layers.cells, null);
        this.#hovered = null;
        this.#hand.take(null);
        if (cell === null) own.cancel();
        else own.click(cell, true);
      },
    };
  }
}
