// Copying a game, or downloading its record.

import { messageOf, recordPath, recordText } from "../api.js";
import { button, el, link } from "../dom.js";
import { copy } from "./dialog.js";

/**
 * A button that copies a text and confirms it.
 * @param {string} label
 * @param {() => string | Promise<string>} text
 * @param {string} action
 */
export function copyButton(label, text, action) {
  const made = button(label, () => void run(), { class: "small", data: { action } });
  const run = async () => {
    try {
      made.textContent = (await copy(await text())) ? "Copied" : label;
    } catch (error) {
      made.textContent = messageOf(error);
    }
    window.setTimeout(() => {
      made.textContent = label;
    }, 1500);
  };
  return made;
}

/**
 * @param {string} id
 * @param {() => Promise<string>} position  the position that is shown at the time of the click
 */
export function share(id, position) {
  return el("div", { class: "row share" },
    copyButton("Copy position", position, "copy-position"),
    copyButton("Copy game", () => recordText(id), "copy-game"),
    link(recordPath(id, "text"), "Save as text", { class: "button small", download: true, data: { action: "save-text" } }),
    link(recordPath(id, "json"), "Save as JSON", { class: "button small", download: true, data: { action: "save-json" } }));
}
