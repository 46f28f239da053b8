// The analysis of a position or a game: what the agents see, what was tried, and the review of the whole game.

/** @import { Analysis, Position, StoredAnalysis } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { Arranger } from "../analyse/arrange.js";
import * as calls from "../analyse/calls.js";
import { Desk } from "../analyse/desk.js";
import { Edit } from "../analyse/edit.js";
import { Keeper, tokenOf } from "../analyse/keep.js";
import { unpack } from "../analyse/link.js";
import { ReviewPanel } from "../analyse/review.js";
import { Saving } from "../analyse/saving.js";
import { startPage } from "../analyse/start.js";
import { lineDocument } from "../analyse/tree.js";
import { button, el, fill, link } from "../dom.js";
import { swatch } from "../parts/players.js";
import { rememberGame } from "../parts/settings.js";

/** What is opened: the tree, and where in it one begins. @typedef {{ document: Analysis, stored: StoredAnalysis | null, ply: number | null, review: boolean }} Opened */

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open(context) {
  const { signal } = context;
  // A link that carries a tree, opened while a page of this kind is shown, changes only the fragment.
  window.addEventListener("hashchange", () => location.hash.startsWith("#tree=") && context.again(), { signal });
  const opened = await find(context);
  if (!opened) return startPage(context);
  const { document, stored } = opened;
  const [first, server] = await Promise.all([api.position({ variant: document.variant, position: document.start ?? null }, signal), api.server()]);
  return new AnalysisPage(context, opened, stored, first, server).page();
}

/**
 * What the address stands for; null if for nothing.
 * @param {PageContext} context
 * @returns {Promise<Opened | null>}
 */
async function find({ params, query, signal }) {
  const plain = { stored: null, ply: numberIn(query, "ply"), review: query.has("review") };
  const carried = await unpack(location.hash);
  if (carried !== null) return { ...plain, document: (await calls.readAnalysis(carried, undefined, signal)).analysis };
  const [id] = params;
  if (id) {
    const stored = await calls.analysis(id, tokenOf(id), signal);
    return { ...plain, document: stored.analysis, stored };
  }
  const [game, record, variant] = ["game", "record", "variant"].map((name) => query.get(name));
  if (game) {
    const { position, played, players } = await api.game(game, signal);
    const { variant, start } = position;
    return { ...plain, document: lineDocument({ variant, start, moves: played.map((move) => move.text), names: players.map((player) => player.name) }) };
  }
  if (record) {
    const { variant, start, moves, opening, players } = await api.record(record, signal);
    return { ...plain, document: lineDocument({ variant, start, moves, opening, names: players }) };
  }
  if (!variant) return null;
  const moves = (query.get("moves") ?? "").split(" ").filter((move) => move !== "");
  const document = lineDocument({ variant, start: query.get("position"), moves });
  // The texts of an address may be spelled in any way that can be read.
  const checked = moves.length > 0 || document.start ? (await calls.readAnalysis(JSON.stringify(document), undefined, signal)).analysis : document;
  return { ...plain, document: checked, ply: plain.ply ?? moves.length };
}

/**
 * @param {URLSearchParams} query
 * @param {string} name
 */
function numberIn(query, name) {
  const text = query.get(name);
  return text !== null && /^\d{1,5}$/.test(text) ? Number(text) : null;
}

class AnalysisPage {
  /**
   * @param {PageContext} context
   * @param {Opened} opened
   * @param {StoredAnalysis | null} stored
   * @param {Position} first
   * @param {import("../api-types").Server} server
   */
  constructor(context, opened, stored, first, server) {
    const { signal } = context;
    this.context = context;
    this.opened = opened;
    this.first = first;
    this.desk = new Desk(opened.document, first, server, { signal, onEdit: () => this.edited(), onShown: (ply) => this.moved(ply) });
    this.keeper = new Keeper(stored, {
      document: () => this.desk.tree.document(),
      onState: (state, problem) => this.saving.state(state, problem),
      onId: (id) => history.replaceState(history.state, "", `/analyse/${id}`),
    }, signal);
    this.saving = new Saving(this.desk, this.keeper, stored, context);
    this.edit = new Edit(this.desk);
    this.review = new ReviewPanel({
      signal, first,
      game: () => this.desk.game(),
      ply: () => this.desk.ply(),
      look: (ply) => this.desk.lookAt(ply),
      follow: (ply, moves) => this.desk.follow(ply, moves),
      challenge: (ply, onMove) => this.desk.challenge(ply, onMove),
      endChallenge: () => this.desk.endChallenge(),
      playOn: (ply) => void this.playFrom(this.desk.tree.mainAt(ply)),
      annotate: (review) => this.desk.annotate(review),
    });
    this.side = el("div", { class: "table-side analysis-side" });
    this.node = this.layout();
  }

  /** @returns {Page} */
  page() {
    const { desk, opened } = this;
    desk.view.draw(0);
    desk.go(opened.ply === null ? 0 : desk.tree.mainAt(opened.ply));
    if (opened.review) this.review.begin();
    const title = desk.tree.title || `Analysis of ${this.first.title}`;
    return { name: "analysis", title, body: [this.node], keys: desk.keys(), under: "/analyse" };
  }

  layout() {
    const { desk, first } = this;
    const play = button("Play from here", () => void this.playFrom(desk.at), { class: "small", data: { action: "play-on" } });
    const arrange = button("Set up", () => this.arrange(), { class: "small", title: "Set up a position by hand", data: { action: "arrange" } });
    this.arrangeButton = arrange;
    this.boardColumn = el("div", { class: "table-board" }, desk.boardNode, desk.message, desk.controls(arrange, play));
    fill(this.side,
      el("section", { class: "card engine-card", "aria-label": "Engine" }, desk.analysts.node, desk.linesNode, desk.valueList, desk.analysts.details),
      el("section", { class: "card" }, el("h2", null, "Moves"), desk.view.node, this.edit.node),
      this.saving.node);
    return el("div", { class: "table analysis" },
      el("div", { class: "table-head" }, el("h1", null, "Analysis"),
        el("span", { class: "muted" }, first.variant), link(`/rules/${first.game}`, "Rules", { target: "_blank" })),
      this.names(), this.boardColumn, this.side, el("div", { class: "analysis-below" }, this.review.node), desk.peek.node);
  }

  /** Who played, if that is known. */
  names() {
    const { names } = this.desk.tree;
    const { seats, labels } = this.first;
    return el("ul", { class: "players card", "aria-label": "Players" }, ...labels.map((label, seat) => el("li", { class: "player", data: { seat } },
      swatch(seats, seat), el("span", { class: "who" }, el("strong", null, names[seat] || label), names[seat] ? el("span", { class: "muted seat-name" }, label) : null))));
  }

  edited() {
    this.keeper.touch();
    this.edit.show();
  }

  /** @param {number | null} ply */
  moved(ply) {
    this.edit.show();
    this.saving.moved();
    if (ply !== null) this.review.show(ply);
  }

  /** Sets up another position by hand, in place of the board. */
  arrange() {
    const { desk, first, context } = this;
    desk.engine.ask(null);
    const back = () => {
      place.replaceWith(this.node);
      desk.ask();
      this.arrangeButton?.focus();
    };
    const arranger = new Arranger({
      position: desk.position,
      turn: desk.look.turn,
      signal: context.signal,
      onDone: (/** @type {string} */ text) => context.go(`/analyse?${new URLSearchParams({ variant: first.variant, position: text })}`),
      onCancel: back,
    });
    const heading = el("h1", { tabindex: -1 }, `Set up a position of ${first.title}`);
    const place = el("div", { class: "arranging" }, heading, arranger.node);
    this.node.replaceWith(place);
    heading.focus({ preventScroll: true });
  }

  /** Begins a game at a position of the tree, against the engine. @param {number} id */
  async playFrom(id) {
    const { desk, first, context } = this;
    try {
      const moves = desk.tree.moves(id);
      const { position, to_move, outcome } = await desk.positions.after(moves);
      if (outcome || to_move === null) return desk.say("The game is over here: there is nothing to play.", "error");
      const seats = first.seats.map((_, seat) => (seat === to_move ? { kind: /** @type {const} */ ("human") } : { kind: /** @type {const} */ ("agent"), agent: "engine" }));
      const made = await api.createGame({ variant: first.variant, position, seats });
      rememberGame(made.id);
      context.go(`/play/${made.id}`);
    } catch (error) {
      desk.say(api.messageOf(error), "error");
    }
  }
}
