// The lines below the board: what was said last, and the advice that was asked for. Each has its own
// place, so that one does not wipe out another.

import { el, fill } from "../dom.js";

/** @import { Child } from "../dom.js" */
/** @typedef {"said" | "evaluation" | "hint" | "threats"} Place */

const PLACES = /** @type {const} */ (["said", "evaluation", "hint", "threats"]);

/** The lines below the board. */
export class Message {
  constructor() {
    this.lines = new Map(PLACES.map((place) => [/** @type {Place} */ (place), el("div", { data: { line: place } })]));
    this.node = el("div", { class: "message", role: "status", data: { message: "" } }, ...this.lines.values());
  }

  /**
   * @param {Place} place
   * @param {Child} content
   * @param {"info" | "error"} [kind]
   */
  set(place, content, kind = "info") {
    const line = this.lines.get(place);
    if (!line) return;
    line.classList.toggle("error", kind === "error");
    fill(line, content);
  }
}
