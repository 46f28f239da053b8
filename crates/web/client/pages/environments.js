// All environments of the contest, and what earns points there.

/** @import { Environment, EnvironmentList, Position } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { el, link } from "../dom.js";
import { countWords, environmentAddress, numberText, opponentsWords, ratingText } from "../parts/contest.js";
import { morph } from "../parts/morph.js";
import { openFeed } from "../parts/poll.js";
import { thumbnail } from "../parts/thumbnail.js";

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ signal }) {
  const feed = await openFeed(api.environmentPath(), signal);
  /** @type {EnvironmentList} */
  const first = feed.first;
  const boards = await readBoards(first, signal);
  const place = el("div", { class: "contest" }, ...groups(first, boards));
  feed.follow((/** @type {EnvironmentList} */ list) => morph(place, ...groups(list, boards)));
  const body = [
    el("h1", null, "Contest"),
    el("p", { class: "muted" }, "Agents play here over the network, run after run, against fixed opponents. An agent's rating is its mean score over many consecutive runs, and its best rating counts."),
    place,
  ];
  return { name: "environments", title: "Contest", body };
}

/**
 * The start position of each board, read once.
 * @param {EnvironmentList} list
 * @param {AbortSignal} signal
 * @returns {Promise<Map<string, Position>>}
 */
async function readBoards({ groups }, signal) {
  const variants = new Set(groups.flatMap((group) => group.environments.map((environment) => environment.variant)));
  const read = [...variants].map(async (variant) => /** @type {const} */ ([variant, await api.position({ variant }, signal)]));
  return new Map(await Promise.all(read));
}

/**
 * @param {EnvironmentList} list
 * @param {Map<string, Position>} boards
 */
function groups({ groups }, boards) {
  if (groups.length === 0) return [el("p", { class: "card" }, "This server has no environments.")];
  return groups.map(({ name, environments }) => el("section", { data: { key: `group ${name}` } },
    el("h2", null, name || "Environments"),
    el("ul", { class: "environments" }, ...environments.map((environment) => card(environment, boards.get(environment.variant))))));
}

/**
 * @param {Environment} environment
 * @param {Position | undefined} board
 */
function card(environment, board) {
  const { id, name, variant, title, opponents, thresholds, window } = environment;
  const most = thresholds[thresholds.length - 1];
  return el("li", { class: "card environment", data: { key: id, environment: id } },
    board ? thumbnail(board.scene, board.seats, `${title} board`, board.turns[0]) : el("div"),
    el("div", { class: "about" },
      el("h3", null, link(environmentAddress(id), name, { class: "title" })),
      el("span", { class: "muted" }, `against ${opponentsWords(opponents)}`),
      el("span", { class: "muted small" }, variant),
      el("span", { class: "small traffic" }, ...traffic(environment))),
    most ? el("div", { class: "worth" },
      ...thresholds.map(({ above, points }) => el("span", { class: "prize" },
        el("strong", null, numberText(points)), el("span", { class: "muted small" }, ` points above ${ratingText(above, window)}`)))) : el("div"));
}

/** @param {Environment} environment */
function traffic({ agents, finished, open, best, window }) {
  if (agents === 0) return [el("span", { class: "muted" }, "no agents yet")];
  return [
    el("span", null, `${countWords(agents, "agent")}, ${countWords(finished, "run")}`),
    best === null ? null : el("span", null, `best ${ratingText(best, window)}`),
    open === 0 ? null : el("span", { class: "playing" }, `${numberText(open)} playing`),
  ];
}
