import assert from "node:assert/strict";
import { test } from "node:test";

import { labPath } from "../api.js";
import { countsOf, experimentAddress } from "../parts/lab.js";
import { Pace, paceWords, timeWords } from "../parts/pace.js";

/** @param {[number, number][]} seen  seconds and what is done then */
const watched = (seen) => {
  const pace = new Pace();
  for (const [second, done] of seen) pace.note(done, second * 1000);
  return pace;
};

test("the pace is measured between changes, and only over a while", () => {
  assert.equal(watched([]).perMinute(0), null);
  assert.equal(watched([[0, 10]]).perMinute(1000), null);
  assert.equal(watched([[0, 10], [2, 12]]).perMinute(2000), null, "too short");
  assert.equal(watched([[0, 10], [2, 12], [10, 20]]).perMinute(10_000), 60);
  assert.equal(watched([[0, 10], [10, 20], [20, 20]]).perMinute(20_000), 60, "no change is no news");
});

test("only the last two minutes count, but at least the last change", () => {
  assert.equal(watched([[0, 0], [10, 100], [100, 110], [230, 120]]).perMinute(230_000), (10 * 60) / 130);
  assert.equal(watched([[0, 0], [600, 1]]).perMinute(600_000), 0.1);
});

test("an experiment that stops or begins anew has no pace", () => {
  const pace = watched([[0, 10], [5, 15], [10, 20]]);
  assert.ok(pace.isMoving(39_000) && !pace.isMoving(41_000));
  assert.equal(pace.perMinute(41_000), null);
  assert.ok(watched([[0, 1], [100, 2]]).isMoving(300_000), "slow games keep it waiting");
  assert.equal(watched([[0, 10], [10, 20], [20, 0]]).perMinute(20_000), null);
});

test("the pace is put in words", () => {
  assert.equal(paceWords(null, 10, false), "");
  assert.equal(paceWords(120, 600, false), "120 games a minute, about 5 min left");
  assert.equal(paceWords(2.54, 1, true), "2.5 games a minute, at most less than a minute left");
  assert.equal(paceWords(1, 0, false), "1 game a minute");
  assert.equal(paceWords(0.01, 100, false), "less than a game a minute, about 7 days left");
  assert.deepEqual([0.2, 1, 89, 100, 60 * 30, 60 * 50].map(timeWords),
    ["less than a minute", "about 1 min", "about 89 min", "about 2 h", "about 30 h", "about 2 days"]);
});

test("what is done is counted, and what there is not is left out", () => {
  const progress = { games: 120, of_games: 4000, at_most: false, measurements: 1, of_measurements: 1, complete: false };
  assert.deepEqual(countsOf(progress), ["120 of 4,000 games", "1 measurement"]);
  assert.deepEqual(countsOf({ ...progress, games: 0, of_games: 0 }), ["1 measurement"]);
});

test("any name has an address", () => {
  assert.equal(experimentAddress("a/b ü"), "/lab/a%2Fb%20%C3%BC");
  assert.equal(new URL(experimentAddress(".."), "http://x/").pathname, "/lab/..%20");
  assert.equal(new URL(labPath("."), "http://x/").pathname, "/api/lab/.%20");
  assert.equal(labPath("..."), "/api/lab/...");
});
