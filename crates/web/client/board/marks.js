/**
 * What is drawn over and under the pieces: the last move, targets, arrows, choices.
 *
 * @typedef {import("./geometry.js").Layout} Layout
 * @typedef {import("./geometry.js").Point} Point
 * @typedef {import("../api-types.js").Move} Move
 * @typedef {"hint" | "threat" | "example" | "best" | "second"} ArrowKind
 * @typedef {{ route: number[], kind: ArrowKind, weight?: number }} Arrow  `weight`: how thick and how opaque, from 0 to 1
 * @typedef {{ share: number, exact: boolean }} Worth  the expected share of a win, from 0 to 1
 * @typedef {{ cell: number, kind: "threat" | "hint" }} CellMark
 */
import { UNIT, cellsPath, pair } from "./geometry.js";
import { path, svg } from "./svg.js";

/**
 * A soft tint of whole cells.
 * @param {Layout} layout
 * @param {number[]} cells
 * @param {string} name the class
 * @returns {SVGElement[]}
 */
export function tint(layout, cells, name) {
  const known = cells.filter((cell) => layout.points[cell]);
  if (layout.shape === "square") return [path(name, cellsPath(layout, known))];
  if (layout.shape === "hole") return known.map((cell) => circle(layout.points[cell], 42, `${name} ring`));
  return known.map((cell) => circle(layout.points[cell], 44, name));
}

/**
 * The start and end of the last move, or where it placed a piece; its route too, if it had stops.
 * @param {Layout} layout
 * @param {number[]} route
 * @returns {SVGElement[]}
 */
export function lastMove(layout, route) {
  const marks = tint(layout, [...new Set([route[0], route[route.length - 1]])], "mark-last");
  if (route.length > 2) marks.push(path("mark-last-way", polyline(pointsOf(layout, route))));
  return marks;
}

/**
 * Dots on empty cells, rings around occupied ones (in another colour if nothing is taken, but joined or
 * swapped), small dots on intermediate stops, thin rings around what would be taken on the way, a ring
 * where the move may already end, and a cross where the piece would be lost.
 * @param {Layout} layout
 * @param {{ ends: Iterable<number>, next: Iterable<number>, victims: Set<number>, deadly: Set<number>, here: number, canEnd: boolean, occupied: (cell: number) => boolean }} what
 * @returns {SVGElement[]}
 */
export function targetMarks(layout, { ends, next, victims, deadly, here, canEnd, occupied }) {
  /** @type {SVGElement[]} */
  const marks = canEnd ? [circle(layout.points[here], 45, "mark-end")] : [];
  const stops = [...ends].filter((cell) => cell !== here);
  for (const cell of victims) {
    if (!stops.includes(cell)) marks.push(circle(layout.points[cell], 45, "mark-victim"));
  }
  for (const cell of stops) {
    const ring = occupied(cell);
    const harm = victims.has(cell) || deadly.has(cell);
    if (ring) marks.push(circle(layout.points[cell], 45, harm ? "mark-ring" : "mark-end"));
    if (deadly.has(cell)) marks.push(...cross(layout.points[cell]));
    else if (!ring) marks.push(circle(layout.points[cell], 14, "mark-dot"));
  }
  for (const cell of next) marks.push(circle(layout.points[cell], 9, "mark-stop"));
  return marks;
}

/**
 * A dot on a cell where something can be placed.
 * @param {Layout} layout
 * @param {number} cell
 */
export function spot(layout, cell) {
  return circle(layout.points[cell], 14, "mark-dot");
}

/**
 * An arrow along a route, with its head just before the centre of the last cell. A move that places a
 * piece has no way to show: it is a ring with a dot, like a target.
 * @param {Layout} layout
 * @param {number[]} route
 * @param {string} name the class
 * @param {number} [weight]
 * @returns {SVGGElement}
 */
export function arrow(layout, route, name, weight = 1) {
  const group = svg("g", { class: `arrow ${name}` });
  if (weight !== 1) group.style.setProperty("--weight", weight.toFixed(2));
  const points = pointsOf(layout, route);
  if (points.length === 1) {
    // A light edge shows it on any ground.
    const parts = /** @type {const} */ ([["arrow-edge", 40], ["arrow-ring", 40], ["arrow-dot", 13]]);
    group.append(...parts.map(([part, r]) => circle(points[0], r, part)));
  }
  if (points.length < 2) return group;
  const [before, end] = points.slice(-2);
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
  const way = { x: (end.x - before.x) / length, y: (end.y - before.y) / length };
  const at = (/** @type {number} */ back, /** @type {number} */ aside) => ({
    x: end.x - way.x * back - way.y * aside,
    y: end.y - way.y * back + way.x * aside,
  });
  const line = [...points.slice(0, -1), at(34, 0)];
  const head = [at(2, 0), at(40, 21), at(40, -21)];
  group.append(path("arrow-line", polyline(line)), path("arrow-head", `M${head.map(pair).join("L")}Z`));
  return group;
}

/**
 * A ring around a cell.
 * @param {Layout} layout
 * @param {CellMark} mark
 */
export function cellMark(layout, { cell, kind }) {
  return circle(layout.points[cell], 45, `mark-cell mark-cell-${kind}`);
}

/**
 * One of several moves with the same end: its route, slightly offset from the others, with its number
 * halfway along.
 * @param {Layout} layout
 * @param {number[]} route
 * @param {number} index
 * @param {number} count
 * @returns {SVGGElement}
 */
export function choiceRoute(layout, route, index, count) {
  const group = arrow(layout, route, `choice choice-${index % 6}`);
  const aside = Math.max(-24, Math.min(24, (index - (count - 1) / 2) * 12));
  group.setAttribute("transform", `translate(${aside} ${aside})`);
  const points = pointsOf(layout, route);
  const leg = Math.floor((points.length - 1) / 2);
  const [from, to] = [points[leg], points[leg + 1] ?? points[leg]];
  // Numbers on the same leg are placed side by side.
  const along = 0.35 + 0.3 * (index % 2);
  const between = { x: from.x + (to.x - from.x) * along, y: from.y + (to.y - from.y) * along };
  const place = points.length > 1 ? between : { x: from.x + (index - (count - 1) / 2) * 30, y: from.y };
  group.append(
    circle(place, 20, "choice-badge"),
    svg("text", { class: "choice-number", x: place.x, y: place.y + 9 }, String(index + 1)),
  );
  return group;
}

/** @param {Point} point */
function cross({ x, y }) {
  const strokes = `M${x - 13} ${y - 13}l26 26m0-26l-26 26`;
  return [path("mark-cross-edge", strokes), path("mark-cross", strokes)];
}

/**
 * @param {Point | undefined} point
 * @param {number} r
 * @param {string} name
 */
function circle(point, r, name) {
  return svg("circle", { class: name, cx: point?.x ?? -UNIT * 99, cy: point?.y ?? 0, r });
}

/**
 * @param {Layout} layout
 * @param {number[]} route
 */
function pointsOf(layout, route) {
  return route.map((cell) => layout.points[cell]).filter((point) => point !== undefined);
}

/** @param {Point[]} points */
function polyline(points) {
  return points.length > 0 ? `M${points.map(pair).join("L")}` : "";
}

/**
 * What the best move from or to each cell is worth: a badge with a sign if that is proven, else with the
 * expected points of 100.
 * @param {Layout} layout
 * @param {Move[]} moves
 * @param {number[]} stops  of the move that is being entered
 * @param {Map<string, Worth>} values
 * @returns {SVGElement[]}
 */
export function valueMarks(layout, moves, stops, values) {
  /** @type {Map<number, Worth>} */
  const best = new Map();
  for (const { text, routes } of moves) {
    const worth = values.get(text);
    if (!worth) continue;
    for (const route of routes) {
      const cell = stops.every((stop, at) => route[at] === stop) ? route[stops.length] : undefined;
      if (cell === undefined) continue;
      const known = best.get(cell);
      if (!known || worth.share > known.share || (worth.share === known.share && worth.exact)) best.set(cell, worth);
    }
  }
  return [...best].map(([cell, worth]) => badge(layout.points[cell], worth));
}

/**
 * @param {Point | undefined} point
 * @param {Worth} worth
 */
function badge(point, { share, exact }) {
  const [x, y] = [(point?.x ?? -UNIT * 99) + 30, (point?.y ?? 0) - 30];
  const kind = share >= 0.999 ? "won" : share <= 0.001 ? "lost" : share >= 0.6 ? "good" : share <= 0.4 ? "bad" : "even";
  const sign = share >= 0.999 ? "+" : share <= 0.001 ? "\u2212" : "=";
  const percent = Math.round(share * 100);
  const proven = exact && [0, 50, 100].includes(percent);
  return svg("g", { class: `value value-${kind}${exact ? " proven" : ""}` },
    circle({ x, y }, 20, "value-badge"),
    svg("text", { class: proven ? "value-sign" : "value-number", x, y: y + (proven ? 12 : 7) }, proven ? sign : String(percent)));
}
