/**
 * The board without pieces: cells, regions and coordinates.
 *
 * @typedef {import("../api-types.js").Scene} Scene
 * @typedef {import("../api-types.js").Region} Region
 * @typedef {import("./geometry.js").Layout} Layout
 * @typedef {import("./geometry.js").Box} Box
 * @typedef {{ seats?: string[], coordinates: boolean, plain: boolean }} Look
 */
import { UNIT, cellsPath, edgeLabels, neighbours, outline, pair } from "./geometry.js";
import { tone } from "./pieces.js";
import { path, svg } from "./svg.js";

/**
 * The box of the whole picture, with room for the frame and the coordinates.
 * @param {Layout} layout
 * @param {Look} look
 * @returns {Box}
 */
export function frameOf(layout, look) {
  const { x, y, width, height } = layout.board;
  const pad = layout.shape === "hexagon" ? 24 : look.plain ? 8 : 16;
  const names = look.coordinates && layout.shape !== "hexagon" && !look.plain ? 36 : 0;
  return { x: x - pad - names, y: y - pad, width: width + 2 * pad + names, height: height + 2 * pad + names };
}

/**
 * Everything that does not move.
 * @param {Scene} scene
 * @param {Layout} layout
 * @param {Look} look
 * @returns {SVGGElement}
 */
export function drawBase(scene, layout, look) {
  const base = svg("g", { class: "base" });
  const hexagons = scene.shape === "hexagon";
  const upright = scene.shape === "hole";
  if (upright) base.append(path("wells", circles(layout)));
  else base.append(...(hexagons ? star(layout, look) : checkers(scene, layout, look)));
  for (const region of scene.regions) base.append(drawRegion(region, layout, look));
  if (hexagons) base.append(holes(scene, layout));
  if (look.coordinates && !look.plain && !upright) base.append(names(scene, layout, look));
  return base;
}

/** The radius of a hole in an upright plate: a piece behind it fills it. */
const HOLE = 39;

/**
 * What stands before the pieces: an upright plate with holes.
 * @param {Scene} scene
 * @param {Layout} layout
 * @param {Look} look
 * @returns {SVGElement[]}
 */
export function drawFront(scene, layout, look) {
  if (scene.shape !== "hole") return [];
  const { x, y, width, height } = frameOf(layout, look);
  const r = look.plain ? 14 : 24;
  const corner = (/** @type {number} */ dx, /** @type {number} */ dy) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
  const edge =
    `M${x + r} ${y}h${width - 2 * r}${corner(r, r)}v${height - 2 * r}${corner(-r, r)}` +
    `h${2 * r - width}${corner(-r, -r)}v${2 * r - height}${corner(r, -r)}Z`;
  const plate = svg("path", { class: "panel", d: edge + circles(layout), "fill-rule": "evenodd" });
  if (look.plain) return [plate];
  // The light comes from above: it catches the lower rim of every hole.
  const shine = svg("path", { class: "panel-shine", d: circles(layout, 3), transform: "translate(0 2)" });
  const front = [plate, shine, path("panel-rim", circles(layout, 1.5))];
  return look.coordinates ? [...front, names(scene, layout, look)] : front;
}

/**
 * The holes of an upright plate.
 * @param {Layout} layout
 * @param {number} [more] how much wider
 */
function circles(layout, more = 0) {
  const r = HOLE + more;
  const ring = `a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  return layout.points.map(({ x, y }) => `M${x - r} ${y}${ring}`).join("");
}

/**
 * A chequered board in a frame.
 * @param {Scene} scene
 * @param {Layout} layout
 * @param {Look} look
 */
function checkers(scene, layout, look) {
  const frame = frameOf(layout, look);
  /** @type {[number[], number[]]} */
  const fields = [[], []];
  scene.cells.forEach((cell, index) => fields[Math.abs(Math.round(cell.x + cell.y)) % 2].push(index));
  return [
    svg("rect", { class: "frame", ...frame, rx: look.plain ? 10 : 18 }),
    path("cell-dark", cellsPath(layout, fields[0])),
    path("cell-light", cellsPath(layout, fields[1])),
    svg("rect", { class: "cells-edge", ...layout.board }),
  ];
}

/**
 * A plate of hexagons, with lines from hole to hole.
 * @param {Layout} layout
 * @param {Look} look
 */
function star(layout, look) {
  const plate = cellsPath(layout, layout.points.keys());
  const line = ([from, to] = [0, 0]) => `M${pair(layout.points[from])}L${pair(layout.points[to])}`;
  const lines = look.plain ? "" : neighbours(layout).map(line).join("");
  return [path("plate-edge", plate), path("plate", plate), path("plate-lines", lines)];
}

/**
 * @param {Scene} scene
 * @param {Layout} layout
 */
function holes(scene, layout) {
  const blocked = new Set(
    scene.regions.filter((region) => region.kind === "blocked").flatMap((region) => region.cells),
  );
  const group = svg("g", { class: "holes" });
  layout.points.forEach((point, cell) => {
    if (!blocked.has(cell)) group.append(svg("circle", { class: "hole", cx: point.x, cy: point.y, r: 37 }));
  });
  return group;
}

/**
 * @param {Region} region
 * @param {Layout} layout
 * @param {Look} look
 */
function drawRegion(region, layout, look) {
  const group = svg("g", { class: `region region-${region.kind} tone-${tone(look.seats, region.owner)}` });
  const cells = region.cells.filter((cell) => layout.points[cell]);
  if (region.kind !== "pit" && region.kind !== "blocked") {
    group.append(path("region-fill", cellsPath(layout, cells)));
  }
  group.append(...ORNAMENTS[region.kind](layout, cells, look.plain));
  return group;
}

/** @type {Record<Region["kind"], (layout: Layout, cells: number[], plain: boolean) => SVGElement[]>} */
const ORNAMENTS = { river, castle, goal, pit, blocked: stone };

/** Waves. @type {typeof ORNAMENTS.river} */
function river(layout, cells) {
  const wave = "q12.500-11 25 0t25 0t25 0t25 0";
  const at = (/** @type {number} */ cell, /** @type {number} */ dy) => {
    const { x, y } = layout.points[cell];
    return `M${x - UNIT / 2} ${y + dy}${wave}`;
  };
  return [
    path("bank", outlinePath(layout, cells)),
    path("wave", cells.map((cell) => at(cell, -26) + at(cell, 26)).join("")),
    path("wave wave-soft", cells.map((cell) => at(cell, 0)).join("")),
  ];
}

/** Walls with battlements, and a tower at every corner. @type {typeof ORNAMENTS.castle} */
function castle(layout, cells, plain) {
  const walls = outlinePath(layout, cells);
  if (plain) return [path("wall", walls)];
  const corners = outline(layout, cells).flat();
  const tower = (/** @type {{x: number, y: number}} */ { x, y }) => `M${x - 11} ${y - 11}h22v22h-22z`;
  return [path("wall", walls), path("wall-joints", walls), path("tower", corners.map(tower).join(""))];
}

/** A dashed border, and on squares a small flag on every cell. @type {typeof ORNAMENTS.goal} */
function goal(layout, cells, plain) {
  const border = path("goal-border", outlinePath(layout, cells));
  if (plain || layout.shape === "hexagon") return [border];
  const flags = cells.map((cell) => {
    const { x, y } = layout.points[cell];
    return `M${x - 12} ${y + 24}v-48h4v3l26 10l-26 10v25z`;
  });
  return [border, path("flag", flags.join(""))];
}

/** A hole in the ground: rim, lit wall, dark bottom. @type {typeof ORNAMENTS.pit} */
function pit(layout, cells) {
  return cells.flatMap((cell) => {
    const { x, y } = layout.points[cell];
    return [
      svg("ellipse", { class: "pit-rim", cx: x, cy: y, rx: 43, ry: 41 }),
      svg("ellipse", { class: "pit-wall", cx: x, cy: y + 1, rx: 38, ry: 36 }),
      svg("ellipse", { class: "pit-dark", cx: x, cy: y + 7, rx: 34, ry: 29 }),
      svg("ellipse", { class: "pit-deep", cx: x, cy: y + 12, rx: 25, ry: 19 }),
    ];
  });
}

/** A block of stone with facets. @type {typeof ORNAMENTS.blocked} */
function stone(layout, cells) {
  return cells.flatMap((cell) => {
    const { x, y } = layout.points[cell];
    const at = `translate(${x} ${y})`;
    return [
      svg("path", { class: "stone", transform: at, d: "M-36 6l8-30l24-14l28 9l14 25l-7 27l-25 15l-30-6z" }),
      svg("path", { class: "stone-light", transform: at, d: "M-28-24l24-14l28 9l-17 14l-27 1z" }),
      svg("path", { class: "stone-dark", transform: at, d: "M-24 32l30 6l25-15l-17-4l-31 2z" }),
    ];
  });
}

/**
 * @param {Layout} layout
 * @param {number[]} cells
 */
function outlinePath(layout, cells) {
  return outline(layout, cells)
    .map((loop) => `M${loop.map(pair).join("L")}Z`)
    .join("");
}

/**
 * Coordinates: on the edges of square boards, inside the holes of hexagonal ones.
 * @param {Scene} scene
 * @param {Layout} layout
 * @param {Look} look
 */
function names(scene, layout, look) {
  const group = svg("g", { class: "names", "aria-hidden": "true" });
  if (scene.shape === "hexagon") {
    scene.cells.forEach((cell, index) => {
      const { x, y } = layout.points[index];
      group.append(svg("text", { class: "hole-name", x, y: y + 7 }, cell.name ?? ""));
    });
    return group;
  }
  const { columns, rows } = edgeLabels(scene, layout);
  const { x, y, height } = layout.board;
  const frame = frameOf(layout, look);
  const left = (frame.x + x) / 2;
  const below = (y + height + frame.y + frame.height) / 2;
  for (const { text, at } of columns) group.append(svg("text", { x: at, y: below + 9 }, text));
  for (const { text, at } of rows) group.append(svg("text", { x: left, y: at + 9 }, text));
  return group;
}
