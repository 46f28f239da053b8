// Names and phrases of the pages.

/** @import { Game, Hint, Player, ListedGame } from "../api-types" */

const LEVELS = ["beginner", "novice", "casual", "steady", "capable", "skilled", "strong", "expert", "master", "strongest"];

/**
 * @param {number} level
 * @param {number} levels
 */
export function levelWord(level, levels) {
  const at = levels > 1 ? Math.round(((level - 1) * (LEVELS.length - 1)) / (levels - 1)) : 0;
  return LEVELS[at] ?? "";
}

/** @param {number} level */
export const levelAgent = (level) => `engine:level=${level}`;

/**
 * A readable move: moves that are lists of spaces become stops with arrows.
 * @param {string} text
 */
export function moveLabel(text) {
  return text.startsWith("[[") ? text.slice(2, -2).split("],[").join(" → ") : text;
}

/**
 * A short form of a move: of many stops only the first and the last.
 * @param {string} text
 */
export function shortMove(text) {
  const label = moveLabel(text);
  const stops = label.split(" → ");
  return stops.length > 2 ? `${stops[0]} ⇝ ${stops[stops.length - 1]}` : label;
}

/** How much of a hint's line is shown after its move. */
const LINE_SHOWN = 4;

/**
 * A hint with its value and where it comes from, if not from a search: a book, or endgame tables, which know it exactly.
 * @param {Hint} hint
 */
export function hintWords({ move, score, line, source }) {
  const value = score ? `${score.text} for ${score.label}` : null;
  const about = [value, source].filter((words) => words !== null).join(", ");
  const next = line.slice(1, 1 + LINE_SHOWN).map(shortMove).join(" · ");
  return `${moveLabel(move.text)}${about ? ` (${about})` : ""}${next ? `, then ${next}` : ""}`;
}

/** @param {Player[]} players */
export function versus(players) {
  return players.map((player) => player.name).join(" – ");
}

/**
 * The seats of human players.
 * @param {Player[]} players
 */
export function peopleOf(players) {
  return players.flatMap((player, seat) => (player.kind === "human" ? [seat] : []));
}

/**
 * The seats that are played here; of a game in a list, those that nobody owns.
 * @param {Game | ListedGame} game
 */
export function playedHere(game) {
  if ("yours" in game) return game.yours;
  return peopleOf(game.players).filter((seat) => !game.players[seat]?.owned);
}

/**
 * Whether the game has no human players, so that it is there to be watched.
 * @param {{ players: Player[] }} game
 */
export const isWatched = ({ players }) => peopleOf(players).length === 0;

/**
 * Whether another process plays the game, so that it cannot be changed here.
 * @param {{ players: Player[] }} game
 */
export const isElsewhere = ({ players }) => players.some((player) => player.kind === "elsewhere");

/**
 * The note on a game that is played elsewhere.
 * @param {Game} game
 */
export function elsewhereWords({ position, updated_at }) {
  if (position.outcome) return "Played elsewhere. If another game follows, it will be shown here.";
  return `Played elsewhere and shown here live. Last update: ${new Date(updated_at).toLocaleTimeString()}.`;
}

/**
 * A player's name, with the seat if others have the same name.
 * @param {Player[]} players
 * @param {number} seat
 */
export function nameOf(players, seat) {
  const player = players[seat];
  if (!player) return "";
  const alone = players.filter((other) => other.name === player.name).length === 1;
  return alone ? player.name : `${player.name} (${player.label})`;
}

/**
 * Whose turn it is, in words.
 * @param {Game | ListedGame} game
 */
export function turnWords(game) {
  const position = "position" in game ? game.position : game;
  if (position.outcome) return position.outcome.sentence;
  const seat = position.to_move;
  const player = seat === null ? undefined : game.players[seat];
  if (seat === null || !player) return "";
  const here = playedHere(game);
  return here.length === 1 && here[0] === seat ? "Your turn" : `${nameOf(game.players, seat)} to move`;
}

/**
 * "You won" and the like, or null if that adds nothing to the result.
 * @param {Game} game
 */
export function verdictFor(game) {
  const { outcome } = game.position;
  const people = playedHere(game);
  const me = people[0];
  if (!outcome || people.length !== 1 || me === undefined) return null;
  const place = outcome.places[me];
  const first = outcome.places.filter((other) => other === 1).length;
  if (first === outcome.places.length) return "A draw";
  if (place === 1) return first === 1 ? "You won" : "You share first place";
  return outcome.places.length > 2 && place === 2 ? "You came second" : "You lost";
}

/** @param {number} time  in milliseconds since 1970 */
export function dateWords(time) {
  return new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
