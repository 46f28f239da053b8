// A rating as a bar, with marks where it earns points.

/** @import { Threshold } from "../api-types" */

import { svg } from "../board/svg.js";
import { rangeOf } from "./contest.js";

/**
 * Hidden from screen readers: the text beside it says the same.
 * @param {number | null} rating
 * @param {number[]} points
 * @param {Threshold[]} thresholds
 * @param {boolean} [counts]  whether it earns anything yet
 */
export function ratingBar(rating, points, thresholds, counts = true) {
  const { least, most } = rangeOf(points);
  /** @param {number} value */
  const at = (value) => `${(100 * Math.min(Math.max((value - least) / (most - least || 1), 0), 1)).toFixed(2)}%`;
  const passed = counts && rating !== null && thresholds.some((threshold) => rating > threshold.above);
  return svg("svg", { class: passed ? "rating-bar passed" : "rating-bar", "aria-hidden": "true" },
    svg("rect", { class: "track", width: "100%", height: "100%", rx: 3 }),
    svg("rect", { class: "filled", width: rating === null ? 0 : at(rating), height: "100%", rx: 3 }),
    ...thresholds.map(({ above }) => svg("line", { class: "mark", x1: at(above), x2: at(above), y1: 0, y2: "100%" })));
}

/**
 * A progress bar.
 * @param {number} done
 * @param {number} all
 */
export function progressBar(done, all) {
  const share = `${(100 * Math.min(done / all, 1)).toFixed(2)}%`;
  return svg("svg", { class: "rating-bar progress", "aria-hidden": "true" },
    svg("rect", { class: "track", width: "100%", height: "100%", rx: 3 }),
    svg("rect", { class: "filled", width: share, height: "100%", rx: 3 }));
}
