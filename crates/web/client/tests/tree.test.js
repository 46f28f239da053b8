// The tree of an analysis, its order as text, and links that carry it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { optionOf, withOption } from "../analyse/analysts.js";
import { short } from "../analyse/lines.js";
import { pack, unpack } from "../analyse/link.js";
import { Tree, lineDocument } from "../analyse/tree.js";
import { numberWords, scoreText, segments } from "../analyse/treeview.js";

const simple = () => new Tree({ variant: "congo", nodes: [
  { parent: 0, move: "a" }, { parent: 1, move: "b" }, { parent: 0, move: "x", comment: "why" }, { parent: 3, move: "y" }, { parent: 1, move: "c" },
] });

/** @param {Tree} tree */
const text = (tree) => segments(tree).map(({ level, nodes }) => `${level}:${nodes.map((node) => node.move).join(" ")}`).join("|");

test("a tree is read main line first, each variation after the move that it replaces", () => {
  assert.equal(text(simple()), "0:a|1:x y|0:b|1:c");
  const tree = simple();
  assert.deepEqual(tree.mainLine().map((node) => node.move), ["a", "b"]);
  assert.deepEqual(tree.moves(4), ["x", "y"]);
  assert.equal(tree.isMain(4), false);
});

test("playing a known move goes there, a new one begins a variation", () => {
  const tree = simple();
  assert.deepEqual(tree.play(1, "b"), { id: 2, isNew: false });
  assert.deepEqual(tree.play(2, "d"), { id: 6, isNew: true });
  assert.equal(text(tree), "0:a|1:x y|0:b|1:c|0:d");
});

test("promoting changes places at the last branch, and deleting takes everything after along", () => {
  const tree = simple();
  assert.equal(tree.promote(4), true);
  assert.equal(text(tree), "0:x|1:a b|2:c|0:y");
  assert.deepEqual(tree.mainLine().map((node) => node.move), ["x", "y"]);
  assert.equal(tree.promote(4), false);
  assert.equal(tree.remove(3), 0);
  assert.deepEqual(tree.mainLine().map((node) => node.move), ["a", "b"]);
  assert.equal(tree.size, 3);
});

test("a document comes back as it was, with the numbers of its nodes anew", () => {
  const tree = simple();
  tree.remove(2);
  const document = tree.document();
  assert.deepEqual(document.nodes, [{ parent: 0, move: "a" }, { parent: 1, move: "c" }, { parent: 0, move: "x", comment: "why" }, { parent: 3, move: "y" }]);
  assert.deepEqual(new Tree(document).document(), document);
});

test("a node is found by its moves, until they are deleted", () => {
  const tree = simple();
  assert.deepEqual([[], ["a"], ["a", "c"], ["x", "y"], ["a", "x"]].map((moves) => tree.find(moves)), [0, 1, 5, 4, null]);
  tree.remove(3);
  assert.equal(tree.find(["x", "y"]), null);
  assert.deepEqual([0, 1, 3, 4].map((id) => tree.holds(id)), [true, true, false, false]);
});

test("a very deep tree is no problem", () => {
  const tree = new Tree(lineDocument({ variant: "congo", moves: Array.from({ length: 4000 }, (_, at) => `m${at}`) }));
  assert.equal(tree.ply(tree.end(0)), 4000);
  let at = 0;
  for (let depth = 0; depth < 3000; depth += 1) at = tree.play(at, depth % 2 ? "p" : "q").id;
  assert.equal(segments(tree).flatMap((segment) => segment.nodes).length, 7000);
});

test("a review puts signs and better lines into the tree once", () => {
  const tree = new Tree(lineDocument({ variant: "congo", moves: ["a", "b"] }));
  const ply = { seat: 0, shares: [0.5, 0.5], score: null, exact: false, best: null, line: ["z", "w"], loss: 0.3, accuracy: 20, judgement: null };
  const review = /** @type {any} */ ({ seats: ["white", "black"], plies: [{ ...ply, move: null }, { ...ply, move: "a", judgement: "blunder" }, { ...ply, move: "b" }] });
  assert.equal(tree.annotate(review), true);
  assert.equal(tree.annotate(review), false);
  assert.equal(tree.node(1).sign, "??");
  assert.equal(text(tree), "0:a|1:z w|0:b");
});

test("a review puts scores behind moves, except where one was noted", () => {
  const tree = new Tree({ variant: "congo", nodes: [{ parent: 0, move: "a" }, { parent: 1, move: "b", score: 20, depth: 9 }, { parent: 2, move: "c" }] });
  const ply = { shares: [0.5, 0.5], exact: false, best: null, line: [], loss: 0, accuracy: 100, judgement: null };
  const plies = [{ ...ply, move: null, seat: null, score: 5 }, { ...ply, move: "a", seat: 0, score: -35 }, { ...ply, move: "b", seat: 1, score: 50 },
    { ...ply, move: "c", seat: 0, score: { loss_in: 4 }, exact: true }];
  assert.equal(tree.annotate(/** @type {any} */ ({ seats: ["white", "black"], plies })), true);
  const scores = tree.mainLine().map(({ score, exact }) => [score, exact]);
  assert.deepEqual(scores, [[35, false], [20, false], [{ win_in: 4 }, true]]);
});

test("with three players only the best move of a review has a score", () => {
  const tree = new Tree(lineDocument({ variant: "fauhalma:star3", moves: ["a", "b"] }));
  const ply = { shares: [0.5, 0.5, 0.5], exact: false, line: [], loss: 0, accuracy: 100, judgement: null };
  const plies = [{ ...ply, move: null, seat: null, score: { win_in: 5 }, best: "a" }, { ...ply, move: "a", seat: 0, score: 10, best: "x" },
    { ...ply, move: "b", seat: 1, score: 30, best: null }];
  tree.annotate(/** @type {any} */ ({ seats: ["red", "green", "blue"], plies }));
  assert.deepEqual(tree.mainLine().map(({ score }) => score), [{ win_in: 4 }, null]);
});

test("scores are written from the first player's point of view, with three from the mover's", () => {
  const both = (/** @type {any} */ score) => [scoreText(score, 0, 2), scoreText(score, 1, 2), scoreText(score, 1, 3)];
  assert.deepEqual(both(35), ["+0.35", "−0.35", "+0.35"]);
  assert.deepEqual(both(-120), ["−1.20", "+1.20", "−1.20"]);
  assert.deepEqual(both(0), ["+0.00", "+0.00", "+0.00"]);
  assert.deepEqual(both({ win_in: 4 }), ["#3", "#−3", "#2"]);
  assert.deepEqual(both({ loss_in: 3 }), ["#−2", "#2", "#−2"]);
});

test("moves are numbered by rounds of all players", () => {
  assert.deepEqual([1, 2, 3].map((ply) => numberWords(ply, 2, false)), ["1.", "", "2."]);
  assert.deepEqual([2, 3, 4].map((ply) => numberWords(ply, 3, true)), ["1…", "1……", "2."]);
});

test("links carry an analysis, and damaged or huge ones are refused", async () => {
  const document = simple().document();
  const hash = await pack(document);
  assert.match(hash, /^#tree=[A-Za-z0-9_-]+$/);
  assert.deepEqual(JSON.parse((await unpack(hash)) ?? ""), document);
  assert.equal(await unpack("#part-1"), null);
  await assert.rejects(unpack("#tree=AAAA"), /damaged/);
  await assert.rejects(unpack("#tree=<script>"), /damaged/);
  const bomb = await pack({ variant: "x".repeat(3e6) });
  assert.ok(bomb.length < 10_000);
  await assert.rejects(unpack(bomb), /larger than 1 MiB/);
});

test("switches change an agent's text", () => {
  assert.equal(withOption("engine", "tt", "off"), "engine:tt=off");
  assert.equal(withOption("engine:tt=off,lines=2", "tt", "on"), "engine:lines=2,tt=on");
  assert.equal(withOption("engine:tt=off", "tt", null), "engine");
  assert.equal(optionOf("engine:tt=off,lines=2", "lines"), "2");
  assert.equal(optionOf("engine", "lines"), null);
});

test("numbers are short", () => {
  assert.deepEqual([0, 9999, 12_345, 1_234_567, 3e10].map(short), ["0", "9999", "12.3 k", "1.23 M", "30.0 G"]);
});
