// Dialogs: a question with two answers, or something to read.

/** @import { Child } from "../dom.js" */

import { button, el, freshId } from "../dom.js";

/**
 * Opens a dialog and returns it; it removes itself when it is closed.
 * @param {string} title
 * @param {Child[]} content
 * @param {HTMLButtonElement[]} [buttons]  instead of a lone "Close"
 */
export function openDialog(title, content, buttons) {
  const id = freshId();
  const close = () => dialog.close();
  const row = el("div", { class: "row end" }, ...(buttons ?? [button("Close", close, { data: { action: "close" } })]));
  const dialog = el("dialog", { "aria-labelledby": id }, el("h2", { id }, title), ...content, row);
  dialog.addEventListener("close", () => dialog.remove());
  // A click outside the box has the dialog itself as its target.
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Asks before something that cannot be undone.
 * @param {{ title: string, text: string, yes: string, no?: string }} question
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, yes, no = "Cancel" }) {
  return new Promise((resolve) => {
    let answer = false;
    const agree = () => {
      answer = true;
      dialog.close();
    };
    const buttons = [
      button(no, () => dialog.close(), { data: { action: "cancel" } }),
      button(yes, agree, { class: "danger", data: { action: "confirm" } }),
    ];
    const dialog = openDialog(title, [el("p", null, text)], buttons);
    dialog.addEventListener("close", () => resolve(answer));
  });
}

/**
 * Copies a text to the clipboard; if the browser refuses, shows it for manual copying.
 * @param {string} text
 * @returns {Promise<boolean>}
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el("textarea", { readonly: true, rows: 6, "aria-label": "Text to copy" });
    area.value = text;
    openDialog("Copy this text", [area]);
    area.select();
    return false;
  }
}
