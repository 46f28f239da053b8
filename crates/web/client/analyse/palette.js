/**
 * The pieces that can be placed, one button each and grouped by player, and an eraser. A piece is dragged
 * onto the board, or chosen by click or key and then placed by clicks or keys.
 *
 * @typedef {import("../api-types.js").Position} Position
 * @typedef {import("../api-types.js").Stock} Stock
 * @typedef {import("./draft.js").Tool} Tool
 * @typedef {object} PaletteEvents
 * @property {(tool: Tool, byKeyboard: boolean) => void} pick
 * @property {(stock: Stock) => void} take a drag starts
 * @property {(event: PointerEvent) => void} drag
 * @property {(stock: Stock, event: PointerEvent | null) => void} drop null if the drag was broken off
 */
import { carriesPieces } from "../board/carry.js";
import { pieceWords } from "../board/labels.js";
import { drawPiece, tone } from "../board/pieces.js";
import { svg } from "../board/svg.js";
import { capital, el } from "../dom.js";

export class Palette {
  node = el("div", { class: "palette", role: "group", "aria-label": "Pieces" });
  /** @type {PaletteEvents} */ #on;
  /** @type {Map<string, HTMLButtonElement>} */ #buttons = new Map();

  /** Takes pieces away; the page puts it beside its other buttons. */
  eraser = this.#makeEraser();

  /** @param {PaletteEvents} on */
  constructor(on) {
    this.#on = on;
  }

  /**
   * @param {Position} position
   * @param {Stock[]} stocks
   */
  fill(position, stocks) {
    this.#buttons = new Map(stocks.map((stock) => [stock.letter, this.#pile(position, stock)]));
    const groups = position.labels.map((label, owner) => {
      const own = stocks.filter((stock) => stock.owner === owner);
      const piles = own.flatMap((stock) => this.#buttons.get(stock.letter) ?? []);
      return el("div", { class: "palette-row", role: "group", "aria-label": capital(label) }, ...piles);
    });
    this.node.replaceChildren(...groups);
  }

  /**
   * Shows what is chosen.
   * @param {Tool} tool
   */
  show(tool) {
    for (const [letter, pile] of this.#buttons) {
      pile.setAttribute("aria-pressed", String(tool.kind === "place" && tool.letter === letter));
    }
    this.eraser.setAttribute("aria-pressed", String(tool.kind === "erase"));
  }

  /**
   * @param {Position} position
   * @param {Stock} stock
   */
  #pile(position, stock) {
    const words = pieceWords(position, { ...stock, cell: -1 });
    const picture = svg("svg", { class: "board", viewBox: "-46 -52 92 98", "aria-hidden": "true" },
      drawPiece({ ...stock, cell: -1 }, tone(position.seats, stock.owner), false));
    const pile = el("button", {
      type: "button", class: "palette-piece", "aria-label": words, title: words, data: { piece: stock.letter },
    }, picture);
    carriesPieces(pile, {
      take: () => {
        this.#on.take(stock);
        return true;
      },
      drag: (event) => this.#on.drag(event),
      drop: (event) => this.#on.drop(stock, event),
      pick: (byKeyboard) => this.#on.pick({ kind: "place", letter: stock.letter }, byKeyboard),
    });
    return pile;
  }

  #makeEraser() {
    const pick = (/** @type {MouseEvent} */ event) => this.#on.pick({ kind: "erase" }, event.detail === 0);
    return el("button", { type: "button", class: "small", data: { action: "erase" }, on: { click: pick } }, "Eraser");
  }
}
