/**
 * The cells as buttons, with one tab stop among them (roving tabindex).
 *
 * @typedef {import("../api-types.js").Scene} Scene
 * @typedef {import("../api-types.js").Piece} Piece
 * @typedef {import("../api-types.js").Position} Position
 * @typedef {import("./geometry.js").Layout} Layout
 * @typedef {object} CellState
 * @property {Piece[]} pieces
 * @property {number[]} stops
 * @property {Set<number>} ends
 * @property {Set<number>} next
 * @property {Set<number>} deadly
 * @property {number} cursor the tab stop
 * @property {(cell: number) => boolean} canStart
 * @property {(cell: number) => boolean} canLater whether its piece can be given a move for later
 * @property {(cell: number) => Piece[]} placed the pieces that a click on the cell would place
 */
import { cellsPath } from "./geometry.js";
import { cellWords, pieceWords, placingWords, regionWords } from "./labels.js";
import { path, svg } from "./svg.js";

/**
 * @param {SVGGElement} layer
 * @param {Scene} scene
 * @param {Layout} layout
 */
export function drawCells(layer, scene, layout) {
  const cells = scene.cells.map((cell, index) => {
    const names = { "data-index": index, "data-cell": cell.name ?? index };
    const hit = path("hit", cellsPath(layout, [index]));
    return svg("g", { class: "cell", role: "button", tabindex: -1, ...names }, svg("title"), hit);
  });
  layer.replaceChildren(...cells);
}

/**
 * Updates the label and the classes of every cell: what can be done there now.
 * @param {SVGGElement} layer
 * @param {Position} position
 * @param {CellState} state
 */
export function dressCells(layer, position, state) {
  const pieceOn = new Map(state.pieces.map((piece) => [piece.cell, piece]));
  [...layer.children].forEach((cell, index) => {
    const piece = pieceOn.get(index);
    cell.setAttribute("aria-label", cellWords(position, index, piece, stateWords(position, index, state)));
    cell.setAttribute("tabindex", index === state.cursor ? "0" : "-1");
    cell.classList.toggle("can-start", state.canStart(index));
    cell.classList.toggle("can-later", state.canLater(index));
    cell.classList.toggle("can-place", state.placed(index).length > 0);
    cell.classList.toggle("can-go", state.ends.has(index) || state.next.has(index));
    const words = [...(piece ? [pieceWords(position, piece)] : []), ...regionWords(position, index)];
    if (cell.firstChild) cell.firstChild.textContent = words.join(" · ");
  });
}

/**
 * Shows which cell a dragged piece would be dropped on.
 * @param {SVGGElement} layer
 * @param {number | null} cell
 */
export function markOver(layer, cell) {
  layer.querySelector(".over")?.classList.remove("over");
  if (cell !== null) layer.children[cell]?.classList.add("over");
}

/**
 * @param {Position} position
 * @param {number} cell
 * @param {CellState} state
 */
function stateWords(position, cell, { stops, ends, next, deadly, canStart, canLater, placed }) {
  if (stops.includes(cell)) return ["selected"];
  if (ends.has(cell)) return [deadly.has(cell) ? "target, the piece is lost there" : "target"];
  if (next.has(cell)) return ["stop on the way"];
  const placing = stops.length === 0 ? placingWords(position, cell, placed(cell)) : [];
  if (canLater(cell)) return ["can be moved later"];
  return canStart(cell) ? ["can move", ...placing] : placing;
}
