// The form that starts a game, with a live preview of the board.

/** @import { CatalogGame, Game, NewGame, Position, Server } from "../api-types" */

import * as api from "../api.js";
import { Board } from "../board/board.js";
import { el, fill, freshId } from "../dom.js";
import { Seats } from "./seats.js";
import { coordinates, rememberSecret, serverSecret } from "./settings.js";
import { variantFields } from "./variant.js";

const CLOCKS = [["", "No clock"], ["1m+1s", "1 minute + 1 s per move"], ["3m+2s", "3 minutes + 2 s per move"],
  ["5m", "5 minutes"], ["10m+5s", "10 minutes + 5 s per move"], ["other", "Other…"]];
const PREVIEW_WAIT_MS = 200;

/** The form: game, variant, seats, clock, position. */
export class Setup {
  /**
   * @param {{ catalog: CatalogGame[], server: Server, game: CatalogGame, people: boolean, signal: AbortSignal,
   *   onGame: (game: CatalogGame) => void, onMade: (game: Game) => void }} options
   */
  constructor(options) {
    this.options = options;
    this.seats = new Seats(options.server, { people: options.people, onChange: () => this.refresh() });
    this.variantPlace = el("div", { class: "fields" });
    this.variantError = el("p", { class: "error", role: "alert", data: { error: "variant" } });
    this.formError = el("p", { class: "error", role: "alert", data: { error: "form" } });
    this.positionError = el("p", { class: "error", role: "alert", id: freshId(), data: { error: "position" } });
    this.timeError = el("p", { class: "error", role: "alert", id: freshId(), data: { error: "time" } });
    this.note = el("p", { class: "muted", data: { note: "watch" } });
    this.random = el("input", { type: "checkbox", data: { field: "random-seats" } });
    this.randomField = el("label", { class: "row check", hidden: !options.people }, this.random, "Chance decides who sits where");
    this.submit = el("button", { type: "submit", class: "primary big", data: { action: "start" } }, "Start");
    this.secret = el("input", { type: "password", autocomplete: "off", data: { field: "secret" } });
    this.secretField = el("div", { class: "field", hidden: true },
      el("label", null, "The server's secret, for agents that start programs: it printed it at the start", this.secret));
    this.position = el("input", {
      type: "text", id: freshId(), autocomplete: "off", spellcheck: "false",
      "aria-describedby": this.positionError.id, data: { field: "position" }, on: { input: () => this.previewSoon() },
    });
    this.time = el("input", {
      type: "text", placeholder: "2m+1s", "aria-label": "Time per player", hidden: true,
      "aria-describedby": this.timeError.id, data: { field: "other-time" },
    });
    this.clock = el("select", { id: freshId(), data: { field: "time" }, on: { change: () => this.showTime() } },
      ...CLOCKS.map(([value, label]) => el("option", { value }, label)));
    this.host = el("div", { class: "board-host", data: { board: "preview" } });
    this.board = new Board(this.host, { interactive: false, label: "Preview of the board" });
    /** How far the board is turned for each seat. @type {number[]} */
    this.turns = [];
    this.node = this.layout();
    this.choose(options.game);
  }

  showTime() {
    this.time.hidden = this.clock.value !== "other";
    if (!this.time.hidden) this.time.focus();
  }

  layout() {
    const games = el("fieldset", { class: "pick" }, el("legend", null, "Game"),
      el("div", { class: "segments wrap" }, ...this.options.catalog.map((game) => this.gameRadio(game))));
    const clock = el("div", { class: "field" }, el("label", { for: this.clock.id }, "Clock"),
      el("div", { class: "row" }, this.clock, this.time), this.timeError);
    const position = el("details", null, el("summary", null, "Start from a position"),
      el("div", { class: "field" }, el("label", { for: this.position.id }, "Position, in the game's notation"),
        this.position, this.positionError));
    const form = el("form", { class: "setup-form", on: { submit: (/** @type {Event} */ event) => this.send(event) } },
      games, this.variantPlace, this.variantError,
      el("h2", null, "Players"), this.seats.node, this.randomField, this.secretField, clock, position, this.note, this.formError,
      el("div", { class: "row" }, this.submit));
    return el("div", { class: "setup" }, form, el("div", { class: "preview" }, this.host));
  }

  /** @param {CatalogGame} game */
  gameRadio(game) {
    const radio = el("input", {
      type: "radio", name: "game", value: game.name, checked: game === this.options.game,
      on: { change: () => this.choose(game) },
    });
    return el("label", { class: "segment" }, radio, game.title);
  }

  /** @param {CatalogGame} game */
  choose(game) {
    this.variant = variantFields(game, () => this.previewSoon());
    fill(this.variantPlace, ...this.variant.nodes);
    this.position.value = "";
    this.seats.name(game.labels);
    this.options.onGame(game);
    void this.preview();
  }

  /** Updates what depends on who plays. */
  refresh() {
    const watched = this.options.people && this.seats.onlyAgents();
    const invited = "Your friend gets a link, which plays that seat alone. You find it beside the board.";
    this.note.textContent = watched ? "Only agents: this will be a game to watch." : this.seats.friends().length > 0 ? invited : "";
    this.submit.textContent = this.seats.onlyAgents() ? "Start and watch" : "Start";
    const mayAsk = this.seats.hasText() && this.options.server.programs === "with_secret";
    this.secretField.hidden = !mayAsk || serverSecret() !== "";
    this.turnPreview();
  }

  /** The board is seen from the first person's seat. */
  turnPreview() {
    const person = this.seats.choices().findIndex((seat) => seat.kind === "human");
    this.board?.setView({ turn: this.turns[Math.max(person, 0)] ?? 0, coordinates: coordinates() });
  }

  previewSoon() {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.preview(), PREVIEW_WAIT_MS);
  }

  /** Shows the chosen board; an earlier request is cancelled. */
  async preview() {
    this.asked?.abort();
    const asked = new AbortController();
    this.asked = asked;
    const text = this.position.value.trim();
    try {
      const signal = AbortSignal.any([asked.signal, this.options.signal]);
      const position = await api.position({ variant: this.variant?.text() ?? "", position: text || null }, signal);
      if (!asked.signal.aborted) this.showPreview(position);
    } catch (error) {
      if (api.isAbort(error)) return;
      const place = text === "" ? this.variantError : this.positionError;
      place.textContent = api.messageOf(error);
    }
  }

  /** @param {Position} position */
  showPreview(position) {
    this.variantError.textContent = "";
    this.positionError.textContent = "";
    this.turns = position.turns;
    this.seats.name(position.labels);
    this.turnPreview();
    void this.board.show(position);
  }

  /** @param {Event} event */
  async send(event) {
    event.preventDefault();
    this.seats.clearErrors();
    this.timeError.textContent = "";
    this.formError.textContent = "";
    this.submit.disabled = true;
    const secret = this.secret.value.trim() || serverSecret();
    try {
      const made = await api.createGame(this.wanted(), secret);
      if (!this.secretField.hidden && secret) rememberSecret(secret);
      this.options.onMade(made);
    } catch (error) {
      this.complain(api.messageOf(error));
      if (error instanceof api.ApiError && error.code === "forbidden") this.askForSecret();
    } finally {
      this.submit.disabled = false;
    }
  }

  /** The secret was wrong, or there was none. A server that starts again has another one. */
  askForSecret() {
    rememberSecret("");
    this.refresh();
    if (!this.secretField.hidden) this.secret.focus();
  }

  /** @returns {NewGame} */
  wanted() {
    const time = this.clock.value === "other" ? this.time.value.trim() : this.clock.value;
    return {
      variant: this.variant?.text() ?? "",
      position: this.position.value.trim() || undefined,
      seats: this.seats.choices(),
      friends: this.seats.friends(),
      random_seats: this.random.checked,
      time: time || undefined,
    };
  }

  /**
   * Shows the server's message at the field it names.
   * @param {string} message
   */
  complain(message) {
    const time = this.time.value.trim();
    if (this.clock.value === "other" && (time === "" || message.includes(time))) this.timeError.textContent = message;
    else if (!this.seats.complain(message)) this.formError.textContent = message;
  }
}
