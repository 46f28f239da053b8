// The line above the board: looking back, the result, what to do, or whose turn it is.

/** @import { Game } from "../api-types" */

import { button, el, fill, link } from "../dom.js";
import { isElsewhere, playedHere, turnWords, verdictFor } from "./words.js";

/** The line above the board. */
export class Headline {
  /** @param {{ onNow: () => void, onRematch: () => void }} on */
  constructor(on) {
    this.on = on;
    this.node = el("div", { class: "headline" });
  }

  /**
   * @param {Game} game
   * @param {number | null} looking  the ply that is looked back at
   */
  show(game, looking) {
    const { outcome, guide } = game.position;
    this.node.className = "headline";
    if (looking !== null) this.lookingBack(looking);
    else if (outcome) this.result(game);
    else if (game.waiting) fill(this.node, el("p", { class: "error", data: { status: "waiting" } }, game.waiting));
    else if (guide && isTurnHere(game)) this.guide(game, guide);
    else fill(this.node, el("p", { class: isTurnHere(game) ? "mine" : "", data: { status: "turn" } }, statusWords(game)));
  }

  /** @param {number} ply */
  lookingBack(ply) {
    this.node.classList.add("looking");
    const where = ply === 0 ? "Looking back at the start" : `Looking back at move ${ply}`;
    fill(this.node, el("p", { data: { status: "looking" } }, where),
      button("Back to the game", this.on.onNow, { data: { action: "now" } }));
  }

  /**
   * @param {Game} game
   * @param {string} guide
   */
  guide(game, guide) {
    this.node.classList.add("guide");
    fill(this.node, el("p", { data: { status: "guide" } }, el("strong", null, `${statusWords(game)}.`), " ", guide));
  }

  /** @param {Game} game */
  result(game) {
    const verdict = verdictFor(game);
    const sentence = game.position.outcome?.sentence ?? "";
    this.node.classList.add("result");
    fill(this.node,
      el("p", { data: { status: "over", result: "" } }, verdict && el("strong", null, `${verdict}.`), verdict && " ", sentence), this.again(game));
  }

  /** @param {Game} game */
  again(game) {
    if (isElsewhere(game)) return null;
    if (game.rematch) return link(`/play/${game.rematch}`, "Go to the rematch", { class: "button primary", data: { action: "to-rematch" } });
    // Whoever only watches a game whose seats have owners cannot start one.
    if (game.yours.length === 0 && game.players.some((player) => player.owned)) return null;
    return button("Rematch", this.on.onRematch, { class: "primary", data: { action: "rematch" } });
  }
}

/** @param {Game} game */
function isTurnHere(game) {
  const seat = game.position.to_move;
  return seat !== null && playedHere(game).includes(seat);
}

/** @param {Game} game */
function statusWords(game) {
  if (game.watch?.paused) return `Paused: ${turnWords(game)}`;
  return turnWords(game);
}
