// All experiments that were run, and how far they are.

/** @import { ExperimentEntry, ExperimentList } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { el, link } from "../dom.js";
import { experimentAddress, Paces, progressParts, sampleList } from "../parts/lab.js";
import { morph } from "../parts/morph.js";
import { openFeed } from "../parts/poll.js";

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ signal, again }) {
  const [feed, samples] = await Promise.all([openFeed(api.labPath(), signal), api.samples()]);
  /** @type {ExperimentList} */
  const first = feed.first;
  const paces = new Paces();
  const isEmpty = first.experiments.length === 0;
  const place = el("div", { class: "lab" }, ...contents(first, paces));
  feed.follow((/** @type {ExperimentList} */ list) => {
    // The page has other words around the first one.
    if (isEmpty !== (list.experiments.length === 0)) return again();
    morph(place, ...contents(list, paces));
  });
  const examples = sampleList(samples);
  const body = [
    el("h1", null, "Lab"),
    el("p", { class: "muted" }, "Experiments ask a question, play the games that answer it, and come out as a report."),
    place,
    isEmpty ? el("section", { data: { part: "samples" } }, el("h2", null, "Examples"), examples)
      : el("section", { data: { part: "samples" } }, el("h2", null, "Make another"), howTo(), examples),
  ];
  return { name: "lab", title: "Lab", body };
}

/**
 * @param {ExperimentList} list
 * @param {Paces} paces
 */
function contents({ experiments }, paces) {
  if (experiments.length === 0) {
    return [el("div", { class: "card empty", data: { key: "nothing" } }, el("h2", null, "No experiments yet"), howTo())];
  }
  return [el("ul", { class: "experiments", data: { key: "experiments" } }, ...experiments.map((entry) => card(entry, paces)))];
}

/** How to make an experiment, in two lines. */
function howTo() {
  return el("ol", { class: "how-to" },
    el("li", null, el("code", null, "agon lab new list study.toml"), " writes an example, which you edit."),
    el("li", null, el("code", null, "agon lab run study.toml"), " runs it. Its progress and its report appear here."));
}

/**
 * @param {ExperimentEntry} entry
 * @param {Paces} paces
 */
function card(entry, paces) {
  const { name, title, question } = entry;
  return el("li", { class: "card experiment", data: { key: name, experiment: name } },
    el("h2", null, link(experimentAddress(name), title, { class: "title" })),
    question && el("p", { class: "muted" }, question),
    ...progressParts(entry, paces.note(entry)));
}
