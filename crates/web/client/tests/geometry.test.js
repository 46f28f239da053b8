import assert from "node:assert/strict";
import { test } from "node:test";

import {
  UNIT,
  cellAt,
  corners,
  edgeLabels,
  fallsFrom,
  layoutOf,
  neighbours,
  outline,
  passes,
  towards,
  turned,
} from "../board/geometry.js";

/**
 * A board of squares, named by letters and numbers, row by row from the bottom.
 * @param {number} width
 * @param {number} height
 * @returns {import("../api-types.js").Scene}
 */
function squares(width, height) {
  const cells = Array.from({ length: width * height }, (_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)];
    return { name: `${"abcdefgh"[x]}${y + 1}`, x, y };
  });
  return { shape: "square", cells, regions: [], pieces: [] };
}

/** A hexagon and its six neighbours. @type {import("../api-types.js").Scene} */
const FLOWER = {
  shape: "hexagon",
  cells: [
    [0, 0],
    [1, 0],
    [0, 1],
    [-1, 1],
    [-1, 0],
    [0, -1],
    [1, -1],
  ].map(([x, y]) => ({
    name: `${x},${y}`,
    x: x + y / 2,
    y: (y * Math.sqrt(3)) / 2,
  })),
  regions: [],
  pieces: [],
};

test("up in a scene is up on the screen, and a turn goes clockwise", () => {
  assert.deepEqual(turned(0, 1, 0), { x: 0, y: -UNIT });
  assert.deepEqual(turned(0, 1, 90), { x: UNIT, y: 0 });
  assert.deepEqual(turned(2, 1, 180), { x: -2 * UNIT, y: UNIT });
});

test("the box contains every corner of every cell, turned or not", () => {
  for (const [scene, turn] of /** @type {const} */ ([
    [squares(3, 5), 0],
    [squares(3, 5), 180],
    [FLOWER, 0],
    [FLOWER, 60],
  ])) {
    const layout = layoutOf(scene, turn);
    const { x, y, width, height } = layout.board;
    for (const corner of scene.cells.flatMap((_, cell) => corners(layout, cell))) {
      assert.ok(corner.x >= x - 0.2 && corner.x <= x + width + 0.2, `${corner.x} in ${x}+${width}`);
      assert.ok(corner.y >= y - 0.2 && corner.y <= y + height + 0.2, `${corner.y} in ${y}+${height}`);
    }
  }
});

test("the outline of a block is one loop of four corners", () => {
  const layout = layoutOf(squares(4, 4), 0);
  const loops = outline(layout, [0, 1, 4, 5]);
  assert.deepEqual(
    loops.map((loop) => loop.length),
    [4],
  );
  assert.deepEqual(
    new Set(loops[0].map(({ x, y }) => `${x},${y}`)),
    new Set(["-50,-150", "150,-150", "150,50", "-50,50"]),
  );
});

test("two separate cells have two outlines, a hexagon six corners", () => {
  assert.equal(outline(layoutOf(squares(4, 4), 0), [0, 10]).length, 2);
  assert.deepEqual(
    outline(layoutOf(FLOWER, 0), [0]).map((loop) => loop.length),
    [6],
  );
  assert.deepEqual(
    outline(layoutOf(FLOWER, 0), FLOWER.cells.keys()).map((loop) => loop.length),
    [18],
  );
});

test("hexagons that touch are neighbours", () => {
  assert.equal(neighbours(layoutOf(FLOWER, 0)).length, 12);
});

test("arrow keys go to the next cell as seen on the screen", () => {
  const { points } = layoutOf(squares(3, 3), 0);
  assert.equal(towards(points, 4, "ArrowUp"), 7);
  assert.equal(towards(points, 4, "ArrowRight"), 5);
  assert.equal(towards(points, 8, "ArrowRight"), 8);
  const upsideDown = layoutOf(squares(3, 3), 180).points;
  assert.equal(towards(upsideDown, 4, "ArrowUp"), 1);
});

test("arrow keys reach every hexagon", () => {
  const { points } = layoutOf(FLOWER, 0);
  const reached = new Set([0]);
  for (const cell of reached) {
    for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"])
      reached.add(towards(points, cell, key));
  }
  assert.equal(reached.size, 7);
});

test("there is no cell off the board", () => {
  const { points } = layoutOf(squares(3, 3), 0);
  assert.equal(cellAt(points, { x: 120, y: -95 }), 4);
  assert.equal(cellAt(points, { x: -200, y: 0 }), null);
  assert.equal(cellAt(points, { x: NaN, y: NaN }), null);
});

test("letters are below their columns and numbers beside their rows, even on a turned board", () => {
  const scene = squares(2, 3);
  const { columns, rows } = edgeLabels(scene, layoutOf(scene, 0));
  assert.deepEqual(columns, [
    { text: "a", at: 0 },
    { text: "b", at: 100 },
  ]);
  assert.deepEqual(rows, [
    { text: "1", at: 0 },
    { text: "2", at: -100 },
    { text: "3", at: -200 },
  ]);
  const turnedRound = edgeLabels(scene, layoutOf(scene, 180));
  assert.deepEqual(turnedRound.columns, [
    { text: "a", at: 0 },
    { text: "b", at: -100 },
  ]);
});

test("names made of row and column label the right edges", () => {
  const scene = squares(2, 2);
  scene.cells.forEach((cell) => (cell.name = `${2 - cell.y},${cell.x + 1}`));
  const { columns, rows } = edgeLabels(scene, layoutOf(scene, 0));
  assert.deepEqual(
    columns.map((label) => label.text),
    ["1", "2"],
  );
  assert.deepEqual(
    rows.map((label) => label.text),
    ["2", "1"],
  );
});

test("a board without such names has no labels on its edges", () => {
  const scene = squares(2, 2);
  scene.cells[0].name = "home";
  assert.deepEqual(edgeLabels(scene, layoutOf(scene, 0)), { columns: [], rows: [] });
  assert.deepEqual(edgeLabels(FLOWER, layoutOf(FLOWER, 0)), { columns: [], rows: [] });
});

test("a piece passes what it jumps over, on the right leg", () => {
  const { points } = layoutOf(squares(5, 5), 0);
  const route = [points[0], points[2], points[12]];
  assert.deepEqual(passes(route, points[1]), { leg: 0, along: 0.5 });
  assert.deepEqual(passes(route, points[7]), { leg: 1, along: 0.5 });
  assert.deepEqual(passes(route, points[12]), { leg: 1, along: 1 });
  assert.equal(passes(route, points[6]), null);
});

test("a piece falls into a column from above it, whichever way the board is turned", () => {
  const cells = [200, 100, 300].map((y) => ({ x: 50, y }));
  assert.deepEqual(fallsFrom(cells, { x: 0, y: -1 }), { x: 50, y: 0 });
  assert.deepEqual(fallsFrom(cells, { x: 0, y: 1 }), { x: 50, y: 400 });
  assert.equal(fallsFrom(cells.slice(0, 1), { x: 0, y: -1 }), null, "a cell alone is no column");
  assert.equal(fallsFrom([...cells, { x: 150, y: 200 }], { x: 0, y: -1 }), null);
});
