// Writes tournament files, as `agon tournament run` reads them.

/**
 * What a form says about a tournament.
 * @typedef {{
 *   name: string, format: string, variants: string[], time: string, perMove: string, depth: string, nodes: string,
 *   games: string, openings: string, seed: string, rounds: string, champions: string, groups: string,
 *   agents: { agent: string, name: string }[],
 * }} Wish
 */

/** @param {string} text */
export function quoted(text) {
  const escaped = text.replace(/[\u0000-\u001f\u007f"\\]/g, (letter) => {
    if (letter === '"' || letter === "\\") return `\\${letter}`;
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `"${escaped}"`;
}

/** @param {Wish} wish */
export function tournamentFile(wish) {
  const { name, format, variants, time, perMove, depth, nodes, games, openings, seed, rounds, champions, groups, agents } = wish;
  const isMatch = format === "match";
  /** @type {string[]} */
  const lines = [];
  const text = (/** @type {string} */ key, /** @type {string} */ value) => value !== "" && lines.push(`${key} = ${quoted(value)}`);
  const number = (/** @type {string} */ key, /** @type {string} */ value) => /^\d+$/.test(value) && lines.push(`${key} = ${value}`);
  text("name", name);
  // A match is a round robin of as many agents as sit at a table.
  text("format", isMatch ? "round-robin" : format);
  if (format === "swiss" || format === "contest") number("rounds", rounds);
  if (format === "gauntlet") number("champions", champions);
  if (format === "contest") number("groups", groups);
  lines.push(`variant = ${variants.length === 1 ? quoted(variants[0] ?? "") : `[${variants.map(quoted).join(", ")}]`}`);
  text("time", time);
  text("per_move", perMove);
  number("depth", depth);
  number("nodes", nodes);
  number("games", games);
  text("openings", openings);
  number("seed", seed);
  for (const { agent, name: called } of agents) {
    lines.push("", "[[agents]]");
    if (called !== "") lines.push(`name = ${quoted(called)}`);
    lines.push(`agent = ${quoted(agent)}`);
  }
  return `${lines.join("\n")}\n`;
}

/**
 * The file with another agent; null if its list of agents is not found.
 * @param {string} file
 * @param {string} agent
 * @param {string} name
 */
export function withAgent(file, agent, name) {
  if (/^\s*\[\[\s*agents\s*\]\]/m.test(file)) {
    const entry = [name === "" ? "" : `name = ${quoted(name)}\n`, `agent = ${quoted(agent)}\n`].join("");
    return `${file.trimEnd()}\n\n[[agents]]\n${entry}`;
  }
  const list = /^\s*agents\s*=\s*\[/m.exec(file);
  if (!list) return null;
  const from = list.index + list[0].length;
  const found = closing(file, from);
  if (!found) return null;
  const { last, end } = found;
  // A comma after the last entry, before any comment, and the new entry on a line of its own.
  const comma = file[last] === "," || last < from ? "" : ",";
  const entry = name === "" ? quoted(agent) : `{ name = ${quoted(name)}, agent = ${quoted(agent)} }`;
  return `${file.slice(0, last + 1)}${comma}${file.slice(last + 1, end).trimEnd()}\n  ${entry}\n${file.slice(end)}`;
}

/**
 * Where the list that begins before `from` ends, and the last letter of its entries. Brackets in texts and
 * comments do not count.
 * @param {string} file
 * @param {number} from
 */
function closing(file, from) {
  let depth = 1;
  let last = from - 1;
  for (let at = from; at < file.length; at++) {
    const letter = file[at];
    if (letter === '"' || letter === "'") {
      for (at++; at < file.length && file[at] !== letter; at++) if (letter === '"' && file[at] === "\\") at++;
    } else if (letter === "#") {
      while (at < file.length && file[at] !== "\n") at++;
      continue;
    } else if (letter === "[") depth++;
    else if (letter === "]" && --depth === 0) return { last, end: at };
    if (letter !== undefined && !/\s/.test(letter)) last = at;
  }
  return null;
}
