// Agents against each other: start a game, or watch one in progress.

/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { el, link } from "../dom.js";
import { gameList } from "../parts/gamelist.js";
import { myGames, rememberGame } from "../parts/settings.js";
import { Setup } from "../parts/setup.js";
import { isWatched } from "../parts/words.js";

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ query, signal, go }) {
  const [catalog, server, games] = await Promise.all([api.catalog(), api.server(), api.games(myGames(), signal)]);
  const game = catalog.find((known) => known.name === query.get("game")) ?? catalog[0];
  if (!game) throw new Error("The server has no games.");
  const watched = games.filter(isWatched);
  watched.sort((a, b) => Number(a.outcome !== null) - Number(b.outcome !== null));
  const setup = new Setup({
    catalog, server, game, people: false, signal, onGame() {},
    onMade(made) {
      rememberGame(made.id);
      go(`/play/${made.id}`);
    },
  });
  const body = [
    el("h1", null, "Watch"),
    el("p", { class: "muted" }, "Let agents play each other and watch them. Finished games are among the ",
      link("/records", "stored games"), "."),
    el("section", { data: { list: "watched" } }, el("h2", null, "Games to watch"),
      gameList(watched.slice(0, 12), "None yet: start one below.")),
    el("section", null, el("h2", null, "Start a game"), setup.node),
  ];
  return { name: "watch", title: "Watch", body };
}
