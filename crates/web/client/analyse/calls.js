// What only pages that analyse ask the server. It is not loaded before.

/** @import * as T from "../api-types" */

import { get, post, send } from "../api.js";

/**
 * What can be set up, and what the rules say about a draft.
 * @param {T.ArrangeQuery} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<T.Arranged>}
 */
export const arrange = (query, signal) => post("/api/arrange", query, signal);

/** @param {string} id */
const reviewPath = (id) => `/api/reviews/${encodeURIComponent(id)}`;

/**
 * Begins to review a game, or finds the review that was begun before.
 * @param {T.ReviewWanted} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<T.ReviewState>}
 */
export const review = (body, signal) => post("/api/reviews", body, signal);

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<T.ReviewState>}
 */
export const reviewState = (id, signal) => get(reviewPath(id), signal);

/** @param {string} id */
export async function cancelReview(id) {
  await send("DELETE", reviewPath(id));
}

/** @param {string} id */
const analysisPath = (id) => `/api/analyses/${encodeURIComponent(id)}`;

/**
 * @param {string} id
 * @param {string} owner  the token that this browser has, if any
 * @param {AbortSignal} [signal]
 * @returns {Promise<T.StoredAnalysis>}
 */
export const analysis = async (id, owner, signal) => (await send("GET", analysisPath(id), { signal, owner })).json();

/**
 * @param {T.Analysis} document
 * @returns {Promise<T.StoredAnalysis>}
 */
export const createAnalysis = (document) => post("/api/analyses", { analysis: document });

/**
 * Stores an analysis as it is now; it fails with the code "conflict" if somebody else changed it meanwhile.
 * @param {string} id
 * @param {string} owner
 * @param {{ version: number, analysis: T.Analysis }} change
 * @param {{ keepalive?: boolean }} [how]  `keepalive`: even if the page is closed now
 * @returns {Promise<{ version: number, updated_at: number }>}
 */
export const changeAnalysis = async (id, owner, change, { keepalive } = {}) =>
  (await send("PUT", analysisPath(id), { body: change, owner, keepalive })).json();

/**
 * @param {string} id
 * @param {string} owner
 */
export const deleteAnalysis = async (id, owner) => void (await send("DELETE", analysisPath(id), { owner }));

/**
 * Reads a game or a position from a text.
 * @param {string} text
 * @param {string | undefined} variant  of a bare position, if it is known
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ analysis: T.Analysis, games: number }>}
 */
export const readAnalysis = (text, variant, signal) => post("/api/analyses/read", { text, variant }, signal);

/**
 * @param {T.Analysis} document
 * @returns {Promise<string>}
 */
export const analysisText = async (document) => (await post("/api/analyses/text", { analysis: document })).text;
