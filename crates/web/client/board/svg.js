/** Creates SVG nodes without markup, so that everything shown is escaped by construction. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * One SVG element with its attributes and children; attributes that are null are left out.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | null | undefined>} [attributes]
 * @param {...(Node | string | null | undefined)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

/**
 * A path with a class, which most pictures consist of.
 * @param {string} name the class
 * @param {string} d
 */
export function path(name, d) {
  return svg("path", { class: name, d });
}
