// Brings a board to the position that should be shown, one position after another.

/** @import { Position, PositionQuery } from "../api-types" */
/** @import { Board } from "../board/board.js" */

import * as api from "../api.js";

/**
 * What should be shown: the position after these moves.
 * @typedef {{ moves: string[], position?: Position, mine: number[], catchUp?: boolean }} Sight
 */

const MOST_CAUGHT_UP = 3;
const MOST_KEPT = 400;

/** The positions of one game, read on demand and cached. */
export class Positions {
  /**
   * @param {string} variant
   * @param {string | null} start
   * @param {AbortSignal} signal
   * @param {Position | null} [known] any position of the game
   */
  constructor(variant, start, signal, known = null) {
    this.query = { variant, position: start };
    this.signal = signal;
    this.known = known;
    /** @type {Map<string, Promise<Position>>} */
    this.kept = new Map();
  }

  /** @param {string[]} moves */
  after(moves) {
    const key = moves.join(" ");
    const known = this.kept.get(key);
    if (known) return known;
    if (this.kept.size >= MOST_KEPT) this.kept.clear();
    const asked = this.ask({ ...this.query, moves });
    asked.catch(() => this.kept.delete(key));
    this.kept.set(key, asked);
    return asked;
  }

  /** @param {PositionQuery} query */
  async ask(query) {
    if (this.known) return api.positionLike(this.known, query, this.signal);
    return (this.known = await api.position(query, this.signal));
  }
}

/** A board and what should be on it. */
export class Stage {
  /**
   * @param {Board} board
   * @param {Positions} positions
   * @param {(position: Position) => void} onShown
   */
  constructor(board, positions, onShown) {
    this.board = board;
    this.positions = positions;
    this.onShown = onShown;
    /** @type {string[] | null} */
    this.shown = null;
    /** @type {Sight | null} */
    this.wanted = null;
    /** @type {Promise<void> | null} */
    this.running = null;
  }

  /**
   * Shows this next, in place of anything not yet shown. Resolves when the board is at rest.
   * @param {Sight} sight
   * @returns {Promise<void>}
   */
  want(sight) {
    this.wanted = sight;
    this.running ??= this.run().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  async run() {
    while (this.wanted) {
      const sight = this.wanted;
      this.wanted = null;
      for (const moves of this.between(sight)) {
        if (this.wanted) break;
        await this.show(await this.positions.after(moves), { ...sight, moves, mine: [] });
      }
      if (this.wanted) continue;
      await this.show(sight.position ?? (await this.positions.after(sight.moves)), sight);
    }
  }

  /**
   * @param {Position} position
   * @param {Sight} sight
   */
  async show(position, sight) {
    this.shown = sight.moves;
    await this.board.show(position, { animate: !document.hidden, mine: sight.mine });
    this.onShown(position);
  }

  /**
   * Several moves that arrived at once are shown one by one if they are few.
   * @param {Sight} sight
   */
  between({ moves, catchUp }) {
    const shown = this.shown;
    if (!catchUp || !shown || document.hidden) return [];
    const missing = moves.length - shown.length;
    if (missing < 2 || missing > MOST_CAUGHT_UP || !shown.every((text, at) => text === moves[at])) return [];
    return Array.from({ length: missing - 1 }, (_, at) => moves.slice(0, shown.length + at + 1));
  }
}
