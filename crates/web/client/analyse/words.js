// What a review says, in words and numbers.

/** @import { Judgement, Phase, PlayerReview, Review } from "../api-types" */

import { capital } from "../dom.js";
import { numberText } from "../parts/contest.js";
import { shortMove } from "../parts/words.js";

/** What bad moves are called, the least bad first. @type {Judgement[]} */
export const JUDGEMENTS = ["inaccuracy", "mistake", "blunder"];

/** The signs behind such moves. @type {Record<Judgement, string>} */
export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The number of them in a player's review. @type {Record<Judgement, "inaccuracies" | "mistakes" | "blunders">} */
const COUNTED = { inaccuracy: "inaccuracies", mistake: "mistakes", blunder: "blunders" };

/** How much of a line is shown in texts. */
const LINE_SHOWN = 4;

/**
 * A share as a percentage. Only what is certain is 0 or 100 %.
 * @param {number} share
 */
export function percent(share) {
  const whole = Math.round(100 * share);
  if (whole === 0 && share > 0) return "< 1 %";
  if (whole === 100 && share < 1) return "> 99 %";
  return `${whole} %`;
}

/**
 * The accuracy of a player, of all moves or of a part of them.
 * @param {number | null | undefined} accuracy
 */
export const accuracyText = (accuracy) => (accuracy === null || accuracy === undefined ? "–" : `${accuracy.toFixed(1)} %`);

/**
 * The plies after which something was lost: those of this seat and this judgement, if any are given.
 * @param {Review} review
 * @param {{ seat?: number | null, judgement?: Judgement | null }} [which]
 */
export function turningPoints({ plies }, { seat = null, judgement = null } = {}) {
  return plies.flatMap((ply, at) => {
    const wanted = ply.judgement !== null && (seat === null || ply.seat === seat) && (judgement === null || ply.judgement === judgement);
    return wanted ? [at] : [];
  });
}

/**
 * The first of these plies after this one; after the last, the first again.
 * @param {number[]} plies  ascending
 * @param {number} at
 */
export const nextOf = (plies, at) => plies.find((ply) => ply > at) ?? plies[0] ?? null;

/**
 * What somebody can learn from: the mistakes and blunders of a seat, or of all; if there are none, the
 * inaccuracies.
 * @param {Review} review
 * @param {number | null} seat
 */
export function lessonsOf(review, seat) {
  const all = turningPoints(review, { seat });
  const bad = all.filter((at) => review.plies[at]?.judgement !== "inaccuracy");
  return bad.length > 0 ? bad : all;
}

/**
 * "2 blunders".
 * @param {PlayerReview} player
 * @param {Judgement} judgement
 */
export function countText(player, judgement) {
  const count = countOf(player, judgement);
  return `${count} ${count === 1 ? judgement : COUNTED[judgement]}`;
}

/**
 * @param {PlayerReview} player
 * @param {Judgement} judgement
 */
export const countOf = (player, judgement) => player[COUNTED[judgement]];

/**
 * What everybody can expect in a position: "64 % for white"; with more players, what each can.
 * @param {Review} review
 * @param {number} at
 */
export function sharesWords({ plies, seats }, at) {
  const shares = plies[at]?.shares ?? [];
  if (seats.length === 2) return `${percent(shares[0] ?? 0.5)} for ${seats[0]}`;
  return seats.map((name, seat) => `${name} ${percent(shares[seat] ?? 0.5)}`).join(", ");
}

/**
 * A move and what it led to: "Move 12, white: d2d3, a mistake; 41 % for white".
 * @param {Review} review
 * @param {number} at
 */
export function plyWords(review, at) {
  const ply = review.plies[at];
  if (!ply) return "";
  const exact = ply.exact ? ", known exactly" : "";
  const worth = `${sharesWords(review, at)}${exact}`;
  if (ply.move === null) return `The start: ${worth}`;
  const who = ply.seat === null ? "" : `, ${review.seats[ply.seat] ?? ""}`;
  const judged = ply.judgement === null ? "" : `, ${ply.judgement === "inaccuracy" ? "an" : "a"} ${ply.judgement}`;
  return `Move ${at}${who}: ${shortMove(ply.move)}${judged}; ${worth}`;
}

/**
 * What a bad move cost: "64 % → 41 %".
 * @param {Review} review
 * @param {number} at
 */
export function costWords({ plies }, at) {
  const [before, after] = [plies[at - 1], plies[at]];
  const seat = after?.seat ?? 0;
  return `${percent(before?.shares[seat] ?? 0.5)} → ${percent(after?.shares[seat] ?? 0.5)}`;
}

/**
 * The move that should have been made, and the line that it begins.
 * @param {Review} review
 * @param {number} at
 */
export function betterLine({ plies }, at) {
  const before = plies[at - 1];
  if (!before || before.best === null) return [];
  return before.line[0] === before.best ? before.line : [before.best];
}

/** @param {string[]} line */
export const lineText = (line) => `${line.slice(0, LINE_SHOWN).map(shortMove).join(" · ")}${line.length > LINE_SHOWN ? " …" : ""}`;

/**
 * When the game was decided, if it was.
 * @param {Review} review
 */
export function decidedWords({ plies, seats, decided_at }) {
  const last = plies[plies.length - 1];
  const winner = last?.shares.findIndex((share) => share >= 1) ?? -1;
  if (!last || last.best !== null) return "The game is not over.";
  if (winner === -1) return "Nobody won alone.";
  const name = capital(seats[winner] ?? "");
  if (decided_at === null) return `The win of ${name} was open until the end.`;
  if (decided_at === 0) return `${name} was clearly ahead from the start, and won.`;
  return decided_at === plies.length - 1 ? `Decided by the last move: ${name} won.` : `${name} was clearly ahead from move ${decided_at} on, and won.`;
}

/** @type {Record<Phase["name"], string>} */
const PHASES = { opening: "Opening", middle: "Middle game", end: "End" };

/** @param {Phase} phase */
export const phaseWords = ({ name, from, to }) => `${PHASES[name]}, moves ${from} to ${to}`;

/** @param {Phase} phase */
export const phaseName = ({ name }) => PHASES[name];

/**
 * "12 of 58 positions".
 * @param {{ done: number, total: number }} state
 */
export const progressWords = ({ done, total }) => `${numberText(done)} of ${numberText(total)} positions`;

/**
 * How long the rest takes, if it goes on like this; nothing while that cannot be told.
 * @param {number} done  since then
 * @param {number} left
 * @param {number} ms  how long that took
 */
export function leftWords(done, left, ms) {
  if (done < 2 || ms < 2000 || left <= 0) return "";
  const seconds = Math.ceil((left * ms) / done / 1000);
  if (seconds < 90) return `about ${seconds < 10 ? seconds : Math.ceil(seconds / 5) * 5} s left`;
  return `about ${Math.round(seconds / 60)} min left`;
}

/**
 * The whole curve in a sentence, for those who do not see it.
 * @param {Review} review
 */
export function curveWords(review) {
  const end = review.plies.length - 1;
  const bad = turningPoints(review);
  const worst = bad.reduce((/** @type {number | null} */ most, at) => (lossAt(review, at) > (most === null ? 0 : lossAt(review, most)) ? at : most), null);
  const lost = worst === null ? "No move lost much." : `The most was lost by move ${worst}: ${shortMove(review.plies[worst]?.move ?? "")}.`;
  return `Expected points after every move. At the start ${sharesWords(review, 0)}; after move ${end} ${sharesWords(review, end)}. ${lost}`;
}

/**
 * @param {Review} review
 * @param {number} at
 */
const lossAt = ({ plies }, at) => plies[at]?.loss ?? 0;
