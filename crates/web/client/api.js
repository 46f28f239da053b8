// The server's JSON API. Every failure is an ApiError whose message can be shown to the user.

/** @import * as T from "./api-types" */

import { allTokens, keepTokens, ownTokens } from "./parts/tokens.js";
import { serverSecret } from "./parts/settings.js";

/** The largest body with `keepalive`, in bytes. */
const MOST_KEPT_ALIVE = 60_000;

/** A failed request; `code` is the server's error code, or "unreachable" if there was no response. */
export class ApiError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.name = "ApiError";
    this.code = code;
  }
}

/**
 * The message of a failure, for the user.
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Whether the request was only cancelled, for example because the user left the page.
 * @param {unknown} error
 */
export function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{ body?: unknown, signal?: AbortSignal, secret?: string, prefer?: string, tag?: string, seats?: string[], owner?: string, keepalive?: boolean }} [options]
 * @returns {Promise<Response>}
 */
export async function send(method, path, { body, signal, secret, prefer, tag, seats = [], owner, keepalive } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (method !== "GET") headers["Content-Type"] = "application/json";
  if (secret) headers["X-Agon-Secret"] = secret;
  if (prefer) headers["Prefer"] = prefer;
  if (tag) headers["If-None-Match"] = tag;
  if (owner) headers["X-Agon-Analysis"] = owner;
  if (seats.length > 0) headers["X-Agon-Seat"] = seats.join(",");
  const text = body === undefined ? undefined : JSON.stringify(body);
  // Browsers refuse larger bodies that are to outlive the page.
  const outlives = keepalive && new Blob([text ?? ""]).size < MOST_KEPT_ALIVE;
  const init = { method, headers, signal, keepalive: outlives, body: text };
  const response = await fetch(path, init).catch((error) => {
    if (isAbort(error)) throw error;
    throw new ApiError("unreachable", "The server is not responding. Is it still running?");
  });
  if (response.ok || response.status === 304) return response;
  const answer = await response.json().catch(() => null);
  const message = answer?.error?.message ?? `The server answered with status ${response.status}.`;
  throw new ApiError(answer?.error?.code ?? "failed", message);
}

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 */
export const get = async (path, signal) => (await send("GET", path, { signal })).json();

/**
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 */
export const post = async (path, body, signal) => (await send("POST", path, { body, signal })).json();

/** @param {string} id */
const gamePath = (id) => `/api/games/${encodeURIComponent(id)}`;

/**
 * Asks once and caches the answer; a failure is not cached, so the next call asks again.
 * @template A
 * @param {() => Promise<A>} ask
 * @returns {() => Promise<A>}
 */
function once(ask) {
  /** @type {Promise<A> | null} */
  let answer = null;
  return () => {
    answer ??= ask().catch((error) => {
      answer = null;
      throw error;
    });
    return answer;
  };
}

/** @type {() => Promise<T.Server>} */
export const server = once(() => get("/api/server"));

/** Checks that the server responds; fails if it does not. */
export const reach = () => get("/api/server");

/** @type {() => Promise<T.CatalogGame[]>} */
export const catalog = once(async () => (await get("/api/catalog")).games);

/**
 * @param {string} game
 * @param {AbortSignal} signal
 * @returns {Promise<T.Rules>}
 */
export const rules = (game, signal) => get(`/api/catalog/${encodeURIComponent(game)}/rules`, signal);

/**
 * @param {T.PositionQuery} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<T.Position>}
 */
export const position = (query, signal) => post("/api/position", query, signal);

/**
 * A position of a game, given any other position of that game.
 * @param {T.Position} known
 * @param {T.PositionQuery} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<T.Position>}
 */
export const positionLike = async (known, query, signal) =>
  withNews(known, await post("/api/position", { ...query, brief: true }, signal));

/**
 * Completes a brief position with what is constant throughout the game.
 * @param {T.Position} known
 * @param {T.PositionNews} news
 * @returns {T.Position}
 */
export const withNews = (known, news) => ({
  ...known,
  ...news,
  // Supplies are left out when there are none, and must not stay then.
  scene: { ...known.scene, supplies: [], ...news.scene },
});

/**
 * @param {T.PositionQuery} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<T.Threat[]>}
 */
export const threats = async (query, signal) => (await post("/api/threats", query, signal)).threats;

/**
 * @param {T.NewGame} game
 * @param {string} [secret]
 * @returns {Promise<T.Game>}
 */
export async function createGame(game, secret = serverSecret()) {
  const made = await (await send("POST", "/api/games", { body: game, secret })).json();
  keepTokens(made.id, made.tokens ?? []);
  return made;
}

/**
 * @param {string[]} ids
 * @param {AbortSignal} [signal]
 * @param {number} [limit]
 * @returns {Promise<T.ListedGame[]>}
 */
export async function games(ids, signal, limit = 60) {
  const names = ids.map(encodeURIComponent).join(",");
  return (await get(`/api/games?limit=${limit}&ids=${names}`, signal)).games;
}

/**
 * After a restart of the server, programs need its permission again.
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<T.Game>}
 */
export const game = async (id, signal) =>
  (await send("GET", gamePath(id), { signal, secret: serverSecret(), seats: ownTokens(id) })).json();

/**
 * Changes a game: move, take back, resign, draw, watch. Returns the game's new version; the game itself
 * arrives over the WebSocket.
 * @param {string} id
 * @param {"moves" | "undo" | "resign" | "draw" | "watch"} what
 * @param {Record<string, unknown>} body
 * @returns {Promise<number>}
 */
export async function change(id, what, body) {
  const { headers } = await send("POST", `${gamePath(id)}/${what}`, { body, prefer: "return=minimal", seats: ownTokens(id) });
  return Number(/\d+/.exec(headers.get("ETag") ?? "")?.[0]);
}

/**
 * The same game again, with the players rotated by one seat.
 * @param {string} id
 * @returns {Promise<T.Game>}
 */
export const rematch = async (id) =>
  (await send("POST", `${gamePath(id)}/rematch`, { body: {}, secret: serverSecret(), seats: ownTokens(id) })).json();

/**
 * A new game from a position of this one, with the same players.
 * @param {string} id
 * @param {number} ply
 * @returns {Promise<T.Game>}
 */
export const branch = async (id, ply) =>
  (await send("POST", `${gamePath(id)}/branch`, { body: { ply }, secret: serverSecret(), seats: ownTokens(id) })).json();

/**
 * @param {string} id
 * @param {number} ply
 * @param {AbortSignal} signal
 * @returns {Promise<T.Hint>}
 */
export const hint = (id, ply, signal) => post(`${gamePath(id)}/hint`, { ply }, signal);

/** @param {string} id */
export async function deleteGame(id) {
  await send("DELETE", gamePath(id), { seats: allTokens(id) });
}

/**
 * Where a game's record can be downloaded.
 * @param {string} id
 * @param {"text" | "json"} format
 */
export const recordPath = (id, format) => `${gamePath(id)}/record?format=${format}`;

/** @param {string} id */
export const recordText = async (id) => (await send("GET", recordPath(id, "text"))).text();

/**
 * @param {URLSearchParams} query  the filters
 * @param {{ limit: number, offset: number }} page
 * @param {AbortSignal} signal
 * @returns {Promise<T.RecordList>}
 */
export const records = (query, { limit, offset }, signal) => get(`/api/records?limit=${limit}&offset=${offset}&${query}`, signal);

/**
 * What records can be filtered by.
 * @param {AbortSignal} signal
 * @returns {Promise<T.RecordChoices>}
 */
export const recordChoices = (signal) => get("/api/records/choices", signal);

/**
 * Where the matching games can be downloaded.
 * @param {"pgn" | "jsonl" | "csv"} format
 * @param {URLSearchParams} query
 */
export const exportPath = (format, query) => `/api/records/export?${new URLSearchParams([["format", format], ...query])}`;

/**
 * @param {string} id
 * @param {AbortSignal} signal
 * @returns {Promise<T.GameRecord>}
 */
export const record = (id, signal) => get(`/api/records/${encodeURIComponent(id)}`, signal);

/**
 * Polls a resource; null if it is unchanged since the one with this tag.
 * @param {string} path
 * @param {string} tag
 * @param {AbortSignal} signal
 * @returns {Promise<{ data: any, tag: string } | null>}
 */
export async function news(path, tag, signal) {
  const response = await send("GET", path, { signal, tag });
  if (response.status === 304) return null;
  return { data: await response.json(), tag: response.headers.get("ETag") ?? "" };
}

/**
 * The experiments, or one of them.
 * @param {string} [name]
 */
export const labPath = (name) => (name === undefined ? "/api/lab" : `/api/lab/${segment(name)}`);

/**
 * Any name as one part of an address. Browsers take `..` for a step up, however it is encoded, but not
 * with a space after it; no name ends with a space, and the server ignores it.
 * @param {string} name
 */
export const segment = (name) => encodeURIComponent(name) + (/^\.{1,2}$/.test(name) ? "%20" : "");

/** @type {() => Promise<T.Sample[]>} */
export const samples = once(async () => (await get("/api/lab-samples")).samples);

/** @param {string} kind */
export const samplePath = (kind) => `/api/lab-samples/${encodeURIComponent(kind)}.toml`;

/**
 * A file that takes a while to make.
 * @param {string} path
 * @param {AbortSignal} signal
 */
export const blob = async (path, signal) => (await send("GET", path, { signal })).blob();

/**
 * Matches and tournaments, or one of them.
 * @param {string} [name]
 */
export const tournamentPath = (name) => (name === undefined ? "/api/tournaments" : `/api/tournaments/${segment(name)}`);

export const WORKERS_PATH = "/api/workers";

/**
 * Polls who is there, like `news`. That the broker is away is news, too, and no failure: only the
 * server sees it come back.
 * @param {string} path
 * @param {string} tag
 * @param {AbortSignal} signal
 * @returns {Promise<{ data: T.FleetNews, tag: string } | null>}
 */
export async function fleetNews(path, tag, signal) {
  try {
    return await news(path, tag, signal);
  } catch (error) {
    if (error instanceof ApiError && error.code === "away") return { data: { away: error.message }, tag: "" };
    throw error;
  }
}

/**
 * Checks a tournament's file and says how large the tournament is.
 * @param {string} file
 * @param {string} secret
 * @param {AbortSignal} [signal]
 * @returns {Promise<T.TournamentPlan>}
 */
export const planTournament = async (file, secret, signal) =>
  (await send("POST", "/api/tournament-plan", { body: { file }, secret, signal })).json();

/**
 * @param {string} file
 * @param {string} secret
 * @returns {Promise<{ name: string }>}
 */
export const beginTournament = async (file, secret) =>
  (await send("POST", "/api/tournaments", { body: { file }, secret })).json();

/**
 * @param {string} name
 * @param {"pause" | "resume" | "file"} what
 * @param {Record<string, unknown>} body
 * @param {string} secret
 */
export async function changeTournament(name, what, body, secret) {
  await send("POST", `${tournamentPath(name)}/${what}`, { body, secret });
}

/**
 * @param {string} name
 * @param {string} secret
 */
export async function deleteTournament(name, secret) {
  await send("DELETE", tournamentPath(name), { secret });
}

/**
 * @param {string} name
 * @param {string} secret
 */
export const tournamentFile = async (name, secret) =>
  (await send("GET", `${tournamentPath(name)}/file.toml`, { secret })).text();

/** @param {string} [env] */
export const environmentPath = (env) => (env === undefined ? "/api/environments" : `/api/environments/${encodeURIComponent(env)}`);

/**
 * @param {string} env
 * @param {string} agent
 */
export const agentPath = (env, agent) => `${environmentPath(env)}/agents/${encodeURIComponent(agent)}`;

/**
 * @param {string} env
 * @param {string} id
 */
export const runPath = (env, id) => `${environmentPath(env)}/runs/${encodeURIComponent(id)}`;
