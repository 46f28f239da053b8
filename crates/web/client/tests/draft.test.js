import assert from "node:assert/strict";
import { test } from "node:test";

import { MOVING, clicked, isFlag, isSame, letterOn, piecesOf, readCounter, withMoved, withPiece, withoutPiece } from "../analyse/draft.js";

/** @typedef {import("../analyse/draft.js").Draft} Draft */
/** @typedef {import("../analyse/draft.js").Tool} Tool */

/** A lion on 3 and a pawn on 5. @type {Draft} */
const DRAFT = { pieces: [{ cell: 3, letter: "L" }, { cell: 5, letter: "p" }], to_move: 0, counters: { number: 7 } };

test("a piece takes the place of another, leaves, and comes back", () => {
  const swapped = withPiece(DRAFT, 5, "L");
  assert.deepEqual(swapped.pieces, [{ cell: 3, letter: "L" }, { cell: 5, letter: "L" }]);
  assert.deepEqual(withoutPiece(DRAFT, 3).pieces, [{ cell: 5, letter: "p" }]);
  assert.deepEqual(withoutPiece(DRAFT, 4), DRAFT, "nothing stood there");
  assert.deepEqual(withMoved(DRAFT, 3, 5).pieces, [{ cell: 5, letter: "L" }], "what stood there is gone");
  assert.deepEqual(withMoved(DRAFT, 3, null).pieces, [{ cell: 5, letter: "p" }], "off the board");
  assert.deepEqual(withMoved(DRAFT, 4, 5), DRAFT, "nothing was moved");
  assert.equal(DRAFT.pieces.length, 2, "drafts are never changed");
  assert.equal(withPiece(DRAFT, 0, "z").counters.number, 7);
});

test("a click places, and takes the same piece away again", () => {
  /** @type {Tool} */
  const lion = { kind: "place", letter: "L" };
  const once = clicked(DRAFT, 9, lion);
  assert.equal(letterOn(once.draft, 9), "L");
  assert.equal(once.tool, lion, "more of them can follow");
  assert.equal(letterOn(clicked(once.draft, 9, lion).draft, 9), null);
  assert.equal(letterOn(clicked(DRAFT, 5, lion).draft, 5), "L");
  assert.equal(letterOn(clicked(DRAFT, 5, { kind: "erase" }).draft, 5), null);
});

test("without a tool, one click chooses a piece and the next moves it", () => {
  assert.equal(clicked(DRAFT, 9, MOVING).tool, MOVING, "nothing stands there");
  const chosen = clicked(DRAFT, 3, MOVING);
  assert.deepEqual(chosen, { draft: DRAFT, tool: { kind: "move", from: 3 } });
  const moved = clicked(DRAFT, 9, chosen.tool);
  assert.equal(letterOn(moved.draft, 9), "L");
  assert.equal(moved.tool, MOVING);
  assert.deepEqual(clicked(DRAFT, 3, chosen.tool), { draft: DRAFT, tool: MOVING }, "given up");
});

test("pieces are drawn as the palette says", () => {
  const palette = [{ letter: "L", owner: 0, name: "lion", height: 1 }];
  assert.deepEqual(piecesOf(DRAFT, palette), [{ cell: 3, letter: "L", owner: 0, name: "lion", height: 1 }]);
});

test("a counter is a whole number in its range, and says so otherwise", () => {
  const counter = { name: "quiet", label: "Plies", min: 0, max: 65535 };
  assert.deepEqual(readCounter(counter, " 12 "), { value: 12 });
  assert.deepEqual(readCounter(counter, "65535"), { value: 65535 });
  for (const text of ["", "-1", "1.5", "1e3", "65536", "x"]) {
    assert.deepEqual(readCounter(counter, text), { problem: 'Expected a number from 0 to 65535 for "Plies".' }, text);
  }
  assert.equal(isFlag(counter), false);
  assert.equal(isFlag({ ...counter, max: 1 }), true);
});

test("the order of the pieces makes no other position", () => {
  assert.ok(isSame(DRAFT, { ...DRAFT, pieces: [...DRAFT.pieces].reverse() }));
  assert.ok(!isSame(DRAFT, { ...DRAFT, to_move: 1 }));
  assert.ok(!isSame(DRAFT, { ...DRAFT, counters: { number: 8 } }));
  assert.ok(!isSame(DRAFT, withoutPiece(DRAFT, 3)));
});
