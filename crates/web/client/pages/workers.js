// Workers on other machines, and the runs they play for.

/** @import { Fleet, FleetNews, FleetRun, Worker } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { capital, el, link } from "../dom.js";
import { progressBar } from "../parts/bar.js";
import { countWords, numberText } from "../parts/contest.js";
import { morph } from "../parts/morph.js";
import { openFeed } from "../parts/poll.js";
import { ageText, leftWords, memoryText, playingWords, programsWords, rateText, refusalWords, runCounts, speedText } from "../parts/workers.js";
import { tournamentAddress } from "../tournament/words.js";

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ signal }) {
  const feed = await openFeed(api.WORKERS_PATH, signal, api.fleetNews);
  // There from the start, so that screen readers announce what appears in it.
  const notice = el("div", { role: "status", class: "away", data: { part: "away" } });
  const place = el("div", { class: "lab" });
  /** @type {{ fleet: Fleet, at: number } | null} */
  let seen = null;
  const show = (/** @type {FleetNews} */ news) => {
    if (!("away" in news)) seen = { fleet: news, at: Date.now() };
    morph(notice, ...("away" in news ? awayWords(news.away, seen?.at ?? null) : []));
    if (seen) morph(place, ...contents(seen.fleet));
  };
  show(feed.first);
  feed.follow(show);
  const body = [
    el("h1", null, "Workers"),
    el("p", { class: "muted" }, "Other machines that play the games of tournaments, matches and experiments."),
    notice,
    place,
  ];
  return { name: "workers", title: "Workers", body };
}

/**
 * @param {string} problem
 * @param {number | null} at  when everyone was last seen
 */
function awayWords(problem, at) {
  const last = at === null ? "" : ` What is below was seen at ${new Date(at).toLocaleTimeString(undefined, { timeStyle: "medium" })}.`;
  return [el("p", null, el("strong", null, `${capital(problem)}.`), ` This page goes on by itself when it is back.${last}`)];
}

/** @param {Fleet} fleet */
function contents(fleet) {
  const { workers, runs } = fleet;
  if (workers.length === 0 && runs.length === 0) {
    return [el("div", { class: "card empty", data: { key: "nothing" } }, el("h2", null, "Nobody is there"), howTo(true, true))];
  }
  return [runsPart(fleet), workersPart(fleet)];
}

/**
 * How to start workers, and how to give them games.
 * @param {boolean} workers
 * @param {boolean} runs
 */
function howTo(workers, runs) {
  return el("ul", { class: "how-to" },
    workers && el("li", null, el("code", null, "agon worker --nats URL"), " starts a worker, on every machine that reaches the broker."),
    runs && el("li", null, el("code", null, "agon tournament run FILE --nats URL"), " gives the workers games; so do ",
      el("code", null, "agon match"), " and ", el("code", null, "agon lab run"), "."));
}

/** @param {Fleet} fleet */
function runsPart({ runs, total }) {
  return el("section", { data: { key: "runs", part: "runs" } },
    el("h2", null, "Runs"),
    runs.length === 0 ? el("div", { class: "card", data: { key: "none" } }, el("p", null, "Nothing is played now."), howTo(false, true))
      : el("ul", { class: "tournaments", data: { key: "list" } }, ...runs.map(runCard)),
    moreLine(total.runs - runs.length, "run"));
}

/** @param {FleetRun} run */
function runCard(run) {
  const { id, name, tournament, coordinator, done, games, seconds_left, refused, warnings } = run;
  const left = leftWords(seconds_left);
  return el("li", { class: "card fleet-run", data: { key: id, run: name } },
    el("h3", null, tournament === null ? name : link(tournamentAddress(tournament), name)),
    el("div", { class: games > 0 && done >= games ? "lab-bar full" : "lab-bar" }, progressBar(done, Math.max(games, 1))),
    el("p", { class: "small counts-line" },
      ...runCounts(run).map((text) => el("span", null, text)),
      left && el("span", { class: "pace" }, left),
      refused > 0 && el("span", { class: "error" }, `${countWords(refused, "message")} refused`)),
    el("p", { class: "small muted" }, `Coordinator: ${coordinator}`),
    warnings.length > 0 && el("ul", { class: "small warnings", "aria-label": `Warnings of ${name}` },
      ...warnings.map((text) => el("li", null, text))));
}

/** @param {Fleet} fleet */
function workersPart({ workers, total }) {
  const head = el("h2", null, "Workers");
  if (workers.length === 0) {
    return el("section", { data: { key: "workers", part: "workers" } }, head,
      el("div", { class: "card", data: { key: "none" } }, el("p", null, "No worker is there, so no game is played."), howTo(true, false)));
  }
  return el("section", { data: { key: "workers", part: "workers" } },
    head,
    el("p", { class: "counts-line", data: { key: "total", part: "total" } },
      el("span", null, countWords(total.workers, "worker")),
      el("span", null, countWords(total.slots, "slot")),
      el("span", null, `${rateText(total.games_per_hour)} games an hour`)),
    el("div", { class: "card scroll", tabindex: 0, role: "group", "aria-label": "Workers", data: { key: "table" } },
      el("table", { class: "leaders fleet" },
        el("thead", null, el("tr", null, ...COLUMNS.map(({ head: text, number }) => el("th", { scope: "col", class: number ? "number" : null }, text)))),
        ...workers.map(rows))),
    moreLine(total.workers - workers.length, "worker"));
}

/** @typedef {{ head: string, number: boolean, cell: (worker: Worker) => import("../dom.js").Child[] }} Column */

/** @type {Column[]} */
const COLUMNS = [
  { head: "Worker", number: false, cell: nameCell },
  { head: "Playing now", number: false, cell: playingCell },
  { head: "Slots", number: true, cell: ({ slots }) => [numberText(slots)] },
  { head: "Cores", number: true, cell: ({ abilities }) => [numberText(abilities.cores)] },
  { head: "Memory", number: true, cell: ({ abilities }) => [memoryText(abilities.memory_mib)] },
  { head: "Mnodes/s", number: true, cell: ({ abilities }) => [speedText(abilities.speed)] },
  { head: "Programs", number: false, cell: programsCell },
  { head: "Games", number: true, cell: ({ games }) => [numberText(games)] },
  { head: "An hour", number: true, cell: ({ games_per_hour }) => [rateText(games_per_hour)] },
  { head: "Faults", number: true, cell: ({ faults }) => [countCell(faults)] },
  { head: "Troubles", number: true, cell: ({ troubles }) => [countCell(troubles)] },
];

/**
 * The rows of a worker: its numbers, and what it cannot play.
 * @param {Worker} worker
 */
function rows(worker) {
  const { id, name, refused, leaving } = worker;
  const cells = COLUMNS.map(({ head, number, cell }, at) => (at === 0
    ? el("th", { scope: "row", class: "name" }, ...cell(worker))
    // Phones have no row of headings.
    : el("td", { class: number ? "number" : null, data: { label: head } }, ...cell(worker))));
  return el("tbody", { data: { key: id, worker: name } },
    el("tr", { class: leaving ? "out" : null }, ...cells),
    refused.length > 0 && el("tr", { class: "refusals" }, el("td", { colspan: COLUMNS.length },
      el("ul", { class: "small", "aria-label": `What ${name} does not play` }, ...refused.map((one) => el("li", null, refusalWords(one)))))));
}

/** @param {Worker} worker */
function nameCell({ name, abilities, seconds, leaving }) {
  return [
    name,
    leaving && el("span", { class: "chip" }, "leaving"),
    el("span", { class: "muted small line" }, `${abilities.version}-${abilities.signature}, for ${ageText(seconds)}`),
  ];
}

/** @param {Worker} worker */
function playingCell({ playing }) {
  if (playing.length === 0) return [el("span", { class: "muted" }, "nothing")];
  return playing.map((games) => el("span", { class: "line" }, playingWords(games)));
}

/** @param {Worker} worker */
function programsCell({ abilities }) {
  const { which, isolation } = programsWords(abilities);
  return [which, el("span", { class: "muted small line" }, isolation)];
}

/**
 * A count that is best zero.
 * @param {number} count
 */
function countCell(count) {
  return count === 0 ? el("span", { class: "muted" }, "0") : el("span", { class: "error" }, numberText(count));
}

/**
 * @param {number} more
 * @param {string} what
 */
function moreLine(more, what) {
  return more > 0 && el("p", { class: "small muted more", data: { key: "more" } }, `And ${countWords(more, `other ${what}`)}.`);
}
