// One match or tournament, live, and fit for a projector.

/** @import { Tournament } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { button, el, link } from "../dom.js";
import { progressBar } from "../parts/bar.js";
import { countWords, numberText } from "../parts/contest.js";
import { morph } from "../parts/morph.js";
import { openFeed } from "../parts/poll.js";
import { Controls } from "../tournament/controls.js";
import { faultList, gamesNow, lastGames } from "../tournament/games.js";
import { CoursePlot, RatingPlot } from "../tournament/plot.js";
import { crosstable, standings } from "../tournament/standings.js";
import { countsOf, FORMATS, forecastWords, signed, stateChip } from "../tournament/words.js";

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ params, signal, go }) {
  const name = (params[0] ?? "").trim();
  const feed = await openFeed(api.tournamentPath(name), signal);
  /** @type {Tournament} */
  const first = feed.first;
  const ratings = new RatingPlot(signal);
  const course = new CoursePlot(signal);
  const controls = new Controls(first, { signal, go });
  const places = { head: el("div", { class: "tournament-head" }), main: el("div", { class: "tournament-main" }), side: el("div", { class: "tournament-side" }), below: el("div", { class: "tournament-below" }) };
  const show = (/** @type {Tournament} */ tournament) => {
    morph(places.head, ...head(tournament));
    morph(places.main, standings(tournament));
    morph(places.side, gamesNow(tournament), faultList(tournament));
    morph(places.below, crosstable(tournament), lastGames(tournament), facts(tournament));
    ratings.show(tournament);
    course.show(tournament);
    controls.show(tournament);
  };
  show(first);
  feed.follow(show);
  const project = button("Projector", () => void toggleProjector(), { class: "small", "aria-pressed": false, data: { action: "projector" } });
  const body = [
    el("div", { class: "head-row" },
      el("div", { class: "contest-head" }, link("/tournaments", "All tournaments", { class: "small" }), el("h1", null, first.name)),
      el("div", { class: "row" }, project, controls.buttons)),
    controls.panel,
    places.head,
    el("div", { class: "tournament-cols" }, places.main, places.side),
    el("div", { class: "tournament-plots" }, ratings.node, course.node),
    places.below,
    downloads(first),
  ];
  signal.addEventListener("abort", () => leaveProjector());
  document.addEventListener("fullscreenchange", () => {
    if (!document.fullscreenElement) leaveProjector();
    project.setAttribute("aria-pressed", String(document.documentElement.dataset.projector === "on"));
  }, { signal });
  const keys = [{ key: "p", label: "Projector", run: () => void toggleProjector() }];
  return { name: "tournament", title: first.name, body, under: "/tournaments", keys };
}

/** Full screen with large type. */
async function toggleProjector() {
  if (document.documentElement.dataset.projector === "on") return leaveProjector();
  document.documentElement.dataset.projector = "on";
  document.querySelector("[data-action=projector]")?.setAttribute("aria-pressed", "true");
  await document.documentElement.requestFullscreen?.().catch(() => {});
  window.dispatchEvent(new Event("resize"));
}

function leaveProjector() {
  delete document.documentElement.dataset.projector;
  document.querySelector("[data-action=projector]")?.setAttribute("aria-pressed", "false");
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
}

/** @param {Tournament} tournament */
function head(tournament) {
  const { format, variants, paces, openings, agents, games, planned, state, elsewhere, problem, rounds, disturbed } = tournament;
  const terms = [FORMATS[format] ?? format, countWords(agents, "agent"), listed(variants, 4), listed(paces, 3), openings.length > 0 ? `openings ${listed(openings, 2)}` : ""];
  return [
    el("p", { class: "muted terms", data: { key: "terms" } }, terms.filter((term) => term !== "").join(" · ")),
    el("div", { class: state === "finished" ? "lab-bar full" : "lab-bar", data: { key: "bar" } }, progressBar(games, Math.max(planned, 1))),
    el("p", { class: "counts-line", data: { key: "counts", state } },
      stateChip(state),
      el("span", null, countsOf(tournament)),
      rounds > 1 && el("span", null, `round ${numberText(rounds)}`),
      state === "running" && el("span", { class: "pace", data: { part: "forecast" } }, forecastWords(tournament)),
      elsewhere && el("span", { class: "muted" }, "played by another process"),
      disturbed > 0 && el("span", { class: "muted", title: "A built-in agent had to wait for a core." }, `${countWords(disturbed, "disturbed game")}`)),
    problem ? el("p", { class: "error", data: { key: "problem", error: "" } }, problem) : null,
  ];
}

/**
 * @param {string[]} texts
 * @param {number} most
 */
function listed(texts, most) {
  return texts.length > most ? `${texts.slice(0, most).join(", ")} and ${texts.length - most} more` : texts.join(", ");
}

/** @param {Tournament} tournament */
function facts({ mean_plies, first_seat, standings: rows, games }) {
  if (games === 0) return null;
  const fast = rows.filter(({ nodes_per_second }) => nodes_per_second !== null);
  return el("section", { class: "card", data: { key: "facts", part: "facts" } },
    el("h2", null, "Facts"),
    el("ul", { class: "facts" },
      el("li", null, `${numberText(mean_plies)} plies a game on average`),
      first_seat && el("li", null, `The first seat is worth ${signed(first_seat.value)} Elo (${signed(first_seat.low)} to ${signed(first_seat.high)}).`),
      fast.length > 0 && el("li", null, el("details", null, el("summary", null, "Time and nodes of a move"),
        el("table", { class: "fact-table" }, el("thead", null, el("tr", null, ...["Agent", "Seconds a move", "Nodes a second"].map((head) => el("th", { scope: "col" }, head)))),
          el("tbody", null, ...rows.map((row) => el("tr", null, el("th", { scope: "row" }, row.name),
            el("td", { class: "number" }, row.seconds_per_move.toFixed(3)),
            el("td", { class: "number" }, row.nodes_per_second === null ? "–" : numberText(row.nodes_per_second))))))))));
}

/** @param {Tournament} tournament */
function downloads({ name, has_file, open }) {
  const path = api.tournamentPath(name);
  const files = [["standings.csv", "Standings (CSV)"], ["standings.json", "Standings (JSON)"], ["crosstable.csv", "Crosstable (CSV)"],
    ["crosstable.json", "Crosstable (JSON)"], ["games.pgn", "Games (PGN)"], ["games.csv", "Games (CSV)"], ["games.jsonl", "Games (JSON lines)"],
    ...(has_file && open ? [["file.toml", "Tournament file (TOML)"]] : [])];
  return el("section", { class: "card downloads", data: { part: "downloads" } },
    el("h2", null, "Downloads"),
    el("div", { class: "row" }, ...files.map(([file, label]) => link(`${path}/${file}`, label, { class: "button small", download: true, data: { file: file ?? "" } }))));
}
