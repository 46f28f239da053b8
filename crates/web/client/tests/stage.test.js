import assert from "node:assert/strict";
import { test } from "node:test";

import { Positions, Stage } from "../parts/stage.js";

Object.assign(globalThis, { document: { hidden: false } });

/** A stage whose board records what it is asked to show, and takes a moment for it. */
function recordingStage() {
  /** @type {string[]} */
  const shown = [];
  const board = {
    async show(/** @type {any} */ position, /** @type {any} */ how) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      shown.push(`${position.at}${how.mine.length > 0 ? "!" : ""}`);
    },
  };
  const positions = { after: async (/** @type {string[]} */ moves) => ({ at: moves.join("") }) };
  const stage = new Stage(/** @type {any} */ (board), /** @type {any} */ (positions), () => {});
  return { stage, shown };
}

test("moves that arrive together are shown one by one, and only the last position can be played on", async () => {
  const { stage, shown } = recordingStage();
  await stage.want({ moves: ["a"], mine: [0], catchUp: true });
  await stage.want({ moves: ["a", "b", "c"], mine: [0], catchUp: true });
  assert.deepEqual(shown, ["a!", "ab", "abc!"]);
});

test("many missed moves, another line or a step back are not played through", async () => {
  const { stage, shown } = recordingStage();
  await stage.want({ moves: [], mine: [], catchUp: true });
  await stage.want({ moves: ["a", "b", "c", "d", "e"], mine: [], catchUp: true });
  await stage.want({ moves: ["a"], mine: [], catchUp: true });
  await stage.want({ moves: ["x", "y", "z"], mine: [], catchUp: true });
  await stage.want({ moves: ["x", "y", "z", "u", "v"], mine: [] });
  assert.deepEqual(shown, ["", "abcde", "a", "xyz", "xyzuv"]);
});

test("requests that are already outdated are skipped", async () => {
  const { stage, shown } = recordingStage();
  const first = stage.want({ moves: ["a"], mine: [] });
  stage.want({ moves: ["b"], mine: [] });
  stage.want({ moves: ["c"], mine: [] });
  await first;
  assert.deepEqual(shown, ["a", "c"]);
});

test("what is the same in all positions of a game is requested once", async () => {
  /** @type {boolean[]} */
  const asked = [];
  const answer = (/** @type {string} */ _, /** @type {{ body: string }} */ { body }) => {
    const { brief = false, moves } = JSON.parse(body);
    asked.push(brief);
    const changing = { ply: moves.length, scene: { pieces: moves } };
    const whole = { title: "Congo", ...changing, scene: { cells: ["a1"], supplies: ["X"], ...changing.scene } };
    return Promise.resolve({ ok: true, json: async () => (brief ? changing : whole) });
  };
  Object.assign(globalThis, { fetch: answer });
  const positions = new Positions("congo", null, new AbortController().signal);
  await positions.after([]);
  const later = await positions.after(["d2d3"]);
  await positions.after(["d2d3"]);
  // The last of the supplies is gone, which a brief answer says by leaving them out.
  const scene = { cells: ["a1"], pieces: ["d2d3"], supplies: [] };
  assert.deepEqual(later, { title: "Congo", ply: 1, scene });
  assert.deepEqual(asked, [false, true]);
});
