// The contest in words: ratings, points, places, times.

/** @import { ContestAgent, Environment, Opponent, Threshold } from "../api-types" */

const PLACES = ["first", "second", "third", "fourth"];
const MINUTE_MS = 60_000;
const MOST_DAYS = 14;

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
 * A rating with as many decimals as it needs: means over 50 runs have two.
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
 * The lowest and the highest score of a run.
 * @param {number[]} points
 */
export const rangeOf = (points) => ({ least: Math.min(...points), most: Math.max(...points) });

/**
 * "greedy", "greedy and random", "2 × greedy".
 * @param {Opponent[]} opponents
 */
export function opponentsWords(opponents) {
  const names = opponents.map((opponent) => opponent.name);
  const [first] = names;
  const alike = names.length > 1 && names.every((name) => name === first);
  return alike ? `${names.length} × ${first}` : names.join(" and ");
}

/**
 * The result of a run as a place, where its score determines the place.
 * @param {number | null} place
 * @param {number} seats
 */
export function placeWords(place, seats) {
  if (place === null) return "";
  if (seats === 2) return place === 1 ? "won" : "lost";
  return PLACES[place - 1] ?? `place ${place}`;
}

/**
 * The scores of the places: "1 for a win, 0 for a loss".
 * @param {number[]} points
 */
export function worthWords(points) {
  const names = points.length === 2 ? ["a win", "a loss"] : points.map((_, at) => `${PLACES[at] ?? `${at + 1}th`} place`);
  return points.map((point, at) => `${numberText(point)} for ${names[at]}`).join(", ");
}

/** @param {Environment["begins"]} begins */
export function beginsWords(begins) {
  if (begins === "agent") return "Your agent makes the first move.";
  return begins === "opponent" ? "The opponents make the first moves." : "Who moves first is random in every run.";
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
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  if (days > MOST_DAYS) return new Date(time).toLocaleDateString(undefined, { dateStyle: "medium" });
  return days === 1 ? "yesterday" : `${days} days ago`;
}

/**
 * What an agent needs for more points.
 * @param {ContestAgent} agent
 */
export function missingWords({ next, window, current, evaluated, finished, points }) {
  if (!next) return "There are no more points to earn here.";
  const wins = points.length === 2 && points[0] === 1 && points[1] === 0;
  const needed = `${wins ? "more than" : "a total score above"} ${numberText(next.above * window)}${wins ? " wins" : ""} in ${window} consecutive runs`;
  const now = evaluated ? `the last ${window} have ${numberText((current ?? 0) * window)}` : `${countWords(window - finished, "run")} to go`;
  return `For ${pointsWords(next.points)}: ${needed}; ${now}.`;
}
