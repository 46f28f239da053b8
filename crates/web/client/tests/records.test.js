// Records without a browser: addresses, requests, columns and curves.

import assert from "node:assert/strict";
import { test } from "node:test";

import { clockText, columnsOf, timeText } from "../parts/movetable.js";
import { isFiltered, readQuery, recordsAddress, requestQuery } from "../parts/recordquery.js";
import { marksOf, rangeOf } from "../parts/scorecurve.js";

test("filters survive in the address", () => {
  const address = recordsAddress({ ...readQuery(new URLSearchParams()), agent: "ugi:./a b&c=d", tournament: "spring 1/2", since: "2026-01-31" }, 3);
  const read = readQuery(new URLSearchParams(address.split("?")[1]));
  assert.equal(read.agent, "ugi:./a b&c=d");
  assert.equal(read.tournament, "spring 1/2");
  assert.ok(isFiltered(read) && address.endsWith("page=3"));
  assert.equal(recordsAddress(readQuery(new URLSearchParams("nonsense=1"))), "/records");
});

test("days of the user become moments, the last day included", () => {
  const query = { ...readQuery(new URLSearchParams()), since: "2026-01-31", until: "2026-01-31" };
  const request = requestQuery(query);
  const [since, until] = [new Date(request.get("since") ?? ""), new Date(request.get("until") ?? "")];
  assert.deepEqual([since.getDate(), since.getHours(), until.getDate(), until.getHours()], [31, 0, 1, 0]);
  assert.equal(requestQuery({ ...query, since: "soon" }).get("since"), "soon");
});

/** @type {import("../api-types").RecordedMove} */
const MOVE = { seat: 0, ms: 0, clock_ms: null, nodes: 0, depth: null, score: null, score_text: null };

test("columns without anything are left out", () => {
  const names = (/** @type {import("../api-types").RecordedMove[]} */ details) => columnsOf(details).map(({ name }) => name);
  assert.deepEqual(names([MOVE]), []);
  assert.deepEqual(names([MOVE, { ...MOVE, ms: 3, depth: 7 }]), ["Time", "Depth"]);
  assert.deepEqual(names([{ ...MOVE, clock_ms: 0, nodes: 1, score: 0, score_text: "+0.00" }]), ["Clock left", "Nodes", "Score"]);
});

test("two players share one point of view, three have their own", () => {
  const details = [{ ...MOVE, score: 50 }, { ...MOVE, seat: 1, score: -40 }, MOVE, { ...MOVE, seat: 1, score: { loss_in: 2 } }];
  const two = marksOf({ details, opening: 2, seats: ["white", "black"] });
  assert.deepEqual(two.map(({ ply, value }) => [ply, value]), [[3, 0.5], [4, 0.4], [6, Infinity]]);
  const three = marksOf({ details, opening: 0, seats: ["A", "B", "C"] });
  assert.deepEqual(three.map(({ value }) => value), [0.5, -0.4, -Infinity]);
  assert.equal(rangeOf(two), 1);
  assert.equal(rangeOf([{ seat: 0, ply: 1, value: -7.5 }]), 7.5);
});

test("times are short and clocks have tenths", () => {
  assert.deepEqual([0.25, 1.5, 250, 1500, 61_000].map(timeText), ["250 µs", "1.5 ms", "250 ms", "1.50 s", "1:01.0"]);
  assert.deepEqual([598_640, 3_723_000].map(clockText), ["9:58.6", "1:02:03.0"]);
});
