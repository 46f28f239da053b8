/**
 * The small list of moves to choose from when several have the same end.
 *
 * @typedef {import("../api-types.js").Move} Move
 * @typedef {{ text: string, label: string, move: Move }} Choice
 */
import { el } from "../dom.js";

/**
 * @param {Choice[]} choices
 * @param {{ choose: (text: string) => void, point: (index: number | null) => void }} on
 *   `point` tells which one the pointer or the focus is on
 * @returns {HTMLElement}
 */
export function choiceList(choices, on) {
  const buttons = choices.map((choice, index) =>
    el(
      "button",
      {
        type: "button",
        class: `choice-${index % 6}`,
        data: { choice: choice.text },
        on: {
          click: () => on.choose(choice.text),
          pointerenter: () => on.point(index),
          pointerleave: () => on.point(null),
          focus: () => on.point(index),
          blur: () => on.point(null),
        },
      },
      el("span", { class: "choice-key" }, index + 1),
      choice.label,
    ),
  );
  return el(
    "div",
    { class: "board-choices", role: "group", "aria-label": "Which of these moves?" },
    ...buttons,
  );
}

/**
 * Puts the list beside a place of the picture, on the side with more room.
 * @param {HTMLElement} list
 * @param {{ x: number, y: number }} share the place, as shares of the picture's width and height
 */
export function beside(list, share) {
  list.style.left = `${Math.min(75, Math.max(25, share.x * 100))}%`;
  const below = share.y < 0.5;
  list.style.top = below ? `${share.y * 100 + 8}%` : "auto";
  list.style.bottom = below ? "auto" : `${(1 - share.y) * 100 + 8}%`;
}
