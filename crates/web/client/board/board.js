/**
 * An interactive board: shows positions of any game, animates moves, and takes moves by click, drag
 * or keyboard.
 *
 * @typedef {import("../api-types.js").Move} Move
 * @typedef {import("../api-types.js").Position} Position
 * @typedef {import("./choices.js").Choice} Choice
 * @typedef {import("./entry.js").Fit} Fit
 * @typedef {import("./marks.js").Arrow} Arrow
 * @typedef {import("./marks.js").CellMark} CellMark
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
import { animateMove, mayMove, place, stageOf } from "./animate.js";
import { drawCells, dressCells, markOver } from "./cells.js";
import { choiceList, choicesOf } from "./choices.js";
import { Entering } from "./entering.js";
import { lastStopOn, piecesAfter } from "./entry.js";
import { cellAt, towards } from "./geometry.js";
import { listen } from "./input.js";
import { boardWords } from "./labels.js";
import { arrow, cellMark, choiceRoute, lastMove, targetMarks, tint } from "./marks.js";
import { Picture } from "./picture.js";
import { svg } from "./svg.js";

export class Board {
  /** The speed of animations; 0 for none. */
  speed = 1;

  /** @type {HTMLElement} */ #host;
  /** @type {BoardOptions} */ #options;
  /** Its pieces are one move ahead of the position until the server answers. @type {Picture} */ #picture;
  /** @type {Position | null} */ #position = null;
  #view = { turn: 0, coordinates: true };
  /** The route of the last move. @type {number[]} */ #last = [];
  /** The entered move, until the server answers. @type {{ ply: number, text: string } | null} */
  #ahead = null;
  /** Whether the page is still processing the entered move. */
  #reporting = false;
  /** An update of the old position that arrived meanwhile. @type {{ position: Position, mine: number[] } | null} */
  #held = null;
  /** @type {Promise<void>} */ #running = Promise.resolve();
  /** Numbers the calls of `show`: only the latest counts. */
  #calls = 0;
  /** @type {Entering} */ #entering;
  /** The seats whose moves may be entered. @type {number[]} */ #mine = [];
  /** @type {number | null} */ #hovered = null;
  #cursor = -1;
  /** @type {{ arrows: Arrow[], cells: CellMark[] }} */ #marks = { arrows: [], cells: [] };
  /** @type {HTMLElement | null} */ #list = null;

  /**
   * @param {HTMLElement} host
   * @param {BoardOptions} [options]
   */
  constructor(host, options = {}) {
    this.#host = host;
    this.#options = options;
    this.#picture = new Picture(host, options.thumbnail === true);
    this.#entering = new Entering({
      changed: () => this.#refresh(),
      play: (fit, stops, dropped) => this.#played(fit, stops, dropped),
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
      await this.#animate(position.last, position.last.routes[0] ?? []);
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
    this.#refresh();
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

  /** Cancels a half-entered move. */
  cancel() {
    this.#entering.cancel();
  }

  /** Whether moves are animated. */
  get #moves() {
    return this.speed > 0 && !this.#options.thumbnail && mayMove();
  }

  /**
   * @param {Move} move
   * @param {number[]} route
   * @param {boolean} [dragged]
   */
  #animate(move, route, dragged) {
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
    const after = piecesAfter(this.#picture.pieces, move);
    this.#ahead = { ply: this.#position.ply + 1, text: move.text };
    this.#marks = { arrows: [], cells: [] };
    const moving = this.#moves ? this.#animate(move, rest, dropped) : Promise.resolve();
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
      this.#last = this.#options.thumbnail ? [] : (position.last?.routes[0] ?? []);
      this.#hovered = null;
      this.#redraw(position);
    }
    if (!this.#still) this.#entering.open(position, mine);
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
  }

  #drawUnder() {
    const marks = this.#last.length > 1 ? lastMove(this.#picture.layout, this.#last) : [];
    const { stops } = this.#entering;
    if (stops.length > 0) marks.push(...tint(this.#picture.layout, stops, "mark-selected"));
    this.#picture.layers.under.replaceChildren(...marks);
  }

  #drawOver() {
    const { stops, choices } = this.#entering;
    const hovering = stops.length === 0 && this.#hovered !== null;
    const shown = hovering ? [this.#hovered ?? 0] : stops;
    const what = {
      ...this.#entering.targets(shown),
      here: shown[shown.length - 1] ?? -1,
      canEnd: this.#entering.canEnd,
      occupied: (/** @type {number} */ cell) => this.#picture.at.has(cell),
    };
    const { layout } = this.#picture;
    const marks = [
      ...this.#marks.arrows.map(({ route, kind }) => arrow(layout, route, `arrow-${kind}`)),
      ...this.#marks.cells.map((mark) => cellMark(layout, mark)),
      ...choices.map((fit, index) => this.#choiceMark(fit, index)),
    ];
    if (choices.length === 0) {
      const name = hovering ? "targets faint" : "targets";
      marks.push(svg("g", { class: name }, ...targetMarks(layout, what)));
    }
    this.#picture.layers.over.replaceChildren(...marks);
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
    // The initial tab stop is a piece that can move, once there is one.
    if (this.#cursor < 0) this.#cursor = position.scene.cells.findIndex((_, cell) => own.canStart(cell));
    dressCells(this.#picture.layers.cells, position, {
      ...own.targets(),
      pieces: this.#picture.pieces,
      stops: own.stops,
      cursor: Math.max(0, this.#cursor),
      canStart: (cell) => own.canStart(cell),
    });
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
      const any = this.#entering.cancel();
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
        this.#entering.click(cell);
        if (byKeyboard) this.#list?.querySelector("button")?.focus();
      },
      hover: (cell) => {
        const movable = cell !== null && this.#entering.canStart(cell) ? cell : null;
        if (movable === this.#hovered) return;
        this.#hovered = movable;
        if (this.#entering.stops.length === 0) this.#drawOver();
      },
      take: (cell) => this.#entering.take(cell),
      drag: (point) => {
        const drawn = this.#picture.at.get(this.#entering.stops[0]);
        if (drawn) place(drawn, point);
        markOver(this.#picture.layers.cells, cellAt(this.#picture.layout.points, point));
      },
      drop: (point) => {
        const cell = cellAt(this.#picture.layout.points, point);
        markOver(this.#picture.layers.cells, null);
        if (cell === null) this.#entering.cancel();
        else this.#entering.click(cell, true);
      },
      step: (cell, key) => this.#focus(towards(this.#picture.layout.points, cell, key)),
      key: (key) => this.#key(key),
    };
  }
}
