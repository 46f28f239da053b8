// Matches and tournaments: those that run now first.

/** @import { TournamentEntry, TournamentList } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { el, link } from "../dom.js";
import { progressBar } from "../parts/bar.js";
import { agoWords, countWords } from "../parts/contest.js";
import { morph } from "../parts/morph.js";
import { openFeed } from "../parts/poll.js";
import { countsOf, FORMATS, stateChip, tournamentAddress } from "../tournament/words.js";

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ signal }) {
  const feed = await openFeed(api.tournamentPath(), signal);
  /** @type {TournamentList} */
  const first = feed.first;
  const place = el("div", { class: "lab" }, ...contents(first));
  feed.follow((/** @type {TournamentList} */ list) => morph(place, ...contents(list)));
  const body = [
    el("div", { class: "head-row" },
      el("div", null,
        el("h1", null, "Tournaments"),
        el("p", { class: "muted" }, "Agents against agents: standings, crosstables, ratings, and the games as they are played.")),
      link("/new-tournament", "New tournament", { class: "button primary", data: { action: "new-tournament" } })),
    place,
  ];
  return { name: "tournaments", title: "Tournaments", body };
}

/** @param {TournamentList} list */
function contents({ tournaments }) {
  if (tournaments.length === 0) {
    return [el("div", { class: "card empty", data: { key: "nothing" } },
      el("h2", null, "No tournaments yet"),
      el("p", null, "Begin one here, or on the command line with ", el("code", null, "agon tournament run FILE"), " or ",
        el("code", null, "agon match"), ": it can be watched here in any case."))];
  }
  const running = tournaments.filter(({ state }) => state === "running");
  const others = tournaments.filter(({ state }) => state !== "running");
  return [part("Running now", running), part(running.length > 0 ? "Others" : "All", others)].filter((node) => node !== null);
}

/**
 * @param {string} title
 * @param {TournamentEntry[]} entries
 */
function part(title, entries) {
  if (entries.length === 0) return null;
  return el("section", { data: { key: title } }, el("h2", null, title),
    el("ul", { class: "tournaments" }, ...entries.map(card)));
}

/** @param {TournamentEntry} entry */
function card(entry) {
  const { name, format, variants, agents, games, planned, state, faults, started_at, finished_at } = entry;
  const some = variants.length > 3 ? [...variants.slice(0, 3), `${variants.length - 3} more`] : variants;
  return el("li", { class: "card tournament-card", data: { key: name, tournament: name } },
    el("h3", null, link(tournamentAddress(name), name, { class: "title" })),
    el("p", { class: "muted small" }, [FORMATS[format] ?? format, countWords(agents, "agent"), ...some].join(" · ")),
    el("div", { class: state === "finished" ? "lab-bar full" : "lab-bar" }, progressBar(games, Math.max(planned, 1))),
    el("p", { class: "small counts-line" }, stateChip(state), el("span", null, countsOf(entry)),
      faults > 0 && el("span", { class: "error" }, countWords(faults, "fault")),
      el("span", { class: "muted" }, finished_at ? `finished ${agoWords(finished_at)}` : `begun ${agoWords(started_at)}`)));
}
