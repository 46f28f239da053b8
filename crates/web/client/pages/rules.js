// The rules of a game, with pictures and practice positions.

/** @import { Example, Move, Practice, Rules } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { Board } from "../board/board.js";
import { button, el, link } from "../dom.js";
import { coordinates } from "../parts/settings.js";

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ params, signal }) {
  const name = params[0] ?? "";
  const rules = await api.rules(name, signal);
  const sections = rules.sections.map((section, at) => el("section", { id: `part-${at}`, class: "rule" },
    el("h2", null, section.heading),
    el("div", { class: "rule-text" }, ...section.text.map((text) => el("p", null, text))),
    section.examples.length > 0 && el("div", { class: "examples" }, ...section.examples.map(exampleFigure))));
  const body = [el("div", { class: "rules" },
    el("div", { class: "rules-head" },
      el("div", null, el("h1", null, `${rules.title}: the rules`), el("p", { class: "muted" }, rules.summary)),
      el("div", { class: "row" }, link(`/new?game=${name}`, "New game", { class: "button primary" }))),
    contents(rules), ...sections, ...practicePart(rules.practice, signal))];
  return { name: "rules", title: `Rules of ${rules.title}`, body };
}

/** @param {Rules} rules */
function contents(rules) {
  const items = rules.sections.map((section, at) => el("li", null, link(`#part-${at}`, section.heading)));
  if (rules.practice.length > 0) items.push(el("li", null, link("#practice", "Try it")));
  return el("nav", { class: "contents", "aria-label": "Contents" }, el("ol", null, ...items));
}

/** @param {Example} example */
function exampleFigure(example) {
  const host = el("div", { class: "board-host", data: { board: "example" } });
  const board = new Board(host, { interactive: false, label: example.caption });
  // All pictures are seen from the first seat, as the text assumes.
  board.setView({ turn: example.position.turns[0] ?? 0, coordinates: coordinates() });
  void board.show(example.position).then(() => board.mark({ arrows: example.shown.map(exampleArrow), cells: [] }));
  return el("figure", { class: "card example" }, host, el("figcaption", null, example.caption));
}

/**
 * @param {Move} move
 * @returns {{ route: number[], kind: "example" }}
 */
const exampleArrow = (move) => ({ route: move.routes[0] ?? [], kind: "example" });

/**
 * @param {Practice[]} tasks
 * @param {AbortSignal} signal
 */
function practicePart(tasks, signal) {
  if (tasks.length === 0) return [];
  return [el("section", { id: "practice", class: "rule practice-part" }, el("h2", null, "Try it"),
    el("div", { class: "examples" }, ...tasks.map((task, at) => practiceFigure(task, at, signal))))];
}

/**
 * A practice position: one move is asked for, and every legal move can be tried.
 * @param {Practice} task
 * @param {number} at
 * @param {AbortSignal} signal
 */
function practiceFigure(task, at, signal) {
  const { position, goal } = task;
  const mine = position.to_move === null ? [] : [position.to_move];
  const verdict = el("p", { class: "message", role: "status", data: { practice: "open" } });
  const host = el("div", { class: "board-host", data: { board: "practice" } });
  const board = new Board(host, { label: task.task, onMove: (text) => tried(text), onSay: (text) => told(text) });
  board.setView({ turn: position.turns[position.to_move ?? 0] ?? 0, coordinates: coordinates() });

  /**
   * @param {string} text
   * @param {"open" | "solved" | "missed"} state
   */
  const say = (text, state) => {
    verdict.textContent = text;
    verdict.dataset.practice = state;
  };
  // A click too many does not hide the verdict.
  const told = (/** @type {string} */ text) => void (verdict.dataset.practice === "open" && say(text, "open"));
  const again = () => {
    say("", "open");
    board.clearMarks();
    void board.show(position, { mine });
  };
  const reveal = () => {
    again();
    const move = position.moves.find((legal) => legal.text === goal[0]);
    if (move) board.mark({ arrows: [{ route: move.routes[0] ?? [], kind: "hint" }], cells: [] });
  };
  /** @param {string} text */
  const tried = async (text) => {
    const solved = goal.length === 0 || goal.includes(text);
    say(solved ? "Solved!" : "Legal, but not the move asked for.", solved ? "solved" : "missed");
    try {
      const query = { variant: position.variant, position: task.start, moves: [...task.moves, text] };
      await board.show(await api.position(query, signal), { animate: true, mine: [] });
    } catch (error) {
      if (!api.isAbort(error)) say(api.messageOf(error), "missed");
    }
  };

  again();
  return el("figure", { class: "card example practice", data: { task: at } },
    el("p", { class: "task" }, task.task), host, verdict,
    el("div", { class: "row" },
      button("Try again", again, { data: { action: "again" } }),
      goal.length > 0 && button("Show me", reveal, { data: { action: "reveal" } })));
}
