// How fast an experiment proceeds, as far as an open page can tell.

import { numberText } from "./contest.js";

/** How far back the pace is measured. */
const WINDOW_MS = 120_000;
/** A shorter time says nothing: games end in bursts, and the server looks once a second. */
const LEAST_MS = 5000;
/** Without news for this long, or for a few times as long as usual, nothing is running. */
const QUIET_MS = 30_000;
const QUIET_TIMES = 4;

const MINUTE_MS = 60_000;
const HOUR_MIN = 60;
const DAY_MIN = 24 * HOUR_MIN;

/** Watches a number that grows. */
export class Pace {
  /** @type {{ at: number, done: number }[]} */
  #seen = [];

  /**
   * @param {number} done
   * @param {number} [now]
   */
  note(done, now = Date.now()) {
    const last = this.#seen[this.#seen.length - 1];
    if (last && done === last.done) return;
    // Fewer than before: another file, which has to begin anew.
    if (last && done < last.done) this.#seen = [];
    this.#seen.push({ at: now, done });
    while (this.#seen.length > 2 && /** @type {{ at: number }} */ (this.#seen[1]).at < now - WINDOW_MS) this.#seen.shift();
  }

  /**
   * Whether it has grown lately.
   * @param {number} [now]
   */
  isMoving(now = Date.now()) {
    const [first, last] = this.#ends();
    if (!first || !last) return false;
    const usual = (last.at - first.at) / (this.#seen.length - 1);
    return now - last.at < Math.max(QUIET_MS, QUIET_TIMES * usual);
  }

  /**
   * How much it grows in a minute; null if that is not known, or if it does not grow.
   * @param {number} [now]
   */
  perMinute(now = Date.now()) {
    const [first, last] = this.#ends();
    if (!first || !last || last.at - first.at < LEAST_MS || !this.isMoving(now)) return null;
    return ((last.done - first.done) * MINUTE_MS) / (last.at - first.at);
  }

  #ends() {
    return this.#seen.length < 2 ? [] : [this.#seen[0], this.#seen[this.#seen.length - 1]];
  }
}

/**
 * "12 games a minute, about 5 min left".
 * @param {number | null} pace  games a minute
 * @param {number} left  games
 * @param {boolean} atMost  whether it may be fewer
 */
export function paceWords(pace, left, atMost) {
  if (pace === null || pace <= 0) return "";
  const rate = pace >= 10 ? Math.round(pace) : Math.round(pace * 10) / 10;
  const words = rate > 0 ? `${numberText(rate)} ${rate === 1 ? "game" : "games"} a minute` : "less than a game a minute";
  return left > 0 ? `${words}, ${atMost ? "at most " : ""}${timeWords(left / pace)} left` : words;
}

/** @param {number} minutes */
export function timeWords(minutes) {
  if (minutes < 1) return "less than a minute";
  if (minutes < 1.5 * HOUR_MIN) return `about ${Math.round(minutes)} min`;
  if (minutes < 1.5 * DAY_MIN) return `about ${Math.round(minutes / HOUR_MIN)} h`;
  return `about ${Math.round(minutes / DAY_MIN)} days`;
}
