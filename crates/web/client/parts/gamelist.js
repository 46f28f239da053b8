// Games as cards with a picture, to be resumed.

/** @import { ListedGame } from "../api-types" */

import { deleteGame, messageOf } from "../api.js";
import { button, el, link } from "../dom.js";
import { ask } from "./dialog.js";
import { icon } from "./icons.js";
import { announce } from "./notices.js";
import { forgetGame } from "./settings.js";
import { thumbnail } from "./thumbnail.js";
import { isElsewhere, playedHere, turnWords, versus } from "./words.js";

/**
 * @param {ListedGame[]} games
 * @param {string} empty  what to say if there are none
 */
export function gameList(games, empty) {
  if (games.length === 0) return el("p", { class: "muted" }, empty);
  return el("ul", { class: "games" }, ...games.map(gameItem));
}

/** @param {ListedGame} game */
function gameItem(game) {
  const mine = !game.outcome && game.to_move !== null && playedHere(game).includes(game.to_move);
  const words = game.watch?.paused && !game.outcome ? "Paused" : turnWords(game);
  const text = el("div", { class: "about" },
    link(`/play/${game.id}`, game.title, { class: "title" }),
    el("span", { class: "muted" }, versus(game.players)),
    el("span", { class: mine ? "turn mine" : "turn" }, words),
    el("span", { class: "muted small" }, `${game.variant}, move ${game.ply}`));
  const remove = button(icon("close"), () => void removeGame(game, item), {
    class: "quiet remove", "aria-label": `Delete this game of ${game.title}`, data: { action: "delete" },
  });
  const picture = thumbnail(game.scene, game.seats, `${game.title} board`, game.turn);
  const item = el("li", { class: "card game", data: { game: game.id } }, picture, text, remove);
  return item;
}

/**
 * @param {ListedGame} game
 * @param {HTMLElement} item
 */
async function removeGame(game, item) {
  const after = isElsewhere(game) ? "it comes back if it is still being played elsewhere." : "this cannot be undone.";
  const text = `${game.title}, ${versus(game.players)}: ${after}`;
  if (!(await ask({ title: "Delete this game?", text, yes: "Delete" }))) return;
  try {
    await deleteGame(game.id);
    forgetGame(game.id);
    // The focus moves to the neighbouring game.
    const beside = (item.nextElementSibling ?? item.previousElementSibling)?.querySelector("a");
    item.remove();
    beside?.focus();
    announce("Game deleted");
  } catch (error) {
    announce(messageOf(error));
    item.append(el("p", { class: "error" }, messageOf(error)));
  }
}
