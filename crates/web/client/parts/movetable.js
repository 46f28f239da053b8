// All moves of a stored game with their times, clocks, nodes, depths and scores. A click shows the position.

/** @import { GameRecord, RecordedMove } from "../api-types" */

import { button, capital, el } from "../dom.js";
import { numberText } from "./contest.js";
import { moveLabel, shortMove } from "./words.js";

/**
 * A time as short as it is readable.
 * @param {number} ms
 */
export function timeText(ms) {
  if (ms < 1) return `${Math.round(ms * 1000)} µs`;
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(2)} s` : clockText(ms);
}

/**
 * What is left on a clock: 9:58.6.
 * @param {number} ms
 */
export function clockText(ms) {
  const tenths = Math.floor(ms / 100);
  const [seconds, minutes, hours] = [Math.floor(tenths / 10) % 60, Math.floor(tenths / 600) % 60, Math.floor(tenths / 36_000)];
  const rest = `${String(seconds).padStart(2, "0")}.${tenths % 10}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/**
 * The columns of a game: those of which nothing is known are left out.
 * @param {RecordedMove[]} details
 * @returns {{ name: string, text: (move: RecordedMove) => string }[]}
 */
export function columnsOf(details) {
  const columns = [
    { name: "Time", known: details.some(({ ms }) => ms > 0), text: (/** @type {RecordedMove} */ { ms }) => timeText(ms) },
    { name: "Clock left", known: details.some(({ clock_ms }) => clock_ms !== null), text: (/** @type {RecordedMove} */ { clock_ms }) => (clock_ms === null ? "" : clockText(clock_ms)) },
    { name: "Nodes", known: details.some(({ nodes }) => nodes > 0), text: (/** @type {RecordedMove} */ { nodes }) => (nodes > 0 ? numberText(nodes) : "") },
    { name: "Depth", known: details.some(({ depth }) => depth !== null), text: (/** @type {RecordedMove} */ { depth }) => (depth === null ? "" : String(depth)) },
    { name: "Score", known: details.some(({ score }) => score !== null), text: (/** @type {RecordedMove} */ { score_text }) => score_text ?? "" },
  ];
  return columns.filter(({ known }) => known);
}

/** The table of moves. */
export class MoveTable {
  /**
   * @param {GameRecord} record
   * @param {(ply: number) => void} onJump
   */
  constructor(record, onJump) {
    const columns = columnsOf(record.details);
    this.rows = record.moves.map((text, at) => {
      const move = record.details[at - record.opening];
      const jump = button(shortMove(text), () => onJump(at + 1), { class: "quiet small", title: moveLabel(text), "aria-label": `Show move ${at + 1}: ${shortMove(text)}` });
      return el("tr", { data: { move: at + 1 } },
        el("td", { class: "number" }, at + 1),
        el("td", null, move ? capital(record.seats[move.seat] ?? "") : "Opening"),
        el("td", null, jump),
        ...columns.map(({ text }) => el("td", { class: "number" }, move ? text(move) : "")));
    });
    const heads = ["Ply", "Seat", "Move", ...columns.map(({ name }) => name)];
    this.node = el("div", { class: "scroll move-table", tabindex: 0, role: "group", "aria-label": "All moves" },
      el("table", { class: "plain" },
        el("thead", null, el("tr", null, ...heads.map((head, at) => el("th", { scope: "col", class: at === 0 || at > 2 ? "number" : null }, head)))),
        el("tbody", null, ...this.rows)));
  }

  /** @param {number} ply */
  show(ply) {
    this.node.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = this.rows[ply - 1];
    if (!row) return;
    row.setAttribute("aria-current", "step");
    // Scrolls the table alone, never the page.
    const above = row.offsetTop - this.node.scrollTop;
    if (above < 40 || above + row.offsetHeight > this.node.clientHeight) this.node.scrollTop = row.offsetTop - this.node.clientHeight / 2;
  }
}
