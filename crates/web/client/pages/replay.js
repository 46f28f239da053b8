// A stored game, move by move.

/** @import { GameRecord, Position } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { capital, el, link } from "../dom.js";
import { Playback } from "../parts/playback.js";
import { swatch } from "../parts/players.js";
import { copyButton } from "../parts/share.js";
import { Positions } from "../parts/stage.js";
import { dateWords } from "../parts/words.js";
import { pointsWords } from "./records.js";

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ params, signal }) {
  const record = await api.record(params[0] ?? "", signal);
  const positions = new Positions(record.variant, record.start, signal);
  const first = await positions.after([]);
  // The record does not say who made each move: assume turns in order until a position says otherwise.
  const played = record.moves.map((text, at) => ({ text, seat: at % first.seats.length }));
  const playback = new Playback(played, positions, first, { seat: 0, at: 0, signal });
  return { name: "replay", title: `Replay of ${record.variant}`, body: [layout(record, first, playback)], keys: playback.keys() };
}

/**
 * @param {GameRecord} record
 * @param {Position} first
 * @param {Playback} playback
 */
function layout(record, first, { node, look, moves }) {
  const blob = `data:text/plain;charset=utf-8,${encodeURIComponent(record.text)}`;
  const players = record.players.map((name, seat) => el("li", { class: "player" },
    swatch(first.seats, seat), el("span", { class: "who" }, el("strong", null, name),
      el("span", { class: "muted seat-name" }, capital(first.seats[seat] ?? "")))));
  return el("div", { class: "table" },
    el("div", { class: "table-head" }, el("h1", null, first.title), el("span", { class: "muted" }, `${record.variant}, game ${record.id}`),
      link("/records", "All stored games")),
    el("ul", { class: "players card", "aria-label": "Players" }, ...players),
    node,
    el("div", { class: "table-side" },
      el("section", { class: "card" }, el("h2", null, "Result"),
        el("p", { data: { result: "" } }, el("strong", null, pointsWords(record.points)), ` ${record.sentence || record.reason}`),
        el("p", { class: "muted small" }, dateWords(record.finished_at), record.rated ? "" : ", unrated: a move was taken back")),
      el("div", { class: "tools-grid", role: "group", "aria-label": "Tools" }, look.turnButton, look.namesButton),
      el("section", { class: "card" }, el("h2", null, "Moves"), moves.node,
        el("div", { class: "row share" }, copyButton("Copy game", () => record.text, "copy-game"),
          link(blob, "Save as text", { class: "button small", download: `agon-${record.id}.txt`, data: { action: "save-text" } })))));
}
