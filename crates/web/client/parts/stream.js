// A live game: a WebSocket that reconnects by itself.

/** @import { GameNews } from "../api-types" */

import { ApiError, game as readGame } from "../api.js";
import { ownTokens } from "./tokens.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 3000;

/**
 * Follows a game until the signal aborts. A lost connection is reopened with exponential backoff, and
 * at once when the user returns to the tab. Reports each change that is newer than `version` once.
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
    // Tokens are offered as protocols: a WebSocket has no headers, and addresses are logged.
    socket = new WebSocket(address, ["agon", ...ownTokens(id).map((token) => `seat.${token}`)]);
    socket.addEventListener("open", () => {
      wait = FIRST_WAIT_MS;
      on.onLink(true);
    }, { signal: stop.signal });
    socket.addEventListener("message", (event) => on.onGame(JSON.parse(event.data)), { signal: stop.signal });
    socket.addEventListener("close", () => void look(), { signal: stop.signal });
  };
  // A socket does not say why it closed; a plain request does, and gives the current state meanwhile.
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
