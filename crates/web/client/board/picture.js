/**
 * The picture of a position: the board, its pieces, and empty layers for marks. It is enough for
 * thumbnails, so that a page with nothing else loads nothing else.
 *
 * @typedef {import("../api-types.js").Scene} Scene
 * @typedef {import("../api-types.js").Piece} Piece
 * @typedef {{ scene: Scene, seats?: string[] }} Drawable
 */
import { drawBase, drawFront, frameOf } from "./draw.js";
import { layoutOf } from "./geometry.js";
import { drawPiece, tone } from "./pieces.js";
import { svg } from "./svg.js";

/** The layers, from bottom to top. */
const LAYERS = /** @type {const} */ ([
  "base",
  "under",
  "cells",
  "ghosts",
  "pieces",
  "front",
  "effects",
  "over",
  "hand",
]);

/** On an upright board, whose plate stands before the pieces, marks are on the plate. */
const UPRIGHT = /** @type {const} */ ([
  "base",
  "ghosts",
  "pieces",
  "front",
  "under",
  "cells",
  "effects",
  "over",
  "hand",
]);

export class Picture {
  /** Where every cell is. */
  layout = layoutOf({ shape: "square", cells: [], regions: [], pieces: [] }, 0);
  /** The pieces that are drawn. @type {Piece[]} */ pieces = [];
  /** The piece's element by cell. @type {Map<number, SVGGElement>} */ at = new Map();

  /** @type {HTMLElement} */ #host;
  /** Without shadows, coordinates and ornaments. @type {boolean} */ #plain;
  /** @type {string[] | undefined} */ #seats;
  /** What the current base was drawn from. */
  #baseKey = "";
  /** @type {Scene["shape"] | null} */ #shape = null;

  /**
   * @param {HTMLElement} host
   * @param {boolean} plain
   */
  constructor(host, plain) {
    this.#host = host;
    this.#plain = plain;
    this.node = svg("svg", { class: "board", role: "img" });
    const layers = LAYERS.map((name) => [name, svg("g", { class: `layer-${name}` })]);
    /** @type {Record<typeof LAYERS[number], SVGGElement>} */
    this.layers = Object.fromEntries(layers);
    host.append(this.node);
  }

  /**
   * Draws the board, unless it is already drawn like this.
   * @param {Drawable} what
   * @param {{ turn: number, coordinates: boolean }} view
   * @returns {boolean} whether it was redrawn
   */
  drawBoard({ scene, seats }, { turn, coordinates }) {
    this.#seats = seats;
    const look = { seats, coordinates, plain: this.#plain };
    const key = JSON.stringify([
      scene.shape,
      scene.cells.length,
      scene.cells[1]?.x,
      scene.regions,
      look,
      turn,
    ]);
    if (key === this.#baseKey) return false;
    this.#baseKey = key;
    this.layout = layoutOf(scene, turn);
    const { x, y, width, height } = frameOf(this.layout, look);
    this.node.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.#host.style.setProperty("--board-ratio", String(width / height));
    this.layers.base.replaceChildren(drawBase(scene, this.layout, look));
    this.layers.front.replaceChildren(...drawFront(scene, this.layout, look));
    if (this.#shape !== scene.shape) {
      this.#shape = scene.shape;
      this.node.setAttribute("class", `board board-${scene.shape}`);
      const order = scene.shape === "hole" ? UPRIGHT : LAYERS;
      this.node.append(...order.map((name) => this.layers[name]));
    }
    return true;
  }

  /**
   * Replaces the pieces.
   * @param {Piece[]} pieces
   */
  drawPieces(pieces) {
    this.pieces = pieces;
    this.at = new Map();
    // Pieces lower on the screen overlap those above.
    const y = (/** @type {Piece} */ piece) => this.layout.points[piece.cell]?.y ?? 0;
    for (const piece of [...pieces].sort((a, b) => y(a) - y(b))) {
      if (this.layout.points[piece.cell]) this.at.set(piece.cell, this.pieceElement(piece));
    }
    this.layers.pieces.replaceChildren(...this.at.values());
    this.layers.effects.replaceChildren();
  }

  /**
   * Adds a piece to those that are drawn.
   * @param {Piece} piece
   */
  addPiece(piece) {
    const drawn = this.pieceElement(piece);
    this.pieces = [...this.pieces, piece];
    this.at.set(piece.cell, drawn);
    this.layers.pieces.append(drawn);
  }

  /**
   * The drawing of a piece, at its cell.
   * @param {Piece} piece
   */
  pieceElement(piece) {
    const { x, y } = this.layout.points[piece.cell] ?? { x: 0, y: 0 };
    const drawn = drawPiece(piece, tone(this.#seats, piece.owner), this.#plain);
    drawn.style.transform = `translate(${x}px, ${y}px)`;
    return drawn;
  }
}

/**
 * A small static picture with few nodes.
 * @param {HTMLElement} host
 * @param {Drawable} what
 * @param {{ label: string, turn?: number }} how
 */
export function thumbnail(host, what, { label, turn = 0 }) {
  const picture = new Picture(host, true);
  picture.node.setAttribute("aria-label", label);
  picture.drawBoard(what, { turn, coordinates: false });
  picture.drawPieces(what.scene.pieces);
}
