// Pages that keep themselves up to date by asking again and again what is new.

import * as api from "../api.js";
import { banner } from "./notices.js";

const PERIOD_MS = 2000;
const LONGEST_WAIT_MS = 30_000;
/** How often a page is drawn anew though nothing has come: it says how long ago things were. */
const REDRAW_MS = 20_000;

/**
 * Reads something, and later what becomes of it. `follow` asks every two seconds, less often while
 * the server does not answer, and not at all while nobody sees the page.
 * @template D
 * @param {string} path
 * @param {AbortSignal} signal
 * @returns {Promise<{ first: D, follow: (onData: (data: D) => boolean | void) => void }>}
 */
export async function openFeed(path, signal) {
  const first = await api.news(path, "", signal);
  if (!first) throw new Error("The server sent nothing.");
  return { first: first.data, follow: (onData) => follow(path, first, onData, signal) };
}

/**
 * @template D
 * @param {string} path
 * @param {{ data: D, tag: string }} known
 * @param {(data: D) => boolean | void} onData  true ends it
 * @param {AbortSignal} signal
 */
function follow(path, known, onData, signal) {
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
      const news = await api.news(path, known.tag, stop.signal);
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
  return gone ? `This is not there any more: ${error.message}.` : "The server does not answer. What you see may be old.";
}
