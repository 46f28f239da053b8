// A small board beside a line, with the position that the line leads to.

/** @import { Positions } from "../parts/stage.js" */
/** @import { Look } from "../parts/tools.js" */

import { Board } from "../board/board.js";
import { el } from "../dom.js";

export class Peek {
  /**
   * @param {Positions} positions
   * @param {Look} look
   */
  constructor(positions, look) {
    this.positions = positions;
    this.look = look;
    this.host = el("div", { class: "thumbnail" });
    this.board = new Board(this.host, { thumbnail: true });
    this.node = el("div", { class: "peek card", hidden: true, "aria-hidden": "true", data: { peek: "" } }, this.host);
    /** Numbers the calls: only the latest counts. */
    this.calls = 0;
  }

  /**
   * @param {string[]} moves
   * @param {HTMLElement} near
   */
  async show(moves, near) {
    const call = ++this.calls;
    const position = await this.positions.after(moves);
    if (call !== this.calls) return;
    this.board.setView({ turn: this.look.turn, coordinates: false });
    await this.board.show(position);
    if (call !== this.calls) return;
    this.node.dataset.ply = String(position.ply);
    this.node.hidden = false;
    this.place(near);
  }

  /** Left of the line, or above it where there is no room. @param {HTMLElement} near */
  place(near) {
    const [line, own] = [near.getBoundingClientRect(), this.node.getBoundingClientRect()];
    const left = line.left - own.width - 12;
    const [x, y] = left >= 0 ? [left, line.top - own.height / 2] : [Math.min(line.left, innerWidth - own.width - 8), line.top - own.height - 12];
    this.node.style.left = `${Math.max(8, x)}px`;
    this.node.style.top = `${Math.min(Math.max(8, y), innerHeight - own.height - 8)}px`;
  }

  hide() {
    this.calls += 1;
    this.node.hidden = true;
  }
}
