// A stored game, move by move.

/** @import { GameRecord, Played, Position } from "../api-types" */
/** @import { Key, Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { Board } from "../board/board.js";
import { button, capital, el, fill, link } from "../dom.js";
import { icon } from "../parts/icons.js";
import { Moves } from "../parts/moves.js";
import { announce } from "../parts/notices.js";
import { swatch } from "../parts/players.js";
import { copyButton } from "../parts/share.js";
import { Positions, Stage } from "../parts/stage.js";
import { Look } from "../parts/tools.js";
import { speedSlider } from "../parts/watchbar.js";
import { dateWords, moveLabel } from "../parts/words.js";
import { pointsWords } from "./records.js";

const FIRST_DELAY_MS = 800;

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ params, signal }) {
  const record = await api.record(params[0] ?? "", signal);
  const positions = new Positions(record.variant, record.start, signal);
  const view = new ReplayView(record, positions, await positions.after([]), signal);
  return { name: "replay", title: `Replay of ${record.variant}`, body: [view.node], keys: view.keys() };
}

/** Everything on the page of one stored game. */
class ReplayView {
  /**
   * @param {GameRecord} record
   * @param {Positions} positions
   * @param {Position} first
   * @param {AbortSignal} signal
   */
  constructor(record, positions, first, signal) {
    this.record = record;
    this.positions = positions;
    this.at = 0;
    this.playing = false;
    this.delay = FIRST_DELAY_MS;
    this.message = el("p", { class: "message", role: "status", data: { message: "" } });
    this.where = el("p", { data: { status: "replay" } });
    this.host = el("div", { class: "board-host", data: { board: "replay" } });
    this.board = new Board(this.host, { interactive: false, label: `${first.title} board` });
    /** The record does not say who made each move: in turn, until a position tells. @type {Played[]} */
    this.played = record.moves.map((text, at) => ({ text, seat: at % first.seats.length }));
    this.stage = new Stage(this.board, positions, (position) => this.seen(position));
    this.look = new Look(this.board, first, 0);
    this.moves = new Moves(first.seats, (ply) => this.stopAt(ply));
    this.speed = speedSlider((delay) => { this.delay = delay; });
    this.speed.set(this.delay);
    this.controls = this.makeControls();
    this.node = this.layout(first);
    signal.addEventListener("abort", () => { this.playing = false; });
    void this.show();
  }

  makeControls() {
    const end = this.record.moves.length;
    /** @type {(action: "first" | "back" | "play" | "forward" | "last", name: string, run: () => void) => HTMLButtonElement} */
    const control = (action, name, run) => button(icon(action), run, { "aria-label": name, title: name, data: { action } });
    return {
      first: control("first", "First position", () => this.stopAt(0)),
      back: control("back", "One move back", () => this.stopAt(this.at - 1)),
      play: control("play", "Play", () => void this.toggle()),
      forward: control("forward", "One move on", () => this.stopAt(this.at + 1)),
      last: control("last", "Last position", () => this.stopAt(end)),
    };
  }

  /** @param {Position} first */
  layout(first) {
    const { record } = this;
    const blob = `data:text/plain;charset=utf-8,${encodeURIComponent(record.text)}`;
    const players = record.players.map((name, seat) => el("li", { class: "player" },
      swatch(first.seats, seat), el("span", { class: "who" }, el("strong", null, name),
        el("span", { class: "muted seat-name" }, capital(first.seats[seat] ?? "")))));
    return el("div", { class: "table" },
      el("div", { class: "table-head" }, el("h1", null, first.title), el("span", { class: "muted" }, `${record.variant}, game ${record.id}`),
        link("/records", "All stored games")),
      el("ul", { class: "players card", "aria-label": "Players" }, ...players),
      el("div", { class: "table-board" }, el("div", { class: "headline" }, this.where), this.host,
        el("div", { class: "row controls", role: "group", "aria-label": "Replay" }, ...Object.values(this.controls), this.speed.node),
        this.message),
      el("div", { class: "table-side" },
        el("section", { class: "card" }, el("h2", null, "Result"),
          el("p", { data: { result: "" } }, el("strong", null, pointsWords(record.points)), ` ${record.sentence || record.reason}`),
          el("p", { class: "muted small" }, dateWords(record.finished_at), record.rated ? "" : ", unrated: a move was taken back")),
        el("div", { class: "tools-grid", role: "group", "aria-label": "Tools" }, this.look.turnButton, this.look.namesButton),
        el("section", { class: "card" }, el("h2", null, "Moves"), this.moves.node,
          el("div", { class: "row share" }, copyButton("Copy game", () => record.text, "copy-game"),
            link(blob, "Save as text", { class: "button small", download: `agon-${record.id}.txt`, data: { action: "save-text" } })))));
  }

  /** @returns {Key[]} */
  keys() {
    return [
      { key: "ArrowLeft", label: "One move back", run: () => this.stopAt(this.at - 1) },
      { key: "ArrowRight", label: "One move on", run: () => this.stopAt(this.at + 1) },
      { key: "p", label: "Play or pause", run: () => void this.toggle() },
      ...this.look.keys(),
    ];
  }

  /** @param {number} ply */
  stopAt(ply) {
    this.playing = false;
    this.at = Math.min(Math.max(ply, 0), this.record.moves.length);
    void this.show();
  }

  async toggle() {
    this.playing = !this.playing;
    if (this.playing && this.at >= this.record.moves.length) this.at = 0;
    await this.show();
    while (this.playing && this.at < this.record.moves.length) {
      await new Promise((resolve) => window.setTimeout(resolve, this.delay));
      if (!this.playing) return;
      this.at += 1;
      await this.show();
    }
    this.playing = false;
    this.refresh();
  }

  async show() {
    this.refresh();
    const moves = this.record.moves.slice(0, this.at);
    try {
      const shown = this.stage.want({ moves, mine: [] });
      // The next one is asked for meanwhile, so that it is there when it is wanted.
      if (this.at < this.record.moves.length) void this.positions.after(this.record.moves.slice(0, this.at + 1)).catch(() => {});
      await shown;
    } catch (error) {
      this.playing = false;
      if (!api.isAbort(error)) this.message.textContent = api.messageOf(error);
    }
  }

  /** @param {Position} position */
  seen(position) {
    this.learnSeats(position);
    if (position.last && !this.playing) announce(`Move ${position.ply}: ${moveLabel(position.last.text)}`);
  }

  /**
   * Where somebody was passed over, those who follow move up.
   * @param {Position} position
   */
  learnSeats({ ply, last, seats }) {
    if (!last || this.played[ply - 1]?.seat === last.seat) return;
    this.played = this.played.map((move, at) =>
      at < ply - 1 ? move : { ...move, seat: (last.seat + at - ply + 1) % seats.length });
    this.refresh();
  }

  refresh() {
    const end = this.record.moves.length;
    this.where.textContent = this.at === 0 ? "The start" : `Move ${this.at} of ${end}`;
    const { first, back, play, forward, last } = this.controls;
    first.disabled = back.disabled = this.at === 0;
    last.disabled = forward.disabled = this.at === end;
    fill(play, icon(this.playing ? "pause" : "play"), this.playing ? "Pause" : "Play");
    play.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.moves.show(this.played, this.at);
  }
}
