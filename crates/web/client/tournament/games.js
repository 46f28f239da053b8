// The games of a tournament: those in progress with their boards, those that ended last, and faults.

/** @import { FaultLine, GameLine, GameNow, Tournament } from "../api-types" */

import { el, link } from "../dom.js";
import { tone } from "../board/pieces.js";
import { timeText } from "../parts/clock.js";
import { agoWords, countWords, numberText } from "../parts/contest.js";
import { thumbnail } from "../parts/thumbnail.js";
import { resultText } from "./words.js";


/** @param {Tournament} tournament */
export function gamesNow({ playing, playing_in_all, state }) {
  if (state !== "running") return null;
  const more = playing_in_all - playing.length;
  return el("section", { class: "now", data: { key: "now", part: "now" } },
    el("h2", null, "Playing now"),
    playing.length === 0 ? el("p", { class: "muted" }, "The next games are about to begin; very quick ones cannot be watched.")
      : el("div", { class: "now-boards" }, ...playing.map(board)),
    more > 0 && el("p", { class: "small muted" }, `And ${countWords(more, "other game")}.`));
}

/** @param {GameNow} game */
function board(game) {
  const { number, round, variant, seats, players, to_move, plies, clocks, scene, turn } = game;
  const names = players.map((player, at) => `${player} (${seats[at]})`).join(" against ");
  return el("figure", { class: "card now-board", data: { key: `game ${number}`, game: number } },
    thumbnail(scene, seats, `${names}, after ${countWords(plies, "ply", "plies")}`, turn),
    el("figcaption", null,
      ...players.map((player, at) => el("span", { class: at === to_move ? "player mine" : "player" },
        el("span", { class: `dot tone-${tone(seats, at)}`, "aria-hidden": "true" }),
        el("span", { class: "who" }, player),
        clocks[at] !== null && clocks[at] !== undefined && el("span", { class: "time" }, timeText(/** @type {number} */ (clocks[at]))))),
      el("span", { class: "small muted" }, `${variant}, round ${round}, ply ${plies}`)));
}

/** @param {Tournament} tournament */
export function lastGames({ latest_games, name }) {
  if (latest_games.length === 0) return null;
  return el("section", { class: "card", data: { key: "last games", part: "last-games" } },
    el("h2", null, "Last games"),
    el("ul", { class: "game-lines" }, ...latest_games.map(gameLine)),
    link(`/records?tournament=${encodeURIComponent(name)}`, "All games of this tournament", { class: "small", data: { action: "all-games" } }));
}

/** @param {GameLine} game */
function gameLine({ game, players, points, reason, plies, at, variant }) {
  return el("li", { data: { key: game } },
    link(`/replay/${encodeURIComponent(game)}`, players.join(" – "), { class: "title" }),
    el("strong", { class: "result" }, resultText(points)),
    el("span", { class: "small muted" }, `${variant}, ${reason}, ${numberText(plies)} plies, ${agoWords(at)}`));
}

/** @param {Tournament} tournament */
export function faultList({ latest_faults, faults }) {
  if (latest_faults.length === 0) return null;
  const all = faults > latest_faults.length ? ` The last ${latest_faults.length} of ${numberText(faults)}.` : "";
  return el("section", { class: "card", data: { key: "faults", part: "faults" } },
    el("h2", null, "Faults"),
    el("p", { class: "small muted" }, `Games that ended because an agent broke a rule of the arena.${all}`),
    el("ul", { class: "fault-list" }, ...latest_faults.map(faultLine)));
}

/** @param {FaultLine} fault */
function faultLine({ game, agent, against, reason, evidence, at }) {
  return el("li", { data: { key: game, fault: game } },
    el("p", null, el("strong", null, agent), `: ${reason}, against ${against.join(" and ")}, `,
      link(`/replay/${encodeURIComponent(game)}`, `game ${game}`), el("span", { class: "small muted" }, `, ${agoWords(at)}`)),
    evidence && el("details", null, el("summary", { class: "small" }, "Evidence"), el("pre", { tabindex: 0, "aria-label": `Evidence of game ${game}` }, evidence)));
}
