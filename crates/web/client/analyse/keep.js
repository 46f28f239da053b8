// Keeps an analysis in the server's store while it is changed, and knows the ones that began in this browser.

/** @import { Analysis, StoredAnalysis } from "../api-types" */

import * as api from "../api.js";
import * as calls from "./calls.js";

const NAME = "agon.analyses";
const MOST_KNOWN = 60;
/** How long to wait for more changes before they are stored. */
const PAUSE_MS = 400;
/** How long to wait before the server is tried again. */
const RETRY_MS = 3000;

/** @typedef {{ id: string, token: string, title: string, variant: string, at: number }} Known */
/** @typedef {"unchanged" | "saving" | "saved" | "failed"} State */

/** Used without storage, too. @type {Known[]} */
let memory = [];

/** The analyses that began in this browser, latest first. */
export function known() {
  try {
    const stored = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    if (Array.isArray(stored)) memory = stored;
  } catch {
    // What is in memory is good enough for this page.
  }
  return memory;
}

/** @param {Known[]} list */
function remember(list) {
  memory = list.slice(0, MOST_KNOWN);
  try {
    localStorage.setItem(NAME, JSON.stringify(memory));
  } catch {
    // They last as long as the page.
  }
}

/** @param {string} id */
export const forget = (id) => remember(known().filter((one) => one.id !== id));

/** The token with which an analysis can be changed. @param {string} id */
export const tokenOf = (id) => known().find((one) => one.id === id)?.token ?? "";

/** Stores an analysis after every change, one request at a time. */
export class Keeper {
  /**
   * @param {StoredAnalysis | null} stored
   * @param {{ document: () => Analysis, onState: (state: State, problem: string) => void, onId: (id: string) => void }} on
   * @param {AbortSignal} signal
   */
  constructor(stored, on, signal) {
    this.on = on;
    this.signal = signal;
    this.id = stored?.id ?? null;
    this.version = stored?.version ?? 0;
    this.token = stored ? tokenOf(stored.id) : "";
    /** Whether there are changes that no request has taken along. */
    this.dirty = false;
    this.running = false;
    /** @type {number | undefined} */
    this.timer = undefined;
    // The page may be closed at once after a change; nobody waits for the answer then.
    window.addEventListener("pagehide", () => void this.store({ keepalive: true }), { signal });
    // Another page is shown, but nothing is closed.
    signal.addEventListener("abort", () => void this.store());
  }

  /** Something has changed. */
  touch() {
    this.dirty = true;
    this.on.onState("saving", "");
    this.later(PAUSE_MS);
  }

  /** Stores nothing any more. */
  end() {
    window.clearTimeout(this.timer);
    this.dirty = false;
  }

  /** @param {number} wait */
  later(wait) {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.store(), wait);
  }

  /** Stores what has changed. An analysis of somebody else is continued as a copy. @param {{ keepalive?: boolean }} [how] */
  async store(how = {}) {
    window.clearTimeout(this.timer);
    if (!this.dirty || this.running) return;
    this.dirty = false;
    this.running = true;
    /** @type {number | null} */
    let wait = PAUSE_MS;
    try {
      const document = this.on.document();
      if (this.id && this.token) await this.change(document, how);
      else await this.begin(document);
      if (!this.dirty) this.on.onState("saved", "");
    } catch (error) {
      this.dirty = true;
      wait = this.signal.aborted ? null : RETRY_MS;
      this.on.onState("failed", api.messageOf(error));
    }
    this.running = false;
    // What was changed meanwhile follows, even if the page has been left.
    if (this.dirty && wait !== null) this.later(wait);
  }

  /** @param {Analysis} document */
  async begin(document) {
    const made = await calls.createAnalysis(document);
    this.adopt(made.id, made.version, made.token ?? "", document);
  }

  /**
   * @param {Analysis} document
   * @param {{ keepalive?: boolean }} how
   */
  async change(document, how) {
    const id = /** @type {string} */ (this.id);
    try {
      const { version } = await calls.changeAnalysis(id, this.token, { version: this.version, analysis: document }, how);
      this.adopt(id, version, this.token, document);
    } catch (error) {
      // It was changed in another tab, is too old to be kept, or belongs to another browser: neither version is lost.
      const copies = ["conflict", "not_found", "forbidden", "not_allowed"];
      if (!(error instanceof api.ApiError) || !copies.includes(error.code)) throw error;
      await this.begin(document);
    }
  }

  /**
   * @param {string} id
   * @param {number} version
   * @param {string} token
   * @param {Analysis} document
   */
  adopt(id, version, token, { title = "", variant }) {
    const isNew = id !== this.id;
    [this.id, this.version, this.token] = [id, version, token];
    remember([{ id, token, title, variant, at: Date.now() }, ...known().filter((one) => one.id !== id)]);
    if (isNew && !this.signal.aborted) this.on.onId(id);
  }
}
