// A game as it happens: server-sent events that come back by themselves.

/** @import { Game } from "../api-types" */

import { ApiError, game as readGame } from "../api.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/**
 * Follows a game until the signal ends. A lost stream is opened again, after longer and longer
 * waits. A hidden tab lets its stream go: browsers allow only a few for each server, and the
 * first event after coming back tells everything.
 * @param {string} id
 * @param {{ onGame: (game: Game) => void, onGone: () => void, onLink: (up: boolean) => void }} on
 * @param {AbortSignal} signal
 */
export function follow(id, on, signal) {
  /** @type {EventSource | null} */
  let source = null;
  let wait = FIRST_WAIT_MS;
  /** @type {number | undefined} */
  let timer;

  const close = () => {
    window.clearTimeout(timer);
    source?.close();
    source = null;
  };
  const gone = () => {
    close();
    stop.abort();
    on.onGone();
  };
  const open = () => {
    close();
    if (document.hidden || stop.signal.aborted) return;
    source = new EventSource(`/api/games/${encodeURIComponent(id)}/events`);
    source.addEventListener("game", (event) => {
      wait = FIRST_WAIT_MS;
      on.onLink(true);
      on.onGame(JSON.parse(event.data));
    });
    source.addEventListener("gone", gone);
    source.addEventListener("error", lost);
  };
  const lost = () => {
    close();
    on.onLink(false);
    timer = window.setTimeout(() => void retry(), wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  };
  // The stream does not say why it ended; a plain request does, and tells the truth meanwhile.
  const retry = async () => {
    try {
      const game = await readGame(id, stop.signal);
      on.onLink(true);
      on.onGame(game);
      open();
    } catch (error) {
      if (stop.signal.aborted) return;
      if (error instanceof ApiError && error.code === "not_found") gone();
      else lost();
    }
  };

  const stop = new AbortController();
  signal.addEventListener("abort", () => {
    stop.abort();
    close();
    on.onLink(true);
  });
  document.addEventListener("visibilitychange", open, { signal: stop.signal });
  open();
}
