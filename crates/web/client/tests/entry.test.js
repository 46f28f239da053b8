import assert from "node:assert/strict";
import { test } from "node:test";

import {
  begin,
  choiceLabel,
  ending,
  enter,
  fitting,
  landings,
  mustTake,
  piecesAfter,
  placedPiece,
  placings,
  starts,
  suppliesAfter,
  targets,
} from "../board/entry.js";

/** @typedef {import("../api-types.js").Move} Move */

/**
 * @param {string} text
 * @param {number[][]} routes
 * @param {Partial<Move>} [more]
 * @returns {Move}
 */
const move = (text, routes, more = {}) => ({ text, routes, removes: [], carries: [], ...more });

/**
 * @param {number} cell
 * @param {number} owner
 */
const man = (cell, owner, height = 1) => ({ cell, owner, letter: "S", name: "soldier", height });

/** A piece on 0 that may hop to 2, on to 4, or on to 6; and one on 10 with a single long chain. */
const HOPS = [
  move("short", [[0, 2]]),
  move("middle", [[0, 2, 4]]),
  move("long", [[0, 2, 4, 6]]),
  move("step", [[0, 1]]),
  move("chain", [[10, 12, 14]], { removes: [11, 13] }),
];

test("only pieces with a move can be selected", () => {
  assert.deepEqual([...starts(HOPS)], [0, 10]);
});

test("a move that is the only one to its end is played by its end", () => {
  const step = enter(HOPS, [0], 1);
  assert.equal(step.kind === "play" && step.fit.move.text, "step");
  const long = enter(HOPS, [0], 6);
  assert.equal(long.kind === "play" && long.fit.move.text, "long");
});

test("if there is only one chain, its first stop plays all of it", () => {
  const step = enter(HOPS, [10], 12);
  assert.equal(step.kind === "play" && step.fit.move.text, "chain");
  assert.equal(step.kind === "play" && step.fit.from, 1);
});

test("a stop that longer moves continue from waits, and a second click ends the move there", () => {
  assert.deepEqual(enter(HOPS, [0], 2), { kind: "continue", stops: [0, 2], canEnd: true });
  const again = enter(HOPS, [0, 2], 2);
  assert.equal(again.kind === "play" && again.fit.move.text, "short");
});

test("a dropped piece stays where it was dropped if a move ends there", () => {
  const step = enter(HOPS, [0], 4, true);
  assert.equal(step.kind === "play" && step.fit.move.text, "middle");
});

test("a cell off the route is refused, and so is a second click where no move ends", () => {
  assert.equal(enter(HOPS, [0], 5).kind, "refuse");
  assert.equal(enter(HOPS, [10], 0).kind, "refuse");
  const fork = [move("a", [[0, 2, 4]]), move("b", [[0, 2, 6]])];
  assert.deepEqual(enter(fork, [0], 2), { kind: "continue", stops: [0, 2], canEnd: false });
  assert.equal(enter(fork, [0, 2], 2).kind, "refuse");
});

test("moves with the same end are told apart by a choice, or by a stop on the way", () => {
  const two = [move("left", [[0, 1, 5]], { removes: [7] }), move("right", [[0, 3, 5]], { removes: [8] })];
  const step = enter(two, [0], 5);
  assert.deepEqual(step.kind === "choose" && step.fits.map((fit) => fit.move.text), ["left", "right"]);
  const byStop = enter(two, [0], 3);
  assert.equal(byStop.kind === "play" && byStop.fit.move.text, "right");
});

test("one move with several routes needs no choice, and is played along the route entered", () => {
  const round = [
    move("round", [
      [0, 1, 5],
      [0, 3, 5],
    ]),
    move("other", [[0, 3, 9]]),
  ];
  assert.equal(enter(round, [0], 5).kind, "play");
  const step = enter(round, [0, 3], 5);
  assert.deepEqual(step.kind === "play" && step.fit.route, [0, 3, 5]);
});

test("a route that returns to a cell can be entered", () => {
  const loop = [move("loop", [[0, 2, 4, 2, 6]]), move("back", [[0, 2, 4, 2]])];
  assert.deepEqual(enter(loop, [0, 2, 4], 2), { kind: "continue", stops: [0, 2, 4, 2], canEnd: true });
  assert.deepEqual(
    ending(loop, [0, 2, 4, 2]).map((fit) => fit.move.text),
    ["back"],
  );
  assert.equal(ending(loop, [0]).length, 0);
});

test("targets are ends, and stops where nothing ends", () => {
  const { ends, next } = targets(HOPS, [10]);
  assert.deepEqual([[...ends], [...next]], [[14], [12]]);
  const hops = targets(HOPS, [0]);
  assert.deepEqual([[...hops.ends].sort(), [...hops.next]], [[1, 2, 4, 6], []]);
  assert.deepEqual([...targets(HOPS, [0, 2]).ends].sort(), [4, 6]);
});

test("only moves of the selected piece fit", () => {
  assert.deepEqual(
    fitting(HOPS, [10]).map((fit) => fit.move.text),
    ["chain"],
  );
});

test("a choice is labelled by what it takes, or else by its stops", () => {
  const name = (/** @type {number} */ cell) => `c${cell}`;
  const [left, right] = [
    move("l", [[0, 1, 5]], { removes: [7, 8] }),
    move("r", [[0, 3, 5]], { removes: [9] }),
  ];
  assert.equal(choiceLabel(left, [left, right], name), "takes c7, c8");
  const drowning = move("l", [[0, 1, 5]], { removes: [0, 7] });
  assert.equal(choiceLabel(drowning, [drowning, right], name), "takes c7");
  const [one, two] = [move("l", [[0, 1, 5]]), move("r", [[0, 3, 5]])];
  assert.equal(choiceLabel(two, [one, two], name), "via c3");
  const none = move("n", [[0, 5]]);
  assert.equal(choiceLabel(none, [none, right], name), "takes nothing");
});

test("taking is compulsory only if every move takes an opponent's piece", () => {
  const pieces = [man(0, 0), man(10, 0), man(11, 1), man(13, 1)];
  assert.equal(mustTake(HOPS, pieces, 0), null);
  assert.deepEqual(mustTake([HOPS[4]], pieces, 0), { taken: 2, stacks: false, starts: [10] });
  const uneven = [HOPS[4], move("x", [[0, 2]], { removes: [11] })];
  assert.deepEqual(mustTake(uneven, pieces, 0), { taken: null, stacks: false, starts: [10, 0] });
  // Units count, not pieces: a stack of three counts as three.
  const stacked = [man(0, 0), man(10, 0), man(11, 1, 2), man(13, 1, 1)];
  assert.deepEqual(mustTake([HOPS[4]], stacked, 0), { taken: 3, stacks: true, starts: [10] });
  // A piece that only loses itself takes nothing.
  assert.equal(mustTake([move("pit", [[0, 1]], { removes: [0] })], pieces, 0), null);
  assert.equal(mustTake([], pieces, 0), null);
});

test("the pieces after a move account for captures, swaps, stacks and own losses", () => {
  const cells = (/** @type {ReturnType<typeof piecesAfter>} */ list) =>
    list.map((piece) => [piece.cell, piece.owner, piece.height]);
  const pieces = [man(0, 0), man(1, 0), man(2, 1)];
  assert.deepEqual(cells(piecesAfter(pieces, move("x", [[0, 2]], { removes: [2] }))), [
    [1, 0, 1],
    [2, 0, 1],
  ]);
  assert.deepEqual(cells(piecesAfter(pieces, move("stack", [[0, 1]]))), [
    [2, 1, 1],
    [1, 0, 2],
  ]);
  assert.deepEqual(cells(piecesAfter(pieces, move("swap", [[0, 2]], { carries: [[2, 0]] }))), [
    [1, 0, 1],
    [0, 1, 1],
    [2, 0, 1],
  ]);
  assert.deepEqual(cells(piecesAfter(pieces, move("die", [[0, 2]], { removes: [0] }))), [
    [1, 0, 1],
    [2, 1, 1],
  ]);
});

/** Two columns of three cells, the first from 0 up, with a disc on 0. */
const COLUMNS = [
  move("1", [[1], [2], [0]], { places: "X" }),
  move("2", [[3], [4], [5]], { places: "X" }),
];

/** A knight on 0 may move to 5; a knight or a pawn may be placed on 0 or 3. */
const DROPS = [
  move("go", [[0, 5]]),
  move("N@0", [[0]], { places: "N" }),
  move("N@3", [[3]], { places: "N" }),
  move("P@3", [[3]], { places: "P" }),
];

const texts = (/** @type {{ move: Move }[]} */ fits) => fits.map((fit) => fit.move.text);

test("a cell that stands for one move plays it at once, wherever the piece comes to stand", () => {
  for (const cell of [0, 1, 2]) {
    const step = begin(COLUMNS, cell);
    assert.equal(step.kind === "play" && step.fit.move.text, "1");
    assert.deepEqual(step.kind === "play" && step.fit.route, [1], "it is shown where it lands");
  }
  assert.equal(begin(COLUMNS, 6).kind, "refuse");
  assert.deepEqual([...landings(COLUMNS)], [1, 3]);
  assert.equal(starts(COLUMNS).size, 0, "no piece is moved");
});

test("different pieces that can be placed on a cell are a choice, labelled by their names", () => {
  const step = begin(DROPS, 3);
  assert.deepEqual(step.kind === "choose" && texts(step.fits), ["N@3", "P@3"]);
  const moves = DROPS.slice(2);
  const kind = (/** @type {string} */ letter) => (letter === "N" ? "knight" : "pawn");
  const labels = moves.map((one) => choiceLabel(one, moves, String, kind));
  assert.deepEqual(labels, ["knight", "pawn"]);
});

test("where a piece can be placed and another moved, both can be entered", () => {
  assert.deepEqual(begin(DROPS, 0), { kind: "continue", stops: [0], canEnd: true });
  const gone = enter(DROPS, [0], 5);
  assert.equal(gone.kind === "play" && gone.fit.move.text, "go");
  const placed = enter(DROPS, [0], 0);
  assert.equal(placed.kind === "play" && placed.fit.move.text, "N@0");
  assert.deepEqual(texts(fitting(DROPS, [0])), ["go"], "the targets are those of the piece");
  assert.equal(enter(DROPS, [0], 3).kind, "refuse", "a selected piece does not place another");
  assert.deepEqual(texts(placings(DROPS, 0)), ["N@0"]);
});

test("a piece that is placed is named by the supply, and taken from it", () => {
  const supplies = [
    { owner: 1, letter: "X", name: "cross", left: 4 },
    { owner: 0, letter: "X", name: "disc", left: 2 },
    { owner: 0, letter: "Y", name: "stone" },
  ];
  const scene = { shape: /** @type {const} */ ("hole"), cells: [], regions: [], pieces: [], supplies };
  const piece = placedPiece(scene, COLUMNS[1], 0);
  assert.deepEqual(piece, { cell: 3, owner: 0, letter: "X", name: "disc", height: 1 });
  assert.equal(placedPiece(scene, HOPS[0], 0), null);
  assert.deepEqual(suppliesAfter(supplies, COLUMNS[1], 0).map((one) => one.left), [4, 1, undefined]);
  const endless = move("y", [[3]], { places: "Y" });
  assert.deepEqual(suppliesAfter(supplies, endless, 0), supplies, "what never runs out is not counted");
});

test("the pieces after placing include the new one, and lose what it takes", () => {
  const pieces = [man(0, 1), man(1, 1)];
  const placed = man(3, 0);
  const after = piecesAfter(pieces, move("x", [[3]], { removes: [1] }), placed);
  assert.deepEqual(after, [man(0, 1), placed]);
  const onto = piecesAfter([man(3, 0, 2)], move("x", [[3]]), placed);
  assert.deepEqual(onto, [man(3, 0, 3)], "a piece placed on others joins them");
});
