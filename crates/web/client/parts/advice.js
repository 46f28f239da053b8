// Help on request: a good move, and what the opponents threaten.

/** @import { Game } from "../api-types" */
/** @import { Board } from "../board/board.js" */
/** @import { Arrow, CellMark } from "../board/marks.js" */

import * as api from "../api.js";
import { hintWords } from "./words.js";

/** Hints and threats on a board. */
export class Advice {
  /**
   * @param {Board} board
   * @param {(text: string, kind?: "info" | "error") => void} say
   * @param {AbortSignal} signal
   */
  constructor(board, say, signal) {
    this.board = board;
    this.say = say;
    this.signal = signal;
    this.threatsOn = false;
    /** @type {AbortController | null} */
    this.search = null;
    this.searchedPly = 0;
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
   * Asks for a good move. A second call cancels a search in progress.
   * @param {Game} game
   * @param {number | null} looking
   */
  async hint(game, looking) {
    if (this.search) return this.stop();
    if (looking !== null || game.position.outcome) return this.say("Hints are only for the current position.");
    const search = new AbortController();
    this.search = search;
    this.searchedPly = game.played.length;
    this.say("Looking for a good move…");
    try {
      const found = await api.hint(game.id, game.played.length, AbortSignal.any([search.signal, this.signal]));
      if (this.search !== search) return;
      this.hinted = [{ route: found.move.routes[0] ?? [], kind: "hint" }];
      this.draw();
      this.say(hintWords(found));
    } catch (error) {
      if (!api.isAbort(error)) this.say(api.messageOf(error), "error");
    } finally {
      if (this.search === search) this.search = null;
    }
  }

  stop() {
    this.search?.abort();
    this.search = null;
    this.say("");
  }

  /**
   * @param {Game} game
   * @param {number | null} looking
   */
  async toggleThreats(game, looking) {
    this.threatsOn = !this.threatsOn;
    if (!this.threatsOn) {
      this.threatened = { arrows: [], cells: [] };
      this.draw();
      if (this.hinted.length === 0) this.say("");
    }
    await this.refresh(game, looking, true);
  }

  /**
   * A new position is on the board: drops the old hint and looks up the threats again.
   * @param {Game} game
   * @param {number | null} looking
   * @param {boolean} [aloud]  whether to say how many there are
   */
  async refresh(game, looking, aloud = false) {
    const moved = looking !== null || game.played.length !== this.searchedPly;
    if (this.search && moved) this.stop();
    if (moved) this.hinted = [];
    this.threatened = { arrows: [], cells: [] };
    const asked = ++this.asked;
    if (!this.threatsOn || game.position.outcome) return;
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
      if (aloud) this.say(threatWords(threats));
    } catch (error) {
      if (!api.isAbort(error)) this.say(api.messageOf(error), "error");
    }
  }
}

/** @param {import("../api-types").Threat[]} threats */
function threatWords(threats) {
  const [count, wins] = [threats.length, threats.filter((threat) => threat.wins).length];
  if (count === 0) return "Nothing is threatened now.";
  if (count === 1) return wins ? "One threat is shown: it wins." : "One threat is shown.";
  return `${count} threats are shown${wins ? `; ${wins === count ? "all" : wins} of them win` : ""}.`;
}
