/**
 * Pictures of the pieces: tokens with a pictogram, stacks seen from the side, pegs. All are
 * centred at 0,0 and fit a cell of `UNIT`. Colours come from the style sheet: `ink` is drawn on
 * the token, `cut` shows the token through the ink, `line` and `seam` are strokes of the two.
 *
 * @typedef {import("../api-types.js").Piece} Piece
 */
import { path, svg } from "./svg.js";

const STAR = star(0, 0, 15, 6.5);

/** @type {Record<string, [string, string][]>} */
const PICTURES = {
  pawn: [
    ["ink", "M0-29a11 11 0 0 1 7 19.500h4.500v5.500h-5c0 10 4 16 10 21v3h-33v-3c6-5 10-11 10-21h-5v-5.500h4.500a11 11 0 0 1 7-19.500z"],
    ["ink", "M-19 23h38a2.500 2.500 0 0 1 2.500 2.500v4h-43v-4a2.500 2.500 0 0 1 2.500-2.500z"],
  ],
  superpawn: [
    ["ink", star(0, -17, 17, 7.5)],
    ["ink", "M-11.500-3.500h23v5.500h-5c0 6 4 10 10 14v3h-33v-3c6-4 10-8 10-14h-5z"],
    ["ink", "M-19 22h38a2.500 2.500 0 0 1 2.500 2.500v5h-43v-5a2.500 2.500 0 0 1 2.500-2.500z"],
  ],
  lion: [
    ["ink", scallops(24, 11)],
    ["cut", "M0-15c11 0 17.500 7 17.500 16s-8 19-17.500 19-17.500-10-17.500-19 6.500-16 17.500-16z"],
    ["ink", "M-10.500-3.500a3 3 0 1 0 6 0a3 3 0 1 0-6 0zM4.500-3.500a3 3 0 1 0 6 0a3 3 0 1 0-6 0zM-5.500 4h11c1 0 1.500 1 1 2l-5 5.500h-3l-5-5.500c-.500-1 0-2 1-2z"],
    ["line", "M0 10v4M-8 13.500q4 4 8 .500q4 3.500 8-.500"],
  ],
  elephant: [
    ["ink", "M-9-20c-14-9-26 0-25 15c1 14 10 21 19 15c3-2 5-5 6-9zM9-20c14-9 26 0 25 15c-1 14-10 21-19 15c-3-2-5-5-6-9z"],
    ["ink", "M0-26c10 0 16 8 15.500 18c-.500 9-5 12-6.500 19c-1 5-1 9 2 10.500c2 1 4.500 0 5-2.500l5.500 1.500c-1 7-7 10.500-13.500 9c-7-1.500-9-8-8.500-14.500v-3c-6-2-14.500-8-15-20c-.400-10 5.500-18 15.500-18z"],
    ["seam", "M-11-20c-5 8-6 19-1 28M11-20c5 8 6 19 1 28"],
    ["cut", "M-8.800-6a2.800 2.800 0 1 0 5.600 0a2.800 2.800 0 1 0-5.600 0zM3.200-6a2.800 2.800 0 1 0 5.600 0a2.800 2.800 0 1 0-5.600 0z"],
    ["ink", "M-6 9c-2 8-7 12-14 11c5-2 7-6 7-12z"],
  ],
  monkey: [
    ["ink", "M-5-23q-1-8 6-8q-2 3 3 5.500c12 2 18 10 18.500 19a9 9 0 1 1-.500 17.500c-2.500 11-11 17.500-22 17.500s-19.500-6.500-22-17.500a9 9 0 1 1-.500-17.500c.500-8 6-15 17.500-16.500z"],
    ["cut", "M0-7c-4-8-16-7.500-16 3.500c0 4.500 2 5.500 1.500 10.500c.500 11 7.500 16.500 14.500 16.500s14-5.500 14.500-16.500c-.500-5 1.500-6 1.500-10.500c0-11-12-11.500-16-3.500z"],
    ["cut", "M-28 1.500a3.600 3.600 0 1 0 7.200 0a3.600 3.600 0 1 0-7.200 0zM20.800 1.500a3.600 3.600 0 1 0 7.200 0a3.600 3.600 0 1 0-7.200 0z"],
    ["ink", "M-10.200-2a3.200 3.200 0 1 0 6.400 0a3.200 3.200 0 1 0-6.400 0zM3.800-2a3.200 3.200 0 1 0 6.400 0a3.200 3.200 0 1 0-6.400 0zM-4.200 7.500a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0zM1.200 7.500a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0z"],
    ["line", "M-8 13.500q8 7 16 0"],
  ],
  giraffe: [
    ["ink", "M22 33c0-18-3-33-8-44l9-6c1-3-1-5-4-5l-8 3c-1-2-2-3-3-3.500l2-7a3.200 3.200 0 1 0-5-.500l-2 6.500h-3l.500-6.500a3.200 3.200 0 1 0-5 .500l1 8l-18 11c-6 4-4 12 3 12c6 0 11-2 15-2c4 8 6 19 5.500 34z"],
    ["cut", "M-7.500-13.500a2.600 2.600 0 1 0 5.200 0a2.600 2.600 0 1 0-5.200 0z"],
    ["cut", "M5-9l6-2l2 7l-6 2zM6 3l4 1l0 7l-3 1zM13 0l3 0l2 9l-4 1zM8 16l5-2l1 7l-5 3zM16 14l3 0l.700 8l-3 0zM9 28l6-3l4 2v4h-10z"],
  ],
  zebra: [
    ["ink", "M6-32c3 2 5 5 5.500 9c14 6 19 24 17 56h-33c1-9 5-14 7-20c-5 4-10 5-15 5l-6 5c-5 3-12-1-11-8c0-3 2-5 4-7l9-13c3-7 8-13 15-16c0-4 2-8 7.500-11z"],
    ["seam", "M15-18l-8 9M23-8l-14 7M27 4l-17 4M29 15l-21 3M29 25l-26 2M4-19l1 7M-4-13l4 6M-14 1l8 3"],
    ["cut", "M-6.400-4a2.400 2.400 0 1 0 4.800 0a2.400 2.400 0 1 0-4.800 0zM-24.500 13a1.900 1.900 0 1 0 3.800 0a1.900 1.900 0 1 0-3.800 0z"],
  ],
  crocodile: [
    ["ink", "M-33-3c-2-7 4-11 11-9l18 1c0-11 15-13 18-3l3-3l3 5l4-2l2 6l4 0v24c-6 4-13 4-18 1l-9-13l-4 6l-5-7l-4 6l-5-7l-4 6l-5-7l-4 5z"],
    ["ink", "M14 22c-12 5-30 2-42-6l2-8l6 5l4-4l5 6l5-5l5 6l5-4z"],
    ["cut", "M2.600-11.500a3.400 3.400 0 1 0 6.800 0a3.400 3.400 0 1 0-6.800 0zM-29.500-6a1.800 1.800 0 1 0 3.600 0a1.800 1.800 0 1 0-3.600 0z"],
    ["ink", "M4.600-11.500a1.400 1.400 0 1 0 2.800 0a1.400 1.400 0 1 0-2.800 0z"],
  ],
  wumpus: [
    ["ink", "M-14-20c-8-1-14-5-15-13c-8 8-7 20 1 24c-3 12-3 22-1 34l7-4l4 8l7-5l4 7l7-5l4 7l7-7l7 5l4-8l7 2c2-12 2-22-1-34c8-4 9-16 1-24c-1 8-7 12-15 13c-8-4-20-4-28 0z"],
    ["cut", "M-17-5a7 7 0 1 0 14 0a7 7 0 1 0-14 0zM3-5a7 7 0 1 0 14 0a7 7 0 1 0-14 0zM-16 8q16 5 32 0l-4 9l-5-6q-7 1-14 0l-5 6z"],
    ["ink", "M-11.500-4a3.200 3.200 0 1 0 6.400 0a3.200 3.200 0 1 0-6.400 0zM5.100-4a3.200 3.200 0 1 0 6.400 0a3.200 3.200 0 1 0-6.400 0z"],
    ["line", "M-17-15l11 4M17-15l-11 4"],
  ],
  hero: [
    ["ink", "M0-32c8 5 16 7 25 7v23c0 16-11 27-25 34c-14-7-25-18-25-34v-23c9 0 17-2 25-7z"],
    ["cut", "M0-24l4 6v23h8v5h-8v8a5 5 0 1 1-8 0v-8h-8v-5h8v-23z"],
  ],
  mage: [
    ["ink", "M9-33c-14 6-20 20-24 42c8 5 23 5 31 0c-3-11-7-19-9-25c5 1 9 0 11-4c-6 0-9-4-9-13z"],
    ["ink", "M-19 11c-8 2-13 5-13 9c0 6 14 10 32 10s32-4 32-10c0-4-5-7-13-9c-10 6-28 6-38 0z"],
    ["cut", star(-1, -2, 8.5, 3.8)],
  ],
};

/** What tells the three sides of a star apart without their colours. @type {Record<string, string>} */
const PEG_MARKS = {
  a: "M-13 0a13 13 0 1 0 26 0a13 13 0 1 0-26 0zM-6 0a6 6 0 1 1 12 0a6 6 0 1 1-12 0z",
  b: "M0-16l15 26h-30z",
  c: "M-12-12h24v24h-24z",
};

const TONES = ["white", "black", "red", "a", "b", "c", "adversary", "agent"];
const BY_NUMBER = ["white", "black", "a", "b"];

/**
 * The name of a seat's colours in the style sheet.
 * @param {string[] | undefined} seats
 * @param {number | null} seat
 */
export function tone(seats, seat) {
  if (seat === null) return "nobody";
  const name = (seats?.[seat] ?? "").toLowerCase();
  return TONES.includes(name) ? name : (BY_NUMBER[seat] ?? "nobody");
}

/**
 * The picture of a piece.
 * @param {Piece} piece
 * @param {string} toneName
 * @param {boolean} [plain] without shadow and ornament, for small pictures
 * @returns {SVGGElement}
 */
export function drawPiece(piece, toneName, plain = false) {
  const group = svg("g", { class: `piece tone-${toneName}` });
  const inner = svg("g", { class: "piece-body" });
  inner.append(...partsOf(piece, toneName, plain));
  group.append(inner);
  return group;
}

/**
 * @param {Piece} piece
 * @param {string} toneName
 * @param {boolean} plain
 */
function partsOf(piece, toneName, plain) {
  if (piece.height > 1 || ["soldier", "general", "king"].includes(piece.name)) {
    return stack(piece.height, plain);
  }
  const shadow = plain ? [] : [svg("ellipse", { class: "shade", cx: 0, cy: 6, rx: 41, ry: 40 })];
  if (piece.name === "peg") return [...shadow, ...peg(toneName, plain)];
  const disc = [...shadow, svg("circle", { class: "disc", r: 41 })];
  if (!plain) disc.push(svg("circle", { class: "rim", r: 36.5 }));
  const picture = PICTURES[piece.name];
  if (picture) return [...disc, ...picture.map(([name, d]) => path(name, d))];
  return [...disc, svg("text", { class: "piece-letter", y: 16 }, piece.letter.toUpperCase())];
}

/**
 * @param {string} toneName
 * @param {boolean} plain
 */
function peg(toneName, plain) {
  /** @type {SVGElement[]} */
  const parts = [svg("circle", { class: "disc", r: 37 })];
  if (!plain) parts.push(path("shine", "M-24-14a28 28 0 0 1 34-14a33 33 0 0 0-34 14z"));
  parts.push(path("ink", PEG_MARKS[toneName] ?? PEG_MARKS.a));
  return parts;
}

/** Discs on each other, seen from the side; three or more wear a crown. */
const DISC = { rx: 38, ry: 16, thick: 15 };

/**
 * @param {number} height
 * @param {boolean} plain
 */
function stack(height, plain) {
  const { rx, ry, thick } = DISC;
  const bottom = Math.min(30, 7 * height + (height > 2 ? 8 : 3));
  /** @type {SVGElement[]} */
  const parts = plain ? [] : [svg("ellipse", { class: "shade", cx: 0, cy: bottom + 5, rx, ry: ry + 1 })];
  let top = bottom;
  for (let level = 0; level < height; level++) {
    top = bottom - (level + 1) * thick;
    parts.push(
      path("disc-side", `M${-rx} ${top}v${thick}a${rx} ${ry} 0 0 0 ${2 * rx} 0v${-thick}z`),
      svg("ellipse", { class: "disc", cx: 0, cy: top, rx, ry }),
    );
  }
  if (!plain) parts.push(svg("ellipse", { class: "rim", cx: 0, cy: top, rx: rx - 8, ry: ry - 4 }));
  if (height === 2) parts.push(svg("path", { class: "ink", d: STAR, transform: `translate(0 ${top}) scale(1.2 .55)` }));
  if (height > 2) parts.push(svg("path", { class: "crown", d: CROWN, transform: `translate(0 ${top + 2})` }));
  return parts;
}

const CROWN = "M-20-6l-5-22l12 9l13-15l13 15l12-9l-5 22q-20 9-40 0z";

/**
 * A star with five points.
 * @param {number} x
 * @param {number} y
 * @param {number} outer
 * @param {number} inner
 */
function star(x, y, outer, inner) {
  const points = Array.from({ length: 10 }, (_, index) => {
    const radius = index % 2 === 0 ? outer : inner;
    const angle = (index * Math.PI) / 5 - Math.PI / 2;
    return `${(x + radius * Math.cos(angle)).toFixed(1)} ${(y + radius * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}z`;
}

/**
 * A round cloud: arcs around a circle.
 * @param {number} radius
 * @param {number} count
 */
function scallops(radius, count) {
  const at = (/** @type {number} */ index) => {
    const angle = (index * 2 * Math.PI) / count - Math.PI / 2;
    return `${(radius * Math.cos(angle)).toFixed(1)} ${(radius * Math.sin(angle) + 1).toFixed(1)}`;
  };
  const bump = (radius * Math.PI) / count + 1;
  const arcs = Array.from({ length: count }, (_, index) => `A${bump.toFixed(1)} ${bump.toFixed(1)} 0 0 1 ${at(index + 1)}`);
  return `M${at(0)}${arcs.join("")}z`;
}
