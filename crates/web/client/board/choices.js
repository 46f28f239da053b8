/**
 * The list to choose from when several moves have the same end.
 *
 * @typedef {import("../api-types.js").Move} Move
 * @typedef {import("../api-types.js").Scene} Scene
 * @typedef {import("./entry.js").Fit} Fit
 * @typedef {import("./picture.js").Picture} Picture
 * @typedef {{ text: string, label: string, move: Move }} Choice
 * @typedef {object} ChoiceEvents
 * @property {(text: string) => void} choose
 * @property {(key: string) => boolean} key a key was pressed in the list; returns whether it was handled
 */
import { el } from "../dom.js";
import { choiceLabel } from "./entry.js";

/**
 * The choices with labels that tell them apart.
 * @param {Fit[]} fits
 * @param {Scene} scene
 * @returns {Choice[]}
 */
export function choicesOf(fits, scene) {
  const moves = fits.map((fit) => fit.move);
  const name = (/** @type {number} */ cell) => scene.cells[cell]?.name ?? String(cell);
  const kind = (/** @type {string} */ letter) =>
    scene.supplies?.find((supply) => supply.letter === letter)?.name ?? letter;
  return moves.map((move) => ({ text: move.text, label: choiceLabel(move, moves, name, kind), move }));
}

/**
 * The list, beside the end of the moves.
 * @param {Choice[]} choices
 * @param {Picture} picture
 * @param {ChoiceEvents} on
 * @returns {HTMLElement}
 */
export function choiceList(choices, picture, on) {
  const buttons = choices.map((choice, index) => {
    const events = {
      click: () => on.choose(choice.text),
      pointerenter: () => point(picture, index),
      pointerleave: () => point(picture, null),
      focus: () => point(picture, index),
      blur: () => point(picture, null),
    };
    const attributes = { type: "button", class: `choice-${index % 6}`, data: { choice: choice.text } };
    return el(
      "button",
      { ...attributes, on: events },
      el("span", { class: "choice-key" }, index + 1),
      choice.label,
    );
  });
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    if (!on.key(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const label = { role: "group", "aria-label": "Choose a move" };
  const list = el("div", { class: "board-choices", ...label, on: { keydown } }, ...buttons);
  standBeside(list, picture, choices[0]?.move.routes[0]?.at(-1) ?? 0);
  return list;
}

/**
 * Places the list beside a cell, on the side with more room.
 * @param {HTMLElement} list
 * @param {Picture} picture
 * @param {number} cell
 */
function standBeside(list, picture, cell) {
  const box = picture.node.viewBox.baseVal;
  const at = picture.layout.points[cell];
  if (!at) return;
  const [x, y] = [((at.x - box.x) / box.width) * 100, ((at.y - box.y) / box.height) * 100];
  list.style.left = `${Math.min(75, Math.max(25, x))}%`;
  list.style.top = y < 50 ? `${y + 8}%` : "auto";
  list.style.bottom = y < 50 ? "auto" : `${108 - y}%`;
}

/**
 * Highlights one of the routes.
 * @param {Picture} picture
 * @param {number | null} index
 */
function point(picture, index) {
  picture.layers.over.querySelectorAll(".choice").forEach((mark, other) => {
    mark.classList.toggle("pale", index !== null && index !== other);
  });
}
