// One agent: its rating, what it needs for more points, its rating curve and its runs.

/** @import { ContestAgent, FinishedRun } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { el, link } from "../dom.js";
import { progressBar, ratingBar } from "../parts/bar.js";
import {
  agoWords, countWords, environmentAddress, missingWords, numberText, placeWords, rangeOf, ratingText, runAddress,
} from "../parts/contest.js";
import { Curve } from "../parts/curve.js";
import { morph } from "../parts/morph.js";
import { openFeed } from "../parts/poll.js";

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ params, signal }) {
  const feed = await openFeed(api.agentPath(params[0] ?? "", params[1] ?? ""), signal);
  /** @type {ContestAgent} */
  const first = feed.first;
  const view = new AgentView(first, signal);
  feed.follow((/** @type {ContestAgent} */ agent) => view.show(agent));
  return { name: "agent", title: `${first.agent}, ${first.name}`, body: view.body, under: "/environments" };
}

/** Everything on the page of an agent. */
class AgentView {
  /**
   * @param {ContestAgent} agent
   * @param {AbortSignal} signal
   */
  constructor(agent, signal) {
    this.curve = new Curve(signal);
    this.stats = el("dl", { class: "stats" });
    this.open = el("div");
    this.strip = el("div");
    this.runs = el("div");
    this.body = [
      el("div", { class: "contest-head" },
        link(environmentAddress(agent.environment), agent.name, { class: "small" }),
        el("h1", null, agent.agent)),
      this.stats,
      el("div", { class: "agent-cols" },
        el("section", { class: "card" }, el("h2", null, "Rating"), this.curve.node, this.strip),
        this.open),
      this.runs,
    ];
    this.show(agent);
  }

  /** @param {ContestAgent} agent */
  show(agent) {
    this.curve.show(agent);
    morph(this.stats, ...stats(agent));
    morph(this.strip, ...strip(agent));
    morph(this.open, openRuns(agent));
    morph(this.runs, finishedRuns(agent));
  }
}

/** @param {ContestAgent} agent */
function stats(agent) {
  const { evaluated, best, current, window, points, thresholds, finished, earned, open } = agent;
  const highest = Math.max(0, ...thresholds.map((threshold) => threshold.points));
  const left = window - finished;
  return [
    stat("best", "Best rating", ratingText(best, window),
      evaluated ? `the best mean of ${window} runs in a row` : `counts from run ${window}: ${countWords(left, "run")} to go`,
      evaluated ? ratingBar(best, points, thresholds) : progressBar(finished, window)),
    stat("current", evaluated ? "Current rating" : "Estimated rating", ratingText(current, window),
      evaluated ? `the mean of the last ${window} runs` : finished === 0 ? "no finished runs yet" : `the mean of ${countWords(finished, "run")} so far`,
      ratingBar(current, points, thresholds, evaluated)),
    highest > 0 && stat("points", "Points earned", numberText(earned), missingWords(agent), null, ` of ${numberText(highest)}`, earned > 0),
    stat("runs", "Finished runs", numberText(finished), open.length > 0 ? `${countWords(open.length, "run")} in progress` : "none in progress", null),
  ].filter((part) => part !== false);
}

/**
 * @param {string} key
 * @param {string} name
 * @param {string} value
 * @param {string} words
 * @param {Node | null} bar
 * @param {string} [of]
 * @param {boolean} [good]
 */
function stat(key, name, value, words, bar, of = "", good = false) {
  return el("div", { class: good ? "card stat good" : "card stat", data: { key, stat: key } },
    el("dt", null, name),
    el("dd", null, el("strong", null, value), of && el("span", { class: "muted" }, of)),
    el("dd", { class: "muted small" }, words),
    bar && el("dd", { class: "stat-bar" }, bar));
}

/** @param {ContestAgent} agent */
function strip(agent) {
  const { last, window } = agent;
  if (last.length === 0) return [];
  const bars = last.toReversed().map((run) => stripBar(agent, run));
  return [
    el("h3", null, last.length === 1 ? "The last run" : `The last ${last.length} runs`),
    el("ol", { class: "strip", "aria-label": "Results, oldest first" }, ...bars),
    el("p", { class: "muted small" }, `${sumWords(agent)} The latest is on the right; the rating is the mean over ${window} runs.`),
  ];
}

/** @param {ContestAgent} agent */
function sumWords({ last, points }) {
  const places = points.map((worth) => last.filter((run) => run.outcome === worth).length);
  const words = places.map((count, at) => `${count} ${placeWords(at + 1, points.length)}`);
  return `${words.join(", ")}.`;
}

/**
 * How good a run was: 2 for the best score, 0 for the worst, 1 in between.
 * @param {number} outcome
 * @param {number[]} points
 */
function grade(outcome, points) {
  const { least, most } = rangeOf(points);
  if (outcome >= most) return 2;
  return outcome <= least ? 0 : 1;
}

/**
 * @param {FinishedRun} run
 * @param {number[]} points
 */
const resultWords = ({ place, outcome }, points) => placeWords(place, points.length) || `scored ${numberText(outcome)}`;

/**
 * @param {ContestAgent} agent
 * @param {FinishedRun} run
 */
function stripBar({ environment, points }, run) {
  const words = `Run ${run.id}: ${resultWords(run, points)}`;
  // Keyboard users reach the same links in the table below.
  return el("li", { class: `grade-${grade(run.outcome, points)}`, data: { key: run.id } },
    link(runAddress(environment, run.id), "", { "aria-label": words, title: words, tabindex: -1 }));
}

/** @param {ContestAgent} agent */
function openRuns({ environment, open }) {
  const list = open.map((run) => el("li", { data: { key: run.id, open: run.id } },
    link(runAddress(environment, run.id), `Run ${run.id}`),
    el("span", { class: "muted small" }, countWords(run.moves, "move")),
    el("span", { class: "muted small when" }, agoWords(run.updated_at))));
  return el("section", { class: "card" }, el("h2", null, "In progress"),
    open.length === 0
      ? el("p", { class: "muted" }, "No open runs. The next request from the agent's client starts new ones.")
      : el("ul", { class: "open-runs" }, ...list));
}

/** @param {ContestAgent} agent */
function finishedRuns({ environment, last, points, finished }) {
  const heading = el("h2", null, "Finished runs");
  if (last.length === 0) {
    return el("section", { class: "finished" }, heading, el("p", { class: "card" }, "None yet. Start the agent's client: ", el("code", null, "agon aisysproj FILE.json"), "."));
  }
  const rows = last.map((run) => el("tr", { data: { key: run.id, run: run.id } },
    el("th", { scope: "row", class: "name" }, link(runAddress(environment, run.id), `Run ${run.id}`)),
    el("td", null, el("span", { class: `chip grade-${grade(run.outcome, points)}` }, resultWords(run, points))),
    el("td", { class: "number" }, numberText(run.outcome)),
    el("td", { class: "number" }, run.moves),
    el("td", { class: "muted small when" }, agoWords(run.finished_at))));
  return el("section", { class: "finished" }, heading,
    finished > last.length && el("p", { class: "muted small" }, `The last ${last.length} of ${numberText(finished)}.`),
    el("div", { class: "card flush" }, el("table", { class: "leaders", "aria-label": "Finished runs" },
      el("thead", null, el("tr", null, ...["Run", "Result", "Score", "Moves", "Ended"].map((head, at) =>
        el("th", { scope: "col", class: at === 2 || at === 3 ? "number" : null }, head)))),
      el("tbody", null, ...rows))));
}
