// The tree of moves as text: the main line, with variations indented below the moves that they replace.

/** @import { Position, Score } from "../api-types" */
/** @import { Node, Tree } from "./tree.js" */

import { button, el, fill } from "../dom.js";
import { moveLabel, shortMove } from "../parts/words.js";

/** Deeper variations are not indented further. */
const DEEPEST = 6;

/**
 * A piece of a line without variations in between.
 * @typedef {{ level: number, nodes: Node[] }} Segment
 */

/**
 * The tree in the order in which it is read. Nothing here is recursive: a tree may be very deep.
 * @param {Tree} tree
 * @returns {Segment[]}
 */
export function segments(tree) {
  /** @type {Segment[]} */
  const found = [];
  const open = tree.root.next.slice(0, 1).map((id) => ({ id, level: 0 }));
  while (open.length > 0) {
    const { id, level } = /** @type {{ id: number, level: number }} */ (open.pop());
    /** @type {Segment} */
    const segment = { level, nodes: [] };
    found.push(segment);
    for (let at = id; ;) {
      const node = tree.node(at);
      segment.nodes.push(node);
      const [first, ...others] = tree.node(node.parent).next;
      const variations = first === at ? others : [];
      const [next] = node.next;
      if (variations.length > 0) {
        if (next !== undefined) open.push({ id: next, level });
        for (const other of variations.reverse()) open.push({ id: other, level: level + 1 });
        break;
      }
      if (next === undefined) break;
      at = next;
    }
  }
  return found;
}

/**
 * The number before a move: "3." for the first seat's, "3…" for another's where a line begins.
 * @param {number} ply  from 1
 * @param {number} seats
 * @param {boolean} begins  whether a number is needed
 */
export function numberWords(ply, seats, begins) {
  const round = Math.floor((ply - 1) / seats) + 1;
  const place = (ply - 1) % seats;
  if (place === 0) return `${round}.`;
  return begins ? `${round}${"…".repeat(place)}` : "";
}

/**
 * The score after a move as it is written in texts: with two players from the first one's point of view, with
 * more from that of whoever made the move. A forced result is in moves of the player, this one included.
 * @param {Score} score  for the player who made the move
 * @param {number} seat  who that is
 * @param {number} seats
 */
export function scoreText(score, seat, seats) {
  const turned = seats === 2 && seat !== 0;
  if (typeof score === "number") return `${score < 0 === turned || score === 0 ? "+" : "−"}${(Math.abs(score) / 100).toFixed(2)}`;
  const [wins, plies] = "win_in" in score ? [true, score.win_in] : [false, score.loss_in];
  return `#${wins === turned ? "−" : ""}${Math.ceil((plies + 1) / seats)}`;
}

export class TreeView {
  /**
   * @param {Tree} tree
   * @param {Pick<Position, "labels" | "to_move">} first  the start
   * @param {(id: number) => void} onGo
   */
  constructor(tree, { labels, to_move }, onGo) {
    this.tree = tree;
    this.seats = labels;
    /** Who makes the first move. */
    this.begins = to_move ?? 0;
    this.onGo = onGo;
    /** @type {Map<number, HTMLElement>} */
    this.buttons = new Map();
    this.empty = el("p", { class: "muted" }, "Play a move on the board: it is kept here. Another move in the same place begins a variation.");
    this.list = el("div", { class: "tree", role: "group", "aria-label": "Moves and variations", data: { tree: "" } });
    this.node = el("div", { class: "moves-box tree-box" }, this.empty, this.list);
  }

  /** Draws everything anew. @param {number} current */
  draw(current) {
    const { tree } = this;
    this.buttons.clear();
    const plies = new Map([[0, 0]]);
    const opening = tree.root.comment ? [el("p", { class: "comment", data: { comment: 0 } }, tree.root.comment)] : [];
    const parts = segments(tree).map(({ level, nodes }) => {
      const part = el("div", { class: level === 0 ? "line main" : "line variation", role: "group", "aria-label": level === 0 ? "Main line" : "Variation" });
      part.style.setProperty("--level", String(Math.min(level, DEEPEST)));
      nodes.forEach((node, at) => {
        const ply = (plies.get(node.parent) ?? 0) + 1;
        plies.set(node.id, ply);
        const before = nodes[at - 1];
        part.append(...this.move(node, ply, !before || before.comment !== ""));
      });
      return part;
    });
    this.empty.hidden = parts.length > 0 || opening.length > 0;
    fill(this.list, ...opening, ...parts);
    this.mark(current);
  }

  /**
   * @param {Node} node
   * @param {number} ply
   * @param {boolean} begins
   * @returns {HTMLElement[]}
   */
  move(node, ply, begins) {
    const number = numberWords(ply, this.seats.length, begins);
    const label = shortMove(node.move);
    const mover = (this.begins + ply - 1) % this.seats.length;
    const seat = this.seats[mover] ?? "";
    const score = node.score === null ? "" : scoreText(node.score, mover, this.seats.length);
    const item = button(`${label}${node.sign}`, () => this.onGo(node.id), {
      class: `sign-${SIGN_NAMES[node.sign] ?? "none"}`, tabindex: -1, title: moveLabel(node.move),
      "aria-label": `Move ${ply}, ${seat}: ${label}${node.sign}${score && `, evaluation ${score}`}`, data: { node: node.id, move: node.move },
    });
    this.buttons.set(node.id, item);
    const shown = [withNumber(number, item)];
    if (score) {
      const whose = this.seats[this.seats.length === 2 ? 0 : mover] ?? "";
      const title = `Evaluation for ${whose}${node.depth ? `, depth ${node.depth}` : ""}${node.exact ? ", known exactly" : ""}`;
      const worth = el("span", { class: `move-score${node.exact ? " exact" : ""}`, "aria-hidden": "true", title, data: { evaluation: node.id } }, score);
      // On one line with its move.
      shown[0] = el("span", { class: "numbered" }, ...shown, worth);
    }
    if (node.comment) shown.push(el("span", { class: "comment", data: { comment: node.id } }, node.comment));
    return shown;
  }

  /** Hides what tells which moves are good. @param {boolean} hidden */
  hideAnswers(hidden) {
    this.list.classList.toggle("unanswered", hidden);
  }

  /** Marks where one is. @param {number} current */
  mark(current) {
    const before = this.list.querySelector("[aria-current]");
    before?.removeAttribute("aria-current");
    before?.setAttribute("tabindex", "-1");
    const item = this.buttons.get(current);
    if (!item) {
      this.buttons.values().next().value?.setAttribute("tabindex", "0");
      this.node.scrollTop = 0;
      return;
    }
    item.setAttribute("aria-current", "step");
    item.setAttribute("tabindex", "0");
    requestAnimationFrame(() => this.reveal(item));
  }

  /** Scrolls the list alone, never the page. @param {HTMLElement} item */
  reveal(item) {
    const [box, place] = [this.node.getBoundingClientRect(), item.getBoundingClientRect()];
    if (place.top < box.top) this.node.scrollTop += place.top - box.top - 8;
    else if (place.bottom > box.bottom) this.node.scrollTop += place.bottom - box.bottom + 8;
  }
}

/**
 * A move with its number, which stay on one line.
 * @param {string} number
 * @param {HTMLElement} move
 */
export function withNumber(number, move) {
  return number === "" ? move : el("span", { class: "numbered" }, el("span", { class: "muted number", "aria-hidden": "true" }, number), move);
}

/** @type {Record<string, string>} */
const SIGN_NAMES = { "!!": "good", "!": "good", "!?": "good", "?!": "inaccuracy", "?": "mistake", "??": "blunder" };
