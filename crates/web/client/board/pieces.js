/**
 * Pictures of the pieces: tokens with a pictogram, stacks seen from the side, pegs, discs. All are
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
    [
      "ink",
      "M0-29a11 11 0 0 1 7 19.5h4.5v5.5h-5c0 10 4 16 10 21v3h-33v-3c6-5 10-11 10-21h-5v-5.5h4.5a11 11 0 0 1 7-19.5z",
    ],
    ["ink", "M-19 23h38a2.5 2.5 0 0 1 2.5 2.5v4h-43v-4a2.5 2.5 0 0 1 2.5-2.5z"],
  ],
  superpawn: [
    ["ink", star(0, -17, 17, 7.5)],
    ["ink", "M-11.5-3.5h23v5.5h-5c0 6 4 10 10 14v3h-33v-3c6-4 10-8 10-14h-5z"],
    ["ink", "M-19 22h38a2.5 2.5 0 0 1 2.5 2.5v5h-43v-5a2.5 2.5 0 0 1 2.5-2.5z"],
  ],
  lion: [
    ["ink", scallops(26, 11)],
    ["cut", "M0-17c13 0 20 8 20 18s-9 21-20 21-20-11-20-21 7-18 20-18z"],
    [
      "ink",
      "M-11.5-4a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0-6.6 0zM4.9-4a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0-6.6 0zM-6 4h12c1.5 0 2 1 1 2.5l-5.5 5.5h-3l-5.5-5.5c-1-1.5-.5-2.5 1-2.5z",
    ],
    ["line", "M0 11v4M-9 14.5q4.5 4.5 9 .5q4.5 4 9-.5"],
  ],
  elephant: [
    [
      "ink",
      "M-9-20c-14-9-26 0-25 15c1 14 10 21 19 15c3-2 5-5 6-9zM9-20c14-9 26 0 25 15c-1 14-10 21-19 15c-3-2-5-5-6-9z",
    ],
    [
      "ink",
      "M0-26c10 0 16 8 15.5 18c-.5 9-5 12-6.5 19c-1 5-1 9 2 10.5c2 1 4.5 0 5-2.5l5.5 1.5c-1 7-7 10.5-13.5 9c-7-1.5-9-8-8.5-14.5v-3c-6-2-14.5-8-15-20c-.4-10 5.5-18 15.5-18z",
    ],
    ["seam", "M-11-20c-5 8-6 19-1 28M11-20c5 8 6 19 1 28"],
    [
      "cut",
      "M-8.8-6a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0zM3.2-6a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0z",
    ],
    ["ink", "M-6 9c-2 8-7 12-14 11c5-2 7-6 7-12z"],
  ],
  monkey: [
    [
      "ink",
      "M-5-23q-1-8 6-8q-2 3 3 5.5c12 2 18 10 18.5 19a9 9 0 1 1-.5 17.5c-2.5 11-11 17.5-22 17.5s-19.5-6.5-22-17.5a9 9 0 1 1-.5-17.5c.5-8 6-15 17.5-16.5z",
    ],
    [
      "cut",
      "M0-7c-4-8-16-7.5-16 3.5c0 4.5 2 5.5 1.5 10.5c.5 11 7.5 16.5 14.5 16.5s14-5.5 14.5-16.5c-.5-5 1.5-6 1.5-10.5c0-11-12-11.5-16-3.5z",
    ],
    [
      "cut",
      "M-28 1.5a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0zM20.8 1.5a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0z",
    ],
    [
      "ink",
      "M-10.2-2a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0zM3.8-2a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0zM-4.2 7.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0zM1.2 7.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0z",
    ],
    ["line", "M-8 13.5q8 7 16 0"],
  ],
  giraffe: [
    [
      "ink",
      "M19 30c0-16-2-29-6-40l8-6c1-3-1-5-4-4l-7 2c-1-2-2-3-3-3.5l2-6a3 3 0 1 0-4.8-.5l-1.7 5.5h-2.5l.5-5.5a3 3 0 1 0-4.7.5l.7 7l-17 10c-6 4-4 11 3 11c5 0 10-2 14-2c4 8 6 19 5 35q9 1 17.5-3z",
    ],
    ["cut", "M-6.5-13a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0z"],
    [
      "cut",
      "M5-7l5-2l2 6l-5 2zM6 3l4 1l1 7l-4 0zM12 1l2 0l2 9l-3 0zM8 14l5-1l1 8l-5 1zM15 13l2 0l0 8l-2 0zM9 25l6-1l.5 5l-6.5 1.5z",
    ],
  ],
  zebra: [
    [
      "ink",
      "M5-32c3 2 5 5 5.5 9c12 6 17 20 14.5 46q-14 13-30 9.5c0-8 5-14 7-19.5c-5 4-9 5-14 5l-5 4c-5 3-12-1-11-8c0-3 2-5 4-7l8-12c3-7 8-13 14-16c0-4 2-8 7-11z",
    ],
    ["seam", "M14-17l-7 8M21-7l-13 6M25 4l-16 4M26 14l-19 4M25 23l-24 4M4-19l1 7M-4-13l4 6M-13 1l7 3"],
    [
      "cut",
      "M-6.4-4a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0zM-22.5 12a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0z",
    ],
  ],
  crocodile: [
    [
      "ink",
      "M-33-3c-2-7 4-11 11-9l18 1c0-11 15-13 18-3l3-3l3 5l4-2l2 6l4 0v24c-6 4-13 4-18 1l-9-13l-4 6l-5-7l-4 6l-5-7l-4 6l-5-7l-4 5z",
    ],
    ["ink", "M14 22c-12 5-30 2-42-6l2-8l6 5l4-4l5 6l5-5l5 6l5-4z"],
    [
      "cut",
      "M2.6-11.5a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0zM-29.5-6a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0z",
    ],
    ["ink", "M4.6-11.5a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0-2.8 0z"],
  ],
  wumpus: [
    [
      "ink",
      "M-12.3-17.6c-7-0.9-12.3-4.4-13.2-11.4c-7 7-6.2 17.6 0.9 21.1c-2.6 10.6-2.6 19.4-0.9 29.9l6.2-3.5l3.5 7l6.2-4.4l3.5 6.2l6.2-4.4l3.5 6.2l6.2-6.2l6.2 4.4l3.5-7l6.2 1.8c1.8-10.6 1.8-19.4-0.9-29.9c7-3.5 7.9-14.1 0.9-21.1c-0.9 7-6.2 10.6-13.2 11.4c-7-3.5-17.6-3.5-24.6 0z",
    ],
    [
      "cut",
      "M-15-4.4a6.2 6.2 0 1 0 12.3 0a6.2 6.2 0 1 0-12.3 0zM2.6-4.4a6.2 6.2 0 1 0 12.3 0a6.2 6.2 0 1 0-12.3 0zM-14.1 7q14.1 4.4 28.2 0l-3.5 7.9l-4.4-5.3q-6.2 0.9-12.3 0l-4.4 5.3z",
    ],
    [
      "ink",
      "M-10.1-3.5a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0zM4.5-3.5a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0z",
    ],
    ["line", "M-15-13.2l9.7 3.5M15-13.2l-9.7 3.5"],
  ],
  hero: [
    [
      "ink",
      "M0-30.4c7.6 4.8 15.2 6.6 23.8 6.6v21.8c0 15.2-10.4 25.6-23.8 32.3c-13.3-6.6-23.8-17.1-23.8-32.3v-21.8c8.5 0 16.1-1.9 23.8-6.6z",
    ],
    ["cut", "M0-22.8l3.8 5.7v21.8h7.6v4.8h-7.6v7.6a4.8 4.8 0 1 1-7.6 0v-7.6h-7.6v-4.8h7.6v-21.8z"],
  ],
  mage: [
    [
      "ink",
      "M8.4-30.7c-13 5.6-18.6 18.6-22.3 39.1c7.4 4.7 21.4 4.7 28.8 0c-2.8-10.2-6.5-17.7-8.4-23.2c4.7 0.9 8.4 0 10.2-3.7c-5.6 0-8.4-3.7-8.4-12.1z",
    ],
    [
      "ink",
      "M-17.7 10.2c-7.4 1.9-12.1 4.7-12.1 8.4c0 5.6 13 9.3 29.8 9.3s29.8-3.7 29.8-9.3c0-3.7-4.7-6.5-12.1-8.4c-9.3 5.6-26 5.6-35.3 0z",
    ],
    ["cut", star(-1, -2, 8.5, 3.8)],
  ],
};

/** Symbols that tell sides apart without colour. @type {Record<string, string>} */
const SIDE_MARKS = {
  a: "M-13 0a13 13 0 1 0 26 0a13 13 0 1 0-26 0zM-6 0a6 6 0 1 1 12 0a6 6 0 1 1-12 0z",
  b: "M0-16l15 26h-30z",
  c: "M-12-12h24v24h-24z",
  x: "M-14-9l5-5l9 9l9-9l5 5l-9 9l9 9l-5 5l-9-9l-9 9l-5-5l9-9z",
  o: "M-15 0a15 15 0 1 0 30 0a15 15 0 1 0-30 0zM-8.5 0a8.5 8.5 0 1 1 17 0a8.5 8.5 0 1 1-17 0z",
};

const TONES = ["white", "black", "red", "a", "b", "c", "x", "o", "adversary", "agent"];
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
 * The symbol of a side, in a view box of 40 by 40; null for sides that need none.
 * @param {string} toneName
 */
export function sideMark(toneName) {
  const mark = SIDE_MARKS[toneName];
  return mark ? svg("svg", { viewBox: "-20 -20 40 40", "aria-hidden": "true" }, path("ink", mark)) : null;
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
  const shadow = plain ? [] : [svg("circle", { class: "shade", cy: 5, r: piece.name === "peg" ? 37 : 41 })];
  if (piece.name === "peg") return [...shadow, ...peg(toneName, plain)];
  const disc = [...shadow, svg("circle", { class: "disc", r: 41 })];
  if (piece.name === "disc") return [...disc, ...discFace(toneName, plain)];
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
  parts.push(path("ink", SIDE_MARKS[toneName] ?? SIDE_MARKS.a));
  return parts;
}

/**
 * The face of a disc: a groove and, faintly, the mark of its side.
 * @param {string} toneName
 * @param {boolean} plain
 */
function discFace(toneName, plain) {
  /** @type {SVGElement[]} */
  const parts = plain ? [] : [svg("circle", { class: "groove", r: 29 })];
  const mark = SIDE_MARKS[toneName];
  return mark ? [...parts, path("relief", mark)] : parts;
}

/** A stack of discs, seen from the side; three or more have a crown. */
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
  if (height === 2)
    parts.push(svg("path", { class: "ink", d: STAR, transform: `translate(0 ${top}) scale(1.2 .55)` }));
  if (height > 2) parts.push(svg("path", { class: "crown", d: CROWN, transform: `translate(0 ${top + 2})` }));
  return parts;
}

const CROWN = "M-20-6l-5-22l12 9l13-15l13 15l12-9l-5 22q-20 9-40 0z";

/**
 * A five-pointed star.
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
 * A round cloud: arcs on a circle.
 * @param {number} radius
 * @param {number} count
 */
function scallops(radius, count) {
  const at = (/** @type {number} */ index) => {
    const angle = (index * 2 * Math.PI) / count - Math.PI / 2;
    return `${(radius * Math.cos(angle)).toFixed(1)} ${(radius * Math.sin(angle) + 1).toFixed(1)}`;
  };
  const bump = (radius * Math.PI) / count + 1;
  const arcs = Array.from(
    { length: count },
    (_, index) => `A${bump.toFixed(1)} ${bump.toFixed(1)} 0 0 1 ${at(index + 1)}`,
  );
  return `M${at(0)}${arcs.join("")}z`;
}
