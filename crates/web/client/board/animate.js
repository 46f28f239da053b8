/**
 * Animates moves: along the route with all its stops, the pieces that are placed, and those that leave
 * the board.
 *
 * @typedef {import("../api-types.js").Move} Move
 * @typedef {import("../api-types.js").Region} Region
 * @typedef {import("./geometry.js").Point} Point
 * @typedef {object} Stage
 * @property {Point[]} points
 * @property {SVGGElement} pieces the layer of the pieces
 * @property {SVGGElement} effects the layer for ripples and flashes
 * @property {Map<number, SVGGElement>} at the piece's element by cell
 * @property {(cell: number) => number | null} ownerOf
 * @property {(cell: number, kind: Region["kind"]) => boolean} isIn
 * @property {Point} up the direction that is up on the board, of length 1
 * @property {number} speed
 */
import { isPlacing } from "./entry.js";
import { UNIT, fallsFrom, near, passes, turned } from "./geometry.js";
import { svg } from "./svg.js";

const LEG = { least: 180, most: 350, perCell: 70 };
const LEAVING = 260;
const SINKING = 700;
const APPEARING = 200;
/** A fall takes longer from higher up, as falls do. */
const FALL = { least: 120, perRootOfCells: 150, bounce: 0.05 };

/**
 * @param {import("./picture.js").Picture} picture
 * @param {Region[]} regions
 * @param {number} speed
 * @returns {Stage}
 */
export function stageOf({ layout, layers, at, pieces }, regions, speed) {
  const up = turned(0, 1, layout.turn);
  return {
    up: { x: up.x / UNIT, y: up.y / UNIT },
    points: layout.points,
    pieces: layers.pieces,
    effects: layers.effects,
    at,
    ownerOf: (cell) => pieces.find((piece) => piece.cell === cell)?.owner ?? null,
    isIn: (cell, kind) => regions.some((region) => region.kind === kind && region.cells.includes(cell)),
    speed,
  };
}

/** Whether animations are allowed on this page now. */
export function mayMove() {
  return !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Places an element.
 * @param {SVGElement} element
 * @param {Point} point
 */
export function place(element, { x, y }) {
  element.style.transform = at({ x, y });
}

/**
 * Animates a move. The elements stay where the move leaves them; removed pieces are invisible. A piece
 * that is placed must be among the elements already.
 * @param {Stage} stage
 * @param {Move} move
 * @param {number[]} route the part of the way that is still to go, at least its last cell
 * @param {boolean} [dragged] whether the piece was carried to its place by hand
 * @returns {Promise<void>}
 */
export async function animateMove(stage, move, route, dragged = false) {
  const whole = move.routes[0] ?? route;
  const [start, end] = [whole[0], whole[whole.length - 1]];
  const mover = stage.at.get(start);
  if (!mover || stage.speed <= 0) return;
  stage.pieces.append(mover);
  if (isPlacing(move)) await arrive(stage, mover, move, dragged);
  const way = route.map((cell) => stage.points[cell]);
  const times = dragged ? way.map(() => 0) : legTimes(way, stage.speed);
  const total = times[times.length - 1] ?? 0;
  const running = [walk(mover, way, times)];
  for (const [from, to] of move.carries) {
    const carried = stage.at.get(from);
    if (carried)
      running.push(
        walk(carried, [stage.points[from], stage.points[to]], [0, Math.max(total, LEG.least / stage.speed)]),
      );
  }
  for (const cell of move.removes) {
    if (cell === start) continue;
    const gone = stage.at.get(cell);
    const own = stage.ownerOf(cell) === stage.ownerOf(start);
    const fate = own && stage.isIn(cell, "river") ? "drowned" : "taken";
    if (gone) running.push(leave(stage, gone, cell, fate, whenPassed(stage, cell, own, way, times)));
  }
  if (move.removes.includes(start) && !isPlacing(move)) {
    running.push(leave(stage, mover, end, fateOfMover(stage, end), total));
  }
  await Promise.all(running);
}

/**
 * A piece that is placed falls down its column or, where it does not fall, grows in its cell.
 * @param {Stage} stage
 * @param {SVGElement} piece
 * @param {Move} move
 * @param {boolean} dragged
 */
async function arrive(stage, piece, move, dragged) {
  const column = move.routes.map((route) => stage.points[route[0]]);
  const from = fallsFrom(column, stage.up);
  if (from) return fall(stage, piece, from, column[0]);
  if (dragged) return undefined;
  const here = at(column[0]);
  const frames = [
    { transform: `${here} scale(.4)`, opacity: 0 },
    { transform: here, opacity: 1 },
  ];
  return play(piece, frames, { duration: APPEARING / stage.speed, easing: "ease-out" });
}

/**
 * @param {Stage} stage
 * @param {SVGElement} piece
 * @param {Point} from
 * @param {Point} to
 */
function fall(stage, piece, from, to) {
  const cells = Math.hypot(to.x - from.x, to.y - from.y) / UNIT;
  const duration = (FALL.least + FALL.perRootOfCells * Math.sqrt(cells)) / stage.speed;
  const back = (/** @type {number} */ part) => ({
    x: to.x + (from.x - to.x) * part,
    y: to.y + (from.y - to.y) * part,
  });
  // It gets faster all the way down, and bounces once.
  const faster = "cubic-bezier(.5, 0, 1, .6)";
  const frames = [
    { transform: at(from), offset: 0, easing: faster },
    { transform: at(to), offset: 0.7, easing: "ease-out" },
    { transform: at(back(FALL.bounce)), offset: 0.85, easing: "ease-in" },
    { transform: at(to), offset: 1 },
  ];
  return play(piece, frames, { duration });
}

/**
 * The time of arrival at each point.
 * @param {Point[]} way
 * @param {number} speed
 */
function legTimes(way, speed) {
  let time = 0;
  return way.map((point, index) => {
    const before = way[index - 1];
    if (!before) return 0;
    const cells = Math.hypot(point.x - before.x, point.y - before.y) / UNIT;
    time += Math.min(LEG.most, Math.max(LEG.least, LEG.least + LEG.perCell * (cells - 1))) / speed;
    return time;
  });
}

/**
 * @param {SVGElement} element
 * @param {Point[]} way
 * @param {number[]} times
 */
function walk(element, way, times) {
  const last = way[way.length - 1];
  const total = times[times.length - 1] ?? 0;
  if (!last || total <= 0) {
    if (last) place(element, last);
    return Promise.resolve();
  }
  /** @type {Keyframe[]} */
  const frames = [];
  way.forEach((point, index) => {
    frames.push({ transform: at(point), offset: times[index] / total, easing: "ease-in-out" });
    const next = way[index + 1];
    // A jump over a cell is drawn as a hop.
    if (next && !near(point, next, UNIT * 1.5)) {
      const middle = { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 - UNIT * 0.12 };
      const offset = (times[index] + times[index + 1]) / 2 / total;
      frames.push({ transform: `${at(middle)} scale(1.14)`, offset, easing: "ease-in-out" });
    }
  });
  return play(element, frames, { duration: total }).then(() => place(element, last));
}

/**
 * When a removed piece leaves: as the mover passes it; at once if it was passed while the first stops
 * were entered; a piece of the mover's own side at the end.
 * @param {Stage} stage
 * @param {number} cell
 * @param {boolean} own
 * @param {Point[]} way
 * @param {number[]} times
 */
function whenPassed(stage, cell, own, way, times) {
  const passed = passes(way, stage.points[cell]);
  if (own || !passed) return own ? (times[times.length - 1] ?? 0) : 0;
  const [from, to] = [times[passed.leg], times[passed.leg + 1]];
  return Math.max(0, from + (to - from) * passed.along - 60);
}

/** @typedef {"taken" | "drowned" | "fallen" | "beaten"} Fate */

/**
 * @param {Stage} stage
 * @param {number} end
 * @returns {Fate}
 */
function fateOfMover(stage, end) {
  if (stage.isIn(end, "pit")) return "fallen";
  return stage.isIn(end, "river") ? "drowned" : "beaten";
}

/**
 * @param {Stage} stage
 * @param {SVGElement} element
 * @param {number} cell where it ends
 * @param {Fate} fate
 * @param {number} delay
 */
async function leave(stage, element, cell, fate, delay) {
  const point = stage.points[cell];
  const here = at(point);
  const duration = (fate === "taken" || fate === "beaten" ? LEAVING : SINKING) / stage.speed;
  if (fate === "drowned") ripples(stage, point, delay, duration);
  if (fate === "beaten") flash(stage, point, delay);
  /** @type {Record<Fate, Keyframe[]>} */
  const frames = {
    taken: [
      { transform: here, opacity: 1 },
      { transform: `${here} scale(.4)`, opacity: 0 },
    ],
    beaten: [
      { transform: here, opacity: 1 },
      { transform: `${here} scale(1.25)`, opacity: 0.9 },
      { transform: `${here} scale(.3)`, opacity: 0 },
    ],
    drowned: [
      { transform: here, opacity: 1 },
      { transform: `${here} translateY(14px) scale(.85)`, opacity: 0.75 },
      { transform: `${here} translateY(30px) scale(.5)`, opacity: 0 },
    ],
    fallen: [
      { transform: here, opacity: 1 },
      { transform: `${here} translateY(8px) rotate(320deg) scale(.05)`, opacity: 0.3 },
    ],
  };
  await play(element, frames[fate], { duration, delay, easing: "ease-in" });
  element.style.visibility = "hidden";
}

/**
 * @param {Stage} stage
 * @param {Point} point
 * @param {number} delay
 * @param {number} duration
 */
function ripples(stage, point, delay, duration) {
  for (const start of [0, 0.25, 0.5]) {
    effect(stage, "ripple", point, { delay: delay + start * duration, duration }, [
      { transform: `${at(point)} scale(.3)`, opacity: 0.9 },
      { transform: `${at(point)} scale(1.15)`, opacity: 0 },
    ]);
  }
}

/**
 * @param {Stage} stage
 * @param {Point} point
 * @param {number} delay
 */
function flash(stage, point, delay) {
  effect(stage, "flash", point, { delay, duration: 320 / stage.speed }, [
    { transform: `${at(point)} scale(.2) rotate(0deg)`, opacity: 1 },
    { transform: `${at(point)} scale(1.3) rotate(40deg)`, opacity: 0 },
  ]);
}

const FLASH =
  "M0-46l9 25l23-14l-11 24l25 11l-25 9l12 24l-24-12l-9 25l-9-25l-24 12l12-24l-25-9l25-11l-11-24l23 14z";

/**
 * @param {Stage} stage
 * @param {"ripple" | "flash"} name
 * @param {Point} point
 * @param {{ delay: number, duration: number }} timing
 * @param {Keyframe[]} frames
 */
function effect(stage, name, point, timing, frames) {
  const shape =
    name === "flash" ? svg("path", { class: name, d: FLASH }) : svg("circle", { class: name, r: 44 });
  place(shape, point);
  stage.effects.append(shape);
  play(shape, frames, { ...timing, fill: "both" }).then(() => shape.remove());
}

/**
 * Runs an animation to its end. A background page never finishes it, so there is a timeout, too.
 * @param {SVGElement} element
 * @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions} timing
 */
function play(element, frames, timing) {
  const animation = element.animate(frames, { fill: "backwards", ...timing });
  const time = Number(timing.duration ?? 0) + Number(timing.delay ?? 0);
  const late = new Promise((resolve) => setTimeout(resolve, time + 150));
  return Promise.race([animation.finished.catch(() => {}), late]).then(() => {});
}

/** @param {Point} point */
function at({ x, y }) {
  return `translate(${x}px, ${y}px)`;
}
