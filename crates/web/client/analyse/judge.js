// Asks the server what a position is worth, with a budget of nodes as in a review.

import { ApiError, position } from "../api.js";

/** @typedef {{ variant: string, start: string | null, moves: string[] }} Line */

/** What a server sends about a position. @typedef {{ state: string, problem: string | null, lines: { shares: number[] }[] }} Analyst */

/**
 * What every seat can expect after these moves.
 * @param {Line} line
 * @param {string} agent
 * @param {number} nodes
 * @param {AbortSignal} signal
 * @returns {Promise<number[]>}
 */
export async function sharesAfter(line, agent, nodes, signal) {
  const shares = await searched(line, agent, nodes, signal);
  if (shares.length > 0) return shares;
  // Where the game is over, nothing is searched.
  const { outcome } = await position({ variant: line.variant, position: line.start, moves: line.moves }, signal);
  if (!outcome) throw new ApiError("failed", "The engine has no opinion on this move.");
  return outcome.points.map((points) => points / 100);
}

/**
 * @param {Line} line
 * @param {string} agent
 * @param {number} nodes
 * @param {AbortSignal} signal
 * @returns {Promise<number[]>}
 */
function searched({ variant, start, moves }, agent, nodes, signal) {
  const address = new URL("/api/analyse", location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(address);
  const asked = new Promise((resolve, reject) => {
    socket.addEventListener("open", () => socket.send(JSON.stringify({ number: 1, variant, start, moves, analysts: [agent], nodes })));
    socket.addEventListener("message", (event) => heard(JSON.parse(event.data), resolve, reject));
    socket.addEventListener("close", () => reject(new ApiError("unreachable", "The server is not responding. Is it still running?")));
    signal.addEventListener("abort", () => reject(new DOMException("left", "AbortError")));
  });
  return asked.finally(() => socket.close());
}

/**
 * @param {{ problem?: string, analysts?: Analyst[] }} answer
 * @param {(shares: number[]) => void} resolve
 * @param {(error: Error) => void} reject
 */
function heard({ problem, analysts = [] }, resolve, reject) {
  const [analyst] = analysts;
  const wrong = problem ?? analyst?.problem;
  if (wrong) reject(new ApiError("failed", wrong));
  else if (analyst?.state === "done") resolve(analyst.lines[0]?.shares ?? []);
}
