// Workers and runs in words.

/** @import { Abilities, FleetRun, WorkerGames, WorkerRefusal } from "../api-types" */

import { countWords, numberText } from "./contest.js";
import { timeWords } from "./pace.js";

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/**
 * How long something has lasted: "12 s", "5 min", "3 h", "2 days".
 * @param {number} seconds
 */
export function ageText(seconds) {
  if (seconds < 2 * MINUTE_S) return unbroken(seconds, "s");
  if (seconds < 2 * HOUR_S) return unbroken(seconds / MINUTE_S, "min");
  if (seconds < 2 * DAY_S) return unbroken(seconds / HOUR_S, "h");
  return unbroken(seconds / DAY_S, "days");
}

/**
 * A number that stays on a line with its unit.
 * @param {number} number
 * @param {string} unit
 */
const unbroken = (number, unit) => `${numberText(Math.floor(number))}\u00a0${unit}`;

/** @param {number} mib */
export function memoryText(mib) {
  return mib < 1024 ? `${mib} MiB` : `${numberText(Math.round(mib / 102.4) / 10)} GiB`;
}

/**
 * Millions of nodes a second.
 * @param {number} speed
 */
export const speedText = (speed) => (speed / 1e6).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/**
 * Games an hour; few games need a decimal.
 * @param {number} rate
 */
export const rateText = (rate) => numberText(rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate));

/**
 * Which programs a worker runs, and how far it can isolate them.
 * @param {Abilities} abilities
 */
export function programsWords({ takes_programs, own_programs, isolation }) {
  const which = takes_programs ? "taken" : own_programs > 0 ? `${numberText(own_programs)} of its own` : "none";
  return { which, isolation: `isolation: ${isolation}` };
}

/** @param {WorkerGames} playing */
export function playingWords({ run, name, games, seconds }) {
  return `${countWords(games, "game")} of ${name ?? run}, for ${ageText(seconds)}`;
}

/** @param {WorkerRefusal} refusal */
export function refusalWords({ name, reason }) {
  return `Leaves ${name === null ? "games" : `the games of ${name}`} to others: ${reason}`;
}

/**
 * How far a run is: "120 of 400 games", "8 waiting", "2 workers".
 * @param {FleetRun} run
 */
export function runCounts({ done, games, waiting, workers }) {
  return [`${numberText(done)} of ${countWords(games, "game")}`, `${numberText(waiting)} waiting`, countWords(workers, "worker")];
}

/** @param {number | null} seconds */
export const leftWords = (seconds) => (seconds === null ? "" : `${timeWords(seconds / MINUTE_S)} left`);
