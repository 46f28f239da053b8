/**
 * Entering a move, stop by stop or by its end. Pure: no page needed.
 *
 * What was entered is a list of stops, the first of them the start. A route fits if the stops lie
 * on it in this order, so that stops may be left out: the end alone is enough if it says which
 * move is meant.
 *
 * @typedef {import("../api-types.js").Move} Move
 * @typedef {import("../api-types.js").Scene} Scene
 * @typedef {{ move: Move, route: number[], from: number }} Fit
 *   A move that fits, the first of its routes that does, and the index on it of the last stop.
 * @typedef {{ kind: "play", fit: Fit }
 *   | { kind: "choose", fits: Fit[] }
 *   | { kind: "go_on", stops: number[], canEnd: boolean }
 *   | { kind: "refuse" }} Step
 */

/**
 * The cells where some move begins.
 * @param {Move[]} moves
 * @returns {Set<number>}
 */
export function starts(moves) {
  return new Set(moves.map((move) => move.routes[0]?.[0]).filter((cell) => cell !== undefined));
}

/**
 * The moves that go by these stops.
 * @param {Move[]} moves
 * @param {number[]} stops
 * @returns {Fit[]}
 */
export function fitting(moves, stops) {
  return collect(moves, (route) => lastStopOn(route, stops));
}

/**
 * The moves that go by these stops and end at the last of them.
 * @param {Move[]} moves
 * @param {number[]} stops
 * @returns {Fit[]}
 */
export function ending(moves, stops) {
  if (stops.length < 2) return [];
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
 * What happens when a cell is entered after these stops (at least the start). With `finally` the
 * move ends there if it can, as when a piece is dropped.
 * @param {Move[]} moves
 * @param {number[]} stops
 * @param {number} cell
 * @param {boolean} [finally_]
 * @returns {Step}
 */
export function enter(moves, stops, cell, finally_ = false) {
  const repeated = cell === stops[stops.length - 1];
  if (repeated) return endHere(moves, stops);
  const longer = [...stops, cell];
  const fits = fitting(moves, longer);
  if (fits.length === 0) return { kind: "refuse" };
  if (fits.length === 1) return { kind: "play", fit: fits[0] };
  const ends = ending(moves, longer);
  if (ends.length === fits.length || (finally_ && ends.length > 0)) return endHere(moves, longer);
  return { kind: "go_on", stops: longer, canEnd: ends.length > 0 };
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
 * The words that tell one of several moves from the others.
 * @param {Move} move
 * @param {Move[]} others all choices
 * @param {(cell: number) => string} name
 */
export function choiceLabel(move, others, name) {
  const taken = (/** @type {Move} */ one) => [...one.removes].sort((a, b) => a - b).join();
  const differs = others.some((other) => taken(other) !== taken(move));
  const route = move.routes[0] ?? [];
  // Who is lost by its own move takes the others, not itself.
  const prey = move.removes.filter((cell) => cell !== route[0]);
  if (differs && prey.length > 0) return `takes ${prey.map(name).join(", ")}`;
  const stops = route.slice(1, -1);
  if (stops.length > 0) return `via ${stops.map(name).join(", ")}`;
  return differs ? "takes nothing" : move.text;
}

/**
 * Whether every move takes something of the others, and if so how much (null where the moves
 * differ) and with which pieces. A stack counts as many units as it is high.
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
  return { taken: same ? units[0] : null, stacks, starts: [...starts(moves)] };
}

/**
 * The pieces after a move, as far as the move itself tells: enough to go on from until the server
 * answers. A promotion is not foreseen.
 * @param {Scene["pieces"]} pieces
 * @param {Move} move
 * @returns {Scene["pieces"]}
 */
export function piecesAfter(pieces, move) {
  const route = move.routes[0] ?? [];
  const [from, to] = [route[0], route[route.length - 1]];
  const carried = new Map(move.carries);
  const mover = pieces.find((piece) => piece.cell === from);
  const staying = pieces
    .filter((piece) => piece !== mover && !move.removes.includes(piece.cell))
    .map((piece) => ({ ...piece, cell: carried.get(piece.cell) ?? piece.cell }));
  if (!mover || move.removes.includes(from)) return staying;
  // Who arrives on an own piece climbs on top of it.
  const below = staying.find((piece) => piece.cell === to);
  const height = mover.height + (below?.height ?? 0);
  return [...staying.filter((piece) => piece !== below), { ...mover, cell: to, height }];
}

/**
 * The index on the route of the last stop, the earlier ones lying before it in order; -1 if the
 * stops are not on it.
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
      // The way that was entered most literally: fewest stops left out.
      .sort((a, b) => a.from - b.from)[0];
    if (fit) fits.push(fit);
  }
  return fits;
}
