/**
 * Where things are on the screen. Pure functions, independent of the page.
 *
 * A scene has x to the right and y upwards, in cells; the picture has y downwards and `UNIT` per cell,
 * so that fonts and lines have ordinary sizes.
 *
 * @typedef {import("../api-types.js").Scene} Scene
 * @typedef {{ x: number, y: number }} Point
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 * @typedef {{ shape: Scene["shape"], turn: number, points: Point[], board: Box }} Layout
 * @typedef {{ text: string, at: number }} EdgeLabel
 */

/** The side of a square, or the distance between two neighbours, in units of the picture. */
export const UNIT = 100;

/**
 * A point of a scene on the screen, after turning the picture clockwise.
 * @param {number} x
 * @param {number} y
 * @param {number} degrees
 * @returns {Point}
 */
export function turned(x, y, degrees) {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { x: tidy((x * cos + y * sin) * UNIT), y: tidy((x * sin - y * cos) * UNIT) };
}

/**
 * The centres of all cells on the screen, and the box around them.
 * @param {Scene} scene
 * @param {number} turn
 * @returns {Layout}
 */
export function layoutOf(scene, turn) {
  const points = scene.cells.map((cell) => turned(cell.x, cell.y, turn));
  const half = scene.shape === "hexagon" ? UNIT / Math.sqrt(3) : UNIT / 2;
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)];
  const [left, top] = [Math.min(...xs, 0) - half, Math.min(...ys, 0) - half];
  const board = {
    x: tidy(left),
    y: tidy(top),
    width: tidy(Math.max(...xs, 0) + half - left),
    height: tidy(Math.max(...ys, 0) + half - top),
  };
  return { shape: scene.shape, turn, points, board };
}

/**
 * The corners of a cell, clockwise from the top left, or from the top for a hexagon.
 * @param {Layout} layout
 * @param {number} cell
 * @returns {Point[]}
 */
export function corners(layout, cell) {
  const { x, y } = layout.points[cell];
  const hexagon = layout.shape === "hexagon";
  const [count, first, radius] = hexagon ? [6, -90, UNIT / Math.sqrt(3)] : [4, -135, UNIT / Math.SQRT2];
  return Array.from({ length: count }, (_, index) => {
    const angle = ((first + (index * 360) / count) * Math.PI) / 180;
    return { x: tidy(x + radius * Math.cos(angle)), y: tidy(y + radius * Math.sin(angle)) };
  });
}

/**
 * A path around each of these cells.
 * @param {Layout} layout
 * @param {Iterable<number>} cells
 */
export function cellsPath(layout, cells) {
  return [...cells].map((cell) => `M${corners(layout, cell).map(pair).join("L")}Z`).join("");
}

/**
 * The outlines of a set of cells, corner by corner; straight runs are one line.
 * @param {Layout} layout
 * @param {Iterable<number>} cells
 * @returns {Point[][]}
 */
export function outline(layout, cells) {
  /** @type {Map<string, [Point, Point]>} */
  const edges = new Map();
  for (const cell of cells) {
    const ring = corners(layout, cell);
    ring.forEach((from, index) => {
      const to = ring[(index + 1) % ring.length];
      // An edge shared by two cells is inside.
      if (!edges.delete(edgeKey(to, from))) edges.set(edgeKey(from, to), [from, to]);
    });
  }
  const loops = [];
  while (edges.size > 0) loops.push(withoutStraight(takeLoop(edges)));
  return loops;
}

/**
 * @param {Map<string, [Point, Point]>} edges
 * @returns {Point[]}
 */
function takeLoop(edges) {
  const loop = [];
  let edge = edges.entries().next().value;
  while (edge) {
    const [key, [from, to]] = edge;
    edges.delete(key);
    loop.push(from);
    edge = [...edges].find(([, [start]]) => near(start, to, 1));
  }
  return loop;
}

/** @param {Point[]} loop */
function withoutStraight(loop) {
  return loop.filter((point, index) => {
    const before = loop[(index + loop.length - 1) % loop.length];
    const after = loop[(index + 1) % loop.length];
    const bend = (point.x - before.x) * (after.y - point.y) - (point.y - before.y) * (after.x - point.x);
    return Math.abs(bend) > 1;
  });
}

/**
 * The neighbour pairs of a board, for the lines between holes.
 * @param {Layout} layout
 * @returns {[number, number][]}
 */
export function neighbours(layout) {
  /** @type {[number, number][]} */
  const pairs = [];
  layout.points.forEach((point, one) => {
    for (let other = one + 1; other < layout.points.length; other++) {
      if (near(point, layout.points[other], UNIT * 1.1)) pairs.push([one, other]);
    }
  });
  return pairs;
}

/** @type {Record<string, Point>} */
const ARROWS = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};

/**
 * The cell an arrow key leads to: the nearest one in that direction on the screen, where sideways
 * deviation counts double. `from` itself if there is none.
 * @param {Point[]} points
 * @param {number} from
 * @param {string} key
 */
export function towards(points, from, key) {
  const way = ARROWS[key];
  const here = points[from];
  if (!way || !here) return from;
  let [best, least] = [from, Infinity];
  points.forEach((point, cell) => {
    const [dx, dy] = [point.x - here.x, point.y - here.y];
    const ahead = dx * way.x + dy * way.y;
    const aside = Math.abs(dx * way.y - dy * way.x);
    const cost = ahead + 2 * aside;
    if (ahead > UNIT / 10 && aside <= ahead * 2 && cost < least) [best, least] = [cell, cost];
  });
  return best;
}

/**
 * The cell whose centre is nearest to a point, if it is within about half a cell's width.
 * @param {Point[]} points
 * @param {Point} place
 * @returns {number | null}
 */
export function cellAt(points, place) {
  let [best, least] = [-1, UNIT * 0.71];
  points.forEach((point, cell) => {
    const distance = Math.hypot(point.x - place.x, point.y - place.y);
    if (distance < least) [best, least] = [cell, distance];
  });
  return best < 0 ? null : best;
}

/**
 * The parts of a cell's name that its column and its row share, for the edges of a square board: `c`
 * and `4` of `c4`, or the two numbers of `2,3`.
 * @param {Scene} scene
 * @param {Layout} layout
 * @returns {{ columns: EdgeLabel[], rows: EdgeLabel[] }}
 */
export function edgeLabels(scene, layout) {
  const named = scene.cells.map((cell, index) => ({
    parts: nameParts(cell.name),
    ...layout.points[index],
  }));
  if (scene.shape === "hexagon" || named.some((cell) => cell.parts.length !== 2)) {
    return { columns: [], rows: [] };
  }
  const first = named.filter((cell) => cell.x === named[0].x);
  const part = first.every((cell) => cell.parts[0] === first[0].parts[0]) ? 0 : 1;
  /** @type {Map<number, string>} */
  const columns = new Map(named.map((cell) => [cell.x, cell.parts[part]]));
  /** @type {Map<number, string>} */
  const rows = new Map(named.map((cell) => [cell.y, cell.parts[1 - part]]));
  const list = (/** @type {Map<number, string>} */ map) => [...map].map(([at, text]) => ({ text, at }));
  return { columns: list(columns), rows: list(rows) };
}

/** @param {string | undefined} name */
function nameParts(name = "") {
  const match = /^([a-z]+)(\d+)$/.exec(name) ?? /^(-?\d+),(-?\d+)$/.exec(name);
  return match ? [match[1], match[2]] : [];
}

/**
 * When a piece on this route passes a cell: the number of the leg and how far along it (0 to 1), or
 * null if it never does.
 * @param {Point[]} route
 * @param {Point} cell
 * @returns {{ leg: number, along: number } | null}
 */
export function passes(route, cell) {
  for (let leg = 0; leg + 1 < route.length; leg++) {
    const [from, to] = [route[leg], route[leg + 1]];
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const squared = dx * dx + dy * dy || 1;
    const along = ((cell.x - from.x) * dx + (cell.y - from.y) * dy) / squared;
    const foot = { x: from.x + along * dx, y: from.y + along * dy };
    if (along > 0.01 && along <= 1.001 && near(foot, cell, UNIT * 0.3)) {
      return { leg, along: Math.min(along, 1) };
    }
  }
  return null;
}

/**
 * Where a piece that is placed starts to fall: above these cells, if they are a column. The first is
 * the one where it lands.
 * @param {Point[]} column
 * @param {Point} up the direction that is up on the turned board, of length 1
 * @returns {Point | null} null if it does not fall
 */
export function fallsFrom(column, up) {
  const [landing, ...rest] = column;
  if (rest.length === 0) return null;
  const ways = rest.map((cell) => ({ x: cell.x - landing.x, y: cell.y - landing.y }));
  if (ways.some((way) => Math.abs(way.x * up.y - way.y * up.x) > 1)) return null;
  const highest = Math.max(0, ...ways.map((way) => way.x * up.x + way.y * up.y)) + UNIT;
  return { x: landing.x + up.x * highest, y: landing.y + up.y * highest };
}

/**
 * @param {Point} one
 * @param {Point} other
 * @param {number} distance
 */
export function near(one, other, distance) {
  return Math.hypot(one.x - other.x, one.y - other.y) <= distance;
}

/** @param {Point} point */
export function pair(point) {
  return `${tidy(point.x)} ${tidy(point.y)}`;
}

/**
 * @param {Point} from
 * @param {Point} to
 */
function edgeKey(from, to) {
  return [from.x, from.y, to.x, to.y].map(Math.round).join();
}

/** Rounding errors must not show, and columns are found by equal numbers. @param {number} value */
function tidy(value) {
  return Math.round(value * 10) / 10 + 0;
}
