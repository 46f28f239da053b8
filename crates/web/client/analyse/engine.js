// The analysis of the position that is shown, over a WebSocket that reconnects by itself. A hidden page
// searches nothing.

/** @import { AnalysisAnswer, AnalysisQuestion } from "../api-types" */

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 4000;

export class Engine {
  /**
   * @param {{ onAnswer: (answer: AnalysisAnswer) => void, onProblem: (problem: string) => void, onLink: (up: boolean) => void }} on
   * @param {AbortSignal} signal
   */
  constructor(on, signal) {
    this.on = on;
    this.signal = signal;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** What is wanted now. @type {AnalysisQuestion | null} */
    this.wanted = null;
    this.number = 0;
    this.wait = FIRST_WAIT_MS;
    /** @type {number | undefined} */
    this.timer = undefined;
    document.addEventListener("visibilitychange", () => this.send(), { signal });
    // Browsers keep pages that were left, with their connections, to return to them quickly.
    window.addEventListener("pagehide", () => this.close(), { signal });
    window.addEventListener("pageshow", (event) => event.persisted && this.send(), { signal });
    signal.addEventListener("abort", () => this.close());
  }

  /**
   * Analyses this instead of what came before; null stops.
   * @param {Omit<AnalysisQuestion, "number"> | null} question
   */
  ask(question) {
    this.number += 1;
    this.wanted = question && { ...question, number: this.number };
    this.send();
  }

  send() {
    const { wanted, socket } = this;
    if (socket?.readyState === WebSocket.OPEN) {
      socket.send(JSON.stringify(wanted && !document.hidden ? wanted : { stop: true }));
      return;
    }
    if (wanted && !document.hidden && !socket && this.timer === undefined) this.open();
  }

  open() {
    if (this.signal.aborted) return;
    const address = new URL("/api/analyse", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT_MS;
      this.on.onLink(true);
      if (this.wanted) this.send();
    });
    socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    socket.addEventListener("close", () => this.lost(socket));
  }

  /** @param {AnalysisAnswer} answer */
  hear(answer) {
    // What was on its way when another position was shown is too late.
    if (!this.wanted || answer.number !== this.number) return;
    if (answer.problem) this.on.onProblem(answer.problem);
    else this.on.onAnswer(answer);
  }

  /** @param {WebSocket} socket */
  lost(socket) {
    if (this.socket !== socket) return;
    this.socket = null;
    if (this.signal.aborted) return;
    this.on.onLink(false);
    this.timer = window.setTimeout(() => {
      this.timer = undefined;
      this.send();
    }, this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
  }

  close() {
    window.clearTimeout(this.timer);
    this.timer = undefined;
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }
}
