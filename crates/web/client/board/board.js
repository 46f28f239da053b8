/**
 * A board on a page: shows positions of any game, animates moves, and lets moves be entered by
 * click, drag or keyboard.
 *
 * @typedef {import("../api-types.js").Move} Move
 * @typedef {import("../api-types.js").Position} Position
 * @typedef {import("../api-types.js").Piece} Piece
 * @typedef {import("./choices.js").Choice} Choice
 * @typedef {import("./entry.js").Fit} Fit
 * @typedef {import("./geometry.js").Point} Point
 * @typedef {import("./marks.js").Arrow} Arrow
 * @typedef {import("./marks.js").CellMark} CellMark
 * @typedef {object} BoardOptions
 * @property {(text: string) => void} [onMove] a move was entered; it is on the board already
 * @property {(message: string, kind: "info" | "error") => void} [onSay]
 * @property {(choices: Choice[]) => void} [onChoices] several moves to choose from; none: settled
 * @property {boolean} [interactive] false: a picture that nothing can be entered on
 * @property {boolean} [thumbnail] a small picture of few nodes
 * @property {string} [label] what the board is, for those who listen to it
 */
import { animateMove, mayMove, place } from "./animate.js";
import { choiceList, beside } from "./choices.js";
import { drawBase, frameOf } from "./draw.js";
import { Entering } from "./entering.js";
import { choiceLabel, lastStopOn, piecesAfter } from "./entry.js";
import { cellAt, cellsPath, layoutOf, towards } from "./geometry.js";
import { listen } from "./input.js";
import { boardWords, cellWords, pieceWords, regionWords } from "./labels.js";
import { arrow, cellMark, choiceRoute, lastMove, targetMarks, tint } from "./marks.js";
import { drawPiece, tone } from "./pieces.js";
import { path, svg } from "./svg.js";

/** The layers from below to above. */
const LAYERS = /** @type {const} */ (["base", "under", "cells", "pieces", "effects", "over"]);

export class Board {
  /** How fast moves are animated; 0: not at all. */
  speed = 1;

  /** @type {HTMLElement} */ #host;
  /** @type {BoardOptions} */ #options;
  /** @type {SVGSVGElement} */ #picture = svg("svg", { class: "board" });
  /** @type {Record<typeof LAYERS[number], SVGGElement>} */ #layers;
  /** @type {Position | null} */ #position = null;
  #layout = layoutOf({ shape: "square", cells: [], regions: [], pieces: [] }, 0);
  #view = { turn: 0, coordinates: true };
  /** What the drawn base was made from. */
  #baseKey = "";
  /** What stands on the board now, a move ahead of the position while an answer is awaited. @type {Piece[]} */
  #pieces = [];
  /** @type {Map<number, SVGGElement>} */ #at = new Map();
  /** The route of the move that led here. @type {number[]} */ #last = [];
  /** The move that was entered and not yet answered. @type {{ ply: number, text: string } | null} */
  #ahead = null;
  /** @type {Promise<void>} */ #running = Promise.resolve();
  /** Counts the calls of `show`: only the newest counts. */
  #calls = 0;
  /** @type {Entering} */ #entering;
  #mine = "";
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
    const layers = LAYERS.map((name) => [name, svg("g", { class: `layer-${name}` })]);
    this.#layers = Object.fromEntries(layers);
    this.#picture.append(...Object.values(this.#layers));
    this.#entering = new Entering({
      changed: () => this.#refresh(),
      play: (fit, stops, dropped) => this.#played(fit, stops, dropped),
      say: (message, kind) => options.onSay?.(message, kind),
    });
    const still = this.#still;
    this.#picture.setAttribute("role", still ? "img" : "group");
    if (options.thumbnail) this.#picture.classList.add("thumbnail");
    if (!still) listen(this.#picture, this.#commands());
    host.classList.add("board-host");
    host.append(this.#picture);
  }

  /** A picture without anything to click. */
  get #still() {
    return this.#options.thumbnail === true || this.#options.interactive === false;
  }

  /**
   * Shows a position, and the move that led to it in motion if asked and if it follows the one
   * shown. The promise is kept when all is still. For a thumbnail, `scene` and `seats` are enough.
   * @param {Position} position
   * @param {{ animate?: boolean, mine?: number[] }} [how] `mine`: the seats that may be entered here
   * @returns {Promise<void>}
   */
  async show(position, how = {}) {
    const call = ++this.#calls;
    await this.#running;
    if (call !== this.#calls) return;
    const expected = this.#ahead?.ply === position.ply && this.#ahead?.text === position.last?.text;
    const shownPly = this.#ahead?.ply ?? this.#position?.ply;
    const follows = position.variant === this.#position?.variant && position.ply === (shownPly ?? NaN) + 1;
    if (how.animate && follows && !expected && position.last && this.#moves) {
      this.#entering.close();
      await this.#animate(position.last, position.last.routes[0] ?? []);
      if (call !== this.#calls) return;
    }
    this.#settle(position, how.mine ?? []);
  }

  /**
   * How the board is seen.
   * @param {{ turn?: number, coordinates?: boolean }} view `turn` in degrees, clockwise
   */
  setView(view) {
    this.#view = { ...this.#view, ...view };
    if (this.#position) this.#redraw(this.#position);
  }

  /**
   * Arrows and rings on request, until the position changes.
   * @param {{ arrows?: Arrow[], cells?: CellMark[] }} marks
   */
  mark({ arrows = [], cells = [] }) {
    this.#marks = { arrows, cells };
    this.#refresh();
  }

  /** Takes the arrows and rings away. */
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

  /** Gives up a move that is half entered. */
  cancel() {
    this.#entering.cancel();
  }

  /** Whether things move here. */
  get #moves() {
    return this.speed > 0 && !this.#options.thumbnail && mayMove();
  }

  /**
   * @param {Move} move
   * @param {number[]} route
   * @param {boolean} [dragged]
   */
  #animate(move, route, dragged) {
    const position = this.#position;
    const stage = {
      points: this.#layout.points,
      pieces: this.#layers.pieces,
      effects: this.#layers.effects,
      at: this.#at,
      ownerOf: (/** @type {number} */ cell) => this.#pieces.find((piece) => piece.cell === cell)?.owner ?? null,
      isIn: (/** @type {number} */ cell, /** @type {string} */ kind) =>
        position?.scene.regions.some((region) => region.kind === kind && region.cells.includes(cell)) ?? false,
      speed: this.speed,
    };
    this.#running = animateMove(stage, move, route, dragged).catch(() => {});
    return this.#running;
  }

  /**
   * A move was entered: it is shown at once, and told.
   * @param {Fit} fit
   * @param {number[]} stops
   * @param {boolean} dropped
   */
  #played({ move, route }, stops, dropped) {
    if (!this.#position) return;
    const rest = route.slice(Math.max(0, lastStopOn(route, stops)));
    const after = piecesAfter(this.#pieces, move);
    this.#ahead = { ply: this.#position.ply + 1, text: move.text };
    this.#marks = { arrows: [], cells: [] };
    const moving = this.#moves ? this.#animate(move, rest, dropped) : Promise.resolve();
    this.#running = moving.then(() => {
      this.#last = route;
      this.#setPieces(after);
      this.#refresh();
    });
    this.#options.onMove?.(move.text);
  }

  /**
   * @param {Position} position
   * @param {number[]} mine
   */
  #settle(position, mine) {
    const known = this.#position;
    const same = !this.#ahead && known?.position === position.position && known?.ply === position.ply && known?.variant === position.variant;
    const sameMine = this.#mine === mine.join();
    this.#position = position;
    this.#ahead = null;
    // A half-entered move survives news that change nothing on the board.
    if (same && sameMine) return;
    this.#mine = mine.join();
    if (!same) {
      this.#marks = { arrows: [], cells: [] };
      this.#last = position.last?.routes[0] ?? [];
      this.#hovered = null;
      this.#redraw(position);
    }
    if (!this.#still) this.#entering.open(position, mine);
  }

  /** @param {Position} position */
  #redraw(position) {
    const { scene } = position;
    const { turn } = this.#view;
    const look = { seats: position.seats, coordinates: this.#view.coordinates, plain: this.#options.thumbnail === true };
    const key = JSON.stringify([scene.shape, scene.cells.length, scene.cells[1]?.x, scene.regions, look, turn]);
    if (key !== this.#baseKey) {
      this.#baseKey = key;
      this.#layout = layoutOf(scene, turn);
      const box = frameOf(this.#layout, look);
      this.#picture.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
      this.#host.style.setProperty("--board-ratio", String(box.width / box.height));
      this.#layers.base.replaceChildren(drawBase(scene, this.#layout, look));
      if (!this.#still) this.#drawCells(position);
    }
    const label = this.#options.label ?? `${position.title ?? "Board"}`;
    this.#picture.setAttribute("aria-label", this.#still && !look.plain ? `${label}. ${boardWords(position)}` : label);
    this.#setPieces(this.#ahead ? this.#pieces : scene.pieces);
    this.#refresh();
  }

  /** @param {Position} position */
  #drawCells(position) {
    const focused = this.#layers.cells.contains(document.activeElement);
    const cells = position.scene.cells.map((cell, index) => {
      const hit = path("hit", cellsPath(this.#layout, [index]));
      return svg("g", { class: "cell", role: "button", "data-index": index, "data-cell": cell.name ?? index }, svg("title"), hit);
    });
    this.#layers.cells.replaceChildren(...cells);
    if (this.#cursor >= cells.length) this.#cursor = -1;
    if (focused) cells[Math.max(this.#cursor, 0)]?.focus();
  }

  /** @param {Piece[]} pieces */
  #setPieces(pieces) {
    this.#pieces = pieces;
    this.#at = new Map();
    // Lower ones on the screen stand before higher ones.
    const y = (/** @type {Piece} */ piece) => this.#layout.points[piece.cell]?.y ?? 0;
    for (const piece of [...pieces].sort((a, b) => y(a) - y(b))) {
      const point = this.#layout.points[piece.cell];
      if (!point) continue;
      const drawn = drawPiece(piece, tone(this.#position?.seats, piece.owner), this.#options.thumbnail);
      place(drawn, point);
      this.#at.set(piece.cell, drawn);
    }
    this.#layers.pieces.replaceChildren(...this.#at.values());
    this.#layers.effects.replaceChildren();
  }

  /** Draws what depends on the state of the entry. */
  #refresh() {
    if (!this.#position) return;
    this.#drawUnder();
    this.#drawOver();
    this.#dressPieces();
    if (!this.#still) this.#dressCells();
    this.#offerChoices();
  }

  #drawUnder() {
    const marks = this.#last.length > 1 && !this.#options.thumbnail ? lastMove(this.#layout, this.#last) : [];
    const { stops } = this.#entering;
    if (stops.length > 0) marks.push(...tint(this.#layout, stops, "mark-selected"));
    this.#layers.under.replaceChildren(...marks);
  }

  #drawOver() {
    const { stops, choices } = this.#entering;
    const hovering = stops.length === 0 && this.#hovered !== null;
    const shown = hovering ? [this.#hovered ?? 0] : stops;
    const what = this.#entering.targets(shown);
    const occupied = (/** @type {number} */ cell) => this.#at.has(cell);
    const marks = [
      ...this.#marks.arrows.map(({ route, kind }) => arrow(this.#layout, route, `arrow-${kind}`)),
      ...this.#marks.cells.map((mark) => cellMark(this.#layout, mark)),
    ];
    if (choices.length > 0) marks.push(...choices.map((fit, index) => this.#choiceMark(fit, index)));
    else marks.push(svg("g", { class: hovering ? "targets faint" : "targets" }, ...targetMarks(this.#layout, { ...what, occupied })));
    this.#layers.over.replaceChildren(...marks);
  }

  /**
   * @param {Fit} fit
   * @param {number} index
   */
  #choiceMark(fit, index) {
    const mark = choiceRoute(this.#layout, fit.route, index);
    mark.addEventListener("click", () => this.choose(fit.move.text));
    return mark;
  }

  #dressPieces() {
    const { stops, forced } = this.#entering;
    for (const [cell, drawn] of this.#at) {
      const selected = cell === stops[0];
      drawn.classList.toggle("lifted", selected);
      drawn.classList.toggle("pulsing", forced.has(cell) && stops.length === 0);
      const at = this.#layout.points[selected ? stops[stops.length - 1] : cell];
      if (at && !this.#ahead) place(drawn, at);
      if (selected && drawn.nextSibling) this.#layers.pieces.append(drawn);
    }
  }

  #dressCells() {
    const position = this.#position;
    if (!position) return;
    const { ends, next } = this.#entering.targets();
    const { stops } = this.#entering;
    const own = this.#entering;
    const pieceOn = new Map(this.#pieces.map((piece) => [piece.cell, piece]));
    if (this.#cursor < 0) this.#cursor = Math.max(0, position.scene.cells.findIndex((_, cell) => own.canStart(cell)));
    [...this.#layers.cells.children].forEach((cell, index) => {
      const piece = pieceOn.get(index);
      const states = [];
      if (stops.includes(index)) states.push("selected");
      else if (ends.has(index)) states.push(piece ? "target, occupied" : "target");
      else if (next.has(index)) states.push("stop on the way");
      else if (own.canStart(index)) states.push("can move");
      cell.setAttribute("aria-label", cellWords(position, index, piece, states));
      cell.setAttribute("tabindex", index === this.#cursor ? "0" : "-1");
      cell.classList.toggle("can-start", own.canStart(index));
      cell.classList.toggle("can-go", ends.has(index) || next.has(index));
      const words = [...(piece ? [pieceWords(position, piece)] : []), ...regionWords(position, index)];
      if (cell.firstChild) cell.firstChild.textContent = words.join(" · ");
    });
  }

  /** Shows the list of choices, or takes it away. */
  #offerChoices() {
    const { choices } = this.#entering;
    const had = this.#list !== null;
    this.#list?.remove();
    this.#list = null;
    if (choices.length === 0) {
      if (had) this.#options.onChoices?.([]);
      return;
    }
    const moves = choices.map((fit) => fit.move);
    const name = (/** @type {number} */ cell) => this.#position?.scene.cells[cell]?.name ?? String(cell);
    const offered = moves.map((move) => ({ text: move.text, label: choiceLabel(move, moves, name), move }));
    this.#list = choiceList(offered, { choose: (text) => this.choose(text), point: (index) => this.#point(index) });
    const end = this.#layout.points[choices[0].route[choices[0].route.length - 1]];
    const box = this.#picture.viewBox.baseVal;
    beside(this.#list, { x: (end.x - box.x) / box.width, y: (end.y - box.y) / box.height });
    this.#list.addEventListener("keydown", (event) => {
      if (this.#key(event.key)) event.preventDefault();
    });
    this.#host.append(this.#list);
    this.#options.onChoices?.(offered);
  }

  /** One of the choices stands out. @param {number | null} index */
  #point(index) {
    this.#layers.over.querySelectorAll(".choice").forEach((mark, other) => {
      mark.classList.toggle("pale", index !== null && index !== other);
    });
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

  /** @param {number} cell */
  #focus(cell) {
    const cells = this.#layers.cells.children;
    cells[this.#cursor]?.setAttribute("tabindex", "-1");
    this.#cursor = cell;
    cells[cell]?.setAttribute("tabindex", "0");
    if (cells[cell] instanceof SVGElement) cells[cell].focus();
  }

  /** @returns {import("./input.js").Commands} */
  #commands() {
    return {
      click: (cell, byKeyboard) => {
        this.#focus(cell);
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
        const drawn = this.#at.get(this.#entering.stops[0]);
        if (drawn) place(drawn, point);
      },
      drop: (point) => {
        const cell = cellAt(this.#layout.points, point);
        if (cell === null) this.#entering.cancel();
        else this.#entering.click(cell, true);
      },
      step: (cell, key) => this.#focus(towards(this.#layout.points, cell, key)),
      key: (key) => this.#key(key),
    };
  }
}
