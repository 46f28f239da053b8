// The one place where elements are created. Text goes in as text: nothing is ever parsed as markup.

/** @typedef {Node | string | number | null | undefined | false} Child */
/**
 * Attributes by name; `data` sets the dataset and `on` adds listeners. True gives an empty attribute;
 * false, null and undefined leave it out.
 * @typedef {{ data?: Record<string, string | number>, on?: Record<string, (event: any) => void>,
 *   [name: string]: unknown }} Attributes
 */

/**
 * Creates an element with its attributes and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes | null} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  dress(element, attributes ?? {});
  element.append(...kept(children));
  return element;
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...kept(children));
}

/**
 * A button with its click handler.
 * @param {Child} label
 * @param {() => void} run
 * @param {Attributes} [attributes]
 */
export function button(label, run, attributes = {}) {
  return el("button", { type: "button", ...attributes, on: { click: run } }, label);
}

/**
 * A link to a page of this site.
 * @param {string} href
 * @param {Child} label
 * @param {Attributes} [attributes]
 */
export function link(href, label, attributes = {}) {
  return el("a", { href, ...attributes }, label);
}

let made = 0;
/** A fresh id, to tie labels and descriptions to their elements. */
export function freshId() {
  made += 1;
  return `e${made}`;
}

/** @param {string} text */
export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** @param {Child[]} children */
function kept(children) {
  /** @type {(Node | string)[]} */
  const list = [];
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    list.push(child instanceof Node ? child : String(child));
  }
  return list;
}

/**
 * @param {HTMLElement} element
 * @param {Attributes} attributes
 */
function dress(element, { data, on, ...rest }) {
  for (const [name, value] of Object.entries(data ?? {})) element.dataset[name] = String(value);
  for (const [name, run] of Object.entries(on ?? {})) element.addEventListener(name, run);
  for (const [name, value] of Object.entries(rest)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
}
