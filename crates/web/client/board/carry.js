/**
 * Pieces dragged from beside the board onto it.
 *
 * @typedef {object} CarryEvents
 * @property {() => boolean} take a drag starts; returns whether it may
 * @property {(event: PointerEvent) => void} drag
 * @property {(event: PointerEvent | null) => void} drop null if the drag was broken off
 * @property {(byKeyboard: boolean) => void} pick the pile was clicked
 */
import { STEADY } from "./input.js";

/**
 * Lets pieces be dragged from a pile, or chosen by click or key.
 * @param {HTMLElement} pile
 * @param {CarryEvents} on
 */
export function carriesPieces(pile, on) {
  /** @type {{ id: number, x: number, y: number, dragging: boolean } | null} */
  let held = null;
  let swallowClick = false;
  pile.addEventListener("pointerdown", (event) => {
    swallowClick = false;
    if (event.button !== 0 || !event.isPrimary) return;
    held = { id: event.pointerId, x: event.clientX, y: event.clientY, dragging: false };
    // A pile is small: a quick hand has left it before it counts as moved.
    pile.setPointerCapture(event.pointerId);
  });
  pile.addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.id) return;
    if (!held.dragging) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < STEADY) return;
      if (!on.take()) {
        held = null;
        return;
      }
      held.dragging = true;
    }
    on.drag(event);
  });
  pile.addEventListener("pointerup", (event) => {
    swallowClick = held?.dragging === true;
    held = null;
    if (swallowClick) on.drop(event);
  });
  pile.addEventListener("pointercancel", () => {
    if (held?.dragging) on.drop(null);
    held = null;
  });
  pile.addEventListener("click", (event) => {
    // A click by keyboard has no clicks to count.
    if (!swallowClick) on.pick(event.detail === 0);
    swallowClick = false;
  });
}
