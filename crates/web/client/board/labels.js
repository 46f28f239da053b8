/**
 * The board in words, for screen readers.
 *
 * @typedef {import("../api-types.js").Position} Position
 * @typedef {import("../api-types.js").Piece} Piece
 */

/**
 * @param {Position} position
 * @param {Piece} piece
 */
export function pieceWords(position, piece) {
  const seat = piece.owner === null ? "" : (position.seats?.[piece.owner] ?? `player ${piece.owner + 1}`);
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
 * A whole position, with one sentence per side.
 * @param {Position} position
 */
export function boardWords(position) {
  const { cells, pieces } = position.scene;
  const sides = (position.seats ?? []).map((seat, index) => {
    const own = pieces.filter((piece) => piece.owner === index);
    const places = own.map((piece) => `${piece.name} ${cells[piece.cell]?.name ?? ""}`.trim());
    return `${seat}: ${places.join(", ") || "no pieces"}`;
  });
  return sides.join(". ");
}
