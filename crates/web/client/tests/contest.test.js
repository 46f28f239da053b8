import assert from "node:assert/strict";
import { test } from "node:test";

import { agentAddress, agoWords, countWords, missingWords, opponentsWords, placeWords, ratingText, worthWords } from "../parts/contest.js";
import { nearest, scaleOf, ticksOf } from "../parts/curve.js";

/** @param {object} more */
const agent = (more) => /** @type {any} */ ({ window: 50, points: [1, 0], finished: 77, evaluated: true, current: 0.34, next: null, ...more });

test("ratings have as many decimals as a mean over the window needs", () => {
  assert.equal(ratingText(0.5, 50), "0.50");
  assert.equal(ratingText(30 / 49, 50), "0.61");
  assert.equal(ratingText(1 / 3, 30), "0.333");
  assert.equal(ratingText(null, 50), "–");
});

test("an agent's page says what it needs for more points", () => {
  const next = { above: 0.5, points: 55 };
  assert.equal(missingWords(agent({ next })), "For 55 points: more than 25 wins in 50 consecutive runs; the last 50 have 17.");
  assert.equal(missingWords(agent({ next, evaluated: false, finished: 49 })), "For 55 points: more than 25 wins in 50 consecutive runs; 1 run to go.");
  assert.match(missingWords(agent({ next, points: [2, 1, 0] })), /a total score above 25 in 50 consecutive runs/);
  assert.equal(missingWords(agent({})), "There are no more points to earn here.");
});

test("places, points and opponents are put in words", () => {
  assert.deepEqual([placeWords(1, 2), placeWords(2, 2), placeWords(2, 3), placeWords(null, 3)], ["won", "lost", "second", ""]);
  assert.equal(worthWords([1, 0]), "1 for a win, 0 for a loss");
  assert.equal(worthWords([2, 1, 0]), "2 for first place, 1 for second place, 0 for third place");
  const opponents = ["greedy", "greedy", "random"].map((name) => ({ name, agent: name, words: "" }));
  assert.deepEqual([1, 2, 3].map((count) => opponentsWords(opponents.slice(0, count))), ["greedy", "2 × greedy", "greedy and greedy and random"]);
  assert.deepEqual([countWords(1, "run"), countWords(1234, "run")], ["1 run", "1,234 runs"]);
});

test("times are shown as how long ago they were", () => {
  const now = 1_700_000_000_000;
  const words = [-5, 0.5, 5, 125, 25 * 60, 72 * 60].map((minutes) => agoWords(now - minutes * 60_000, now));
  assert.deepEqual(words, ["just now", "just now", "5 min ago", "2 h ago", "yesterday", "3 days ago"]);
  assert.equal(agoWords(null), "–");
});

test("any name is encoded in an address", () => {
  assert.equal(agentAddress("a.b-1", "100% #1/2?"), "/agent/a.b-1/100%25%20%231%2F2%3F");
});

test("the curve's scale keeps every run and rating inside the chart", () => {
  const scale = scaleOf(agent({ points: [2, 1, 0] }), 500);
  assert.ok(scale.x(1) >= 0 && scale.x(77) <= 500 && scale.y(2) >= 0 && scale.y(0) <= 300 && scale.y(2) < scale.y(0));
  assert.ok(Math.abs(scale.run(scale.x(33)) - 33) < 1e-9);
  assert.equal(scaleOf(agent({ finished: 3 }), 500).last, 50, "there is room for the missing runs");
  assert.ok(Number.isFinite(scaleOf(agent({ finished: 0, window: 1 }), 0).x(1)));
});

test("ticks are round and few", () => {
  assert.deepEqual(ticksOf(140, 8), [20, 40, 60, 80, 100, 120, 140]);
  assert.deepEqual(ticksOf(50, 3), [20, 40]);
  assert.ok([1, 7, 99, 1234, 100_000].every((last) => ticksOf(last, 8).length <= 8 && ticksOf(last, 8).every((tick) => tick <= last)));
});

test("the pointer finds the nearest run", () => {
  const curve = [1, 5, 9].map((run) => ({ run, rating: 0 }));
  assert.deepEqual([-3, 4, 8, 99].map((run) => nearest(curve, run)?.run), [1, 5, 9, 9]);
  assert.equal(nearest([], 3), undefined);
});
