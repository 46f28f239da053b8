/* What a page that analyses a game offers to the parts on it. */

import type { Position, Review } from "../api-types";

/** The game on the page: its main line. */
export interface Game {
  variant: string;
  start: string | null;
  moves: string[];
  /** How many of the moves nobody chose. */
  opening: number;
  /** The names of the players, if they are known. */
  names: string[];
}

export interface Desk {
  /** Aborts when the user leaves the page. */
  signal: AbortSignal;
  /** The start position. */
  first: Position;
  game(): Game;
  /** How many moves of the main line lead to the position that is shown; null if it is not on it. */
  ply(): number | null;
  /** Shows the main line after so many moves. */
  look(ply: number): void;
  /** Shows the position that these moves lead to from there, as a variation. */
  follow?(ply: number, moves: string[]): void;
  /**
   * Shows the position after so many moves, hides what engines say, and gives the next entered move to
   * `onMove`; it goes into no variation.
   */
  challenge(ply: number, onMove: (text: string) => void): void;
  endChallenge(): void;
  /** Begins a game at that position. */
  playOn(ply: number): void;
  /** Takes signs, evaluations and better lines over. */
  annotate(review: Review): void;
}
