// Workers and runs in words.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ageText, leftWords, memoryText, playingWords, programsWords, rateText, refusalWords, runCounts, speedText } from "../parts/workers.js";

/** @param {string} text */
const plain = (text) => text.replaceAll("\u00a0", " ");
/** @param {number} seconds */
const plainAge = (seconds) => plain(ageText(seconds));

test("times, sizes and speeds", () => {
  assert.deepEqual([0, 119, 120, 7199, 7200, 172_799, 172_800, 1e9].map(plainAge),
    ["0 s", "119 s", "2 min", "119 min", "2 h", "47 h", "2 days", "11,574 days"]);
  assert.deepEqual([512, 1024, 15_872, 1_048_576].map(memoryText), ["512 MiB", "1 GiB", "15.5 GiB", "1,024 GiB"]);
  assert.deepEqual([0, 1_234_567].map(speedText), ["0.00", "1.23"]);
  assert.deepEqual([0, 2.34, 9.96, 1234.5].map(rateText), ["0", "2.3", "10", "1,235"]);
  assert.deepEqual([null, 20, 600].map(leftWords), ["", "less than a minute left", "about 10 min left"]);
});

test("which programs a worker runs", () => {
  const abilities = { version: "1", signature: "2", cores: 1, memory_mib: 1, isolation: "none", takes_programs: false, own_programs: 0, speed: 1 };
  assert.deepEqual(programsWords(abilities), { which: "none", isolation: "isolation: none" });
  assert.equal(programsWords({ ...abilities, own_programs: 2 }).which, "2 of its own");
  assert.deepEqual(programsWords({ ...abilities, own_programs: 2, takes_programs: true, isolation: "sandbox" }), { which: "taken", isolation: "isolation: sandbox" });
});

test("what is played, and what is not", () => {
  assert.equal(plain(playingWords({ run: "cup-1", name: "cup", games: 4, seconds: 12 })), "4 games of cup, for 12 s");
  assert.equal(plain(playingWords({ run: "cup-1", name: null, games: 1, seconds: 0 })), "1 game of cup-1, for 0 s");
  assert.equal(refusalWords({ name: null, reason: "it is old" }), "Leaves games to others: it is old");
  assert.equal(refusalWords({ name: "cup", reason: "it is old" }), "Leaves the games of cup to others: it is old");
});

test("how far a run is", () => {
  const run = { id: "r", name: "cup", tournament: null, coordinator: "c", done: 12, games: 4000, waiting: 8, workers: 1, seconds_left: null, refused: 0, warnings: [] };
  assert.deepEqual(runCounts(run), ["12 of 4,000 games", "8 waiting", "1 worker"]);
});
