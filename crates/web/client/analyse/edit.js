// What can be done with the move that is shown: a sign, a comment, a better place in the tree, or none.

/** @import { Desk } from "./desk.js" */

import { button, el, freshId } from "../dom.js";
import { ask } from "../parts/dialog.js";
import { ALL_SIGNS, negated } from "./tree.js";

const LONGEST = 4000;

export class Edit {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    const id = freshId();
    this.label = el("label", { for: id, class: "small" }, "Comment");
    this.comment = /** @type {HTMLTextAreaElement} */ (el("textarea", { id, rows: 2, maxlength: LONGEST, data: { field: "comment" }, on: { input: () => this.write() } }));
    this.signs = ALL_SIGNS.map(([sign, words]) => button(sign, () => this.sign(sign), { class: "small", title: words, "aria-label": `${words}, ${sign}`, "aria-pressed": "false", data: { sign } }));
    this.promote = button("Promote", () => this.toMain(), { class: "small", title: "Make this variation the main one", data: { action: "promote" } });
    this.note = button("Note evaluation", () => this.noteScore(), { class: "small", title: "Keep the engine's evaluation with this move", data: { action: "note" } });
    this.delete = button("Delete", () => void this.remove(), { class: "small", title: "Delete this move and all after it", data: { action: "delete" } });
    this.node = el("div", { class: "edit" },
      el("div", { class: "row signs", role: "group", "aria-label": "Sign of the move" }, ...this.signs),
      el("div", { class: "field" }, this.label, this.comment),
      el("div", { class: "row", role: "group", "aria-label": "Variation" }, this.promote, this.note, this.delete));
  }

  get at() {
    return this.desk.tree.node(this.desk.at);
  }

  /** Brings the controls up to date. */
  show() {
    const { at, desk } = this;
    const isStart = at.id === 0;
    if (this.comment.value !== at.comment) this.comment.value = at.comment;
    this.label.textContent = isStart ? "Comment on the start" : `Comment on ${at.move}`;
    for (const item of this.signs) {
      item.disabled = isStart;
      item.setAttribute("aria-pressed", String(item.dataset.sign === at.sign && !isStart));
    }
    this.promote.disabled = desk.tree.isMain(at.id);
    this.delete.disabled = isStart;
    this.note.disabled = isStart || desk.first.seats.length > 2;
  }

  write() {
    this.at.comment = this.comment.value;
    this.desk.edited();
  }

  /** @param {string} sign */
  sign(sign) {
    this.at.sign = this.at.sign === sign ? "" : sign;
    this.changed();
  }

  toMain() {
    if (this.desk.tree.promote(this.desk.at)) this.changed();
  }

  /** The score of the position is the mover's; a note holds it for the player who has just moved. */
  noteScore() {
    const best = this.desk.settled === this.at.id ? this.desk.found[0] : null;
    const score = best?.lines[0]?.score;
    if (best === undefined || best === null || score === undefined || score === null) {
      this.desk.say("There is no evaluation to note yet.", "info");
      return;
    }
    const { at } = this;
    at.score = negated(score);
    at.depth = best.depth;
    at.exact = best.lines[0]?.exact ?? false;
    const words = `${best.lines[0]?.text ?? ""} at depth ${best.depth}`;
    this.desk.say(`Noted: ${words}.`, "info");
    this.changed();
  }

  async remove() {
    const { desk } = this;
    const after = desk.tree.node(desk.at).next.length;
    const sure = after === 0 || (await ask({ title: "Delete these moves?", text: "The move and everything after it will be deleted.", yes: "Delete" }));
    if (!sure) return;
    const parent = desk.tree.remove(desk.at);
    desk.edited(parent);
    desk.go(parent);
  }

  changed() {
    this.desk.edited();
    this.show();
  }
}
