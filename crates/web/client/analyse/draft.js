/**
 * A position being set up, and what clicks and drags make of it. Pure functions, independent of the page.
 *
 * @typedef {import("../api-types.js").Counter} Counter
 * @typedef {import("../api-types.js").Draft} Draft
 * @typedef {import("../api-types.js").Piece} Piece
 * @typedef {import("../api-types.js").Stock} Stock
 *
 * What the next click does: places a piece by its letter, removes one, or moves one.
 * @typedef {{ kind: "place", letter: string } | { kind: "erase" } | { kind: "move", from: number | null }} Tool
 */

/** Moves pieces about, with none chosen yet. @type {Tool} */
export const MOVING = { kind: "move", from: null };

/**
 * The letter on a cell.
 * @param {Draft} draft
 * @param {number} cell
 */
export function letterOn(draft, cell) {
  return draft.pieces.find((piece) => piece.cell === cell)?.letter ?? null;
}

/**
 * The draft with this piece on a cell, instead of what stood there.
 * @param {Draft} draft
 * @param {number} cell
 * @param {string} letter
 * @returns {Draft}
 */
export function withPiece(draft, cell, letter) {
  return { ...draft, pieces: [...withoutPiece(draft, cell).pieces, { cell, letter }] };
}

/**
 * The draft with nothing on a cell.
 * @param {Draft} draft
 * @param {number} cell
 * @returns {Draft}
 */
export function withoutPiece(draft, cell) {
  return { ...draft, pieces: draft.pieces.filter((piece) => piece.cell !== cell) };
}

/**
 * The draft with a piece on another cell, or off the board if that is null.
 * @param {Draft} draft
 * @param {number} from
 * @param {number | null} to
 * @returns {Draft}
 */
export function withMoved(draft, from, to) {
  const letter = letterOn(draft, from);
  const rest = withoutPiece(draft, from);
  return letter === null || to === null ? rest : withPiece(rest, to, letter);
}

/**
 * What a click on a cell does. The same piece twice takes it away again, so that one key is enough.
 * @param {Draft} draft
 * @param {number} cell
 * @param {Tool} tool
 * @returns {{ draft: Draft, tool: Tool }}
 */
export function clicked(draft, cell, tool) {
  const there = letterOn(draft, cell);
  if (tool.kind === "erase") return { draft: withoutPiece(draft, cell), tool };
  if (tool.kind === "place") {
    const same = there === tool.letter;
    return { draft: same ? withoutPiece(draft, cell) : withPiece(draft, cell, tool.letter), tool };
  }
  const { from } = tool;
  if (from === null) return { draft, tool: there === null ? tool : { kind: "move", from: cell } };
  return { draft: from === cell ? draft : withMoved(draft, from, cell), tool: MOVING };
}

/**
 * The pieces, ready to be drawn.
 * @param {Draft} draft
 * @param {Stock[]} palette
 * @returns {Piece[]}
 */
export function piecesOf(draft, palette) {
  const known = new Map(palette.map((stock) => [stock.letter, stock]));
  return draft.pieces.flatMap(({ cell, letter }) => {
    const stock = known.get(letter);
    return stock ? [{ ...stock, cell }] : [];
  });
}

/**
 * The value that was typed for a counter, or what would be right.
 * @param {Counter} counter
 * @param {string} text
 * @returns {{ value: number } | { problem: string }}
 */
export function readCounter({ label, min, max }, text) {
  const value = Number(text);
  const fits = /^\d+$/.test(text.trim()) && value >= min && value <= max;
  return fits ? { value } : { problem: `Expected a number from ${min} to ${max} for "${label}".` };
}

/**
 * Whether a counter is a yes or no.
 * @param {Counter} counter
 */
export function isFlag({ min, max }) {
  return min === 0 && max === 1;
}

/**
 * Whether two drafts are the same position, whatever the order of their pieces.
 * @param {Draft} one
 * @param {Draft} other
 */
export function isSame(one, other) {
  return textOf(one) === textOf(other);
}

/** @param {Draft} draft */
function textOf({ pieces, to_move, counters }) {
  const placed = pieces.map(({ cell, letter }) => `${cell} ${letter}`).sort();
  return JSON.stringify([placed, to_move, Object.entries(counters).sort()]);
}
