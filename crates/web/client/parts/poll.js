// Keeps pages up to date by polling.

import * as api from "../api.js";
import { banner } from "./notices.js";

const PERIOD_MS = 2000;
const LONGEST_WAIT_MS = 30_000;
/** How often a page is redrawn without news, because it says how long ago things happened. */
const REDRAW_MS = 20_000;

/** @typedef {(path: string, tag: string, signal: AbortSignal) => Promise<{ data: any, tag: string } | null>} Ask */

/**
 * Reads a resource, and later its changes. `follow` polls every two seconds, less often while the
 * server does not respond, and not at all while the page is hidden.
 * @template D
 * @param {string} path
 * @param {AbortSignal} signal
 * @param {Ask} [ask]  how it is read
 * @returns {Promise<{ first: D, follow: (onData: (data: D) => boolean | void) => void }>}
 */
export async function openFeed(path, signal, ask = api.news) {
  const first = await ask(path, "", signal);
  if (!first) throw new Error("The server sent no data.");
  return { first: first.data, follow: (onData) => follow({ path, read: ask }, first, onData, signal) };
}

/**
 * @template D
 * @param {{ path: string, read: Ask }} source
 * @param {{ data: D, tag: string }} known
 * @param {(data: D) => boolean | void} onData  returns true to stop
 * @param {AbortSignal} signal
 */
function follow({ path, read }, known, onData, signal) {
  const stop = new AbortController();
  let wait = PERIOD_MS;
  let drawn = Date.now();
  let asking = false;
  /** @type {number | undefined} */
  let timer;

  const ask = async () => {
    if (asking) return;
    asking = true;
    window.clearTimeout(timer);
    try {
      const news = await read(path, known.tag, stop.signal);
      wait = PERIOD_MS;
      banner(null);
      known = news ?? known;
      if (news || Date.now() - drawn > REDRAW_MS) {
        drawn = Date.now();
        if (onData(known.data)) return stop.abort();
      }
    } catch (error) {
      if (stop.signal.aborted) return;
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
      banner(troubleWords(error));
    } finally {
      asking = false;
    }
    later();
  };
  const later = () => {
    if (!document.hidden && !stop.signal.aborted) timer = window.setTimeout(() => void ask(), wait);
  };

  signal.addEventListener("abort", () => stop.abort());
  stop.signal.addEventListener("abort", () => {
    window.clearTimeout(timer);
    banner(null);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) window.clearTimeout(timer);
    else void ask();
  }, { signal: stop.signal });
  later();
}

/** @param {unknown} error */
function troubleWords(error) {
  const gone = error instanceof api.ApiError && error.code === "not_found";
  return gone ? `This no longer exists: ${error.message}.` : "The server is not responding. This page may be out of date.";
}
