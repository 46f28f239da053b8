// What the agents found: evaluation, depth and speed, and the best lines, to be read, seen and played in.

/** @import { Analyst, AnalysisLine, Position } from "../api-types" */

import { el, fill } from "../dom.js";
import { capital } from "../dom.js";
import { moveLabel, shortMove } from "../parts/words.js";
import { numberWords, withNumber } from "./treeview.js";

/** How many moves of a line are shown. */
const SHOWN = 12;

/**
 * @typedef {object} LineEvents
 * @property {(moves: string[]) => void} onPlay  these moves are to be played in
 * @property {(moves: string[] | null, near: HTMLElement | null) => void} onPeek  the position after these moves is to be shown; null: no more
 */

/** The lines of one agent. */
export class Lines {
  /** @param {LineEvents} on */
  constructor(on) {
    this.on = on;
    this.score = el("strong", { class: "score", data: { score: "" } }, "…");
    this.about = el("span", { class: "muted small about", data: { about: "" } });
    this.name = el("code", { class: "agent-text small" });
    this.proof = el("p", { class: "proof", hidden: true, data: { proof: "" } });
    this.problem = el("p", { class: "error", role: "alert", data: { error: "analyst" } });
    this.list = el("ol", { class: "pv-list", data: { lines: "" }, on: { pointerleave: () => on.onPeek(null, null) } });
    this.node = el("div", { class: "analyst" }, el("div", { class: "row analyst-head" }, this.score, this.about, this.name), this.proof, this.problem, this.list);
    /** What is shown of each line: it is drawn anew only if that changes. @type {string[]} */
    this.drawn = [];
  }

  /** @param {string} agent */
  reset(agent) {
    this.name.textContent = agent;
    this.score.textContent = "…";
    this.about.textContent = "";
    this.problem.textContent = "";
    this.proof.hidden = true;
    this.drawn = [];
    fill(this.list);
  }

  /**
   * @param {Analyst} analyst
   * @param {Position} position
   */
  show(analyst, position) {
    const [best] = analyst.lines;
    this.score.textContent = best ? scoreWords(best, position) : "…";
    this.about.textContent = aboutWords(analyst);
    this.problem.textContent = analyst.problem ?? "";
    this.proof.hidden = !best?.sentence;
    this.proof.textContent = best?.sentence ?? "";
    analyst.lines.forEach((line, rank) => this.row(line, rank, position));
    while (this.list.children.length > analyst.lines.length) {
      this.list.lastElementChild?.remove();
      this.drawn.pop();
    }
  }

  /**
   * @param {AnalysisLine} line
   * @param {number} rank
   * @param {Position} position
   */
  row(line, rank, position) {
    const key = `${line.text} ${line.exact} ${line.moves.slice(0, SHOWN).join(" ")}`;
    if (this.drawn[rank] === key) return;
    this.drawn[rank] = key;
    const row = this.rowOf(line, rank, position);
    const old = this.list.children[rank];
    // What the keyboard is on stays what it is on.
    const focused = old?.contains(document.activeElement) ? document.activeElement?.getAttribute("data-step") : null;
    if (old) old.replaceWith(row);
    else this.list.append(row);
    if (focused) /** @type {HTMLElement | null} */ (row.querySelector(`[data-step="${focused}"]`))?.focus({ preventScroll: true });
  }

  /**
   * @param {AnalysisLine} line
   * @param {number} rank
   * @param {Position} position
   */
  rowOf(line, rank, position) {
    const shown = line.moves.slice(0, SHOWN);
    const seats = position.seats.length;
    const parts = shown.flatMap((move, at) => {
      const moves = shown.slice(0, at + 1);
      const number = numberWords(position.ply + at + 1, seats, at === 0);
      return [withNumber(number, this.step(shortMove(move), moves, at + 1)), " "];
    });
    const end = line.moves;
    const score = el("button", {
      type: "button", class: `pv-score${line.exact ? " exact" : ""}`, "aria-label": `${line.text}${line.exact ? ", proven" : ""}: play ${moveLabel(end[0] ?? "")}`, data: { step: 0 },
      on: { click: () => this.on.onPlay(end.slice(0, 1)), focus: () => this.on.onPeek(end, score), blur: () => this.on.onPeek(null, null) },
    }, line.text || "?");
    // The row itself stands for its end.
    return el("li", { data: { rank, plies: end.length }, on: { pointerover: (/** @type {PointerEvent} */ event) => {
      const step = event.target instanceof Element ? Number(event.target.closest("[data-step]")?.getAttribute("data-step") ?? 0) : 0;
      if (event.pointerType === "mouse") this.on.onPeek(step > 0 ? end.slice(0, step) : end, score);
    } } }, score, el("span", { class: "pv" }, ...parts));
  }

  /**
   * @param {string} label
   * @param {string[]} moves
   * @param {number} step
   */
  step(label, moves, step) {
    /** @type {HTMLButtonElement} */
    const made = el("button", {
      type: "button", class: "pv-move", "aria-label": `${label}, play up to here`, tabindex: step === 1 ? 0 : -1, data: { step },
      on: { click: () => this.on.onPlay(moves), focus: () => made.matches(":focus-visible") && this.on.onPeek(moves, made), blur: () => this.on.onPeek(null, null) },
    }, label);
    return made;
  }
}

/**
 * The evaluation, and whose it is with more than two players.
 * @param {AnalysisLine} line
 * @param {Position} position
 */
export function scoreWords(line, position) {
  const seat = position.to_move;
  if (seat === null) return line.text;
  const name = position.labels[seat] ?? "";
  return `${line.text} for ${name}`;
}

/** @param {Analyst} analyst */
export function aboutWords({ depth, nodes, nps, state, source }) {
  const parts = [
    depth > 0 ? `depth ${depth}` : "",
    nodes > 0 ? `${short(nodes)} nodes` : "",
    nps > 0 ? `${short(nps)}/s` : "",
    source ?? "",
    state === "waiting" ? "waiting for the processor" : state === "done" && nodes > 0 ? "done" : "",
  ];
  return capital(parts.filter(Boolean).join(" · "));
}

/** A number in three digits or so: 1.25 M. @param {number} number */
export function short(number) {
  if (number < 1e4) return String(number);
  const [size, unit] = number < 1e6 ? [1e3, "k"] : number < 1e9 ? [1e6, "M"] : [1e9, "G"];
  const value = number / size;
  return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0)} ${unit}`;
}
