// Small pictures of boards.

/** @import { Scene } from "../api-types" */

import { Board } from "../board/board.js";
import { el } from "../dom.js";
import { still } from "./words.js";

/**
 * A picture of a scene, turned as the player sees it.
 * @param {Scene} scene
 * @param {string[]} seats
 * @param {string} label
 * @param {number} [turn]
 */
export function thumbnail(scene, seats, label, turn = 0) {
  const host = el("div", { class: "thumbnail", data: { board: "still" } });
  const board = new Board(host, { thumbnail: true, interactive: false, label });
  board.setView({ turn, coordinates: false });
  void board.show(still(scene, seats));
  return host;
}
