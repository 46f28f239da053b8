/**
 * Setting up a position by hand: drag pieces on and off, say who is to move, and read at once whether the
 * rules accept it, or why not.
 *
 * @typedef {import("../api-types.js").Arranged} Arranged
 * @typedef {import("../api-types.js").Counter} Counter
 * @typedef {import("../api-types.js").Draft} Draft
 * @typedef {import("../api-types.js").Position} Position
 * @typedef {import("../api-types.js").Stock} Stock
 * @typedef {import("./draft.js").Tool} Tool
 * @typedef {object} ArrangerOptions
 * @property {Position} position the position to begin with
 * @property {AbortSignal} signal ends what is being asked
 * @property {(position: string) => void} onDone the position as text, accepted by the rules
 * @property {() => void} onCancel
 * @property {number} [turn] how far the board is turned, in degrees clockwise
 */
import * as api from "../api.js";
import { button, capital, el, fill, freshId } from "../dom.js";
import { coordinates } from "../parts/settings.js";
import { copyButton } from "../parts/share.js";
import * as calls from "./calls.js";
import { Canvas } from "./canvas.js";
import { MOVING, clicked, isFlag, isSame, piecesOf, readCounter, withMoved, withPiece, withoutPiece } from "./draft.js";
import { Palette } from "./palette.js";

/** How many changes can be taken back. */
const MOST_UNDONE = 100;
/** How many counters are shown without being asked for. */
const FEW_COUNTERS = 3;

export class Arranger {
  /** @type {HTMLElement} */ node;
  /** @type {ArrangerOptions} */ #options;
  /** What is fixed, such as pits, is as in this position. @type {Position} */ #base;
  /** @type {Stock[]} */ #stocks = [];
  /** @type {Counter[]} */ #counters = [];
  /** @type {Draft} */ #draft = { pieces: [], to_move: 0, counters: {} };
  /** Earlier drafts, each with its base. @type {{ draft: Draft, base: Position }[]} */ #before = [];
  /** @type {Tool} */ #tool = MOVING;
  /** Counters in which something else than a number was typed. @type {Map<string, string>} */ #mistyped = new Map();
  /** The position as the rules accept it; null while it is not known. @type {string | null} */ #accepted = null;
  /** @type {number | null} */ #wrong = null;
  /** The question whose answer counts. @type {AbortController | null} */ #asking = null;

  /** @param {ArrangerOptions} options */
  constructor(options) {
    this.#options = options;
    this.#base = options.position;
    this.canvas = new Canvas({
      click: (cell) => this.#click(cell),
      move: (from, to) => this.#change(withMoved(this.#draft, from, to), MOVING),
      remove: (cell) => this.#change(withoutPiece(this.#draft, cell)),
      cancel: () => this.#putAway(),
    });
    this.palette = new Palette({
      pick: (tool, byKeyboard) => this.#pick(tool, byKeyboard),
      take: (stock) => this.canvas.take(stock),
      drag: (event) => void this.canvas.carry(event),
      drop: (stock, event) => this.#dropped(stock, event),
    });
    this.sides = el("div", { class: "segments wrap" });
    this.counterFields = el("div", { class: "counters" });
    this.counterPlace = el("div", null);
    this.words = el("p", { class: "verdict-words", role: "status", id: freshId(), data: { verdict: "" } });
    this.text = el("textarea", {
      class: "position-text", readonly: true, rows: 3, spellcheck: "false", "aria-label": "The position as text",
      data: { position: "" },
    });
    this.copy = copyButton("Copy position", () => this.text.value, "copy-arranged");
    this.verdict = el("div", { class: "verdict card" }, this.words);
    this.textPlace = el("div", { class: "position-place" }, this.text, this.copy);
    this.undo = button("Undo", () => this.#undo(), { class: "small", data: { action: "undo-arranging" } });
    this.done = button("Analyse this position", () => this.#finish(), {
      class: "primary", "aria-describedby": this.words.id, data: { action: "arranged" },
    });
    this.node = this.#layout();
    this.#say("Just a moment …", null, null);
    void this.#begin();
  }

  #layout() {
    const clear = button("Clear", () => this.#change({ ...this.#draft, pieces: [] }, MOVING), {
      class: "small", data: { action: "clear-board" },
    });
    const start = button("Start position", () => void this.#restart(), { class: "small", data: { action: "start-position" } });
    const cancel = button("Cancel", () => this.#options.onCancel(), { data: { action: "cancel-arranging" } });
    const help = "Drag pieces onto the board, about and off it. Or choose one and click on cells; by keyboard, " +
      "arrow keys go from cell to cell, Enter places or chooses, and Delete removes.";
    const board = el("div", { class: "arranger-board" }, this.canvas.node, this.palette.node,
      el("div", { class: "row" }, this.palette.eraser, this.undo, clear, start));
    const sides = el("fieldset", null, el("legend", null, "To move"), this.sides);
    const side = el("div", { class: "arranger-side" }, this.verdict, sides, this.counterPlace, this.textPlace,
      el("div", { class: "row" }, this.done, cancel), el("p", { class: "muted small" }, help));
    const escape = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && this.#putAway()) event.stopPropagation();
    };
    return el("section", { class: "arranger", "aria-label": "Set up a position", data: { part: "arranger" }, on: { keydown: escape } },
      board, side);
  }

  /** Asks what can be set up, and shows the position to begin with. */
  async #begin() {
    const answer = await this.#ask({ variant: this.#base.variant, position: this.#base.position });
    if (!answer) return;
    this.#stocks = answer.palette;
    this.#counters = answer.counters;
    if (answer.palette.length === 0) return this.#say("Positions of this game cannot be set up by hand.", null, null);
    this.#makeSides();
    this.#makeCounters();
    this.#setUp(answer, this.#base);
  }

  /** Goes back to where games of this variant begin. */
  async #restart() {
    const { variant } = this.#base;
    const { signal } = this.#options;
    const start = await api.position({ variant }, signal).catch((error) => this.#failed(error));
    const answer = start && (await this.#ask({ variant }));
    if (!start || !answer) return;
    this.#remember();
    this.#setUp(answer, start);
  }

  /**
   * @param {Arranged} answer
   * @param {Position} base
   */
  #setUp(answer, base) {
    this.#base = base;
    this.#draft = answer.draft;
    this.#tool = MOVING;
    this.canvas.setBoard(base, { turn: this.#options.turn ?? 0, coordinates: coordinates() });
    this.palette.fill(base, this.#stocks);
    this.#fillFields();
    this.#judged(answer);
  }

  #remember() {
    this.#before = [...this.#before, { draft: this.#draft, base: this.#base }].slice(-MOST_UNDONE);
  }

  /** Takes the last change back. */
  #undo() {
    const last = this.#before.pop();
    if (!last) return;
    this.#base = last.base;
    this.#draft = last.draft;
    this.#tool = MOVING;
    this.canvas.setBoard(last.base, { turn: this.#options.turn ?? 0, coordinates: coordinates() });
    this.#fillFields();
    this.#judge();
  }

  /**
   * Changes the draft, and asks the rules about it.
   * @param {Draft} draft
   * @param {Tool} [tool]
   */
  #change(draft, tool = this.#tool) {
    this.#tool = tool;
    // Nothing may have changed but what the next click does.
    if (isSame(draft, this.#draft)) return this.#show();
    this.#remember();
    this.#draft = draft;
    this.#judge();
  }

  /** @param {number} cell */
  #click(cell) {
    const { draft, tool } = clicked(this.#draft, cell, this.#tool);
    this.#change(draft, tool);
  }

  /**
   * Chooses what clicks do; the same again gives it up.
   * @param {Tool} tool
   * @param {boolean} byKeyboard
   */
  #pick(tool, byKeyboard) {
    const letter = (/** @type {Tool} */ one) => (one.kind === "place" ? one.letter : "");
    const again = tool.kind === this.#tool.kind && letter(tool) === letter(this.#tool);
    this.#tool = again ? MOVING : tool;
    this.#show();
    if (byKeyboard && !again) this.canvas.focus();
  }

  /** Gives up what is chosen; returns whether anything was. */
  #putAway() {
    const any = this.#tool.kind !== "move" || this.#tool.from !== null;
    this.#tool = MOVING;
    if (any) this.#show();
    return any;
  }

  /**
   * A piece from the palette was let go.
   * @param {Stock} stock
   * @param {PointerEvent | null} event
   */
  #dropped(stock, event) {
    const cell = event && this.canvas.carry(event);
    this.canvas.putDown();
    if (cell !== null) this.#change(withPiece(this.#draft, cell, stock.letter), MOVING);
  }

  /** Asks the rules about the draft. Until they answer, nothing is accepted. */
  #judge() {
    this.#accepted = null;
    this.#wrong = null;
    const [typo] = this.#mistyped.values();
    if (typo !== undefined) {
      this.#asking?.abort();
      return this.#say(typo, null, null);
    }
    this.#show();
    const { variant, position } = this.#base;
    void this.#ask({ variant, position, draft: this.#draft }).then((answer) => answer && this.#judged(answer));
  }

  /**
   * The answer to the latest question; null if it failed or another was asked since.
   * @param {import("../api-types.js").ArrangeQuery} query
   */
  async #ask(query) {
    this.#asking?.abort();
    this.#asking = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, this.#asking.signal]);
    return calls.arrange(query, signal).catch((error) => this.#failed(error));
  }

  /** @param {unknown} error */
  #failed(error) {
    if (!api.isAbort(error)) this.#say(api.messageOf(error), null, null);
    return null;
  }

  /** @param {Arranged} answer */
  #judged({ position, problem, over }) {
    if (problem) return this.#say(problem.message, null, problem.cell);
    this.#say(over === null ? "The rules accept this position." : `The game is over in this position: ${over}.`, position, null);
  }

  /**
   * @param {string} words
   * @param {string | null} position the accepted position
   * @param {number | null} wrong
   */
  #say(words, position, wrong) {
    this.#accepted = position;
    this.#wrong = wrong;
    if (this.words.textContent !== words) fill(this.words, words);
    this.verdict.classList.toggle("bad", position === null && this.#stocks.length > 0);
    this.text.value = position ?? "";
    this.textPlace.hidden = position === null;
    this.#show();
  }

  /** Draws the draft as it is. */
  #show() {
    this.done.disabled = this.#accepted === null;
    this.undo.disabled = this.#before.length === 0;
    this.palette.show(this.#tool);
    const tool = this.#tool;
    const held = tool.kind === "place" ? (this.#stocks.find((stock) => stock.letter === tool.letter) ?? null) : null;
    this.canvas.show({
      pieces: piecesOf(this.#draft, this.#stocks),
      held,
      chosen: tool.kind === "move" ? tool.from : null,
      wrong: this.#wrong,
      deed: this.#deed(held),
    });
  }

  /** @param {Stock | null} held */
  #deed(held) {
    if (held) return `Enter places ${this.#base.labels[held.owner] ?? ""} ${held.name}`;
    if (this.#tool.kind === "erase") return "Enter removes";
    return this.#tool.kind === "move" && this.#tool.from !== null ? "Enter moves it here" : "";
  }

  #finish() {
    if (this.#accepted !== null) this.#options.onDone(this.#accepted);
  }

  #makeSides() {
    const name = freshId();
    const radios = this.#base.labels.map((label, seat) => {
      const change = () => this.#change({ ...this.#draft, to_move: seat });
      const radio = el("input", { type: "radio", name, value: seat, data: { field: "to-move" }, on: { change } });
      return el("label", { class: "segment" }, radio, capital(label));
    });
    fill(this.sides, ...radios);
  }

  #makeCounters() {
    fill(this.counterFields, ...this.#counters.map((counter) => this.#counterField(counter)));
    if (this.#counters.length === 0) return;
    const fields = this.#counters.length > FEW_COUNTERS
      ? el("details", { data: { part: "counters" } }, el("summary", null, "Counters"), this.counterFields)
      : this.counterFields;
    fill(this.counterPlace, fields);
  }

  /** @param {Counter} counter */
  #counterField(counter) {
    const { name, label, min, max } = counter;
    const set = (/** @type {number} */ value) =>
      this.#change({ ...this.#draft, counters: { ...this.#draft.counters, [name]: value } });
    if (isFlag(counter)) {
      const box = el("input", { type: "checkbox", data: { counter: name }, on: { change: () => set(box.checked ? 1 : 0) } });
      return el("label", { class: "row check" }, box, label);
    }
    const id = freshId();
    const typed = () => {
      const read = readCounter(counter, input.value);
      const was = this.#mistyped.delete(name);
      if ("problem" in read) this.#mistyped.set(name, read.problem);
      input.setAttribute("aria-invalid", String("problem" in read));
      if ("value" in read && read.value !== this.#draft.counters[name]) set(read.value);
      else if ("problem" in read || was) this.#judge();
    };
    const input = el("input", { id, type: "number", min, max, step: 1, data: { counter: name }, on: { input: typed } });
    return el("div", { class: "field" }, el("label", { for: id }, label), input);
  }

  /** Writes the draft into the fields. */
  #fillFields() {
    this.#mistyped.clear();
    for (const field of this.node.querySelectorAll("input")) {
      const value = this.#draft.counters[field.dataset.counter ?? ""];
      if (field.type === "radio") field.checked = Number(field.value) === this.#draft.to_move;
      else if (field.type === "checkbox") field.checked = value === 1;
      else if (field.type === "number") {
        field.value = String(value ?? "");
        field.removeAttribute("aria-invalid");
      }
    }
  }
}
