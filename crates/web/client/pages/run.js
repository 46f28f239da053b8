// One run of the contest, move by move; a run in progress is followed live.

/** @import { Position, Run } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import { pack } from "../analyse/link.js";
import { lineDocument } from "../analyse/tree.js";
import * as api from "../api.js";
import { button, capital, el, link } from "../dom.js";
import { agentAddress, environmentAddress, numberText, placeWords } from "../parts/contest.js";
import { morph } from "../parts/morph.js";
import { announce } from "../parts/notices.js";
import { Playback } from "../parts/playback.js";
import { swatch } from "../parts/players.js";
import { openFeed } from "../parts/poll.js";
import { Positions } from "../parts/stage.js";
import { dateWords } from "../parts/words.js";

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ params, signal, go }) {
  const feed = await openFeed(api.runPath(params[0] ?? "", params[1] ?? ""), signal);
  /** @type {Run} */
  const run = feed.first;
  const positions = new Positions(run.variant, run.start, signal);
  const first = await positions.after([]);
  const at = run.finished ? 0 : run.moves.length;
  const playback = new Playback(run.moves, positions, first, { seat: run.seat, at, signal });
  const result = el("section", { class: "card" }, ...resultOf(run));
  if (!run.finished) {
    feed.follow((/** @type {Run} */ news) => {
      if (news.moves.length !== playback.end) playback.extend(news.moves);
      morph(result, ...resultOf(news));
      if (news.finished) announce(endWords(news));
      return news.finished;
    });
  }
  // A server that serves only the contest analyses nothing.
  const here = document.documentElement.dataset.frame !== "contest";
  const analyse = here && run.finished && button("Analyse", () => void analysis(run).then(go), { class: "small", data: { action: "analyse" } });
  const body = [layout(run, first, playback, result, analyse)];
  return { name: "run", title: `Run ${run.id} of ${run.agent}`, body, keys: playback.keys(), under: "/environments" };
}

/**
 * @param {Run} run
 * @param {Position} first
 * @param {Playback} playback
 * @param {HTMLElement} result
 * @param {HTMLElement | false} analyse
 */
function layout(run, first, { node, look, moves }, result, analyse) {
  const players = run.players.map(({ seat, name, words }, at) => el("li", { class: "player" },
    swatch(first.seats, at), el("span", { class: "who" },
      words === null ? link(agentAddress(run.environment, name), el("strong", null, name)) : el("strong", null, name),
      el("span", { class: "muted seat-name" }, words === null ? capital(seat) : `${capital(seat)}, ${words}`))));
  return el("div", { class: "table" },
    el("div", { class: "table-head" }, el("h1", null, `Run ${run.id}`), el("span", { class: "muted" }, run.variant),
      link(environmentAddress(run.environment), run.name)),
    el("ul", { class: "players card", "aria-label": "Players" }, ...players),
    node,
    el("div", { class: "table-side" }, result,
      el("div", { class: "tools-grid", role: "group", "aria-label": "Tools" }, look.turnButton, look.namesButton),
      el("section", { class: "card" }, el("h2", null, "Moves"), moves.node, analyse)));
}

/**
 * The address at which a run is analysed: it carries the moves.
 * @param {Run} run
 */
async function analysis({ variant, start, moves, players }) {
  const document = lineDocument({ variant, start, moves: moves.map((move) => move.text), names: players.map((player) => player.name) });
  return `/analyse${await pack(document)}`;
}

/** @param {Run} run */
function resultOf(run) {
  if (!run.finished) {
    return [
      el("h2", { class: "playing" }, "In progress"),
      el("p", { data: { result: "open" } }, `${run.agent} to move. This page follows the run.`),
    ];
  }
  return [
    el("h2", null, "Result"),
    el("p", { data: { result: "finished" } }, el("strong", null, endWords(run)), run.sentence ? ` ${run.sentence}` : ""),
    el("p", { class: "muted small" }, dateWords(run.updated_at)),
  ];
}

/** @param {Run} run */
function endWords({ agent, abandoned, place, outcome, players }) {
  const score = `the run scores ${numberText(outcome ?? 0)}.`;
  if (abandoned) return `${agent} abandoned it: ${score}`;
  const how = placeWords(place, players.length);
  return `${agent} ${players.length === 2 ? how : `came ${how}`}: ${score}`;
}
