// The players' own evaluations, move by move. A click shows the position.

/** @import { GameRecord, RecordedMove, Score } from "../api-types" */

import { path, svg } from "../board/svg.js";
import { el, fill } from "../dom.js";
import { ticksOf } from "./curve.js";

const HEIGHT = 200;
const MARGIN = { left: 44, right: 12, top: 12, bottom: 26 };
/** How far beyond all evaluations forced results are drawn. */
const BEYOND = 1.15;

/**
 * A score that is drawn: who gave it after how many plies, in units; infinite if it is forced.
 * @typedef {{ seat: number, ply: number, value: number }} Mark
 */

/**
 * The scores of a game. With two players all are those of the first, so that players who agree have the
 * same curve; with more, everybody has a curve of its own.
 * @param {Pick<GameRecord, "details" | "opening" | "seats">} record
 * @returns {Mark[]}
 */
export function marksOf({ details, opening, seats }) {
  return details.flatMap(({ seat, score }, at) => {
    if (score === null) return [];
    const value = unitsOf(score) * (seats.length === 2 && seat === 1 ? -1 : 1);
    return [{ seat, ply: opening + at + 1, value }];
  });
}

/** @param {Score} score */
function unitsOf(score) {
  if (typeof score === "number") return score / 100;
  return "win_in" in score ? Infinity : -Infinity;
}

/**
 * The largest evaluation that has to fit, at least one unit.
 * @param {Mark[]} marks
 */
export function rangeOf(marks) {
  return marks.reduce((most, { value }) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 1);
}

/** The curves of all players, as wide as their container. */
export class ScoreCurve {
  /**
   * @param {GameRecord} record
   * @param {(ply: number) => void} onJump
   * @param {AbortSignal} signal
   */
  constructor(record, onJump, signal) {
    this.record = record;
    this.marks = marksOf(record);
    this.at = 0;
    this.node = el("div", { class: "score-curve", data: { scores: this.marks.length }, on: {
      click: (/** @type {MouseEvent} */ event) => onJump(this.plyAt(event.clientX)),
    } });
    const watcher = new ResizeObserver(() => this.draw());
    watcher.observe(this.node);
    signal.addEventListener("abort", () => watcher.disconnect());
  }

  /** @param {number} ply */
  show(ply) {
    this.at = ply;
    const x = this.x(ply);
    this.cursor?.setAttribute("x1", String(x));
    this.cursor?.setAttribute("x2", String(x));
  }

  get wide() {
    return Math.max(this.node.clientWidth - MARGIN.left - MARGIN.right, 1);
  }

  /** @param {number} ply */
  x(ply) {
    return MARGIN.left + (this.wide * ply) / Math.max(this.record.moves.length, 1);
  }

  /** @param {number} clientX */
  plyAt(clientX) {
    const place = clientX - this.node.getBoundingClientRect().left - MARGIN.left;
    return Math.round((place / this.wide) * this.record.moves.length);
  }

  draw() {
    const width = this.node.clientWidth;
    if (width === 0) return;
    const range = rangeOf(this.marks);
    const middle = (MARGIN.top + HEIGHT - MARGIN.bottom) / 2;
    const high = middle - MARGIN.top;
    /** @param {number} value */
    const y = (value) => middle - (high * Math.max(-BEYOND, Math.min(BEYOND, value / range))) / BEYOND;
    const cursor = svg("line", { class: "cursor", y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom });
    this.cursor = cursor;
    const { seats, moves } = this.record;
    fill(this.node, svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img", "aria-label": this.words() },
      ...[range, 0, -range].map((value) => svg("g", { class: "tick" },
        svg("line", { x1: MARGIN.left, x2: width - MARGIN.right, y1: y(value), y2: y(value) }),
        svg("text", { x: MARGIN.left - 8, y: y(value) + 4, "text-anchor": "end" }, unitsText(value)))),
      ...ticksOf(moves.length, Math.max(2, Math.floor(width / 90))).map((ply) =>
        svg("text", { x: this.x(ply), y: HEIGHT - 6, "text-anchor": ply === moves.length ? "end" : "middle" }, String(ply))),
      cursor,
      ...seats.map((_, seat) => path(`line of-${seat}`, this.lineOf(seat, y)))));
    this.show(this.at);
  }

  /**
   * @param {number} seat
   * @param {(value: number) => number} y
   */
  lineOf(seat, y) {
    const marks = this.marks.filter((mark) => mark.seat === seat);
    return marks.map(({ ply, value }, at) => `${at === 0 ? "M" : "L"}${this.x(ply).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  }

  words() {
    const { details, seats } = this.record;
    const last = seats.map((name, seat) => {
      const scored = details.filter((/** @type {RecordedMove} */ move) => move.seat === seat && move.score_text !== null);
      return scored.length > 0 ? `${name} at last ${scored[scored.length - 1]?.score_text}` : `${name} reports none`;
    });
    return `The players' evaluations: ${last.join(", ")}.`;
  }
}

/** @param {number} value */
const unitsText = (value) => (value === 0 ? "0" : `${value > 0 ? "+" : "−"}${Math.abs(value).toFixed(Math.abs(value) < 10 ? 1 : 0)}`);
