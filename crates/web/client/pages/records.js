// Stored games of pages, matches and tournaments, page by page.

/** @import { RecordSummary } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { el, freshId, link } from "../dom.js";
import { dateWords } from "../parts/words.js";

const PER_PAGE = 25;

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ query, signal, go }) {
  const page = Math.max(1, Math.floor(Number(query.get("page")) || 1));
  const variant = query.get("variant") ?? "";
  const [catalog, { records, total }] = await Promise.all([
    api.catalog(),
    api.records({ limit: PER_PAGE, offset: (page - 1) * PER_PAGE, variant }, signal),
  ]);
  const options = catalog.flatMap((game) => game.variants.map((known) => known.text));
  if (variant && !options.includes(variant)) options.unshift(variant);
  const select = el("select", { id: freshId(), data: { field: "variant" }, on: { change: () => go(address(1, select.value)) } },
    el("option", { value: "" }, "All games"),
    ...options.map((text) => el("option", { value: text, selected: text === variant }, text)));
  const body = [
    el("h1", null, "Stored games"),
    el("p", { class: "muted" }, "Games played here, and those of matches and tournaments on this computer."),
    el("div", { class: "field narrow" }, el("label", { for: select.id }, "Show"), select),
    records.length === 0 ? el("p", { class: "card" }, ...emptyWords(page, variant)) : table(records),
    pager(page, Math.ceil(total / PER_PAGE), total, variant),
  ];
  return { name: "records", title: "Stored games", body };
}

/**
 * @param {number} page
 * @param {string} variant
 */
function emptyWords(page, variant) {
  if (page > 1) return ["There are no more games."];
  if (variant) return [`No games of ${variant} are stored.`];
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
    el("td", null, el("span", { class: "points" }, pointsWords(record.points)), " ", el("span", { class: "muted small" }, record.reason, record.rated ? "" : " (unrated)")),
    el("td", { class: "number" }, record.plies),
    el("td", { class: "muted small date" }, dateWords(record.finished_at)));
}

/** @param {number[]} points */
export function pointsWords(points) {
  return points.map((point) => (point === 50 && points.length === 2 ? "½" : point / 100)).join(" – ");
}

/**
 * @param {number} page
 * @param {string} variant
 */
function address(page, variant) {
  const query = new URLSearchParams();
  if (page > 1) query.set("page", String(page));
  if (variant) query.set("variant", variant);
  const text = query.toString();
  return text ? `/records?${text}` : "/records";
}

/**
 * @param {number} page
 * @param {number} pages
 * @param {number} total
 * @param {string} variant
 */
function pager(page, pages, total, variant) {
  if (pages <= 1 && page === 1) return el("p", { class: "muted pager" }, total === 1 ? "One game" : total > 1 ? `${total} games` : "");
  return el("nav", { class: "row pager", "aria-label": "Pages" },
    page > 1 && link(address(page - 1, variant), "Newer", { class: "button", rel: "prev", data: { action: "newer" } }),
    el("span", null, `Page ${page} of ${Math.max(pages, 1)}, ${total} games`),
    page < pages && link(address(page + 1, variant), "Older", { class: "button", rel: "next", data: { action: "older" } }));
}
