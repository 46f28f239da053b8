// Learning from mistakes: one position after another in which something was lost, to find a better move.

/** @import { Review } from "../api-types" */
/** @import { Desk } from "./review-desk" */

import * as api from "../api.js";
import { button, capital, el, fill } from "../dom.js";
import { moveLabel, shortMove } from "../parts/words.js";
import { markOf } from "./curve.js";
import { sharesAfter } from "./judge.js";
import { SIGNS, betterLine, lessonsOf, lineText, percent } from "./words.js";

/** A move that costs less is right, too: from there on a review would call it an inaccuracy. */
const ALSO_RIGHT = 0.05;

/** @typedef {"found" | "later" | "shown" | "skipped"} Result */

/**
 * Whether a move is as good as the best one, given what its player can expect after either.
 * @param {number} most
 * @param {number} left
 */
export const isRight = (most, left) => most - left < ALSO_RIGHT;

/**
 * "3 of 5 found at once, 1 later, 1 shown."
 * @param {Result[]} results
 */
export function summaryWords(results) {
  const count = (/** @type {Result} */ wanted) => results.filter((result) => result === wanted).length;
  const parts = [`${count("found")} of ${results.length} found at once`];
  if (count("later") > 0) parts.push(`${count("later")} after another try`);
  if (count("shown") > 0) parts.push(`${count("shown")} shown`);
  if (count("skipped") > 0) parts.push(`${count("skipped")} skipped`);
  return `${parts.join(", ")}.`;
}

/** Goes through the mistakes of a seat, or of all. */
export class Learn {
  /**
   * @param {Desk} desk
   * @param {Review} review
   * @param {number | null} seat
   * @param {() => void} onEnd
   */
  constructor(desk, review, seat, onEnd) {
    this.desk = desk;
    this.review = review;
    this.seat = seat;
    this.onEnd = onEnd;
    /** The plies after which something was lost. */
    this.lessons = lessonsOf(review, seat);
    this.at = 0;
    /** @type {Result[]} */
    this.results = [];
    this.tries = 0;
    /** What can be expected after the best move of this lesson, once it was asked for. @type {Promise<number[]> | null} */
    this.best = null;
    /** Numbers the entered moves: only the answer to the latest counts. */
    this.asked = 0;
    this.title = el("p", { class: "learn-title" });
    this.task = el("p", { class: "task", data: { learn: "task" } });
    this.verdict = el("p", { class: "learn-verdict", role: "status", data: { learn: "open" } });
    this.buttons = el("div", { class: "row" });
    this.node = el("div", { class: "learn", role: "group", "aria-label": "Learn from mistakes", data: { part: "learn" } },
      this.title, this.task, this.verdict, this.buttons);
    this.pose();
  }

  /** The ply of the mistake that is asked about; at the end, of the last one. */
  get ply() {
    return this.lessons[Math.min(this.at, this.lessons.length - 1)] ?? 0;
  }

  /** The mistake; none at the end. */
  get lesson() {
    return this.at < this.lessons.length ? this.review.plies[this.ply] : undefined;
  }

  /** Whose mistakes these are. */
  get whose() {
    return this.seat === null ? "everybody" : (this.review.seats[this.seat] ?? "");
  }

  /** Asks for a better move than the next bad one. */
  pose() {
    const { lesson } = this;
    if (!lesson || lesson.judgement === null) return this.finish();
    [this.tries, this.best] = [0, null];
    this.title.textContent = `Mistakes of ${this.whose}: ${this.at + 1} of ${this.lessons.length}`;
    const who = capital(this.review.seats[lesson.seat ?? 0] ?? "");
    fill(this.task, markOf(lesson.judgement), ` ${who} played ${moveLabel(lesson.move ?? "")}${SIGNS[lesson.judgement]} here. Find a better move.`);
    this.challenge();
  }

  /** Shows the position before the mistake and waits for a move. */
  challenge() {
    this.asked += 1;
    this.say("Make your move on the board.", "open");
    this.offer(this.solutionButton(), this.nextButton("Skip"));
    this.desk.challenge(this.ply - 1, (text) => void this.tried(text));
  }

  /** @param {string} text */
  async tried(text) {
    const { lesson } = this;
    if (!lesson) return;
    const asked = ++this.asked;
    this.tries += 1;
    const before = this.review.plies[this.ply - 1];
    if (text === before?.best) return this.right(`${moveLabel(text)} is the best move.`);
    if (text === lesson.move) return this.wrong("That is the move that was played.");
    this.say(`Looking at ${shortMove(text)}…`, "asking");
    this.offer();
    try {
      const seat = lesson.seat ?? 0;
      const [now, atBest] = [await this.sharesOf(text), await this.sharesAtBest()];
      if (asked !== this.asked) return;
      // A search that looks one ply further may like the position less: that is not the move's fault.
      const [most, left] = [Math.min(before?.shares[seat] ?? 0.5, atBest[seat] ?? 0.5), now[seat] ?? 0.5];
      if (isRight(most, left)) this.right(`${moveLabel(text)} is about as good as the best move.`);
      else this.wrong(`${moveLabel(text)} leaves ${percent(left)}, the best move ${percent(most)}.`);
    } catch (error) {
      if (!api.isAbort(error) && asked === this.asked) this.failed(api.messageOf(error));
    }
  }

  /** @param {string} text */
  sharesOf(text) {
    const { variant, start, moves } = this.desk.game();
    const line = { variant, start, moves: [...moves.slice(0, this.ply - 1), text] };
    return sharesAfter(line, this.review.agent, this.review.nodes, this.desk.signal);
  }

  sharesAtBest() {
    const best = this.review.plies[this.ply - 1]?.best ?? "";
    this.best ??= this.sharesOf(best).catch((error) => {
      this.best = null;
      throw error;
    });
    return this.best;
  }

  /** @param {string} words */
  right(words) {
    this.results[this.at] = this.tries === 1 ? "found" : "later";
    this.say(`Right! ${words}`, "right");
    this.offer(this.nextButton(this.isLast() ? "Finish" : "Next", true), this.lineButton());
  }

  /** @param {string} words */
  wrong(words) {
    this.say(`${words} There is a better one.`, "wrong");
    this.offer(this.againButton(), this.solutionButton(), this.nextButton("Skip"));
  }

  /** @param {string} words */
  failed(words) {
    this.say(words, "failed");
    this.offer(this.againButton(), this.solutionButton(), this.nextButton("Skip"));
  }

  showSolution() {
    this.asked += 1;
    this.results[this.at] = "shown";
    const line = betterLine(this.review, this.ply);
    this.say(`The best move is ${moveLabel(line[0] ?? "")}: ${lineText(line)}`, "shown");
    this.offer(this.nextButton(this.isLast() ? "Finish" : "Next", true), this.lineButton());
    this.follow(1);
  }

  /**
   * Shows the best line, so many moves of it.
   * @param {number} moves
   */
  follow(moves) {
    this.desk.endChallenge();
    const line = betterLine(this.review, this.ply).slice(0, moves);
    if (this.desk.follow) this.desk.follow(this.ply - 1, line);
    else this.desk.look(this.ply - 1);
  }

  next() {
    this.asked += 1;
    this.results[this.at] ??= "skipped";
    this.desk.endChallenge();
    this.at += 1;
    this.pose();
  }

  isLast() {
    return this.at === this.lessons.length - 1;
  }

  /** The summary, and what can be done then. */
  finish() {
    this.title.textContent = `Mistakes of ${this.whose}`;
    fill(this.task, "Done.");
    this.say(summaryWords(this.results), "over");
    this.offer(button("Once more", () => this.restart(), { class: "small", data: { action: "learn-again" } }),
      button("Back to the review", () => this.end(), { class: "small primary", data: { action: "learn-end" } }));
  }

  restart() {
    [this.at, this.results] = [0, []];
    this.pose();
  }

  /** Goes back to the review. */
  end() {
    this.asked += 1;
    this.desk.endChallenge();
    this.onEnd();
  }

  /**
   * @param {string} text
   * @param {"open" | "asking" | "right" | "wrong" | "failed" | "shown" | "over"} state
   */
  say(text, state) {
    this.verdict.textContent = text;
    this.verdict.dataset.learn = state;
  }

  /**
   * Offers these buttons, and to leave. The focus stays among them: the button that had it may be gone.
   * @param {...HTMLButtonElement} buttons
   */
  offer(...buttons) {
    const had = this.buttons.contains(document.activeElement);
    const leave = button("Leave", () => this.end(), { class: "small quiet-text", data: { action: "learn-leave" } });
    const over = this.verdict.dataset.learn === "over";
    fill(this.buttons, ...buttons, over ? null : leave);
    if (had) this.buttons.querySelector("button")?.focus();
  }

  againButton() {
    return button("Try again", () => this.challenge(), { class: "small primary", data: { action: "learn-retry" } });
  }

  solutionButton() {
    return button("Show the solution", () => this.showSolution(), { class: "small", data: { action: "learn-solution" } });
  }

  lineButton() {
    return button("Show the line", () => this.follow(Infinity), { class: "small", data: { action: "learn-line" } });
  }

  /**
   * @param {string} label
   * @param {boolean} [primary]
   */
  nextButton(label, primary = false) {
    return button(label, () => this.next(), { class: primary ? "small primary" : "small", data: { action: "learn-next" } });
  }
}
