// A chart of an agent's rating, run by run.

/** @import { ContestAgent, CurvePoint } from "../api-types" */

import { path, svg } from "../board/svg.js";
import { el, fill } from "../dom.js";
import { rangeOf, ratingText, thresholdWords } from "./contest.js";

const HEIGHT = 300;
const MARGIN = { left: 40, right: 16, top: 20, bottom: 30 };
/** The gap between a label and its line. */
const LIFT = 6;
/** The approximate width of a label. */
const LABEL = 150;

/** The curve of an agent's rating, as wide as its container. */
export class Curve {
  /** @param {AbortSignal} signal */
  constructor(signal) {
    /** @type {ContestAgent | null} */
    this.agent = null;
    this.node = el("div", { class: "curve", data: { curve: "" }, on: {
      pointermove: (event) => this.probe(event.clientX),
      pointerleave: () => this.probe(null),
    } });
    const watcher = new ResizeObserver(() => this.draw());
    watcher.observe(this.node);
    signal.addEventListener("abort", () => watcher.disconnect());
  }

  /** @param {ContestAgent} agent */
  show(agent) {
    this.agent = agent;
    this.draw();
  }

  draw() {
    const width = this.node.clientWidth;
    if (!this.agent || width === 0) return;
    this.probed = svg("g", { class: "probe" });
    fill(this.node, picture(this.agent, width, this.probed));
  }

  /**
   * Shows the rating under the pointer.
   * @param {number | null} x
   */
  probe(x) {
    if (!this.agent || !this.probed) return;
    const { curve, window } = this.agent;
    const scale = scaleOf(this.agent, this.node.clientWidth);
    const place = x === null ? null : x - this.node.getBoundingClientRect().left;
    const point = place === null ? undefined : nearest(curve, scale.run(place));
    if (!point) return this.probed.replaceChildren();
    const [left, top] = [scale.x(point.run), scale.y(point.rating)];
    const before = left > this.node.clientWidth / 2;
    this.probed.replaceChildren(
      svg("line", { x1: left, x2: left, y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom }),
      svg("circle", { cx: left, cy: top, r: 4 }),
      svg("text", { x: left + (before ? -8 : 8), y: MARGIN.top + 12, "text-anchor": before ? "end" : "start" },
        `run ${point.run}: ${ratingText(point.rating, window)}`));
  }
}

/**
 * The scales of a chart of this width.
 * @param {ContestAgent} agent
 * @param {number} width
 */
export function scaleOf({ finished, window, points }, width) {
  const { least, most } = rangeOf(points);
  const last = Math.max(finished, window);
  const [wide, high] = [Math.max(width - MARGIN.left - MARGIN.right, 1), HEIGHT - MARGIN.top - MARGIN.bottom];
  return {
    last,
    /** @param {number} run */
    x: (run) => MARGIN.left + (wide * (run - 1)) / Math.max(last - 1, 1),
    /** @param {number} rating */
    y: (rating) => MARGIN.top + high * (1 - (rating - least) / (most - least || 1)),
    /** @param {number} x */
    run: (x) => 1 + ((x - MARGIN.left) * Math.max(last - 1, 1)) / wide,
  };
}

/**
 * Round numbers up to `last`, at most `most` of them.
 * @param {number} last
 * @param {number} most
 */
export function ticksOf(last, most) {
  const steps = [1, 2, 5].flatMap((step) => Array.from({ length: 7 }, (_, power) => step * 10 ** power));
  const step = steps.sort((a, b) => a - b).find((step) => last / step <= most) ?? last;
  return Array.from({ length: Math.floor(last / step) }, (_, at) => (at + 1) * step);
}

/**
 * @param {CurvePoint[]} curve  by run
 * @param {number} run
 */
export function nearest(curve, run) {
  let best = curve[0];
  for (const point of curve) {
    if (best && Math.abs(point.run - run) < Math.abs(best.run - run)) best = point;
  }
  return best;
}

/**
 * @param {ContestAgent} agent
 * @param {number} width
 * @param {SVGElement} probed
 */
function picture(agent, width, probed) {
  const scale = scaleOf(agent, width);
  const { curve, window, finished } = agent;
  const from = curve.findIndex((point) => point.run >= window);
  const counting = from === -1 ? [] : curve.slice(from);
  const before = from === -1 ? curve : curve.slice(0, from + 1);
  const last = curve[curve.length - 1];
  return svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img", "aria-label": words(agent) },
    finished >= window ? lastWindow(agent, scale) : null,
    ...axes(agent, scale, width),
    ...agent.thresholds.map(({ above }, at) => svg("line", { class: thresholdClass(agent, at), x1: MARGIN.left, x2: width - MARGIN.right, y1: scale.y(above), y2: scale.y(above) })),
    countsFrom(agent, scale),
    path("line estimated", lineOf(before, scale)),
    path("line", lineOf(counting, scale)),
    last ? svg("circle", { class: "now", cx: scale.x(last.run), cy: scale.y(last.rating), r: 3.5 }) : null,
    ...thresholdLabels(agent, scale, width),
    bestMark(agent, counting, scale, width),
    last ? null : svg("text", { x: width / 2, y: HEIGHT - MARGIN.bottom - 24, "text-anchor": "middle" }, "The curve starts with the first finished run."),
    probed);
}

/** @typedef {ReturnType<typeof scaleOf>} Scale */

/**
 * @param {CurvePoint[]} points
 * @param {Scale} scale
 */
const lineOf = (points, scale) =>
  points.map(({ run, rating }, at) => `${at === 0 ? "M" : "L"}${scale.x(run).toFixed(1)} ${scale.y(rating).toFixed(1)}`).join("");

/**
 * @param {ContestAgent} agent
 * @param {Scale} scale
 * @param {number} width
 */
function axes({ points, window }, scale, width) {
  const { least, most } = rangeOf(points);
  const bottom = HEIGHT - MARGIN.bottom;
  const ratings = [0, 1, 2, 3, 4].map((part) => least + ((most - least) * part) / 4);
  const runs = ticksOf(scale.last, Math.max(2, Math.floor(width / 90)));
  return [
    ...ratings.map((rating) => svg("g", { class: "tick" },
      svg("line", { x1: MARGIN.left, x2: width - MARGIN.right, y1: scale.y(rating), y2: scale.y(rating) }),
      svg("text", { x: MARGIN.left - 8, y: scale.y(rating) + 4, "text-anchor": "end" }, ratingText(rating, window)))),
    ...runs.map((run) => svg("text", { class: "tick", x: scale.x(run), y: bottom + 20, "text-anchor": run === scale.last ? "end" : "middle" }, String(run))),
  ];
}

/**
 * @param {ContestAgent} agent
 * @param {number} at
 */
function thresholdClass({ thresholds, best }, at) {
  const passed = best !== null && best > (thresholds[at]?.above ?? Infinity);
  return passed ? "threshold passed" : "threshold";
}

/**
 * Each label is above its line, at the end with fewer points of the curve nearby.
 * @param {ContestAgent} agent
 * @param {Scale} scale
 * @param {number} width
 */
function thresholdLabels({ thresholds, window, curve }, scale, width) {
  return thresholds.map((threshold) => {
    const y = scale.y(threshold.above) - LIFT;
    /** @param {(x: number) => boolean} side */
    const crowd = (side) => curve.filter(({ run, rating }) => side(scale.x(run)) && Math.abs(scale.y(rating) - y) < 16).length;
    const right = crowd((x) => x > width - MARGIN.right - LABEL) <= crowd((x) => x < MARGIN.left + LABEL);
    return svg("text", { class: "threshold", x: right ? width - MARGIN.right : MARGIN.left + LIFT, y, "text-anchor": right ? "end" : "start" },
      thresholdWords(threshold, window));
  });
}

/**
 * The line where ratings begin to count.
 * @param {ContestAgent} agent
 * @param {Scale} scale
 */
function countsFrom({ window }, scale) {
  const x = scale.x(window);
  const room = x > 150;
  return svg("g", { class: "counts" },
    svg("line", { x1: x, x2: x, y1: MARGIN.top - 4, y2: HEIGHT - MARGIN.bottom }),
    svg("text", { x: x + (room ? -6 : 6), y: MARGIN.top - 7, "text-anchor": room ? "end" : "start" }, `counts from run ${window}`));
}

/**
 * The window of the current rating.
 * @param {ContestAgent} agent
 * @param {Scale} scale
 */
function lastWindow({ finished, window }, scale) {
  const [left, right] = [scale.x(finished - window + 1), scale.x(finished)];
  return svg("g", { class: "window" },
    svg("rect", { x: left, y: MARGIN.top, width: Math.max(right - left, 1), height: HEIGHT - MARGIN.top - MARGIN.bottom }),
    right - left > 70 ? svg("text", { x: (left + right) / 2, y: HEIGHT - MARGIN.bottom - LIFT, "text-anchor": "middle" }, `last ${window}`) : null);
}

/**
 * @param {ContestAgent} agent
 * @param {CurvePoint[]} counting
 * @param {Scale} scale
 * @param {number} width
 */
function bestMark({ window }, counting, scale, width) {
  const top = counting.reduce((/** @type {CurvePoint | null} */ best, point) => (best && best.rating >= point.rating ? best : point), null);
  if (!top) return null;
  const [x, y] = [scale.x(top.run), scale.y(top.rating)];
  const end = x > width - 90;
  return svg("g", { class: "best" },
    svg("circle", { cx: x, cy: y, r: 5 }),
    svg("text", { x: end ? x - 9 : x + 9, y: y - LIFT, "text-anchor": end ? "end" : "start" }, `best ${ratingText(top.rating, window)}`));
}

/** @param {ContestAgent} agent */
function words({ curve, finished, window, best, current }) {
  const [first] = curve;
  if (!first) return "Rating after each run: no runs yet.";
  const end = `now ${ratingText(current, window)}`;
  return `Rating after each of ${finished} runs: first ${ratingText(first.rating, window)}, ${end}${best === null ? "" : `, best ${ratingText(best, window)}`}.`;
}
