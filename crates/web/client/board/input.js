/**
 * Turns pointer and keyboard events into commands of the board. Works with mouse, touch and pen; a
 * piece is dragged only if the board allows it.
 *
 * @typedef {import("./geometry.js").Point} Point
 * @typedef {object} Commands
 * @property {(cell: number, byKeyboard: boolean) => void} click
 * @property {(cell: number | null) => void} hover
 * @property {() => void} focus the focus came to a cell, or left one
 * @property {(cell: number) => boolean} take whether this piece can be dragged
 * @property {(point: Point) => void} drag
 * @property {(point: Point) => void} drop
 * @property {(cell: number, key: string) => void} step an arrow key was pressed on a cell
 * @property {(key: string) => boolean} key any other key; returns whether it was handled
 */

/** Movements up to this many pixels still count as a click. */
export const STEADY = 6;

/**
 * @param {SVGSVGElement} picture
 * @param {Commands} commands
 */
export function listen(picture, commands) {
  pointer(picture, commands);
  for (const kind of ["focusin", "focusout"]) picture.addEventListener(kind, () => commands.focus());
  picture.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const cell = cellOf(event);
    let used = true;
    if (cell !== null && event.key.startsWith("Arrow")) commands.step(cell, event.key);
    else if (cell !== null && (event.key === "Enter" || event.key === " ")) commands.click(cell, true);
    else used = commands.key(event.key);
    if (!used) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/**
 * @param {SVGSVGElement} picture
 * @param {Commands} commands
 */
function pointer(picture, commands) {
  /** @type {{ id: number, cell: number, x: number, y: number, dragging: boolean } | null} */
  let held = null;
  let swallowClick = false;
  const release = () => {
    held = null;
    picture.classList.remove("dragging");
    for (const [kind, run] of Object.entries(whileHeld)) window.removeEventListener(kind, /** @type {EventListener} */ (run));
  };
  const whileHeld = {
    /** @param {PointerEvent} event */
    pointermove(event) {
      if (!held || event.pointerId !== held.id) return;
      if (!held.dragging) {
        if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < STEADY) return;
        if (!commands.take(held.cell)) return release();
        held.dragging = true;
        picture.setPointerCapture(event.pointerId);
        picture.classList.add("dragging");
      }
      commands.drag(pointOf(picture, event));
    },
    /** @param {PointerEvent} event */
    pointerup(event) {
      if (!held || event.pointerId !== held.id) return;
      if (held.dragging) {
        swallowClick = true;
        commands.drop(pointOf(picture, event));
      }
      release();
    },
    /** @param {PointerEvent} event */
    pointercancel(event) {
      if (!held || event.pointerId !== held.id) return;
      if (held.dragging) commands.drop({ x: NaN, y: NaN });
      release();
    },
  };
  picture.addEventListener("pointerdown", (event) => {
    const cell = cellOf(event);
    swallowClick = false;
    if (cell === null || event.button !== 0 || !event.isPrimary) return;
    held = { id: event.pointerId, cell, x: event.clientX, y: event.clientY, dragging: false };
    // A quick hand is off the picture before it counts as moved.
    for (const [kind, run] of Object.entries(whileHeld)) window.addEventListener(kind, /** @type {EventListener} */ (run));
  });
  // Browsers ignore `touch-action` within a picture: without this, a finger that drags would scroll.
  const keep = (/** @type {TouchEvent} */ event) => {
    if (held?.dragging && event.cancelable) event.preventDefault();
  };
  picture.addEventListener("touchmove", keep, { passive: false });
  picture.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (!swallowClick && cell !== null) commands.click(cell, false);
    swallowClick = false;
  });
  picture.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse" && !held?.dragging) commands.hover(cellOf(event));
  });
  picture.addEventListener("pointerleave", () => commands.hover(null));
}

/** @param {Event} event */
function cellOf(event) {
  const cell = event.target instanceof Element ? event.target.closest("[data-index]") : null;
  return cell instanceof SVGElement ? Number(cell.dataset.index) : null;
}

/**
 * The position of the pointer in units of the picture.
 * @param {SVGSVGElement} picture
 * @param {PointerEvent} event
 * @returns {Point}
 */
export function pointOf(picture, event) {
  const matrix = picture.getScreenCTM();
  if (!matrix) return { x: NaN, y: NaN };
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  return { x, y };
}
