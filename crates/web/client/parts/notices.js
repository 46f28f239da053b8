// Words to everybody: what is read aloud, and the line at the top when the connection is lost.

/**
 * Says something to people who listen to the page.
 * @param {string} text
 */
export function announce(text) {
  const region = document.querySelector("[data-announce]");
  if (region) region.textContent = text;
}

/**
 * Shows a line at the top of the page, or takes it away.
 * @param {string | null} text
 */
export function banner(text) {
  const line = document.querySelector("[data-banner]");
  if (!(line instanceof HTMLElement) || line.hidden === (text === null)) return;
  line.hidden = text === null;
  line.textContent = text ?? "";
}
