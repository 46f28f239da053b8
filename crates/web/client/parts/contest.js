// How the contest is told: ratings, points, places, times.

/** @import { ContestAgent, Environment, Opponent, Threshold } from "../api-types" */

import { dateWords } from "./words.js";

const PLACES = ["first", "second", "third", "fourth"];
const MINUTE_MS = 60_000;

/** @param {string} env */
export const environmentAddress = (env) => `/env/${encodeURIComponent(env)}`;

/**
 * @param {string} env
 * @param {string} agent
 */
export const agentAddress = (env, agent) => `/agent/${encodeURIComponent(env)}/${encodeURIComponent(agent)}`;

/**
 * @param {string} env
 * @param {number} id
 */
export const runAddress = (env, id) => `/run/${encodeURIComponent(env)}/${id}`;

/**
 * A rating with as many digits as it can have: means of 50 runs have two.
 * @param {number | null} rating
 * @param {number} window
 */
export function ratingText(rating, window) {
  return rating === null ? "–" : rating.toFixed(100 % window === 0 ? 2 : 3);
}

/** @param {number} points */
export function pointsWords(points) {
  return points === 1 ? "1 point" : `${numberText(points)} points`;
}

/** @param {number} number */
export function numberText(number) {
  return number.toLocaleString("en", { maximumFractionDigits: 3 });
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export function countWords(count, one, many = `${one}s`) {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}

/**
 * @param {Threshold} threshold
 * @param {number} window
 */
export function thresholdWords({ above, points }, window) {
  return `${pointsWords(points)} above ${ratingText(above, window)}`;
}

/**
 * The least and the most that a run can be worth.
 * @param {number[]} points
 */
export const rangeOf = (points) => ({ least: Math.min(...points), most: Math.max(...points) });

/**
 * "greedy", "greedy and random", "two of greedy".
 * @param {Opponent[]} opponents
 */
export function opponentsWords(opponents) {
  const names = opponents.map((opponent) => opponent.agent);
  const [first] = names;
  if (names.length === 2 && names.every((name) => name === first)) return `two of ${first}`;
  if (names.length > 2 && names.every((name) => name === first)) return `${names.length} of ${first}`;
  return names.join(" and ");
}

/**
 * What a run was worth, as a place where the points tell it.
 * @param {number | null} place
 * @param {number} seats
 */
export function placeWords(place, seats) {
  if (place === null) return "";
  if (seats === 2) return place === 1 ? "won" : "lost";
  return PLACES[place - 1] ?? `place ${place}`;
}

/**
 * @param {number[]} points
 */
export function worthWords(points) {
  const worth = points.map((point, at) => `${numberText(point)} for ${points.length === 2 ? (at === 0 ? "a win" : "a loss") : `the ${PLACES[at] ?? `${at + 1}th`} place`}`);
  return worth.join(", ");
}

/** @param {Environment["begins"]} begins */
export function beginsWords(begins) {
  if (begins === "agent") return "Your agent makes the first move.";
  return begins === "opponent" ? "The opponents make the first moves." : "Who makes the first move is drawn by lot in every run.";
}

/**
 * @param {number | null} time  in milliseconds since 1970
 * @param {number} [now]
 */
export function agoWords(time, now = Date.now()) {
  if (time === null) return "–";
  const minutes = Math.floor((now - time) / MINUTE_MS);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return dateWords(time);
}

/**
 * What an agent has to do for more points.
 * @param {ContestAgent} agent
 */
export function missingWords({ next, window, current, evaluated, finished }) {
  if (!next) return "There is nothing more to earn here.";
  const needed = `more than ${numberText(next.above * window)} points in ${window} runs in a row`;
  if (!evaluated) return `${capitalPoints(next.points)} take ${needed}; ${countWords(window - finished, "more run")} until a rating counts.`;
  return `${capitalPoints(next.points)} take ${needed}; the last ${window} brought ${numberText((current ?? 0) * window)}.`;
}

/** @param {number} points */
const capitalPoints = (points) => (points === 1 ? "One point" : pointsWords(points));
