import assert from "node:assert/strict";
import { test } from "node:test";

import { Entering } from "../board/entering.js";

/** @typedef {import("../api-types.js").Move} Move */
/** @typedef {import("../api-types.js").Position} Position */

/**
 * @param {string} text
 * @param {number[][]} routes
 * @param {string} [places]
 * @returns {Move}
 */
const move = (text, routes, places) => ({ text, routes, places, removes: [], carries: [] });

/** A knight on 0 may move to 5; a knight may be placed on 0 or 3, a pawn on 3. Black has a piece on 4. */
const DROPS = [move("go", [[0, 5]]), move("N@0", [[0]], "N"), move("N@3", [[3]], "N"), move("P@3", [[3]], "P")];

/** A column of three cells above a disc of black on 4, and a full one with 6. */
const COLUMN = [move("1", [[1], [2], [3], [4]], "X")];

/**
 * A move being entered, with what was said and played.
 * @param {Move[]} moves
 */
function entering(moves) {
  const man = (/** @type {number} */ cell, /** @type {number} */ owner) => ({ cell, owner, letter: "N", name: "knight", height: 1 });
  const scene = { shape: /** @type {const} */ ("square"), cells: [], regions: [], pieces: [man(0, 0), man(4, 1), man(6, 0)] };
  /** @type {{ said: string[], played: string[] }} */
  const heard = { said: [], played: [] };
  const own = new Entering({
    changed: () => {},
    play: (fit) => void heard.played.push(fit.move.text),
    say: (text) => void (text && heard.said.push(text)),
  });
  own.open(/** @type {Position} */ (/** @type {unknown} */ ({ to_move: 0, scene, moves })), [0]);
  return { own, ...heard };
}

test("a click where one piece can be placed plays at once", () => {
  for (const cell of [1, 3, 4]) {
    const { own, played } = entering(COLUMN);
    own.click(cell);
    assert.deepEqual(played, ["1"]);
    assert.equal(own.isOpen, false, "until the answer");
  }
});

test("different pieces for a cell are offered, and can be given up", () => {
  const { own, played, said } = entering(DROPS);
  own.click(3);
  assert.deepEqual(own.choices.map((fit) => fit.move.text), ["N@3", "P@3"]);
  assert.match(said[0], /Choose one/);
  assert.equal(own.cancel(), true);
  assert.deepEqual([own.choices, own.stops], [[], []]);
  own.click(3);
  own.choose("P@3");
  assert.deepEqual(played, ["P@3"]);
});

test("a piece that can move is selected first, and a second click places another there", () => {
  const both = entering(DROPS);
  both.own.click(0);
  assert.deepEqual([both.own.stops, both.own.canEnd], [[0], true]);
  assert.match(both.said[0], /Click again to place/);
  both.own.click(0);
  assert.deepEqual(both.played, ["N@0"]);
  const moved = entering(DROPS);
  moved.own.click(0);
  moved.own.click(5);
  assert.deepEqual(moved.played, ["go"]);
  const other = entering(DROPS);
  other.own.click(0);
  other.own.click(3);
  assert.equal(other.own.choices.length, 2, "another place is not a wrong target");
});

test("a piece from the supply goes where it can be placed", () => {
  const { own, played, said } = entering(DROPS);
  assert.deepEqual([...own.placeable], ["N", "P"]);
  assert.equal(own.hold("Q"), false);
  assert.equal(own.hold("P"), true);
  assert.deepEqual([...own.targets().ends], [3]);
  assert.equal(own.canStart(0), false, "the hand is full");
  own.click(5, true);
  assert.deepEqual([said.at(-1), own.held], ["Nothing can be placed there.", "P"]);
  own.click(3, true);
  assert.deepEqual(played, ["P@3"]);
  assert.equal(own.held, null);
});

test("what cannot be done is explained by what the game is about", () => {
  const complaint = (/** @type {Move[]} */ moves, /** @type {number} */ cell) => {
    const { own, said } = entering(moves);
    own.click(cell);
    return said.at(-1) ?? "";
  };
  assert.equal(complaint(COLUMN, 6), "Nothing can be placed there.");
  assert.equal(complaint(COLUMN, 9), "Nothing can be placed there.");
  assert.equal(complaint(DROPS, 4), "This piece is not yours.");
  assert.equal(complaint(DROPS, 6), "This piece has no legal move.");
  assert.equal(complaint(DROPS, 9), "Nothing can be placed there.");
  assert.equal(complaint([DROPS[0]], 9), "", "an empty cell needs no word where nothing is placed");
});
