// The home page: the games, one click away from playing.

/** @import { CatalogGame, ListedGame } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { button, el, link } from "../dom.js";
import { gameList } from "../parts/gamelist.js";
import { myGames, rememberGame } from "../parts/settings.js";
import { thumbnail } from "../parts/thumbnail.js";
import { variantText } from "../parts/variant.js";
import { isWatched, levelAgent } from "../parts/words.js";

const QUICK_LEVEL = 3;
/** How many games the home page lists: each costs a few kilobytes. */
const FEW = 8;

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ signal, go }) {
  const [catalog, games] = await Promise.all([api.catalog(), api.games(myGames(), signal, FEW)]);
  const cards = catalog.map((game) => gameCard(game, go));
  const body = [
    el("div", { class: "intro" },
      el("h1", null, "Choose a game"),
      el("p", { class: "muted" }, `Play starts a game at once, against level ${QUICK_LEVEL}.`)),
    el("ul", { class: "cards" }, ...cards),
    ...ownGames(games),
    ...watchedGames(games),
  ];
  return { name: "home", title: "Agon", body };
}

/**
 * @param {CatalogGame} game
 * @param {(path: string) => void} go
 */
function gameCard(game, go) {
  const trouble = el("p", { class: "error", role: "alert" });
  const play = button("Play", () => void begin(), {
    class: "primary", "aria-label": `Play ${game.title}`, data: { action: "play", game: game.name },
  });
  const begin = async () => {
    play.disabled = true;
    trouble.textContent = "";
    try {
      const seats = game.seats.map((_, seat) => (seat === 0 ? person() : computer()));
      const made = await api.createGame({ variant: variantText(game), seats });
      rememberGame(made.id);
      go(`/play/${made.id}`);
    } catch (error) {
      trouble.textContent = api.messageOf(error);
      play.disabled = false;
    }
  };
  return el("li", { class: "card offer", data: { game: game.name } },
    thumbnail(game.scene, game.seats, `The ${game.title} board`, game.turn),
    el("h2", null, game.title),
    el("p", { class: "summary" }, game.summary),
    play,
    el("div", { class: "row" },
      link(`/new?game=${game.name}`, "Options…", { class: "button", "aria-label": `Options for ${game.title}`, data: { action: "options" } }),
      link(`/rules/${game.name}`, "Rules", { class: "button", "aria-label": `Rules of ${game.title}`, data: { action: "rules" } })),
    trouble);
}

/** @returns {{ kind: "human" }} */
const person = () => ({ kind: "human" });
/** @returns {{ kind: "agent", agent: string }} */
const computer = () => ({ kind: "agent", agent: levelAgent(QUICK_LEVEL) });

/** @param {ListedGame[]} games */
function ownGames(games) {
  const own = games.filter((game) => !isWatched(game));
  if (own.length === 0) return [];
  const list = el("div", null, gameList(own, ""));
  const section = el("section", { data: { list: "own" } }, el("h2", null, "Your games"), list);
  if (games.length === FEW) section.append(allGames(list));
  return [section];
}

/**
 * A button that shows the remaining games.
 * @param {HTMLElement} list
 */
function allGames(list) {
  const more = button("Show all", () => void show(), { data: { action: "all-games" } });
  const show = async () => {
    try {
      const games = await api.games(myGames());
      list.replaceChildren(gameList(games.filter((game) => !isWatched(game)), ""));
      more.remove();
    } catch (error) {
      list.append(el("p", { class: "error", role: "alert" }, api.messageOf(error)));
    }
  };
  return more;
}

/** @param {ListedGame[]} games */
function watchedGames(games) {
  const running = games.filter((game) => isWatched(game) && !game.outcome);
  return [el("section", { data: { list: "watched" } },
    el("h2", null, "Watch"),
    el("p", { class: "muted" }, "Let agents play each other, or ", link("/records", "replay stored games"), "."),
    gameList(running, "There are no games to watch right now."),
    link("/watch", "Start a game to watch", { class: "button", data: { action: "watch" } }))];
}
