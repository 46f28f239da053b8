// The engine's evaluation of a position: a bar and words.

/** @import { Evaluation } from "../api-types" */

import { capital, el } from "../dom.js";
import { swatch } from "./players.js";

/** From which share of the points on a position is called so. */
const WINNING = 0.85;
const BETTER = 0.65;
const SLIGHTLY = 0.55;

/**
 * "White is better (+1.20 for white)".
 * @param {Evaluation} score
 * @param {string[]} seats
 */
export function evaluationWords({ text, for: name, share }, seats) {
  const exact = `${text} for ${name}`;
  const ahead = share >= 0.5;
  const most = Math.max(share, 1 - share);
  if (most < SLIGHTLY) return `About equal (${exact})`;
  const degree = most > WINNING ? "winning" : most > BETTER ? "better" : "slightly better";
  // With two players, what is bad for one is good for the other.
  const who = ahead ? name : seats.length === 2 ? seats.find((seat) => seat !== name) : null;
  if (who) return `${capital(who)} is ${degree} (${exact})`;
  return `${capital(name)} is ${degree.replace("winning", "losing").replace("better", "worse")} (${exact})`;
}

/**
 * The words with a bar, which grows with the share of the first seat; with more than two players, with
 * that of the player to move.
 * @param {Evaluation} score
 * @param {string[]} seats
 */
export function evaluationLine(score, seats) {
  const words = evaluationWords(score, seats);
  const at = Math.max(0, seats.indexOf(score.for));
  const two = seats.length === 2;
  const first = two ? 0 : at;
  const share = at === first ? score.share : 1 - score.share;
  const bar = el("meter", { class: "evaluation-bar", min: 0, max: 1, value: share.toFixed(3), "aria-label": `Evaluation for ${seats[first] ?? ""}` });
  return el("span", { class: "evaluation" },
    el("span", { class: "row evaluation-row" }, swatch(seats, first), bar, two && swatch(seats, 1)), words);
}
