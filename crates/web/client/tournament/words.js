// Tournaments in words.

/** @import { Estimate, Tournament, TournamentEntry } from "../api-types" */

import * as api from "../api.js";
import { el } from "../dom.js";
import { countWords, numberText } from "../parts/contest.js";
import { timeWords } from "../parts/pace.js";

/** @param {string} name */
export const tournamentAddress = (name) => `/tournaments/${api.segment(name)}`;

/** @type {Record<TournamentEntry["format"], string>} */
export const FORMATS = { "round-robin": "Round robin", gauntlet: "Gauntlet", swiss: "Swiss", contest: "Contest", match: "Match" };

/** @param {TournamentEntry["state"]} state */
export function stateChip(state) {
  if (state === "running") return el("span", { class: "playing" }, "running");
  return el("span", { class: state === "finished" ? "chip grade-2" : "chip grade-1" }, state);
}

/** @param {TournamentEntry} entry */
export function countsOf({ games, planned, format }) {
  const upTo = format === "contest" && games < planned ? "up to " : "";
  return games === planned ? countWords(games, "game") : `${numberText(games)} of ${upTo}${countWords(planned, "game")}`;
}

/**
 * When it will be over: "about 12 min left, until 14:05".
 * @param {Tournament} tournament
 * @param {number} [now]
 */
export function forecastWords({ ends_at, games_per_minute, format }, now = Date.now()) {
  if (ends_at === null || games_per_minute === null) return "";
  const rate = games_per_minute >= 10 ? Math.round(games_per_minute) : games_per_minute;
  const left = Math.max(ends_at - now, 0);
  const pace = rate > 0 ? `${countWords(rate, "game")} a minute` : "less than a game a minute";
  const end = left > 60_000 ? `, until ${clockText(ends_at, now)}` : "";
  return `${pace}, ${format === "contest" ? "at most " : ""}${timeWords(left / 60_000)} left${end}`;
}

/**
 * @param {number} time
 * @param {number} now
 */
function clockText(time, now) {
  const date = new Date(time);
  const today = date.toDateString() === new Date(now).toDateString();
  return date.toLocaleString(undefined, today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

/**
 * Points as a person counts them: 100 is a win.
 * @param {number} points
 */
export const pointsText = (points) => numberText(points / 100);

/** @param {number} value */
export const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${numberText(Math.abs(Math.round(value)))}`;

/** @param {Estimate} estimate */
export function estimateText({ value, low, high }) {
  return `${signed(value)} ± ${Math.round((high - low) / 2)}`;
}

/**
 * The result of a game by its points: "1–0", "½–½", "1st 2nd 3rd".
 * @param {number[]} points
 */
export function resultText(points) {
  if (points.length === 2) return points.map((part) => (part === 100 ? "1" : part === 50 ? "½" : part === 0 ? "0" : numberText(part / 100))).join("–");
  return points.map((part) => numberText(part / 100)).join(" – ");
}
