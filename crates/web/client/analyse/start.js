// Where an analysis begins: a game's start, a text, or an analysis that began in this browser.

/** @import { CatalogGame } from "../api-types" */
/** @import { Page, PageContext } from "../page-types" */

import * as api from "../api.js";
import { el, freshId, link } from "../dom.js";
import { thumbnail } from "../parts/thumbnail.js";
import { dateWords } from "../parts/words.js";
import * as calls from "./calls.js";
import { known } from "./keep.js";
import { pack } from "./link.js";

/**
 * @param {PageContext} context
 * @returns {Promise<Page>}
 */
export async function startPage(context) {
  const catalog = await api.catalog();
  const body = [
    el("div", { class: "intro" }, el("h1", null, "Analyse"),
      el("p", { class: "muted" }, "See what the engine sees: evaluations and best lines while you move, exact values where they are known, and the review of a whole game.")),
    el("section", null, el("h2", null, "From the start"), el("div", { class: "cards" }, ...catalog.map(offer))),
    pasting(catalog, context),
    ...mine(),
  ];
  return { name: "analyse", title: "Analyse", body };
}

/** @param {CatalogGame} game */
function offer(game) {
  const [first, ...others] = game.variants;
  const address = (/** @type {string} */ variant) => `/analyse?${new URLSearchParams({ variant })}`;
  const more = others.length > 0 && el("p", { class: "row small" }, ...others.map(({ text, about }) => link(address(text), text.slice(game.name.length + 1), { title: about, "aria-label": text })));
  return el("article", { class: "card offer" }, thumbnail(game.scene, game.seats, `The ${game.title} board`, game.turn), el("h3", null, game.title), el("p", { class: "summary" }, game.summary), more || el("span"),
    link(address(first?.text ?? game.name), "Analyse", { class: "button primary", data: { analyse: game.name }, "aria-label": `Analyse ${game.title}` }));
}

/**
 * @param {CatalogGame[]} catalog
 * @param {PageContext} context
 */
function pasting(catalog, { signal, go }) {
  const [id, errorId, variantId] = [freshId(), freshId(), freshId()];
  const text = /** @type {HTMLTextAreaElement} */ (el("textarea", { id, rows: 6, spellcheck: "false", "aria-describedby": errorId, data: { field: "text" } }));
  const variant = /** @type {HTMLInputElement} */ (el("input", { type: "text", id: variantId, placeholder: "found by itself", list: "variants", data: { field: "variant" } }));
  const problem = el("p", { class: "error", role: "alert", id: errorId, data: { error: "text" } });
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    problem.textContent = "";
    try {
      const { analysis } = await calls.readAnalysis(text.value, variant.value.trim() || undefined, signal);
      go(`/analyse${await pack(analysis)}`);
    } catch (error) {
      if (!api.isAbort(error)) problem.textContent = api.messageOf(error);
    }
  };
  return el("section", null, el("h2", null, "From a text"),
    el("form", { class: "card paste", on: { submit: (/** @type {Event} */ event) => void send(event) } },
      el("div", { class: "field" }, el("label", { for: id }, "A position, a game as text, or an analysis"), text, problem),
      el("div", { class: "field narrow" }, el("label", { for: variantId }, "Variant of a position"), variant,
        el("datalist", { id: "variants" }, ...catalog.flatMap((game) => game.variants.map((known) => el("option", { value: known.text }))))),
      el("button", { type: "submit", class: "primary", data: { action: "read" } }, "Analyse")));
}

/** The analyses that began in this browser. */
function mine() {
  const list = known();
  if (list.length === 0) return [];
  const items = list.map(({ id, title, variant, at }) => el("li", null,
    link(`/analyse/${encodeURIComponent(id)}`, title || "Untitled"), el("span", { class: "muted small" }, ` ${variant}, ${dateWords(at)}`)));
  return [el("section", { data: { mine: "" } }, el("h2", null, "Your analyses"), el("ul", { class: "own-analyses" }, ...items))];
}
