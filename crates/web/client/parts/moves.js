// The list of moves: one row per round, one column per seat. A click jumps to a move.

/** @import { Played } from "../api-types" */

import { button, el } from "../dom.js";
import { moveLabel, shortMove } from "./words.js";

/** The moves of a game. */
export class Moves {
  /**
   * @param {string[]} seats
   * @param {(ply: number) => void} onJump  called with the ply to show
   */
  constructor(seats, onJump) {
    this.seats = seats;
    this.onJump = onJump;
    /** @type {Played[]} */
    this.played = [];
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    this.round = 0;
    this.empty = el("p", { class: "muted" }, "No moves yet.");
    this.list = el("ol", { class: `moves of-${seats.length}`, "aria-label": "Moves" });
    this.node = el("div", { class: "moves-box", tabindex: 0, role: "group", "aria-label": "Moves of the game", data: { moves: "" } }, this.empty, this.list);
  }

  /**
   * @param {Played[]} played
   * @param {number} current  the ply that is shown
   */
  show(played, current) {
    const same = played.findIndex((move, at) => move.text !== this.played[at]?.text || move.seat !== this.played[at]?.seat);
    this.cut(same === -1 ? played.length : same);
    for (const move of played.slice(this.played.length)) this.add(move);
    this.empty.hidden = played.length > 0;
    this.mark(current);
  }

  /** @param {number} length */
  cut(length) {
    for (const gone of this.buttons.splice(length)) gone.parentElement?.remove();
    this.played.length = Math.min(this.played.length, length);
    this.round = this.played.filter((_, at) => this.opensRound(at)).length;
  }

  /** @param {number} at */
  opensRound(at) {
    const before = this.played[at - 1];
    return before === undefined || (this.played[at]?.seat ?? 0) <= before.seat;
  }

  /** @param {Played} move */
  add(move) {
    this.played.push(move);
    const ply = this.played.length;
    const opens = this.opensRound(ply - 1);
    if (opens) this.round += 1;
    const short = shortMove(move.text);
    const item = button(short, () => this.onJump(ply), {
      data: { ply }, "aria-label": `Move ${ply}, ${this.seats[move.seat] ?? ""}: ${short}`, title: moveLabel(move.text), tabindex: -1,
    });
    const cell = el("li", { data: opens ? { round: this.round } : {} }, item);
    cell.style.gridColumn = String(move.seat + 2);
    this.buttons.push(item);
    this.list.append(cell);
  }

  /** @param {number} current */
  mark(current) {
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = this.buttons[current - 1];
    if (!item) {
      this.node.scrollTop = 0;
      return;
    }
    item.setAttribute("aria-current", "step");
    // Nothing has a position before the page is attached.
    if (this.node.isConnected) this.reveal(item);
    else requestAnimationFrame(() => this.reveal(item));
  }

  /**
   * Scrolls the list alone, never the page.
   * @param {HTMLElement} item
   */
  reveal(item) {
    const box = this.node.getBoundingClientRect();
    const place = item.getBoundingClientRect();
    if (place.top < box.top || place.bottom > box.bottom) this.node.scrollTop += place.bottom - box.bottom + 8;
  }
}
