// The men that have left the board, of each side.

/** @import { Piece, Position } from "../api-types" */

import { drawPiece, tone } from "../board/pieces.js";
import { svg } from "../board/svg.js";
import { el } from "../dom.js";
import { isAbort } from "../api.js";

/** @import { Positions } from "./stage.js" */
/** @typedef {{ owner: number, letter: string, name: string, count: number }} Missing */

/**
 * What is missing of the first pieces, by owner and kind. A stack counts as many men as it is high. Men
 * may have become others, by promotion or in a stack: those stand for the most numerous kind.
 * @param {Piece[]} first
 * @param {Piece[]} now
 * @returns {Missing[]}
 */
export function missing(first, now) {
  const [before, after] = [menOf(first), menOf(now)];
  const owners = [...new Set(before.map((men) => men.owner))].sort((a, b) => a - b);
  return owners.flatMap((owner) => {
    const own = before.filter((men) => men.owner === owner);
    const left = (/** @type {string} */ letter) => after.find((men) => men.owner === owner && men.letter === letter)?.count ?? 0;
    const gone = own.map((men) => ({ ...men, count: men.count - left(men.letter) }));
    const made = after.filter((men) => men.owner === owner && !own.some((one) => one.letter === men.letter));
    let others = made.reduce((sum, men) => sum + men.count, 0) - gone.reduce((sum, men) => sum + Math.min(0, men.count), 0);
    const many = (/** @type {Missing} */ men) => own.find((one) => one.letter === men.letter)?.count ?? 0;
    for (const men of [...gone].sort((a, b) => many(b) - many(a))) {
      const covered = Math.max(0, Math.min(men.count, others));
      men.count -= covered;
      others -= covered;
    }
    return gone.filter((men) => men.count > 0);
  });
}

/**
 * @param {Piece[]} pieces
 * @returns {Missing[]}
 */
function menOf(pieces) {
  /** @type {Missing[]} */
  const found = [];
  for (const { owner, letter, name, height } of pieces) {
    if (owner === null) continue;
    const same = found.find((men) => men.owner === owner && men.letter === letter);
    if (same) same.count += Math.max(1, height);
    else found.push({ owner, letter, name, count: Math.max(1, height) });
  }
  return found;
}

/** Whether pieces are placed in this game. @param {Position} position */
const isPlaced = (position) => (position.scene.supplies?.length ?? 0) > 0;

/** The row of missing men below the board. */
export class Lost {
  /**
   * It is hidden in games in which nothing can be taken, or in which pieces are placed.
   * @param {Positions} positions
   * @param {Position} position
   */
  constructor(positions, position) {
    this.positions = positions;
    this.key = "";
    /** Numbers the positions: only the latest counts. */
    this.asked = 0;
    this.node = el("div", { class: "lost-men", hidden: !position.has_threats || isPlaced(position), data: { lost: "" } });
  }

  /** @param {Position} position */
  async show(position) {
    const asked = ++this.asked;
    if (this.node.hidden) return;
    try {
      const start = position.ply === 0 ? position : await this.positions.after([]);
      this.node.hidden = isPlaced(start);
      if (asked === this.asked) this.draw(position, missing(start.scene.pieces, position.scene.pieces));
    } catch (error) {
      // What is missing is not known; the board itself says when the connection is lost.
      if (!isAbort(error)) this.node.replaceChildren();
    }
  }

  /**
   * @param {Position} position
   * @param {Missing[]} lost
   */
  draw(position, lost) {
    const key = JSON.stringify(lost);
    if (key === this.key) return;
    this.key = key;
    const sides = position.seats.map((seat, owner) => {
      const men = lost.filter((one) => one.owner === owner).map((one) => manOf(position, one));
      return el("div", { class: "lost-side", role: "group", "aria-label": `Lost by ${seat}` }, ...men);
    });
    this.node.replaceChildren(...sides);
  }
}

/**
 * @param {Position} position
 * @param {Missing} men
 */
function manOf({ seats }, { owner, letter, name, count }) {
  const words = `${count} × ${seats[owner] ?? ""} ${name}`;
  const drawn = drawPiece({ cell: -1, owner, letter, name, height: 1 }, tone(seats, owner), false);
  const picture = svg("svg", { class: "board lost-man", viewBox: "-46 -46 92 96", "aria-hidden": "true" }, drawn);
  return el("span", { class: "lost-kind", role: "img", "aria-label": words, title: words, data: { piece: letter, owner, count } },
    picture, count > 1 && el("span", { class: "lost-count" }, `×${count}`));
}
