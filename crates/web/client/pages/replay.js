// A stored game, move by move, with everything that is known about it.

/** @import { GameRecord, Position } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { button, capital, el, link } from "../dom.js";
import { MoveTable } from "../parts/movetable.js";
import { Playback } from "../parts/playback.js";
import { swatch } from "../parts/players.js";
import { ScoreCurve } from "../parts/scorecurve.js";
import { copyButton } from "../parts/share.js";
import { Positions } from "../parts/stage.js";
import { dateWords } from "../parts/words.js";
import { pointsWords } from "./records.js";

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ params, signal, go }) {
  const record = await api.record(params[0] ?? "", signal);
  const positions = new Positions(record.variant, record.start, signal);
  const first = await positions.after([]);
  // The record does not say who made the moves of the opening: assume turns in order until a position says otherwise.
  const played = record.moves.map((text, at) => ({ text, seat: record.details[at - record.opening]?.seat ?? at % first.seats.length }));
  const playback = new Playback(played, positions, first, { seat: 0, at: 0, signal });
  /** @param {number} ply */
  const jump = (ply) => playback.stopAt(ply);
  const [table, curve] = [new MoveTable(record, jump), new ScoreCurve(record, jump, signal)];
  playback.watch = (ply) => {
    table.show(ply);
    curve.show(ply);
  };
  const analyse = button("Analyse", () => go(`/analyse?record=${api.segment(record.id)}&ply=${playback.at}`), { class: "small", data: { action: "analyse" } });
  const body = [layout(record, first, playback, analyse), moreOf(record, first, table, curve)];
  return { name: "replay", title: `Replay of ${record.variant}`, body, keys: playback.keys(), under: "/records" };
}

/**
 * @param {GameRecord} record
 * @param {Position} first
 * @param {Playback} playback
 * @param {HTMLElement} analyse
 */
function layout(record, first, { node, look, moves }, analyse) {
  return el("div", { class: "table" },
    el("div", { class: "table-head" }, el("h1", null, first.title), el("span", { class: "muted" }, `${record.variant}, game ${record.id}`),
      link("/records", "All stored games")),
    el("ul", { class: "players card", "aria-label": "Players" }, ...record.players.map((_, seat) => player(record, first, seat))),
    node,
    el("div", { class: "table-side" },
      neighbours(record),
      result(record),
      record.evidence === null ? null : fault(record, record.evidence),
      el("div", { class: "tools-grid", role: "group", "aria-label": "Tools" }, look.turnButton, look.namesButton),
      el("section", { class: "card" }, el("h2", null, "Moves"), moves.node, saving(record, analyse))));
}

/**
 * @param {GameRecord} record
 * @param {Position} first
 * @param {number} seat
 */
function player(record, first, seat) {
  const [name, agent] = [record.players[seat] ?? "", record.agents[seat] ?? ""];
  const person = agent === "human";
  return el("li", { class: "player" }, swatch(first.seats, seat),
    el("span", { class: "who" }, el("strong", null, name),
      !person && agent !== name && el("code", { class: "agent-text small", data: { agent: seat } }, agent),
      el("span", { class: "muted seat-name" }, capital(first.labels[seat] ?? ""))));
}

/**
 * The way to the other games of the same match or tournament.
 * @param {GameRecord} record
 */
function neighbours({ kind, series, previous, next }) {
  const where = kind === "tournament" || kind === "match" ? link(`/tournaments/${api.segment(series)}`, series, { data: { link: "tournament" } })
    : el("span", { class: "muted" }, kind === "pages" ? "Played here" : capital(kind));
  return el("nav", { class: "row neighbours", "aria-label": "Games of the same series" },
    previous !== null && link(`/replay/${previous}`, "Previous game", { class: "button small", rel: "prev", data: { action: "previous-game" } }),
    where,
    next !== null && link(`/replay/${next}`, "Next game", { class: "button small", rel: "next", data: { action: "next-game" } }));
}

/** @param {GameRecord} record */
function result(record) {
  const notes = [
    dateWords(record.finished_at),
    record.pace === "no limit" ? "no time limit" : record.pace,
    !record.rated && "unrated: a move was taken back",
    record.disturbed && "disturbed: a player had to wait for a processor",
    record.resources,
    record.place,
  ].filter((note) => typeof note === "string");
  return el("section", { class: "card" }, el("h2", null, "Result"),
    el("p", { data: { result: "" } }, el("strong", null, pointsWords(record.points)), ` ${record.sentence || record.reason}`),
    el("p", { class: "muted small" }, notes.join("; ")));
}

/**
 * @param {GameRecord} record
 * @param {string} evidence
 */
function fault(record, evidence) {
  const who = record.offender === null ? "" : ` of ${record.players[record.offender]} (${record.seats[record.offender]})`;
  return el("section", { class: "card fault-card", data: { fault: "" } },
    el("h2", null, `Fault${who}`), el("p", null, capital(record.reason)),
    el("pre", { class: "evidence", tabindex: 0, "aria-label": "Evidence", data: { evidence: "" } }, evidence));
}

/**
 * @param {GameRecord} record
 * @param {HTMLElement} analyse
 */
function saving(record, analyse) {
  const blob = `data:text/plain;charset=utf-8,${encodeURIComponent(record.text)}`;
  return el("div", { class: "row share" }, analyse, copyButton("Copy game", () => record.text, "copy-game"),
    link(blob, "Save as text", { class: "button small", download: `agon-${record.id}.txt`, data: { action: "save-text" } }));
}

/**
 * What the players report, below the board.
 * @param {GameRecord} record
 * @param {Position} first
 * @param {MoveTable} table
 * @param {ScoreCurve} curve
 */
function moreOf(record, first, table, curve) {
  const scored = curve.marks.length > 0;
  const view = record.seats.length === 2 ? `All for ${record.seats[0]}` : "Each for its own seat";
  const legend = record.seats.map((name, seat) => el("span", { class: `row key of-${seat}` }, swatch(first.seats, seat), capital(name)));
  return el("div", { class: "replay-more" },
    scored && el("section", { class: "card" }, el("h2", null, "Scores"),
      el("p", { class: "row muted small" }, ...legend, `${view}, as the players report them; win and loss are the edges.`), curve.node),
    record.moves.length > 0 && el("section", { class: "card" }, el("h2", null, "Every move"), table.node));
}
