// Who analyses, and how: agents, number of lines, values of moves, and the switches of the agents.

/** @import { AgentKind, AgentOption, Server } from "../api-types" */

import { button, el, fill, freshId } from "../dom.js";

/** The agents that are offered by name; any other can be written. */
const OFFERED = ["engine", "mcts", "solver", "brs", "paranoid", "maxn", "alphabeta", "minimax", "greedy"];
const MOST_LINES = 5;
const NAME = "agon.analysts";

/**
 * What is wanted of the analysis.
 * @typedef {{ on: boolean, agents: string[], lines: number, values: boolean, arrows: boolean }} Wish
 */

/** @returns {Wish} */
function remembered() {
  const first = { on: true, agents: ["engine"], lines: 3, values: false, arrows: true };
  try {
    const known = JSON.parse(localStorage.getItem(NAME) ?? "{}");
    const agents = Array.isArray(known.agents) ? known.agents.filter((/** @type {unknown} */ it) => typeof it === "string").slice(0, 2) : [];
    return { ...first, ...known, agents: agents.length > 0 ? agents : first.agents, on: true };
  } catch {
    return first;
  }
}

/** The parts of an agent's text. @param {string} text */
export function parts(text) {
  const colon = text.indexOf(":");
  const name = colon === -1 ? text : text.slice(0, colon);
  const options = colon === -1 ? [] : text.slice(colon + 1).split(",").filter((part) => part !== "");
  return { name, options };
}

/**
 * An agent's text with this value of an option, or without the option if the value is null.
 * @param {string} text
 * @param {string} option
 * @param {string | null} value
 */
export function withOption(text, option, value) {
  const { name, options } = parts(text);
  const others = options.filter((part) => !part.startsWith(`${option}=`));
  const all = value === null ? others : [...others, `${option}=${value}`];
  return all.length > 0 ? `${name}:${all.join(",")}` : name;
}

/** @param {string} text @param {string} option */
export const optionOf = (text, option) =>
  parts(text).options.find((part) => part.startsWith(`${option}=`))?.slice(option.length + 1) ?? null;

/** The form, which reports every change. */
export class Analysts {
  /**
   * @param {Server} server
   * @param {number} seats
   * @param {(wish: Wish) => void} onChange
   */
  constructor(server, seats, onChange) {
    this.kinds = server.agents.filter((kind) => kind.seats.includes(seats))
      .map((kind) => ({ ...kind, options: kind.options.filter((option) => seats <= option.most_seats) }));
    this.onChange = onChange;
    this.wish = remembered();
    this.wish.agents = this.wish.agents.map((text) => (this.fits(text) ? text : "engine"));
    this.power = button("Engine", () => this.change({ on: !this.wish.on }), { class: "primary", "aria-pressed": "true", data: { action: "engine" } });
    this.lines = /** @type {HTMLSelectElement} */ (el("select", { "aria-label": "Number of lines", data: { field: "lines" }, on: { change: () => this.change({ lines: Number(this.lines.value) }) } },
      ...Array.from({ length: MOST_LINES }, (_, at) => el("option", { value: at + 1 }, at === 0 ? "1 line" : `${at + 1} lines`))));
    this.values = button("Values", () => this.change({ values: !this.wish.values }), { title: "What every legal move is worth, exactly where that can be known", data: { action: "values" } });
    this.arrows = button("Arrows", () => this.change({ arrows: !this.wish.arrows }), { data: { action: "arrows" } });
    this.node = el("div", { class: "row engine-row", role: "group", "aria-label": "Analysis" }, this.power, this.lines, this.values, this.arrows);
    this.rows = el("div", { class: "analyst-choices" });
    this.details = el("details", { class: "switches", data: { switches: "" } }, el("summary", null, "Agents and switches"), this.rows);
    this.details.addEventListener("toggle", () => this.details.open && this.drawRows());
    this.show();
  }

  /** @param {string} text */
  fits(text) {
    return parts(text).name.includes("/") || this.kinds.some((kind) => kind.name === parts(text).name);
  }

  /** The texts of the agents, each with the number of lines if it can find several. */
  texts() {
    return this.wish.agents.map((text) => {
      const kind = this.kinds.find((known) => known.name === parts(text).name);
      const several = kind?.options.some((option) => option.name === "lines") && optionOf(text, "lines") === null;
      return several && this.wish.lines > 1 ? withOption(text, "lines", String(this.wish.lines)) : text;
    });
  }

  /** @param {Partial<Wish>} change */
  change(change) {
    this.wish = { ...this.wish, ...change };
    try {
      localStorage.setItem(NAME, JSON.stringify(this.wish));
    } catch {
      // Only a preference is lost.
    }
    this.show();
    this.onChange(this.wish);
  }

  /** @param {number} at @param {string} text */
  setAgent(at, text) {
    const agents = [...this.wish.agents];
    agents[at] = text.trim() || "engine";
    this.change({ agents });
  }

  show() {
    const { on, lines, values, arrows } = this.wish;
    this.power.setAttribute("aria-pressed", String(on));
    this.power.classList.toggle("primary", on);
    this.lines.value = String(Math.min(Math.max(lines, 1), MOST_LINES));
    this.values.setAttribute("aria-pressed", String(values));
    this.arrows.setAttribute("aria-pressed", String(arrows));
    if (this.details.open) this.drawRows();
  }

  /** Draws the agents, unless somebody is typing there. */
  drawRows() {
    const focused = this.rows.contains(document.activeElement) ? document.activeElement?.getAttribute("data-key") : null;
    const { agents } = this.wish;
    const second = agents.length < 2
      ? button("Add a second agent", () => this.change({ agents: [...agents, "mcts"].slice(0, 2) }), { class: "small", data: { action: "second" } })
      : button("Remove the second agent", () => this.change({ agents: agents.slice(0, 1) }), { class: "small", data: { action: "alone" } });
    fill(this.rows, ...agents.map((text, at) => this.row(text, at)), second);
    if (focused) /** @type {HTMLElement | null} */ (this.rows.querySelector(`[data-key="${focused}"]`))?.focus();
  }

  /**
   * @param {string} text
   * @param {number} at
   */
  row(text, at) {
    const { name } = parts(text);
    const kind = this.kinds.find((known) => known.name === name);
    const offered = this.kinds.filter((known) => OFFERED.includes(known.name) || known.name === name);
    const [pickId, textId] = [freshId(), freshId()];
    const pick = /** @type {HTMLSelectElement} */ (el("select", { id: pickId, data: { field: `agent-${at}`, key: `pick-${at}` }, on: { change: () => this.setAgent(at, pick.value) } },
      ...offered.map((known) => el("option", { value: known.name, selected: known.name === name }, known.name))));
    const written = /** @type {HTMLInputElement} */ (el("input", { type: "text", id: textId, value: text, spellcheck: "false", autocomplete: "off", data: { field: `agent-text-${at}`, key: `text-${at}` }, on: { change: () => this.setAgent(at, written.value) } }));
    const which = at === 0 ? "Agent" : "Second agent";
    return el("fieldset", { class: "analyst-choice" }, el("legend", null, which),
      el("div", { class: "row" }, el("label", { for: pickId, class: "small" }, "Kind"), pick),
      el("div", { class: "field" }, el("label", { for: textId, class: "small" }, "As text"), written),
      kind && this.switches(text, at, kind));
  }

  /**
   * @param {string} text
   * @param {number} at
   * @param {AgentKind} kind
   */
  switches(text, at, kind) {
    const boxes = kind.options.filter((option) => option.values === "on, off").map((option) => this.box(text, at, option));
    return boxes.length > 0 && el("div", { class: "switch-grid", role: "group", "aria-label": `Switches of ${kind.name}` }, ...boxes);
  }

  /**
   * @param {string} text
   * @param {number} at
   * @param {AgentOption} option
   */
  box(text, at, option) {
    const isOn = optionOf(text, option.name) ?? (option.about.includes("default off") ? "off" : "on");
    const box = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox", checked: isOn === "on", data: { switch: option.name, key: `${option.name}-${at}` },
      on: { change: () => this.setAgent(at, withOption(text, option.name, box.checked ? "on" : "off")) } }));
    return el("label", { class: "row check small", title: option.about }, box, option.name);
  }
}
