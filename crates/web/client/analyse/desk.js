// The board of an analysis with everything that belongs to the position on it: the tree of moves, the agents
// and what they find. Games and numbers of players make no difference here.

/** @import { AnalysisAnswer, Analysis, Analyst, MoveValue, Position, Review, Server, Threat } from "../api-types" */
/** @import { Arrow } from "../board/marks.js" */
/** @import { Key } from "../page-types" */
/** @import { Child } from "../dom.js" */

import * as api from "../api.js";
import { Board } from "../board/board.js";
import { button, capital, el } from "../dom.js";
import { announce, banner } from "../parts/notices.js";
import { serverSecret } from "../parts/settings.js";
import { Positions, Stage } from "../parts/stage.js";
import { stepButtons } from "../parts/steps.js";
import { Look } from "../parts/tools.js";
import { moveLabel } from "../parts/words.js";
import { Analysts } from "./analysts.js";
import { Bars } from "./bars.js";
import { Engine } from "./engine.js";
import { Lines } from "./lines.js";
import { Peek } from "./peek.js";
import { Tree } from "./tree.js";
import { TreeView } from "./treeview.js";

/** The opacity and thickness of the arrow of the worst line shown. */
const FAINTEST = 0.35;
/** A line this much worse than the best has that arrow, in expected shares. */
const FAR = 0.25;

/** A task that takes over the board: the next move is its own, and the engine says nothing. @typedef {{ onMove: (text: string) => unknown }} Challenge */

export class Desk {
  /**
   * @param {Analysis} document
   * @param {Position} first
   * @param {Server} server
   * @param {{ signal: AbortSignal, onEdit: () => void, onShown: (ply: number | null) => void }} options
   */
  constructor(document, first, server, { signal, onEdit, onShown }) {
    this.first = first;
    this.signal = signal;
    this.onEdit = onEdit;
    this.onShown = onShown;
    this.tree = new Tree(document);
    this.at = 0;
    /** Where the position on the board belongs, with all that is found about it: on the way to `at`, another node. */
    this.settled = 0;
    /** @type {Position} */
    this.position = first;
    /** @type {Challenge | null} */
    this.challenged = null;
    /** @type {(Analyst | null)[]} */
    this.found = [];
    /** @type {MoveValue[]} */
    this.values = [];
    this.message = el("div", { class: "message", role: "status", data: { message: "" } });
    this.bars = new Bars();
    const host = el("div", { class: "board-host", data: { board: "analysis" } });
    this.board = new Board(host, { label: `${first.title} board`, onMove: (text) => this.entered(text), onSay: (text, kind) => this.say(text, kind) });
    this.positions = new Positions(first.variant, first.start, signal, first);
    this.stage = new Stage(this.board, this.positions, (position) => this.shown(position));
    this.look = new Look(this.board, first, 0);
    this.view = new TreeView(this.tree, first, (id) => this.go(id));
    this.peek = new Peek(this.positions, this.look);
    this.lines = [0, 1].map(() => new Lines({ onPlay: (moves) => this.playIn(moves), onPeek: (moves, near) => void this.peekAt(moves, near) }));
    this.analysts = new Analysts(server, first.seats.length, () => this.ask());
    this.engine = new Engine({ onAnswer: (answer) => this.hear(answer), onProblem: (problem) => this.trouble(problem), onLink: (up) => this.linked(up) }, signal);
    /** What the list shows. */
    this.valueKey = "";
    /** What the others threaten, if that is to be shown. @type {Threat[]} */
    this.threatened = [];
    this.threats = button("Threats", () => void this.toggleThreats(), { "aria-pressed": "false", hidden: !first.has_threats, title: "What could be taken or won if the player to move did nothing", data: { action: "threats" } });
    this.analysts.node.append(this.threats);
    this.valueList = el("ul", { class: "value-list", hidden: true, "aria-label": "Values of the moves", data: { values: "" } });
    this.steps = stepButtons(this.way());
    this.boardNode = el("div", { class: "analysis-board" }, this.bars.node, host);
    this.linesNode = el("div", { class: "analyst-lines" }, ...this.lines.map((lines) => lines.node));
    signal.addEventListener("abort", () => banner(null));
  }

  /**
   * The buttons below the board.
   * @param {...Child} more
   */
  controls(...more) {
    const { first, back, forward, last } = this.steps;
    return el("div", { class: "row controls", role: "group", "aria-label": "Moves" }, first, back, forward, last,
      this.look.turnButton, this.look.namesButton, ...more);
  }

  /** Steps along the line that one is in. */
  way() {
    const { tree } = this;
    return {
      at: () => tree.ply(this.at),
      end: () => tree.ply(tree.end(this.at)),
      to: (/** @type {number} */ ply) => this.go(this.along(ply)),
    };
  }

  /** The node after so many moves of the line that one is in. @param {number} ply */
  along(ply) {
    const { tree } = this;
    return ply <= 0 ? 0 : (tree.path(tree.end(this.at))[ply - 1]?.id ?? tree.end(this.at));
  }

  /** @returns {Key[]} */
  keys() {
    const { way } = this;
    const to = (/** @type {(way: { at: number, end: number }) => number} */ which) => () => {
      const { at, end } = way.call(this);
      this.go(this.along(which({ at: at(), end: end() })));
    };
    return [
      { key: "Home", label: "First position", run: to(() => 0) },
      { key: "ArrowLeft", label: "One move back", run: to(({ at }) => at - 1) },
      { key: "ArrowRight", label: "One move forward", run: to(({ at }) => at + 1) },
      { key: "End", label: "Last position", run: to(({ end }) => end) },
      { key: "ArrowUp", label: "The variation before", run: () => this.sibling(-1) },
      { key: "ArrowDown", label: "The next variation", run: () => this.sibling(1) },
      { key: "l", label: "Engine on or off", run: () => this.analysts.power.click() },
      { key: " ", label: "Play the best move", run: () => this.playBest() },
      { key: "v", label: "Values of the moves on or off", run: () => this.analysts.values.click() },
      { key: "a", label: "Arrows on or off", run: () => this.analysts.arrows.click() },
      ...(this.threats.hidden ? [] : [{ key: "t", label: "Threats on or off", run: () => this.threats.click() }]),
      ...this.look.keys(),
    ];
  }

  /** Goes to another move in the same place. @param {number} step */
  sibling(step) {
    const siblings = this.tree.node(this.tree.node(this.at).parent).next;
    const next = siblings[siblings.indexOf(this.at) + step];
    if (this.at !== 0 && next !== undefined) this.go(next);
  }

  /** Shows a node. @param {number} id */
  go(id) {
    if (this.challenged) return;
    this.at = id;
    this.peek.hide();
    this.view.mark(id);
    this.steps.show();
    this.onShown(this.tree.isMain(id) ? this.tree.ply(id) : null);
    this.want(this.tree.moves(id));
  }

  /**
   * @param {string[]} moves
   * @param {boolean} [open]  whether moves can be entered
   */
  want(moves, open = true) {
    this.found = [];
    this.values = [];
    this.threatened = [];
    const mine = open ? this.first.seats.map((_, seat) => seat) : [];
    this.stage.want({ moves, mine }).catch((error) => {
      if (!api.isAbort(error)) this.say(api.messageOf(error), "error");
    });
  }

  /** The board shows this now. @param {Position} position */
  shown(position) {
    const node = this.tree.find(this.stage.shown ?? []);
    // Its moves were deleted meanwhile, and another position follows.
    if (node === null) return;
    this.settled = node;
    this.position = position;
    this.bars.arrange(position, this.bottom());
    const { outcome, last } = position;
    this.say(outcome ? outcome.sentence : position.guide ?? "", "info");
    if (last) announce(`Move ${position.ply}: ${moveLabel(last.text)}`);
    if (this.challenged) return;
    this.ask();
    void this.findThreats();
  }

  toggleThreats() {
    const on = this.threats.getAttribute("aria-pressed") !== "true";
    this.threats.setAttribute("aria-pressed", String(on));
    return this.findThreats();
  }

  /** Shows the threats in the position on the board, if they are wanted. */
  async findThreats() {
    const { position } = this;
    const wanted = this.threats.getAttribute("aria-pressed") === "true" && position.outcome === null;
    try {
      const found = wanted ? await api.threats({ variant: position.variant, position: position.position }, this.signal) : [];
      if (position !== this.position) return;
      this.threatened = found;
      this.draw();
    } catch (error) {
      if (!api.isAbort(error)) this.say(api.messageOf(error), "error");
    }
  }

  /** The seat at the bottom of the board. */
  bottom() {
    const at = this.first.turns.indexOf(this.look.turn);
    return at === -1 ? 0 : at;
  }

  /** A move was entered on the board. @param {string} text */
  entered(text) {
    if (!this.challenged) return void this.playIn([text]);
    return this.settled === this.at ? this.challenged.onMove(text) : undefined;
  }

  /**
   * Plays moves into the tree: from the position that is shown, as they were found or entered there.
   * @param {string[]} moves
   * @param {number} [from]
   */
  playIn(moves, from = this.settled) {
    if (!this.tree.holds(from)) return;
    let [at, changed] = [from, false];
    for (const move of moves) {
      const { id, isNew } = this.tree.play(at, move);
      [at, changed] = [id, changed || isNew];
    }
    if (changed) this.edited(at);
    this.go(at);
  }

  playBest() {
    // What is known is about the position that is being left.
    if (this.settled !== this.at) return;
    const best = this.found.find((analyst) => analyst?.lines.length)?.lines[0]?.moves[0];
    if (best) this.playIn([best]);
  }

  /** The tree has changed. @param {number} current */
  edited(current = this.at) {
    this.view.draw(current);
    this.steps.show();
    this.onEdit();
  }

  /** Asks the agents about the position that is shown. */
  ask() {
    const { wish } = this.analysts;
    const texts = this.analysts.texts();
    const idle = !wish.on || this.challenged !== null;
    this.linesNode.hidden = idle;
    this.lines.forEach((lines, at) => {
      lines.node.hidden = texts[at] === undefined;
      lines.reset(texts[at] ?? "");
    });
    this.found = [];
    this.values = [];
    this.draw();
    if (this.position.outcome) this.bars.show(this.position.outcome.points.map((points) => points / 100));
    const over = this.position.outcome !== null;
    if (idle || over) return this.engine.ask(null);
    const { variant, start } = this.first;
    this.engine.ask({ variant, start, moves: this.tree.moves(this.settled), analysts: texts, values: wish.values, secret: serverSecret() || undefined });
  }

  /** @param {AnalysisAnswer} answer */
  hear(answer) {
    for (const analyst of answer.analysts) {
      this.found[analyst.at] = analyst;
      this.lines[analyst.at]?.show(analyst, this.position);
    }
    if (answer.values) this.values = answer.values.moves;
    this.draw();
  }

  /** @param {string} problem */
  trouble(problem) {
    const lines = /** @type {Lines} */ (this.lines[0]);
    lines.reset("");
    lines.problem.textContent = problem;
    lines.score.textContent = "–";
  }

  /** @param {boolean} up */
  linked(up) {
    banner(up ? null : "Connection lost, reconnecting…");
    if (up) this.ask();
  }

  /** Draws what is known of the position: bars, arrows, values. */
  draw() {
    const { wish } = this.analysts;
    const best = this.found[0]?.lines[0];
    if (best?.shares.length) this.bars.show(best.shares);
    else if (!this.position.outcome && this.found.length === 0) this.bars.show(null);
    const threats = this.threatened.map(({ routes }) => ({ route: routes[0] ?? [], kind: /** @type {const} */ ("threat") }));
    this.board.mark({ arrows: [...threats, ...(wish.on && wish.arrows && !this.challenged ? this.arrows() : [])] });
    const shown = wish.on && wish.values && !this.challenged ? this.values : [];
    this.board.setValues(new Map(shown.map((value) => [value.move, value])));
    this.listValues(shown);
  }

  /** The first moves of the lines; the thicker, the better. @returns {Arrow[]} */
  arrows() {
    const mover = this.position.to_move ?? 0;
    return this.found.flatMap((analyst, at) => {
      const kind = at === 0 ? /** @type {const} */ ("best") : /** @type {const} */ ("second");
      const best = analyst?.lines[0]?.shares[mover] ?? 0.5;
      return (analyst?.lines ?? []).map((line) => {
        const behind = Math.max(0, best - (line.shares[mover] ?? best));
        const weight = Math.max(FAINTEST, 1 - ((1 - FAINTEST) * behind) / FAR);
        return { route: line.routes[0] ?? [], kind, weight };
      });
    }).reverse();
  }

  /** The same for those who do not see the board. @param {MoveValue[]} values */
  listValues(values) {
    this.valueList.hidden = values.length === 0;
    const key = values.map((value) => `${value.move} ${value.text} ${value.exact}`).join(";");
    if (key === this.valueKey) return;
    this.valueKey = key;
    const sorted = [...values].sort((a, b) => b.share - a.share || Number(b.exact) - Number(a.exact));
    this.valueList.replaceChildren(...sorted.map((value) => el("li", { data: { value: value.move, exact: String(value.exact), share: value.share } },
      button(moveLabel(value.move), () => this.playIn([value.move]), { class: "pv-move" }),
      el("span", { class: value.exact ? "" : "muted" }, value.exact ? value.text : `${Math.round(value.share * 100)} of 100`))));
  }

  /**
   * @param {string[] | null} moves
   * @param {HTMLElement | null} near
   */
  async peekAt(moves, near) {
    if (!moves || !near) return this.peek.hide();
    await this.peek.show([...this.tree.moves(this.settled), ...moves], near).catch(() => {});
  }

  /**
   * @param {string} text
   * @param {"info" | "error"} kind
   */
  say(text, kind) {
    this.message.classList.toggle("error", kind === "error");
    this.message.textContent = capital(text);
  }

  // What reviews need.

  /** The game that the main line is. */
  game() {
    const { variant, start, opening, names } = this.tree;
    return { variant, start, opening, names, moves: this.tree.mainLine().map((node) => node.move) };
  }

  /** How many moves of the main line lead here; null in a variation. */
  ply() {
    return this.tree.isMain(this.at) ? this.tree.ply(this.at) : null;
  }

  /** Shows the main line after so many moves. @param {number} ply */
  lookAt(ply) {
    this.go(this.tree.mainAt(ply));
  }

  /**
   * Shows a line that begins in a position of the main line: it becomes a variation, if it is not one.
   * @param {number} ply
   * @param {string[]} moves
   */
  follow(ply, moves) {
    this.endChallenge();
    this.playIn(moves, this.tree.mainAt(ply));
  }

  /**
   * Asks for a move in a position of the main line; the engine is silent meanwhile.
   * @param {number} ply
   * @param {(text: string) => unknown} onMove
   */
  challenge(ply, onMove) {
    this.challenged = { onMove };
    this.view.hideAnswers(true);
    this.at = this.tree.mainAt(ply);
    this.view.mark(this.at);
    this.ask();
    this.want(this.tree.moves(this.at));
  }

  endChallenge() {
    if (!this.challenged) return;
    this.challenged = null;
    this.view.hideAnswers(false);
    this.go(this.at);
  }

  /** @param {Review} review */
  annotate(review) {
    if (this.tree.annotate(review)) this.edited();
  }
}
