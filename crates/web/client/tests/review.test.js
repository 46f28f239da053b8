import assert from "node:assert/strict";
import { test } from "node:test";

import { areaOf, lineOf, plyByKey, scaleOf, stretchesOf } from "../analyse/curve.js";
import { isRight, summaryWords } from "../analyse/learn.js";
import { nameOf } from "../analyse/review.js";
import { accuracyText, betterLine, costWords, countText, curveWords, decidedWords, leftWords, lessonsOf, lineText, nextOf, percent, phaseWords, plyWords,
  progressWords, sharesWords, turningPoints } from "../analyse/words.js";

/** @import { Judgement, Review } from "../api-types" */

/**
 * @param {[string | null, number | null, number[], (Judgement | null)?][]} plies  move, seat, shares, judgement
 * @param {object} [more]
 * @returns {Review}
 */
function reviewOf(plies, more = {}) {
  const full = plies.map(([move, seat, shares, judgement = null], at) => ({
    move, seat, shares, judgement, score: 0, exact: false, best: "x1", line: ["x1", "x2"], loss: at / 100, accuracy: 90,
  }));
  return /** @type {any} */ ({ seats: ["white", "black"], plies: full, decided_at: null, ...more });
}

const GAME = reviewOf([
  [null, null, [0.5, 0.5]], ["a1", 0, [0.4, 0.6], "inaccuracy"], ["b1", 1, [0.55, 0.45], "mistake"],
  ["a2", 0, [0.2, 0.8], "blunder"], ["b2", 1, [0.2, 0.8]], ["a3", 0, [0, 1], "blunder"],
]);

test("only what is certain is 0 or 100 percent", () => {
  assert.deepEqual([0, 0.001, 0.236, 0.999, 1].map(percent), ["0 %", "< 1 %", "24 %", "> 99 %", "100 %"]);
  assert.deepEqual([accuracyText(93), accuracyText(null), accuracyText(undefined)], ["93.0 %", "–", "–"]);
});

test("turning points are those of a seat and of a kind, in turn", () => {
  assert.deepEqual(turningPoints(GAME), [1, 2, 3, 5]);
  assert.deepEqual(turningPoints(GAME, { seat: 0 }), [1, 3, 5]);
  const blunders = turningPoints(GAME, { seat: 0, judgement: "blunder" });
  assert.deepEqual([0, 3, 5, 9].map((at) => nextOf(blunders, at)), [3, 5, 3, 3]);
  assert.equal(nextOf([], 3), null);
});

test("one learns from mistakes, and without any from inaccuracies", () => {
  assert.deepEqual(lessonsOf(GAME, 0), [3, 5]);
  assert.deepEqual(lessonsOf(GAME, null), [2, 3, 5]);
  const slight = reviewOf([[null, null, [0.5, 0.5]], ["a1", 0, [0.4, 0.6], "inaccuracy"]]);
  assert.deepEqual([lessonsOf(slight, 0), lessonsOf(slight, 1)], [[1], []]);
});

test("a move is told with its player, its judgement and what it led to", () => {
  assert.equal(plyWords(GAME, 0), "The start: 50 % for white");
  assert.equal(plyWords(GAME, 1), "Move 1, white: a1, an inaccuracy; 40 % for white");
  assert.equal(plyWords(GAME, 4), "Move 4, black: b2; 20 % for white");
  assert.equal(plyWords(GAME, 99), "");
  const exact = reviewOf([[null, null, [1, 0]]]);
  exact.plies[0].exact = true;
  assert.equal(plyWords(exact, 0), "The start: 100 % for white, known exactly");
});

test("with three players everybody has a share", () => {
  const three = reviewOf([[null, null, [0.5, 0.5, 0.5]], ["[[1,-4],[0,-3],[0,-1]]", 2, [0.75, 0.5, 0.25], "blunder"]], { seats: ["A", "B", "C"] });
  assert.equal(sharesWords(three, 0), "A 50 %, B 50 %, C 50 %");
  assert.equal(plyWords(three, 1), "Move 1, C: 1,-4 ⇝ 0,-1, a blunder; A 75 %, B 50 %, C 25 %");
  assert.equal(costWords(three, 1), "50 % → 25 %");
});

test("what a move cost is told for whoever made it, with what was better", () => {
  assert.equal(costWords(GAME, 2), "60 % → 45 %");
  assert.deepEqual(betterLine(GAME, 2), ["x1", "x2"]);
  assert.deepEqual(betterLine(GAME, 0), []);
  assert.equal(lineText(["a", "b"]), "a · b");
  assert.equal(lineText([..."abcdefgh"]), "a · b · c · d …");
});

test("the end of a game says when it was decided", () => {
  assert.equal(decidedWords(GAME), "The game is not over.");
  const over = (/** @type {number | null} */ decided, /** @type {number[]} */ shares) => {
    const review = reviewOf([[null, null, [0.5, 0.5]], ["a1", 0, [0.9, 0.1]], ["b1", 1, shares]], { decided_at: decided });
    review.plies[2].best = null;
    return decidedWords(review);
  };
  assert.equal(over(1, [1, 0]), "White was clearly ahead from move 1 on, and won.");
  assert.equal(over(2, [0, 1]), "Decided by the last move: Black won.");
  assert.equal(over(0, [1, 0]), "White was clearly ahead from the start, and won.");
  assert.equal(over(null, [0.5, 0.5]), "Nobody won alone.");
});

test("counts, phases and progress are put in words", () => {
  const player = { seat: 0, accuracy: 80, moves: 9, inaccuracies: 2, mistakes: 1, blunders: 0 };
  assert.deepEqual([countText(player, "inaccuracy"), countText(player, "mistake"), countText(player, "blunder")], ["2 inaccuracies", "1 mistake", "0 blunders"]);
  assert.equal(phaseWords({ name: "middle", from: 4, to: 6, accuracy: [] }), "Middle game, moves 4 to 6");
  assert.equal(progressWords({ done: 12, total: 1058 }), "12 of 1,058 positions");
  assert.deepEqual([leftWords(1, 50, 5000), leftWords(10, 50, 1000)], ["", ""], "it is too early to tell");
  assert.deepEqual([leftWords(10, 5, 10_000), leftWords(10, 42, 10_000), leftWords(10, 300, 10_000)], ["about 5 s left", "about 45 s left", "about 5 min left"]);
  assert.match(curveWords(GAME), /At the start 50 % for white; after move 5 0 % for white\. The most was lost by move 5: a3\./);
});

test("the scale of the curve leads from plies to places and back", () => {
  const scale = scaleOf(400, 20);
  for (const ply of [0, 1, 7, 20]) assert.equal(scale.ply(scale.x(ply) + 3), ply);
  assert.deepEqual([scale.ply(-50), scale.ply(999)], [0, 20]);
  assert.deepEqual([scale.y(1), scale.y(0), scale.y(2)], [scale.top, scale.bottom, scale.top]);
  assert.equal(scaleOf(0, 0).ply(3), 0, "a game without moves in a box without width");
});

test("the area is closed below its line", () => {
  const scale = scaleOf(158, 2);
  assert.equal(lineOf([0.5, 1, 0], scale), "M46.0 85.0L96.0 10.0L146.0 160.0");
  assert.equal(areaOf([0.5, 1, 0], scale), "M46.0 85.0L96.0 10.0L146.0 160.0L146.0 160L46 160z");
  assert.equal(areaOf([], scale), "");
  assert.deepEqual(stretchesOf([true, true, false, true, false]), [[0, 1], [3, 3]]);
});

test("keys lead along the curve and not beyond its ends", () => {
  assert.deepEqual(["ArrowRight", "ArrowDown", "PageUp", "PageDown", "Home", "End"].map((key) => plyByKey(key, 5, 12)), [6, 4, 12, 0, 0, 12]);
  assert.equal(plyByKey("a", 5, 12), null);
  assert.deepEqual([plyByKey("ArrowLeft", 0, 12), plyByKey("ArrowUp", 12, 12)], [0, 12]);
});

test("a move that costs next to nothing is right", () => {
  assert.deepEqual([isRight(0.6, 0.56), isRight(0.6, 0.5), isRight(0.6, 0.9)], [true, false, true]);
  assert.equal(summaryWords(["found", "shown", "later", "skipped", "found"]), "2 of 5 found at once, 1 after another try, 1 shown, 1 skipped.");
  assert.equal(summaryWords(["found"]), "1 of 1 found at once.");
});

test("a review belongs to one game", () => {
  const game = { variant: "congo", start: null, moves: ["d2d3"], opening: 0 };
  assert.equal(nameOf(game), nameOf({ ...game, moves: ["d2d3"] }));
  for (const other of [{ moves: ["d2d4"] }, { opening: 1 }, { start: "x" }, { variant: "fenix" }]) assert.notEqual(nameOf({ ...game, ...other }), nameOf(game));
});
