// Experiments in words and bars.

/** @import { ExperimentEntry, Progress, Sample } from "../api-types" */

import * as api from "../api.js";
import { el, link } from "../dom.js";
import { progressBar } from "./bar.js";
import { agoWords, numberText } from "./contest.js";
import { Pace, paceWords } from "./pace.js";
import { copyButton } from "./share.js";

/** @param {string} name */
export const experimentAddress = (name) => `/lab/${api.segment(name)}`;

/**
 * "120 of 400 games", "3 of 9 measurements".
 * @param {Progress} progress
 */
export function countsOf({ games, of_games, measurements, of_measurements }) {
  /** @type {[number, number, string][]} */
  const all = [[games, of_games, "game"], [measurements, of_measurements, "measurement"]];
  return all.filter(([, of]) => of > 0).map(([done, of, what]) => {
    const many = of === 1 ? what : `${what}s`;
    return done === of ? `${numberText(of)} ${many}` : `${numberText(done)} of ${numberText(of)} ${many}`;
  });
}

/** Follows how fast experiments proceed, by name. */
export class Paces {
  /** @type {Map<string, Pace>} */
  #of = new Map();

  /** @param {ExperimentEntry} entry */
  note({ name, progress }) {
    const pace = this.#of.get(name) ?? new Pace();
    this.#of.set(name, pace);
    if (progress) pace.note(progress.games + progress.measurements);
    return pace;
  }
}

/**
 * How far an experiment is: a bar, numbers, and how long it takes.
 * @param {ExperimentEntry} entry
 * @param {Pace} pace
 * @returns {HTMLElement[]}
 */
export function progressParts({ progress, problem, updated_at }, pace) {
  const run = el("span", { class: "muted" }, `last run ${agoWords(updated_at)}`);
  if (!progress) return [el("p", { class: "error reason", data: { error: "" } }, problem), el("p", { class: "small counts-line" }, run)];
  const { games, of_games, measurements, of_measurements, at_most, complete } = progress;
  const moving = !complete && pace.isMoving();
  // Measurements have no common pace: one may take as long as all others.
  const words = moving && measurements === of_measurements ? paceWords(pace.perMinute(), of_games - games, at_most) : "";
  const state = complete ? el("span", { class: "chip grade-2" }, "complete")
    : moving ? el("span", { class: "playing" }, "running") : el("span", { class: "chip grade-1" }, "unfinished");
  return [
    el("div", { class: complete ? "lab-bar full" : "lab-bar" }, progressBar(games + measurements, Math.max(of_games + of_measurements, 1))),
    el("p", { class: "small counts-line" },
      state,
      ...countsOf(progress).map((text) => el("span", null, text)),
      words && el("span", { class: "pace" }, words),
      run),
  ];
}

/**
 * The example files, each to look at, to copy and to save.
 * @param {Sample[]} samples
 */
export function sampleList(samples) {
  return el("ul", { class: "samples" }, ...samples.map(({ kind, about, text }) => el("li", { class: "card", data: { sample: kind } },
    el("details", null,
      el("summary", null, el("strong", null, kind), el("span", { class: "muted" }, ` ${about}`)),
      el("pre", { tabindex: 0, "aria-label": `The example ${kind}` }, text),
      el("div", { class: "row" },
        copyButton("Copy", () => text, "copy-sample"),
        link(api.samplePath(kind), "Save", { class: "button small", download: true, data: { action: "save-sample" } }))))));
}
