import assert from "node:assert/strict";
import { test } from "node:test";

import { timeText } from "../parts/clock.js";
import { variantText } from "../parts/variant.js";
import { elsewhereWords, hintWords, isElsewhere, isWatched, levelWord, moveLabel, shortMove, turnWords, verdictFor } from "../parts/words.js";

/** @param {number[]} places @param {string[]} kinds */
function over(places, kinds) {
  const players = kinds.map((kind, seat) => ({ seat: `s${seat}`, label: `s${seat}`, kind, agent: null, name: kind === "human" ? "You" : "Level 3" }));
  const outcome = { points: places.map(() => 0), places, reason: "", sentence: "It ended" };
  return /** @type {any} */ ({ players, position: { outcome, to_move: null } });
}

test("a variant's text has every field filled in, the others with their defaults", () => {
  const fields = [{ name: "width", default: "8" }, { name: "height", default: "8" }, { name: "rules", default: "" }];
  const game = /** @type {any} */ ({ name: "breakthrough", form: { template: "{width}x{height}{rules}", fields } });
  assert.equal(variantText(game), "breakthrough:8x8");
  assert.equal(variantText(game, { width: "5", rules: ",classic" }), "breakthrough:5x8,classic");
  assert.equal(variantText(/** @type {any} */ ({ name: "fenix", form: { template: "", fields: [] } })), "fenix");
});

test("clocks show tenths only when time is short, and never go below zero", () => {
  assert.equal(timeText(300_000), "5:00");
  assert.equal(timeText(65_900), "1:05");
  assert.equal(timeText(3_661_000), "1:01:01");
  assert.equal(timeText(9_420), "0:09.4");
  assert.equal(timeText(-50), "0:00.0");
});

test("a player is told whether they won, a spectator is not", () => {
  assert.equal(verdictFor(over([1, 2], ["human", "agent"])), "You won");
  assert.equal(verdictFor(over([1, 2], ["agent", "human"])), "You lost");
  assert.equal(verdictFor(over([1, 1], ["human", "agent"])), "A draw");
  assert.equal(verdictFor(over([1, 2, 3], ["agent", "human", "agent"])), "You came second");
  assert.equal(verdictFor(over([1, 1, 3], ["human", "agent", "agent"])), "You share first place");
  assert.equal(verdictFor(over([1, 2], ["agent", "agent"])), null);
  assert.equal(verdictFor(over([1, 2], ["human", "human"])), null);
});

test("if several people play, the turn is given by name", () => {
  const game = over([1, 2], ["human", "human"]);
  game.players[0].name = "White";
  game.position = { outcome: null, to_move: 0 };
  assert.equal(turnWords(game), "White to move");
  game.players[1].kind = "agent";
  assert.equal(turnWords(game), "Your turn");
});

test("agents of the same name are told apart by their seats", () => {
  const game = over([1, 2], ["agent", "agent"]);
  game.position = { outcome: null, to_move: 1 };
  assert.equal(turnWords(game), "Level 3 (s1) to move");
  game.players[0].name = "Level 5";
  assert.equal(turnWords(game), "Level 3 to move");
});

test("games without people are watched, and games of another process are recognised", () => {
  /** @type {[string[], boolean, boolean][]} */
  const cases = [
    [["human", "agent"], false, false],
    [["agent", "agent"], true, false],
    [["elsewhere", "elsewhere"], true, true],
  ];
  for (const [kinds, watched, elsewhere] of cases) {
    const game = over([1, 2], kinds);
    assert.deepEqual([isWatched(game), isElsewhere(game)], [watched, elsewhere], kinds.join());
  }
  assert.equal(verdictFor(over([1, 2], ["elsewhere", "elsewhere"])), null);
});

test("a game that is played elsewhere says when it was last updated, until it is over", () => {
  const game = { ...over([1, 2], ["elsewhere", "elsewhere"]), updated_at: 1_700_000_000_000 };
  const time = new Date(game.updated_at).toLocaleTimeString();
  assert.ok(!elsewhereWords(game).includes(time));
  game.position = { outcome: null, to_move: 0 };
  assert.ok(elsewhereWords(game).includes(time));
});

test("moves that are lists of spaces become stops, others stay as they are", () => {
  assert.equal(moveLabel("[[1,-4],[0,-3],[0,-1]]"), "1,-4 → 0,-3 → 0,-1");
  assert.equal(moveLabel("b6f2xc4,c5"), "b6f2xc4,c5");
  assert.equal(shortMove("[[1,-4],[0,-3],[0,-1]]"), "1,-4 ⇝ 0,-1");
  assert.equal(shortMove("[[1,-4],[0,-3]]"), "1,-4 → 0,-3");
});

test("the words for levels go from beginner to strongest, however many there are", () => {
  for (const levels of [2, 5, 10]) {
    assert.equal(levelWord(1, levels), "beginner");
    assert.equal(levelWord(levels, levels), "strongest");
  }
});

test("a hint says what it is worth and where it comes from", () => {
  /** @param {object} more */
  const hint = (more) => /** @type {any} */ ({ move: { text: "c4e4" }, score: { text: "+0.40", for: "white", label: "white" }, line: ["c4e4"], source: null, ...more });
  assert.equal(hintWords(hint({})), "c4e4 (+0.40 for white)");
  assert.equal(hintWords(hint({ source: "book", line: ["c4e4", "d7d6", "e4e5"] })), "c4e4 (+0.40 for white, book), then d7d6 · e4e5");
  const won = { text: "win in 9 plies", for: "white", label: "white" };
  assert.equal(hintWords(hint({ score: won, source: "known exactly" })), "c4e4 (win in 9 plies for white, known exactly)");
  assert.equal(hintWords(hint({ score: null, source: "book" })), "c4e4 (book)");
  assert.equal(hintWords(hint({ score: null })), "c4e4");
});
