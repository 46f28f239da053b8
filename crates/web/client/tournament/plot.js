// Pictures of a tournament's ratings: with error bars, and over the rounds.

/** @import { AgentRow, Course, Estimate, Tournament } from "../api-types" */

import { path, svg } from "../board/svg.js";
import { el, fill } from "../dom.js";
import { signed } from "./words.js";

/** How many agents have a line in the course. */
const MOST_LINES = 8;
/** Sizes in ems of the picture's letters. */
const ROW = 2;
const LEFT = 11.5;
const AXIS = 3.4;
const BOTTOM = 2.3;
const COURSE = 23;
const LETTER = 0.585;
const RIGHT = 24;
const TOP = 10;

/**
 * The size of letters in a picture of this width: large where there is room, for a projector.
 * @param {number} width
 */
const sizeFor = (width) => (width > 800 ? 17 : 13);

/** A picture as wide as its container. */
class Picture {
  /**
   * @param {string} name
   * @param {string} title
   * @param {AbortSignal} signal
   */
  constructor(name, title, signal) {
    this.host = el("div", { class: "plot" });
    this.note = el("p", { class: "small muted" });
    this.node = el("section", { class: "card", data: { key: name, part: name }, hidden: true }, el("h2", null, title), this.host, this.note);
    this.wide = 0;
    const watcher = new ResizeObserver(() => {
      if (Math.abs(this.host.clientWidth - this.wide) > 1) this.draw();
    });
    watcher.observe(this.host);
    signal.addEventListener("abort", () => watcher.disconnect());
    /** @type {Tournament | null} */
    this.tournament = null;
  }

  /** @param {Tournament} tournament */
  show(tournament) {
    this.tournament = tournament;
    this.draw();
  }

  draw() {
    if (!this.tournament) return;
    const drawn = this.picture(this.tournament, Math.max(this.host.clientWidth, 260));
    this.node.hidden = drawn === null;
    if (drawn && this.host.clientWidth === 0) return void requestAnimationFrame(() => this.host.clientWidth > 0 && this.draw());
    this.wide = this.host.clientWidth;
    fill(this.host, drawn);
  }

  /**
   * @param {Tournament} tournament
   * @param {number} width
   * @returns {SVGElement | null}
   */
  picture(tournament, width) {
    void [tournament, width];
    return null;
  }
}

/** @param {AgentRow} row */
const strength = (row) => row.rating_interval ?? row.elo_interval;

/** The strength of every agent with its error bar, by rank. */
export class RatingPlot extends Picture {
  /** @param {AbortSignal} signal */
  constructor(signal) {
    super("ratings", "Ratings", signal);
  }

  /**
   * @param {Tournament} tournament
   * @param {number} width
   * @override
   */
  picture(tournament, width) {
    const rows = tournament.standings.filter((row) => strength(row));
    if (rows.length < 2) return null;
    const contest = tournament.format === "contest";
    this.note.textContent = contest ? "Ratings with two deviations on either side." : "Elo from all games at once, with 95 % intervals.";
    const estimates = rows.map((row) => /** @type {Estimate} */ (strength(row)));
    // An agent that won or lost everything has an interval that would hide all others.
    const middle = estimates.map(({ value }) => value);
    const [lowest, highest] = [Math.min(...middle), Math.max(...middle)];
    const margin = Math.max(highest - lowest, 60) * 0.45;
    const [least, most] = [lowest - margin, highest + margin];
    const size = sizeFor(width);
    const left = Math.min(LEFT * size, width * 0.34);
    const x = (/** @type {number} */ value) => left + ((width - left - RIGHT) * (Math.min(Math.max(value, least), most) - least)) / (most - least);
    const [row, bottom] = [ROW * size, BOTTOM * size];
    const height = TOP + row * rows.length + bottom;
    const words = rows.map((row) => `${row.name} ${signed(/** @type {Estimate} */ (strength(row)).value)}`).join(", ");
    return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "font-size": size, role: "img", "aria-label": `Ratings: ${words}` },
      ...ticks(least, most, width / (7 * size)).map((value) => svg("g", { class: "tick" },
        svg("line", { x1: x(value), x2: x(value), y1: TOP, y2: height - bottom }),
        svg("text", { x: x(value), y: height - 10, "text-anchor": "middle" }, contest ? String(value) : signed(value)))),
      ...rows.map((agent, at) => bar(agent, x, TOP + row * (at + 0.5), left, left / (LETTER * size))));
  }
}

/**
 * @param {AgentRow} row
 * @param {(value: number) => number} x
 * @param {number} y
 * @param {number} left
 * @param {number} most  letters of a name
 */
function bar(row, x, y, left, most) {
  const { value, low, high } = /** @type {Estimate} */ (strength(row));
  return svg("g", { class: row.withdrawn ? "bar out" : "bar" },
    svg("text", { x: left - 10, y: y + 4, "text-anchor": "end", class: "label" }, shortened(row.name, most - 2)),
    svg("line", { x1: x(low), x2: x(high), y1: y, y2: y, class: "whisker" }),
    svg("line", { x1: x(low), x2: x(low), y1: y - 5, y2: y + 5, class: "whisker" }),
    svg("line", { x1: x(high), x2: x(high), y1: y - 5, y2: y + 5, class: "whisker" }),
    svg("circle", { cx: x(value), cy: y, r: 5, class: "dot" }));
}

/**
 * @param {string} text
 * @param {number} most
 */
function shortened(text, most) {
  return text.length <= most ? text : `${text.slice(0, Math.max(Math.floor(most) - 1, 3))}…`;
}

/** How the strength of the best took its course. */
export class CoursePlot extends Picture {
  /** @param {AbortSignal} signal */
  constructor(signal) {
    super("course", "Course", signal);
  }

  /**
   * @param {Tournament} tournament
   * @param {number} width
   * @override
   */
  picture({ course, standings }, width) {
    const lines = course.lines.slice(0, MOST_LINES);
    if (course.after.length < 2 || lines.length < 2) return null;
    this.note.textContent = `${course.ratings ? "Rating" : "Elo"} after ${course.by_round ? "each round" : "so many games"}${course.lines.length > MOST_LINES ? `, of the best ${MOST_LINES}` : ""}.`;
    const values = lines.flat().filter((value) => value !== null);
    const [least, most] = padded(Math.min(...values), Math.max(...values));
    const size = sizeFor(width);
    const [axis, bottom, height] = [AXIS * size, BOTTOM * size, COURSE * size];
    const right = Math.min(10.5 * size, width * 0.3);
    const wide = width - axis - right;
    const last = course.after[course.after.length - 1] ?? 1;
    const first = course.after[0] ?? 0;
    const x = (/** @type {number} */ after) => axis + (wide * (after - first)) / Math.max(last - first, 1);
    const y = (/** @type {number} */ value) => TOP + (height - TOP - bottom) * (1 - (value - least) / (most - least));
    const ends = spread(lines.map((line) => y(line[line.length - 1] ?? (least + most) / 2)), 1.25 * size);
    return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "font-size": size, role: "img", "aria-label": courseWords(course, standings) },
      ...ticks(least, most, 6).map((value) => svg("g", { class: "tick" },
        svg("line", { x1: axis, x2: axis + wide, y1: y(value), y2: y(value) }),
        svg("text", { x: axis - 6, y: y(value) + 4, "text-anchor": "end" }, course.ratings ? String(value) : signed(value)))),
      ...ticks(first, last, wide / (6 * size)).filter(Number.isInteger).map((after) => svg("text", { class: "tick-text", x: x(after), y: height - 10, "text-anchor": "middle" }, String(after))),
      ...lines.map((line, at) => svg("g", { class: `line-${at}` },
        path("course-line", linePath(course.after, line, x, y)),
        svg("text", { x: axis + wide + 8, y: (ends[at] ?? 0) + 4, class: "label" }, shortened(standings[at]?.name ?? "", right / (LETTER * size) - 2)))));
  }
}

/**
 * @param {Course} course
 * @param {AgentRow[]} rows
 */
function courseWords({ lines }, rows) {
  const words = lines.slice(0, MOST_LINES).map((line, at) => `${rows[at]?.name} now ${signed(line[line.length - 1] ?? 0)}`);
  return `The course of ${words.join(", ")}`;
}

/**
 * @param {number[]} after
 * @param {(number | null)[]} line
 * @param {(after: number) => number} x
 * @param {(value: number) => number} y
 */
function linePath(after, line, x, y) {
  let begun = false;
  return line.map((value, at) => {
    if (value === null) return "";
    const to = `${begun ? "L" : "M"}${x(after[at] ?? 0).toFixed(1)} ${y(value).toFixed(1)}`;
    begun = true;
    return to;
  }).join("");
}

/**
 * Moves labels apart so that none covers another.
 * @param {number[]} places
 * @param {number} [gap]
 * @returns {number[]}
 */
export function spread(places, gap = 17) {
  const order = places.map((place, at) => ({ place, at })).sort((a, b) => a.place - b.place);
  for (let round = 0; round < 60; round++) {
    for (let at = 1; at < order.length; at++) {
      const [above, below] = [order[at - 1], order[at]];
      if (!above || !below) continue;
      const short = gap - (below.place - above.place);
      if (short > 0.5) {
        above.place -= short / 2;
        below.place += short / 2;
      }
    }
  }
  const lowest = order[0];
  const shift = lowest && lowest.place < 12 ? 12 - lowest.place : 0;
  const result = [...places];
  for (const { place, at } of order) result[at] = place + shift;
  return result;
}

/**
 * @param {number} low
 * @param {number} high
 * @returns {[number, number]}
 */
function padded(low, high) {
  const margin = Math.max((high - low) * 0.08, 5);
  return [low - margin, high + margin];
}

/**
 * Round numbers between these, about as many as wanted.
 * @param {number} low
 * @param {number} high
 * @param {number} wanted
 */
export function ticks(low, high, wanted) {
  const rough = (high - low) / Math.max(wanted, 1);
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1e-9)));
  const step = [1, 2, 5, 10].map((part) => part * power).find((size) => size >= rough) ?? 10 * power;
  /** @type {number[]} */
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) found.push(Math.round(value * 1e6) / 1e6 + 0);
  return found;
}
