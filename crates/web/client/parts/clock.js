// Clocks that keep running between updates from the server.

/** @import { Clock } from "../api-types" */

const TICK_MS = 100;
const LOW_MS = 20_000;

/**
 * Minutes and seconds; tenths when time is short.
 * @param {number} ms
 */
export function timeText(ms) {
  const left = Math.max(0, ms);
  const seconds = Math.floor(left / 1000);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (left < LOW_MS) return `0:${two(seconds)}.${Math.floor((left % 1000) / 100)}`;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** The clocks of a game, one face for each seat. */
export class Clocks {
  /**
   * @param {HTMLElement[]} faces
   * @param {AbortSignal} signal
   */
  constructor(faces, signal) {
    this.faces = faces;
    /** @type {Clock | null} */
    this.clock = null;
    this.heardAt = 0;
    const timer = window.setInterval(() => this.draw(), TICK_MS);
    signal.addEventListener("abort", () => window.clearInterval(timer));
  }

  /**
   * Sets the clocks to the server's times. Time is counted from their arrival: the clocks of the two
   * machines may differ.
   * @param {Clock | null} clock
   */
  set(clock) {
    this.clock = clock;
    this.heardAt = performance.now();
    this.draw();
  }

  draw() {
    const { clock } = this;
    this.faces.forEach((face, seat) => {
      face.hidden = clock === null;
      if (!clock) return;
      const running = clock.running === seat;
      const spent = running ? performance.now() - this.heardAt : 0;
      const left = (clock.remaining_ms[seat] ?? 0) - spent;
      face.classList.toggle("running", running);
      face.classList.toggle("low", left < LOW_MS);
      const text = timeText(left);
      if (face.textContent !== text) face.textContent = text;
    });
  }
}
