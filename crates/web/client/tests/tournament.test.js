// Tournament files, shades and labels.

import assert from "node:assert/strict";
import { test } from "node:test";
import { firstValue, rangeOf } from "../tournament/picker.js";
import { spread, ticks } from "../tournament/plot.js";
import { shade } from "../tournament/standings.js";
import { quoted, tournamentFile, withAgent } from "../tournament/toml.js";
import { estimateText, pointsText, resultText } from "../tournament/words.js";

const WISH = {
  name: 'the "spring" cup', format: "match", variants: ["congo"], time: "", perMove: "100ms", depth: "", nodes: "",
  games: "10", openings: "random:4", seed: "1", rounds: "7", champions: "1", groups: "1",
  agents: [{ agent: "engine:level=3", name: "" }, { agent: "ugi:./my engine", name: "mine" }],
};

test("a form becomes a file", () => {
  assert.equal(tournamentFile(WISH), `name = "the \\"spring\\" cup"
format = "round-robin"
variant = "congo"
per_move = "100ms"
games = 10
openings = "random:4"
seed = 1

[[agents]]
agent = "engine:level=3"

[[agents]]
name = "mine"
agent = "ugi:./my engine"
`);
  const swiss = tournamentFile({ ...WISH, format: "swiss", variants: ["congo", "fenix"] });
  assert.match(swiss, /rounds = 7\n/);
  assert.match(swiss, /variant = \["congo", "fenix"\]/);
  assert.doesNotMatch(swiss, /champions/);
});

test("texts cannot break out of their quotes", () => {
  assert.equal(quoted('a"\\\n\u0001'), '"a\\"\\\\\\u000a\\u0001"');
});

test("an agent joins whatever form the list has", () => {
  assert.equal(withAgent('name = "c"\n\n[[agents]]\nagent = "random"\n', "greedy", ""), 'name = "c"\n\n[[agents]]\nagent = "random"\n\n[[agents]]\nagent = "greedy"\n');
  assert.equal(withAgent('agents = ["random"]\ngames = 2\n', "greedy", "g"), 'agents = ["random",\n  { name = "g", agent = "greedy" }\n]\ngames = 2\n');
  assert.equal(withAgent('agents = [\n  "a]b" # ]\n]\n', "greedy", ""), 'agents = [\n  "a]b", # ]\n  "greedy"\n]\n');
  assert.equal(withAgent('agents = [\n  "a",\n]\n', "greedy", ""), 'agents = [\n  "a",\n  "greedy"\n]\n');
  assert.equal(withAgent("agents = []\n", "greedy", ""), 'agents = [\n  "greedy"\n]\n');
  assert.equal(withAgent("games = 2\n", "greedy", ""), null);
});

test("shades go from lost to won", () => {
  assert.deepEqual([0, 0.2, 0.49, 0.5, 0.51, 0.8, 1].map(shade), [0, 1, 2, 3, 4, 5, 6]);
});

test("labels keep their distance", () => {
  const places = spread([100, 101, 102, 200]);
  const sorted = [...places].sort((a, b) => a - b);
  for (let at = 1; at < sorted.length; at++) assert.ok((sorted[at] ?? 0) - (sorted[at - 1] ?? 0) >= 16);
  assert.ok(Math.abs((places[3] ?? 0) - 200) < 1);
});

test("ticks are round", () => {
  assert.deepEqual(ticks(-130, 260, 5), [-100, 0, 100, 200]);
  assert.deepEqual(ticks(1, 9, 4), [2, 4, 6, 8]);
});

test("options of agents", () => {
  assert.deepEqual(rangeOf("1 to 10"), { min: 1, max: 10 });
  assert.equal(rangeOf("NAME"), null);
  assert.deepEqual(["1 to 10", "on, off", "on, off, FILE", "NAME"].map(firstValue), ["4", "off", "off", ""]);
});

test("results and points", () => {
  assert.deepEqual([[100, 0], [50, 50], [0, 100]].map(resultText), ["1–0", "½–½", "0–1"]);
  assert.equal(resultText([100, 50, 0]), "1 – 0.5 – 0");
  assert.equal(pointsText(250), "2.5");
  assert.equal(estimateText({ value: -12.4, low: -32, high: 8 }), "−12 ± 20");
});
