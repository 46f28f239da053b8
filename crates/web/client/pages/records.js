// Stored games of pages, matches and tournaments, page by page.

/** @import { RecordSummary } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */
/** @import { RecordQuery } from "../parts/recordquery.js" */

import * as api from "../api.js";
import { el, link } from "../dom.js";
import { countWords, numberText } from "../parts/contest.js";
import { clearButton, filters } from "../parts/filters.js";
import { isFiltered, readQuery, recordsAddress, requestQuery } from "../parts/recordquery.js";
import { dateWords } from "../parts/words.js";

const PER_PAGE = 25;

/** @type {["pgn" | "jsonl" | "csv", string][]} */
const FORMATS = [["pgn", "PGN"], ["jsonl", "JSON lines"], ["csv", "CSV"]];

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ query: parameters, signal, go }) {
  const page = Math.max(1, Math.floor(Number(parameters.get("page")) || 1));
  const query = readQuery(parameters);
  const [choices, { records, total }] = await Promise.all([
    api.recordChoices(signal),
    api.records(requestQuery(query), { limit: PER_PAGE, offset: (page - 1) * PER_PAGE }, signal),
  ]);
  const body = [
    el("h1", null, "Stored games"),
    el("p", { class: "muted" }, "Games played here, and those of matches and tournaments on this computer."),
    choices.games > 0 && filters(choices, query, (query) => go(recordsAddress(query))),
    el("div", { class: "row found" },
      el("strong", { data: { found: total }, role: "status" }, countWords(total, "game")),
      isFiltered(query) && clearButton(() => go("/records")),
      total > 0 && downloads(query)),
    records.length === 0 ? el("p", { class: "card" }, ...emptyWords(page, query)) : table(records),
    pager(page, Math.ceil(total / PER_PAGE), query),
  ];
  return { name: "records", title: "Stored games", body: body.filter((part) => part instanceof Node) };
}

/** @param {RecordQuery} query */
function downloads(query) {
  const tournament = query.tournament ? [link(`/tournaments/${api.segment(query.tournament)}`, "Tournament", { class: "button small" })] : [];
  return el("span", { class: "row saves" }, ...tournament, el("span", { class: "muted small" }, "Download:"),
    ...FORMATS.map(([format, label]) => link(api.exportPath(format, requestQuery(query)), label, {
      class: "button small", download: true, data: { export: format }, "aria-label": `Download these games as ${label}`,
    })));
}

/**
 * @param {number} page
 * @param {RecordQuery} query
 */
function emptyWords(page, query) {
  if (page > 1) return ["There are no more games."];
  if (isFiltered(query)) return ["No stored game matches all these filters."];
  const [match, tournament] = [el("code", null, "agon match"), el("code", null, "agon tournament")];
  return ["No games are stored yet. Games finished here appear in this list, and so do those of ", match, " and ", tournament, "."];
}

/** @param {RecordSummary[]} records */
function table(records) {
  const heads = ["Game", "Players", "Result", "Plies", "Finished"];
  return el("div", { class: "card scroll", tabindex: 0, role: "group", "aria-label": "Stored games" }, el("table", { class: "records" },
    el("thead", null, el("tr", null, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", null, ...records.map(row))));
}

/** @param {RecordSummary} record */
function row(record) {
  const kept = record.series === "pages" ? "played here" : record.series;
  const series = kept ? el("span", { class: "muted small series" }, kept) : null;
  return el("tr", { data: { record: record.id } },
    el("td", null, link(`/replay/${record.id}`, record.variant, { "aria-label": `Replay ${record.id}, ${record.variant}` }), " ", series),
    el("td", null, record.players.join(" – ")),
    el("td", null, el("span", { class: "points" }, pointsWords(record.points)), " ",
      el("span", { class: record.fault ? "fault small" : "muted small" }, record.reason, record.rated ? "" : " (unrated)")),
    el("td", { class: "number" }, record.plies),
    el("td", { class: "muted small date" }, dateWords(record.finished_at)));
}

/** @param {number[]} points */
export function pointsWords(points) {
  return points.map((point) => (point === 50 && points.length === 2 ? "½" : point / 100)).join(" – ");
}

/**
 * @param {number} page
 * @param {number} pages
 * @param {RecordQuery} query
 */
function pager(page, pages, query) {
  if (pages <= 1 && page === 1) return null;
  return el("nav", { class: "row pager", "aria-label": "Pages" },
    page > 1 && link(recordsAddress(query, page - 1), "Newer", { class: "button", rel: "prev", data: { action: "newer" } }),
    el("span", null, `Page ${numberText(page)} of ${numberText(Math.max(pages, 1))}`),
    page < pages && link(recordsAddress(query, page + 1), "Older", { class: "button", rel: "next", data: { action: "older" } }));
}
