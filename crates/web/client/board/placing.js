/**
 * Moves that place a piece, on the board: a ghost where it would come to stand, and the piece in the
 * player's hand while it is dragged from the supply.
 *
 * @typedef {import("../api-types.js").Position} Position
 * @typedef {import("../api-types.js").Piece} Piece
 * @typedef {import("./entry.js").Fit} Fit
 * @typedef {import("./geometry.js").Point} Point
 * @typedef {import("./picture.js").Picture} Picture
 */
import { place } from "./animate.js";
import { placedPiece } from "./entry.js";
import { UNIT, cellAt } from "./geometry.js";
import { spot } from "./marks.js";

/**
 * Draws what these moves would place: the piece itself or, if different ones are possible on a cell, a dot.
 * @param {Picture} picture
 * @param {Position} position
 * @param {Fit[]} fits
 */
export function drawGhosts(picture, position, fits) {
  /** @type {Map<number, Piece[]>} */
  const byCell = new Map();
  for (const { move } of fits) {
    const piece = placedPiece(position.scene, move, position.to_move);
    if (!piece) continue;
    const others = byCell.get(piece.cell) ?? [];
    if (!others.some((other) => other.letter === piece.letter)) byCell.set(piece.cell, [...others, piece]);
  }
  const ghosts = [...byCell].map(([cell, pieces]) => {
    if (pieces.length > 1) return spot(picture.layout, cell);
    const drawn = picture.pieceElement(pieces[0]);
    drawn.classList.add("ghost");
    return drawn;
  });
  picture.layers.ghosts.replaceChildren(...ghosts);
}

/** The piece in the player's hand. */
export class Hand {
  /** @type {Picture} */ #picture;
  /** @type {SVGGElement | null} */ #drawn = null;

  /** @param {Picture} picture */
  constructor(picture) {
    this.#picture = picture;
  }

  /**
   * Takes a piece, or puts it away.
   * @param {Piece | null} piece
   */
  take(piece) {
    this.#drawn = piece && this.#picture.pieceElement(piece);
    this.#drawn?.classList.add("lifted");
    this.#picture.layers.hand.replaceChildren(...(this.#drawn ? [this.#drawn] : []));
  }

  /**
   * Carries it to a point of the picture.
   * @param {Point} point
   * @returns {number | null} the cell it would be dropped on
   */
  carry(point) {
    if (this.#drawn) place(this.#drawn, point);
    const { points, board } = this.#picture.layout;
    // A piece held just outside is meant for the edge: one lets go of it above a column.
    const nearest = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ size) => {
      const inside = Math.min(from + size - UNIT / 2, Math.max(from + UNIT / 2, at));
      return Math.abs(at - inside) < UNIT * 1.5 ? inside : at;
    };
    const near = { x: nearest(point.x, board.x, board.width), y: nearest(point.y, board.y, board.height) };
    return cellAt(points, near);
  }
}
