// Help on request, in any position of the game: a good move, an evaluation, and what the opponents threaten.

/** @import { Game, Hint, Threat } from "../api-types" */
/** @import { Board } from "../board/board.js" */
/** @import { Arrow, CellMark } from "../board/marks.js" */
/** @import { Message } from "./message.js" */
/** @typedef {"hint" | "evaluation"} Question */

import * as api from "../api.js";
import { evaluationLine } from "./evaluation.js";
import { hintWords } from "./words.js";

const MOST_KEPT = 100;

/** Hints, evaluations and threats on a board. */
export class Advice {
  /**
   * @param {Board} board
   * @param {Message} message
   * @param {AbortSignal} signal
   */
  constructor(board, message, signal) {
    this.board = board;
    this.message = message;
    this.signal = signal;
    this.threatsOn = false;
    /** The position that is shown, as the moves that lead to it. */
    this.shown = "";
    /** The search in progress, and what it is for. @type {{ stop: AbortController, questions: Set<Question> } | null} */
    this.search = null;
    /** What the engine said about positions: one answer has both the move and the value. @type {Map<string, Hint>} */
    this.known = new Map();
    /** What is drawn: the arrow of a hint, and those of threats. @type {Arrow[]} */
    this.hinted = [];
    /** @type {{ arrows: Arrow[], cells: CellMark[] }} */
    this.threatened = { arrows: [], cells: [] };
    /** Numbers the requests for threats: only the answer to the latest is used. */
    this.asked = 0;
  }

  /** A hint and threats can be shown together. */
  draw() {
    const { arrows, cells } = this.threatened;
    this.board.mark({ arrows: [...arrows, ...this.hinted], cells });
  }

  /**
   * Asks for a good move or an evaluation. Asking for the same again cancels the search in progress.
   * @param {Question} question
   * @param {Game} game
   * @param {number | null} looking
   */
  async ask(question, game, looking) {
    if (this.search) return this.askMore(question, this.search);
    const [ply, key] = [looking ?? game.played.length, keyOf(game, looking)];
    const known = this.known.get(key);
    if (known) return this.answer([question], known, game);
    const search = { stop: new AbortController(), questions: new Set([question]) };
    this.search = search;
    this.message.set(question, WAITING[question]);
    try {
      const found = await api.hint(game.id, ply, AbortSignal.any([search.stop.signal, this.signal]));
      if (this.search !== search) return;
      if (this.known.size >= MOST_KEPT) this.known.clear();
      this.known.set(key, found);
      this.answer([...search.questions], found, game);
    } catch (error) {
      if (api.isAbort(error) || this.search !== search) return;
      for (const one of search.questions) this.message.set(one, api.messageOf(error), "error");
    } finally {
      if (this.search === search) this.search = null;
    }
  }

  /**
   * @param {Question} question
   * @param {{ questions: Set<Question> }} search
   */
  askMore(question, { questions }) {
    if (!questions.delete(question)) questions.add(question);
    this.message.set(question, questions.has(question) ? WAITING[question] : "");
    if (questions.size === 0) this.stop();
  }

  /**
   * @param {Question[]} questions
   * @param {Hint} found
   * @param {Game} game
   */
  answer(questions, found, game) {
    if (questions.includes("evaluation")) {
      const { score } = found;
      this.message.set("evaluation", score ? evaluationLine(score, game.position.seats) : "The engine plays this from its book: there is no evaluation.");
    }
    if (!questions.includes("hint")) return;
    this.hinted = [{ route: found.move.routes[0] ?? [], kind: "hint" }];
    this.draw();
    this.message.set("hint", hintWords(found));
  }

  /** Cancels the search, and forgets what was said about the position. */
  stop() {
    this.search?.stop.abort();
    this.search = null;
    this.hinted = [];
    this.message.set("hint", "");
    this.message.set("evaluation", "");
  }

  /**
   * @param {Game} game
   * @param {number | null} looking
   */
  async toggleThreats(game, looking) {
    this.threatsOn = !this.threatsOn;
    if (!this.threatsOn) {
      this.threatened = { arrows: [], cells: [] };
      this.message.set("threats", "");
      this.draw();
    }
    await this.refresh(game, looking);
  }

  /**
   * A position is on the board: if it is another one, drops what was said about the last. Looks up the
   * threats again.
   * @param {Game} game
   * @param {number | null} looking
   */
  async refresh(game, looking) {
    const key = keyOf(game, looking);
    if (key !== this.shown) this.stop();
    this.shown = key;
    this.threatened = { arrows: [], cells: [] };
    const asked = ++this.asked;
    if (!this.threatsOn) return;
    const moves = game.played.slice(0, looking ?? game.played.length).map((move) => move.text);
    try {
      const { variant, start } = game.position;
      const threats = await api.threats({ variant, position: start, moves }, this.signal);
      if (asked !== this.asked) return;
      this.threatened = {
        arrows: threats.map((move) => ({ route: move.routes[0] ?? [], kind: "threat" })),
        cells: threats.flatMap((move) => move.removes.map((cell) => ({ cell, kind: "threat" }))),
      };
      this.draw();
      this.message.set("threats", threatWords(threats));
    } catch (error) {
      if (!api.isAbort(error)) this.message.set("threats", api.messageOf(error), "error");
    }
  }
}

/** @type {Record<Question, string>} */
const WAITING = { hint: "Looking for a good move…", evaluation: "Evaluating the position…" };

/**
 * @param {Game} game
 * @param {number | null} looking
 */
function keyOf(game, looking) {
  return game.played.slice(0, looking ?? game.played.length).map((move) => move.text).join(" ");
}

/** @param {Threat[]} threats */
function threatWords(threats) {
  const [count, wins] = [threats.length, threats.filter((threat) => threat.wins).length];
  if (count === 0) return "Nothing is threatened now.";
  if (count === 1) return wins ? "One threat is shown: it wins." : "One threat is shown.";
  return `${count} threats are shown${wins ? `; ${wins === count ? "all" : wins} of them win` : ""}.`;
}
