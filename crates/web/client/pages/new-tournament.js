// The form that begins a match or a tournament. What comes out is a tournament's file; a file can also be
// dropped in.

/** @import { CatalogGame } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { button, el, fill, freshId, link } from "../dom.js";
import { countWords } from "../parts/contest.js";
import { timeWords } from "../parts/pace.js";
import { variantFields } from "../parts/variant.js";
import { Picker } from "../tournament/picker.js";
import { serverSecret } from "../parts/settings.js";
import { withSecret } from "../tournament/secret.js";
import { tournamentFile } from "../tournament/toml.js";
import { tournamentAddress } from "../tournament/words.js";

const CHECK_WAIT_MS = 400;
const LARGEST_FILE = 60_000;

const FORMATS = [["match", "Match", "Two agents, or three at a table of three, play each other."],
  ["round-robin", "Round robin", "Everybody meets everybody."], ["gauntlet", "Gauntlet", "The first agents meet all others."],
  ["swiss", "Swiss", "Rounds in which agents with equal points meet."], ["contest", "Contest", "Rounds in which agents of similar rating meet, until the ratings have settled."]];
/** A clock: per move, or for the whole game. */
const CLOCKS = [["per_move 100ms", "0.1 s a move"], ["per_move 20ms", "20 ms a move"], ["per_move 1s", "1 s a move"], ["per_move 5s", "5 s a move"],
  ["time 10s+100ms", "10 s + 0.1 s a move"], ["time 1m+1s", "1 min + 1 s a move"], ["time 5m", "5 min a game"], ["other", "Other…"]];
const OPENINGS = [["random:4", "4 random plies"], ["balanced", "Balanced set"], ["book:6", "6 plies from the book"], ["start", "Always the start"], ["random:8", "8 random plies"]];

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ signal, go }) {
  const [catalog, server] = await Promise.all([api.catalog(), api.server()]);
  const form = new Form(catalog, server, { signal, go });
  const body = [
    el("div", { class: "contest-head" }, link("/tournaments", "All tournaments", { class: "small" }), el("h1", null, "New tournament")),
    form.node,
  ];
  return { name: "new-tournament", title: "New tournament", body, under: "/tournaments" };
}

class Form {
  /**
   * @param {CatalogGame[]} catalog
   * @param {import("../api-types").Server} server
   * @param {{ signal: AbortSignal, go: (path: string) => void }} context
   */
  constructor(catalog, server, { signal, go }) {
    this.catalog = catalog;
    this.signal = signal;
    this.go = go;
    /** @type {string[]} */
    this.variants = [];
    /** The text, if it was written or dropped in and not made by the form. @type {boolean} */
    this.byHand = false;
    this.picker = new Picker(server, () => this.changed());
    this.fields = this.makeFields();
    this.variantPlace = el("div", { class: "fields" });
    this.chips = el("ul", { class: "chips" });
    this.area = el("textarea", { rows: 18, spellcheck: "false", class: "code", id: freshId(), data: { field: "file" }, on: { input: () => this.wrote() } });
    this.state = el("p", { class: "small", role: "status", data: { part: "plan" } });
    this.problem = el("p", { class: "error", role: "alert", data: { error: "plan" } });
    this.start = el("button", { type: "submit", class: "primary big", data: { action: "start" } }, "Begin");
    this.back = button("Back to the form", () => this.toForm(), { class: "small", hidden: true, data: { action: "to-form" } });
    this.form = this.layout();
    this.node = el("form", { class: "tournament-form", on: { submit: (/** @type {Event} */ event) => void this.begin(event) } }, this.form, this.side());
    const first = catalog[0];
    if (first) this.choose(first);
    this.picker.add("engine", { level: "3" });
    this.picker.add("engine", { level: "2" });
    this.takeFiles();
  }

  makeFields() {
    const text = (/** @type {string} */ name, /** @type {string} */ value, /** @type {Record<string, unknown>} */ rest = {}) =>
      el("input", { type: "text", value, id: freshId(), autocomplete: "off", data: { field: name }, on: { input: () => this.changed() }, ...rest });
    const number = (/** @type {string} */ name, /** @type {string} */ value, /** @type {number} */ min, /** @type {number} */ max) => text(name, value, { type: "number", min, max });
    const select = (/** @type {string} */ name, /** @type {string[][]} */ options) =>
      el("select", { id: freshId(), data: { field: name }, on: { change: () => this.changed() } }, ...options.map(([value, label]) => el("option", { value }, label)));
    return {
      name: text("tournament-name", nameOfToday(), { maxlength: 100, required: true }),
      clock: select("clock", CLOCKS),
      other: text("other-clock", "", { placeholder: "2m+1s, or 50ms a move" }),
      openings: select("openings", OPENINGS),
      games: number("games", "2", 1, 10_000),
      seed: number("seed", "1", 0, 4_294_967_295),
      rounds: number("rounds", "7", 1, 10_000),
      champions: number("champions", "1", 1, 100),
      groups: number("groups", "1", 1, 100),
      depth: number("depth", "", 1, 1000),
      nodes: number("nodes", "", 1, 1_000_000_000),
    };
  }

  layout() {
    const { name, clock, other, openings, games, seed, rounds, champions, groups, depth, nodes } = this.fields;
    const field = (/** @type {string} */ label, /** @type {HTMLElement} */ input, /** @type {HTMLElement[]} */ ...more) =>
      el("div", { class: "field" }, el("label", { for: input.id }, label), el("div", { class: "row nowrap" }, input, ...more));
    this.formatNote = el("p", { class: "small muted" });
    this.only = { rounds: field("Rounds", rounds), champions: field("Champions: the first so many", champions), groups: field("Groups of the leaderboard", groups) };
    this.formats = FORMATS.map(([value, label]) => el("input", { type: "radio", name: "format", value, checked: value === "round-robin", on: { change: () => this.changed() }, "aria-label": label }));
    const formats = this.formats.map((radio, at) => el("label", { class: "segment" }, radio, FORMATS[at]?.[1]));
    const games_ = this.catalog.map((game, at) => el("label", { class: "segment" },
      el("input", { type: "radio", name: "game", value: game.name, checked: at === 0, on: { change: () => this.choose(game) } }), game.title));
    const add = button("Add this board", () => this.addVariant(), { class: "small", data: { action: "add-variant" } });
    return el("div", { class: "form-parts" },
      field("Name", name),
      el("fieldset", null, el("legend", null, "Format"), el("div", { class: "segments wrap" }, ...formats), this.formatNote),
      el("div", { class: "field-row" }, this.only.rounds, this.only.champions, this.only.groups, field("Games of a meeting", games)),
      el("fieldset", null, el("legend", null, "Game"), el("div", { class: "segments wrap" }, ...games_), this.variantPlace, el("div", { class: "row" }, add, this.chips)),
      el("div", { class: "field-row" }, field("Clock", clock, other), field("Openings", openings), field("Seed", seed)),
      el("details", null, el("summary", null, "Limits of the search"), el("div", { class: "field-row" }, field("Depth in plies", depth), field("Nodes a move", nodes))),
      el("fieldset", null, el("legend", null, "Agents"), this.picker.node));
  }

  side() {
    const choose = el("input", { type: "file", accept: ".toml,text/plain", id: freshId(), class: "unseen", data: { field: "file-choice" }, on: { change: () => void this.readFile(choose.files?.[0]) } });
    return el("div", { class: "form-side" },
      el("div", { class: "card file-card" },
        el("div", { class: "row between" }, el("label", { for: this.area.id }, "The tournament's file"), this.back),
        this.area,
        el("p", { class: "small muted" }, "For ", el("code", null, "agon tournament run"), " as well. Change it here, or drop a file on this page."),
        el("div", { class: "row" }, button("Save the file", () => this.save(), { class: "small", data: { action: "save" } }),
          el("label", { class: "button small", for: choose.id }, "Open a file…"), choose)),
      this.state, this.problem,
      el("div", { class: "row" }, this.start));
  }

  /** @param {CatalogGame} game */
  choose(game) {
    this.variant = variantFields(game, () => this.changed());
    fill(this.variantPlace, ...this.variant.nodes);
    this.variants = [];
    this.game = game;
    this.changed();
    void this.seat();
  }

  /** How many players the board has decides which agents can play. */
  async seat() {
    try {
      const { seats } = await api.position({ variant: this.variant?.text() ?? "" }, this.signal);
      this.picker.seat(seats.length);
    } catch {
      // The check of the file says what is wrong.
    }
  }

  addVariant() {
    const text = this.variant?.text() ?? "";
    if (text !== "" && !this.variants.includes(text)) this.variants.push(text);
    this.changed();
  }

  /** @returns {string} */
  format() {
    return this.formats?.find((radio) => radio.checked)?.value ?? "round-robin";
  }

  /** The form was changed: the file is written again. */
  changed() {
    if (!this.only) return;
    const format = this.format();
    const known = FORMATS.find(([value]) => value === format);
    if (this.formatNote) this.formatNote.textContent = known?.[2] ?? "";
    this.only.rounds.hidden = format !== "swiss" && format !== "contest";
    this.only.champions.hidden = format !== "gauntlet";
    this.only.groups.hidden = format !== "contest";
    const { name, clock, other, openings, games, seed, rounds, champions, groups, depth, nodes } = this.fields;
    other.hidden = clock.value !== "other";
    fill(this.chips, ...this.variants.map((text) => el("li", { class: "chip" }, text, button("×", () => {
      this.variants = this.variants.filter((known) => known !== text);
      this.changed();
    }, { class: "quiet", "aria-label": `Without ${text}` }))));
    void this.seat();
    if (this.byHand) return;
    const [key, time] = clock.value === "other" ? otherClock(other.value) : clock.value.split(" ");
    this.area.value = tournamentFile({
      name: name.value.trim(), format, variants: this.variants.length > 0 ? this.variants : [this.variant?.text() ?? ""],
      time: key === "time" ? time ?? "" : "", perMove: key === "per_move" ? time ?? "" : "", depth: depth.value, nodes: nodes.value,
      games: games.value, openings: openings.value, seed: seed.value, rounds: rounds.value, champions: champions.value, groups: groups.value,
      agents: this.picker.agents(),
    });
    this.checkSoon();
  }

  /** The file was changed by hand: from now on it counts, not the form. */
  wrote() {
    this.byHand = true;
    this.back.hidden = false;
    this.form.classList.add("set-aside");
    this.form.inert = true;
    this.checkSoon();
  }

  toForm() {
    this.byHand = false;
    this.back.hidden = true;
    this.form.classList.remove("set-aside");
    this.form.inert = false;
    this.changed();
  }

  checkSoon() {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(), CHECK_WAIT_MS);
  }

  /** Asks the server what it thinks of the file. */
  async check() {
    this.asked?.abort();
    const asked = new AbortController();
    this.asked = asked;
    try {
      const plan = await api.planTournament(this.area.value, serverSecret(), AbortSignal.any([asked.signal, this.signal]));
      const time = plan.seconds === null ? "no time limit" : `at most ${timeWords(plan.seconds / 60)}`;
      this.state.textContent = `${countWords(plan.agents, "agent")}, ${countWords(plan.games, "game")} at most, ${plan.at_a_time} at a time, ${time}`;
      this.problem.textContent = "";
    } catch (error) {
      if (api.isAbort(error)) return;
      // Those who do not know the secret are asked when they begin it.
      const secret = error instanceof api.ApiError && error.code === "forbidden" && error.message.includes("secret");
      this.state.textContent = "";
      this.problem.textContent = secret && serverSecret() === "" ? "" : api.messageOf(error);
    }
  }

  /** @param {Event} event */
  async begin(event) {
    event.preventDefault();
    this.start.disabled = true;
    this.problem.textContent = "";
    try {
      const { name } = await withSecret((secret) => api.beginTournament(this.area.value, secret));
      this.go(tournamentAddress(name));
    } catch (error) {
      if (!api.isAbort(error)) this.problem.textContent = api.messageOf(error);
    } finally {
      this.start.disabled = false;
    }
  }

  save() {
    const href = URL.createObjectURL(new Blob([this.area.value], { type: "application/toml" }));
    const name = (this.fields.name.value.trim() || "tournament").replace(/[^\p{L}\p{N} _.-]/gu, "_");
    el("a", { href, download: `${name}.toml` }).click();
    window.setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }

  /** Files may be dropped anywhere on the page. */
  takeFiles() {
    const over = (/** @type {DragEvent} */ event) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    };
    document.addEventListener("dragover", over, { signal: this.signal });
    document.addEventListener("drop", (event) => {
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      void this.readFile(file);
    }, { signal: this.signal });
  }

  /** @param {File | undefined} file */
  async readFile(file) {
    if (!file) return;
    if (file.size > LARGEST_FILE) return fill(this.problem, `${file.name} is too large for a tournament's file.`);
    this.area.value = await file.text();
    this.wrote();
  }
}

/**
 * "2m+1s" is for a game, "50ms a move" or "50ms/move" for a move.
 * @param {string} text
 */
function otherClock(text) {
  const found = /^(.*?)\s*(?:a|per|\/)\s*move$/.exec(text.trim());
  return found ? ["per_move", found[1]?.trim()] : ["time", text.trim()];
}

function nameOfToday() {
  const now = new Date();
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  return `cup ${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())} ${two(now.getHours())}:${two(now.getMinutes())}`;
}
