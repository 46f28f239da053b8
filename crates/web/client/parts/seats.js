// The players of a new game: a person, a friend who gets a link, the computer at a level, or any agent by
// its text.

/** @import { AgentKind, SeatChoice, Server } from "../api-types" */

import { capital, el, fill, freshId } from "../dom.js";
import { levelAgent, levelWord } from "./words.js";

/** @typedef {"person" | "friend" | "level" | "text"} Kind */
/** @typedef {{ kind: Kind, level: number, text: string }} Seat */

const FIRST_LEVEL = 3;

/** The seats of a form. Choices are kept when the board changes. */
export class Seats {
  /**
   * @param {Server} server
   * @param {{ people: boolean, onChange: () => void }} options
   */
  constructor(server, options) {
    this.server = server;
    this.options = options;
    /** @type {string[]} */
    this.names = [];
    /** @type {Seat[]} */
    this.seats = [];
    this.node = el("div", { class: "seats" });
  }

  /**
   * Shows seats with these names.
   * @param {string[]} names
   */
  name(names) {
    if (names.join() === this.names.join()) return;
    this.names = names;
    this.seats = names.map((_, at) => this.seats[at] ?? this.first(at));
    fill(this.node, ...names.map((name, at) => this.row(name, at)));
    this.options.onChange();
  }

  /**
   * @param {number} at
   * @returns {Seat}
   */
  first(at) {
    const kind = at === 0 && this.options.people ? "person" : "level";
    return { kind, level: Math.min(FIRST_LEVEL, this.server.levels), text: "" };
  }

  /** @returns {SeatChoice[]} */
  choices() {
    return this.seats.map((seat) => {
      if (isPerson(seat)) return { kind: "human" };
      return { kind: "agent", agent: seat.kind === "level" ? levelAgent(seat.level) : seat.text.trim() };
    });
  }

  /** The seats of friends, who get links. */
  friends() {
    return this.seats.flatMap((seat, at) => (seat.kind === "friend" ? [at] : []));
  }

  /** Whether all players are agents. */
  onlyAgents() {
    return !this.seats.some(isPerson);
  }

  /** Whether an agent is given by its text. */
  hasText() {
    return this.seats.some((seat) => seat.kind === "text");
  }

  /**
   * @param {string} name
   * @param {number} at
   */
  row(name, at) {
    const seat = /** @type {Seat} */ (this.seats[at]);
    const detail = el("div", { class: "detail" });
    const show = () => fill(detail, seat.kind === "level" && this.level(seat), seat.kind === "text" && this.text(seat, at));
    /** @type {[Kind, string][]} */
    const kinds = [["person", "Person"], ["friend", "Friend by link"], ["level", "Computer"], ["text", "Other agent"]];
    const group = freshId();
    const radios = kinds.filter(([kind]) => this.options.people || (kind !== "person" && kind !== "friend")).map(([kind, label]) => {
      const choose = () => {
        seat.kind = kind;
        show();
        this.options.onChange();
      };
      const radio = el("input", { type: "radio", name: group, value: kind, checked: seat.kind === kind, on: { change: choose } });
      return el("label", { class: "segment" }, radio, label);
    });
    show();
    return el("fieldset", { class: "seat", data: { seat: at } },
      el("legend", null, capital(name)),
      el("div", { class: "seat-row" }, el("div", { class: "segments wrap" }, ...radios), detail));
  }

  /** @param {Seat} seat */
  level(seat) {
    const { levels } = this.server;
    const words = () => `Level ${seat.level}, ${levelWord(seat.level, levels)}`;
    const output = el("output", null, words());
    const slide = () => {
      seat.level = Number(range.value);
      output.textContent = words();
      range.setAttribute("aria-valuetext", words());
    };
    const range = el("input", {
      type: "range", min: 1, max: levels, step: 1, value: seat.level, "aria-label": "Level",
      "aria-valuetext": words(), data: { field: "level" }, on: { input: slide },
    });
    return el("div", { class: "row slider" }, range, output);
  }

  /**
   * @param {Seat} seat
   * @param {number} at
   */
  text(seat, at) {
    const known = this.server.agents.filter((agent) => agent.seats.includes(this.names.length));
    const list = freshId();
    const problem = freshId();
    const input = el("input", {
      type: "text", value: seat.text, placeholder: "engine:level=5", required: true, list,
      autocomplete: "off", spellcheck: "false", "aria-label": `Agent for ${this.names[at]}`,
      "aria-describedby": problem, data: { field: "agent" },
      on: { input: () => { seat.text = input.value; } },
    });
    return el("div", { class: "agent" },
      input, el("datalist", { id: list }, ...known.map((agent) => el("option", { value: agent.name }))),
      el("p", { class: "error", id: problem, data: { error: "agent" } }),
      el("details", null, el("summary", null, "Available agents"), el("dl", { class: "agents" }, ...known.flatMap(agentHelp))));
  }

  /**
   * Shows the server's message at the field of the agent it names; false if it names none.
   * @param {string} message
   */
  complain(message) {
    const at = this.seats.findIndex((seat) => seat.kind === "text" && mentions(message, seat.text.trim()));
    const place = this.node.querySelector(`[data-seat="${at}"] [data-error=agent]`);
    if (!place) return false;
    place.textContent = message;
    return true;
  }

  clearErrors() {
    for (const place of this.node.querySelectorAll("[data-error]")) place.textContent = "";
  }
}

/** @param {Seat} seat */
const isPerson = (seat) => seat.kind === "person" || seat.kind === "friend";

/** @param {AgentKind} agent */
function agentHelp({ name, about, options }) {
  const list = options.map((option) => el("li", null,
    el("code", null, `${option.name}=${option.values}`), ` ${option.about}`));
  return [el("dt", null, el("code", null, name)),
    el("dd", null, about, list.length > 0 && el("details", null, el("summary", null, "Options"), el("ul", null, ...list)))];
}

/**
 * Whether a message names this agent: its whole text, its name, or one of its options.
 * @param {string} message
 * @param {string} text
 */
function mentions(message, text) {
  return text !== "" && text.split(/[:,]/).some((part) => part !== "" && message.includes(part));
}
