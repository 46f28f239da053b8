// What this browser remembers. Everything also works without storage.

const PREFIX = "agon.";
const MOST_GAMES = 60;

/** @param {string} name */
function read(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
function write(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Only a preference is lost.
  }
}

/** @returns {"light" | "dark"} */
export function theme() {
  return document.documentElement.dataset.theme === "dark" ? "dark" : "light";
}

/** @param {"light" | "dark"} value */
export function setTheme(value) {
  document.documentElement.dataset.theme = value;
  write("theme", value);
}

/** Whether boards show the names of their cells. */
export const coordinates = () => read("coordinates") !== "off";

/** @param {boolean} on */
export const setCoordinates = (on) => write("coordinates", on ? "on" : "off");

/** Whether moves can be heard. */
export const sounds = () => read("sounds") === "on";

/** @param {boolean} on */
export const setSounds = (on) => write("sounds", on ? "on" : "off");

/** The ids of the games started in this browser, latest first. */
export function myGames() {
  return (read("games") ?? "").split(",").filter((id) => id !== "");
}

/** @param {string} id */
export function rememberGame(id) {
  const ids = [id, ...myGames().filter((other) => other !== id)];
  write("games", ids.slice(0, MOST_GAMES).join(","));
}

/** @param {string} id */
export function forgetGame(id) {
  write("games", myGames().filter((other) => other !== id).join(","));
}

/** The server's secret for games against programs, or nothing. */
export const serverSecret = () => read("secret") ?? "";

/** @param {string} secret */
export const rememberSecret = (secret) => write("secret", secret);

/** The secret in an address that the server printed; null if there is none. @param {string} fragment */
export const secretIn = (fragment) => /^#secret=([0-9a-zA-Z]+)$/.exec(fragment)?.[1] ?? null;
