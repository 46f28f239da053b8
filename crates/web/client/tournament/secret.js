// The server's secret, for those who run it.

import * as api from "../api.js";
import { button, el } from "../dom.js";
import { openDialog } from "../parts/dialog.js";
import { rememberSecret, serverSecret } from "../parts/settings.js";

/**
 * Sends a request, and asks for the secret if it is refused without.
 * @template T
 * @param {(secret: string) => Promise<T>} request
 * @returns {Promise<T>}
 */
export async function withSecret(request) {
  try {
    return await request(serverSecret());
  } catch (error) {
    // What no secret allows is not asked for.
    if (!(error instanceof api.ApiError) || error.code !== "forbidden" || !error.message.includes("secret")) throw error;
    const secret = await askSecret(error.message);
    if (secret === null) throw error;
    const answer = await request(secret);
    rememberSecret(secret);
    return answer;
  }
}

/**
 * @param {string} message
 * @returns {Promise<string | null>}
 */
function askSecret(message) {
  return new Promise((resolve) => {
    /** @type {string | null} */
    let answer = null;
    const input = el("input", { type: "password", autocomplete: "off", "aria-label": "The server's secret", data: { field: "secret" } });
    const send = () => {
      answer = input.value.trim();
      dialog.close();
    };
    const form = el("form", { on: { submit: (/** @type {Event} */ event) => { event.preventDefault(); send(); } } }, input);
    const dialog = openDialog("The server's secret", [el("p", null, message), form], [
      button("Cancel", () => dialog.close(), { data: { action: "cancel" } }),
      button("Send", send, { class: "primary", data: { action: "send-secret" } }),
    ]);
    dialog.addEventListener("close", () => resolve(answer || null));
    input.focus();
  });
}
