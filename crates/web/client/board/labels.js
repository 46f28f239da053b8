/**
 * The board in words, for screen readers.
 *
 * @typedef {import("../api-types.js").Position} Position
 * @typedef {import("../api-types.js").Piece} Piece
 * @typedef {import("../api-types.js").Supply} Supply
 */

/**
 * @param {Position} position
 * @param {Piece} piece
 */
export function pieceWords(position, piece) {
  const seat = piece.owner === null ? "" : (position.labels?.[piece.owner] ?? `player ${piece.owner + 1}`);
  return `${seat} ${piece.name}`.trim();
}

/**
 * The labels of a cell's regions.
 * @param {Position} position
 * @param {number} cell
 */
export function regionWords(position, cell) {
  return position.scene.regions.filter((region) => region.cells.includes(cell)).map((region) => region.label);
}

/**
 * A cell in words: "c4, white lion, river, can move".
 * @param {Position} position
 * @param {number} cell
 * @param {Piece | undefined} piece
 * @param {string[]} states
 */
export function cellWords(position, cell, piece, states) {
  const name = position.scene.cells[cell]?.name ?? String(cell);
  const what = piece ? pieceWords(position, piece) : "empty";
  return [name, what, ...regionWords(position, cell), ...states].join(", ");
}

/**
 * Pieces beside the board in words: "red disc, 21 left".
 * @param {Position} position
 * @param {Supply} supply
 */
export function supplyWords(position, supply) {
  const piece = pieceWords(position, { ...supply, cell: -1, height: 1 });
  return supply.left === undefined ? piece : `${piece}, ${supply.left} left`;
}

/**
 * What clicking a cell would place, and where: "place disc here", "place disc on d1".
 * @param {Position} position
 * @param {number} cell
 * @param {Piece[]} placed
 */
export function placingWords(position, cell, placed) {
  const where = (/** @type {Piece} */ piece) =>
    piece.cell === cell ? "here" : `on ${position.scene.cells[piece.cell]?.name ?? piece.cell}`;
  const words = placed.map((piece) => `place ${piece.name} ${where(piece)}`);
  return [...new Set(words)];
}

/**
 * A whole position, with one sentence per side.
 * @param {Position} position
 */
export function boardWords(position) {
  const { cells, pieces, supplies = [] } = position.scene;
  const sides = (position.labels ?? []).map((seat, index) => {
    const own = pieces.filter((piece) => piece.owner === index);
    const places = own.map((piece) => `${piece.name} ${cells[piece.cell]?.name ?? ""}`.trim());
    const waiting = supplies.filter((supply) => supply.owner === index && supply.left !== undefined);
    const left = waiting.map((supply) => `; ${supply.left} × ${supply.name} to place`);
    return `${seat}: ${places.join(", ") || "no pieces"}${left.join("")}`;
  });
  return sides.join(". ");
}
