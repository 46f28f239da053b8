// Pause, step and speed of a watched game.

/** @import { Watch } from "../api-types" */

import { button, el } from "../dom.js";

const SLOWEST_MS = 3000;
const FASTEST_MS = 100;

/** The controls of a watched game. */
export class WatchBar {
  /** @param {(change: { paused?: boolean, delay_ms?: number, step?: true }) => void} onChange */
  constructor(onChange) {
    this.paused = false;
    this.toggle = button("Pause", () => onChange({ paused: !this.paused }), { data: { action: "pause" } });
    this.step = button("One move", () => onChange({ step: true }), { data: { action: "step" } });
    this.speed = speedSlider((delay) => onChange({ delay_ms: delay }));
    this.node = el("div", { class: "card row watchbar", role: "group", "aria-label": "Watch controls" },
      this.toggle, this.step, this.speed.node);
  }

  /**
   * @param {Watch} watch
   * @param {boolean} over
   */
  show(watch, over) {
    this.paused = watch.paused;
    this.toggle.textContent = watch.paused ? "Resume" : "Pause";
    this.step.disabled = !watch.paused;
    this.speed.set(watch.delay_ms);
    this.node.hidden = over;
  }
}

/**
 * A slider from slow to fast. Its value is the delay between moves in milliseconds.
 * @param {(delay: number) => void} onChange
 */
export function speedSlider(onChange) {
  const turn = (/** @type {number} */ value) => SLOWEST_MS + FASTEST_MS - value;
  const words = () => `${(turn(Number(range.value)) / 1000).toFixed(1)} seconds between moves`;
  const range = el("input", {
    type: "range", min: FASTEST_MS, max: SLOWEST_MS, step: 100, data: { field: "speed" },
    on: {
      input: () => range.setAttribute("aria-valuetext", words()),
      change: () => onChange(turn(Number(range.value))),
    },
  });
  /** @param {number} delay */
  const set = (delay) => {
    range.value = String(turn(delay));
    range.setAttribute("aria-valuetext", words());
  };
  return { node: el("label", { class: "row slider" }, "Speed", range), set };
}
