// The evaluation as bars: one that both sides share with two players, one for each with three.

/** @import { Position } from "../api-types" */

import { capital, el, fill } from "../dom.js";
import { tone } from "../board/pieces.js";

export class Bars {
  constructor() {
    this.node = el("div", { class: "eval-bars", data: { bars: "" } });
    this.key = "";
    /** @type {HTMLElement[]} */
    this.fills = [];
  }

  /**
   * Lays the bars out for these seats, the one at the bottom first.
   * @param {Position} position
   * @param {number} bottom  the seat at the bottom of the board
   */
  arrange(position, bottom) {
    const key = `${position.seats.join()} ${bottom}`;
    if (key === this.key) return;
    this.key = key;
    const two = position.seats.length === 2;
    const seats = two ? [bottom] : position.seats.map((_, seat) => seat);
    this.node.classList.toggle("many", !two);
    this.seats = seats;
    this.fills = seats.map((seat) => el("span", { class: `eval-fill tone-${tone(position.seats, seat)}` }));
    const other = two ? `tone-${tone(position.seats, 1 - bottom)}` : "tone-nobody";
    this.bars = seats.map((seat, at) => el("div", {
      class: `eval-bar ${other}`, role: "meter", "aria-valuemin": 0, "aria-valuemax": 100, "aria-label": `Expected points of ${position.labels[seat] ?? ""}`,
      title: capital(position.labels[seat] ?? ""), data: { seat },
    }, this.fills[at]));
    fill(this.node, ...this.bars);
    this.show(null);
  }

  /** @param {number[] | null} shares  of all seats, from 0 to 1 */
  show(shares) {
    this.node.classList.toggle("unknown", shares === null || shares.length === 0);
    this.seats?.forEach((seat, at) => {
      const share = shares?.[seat] ?? 0.5;
      const percent = Math.round(share * 100);
      const bar = /** @type {HTMLElement} */ (this.bars?.[at]);
      bar.style.setProperty("--share", `${(share * 100).toFixed(1)}%`);
      bar.setAttribute("aria-valuenow", String(percent));
      bar.setAttribute("aria-valuetext", shares?.length ? `${percent} of 100` : "not known yet");
    });
  }
}
