/**
 * The board on which a position is set up: every cell can be clicked, and every piece dragged to another
 * cell or off the board.
 *
 * @typedef {import("../api-types.js").Piece} Piece
 * @typedef {import("../api-types.js").Position} Position
 * @typedef {object} CanvasEvents
 * @property {(cell: number) => void} click
 * @property {(from: number, to: number | null) => void} move a piece was dragged; null: off the board
 * @property {(cell: number) => void} remove
 * @property {() => boolean} cancel Escape; returns whether there was anything to give up
 * @typedef {object} CanvasState
 * @property {Piece[]} pieces
 * @property {Omit<Piece, "cell"> | null} held what a click places
 * @property {number | null} chosen the cell whose piece the next click moves
 * @property {number | null} wrong the cell that the rules do not accept
 * @property {string} deed what a click does, for screen readers; empty if nothing
 */
import { place } from "../board/animate.js";
import { drawCells, markOver } from "../board/cells.js";
import { cellAt, towards } from "../board/geometry.js";
import { listen, pointOf } from "../board/input.js";
import { cellWords, pieceWords, regionWords } from "../board/labels.js";
import { cellMark, tint } from "../board/marks.js";
import { Picture } from "../board/picture.js";
import { Hand } from "../board/placing.js";
import { el } from "../dom.js";

export class Canvas {
  node = el("div", { class: "board-host", data: { board: "arrange" } });
  /** @type {CanvasEvents} */ #on;
  /** @type {Picture} */ #picture;
  /** @type {Hand} */ #hand;
  /** @type {Position | null} */ #position = null;
  /** @type {CanvasState} */ #state = { pieces: [], held: null, chosen: null, wrong: null, deed: "" };
  #cursor = 0;
  /** @type {number | null} */ #hovered = null;
  /** The cell whose piece is dragged. @type {number | null} */ #dragged = null;

  /** @param {CanvasEvents} on */
  constructor(on) {
    this.#on = on;
    const stage = el("div", { class: "board-stage" });
    this.node.append(stage);
    this.#picture = new Picture(stage, false);
    this.#picture.node.setAttribute("role", "group");
    this.#hand = new Hand(this.#picture);
    listen(this.#picture.node, this.#commands());
  }

  /**
   * The board, without its pieces.
   * @param {Position} position
   * @param {{ turn: number, coordinates: boolean }} view
   */
  setBoard(position, view) {
    this.#position = position;
    if (this.#picture.drawBoard(position, view)) {
      drawCells(this.#picture.layers.cells, position.scene, this.#picture.layout);
      this.#cursor = Math.min(this.#cursor, position.scene.cells.length - 1);
    }
    this.#picture.node.setAttribute("aria-label", `Position to set up, ${position.title}`);
  }

  /** @param {CanvasState} state */
  show(state) {
    this.#state = state;
    // An answer must not take the piece out of the hand; the drop shows it.
    if (this.#dragged !== null) return;
    this.#picture.drawPieces(state.pieces);
    if (state.chosen !== null) this.#picture.at.get(state.chosen)?.classList.add("lifted");
    this.#drawMarks();
    this.#dressCells();
  }

  /** Gives the focus to the cell on which the keyboard was last. */
  focus() {
    this.#focus(this.#cursor);
  }

  /**
   * A piece is carried onto the board, or put away.
   * @param {Omit<Piece, "cell"> | null} piece
   */
  take(piece) {
    this.#hand.take(piece && { ...piece, cell: -1 });
  }

  /**
   * Carries the piece along; returns the cell it would be dropped on.
   * @param {PointerEvent} event
   */
  carry(event) {
    const cell = this.#hand.carry(pointOf(this.#picture.node, event));
    markOver(this.#picture.layers.cells, cell);
    return cell;
  }

  /** No piece is carried any more. */
  putDown() {
    this.#hand.take(null);
    markOver(this.#picture.layers.cells, null);
  }

  #drawMarks() {
    const { layout, layers } = this.#picture;
    const { chosen, wrong, held } = this.#state;
    layers.under.replaceChildren(...(chosen === null ? [] : tint(layout, [chosen], "mark-selected")));
    layers.over.replaceChildren(...(wrong === null ? [] : [cellMark(layout, { cell: wrong, kind: "threat" })]));
    const free = this.#hovered !== null && !this.#picture.at.has(this.#hovered) ? this.#hovered : null;
    const ghost = held && free !== null ? [this.#picture.pieceElement({ ...held, cell: free })] : [];
    ghost.forEach((drawn) => drawn.classList.add("ghost"));
    layers.ghosts.replaceChildren(...ghost);
  }

  #dressCells() {
    const position = this.#position;
    if (!position) return;
    const { pieces, chosen, wrong, deed } = this.#state;
    const pieceOn = new Map(pieces.map((piece) => [piece.cell, piece]));
    [...this.#picture.layers.cells.children].forEach((cell, index) => {
      const piece = pieceOn.get(index);
      const states = [index === chosen && "chosen", index === wrong && "not accepted here", deed];
      const words = states.filter((word) => typeof word === "string" && word !== "");
      cell.setAttribute("aria-label", cellWords(position, index, piece, /** @type {string[]} */ (words)));
      cell.setAttribute("tabindex", index === this.#cursor ? "0" : "-1");
      cell.classList.add("can-place");
      // A plate before the pieces is not tinted: that would hide them.
      cell.classList.toggle("can-go", position.scene.shape !== "hole");
      // Pieces are dragged, which must not scroll the page.
      cell.classList.toggle("can-start", piece !== undefined);
      const hint = [...(piece ? [pieceWords(position, piece)] : []), ...regionWords(position, index)];
      if (cell.firstChild) cell.firstChild.textContent = hint.join(" · ");
    });
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

  /** @returns {import("../board/input.js").Commands} */
  #commands() {
    return {
      click: (cell) => {
        // A cell under the pointer is visible: the page must not scroll.
        this.#focus(cell, { preventScroll: true });
        this.#on.click(cell);
      },
      hover: (cell) => {
        if (cell === this.#hovered) return;
        this.#hovered = cell;
        this.#drawMarks();
      },
      focus: () => {},
      take: (cell) => {
        this.#dragged = this.#picture.at.has(cell) ? cell : null;
        const drawn = this.#picture.at.get(cell);
        // It passes over all others.
        if (drawn) this.#picture.layers.pieces.append(drawn);
        drawn?.classList.add("lifted");
        return drawn !== undefined;
      },
      drag: (point) => {
        const drawn = this.#dragged === null ? undefined : this.#picture.at.get(this.#dragged);
        if (drawn) place(drawn, point);
        markOver(this.#picture.layers.cells, cellAt(this.#picture.layout.points, point));
      },
      drop: (point) => this.#drop(point),
      step: (cell, key) => this.#focus(towards(this.#picture.layout.points, cell, key)),
      key: (key) => this.#key(key),
    };
  }

  /** @param {import("../board/geometry.js").Point} point */
  #drop(point) {
    const from = this.#dragged;
    this.#dragged = null;
    markOver(this.#picture.layers.cells, null);
    if (from === null) return;
    const to = cellAt(this.#picture.layout.points, point);
    // A drag that was broken off ends nowhere.
    if (Number.isNaN(point.x) || to === from) this.show(this.#state);
    else this.#on.move(from, to);
  }

  /** @param {string} key */
  #key(key) {
    if (key === "Escape") return this.#on.cancel();
    if (key !== "Delete" && key !== "Backspace") return false;
    this.#on.remove(this.#cursor);
    return true;
  }
}
