// A new game, with all its options.

/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { el, fill, link } from "../dom.js";
import { rememberGame } from "../parts/settings.js";
import { Setup } from "../parts/setup.js";

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function open({ query, signal, go }) {
  const [catalog, server] = await Promise.all([api.catalog(), api.server()]);
  const game = catalog.find((known) => known.name === query.get("game")) ?? catalog[0];
  if (!game) throw new Error("The server has no games.");
  const about = el("p", { class: "muted" });
  const setup = new Setup({
    catalog, server, game, people: true, signal,
    onGame(chosen) {
      fill(about, chosen.summary, " ", link(`/rules/${chosen.name}`, "Rules", { target: "_blank" }));
      history.replaceState(null, "", `/new?game=${chosen.name}`);
    },
    onMade(made) {
      rememberGame(made.id);
      go(`/play/${made.id}`);
    },
  });
  return { name: "new", title: "New game", body: [el("h1", null, "New game"), about, setup.node] };
}
