// The course of a reviewed game: what every player could expect after each move. It is a slider, too.

/** @import { Judgement, Review } from "../api-types" */

import { path, svg } from "../board/svg.js";
import { tone } from "../board/pieces.js";
import { capital, el, fill, freshId } from "../dom.js";
import { ticksOf } from "../parts/curve.js";
import { curveWords, plyWords } from "./words.js";

const HEIGHT = 190;
const MARGIN = { left: 46, right: 12, top: 10, bottom: 30 };
/** How far below the plot a strip shows what is known exactly. */
const STRIP = 3;
/** How many plies Page Up and Page Down go. */
const PAGE = 10;

/** The marks of bad moves around 0,0: each has its own shape. @type {Record<Judgement, string>} */
const SHAPES = {
  inaccuracy: "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
  mistake: "M0-6.5L6.5 0L0 6.5L-6.5 0z",
  blunder: "M-6.5-5.5h13L0 6.5z",
};

/**
 * The scales of a curve over so many plies, as wide as this.
 * @param {number} width
 * @param {number} plies  the last ply
 */
export function scaleOf(width, plies) {
  const [wide, high] = [Math.max(width - MARGIN.left - MARGIN.right, 1), HEIGHT - MARGIN.top - MARGIN.bottom];
  const last = Math.max(plies, 1);
  return {
    left: MARGIN.left,
    right: MARGIN.left + wide,
    top: MARGIN.top,
    bottom: MARGIN.top + high,
    /** @param {number} ply */
    x: (ply) => MARGIN.left + (wide * ply) / last,
    /** @param {number} share */
    y: (share) => MARGIN.top + high * (1 - Math.min(Math.max(share, 0), 1)),
    /** The ply nearest to a place, counted from the left edge. @param {number} place */
    ply: (place) => Math.min(Math.max(Math.round(((place - MARGIN.left) / wide) * last), 0), plies),
  };
}

/** @typedef {ReturnType<typeof scaleOf>} Scale */

/**
 * A line through these shares, one for every ply.
 * @param {number[]} shares
 * @param {Scale} scale
 */
export const lineOf = (shares, scale) =>
  shares.map((share, ply) => `${ply === 0 ? "M" : "L"}${scale.x(ply).toFixed(1)} ${scale.y(share).toFixed(1)}`).join("");

/**
 * The area below that line.
 * @param {number[]} shares
 * @param {Scale} scale
 */
export function areaOf(shares, scale) {
  if (shares.length === 0) return "";
  return `${lineOf(shares, scale)}L${scale.x(shares.length - 1).toFixed(1)} ${scale.bottom}L${scale.left} ${scale.bottom}z`;
}

/**
 * Where something holds without a break: the first and the last of each stretch.
 * @param {boolean[]} flags
 * @returns {[number, number][]}
 */
export function stretchesOf(flags) {
  /** @type {[number, number][]} */
  const found = [];
  flags.forEach((flag, at) => {
    const last = found[found.length - 1];
    if (flag && last && last[1] === at - 1) last[1] = at;
    else if (flag) found.push([at, at]);
  });
  return found;
}

/**
 * Where a key leads on the curve; null if it leads nowhere.
 * @param {string} key
 * @param {number} at
 * @param {number} end
 */
export function plyByKey(key, at, end) {
  const ways = new Map([["ArrowLeft", at - 1], ["ArrowDown", at - 1], ["ArrowRight", at + 1], ["ArrowUp", at + 1],
    ["PageDown", at - PAGE], ["PageUp", at + PAGE], ["Home", 0], ["End", end]]);
  const to = ways.get(key);
  return to === undefined ? null : Math.min(Math.max(to, 0), end);
}

/**
 * The mark of a bad move, as on the curve, for texts that say the same in words.
 * @param {Judgement} judgement
 */
export function markOf(judgement) {
  return svg("svg", { class: `review-mark ${judgement}`, viewBox: "-8 -8 16 16", width: 13, height: 13, "aria-hidden": "true" }, path("shape", SHAPES[judgement]));
}

/** The curve of a review, as wide as its container. */
export class ReviewCurve {
  /**
   * @param {Review} review
   * @param {string[]} seats  as in positions, for the colours
   * @param {(ply: number) => void} onLook
   * @param {AbortSignal} signal
   */
  constructor(review, seats, onLook, signal) {
    this.review = review;
    this.seats = seats;
    this.onLook = onLook;
    this.at = 0;
    /** Whether the position that is shown belongs to the game. */
    this.within = true;
    const about = el("p", { class: "unseen", id: freshId() }, curveWords(review));
    this.picture = el("div", { class: "review-picture" });
    this.slider = el("div", {
      class: "review-curve", role: "slider", tabindex: 0, "aria-label": "Course of the game", "aria-describedby": about.id,
      "aria-valuemin": 0, "aria-valuemax": this.end, data: { curve: "review", plies: this.end },
      on: {
        pointerdown: (event) => this.press(event),
        pointermove: (event) => this.move(event),
        pointerleave: () => this.say(this.at),
        keydown: (event) => this.key(event),
      },
    }, this.picture);
    this.readout = el("p", { class: "review-readout small", data: { readout: "" } });
    this.node = el("div", { class: "review-course" }, about, this.legend(), this.slider, this.readout);
    const watcher = new ResizeObserver(() => this.draw());
    watcher.observe(this.picture);
    signal.addEventListener("abort", () => watcher.disconnect());
    this.show(0);
  }

  /** The last ply. */
  get end() {
    return this.review.plies.length - 1;
  }

  get scale() {
    return scaleOf(this.picture.clientWidth, this.end);
  }

  /** The seats that have a line of their own: with two players, what one can expect says it all. */
  get lines() {
    return this.review.seats.length === 2 ? [0] : this.review.seats.map((_, seat) => seat);
  }

  /** @param {number} seat */
  sharesOf(seat) {
    return this.review.plies.map(({ shares }) => shares[seat] ?? 0.5);
  }

  /**
   * Marks the position after so many moves; null if another than those of the game is shown.
   * @param {number | null} ply
   */
  show(ply) {
    this.within = ply !== null;
    this.at = Math.min(Math.max(ply ?? this.at, 0), this.end);
    this.slider.setAttribute("aria-valuenow", String(this.at));
    this.slider.setAttribute("aria-valuetext", plyWords(this.review, this.at));
    this.say(this.at);
    this.place();
  }

  /** @param {number} ply */
  say(ply) {
    this.readout.textContent = plyWords(this.review, ply);
  }

  /** @param {PointerEvent} event */
  plyOf(event) {
    return this.scale.ply(event.clientX - this.picture.getBoundingClientRect().left);
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0) return;
    this.slider.setPointerCapture(event.pointerId);
    this.onLook(this.plyOf(event));
  }

  /**
   * With the button down the position follows; otherwise the words tell what is under the pointer.
   * @param {PointerEvent} event
   */
  move(event) {
    const ply = this.plyOf(event);
    if (!this.slider.hasPointerCapture(event.pointerId)) return this.say(ply);
    if (ply !== this.at) this.onLook(ply);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const ply = plyByKey(event.key, this.at, this.end);
    if (ply === null) return;
    event.preventDefault();
    this.onLook(ply);
  }

  draw() {
    const width = this.picture.clientWidth;
    if (width === 0) return;
    const { scale } = this;
    this.cursor = svg("g", { class: "cursor" });
    fill(this.picture, svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, "aria-hidden": "true" },
      ...this.ground(scale),
      ...this.axes(scale, width),
      ...stretchesOf(this.review.plies.map(({ exact }) => exact)).map(([from, to]) => exactStrip(scale, from, to)),
      ...(this.lines.length > 1 ? this.lines.map((seat) => this.line(seat, scale)) : []),
      this.cursor,
      ...this.marks(scale)));
    this.place();
  }

  /**
   * With two players the plot is divided between their colours.
   * @param {Scale} scale
   */
  ground(scale) {
    const { left, right, top, bottom } = scale;
    const box = { x: left, y: top, width: right - left, height: bottom - top };
    if (this.lines.length > 1) return [svg("rect", { class: "ground", ...box })];
    const [first, second] = [tone(this.seats, 0), tone(this.seats, 1)];
    return [
      svg("rect", { class: `area tone-${second}`, ...box }),
      path(`area tone-${first}`, areaOf(this.sharesOf(0), scale)),
      svg("rect", { class: "frame", ...box }),
    ];
  }

  /**
   * @param {Scale} scale
   * @param {number} width
   */
  axes(scale, width) {
    return [
      ...[1, 0.5, 0].map((share) => svg("g", { class: share === 0.5 ? "tick middle" : "tick" },
        svg("line", { x1: scale.left, x2: scale.right, y1: scale.y(share), y2: scale.y(share) }),
        svg("text", { x: scale.left - 7, y: scale.y(share) + 4, "text-anchor": "end" }, `${100 * share} %`))),
      ...ticksOf(this.end, Math.max(2, Math.floor(width / 90))).map((ply) =>
        svg("text", { class: "tick", x: scale.x(ply), y: HEIGHT - 6, "text-anchor": ply === this.end ? "end" : "middle" }, String(ply))),
    ];
  }

  /**
   * A line in the colour of its seat, with an edge that is seen on any ground.
   * @param {number} seat
   * @param {Scale} scale
   */
  line(seat, scale) {
    const d = lineOf(this.sharesOf(seat), scale);
    return svg("g", { class: `line of-${seat} tone-${tone(this.seats, seat)}` }, path("edge", d), path("body", d));
  }

  /** @param {Scale} scale */
  marks(scale) {
    return this.review.plies.flatMap(({ judgement, seat, shares }, ply) => {
      if (judgement === null) return [];
      const line = this.lines.length === 1 ? 0 : (seat ?? 0);
      const place = `translate(${scale.x(ply).toFixed(1)} ${scale.y(shares[line] ?? 0.5).toFixed(1)})`;
      return [svg("g", { class: `review-mark ${judgement}`, transform: place }, path("shape", SHAPES[judgement]))];
    });
  }

  /** Moves the cursor to the position that is shown. */
  place() {
    const { cursor, scale } = this;
    if (!cursor) return;
    const x = scale.x(this.at);
    cursor.setAttribute("class", this.within ? "cursor" : "cursor away");
    const place = { x1: x, x2: x, y1: scale.top, y2: scale.bottom };
    fill(cursor, svg("line", { class: "casing", ...place }), svg("line", { class: "core", ...place }),
      ...this.lines.map((seat) => svg("circle", { class: "now", cx: x, cy: scale.y(this.review.plies[this.at]?.shares[seat] ?? 0.5), r: 4 })));
  }

  legend() {
    const { seats } = this.review;
    const sample = (/** @type {number} */ seat) => svg("svg", { class: "review-sample", viewBox: "0 0 30 10", width: 30, height: 10, "aria-hidden": "true" },
      svg("g", { class: `line of-${seat} tone-${tone(this.seats, seat)}` }, path("edge", "M1 5h28"), path("body", "M1 5h28")));
    const names = this.lines.length > 1
      ? seats.map((name, seat) => el("span", { class: "row review-key" }, sample(seat), capital(name)))
      : [el("span", null, `Below: ${capital(seats[0] ?? "")}; above: ${capital(seats[1] ?? "")}`)];
    const exact = this.review.plies.some((ply) => ply.exact);
    return el("p", { class: "row muted small review-legend" }, ...names,
      exact && el("span", { class: "row review-key" }, el("span", { class: "review-exact", "aria-hidden": "true" }), "known exactly"));
  }
}

/**
 * @param {Scale} scale
 * @param {number} from
 * @param {number} to
 */
function exactStrip(scale, from, to) {
  const half = (scale.x(1) - scale.x(0)) / 2;
  const [left, right] = [Math.max(scale.x(from) - half, scale.left), Math.min(scale.x(to) + half, scale.right)];
  return svg("rect", { class: "exact", x: left, y: scale.bottom + STRIP, width: Math.max(right - left, 2), height: 4 });
}
