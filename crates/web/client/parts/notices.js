// Announcements for screen readers, and the banner for a lost connection.

/**
 * Announces something to screen readers.
 * @param {string} text
 */
export function announce(text) {
  const region = document.querySelector("[data-announce]");
  if (region) region.textContent = text;
}

/**
 * Shows a banner at the top of the page, or removes it.
 * @param {string | null} text
 */
export function banner(text) {
  const line = document.querySelector("[data-banner]");
  if (!(line instanceof HTMLElement) || line.hidden === (text === null)) return;
  line.hidden = text === null;
  line.textContent = text ?? "";
}
