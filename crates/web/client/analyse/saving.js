// How an analysis is kept and passed on: its address, a link that carries it, text and JSON.

/** @import { StoredAnalysis } from "../api-types" */
/** @import { PageContext } from "../page-types" */
/** @import { Desk } from "./desk.js" */
/** @import { Keeper, State } from "./keep.js" */

import * as api from "../api.js";
import { button, el, freshId } from "../dom.js";
import { ask } from "../parts/dialog.js";
import { copyButton } from "../parts/share.js";
import * as calls from "./calls.js";
import { forget } from "./keep.js";
import { pack } from "./link.js";

/** @type {Record<State, string>} */
const WORDS = {
  unchanged: "",
  saving: "Saving…",
  saved: "Saved. The address of this page shows it again.",
  failed: "Not saved yet",
};

export class Saving {
  /**
   * @param {Desk} desk
   * @param {Keeper} keeper
   * @param {StoredAnalysis | null} stored
   * @param {PageContext} context
   */
  constructor(desk, keeper, stored, context) {
    this.desk = desk;
    this.keeper = keeper;
    this.context = context;
    this.words = el("p", { class: "muted small", role: "status", data: { saved: "unchanged" } },
      stored && !keeper.token ? "This analysis belongs to somebody else: what you change becomes your own copy." : stored ? WORDS.saved : "Nothing is kept until you change something.");
    const id = freshId();
    this.title = /** @type {HTMLInputElement} */ (el("input", { type: "text", id, value: desk.tree.title, maxlength: 200, placeholder: "Untitled", data: { field: "title" }, on: { input: () => this.rename() } }));
    this.delete = button("Delete", () => void this.remove(), { class: "small", data: { action: "delete-analysis" } });
    this.node = el("section", { class: "card" }, el("h2", null, "Keep and share"),
      el("div", { class: "field" }, el("label", { for: id, class: "small" }, "Title"), this.title), this.words,
      el("div", { class: "row share" },
        copyButton("Copy link", () => this.link(), "copy-link"),
        copyButton("Copy position", () => desk.position.position, "copy-position"),
        copyButton("Copy text", () => calls.analysisText(desk.tree.document()), "copy-text"),
        button("Save as text", () => void this.download("text"), { class: "small", data: { action: "save-text" } }),
        button("Save as JSON", () => void this.download("json"), { class: "small", data: { action: "save-json" } }),
        this.delete));
    this.moved();
  }

  moved() {
    this.delete.hidden = this.keeper.id === null || !this.keeper.token;
  }

  /**
   * @param {State} state
   * @param {string} problem
   */
  state(state, problem) {
    this.words.dataset.saved = state;
    this.words.classList.toggle("error", state === "failed");
    this.words.textContent = problem ? `${WORDS[state]}: ${problem}` : WORDS[state];
    this.moved();
  }

  rename() {
    this.desk.tree.title = this.title.value;
    this.keeper.touch();
  }

  /** A link that carries everything: it works on any server, even after this analysis is deleted. */
  async link() {
    return `${location.origin}/analyse${await pack(this.desk.tree.document())}`;
  }

  /** @param {"text" | "json"} form */
  async download(form) {
    try {
      const document = this.desk.tree.document();
      const text = form === "text" ? await calls.analysisText(document) : JSON.stringify(document, null, 2);
      const type = form === "text" ? "text/plain" : "application/json";
      const address = URL.createObjectURL(new Blob([text], { type }));
      el("a", { href: address, download: `agon-analysis.${form === "text" ? "pgn" : "json"}` }).click();
      window.setTimeout(() => URL.revokeObjectURL(address), 1000);
    } catch (error) {
      this.state("failed", api.messageOf(error));
    }
  }

  async remove() {
    const { id, token } = this.keeper;
    if (!id) return;
    const sure = await ask({ title: "Delete this analysis?", text: "It will be gone for everybody who has its address. Links that carry it still work.", yes: "Delete" });
    if (!sure) return;
    try {
      this.keeper.end();
      await calls.deleteAnalysis(id, token);
      forget(id);
      this.context.go("/analyse");
    } catch (error) {
      this.state("failed", api.messageOf(error));
    }
  }
}
