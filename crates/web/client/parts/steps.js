// First, back, forward, last: the buttons and the keys that go through the positions of a game.

/** @import { Key } from "../page-types" */

import { button } from "../dom.js";
import { icon } from "./icons.js";

/**
 * Where one is in a game, and how to go elsewhere.
 * @typedef {{ at: () => number, end: () => number, to: (ply: number) => void }} Way
 */

/**
 * A button with a picture.
 * @param {"first" | "back" | "play" | "forward" | "last"} action
 * @param {string} name
 * @param {() => void} run
 */
export const pictureButton = (action, name, run) => button(icon(action), run, { "aria-label": name, title: name, data: { action } });

/**
 * The four buttons; `show` enables those that lead anywhere.
 * @param {Way} way
 */
export function stepButtons({ at, end, to }) {
  const first = pictureButton("first", "First position", () => to(0));
  const back = pictureButton("back", "One move back", () => to(at() - 1));
  const forward = pictureButton("forward", "One move forward", () => to(at() + 1));
  const last = pictureButton("last", "Last position", () => to(end()));
  const show = () => {
    first.disabled = back.disabled = at() === 0;
    last.disabled = forward.disabled = at() === end();
  };
  return { first, back, forward, last, show };
}

/**
 * @param {Way} way
 * @returns {Key[]}
 */
export function stepKeys({ at, end, to }) {
  return [
    { key: "Home", label: "First position", run: () => to(0) },
    { key: "ArrowLeft", label: "One move back", run: () => to(at() - 1) },
    { key: "ArrowRight", label: "One move forward", run: () => to(at() + 1) },
    { key: "End", label: "Last position", run: () => to(end()) },
  ];
}
