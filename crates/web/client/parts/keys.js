// The list of the page's keyboard shortcuts.

/** @import { Key } from "../page-types" */

import { el } from "../dom.js";
import { openDialog } from "./dialog.js";

/** @type {Record<string, string>} */
const SHOWN = { ArrowLeft: "←", ArrowRight: "→", " ": "Space" };

/** @type {[string, string][]} */
const ON_THE_BOARD = [
  ["Tab", "Go to the board"],
  ["↑ ↓ ← →", "Move the cursor on the board"],
  ["Enter", "Choose a piece, then its destination; or place a piece"],
  ["Esc", "Deselect the piece"],
];

/** @param {Key[]} keys */
export function showKeys(keys) {
  const rows = keys.map((key) => row(SHOWN[key.key] ?? key.key, key.label));
  const board = document.querySelector("main [data-board=live]");
  const more = board ? [el("h3", null, "On the board"), el("dl", { class: "keys" }, ...pairs(ON_THE_BOARD))] : [];
  openDialog("Keyboard shortcuts", [el("dl", { class: "keys" }, ...rows.flat()), ...more]);
}

/** @param {[string, string][]} list */
const pairs = (list) => list.flatMap(([key, label]) => row(key, label));

/**
 * @param {string} key
 * @param {string} label
 */
const row = (key, label) => [el("dt", null, el("kbd", null, key)), el("dd", null, label)];
