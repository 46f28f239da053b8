// A picker of agents that knows their options.

/** @import { AgentKind, Server } from "../api-types" */

import { button, el, fill, freshId } from "../dom.js";
import { icon } from "../parts/icons.js";

/** @typedef {{ kind: string, options: Map<string, string>, text: string, name: string }} Choice */

/** Kinds of agents whose text is a command have no options to choose from. */
const BY_TEXT = "text";

/** A list of agents, each chosen by kind and options, or by its text. */
export class Picker {
  /**
   * @param {Server} server
   * @param {() => void} onChange
   */
  constructor(server, onChange) {
    this.server = server;
    this.onChange = onChange;
    this.seats = 2;
    /** @type {Choice[]} */
    this.choices = [];
    this.list = el("ol", { class: "picker" });
    const add = button("Add an agent", () => this.add("engine", { level: "3" }), { data: { action: "add-agent" } });
    const levels = button("Add levels 1 to 5", () => [1, 2, 3, 4, 5].forEach((level) => this.add("engine", { level: String(level) })), { class: "small", data: { action: "add-levels" } });
    this.node = el("div", null, this.list, el("div", { class: "row" }, add, levels));
  }

  /**
   * @param {string} kind
   * @param {Record<string, string>} [options]
   */
  add(kind, options = {}) {
    this.choices.push({ kind, options: new Map(Object.entries(options)), text: "", name: "" });
    this.draw();
    this.onChange();
  }

  /**
   * How many players sit at a table: other agents can play then.
   * @param {number} seats
   */
  seat(seats) {
    if (seats === this.seats) return;
    this.seats = seats;
    const known = this.kinds().map(({ name }) => name);
    for (const choice of this.choices) if (choice.kind !== BY_TEXT && !known.includes(choice.kind)) choice.kind = "engine";
    this.draw();
  }

  kinds() {
    return this.server.agents.filter((agent) => agent.seats.includes(this.seats));
  }

  /** The agents by their texts, with their names. */
  agents() {
    return this.choices.map((choice) => ({ agent: textOf(choice), name: choice.name.trim() })).filter(({ agent }) => agent !== "");
  }

  draw() {
    fill(this.list, ...this.choices.map((choice, at) => this.row(choice, at)));
  }

  /**
   * @param {Choice} choice
   * @param {number} at
   */
  row(choice, at) {
    const detail = el("div", { class: "picker-detail" });
    const shown = el("code", { class: "picker-text" });
    const refresh = () => {
      shown.textContent = choice.kind === BY_TEXT ? "" : textOf(choice);
      this.onChange();
    };
    const show = () => fill(detail, choice.kind === BY_TEXT ? byText(choice, refresh) : this.options(choice, refresh));
    const kinds = this.kinds();
    const select = el("select", { "aria-label": `Agent ${at + 1}`, data: { field: "kind" }, on: { change: () => {
      choice.kind = select.value;
      choice.options.clear();
      show();
      refresh();
    } } }, ...kinds.map(({ name }) => el("option", { value: name, selected: name === choice.kind }, name)),
      el("option", { value: BY_TEXT, selected: choice.kind === BY_TEXT }, "by its text…"));
    const name = el("input", { type: "text", value: choice.name, placeholder: "name", autocomplete: "off", "aria-label": `Name of agent ${at + 1}`, data: { field: "name" },
      on: { input: () => { choice.name = name.value; refresh(); } } });
    const remove = button(icon("close"), () => {
      this.choices.splice(at, 1);
      this.draw();
      this.onChange();
    }, { class: "quiet", "aria-label": `Remove agent ${at + 1}`, data: { action: "remove-agent" } });
    show();
    shown.textContent = choice.kind === BY_TEXT ? "" : textOf(choice);
    return el("li", { class: "picker-row", data: { agent: at } }, el("div", { class: "picker-main" }, select, name, shown, remove), detail);
  }

  /**
   * The options of a kind of agent: those that are set, and a choice of others.
   * @param {Choice} choice
   * @param {() => void} refresh
   */
  options(choice, refresh) {
    const info = this.kinds().find(({ name }) => name === choice.kind);
    if (!info) return null;
    const fields = el("div", { class: "picker-options" });
    const draw = () => fill(fields, ...info.options.filter(({ name }) => choice.options.has(name)).map((option) => optionField(option, choice, refresh, () => { draw(); refresh(); })), more());
    const more = () => {
      const others = info.options.filter(({ name }) => !choice.options.has(name));
      if (others.length === 0) return null;
      const select = el("select", { "aria-label": "Add an option", class: "small", data: { field: "option" }, on: { change: () => {
        const option = others.find(({ name }) => name === select.value);
        if (!option) return;
        choice.options.set(option.name, firstValue(option.values));
        draw();
        refresh();
      } } }, el("option", { value: "" }, "Option…"), ...others.map(({ name, about }) => el("option", { value: name, title: about }, name)));
      return select;
    };
    draw();
    return el("div", null, el("p", { class: "small muted" }, info.about), fields);
  }
}

/** @param {Choice} choice */
function textOf({ kind, options, text }) {
  if (kind === BY_TEXT) return text.trim();
  const given = [...options].filter(([, value]) => value !== "").map(([name, value]) => `${name}=${value}`);
  return given.length > 0 ? `${kind}:${given.join(",")}` : kind;
}

/**
 * @param {Choice} choice
 * @param {() => void} refresh
 */
function byText(choice, refresh) {
  const input = el("input", { type: "text", value: choice.text, placeholder: "engine:level=5,tt=off or ugi:./my-engine", spellcheck: "false", autocomplete: "off", "aria-label": "The agent's text", data: { field: "agent" },
    on: { input: () => { choice.text = input.value; refresh(); } } });
  return input;
}

/**
 * The range of an option's values: "1 to 100"; null if it has none.
 * @param {string} values
 */
export function rangeOf(values) {
  const found = /^(\d+) to (\d+)$/.exec(values);
  return found ? { min: Number(found[1]), max: Number(found[2]) } : null;
}

/** @param {string} values */
export function firstValue(values) {
  const range = rangeOf(values);
  if (range) return String(Math.min(Math.max(range.min, 4), range.max));
  return /^on, off/.test(values) ? "off" : "";
}

/**
 * @param {AgentKind["options"][number]} option
 * @param {Choice} choice
 * @param {() => void} refresh
 * @param {() => void} gone
 */
function optionField(option, choice, refresh, gone) {
  const id = freshId();
  const set = (/** @type {string} */ value) => {
    choice.options.set(option.name, value);
    refresh();
  };
  const range = rangeOf(option.values);
  const value = choice.options.get(option.name) ?? "";
  let field;
  if (option.values === "on, off") {
    const select = el("select", { id, on: { change: () => set(select.value) } }, ...["on", "off"].map((word) => el("option", { value: word, selected: word === value }, word)));
    field = select;
  } else {
    const input = el("input", { id, type: range ? "number" : "text", min: range?.min, max: range?.max, value, placeholder: option.values, autocomplete: "off", spellcheck: "false", on: { input: () => set(input.value.trim()) } });
    field = input;
  }
  field.dataset.option = option.name;
  const remove = button(icon("close"), () => {
    choice.options.delete(option.name);
    gone();
  }, { class: "quiet", "aria-label": `Without the option ${option.name}` });
  return el("span", { class: "picker-option", title: `${option.about} (${option.values})` }, el("label", { for: id }, option.name), field, remove);
}
