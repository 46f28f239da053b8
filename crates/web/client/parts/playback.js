// Replays a game move by move, forwards and backwards; more moves may follow.

/** @import { Played, Position } from "../api-types" */
/** @import { Key } from "../page-types" */

import { isAbort, messageOf } from "../api.js";
import { Board } from "../board/board.js";
import { el, fill } from "../dom.js";
import { icon } from "./icons.js";
import { Moves } from "./moves.js";
import { announce } from "./notices.js";
import { Stage } from "./stage.js";
import { pictureButton, stepButtons, stepKeys } from "./steps.js";
import { Look } from "./tools.js";
import { speedSlider } from "./watchbar.js";
import { moveLabel } from "./words.js";

/** @import { Positions } from "./stage.js" */

const FIRST_DELAY_MS = 800;

/** The board, its controls and the list of moves. */
export class Playback {
  /**
   * @param {Played[]} played
   * @param {Positions} positions
   * @param {Position} first
   * @param {{ seat: number, at: number, signal: AbortSignal }} options  the seat at the bottom, and the first ply shown
   */
  constructor(played, positions, first, { seat, at, signal }) {
    this.played = played;
    this.positions = positions;
    this.at = at;
    this.playing = false;
    this.delay = FIRST_DELAY_MS;
    /** Called with the ply that is shown. @type {((ply: number) => void) | null} */
    this.watch = null;
    this.message = el("p", { class: "message", role: "status", data: { message: "" } });
    this.where = el("p", { data: { status: "replay" } });
    const host = el("div", { class: "board-host", data: { board: "replay" } });
    this.board = new Board(host, { interactive: false, label: `${first.title} board` });
    this.stage = new Stage(this.board, positions, (position) => this.seen(position));
    this.look = new Look(this.board, first, seat);
    this.moves = new Moves(first.labels, (ply) => this.stopAt(ply));
    this.speed = speedSlider((delay) => { this.delay = delay; });
    this.speed.set(this.delay);
    this.controls = this.makeControls();
    this.node = el("div", { class: "table-board" }, el("div", { class: "headline" }, this.where), host,
      el("div", { class: "row controls", role: "group", "aria-label": "Replay" }, ...Object.values(this.controls), this.speed.node),
      this.message);
    signal.addEventListener("abort", () => { this.playing = false; });
    void this.show();
  }

  get end() {
    return this.played.length;
  }

  makeControls() {
    const { first, back, forward, last } = stepButtons(this.way());
    return { first, back, play: pictureButton("play", "Play", () => void this.toggle()), forward, last };
  }

  way() {
    return { at: () => this.at, end: () => this.end, to: (/** @type {number} */ ply) => this.stopAt(ply) };
  }

  /** @returns {Key[]} */
  keys() {
    return [
      ...stepKeys(this.way()),
      { key: "p", label: "Play or pause", run: () => void this.toggle() },
      ...this.look.keys(),
    ];
  }

  /** @param {number} ply */
  stopAt(ply) {
    this.playing = false;
    this.at = Math.min(Math.max(ply, 0), this.end);
    void this.show();
  }

  /**
   * More moves were made. If the last move was shown, the newest is shown now; otherwise nothing moves.
   * @param {Played[]} played
   */
  extend(played) {
    const atEnd = this.at === this.end && !this.playing;
    this.played = played;
    if (!atEnd) return this.refresh();
    this.at = this.end;
    void this.show(true);
  }

  async toggle() {
    this.playing = !this.playing;
    if (this.playing && this.at >= this.end) this.at = 0;
    await this.show();
    while (this.playing && this.at < this.end) {
      await new Promise((resolve) => window.setTimeout(resolve, this.delay));
      if (!this.playing) return;
      this.at += 1;
      await this.show();
    }
    this.playing = false;
    this.refresh();
  }

  /** @param {boolean} [catchUp]  whether to show moves that arrived together one by one */
  async show(catchUp = false) {
    this.refresh();
    const texts = this.played.map((move) => move.text);
    try {
      const shown = this.stage.want({ moves: texts.slice(0, this.at), mine: [], catchUp });
      // Prefetch the next position.
      if (this.at < this.end) void this.positions.after(texts.slice(0, this.at + 1)).catch(() => {});
      await shown;
    } catch (error) {
      this.playing = false;
      if (!isAbort(error)) this.message.textContent = messageOf(error);
    }
  }

  /** @param {Position} position */
  seen(position) {
    this.learnSeats(position);
    if (position.last && !this.playing) announce(`Move ${position.ply}: ${moveLabel(position.last.text)}`);
  }

  /**
   * Corrects the seats of this and the following moves after a player was skipped.
   * @param {Position} position
   */
  learnSeats({ ply, last, seats }) {
    if (!last || this.played[ply - 1]?.seat === last.seat) return;
    this.played = this.played.map((move, at) =>
      at < ply - 1 ? move : { ...move, seat: (last.seat + at - ply + 1) % seats.length });
    this.refresh();
  }

  refresh() {
    this.where.textContent = this.at === 0 ? "The start" : `Move ${this.at} of ${this.end}`;
    const { first, back, play, forward, last } = this.controls;
    first.disabled = back.disabled = this.at === 0;
    last.disabled = forward.disabled = this.at === this.end;
    fill(play, icon(this.playing ? "pause" : "play"), this.playing ? "Pause" : "Play");
    play.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.moves.show(this.played, this.at);
    this.watch?.(this.at);
  }
}
