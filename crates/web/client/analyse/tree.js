// The moves that were tried: a tree with a main line, variations, comments and signs. Node 0 is the start.

/** @import { Analysis, AnalysisNode, Review, Score } from "../api-types" */

/**
 * @typedef {object} Node
 * @property {number} id
 * @property {number} parent
 * @property {string} move  empty at the start
 * @property {string} comment
 * @property {string} sign
 * @property {Score | null} score  for the player who made the move
 * @property {number | null} depth
 * @property {boolean} exact
 * @property {number[]} next  the first is the main line
 */

export class Tree {
  /** @param {Analysis} document */
  constructor(document) {
    this.variant = document.variant;
    this.start = document.start ?? null;
    this.title = document.title ?? "";
    this.names = document.names ?? [];
    this.opening = document.opening ?? 0;
    /** Deleted nodes stay here, but no node leads to them. @type {Node[]} */
    this.nodes = [blank(0, 0, "")];
    this.root.comment = document.comment ?? "";
    for (const known of document.nodes ?? []) this.grow(known);
  }

  /** @returns {Node} */
  get root() {
    return /** @type {Node} */ (this.nodes[0]);
  }

  /** @param {AnalysisNode} known */
  grow({ parent, move, comment = "", sign = "", score = null, depth = null, exact = false }) {
    const id = this.nodes.length;
    this.nodes.push({ ...blank(id, parent, move), comment, sign, score, depth, exact });
    this.node(parent).next.push(id);
  }

  /** @param {number} id */
  node(id) {
    return this.nodes[id] ?? this.root;
  }

  /**
   * The nodes from the first move to this one.
   * @param {number} id
   * @returns {Node[]}
   */
  path(id) {
    const path = [];
    for (let at = this.node(id); at.id !== 0; at = this.node(at.parent)) path.push(at);
    return path.reverse();
  }

  /** The moves that lead to a node. @param {number} id */
  moves(id) {
    return this.path(id).map((node) => node.move);
  }

  /** The node that these moves lead to; null if they were not tried. @param {string[]} moves @returns {number | null} */
  find(moves) {
    let at = 0;
    for (const move of moves) {
      const next = this.node(at).next.find((id) => this.node(id).move === move);
      if (next === undefined) return null;
      at = next;
    }
    return at;
  }

  /** Whether a node is still there. @param {number} id */
  holds(id) {
    return this.path(id).every((node) => this.node(node.parent).next.includes(node.id));
  }

  /** How many moves lead to a node. @param {number} id */
  ply(id) {
    return this.path(id).length;
  }

  /** The first continuation, or the node itself at the end. @param {number} id */
  forward(id) {
    return this.node(id).next[0] ?? id;
  }

  /** The end of the line that goes on from a node. @param {number} id */
  end(id) {
    let at = id;
    while (this.forward(at) !== at) at = this.forward(at);
    return at;
  }

  /** The nodes of the main line, without the start. @returns {Node[]} */
  mainLine() {
    return this.path(this.end(0));
  }

  /** @param {number} id */
  isMain(id) {
    return this.path(id).every((node) => this.node(node.parent).next[0] === node.id);
  }

  /** The node of the main line after so many moves. @param {number} ply */
  mainAt(ply) {
    return ply <= 0 ? 0 : (this.mainLine()[ply - 1]?.id ?? this.end(0));
  }

  /**
   * Plays a move: goes to the node that it leads to, which is new if the move was not tried yet.
   * @param {number} from
   * @param {string} move
   * @returns {{ id: number, isNew: boolean }}
   */
  play(from, move) {
    const known = this.node(from).next.find((id) => this.node(id).move === move);
    if (known !== undefined) return { id: known, isNew: false };
    this.grow({ parent: from, move });
    return { id: this.nodes.length - 1, isNew: true };
  }

  /**
   * Makes the variation that a node is in the main one at the place where it branches off.
   * @param {number} id
   * @returns {boolean} whether anything changed
   */
  promote(id) {
    const branch = this.path(id).reverse().find((node) => this.node(node.parent).next[0] !== node.id);
    if (!branch) return false;
    const siblings = this.node(branch.parent).next;
    siblings.splice(siblings.indexOf(branch.id), 1);
    siblings.unshift(branch.id);
    return true;
  }

  /**
   * Removes a move and everything after it.
   * @param {number} id
   * @returns {number} where one is then
   */
  remove(id) {
    if (id === 0) return 0;
    const { parent } = this.node(id);
    const siblings = this.node(parent).next;
    siblings.splice(siblings.indexOf(id), 1);
    return parent;
  }

  /** How many moves there are in all. */
  get size() {
    return this.ordered().length;
  }

  /** The nodes in the order of the text: the main line of each place first. @returns {Node[]} */
  ordered() {
    const found = [];
    const open = [...this.root.next].reverse();
    while (open.length > 0) {
      const node = this.node(/** @type {number} */ (open.pop()));
      found.push(node);
      open.push(...[...node.next].reverse());
    }
    return found;
  }

  /** The tree as it is stored and shared. @returns {Analysis} */
  document() {
    const kept = this.ordered();
    const numbers = new Map([[0, 0], ...kept.map((node, at) => /** @type {[number, number]} */ ([node.id, at + 1]))]);
    const nodes = kept.map(({ parent, move, comment, sign, score, depth, exact }) => {
      /** @type {AnalysisNode} */
      const node = { parent: numbers.get(parent) ?? 0, move };
      if (comment) node.comment = comment;
      if (sign) node.sign = sign;
      if (score !== null) node.score = score;
      if (depth !== null) node.depth = depth;
      if (exact) node.exact = true;
      return node;
    });
    const { variant, start, title, names, opening } = this;
    return { variant, start, title, names, opening, comment: this.root.comment, nodes };
  }

  /**
   * Puts what a review found into the tree: signs behind bad moves, better lines as variations, and scores,
   * except where somebody has noted one, which has a depth.
   * @param {Review} review
   * @returns {boolean} whether anything changed
   */
  annotate(review) {
    const main = this.mainLine();
    const before = JSON.stringify(this.document());
    review.plies.forEach((ply, at) => {
      const node = main[at - 1];
      if (!node || ply.move !== node.move) return;
      const known = ["?!", "?", "??", ""].includes(node.sign);
      if (known) node.sign = ply.judgement ? SIGNS[ply.judgement] : "";
      if (node.depth === null) {
        node.score = scoreAfter(review, at);
        node.exact = node.score !== null && ply.exact;
      }
      const better = review.plies[at - 1]?.line ?? [];
      if (!ply.judgement || better.length === 0) return;
      let from = node.parent;
      for (const move of better.slice(0, LONGEST_BETTER)) from = this.play(from, move).id;
    });
    return JSON.stringify(this.document()) !== before;
  }
}

/**
 * The score after a move of a review, for the player who made it. With more than two players, what the next
 * one thinks says little about it, so only best moves have one.
 * @param {Review} review
 * @param {number} at
 * @returns {Score | null}
 */
function scoreAfter({ plies, seats }, at) {
  const [before, ply] = [plies[at - 1], plies[at]];
  if (!before || !ply) return null;
  if (seats.length !== 2 && before.best === ply.move) return before.score === null ? null : played(before.score);
  if (ply.score === null) return null;
  if (plies[at + 1]?.seat === ply.seat) return ply.score;
  return seats.length === 2 ? negated(ply.score) : null;
}

/** The same score for the other player. @param {Score} score @returns {Score} */
export function negated(score) {
  if (typeof score === "number") return score === 0 ? 0 : -score;
  return "win_in" in score ? { loss_in: score.win_in } : { win_in: score.loss_in };
}

/** The score after the best move of one before it. @param {Score} score @returns {Score} */
function played(score) {
  if (typeof score === "number") return score;
  return "win_in" in score ? { win_in: Math.max(score.win_in - 1, 0) } : { loss_in: Math.max(score.loss_in - 1, 0) };
}

/** How many moves of a better line are put into the tree. */
const LONGEST_BETTER = 6;

/** @type {Record<"inaccuracy" | "mistake" | "blunder", string>} */
export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The signs that can be put behind a move. @type {[string, string][]} */
export const ALL_SIGNS = [["!!", "brilliant"], ["!", "good"], ["!?", "interesting"], ["?!", "inaccuracy"], ["?", "mistake"], ["??", "blunder"]];

/**
 * @param {number} id
 * @param {number} parent
 * @param {string} move
 * @returns {Node}
 */
function blank(id, parent, move) {
  return { id, parent, move, comment: "", sign: "", score: null, depth: null, exact: false, next: [] };
}

/**
 * A document with this line and nothing else.
 * @param {{ variant: string, start?: string | null, moves?: string[], names?: string[], opening?: number, title?: string }} line
 * @returns {Analysis}
 */
export function lineDocument({ variant, start = null, moves = [], names = [], opening = 0, title = "" }) {
  return { variant, start, title, names, opening, comment: "", nodes: moves.map((move, parent) => ({ parent, move })) };
}
