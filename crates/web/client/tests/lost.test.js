// Missing men, evaluations in words, and moves for later.

import assert from "node:assert/strict";
import test from "node:test";

import { Later } from "../board/later.js";
import { evaluationWords } from "../parts/evaluation.js";
import { missing } from "../parts/lost.js";

/** @param {string} text  letters with their heights: "p1 p1 l1"; capitals are the first player's */
function pieces(text) {
  return text.split(" ").filter(Boolean).map((one, cell) => {
    const letter = one.slice(0, 1);
    return { cell, owner: letter === letter.toUpperCase() ? 0 : 1, letter, name: letter, height: Number(one.slice(1)) };
  });
}

/** @param {string} first @param {string} now */
const lost = (first, now) => missing(pieces(first), pieces(now)).map(({ letter, count }) => `${letter}${count}`).join(" ");

test("men that left the board are missing", () => {
  assert.equal(lost("P1 P1 L1 p1 l1", "P1 P1 L1 p1 l1"), "");
  assert.equal(lost("P1 P1 L1 p1 p1 l1", "P1 L1 p1"), "P1 p1 l1");
});

test("a promoted man is not missing", () => {
  assert.equal(lost("P1 P1 P1 L1", "S1 P1 L1"), "P1");
  assert.equal(lost("P1 P1 P1 L1", "S1 S1 S1 L1"), "");
  // Of a kind that was there from the start, too.
  assert.equal(lost("P1 P1 P1 Q1", "P1 Q1 Q1"), "P1");
});

test("a stack counts as many men as it is high", () => {
  assert.equal(lost("S1 S1 S1 S1 S1 S1 s1", "K3 G2 S1 s1"), "");
  assert.equal(lost("S1 S1 S1 S1 S1 S1 s1", "K3 S1 s1"), "S2");
});

test("an evaluation names the side that is ahead", () => {
  const seats = ["white", "black"];
  assert.equal(evaluationWords({ text: "+0.10", for: "white", share: 0.51 }, seats), "About equal (+0.10 for white)");
  assert.equal(evaluationWords({ text: "-1.20", for: "white", share: 0.3 }, seats), "Black is better (-1.20 for white)");
  assert.equal(evaluationWords({ text: "win in 3 plies", for: "black", share: 1 }, seats), "Black is winning (win in 3 plies for black)");
  assert.equal(evaluationWords({ text: "-3.00", for: "A", share: 0.1 }, ["A", "B", "C"]), "A is losing (-3.00 for A)");
});

/** @param {Partial<import("../api-types").Scene>} more */
function opened(more = {}) {
  /** @type {string[]} */
  const said = [];
  const later = new Later({ changed() {}, say: (text) => said.push(text) });
  const cells = ["a1", "b1", "c1"].map((name, x) => ({ name, x, y: 0 }));
  const scene = { shape: "square", cells, regions: [], pieces: pieces("P1 p1"), ...more };
  const position = /** @type {any} */ ({ scene, to_move: 1 });
  later.open(position, [0]);
  return { later, position, said };
}

test("a move for later starts at one's own piece and is given up by a click", () => {
  const { later, said } = opened();
  later.click(1);
  assert.deepEqual([later.from, later.way], [null, []], "not mine");
  later.click(0);
  later.click(2);
  assert.deepEqual(later.way, [0, 2]);
  assert.match(said.at(-1) ?? "", /^a1–c1 will be played/);
  later.click(1);
  assert.deepEqual(later.way, []);
  assert.equal(later.cancel(), false);
});

test("a move for later waits for its turn, and is taken once", () => {
  const { later, position } = opened();
  later.click(0);
  later.click(1);
  later.open({ ...position, to_move: 0 }, [0]);
  assert.equal(later.canStart(0), false);
  assert.deepEqual(later.due(), [0, 1]);
  assert.deepEqual(later.due(), []);
});

test("where pieces are placed, a cell alone is a move for later", () => {
  const { later } = opened({ pieces: [], supplies: [{ owner: 0, letter: "X", name: "disc", left: 3 }] });
  later.click(2);
  assert.deepEqual(later.way, [2]);
});
