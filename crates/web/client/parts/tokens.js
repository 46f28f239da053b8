// The tokens of seats that this browser has. Whoever has a seat's token plays it, in games whose seats
// have owners.

/** @import { SeatToken } from "../api-types" */

/**
 * The tokens of a game: those that are played here, and those of friends, whose links are shown.
 * @typedef {{ own: string[], guests: { seat: number, token: string }[] }} Kept
 */

const NAME = "agon.seats";
const MOST_GAMES = 60;
/** Used without storage, too. @type {[string, Kept][]} */
let memory = [];

/** All games with tokens, latest first. Another tab may have changed them. */
function all() {
  try {
    memory = JSON.parse(localStorage.getItem(NAME) ?? "[]");
  } catch {
    // What is in memory is good enough for this page.
  }
  return memory;
}

/**
 * @param {string} id
 * @returns {Kept}
 */
function tokensOf(id) {
  return all().find(([known]) => known === id)?.[1] ?? { own: [], guests: [] };
}

/**
 * @param {string} id
 * @param {Kept} kept
 */
function keep(id, kept) {
  const others = all().filter(([known]) => known !== id);
  memory = [/** @type {[string, Kept]} */ ([id, kept]), ...others].slice(0, MOST_GAMES);
  try {
    localStorage.setItem(NAME, JSON.stringify(memory));
  } catch {
    // They last as long as the page.
  }
}

/** The tokens of the seats that are played here. @param {string} id */
export const ownTokens = (id) => tokensOf(id).own;

/** The tokens of friends. @param {string} id */
export const guestTokens = (id) => tokensOf(id).guests;

/** All tokens of the game. @param {string} id */
export const allTokens = (id) => [...ownTokens(id), ...guestTokens(id).map((guest) => guest.token)];

/**
 * Keeps the tokens of a game that was started here.
 * @param {string} id
 * @param {SeatToken[]} tokens
 */
export function keepTokens(id, tokens) {
  if (tokens.length === 0) return;
  const own = tokens.filter((one) => !one.guest).map((one) => one.token);
  keep(id, { own, guests: tokens.filter((one) => one.guest).map(({ seat, token }) => ({ seat, token })) });
}

/**
 * The owners of a game keep their tokens in the next: in a rematch everybody moves on by `shift` seats.
 * @param {string} id
 * @param {string} next
 * @param {{ shift: number, seats: number }} how
 */
export function inheritTokens(id, next, { shift, seats }) {
  const { own, guests } = tokensOf(id);
  if (own.length + guests.length === 0 || allTokens(next).length > 0) return;
  keep(next, { own, guests: guests.map(({ seat, token }) => ({ seat: (seat + shift) % seats, token })) });
}

/**
 * Takes the token of a seat's link out of the address, so that it is not passed on by mistake.
 * @param {string} id
 * @returns {boolean} whether there was one
 */
export function claimFromAddress(id) {
  const token = /^#seat=([a-z0-9]{8,64})$/.exec(location.hash)?.[1];
  if (!token) return false;
  history.replaceState(history.state, "", location.pathname + location.search);
  const { own, guests } = tokensOf(id);
  keep(id, { own: [...new Set([...own, token])], guests });
  return true;
}

/**
 * The link of a seat. Browsers do not send the part after the hash, so no log has it.
 * @param {string} id
 * @param {string} token
 */
export const seatLink = (id, token) => `${location.origin}/play/${encodeURIComponent(id)}#seat=${token}`;
