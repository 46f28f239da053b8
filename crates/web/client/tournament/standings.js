// The standings of a tournament, and its crosstable.

/** @import { AgentRow, Tournament } from "../api-types" */

import { el } from "../dom.js";
import { countWords, numberText } from "../parts/contest.js";
import { estimateText, pointsText } from "./words.js";

/** Up to so many agents there is room beside the crosstable. */
const ROOMY = 10;
/** Wider crosstables have their own scroll bar, and cells without text. */
const MANY = 24;

/** @param {Tournament} tournament */
export function standings({ standings: rows, format, seats, ranking, shortfall, games }) {
  const contest = format === "contest";
  const three = seats > 2;
  const hasByes = rows.some(({ byes }) => byes > 0);
  const hasFaults = rows.some(({ faults }) => faults > 0);
  const heads = ["#", "Agent", ...(contest ? ["Rating"] : []), "Points", "Games", three ? "1st / shared / other" : "W / D / L", "Elo", "Better than next", ...(hasFaults ? ["Faults"] : [])];
  /** @type {HTMLElement[]} */
  const lines = [];
  let group = 0;
  rows.forEach((row, at) => {
    if (row.group !== null && row.group !== group) {
      group = row.group;
      lines.push(el("tr", { class: "group", data: { key: `group ${group}` } }, el("th", { colspan: heads.length, scope: "rowgroup" }, `Group ${group}`)));
    }
    lines.push(line(row, at, { contest, hasFaults }));
  });
  return el("section", { class: "card standings", data: { key: "standings", part: "standings" } },
    el("h2", null, "Standings"),
    el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Standings" },
      el("table", { class: "leaders" },
        el("thead", null, el("tr", null, ...heads.map((head, at) => el("th", { scope: "col", class: headClass(at, head) }, head)))),
        el("tbody", null, ...lines))),
    el("p", { class: "small muted" }, `Ranked ${ranking}.${hasByes ? " A bye counts as won." : ""}`),
    shortfall && el("p", { class: "small muted" }, shortfall),
    games === 0 && el("p", { class: "small muted" }, "No game has ended yet."));
}

/**
 * @param {number} at
 * @param {string} head
 */
function headClass(at, head) {
  if (at === 0) return "rank";
  if (head === "Agent") return null;
  return head === "Better than next" ? "number screen-only" : head === "Games" || head.includes(" / ") ? "number wide-only" : "number";
}

/**
 * @param {AgentRow} row
 * @param {number} at
 * @param {{ contest: boolean, hasFaults: boolean }} look
 */
function line(row, at, { contest, hasFaults }) {
  const { name, agent, points, games, wins, draws, losses, elo_interval: elo, rating_interval: rating, superiority, faults, withdrawn, byes } = row;
  const out = withdrawn || row.retired;
  return el("tr", { class: out ? "out" : null, data: { key: name, agent: name } },
    el("td", { class: `rank top-${at + 1}` }, el("span", null, at + 1)),
    el("th", { scope: "row", class: "name" }, name,
      name !== agent && el("span", { class: "muted small agent-text" }, agent),
      withdrawn && el("span", { class: "chip danger-chip" }, "withdrawn"),
      row.retired && !withdrawn && el("span", { class: "chip" }, "retired"),
      (row.joined ?? 0) > 0 && el("span", { class: "chip" }, "joined late")),
    contest && el("td", { class: "number strong" }, rating ? `${numberText(Math.round(rating.value))} ± ${Math.round((rating.high - rating.low) / 2)}` : "–"),
    el("td", { class: "number strong" }, pointsText(points), byes > 0 && el("span", { class: "muted small" }, ` (${countWords(byes, "bye")})`)),
    el("td", { class: "number wide-only" }, numberText(games)),
    el("td", { class: "number wide-only" }, `${numberText(wins)} / ${numberText(draws)} / ${numberText(losses)}`),
    el("td", { class: "number" }, elo ? estimateText(elo) : "–"),
    el("td", { class: "number screen-only" }, superiority === null ? "" : `${Math.round(superiority * 100)} %`),
    hasFaults && el("td", { class: faults > 0 ? "number error" : "number" }, faults > 0 ? numberText(faults) : ""));
}

/** @param {Tournament} tournament */
export function crosstable({ standings: rows, seats }) {
  const shown = rows.filter(({ against }) => against.length > 0);
  if (shown.length < 2) return null;
  const many = shown.length > MANY;
  const cells = (/** @type {AgentRow} */ row, /** @type {number} */ at) => shown.map((other, place) => {
    const [points, games] = row.against[place] ?? [0, 0];
    if (place === at && games === 0) return el("td", { class: "self" });
    if (games === 0) return el("td", null, "");
    const share = points / games / 100;
    const words = `${row.name} against ${other.name}: ${pointsText(points)} of ${games}`;
    return el("td", { class: `score shade-${shade(share)}`, title: words }, many ? "" : `${pointsText(points)}/${games}`);
  });
  return el("section", { class: shown.length > ROOMY ? "card whole" : "card", data: { key: "crosstable", part: "crosstable" } },
    el("h2", null, "Crosstable"),
    el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Crosstable" },
      el("table", { class: many ? "crosstable many" : "crosstable" },
        el("thead", null, el("tr", null, el("th", { scope: "col" }, "#"), el("th", { scope: "col" }, "Agent"),
          ...shown.map((row, at) => el("th", { scope: "col", title: row.name }, at + 1)))),
        el("tbody", null, ...shown.map((row, at) => el("tr", { data: { key: row.name } },
          el("td", { class: "number" }, at + 1), el("th", { scope: "row" }, row.name), ...cells(row, at)))))),
    el("p", { class: "small muted" },
      `Points and games of the row against the column${seats > 2 ? "; at a table of three, against both others" : ""}. Green: more than half; red: less.`));
}

/**
 * Seven shades: 0 lost everything, 3 even, 6 won everything.
 * @param {number} share
 */
export function shade(share) {
  if (share === 0.5) return 3;
  return share < 0.5 ? Math.min(2, Math.floor(share * 6)) : Math.max(4, Math.min(6, Math.ceil(share * 6)));
}
