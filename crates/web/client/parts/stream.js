// A game as it happens: a WebSocket that comes back by itself.

/** @import { GameNews } from "../api-types" */

import { ApiError, game as readGame } from "../api.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 3000;

/**
 * Follows a game until the signal ends. A lost connection is opened again, after longer and longer
 * waits; whoever comes back to the tab does not wait. Told is what is newer than `version` says, once
 * for every change.
 * @param {string} id
 * @param {{ version: () => number, onGame: (news: GameNews) => void, onGone: () => void, onLink: (up: boolean) => void }} on
 * @param {AbortSignal} signal
 */
export function follow(id, on, signal) {
  const stop = new AbortController();
  /** @type {WebSocket | null} */
  let socket = null;
  let wait = FIRST_WAIT_MS;
  /** @type {number | undefined} */
  let timer;

  const open = () => {
    const address = new URL(`/api/games/${encodeURIComponent(id)}/live?since=${on.version()}`, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(address);
    socket.addEventListener("open", () => {
      wait = FIRST_WAIT_MS;
      on.onLink(true);
    }, { signal: stop.signal });
    socket.addEventListener("message", (event) => on.onGame(JSON.parse(event.data)), { signal: stop.signal });
    socket.addEventListener("close", () => void look(), { signal: stop.signal });
  };
  // A socket does not say why it ended; a plain request does, and tells the truth meanwhile.
  const look = async () => {
    window.clearTimeout(timer);
    timer = undefined;
    try {
      on.onGame(await readGame(id, stop.signal));
      later(open);
    } catch (error) {
      if (stop.signal.aborted) return;
      if (error instanceof ApiError && error.code === "not_found") return gone();
      on.onLink(false);
      later(() => void look());
    }
  };
  /** @param {() => void} run */
  const later = (run) => {
    timer = window.setTimeout(run, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  };
  const gone = () => {
    end();
    on.onGone();
  };
  const end = () => {
    stop.abort();
    window.clearTimeout(timer);
    socket?.close();
    on.onLink(true);
  };

  signal.addEventListener("abort", end);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && timer !== undefined) void look();
  }, { signal: stop.signal });
  open();
}
