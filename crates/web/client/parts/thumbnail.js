// Small pictures of boards.

/** @import { Scene } from "../api-types" */

import { thumbnail as draw } from "../board/picture.js";
import { el } from "../dom.js";

/**
 * A picture of a scene, turned as the player sees it.
 * @param {Scene} scene
 * @param {string[]} seats
 * @param {string} label
 * @param {number} [turn]
 */
export function thumbnail(scene, seats, label, turn = 0) {
  const host = el("div", { class: "thumbnail", data: { board: "still" } });
  draw(host, { scene, seats }, { label, turn });
  return host;
}
