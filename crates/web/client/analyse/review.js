// The review of a game: begins one on the server, follows it, and shows what it found.

/** @import { Review, ReviewState, ReviewWanted } from "../api-types" */
/** @import { Desk } from "./review-desk" */

import * as api from "../api.js";
import { button, el, fill } from "../dom.js";
import { progressBar } from "../parts/bar.js";
import { numberText } from "../parts/contest.js";
import { announce } from "../parts/notices.js";
import * as calls from "./calls.js";
import { Learn } from "./learn.js";
import { Report } from "./report.js";
import { leftWords, progressWords } from "./words.js";

/** How many nodes are searched in every position. */
const BUDGETS = /** @type {const} */ ([["Quick", 20_000], ["Normal", 100_000], ["Thorough", 500_000]]);
const USUAL = 100_000;
const FIRST_WAIT_MS = 300;
const WAIT_MS = 1000;
const LONGEST_WAIT_MS = 8000;
/** How often a review is begun anew that the server has lost. */
const MOST_BEGUN = 3;

/** Where the tab remembers which review was begun, so that a reload finds it. */
const MEMORY = "agon.review";

/**
 * A short name of a game, the same for the same moves.
 * @param {Omit<ReviewWanted, "nodes">} game
 */
export function nameOf({ variant, start, moves, opening }) {
  const text = [variant, start ?? "", opening, ...moves].join("\n");
  let hash = 5381;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 33) ^ text.charCodeAt(at)) >>> 0;
  return `${moves.length}-${hash.toString(36)}`;
}

/** The card with everything about the review. */
export class ReviewPanel {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.nodes = USUAL;
    /** @type {Report | null} */
    this.report = null;
    /** The game that was reviewed. */
    this.reviewed = "";
    /** @type {Learn | null} */
    this.learn = null;
    /** Ends what is under way. @type {AbortController | null} */
    this.running = null;
    this.status = el("p", { class: "small muted", role: "status", data: { status: "review" } });
    this.changed = el("p", { class: "small review-changed", hidden: true }, "The game has changed since this review. ",
      button("Review it again", () => void this.begin(), { class: "small", data: { action: "review-again" } }));
    this.body = el("div", { class: "review-body" });
    this.node = el("section", { class: "card review", data: { part: "review" } }, el("h2", null, "Review"), this.changed, this.body, this.status);
    this.ask();
    const remembered = this.remembered();
    if (remembered !== null) {
      this.nodes = remembered;
      void this.begin();
    }
  }

  /**
   * The position after so many moves of the game is shown; null if it is in a variation.
   * @param {number | null} ply
   */
  show(ply) {
    this.report?.show(ply);
    const stale = this.report !== null && nameOf(this.desk.game()) !== this.reviewed;
    this.changed.hidden = !stale || this.learn !== null;
  }

  /**
   * The form.
   * @param {string} [problem]
   */
  ask(problem = "") {
    const budgets = BUDGETS.map(([name, nodes]) => el("label", { class: "segment" },
      el("input", { type: "radio", name: "review-nodes", value: nodes, checked: nodes === this.nodes, on: { change: () => { this.nodes = nodes; } } }), name));
    fill(this.body,
      el("p", { class: "muted small" }, "The engine looks at every position of the game: the course of the game, how well everybody played, and where something was lost."),
      el("fieldset", null, el("legend", { class: "unseen" }, "How thorough"), el("div", { class: "segments wrap" }, ...budgets)),
      el("p", { class: "error", role: "alert", data: { error: "review" } }, problem),
      el("div", { class: "row" },
        button(problem ? "Try again" : "Review the game", () => void this.begin(), { class: "primary", data: { action: "review" } }),
        this.report && button("Back", () => this.present(), { data: { action: "review-back" } })));
    this.status.textContent = "";
  }

  /** Begins the review, or finds it if it was begun before. */
  async begin() {
    const { names: _, ...game } = this.desk.game();
    if (game.moves.length === 0) return this.ask("There are no moves to review yet.");
    this.stop();
    const running = new AbortController();
    this.running = running;
    const signal = AbortSignal.any([running.signal, this.desk.signal]);
    const wanted = { ...game, nodes: this.nodes };
    this.remember(`${this.nodes} ${nameOf(game)}`);
    this.changed.hidden = true;
    this.status.textContent = "Beginning…";
    try {
      const review = await this.follow(wanted, signal);
      if (!signal.aborted) this.done(review, nameOf(game));
    } catch (error) {
      if (api.isAbort(error) || signal.aborted) return;
      this.remember(null);
      this.ask(api.messageOf(error));
    } finally {
      if (this.running === running) this.running = null;
    }
  }

  /**
   * Waits for a review. One that the server has lost by a restart is begun again.
   * @param {ReviewWanted} wanted
   * @param {AbortSignal} signal
   * @returns {Promise<Review>}
   */
  async follow(wanted, signal) {
    let state = await calls.review(wanted, signal);
    const since = { at: Date.now(), done: state.done };
    let begun = 1;
    for (let wait = FIRST_WAIT_MS; !state.review; wait = WAIT_MS) {
      if (state.problem) throw new Error(state.problem);
      this.progress(state, leftWords(state.done - since.done, state.total - state.done, Date.now() - since.at));
      await pause(wait, signal);
      try {
        state = await this.heard(() => calls.reviewState(state.id, signal), signal);
      } catch (error) {
        const lost = error instanceof api.ApiError && error.code === "not_found" && begun < MOST_BEGUN;
        if (!lost) throw error;
        begun += 1;
        state = await calls.review(wanted, signal);
      }
    }
    return state.review;
  }

  /**
   * Asks until the server responds.
   * @template A
   * @param {() => Promise<A>} ask
   * @param {AbortSignal} signal
   * @returns {Promise<A>}
   */
  async heard(ask, signal) {
    for (let wait = WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof api.ApiError) || error.code !== "unreachable") throw error;
        this.status.textContent = "The server is not responding; trying again…";
        await pause(wait, signal);
      }
    }
  }

  /**
   * @param {ReviewState} state
   * @param {string} left
   */
  progress(state, left) {
    const words = [progressWords(state), left].filter(Boolean).join(", ");
    // The button that may have the focus stays where it is.
    if (!this.bar?.isConnected) {
      this.bar = el("div", { class: "review-progress" });
      const cancel = button("Cancel", () => void this.cancel(), { class: "small", data: { action: "review-cancel" } });
      this.replace(cancel, this.bar, el("div", { class: "row" }, cancel));
    }
    this.id = state.id;
    fill(this.bar, progressBar(state.done, Math.max(state.total, 1)));
    this.status.textContent = words;
  }

  /**
   * Shows something else. If the focus was on what is gone, it goes to the heir.
   * @param {HTMLElement} heir
   * @param {...HTMLElement} nodes
   */
  replace(heir, ...nodes) {
    const had = this.body.contains(document.activeElement);
    fill(this.body, ...nodes);
    if (had) heir.focus();
  }

  async cancel() {
    this.stop();
    this.remember(null);
    this.ask();
    this.body.querySelector("button")?.focus();
    // If it is finished meanwhile, there is nothing to cancel.
    if (this.id) await calls.cancelReview(this.id).catch(() => {});
  }

  stop() {
    this.running?.abort();
    this.running = null;
  }

  /**
   * @param {Review} review
   * @param {string} name
   */
  done(review, name) {
    if (this.learn) this.endLearning();
    this.reviewed = name;
    this.desk.annotate(review);
    this.report = new Report(this.desk, review, (seat) => this.teach(seat));
    this.present();
    announce("The review is finished.");
  }

  present() {
    const { report } = this;
    if (!report) return this.ask();
    this.replace(report.curve.slider, report.node);
    const { agent, nodes } = report.review;
    fill(this.status, `${numberText(nodes)} nodes in every position, by ${agent}. `,
      button("Another budget", () => this.ask(), { class: "small quiet-text", data: { action: "review-change" } }));
    this.show(this.desk.ply());
  }

  /**
   * Goes through mistakes. The report is hidden meanwhile: it has the answers.
   * @param {number | null} seat
   */
  teach(seat) {
    if (!this.report) return;
    this.learn = new Learn(this.desk, this.report.review, seat, () => this.endLearning());
    this.changed.hidden = true;
    fill(this.body, this.learn.node);
    this.status.textContent = "";
    this.learn.node.querySelector("button")?.focus();
  }

  endLearning() {
    const { learn } = this;
    this.learn = null;
    this.present();
    if (learn) this.desk.look(learn.ply);
  }

  /** @param {string | null} text */
  remember(text) {
    try {
      if (text === null) sessionStorage.removeItem(MEMORY);
      else sessionStorage.setItem(MEMORY, text);
    } catch {
      // A reload forgets the review; the server does not.
    }
  }

  /** The nodes of the review of this game that was begun before; null if there is none. */
  remembered() {
    try {
      const [nodes, name] = (sessionStorage.getItem(MEMORY) ?? "").split(" ");
      return name === nameOf(this.desk.game()) ? Number(nodes) || null : null;
    } catch {
      return null;
    }
  }
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = window.setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      window.clearTimeout(timer);
      reject(new DOMException("left", "AbortError"));
    }, { once: true });
  });
}
