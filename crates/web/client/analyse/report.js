// A finished review: the course of the game, how everybody played, and where something was lost.

/** @import { Judgement, PlayerReview, Review } from "../api-types" */
/** @import { Desk } from "./review-desk" */

import { button, capital, el } from "../dom.js";
import { swatch } from "../parts/players.js";
import { moveLabel, shortMove } from "../parts/words.js";
import { ReviewCurve, markOf } from "./curve.js";
import { JUDGEMENTS, SIGNS, accuracyText, betterLine, costWords, countOf, countText, decidedWords, lessonsOf, lineText, nextOf, phaseName, phaseWords,
  turningPoints } from "./words.js";

/** The report on a game. */
export class Report {
  /**
   * @param {Desk} desk
   * @param {Review} review
   * @param {(seat: number | null) => void} onLearn
   */
  constructor(desk, review, onLearn) {
    this.desk = desk;
    this.review = review;
    this.onLearn = onLearn;
    this.names = desk.game().names;
    this.curve = new ReviewCurve(review, desk.first.seats, (ply) => desk.look(ply), desk.signal);
    this.playOn = button("Try again from here", () => this.tryAgain(), { class: "small", data: { action: "try-again" } });
    /** The rows of the turning points, by ply. @type {Map<number, HTMLElement>} */
    this.rows = new Map(turningPoints(review).map((at) => [at, this.turningPoint(at)]));
    this.list = el("ol", { class: "turning-points" }, ...this.rows.values());
    this.box = el("div", { class: "turning-box", tabindex: 0, role: "group", "aria-label": "Turning points" }, this.list);
    this.node = el("div", { class: "review-report" },
      this.curve.node,
      el("div", { class: "row" }, this.playOn),
      el("ul", { class: "review-players", "aria-label": "How everybody played" }, ...review.players.map((player) => this.player(player))),
      this.learning(),
      this.phases(),
      el("p", { class: "small", data: { decided: "" } }, decidedWords(review)),
      el("h3", null, "Turning points"),
      this.rows.size > 0 ? this.box : el("p", { class: "muted" }, "Nobody lost much by any move."));
    this.show(desk.ply());
  }

  /**
   * The position after so many moves is shown; null if it is not of the game.
   * @param {number | null} ply
   */
  show(ply) {
    this.curve.show(ply);
    const over = ply !== null && this.review.plies[ply]?.best === null;
    this.playOn.disabled = ply === null || over;
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = ply === null ? undefined : this.rows.get(ply);
    if (!row) return;
    row.setAttribute("aria-current", "step");
    // Scrolls the list alone, never the page.
    const [box, place] = [this.box.getBoundingClientRect(), row.getBoundingClientRect()];
    if (place.top < box.top || place.bottom > box.bottom) this.box.scrollTop += place.top - box.top - 8;
  }

  tryAgain() {
    const ply = this.desk.ply();
    if (ply !== null) this.desk.playOn(ply);
  }

  /** @param {number} seat */
  nameOf(seat) {
    const label = capital(this.review.seats[seat] ?? "");
    const name = this.names[seat];
    return name && capital(name) !== label ? [el("strong", null, name), el("span", { class: "muted" }, label)] : [el("strong", null, label)];
  }

  /** @param {PlayerReview} player */
  player(player) {
    const { seat, accuracy } = player;
    return el("li", { data: { seat } },
      el("div", { class: "row" }, swatch(this.desk.first.seats, seat), ...this.nameOf(seat),
        el("span", { class: "review-accuracy" }, el("strong", { data: { accuracy: seat } }, accuracyText(accuracy)), " accuracy")),
      el("div", { class: "row review-counts" }, ...[...JUDGEMENTS].reverse().map((judgement) => this.count(player, judgement))));
  }

  /**
   * A button that goes to the next such move of the player, and after the last one to the first.
   * @param {PlayerReview} player
   * @param {Judgement} judgement
   */
  count(player, judgement) {
    const { seat } = player;
    const words = countText(player, judgement);
    if (countOf(player, judgement) === 0) return el("span", { class: "muted small review-none" }, words);
    const plies = turningPoints(this.review, { seat, judgement });
    const go = () => {
      const next = nextOf(plies, this.desk.ply() ?? this.curve.at);
      if (next !== null) this.desk.look(next);
    };
    const label = `${words} of ${this.review.seats[seat] ?? ""}: show the next`;
    const found = button(markOf(judgement), go, { class: "small", "aria-label": label, title: "Show the next", data: { judgement, seat } });
    found.append(words);
    return found;
  }

  /** A button for everybody who can learn something. */
  learning() {
    const { review } = this;
    const able = review.players.filter(({ seat }) => lessonsOf(review, seat).length > 0);
    if (able.length === 0) return null;
    const choices = able.map(({ seat }) => /** @type {[number | null, string]} */ ([seat, capital(review.seats[seat] ?? "")]));
    if (able.length > 1) choices.push([null, "All"]);
    return el("div", { class: "row", role: "group", "aria-label": "Learn from mistakes" },
      el("span", { class: "review-learn" }, "Learn from the mistakes of"),
      ...choices.map(([seat, name]) => button(name, () => this.onLearn(seat), { class: "small", data: { action: "learn", learner: seat ?? "all" } })));
  }

  phases() {
    const { phases, seats } = this.review;
    if (phases.length === 0) return null;
    return el("table", { class: "review-phases" },
      el("caption", { class: "unseen" }, "Accuracy in the parts of the game"),
      el("thead", null, el("tr", null, el("th", { scope: "col" }, "Accuracy"),
        ...seats.map((name) => el("th", { scope: "col", class: "number" }, capital(name))))),
      el("tbody", null, ...phases.map((phase) => el("tr", null,
        el("th", { scope: "row", "aria-label": phaseWords(phase) }, phaseName(phase), el("span", { class: "muted" }, ` ${phase.from}–${phase.to}`)),
        ...phase.accuracy.map((accuracy) => el("td", { class: "number" }, accuracyText(accuracy)))))));
  }

  /** @param {number} at */
  turningPoint(at) {
    const { move, seat, judgement } = /** @type {Review["plies"][number]} */ (this.review.plies[at]);
    const line = betterLine(this.review, at);
    const named = judgement ?? "inaccuracy";
    const jump = button(`${at}. ${shortMove(move ?? "")}${SIGNS[named]}`, () => this.desk.look(at), {
      class: "quiet-text", title: moveLabel(move ?? ""), data: { turn: at },
    });
    return el("li", { data: { judgement: named } },
      el("div", { class: "row" }, markOf(named), swatch(this.desk.first.seats, seat ?? 0), jump,
        el("span", { class: "unseen" }, `${this.review.seats[seat ?? 0] ?? ""}, ${named}`),
        el("span", { class: "small muted turning-cost" }, costWords(this.review, at))),
      line.length > 0 && el("div", { class: "small turning-better" },
        el("span", null, el("span", { class: "muted" }, "Better: "), lineText(line)),
        button("Show", () => this.showBetter(at), { class: "small", "aria-label": `Show what is better than move ${at}: ${shortMove(line[0] ?? "")}`, data: { better: at } })));
  }

  /** @param {number} at */
  showBetter(at) {
    if (this.desk.follow) this.desk.follow(at - 1, betterLine(this.review, at).slice(0, 1));
    else this.desk.look(at - 1);
  }
}
