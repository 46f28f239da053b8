/**
 * The pieces beside the board that are still to be placed: one pile per kind and player. Those of the
 * player to move are buttons, to be dragged onto the board or chosen by click or key.
 *
 * @typedef {import("../api-types.js").Position} Position
 * @typedef {import("../api-types.js").Supply} Supply
 * @typedef {object} SupplyEvents
 * @property {(letter: string, byKeyboard: boolean) => void} pick a pile was clicked
 * @property {() => boolean} cancel the piece in hand is given up; returns whether there was one
 * @property {(letter: string) => boolean} take a drag starts; returns whether it may
 * @property {(event: PointerEvent) => void} drag
 * @property {(event: PointerEvent | null) => void} drop null if the drag was broken off
 * @typedef {{ supplies: Supply[], placeable: Set<string>, held: string | null }} SupplyState
 */
import { el } from "../dom.js";
import { carriesPieces } from "./carry.js";
import { supplyWords } from "./labels.js";
import { drawPiece, tone } from "./pieces.js";
import { svg } from "./svg.js";

/** The most pieces drawn in a pile, and how far each is from the one before. */
const PILE = { most: 5, step: 22 };

export class Supplies {
  node = el("div", { class: "board-supplies" });
  /** @type {SupplyEvents} */ #on;
  /** What is drawn: it is replaced only when it changes, so that a drag survives. */
  #key = "";

  /** @param {SupplyEvents} on */
  constructor(on) {
    this.#on = on;
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && on.cancel()) event.stopPropagation();
    });
  }

  /**
   * @param {Position} position
   * @param {SupplyState} state
   */
  show(position, { supplies, placeable, held }) {
    this.node.hidden = supplies.length === 0;
    const usable = (/** @type {Supply} */ one) => one.owner === position.to_move && placeable.has(one.letter);
    const key = JSON.stringify([position.seats, supplies, supplies.map(usable)]);
    if (key !== this.#key) {
      this.#key = key;
      this.#draw(position, supplies, usable);
    }
    for (const pile of this.node.querySelectorAll("button")) {
      pile.setAttribute("aria-pressed", String(pile.dataset.piece === held));
    }
  }

  /**
   * @param {Position} position
   * @param {Supply[]} supplies
   * @param {(supply: Supply) => boolean} usable
   */
  #draw(position, supplies, usable) {
    const focused = this.node.contains(document.activeElement);
    const groups = (position.labels ?? []).map((seat, owner) => {
      const piles = supplies.filter((supply) => supply.owner === owner);
      const drawn = piles.map((supply) => this.#pile(position, supply, usable(supply)));
      return el("div", { class: "board-supply", role: "group", "aria-label": `Supply of ${seat}` }, ...drawn);
    });
    this.node.replaceChildren(...groups.filter((group) => group.childElementCount > 0));
    if (focused) this.node.querySelector("button")?.focus();
  }

  /**
   * @param {Position} position
   * @param {Supply} supply
   * @param {boolean} usable
   */
  #pile(position, supply, usable) {
    const words = supplyWords(position, supply);
    const parts = [heap(supply, tone(position.seats, supply.owner))];
    const count = supply.left === undefined ? null : el("span", { class: "supply-count" }, supply.left);
    const data = { piece: supply.letter, owner: supply.owner };
    if (!usable) return el("span", { class: "supply", role: "img", "aria-label": words, title: words, data }, ...parts, count);
    const label = { "aria-label": `Place a piece: ${words}`, title: words };
    const pile = el("button", { type: "button", class: "supply", ...label, data }, ...parts, count);
    const { letter } = supply;
    carriesPieces(pile, {
      take: () => this.#on.take(letter),
      drag: (event) => this.#on.drag(event),
      drop: (event) => this.#on.drop(event),
      pick: (byKeyboard) => this.#on.pick(letter, byKeyboard),
    });
    return pile;
  }
}

/**
 * The picture of a pile, a few pieces deep.
 * @param {Supply} supply
 * @param {string} toneName
 */
function heap({ letter, name, owner, left }, toneName) {
  const count = Math.min(PILE.most, left ?? 1);
  const pieces = Array.from({ length: count }, (_, index) => {
    const drawn = drawPiece({ cell: -1, owner, letter, name, height: 1 }, toneName, index < count - 1);
    drawn.setAttribute("transform", `translate(${index * PILE.step} 0)`);
    return drawn;
  });
  const width = 92 + PILE.step * (PILE.most - 1);
  return svg("svg", { class: "board heap", viewBox: `-46 -46 ${width} 96`, "aria-hidden": "true" }, ...pieces);
}
