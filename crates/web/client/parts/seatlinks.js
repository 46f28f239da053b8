// Who plays the seats of a game whose seats have owners: the links of friends, or a note for those who watch.

/** @import { Game } from "../api-types" */

import { capital, el } from "../dom.js";
import { copyButton } from "./share.js";
import { guestTokens, ownTokens, seatLink } from "./tokens.js";

/**
 * A card for whoever has links to pass on, or has none; null if there is nothing to say.
 * @param {Game} game
 */
export function seatCard(game) {
  if (!game.players.some((player) => player.owned)) return null;
  const guests = guestTokens(game.id);
  if (guests.length > 0) return invitation(game, guests);
  if (game.yours.length > 0) return null;
  return el("section", { class: "card", data: { seats: "watching" } },
    el("h2", null, "You are watching"),
    el("p", { class: "muted" }, "Each player has a link of their own, and only that plays their seat."));
}

/**
 * @param {Game} game
 * @param {{ seat: number, token: string }[]} guests
 */
function invitation(game, guests) {
  const name = (/** @type {number} */ seat) => game.players[seat]?.seat ?? "";
  const rows = guests.map(({ seat, token }) => {
    const link = seatLink(game.id, token);
    const field = el("input", {
      type: "text", readonly: true, value: link, "aria-label": `Link for ${name(seat)}`, data: { link: seat },
      on: { focus: () => field.select() },
    });
    return el("div", { class: "seat-link" }, el("p", null, el("strong", null, capital(name(seat))), ": send this link to your friend."),
      el("div", { class: "row nowrap" }, field, copyButton("Copy", () => link, `copy-link-${seat}`)));
  });
  const [own] = ownTokens(game.id);
  const elsewhere = own && copyButton("Copy your own link", () => seatLink(game.id, own), "copy-own-link");
  return el("section", { class: "card", data: { seats: "invitation" } }, el("h2", null, "Play with a friend"), ...rows,
    el("p", { class: "muted small" }, "Whoever has a seat's link plays that seat. Your own link continues the game on another device."), elsewhere);
}
