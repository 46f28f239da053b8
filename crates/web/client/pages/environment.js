// One environment: its leaderboard, what earns points, and how to take part.

/** @import { Begun, Leaderboard, Ranked } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { el, link } from "../dom.js";
import { progressBar, ratingBar } from "../parts/bar.js";
import {
  agentAddress, agoWords, beginsWords, countWords, numberText, pointsWords, ratingText, worthWords,
} from "../parts/contest.js";
import { morph } from "../parts/morph.js";
import { openFeed } from "../parts/poll.js";

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ params, signal }) {
  const feed = await openFeed(api.environmentPath(params[0] ?? ""), signal);
  /** @type {Leaderboard} */
  const first = feed.first;
  const counts = el("p", { class: "muted counts-line", data: { counts: "" } }, ...countLine(first));
  const tables = el("div", { class: "leaders-part" }, ...leaders(first));
  feed.follow((/** @type {Leaderboard} */ board) => {
    morph(counts, ...countLine(board));
    morph(tables, ...leaders(board));
  });
  const body = [
    el("div", { class: "contest-head" },
      link("/environments", first.group || "All environments", { class: "small" }),
      el("h1", null, first.name),
      el("p", { class: "muted" }, `${first.title}, `, el("code", null, first.variant), ". ", first.description),
      counts),
    el("div", { class: "contest-cols" }, tables, el("div", { class: "contest-side" }, ...about(first))),
  ];
  return { name: "environment", title: first.name, body, under: "/environments" };
}

/** @param {Leaderboard} board */
function countLine({ agents, finished, open }) {
  const playing = open === 0 ? null : el("span", { class: "playing" }, `${countWords(open, "run")} in progress`);
  return [el("span", null, countWords(agents, "agent")), el("span", null, `${countWords(finished, "run")} finished`), playing]
    .filter((part) => part !== null);
}

/** @param {Leaderboard} board */
function leaders(board) {
  const { evaluated, begun, window } = board;
  if (evaluated.length + begun.length === 0) {
    return [el("section", { class: "card empty", data: { key: "nobody" } },
      el("h2", null, "Nobody has played here yet"),
      el("p", null, "An agent appears here with its first run. It needs an account, and a client that plays:"),
      ...commands(board))];
  }
  return [
    el("section", { data: { key: "evaluated" } }, el("h2", null, "Leaderboard"),
      evaluated.length === 0
        ? el("p", { class: "card muted" }, `No agent has finished ${window} runs yet; only then does a rating count.`)
        : table("Leaderboard", ["", "Agent", "Best rating", "Current", "Points", "Runs", "Last move"], ["rank", "", "", "number wide", "number", "number wide", "wide"],
          evaluated.map((ranked) => rankedRow(board, ranked)))),
    begun.length > 0 && el("section", { data: { key: "begun" } }, el("h2", null, "Not fully evaluated"),
      el("p", { class: "muted small" }, `A rating counts after ${window} finished runs. Until then it is an estimate.`),
      table("Not fully evaluated", ["Agent", "Runs", "Estimate", "Last move"], ["", "", "number", "wide"],
        begun.map((agent) => begunRow(board, agent)))),
  ];
}

/**
 * @param {string} label
 * @param {string[]} heads
 * @param {string[]} classes
 * @param {Node[]} rows
 */
function table(label, heads, classes, rows) {
  const head = heads.map((text, at) => (text ? el("th", { scope: "col", class: classes[at] || null }, text) : el("td", { class: classes[at] })));
  return el("div", { class: "card flush" }, el("table", { class: "leaders", "aria-label": label },
    el("thead", null, el("tr", null, ...head)),
    el("tbody", null, ...rows)));
}

/**
 * @param {Leaderboard} board
 * @param {Ranked} ranked
 */
function rankedRow({ id, window, points, thresholds }, ranked) {
  const { rank, agent, best, current, runs, open } = ranked;
  return el("tr", { data: { key: agent, agent } },
    el("td", { class: rank <= 3 ? `rank top-${rank}` : "rank" }, el("span", null, rank)),
    nameCell(id, agent, open, `${ratingText(current, window)} now, ${countWords(runs, "run")}`),
    el("td", { class: "rated" }, el("strong", null, ratingText(best, window)), ratingBar(best, points, thresholds)),
    el("td", { class: "number wide" }, ratingText(current, window)),
    el("td", { class: "number" }, ranked.points > 0 ? el("span", { class: "earned" }, numberText(ranked.points)) : el("span", { class: "muted" }, "0")),
    el("td", { class: "number wide" }, numberText(runs)),
    el("td", { class: "muted small wide" }, agoWords(ranked.active_at)));
}

/**
 * @param {Leaderboard} board
 * @param {Begun} begun
 */
function begunRow({ id, window }, { agent, runs, open, estimated, active_at }) {
  return el("tr", { data: { key: agent, agent } },
    nameCell(id, agent, open, null),
    el("td", { class: "rated" }, el("span", null, `${runs} of ${window}`), progressBar(runs, window)),
    el("td", { class: "number" }, ratingText(estimated, window)),
    el("td", { class: "muted small wide" }, agoWords(active_at)));
}

/**
 * @param {string} env
 * @param {string} agent
 * @param {number} open
 * @param {string | null} more  what has no column of its own on narrow screens
 */
function nameCell(env, agent, open, more) {
  return el("th", { scope: "row", class: "name" },
    link(agentAddress(env, agent), agent),
    open > 0 && el("span", { class: "playing small" }, "playing"),
    more && el("span", { class: "muted small tight" }, more));
}

/** @param {Leaderboard} board */
function about(board) {
  return [takes(board), opponents(board), count(board), takePart(board)];
}

/** @param {Leaderboard} board */
function takes({ thresholds, window }) {
  if (thresholds.length === 0) return el("section", { class: "card" }, el("h2", null, "Earning points"), el("p", null, "There are no points to earn here, only a rating."));
  return el("section", { class: "card" }, el("h2", null, "Earning points"),
    el("ul", { class: "prizes" }, ...thresholds.map(({ above, points }) => el("li", null,
      el("strong", null, pointsWords(points)), el("span", null, `for a best rating above ${ratingText(above, window)}`)))),
    el("p", { class: "muted small" }, "Reaching it exactly is not enough."));
}

/** @param {Leaderboard} board */
function opponents({ opponents, begins }) {
  const heading = opponents.length === 1 ? "Opponent" : "Opponents";
  const [one, same] = [opponents[0], opponents.every((opponent) => opponent.agent === opponents[0]?.agent && opponent.words === opponents[0]?.words)];
  const shown = same && one ? [one] : opponents;
  return el("section", { class: "card" }, el("h2", null, heading),
    el("dl", { class: "opponents" }, ...shown.flatMap(({ name, agent, words }) => [
      el("dt", null, el("strong", null, name), same && opponents.length > 1 ? ` in ${opponents.length} seats` : ""),
      el("dd", null, words),
      ...(name === agent ? [] : [el("dd", null, el("code", null, agent))])])),
    el("p", { class: "muted small" }, beginsWords(begins)));
}

/** @param {Leaderboard} board */
function count({ points, ties, window, open_runs, abandon }) {
  const worst = numberText(Math.min(...points));
  return el("section", { class: "card" }, el("h2", null, "Scoring"),
    el("ul", { class: "rules-of-count" },
      el("li", null, `A run scores ${worthWords(points)}. ${tieWords(ties)}`),
      el("li", null, `The rating is the mean of the last ${window} runs. From run ${window} on, the best rating so far counts; it never goes down.`),
      el("li", null, `At most ${countWords(open_runs, "run")} can be open at a time. There is no time limit.`),
      el("li", null, abandon ? `An abandoned run scores ${worst}.` : "Runs cannot be abandoned.")));
}

/** @param {Leaderboard["ties"]} ties */
function tieWords(ties) {
  return ties === "share" ? "Tied players split the points of their places." : "Tied players all get the points of the lowest place they share; a game that reaches its move limit is a tie.";
}

/** @param {Leaderboard} board */
function takePart(board) {
  const [account, play] = commands(board);
  return el("section", { class: "card" }, el("h2", null, "Take part"),
    el("p", null, "Whoever runs this server creates an account:"), account,
    el("p", null, "This writes the agent's config file. Any AISysProj client can play with it, and so can Agon's own agents:"), play);
}

/**
 * The commands that create an account and play.
 * @param {Leaderboard} board
 * @returns {[HTMLElement, HTMLElement]}
 */
function commands({ id }) {
  /** @param {string} text */
  const line = (text) => el("pre", { tabindex: 0 }, el("code", null, text));
  return [line(`agon accounts add ${id} NAME > NAME.json`), line("agon aisysproj NAME.json")];
}
