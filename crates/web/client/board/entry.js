/**
 * Entering a move, stop by stop or by its end. Pure functions, independent of the page.
 *
 * The input is a list of stops, starting with the piece's cell. A route fits if the stops lie on it in
 * this order, so that stops may be left out: the end alone is enough if it identifies the move. A route
 * of one cell places a piece: its cell alone is the whole input.
 *
 * @typedef {import("../api-types.js").Move} Move
 * @typedef {import("../api-types.js").Scene} Scene
 * @typedef {import("../api-types.js").Supply} Supply
 * @typedef {{ move: Move, route: number[], from: number }} Fit
 *   A move that fits, its first route that does, and the index of the last stop on that route.
 * @typedef {{ kind: "play", fit: Fit }
 *   | { kind: "choose", fits: Fit[] }
 *   | { kind: "continue", stops: number[], canEnd: boolean }
 *   | { kind: "refuse" }} Step
 */

/**
 * Whether a move places a piece, rather than moving one.
 * @param {Move} move
 */
export function isPlacing(move) {
  return move.routes[0]?.length === 1;
}

/**
 * The cells of the pieces that can move.
 * @param {Move[]} moves
 * @returns {Set<number>}
 */
export function starts(moves) {
  return firstCells(moves.filter((move) => !isPlacing(move)));
}

/**
 * The cells where a piece that is placed can come to stand.
 * @param {Move[]} moves
 * @returns {Set<number>}
 */
export function landings(moves) {
  return firstCells(moves.filter(isPlacing));
}

/**
 * The moves that place a piece when this cell is entered: there, or where a piece placed there ends up.
 * @param {Move[]} moves
 * @param {number} cell
 * @returns {Fit[]}
 */
export function placings(moves, cell) {
  const here = moves.filter((move) => isPlacing(move) && move.routes.some((route) => route[0] === cell));
  return here.map((move) => ({ move, route: move.routes[0], from: 0 }));
}

/**
 * The moves of a piece that pass these stops.
 * @param {Move[]} moves
 * @param {number[]} stops
 * @returns {Fit[]}
 */
export function fitting(moves, stops) {
  const moving = moves.filter((move) => !isPlacing(move));
  return collect(moving, (route) => lastStopOn(route, stops));
}

/**
 * The moves that pass these stops and end at the last of them.
 * @param {Move[]} moves
 * @param {number[]} stops
 * @returns {Fit[]}
 */
export function ending(moves, stops) {
  if (stops.length === 1) return placings(moves, stops[0]);
  return collect(moves, (route) => {
    const last = route.length - 1;
    const before = lastStopOn(route, stops.slice(0, -1));
    return route[last] === stops[stops.length - 1] && before >= 0 && before < last ? last : -1;
  });
}

/**
 * What can be clicked after these stops: cells where a move ends, and cells that are only the next
 * stop of longer ones.
 * @param {Move[]} moves
 * @param {number[]} stops
 */
export function targets(moves, stops) {
  /** @type {Set<number>} */
  const ends = new Set();
  /** @type {Set<number>} */
  const next = new Set();
  for (const move of moves) {
    for (const route of move.routes) {
      const at = lastStopOn(route, stops);
      if (at < 0 || at + 1 >= route.length) continue;
      ends.add(route[route.length - 1]);
      next.add(route[at + 1]);
    }
  }
  for (const cell of ends) next.delete(cell);
  return { ends, next };
}

/**
 * What happens when a cell is entered first. Where a piece can be placed and another moved, it is
 * selected, and a second click places.
 * @param {Move[]} moves
 * @param {number} cell
 * @returns {Step}
 */
export function begin(moves, cell) {
  if (!starts(moves).has(cell)) return endHere(moves, [cell]);
  return { kind: "continue", stops: [cell], canEnd: placings(moves, cell).length > 0 };
}

/**
 * What happens when a cell is entered after these stops (at least the start). With `dropped` the move
 * ends there if it can.
 * @param {Move[]} moves
 * @param {number[]} stops
 * @param {number} cell
 * @param {boolean} [dropped]
 * @returns {Step}
 */
export function enter(moves, stops, cell, dropped = false) {
  const repeated = cell === stops[stops.length - 1];
  if (repeated) return endHere(moves, stops);
  const longer = [...stops, cell];
  const fits = fitting(moves, longer);
  if (fits.length === 0) return { kind: "refuse" };
  if (fits.length === 1) return { kind: "play", fit: fits[0] };
  const ends = ending(moves, longer);
  if (ends.length === fits.length || (dropped && ends.length > 0)) return endHere(moves, longer);
  return { kind: "continue", stops: longer, canEnd: ends.length > 0 };
}

/**
 * Ends the move at the last stop.
 * @param {Move[]} moves
 * @param {number[]} stops
 * @returns {Step}
 */
function endHere(moves, stops) {
  const ends = ending(moves, stops);
  if (ends.length === 0) return { kind: "refuse" };
  if (ends.length === 1) return { kind: "play", fit: ends[0] };
  return { kind: "choose", fits: ends };
}

/**
 * The label that tells one of several moves from the others.
 * @param {Move} move
 * @param {Move[]} others all choices
 * @param {(cell: number) => string} name
 * @param {(letter: string) => string} [kind] the name of a piece that is placed
 */
export function choiceLabel(move, others, name, kind = (letter) => letter) {
  if (move.places && others.some((other) => other.places !== move.places)) return kind(move.places);
  const taken = (/** @type {Move} */ one) => [...one.removes].sort((a, b) => a - b).join();
  const differs = others.some((other) => taken(other) !== taken(move));
  const route = move.routes[0] ?? [];
  // A piece lost by its own move does not take itself.
  const victims = move.removes.filter((cell) => cell !== route[0]);
  if (differs && victims.length > 0) return `takes ${victims.map(name).join(", ")}`;
  const stops = route.slice(1, -1);
  if (stops.length > 0) return `via ${stops.map(name).join(", ")}`;
  return differs ? "takes nothing" : move.text;
}

/**
 * Whether every move takes an opponent's piece, and if so how many units (null if the moves differ) and
 * with which pieces. A stack counts as many units as it is high.
 * @param {Move[]} moves
 * @param {Scene["pieces"]} pieces
 * @param {number} seat
 * @returns {{ taken: number | null, stacks: boolean, starts: number[] } | null}
 */
export function mustTake(moves, pieces, seat) {
  const others = pieces.filter((piece) => piece.owner !== seat);
  const heights = new Map(others.map((piece) => [piece.cell, Math.max(1, piece.height)]));
  const taken = moves.map((move) => move.removes.map((cell) => heights.get(cell) ?? 0));
  const units = taken.map((list) => list.reduce((sum, height) => sum + height, 0));
  if (units.length === 0 || units.includes(0)) return null;
  const same = units.every((count) => count === units[0]);
  const stacks = taken.flat().some((height) => height > 1);
  return { taken: same ? units[0] : null, stacks, starts: [...firstCells(moves)] };
}

/**
 * The piece that a move places.
 * @param {Scene} scene
 * @param {Move} move
 * @param {number | null} seat the player who places it
 * @returns {Scene["pieces"][number] | null} null if it places none
 */
export function placedPiece(scene, move, seat) {
  if (!isPlacing(move)) return null;
  const letter = move.places ?? "";
  const known = [...(scene.supplies ?? []), ...scene.pieces];
  const name = known.find((one) => one.owner === seat && one.letter === letter)?.name ?? "piece";
  return { cell: move.routes[0][0], owner: seat, letter, name, height: 1 };
}

/**
 * What is left beside the board after a move.
 * @param {Supply[]} supplies
 * @param {Move} move
 * @param {number | null} seat
 * @returns {Supply[]}
 */
export function suppliesAfter(supplies, move, seat) {
  const used = (/** @type {Supply} */ one) => one.owner === seat && one.letter === move.places;
  return supplies.map((one) => (used(one) && one.left ? { ...one, left: one.left - 1 } : one));
}

/**
 * The pieces after a move, as far as the move itself determines them: enough until the server answers.
 * Promotions are not predicted.
 * @param {Scene["pieces"]} pieces
 * @param {Move} move
 * @param {Scene["pieces"][number] | null} [placed] the piece that the move places
 * @returns {Scene["pieces"]}
 */
export function piecesAfter(pieces, move, placed = null) {
  const route = move.routes[0] ?? [];
  const [from, to] = [route[0], route[route.length - 1]];
  const carried = new Map(move.carries);
  const mover = isPlacing(move) ? placed : pieces.find((piece) => piece.cell === from);
  const staying = pieces
    .filter((piece) => piece !== mover && !move.removes.includes(piece.cell))
    .map((piece) => ({ ...piece, cell: carried.get(piece.cell) ?? piece.cell }));
  if (!mover || (mover !== placed && move.removes.includes(from))) return staying;
  // A piece that moves onto one of its own side is stacked on top of it.
  const below = staying.find((piece) => piece.cell === to);
  const height = mover.height + (below?.height ?? 0);
  return [...staying.filter((piece) => piece !== below), { ...mover, cell: to, height }];
}

/**
 * The index of the last stop on the route, with the earlier ones before it in order; -1 if the stops
 * are not on it.
 * @param {number[]} route
 * @param {number[]} stops
 */
export function lastStopOn(route, stops) {
  if (route[0] !== stops[0]) return -1;
  let at = 0;
  for (const stop of stops.slice(1)) {
    at = route.indexOf(stop, at + 1);
    if (at < 0) return -1;
  }
  return at;
}

/**
 * The first cells of the routes that are animated.
 * @param {Move[]} moves
 * @returns {Set<number>}
 */
function firstCells(moves) {
  return new Set(moves.map((move) => move.routes[0]?.[0]).filter((cell) => cell !== undefined));
}

/**
 * @param {Move[]} moves
 * @param {(route: number[]) => number} find
 * @returns {Fit[]}
 */
function collect(moves, find) {
  /** @type {Fit[]} */
  const fits = [];
  for (const move of moves) {
    const fit = move.routes
      .map((route) => ({ move, route, from: find(route) }))
      .filter((fit) => fit.from >= 0)
      // The route with the fewest stops left out.
      .sort((a, b) => a.from - b.from)[0];
    if (fit) fits.push(fit);
  }
  return fits;
}
