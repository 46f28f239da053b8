// The frame around all pages: routes, titles, theme, keyboard shortcuts, and the banner for lost connections.

/** @import { Key, Page, PageContext } from "./page-types" */

import { ApiError, isAbort, messageOf, reach } from "./api.js";
import { button, el, fill, link } from "./dom.js";
import { showKeys } from "./parts/keys.js";
import { announce } from "./parts/notices.js";
import { rememberSecret, secretIn, setTheme, theme } from "./parts/settings.js";

/** @typedef {{ open: (context: PageContext) => Promise<Page> }} PageModule */

/** What the server serves: `workbench`, perhaps with `workers`, or `contest`. */
const FRAME = (document.documentElement.dataset.frame ?? "").split(" ");

/** Whether the server serves only the contest. */
const ONLY_CONTEST = FRAME.includes("contest");

/** @typedef {[RegExp, () => Promise<PageModule>][]} Routes */

/** @type {Routes} */
const GAMES = [
  [/^\/$/, () => import("./pages/home.js")],
  [/^\/new$/, () => import("./pages/new.js")],
  [/^\/play\/([^/]+)$/, () => import("./pages/game.js")],
  [/^\/rules\/([^/]+)$/, () => import("./pages/rules.js")],
  [/^\/watch$/, () => import("./pages/watch.js")],
  [/^\/records$/, () => import("./pages/records.js")],
  [/^\/replay\/([^/]+)$/, () => import("./pages/replay.js")],
  [/^\/analyse$/, () => import("./pages/analyse.js")],
  [/^\/analyse\/([^/]+)$/, () => import("./pages/analyse.js")],
  [/^\/tournaments$/, () => import("./pages/tournaments.js")],
  [/^\/tournaments\/([^/]+)$/, () => import("./pages/tournament.js")],
  [/^\/new-tournament$/, () => import("./pages/new-tournament.js")],
  [/^\/lab$/, () => import("./pages/lab.js")],
  [/^\/lab\/([^/]+)$/, () => import("./pages/experiment.js")],
];

/** @type {Routes} */
const WORKERS = FRAME.includes("workers") ? [[/^\/workers$/, () => import("./pages/workers.js")]] : [];

/** @type {Routes} */
const CONTEST = [
  [/^\/environments$/, () => import("./pages/environments.js")],
  [/^\/env\/([^/]+)$/, () => import("./pages/environment.js")],
  [/^\/agent\/([^/]+)\/([^/]+)$/, () => import("./pages/agent.js")],
  [/^\/run\/([^/]+)\/([^/]+)$/, () => import("./pages/run.js")],
];

/** @type {Routes} */
const ROUTES = ONLY_CONTEST ? [[/^\/$/, () => import("./pages/environments.js")], ...CONTEST] : [...GAMES, ...WORKERS, ...CONTEST];

/** The styles that the first page does without, so that it opens quickly. */
const MORE_STYLES = ["game.css", "analyse/analyse.css", "analyse/arrange.css", "analyse/review.css", "contest.css", "lab.css", "records.css", "tournaments.css", "workers.css"];
/** @type {Promise<unknown> | null} */
let moreStyles = null;

/** Loads the rest of the styles, once. */
function dressed() {
  moreStyles ??= Promise.all(MORE_STYLES.map((name) => new Promise((resolve) => {
    const sheet = el("link", { rel: "stylesheet", href: `/client/${name}`, on: { load: resolve, error: resolve } });
    document.head.append(sheet);
  })));
  return moreStyles;
}

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
let left = new AbortController();
/** The address of the page that is shown. Navigation within a page changes only the fragment. */
let shownAt = "";
/** @type {Key[]} */
let pageKeys = [];

/** @type {Key[]} */
const EVERYWHERE = [
  ...(ONLY_CONTEST ? [] : [{ key: "n", label: "New game", run: () => go("/new") }]),
  { key: "?", label: "Keyboard shortcuts", run: help },
];

/** @param {string} path */
function go(path) {
  history.pushState(null, "", path);
  void show(true);
}

/**
 * Opens the page at the current address.
 * @param {boolean} moved  whether the user came from another page
 */
async function show(moved) {
  shownAt = location.pathname + location.search;
  left.abort();
  left = new AbortController();
  const { signal } = left;
  const slow = window.setTimeout(() => root.classList.add("busy"), 150);
  const page = await openPage(signal);
  window.clearTimeout(slow);
  if (signal.aborted) return;
  root.classList.remove("busy");
  root.dataset.page = page.name;
  document.title = page.title === "Agon" ? "Agon" : `${page.title} · Agon`;
  pageKeys = page.keys ?? [];
  fill(root, ...page.body);
  markNavigation(page.under);
  if (!moved) return;
  window.scrollTo(0, 0);
  focusHeading();
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<Page>}
 */
async function openPage(signal) {
  const path = location.pathname;
  const query = new URLSearchParams(location.search);
  try {
    for (const [pattern, load] of ROUTES) {
      const match = pattern.exec(path);
      if (!match) continue;
      const params = match.slice(1).map(decoded).filter((part) => part !== null);
      if (params.length + 1 < match.length) break;
      const [page] = await Promise.all([load(), path !== "/" || ONLY_CONTEST ? dressed() : null]);
      return await page.open({ params, query, signal, go, again: () => void show(false) });
    }
    return lostPage("Page not found", `There is no page at ${decoded(path) ?? path}.`);
  } catch (error) {
    if (isAbort(error)) return lostPage("Left", "");
    if (error instanceof ApiError && error.code === "not_found") return lostPage("Not found", error.message);
    return troublePage(error);
  }
}

/**
 * A decoded part of an address; null if its encoding is invalid. Names may contain any character,
 * even slashes.
 * @param {string} part
 */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/**
 * @param {string} title
 * @param {string} text
 * @returns {Page}
 */
function lostPage(title, text) {
  const home = link("/", ONLY_CONTEST ? "Go to the contest" : "Go to the games", { class: "button primary" });
  return { name: "lost", title, body: [el("div", { class: "lost" }, el("h1", null, title), el("p", null, text), home)] };
}

/**
 * @param {unknown} error
 * @returns {Page}
 */
function troublePage(error) {
  const unreachable = error instanceof TypeError || (error instanceof ApiError && error.code === "unreachable");
  const title = unreachable ? "The server is not responding" : "Something went wrong";
  const text = unreachable ? "Start it again if it has stopped, then retry." : messageOf(error);
  const words = el("p", { role: "status" }, text);
  // The browser does not retry a module that failed to load; only a reload does.
  const retry = () => reach().then(() => location.reload(), () => fill(words, "Still no response."));
  const again = button("Try again", () => void retry(), { class: "primary", data: { action: "retry" } });
  return { name: "trouble", title, body: [el("div", { class: "lost" }, el("h1", null, title), words, again)] };
}

/** Screen readers announce the new page. */
function focusHeading() {
  const heading = root.querySelector("h1");
  if (!(heading instanceof HTMLElement)) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  announce(document.title);
}

/** @param {string} [under] */
function markNavigation(under) {
  for (const item of document.querySelectorAll("header nav a")) {
    const address = item.getAttribute("href");
    if (address === location.pathname) item.setAttribute("aria-current", "page");
    else if (address === under) item.setAttribute("aria-current", "true");
    else item.removeAttribute("aria-current");
  }
}

function help() {
  showKeys([...pageKeys, ...EVERYWHERE]);
}

/** @param {MouseEvent} event */
function followLink(event) {
  const anchor = event.target instanceof Element ? event.target.closest("a") : null;
  if (!anchor || event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (anchor.target || anchor.hasAttribute("download") || anchor.origin !== location.origin) return;
  if (anchor.pathname.startsWith("/api/") || anchor.hash) return;
  event.preventDefault();
  go(anchor.pathname + anchor.search);
}

/** @param {KeyboardEvent} event */
function pressKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.closest("input:not([type=checkbox], [type=radio]), textarea, select") || document.querySelector("dialog[open]")) return;
  const moving = event.key.length > 1;
  // The board and radio groups handle the arrow keys themselves.
  if (moving && target.closest("[data-board], input")) return;
  // It presses what has the focus.
  if (event.key === " " && target.closest("[data-board], button, summary, a, input")) return;
  const name = moving ? event.key : event.key.toLowerCase();
  const key = [...pageKeys, ...EVERYWHERE].find((known) => known.key === name);
  if (!key) return;
  event.preventDefault();
  key.run();
}

/** Keeps the secret of an address that the server printed, and removes it from the address bar. */
function takeSecret() {
  const secret = secretIn(location.hash);
  if (secret === null) return;
  rememberSecret(secret);
  history.replaceState(null, "", location.pathname + location.search);
  announce("Games against programs can be started in this browser now.");
}

function start() {
  takeSecret();
  document.addEventListener("click", followLink);
  document.addEventListener("keydown", pressKey);
  window.addEventListener("popstate", () => {
    takeSecret();
    if (location.pathname + location.search !== shownAt) void show(true);
  });
  document.querySelector("[data-action=help]")?.addEventListener("click", help);
  document.querySelector("[data-action=theme]")?.addEventListener("click", () => {
    setTheme(theme() === "dark" ? "light" : "dark");
  });
  void show(false);
}

start();
